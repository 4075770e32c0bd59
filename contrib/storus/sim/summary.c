/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of a simulation, printed and as a file. */
#include "torus_config.h"

#include <jansson.h>

#include "storus/cli/output.h"
#include "storus/sim/summary.h"

/* Digits of numbers in the file, the same as of ratios elsewhere. */
#define DIGITS 9

static double seconds(int64_t microseconds)
{
	return (double)microseconds / (double)TORUS_SECOND;
}

void storus_summary_print(const storus_replay_t *replay)
{
	const torus_summary_t *summary = &replay->result.summary;
	const storus_sim_options_t *options = replay->options;
	storus_field_t fields[22 + TORUS_METRIC_VALUES + TORUS_ISOLATION_VALUES];
	char name[TORUS_METRIC_VALUES + TORUS_ISOLATION_VALUES][64];
	size_t count = 0;

	fields[count++] = storus_count("jobs", summary->jobs);
	fields[count++] =
		storus_count("skipped", torus_skipped_total(&replay->result.skipped));
	fields[count++] =
		storus_ratio("makespan", seconds(summary->end - summary->begin));
	fields[count++] = storus_ratio("utilization", summary->utilization);
	fields[count++] = storus_ratio("mean_wait", summary->mean_wait);
	fields[count++] = storus_ratio("max_wait", summary->max_wait);
	fields[count++] = storus_ratio("mean_response", summary->mean_response);
	fields[count++] =
		storus_ratio("mean_bounded_slowdown", summary->mean_bounded_slowdown);
	fields[count++] =
		storus_count("fragmentation_failures", summary->fragmentation_failures);
	fields[count++] =
		storus_ratio("mean_free_intervals", summary->free_intervals.mean);
	fields[count++] =
		storus_ratio("mean_largest_interval", summary->largest_interval.mean);
	fields[count++] = storus_count("spread_jobs", summary->spread_jobs);
	fields[count++] = storus_count("lost_runs", summary->lost_runs);
	if (torus_sim_wish_asked(&replay->wish)) {
		fields[count++] = storus_count("wishes", summary->wishes);
		fields[count++] = storus_count("wishes_met", summary->wishes_met);
		fields[count++] = storus_count("wishes_waited", summary->wishes_waited);
		fields[count++] = storus_ratio("mean_wish_wait", summary->mean_wish_wait);
	}
	if (options->boxes > 0 || options->advise >= 0) {
		fields[count++] = storus_count("box_jobs", summary->box_jobs);
		fields[count++] = storus_ratio("mean_box_wait", summary->mean_box_wait);
	}
	if (options->boxes > 0 || options->advise >= 0 || options->whole)
		fields[count++] = storus_ratio("internal_fragmentation",
					       summary->internal_fragmentation);
	if (options->boxes > 0 || options->advise >= 0) {
		fields[count++] = storus_count("advised", summary->advised);
		fields[count++] = storus_ratio("lost_node_hours",
					       summary->lost_node_seconds / 3600);
	}
	for (int m = 0; m < TORUS_METRIC_VALUES; m++) {
		snprintf(name[m], sizeof(name[m]), "mean_%s", torus_metric_name(m));
		fields[count++] = storus_ratio(name[m], summary->metric[m].mean);
	}
	for (int i = 0; replay->options->isolation && i < TORUS_ISOLATION_VALUES; i++) {
		char *text = name[TORUS_METRIC_VALUES + i];

		snprintf(text, sizeof(name[0]), "mean_%s", torus_isolation_name(i));
		fields[count++] = storus_ratio(text, summary->isolation[i].mean);
	}
	storus_record_print(stdout, replay->options->format, fields, count);
}

static json_t *statistic(const torus_statistic_t *s)
{
	return json_pack("{s:f,s:f,s:f,s:f,s:f,s:f}", "mean", s->mean, "max", s->max,
			 "sum_of_squares", s->squares, "weighted_by_run_time",
			 s->weighted, "weighted_by_nodes", s->size_weighted,
			 "weighted_by_node_time", s->node_weighted);
}

