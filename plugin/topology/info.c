/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "scontrol show topology": see topology/info.h. */
#include "topology/info.h"

#ifdef TOPOLOGY_CHOOSES

#include "src/common/pack.h"

#include "slurm/choose.h"
#include "machine/registration.h"
#include "machine/show.h"
#include "topology/tori.h"
#include "topology/watch.h"

/* Texts of a torus, xmalloc()ed, in the order in which they are packed. */
typedef enum torus_text {
	NAME,
	DIMS,
	LINE, /* as torus_show_map() writes it */
	NODE_LIST,
	TORUS_TEXTS,
} torus_text_t;

typedef struct info_torus {
	char *text[TORUS_TEXTS];
	uint32_t cells, *cell; /* of each node of NODE_LIST, in that order */
} info_torus_t;

/* What a job has of a torus: its id, and texts as above. */
typedef enum job_text {
	JOB_TORUS,
	JOB_NODES,
	JOB_WORDS, /* as torus_show_token() writes its token */
	JOB_TEXTS,
} job_text_t;

typedef struct info_job {
	uint32_t job_id;
	char *text[JOB_TEXTS];
} info_job_t;

typedef struct info {
	uint32_t tori, jobs;
	info_torus_t *torus;
	info_job_t *job;
} info_t;

/* --- in slurmctld ------------------------------------------------------- */

/* Note the cell of each node of NODE_LIST. */
static void note_cells(const tori_t *tori, const torus_map_t *map, info_torus_t *info)
{
	slurm_hostlist_t nodes = hostlist_create(info->text[NODE_LIST]);
	uint32_t number;
	char *name;
	int t;

	info->cell = xcalloc(map->nodes, sizeof(*info->cell));
	while (info->cells < map->nodes && (name = hostlist_shift(nodes))) {
		if (torus_cluster_find(tori->cluster, name, &t, &number))
			info->cell[info->cells++] = torus_map_cell(map, number);
		free(name);
	}
	hostlist_destroy(nodes);
}

/* The free nodes of the torus are in its set TORUS_TORI_FREE. */
static void describe_torus(const joined_torus_t *torus, info_torus_t *info)
{
	const torus_map_t *map = torus->map;
	char dims[TORUS_DIMS_TEXT], line[TORUS_SHOW_TEXT];
	uint32_t used = 0;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		int i = torus->node_of_rank[rank];

		used += i != TORUS_TORI_NO_NODE &&
			node_has_jobs(node_record_table_ptr[i]);
	}
	torus_lengths_format(map->geometry.dims, map->geometry.length, dims);
	info->text[NAME] = xstrdup(map->name);
	info->text[DIMS] = xstrdup(dims);
	info->text[LINE] =
		xstrdup(torus_show_map(map, torus->set[TORUS_TORI_FREE], used, line));
	info->text[NODE_LIST] = bitmap2node_name(torus->nodes);
}

static void add_job(void *context, uint32_t job_id, const watched_part_t *part)
{
	info_t *info = context;
	char *words = torus_show_token(part->token);

	xrecalloc(info->job, (size_t)info->jobs + 1, sizeof(*info->job));
	info->job[info->jobs++] = (info_job_t){
		.job_id = job_id,
		.text = {xstrdup(part->torus), xstrdup(part->nodes),
			 xstrdup(words ? words : "")},
	};
	free(words);
}

/* Idle nodes that are up and have no job, not even one that is ending. */
static bitstr_t *free_nodes(void)
{
	bitstr_t *nodes = bit_copy(idle_node_bitmap);

	bit_and(nodes, avail_node_bitmap);
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		if (node_has_jobs(node_record_table_ptr[i]))
			bit_clear(nodes, i);
	}
	return nodes;
}

static void describe_tori(tori_t *tori, info_t *info)
{
	uint32_t counts[tori->count];
	bitstr_t *nodes = free_nodes();

	choose_ranks_of(tori, nodes, counts);
	bit_free(nodes);
	info->torus = xcalloc((size_t)tori->count, sizeof(*info->torus));
	for (int t = 0; t < tori->count; t++) {
		describe_torus(&tori->torus[t], &info->torus[t]);
		note_cells(tori, tori->torus[t].map, &info->torus[t]);
	}
	info->tori = (uint32_t)tori->count;
}

static info_t *take_snapshot(void)
{
	info_t *info = xcalloc(1, sizeof(*info));
	tori_t *tori = topology_tori_lock();

	if (tori) {
		describe_tori(tori, info);
		topology_tori_unlock();
	}
	topology_watch_each(add_job, info);
	return info;
}

static int count_tori(void)
{
	tori_t *tori = topology_tori_lock();
	int count = 0;

	if (tori) {
		count = tori->count;
		topology_tori_unlock();
	}
	return count;
}

int topology_get_data(topology_data_t type, void *data)
{
	dynamic_plugin_data_t *snapshot;

	switch (type) {
	case TOPO_DATA_TOPOLOGY_PTR:
		snapshot = xcalloc(1, sizeof(*snapshot));
		snapshot->plugin_id = TORUS_TOPOLOGY_PLUGIN_ID;
		snapshot->data = take_snapshot();
		*(dynamic_plugin_data_t **)data = snapshot;
		return SLURM_SUCCESS;
	case TOPO_DATA_REC_CNT:
		*(int *)data = count_tori();
		return SLURM_SUCCESS;
	case TOPO_DATA_EXCLUSIVE_TOPO:
		*(int *)data = 1;
		return SLURM_SUCCESS;
	default:
		return SLURM_ERROR;
	}
}

