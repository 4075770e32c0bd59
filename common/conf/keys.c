/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of torus.conf and their lines: see conf/keys.h. */
#include "conf/keys.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/edit_distance.h"
#include "base/lines.h"
#include "machine/cluster.h"

#define TORUS_NAME_MAX 63

static const char *const key_names[TORUS_KEYS] = {
	[TORUS_KEY_TORUS_NAME] = "TorusName",
	[TORUS_KEY_DIMS] = "Dims",
	[TORUS_KEY_CHIP_DIMS] = "ChipDims",
	[TORUS_KEY_NODE_SHAPE] = "NodeShape",
	[TORUS_KEY_WRAP] = "Wrap",
	[TORUS_KEY_CUBE] = "Cube",
	[TORUS_KEY_LINKS] = "Links",
	[TORUS_KEY_NODES] = "Nodes",
	[TORUS_KEY_NODES_PER_ROUTER] = "NodesPerRouter",
	[TORUS_KEY_COORDS] = "Coords",
	[TORUS_KEY_CURVE] = "Curve",
	[TORUS_KEY_ALLOCATOR] = "Allocator",
	[TORUS_KEY_SPAN] = "Span",
	[TORUS_KEY_ISOLATION] = "Isolation",
	[TORUS_KEY_RACKS] = "Racks",
	[TORUS_KEY_PATIENCE] = "Patience",
	[TORUS_KEY_PATIENCE_MAX] = "PatienceMax",
	[TORUS_KEY_CONTIGUOUS] = "Contiguous",
	[TORUS_KEY_WAIT_FOR_TORUS] = "WaitForTorus",
	[TORUS_KEY_TASK_ORDER] = "TaskOrder",
};

const char *torus_key_name(torus_key_t key)
{
	return key_names[key];
}

static int fail_unknown(const char *key, torus_error_t *err)
{
	size_t least = strlen(key) / 2;
	const char *closest = NULL;

	for (int known = 0; known < TORUS_KEYS; known++) {
		size_t distance = torus_edit_distance(key, key_names[known]);

		if (distance <= least && (!closest || distance < least)) {
			least = distance;
			closest = key_names[known];
		}
	}
	if (closest)
		return torus_fail(err, "unknown key '%s=': did you mean %s=?", key,
				  closest);
	return torus_fail(err,
			  "unknown key '%s=': the keys are TorusName, Dims, ChipDims, "
			  "NodeShape, Wrap, Cube, Links, Nodes, NodesPerRouter, "
			  "Coords, Curve, Allocator, Span, Isolation, Racks, "
			  "Patience, PatienceMax, Contiguous, WaitForTorus and "
			  "TaskOrder",
			  key);
}

/* Cut "Key=value" at the first `=`. */
static int split(torus_word_t word, torus_key_t *key, char **value, torus_error_t *err)
{
	char *equals = strchr(word.text, '=');
	int known = 0;

	if (!equals || equals == word.text)
		return torus_fail(err,
				  "'%.64s' is not of the form Key=value; no blanks may "
				  "stand around the =, nor inside a value without quotes",
				  word.text);
	*equals = '\0';
	while (known < TORUS_KEYS && strcasecmp(word.text, key_names[known]) != 0)
		known++;
	if (known == TORUS_KEYS)
		return fail_unknown(word.text, err);
	if (!equals[1])
		return torus_fail(err,
				  "%s= has no value; no blanks may stand around the =",
				  key_names[known]);
	*key = (torus_key_t)known;
	*value = equals + 1;
	return 0;
}

static int check_torus_name(const char *name, torus_error_t *err)
{
	for (const char *at = name; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
			return torus_fail(err,
					  "TorusName='%s' is not made of letters, digits "
					  "and . _ - alone",
					  name);
	}
	if (strlen(name) > TORUS_NAME_MAX)
		return torus_fail(err,
				  "TorusName='%.16s...' is longer than %d characters",
				  name, TORUS_NAME_MAX);
	return 0;
}

