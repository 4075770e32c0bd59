/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of Slurm's question about a job: see slurm/decision.h. */
#include "slurm/decision.h"

#include "slurm/refuse.h"
#include "slurm/segments.h"

/*
 * While select_nodes() asks about a part the job has as many processors as the part has
 * nodes, but all of its tasks, unless it says how many are to be on each node: cons_tres
 * then finds a place for the part, and fails to distribute the tasks on it, so that the
 * job waits for ever. Under a topology plugin that is after its answer, so that they stay
 * as they are here: after each part select_nodes() puts the tasks back. Each of the nodes
 * that the part has to have, which are more than its own where they have been picked for
 * others, takes one of the tasks.
 */
static void limit_tasks(job_details_t *details)
{
	const bitstr_t *required = details->req_node_bitmap;
	uint32_t tasks = required ? (uint32_t)bit_set_count((bitstr_t *)required) : 0;

	if (tasks < details->min_cpus)
		tasks = details->min_cpus;
	if (!details->overcommit && !details->ntasks_per_node &&
	    details->num_tasks != NO_VAL && details->min_cpus == details->min_nodes &&
	    details->min_cpus < details->orig_min_cpus && tasks < details->num_tasks)
		details->num_tasks = tasks;
}

bool decision_is_for_neighbours(const decision_t *d)
{
	return d->chooser.tori->cluster->contiguous_by_nodes &&
	       d->job->details->contiguous && !d->asks.network.has_shape;
}

bool decision_is_by_rule(const job_record_t *job, uint32_t select_params,
			 uint32_t req_nodes, bool busy)
{
	if (job->bit_flags & SPREAD_JOB)
		return true;
	if (!job->part_ptr || job_takes_whole_nodes(job))
		return false;
	return busy || (select_params & SELECT_LLN) ||
	       (job->part_ptr->flags & PART_FLAG_LLN) ||
	       (job->details->min_cpus == 1 && req_nodes == 1 &&
		xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end"));
}

/* The most CPUs that the job could have: those of the largest nodes of its partition, as
 * many as it may have of them. */
static uint64_t most_cpus(const job_record_t *job)
{
	const bitstr_t *part = job->part_ptr ? job->part_ptr->node_bitmap : NULL;
	uint32_t max_nodes = job->details->max_nodes, largest = 0;
	uint64_t nodes = 0, cpus = 0;

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || (part && !bit_test((bitstr_t *)part, i)))
			continue;
		if (node->cpus > largest)
			largest = node->cpus;
		cpus += node->cpus;
		nodes++;
	}
	if (!max_nodes || max_nodes == NO_VAL || max_nodes > nodes)
		return cpus;
	return (uint64_t)max_nodes * largest < cpus ? (uint64_t)max_nodes * largest
						    : cpus;
}

/* A job that does not say how many tasks it has gives a grid for those of its steps: not
 * more than it could have CPUs for. */
static int check_grid(const job_record_t *job, const torus_task_words_t *words,
		      torus_error_t *err)
{
	/* Counting CPUs takes a look at each node. */
	if (words->kind != TORUS_GRID_GIVEN || job->details->overcommit)
		return 0;
	return torus_task_words_check_cpus(words, most_cpus(job), err);
}

/*
 * Read the job's --network, and hold a grid to the number of tasks where the job says
 * how many, else to the CPUs that it could have, unless it is to overcommit them. -1: the
 * job cannot run, and [err] says why.
 */
static int read_network(decision_t *d, torus_error_t *err)
{
	torus_network_request_t *request = &d->asks.network;
	const job_record_t *job = d->job;

	if (torus_network_parse(job->network, request, err))
		return -1;
	/* Without --ntasks the record may have a guess. */
	if (job->bit_flags & JOB_NTASKS_SET
		    ? torus_task_words_check(&request->tasks, job->details->num_tasks,
					     err)
		    : check_grid(job, &request->tasks, err))
		return torus_fail_prefix(err, "--network=torus: ");
	return 0;
}

/*
 * What place the job wants: its --network, segments and patience. Of a box it may have as
 * many nodes as there are, if it does not say. As read_network().
 */
static int read_place(decision_t *d, torus_error_t *err)
{
	const tori_t *tori = d->chooser.tori;

	if (read_network(d, err))
		return -1;
	if (d->asks.network.shapes.count && max_nodes_is_implied(d->job))
		d->max_nodes = (uint32_t)node_record_count;
	d->asks.segment = segments_of_job(tori, d->job, d->max_nodes);
	if (!d->asks.segment) /* a condition, as in Slurm */
		d->patience = patience_of_job(tori, d->job, &d->asks.network,
					      d->asks.contiguous &&
						      !decision_is_for_neighbours(d));
	return 0;
}

int decision_read(decision_t *d, uint32_t min_nodes)
{
	bool names = d->features.count ? features_names_nodes(d->job)
				       : d->job->details->req_node_bitmap != NULL;
	torus_error_t err;

	if (read_place(d, &err))
		return refuse_job(d->job, NULL, err.text);
	if (d->asks.network.has_shape && names)
		return refuse_job(d->job, NULL,
				  "a shape and --nodelist exclude each other");
	return segments_check(d->job, d->asks.segment, min_nodes, d->max_nodes);
}

