/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of task mappers: see taskmap.h. */
#include "taskmap/taskmap.h"

#include <string.h>

#include "taskmap/mappers/mappers.h"

static const struct {
	const char *name;
	/* One of the two: mappers that search spend a budget. */
	int (*map)(const torus_layout_t *layout, uint32_t *node_of_task,
		   torus_error_t *err);
	int (*search)(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		      uint32_t *node_of_task, torus_error_t *err);
} mappers[TORUS_MAPPERS] = {
	[TORUS_MAPPER_BASELINE] = {"baseline", torus_mapper_baseline, NULL},
	[TORUS_MAPPER_GROUPING] = {"grouping", torus_mapper_grouping, NULL},
	[TORUS_MAPPER_COL_MAJOR] = {"col_major", torus_mapper_col_major, NULL},
	[TORUS_MAPPER_ROW_MAJOR] = {"row_major", torus_mapper_row_major, NULL},
	[TORUS_MAPPER_ORDERED] = {"ordered", torus_mapper_ordered, NULL},
	[TORUS_MAPPER_CORNER] = {"corner", torus_mapper_corner, NULL},
	[TORUS_MAPPER_ALL_CORNERS] = {"all_corners", torus_mapper_all_corners, NULL},
	[TORUS_MAPPER_OVERLAY] = {"overlay", torus_mapper_overlay, NULL},
	[TORUS_MAPPER_TWO_WAY_OVERLAY] = {"two_way_overlay", torus_mapper_two_way_overlay,
					  NULL},
	[TORUS_MAPPER_RCB] = {"rcb", torus_mapper_rcb, NULL},
	[TORUS_MAPPER_RCB_LONGEST] = {"rcb:longest", torus_mapper_rcb_longest, NULL},
	[TORUS_MAPPER_INC_IMPROVE] = {"inc_improve", NULL, torus_mapper_inc_improve},
	[TORUS_MAPPER_RCB_TURNS] = {"rcb_turns", NULL, torus_mapper_rcb_turns},
	[TORUS_MAPPER_ANNEAL] = {"anneal", NULL, torus_mapper_anneal},
	[TORUS_MAPPER_BEST] = {"best", NULL, torus_mapper_best},
};

int torus_mapper_parse(const char *text, torus_mapper_t *mapper, torus_error_t *err)
{
	char known[512] = "";

	for (int i = 0; i < TORUS_MAPPERS; i++) {
		if (!strcmp(text, mappers[i].name)) {
			*mapper = (torus_mapper_t)i;
			return 0;
		}
		strcat(known, i ? ", " : "");
		strcat(known, mappers[i].name);
	}
	return torus_fail(err, "'%s' is not a mapper: %s", text, known);
}

const char *torus_mapper_name(torus_mapper_t mapper)
{
	return mappers[mapper].name;
}

int torus_taskmap(torus_mapper_t mapper, const torus_task_job_t *job,
		  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
		  torus_error_t *err)
{
	torus_layout_t layout = {0};
	int result;

	if (torus_task_job_check(job, err))
		return -1;
	result = torus_layout_init(job, &layout, err);
	if (!result)
		result = mappers[mapper].map
				 ? mappers[mapper].map(&layout, node_of_task, err)
				 : mappers[mapper].search(&layout, budget, node_of_task,
							  err);
	torus_layout_destroy(&layout);
	return result;
}
