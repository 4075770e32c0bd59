/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with a task on each chip of their nodes: see taskmap/chips.h. */
#include "taskmap/chips.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"
#include "taskmap/hops.h"

bool torus_tasks_on_chips(const torus_geometry_t *geometry, uint32_t nodes,
			  const uint32_t *tasks_on_node)
{
	uint32_t chips = torus_node_chips(geometry);

	for (uint32_t node = 0; node < nodes; node++) {
		if (tasks_on_node[node] != chips)
			return false;
	}
	return chips > 1;
}

void torus_chip_cells(const torus_geometry_t *geometry, uint32_t nodes,
		      const uint32_t *cell, uint32_t *chip_cell)
{
	uint32_t of_node = torus_node_chips(geometry);

	for (uint32_t chip = 0; chip < nodes * of_node; chip++)
		chip_cell[chip] =
			torus_chip_cell(geometry, cell[chip / of_node], chip % of_node);
}

int torus_chips_in_order(uint32_t *chip_of_task, uint32_t tasks, uint32_t of_node,
			 torus_error_t *err)
{
	uint32_t *taken = calloc(tasks / of_node, sizeof(*taken));

	if (!taken)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	for (uint32_t task = 0; task < tasks; task++) {
		uint32_t node = chip_of_task[task] / of_node;

		chip_of_task[task] = node * of_node + taken[node]++;
	}
	free(taken);
	return 0;
}

/* Map the nodes as a whole, and give their tasks their chips. */
static int map_nodes(torus_mapper_t mapper, const torus_task_job_t *on_nodes,
		     uint32_t tasks, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(on_nodes->geometry);

	if (torus_taskmap(mapper, on_nodes, budget, chip_of_task, err))
		return -1;
	for (uint32_t task = 0; task < tasks; task++)
		chip_of_task[task] *= of_node;
	return torus_chips_in_order(chip_of_task, tasks, of_node, err);
}

static int map_chips(torus_mapper_t mapper, const torus_task_job_t *on_chips,
		     uint32_t of_node, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err)
{
	if (torus_taskmap(mapper, on_chips, budget, chip_of_task, err))
		return -1;
	return torus_chips_in_order(chip_of_task, on_chips->nodes, of_node, err);
}

int torus_taskmap_chips(torus_mapper_t mapper, const torus_task_job_t *on_chips,
			const torus_task_job_t *on_nodes,
			const torus_mapper_budget_t *budget, uint32_t *chip_of_task,
			torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(on_nodes->geometry), tasks = on_chips->nodes;
	torus_mapper_budget_t half = *budget;
	torus_hop_stats_t one, other;
	uint32_t *by_nodes;
	int rc = -1;

	if (mapper == TORUS_MAPPER_GROUPING)
		return map_nodes(mapper, on_nodes, tasks, budget, chip_of_task, err);
	if (mapper != TORUS_MAPPER_BEST)
		return map_chips(mapper, on_chips, of_node, budget, chip_of_task, err);
	half.work /= 2;
	half.seconds /= 2;
	by_nodes = malloc(tasks * sizeof(*by_nodes));
	if (!by_nodes)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	if (map_chips(mapper, on_chips, of_node, &half, chip_of_task, err) ||
	    map_nodes(mapper, on_nodes, tasks, &half, by_nodes, err) ||
	    torus_hop_stats(on_chips, chip_of_task, &one, err) ||
	    torus_hop_stats(on_chips, by_nodes, &other, err))
		goto done;
	if (other.average < one.average)
		memcpy(chip_of_task, by_nodes, tasks * sizeof(*by_nodes));
	rc = 0;
done:
	free(by_nodes);
	return rc;
}
