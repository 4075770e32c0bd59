/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files that appear whole or not at all: written under another name beside their
 * own, brought to the disk, then renamed. An existing file is replaced, and stays as it was
 * after an error; after a loss of power it is the one or the other, too. A
 * symbolic link stays, and what it points to is replaced; which links are followed says
 * cli/output_target.h. Devices, pipes and the descriptors of this process (/dev/stdout)
 * are written to as they are.
 */
#ifndef STORUS_CLI_REPLACE_FILE_H
#define STORUS_CLI_REPLACE_FILE_H

#include <stdio.h>

#include "base/error.h"

typedef struct storus_replacement {
	FILE *file; /* to be written to by the caller; it need not check for errors */
	char *path; /* private: its name as given */
	struct storus_replaced *replaced; /* private */
} storus_replacement_t;

/*
 * Begin to write the file [path]. Returns 0, and then storus_replacement_commit() or
 * storus_replacement_abandon() must follow; or -1 with [err] as "cannot write 'PATH':
 * reason". One reason is that the file, under any name, is already being written, or
 * that the standard output goes there.
 */
int storus_replacement_begin(storus_replacement_t *replacement, const char *path,
			     torus_error_t *err);

/*
 * Begin to write a new file that only the user may read, in an existing directory: never
 * one that is there already, nor one that a link leads to. [path] is its name, in which
 * the XXXXXX before the last [suffix] characters are replaced, as by mkstemps(). Returns
 * as storus_replacement_begin() does.
 */
int storus_replacement_begin_new(storus_replacement_t *replacement, char *path,
				 int suffix, torus_error_t *err);

/*
 * Put what was written in place of the file. Returns 0, or -1 with [err] filled as above
 * when it could not all be written; nothing is left behind then.
 */
int storus_replacement_commit(storus_replacement_t *replacement, torus_error_t *err);

/* Give up: nothing is left behind. */
void storus_replacement_abandon(storus_replacement_t *replacement);

#endif
