/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking Slurm's own topology plugin: see topology/try.h. */
#include "topology/try.h"

#ifdef TOPOLOGY_CHOOSES

#include "decide/job.h"
#include "slurm/features.h"
#include "slurm/need.h"

/* What a node has of one GRES, as far as Slurm's plugin may change it. */
typedef struct gres_before {
	sock_gres_t *gres;
	uint64_t total_cnt, total_cnt_before_filter;
	uint64_t *by_socket; /* [sock_cnt] or NULL */
} gres_before_t;

/* What Slurm's plugin may change of a node that it considers. */
typedef struct node_before {
	int node;
	avail_res_t resources;
	bitstr_t *cores;
	int gres_count;
	gres_before_t *gres;
} node_before_t;

static size_t size_by_socket(const sock_gres_t *gres)
{
	return (size_t)gres->sock_cnt * sizeof(*gres->cnt_by_sock);
}

static void note_gres(node_before_t *before)
{
	slurm_list_t list = before->resources.sock_gres_list;
	slurm_list_iterator_t iterator;
	sock_gres_t *gres;

	if (!list)
		return;
	before->gres = xcalloc((size_t)list_count(list) + 1, sizeof(*before->gres));
	iterator = list_iterator_create(list);
	while ((gres = list_next(iterator))) {
		gres_before_t *noted = &before->gres[before->gres_count++];

		noted->gres = gres;
		noted->total_cnt = gres->total_cnt;
		noted->total_cnt_before_filter = gres->total_cnt_before_filter;
		if (gres->cnt_by_sock) {
			noted->by_socket = xmalloc(size_by_socket(gres));
			memcpy(noted->by_socket, gres->cnt_by_sock, size_by_socket(gres));
		}
	}
	list_iterator_destroy(iterator);
}

static void end_gres(node_before_t *before, bool undo)
{
	for (int i = 0; i < before->gres_count; i++) {
		gres_before_t *noted = &before->gres[i];

		if (undo) {
			noted->gres->total_cnt = noted->total_cnt;
			noted->gres->total_cnt_before_filter =
				noted->total_cnt_before_filter;
			if (noted->by_socket)
				memcpy(noted->gres->cnt_by_sock, noted->by_socket,
				       size_by_socket(noted->gres));
		}
		xfree(noted->by_socket);
	}
	xfree(before->gres);
}

static node_before_t *note_nodes(const topology_eval_t *eval, const bitstr_t *nodes,
				 int count)
{
	node_before_t *before = xcalloc((size_t)count + 1, sizeof(*before));
	int noted = 0;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		const bitstr_t *cores = eval->avail_core[i];

		before[noted].node = i;
		before[noted].resources = *eval->avail_res_array[i];
		before[noted].cores = cores ? bit_copy((bitstr_t *)cores) : NULL;
		note_gres(&before[noted++]);
	}
	return before;
}

/* Put back what was noted, if [undo], and forget it. */
static void end_note(topology_eval_t *eval, node_before_t *before, int count, bool undo)
{
	for (int i = 0; i < count; i++) {
		avail_res_t *now = eval->avail_res_array[before[i].node];
		bitstr_t *cores = eval->avail_core[before[i].node];

		end_gres(&before[i], undo);
		if (undo) {
			/* It may have been allocated anew; what it holds is worked out
			 * whenever the node is considered. */
			before[i].resources.avail_cores_per_sock =
				now->avail_cores_per_sock;
			*now = before[i].resources;
			if (cores && before[i].cores)
				bit_copybits(cores, before[i].cores);
		}
		FREE_NULL_BITMAP(before[i].cores);
	}
	xfree(before);
}

/* With [required] the job asks for these nodes by name. */
static int ask_slurm(const topology_try_t *asking, const bitstr_t *required)
{
	job_details_t *details = asking->eval->job_ptr->details;
	bitstr_t *own = details->req_node_bitmap;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (asking->hide_contiguous)
		details->contiguous = 0;
	if (required)
		details->req_node_bitmap = (bitstr_t *)required;
	rc = asking->slurm->choose(asking->eval);
	details->req_node_bitmap = own;
	details->contiguous = contiguous;
	return rc;
}

