/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One node: see node.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hostlist.h"
#include "storus/show/node.h"

/* Whether the hostlist has [name]; -1 with [err] filled. */
static int has_node(const char *nodelist, const char *name, torus_error_t *err)
{
	uint32_t count;
	char **names;
	int found = 0;

	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; i < count && !found; i++)
		found = strcmp(names[i], name) == 0;
	free(names);
	return found;
}

/* Write the names of the jobs, or else of the reservations in force, that have the node.
 */
static int write_holders(FILE *file, const storus_jobs_t *jobs, bool reservations,
			 const char *name, torus_error_t *err)
{
	uint32_t count = reservations ? jobs->reservations : jobs->count;
	int64_t now = (int64_t)time(NULL);
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		const storus_reserved_t *reserved =
			reservations ? &jobs->reservation[i] : NULL;
		int found;

		if (reserved && !storus_reserved_at(reserved, now))
			continue;
		found = has_node(reserved ? reserved->nodelist : jobs->job[i].nodelist,
				 name, err);
		if (found < 0)
			return -1;
		if (!found)
			continue;
		fprintf(file, "%s%s", any ? "," : "",
			reserved ? storus_reserved_name(reserved) : jobs->job[i].id);
		any = true;
	}
	return 0;
}

/* These names, malloc'ed; NULL with [err] filled. */
static char *holders_of(const storus_jobs_t *jobs, bool reservations, const char *name,
			torus_error_t *err)
{
	size_t size;
	char *text = NULL;
	FILE *file = open_memstream(&text, &size);
	int rc = file ? write_holders(file, jobs, reservations, name, err)
		      : torus_fail(err, "out of memory");

	if (file && fclose(file) != 0 && rc == 0)
		rc = torus_fail(err, "out of memory");
	if (rc == 0)
		return text;
	free(text);
	return NULL;
}

int storus_show_node(FILE *file, storus_format_t format, const torus_cluster_t *cluster,
		     const storus_jobs_t *jobs, const char *name, torus_error_t *err)
{
	const storus_node_t *known = storus_jobs_find_node(jobs, name);
	char *by_jobs = holders_of(jobs, false, name, err);
	char *by_reservations = by_jobs ? holders_of(jobs, true, name, err) : NULL;
	char position[16 * TORUS_MAX_DIMS] = "";
	int32_t coord[TORUS_MAX_DIMS];
	size_t length = 0;
	uint32_t node;
	int torus, rc = by_reservations ? 0 : -1;

	if (by_reservations && torus_cluster_find(cluster, name, &torus, &node)) {
		const torus_map_t *map = cluster->map[torus];
		bool usable = !jobs->nodes_known || (known && known->usable);
		const char *state = *by_jobs	       ? "in use"
				    : !usable	       ? "unusable"
				    : *by_reservations ? "reserved"
						       : "free";

		torus_cell_to_coord(&map->geometry, torus_map_cell(map, node), coord);
		for (int axis = 0; axis < map->geometry.dims; axis++)
			length += (size_t)snprintf(position + length,
						   sizeof(position) - length, "%s%d",
						   axis ? "," : "", (int)coord[axis]);

		const storus_field_t fields[] = {
			storus_text("node", name),
			storus_text("torus", map->name),
			storus_text("position", position),
			storus_count("rank", map->rank_of_node[node]),
			storus_text("state", state),
			storus_text("why", usable  ? NULL
					   : known ? known->state
						   : "unknown to Slurm"),
			storus_text("reason", known ? known->reason : NULL),
			storus_text("jobs", *by_jobs ? by_jobs : NULL),
			storus_text("reservations",
				    *by_reservations ? by_reservations : NULL),
		};

		storus_record_print(file, format, fields,
				    sizeof(fields) / sizeof(fields[0]));
	}
	free(by_jobs);
	free(by_reservations);
	return rc;
}
