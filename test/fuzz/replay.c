/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main() of a fuzz target in builds without libFuzzer: runs it on the files named on the
 * command line, so that the corpus is a regression test everywhere.
 */
#include "fuzz.h"

#include <errno.h>

static int replay(const char *path)
{
	/* Larger than any input worth keeping. */
	static uint8_t data[1 << 20];
	FILE *stream = fopen(path, "rb");
	size_t size;

	if (!stream) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 1;
	}
	size = fread(data, 1, sizeof(data), stream);
	if (ferror(stream) || !feof(stream)) {
		fprintf(stderr, "%s: cannot be read, or is longer than %zu bytes\n", path,
			sizeof(data));
		fclose(stream);
		return 1;
	}
	fclose(stream);
	/* Said first, so that the culprit is known when it dies. */
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE...\n", argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	return failed;
}
