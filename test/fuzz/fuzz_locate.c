/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What storus locate reads. The first byte of an input says what the rest is: "p", what a
 * site's program prints: a place that is read and written again is the same; "t", a text
 * of protocol buffers: each message that begins ends, on its own level; "r", hosts and
 * their links: all hosts of a ring or line have places of their own from 0 on, each next
 * to the one before it, and all hosts of anything else have none.
 */
#include "fuzz.h"

#include "storus/locate/place.h"
#include "storus/locate/ring.h"
#include "storus/locate/textproto.h"

static void check_place(const char *text)
{
	char written[256];
	torus_error_t err = {""};
	storus_place_t place, again;
	size_t length;

	if (storus_place_parse(text, &place, &err) != 0) {
		CHECK(err.text[0]);
		return;
	}
	CHECK(place.dims >= 1 && place.dims <= TORUS_MAX_DIMS);
	length = (size_t)snprintf(written, sizeof(written), "%s", place.torus);
	for (int i = 0; i < place.dims; i++) {
		CHECK(place.at[i] >= 0);
		length += (size_t)snprintf(written + length, sizeof(written) - length,
					   "%s%d", length ? ":" : "", place.at[i]);
	}
	CHECK(storus_place_parse(written, &again, &err) == 0);
	CHECK(again.dims == place.dims && strcmp(again.torus, place.torus) == 0 &&
	      memcmp(again.at, place.at, sizeof(place.at)) == 0);
}

typedef struct levels {
	int depth;
	char path[STORUS_TEXTPROTO_DEPTH][STORUS_TEXTPROTO_PATH];
} levels_t;

static int visit(void *context, storus_textproto_event_t event, const char *path,
		 const char *value, torus_error_t *err)
{
	levels_t *levels = context;

	(void)err;
	CHECK(path[0] && strlen(path) < STORUS_TEXTPROTO_PATH);
	switch (event) {
	case STORUS_TEXTPROTO_BEGIN:
		CHECK(levels->depth < STORUS_TEXTPROTO_DEPTH);
		snprintf(levels->path[levels->depth++], STORUS_TEXTPROTO_PATH, "%s",
			 path);
		break;
	case STORUS_TEXTPROTO_END:
		CHECK(levels->depth > 0);
		CHECK(strcmp(levels->path[--levels->depth], path) == 0);
		break;
	case STORUS_TEXTPROTO_VALUE:
		CHECK(value && strlen(value) < 256);
		break;
	}
	return 0;
}

static void check_text(const char *text)
{
	static levels_t levels;
	torus_error_t err = {""};

	levels.depth = 0;
	if (storus_textproto_read(text, "text", visit, &levels, &err) == 0)
		CHECK(levels.depth == 0);
	else
		CHECK(strncmp(err.text, "text:", 5) == 0);
}

enum { HOSTS = 12 };

static void check_ring(const uint8_t *data, size_t size)
{
	int32_t hosts = size ? data[0] % HOSTS + 1 : 1, place[HOSTS], first[HOSTS];
	bool linked[HOSTS][HOSTS] = {{false}};
	storus_ring_t ring = {0};
	torus_error_t err = {""};

	for (int32_t i = 0; i < hosts; i++)
		CHECK(storus_ring_add(&ring, &err) == 0);
	for (size_t i = 1; i + 1 < size; i += 2) {
		int32_t one = data[i] % hosts, other = data[i + 1] % hosts;

		CHECK(storus_ring_link(&ring, one, other, &err) == 0);
		linked[one][other] = linked[other][one] = one != other;
	}
	for (int32_t i = 0; i < hosts; i++) {
		if (storus_ring_place(&ring, i, &place[i], &first[i], &err) != 0) {
			CHECK(err.text[0]);
			place[i] = -1;
		} else
			CHECK(place[i] >= 0 && place[i] < hosts && first[i] <= i + hosts);
	}
	for (int32_t i = 0; i < hosts; i++) {
		bool behind = place[i] <= 0;

		for (int32_t j = 0; j < hosts; j++) {
			if (linked[i][j]) {
				CHECK((place[i] < 0) == (place[j] < 0));
				CHECK(place[i] < 0 || first[i] == first[j]);
			}
			if (i != j && place[i] >= 0 && place[j] >= 0 &&
			    first[i] == first[j])
				CHECK(place[i] != place[j]);
			behind |= linked[i][j] && place[j] == place[i] - 1;
		}
		CHECK(behind);
		CHECK(place[i] != 0 || first[i] == i);
	}
	storus_ring_clear(&ring);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	if (data[0] == 'r') {
		check_ring(data + 1, size - 1);
		return 0;
	}
	text = fuzz_text(data + 1, size - 1);
	if (data[0] == 'p')
		check_place(text);
	else if (data[0] == 't')
		check_text(text);
	free(text);
	return 0;
}
