/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 25.11 on: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SINCE_25_11_H
#define TORUS_COMPAT_SINCE_25_11_H

#include "src/slurmctld/licenses.h"

#include "compat/since_25_05.h"

#define EMPTY_ROWS_COUNT false

/* The job's record has what is left of hierarchical resources of mode 3. */
#define JOB_HAS_HRES

#define TOPOLOGY_SYMBOLS_SINCE_25_11(FORWARD, DECIDE, OWN)                               \
	TOPOLOGY_SYMBOLS_SINCE_25_05(FORWARD, DECIDE, OWN, topoinfo)                     \
	FORWARD(void, topology_p_jobinfo_free, (void *topo_jobinfo), (topo_jobinfo))     \
	FORWARD(void, topology_p_jobinfo_pack,                                           \
		(void *topo_jobinfo, buf_t *buffer, uint16_t protocol_version),          \
		(topo_jobinfo, buffer, protocol_version))                                \
	FORWARD(int, topology_p_jobinfo_unpack,                                          \
		(void **topo_jobinfo, buf_t *buffer, uint16_t protocol_version),         \
		(topo_jobinfo, buffer, protocol_version))                                \
	FORWARD(int, topology_p_jobinfo_get,                                             \
		(topology_jobinfo_type_t type, void *topo_jobinfo, void *data),          \
		(type, topo_jobinfo, data))                                              \
	FORWARD(void, topology_p_get_topology_str,                                       \
		(node_record_t * node_ptr, char **topology_str_ptr,                      \
		 topology_ctx_t *tctx),                                                  \
		(node_ptr, topology_str_ptr, tctx))

#endif
