/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The token that says how compact an allocation is: see token.h. */
#define _GNU_SOURCE /* asprintf() */
#include "machine/token.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"
#include "torus/joined.h"

/* The average with two decimals and a point, whatever the locale of the process. */
static void write_average(char *text, size_t size, uint64_t summed, uint32_t n)
{
	double pairs = n > 1 ? (double)n * (n - 1) : 1;

	snprintf(text, size, "%.2f", (double)summed / pairs);
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text))
			*text = '.';
	}
}

/* Write the cubes and how they are joined behind [text], which is freed. NULL: memory. */
static char *add_cubes(char *text, const torus_joined_t *joined)
{
	char sides[TORUS_DIMS_TEXT], *longer = NULL;
	size_t length;
	FILE *stream = open_memstream(&longer, &length);
	bool failed;

	if (!stream || !text) {
		if (stream)
			fclose(stream);
		free(longer);
		free(text);
		return NULL;
	}
	fputs(text, stream);
	for (uint32_t i = 0; i < joined->cubes; i++)
		fprintf(stream, "%s%u", i ? "+" : ",cubes=", joined->cube[i]);
	if (joined->kind == TORUS_WHOLE_CUBES)
		fprintf(stream, ",joined=%s%s",
			torus_lengths_format(joined->geometry.dims,
					     joined->geometry.length, sides),
			joined->geometry.twist ? "_twisted" : "");
	failed = ferror(stream);
	failed |= fclose(stream) != 0;
	free(text);
	if (!failed)
		return longer;
	free(longer);
	return NULL;
}

char *torus_token_format(const torus_map_t *map, const uint32_t *ranks, uint32_t n,
			 const torus_shapes_t *shapes, torus_error_t *err)
{
	uint32_t *cells = malloc(sizeof(*cells) * (size_t)n);
	uint32_t span = torus_span_of(ranks, n, map->nodes, map->span);
	int32_t box[TORUS_MAX_DIMS];
	char sides[TORUS_DIMS_TEXT], average[32];
	torus_joined_t joined = {0};
	char *text = NULL;
	uint64_t summed;

	if (!cells || !span) {
		torus_fail(err, "out of memory for an allocation of %u nodes", n);
		goto end;
	}
	for (uint32_t i = 0; i < n; i++)
		cells[i] = map->cell_of_rank[ranks[i]];
	if (torus_join_shapes(&map->geometry, cells, n, shapes, &joined, err) ||
	    torus_bounding_box(&joined.geometry, joined.cell, n, box, NULL, err) ||
	    torus_summed_distance(&joined.geometry, joined.cell, n, &summed, err))
		goto end;
	torus_lengths_format(joined.geometry.dims, box, sides);
	write_average(average, sizeof(average), summed, n);
	if (asprintf(&text, TORUS_TOKEN_KEY "%s,nodes=%u,span=%u,box=%s,avghops=%s",
		     map->name, n, span, sides, average) < 0)
		text = NULL;
	if (joined.cubes)
		text = add_cubes(text, &joined);
	if (!text)
		torus_fail(err, "out of memory");
end:
	torus_joined_clear(&joined);
	free(cells);
	return text;
}

char *torus_token_format_parts(const torus_map_t *const *maps,
			       const uint32_t *const *ranks, const uint32_t *counts,
			       int parts, const torus_shapes_t *shapes,
			       torus_error_t *err)
{
	uint64_t nodes = 0, spans = 0;
	int used = 0, only = 0;
	char *text = NULL;
	FILE *stream;
	size_t length;
	bool failed;

	for (int i = 0; i < parts; i++) {
		if (!counts[i])
			continue;
		used++;
		only = i;
	}
	if (used == 1)
		return torus_token_format(maps[only], ranks[only], counts[only], shapes,
					  err);
	stream = open_memstream(&text, &length);
	if (!stream)
		goto fail;
	for (int i = 0, before = 0; i < parts; i++) {
		uint32_t span;

		if (!counts[i])
			continue;
		fprintf(stream, "%s%s", before++ ? "+" : TORUS_TOKEN_KEY, maps[i]->name);
		span = torus_span_of(ranks[i], counts[i], maps[i]->nodes, maps[i]->span);
		if (!span) {
			fclose(stream);
			goto fail;
		}
		nodes += counts[i];
		spans += span;
	}
	fprintf(stream, ",nodes=%llu,span=%llu", (unsigned long long)nodes,
		(unsigned long long)spans);
	failed = ferror(stream);
	if (!fclose(stream) && !failed)
		return text;
fail:
	free(text);
	torus_fail(err, "out of memory");
	return NULL;
}

/* The cells of the job's chips on the torus of chips; NULL: memory. */
static uint32_t *chip_cells(const torus_joined_t *joined, const uint64_t *chips,
			    uint32_t *count)
{
	uint32_t *cell;

	*count = 0;
	for (uint32_t i = 0; i < joined->nodes; i++)
		*count += (uint32_t)__builtin_popcountll(chips[i]);
	cell = malloc(sizeof(*cell) * ((size_t)*count + 1));
	for (uint32_t i = 0, n = 0; cell && i < joined->nodes; i++) {
		for (uint64_t left = chips[i]; left; left &= left - 1)
			cell[n++] = torus_chip_cell(&joined->geometry, joined->cell[i],
						    (uint32_t)__builtin_ctzll(left));
	}
	return cell;
}

