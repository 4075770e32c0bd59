/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * torus.conf and the files that it names, all in memory: nothing is read from the disk.
 * Input: torus.conf, then, each behind a line "%NAME", the files. Every map that is read
 * is a bijection inside its machine, its nodes are found under their names, and the
 * cluster written with Coords= and order files reads back the same.
 */
#include "fuzz.h"

#include <ctype.h>

#include "many_names.h"
#include "conf/chords.h"
#include "conf/torus_conf.h"
#include "geometry/chips.h"
#include "geometry/chords.h"

/*
 * Larger machines only take time: the search for their Hilbert curve, which the
 * sanitizers make twenty times slower.
 */
enum { CELLS_MAX = 1000 };

/* Texts by name. */
typedef struct files {
	struct {
		char name[32];
		const char *text;
		size_t length;
	} file[16];
	int count;
} files_t;

static int read_file(void *context, const char *path, char **text, size_t *length,
		     torus_error_t *err)
{
	const files_t *files = context;

	for (int i = 0; i < files->count; i++) {
		if (strcmp(files->file[i].name, path) != 0)
			continue;
		*length = files->file[i].length;
		*text = fuzz_text((const uint8_t *)files->file[i].text, *length);
		return 0;
	}
	return torus_fail(err, "cannot read '%s': not among the files", path);
}

/* Where the next file begins, at its "\n%"; [end] if there is none. */
static const char *next_file(const char *text, const char *end)
{
	for (; text < end; text++) {
		if (end - text > 2 && text[0] == '\n' && text[1] == '%')
			return text;
	}
	return end;
}

/* Cut the input; returns the length of torus.conf itself. */
static size_t cut(const char *text, size_t size, files_t *files)
{
	const char *end = text + size, *at = next_file(text, end);
	size_t conf = (size_t)(at - text);

	while (at < end && files->count < 16) {
		const char *name = at + 2,
			   *newline = memchr(name, '\n', (size_t)(end - name));
		const char *next;
		size_t length = newline ? (size_t)(newline - name) : 0;

		if (!newline || length >= sizeof(files->file[0].name))
			break;
		next = next_file(newline, end);
		memcpy(files->file[files->count].name, name, length);
		files->file[files->count].name[length] = '\0';
		files->file[files->count].text = newline + 1;
		files->file[files->count].length =
			next > newline ? (size_t)(next - newline - 1) : 0;
		files->count++;
		at = next;
	}
	return conf;
}

/* Whether some word like 100x100x100, or a number, is larger than what is worth a try. */
static bool too_large(const char *text, size_t size)
{
	uint64_t product = 1, number = 0;

	for (size_t i = 0; i < size; i++) {
		if (isdigit((unsigned char)text[i])) {
			number = number * 10 + (uint64_t)(text[i] - '0');
		} else if (text[i] == 'x' || text[i] == 'X') {
			product *= number ? number : 1;
			number = 0;
		} else {
			product = 1;
			number = 0;
		}
		if (number > CELLS_MAX || product * (number ? number : 1) > CELLS_MAX)
			return true;
	}
	return false;
}

static void check_map(const torus_cluster_t *cluster, int which)
{
	const torus_map_t *map = cluster->map[which];
	uint32_t cells = torus_geometry_cells(&map->geometry);

	CHECK(map->nodes >= 1 && map->node_name);
	if (map->geometry.chords)
		CHECK(map->geometry.chords->cells == cells);
	CHECK(map->isolation <= TORUS_ISOLATION_WEIGHT_MOST);
	CHECK((uint64_t)cells * torus_node_chips(&map->geometry) <= TORUS_MAX_CELLS);
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t node = map->node_of_rank[rank], found;
		int found_map;

		CHECK(node < map->nodes && map->rank_of_node[node] == rank);
		CHECK(map->cell_of_rank[rank] < cells);
		CHECK(torus_cluster_find(cluster, map->node_name[node], &found_map,
					 &found));
		CHECK(found_map == which && found == node);
	}
}

static void write_coords(FILE *stream, const torus_map_t *map)
{
	for (uint32_t node = 0; node < map->nodes; node++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&map->geometry,
				    map->cell_of_rank[map->rank_of_node[node]], coord);
		fputs(map->node_name[node], stream);
		for (int axis = 0; axis < map->geometry.dims; axis++)
			fprintf(stream, " %d", coord[axis]);
		fputc('\n', stream);
	}
}

