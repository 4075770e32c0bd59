/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated machine at a point in time. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "storus/cli/picture.h"
#include "storus/cli/view.h"
#include "storus/sim/frame.h"

/* The picture, and which jobs occupy the nodes. */
typedef struct frame {
	const storus_replay_t *replay;
	int64_t time;
	storus_jobs_t jobs;
	storus_view_t view;
	uint32_t **occupant; /* [tori] by node number */
} frame_t;

static bool allocate(frame_t *frame)
{
	const torus_cluster_t *cluster = frame->replay->cluster;
	const torus_sim_result_t *result = &frame->replay->result;
	size_t tori = (size_t)cluster->maps;

	frame->view.cluster = cluster;
	frame->view.jobs = &frame->jobs;
	frame->view.grid = calloc(tori, sizeof(*frame->view.grid));
	/* A job has at most a part on each torus. */
	frame->view.part = calloc((result->count + result->lost_count) * tori,
				  sizeof(*frame->view.part));
	frame->occupant = calloc(tori, sizeof(*frame->occupant));
	if (!frame->view.grid || !frame->view.part || !frame->occupant)
		return false;
	for (size_t t = 0; t < tori; t++) {
		uint32_t nodes = cluster->map[t]->nodes;

		frame->occupant[t] = malloc(nodes * sizeof(**frame->occupant));
		if (!frame->occupant[t])
			return false;
		for (uint32_t node = 0; node < nodes; node++)
			frame->occupant[t][node] = STORUS_FREE;
	}
	return true;
}

static void clear(frame_t *frame)
{
	int tori = frame->replay->cluster->maps;

	for (int t = 0; frame->occupant && t < tori; t++)
		free(frame->occupant[t]);
	for (int t = 0; frame->view.grid && t < tori; t++)
		free(frame->view.grid[t].occupant);
	free(frame->occupant);
	free(frame->view.grid);
	free(frame->view.part);
	storus_jobs_clear(&frame->jobs);
}

/* Note which job has the ranks of a run. */
static void occupy(const frame_t *frame, const torus_sim_run_t *run, uint32_t occupant)
{
	const torus_map_t *map = frame->replay->cluster->map[run->torus];

	for (uint32_t i = 0; i < run->count; i++)
		frame->occupant[run->torus][map->node_of_rank[run->first + i]] = occupant;
}

/* Add the job of [record] if it runs at that time. Returns false: out of memory. */
static bool add_record(frame_t *frame, const torus_sim_record_t *record)
{
	const torus_sim_result_t *result = &frame->replay->result;
	storus_job_t *job;
	uint32_t mark = frame->jobs.count;

	if (record->start > frame->time || record->end <= frame->time)
		return true;
	job = storus_jobs_add(&frame->jobs);
	if (!job || asprintf(&job->id, "%" PRIu64,
			     frame->replay->workload.job[record->job].number) < 0)
		return false;
	job->listed = true;
	for (size_t i = 0; i < record->runs; i++) {
		const torus_sim_run_t *run = &result->run[record->first_run + i];
		storus_part_t *part = frame->view.part + frame->view.parts;

		occupy(frame, run, mark);
		if (i && run[-1].torus == run->torus) {
			part[-1].nodes += run->count;
			continue;
		}
		*part = (storus_part_t){
			.job = mark,
			.mark = mark,
			.torus = run->torus,
			.nodes = run->count,
			.metrics = record->metrics,
		};
		frame->view.parts++;
	}
	return true;
}

static bool add_all(frame_t *frame)
{
	const torus_sim_result_t *result = &frame->replay->result;
	const torus_outages_t *outages = &frame->replay->outages;
	bool whole = true;

	for (size_t i = 0; i < outages->count; i++) {
		const torus_outage_t *outage = &outages->outage[i];
		const torus_sim_run_t node = {outage->torus, outage->rank, 1};

		if (outage->from <= frame->time && outage->until > frame->time)
			occupy(frame, &node, STORUS_UNUSABLE);
	}
	for (size_t i = 0; whole && i < result->count; i++)
		whole = add_record(frame, &result->record[i]);
	for (size_t i = 0; whole && i < result->lost_count; i++)
		whole = add_record(frame, &result->lost[i]);
	return whole;
}

int storus_frame_write(FILE *file, const storus_replay_t *replay, int64_t time,
		       torus_error_t *err)
{
	frame_t frame = {.replay = replay, .time = time};
	int status = -1;

	if (!allocate(&frame) || !add_all(&frame)) {
		torus_fail(err, "out of memory for a picture of the machine");
		goto done;
	}
	for (int t = 0; t < replay->cluster->maps; t++) {
		if (storus_grid_fill(replay->cluster->map[t], frame.occupant[t],
				     &frame.view.grid[t], err) != 0)
			goto done;
	}
	status = storus_picture_draw(file, &frame.view, err);
done:
	clear(&frame);
	return status;
}
