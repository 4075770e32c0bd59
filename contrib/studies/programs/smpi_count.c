/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what an MPI program says to whom, and how long it waits for that; preloaded in
 * SimGrid's SMPI by bench_program. All processes are threads of one, so that tables of
 * all of them are written by each.
 *
 * At the end COUNT_FILE has a line "FROM TO MESSAGES BYTES" of each pair of processes, by
 * their ranks in MPI_COMM_WORLD, and one "time POINT_TO_POINT COLLECTIVE TOTAL COLLECTIVES",
 * the simulated seconds that a process spends in calls of either kind and from its
 * MPI_Init to its MPI_Finalize, and its calls of the second kind, means over all.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 4096

typedef struct told {
	int to;
	long messages;
	double bytes;
	struct told *next;
} told_t;

static told_t *told[MOST];
static double in_messages, in_collectives, started, total;
static long collectives;

static int world_rank(MPI_Comm comm, int rank)
{
	MPI_Group group, world;
	int found;

	PMPI_Comm_group(comm, &group);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
	PMPI_Group_free(&group);
	PMPI_Group_free(&world);
	return found;
}

static void count(MPI_Comm comm, int to, int items, MPI_Datatype type)
{
	int from, size;
	told_t *one;

	if (to < 0)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &from);
	to = world_rank(comm, to);
	PMPI_Type_size(type, &size);
	for (one = told[from]; one && one->to != to; one = one->next)
		;
	if (!one) {
		one = calloc(1, sizeof(*one));
		if (!one)
			abort();
		*one = (told_t){.to = to, .next = told[from]};
		told[from] = one;
	}
	one->messages++;
	one->bytes += (double)items * size;
}

/* A function of MPI whose time goes to [sum]; [extra] is done before. */
#define TIMED(name, sum, extra, declared, given)                                         \
	int MPI_##name declared                                                          \
	{                                                                                \
		double before = PMPI_Wtime();                                            \
		int rc;                                                                  \
                                                                                         \
		extra;                                                                   \
		rc = PMPI_##name given;                                                  \
		sum += PMPI_Wtime() - before;                                            \
		return rc;                                                               \
	}

#define SENDS(name)                                                                      \
	TIMED(name, in_messages, count(comm, to, items, type),                           \
	      (const void *data, int items, MPI_Datatype type, int to, int tag,          \
	       MPI_Comm comm),                                                           \
	      (data, items, type, to, tag, comm))
#define STARTS(name)                                                                     \
	TIMED(name, in_messages, count(comm, to, items, type),                           \
	      (const void *data, int items, MPI_Datatype type, int to, int tag,          \
	       MPI_Comm comm, MPI_Request *request),                                     \
	      (data, items, type, to, tag, comm, request))

SENDS(Send)
SENDS(Ssend)
STARTS(Isend)
STARTS(Issend)
TIMED(Recv, in_messages, ,
      (void *data, int items, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Status *status),
      (data, items, type, from, tag, comm, status))
TIMED(Irecv, in_messages, ,
      (void *data, int items, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Request *request),
      (data, items, type, from, tag, comm, request))
TIMED(Sendrecv, in_messages, count(comm, to, items, type),
      (const void *data, int items, MPI_Datatype type, int to, int tag, void *got,
       int got_items, MPI_Datatype got_type, int from, int got_tag, MPI_Comm comm,
       MPI_Status *status),
      (data, items, type, to, tag, got, got_items, got_type, from, got_tag, comm, status))
TIMED(Wait, in_messages, , (MPI_Request * request, MPI_Status *status), (request, status))
TIMED(Waitall, in_messages, , (int number, MPI_Request *request, MPI_Status *status),
      (number, request, status))
TIMED(Waitany, in_messages, ,
      (int number, MPI_Request *request, int *which, MPI_Status *status),
      (number, request, which, status))
TIMED(Allreduce, in_collectives, collectives++,
      (const void *data, void *result, int items, MPI_Datatype type, MPI_Op op,
       MPI_Comm comm),
      (data, result, items, type, op, comm))
TIMED(Reduce, in_collectives, collectives++,
      (const void *data, void *result, int items, MPI_Datatype type, MPI_Op op, int root,
       MPI_Comm comm),
      (data, result, items, type, op, root, comm))
TIMED(Bcast, in_collectives, collectives++,
      (void *data, int items, MPI_Datatype type, int root, MPI_Comm comm),
      (data, items, type, root, comm))
TIMED(Barrier, in_collectives, collectives++, (MPI_Comm comm), (comm))

static int begin(int rc)
{
	int ranks;

	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks > MOST) {
		fprintf(stderr, "smpi_count: %d processes, and at most %d are counted\n",
			ranks, MOST);
		exit(1);
	}
	started = PMPI_Wtime();
	return rc;
}

int MPI_Init(int *argc, char ***argv)
{
	return begin(PMPI_Init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	return begin(PMPI_Init_thread(argc, argv, required, provided));
}

static void report(int ranks)
{
	const char *path = getenv("COUNT_FILE");
	FILE *out = path ? fopen(path, "w") : NULL;

	if (!out)
		return;
	for (int rank = 0; rank < ranks; rank++) {
		for (const told_t *one = told[rank]; one; one = one->next)
			fprintf(out, "%d %d %ld %.0f\n", rank, one->to, one->messages,
				one->bytes);
	}
	fprintf(out, "time %.9f %.9f %.9f %ld\n", in_messages / ranks,
		in_collectives / ranks, total / ranks, collectives / ranks);
	fclose(out);
}

int MPI_Finalize(void)
{
	int rank, ranks;

	total += PMPI_Wtime() - started;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	PMPI_Barrier(MPI_COMM_WORLD);
	if (!rank)
		report(ranks);
	return PMPI_Finalize();
}
