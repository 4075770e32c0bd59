/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a slurm.conf with topology/3d_torus. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lines.h"
#include "base/textfile.h"
#include "storus/convert/names.h"
#include "storus/convert/slurm_conf.h"

enum { INCLUDES_MAX = 8 };

typedef struct reading {
	const char *main_path; /* included names are relative to it */
	torus_file_reader_t *reader;
	void *context;
	storus_converted_torus_t *torus;
} reading_t;

static int read_text(const reading_t *reading, const char *text, size_t length,
		     const char *path, int depth, torus_error_t *err);

static int include(const reading_t *reading, const char *name, int depth,
		   torus_error_t *err)
{
	char *path, *text = NULL;
	size_t length = 0;
	int rc;

	if (depth == INCLUDES_MAX)
		return torus_fail(err, "included files are more than %d deep",
				  INCLUDES_MAX);
	if (strchr(name, '%'))
		return torus_fail(err, "cannot include '%s': write the name out", name);
	path = torus_textfile_beside(reading->main_path, name);
	if (!path)
		return torus_fail(err, "out of memory");
	rc = reading->reader(reading->context, path, &text, &length, err);
	if (rc == 0)
		rc = read_text(reading, text, length, path, depth + 1, err);
	free(text);
	free(path);
	return rc;
}

/*
 * The value of the line's first word, "Key=value"; NULL if it has none. Like Slurm,
 * this allows blanks around the equal sign.
 */
static const char *first_value(const torus_lines_t *lines)
{
	const char *value = strchr(lines->word[0].text, '=');
	size_t next = 1;

	if (!value && next < lines->words && lines->word[next].text[0] == '=')
		value = lines->word[next++].text;
	if (!value)
		return NULL;
	value++;
	if (!*value && next < lines->words)
		value = lines->word[next].text;
	return *value ? value : NULL;
}

/* Read a line, which has a word. */
static int read_line(const reading_t *reading, const torus_lines_t *lines, int depth,
		     torus_error_t *err)
{
	const char *key = lines->word[0].text, *value;
	size_t length = strcspn(key, "=");

	if (strcasecmp(key, "include") == 0) {
		if (lines->words != 2)
			return torus_fail(err, "Include takes the name of one file");
		return include(reading, lines->word[1].text, depth, err);
	}
	if (length != strlen("NodeName") || strncasecmp(key, "NodeName", length) != 0)
		return 0;
	value = first_value(lines);
	if (!value)
		return torus_fail(err, "NodeName without a value");
	if (strcasecmp(value, "DEFAULT") == 0)
		return 0;
	return storus_names_add(reading->torus, value, err);
}

static int read_text(const reading_t *reading, const char *text, size_t length,
		     const char *path, int depth, torus_error_t *err)
{
	torus_lines_t lines;
	int rc = torus_lines_open(&lines, text, length, path, err);

	while (rc == 0 && (rc = torus_lines_next(&lines, err)) > 0) {
		rc = read_line(reading, &lines, depth, err);
		if (rc != 0)
			torus_fail_prefix(err, "%s:%" PRIu32 ": ", path,
					  lines.word[0].line);
	}
	torus_lines_close(&lines);
	return rc;
}

int storus_slurm_conf_read(const char *text, size_t length, const char *path,
			   torus_file_reader_t *reader, void *context,
			   storus_converted_torus_t *torus, torus_error_t *err)
{
	reading_t reading = {path, reader, context, torus};

	if (read_text(&reading, text, length, path, 0, err) != 0)
		return -1;
	if (!torus->nodes)
		return torus_fail(err, "%s: no NodeName= line names a node", path);
	return 0;
}
