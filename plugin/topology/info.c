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

/* Texts of a row, xmalloc()ed, in the order in which they are packed. */
typedef enum row_text {
	TORUS,
	NODES, /* those of the torus, or of the job there: a hostlist */
	WORDS, /* of the torus as torus_show_map() writes them, of a job as
		* torus_show_token() writes its token */
	DIMS,  /* of the torus */
	ROW_TEXTS,
} row_text_t;

/* A torus, or what a job has of one. */
typedef struct info_row {
	uint32_t job_id; /* 0: the torus itself */
	char *text[ROW_TEXTS];
	uint32_t cells, *cell; /* of the torus: of each of its NODES, in that order */
} info_row_t;

typedef struct info {
	uint32_t rows;
	info_row_t *row;
} info_t;

/* --- in slurmctld ------------------------------------------------------- */

static info_row_t *add_row(info_t *info)
{
	xrecalloc(info->row, (size_t)info->rows + 1, sizeof(*info->row));
	return &info->row[info->rows++];
}

/* Note the cell of each of its NODES. */
static void note_cells(const tori_t *tori, const torus_map_t *map, info_row_t *row)
{
	slurm_hostlist_t nodes = hostlist_create(row->text[NODES]);
	uint32_t number;
	char *name;
	int t;

	row->cell = xcalloc(map->nodes, sizeof(*row->cell));
	while (row->cells < map->nodes && (name = hostlist_shift(nodes))) {
		if (torus_cluster_find(tori->cluster, name, &t, &number))
			row->cell[row->cells++] = torus_map_cell(map, number);
		free(name);
	}
	hostlist_destroy(nodes);
}

/* The free nodes of the torus are in its set TORUS_TORI_FREE. */
static void describe_torus(const joined_torus_t *torus, info_row_t *row)
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
	row->text[TORUS] = xstrdup(map->name);
	row->text[NODES] = bitmap2node_name(torus->nodes);
	row->text[WORDS] =
		xstrdup(torus_show_map(map, torus->set[TORUS_TORI_FREE], used, line));
	row->text[DIMS] = xstrdup(dims);
}

static void add_job(void *context, uint32_t job_id, const watched_part_t *part)
{
	info_row_t *row = add_row(context);
	char *words = torus_show_token(part->token);

	row->job_id = job_id;
	row->text[TORUS] = xstrdup(part->torus);
	row->text[NODES] = xstrdup(part->nodes);
	row->text[WORDS] = xstrdup(words);
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
	for (int t = 0; t < tori->count; t++) {
		info_row_t *row = add_row(info);

		describe_torus(&tori->torus[t], row);
		note_cells(tori, tori->torus[t].map, row);
	}
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
	pack32(info->rows, buffer);
	for (uint32_t i = 0; i < info->rows; i++) {
		const info_row_t *row = &info->row[i];

		pack32(row->job_id, buffer);
		for (int text = 0; text < ROW_TEXTS; text++)
			packstr(row->text[text], buffer);
		pack32_array(row->cell, row->cells, buffer);
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
	safe_xcalloc(info->row, count, sizeof(*info->row));
	info->rows = count;
	for (uint32_t i = 0; i < info->rows; i++) {
		info_row_t *row = &info->row[i];

		safe_unpack32(&row->job_id, buffer);
		for (int text = 0; text < ROW_TEXTS; text++)
			safe_unpackstr(&row->text[text], buffer);
		safe_unpack32_array(&row->cell, &row->cells, buffer);
	}
	*data = info;
	return SLURM_SUCCESS;

unpack_error:
	topology_info_free(info);
	*data = NULL;
	return SLURM_ERROR;
}

/* Where those of the [nodes] are that are on the torus. */
static void print_places(const info_row_t *torus, hostset_t *nodes, char **out)
{
	slurm_hostlist_t all = hostlist_create(torus->text[NODES]);
	char coord[TORUS_COORD_TEXT] = "", *name;
	torus_geometry_t geometry = {0};

	(void)torus_geometry_parse(torus->text[DIMS], NULL, &geometry, NULL);
	for (uint32_t i = 0; i < torus->cells && (name = hostlist_shift(all)); i++) {
		if (hostset_within(nodes, name)) {
			torus_coord_format(&geometry, torus->cell[i], coord);
			xstrfmtcat(*out, "   NodeName=%s Place=%s%s\n", name,
				   torus->text[TORUS], coord);
		}
		free(name);
	}
	hostlist_destroy(all);
}

static void print_jobs(const info_t *info, const info_row_t *torus, hostset_t *nodes,
		       char **out)
{
	for (uint32_t i = 0; i < info->rows; i++) {
		const info_row_t *row = &info->row[i];

		if (!row->job_id || xstrcmp(row->text[TORUS], torus->text[TORUS]) ||
		    (nodes && !hostset_intersects(nodes, row->text[NODES])))
			continue;
		xstrfmtcat(*out, "   JobId=%u%s NodeList=%s\n", row->job_id,
			   row->text[WORDS] ? row->text[WORDS] : "", row->text[NODES]);
	}
}

static bool has_torus(const info_t *info, const char *name)
{
	for (uint32_t i = 0; i < info->rows; i++) {
		if (!info->row[i].job_id && !xstrcmp(info->row[i].text[TORUS], name))
			return true;
	}
	return false;
}

static bool has_nodes(const info_row_t *torus, const char *nodes)
{
	hostset_t *all = hostset_create(torus->text[NODES]);
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
	for (uint32_t i = 0; i < info->rows; i++) {
		const info_row_t *torus = &info->row[i];

		if (torus->job_id || (unit && xstrcmp(torus->text[TORUS], unit)) ||
		    (nodes && !has_nodes(torus, nodes)))
			continue;
		found++;
		xstrfmtcat(*out, "%s Nodes=%s\n", torus->text[WORDS], torus->text[NODES]);
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
	for (uint32_t i = 0; i < info->rows; i++) {
		for (int text = 0; text < ROW_TEXTS; text++)
			xfree(info->row[i].text[text]);
		xfree(info->row[i].cell);
	}
	xfree(info->row);
	xfree(info);
	return SLURM_SUCCESS;
}

#endif