/* Add one word of a line to the line's section. */
static int read_word(torus_section_t *section, torus_word_t word, bool of_torus,
		     torus_error_t *err)
{
	torus_key_t key = TORUS_KEYS;
	char *value = NULL;

	if (split(word, &key, &value, err))
		return -1;
	if (!of_torus && key < TORUS_KEY_CURVE)
		return torus_fail(
			err,
			"%s= stands on a line without TorusName=: put it on the "
			"line of its torus (a \\ at the end of a line continues it)",
			key_names[key]);
	if (of_torus && key >= TORUS_KEY_CONTIGUOUS)
		return torus_fail(
			err,
			"%s= stands on the line of a torus: it is for all tori, "
			"put it on a line without TorusName=",
			key_names[key]);
	if (section->value[key])
		return torus_fail(err, "%s= is given twice%s, first on line %u",
				  key_names[key], of_torus ? " for the same torus" : "",
				  section->line[key]);
	if (key == TORUS_KEY_TORUS_NAME && check_torus_name(value, err))
		return -1;
	section->value[key] = strdup(value);
	section->line[key] = word.line;
	return section->value[key] ? 0 : torus_fail(err, "out of memory");
}

static torus_section_t *add_torus(torus_sections_t *sections)
{
	torus_section_t *larger =
		realloc(sections->torus, sizeof(*larger) * ((size_t)sections->tori + 1));

	if (!larger)
		return NULL;
	sections->torus = larger;
	memset(&larger[sections->tori], 0, sizeof(*larger));
	return &larger[sections->tori++];
}

static bool names_torus(const torus_lines_t *lines)
{
	const char *key = key_names[TORUS_KEY_TORUS_NAME];
	size_t length = strlen(key);

	for (size_t i = 0; i < lines->words; i++) {
		if (!strncasecmp(lines->word[i].text, key, length) &&
		    lines->word[i].text[length] == '=')
			return true;
	}
	return false;
}

static int read_line(torus_sections_t *sections, const torus_lines_t *lines,
		     const char *path, torus_error_t *err)
{
	bool of_torus = names_torus(lines);
	torus_section_t *section = &sections->global;

	if (of_torus && sections->tori == TORUS_MAX_TORI)
		return torus_fail(err, "%s:%u: more than %d tori", path,
				  lines->word[0].line, TORUS_MAX_TORI);
	if (of_torus)
		section = add_torus(sections);
	if (!section)
		return torus_fail(err, "%s:%u: out of memory", path, lines->word[0].line);
	for (size_t i = 0; i < lines->words; i++) {
		if (read_word(section, lines->word[i], of_torus, err))
			return torus_fail_prefix(err, "%s:%u: ", path,
						 lines->word[i].line);
	}
	if (!of_torus)
		return 0;
	for (int i = 0; i < sections->tori - 1; i++) {
		const torus_section_t *other = &sections->torus[i];

		if (!strcmp(other->value[TORUS_KEY_TORUS_NAME],
			    section->value[TORUS_KEY_TORUS_NAME]))
			return torus_fail(err,
					  "%s:%u: TorusName=%s is given twice, first on "
					  "line %u",
					  path, section->line[TORUS_KEY_TORUS_NAME],
					  section->value[TORUS_KEY_TORUS_NAME],
					  other->line[TORUS_KEY_TORUS_NAME]);
	}
	return 0;
}

int torus_sections_read(const char *text, size_t length, const char *path,
			torus_sections_t *sections, torus_error_t *err)
{
	torus_lines_t lines;
	int result;

	*sections = (torus_sections_t){0};
	result = torus_lines_open(&lines, text, length, path, err);
	while (!result) {
		int more = torus_lines_next(&lines, err);

		if (!more)
			break;
		result = more < 0 ? -1 : read_line(sections, &lines, path, err);
	}
	if (!result && !sections->tori)
		result = torus_fail(err, "%s:%u: no TorusName= in this file", path,
				    torus_lines_last(&lines));
	torus_lines_close(&lines);
	return result;
}

static void free_values(torus_section_t *section)
{
	for (int key = 0; key < TORUS_KEYS; key++)
		free(section->value[key]);
}

void torus_sections_free(torus_sections_t *sections)
{
	free_values(&sections->global);
	for (int i = 0; i < sections->tori; i++)
		free_values(&sections->torus[i]);
	free(sections->torus);
}