/* With [all] the job asks for at least as many nodes as these. */
static bool try_once(const topology_try_t *asking, const bitstr_t *nodes,
		     topology_extent_t extent, bool all, bool only_look, bool by_name,
		     bitstr_t *taken)
{
	topology_eval_t *eval = asking->eval;
	int count = bit_set_count((bitstr_t *)nodes);
	node_before_t *before = note_nodes(eval, nodes, count);
	bool good;

	bit_copybits(eval->node_map, (bitstr_t *)nodes);
	if (all)
		eval->min_nodes = eval->req_nodes = (uint32_t)count;
	if (extent == TOPOLOGY_ALL_EVEN && eval->max_nodes < (uint32_t)count)
		eval->max_nodes = (uint32_t)count;
	good = ask_slurm(asking, by_name ? nodes : NULL) == SLURM_SUCCESS &&
	       (extent == TOPOLOGY_SOME || bit_equal(eval->node_map, (bitstr_t *)nodes));
	if (taken && good)
		bit_copybits(taken, eval->node_map);
	end_note(eval, before, count, !good || only_look);
	if (!good || only_look) {
		bitstr_t *map = eval->node_map;

		memcpy(eval, &asking->asked, sizeof(*eval));
		bit_copybits(map, asking->offered);
	}
	return good;
}

/* The parameters of topology_try(). */
typedef struct trying {
	const topology_try_t *asking;
	const bitstr_t *nodes;
	topology_extent_t extent;
	bool only_look;
	bitstr_t *taken;
} trying_t;

static bool try_as(void *context, bool by_name, bool all)
{
	const trying_t *t = context;

	return try_once(t->asking, t->nodes, t->extent, all, t->only_look, by_name,
			t->taken);
}

bool topology_try(const topology_try_t *asking, const bitstr_t *nodes,
		  topology_extent_t extent, bool only_look, bitstr_t *taken)
{
	trying_t trying = {asking, nodes, extent, only_look, taken};
	const torus_job_place_t place = {
		.nodes = (uint32_t)bit_set_count((bitstr_t *)nodes),
		.min_nodes = asking->asked.min_nodes,
		.by_name = extent != TOPOLOGY_SOME,
		.whole = extent != TOPOLOGY_SOME,
		.tasks = need_tasks(asking->eval->job_ptr),
	};

	return torus_job_verify(&place, try_as, &trying);
}

#ifdef TOPOLOGY_TEST_NODE

static int compare_weights(const void *one, const void *other)
{
	const node_record_t *a = node_record_table_ptr[*(const int *)one];
	const node_record_t *b = node_record_table_ptr[*(const int *)other];

	if (a->sched_weight != b->sched_weight)
		return a->sched_weight < b->sched_weight ? -1 : 1;
	return a->index - b->index;
}

static bool try_node_by_node(const topology_try_t *asking)
{
	topology_eval_t *eval = asking->eval;
	const bitstr_t *required = eval->job_ptr->details->req_node_bitmap;
	int *node = xcalloc((size_t)bit_set_count(asking->offered) + 1, sizeof(*node));
	int count = 0;
	bool good = false;

	for (int i = next_set_bit(asking->offered, 0); i >= 0;
	     i = next_set_bit(asking->offered, i + 1)) {
		if (!required || bit_test((bitstr_t *)required, i))
			node[count++] = i;
	}
	qsort(node, (size_t)count, sizeof(*node), compare_weights);
	eval->gres_per_job = gres_sched_init(eval->job_ptr->gres_list_req);
	for (int i = 0; !good && i < count; i++)
		good = asking->slurm->test_node(eval, node[i]) == SLURM_SUCCESS;
	xfree(node);
	return good;
}

#endif

bool topology_let_slurm(const topology_try_t *asking)
{
#ifdef TOPOLOGY_TEST_NODE
	if (asking->asked.max_nodes == 1)
		return topology_try(asking, asking->offered, TOPOLOGY_SOME, false,
				    NULL) ||
		       try_node_by_node(asking);
#endif
	return asking->slurm->choose(asking->eval) == SLURM_SUCCESS;
}

/* Have the job count in all only the GRES of as many tasks. How many of each it counts,
 * in the order of its list; to be freed. */
