/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a slurm.conf with topology/3d_torus. */
#ifndef STORUS_CONVERT_SLURM_CONF_H
#define STORUS_CONVERT_SLURM_CONF_H

#include <stddef.h>

#include "base/error.h"
#include "conf/torus_conf.h"
#include "storus/convert/converted.h"

/*
 * Add to [torus] (of names.h) the nodes of all NodeName= lines, but for
 * NodeName=DEFAULT, of text[0 .. length-1], the slurm.conf called [path], and of the
 * files that it includes, which come from [reader] with [context]; relative names are
 * taken from the directory of [path], as Slurm does. Returns 0, or -1 with [err] as
 * "FILE:LINE: reason", with one more "FILE:LINE: " for each file that the fault was
 * included from: the errors of names.h, a NodeName without a value, a file that cannot be
 * read, includes more than 8 deep, an included name with %; without a line, no node at
 * all.
 */
int storus_slurm_conf_read(const char *text, size_t length, const char *path,
			   torus_file_reader_t *reader, void *context,
			   storus_converted_torus_t *torus, torus_error_t *err);

#endif
