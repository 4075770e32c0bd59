/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 23.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_23_11_H
#define TORUS_COMPAT_SLURM_23_11_H

#include "compat/since_23_11.h"
#include "compat/topology_until_24_11.h"
#include "compat/until_23_11.h"

#define EMPTY_ROWS_COUNT true

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK) SELECT_SYMBOLS_OF_CLIENTS(FORWARD)

/* The topology plugin is not asked to choose nodes. */
#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_23_11(FORWARD, OWN)                                       \
	FORWARD(int, topology_p_topology_free, (void *topoinfo), (topoinfo))             \
	FORWARD(int, topology_p_topology_get, (void **topoinfo), (topoinfo))             \
	FORWARD(int, topology_p_topology_pack,                                           \
		(void *topoinfo, buf_t *buffer, uint16_t protocol_version),              \
		(topoinfo, buffer, protocol_version))                                    \
	FORWARD(int, topology_p_topology_print,                                          \
		(void *topoinfo, char *nodes_list, char **out),                          \
		(topoinfo, nodes_list, out))                                             \
	FORWARD(int, topology_p_topology_unpack,                                         \
		(void **topoinfo, buf_t *buffer, uint16_t protocol_version),             \
		(topoinfo, buffer, protocol_version))

#endif
