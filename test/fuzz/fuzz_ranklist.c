/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rank lists. Input: a byte for the limit, then the list. What is read as a set or a
 * sequence is below the limit and survives being written and read again.
 */
#include "fuzz.h"

#include "base/bitmap.h"
#include "lists/ranklist.h"

static void try_set(const char *text, uint32_t limit)
{
	uint64_t *bitmap = torus_bitmap_create(limit), *back = torus_bitmap_create(limit);
	uint32_t *list = malloc(limit * sizeof(*list)), count = 0;
	char *formatted;

	CHECK(bitmap && back && list);
	if (!torus_ranklist_parse_set(text, limit, bitmap, NULL)) {
		for (uint32_t i = torus_bitmap_next_set(bitmap, limit, 0); i < limit;
		     i = torus_bitmap_next_set(bitmap, limit, i + 1))
			list[count++] = i;
		CHECK(count == torus_bitmap_count(bitmap, limit));
		formatted = torus_ranklist_format(list, count, ',');
		CHECK(formatted);
		CHECK(!torus_ranklist_parse_set(formatted, limit, back, NULL));
		CHECK(!memcmp(bitmap, back, TORUS_WORDS(limit) * sizeof(*back)));
		free(formatted);
	}
	free(bitmap);
	free(back);
	free(list);
}

static void try_sequence(const char *text, uint32_t limit, char separator)
{
	uint32_t *list, *back, count, back_count;
	char *formatted;

	if (torus_ranklist_parse_sequence(text, limit, &list, &count, NULL)) {
		CHECK(!list);
		return;
	}
	CHECK(count);
	for (uint32_t i = 0; i < count; i++)
		CHECK(list[i] < limit);
	formatted = torus_ranklist_format(list, count, separator);
	CHECK(formatted);
	CHECK(!torus_ranklist_parse_sequence(formatted, limit, &back, &back_count, NULL));
	CHECK(back_count == count && !memcmp(list, back, count * sizeof(*list)));
	free(formatted);
	free(back);
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t limit = size ? 1 + data[0] * 5u : 1;
	char *text = fuzz_text(data + (size > 0), size - (size > 0));

	try_set(text, limit);
	try_sequence(text, limit, ',');
	try_sequence(text, limit, ';');
	free(text);
	return 0;
}
