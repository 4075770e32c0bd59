/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libstorus_mpi.so: preloaded, it takes MPI_Cart_create and the like from a program,
 * finds out which MPI the program has, and hands them to the part that was compiled for
 * it. It needs no MPI itself, so it does no harm to programs without one.
 *
 * Both names of each function are taken, MPI_ and PMPI_. Fortran bindings call the second
 * of them (Open MPI's always, MPICH's sometimes), and so do tools that intercept the
 * first.
 *
 * Handles are int in some MPI libraries and pointers in others. All arguments are passed
 * on as they are, each as wide as a register or a place on the stack.
 */
#include "torus_config.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/calls.h"

typedef intptr_t word_t;

static const char *const names[STORUS_MPI_CALLS] = {
	[STORUS_MPI_CART_CREATE] = "PMPI_Cart_create",
	[STORUS_MPI_GRAPH_CREATE] = "PMPI_Graph_create",
	[STORUS_MPI_DIST_GRAPH_CREATE] = "PMPI_Dist_graph_create",
	[STORUS_MPI_DIST_GRAPH_CREATE_ADJACENT] = "PMPI_Dist_graph_create_adjacent",
	[STORUS_MPI_COMM_RANK] = "PMPI_Comm_rank",
	[STORUS_MPI_CART_GET] = "PMPI_Cart_get",
	[STORUS_MPI_CART_SUB] = "PMPI_Cart_sub",
	[STORUS_MPI_COMM_GROUP] = "PMPI_Comm_group",
	[STORUS_MPI_COMM_SPLIT] = "PMPI_Comm_split",
	[STORUS_MPI_COMM_SPLIT_TYPE] = "PMPI_Comm_split_type",
};

static storus_mpi_function_t *call[STORUS_MPI_CALLS];

static void say(const char *text, const char *more)
{
	const char *verbose = getenv("TORUS_MPI_VERBOSE");

	if (verbose && *verbose && strcmp(verbose, "0") != 0)
		fprintf(stderr, "storus_mpi: %s%s\n", text, more);
}

/* Make the library that an object was loaded from visible to all, if it is an MPI's. */
static int show_library(struct dl_phdr_info *info, size_t size, void *handle)
{
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

	(void)size;
	if (!slash || strncmp(slash + 1, "libmpi", 6) != 0)
		return 0;
	*(void **)handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
	if (*(void **)handle && dlsym(*(void **)handle, names[0]))
		return 1;
	*(void **)handle = RTLD_NEXT;
	return 0;
}

/*
 * What the MPI library is found by: the libraries after this one, or, where a module of
 * an interpreter has loaded it for itself, that library.
 */
static void *find_mpi(void)
{
	void *handle = RTLD_NEXT;

	if (!dlsym(RTLD_NEXT, names[0]))
		dl_iterate_phdr(show_library, &handle);
	return handle;
}

/* The family of MPI libraries that share their binary interface; NULL: unknown. */
static const char *find_family(void *mpi)
{
	int (*version)(char *, int *) =
		(int (*)(char *, int *))dlsym(mpi, "PMPI_Get_library_version");
	static const char *const mpich[] = {"MPICH", "MVAPICH", "Intel(R) MPI"};
	char text[8192] = "";
	int length;

	if (!version || version(text, &length))
		return NULL;
	if (strstr(text, "Open MPI"))
		return "openmpi";
	for (size_t i = 0; i < sizeof(mpich) / sizeof(mpich[0]); i++) {
		if (strstr(text, mpich[i]))
			return "mpich";
	}
	return NULL;
}

/* The part for [family], from the directory that this library is in. */
static storus_mpi_part_t *load_part(const char *family)
{
	char path[PATH_MAX];
	const char *slash;
	void *part;
	Dl_info own;

	if (!dladdr(names, &own) || !(slash = strrchr(own.dli_fname, '/')))
		return NULL;
	if (snprintf(path, sizeof(path), "%.*s/libstorus_mpi_%s.so",
		     (int)(slash - own.dli_fname), own.dli_fname,
		     family) >= (int)sizeof(path))
		return NULL;
	part = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!part) {
		say("nothing is reordered: ", dlerror());
		return NULL;
	}
	return (storus_mpi_part_t *)dlsym(part, "storus_mpi_part");
}

static void find_calls(void)
{
	void *mpi = find_mpi();
	const char *family;
	storus_mpi_part_t *part;

	for (int i = 0; i < STORUS_MPI_CALLS; i++) {
		call[i] = (storus_mpi_function_t *)dlsym(mpi, names[i]);
		if (!call[i]) {
			fprintf(stderr, "storus_mpi: the program's MPI has no %s\n",
				names[i]);
			abort();
		}
	}
	family = find_family(mpi);
	if (!family) {
		say("nothing is reordered: this MPI is unknown", "");
		return;
	}
	part = load_part(family);
	if (part)
		part(call);
}

static storus_mpi_function_t *find(storus_mpi_call_t which)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_calls);
	return call[which];
}

