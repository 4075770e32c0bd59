/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coordinate files. Input: dimensions, a newline, the file. What is read lies inside the
 * machine, has no name twice, and survives being written and read again.
 */
#include "fuzz.h"

#include "conf/coords.h"
#include "many_names.h"

/* More names only take time. */
enum { NAMES_MAX = 2000 };

static char *write_back(const torus_geometry_t *geometry, char *const *names,
			const uint32_t *cells, uint32_t count, size_t *length)
{
	char *text;
	FILE *stream = open_memstream(&text, length);

	CHECK(stream);
	for (uint32_t i = 0; i < count; i++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, cells[i], coord);
		fputs(names[i], stream);
		for (int axis = 0; axis < geometry->dims; axis++)
			fprintf(stream, " %d", coord[axis]);
		fputc('\n', stream);
	}
	CHECK(!fclose(stream));
	return text;
}

static void check(const torus_geometry_t *geometry, char *const *names,
		  const uint32_t *cells, uint32_t count)
{
	size_t length;
	char *text = write_back(geometry, names, cells, count, &length);
	uint32_t *back_cells, back_count;
	char **back_names;

	CHECK(!torus_coords_parse(text, length, "back", geometry, &back_names,
				  &back_cells, &back_count, NULL));
	CHECK(back_count == count && !memcmp(back_cells, cells, count * sizeof(*cells)));
	for (uint32_t i = 0; i < count; i++)
		CHECK(!strcmp(back_names[i], names[i]));
	free(back_names);
	free(back_cells);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
	torus_geometry_t geometry;
	uint32_t *cells, count;
	char **names, *dims;
	const char *file;

	if (!newline || fuzz_many_names(data, size, NAMES_MAX))
		return 0;
	dims = fuzz_text(data, (size_t)(newline - data));
	file = (const char *)newline + 1;
	if (!torus_geometry_parse(dims, NULL, &geometry, NULL) &&
	    !torus_coords_parse(file, size - (size_t)(newline + 1 - data), "f", &geometry,
				&names, &cells, &count, NULL)) {
		CHECK(count);
		for (uint32_t i = 0; i < count; i++)
			CHECK(cells[i] < torus_geometry_cells(&geometry));
		check(&geometry, names, cells, count);
		free(names);
		free(cells);
	}
	free(dims);
	return 0;
}
