/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rack files of a cluster with the nodes n0 to n3 on one torus and m0, m1 on another.
 * What is read has each node in a slot of its own, and survives being written and read
 * again; what is refused names a line.
 */
#include "fuzz.h"

#include "storus/view/racks.h"
#include "many_names.h"

/* More names only take time. */
enum { NAMES_MAX = 2000 };

static const char conf[] = "TorusName=n Dims=4 Nodes=n[0-3]\n"
			   "TorusName=m Dims=2 Nodes=m[0-1]\n"
			   "Racks=r\n";

typedef struct input {
	const char *text;
	size_t length;
} input_t;

static int read_file(void *context, const char *path, char **text, size_t *length,
		     torus_error_t *err)
{
	const input_t *input = context;

	(void)err;
	CHECK(!strcmp(path, "r"));
	*text = fuzz_text((const uint8_t *)input->text, input->length);
	*length = input->length;
	return 0;
}

static char *write_back(const torus_cluster_t *cluster, const torus_racks_t *racks,
			size_t *length)
{
	char *text;
	FILE *stream = open_memstream(&text, length);

	CHECK(stream);
	for (uint32_t number = 0; number < torus_cluster_nodes(cluster); number++) {
		uint32_t at[TORUS_RACK_LEVELS], place = racks->place[number], node;
		int torus;

		for (int level = TORUS_RACK_LEVELS - 1; level >= 0; level--) {
			at[level] = racks->number[level][place % racks->count[level]];
			CHECK(at[level] < TORUS_RACKS_NUMBERS);
			place /= racks->count[level];
		}
		CHECK(!place);
		torus_cluster_at(cluster, number, &torus, &node);
		fprintf(stream, "%s %u %u %u %u\n", cluster->map[torus]->node_name[node],
			at[0], at[1], at[2], at[3]);
	}
	CHECK(!fclose(stream));
	return text;
}

static void check(const torus_cluster_t *cluster, const torus_racks_t *racks)
{
	uint32_t nodes = torus_cluster_nodes(cluster);
	torus_racks_t back;
	input_t input;
	char *text = write_back(cluster, racks, &input.length);

	for (uint32_t a = 0; a < nodes; a++)
		for (uint32_t b = 0; b < a; b++)
			CHECK(racks->place[a] != racks->place[b]);
	input.text = text;
	CHECK(!torus_racks_read_with(cluster, read_file, &input, &back, NULL));
	CHECK(!memcmp(back.count, racks->count, sizeof(back.count)));
	CHECK(!memcmp(back.place, racks->place, nodes * sizeof(*back.place)));
	torus_racks_clear(&back);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input_t input = {(const char *)data, size};
	torus_error_t err = {""};
	torus_cluster_t *cluster;
	torus_racks_t racks;

	if (fuzz_many_names(data, size, NAMES_MAX))
		return 0;
	cluster =
		torus_conf_read_text(conf, sizeof(conf) - 1, "t", read_file, NULL, &err);
	CHECK(cluster);
	if (torus_racks_read_with(cluster, read_file, &input, &racks, &err) == 0) {
		check(cluster, &racks);
		torus_racks_clear(&racks);
	} else {
		CHECK(!strncmp(err.text, "r:", 2) || !strncmp(err.text, "t:3:", 4));
	}
	torus_cluster_destroy(cluster);
	return 0;
}
