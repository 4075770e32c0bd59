/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No job that somebody could submit costs slurmctld more than an ordinary one, within the
 * bounds of cost/search.h: a search for the worst, of which this is a short part.
 *
 * It begins with those that were found to break the bounds once: test/cost/worst.
 *
 *   TORUS_COST_SECONDS=3600 test/unit/test_cost    searches that long, on all machines,
 *                                                  and prints the ten worst
 *   TORUS_COST_POOL=FILE                           begins with the worst that are in
 *                                                  the file, if there is one, and
 *                                                  writes the worst into it: so a
 *                                                  search goes on where the last ended
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "../cost/search.h"
#include "random.h"

#define QUESTIONS 250
#define WORST 10

/*
 * What a question may cost of the bounds, which are for a build that is optimized. With
 * the sanitizers each of their checks is a block of its own, and loops are as they are
 * written.
 */
#define MOST (RANDOM_SHARE > 1 ? 1.5 : 1.0)

static void no_question_costs_more(void **state)
{
	static found_t worst[WORST];
	const char *text = getenv("TORUS_COST_SECONDS");
	const char *pool = getenv("TORUS_COST_POOL");
	double seconds = text ? strtod(text, NULL) : 0;
	int count;

	(void)state;
	assert_true(cost_read(TOP_SRCDIR "/test/cost/worst") > 0);
	if (pool)
		printf("# %d questions read from %s\n", cost_read(pool), pool);
	count = cost_search(seconds > 0 ? UINT32_MAX : QUICK_MACHINES, seconds,
			    RANDOM_CASES(QUESTIONS), worst, WORST);
	if (pool && cost_write(pool))
		fail_msg("%s: %s", pool, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (seconds > 0 || worst[i].cost > MOST)
			cost_print(&worst[i], stdout);
	}
	assert_true(count > 0);
	assert_true(worst[0].cost <= MOST);
}

/* The counters count: a decision with thousands of places costs more than one with few.
 */
static void work_is_counted(void **state)
{
	found_t few = {0}, many = {0};

	(void)state;
	few.question.gene[GENE_KIND] = many.question.gene[GENE_KIND] = 2; /* shape=any */
	few.question.gene[GENE_MACHINE] = many.question.gene[GENE_MACHINE] = 5;
	many.question.gene[GENE_VERIFIER] = 2; /* each place is refused */
	cost_ask(&few);
	cost_ask(&many);
	assert_true(few.hostile.all.blocks > 1000);
	assert_true(few.hostile.all.bytes > 1000);
	assert_true(many.hostile.verified > few.hostile.verified);
	assert_true(many.hostile.all.blocks > few.hostile.all.blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_counted),
		cmocka_unit_test(no_question_costs_more),
	};
	int failed;

	/* The short search is the same each time: what a long one finds is to be mended,
	 * and not to be found by chance. */
	if (!getenv("TORUS_COST_SECONDS"))
		setenv("TORUS_TEST_SEED", "1", 0);
	random_begin();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	question_end();
	return failed;
}
