/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus map. */
#include "torus_config.h"

#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/map/options.h"

static const char help[] =
	"Usage: storus map --grid AxBxC [OPTION]...\n"
	"Put neighbouring tasks of a job on neighbouring nodes. Inside a job:\n"
	"\n"
	"  SLURM_HOSTFILE=$(storus map --grid 8x8x16 --print-path) || exit\n"
	"  export SLURM_HOSTFILE\n"
	"  srun --distribution=arbitrary ./stencil\n"
	"\n"
	"The tasks:\n"
	"  --grid AxBxC       the task grid, 1 to 6 dimensions, first one fastest; auto: as\n"
	"                     near to a cube as the number of tasks allows\n"
	"  --tasks-per-node K tasks on each node, or one count a node, such as 4(x3),2;\n"
	"                     default: what the job says, else 1\n"
	"  --stencil POINTS   neighbours of a task: 5 or 7 (default), one step along one axis;\n"
	"                     9 or 27, one step along any axes\n"
	"  --periodic AXES    which axes of the grid close to a ring: all, none (default),\n"
	"                     letters of xyzuvw or 1,0,1\n"
	"  --graph FILE       who talks to whom instead of a stencil, `task task weight` lines\n"
	"\n"
	"The nodes, by default those of the job it runs in:\n"
	"  --het-group N      of component N of that job, if it is heterogeneous (default 0)\n"
	"  --job ID           those of a running job, such as 12, 12_3 or 12+1\n"
	"  --nodelist HOSTS   these\n"
	"  --conf FILE        torus.conf; default: $STORUS_CONF, or the one beside slurm.conf\n"
	"  --dims AxBxC --cells LIST [--wrap WRAP]\n"
	"                     cells of a machine of these dimensions, such as 0-7,12,9-3\n"
	"\n"
	"The mapping:\n"
	"  --mapper NAME      baseline, grouping, col_major, row_major, ordered, corner,\n"
	"                     all_corners, overlay, two_way_overlay, rcb, inc_improve,\n"
	"                     rcb_turns, anneal or best (default)\n"
	"  --budget SECONDS   how long the last four may search (default 0.5)\n"
	"  --seed N           for their random choices (default 1)\n"
	"  --compare          print a table of all mappers, as --format=text, csv or json\n"
	"\n"
	"Output:\n"
	"  --format FORMAT    slurm (default), openmpi, mpich or csv (default with --cells)\n"
	"  --output FILE      write it there, whole or not at all\n"
	"  --print-path       write it to a file and print the file's name; without --output\n"
	"                     a new one in $TMPDIR, else where the job was submitted from\n"
	"  --svg FILE         draw the nodes before and after\n"
	"  --help, --version\n";

enum {
	OPTION_GRID = STORUS_OPTION_OWN,
	OPTION_TASKS_PER_NODE,
	OPTION_STENCIL,
	OPTION_PERIODIC,
	OPTION_GRAPH,
	OPTION_HET_GROUP,
	OPTION_JOB,
	OPTION_NODELIST,
	OPTION_CELLS,
	OPTION_MAPPER,
	OPTION_BUDGET,
	OPTION_SEED,
	OPTION_OUTPUT,
	OPTION_SVG,
	OPTION_COMPARE,
	OPTION_PRINT_PATH,
};

/* Where the text of the option [code] belongs; NULL: it has none. */
static const char **option_place(storus_map_options_t *options, int code)
{
	switch (code) {
	case OPTION_GRID:
		return &options->grid;
	case OPTION_TASKS_PER_NODE:
		return &options->source.tasks_per_node;
	case OPTION_STENCIL:
		return &options->stencil;
	case OPTION_PERIODIC:
		return &options->periodic;
	case OPTION_GRAPH:
		return &options->graph;
	case OPTION_HET_GROUP:
		return &options->source.het_group;
	case OPTION_JOB:
		return &options->source.job;
	case OPTION_NODELIST:
		return &options->source.nodelist;
	case STORUS_OPTION_CONF:
		return &options->source.conf;
	case STORUS_OPTION_DIMS:
		return &options->source.dims;
	case STORUS_OPTION_WRAP:
		return &options->source.wrap;
	case OPTION_CELLS:
		return &options->source.cells;
	case OPTION_MAPPER:
		return &options->mapper;
	case OPTION_BUDGET:
		return &options->budget;
	case OPTION_OUTPUT:
		return &options->output;
	case OPTION_SVG:
		return &options->svg;
	case STORUS_OPTION_FORMAT:
		return &options->format;
	default:
		return NULL;
	}
}

int storus_map_options_read(int argc, char **argv, storus_map_options_t *options,
			    int *status)
{
	static const struct option table[] = {
		STORUS_COMMON_OPTIONS,
		STORUS_FORMAT_OPTION,
		{"grid", required_argument, NULL, OPTION_GRID},
		{"tasks-per-node", required_argument, NULL, OPTION_TASKS_PER_NODE},
		{"stencil", required_argument, NULL, OPTION_STENCIL},
		{"periodic", required_argument, NULL, OPTION_PERIODIC},
		{"graph", required_argument, NULL, OPTION_GRAPH},
		{"het-group", required_argument, NULL, OPTION_HET_GROUP},
		{"job", required_argument, NULL, OPTION_JOB},
		{"nodelist", required_argument, NULL, OPTION_NODELIST},
		{"conf", required_argument, NULL, STORUS_OPTION_CONF},
		{"dims", required_argument, NULL, STORUS_OPTION_DIMS},
		{"wrap", required_argument, NULL, STORUS_OPTION_WRAP},
		{"cells", required_argument, NULL, OPTION_CELLS},
		{"mapper", required_argument, NULL, OPTION_MAPPER},
		{"budget", required_argument, NULL, OPTION_BUDGET},
		{"seed", required_argument, NULL, OPTION_SEED},
		{"output", required_argument, NULL, OPTION_OUTPUT},
		{"svg", required_argument, NULL, OPTION_SVG},
		{"compare", no_argument, NULL, OPTION_COMPARE},
		{"print-path", no_argument, NULL, OPTION_PRINT_PATH},
		{NULL, 0, NULL, 0},
	};
	int code;

	*options = (storus_map_options_t){.seed = 1};
	*status = STORUS_BAD;
	while ((code = storus_option_next(argc, argv, table, help)) !=
	       STORUS_OPTIONS_END) {
		const char **place = option_place(options, code);

		if (place)
			*place = optarg;
		else if (code == OPTION_COMPARE)
			options->compare = true;
		else if (code == OPTION_PRINT_PATH)
			options->print_path = true;
		else if (code == OPTION_SEED &&
			 storus_number_parse("seed", optarg, 0, UINT64_MAX,
					     &options->seed) == 0)
			continue;
		else {
			*status = code == STORUS_OPTIONS_HELPED ? STORUS_OK : STORUS_BAD;
			return -1;
		}
	}
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (!options->grid) {
		storus_misuse("which task grid? Give --grid, such as 8x8x16 or auto");
		return -1;
	}
	if (options->compare && options->print_path) {
		storus_misuse("--compare and --print-path exclude each other");
		return -1;
	}
	return 0;
}
