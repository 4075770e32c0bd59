/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm asks about a job that counts features: beside who asks, and knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "decide/feature_question.h"
#include "random.h"

#define FEATURES 5

/* A job as Slurm has it when it begins to ask. */
typedef struct random_job {
	uint32_t number[FEATURES], most;
	uint32_t nodes; /* that the job asks for, at least as many as it counts */
	torus_feature_asked_t asked;
} random_job_t;

static void random_job(random_job_t *job)
{
	uint32_t sum = 0;

	*job = (random_job_t){.asked = {.features = (int)random_in(1, FEATURES),
					.number = job->number,
					.apart = !random_in(0, 2),
					.names_nodes = !random_in(0, 3)}};
	for (int i = 0; i < job->asked.features; i++) {
		job->number[i] = random_in(1, 4);
		job->most = job->number[i] > job->most ? job->number[i] : job->most;
		sum += job->number[i];
	}
	job->nodes = (job->asked.apart ? sum : job->most) +
		     (random_in(0, 1) ? 0 : random_in(1, 3));
	/* At least as many processors as nodes. */
	job->asked.job_cpus = job->nodes + (random_in(0, 1) ? 0 : random_in(1, 4));
}

/* Slurm asks about a part: it makes the job one of so many nodes and processors, among
 * those with the feature. */
static torus_feature_question_t ask_part(const random_job_t *job, int feature,
					 uint32_t picked)
{
	torus_feature_asked_t asked = job->asked;

	asked.for_one = true;
	asked.min_nodes = asked.req_nodes = asked.min_cpus = job->number[feature];
	asked.picked = picked;
	return torus_feature_question(&asked);
}

/* And about the whole job, all of whose nodes may happen to have a feature. */
static torus_feature_question_t ask_whole(const random_job_t *job, uint32_t picked,
					  bool *all_the_same)
{
	torus_feature_asked_t asked = job->asked;

	asked.min_nodes = job->nodes;
	asked.req_nodes = job->nodes + (random_in(0, 2) ? 0 : random_in(1, 2));
	asked.min_cpus = asked.job_cpus;
	asked.picked = picked;
	for (int i = 0; i < asked.features; i++)
		asked.for_one = asked.for_one ||
				(job->number[i] == asked.min_nodes && random_in(0, 3));
	*all_the_same = asked.for_one && asked.req_nodes == asked.min_nodes &&
			asked.min_cpus == asked.min_nodes;
	return torus_feature_question(&asked);
}

/* Each part gets nodes of its own, which are required of the whole job alone. */
static void ask_apart(const random_job_t *job)
{
	uint32_t picked = 0;
	bool all_the_same;

	for (int i = 0; i < job->asked.features; i++) {
		assert_int_equal(ask_part(job, i, 0), TORUS_ABOUT_PART);
		picked += job->number[i];
	}
	assert_int_equal(ask_whole(job, picked, &all_the_same), TORUS_ABOUT_WHOLE);
}

/*
 * Each part has the nodes of those before it. A job that wants more than the part with
 * most has is told from its parts. Else that part leads, if the job leaves all nodes to
 * Slurm, and what looks like both a part and the whole is answered by what was picked.
 */
static void ask_linked(const random_job_t *job)
{
	bool more = job->asked.job_cpus > job->most, all_the_same, led = false;
	uint32_t picked = 0;
	torus_feature_question_t whole;

	for (int i = 0; i < job->asked.features; i++) {
		torus_feature_question_t part = ask_part(job, i, picked);
		bool leads = !more && job->number[i] == job->most;

		if (leads && picked < job->most)
			assert_int_equal(part, job->asked.names_nodes
						       ? TORUS_ABOUT_PART
						       : TORUS_ABOUT_LEADING);
		else
			assert_int_equal(part,
					 leads ? TORUS_ABOUT_PICKED : TORUS_ABOUT_PART);
		led = led || part == TORUS_ABOUT_LEADING;
		reached("a part that leads", part == TORUS_ABOUT_LEADING);
		reached("a part by what was picked", part == TORUS_ABOUT_PICKED);
		picked = job->number[i] > picked ? job->number[i] : picked;
	}
	assert_int_equal(led, !more && !job->asked.names_nodes);
	whole = ask_whole(job, picked, &all_the_same);
	reached("the whole that could be a part", all_the_same);
	assert_int_equal(whole, all_the_same ? TORUS_ABOUT_PICKED : TORUS_ABOUT_WHOLE);
}

static void each_question_is_told(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(20000); round++) {
		random_job_t job;
		bool apart;

		random_job(&job);
		apart = job.asked.apart || job.asked.features == 1;
		reached("apart", apart);
		reached("linked", !apart);
		if (apart)
			ask_apart(&job);
		else
			ask_linked(&job);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_question_is_told),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
