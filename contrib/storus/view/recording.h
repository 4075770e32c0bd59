/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `storus view --record DIR`: looking at the machine again and again. */
#ifndef STORUS_VIEW_RECORDING_H
#define STORUS_VIEW_RECORDING_H

#include "base/error.h"

/*
 * Record in [directory] until a signal ends the process, a look every [seconds], files of
 * the last [days] days; [conf] and [jobs] as for storus_shown_again(). A look that fails
 * is reported on standard error, the first one in a row, and left out. Returns -1 with
 * [err] filled when the first look fails or nothing can be written there.
 */
int storus_record(const char *directory, unsigned seconds, unsigned days,
		  const char *conf, const char *jobs, torus_error_t *err);

#endif
