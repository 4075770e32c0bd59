/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders of nodes that have been found: see topology/kept_orders.h. */
#include "topology/kept_orders.h"

/* As many are kept. Jobs that start at the same time are few. */
#define KEPT 8

typedef struct kept_order {
	torus_geometry_t geometry;
	torus_task_words_t words;
	torus_deal_t deal;
	uint32_t tasks, nodes; /* nodes is 0: nothing is kept here */
	uint32_t *cell, *order;
} kept_order_t;

static kept_order_t kept[KEPT];
static int oldest;

static bool is_of(const kept_order_t *one, const torus_ordered_job_t *job, uint32_t tasks)
{
	return one->nodes == job->nodes && one->tasks == tasks &&
	       one->deal == job->deal &&
	       !memcmp(&one->words, &job->words, sizeof(one->words)) &&
	       !memcmp(&one->geometry, job->geometry, sizeof(one->geometry)) &&
	       !memcmp(one->cell, job->cell, job->nodes * sizeof(*one->cell));
}

static uint32_t *copy(const uint32_t *list, uint32_t count)
{
	uint32_t *copied = xcalloc(count, sizeof(*copied));

	memcpy(copied, list, count * sizeof(*copied));
	return copied;
}

static void forget(kept_order_t *one)
{
	xfree(one->cell);
	xfree(one->order);
	*one = (kept_order_t){0};
}

static void keep(const torus_ordered_job_t *job, uint32_t tasks, const uint32_t *order)
{
	kept_order_t *one = &kept[oldest];

	forget(one);
	one->geometry = *job->geometry;
	one->words = job->words;
	one->deal = job->deal;
	one->tasks = tasks;
	one->nodes = job->nodes;
	one->cell = copy(job->cell, job->nodes);
	one->order = copy(order, job->nodes);
	oldest = (oldest + 1) % KEPT;
}

int topology_kept_order(const torus_ordered_job_t *job, uint32_t tasks, uint32_t *order,
			torus_error_t *err)
{
	for (int i = 0; i < KEPT; i++) {
		if (is_of(&kept[i], job, tasks)) {
			memcpy(order, kept[i].order, job->nodes * sizeof(*order));
			return 0;
		}
	}
	if (torus_job_node_order(job, order, err))
		return -1;
	keep(job, tasks, order);
	return 0;
}

void topology_kept_orders_forget(void)
{
	for (int i = 0; i < KEPT; i++)
		forget(&kept[i]);
}
