/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the name of an output file leads to. */
#ifndef STORUS_CLI_OUTPUT_TARGET_H
#define STORUS_CLI_OUTPUT_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

typedef struct storus_target {
	/* An open descriptor of the directory and the name in it, malloc'ed; NULL for a
	 * descriptor of this process. */
	int directory;
	char *name;
	int descriptor;	    /* of /dev/stdout, /dev/fd/3 and the like; otherwise -1 */
	bool exists;	    /* whether there is such a file by now */
	struct stat status; /* of the file, if it exists */
} storus_target_t;

/*
 * Follow [path] to the file that it names, which need not exist; its directory must. A
 * symbolic link on the way is followed as the kernel does with fs.protected_symlinks:
 * in a directory where everyone may write and only owners may remove (/tmp), only one of
 * the calling user's or of the owner of the directory. The same goes for devices, pipes
 * and sockets, as they are written to and not replaced. Returns 0, and then [target] is
 * to be cleared; or -1 with [err] as "cannot write 'PATH': reason".
 */
int storus_target_find(const char *path, storus_target_t *target, torus_error_t *err);

/* Whether writing both would lose one of them. Nothing is lost in /dev/null. */
bool storus_target_same(const storus_target_t *a, const storus_target_t *b);

/* Whether replacing the file would lose what goes to standard output. */
bool storus_target_is_stdout(const storus_target_t *target);

void storus_target_clear(storus_target_t *target);

#endif
