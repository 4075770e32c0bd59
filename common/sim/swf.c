/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the Standard Workload Format: see swf.h. */
#include "sim/swf.h"

#include <stdbool.h>
#include <string.h>

#include "sim/seconds.h"
#include "sim/swf_shapes.h"

/* The fields that count, and how many a line has. */
enum {
	NUMBER,
	SUBMIT,
	WAIT,
	RUN_TIME,
	ALLOCATED,
	REQUESTED = 7,
	REQUESTED_TIME,
	STATUS = 10,
	EXECUTABLE = 13,
	FIELDS = 18
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Read the number at *at, which ends at a blank or at [end], in millionths. */
static bool read_field(const char **at, const char *end, int64_t *millionths)
{
	return torus_seconds_read(at, end, millionths) && (*at == end || is_blank(**at));
}

/* Whether the field is a whole number of 0 to [largest]. */
static bool is_whole(int64_t millionths, int64_t largest)
{
	return millionths >= 0 && millionths % TORUS_SECOND == 0 &&
	       millionths / TORUS_SECOND <= largest;
}

/* Read the job on the line; the reason why it is skipped, or NULL. */
static const char *read_job(const char *line, const char *end,
			    uint32_t processors_per_node,
			    const torus_swf_shapes_t *shapes, torus_sim_job_t *job)
{
	const torus_shape_t *shape;
	const int64_t longest = TORUS_SWF_LONGEST * TORUS_SECOND;
	int64_t field[FIELDS], processors, status;

	for (int i = 0; i < FIELDS; i++) {
		while (line < end && is_blank(*line))
			line++;
		if (!read_field(&line, end, &field[i]))
			return TORUS_SKIP_MALFORMED;
	}
	processors = field[ALLOCATED] > 0 ? field[ALLOCATED] : field[REQUESTED];
	status = field[STATUS] / TORUS_SECOND;
	if (!is_whole(field[NUMBER], INT64_MAX) || field[SUBMIT] < 0 ||
	    field[SUBMIT] > longest || field[WAIT] > longest ||
	    field[RUN_TIME] > longest || field[REQUESTED_TIME] > longest)
		return TORUS_SKIP_MALFORMED;
	if (status >= 2 && status <= 4)
		return "partial_execution";
	if (field[RUN_TIME] < 0 || (field[RUN_TIME] == 0 && status == 5))
		return TORUS_SKIP_NO_RUN_TIME;
	if (processors <= 0)
		return TORUS_SKIP_NO_PROCESSORS;
	if (!is_whole(processors, UINT32_MAX))
		return TORUS_SKIP_MALFORMED;
	job->number = (uint64_t)(field[NUMBER] / TORUS_SECOND);
	job->submit = field[SUBMIT];
	job->wait = field[WAIT] < 0 ? -1 : field[WAIT];
	job->run_time = field[RUN_TIME];
	job->estimate = field[REQUESTED_TIME] < job->run_time ? job->run_time
							      : field[REQUESTED_TIME];
	processors /= TORUS_SECOND;
	job->nodes =
		(uint32_t)((processors + processors_per_node - 1) / processors_per_node);
	shape = torus_swf_shape(shapes, field[EXECUTABLE] / TORUS_SECOND);
	job->has_shape = shape != NULL;
	if (shape)
		job->shape = *shape;
	return NULL;
}

int torus_swf_read(const char *text, size_t length, uint32_t processors_per_node,
		   torus_workload_t *workload, torus_error_t *err)
{
	const char *end = text + length, *line_end;
	torus_swf_shapes_t shapes = {0};
	uint64_t number = 0;
	int result = -1;

	*workload = (torus_workload_t){0};
	for (const char *line = text; line < end; line = line_end + 1) {
		const char *comment;
		torus_sim_job_t job = {.line = ++number};
		const char *reason;

		line_end = memchr(line, '\n', (size_t)(end - line));
		if (!line_end)
			line_end = end;
		comment = memchr(line, ';', (size_t)(line_end - line));
		if (!comment)
			comment = line_end;
		while (line < comment && is_blank(*line))
			line++;
		if (line == comment) {
			if (comment < line_end &&
			    torus_swf_shapes_add(&shapes, comment, line_end, err) != 0)
				goto done;
			continue;
		}
		reason = read_job(line, comment, processors_per_node, &shapes, &job);
		if (reason)
			torus_skip(&workload->skipped, reason, number);
		else if (torus_workload_add(workload, &job, err) != 0)
			goto done;
	}
	result = torus_workload_sort(workload, err);
done:
	if (result != 0)
		torus_workload_clear(workload);
	torus_swf_shapes_clear(&shapes);
	return result;
}
