/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of a topology.conf: see topology_conf.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/lines.h"
#include "storus/convert/topology_conf.h"
#include "storus/convert/words.h"

typedef struct reading {
	torus_lines_t lines;
	const char *path;
	const storus_block_t *block;
	storus_converted_t *machine;
	storus_remark_t *remark;
	void *context;
} reading_t;

/* Say that something of [name] is left out. */
static void leave_out(const reading_t *reading, const char *name, const char *why)
{
	torus_error_t text;

	torus_fail(&text, "%s:%" PRIu32 ": block '%s' is left out: %s", reading->path,
		   reading->lines.word[0].line, name, why);
	reading->remark(reading->context, text.text);
}

/* Add the nodes to a torus without any, x fastest. */
static int fill(storus_converted_torus_t *torus, const char *nodes, torus_error_t *err)
{
	uint32_t count;
	char **name;
	int rc = 0;

	if (torus_hostlist_expand(nodes, &name, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; rc == 0 && i < count; i++)
		rc = storus_converted_add_node(torus, name[i], i, err);
	free(name);
	return rc;
}

/* Nodes that have a place already are not there a second time. */
static int keep_first_places(reading_t *reading, const char *name, torus_error_t *err)
{
	storus_converted_t *machine = reading->machine;
	storus_converted_repeated_t repeated;
	torus_error_t why;
	int last = machine->tori - 1;

	if (storus_converted_keep_first(machine, last, &repeated, err) != 0)
		return -1;
	if (repeated.nodes == 0)
		return 0;
	torus_fail(&why, "node '%s' has a place already", repeated.name);
	leave_out(reading, name, why.text);
	storus_converted_remove(machine, last);
	return 0;
}

static int read_block(reading_t *reading, const char *name, torus_error_t *err)
{
	const torus_geometry_t *box = &reading->block->box;
	const char *nodes = storus_word_value(&reading->lines, "Nodes");
	char clean[STORUS_TORUS_NAME_MAX + 1], dims[TORUS_DIMS_TEXT];
	storus_converted_torus_t *torus;
	torus_error_t why;
	uint32_t count;

	if (!nodes) {
		leave_out(reading, name, "it has no nodes");
		return 0;
	}
	if (torus_hostlist_count(nodes, &count, err) != 0)
		return torus_fail_prefix(err, "Nodes: ");
	if (count != torus_geometry_cells(box)) {
		torus_fail(&why, "%" PRIu32 " nodes, but %s are %" PRIu32, count,
			   torus_lengths_format(box->dims, box->length, dims),
			   torus_geometry_cells(box));
		leave_out(reading, name, why.text);
		return 0;
	}
	storus_converted_clean_name(name, clean);
	torus = storus_converted_add_torus(reading->machine, clean, err);
	if (!torus)
		return -1;
	torus->geometry = *box;
	memcpy(torus->node_shape, reading->block->node, sizeof(torus->node_shape));
	if (fill(torus, nodes, err) != 0)
		return -1;
	return keep_first_places(reading, name, err);
}

static int read_line(reading_t *reading, torus_error_t *err)
{
	const char *name = storus_word_value(&reading->lines, "BlockName");

	if (name)
		return read_block(reading, name, err);
	if (storus_word_value(&reading->lines, "BlockSizes"))
		return 0;
	return torus_fail(err, "neither BlockName= nor BlockSizes=: switches say nothing of "
			       "places");
}

int storus_topology_conf_read(const char *text, size_t length, const char *path,
			      const storus_block_t *block, storus_converted_t *machine,
			      storus_remark_t *remark, void *context, torus_error_t *err)
{
	reading_t reading = {
		.path = path,
		.block = block,
		.machine = machine,
		.remark = remark,
		.context = context,
	};
	int rc = torus_lines_open(&reading.lines, text, length, path, err);

	while (rc == 0 && (rc = torus_lines_next(&reading.lines, err)) > 0) {
		rc = read_line(&reading, err);
		if (rc != 0)
			torus_fail_prefix(err, "%s:%" PRIu32 ": ", path,
					  reading.lines.word[0].line);
	}
	if (rc == 0 && !machine->tori)
		rc = torus_fail(err, "%s:%" PRIu32 ": no block with nodes", path,
				torus_lines_last(&reading.lines));
	torus_lines_close(&reading.lines);
	return rc;
}