int topology_info_pack(const void *data, buf_t *buffer, uint16_t protocol_version)
{
	const info_t *info = data;

	(void)protocol_version; /* both sides are of one build */
	pack32(info->tori, buffer);
	for (uint32_t t = 0; t < info->tori; t++) {
		for (int i = 0; i < TORUS_TEXTS; i++)
			packstr(info->torus[t].text[i], buffer);
		pack32_array(info->torus[t].cell, info->torus[t].cells, buffer);
	}
	pack32(info->jobs, buffer);
	for (uint32_t j = 0; j < info->jobs; j++) {
		pack32(info->job[j].job_id, buffer);
		for (int i = 0; i < JOB_TEXTS; i++)
			packstr(info->job[j].text[i], buffer);
	}
	return SLURM_SUCCESS;
}

/* --- in the client ------------------------------------------------------ */

int topology_info_unpack(void **data, buf_t *buffer, uint16_t protocol_version)
{
	info_t *info = xcalloc(1, sizeof(*info));
	uint32_t count;

	(void)protocol_version;
	safe_unpack32(&count, buffer);
	safe_xcalloc(info->torus, count, sizeof(*info->torus));
	info->tori = count;
	for (uint32_t t = 0; t < info->tori; t++) {
		for (int i = 0; i < TORUS_TEXTS; i++)
			safe_unpackstr(&info->torus[t].text[i], buffer);
		safe_unpack32_array(&info->torus[t].cell, &info->torus[t].cells, buffer);
	}
	safe_unpack32(&count, buffer);
	safe_xcalloc(info->job, count, sizeof(*info->job));
	info->jobs = count;
	for (uint32_t j = 0; j < info->jobs; j++) {
		safe_unpack32(&info->job[j].job_id, buffer);
		for (int i = 0; i < JOB_TEXTS; i++)
			safe_unpackstr(&info->job[j].text[i], buffer);
	}
	*data = info;
	return SLURM_SUCCESS;

unpack_error:
	topology_info_free(info);
	*data = NULL;
	return SLURM_ERROR;
}

/* Where those of the [nodes] are that are on the torus. */
static void print_places(const info_torus_t *torus, hostset_t *nodes, char **out)
{
	slurm_hostlist_t all = hostlist_create(torus->text[NODE_LIST]);
	char coord[TORUS_COORD_TEXT] = "", *name;
	torus_geometry_t geometry = {0};

	(void)torus_geometry_parse(torus->text[DIMS], NULL, &geometry, NULL);
	for (uint32_t i = 0; i < torus->cells && (name = hostlist_shift(all)); i++) {
		if (hostset_within(nodes, name)) {
			torus_coord_format(&geometry, torus->cell[i], coord);
			xstrfmtcat(*out, "   NodeName=%s Place=%s%s\n", name,
				   torus->text[NAME], coord);
		}
		free(name);
	}
	hostlist_destroy(all);
}

static void print_jobs(const info_t *info, const info_torus_t *torus, hostset_t *nodes,
		       char **out)
{
	for (uint32_t j = 0; j < info->jobs; j++) {
		const info_job_t *job = &info->job[j];

		if (xstrcmp(job->text[JOB_TORUS], torus->text[NAME]) ||
		    (nodes && !hostset_intersects(nodes, job->text[JOB_NODES])))
			continue;
		xstrfmtcat(*out, "   JobId=%u%s NodeList=%s\n", job->job_id,
			   job->text[JOB_WORDS], job->text[JOB_NODES]);
	}
}

static bool has_torus(const info_t *info, const char *name)
{
	for (uint32_t t = 0; t < info->tori; t++) {
		if (!xstrcmp(info->torus[t].text[NAME], name))
			return true;
	}
	return false;
}

static bool has_nodes(const info_torus_t *torus, const char *nodes)
{
	hostset_t *all = hostset_create(torus->text[NODE_LIST]);
	bool within = all && hostset_within(all, nodes);

	if (all)
		hostset_destroy(all);
	return within;
}

int topology_info_print(const void *data, const char *nodes, const char *unit, char **out)
{
	const info_t *info = data;
	hostset_t *some;
	int found = 0;

	*out = NULL;
	nodes = nodes && *nodes ? nodes : NULL;
	unit = unit && *unit ? unit : NULL;
	if (nodes && !unit && has_torus(info, nodes)) { /* 24.11 knows nodes only */
		unit = nodes;
		nodes = NULL;
	}
	some = nodes ? hostset_create(nodes) : NULL;
	for (uint32_t t = 0; t < info->tori; t++) {
		const info_torus_t *torus = &info->torus[t];

		if ((unit && xstrcmp(torus->text[NAME], unit)) ||
		    (nodes && !has_nodes(torus, nodes)))
			continue;
		found++;
		xstrfmtcat(*out, "%s Nodes=%s\n", torus->text[LINE],
			   torus->text[NODE_LIST]);
		if (some)
			print_places(torus, some, out);
		print_jobs(info, torus, some, out);
	}
	if (some)
		hostset_destroy(some);
	if (!found)
		error("there is no torus%s%s%s%s", unit ? " " : "", unit ? unit : "",
		      nodes ? " with all the nodes " : "", nodes ? nodes : "");
	return SLURM_SUCCESS;
}

/* --- in both ------------------------------------------------------------ */

int topology_info_free(void *data)
{
	info_t *info = data;

	if (!info)
		return SLURM_SUCCESS;
	for (uint32_t t = 0; t < info->tori; t++) {
		for (int i = 0; i < TORUS_TEXTS; i++)
			xfree(info->torus[t].text[i]);
		xfree(info->torus[t].cell);
	}
	for (uint32_t j = 0; j < info->jobs; j++) {
		for (int i = 0; i < JOB_TEXTS; i++)
			xfree(info->job[j].text[i]);
	}
	xfree(info->torus);
	xfree(info->job);
	xfree(info);
	return SLURM_SUCCESS;
}

#endif
