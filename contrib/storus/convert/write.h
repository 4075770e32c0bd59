/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A converted machine as torus.conf, and the files of coordinates that this names. */
#ifndef STORUS_CONVERT_WRITE_H
#define STORUS_CONVERT_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "storus/convert/converted.h"

/* The name, a format for that of the torus, of its file of coordinates. */
#define STORUS_CONVERTED_COORDS "torus-%s.coords"

/*
 * Write the torus.conf of a finished machine, which was read from [source], to [file];
 * [knows_rings]: which said what wraps. A torus without a list has its nodes in a file of
 * coordinates. Errors of [file], here and below, are the caller's to find.
 */
void storus_converted_write_conf(FILE *file, const storus_converted_t *machine,
				 const char *source, bool knows_rings);

/* Write the file of coordinates of a finished torus. Returns 0, or -1 with [err] filled
 * (memory). */
int storus_converted_write_coords(FILE *file, const storus_converted_torus_t *torus,
				  torus_error_t *err);

#endif