/* One torus as configuration, the files it names appended to [files]. */
static void write_torus(FILE *conf, const torus_map_t *map, files_t *files)
{
	char dims[TORUS_DIMS_TEXT];
	char *text;
	FILE *stream;
	int i = files->count++;

	torus_geometry_t chips = torus_chip_machine(&map->geometry);
	bool in_chips = torus_has_chips(&map->geometry) && map->nodes % 2;

	torus_lengths_format(map->geometry.dims,
			     in_chips ? chips.length : map->geometry.length, dims);
	fprintf(conf, "TorusName=%s %s=%s Allocator=%s Span=%s Isolation=%u.%03u Wrap=",
		map->name, in_chips ? "ChipDims" : "Dims", dims,
		torus_allocator_name(map->allocator), torus_span_name(map->span),
		map->isolation / 1000, map->isolation % 1000);
	for (int axis = 0; axis < map->geometry.dims; axis++)
		fprintf(conf, "%s%d", axis ? "," : "", map->geometry.wrap[axis]);
	if (torus_has_chips(&map->geometry))
		fprintf(conf, " NodeShape=%s",
			torus_lengths_format(map->geometry.dims, map->geometry.chips,
					     dims));

	if (chips.chords)
		fputs(" Links=", conf);
	for (uint32_t j = 0; chips.chords && j < chips.chords->count; j++) {
		char link[TORUS_CHORD_TEXT];

		fprintf(conf, "%s%s", j ? "," : "",
			torus_chord_format(&chips, chips.chords->chord[j], link));
	}
	snprintf(files->file[i].name, sizeof(files->file[i].name), "file%d", i);
	fprintf(conf, " Coords=%s", files->file[i].name);
	stream = open_memstream(&text, &files->file[i].length);
	CHECK(stream);
	write_coords(stream, map);
	CHECK(!fclose(stream));
	files->file[i].text = text;

	if (map->curve != TORUS_CURVE_FILE) {
		fprintf(conf, " Curve=%s\n", torus_curve_name(map->curve));
		return;
	}
	i = files->count++;
	snprintf(files->file[i].name, sizeof(files->file[i].name), "file%d", i);
	fprintf(conf, " Curve=file:%s\n", files->file[i].name);
	stream = open_memstream(&text, &files->file[i].length);
	CHECK(stream);
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		fprintf(stream, "%s\n", map->node_name[map->node_of_rank[rank]]);
	CHECK(!fclose(stream));
	files->file[i].text = text;
}

static void check_same_chords(const torus_chords_t *a, const torus_chords_t *b)
{
	CHECK(!a == !b);
	if (!a)
		return;
	CHECK(a->count == b->count);
	CHECK(!memcmp(a->chord, b->chord, a->count * sizeof(*a->chord)));
	check_same_chords(a->of_chips, b->of_chips);
}

static void check_same_geometry(torus_geometry_t a, torus_geometry_t b)
{
	check_same_chords(a.chords, b.chords);
	a.chords = b.chords = NULL;
	CHECK(!memcmp(&a, &b, sizeof(a)));
}

static void check_same(const torus_map_t *a, const torus_map_t *b)
{
	size_t bytes = a->nodes * sizeof(uint32_t);

	CHECK(!strcmp(a->name, b->name) && a->nodes == b->nodes);
	check_same_geometry(a->geometry, b->geometry);
	CHECK(a->curve == b->curve && a->allocator == b->allocator &&
	      a->span == b->span && a->isolation == b->isolation);
	CHECK(!memcmp(a->cell_of_rank, b->cell_of_rank, bytes));
	CHECK(!memcmp(a->node_of_rank, b->node_of_rank, bytes));
	CHECK(!memcmp(a->rank_of_node, b->rank_of_node, bytes));
	for (uint32_t node = 0; node < a->nodes; node++)
		CHECK(!strcmp(a->node_name[node], b->node_name[node]));
}

static void check_round_trip(const torus_cluster_t *cluster)
{
	torus_cluster_t *back;
	torus_error_t err = {""};
	files_t files = {.count = 0};
	size_t length;
	char *text;
	FILE *conf = open_memstream(&text, &length);

	CHECK(conf);
	for (int i = 0; i < cluster->maps; i++)
		write_torus(conf, cluster->map[i], &files);
	CHECK(!fclose(conf));
	back = torus_conf_read_text(text, length, "back", read_file, &files, &err);
	if (!back)
		fprintf(stderr, "%s\n%s", err.text, text);
	CHECK(back && back->maps == cluster->maps);
	for (int i = 0; i < cluster->maps; i++)
		check_same(cluster->map[i], back->map[i]);
	torus_cluster_destroy(back);
	for (int i = 0; i < files.count; i++)
		free((char *)files.file[i].text);
	free(text);
}

/* Whether there is a ":LINE: " in a message. */
static bool names_a_line(const char *message)
{
	while ((message = strchr(message, ':'))) {
		size_t digits = strspn(++message, "0123456789");

		if (digits && !strncmp(message + digits, ": ", 2))
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	files_t files = {.count = 0};
	torus_error_t err = {""};
	torus_cluster_t *cluster;
	size_t length;

	if (!size || too_large(text, size) || fuzz_many_names(data, size, CELLS_MAX))
		return 0;
	length = cut(text, size, &files);
	cluster =
		torus_conf_read_text(text, length, "torus.conf", read_file, &files, &err);
	if (!cluster) {
		CHECK(names_a_line(err.text));
		return 0;
	}
	for (int i = 0; i < cluster->maps; i++)
		check_map(cluster, i);
	if (cluster->maps <= 8)
		check_round_trip(cluster);
	torus_cluster_destroy(cluster);
	return 0;
}
