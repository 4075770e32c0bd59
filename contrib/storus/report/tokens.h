/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tokens that the plugins wrote into SystemComment, where they were kept
 * (contrib/account-token): they are of the torus.conf of their time.
 */
#ifndef STORUS_REPORT_TOKENS_H
#define STORUS_REPORT_TOKENS_H

#include "storus/report/accounts.h"

/*
 * Look at the token of run [number], which has been measured by its nodes if they are on
 * one torus. A token of another number of nodes than the run had is not its own. Where
 * the nodes could not be measured, or have other mean hops by the token's two decimals,
 * the token's hops count, and of its place nothing is known. Returns 0, or -1 with [err]
 * filled (memory).
 */
int storus_token_look(storus_accounts_t *accounts, size_t number, torus_error_t *err);

#endif
