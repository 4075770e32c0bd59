/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sub-blocks of a tpu.conf, which Google's patch of Slurm 26.05 for TPUs reads. */
#ifndef STORUS_CONVERT_TPU_CONF_H
#define STORUS_CONVERT_TPU_CONF_H

#include <stddef.h>

#include "base/error.h"
#include "storus/convert/converted.h"

/*
 * Find out the sides in nodes, as a mesh, of a sub-block of TPUs of [type] by
 * text[0 .. length-1], the tpu.conf called [path]: NodesPerSubBlock= nodes of
 * ChipsPerNode= chips (4 unless said) make a square or, with Dimensions=3, a cube of
 * chips, and a node of 4 chips is 2x2 or 2x2x1 of them, which is said, too. Returns 0, or -1 with [err] as
 * "[path]:LINE: reason": no line TPUType=[type], a key without a number, nodes of other
 * than 1 or 4 chips, chips that make no such square or cube.
 */
int storus_tpu_conf_read(const char *text, size_t length, const char *path,
			 const char *type, storus_block_t *block, torus_error_t *err);

#endif
