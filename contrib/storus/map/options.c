/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus map. */
#include "torus_config.h"

#include <strings.h>

#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/map/options.h"
#include "taskmap/budget.h"

static const char begin[] =
	"Usage: storus map --grid AxBxC [OPTION]...\n"
	"Put neighbouring tasks of a job on neighbouring nodes. Inside a job:\n"
	"\n"
	"  SLURM_HOSTFILE=$(storus map --grid 8x8x16 --print-path) || exit\n"
	"  export SLURM_HOSTFILE\n"
	"  srun --distribution=arbitrary ./stencil\n"
	"\n";

/* --grid any says nothing of a pattern, and has but one order. */
static int check_any(const storus_map_options_t *options)
{
	bool any = storus_map_grid_is_any(options);
	const char *other = options->stencil	   ? "--stencil"
			    : options->periodic	   ? "--periodic"
			    : options->graph	   ? "--graph"
			    : options->mapper	   ? "--mapper"
			    : options->compare	   ? "--compare"
			    : options->no_rotation ? "--no-rotation"
						   : NULL;

	if (any && other) {
		storus_misuse("--grid any and %s exclude each other", other);
		return -1;
	}
	if (!any && options->distribution) {
		storus_misuse(
			"--distribution goes with --grid any; with a grid the mapper "
			"says which task runs where");
		return -1;
	}
	return 0;
}

/* What can be said about the options together. Returns 0, or -1 (message printed). */
static int check_together(const storus_map_options_t *options)
{
	if (!options->grid && !options->mpi_dims) {
		storus_misuse("which task grid? Give --grid, such as 8x8x16 or auto, or "
			      "--mpi-dims, such as 16,8,8");
		return -1;
	}
	if (options->grid && options->mpi_dims) {
		storus_misuse("--grid and --mpi-dims exclude each other");
		return -1;
	}
	if (options->compare && options->print_path) {
		storus_misuse("--compare and --print-path exclude each other");
		return -1;
	}
	return check_any(options);
}

bool storus_map_grid_is_any(const storus_map_options_t *options)
{
	return options->grid && strcasecmp(options->grid, "any") == 0;
}

int storus_map_options_read(int argc, char **argv, storus_map_options_t *options,
			    int *status)
{
	storus_map_source_t *source = &options->source;
	const storus_option_t table[] = {
		{.help = "The tasks:"},
		{"grid", "AxBxC",
		 "the task grid, 1 to 6 dimensions, first one fastest; auto: that of "
		 "programs that let MPI_Dims_create() choose three; any: an order that is "
		 "good for a ring, 2D and 3D grids alike",
		 .text = &options->grid},
		{"mpi-dims", "A,B,C",
		 "the task grid as MPI_Cart_create() takes it, last one fastest",
		 .text = &options->mpi_dims},
		{"distribution", "WHICH",
		 "with --grid any: how tasks go to nodes in that order, as srun's: block "
		 "(default) or cyclic",
		 .text = &options->distribution},
		{"tasks-per-node", "K",
		 "tasks on each node, or one count a node, such as 4(x3),2; default: what "
		 "the job says, else 1",
		 .text = &source->tasks_per_node},
		{"stencil", "POINTS",
		 "neighbours of a task: 5 or 7 (default), one step along one axis; 9 or 27, "
		 "one step along any axes",
		 .text = &options->stencil},
		{"periodic", "AXES",
		 "which axes of the grid close to a ring: all, none (default), letters of "
		 "xyzuvw or 1,0,1",
		 .text = &options->periodic},
		{"graph", "FILE",
		 "who talks to whom instead of a stencil, `task task weight` lines",
		 .text = &options->graph},
		{.help = "\nThe nodes, by default those of the job it runs in:"},
		{"het-group", "N",
		 "of component N of that job, if it is heterogeneous (default 0)",
		 .text = &source->het_group},
		{"job", "ID", "those of a running job, such as 12, 12_3 or 12+1",
		 .text = &source->job},
		{"nodelist", "HOSTS", "these", .text = &source->nodelist},
		{"conf", "FILE",
		 "torus.conf; default: $STORUS_CONF, or the one beside slurm.conf",
		 .text = &source->conf},
		{"cells", "LIST",
		 "instead of names cells of a machine, such as 0-7,12,9-3; with --dims",
		 .text = &source->cells},
		{"dims", "AxBxC", "the dimensions of that machine",
		 .text = &source->dims},
		{"wrap", "WRAP",
		 "which of them wrap: all, none (default), letters of xyzuvw or 1,0,1",
		 .text = &source->wrap},
		{"cube", "AxBxC",
		 "sides of the cubes of --dims that optical switches join, as Cube= in "
		 "torus.conf",
		 .text = &source->cube},
		{"network", "TEXT",
		 "on a machine of cubes what the job asked for with --network, such as "
		 "torus:shape=4x4x8,twist: how they are joined; default: what the job says, "
		 "else the most compact torus",
		 .text = &source->network},
		{.help = "\nThe mapping:"},
		{"mapper", "NAME",
		 "baseline, grouping, col_major, row_major, ordered, corner, all_corners, "
		 "overlay, two_way_overlay, rcb, rcb:longest, inc_improve, rcb_turns, anneal "
		 "or best (default)",
		 .text = &options->mapper},
		{"head", "WHICH",
		 "first: task 0 is on the job's first node, where scripts look for it; free: "
		 "on the one with fewest hops; default: first, or free with --mapper",
		 .text = &options->head},
		{"no-rotation", NULL,
		 "lay x of the grid along x of the machine and so on, instead of the "
		 "longest axis along the longest side; rcb_turns and what begins with it "
		 "turn the grid all the same",
		 .flag = &options->no_rotation},
		{"budget", "SECONDS", "how long the last four may search (default 0.5)",
		 .seconds = &options->budget, .high = 1e9},
		{"threads", "N",
		 "anneal jobs of 384 nodes and more on N threads, with that budget each "
		 "(default 1)",
		 .count = &options->threads, .least = 1,
		 .most = TORUS_MAPPER_THREADS_MOST},
		{"seed", "N", "for their random choices (default 1)",
		 .count = &options->seed, .most = UINT64_MAX},
		{"compare", NULL,
		 "print a table of all mappers, as --format=text, csv or json",
		 .flag = &options->compare},
		{.help = "\nOutput:"},
		{"format", "FORMAT",
		 "slurm (default), openmpi, mpich, csv (default with --cells), hosts, json "
		 "or torchrun",
		 .text = &options->format},
		{"output", "FILE", "write it there, whole or not at all",
		 .text = &options->output},
		{"print-path", NULL,
		 "write it to a file and print the file's name; without --output a new one "
		 "in $TMPDIR, else where the job was submitted from",
		 .flag = &options->print_path},
		{"svg", "FILE", "draw the nodes before and after", .text = &options->svg},
		{0},
	};
	const storus_usage_t usage = {.begin = begin, .options = table};

	*options = (storus_map_options_t){
		.budget = TORUS_MAPPER_SECONDS, .threads = 1, .seed = TORUS_MAPPER_SEED};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	return storus_no_arguments(argc, argv) != 0 || check_together(options) != 0 ? -1
										    : 0;
}