#define EXPORTED __attribute__((visibility("default")))
#define ALSO(name) EXPORTED __attribute__((alias(name)))

typedef int two_t(word_t, word_t);
typedef int three_t(word_t, word_t, word_t);
typedef int four_t(word_t, word_t, word_t, word_t);
typedef int five_t(word_t, word_t, word_t, word_t, word_t);
typedef int six_t(word_t, word_t, word_t, word_t, word_t, word_t);
typedef int nine_t(word_t, word_t, word_t, word_t, word_t, word_t, word_t, word_t,
		   word_t);
typedef int ten_t(word_t, word_t, word_t, word_t, word_t, word_t, word_t, word_t, word_t,
		  word_t);

six_t PMPI_Cart_create, MPI_Cart_create, PMPI_Graph_create, MPI_Graph_create;
nine_t PMPI_Dist_graph_create, MPI_Dist_graph_create;
ten_t PMPI_Dist_graph_create_adjacent, MPI_Dist_graph_create_adjacent;
two_t PMPI_Comm_rank, MPI_Comm_rank, PMPI_Comm_group, MPI_Comm_group;
three_t PMPI_Cart_sub, MPI_Cart_sub;
four_t PMPI_Comm_split, MPI_Comm_split;
five_t PMPI_Cart_get, MPI_Cart_get, PMPI_Comm_split_type, MPI_Comm_split_type;

/* comm, ndims, dims, periods, reorder, new */
EXPORTED int PMPI_Cart_create(word_t a, word_t b, word_t c, word_t d, word_t e, word_t f)
{
	return ((six_t *)find(STORUS_MPI_CART_CREATE))(a, b, c, d, e, f);
}

/* comm, nnodes, index, edges, reorder, new */
EXPORTED int PMPI_Graph_create(word_t a, word_t b, word_t c, word_t d, word_t e, word_t f)
{
	return ((six_t *)find(STORUS_MPI_GRAPH_CREATE))(a, b, c, d, e, f);
}

/* comm, n, sources, degrees, destinations, weights, info, reorder, new */
EXPORTED int PMPI_Dist_graph_create(word_t a, word_t b, word_t c, word_t d, word_t e,
				    word_t f, word_t g, word_t h, word_t i)
{
	return ((nine_t *)find(STORUS_MPI_DIST_GRAPH_CREATE))(a, b, c, d, e, f, g, h, i);
}

/* comm, indegree, sources, weights, outdegree, destinations, weights, info, reorder, new
 */
EXPORTED int PMPI_Dist_graph_create_adjacent(word_t a, word_t b, word_t c, word_t d,
					     word_t e, word_t f, word_t g, word_t h,
					     word_t i, word_t j)
{
	return ((ten_t *)find(STORUS_MPI_DIST_GRAPH_CREATE_ADJACENT))(a, b, c, d, e, f, g,
								      h, i, j);
}

/* comm, rank */
EXPORTED int PMPI_Comm_rank(word_t a, word_t b)
{
	return ((two_t *)find(STORUS_MPI_COMM_RANK))(a, b);
}

/* comm, group */
EXPORTED int PMPI_Comm_group(word_t a, word_t b)
{
	return ((two_t *)find(STORUS_MPI_COMM_GROUP))(a, b);
}

/* comm, remain, new */
EXPORTED int PMPI_Cart_sub(word_t a, word_t b, word_t c)
{
	return ((three_t *)find(STORUS_MPI_CART_SUB))(a, b, c);
}

/* comm, color, key, new */
EXPORTED int PMPI_Comm_split(word_t a, word_t b, word_t c, word_t d)
{
	return ((four_t *)find(STORUS_MPI_COMM_SPLIT))(a, b, c, d);
}

/* comm, type, key, info, new */
EXPORTED int PMPI_Comm_split_type(word_t a, word_t b, word_t c, word_t d, word_t e)
{
	return ((five_t *)find(STORUS_MPI_COMM_SPLIT_TYPE))(a, b, c, d, e);
}

/* comm, maxdims, dims, periods, coords */
EXPORTED int PMPI_Cart_get(word_t a, word_t b, word_t c, word_t d, word_t e)
{
	return ((five_t *)find(STORUS_MPI_CART_GET))(a, b, c, d, e);
}

ALSO("PMPI_Cart_create") six_t MPI_Cart_create;
ALSO("PMPI_Graph_create") six_t MPI_Graph_create;
ALSO("PMPI_Dist_graph_create") nine_t MPI_Dist_graph_create;
ALSO("PMPI_Dist_graph_create_adjacent") ten_t MPI_Dist_graph_create_adjacent;
ALSO("PMPI_Comm_rank") two_t MPI_Comm_rank;
ALSO("PMPI_Comm_group") two_t MPI_Comm_group;
ALSO("PMPI_Cart_sub") three_t MPI_Cart_sub;
ALSO("PMPI_Comm_split") four_t MPI_Comm_split;
ALSO("PMPI_Comm_split_type") five_t MPI_Comm_split_type;
ALSO("PMPI_Cart_get") five_t MPI_Cart_get;
