/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that count features, part by part: see select/parts.h. */
#include "select/parts.h"

#include "slurm/need.h"

/* The parts asked about so far, one job at a time: backfill asks for all in a row. */
static struct {
	uint32_t job_id;
	int next;	   /* part that is to come */
	bitstr_t *offered; /* for those before it */
} noted;

plan_part_t parts_note(const job_record_t *job, bitstr_t *offered)
{
	int expected = noted.offered && noted.job_id == job->job_id &&
				       bit_size(noted.offered) == bit_size(offered)
			       ? noted.next
			       : 0;
	int count, part = features_part(job, expected, &count);
	bitstr_t *before = noted.offered;

	noted.offered = NULL;
	if (part < 0 || (part && part != expected)) {
		FREE_NULL_BITMAP(before);
		return PLAN_PART_UNKNOWN;
	}
	if (part)
		bit_or(before, offered);
	else
		FREE_NULL_BITMAP(before);
	if (part + 1 == count) {
		if (before)
			bit_copybits(offered, before);
		FREE_NULL_BITMAP(before);
		return PLAN_PART_LAST;
	}
	noted.offered = before ? before : bit_copy(offered);
	noted.job_id = job->job_id;
	noted.next = part + 1;
	return PLAN_PART_FIRST;
}

void parts_forget(void)
{
	FREE_NULL_BITMAP(noted.offered);
}

typedef struct node_gres {
	uint64_t count;
	int node;
} node_gres_t;

static int compare_gres(const void *a, const void *b)
{
	const node_gres_t *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return one->node - other->node;
}

/* How many of the first GRES that the job asks for the node has; 0: of one of them it has
 * not as many as every node must have. */
static uint64_t count_gres(const job_need_t *need, int node, bool now)
{
	const node_record_t *record = node_record_table_ptr[node];
	uint64_t count = 0;

	for (int kind = need->need.kinds - 1; kind >= 1; kind--) {
		count = need_node_gres(need, kind, record, now);
		if (count < need->need.each[kind])
			return 0;
	}
	return count;
}

/* Pick [count] of the nodes offered, those with most of the first GRES. */
static int pick_with_gres(const job_test_call_t *call, bitstr_t *bitmap, uint32_t count)
{
	const job_need_t need = need_of_job(call->job);
	node_gres_t *nodes = xcalloc(node_record_count + 1, sizeof(*nodes));
	uint32_t found = 0;

	for (int i = next_set_bit(bitmap, 0); i >= 0; i = next_set_bit(bitmap, i + 1)) {
		nodes[found] = (node_gres_t){
			.count = count_gres(&need, i,
					    !SELECT_IS_MODE_TEST_ONLY(call->mode)),
			.node = i,
		};
		found += nodes[found].count != 0;
	}
	if (found >= count) {
		qsort(nodes, found, sizeof(*nodes), compare_gres);
		bit_clear_all(bitmap);
		for (uint32_t i = 0; i < count; i++)
			bit_set(bitmap, nodes[i].node);
	}
	xfree(nodes);
	return found >= count ? SLURM_SUCCESS : SLURM_ERROR;
}

/* Have Slurm's plugin choose as many nodes as the part has, with those [required]. */
static int pass_exactly(const job_test_call_t *call, bitstr_t *bitmap,
			const bitstr_t *required)
{
	job_test_call_t exact = *call;
	job_details_t *details = exact.job->details;
	bitstr_t *own = details->req_node_bitmap;
	bitstr_t *offered = bit_copy(bitmap);
	int rc;

	exact.max_nodes = exact.req_nodes = exact.min_nodes;
	if (required)
		details->req_node_bitmap = (bitstr_t *)required;
	rc = job_pass(&exact, bitmap);
	details->req_node_bitmap = own;
	if (rc != SLURM_SUCCESS)
		bit_copybits(bitmap, offered);
	bit_free(offered);
	return rc;
}

/* The same with nodes that the job names, up to that number. */
static int pass_with_named(const job_test_call_t *call, bitstr_t *bitmap)
{
	bitstr_t *named = features_named_offered(call->job, bitmap, call->min_nodes);
	int rc = named ? pass_exactly(call, bitmap, named) : SLURM_ERROR;

	FREE_NULL_BITMAP(named);
	return rc;
}

int pick_part(const job_test_call_t *call, bitstr_t *bitmap)
{
	int rc = pass_with_named(call, bitmap);

	if (rc == SLURM_SUCCESS)
		return rc;
	if (!job_counts_gres_in_all(call->job))
		return job_pass(call, bitmap);
	rc = pass_exactly(call, bitmap, NULL);
	return rc == SLURM_SUCCESS ? rc : pick_with_gres(call, bitmap, call->min_nodes);
}
