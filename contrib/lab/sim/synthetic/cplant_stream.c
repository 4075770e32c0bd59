/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test stream of Leung et al., "Processor Allocation on Cplant: Achieving General
 * Processor Locality Using One-Dimensional Allocation Strategies" (2002): 91 jobs of 2
 * nodes, 33 of 5, 31 of 25 and 33 of 30.
 *
 * The paper measures how long the whole stream takes; that tells of the placements only
 * while no nodes are idle for want of jobs, so here all are submitted at time 0, in an
 * order shuffled by the seed. With fill=yes the stream begins as the paper's does, with
 * as many of the largest jobs as fill the machine, and its last job is one of the
 * smallest; the others are shuffled. There each job ran a fixed communication test: all
 * run equally long. For a longer load of the same proportions there may be several
 * streams, shuffled as one, and exponential run times.
 */
#include "sim/synthetic/kinds.h"

#include "base/random.h"

static const struct {
	uint32_t jobs, nodes;
} stream[] = {{91, 2}, {33, 5}, {31, 25}, {33, 30}};

enum { STREAMS = TORUS_SYNTHETIC_OWN, VARY, FILL };

static const char *const no_yes[] = {"no", "yes", NULL};

static void swap(torus_sim_job_t *a, torus_sim_job_t *b)
{
	torus_sim_job_t kept = *a;

	*a = *b;
	*b = kept;
}

/* Fisher and Yates: every order is equally likely. */
static void shuffle(torus_sim_job_t *job, size_t jobs, uint64_t *random)
{
	for (size_t left = jobs; left > 1; left--)
		swap(&job[left - 1], &job[torus_random_below(random, (uint32_t)left)]);
}

/*
 * [workload] goes from the smallest jobs to the largest, of which [nodes] hold at least
 * one: as many of these as there is room for change places with smallest ones, so that
 * they come first and a smallest one last. Returns how many are first.
 */
static size_t fill(torus_workload_t *workload, uint32_t nodes)
{
	torus_sim_job_t *job = workload->job;
	size_t first = 0;
	uint32_t largest = job[workload->count - 1].nodes;

	for (; (first + 1) * largest <= nodes && first + 1 < workload->count / 2; first++)
		swap(&job[first], &job[workload->count - 1 - first]);
	return first;
}

static int draw(const double *value, const torus_synthetic_machine_t *machine,
		uint64_t *random, torus_workload_t *workload, torus_error_t *err)
{
	uint32_t streams = (uint32_t)value[STREAMS];

	for (size_t i = 0; i < sizeof(stream) / sizeof(stream[0]); i++) {
		torus_sim_job_t job = {.nodes = stream[i].nodes};

		if (job.nodes > machine->nodes)
			return torus_fail(err,
					  "cplant-stream has jobs of %u nodes, the "
					  "machine has %u",
					  job.nodes, machine->nodes);
		for (uint32_t k = 0; k < streams * stream[i].jobs; k++) {
			if (torus_workload_add(workload, &job, err))
				return -1;
		}
	}
	if (value[FILL] != 0) {
		size_t first = fill(workload, machine->nodes);

		shuffle(workload->job + first, workload->count - first - 1, random);
	} else {
		shuffle(workload->job, workload->count, random);
	}
	return 0;
}

const torus_synthetic_kind_t torus_synthetic_cplant_stream = {
	.name = "cplant-stream",
	.summary = "the 188 jobs of the Cplant test, in random order",
	.parameter = {TORUS_SYNTHETIC_RUN_PARAMETER("run time of every job, in seconds",
						    900),
		      TORUS_SYNTHETIC_LOAD_PARAMETER(0), TORUS_SYNTHETIC_TIMES_PARAMETER,
		      TORUS_SYNTHETIC_F_PARAMETER,
		      [STREAMS] = {.name = "streams",
				   .summary = "so many times each of these jobs",
				   .minimum = 1,
				   .maximum = 1e5,
				   .whole = true,
				   .standard = 1},
		      [VARY] = {.name = "vary",
				.summary = "whether run times are exponential, run their "
					   "mean",
				.choices = no_yes},
		      [FILL] = {.name = "fill",
				.summary = "whether the largest come first until the "
					   "machine is full, and a small one last",
				.choices = no_yes}},
	.vary = VARY,
	.draw = draw,
};
