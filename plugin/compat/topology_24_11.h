/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 24.11. */
#ifndef TORUS_COMPAT_TOPOLOGY_24_11_H
#define TORUS_COMPAT_TOPOLOGY_24_11_H

#include "compat/topology_since_24_05.h"
#include "compat/topology_until_24_11.h"

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_24_05(FORWARD, DECIDE, OWN)                               \
	OWN(bitstr_t *, topology_p_get_bitmap, (char *name), topology_nodes_of(name))    \
	OWN(uint32_t, topology_p_get_fragmentation, (bitstr_t * node_mask),              \
	    topology_fragmentation(node_mask))

#endif
