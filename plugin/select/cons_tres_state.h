/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm's own select/cons_tres holds about the nodes now: its records of cores,
 * memory and sharing, read where it keeps them. Nobody but this file knows how they are
 * laid out; other releases of Slurm differ here.
 *
 * Slurm's plugin keeps, for each partition, rows of cores: within a row no core is given
 * to two jobs. A partition that does not share has one row, one with OverSubscribe=YES:n
 * or FORCE:n has n. slurmctld's locks are held while any of these functions runs.
 */
#ifndef TORUS_CONS_TRES_STATE_H
#define TORUS_CONS_TRES_STATE_H

#include "slurm/compat.h"

/* What the jobs on one node hold of it. */
typedef struct node_use {
	uint64_t memory; /* MB, that of suspended jobs included */
	uint32_t cores;	 /* in the rows that are looked at */
	uint32_t kinds;	 /* sum of what its jobs demand: enum node_cr_state */
	bool busy;	 /* a job that wants it alone has to wait */
	bool shared;	 /* by jobs of other partitions that oversubscribe */
} node_use_t;

/* The rows that matter for a job. */
typedef struct state_rows {
	bitstr_t **
		*cores; /* [count], each [node] the cores in use; entries may be NULL */
	int count;
	bitstr_t ***shared; /* [shared_count], of other partitions that oversubscribe */
	int shared_count;
} state_rows_t;

/*
 * Find the records in the plugin that delegate_load() has loaded. SLURM_SUCCESS, or
 * SLURM_ERROR and the log says what is missing.
 */
int state_find(void);

/* What the job demands of a node: alone on it, unshared cores, or shared ones. */
enum node_cr_state state_job_kind(const job_record_t *job);

/* Whether cores of jobs in [partition] may be given to several of them. */
bool state_partition_shares(const part_record_t *partition);

/*
 * Whether no core is given to several jobs anywhere, and every job marks its nodes in
 * node_use.kinds.
 */
bool state_shares_nothing(void);

/*
 * How many rows Slurm's plugin tries one by one for [job] when it has found too few idle
 * cores; 0: the job shares with nobody. Row 0 is what is idle in the partitions of the
 * job's own priority tier, as if jobs of lower ones were gone; the others are the rows of
 * its partition, fullest first.
 */
int state_row_count(const job_record_t *job);

/*
 * The rows in which a core must be free for [job]: all of them, with STATE_ALL_ROWS, or
 * what matters in row [row] of state_row_count(). To be freed by state_rows_free().
 */
#define STATE_ALL_ROWS (-1)
state_rows_t *state_rows(const job_record_t *job, int row);
void state_rows_free(state_rows_t *rows);

/*
 * What jobs hold of [node] now, whether they share it or not. Of cores only those in
 * [rows] count; NULL: none.
 */
node_use_t state_node_held(const state_rows_t *rows, int node);

/*
 * What is in use of [node] now. A node that a job has to itself is wholly in use: its
 * cores are not counted, only memory and GRES.
 */
node_use_t state_node_use(const state_rows_t *rows, int node);

/* Whether, now, [node] is shared by jobs of [rows->shared], if one is willing to. */
bool state_rows_share(const state_rows_t *rows, int node);

#endif
