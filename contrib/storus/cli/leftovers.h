/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and directories that must not stay behind when a signal ends storus: temporary
 * files above all. Signals that would end it remove them first; it then ends by the
 * signal, as without any files. Signals that are ignored stay ignored.
 */
#ifndef STORUS_CLI_LEFTOVERS_H
#define STORUS_CLI_LEFTOVERS_H

#include <signal.h>

/* Hold back the signals, so that a file is made and added at once. *before is filled. */
void storus_leftovers_hold(sigset_t *before);
void storus_leftovers_release(const sigset_t *before);

/*
 * From now on remove the file, or the empty directory, [path], the latest added first. A
 * relative path is seen from [directory], a descriptor that stays open, or AT_FDCWD.
 * Returns 0, or -1 with errno set (memory).
 */
int storus_leftovers_add(int directory, const char *path);

/* No longer: it is gone, or stays. Nothing if it was not added. */
void storus_leftovers_drop(int directory, const char *path);

#endif
