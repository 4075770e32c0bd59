/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features of which a job counts its nodes, as in --constraint="[a*2&b*2]".
 *
 * For such a job Slurm asks feature by feature: first for so many nodes among those that
 * have the first one, then for the next, and at last for all nodes, those that it has
 * picked being required. Backfill asks for each feature, and for what is left, and puts
 * the answers together. The plugins leave the parts to Slurm's own plugin
 * (slurm/parts.h): what it picks there only shows that there are enough of each. The last
 * question, about the whole job, they decide as if nothing had been picked.
 */
#ifndef TORUS_FEATURES_H
#define TORUS_FEATURES_H

#include "slurm/compat.h"

#include "decide/counted.h"

typedef struct features {
	int count; /* 0 .. TORUS_COUNTED_MOST; 0: none is counted */
	uint32_t number[TORUS_COUNTED_MOST]; /* of nodes with each */
	bitstr_t *nodes[TORUS_COUNTED_MOST]; /* that have it */
	bool apart;    /* a node is counted for one of them only ("[a*1&b*1]") */
	bool too_many; /* there are more, which are not here */
} features_t;

/* What Slurm asks about a job. */
typedef enum features_question {
	FEATURES_NONE,	    /* it counts no features */
	FEATURES_PART,	    /* about the nodes with one of them */
	FEATURES_PLAN_PART, /* the same for backfill, or about those without */
	FEATURES_LEADING,   /* part or whole: see below */
	FEATURES_PICKED,
	FEATURES_WHOLE,	   /* about all of its nodes */
	FEATURES_TOO_MANY, /* about a job that counts more than TORUS_COUNTED_MOST */
} features_question_t;

/*
 * What is asked about [job] with at least [min_nodes] of the nodes [offered], better
 * [req_nodes]; and, of the whole job, the features that it counts, to be freed.
 *
 * Without brackets ("a*2&c*2") one node is counted for each feature that it has. Then
 * Slurm requires what it has picked for one feature among the nodes for the next, and the
 * question about the last part may be the same as that about the whole job
 * (FEATURES_PICKED): that can only be answered by the nodes picked, if these will do. So
 * the part that takes most nodes (FEATURES_LEADING) is answered as if it were the whole
 * job, where that can be.
 */
features_question_t features_read(const job_record_t *job, uint32_t min_nodes,
				  uint32_t req_nodes, const bitstr_t *offered,
				  features_t *features);
/* The features alone; false: there are none, or they are not known. */
bool features_of_job(const job_record_t *job, features_t *features);
void features_free(features_t *features);

/*
 * Of FEATURES_PLAN_PART: which part it is, and the [count] of parts; each is a feature,
 * or those in parentheses. Of equal ones the [expected]. -1: none of them.
 */
int features_part(const job_record_t *job, int expected, int *count);

/* Whether the job itself names nodes (--nodelist), apart from those that Slurm has picked;
 * and these nodes, to be freed, or NULL without any. */
bool features_names_nodes(const job_record_t *job);
bitstr_t *features_named_nodes(const job_record_t *job);
/* The first of these that are [offered], [most] of them; NULL: none. To be freed. */
bitstr_t *features_named_offered(const job_record_t *job, const bitstr_t *offered,
				 uint32_t most);

/* The fewest nodes with which a job has all that it counts. */
uint32_t features_least_nodes(const features_t *features);

/* Whether these nodes have all that the job counts. */
bool features_suffice(const features_t *features, const bitstr_t *nodes);

/* How many of [subset] of the features, bit i being the i-th, are counted together; and
 * whether the node has one of them. */
uint64_t features_counted(const features_t *features, uint32_t subset);
bool features_on_node(const features_t *features, uint32_t subset, int node);

/*
 * Whether the nodes with some of the [subset] have to be looked at together: each of
 * these features is on a node with another one of them, so that a node may be missing
 * although there are enough of each.
 */
bool features_overlap(const features_t *features, uint32_t subset);

#endif
