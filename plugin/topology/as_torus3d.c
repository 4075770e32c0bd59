/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "scontrol show topoconf": see topology/as_torus3d.h. */
#include "topology/as_torus3d.h"

#ifdef TOPOLOGY_SHOWS_TORUS3D

#include "machine/registration.h"
#include "topology/tori.h"

enum { AXES = 3 };

/* The node of each cell, [cells]; NULL: none. xmalloc()ed; NULL: a cell has several. */
static const char **nodes_by_cell(const torus_map_t *map, uint32_t cells)
{
	const char **name = xcalloc(cells, sizeof(*name));

	for (uint32_t node = 0; node < map->nodes; node++) {
		uint32_t cell = torus_map_cell(map, node);

		if (name[cell]) {
			xfree(name);
			return NULL;
		}
		if (!torus_map_is_vacant(map, node))
			name[cell] = map->node_name[node];
	}
	return name;
}

static slurm_conf_torus3d_dims_t three(const int32_t *value)
{
	return (slurm_conf_torus3d_dims_t){
		.x = (uint16_t)value[0],
		.y = (uint16_t)value[1],
		.z = (uint16_t)value[2],
	};
}

/* The nodes of cells [first] and so on, [count] of them, as a hostlist. */
static char *list_of(const char *const *name, uint32_t first, uint32_t count)
{
	slurm_hostlist_t hosts = hostlist_create(NULL);
	char *text;

	for (uint32_t cell = first; cell < first + count; cell++)
		hostlist_push_host(hosts, name[cell]);
	text = hostlist_ranged_string_xmalloc(hosts);
	hostlist_destroy(hosts);
	return text;
}

/* A region for each run of nodes along x. */
static void add_regions(const torus_geometry_t *geometry, const char *const *name,
			uint32_t cells, slurm_conf_torus3d_t *torus)
{
	uint32_t side = (uint32_t)geometry->length[0], end;

	for (uint32_t cell = 0; cell < cells; cell = end) {
		int32_t at[TORUS_MAX_DIMS] = {0}, box[AXES] = {1, 1, 1};

		end = cell + 1;
		if (!name[cell])
			continue;
		while (end % side && name[end])
			end++;
		torus_cell_to_coord(geometry, cell, at);
		box[0] = (int32_t)(end - cell);
		xrecalloc(torus->regions, (size_t)torus->region_count + 1,
			  sizeof(*torus->regions));
		torus->regions[torus->region_count++] = (slurm_conf_torus3d_region_t){
			.anchor = three(at),
			.dims = three(box),
			.nodes = list_of(name, cell, end - cell),
		};
	}
}

static bool has_sides_for_slurm(const torus_geometry_t *geometry)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->length[axis] > UINT16_MAX)
			return false;
	}
	return geometry->dims <= AXES;
}

/* Whether the torus could be described, in *torus. */
static bool describe(const torus_map_t *map, slurm_conf_torus3d_t *torus)
{
	const torus_geometry_t *geometry = &map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	int32_t sides[AXES] = {1, 1, 1};
	const char **name;

	if (!has_sides_for_slurm(geometry))
		return false;
	name = nodes_by_cell(map, cells);
	if (!name)
		return false;
	for (int axis = 0; axis < geometry->dims; axis++)
		sides[axis] = geometry->length[axis];
	*torus = (slurm_conf_torus3d_t){.name = xstrdup(map->name), .dims = three(sides)};
	if (map->nodes == cells && !torus_map_vacancies(map))
		torus->nodes = list_of(name, 0, cells);
	else
		add_regions(geometry, name, cells, torus);
	xfree(name);
	return true;
}

static topology_torus3d_config_t *describe_all(const tori_t *tori)
{
	topology_torus3d_config_t *config = xcalloc(1, sizeof(*config));

	config->torus3d_configs =
		xcalloc((size_t)tori->count, sizeof(*config->torus3d_configs));
	for (int t = 0; t < tori->count; t++) {
		if (describe(tori->torus[t].map,
			     &config->torus3d_configs[config->config_cnt]))
			config->config_cnt++;
	}
	return config;
}

void topology_show_as_torus3d(topology_ctx_t *context)
{
	topology_torus3d_config_t *config;
	tori_t *tori;

	if (context->plugin || context->config)
		return;
	tori = topology_tori_lock();
	if (!tori)
		return;
	config = describe_all(tori);
	topology_tori_unlock();
	if (!config->config_cnt) {
		free_topology_torus3d_config(config);
		return;
	}
	context->cluster_default = true;
	context->plugin = xstrdup("topology/torus3d");
	context->config = config;
}

#endif
