/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features of which a job counts its nodes, as in --constraint="[a*2&b*2]".
 *
 * Slurm asks about such a job feature by feature (decide/feature_question.h). Backfill
 * asks for each feature, and for what is left, and puts the answers together. The plugins
 * leave the parts to Slurm's own plugin: what it picks there only shows that there are
 * enough of each. The last question, about the whole job, they decide as if nothing had
 * been picked.
 */
#ifndef TORUS_FEATURES_H
#define TORUS_FEATURES_H

#include "slurm/compat.h"

#include "decide/counted.h"
#include "decide/feature_question.h"

typedef struct features {
	int count; /* 0 .. TORUS_COUNTED_MOST; 0: none is counted */
	uint32_t number[TORUS_COUNTED_MOST]; /* of nodes with each */
	bitstr_t *nodes[TORUS_COUNTED_MOST]; /* that have it */
	bool apart;    /* a node is counted for one of them only ("[a*1&b*1]") */
	bool too_many; /* there are more, which are not here */
} features_t;

/* What Slurm asks about a job: see decide/feature_question.h. */
typedef enum features_question {
	FEATURES_PART = TORUS_ABOUT_PART,
	FEATURES_LEADING = TORUS_ABOUT_LEADING,
	FEATURES_PICKED = TORUS_ABOUT_PICKED,
	FEATURES_WHOLE = TORUS_ABOUT_WHOLE,
	FEATURES_NONE,	    /* it counts no features */
	FEATURES_PLAN_PART, /* as FEATURES_PART for backfill, or about those without */
	FEATURES_TOO_MANY,  /* about a job that counts more than TORUS_COUNTED_MOST */
} features_question_t;

/*
 * What is asked about [job] with at least [min_nodes] of the nodes [offered], better
 * [req_nodes]; and, of the whole job, the features that it counts, to be freed.
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

/* Whether the job itself names nodes (--nodelist), apart from those that Slurm has
 * picked; and these nodes, to be freed, or NULL without any. */
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
