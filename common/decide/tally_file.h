/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of decisions (decide/tally.h) as the plugins write it: made anew when the
 * first decision is counted, and again after a failure.
 */
#ifndef TORUS_DECIDE_TALLY_FILE_H
#define TORUS_DECIDE_TALLY_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "decide/tally.h"

/* All zeros: nothing is counted, and there is no file. The owner locks it. */
typedef struct torus_tally_file {
	torus_tally_t tally;
	bool is_open; /* private, as are all below */
	int fd;
	bool has_failed;
	int64_t retry; /* not before, after a failure */
} torus_tally_file_t;

/* What there is to be said of it. */
typedef enum torus_tally_news {
	TORUS_TALLY_NO_NEWS,
	TORUS_TALLY_BEGUN,  /* there is a file, the first one or after a failure */
	TORUS_TALLY_FAILED, /* the first failure since there was one */
} torus_tally_news_t;

/* After a failure it is tried again so many seconds later. */
#define TORUS_TALLY_RETRY 10

/*
 * Count one decision, which took so many [nanoseconds], and write it to TORUS_TALLY_FILE
 * in [directory], at the time [now], in seconds by a clock that only rises. A new file
 * has all that is counted, and takes the place of an older one as a whole: no other
 * slurmctld writes to the same, and nobody reads half of it. What cannot be written is
 * counted all the same. TORUS_TALLY_FAILED: [err] says what cannot be done and when it
 * is tried again.
 */
torus_tally_news_t torus_tally_file_count(torus_tally_file_t *file, const char *directory,
					  torus_tally_mode_t mode, torus_tally_by_t by,
					  uint64_t nanoseconds, int64_t now,
					  torus_error_t *err);

/* Close the file, which stays; what is counted, too. */
void torus_tally_file_close(torus_tally_file_t *file);

#endif