bool decision_waits_strictly(decision_t *d)
{
	torus_error_t err;

	return !read_place(d, &err) && torus_job_is_strict(&d->asks) &&
	       !d->patience.asked.wish && !decision_is_for_neighbours(d);
}

int decision_pass_part(const decision_t *d)
{
	job_details_t *details = d->job->details;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (!d->chooser.tori->cluster->contiguous_by_nodes)
		details->contiguous = 0;
	limit_tasks(details);
	rc = d->ways->pass_part(d->chooser.context);
	details->contiguous = contiguous;
	return rc;
}

/* Decide about the nodes offered, or only those of them that are [picked]; if the answer
 * is no, they are then as they were. */
static int decide_or_restore(const decision_t *d, int (*decide)(void *context),
			     const bitstr_t *picked)
{
	bitstr_t *before = bit_copy(d->offered);
	int rc;

	if (picked)
		bit_and(d->offered, (bitstr_t *)picked);
	rc = decide(d->chooser.context);
	if (rc != SLURM_SUCCESS)
		bit_copybits(d->offered, before);
	bit_free(before);
	return rc;
}

/* The part of a job, as if it were all of it; if that cannot be, as a part. */
static int lead(decision_t *d)
{
	int rc;

	d->is_part = true;
	refuse_silently(true);
	rc = decide_or_restore(d, d->ways->decide, NULL);
	refuse_silently(false);
	return rc == SLURM_SUCCESS ? rc : decision_pass_part(d);
}

/* The nodes that are picked, if they will do. */
static int take_picked(decision_t *d)
{
	job_details_t *details = d->job->details;
	bitstr_t *picked = details->req_node_bitmap;
	int rc;

	d->is_part = true;
	details->req_node_bitmap = NULL;
	rc = decide_or_restore(d, d->ways->decide_exactly, picked);
	details->req_node_bitmap = picked;
	return rc;
}

/* A job that counts more features than are looked at: Slurm's plugin answers, unless it
 * is a strict job. */
static int pass_too_many(decision_t *d)
{
	torus_error_t err;

	if (read_place(d, &err))
		return refuse_job(d->job, NULL, err.text);
	if (torus_job_is_strict(&d->asks) && !decision_is_for_neighbours(d))
		return refuse_job(d->job, NULL,
				  "with a shape, --contiguous or --segment a job can "
				  "count nodes with up to 64 features");
	return d->ways->pass(d->chooser.context);
}

static int answer(decision_t *d, features_question_t question)
{
	switch (question) {
	case FEATURES_PART:
		return decision_pass_part(d);
	case FEATURES_PLAN_PART:
		return d->ways->plan_part(d->chooser.context);
	case FEATURES_LEADING:
		return lead(d);
	case FEATURES_PICKED:
		return take_picked(d);
	case FEATURES_TOO_MANY:
		return pass_too_many(d);
	default:
		return d->ways->decide(d->chooser.context);
	}
}

int decision_answer(decision_t *d, uint32_t min_nodes, uint32_t req_nodes)
{
	int rc = answer(
		d, features_read(d->job, min_nodes, req_nodes, d->offered, &d->features));

	features_free(&d->features);
	return rc;
}

/* decision_make() for a job that counts features. */
static int make_with_features(decision_t *d, int (*decide)(void *context))
{
	job_details_t *details = d->job->details;
	bitstr_t *named = d->is_part ? NULL : features_named_nodes(d->job);
	int rc;

	need_add_features(&d->need, &d->features);
	d->picked = details->req_node_bitmap;
	if (!d->is_part)
		details->req_node_bitmap = named;
	rc = decide(d->chooser.context);
	details->req_node_bitmap = d->picked;
	FREE_NULL_BITMAP(named);
	return rc;
}

int decision_make(decision_t *d, int (*decide)(void *context))
{
	int rc = d->features.count ? make_with_features(d, decide)
				   : decide(d->chooser.context);

	confine_end(&d->confine);
	return rc;
}

int decision_reason_to_wait(const decision_t *d, int rc)
{
	torus_waits_for_t waits_for =
		torus_job_waits_for(&d->asks, d->patience.asked.wish);

	if (rc != SLURM_ERROR || waits_for == TORUS_WAITS_FOR_NODES)
		return rc;
	return waits_for == TORUS_WAITS_FOR_SEGMENTS ? WAITS_FOR_SEGMENTS
						     : WAITS_FOR_PLACE;
}

choice_request_t decision_request(const decision_t *d, uint32_t min_nodes,
				  uint32_t req_nodes, bool planned)
{
	choice_request_t request = choose_request(d->job, &d->asks, 0, planned);

	request.min_nodes = min_nodes;
	request.max_nodes = request.shapes && request.shapes->count
				    ? d->max_nodes
				    : need_most_nodes(d->job, min_nodes, d->max_nodes);
	request.nodes =
		need_wanted_nodes(d->job, min_nodes, req_nodes, request.max_nodes);
	return request;
}

uint32_t decision_place_nodes(decision_t *d, choice_request_t request, bitstr_t *nodes)
{
	return choose_is_possible(&d->chooser, request, nodes, &d->choice)
		       ? d->choice.nodes
		       : 0;
}
