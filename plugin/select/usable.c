/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job could use: see usable.h. */
#include "select/usable.h"

#include "select/usable_node.h"

void usable_filter_row(bitstr_t *nodes, const job_record_t *job, uint32_t count, int row,
		       uint32_t *cpus)
{
	usable_need_t need = usable_need(job, count);
	state_rows_t *rows = state_rows(job, row);
	bool completing = job->bit_flags & BACKFILL_TEST;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		node_use_t use = state_node_use(rows, i);

		if ((!completing && IS_NODE_COMPLETING(node_record_table_ptr[i])) ||
		    !usable_is_met(&need, job, i, &use))
			bit_clear(nodes, i);
		else if (cpus)
			cpus[i] = usable_cpus(&need, job, i, &use);
	}
	state_rows_free(rows);
}

/* With what is in use at the time that the timeline has been moved to. */
static void filter_later(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			 const usable_timeline_t *timeline, uint32_t *cpus)
{
	usable_need_t need = usable_need(job, count);

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		node_use_t use = timeline_node_use(timeline, i);

		if (!usable_is_met(&need, job, i, &use))
			bit_clear(nodes, i);
		else if (cpus)
			cpus[i] = usable_cpus(&need, job, i, &use);
	}
}

void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
		   const usable_timeline_t *timeline, time_t when, uint32_t *cpus)
{
	if (!timeline || when <= time(NULL))
		when = 0;
	if (when) {
		timeline_move(timeline, job, when);
		filter_later(nodes, job, count, timeline, cpus);
	} else {
		usable_filter_row(nodes, job, count, STATE_ALL_ROWS, cpus);
	}
}

/* The cores count in all, also where memory would not do for each of them. */
void usable_when_idle(const bitstr_t *nodes, const job_record_t *job, uint32_t *cpus)
{
	usable_need_t need = usable_need(job, 0);

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		cpus[i] = usable_cpus_when_idle(&need, job, i);
}

int usable_rows(const job_record_t *job)
{
	return state_row_count(job);
}

void usable_filter_without(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			   const usable_timeline_t *timeline, slurm_list_t gone,
			   uint32_t *cpus)
{
	timeline_leave_out(timeline, job, gone);
	filter_later(nodes, job, count, timeline, cpus);
	timeline_count_again(timeline, job, gone);
}
