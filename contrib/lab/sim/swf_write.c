/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads as logs in the Standard Workload Format: see swf_write.h. */
#include "sim/swf_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

/* The different boxes that jobs ask for, ascending; a box's number is its place, from 1.
 */
typedef struct boxes {
	torus_shape_t *box; /* [count] */
	size_t count;
} boxes_t;

static int compare_boxes(const void *a, const void *b)
{
	const torus_shape_t *first = a, *second = b;

	if (first->dims != second->dims)
		return first->dims < second->dims ? -1 : 1;
	for (int axis = 0; axis < first->dims; axis++) {
		if (first->side[axis] != second->side[axis])
			return first->side[axis] < second->side[axis] ? -1 : 1;
	}
	return 0;
}

static int find_boxes(const torus_workload_t *workload, boxes_t *boxes,
		      torus_error_t *err)
{
	size_t count = 0, different = 0;

	for (size_t i = 0; i < workload->count; i++)
		count += workload->job[i].has_shape;
	*boxes = (boxes_t){0};
	if (!count)
		return 0;
	boxes->box = malloc(count * sizeof(*boxes->box));
	if (!boxes->box)
		return torus_fail(err, "out of memory for %zu boxes", count);
	for (size_t i = 0; i < workload->count; i++) {
		if (workload->job[i].has_shape)
			boxes->box[boxes->count++] = workload->job[i].shape;
	}
	qsort(boxes->box, count, sizeof(*boxes->box), compare_boxes);
	for (size_t i = 0; i < count; i++) {
		if (!i || compare_boxes(&boxes->box[different - 1], &boxes->box[i]) != 0)
			boxes->box[different++] = boxes->box[i];
	}
	boxes->count = different;
	return 0;
}

static void write_header(FILE *file, const torus_workload_t *workload, uint32_t nodes,
			 const char *note, const boxes_t *boxes)
{
	char dims[TORUS_DIMS_TEXT];

	fprintf(file,
		"; Version: 2.2\n"
		"; Note: %s\n"
		"; MaxJobs: %zu\n"
		"; MaxRecords: %zu\n"
		"; MaxNodes: %" PRIu32 "\n"
		"; MaxProcs: %" PRIu32 "\n",
		note, workload->count, workload->count, nodes, nodes);
	for (size_t i = 0; i < boxes->count; i++)
		fprintf(file, "; Shape: %zu %s\n", i + 1,
			torus_lengths_format(boxes->box[i].dims, boxes->box[i].side,
					     dims));
}

/* A blank and [time] in seconds, -1 when it is negative. */
static void write_time(FILE *file, int64_t time)
{
	int64_t fraction = time % TORUS_SECOND;
	int digits = 6;

	if (time < 0) {
		fputs(" -1", file);
		return;
	}
	fprintf(file, " %" PRId64, time / TORUS_SECOND);
	if (!fraction)
		return;
	for (; fraction % 10 == 0; fraction /= 10)
		digits--;
	fprintf(file, ".%0*" PRId64, digits, fraction);
}

static void write_job(FILE *file, const torus_sim_job_t *job, const boxes_t *boxes)
{
	const torus_shape_t *box = NULL;

	fprintf(file, "%" PRIu64, job->number);
	write_time(file, job->submit);
	write_time(file, job->wait);
	write_time(file, job->run_time);
	fprintf(file, " %" PRIu32 " -1 -1 %" PRIu32, job->nodes, job->nodes);
	write_time(file, job->estimate);
	fputs(" -1 1 -1 -1", file);
	if (job->has_shape)
		box = bsearch(&job->shape, boxes->box, boxes->count, sizeof(*boxes->box),
			      compare_boxes);
	if (box)
		fprintf(file, " %td", box - boxes->box + 1);
	else
		fputs(" -1", file);
	fputs(" -1 -1 -1 -1\n", file);
}

char *torus_swf_format(const torus_workload_t *workload, uint32_t nodes, const char *note,
		       torus_error_t *err)
{
	size_t note_size = torus_printable_size(note), length;
	char *text = NULL, *printable;
	boxes_t boxes;
	FILE *file;
	bool whole = false;

	if (find_boxes(workload, &boxes, err))
		return NULL;
	printable = malloc(note_size);
	file = printable ? open_memstream(&text, &length) : NULL;
	if (file) {
		write_header(file, workload, nodes,
			     torus_printable(note, printable, note_size), &boxes);
		for (size_t i = 0; i < workload->count; i++)
			write_job(file, &workload->job[i], &boxes);
		whole = !ferror(file);
		whole = fclose(file) == 0 && whole;
	}
	free(boxes.box);
	free(printable);
	if (whole)
		return text;
	free(text);
	torus_fail(err, "out of memory for a log of %zu jobs", workload->count);
	return NULL;
}
