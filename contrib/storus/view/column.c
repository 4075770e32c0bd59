/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A column of whole numbers as text. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "storus/view/column.h"

/* Write the number that was added [count] times. */
static void flush(storus_column_t *column)
{
	if (!column->file)
		return;
	if (ftello(column->file))
		fputc(',', column->file);
	fprintf(column->file, "%" PRId64, column->number);
	if (column->count > 1)
		fprintf(column->file, "*%" PRIu64, column->count);
}

void storus_column_add(storus_column_t *column, int64_t number)
{
	int64_t written = column->steps ? number - column->last : number;

	column->last = number;
	if (!column->file && !column->failed) {
		column->file = open_memstream(&column->text, &column->size);
		column->failed = !column->file;
	}
	if (column->count && written == column->number) {
		column->count++;
		return;
	}
	if (column->count)
		flush(column);
	column->number = written;
	column->count = 1;
}

json_t *storus_column_json(storus_column_t *column)
{
	json_t *value = NULL;

	if (column->count)
		flush(column);
	if (column->file && fclose(column->file) != 0)
		column->failed = true;
	column->file = NULL;
	if (!column->failed)
		value = json_stringn_nocheck(column->text ? column->text : "",
					     column->text ? column->size : 0);
	storus_column_clear(column);
	return value;
}

void storus_column_clear(storus_column_t *column)
{
	if (column->file)
		fclose(column->file);
	free(column->text);
	*column = (storus_column_t){.steps = column->steps};
}