static json_t *time_statistic(const torus_time_statistic_t *s)
{
	return json_pack("{s:f,s:f,s:f}", "mean", s->mean, "min", s->min, "max", s->max);
}

static json_t *skipped_object(const torus_skipped_t *skipped)
{
	json_t *object = json_object();

	for (int i = 0; object && i < skipped->reasons; i++) {
		const torus_skip_count_t *by = &skipped->by[i];

		json_object_set_new(object, by->reason,
				    json_pack("{s:I,s:I}", "count", (json_int_t)by->count,
					      "first_line", (json_int_t)by->first_line));
	}
	return object;
}

static json_t *metrics_object(const torus_summary_t *summary)
{
	json_t *object = json_object();

	for (int m = 0; object && m < TORUS_METRIC_VALUES; m++)
		json_object_set_new(object, torus_metric_name(m),
				    statistic(&summary->metric[m]));
	return object;
}

static json_t *wishes_object(const torus_summary_t *summary)
{
	return json_pack("{s:I,s:I,s:I,s:f}", "jobs", (json_int_t)summary->wishes, "met",
			 (json_int_t)summary->wishes_met, "waited",
			 (json_int_t)summary->wishes_waited, "mean_wait",
			 summary->mean_wish_wait);
}

static json_t *isolation_object(const torus_summary_t *summary)
{
	json_t *object = json_object();

	for (int i = 0; object && i < TORUS_ISOLATION_VALUES; i++)
		json_object_set_new(object, torus_isolation_name(i),
				    statistic(&summary->isolation[i]));
	return object;
}

static json_t *machine_array(const torus_cluster_t *cluster)
{
	json_t *array = json_array();

	for (int t = 0; array && t < cluster->maps; t++) {
		const torus_map_t *map = cluster->map[t];
		char dims[TORUS_DIMS_TEXT], wrap[2 * TORUS_MAX_DIMS];

		for (int axis = 0; axis < map->geometry.dims; axis++) {
			wrap[2 * axis] = map->geometry.wrap[axis] ? '1' : '0';
			wrap[2 * axis + 1] = ',';
		}
		wrap[2 * map->geometry.dims - 1] = '\0';
		torus_lengths_format(map->geometry.dims, map->geometry.length, dims);
		json_array_append_new(
			array, json_pack("{s:s,s:s,s:s,s:I,s:s,s:s,s:s,s:f}", "torus",
					 map->name, "dims", dims, "wrap", wrap, "nodes",
					 (json_int_t)map->nodes, "curve",
					 torus_curve_name(map->curve), "allocator",
					 torus_allocator_name(map->allocator), "span",
					 torus_span_name(map->span), "isolation_weight",
					 map->isolation / 1000.0));
	}
	return array;
}

static json_t *wish_object(const storus_replay_t *replay)
{
	const torus_sim_wish_t *wish = &replay->wish;
	json_t *object = json_pack("{s:f}", "share", replay->options->wishes);
	char shapes[TORUS_SHAPES_TEXT];

	if (object && wish->near)
		json_object_set_new(object, "near", json_real(wish->near / 1000.0));
	if (object && torus_shapes_asked(&wish->shapes))
		json_object_set_new(
			object, torus_shapes_in_chips(&wish->shapes) ? "chips" : "shape",
			json_string(torus_shapes_format(&wish->shapes, shapes)));
	if (object && wish->shapes.closed)
		json_object_set_new(object, "closed", json_true());
	if (object && wish->shapes.count && wish->shapes.shape[0].twist)
		json_object_set_new(object, "twist", json_true());
	if (object)
		json_object_set_new(object, "within",
				    wish->within == TORUS_FOR_EVER
					    ? json_string("infinite")
					    : json_real(seconds(wish->within)));
	return object;
}