static uint64_t *hide_gres_in_all(slurm_list_t list, uint32_t tasks)
{
	uint64_t *hidden = xcalloc((size_t)list_count(list) + 1, sizeof(*hidden));
	slurm_list_iterator_t iterator = list_iterator_create(list);
	gres_state_t *gres;
	int i = 0;

	while ((gres = list_next(iterator))) {
		gres_job_state_t *wanted = gres->gres_data;

		hidden[i++] = wanted->gres_per_job;
		wanted->gres_per_job = wanted->gres_per_task * tasks;
	}
	list_iterator_destroy(iterator);
	return hidden;
}

static void show_gres_in_all(slurm_list_t list, uint64_t *hidden)
{
	slurm_list_iterator_t iterator = list_iterator_create(list);
	gres_state_t *gres;
	int i = 0;

	while ((gres = list_next(iterator)))
		((gres_job_state_t *)gres->gres_data)->gres_per_job = hidden[i++];
	list_iterator_destroy(iterator);
	xfree(hidden);
}

/* Choose without what the job counts in all; cons_tres finds no GRES to take. Processors
 * for all GRES (--cpus-per-gpu=) it would miss later: these the part must have. */
static bool try_without_gres_in_all(const topology_try_t *asking, const bitstr_t *nodes,
				    topology_extent_t extent)
{
	topology_eval_t *eval = asking->eval;
	slurm_list_t list = eval->job_ptr->gres_list_req;
	uint64_t *hidden = hide_gres_in_all(list, eval->min_nodes);
	job_details_t *details = eval->job_ptr->details;
	uint32_t processors = details->min_cpus;
	bool good;

	if (details->min_job_gres_cpu > (int)processors)
		details->min_cpus = (uint32_t)details->min_job_gres_cpu;
	good = topology_try(asking, nodes, extent, false, NULL);
	details->min_cpus = processors;
	show_gres_in_all(list, hidden);
	for (int i = good ? next_set_bit(eval->node_map, 0) : -1; i >= 0;
	     i = next_set_bit(eval->node_map, i + 1)) {
		if (eval->avail_res_array[i]->sock_gres_list)
			list_flush(eval->avail_res_array[i]->sock_gres_list);
	}
	return good;
}

/* Choose as many nodes as are asked for, at least, and no more. */
static bool try_exactly(const topology_try_t *asking)
{
	return topology_try(asking, asking->offered, TOPOLOGY_SOME, false, NULL) ||
	       (job_counts_gres_in_all(asking->eval->job_ptr) &&
		try_without_gres_in_all(asking, asking->offered, TOPOLOGY_SOME));
}

/* The same with nodes that the job names, up to that number. */
static bool try_with_named(const topology_try_t *asking)
{
	const job_record_t *job = asking->eval->job_ptr;
	bitstr_t *own = job->details->req_node_bitmap;
	bitstr_t *named =
		features_named_offered(job, asking->offered, asking->asked.min_nodes);
	bool good;

	if (!named)
		return false;
	job->details->req_node_bitmap = named;
	good = try_exactly(asking);
	job->details->req_node_bitmap = own;
	bit_free(named);
	return good;
}

bool topology_let_slurm_part(const topology_try_t *asking, bool names, uint32_t fewer)
{
	topology_eval_t *eval = asking->eval;
	topology_try_t exact = {.slurm = asking->slurm, .eval = eval, .asked = *eval};
	topology_eval_t *wanted = &exact.asked;
	bitstr_t *map = eval->node_map;
	bool good;

	if (!names && !job_counts_gres_in_all(eval->job_ptr))
		return asking->slurm->choose(eval) == SLURM_SUCCESS;
	wanted->min_nodes = fewer < eval->min_nodes ? eval->min_nodes - fewer : 1;
	wanted->max_nodes = wanted->req_nodes = wanted->min_nodes;
	memcpy(eval, wanted, sizeof(*eval));
	exact.offered = bit_copy(map);
	good = (names && try_with_named(&exact)) || try_exactly(&exact);
	bit_free(exact.offered);
	if (good)
		return true;
	memcpy(eval, &asking->asked, sizeof(*eval));
	return asking->slurm->choose(eval) == SLURM_SUCCESS;
}

bool topology_try_part(const topology_try_t *asking, const bitstr_t *nodes)
{
	return topology_try(asking, nodes, TOPOLOGY_ALL, false, NULL) ||
	       (job_counts_gres_in_all(asking->eval->job_ptr) &&
		try_without_gres_in_all(asking, nodes, TOPOLOGY_ALL));
}

#endif
