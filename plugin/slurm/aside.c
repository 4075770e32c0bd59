/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions in the middle of a decision: see aside.h. */
#include "slurm/aside.h"

/*
 * What job_test() of select/cons_tres writes to, read in 22.05.8, 24.11.7 and 26.05.3:
 *
 * - job_resrcs, which it frees, start_time and total_cpus, which a plan sets, and
 *   best_switch, which topology/tree sets;
 * - licenses_to_preempt, which it frees at its end;
 * - what is left of hierarchical resources of mode 3: a question about what could ever
 *   run counts all of them as unused, and the choice of nodes begins anew with that;
 * - sched_weight of the nodes: the lowest byte (GPUs near the cores), and for a plan all.
 *
 * It also completes details (mc_ptr, whole_node, core_spec, min_cpus of --overcommit) and
 * gres_list_req. That it does once, in the same way whatever it is asked first. The sums
 * in gres_list_req are cleared whenever nodes are chosen.
 */
struct aside {
	job_resources_t *resources;
	time_t start_time;
	uint32_t total_cpus;
	bool best_switch;
	slurm_list_t licenses_to_preempt;
	uint64_t *weights; /* by node */
	void *hres;	   /* note_hres() */
};

#ifdef JOB_HAS_HRES

typedef struct hres_note {
	bool test_only;
	size_t layers;
	uint32_t *left;	    /* avail_hres, and behind it avail_hres_orig */
	uint32_t *capacity; /* of each leaf */
} hres_note_t;

static void *note_hres(const job_record_t *job)
{
	const hres_select_t *hres = job->hres_select;
	hres_note_t *note;

	if (!hres)
		return NULL;
	note = xmalloc(sizeof(*note));
	note->test_only = hres->test_only;
	note->layers = hres->layers_cnt;
	note->left = xcalloc(2 * note->layers, sizeof(*note->left));
	memcpy(note->left, hres->avail_hres, note->layers * sizeof(*note->left));
	memcpy(note->left + note->layers, hres->avail_hres_orig,
	       note->layers * sizeof(*note->left));
	note->capacity = xcalloc(hres->leaf_cnt, sizeof(*note->capacity));
	for (int i = 0; i < hres->leaf_cnt; i++)
		note->capacity[i] = hres->leaf[i].capacity;
	return note;
}

static void put_back_hres(job_record_t *job, void *hres_note)
{
	hres_select_t *hres = job->hres_select;
	hres_note_t *note = hres_note;

	if (!note)
		return;
	hres->test_only = note->test_only;
	memcpy(hres->avail_hres, note->left, note->layers * sizeof(*note->left));
	memcpy(hres->avail_hres_orig, note->left + note->layers,
	       note->layers * sizeof(*note->left));
	for (int i = 0; i < hres->leaf_cnt; i++)
		hres->leaf[i].capacity = note->capacity[i];
	xfree(note->left);
	xfree(note->capacity);
	xfree(note);
}

#else

static void *note_hres(const job_record_t *job)
{
	(void)job;
	return NULL;
}

static void put_back_hres(job_record_t *job, void *hres_note)
{
	(void)job;
	(void)hres_note;
}

#endif

aside_t *aside_begin(job_record_t *job, const bitstr_t *nodes)
{
	slurm_list_t *licenses = job_licenses_to_preempt(job);
	aside_t *aside = xmalloc(sizeof(*aside));

	aside->resources = job->job_resrcs;
	job->job_resrcs = NULL;
	aside->start_time = job->start_time;
	aside->total_cpus = job->total_cpus;
	aside->best_switch = job->best_switch;
	if (licenses) {
		aside->licenses_to_preempt = *licenses;
		*licenses = NULL;
	}
	aside->hres = note_hres(job);
	aside->weights = xcalloc(node_record_count, sizeof(*aside->weights));
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		aside->weights[i] = node_record_table_ptr[i]->sched_weight;
	return aside;
}

void aside_end(job_record_t *job, const bitstr_t *nodes, aside_t *aside)
{
	slurm_list_t *licenses = job_licenses_to_preempt(job);

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		node_record_table_ptr[i]->sched_weight = aside->weights[i];
	xfree(aside->weights);
	put_back_hres(job, aside->hres);
	if (licenses) {
		FREE_NULL_LIST(*licenses);
		*licenses = aside->licenses_to_preempt;
	}
	job->start_time = aside->start_time;
	job->total_cpus = aside->total_cpus;
	job->best_switch = aside->best_switch;
	free_job_resources(&job->job_resrcs);
	job->job_resrcs = aside->resources;
	xfree(aside);
}