/* The options that the result depends on. */
static json_t *options_object(const storus_replay_t *replay)
{
	const storus_sim_options_t *options = replay->options;
	json_t *object = json_pack(
		"{s:s,s:I,s:I,s:I,s:f,s:I,s:I}", "scheduler",
		torus_scheduler_name(options->scheduler), "processors_per_node",
		(json_int_t)options->processors_per_node, "max_jobs",
		(json_int_t)options->max_jobs, "replicate",
		(json_int_t)options->replicate, "work_multiple", options->work_multiple,
		"warmup", (json_int_t)options->warmup, "seed", (json_int_t)options->seed);

	if (object && options->isolation)
		json_object_set_new(object, "isolation", json_true());
	if (object && torus_sim_wish_asked(&replay->wish))
		json_object_set_new(object, "wish", wish_object(replay));
	if (object && options->segment)
		json_object_set_new(object, "segment",
				    json_integer((json_int_t)options->segment));
	if (object && replay->segments != TORUS_SEGMENTS_ANYWHERE)
		json_object_set_new(object, "segments",
				    json_string(options->segments.spread
							? "spread"
							: "consolidated"));
	if (object && options->slowdown.weight > 0)
		json_object_set_new(object, "slowdown",
				    json_pack("{s:s,s:f}", "metric",
					      torus_metric_name(options->slowdown.metric),
					      "weight", options->slowdown.weight));
	return object;
}

/* What was free over time, in columns. */
static json_t *free_object(const torus_free_history_t *history)
{
	json_t *nodes = json_array(), *intervals = json_array(), *largest = json_array();

	for (uint32_t i = 0; i < history->count; i++) {
		json_array_append_new(nodes,
				      json_integer((json_int_t)history->sample[i].nodes));
		json_array_append_new(
			intervals,
			json_integer((json_int_t)history->sample[i].intervals));
		json_array_append_new(
			largest, json_integer((json_int_t)history->sample[i].largest));
	}
	return json_pack("{s:f,s:o,s:o,s:o}", "every", seconds(history->every), "nodes",
			 nodes, "intervals", intervals, "largest_interval", largest);
}

int storus_summary_write(FILE *file, const storus_replay_t *replay, torus_error_t *err)
{
	const torus_summary_t *s = &replay->result.summary;
	json_t *object = json_pack(
		"{s:o,s:o,s:I,s:o,s:I,s:f,s:f,s:f,s:I,s:f,s:f,s:f,s:f,s:f,s:f,s:I,s:I,s:I,s:I,"
		"s:f,s:o,s:o,s:o,s:o,s:o}",
		"machine", machine_array(replay->cluster), "options",
		options_object(replay), "jobs", (json_int_t)s->jobs, "skipped",
		skipped_object(&replay->result.skipped), "repeated",
		(json_int_t)replay->workload.repeated.count, "begin", seconds(s->begin),
		"end", seconds(s->end), "makespan", seconds(s->end - s->begin), "nodes",
		(json_int_t)s->nodes, "utilization", s->utilization, "mean_wait",
		s->mean_wait, "max_wait", s->max_wait, "mean_response", s->mean_response,
		"mean_bounded_slowdown", s->mean_bounded_slowdown, "max_bounded_slowdown",
		s->max_bounded_slowdown, "fragmentation_failures",
		(json_int_t)s->fragmentation_failures, "fragmented_jobs",
		(json_int_t)s->fragmented_jobs, "spread_jobs", (json_int_t)s->spread_jobs,
		"lost_runs", (json_int_t)s->lost_runs, "lost_node_seconds",
		s->lost_node_seconds, "free_intervals",
		time_statistic(&s->free_intervals), "largest_free_interval",
		time_statistic(&s->largest_interval), "largest_free_share",
		time_statistic(&s->largest_share), "free", free_object(&s->free),
		"metrics", metrics_object(s));

	if (!object)
		return torus_fail(err, "out of memory for summary.json");
	if (torus_sim_wish_asked(&replay->wish))
		json_object_set_new(object, "wishes", wishes_object(s));
	if (replay->options->isolation)
		json_object_set_new(object, "isolation", isolation_object(s));
	json_dumpf(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
	fputc('\n', file);
	json_decref(object);
	return 0;
}
