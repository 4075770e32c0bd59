/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many tasks of a step Slurm gives each node: see taskmap/step_counts.h. */
#include "taskmap/step_counts.h"

#include <string.h>

/* What a node holds of GRES, without which of them: "gpu:2(IDX:0-1)" is "gpu:2". */
static bool same_gres(const char *a, const char *b)
{
	while (*a || *b) {
		if (*a == '(')
			a += strcspn(a, ")") + 1;
		else if (*b == '(')
			b += strcspn(b, ")") + 1;
		else if (*a++ != *b++)
			return false;
	}
	return true;
}

bool torus_held_alike(const torus_held_t *held)
{
	if (!held->same_cores)
		return false;
	for (uint32_t i = 1; i < held->nodes; i++) {
		if (held->cpus[i] != held->cpus[0] ||
		    (held->memory && held->memory[i] != held->memory[0]))
			return false;
	}
	for (uint32_t i = 1; i < held->gres_nodes; i++) {
		const char *first = held->gres[0], *other = held->gres[i];

		if (!same_gres(first ? first : "", other ? other : ""))
			return false;
	}
	return true;
}

uint16_t torus_held_cpus(const torus_held_t *held, const torus_step_asks_t *asks,
			 uint32_t node)
{
	uint64_t cpus = held->cpus[node];

	if (asks->mem_per_cpu && held->memory &&
	    held->memory[node] / asks->mem_per_cpu < cpus)
		cpus = held->memory[node] / asks->mem_per_cpu;
	return (uint16_t)cpus;
}

/*
 * Whether what other steps hold now may give the nodes other numbers of tasks. A step
 * that takes all CPUs of its nodes waits for them; so does one for which not enough are
 * free.
 */
static bool others_matter(const torus_held_t *held, const torus_step_asks_t *asks,
			  bool hidden)
{
	uint32_t each = (asks->tasks + held->nodes - 1) / held->nodes;
	bool same = true, enough = true;
	uint64_t room = 0;

	if (!asks->exact || asks->overlaps)
		return false;
	if (hidden)
		return true;
	for (uint32_t i = 0; i < held->nodes; i++) {
		uint32_t cpus = torus_held_cpus(held, asks, i);
		uint32_t free_cpus =
			cpus > held->cpus_used[i] ? cpus - held->cpus_used[i] : 0;

		same = same && held->cpus_used[i] == held->cpus_used[0];
		enough = enough && free_cpus >= each * asks->cpus_per_task;
		room += free_cpus / asks->cpus_per_task;
	}
	return !same && (asks->by_gres || (!enough && room >= asks->tasks));
}

/* Whether all tasks find their CPUs, by counting nothing but CPUs. */
static int check_room(const torus_held_t *held, const torus_step_asks_t *asks,
		      torus_error_t *err)
{
	uint64_t room = 0, all = 0;

	if (asks->by_gres)
		return torus_fail(err, "the nodes are not alike, and GRES, threads or "
				       "--overcommit may limit the tasks on each");
	if (asks->per_node && (uint64_t)asks->per_node * held->nodes != asks->tasks)
		return torus_fail(err, "the nodes are not alike, and --ntasks-per-node "
				       "does not say how many tasks there are");
	for (uint32_t i = 0; i < held->nodes; i++)
		all += held->cpus[i];
	if (!held->cores || held->cores != all)
		return torus_fail(err, "the nodes are not alike, and have several CPUs a "
				       "core");
	for (uint32_t i = 0; i < held->nodes; i++) {
		uint16_t cpus = torus_held_cpus(held, asks, i);

		if (cpus < asks->cpus_per_task)
			return torus_fail(err, "the nodes are not alike, and one has too "
					       "little for a task");
		room += cpus / asks->cpus_per_task;
	}
	if (room < asks->tasks)
		return torus_fail(err, "the nodes are not alike, and have too little for "
				       "all tasks at once");
	return 0;
}

torus_step_counts_t torus_step_counts(const torus_held_t *held,
				      const torus_step_asks_t *asks, bool hidden,
				      torus_error_t *err)
{
	if (asks->tasks / held->nodes >= UINT16_MAX) {
		torus_fail(err, "too many tasks");
		return TORUS_COUNTS_UNKNOWN;
	}
	if (asks->tasks <= held->nodes)
		return TORUS_COUNTS_EVEN;
	if (others_matter(held, asks, hidden)) {
		torus_fail(err, "other steps hold CPUs");
		return TORUS_COUNTS_UNKNOWN;
	}
	if (torus_held_alike(held))
		return TORUS_COUNTS_EVEN;
	return check_room(held, asks, err) ? TORUS_COUNTS_UNKNOWN : TORUS_COUNTS_SLURM;
}

void torus_even_counts(uint32_t tasks, uint32_t nodes, uint32_t *tasks_on_node)
{
	for (uint32_t i = 0; i < nodes; i++)
		tasks_on_node[i] = tasks / nodes + (i < tasks % nodes);
}
