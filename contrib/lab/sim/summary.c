/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers a simulation comes to: see summary.h. */
#include "sim/engine.h"

/*
 * Node-time of one job may be 2^32 nodes times 2^63 microseconds. Whole numbers make sums
 * exact in any order.
 */
typedef unsigned __int128 node_time_t;

static double seconds(int64_t microseconds)
{
	return (double)microseconds / (double)TORUS_SECOND;
}

static void raise(double *max, double value)
{
	if (value > *max)
		*max = value;
}

/* The node-time of [record] that is after [begin]. */
static node_time_t use_after(const torus_sim_record_t *record, int64_t begin)
{
	int64_t start = record->start > begin ? record->start : begin;

	return record->end > start ? (node_time_t)(record->end - start) * record->nodes
				   : 0;
}

/* The same on nodes of the job's box beyond what it wanted. */
static node_time_t unwanted_after(const torus_sim_t *sim,
				  const torus_sim_record_t *record, int64_t begin)
{
	uint32_t wanted = torus_sim_job(sim, (uint32_t)record->job)->wanted;

	return wanted ? use_after(record, begin) / record->nodes *
				(record->nodes - wanted)
		      : 0;
}

/* Add the times of one job. */
static void add_times(torus_summary_t *summary, const torus_sim_record_t *record,
		      int64_t submit)
{
	int64_t run = record->end - record->start, response = record->end - submit;
	double shortest = (double)(run > TORUS_SHORTEST_RUN ? run : TORUS_SHORTEST_RUN);
	double slowdown = (double)response / shortest;

	if (slowdown < 1)
		slowdown = 1;
	summary->mean_wait += seconds(record->start - submit);
	summary->mean_response += seconds(response);
	summary->mean_bounded_slowdown += slowdown;
	raise(&summary->max_wait, seconds(record->start - submit));
	raise(&summary->max_bounded_slowdown, slowdown);
}

static void add_wish(torus_summary_t *summary, const torus_sim_record_t *record)
{
	if (!record->wished)
		return;
	summary->wishes++;
	summary->wishes_met += record->met;
	summary->wishes_waited += record->start > record->could;
	summary->mean_wish_wait += seconds(record->start - record->could);
}

/* Add the value of a job that has these weights. */
static void add_value(torus_statistic_t *statistic, double value,
		      const torus_weights_t *job)
{
	statistic->mean += value;
	statistic->squares += value * value;
	statistic->weighted += value * job->run_time;
	statistic->size_weighted += value * job->nodes;
	statistic->node_weighted += value * job->node_time;
	raise(&statistic->max, value);
}

/* Add the metrics of one job, and its weights to [all]. */
static void add_metrics(torus_summary_t *summary, const torus_sim_record_t *record,
			torus_weights_t *all)
{
	double run_time = seconds(record->end - record->start);
	const torus_weights_t job = {1, run_time, record->nodes,
				     run_time * record->nodes};

	all->jobs++;
	all->run_time += job.run_time;
	all->nodes += job.nodes;
	all->node_time += job.node_time;
	for (int m = 0; m < TORUS_METRIC_VALUES; m++)
		add_value(&summary->metric[m], torus_metric_value(&record->metrics, m),
			  &job);
	for (int i = 0; i < TORUS_ISOLATION_VALUES; i++)
		add_value(&summary->isolation[i],
			  torus_isolation_value(&record->isolation, i), &job);
}

/* Sums become means. */
static void divide_statistic(torus_statistic_t *statistic, const torus_weights_t *all)
{
	statistic->mean = all->jobs ? statistic->mean / (double)all->jobs : 0;
	statistic->weighted = all->run_time > 0 ? statistic->weighted / all->run_time : 0;
	statistic->size_weighted =
		all->nodes > 0 ? statistic->size_weighted / all->nodes : 0;
	statistic->node_weighted =
		all->node_time > 0 ? statistic->node_weighted / all->node_time : 0;
}

static void divide(torus_summary_t *summary, const torus_weights_t *all)
{
	double jobs = (double)summary->jobs;

	if (summary->jobs) {
		summary->mean_wait /= jobs;
		summary->mean_response /= jobs;
		summary->mean_bounded_slowdown /= jobs;
	}
	if (summary->box_jobs)
		summary->mean_box_wait /= (double)summary->box_jobs;
	if (summary->wishes_waited)
		summary->mean_wish_wait /= (double)summary->wishes_waited;
	for (int m = 0; m < TORUS_METRIC_VALUES; m++)
		divide_statistic(&summary->metric[m], all);
	for (int i = 0; i < TORUS_ISOLATION_VALUES; i++)
		divide_statistic(&summary->isolation[i], all);
}

void torus_sim_summary_begin(torus_sim_t *sim)
{
	torus_summary_t *summary = &sim->result->summary;

	summary->nodes = sim->pool->nodes;
	summary->begin = summary->end = sim->counted_from;
}

void torus_sim_summary_add(torus_sim_t *sim, const torus_sim_record_t *record)
{
	torus_summary_t *summary = &sim->result->summary;
	const torus_sim_job_t *job = torus_sim_job(sim, (uint32_t)record->job);

	if (record->end > summary->end)
		summary->end = record->end;
	sim->used += use_after(record, summary->begin);
	sim->unwanted += unwanted_after(sim, record, summary->begin);
	if (sim->result->count < sim->config->warmup)
		return;
	summary->jobs++;
	add_times(summary, record, job->submit);
	if (job->has_shape) {
		summary->box_jobs++;
		summary->mean_box_wait += seconds(record->start - job->submit);
	}
	add_wish(summary, record);
	if (record->torus < 0)
		summary->spread_jobs++;
	else
		add_metrics(summary, record, &sim->weights);
}

void torus_sim_summary_end(torus_sim_t *sim)
{
	const torus_sim_result_t *result = sim->result;
	torus_summary_t *summary = &sim->result->summary;
	node_time_t lost = 0, all;

	for (size_t i = 0; i < result->lost_count; i++)
		lost += use_after(&result->lost[i], summary->begin);
	divide(summary, &sim->weights);
	all = (node_time_t)(summary->end - summary->begin) * summary->nodes;
	summary->utilization = all ? (double)sim->used / (double)all : 0;
	summary->internal_fragmentation =
		sim->used ? (double)sim->unwanted / (double)sim->used : 0;
	summary->lost_runs = result->lost_count;
	summary->lost_node_seconds = (double)lost / (double)TORUS_SECOND;
	torus_free_watch_end(&sim->watch, summary);
}
