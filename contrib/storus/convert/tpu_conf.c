/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sub-blocks of a tpu.conf: see tpu_conf.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "storus/convert/tpu_conf.h"
#include "storus/convert/words.h"

/* The numbers of a line; 0: not given. */
typedef struct tpu_numbers {
	uint32_t chips, dims, nodes;
} tpu_numbers_t;

static bool is_type(const torus_lines_t *lines, const char *type)
{
	const char *value = storus_word_value(lines, "TPUType");

	return value && !strcmp(value, type);
}

/* Read [key] of the line, if it is there. Returns 0, or -1. */
static int read_number(const torus_lines_t *lines, const char *key, uint32_t *number,
		       torus_error_t *err)
{
	const char *value = storus_word_value(lines, key);
	size_t digits = value ? strspn(value, "0123456789") : 0;

	if (!value)
		return 0;
	if (!digits || digits > 8 || value[digits] || !atoi(value))
		return torus_fail(err, "%s=%s: not a number", key, value);
	*number = (uint32_t)atoi(value);
	return 0;
}

/* The side of the square or cube that the chips of a sub-block make; 0: none. */
static int32_t side_of(const tpu_numbers_t *numbers)
{
	uint64_t chips = (uint64_t)numbers->chips * numbers->nodes, side = 1;

	while (side * side * (numbers->dims == 3 ? side : 1) < chips)
		side++;
	return side * side * (numbers->dims == 3 ? side : 1) == chips ? (int32_t)side : 0;
}

static int make_block(const tpu_numbers_t *numbers, storus_block_t *block,
		      torus_error_t *err)
{
	const char *cure = "give --block-dims";
	int32_t side, step = numbers->chips == 4 ? 2 : 1;

	if (numbers->dims != 2 && numbers->dims != 3)
		return torus_fail(err, "Dimensions= must be 2 or 3");
	if (!numbers->nodes)
		return torus_fail(err, "no NodesPerSubBlock=; %s", cure);
	if (numbers->chips != 1 && numbers->chips != 4)
		return torus_fail(err,
				  "nodes of %" PRIu32 " chips may be of any shape; %s",
				  numbers->chips, cure);
	side = side_of(numbers);
	if (!side || side % step)
		return torus_fail(err,
				  "%" PRIu32 " nodes of %" PRIu32 " chips are no %s; %s",
				  numbers->nodes, numbers->chips,
				  numbers->dims == 3 ? "cube" : "square", cure);
	*block = (storus_block_t){.box.dims = (int)numbers->dims};
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		block->node[axis] = axis < 2 ? step : 1;
		block->box.length[axis] =
			axis < block->box.dims ? side / block->node[axis] : 1;
	}
	return 0;
}

static int read_line(const torus_lines_t *lines, storus_block_t *block,
		     torus_error_t *err)
{
	tpu_numbers_t numbers = {.chips = 4};

	if (read_number(lines, "ChipsPerNode", &numbers.chips, err) != 0 ||
	    read_number(lines, "Dimensions", &numbers.dims, err) != 0 ||
	    read_number(lines, "NodesPerSubBlock", &numbers.nodes, err) != 0)
		return -1;
	return make_block(&numbers, block, err);
}

int storus_tpu_conf_read(const char *text, size_t length, const char *path,
			 const char *type, storus_block_t *block, torus_error_t *err)
{
	torus_lines_t lines;
	int rc = torus_lines_open(&lines, text, length, path, err);

	while (rc == 0 && (rc = torus_lines_next(&lines, err)) > 0) {
		rc = 0;
		if (!is_type(&lines, type))
			continue;
		rc = read_line(&lines, block, err);
		if (rc != 0)
			torus_fail_prefix(err, "%s:%" PRIu32 ": ", path,
					  lines.word[0].line);
		goto done;
	}
	if (rc == 0)
		rc = torus_fail(err, "%s:%" PRIu32 ": no line with TPUType=%s", path,
				torus_lines_last(&lines), type);
done:
	torus_lines_close(&lines);
	return rc;
}
