/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of Slurm's own plugin, of Slurm 22.05: see cons_tres_state.h. */
#include "select/cons_tres_state.h"

#include "select/delegate.h"

#include CONS_TRES_NODE_DATA_H
#include CONS_TRES_PART_DATA_H

/* Variables of Slurm's plugin, and a function, under its own names. */
static struct {
	part_res_record_t **select_part_record; /* a list, highest priority tier first */
	node_use_record_t **select_node_usage;	/* [node] */
	bool *gang_mode;
	bool *preempt_by_part;
	bool *preempt_by_qos; /* each partition has a further row, for preemptors only */
	void (*rebuild_rows)(part_res_record_t *); /* or NULL */
} held;

int state_find(void)
{
	const struct {
		const char *name;
		void **address;
	} variables[] = {
		{"select_part_record", (void **)&held.select_part_record},
		{"select_node_usage", (void **)&held.select_node_usage},
		{"gang_mode", (void **)&held.gang_mode},
		{"preempt_by_part", (void **)&held.preempt_by_part},
		{"preempt_by_qos", (void **)&held.preempt_by_qos},
		{CONS_TRES_REBUILD_ROWS, (void **)&held.rebuild_rows},
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (!variables[i].name)
			continue;
		*variables[i].address = delegate_variable(variables[i].name);
		if (*variables[i].address)
			continue;
		error("select/torus: select/cons_tres has no '%s': it is not that of Slurm %s",
		      variables[i].name, SLURM_VERSION_STRING);
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}

enum node_cr_state state_job_kind(const job_record_t *job)
{
	uint16_t share = job->part_ptr->max_share;

	if (share == 0)
		return NODE_CR_RESERVED;
	if ((share & SHARED_FORCE) || (share > 1 && job->details->share_res == 1))
		return NODE_CR_AVAILABLE;
	return NODE_CR_ONE_ROW;
}

bool state_partition_shares(const part_record_t *partition)
{
	return (partition->max_share & ~SHARED_FORCE) > 1;
}

bool state_shares_nothing(void)
{
	const part_res_record_t *record = *held.select_part_record;

	if (*held.gang_mode || *held.preempt_by_qos)
		return false;
	while (record && record->part_ptr->max_share <= 1)
		record = record->next;
	return !record;
}

/* The records of all partitions, their rows up to date. */
static part_res_record_t *records(void)
{
	if (held.rebuild_rows)
		held.rebuild_rows(*held.select_part_record);
	return *held.select_part_record;
}

static part_res_record_t *record_of(const part_record_t *partition)
{
	part_res_record_t *record = records();

	while (record && record->part_ptr != partition)
		record = record->next;
	return record;
}

/* The rows of a partition that the job may use, were they empty. */
static int rows_open_to(const part_res_record_t *record, enum node_cr_state kind)
{
	if (!*held.preempt_by_qos)
		return record->num_rows;
	return kind == NODE_CR_AVAILABLE ? record->num_rows - 1 : 1;
}

int state_row_count(const job_record_t *job)
{
	enum node_cr_state kind = state_job_kind(job);
	const part_res_record_t *record = record_of(job->part_ptr);
	int used = 0, open;

	if (kind == NODE_CR_RESERVED || (kind == NODE_CR_ONE_ROW && !*held.gang_mode) ||
	    !record)
		return 0;
	open = rows_open_to(record, kind);
	for (int i = 0; record->row && i < open; i++)
		used += record->row[i].num_jobs > 0;
	return 1 + (used < open ? used + 1 : open); /* one empty row is as good as any */
}

static void add_row(bitstr_t ***list, int *count, const part_row_data_t *row)
{
	if (row->row_bitmap)
		list[(*count)++] = row->row_bitmap;
}

static void add_rows_of(state_rows_t *rows, const part_res_record_t *record)
{
	for (int i = 0; record->row && i < record->num_rows; i++)
		add_row(rows->cores, &rows->count, &record->row[i]);
}

/* Row [row] of the partition, the fullest being 0; one beyond those in use is empty. */
static void add_own_row(state_rows_t *rows, const part_res_record_t *record, int row)
{
	const part_row_data_t *sorted[record->num_rows];

	if (!record->row)
		return;
	for (int i = 0; i < record->num_rows; i++) {
		int at = i;

		/* With preemption by QOS Slurm's plugin takes them as they come. */
		while (at > 0 && !*held.preempt_by_qos &&
		       record->row[i].row_set_count > sorted[at - 1]->row_set_count) {
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = &record->row[i];
	}
	add_row(rows->cores, &rows->count, sorted[row]);
}

/* Whether jobs of the partition may be neither shared with nor suspended for [job]. */
static bool is_untouchable(const part_record_t *partition, const job_record_t *job)
{
	return *held.preempt_by_part &&
	       (partition->priority_tier > job->part_ptr->priority_tier ||
		partition->preempt_mode == PREEMPT_MODE_OFF);
}

state_rows_t *state_rows(const job_record_t *job, int row)
{
	enum node_cr_state kind = state_job_kind(job);
	state_rows_t *rows = xmalloc(sizeof(*rows));
	const part_res_record_t *record;
	int most = 0;

	for (record = records(); record; record = record->next)
		most += record->num_rows;
	rows->cores = xcalloc(2 * most + 1, sizeof(*rows->cores));
	rows->shared = xcalloc(most + 1, sizeof(*rows->shared));
	for (record = *held.select_part_record; record; record = record->next) {
		const part_record_t *partition = record->part_ptr;
		bool own = partition == job->part_ptr;

		/* A job that wants nodes alone learns from node_use.kinds of the others.
		 */
		if (row == STATE_ALL_ROWS) {
			if (kind != NODE_CR_RESERVED || partition->max_share > 1)
				add_rows_of(rows, record);
		} else if (is_untouchable(partition, job) ||
			   (row == 0 &&
			    partition->priority_tier == job->part_ptr->priority_tier)) {
			add_rows_of(rows, record);
		} else if (own && row > 0) {
			add_own_row(rows, record, row - 1);
		}
		if (own || !record->row || !state_partition_shares(partition))
			continue;
		for (int i = 0; i < record->num_rows - *held.preempt_by_qos; i++)
			add_row(rows->shared, &rows->shared_count, &record->row[i]);
	}
	return rows;
}

void state_rows_free(state_rows_t *rows)
{
	if (!rows)
		return;
	xfree(rows->cores);
	xfree(rows->shared);
	xfree(rows);
}

/* The cores of [node] that are set in any of the rows. */
static uint32_t cores_in_rows(bitstr_t ***rows, int count, int node)
{
	bitstr_t *first = NULL, *several = NULL;
	uint32_t cores;

	for (int i = 0; i < count; i++) {
		bitstr_t *row = rows[i][node];

		if (!row || bit_ffs(row) < 0)
			continue;
		if (!first) {
			first = row;
			continue;
		}
		if (!several)
			several = bit_copy(first);
		bit_or(several, row);
	}
	if (!first)
		return 0;
	cores = (uint32_t)bit_set_count(several ? several : first);
	FREE_NULL_BITMAP(several);
	return cores;
}

bool state_rows_share(const state_rows_t *rows, int node)
{
	for (int i = 0; i < rows->shared_count; i++) {
		bitstr_t *row = rows->shared[i][node];

		if (row && (EMPTY_ROWS_COUNT || bit_ffs(row) >= 0))
			return true;
	}
	return false;
}

node_use_t state_node_held(const state_rows_t *rows, int node)
{
	const node_use_record_t *usage = &(*held.select_node_usage)[node];

	return (node_use_t){
		.memory = usage->alloc_memory,
		.kinds = usage->node_state,
		.cores = rows ? cores_in_rows(rows->cores, rows->count, node) : 0,
	};
}

node_use_t state_node_use(const state_rows_t *rows, int node)
{
	const node_use_record_t *usage = &(*held.select_node_usage)[node];
	bool whole = usage->node_state >= NODE_CR_RESERVED;
	node_use_t use = state_node_held(whole ? NULL : rows, node);

	if (whole || !NODE_HAS_SHARER(usage))
		return use;
	use.busy = use.cores || EMPTY_ROWS_COUNT;
	use.shared = state_rows_share(rows, node);
	return use;
}
