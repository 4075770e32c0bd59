/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of what sacct prints: see sacct_columns.h. */
#include "sim/sacct_columns.h"

#include <string.h>

#include "sim/sacct.h"

/* Of two columns that mean the same, the one that stands here first is read. */
static const struct {
	const char *name;
	torus_sacct_meaning_t meaning;
} known[] = {
	{"JobIDRaw", TORUS_SACCT_NUMBER},
	{"JobID", TORUS_SACCT_NUMBER},
	{"Submit", TORUS_SACCT_SUBMIT},
	{"Eligible", TORUS_SACCT_ELIGIBLE},
	{"Start", TORUS_SACCT_START},
	{"End", TORUS_SACCT_END},
	{"ElapsedRaw", TORUS_SACCT_ELAPSED},
	{"Elapsed", TORUS_SACCT_ELAPSED},
	{"AllocNodes", TORUS_SACCT_NODES},
	{"NNodes", TORUS_SACCT_NODES},
	{"State", TORUS_SACCT_STATE},
	{"TimelimitRaw", TORUS_SACCT_LIMIT},
	{"Timelimit", TORUS_SACCT_LIMIT},
	{"ReqNodes", TORUS_SACCT_ASKED},
	{"User", TORUS_SACCT_USER},
	{"Account", TORUS_SACCT_ACCOUNT},
	{"Partition", TORUS_SACCT_PARTITION},
	{"NodeList", TORUS_SACCT_NODELIST},
	{"SystemComment", TORUS_SACCT_COMMENT},
};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

/* Cut the next field off *rest; false: there is none. */
static bool next_field(torus_sacct_field_t *rest, torus_sacct_field_t *field)
{
	const char *bar;

	if (!rest->at)
		return false;
	bar = memchr(rest->at, '|', rest->length);
	*field = *rest;
	if (!bar) {
		rest->at = NULL;
		return true;
	}
	field->length = (size_t)(bar - rest->at);
	rest->at = bar + 1;
	rest->length -= field->length + 1;
	return true;
}

/* The entry of known[] that is called so, or KNOWN. */
static int find_name(torus_sacct_field_t name)
{
	int entry = 0;

	while (entry < KNOWN && !torus_sacct_is(name, known[entry].name))
		entry++;
	return entry;
}

/* Say which of the columns that are needed is missing, if one is. */
static int check_needed(const torus_sacct_columns_t *columns, const char *path,
			uint64_t number, torus_error_t *err)
{
	static const torus_sacct_meaning_t needed[] = {
		TORUS_SACCT_NUMBER, TORUS_SACCT_SUBMIT, TORUS_SACCT_START,
		TORUS_SACCT_END,    TORUS_SACCT_NODES,	TORUS_SACCT_STATE};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		int entry = 0;

		if (columns->has[needed[i]] ||
		    (needed[i] == TORUS_SACCT_END && columns->has[TORUS_SACCT_ELAPSED]))
			continue;
		while (known[entry].meaning != needed[i])
			entry++;
		return torus_fail(err,
				  "%s:%llu: no column %s; the first line has to name the "
				  "columns, as with sacct -P --format=%s",
				  path, (unsigned long long)number, known[entry].name,
				  TORUS_SACCT_FORMAT);
	}
	return 0;
}

int torus_sacct_columns_read(torus_sacct_field_t line, const char *path, uint64_t number,
			     torus_sacct_columns_t *columns, torus_error_t *err)
{
	torus_sacct_field_t rest = line, name;
	int best[TORUS_SACCT_MEANINGS];

	*columns = (torus_sacct_columns_t){.line = line};
	for (int i = 0; i < TORUS_SACCT_MEANINGS; i++)
		best[i] = KNOWN;
	for (; next_field(&rest, &name); columns->count++) {
		int entry = find_name(name);
		torus_sacct_meaning_t meaning;

		if (entry == KNOWN)
			continue;
		meaning = known[entry].meaning;
		if (entry >= best[meaning])
			continue;
		best[meaning] = entry;
		columns->has[meaning] = true;
		columns->column[meaning] = columns->count;
	}
	columns->nodes_allocated =
		columns->has[TORUS_SACCT_NODES] &&
		strcmp(known[best[TORUS_SACCT_NODES]].name, "AllocNodes") == 0;
	return check_needed(columns, path, number, err);
}

bool torus_sacct_cut(const torus_sacct_columns_t *columns, torus_sacct_field_t line,
		     torus_sacct_field_t *field)
{
	torus_sacct_field_t rest = line, one;
	size_t count = 0;

	for (; next_field(&rest, &one); count++) {
		for (int i = 0; i < TORUS_SACCT_MEANINGS; i++) {
			if (columns->has[i] && columns->column[i] == count)
				field[i] = one;
		}
	}
	return count == columns->count;
}
