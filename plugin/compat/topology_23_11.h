/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 23.11, which is not asked to choose nodes. */
#ifndef TORUS_COMPAT_TOPOLOGY_23_11_H
#define TORUS_COMPAT_TOPOLOGY_23_11_H

#include "compat/topology_until_24_11.h"

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
