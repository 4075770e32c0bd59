/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comments with a token in them, or not. After putting one in it is there once, after
 * taking it out not at all, and the words of others are the same in the same order.
 */
#include "fuzz.h"

#include "machine/token.h"

static const char blanks[] = " \t\n";

/* The next word at *at that is no token, or an empty one at the end. */
static size_t next_other(const char **at)
{
	for (;;) {
		size_t length;

		*at += strspn(*at, blanks);
		length = strcspn(*at, blanks);
		if (!length || strncmp(*at, "torus=", 6) != 0)
			return length;
		*at += length;
	}
}

static void check_others(const char *before, const char *after)
{
	for (;;) {
		size_t length = next_other(&before);

		CHECK(next_other(&after) == length && !memcmp(before, after, length));
		if (!length)
			return;
		before += length;
		after += length;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char ours[] = "torus=m,nodes=12,span=14,box=3x2x3,avghops=1.83";
	char *comment = fuzz_text(data, size), *with, *again, *without;
	bool failed = true;
	size_t length;
	const char *word;

	with = torus_comment_replace(comment, TORUS_TOKEN_KEY, ours, &failed);
	CHECK(with && !failed);
	word = torus_token_find(with, &length);
	CHECK(word && length == sizeof(ours) - 1 && !memcmp(word, ours, length));
	CHECK(!torus_token_find(word + length, &length));
	check_others(comment, with);

	again = torus_comment_replace(with, TORUS_TOKEN_KEY, ours, &failed);
	CHECK(again && !strcmp(again, with));

	without = torus_comment_replace(with, TORUS_TOKEN_KEY, NULL, &failed);
	CHECK(!failed && !torus_token_find(without, &length));
	check_others(comment, without ? without : "");

	free(without);
	free(again);
	free(with);
	free(comment);
	return 0;
}
