/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watching communicators: see watch.h. Each has an attribute, a note of its own, which
 * MPI hands back with the communicator when a function is called, copies when it is
 * duplicated and deletes when it is freed. MPI_Finalize() deletes attributes of
 * MPI_COMM_SELF alone, so that one has the list of all notes.
 */
#include "mpi/watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi/said.h"

typedef struct note {
	const char *function; /* a constant */
	bool asked;
	struct note *next, **link; /* in the list of all */
} note_t;

static struct {
	__typeof__(MPI_Comm_rank) *comm_rank;
	__typeof__(MPI_Cart_get) *cart_get;
	__typeof__(MPI_Cart_sub) *cart_sub;
	__typeof__(MPI_Comm_group) *comm_group;
	__typeof__(MPI_Comm_split) *comm_split;
	__typeof__(MPI_Comm_split_type) *comm_split_type;
} mpi;

/* The lock is for everything below, and for all notes. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool watching, ended;
static int keyval = MPI_KEYVAL_INVALID; /* of notes */
static note_t *notes;

/* Say what the note has come to, once, and take it off the list. */
static void conclude(note_t *note)
{
	if (!note->asked)
		fprintf(stderr,
			"storus_mpi: %s: rank 0 has not asked for its rank in the new "
			"communicator: a program that goes on with its old one is wrong "
			"where ranks change (TORUS_MPI=check shows it)\n",
			note->function);
	*note->link = note->next;
	if (note->next)
		note->next->link = note->link;
	free(note);
}

/* The communicator is duplicated: what is asked of the copy is not known. */
static int copy_note(MPI_Comm comm, int key, void *extra, void *value, void *copied,
		     int *flag)
{
	(void)comm, (void)key, (void)extra, (void)copied;
	pthread_mutex_lock(&lock);
	((note_t *)value)->asked = true;
	pthread_mutex_unlock(&lock);
	*flag = 0;
	return MPI_SUCCESS;
}

static int delete_note(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm, (void)key, (void)extra;
	pthread_mutex_lock(&lock);
	/* MPI_Finalize() may free what the program did not, after the notes are gone. */
	if (!ended)
		conclude(value);
	pthread_mutex_unlock(&lock);
	return MPI_SUCCESS;
}

/* MPI_Finalize() has begun. */
static int end(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm, (void)key, (void)value, (void)extra;
	pthread_mutex_lock(&lock);
	while (notes)
		conclude(notes);
	ended = true;
	pthread_mutex_unlock(&lock);
	return MPI_SUCCESS;
}

/* Take note that a function was called that tells the process its rank in [comm]. */
static void take_note(MPI_Comm comm)
{
	note_t *note;
	int found;

	pthread_mutex_lock(&lock);
	found = keyval != MPI_KEYVAL_INVALID && !ended && comm != MPI_COMM_NULL;
	pthread_mutex_unlock(&lock);
	if (!found || PMPI_Comm_get_attr(comm, keyval, &note, &found) || !found)
		return;
	pthread_mutex_lock(&lock);
	note->asked = true;
	pthread_mutex_unlock(&lock);
}

static int comm_rank(MPI_Comm comm, int *rank)
{
	take_note(comm);
	return mpi.comm_rank(comm, rank);
}

static int cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
	take_note(comm);
	return mpi.cart_get(comm, maxdims, dims, periods, coords);
}

static int cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *new)
{
	take_note(comm);
	return mpi.cart_sub(comm, remain, new);
}

static int comm_group(MPI_Comm comm, MPI_Group *group)
{
	take_note(comm);
	return mpi.comm_group(comm, group);
}

static int comm_split(MPI_Comm comm, int color, int key, MPI_Comm *new)
{
	take_note(comm);
	return mpi.comm_split(comm, color, key, new);
}

static int comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *new)
{
	take_note(comm);
	return mpi.comm_split_type(comm, type, key, info, new);
}

void storus_mpi_watch_calls(storus_mpi_function_t *call[STORUS_MPI_CALLS])
{
	if (!storus_mpi_is_verbose() && !storus_mpi_checks())
		return;
	watching = true;
#define WATCH(which, name)                                                               \
	mpi.name = (__typeof__(mpi.name))call[which];                                    \
	call[which] = (storus_mpi_function_t *)name
	WATCH(STORUS_MPI_COMM_RANK, comm_rank);
	WATCH(STORUS_MPI_CART_GET, cart_get);
	WATCH(STORUS_MPI_CART_SUB, cart_sub);
	WATCH(STORUS_MPI_COMM_GROUP, comm_group);
	WATCH(STORUS_MPI_COMM_SPLIT, comm_split);
	WATCH(STORUS_MPI_COMM_SPLIT_TYPE, comm_split_type);
#undef WATCH
}

/* Make the keys, at the first communicator. */
static int begin(void)
{
	int of_end = MPI_KEYVAL_INVALID, rc;

	if (keyval != MPI_KEYVAL_INVALID)
		return MPI_SUCCESS;
	rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &of_end, NULL);
	if (!rc)
		rc = PMPI_Comm_set_attr(MPI_COMM_SELF, of_end, NULL);
	if (!rc)
		rc = PMPI_Comm_create_keyval(copy_note, delete_note, &keyval, NULL);
	return rc;
}

int storus_mpi_watch(const char *function, MPI_Comm new)
{
	int own, rc;
	note_t *note;

	if (!watching || new == MPI_COMM_NULL)
		return MPI_SUCCESS;
	rc = mpi.comm_rank(new, &own);
	if (rc || own)
		return rc;
	note = malloc(sizeof(*note));
	if (!note)
		return MPI_SUCCESS; /* nothing is said, then */
	*note = (note_t){.function = function};
	pthread_mutex_lock(&lock);
	rc = begin();
	note->next = notes;
	note->link = &notes;
	if (notes)
		notes->link = &note->next;
	notes = note;
	pthread_mutex_unlock(&lock);
	return rc ? rc : PMPI_Comm_set_attr(new, keyval, note);
}
