/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many tasks of a step Slurm gives each node of its job: what of it is certain
 * outside of slurmctld. Plain records of Slurm's numbers, which Slurm counts in 16 bits.
 */
#ifndef TORUS_TASKMAP_STEP_COUNTS_H
#define TORUS_TASKMAP_STEP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What a step asks of its nodes, all those of its job. */
typedef struct torus_step_asks {
	uint32_t tasks;		/* at least as many as nodes */
	uint32_t per_node;	/* --ntasks-per-node; 0: not given */
	uint32_t cpus_per_task; /* 1 where not given */
	uint64_t mem_per_cpu;	/* in MB; 0: not given */
	bool exact;		/* takes part of the job's CPUs on a node */
	bool overlaps;		/* takes what other steps hold */
	bool by_gres;		/* GRES or threads limit a node's tasks */
} torus_step_asks_t;

/* What the job holds on its nodes. A view: it owns nothing. */
typedef struct torus_held {
	uint32_t nodes;		   /* >= 1 */
	const uint16_t *cpus;	   /* [nodes] */
	const uint16_t *cpus_used; /* [nodes] by running steps, of these */
	const uint64_t *memory;	   /* [nodes] in MB; NULL: it is not counted */
	bool same_cores;	   /* all nodes have the same sockets and cores */
	uint64_t cores;		   /* held on all nodes; 0: not known */
	/* [gres_nodes] what is held of GRES on each node, as "gpu:2(IDX:0-1)"; NULL:
	 * none. There may be texts for none of the nodes. */
	uint32_t gres_nodes;
	char *const *gres;
} torus_held_t;

/* Whether each node holds the same CPUs, cores, memory and GRES, whichever of them. */
bool torus_held_alike(const torus_held_t *held);

/* The CPUs of node number [node] as slurmctld counts them for the step's tasks. */
uint16_t torus_held_cpus(const torus_held_t *held, const torus_step_asks_t *asks,
			 uint32_t node);

typedef enum torus_step_counts {
	TORUS_COUNTS_EVEN,  /* as many on each node, the first ones one more */
	TORUS_COUNTS_SLURM, /* as Slurm's own function lays them out on those CPUs */
	TORUS_COUNTS_UNKNOWN,
} torus_step_counts_t;

/*
 * How the step's tasks are counted on its nodes. [hidden]: what other steps hold is not
 * known, since slurmctld is not who starts steps. TORUS_COUNTS_UNKNOWN: [err] says what
 * slurmctld knows of it that is not known here.
 */
torus_step_counts_t torus_step_counts(const torus_held_t *held,
				      const torus_step_asks_t *asks, bool hidden,
				      torus_error_t *err);

/* Fill tasks_on_node[nodes] for TORUS_COUNTS_EVEN. */
void torus_even_counts(uint32_t tasks, uint32_t nodes, uint32_t *tasks_on_node);

#endif