char *torus_token_add_chips(char *token, const torus_map_t *map, const uint32_t *ranks,
			    uint32_t n, const torus_shapes_t *shapes,
			    const uint64_t *chips, torus_error_t *err)
{
	uint32_t *nodes = malloc(sizeof(*nodes) * (size_t)n), *cell = NULL, count;
	torus_joined_t joined = {0};
	torus_geometry_t machine;
	char *text = NULL, hops[32];
	uint64_t summed = 0;

	for (uint32_t i = 0; nodes && i < n; i++)
		nodes[i] = map->cell_of_rank[ranks[i]];
	if (!nodes || torus_join_shapes(&map->geometry, nodes, n, shapes, &joined, err))
		goto end;
	if (joined.geometry.twist) {
		text = token;
		token = NULL;
		goto end;
	}
	machine = torus_chip_machine(&joined.geometry);
	cell = chip_cells(&joined, chips, &count);
	if (!cell || torus_summed_distance(&machine, cell, count, &summed, err))
		goto end;
	write_average(hops, sizeof(hops), summed, count);
	if (asprintf(&text, "%s,chips=%u,chiphops=%s", token, count, hops) < 0)
		text = NULL;
end:
	if (!text)
		torus_fail(err, "out of memory");
	torus_joined_clear(&joined);
	free(cell);
	free(nodes);
	free(token);
	return text;
}

const char *torus_comment_find(const char *comment, const char *key, size_t *length)
{
	const char *at = comment;

	while (at && *at) {
		size_t word = strcspn(at, " \t\n");

		if (word && !strncmp(at, key, strlen(key))) {
			*length = word;
			return at;
		}
		at += word;
		at += strspn(at, " \t\n");
	}
	return NULL;
}

const char *torus_token_find(const char *comment, size_t *length)
{
	return torus_comment_find(comment, TORUS_TOKEN_KEY, length);
}

/* Take all tokens of [key] out of [text] from [rest] on, each with a blank beside it. */
static void cut_tokens(char *text, char *rest, const char *key)
{
	char *end = rest; /* of what stays */
	const char *found;
	size_t length;

	while ((found = torus_comment_find(rest, key, &length))) {
		size_t before = (size_t)(found - rest);

		memmove(end, rest, before);
		end += before;
		rest += before + length;
		if (end > text)
			end--;
		else if (*rest)
			rest++;
	}
	memmove(end, rest, strlen(rest) + 1);
}

/*
 * A copy of [old] in which the [length] bytes at [found], a pointer into it, are
 * replaced.
 */
static char *replace(const char *old, const char *found, size_t length, const char *token)
{
	char *text;

	if (asprintf(&text, "%.*s%s%s", (int)(found - old), old, token, found + length) <
	    0)
		return NULL;
	return text;
}

char *torus_comment_replace(const char *old, const char *key, const char *token,
			    bool *failed)
{
	size_t length = 0, after;
	const char *found = torus_comment_find(old, key, &length);
	char *text;

	old = old ? old : "";
	if (token && found) {
		text = replace(old, found, length, token);
		after = (size_t)(found - old) + strlen(token);
	} else if (token) {
		size_t end = strlen(old);
		const char *gap = end && !strchr(" \t\n", old[end - 1]) ? " " : "";

		if (asprintf(&text, "%s%s%s", old, gap, token) < 0)
			text = NULL;
		after = end + strlen(gap) + strlen(token);
	} else {
		text = strdup(old);
		after = 0;
	}
	if (failed)
		*failed = !text;
	if (!text)
		return NULL;
	/* Remove the tokens after the new one, or all of them if there is no new one. */
	cut_tokens(text, text + after, key);
	if (*text)
		return text;
	free(text);
	return NULL;
}

uint32_t torus_token_nodes(const char *text, size_t length)
{
	static const char key[] = ",nodes=";
	const char *at = memmem(text, length, key, sizeof(key) - 1);

	return at ? (uint32_t)strtoul(at + sizeof(key) - 1, NULL, 10) : 0;
}

bool torus_token_joined(const char *text, size_t length, torus_shape_t *shape)
{
	static const char key[] = ",joined=", twisted[] = "_twisted";
	const char *at = memmem(text, length, key, sizeof(key) - 1);
	const char *end = text + length;
	char sides[TORUS_DIMS_TEXT];
	size_t size;

	*shape = (torus_shape_t){0};
	if (!at)
		return false;
	at += sizeof(key) - 1;
	size = (size_t)(end - at);
	if (memchr(at, ',', size))
		size = (size_t)((const char *)memchr(at, ',', size) - at);
	if (size > sizeof(twisted) - 1 &&
	    !memcmp(at + size - (sizeof(twisted) - 1), twisted, sizeof(twisted) - 1)) {
		shape->twist = true;
		size -= sizeof(twisted) - 1;
	}
	if (size < sizeof(sides)) {
		memcpy(sides, at, size);
		sides[size] = '\0';
		if (!torus_lengths_parse(sides, &shape->dims, shape->side, NULL))
			return true;
	}
	*shape = (torus_shape_t){0};
	return false;
}
