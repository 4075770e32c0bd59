/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the Standard Workload Format: see swf.h. */
#include "sim/swf.h"

#include <stdbool.h>
#include <string.h>

#include "sim/seconds.h"
#include "sim/swf_repeated.h"
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
	EXECUTABLE = 13
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

bool torus_swf_fields(const char *text, const char *end, int64_t field[TORUS_SWF_FIELDS])
{
	for (int i = 0; i < TORUS_SWF_FIELDS; i++) {
		while (text < end && is_blank(*text))
			text++;
		if (!read_field(&text, end, &field[i]))
			return false;
	}
	return true;
}

/* Make a job of the fields; the reason why it is skipped, or NULL. */
static const char *read_job(const int64_t field[TORUS_SWF_FIELDS],
			    uint32_t processors_per_node,
			    const torus_swf_shapes_t *shapes, torus_sim_job_t *job)
{
	const torus_shape_t *shape;
	const int64_t longest = TORUS_SWF_LONGEST * TORUS_SECOND;
	int64_t processors, status;

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

/* What the reader works on. */
typedef struct reader {
	uint32_t processors_per_node;
	torus_swf_shapes_t shapes;
	torus_swf_lines_t lines; /* of the jobs */
	torus_workload_t *workload;
} reader_t;

/* Read line [number], without its comment. Returns 0, or -1 with [err] filled. */
static int read_line(reader_t *reader, uint64_t number, const char *line, const char *end,
		     torus_error_t *err)
{
	int64_t field[TORUS_SWF_FIELDS];
	torus_sim_job_t job = {.line = number};
	const char *reason = TORUS_SKIP_MALFORMED;

	if (torus_swf_fields(line, end, field))
		reason = read_job(field, reader->processors_per_node, &reader->shapes,
				  &job);
	if (reason) {
		torus_skip(&reader->workload->skipped, reason, number);
		return 0;
	}
	return torus_workload_add(reader->workload, &job, err) == 0
		       ? torus_swf_lines_add(&reader->lines, number, line, end, field,
					     err)
		       : -1;
}

static int read_lines(reader_t *reader, const char *text, const char *end,
		      torus_error_t *err)
{
	const char *line_end;
	uint64_t number = 0;

	for (const char *line = text; line < end; line = line_end + 1) {
		const char *comment;
		int result = 0;

		number++;
		line_end = memchr(line, '\n', (size_t)(end - line));
		if (!line_end)
			line_end = end;
		comment = memchr(line, ';', (size_t)(line_end - line));
		if (!comment)
			comment = line_end;
		while (line < comment && is_blank(*line))
			line++;
		if (line < comment)
			result = read_line(reader, number, line, comment, err);
		else if (comment < line_end)
			result = torus_swf_shapes_add(&reader->shapes, comment, line_end,
						      err);
		if (result != 0)
			return -1;
	}
	return 0;
}

int torus_swf_read(const char *text, size_t length, uint32_t processors_per_node,
		   torus_workload_t *workload, torus_error_t *err)
{
	reader_t reader = {.processors_per_node = processors_per_node,
			   .workload = workload};
	int result;

	*workload = (torus_workload_t){0};
	result = read_lines(&reader, text, text + length, err);
	if (result == 0) {
		workload->repeated = torus_swf_lines_repeated(&reader.lines);
		result = torus_workload_sort(workload, err);
	}
	if (result != 0)
		torus_workload_clear(workload);
	torus_swf_lines_clear(&reader.lines);
	torus_swf_shapes_clear(&reader.shapes);
	return result;
}
