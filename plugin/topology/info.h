/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "scontrol show topology": a snapshot of the tori and of the jobs on them, made by
 * slurmctld, sent to the client and printed there.
 */
#ifndef TORUS_TOPOLOGY_INFO_H
#define TORUS_TOPOLOGY_INFO_H

#include "slurm/compat.h"

/* A number that no topology plugin of Slurm's own has. */
#define TORUS_TOPOLOGY_PLUGIN_ID 171

#ifdef TOPOLOGY_CHOOSES

/*
 * Answer topology_p_get(): a new snapshot, how many tori there are, and that a job can
 * have one for itself. The caller has locked the nodes for reading.
 */
int topology_get_data(topology_data_t type, void *data);

/* Pack a snapshot into [buffer], and unpack it into *info, a new one. */
int topology_info_pack(const void *info, buf_t *buffer, uint16_t protocol_version);
int topology_info_unpack(void **info, buf_t *buffer, uint16_t protocol_version);

/*
 * Print into *out, an xmalloc()ed text (NULL: nothing): the torus called [unit] (NULL or
 * empty: all), and of these only the ones that have all [nodes], a hostlist or the name
 * of a torus, with the jobs that have any of them (NULL or empty: all).
 */
int topology_info_print(const void *info, const char *nodes, const char *unit,
			char **out);

/* Free a snapshot. NULL is accepted. */
int topology_info_free(void *info);

#endif
#endif
