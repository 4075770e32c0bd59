/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether saved jobs were counted along the curve: see topology/saved_order.h. */
#include "topology/saved_order.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "slurm/record.h"

/* The longest name of a node that is looked for, with its end. */
#define LONGEST_NAME 256

/*
 * [saved.nodes] of the table, the place of each in the saved state, or -1; NULL: nothing
 * has been saved, or all of it in the order of the table.
 */
static struct {
	int *place;
	int nodes;
} saved;

/*
 * The index of the node on a torus whose name is packed at [text], as Slurm packs texts:
 * their length with the end in four bytes, then the bytes; -1: none is. [left]: bytes
 * there.
 */
static int packed_node(const tori_t *tori, const char *text, size_t left)
{
	uint32_t length, number;
	const joined_torus_t *torus;
	int t, node;

	if (left < sizeof(length) + 2)
		return -1;
	memcpy(&length, text, sizeof(length));
	length = ntohl(length);
	text += sizeof(length);
	if (length < 2 || length > LONGEST_NAME || length > left - sizeof(length) ||
	    strnlen(text, length) != length - 1)
		return -1;
	if (!torus_cluster_find(tori->cluster, text, &t, &number))
		return -1;
	torus = &tori->torus[t];
	node = torus->node_of_rank[torus->map->rank_of_node[number]];
	/* Dynamic nodes were never sorted. */
	if (node == TORI_NO_NODE || IS_NODE_DYNAMIC_NORM(node_record_table_ptr[node]))
		return -1;
	return node;
}

/* Note where in the saved state [text] the nodes are. Returns whether the order of their
 * records is not that of the table. */
static bool note_places(const tori_t *tori, const char *text, size_t size)
{
	int count = 0, highest = -1;
	bool another = false;

	for (size_t at = 0; at < size; at++) {
		int node = packed_node(tori, text + at, size - at);

		/* Of the texts of a record, its name comes first. */
		if (node < 0 || node >= saved.nodes || saved.place[node] >= 0)
			continue;
		saved.place[node] = count++;
		another |= node < highest;
		highest = node > highest ? node : highest;
	}
	return another;
}

void saved_order_read(const tori_t *tori)
{
	char *path = xstrdup_printf("%s/node_state", slurm_conf.state_save_location);
	buf_t *buffer = create_mmap_buf(path);

	xfree(path);
	if (!buffer)
		return;
	saved.nodes = node_record_count;
	saved.place = xcalloc((size_t)saved.nodes + 1, sizeof(*saved.place));
	for (int i = 0; i < saved.nodes; i++)
		saved.place[i] = -1;
	if (note_places(tori, get_buf_data(buffer), size_buf(buffer)))
		error("%s: the saved state has the nodes in another order than slurmctld's "
		      "table: a topology plugin sorted it, such as earlier versions of this one. What "
		      "running jobs share with others is counted on the wrong ones of their "
		      "nodes, and those on nodes of unequal cores are ended. To keep them, "
		      "stop slurmctld, put that version back, and let them end first",
		      plugin_type);
	else
		xfree(saved.place);
	FREE_NULL_BUFFER(buffer);
}

/* Whether the places of the job's nodes do not ascend. */
static bool is_harmed(const job_record_t *job)
{
	int last = -1;

	if (job_takes_whole_nodes(job))
		return false;
	for (int i = next_set_bit(job->node_bitmap, 0); i >= 0 && i < saved.nodes;
	     i = next_set_bit(job->node_bitmap, i + 1)) {
		if (saved.place[i] < 0)
			continue;
		if (saved.place[i] < last)
			return true;
		last = saved.place[i];
	}
	return false;
}

void saved_order_log_jobs(void)
{
	slurm_list_iterator_t iterator;
	job_record_t *job;
	char *jobs = NULL;

	if (!saved.place || !job_list)
		return;
	iterator = list_iterator_create(job_list);
	while ((job = list_next(iterator))) {
		if (record_is_job(job) && job->node_bitmap && job->part_ptr &&
		    job->details && (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
		    is_harmed(job))
			xstrfmtcat(jobs, "%s%u", jobs ? "," : "", job->job_id);
	}
	list_iterator_destroy(iterator);
	if (jobs)
		error("%s: what these jobs hold is counted on the wrong ones of their nodes "
		      "until they end: %s",
		      plugin_type, jobs);
	xfree(jobs);
	xfree(saved.place);
}
