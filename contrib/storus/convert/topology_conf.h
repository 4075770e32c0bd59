/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of a topology.conf with topology/block, as topograph writes it, too. */
#ifndef STORUS_CONVERT_TOPOLOGY_CONF_H
#define STORUS_CONVERT_TOPOLOGY_CONF_H

#include <stddef.h>

#include "base/error.h"
#include "storus/convert/converted.h"

/*
 * Add to [machine] each block of text[0 .. length-1], the topology.conf called [path], as
 * a torus of the block's name with its nodes in their order, x fastest, in a box as
 * [block] says. [remark] is told, with [context], what is left out: a block without nodes
 * or with another number of them, nodes that a block before it has. Returns 0, or -1 with
 * [err] as "[path]:LINE: reason": nodes that are no hostlist, a line without BlockName= or
 * BlockSizes=, two blocks of one name, no block at all.
 */
int storus_topology_conf_read(const char *text, size_t length, const char *path,
			      const storus_block_t *block, storus_converted_t *machine,
			      storus_remark_t *remark, void *context, torus_error_t *err);

#endif
