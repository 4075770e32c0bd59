/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrices of storus sim compare. What is read has a machine and jobs, each value of it
 * is fine by itself, and it survives being written and read again.
 */
#include "fuzz.h"

#include "storus/sim/matrix.h"
#include "storus/sim/matrix_check.h"

static void check_items(const storus_matrix_t *matrix)
{
	CHECK(matrix->machines);
	CHECK(matrix->list[STORUS_MATRIX_TRACES].count ||
	      matrix->list[STORUS_MATRIX_WORKLOADS].count);
	CHECK(matrix->list[STORUS_MATRIX_SEEDS].count);
	CHECK(matrix->list[STORUS_MATRIX_SCHEDULERS].count);
	CHECK(matrix->list[STORUS_MATRIX_MEASURE].count);
	for (int key = STORUS_MATRIX_MACHINE_KEYS; key < STORUS_MATRIX_KEYS; key++) {
		const storus_matrix_list_t *list = &matrix->list[key];

		CHECK(!list->line || list->count);
		for (size_t i = 0; i < list->count; i++)
			CHECK(!storus_matrix_check((storus_matrix_key_t)key,
						   list->item[i], NULL));
	}
}

/* A value with its quotes, which it cannot hold. */
static void write_value(FILE *file, const char *key, const char *value)
{
	fprintf(file, " %s=\"%s\"", key, value);
}

static char *write_back(const storus_matrix_t *matrix, size_t *length)
{
	char *text;
	FILE *file = open_memstream(&text, length);

	CHECK(file);
	for (size_t i = 0; i < matrix->machines; i++) {
		for (int key = 0; key < STORUS_MATRIX_MACHINE_KEYS; key++) {
			if (matrix->machine[i].value[key])
				write_value(
					file,
					storus_matrix_key_name((storus_matrix_key_t)key),
					matrix->machine[i].value[key]);
		}
		fputc('\n', file);
	}
	for (int key = STORUS_MATRIX_MACHINE_KEYS; key < STORUS_MATRIX_KEYS; key++) {
		const storus_matrix_list_t *list = &matrix->list[key];

		if (!list->count)
			continue;
		fprintf(file, "%s=\"", storus_matrix_key_name((storus_matrix_key_t)key));
		for (size_t i = 0; i < list->count; i++)
			fprintf(file, "%s%s",
				!i			     ? ""
				: key == STORUS_MATRIX_SEEDS ? ","
							     : " ",
				list->item[i]);
		fputs("\"\n", file);
	}
	CHECK(!fclose(file));
	return text;
}

static void check_same(const storus_matrix_t *matrix, const storus_matrix_t *back)
{
	CHECK(matrix->machines == back->machines);
	for (int key = 0; key < STORUS_MATRIX_KEYS; key++) {
		const storus_matrix_list_t *is = &back->list[key],
					   *was = &matrix->list[key];

		CHECK(is->count == was->count);
		for (size_t i = 0; i < is->count; i++)
			CHECK(!strcmp(is->item[i], was->item[i]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	storus_matrix_t matrix, back;
	torus_error_t err;
	size_t length;
	char *text;

	if (storus_matrix_read((const char *)data, size, "f", &matrix, &err)) {
		CHECK(!strncmp(err.text, "f:", 2));
		return 0;
	}
	check_items(&matrix);
	text = write_back(&matrix, &length);
	CHECK(!storus_matrix_read(text, length, "back", &back, NULL));
	check_same(&matrix, &back);
	free(text);
	storus_matrix_free(&back);
	storus_matrix_free(&matrix);
	return 0;
}
