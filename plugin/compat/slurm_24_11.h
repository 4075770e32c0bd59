/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 24.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_24_11_H
#define TORUS_COMPAT_SLURM_24_11_H

#include "compat/since_24_11.h"
#include "compat/topology_until_24_11.h"
#include "compat/until_24_11.h"

#define EMPTY_ROWS_COUNT true

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK) SELECT_SYMBOLS_OF_CLIENTS(FORWARD)

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_24_05(FORWARD, DECIDE, OWN)                               \
	OWN(bitstr_t *, topology_p_get_bitmap, (char *name), topology_nodes_of(name))    \
	OWN(uint32_t, topology_p_get_fragmentation, (bitstr_t * node_mask),              \
	    topology_fragmentation(node_mask))

#endif
