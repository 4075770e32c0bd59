/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has changed between two looks at the same machine: docs/view.md has the form. */
#ifndef STORUS_VIEW_SERVE_CHANGES_H
#define STORUS_VIEW_SERVE_CHANGES_H

#include <jansson.h>

/*
 * What makes [after] of [before], both as machine_json.h makes them, time left out. NULL:
 * it is another machine, two jobs have one id, or memory is short: [after] as a whole is
 * needed.
 */
json_t *storus_changes(const json_t *before, const json_t *after);

#endif
