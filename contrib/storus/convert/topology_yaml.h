/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori of a topology.yaml with topology/torus3d (Slurm 26.05) or topology/block. */
#ifndef STORUS_CONVERT_TOPOLOGY_YAML_H
#define STORUS_CONVERT_TOPOLOGY_YAML_H

#include <stddef.h>

#include "base/error.h"
#include "storus/convert/converted.h"

/*
 * Add to [machine] the tori of all topologies of the type torus3d in text[0 .. length-1],
 * the topology.yaml called [path]. All their dimensions wrap, as placements of that
 * plugin do; the placements themselves are not read, as a torus.conf has none. With
 * [block], the sides of a block and which of them wrap, also each block of the topologies
 * of the type block, as a torus of the block's name with its nodes in their order, x
 * fastest; NULL: these are left out.
 *
 * Whatever a slurmctld of 26.05 takes is converted, or [remark] is told, with [context],
 * what is not: a torus or block without nodes, a block of another size, topologies of
 * other types, keys that Slurm does not know, a node's second place (topologies may share
 * nodes and tori, torus.conf gives each node one place; a torus that is there already
 * goes without a word). Returns 0, or -1 with [err] as "[path]:LINE: reason": what is not
 * YAML, a missing key, a value that Slurm would not take either, counts that do not
 * match, a region outside of its torus or upon another, a node on two tori of one
 * topology, no torus at all.
 */
int storus_topology_yaml_read(const char *text, size_t length, const char *path,
			      const storus_block_t *block, storus_converted_t *machine,
			      storus_remark_t *remark, void *context, torus_error_t *err);

#endif
