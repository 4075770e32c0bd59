/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm asks about a job that counts features: see feature_question.h. */
#include "decide/feature_question.h"

#include "decide/counted.h"

/* Which question it is where each part has to have the nodes of those before it. */
static torus_feature_question_t read_linked(const torus_feature_asked_t *asked)
{
	uint32_t most = torus_counted_least(asked->features, asked->number, false);
	bool has_more = asked->job_cpus > most;

	if (asked->picked < most)
		return asked->min_nodes < most || has_more || asked->names_nodes
			       ? TORUS_ABOUT_PART
			       : TORUS_ABOUT_LEADING;
	if (asked->min_nodes < asked->picked)
		return TORUS_ABOUT_PART;
	if (asked->req_nodes > asked->min_nodes || asked->min_cpus != asked->min_nodes)
		return TORUS_ABOUT_WHOLE;
	return has_more ? TORUS_ABOUT_PART : TORUS_ABOUT_PICKED;
}

torus_feature_question_t torus_feature_question(const torus_feature_asked_t *asked)
{
	if (!asked->for_one)
		return TORUS_ABOUT_WHOLE;
	if (!asked->apart && asked->features > 1)
		return read_linked(asked);
	return asked->picked ? TORUS_ABOUT_WHOLE : TORUS_ABOUT_PART;
}
