/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is tried for a job, and in which order (decide/job.h), beside the slow twin of
 * job_case.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "job_case.h"
#include "random.h"

static void both_plugins_decide_the_same(void **state)
{
	int placed[4] = {0}, kinds[4] = {0};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		machine_t machine = job_case_make(random_in);
		bool preempts = random_in(0, 1) != 0;
		fate_t twin = slowly(&machine, TORUS_ASKED_EVER, false);

		for (torus_asked_t asked = TORUS_ASKED_EVER; asked <= TORUS_ASKED_PLAN;
		     asked++) {
			fate_t one = by_select(&machine, asked, preempts);
			fate_t other = by_topology(&machine, asked, preempts);

			twin = slowly(&machine, asked, preempts);
			if (!is_same(one, twin) || !is_same(other, twin))
				fail_msg(
					"case %d, asked %d: select %d %#x at %d, topology %d "
					"%#x at %d, twin %d %#x at %d",
					i, (int)asked, one.answer, one.place, one.when,
					other.answer, other.place, other.when,
					twin.answer, twin.place, twin.when);
			placed[asked] += !one.answer;
			kinds[asked]++;
			/* Slurm asks first whether a job can ever run. */
			if (one.answer != TORUS_JOB_PLACED && asked == TORUS_ASKED_EVER)
				break;
		}
	}
	for (torus_asked_t asked = TORUS_ASKED_EVER; asked < TORUS_ASKED_PLAN; asked++) {
		assert_in_range(placed[asked], 1000, kinds[asked] - 1000);
	}
	assert_true(placed[TORUS_ASKED_PLAN] > placed[TORUS_ASKED_START]);
}

/* Only among the nodes that are free now, whatever is asked. */
static void looks_at_now_alone(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		machine_t machine = job_case_make(random_in);
		knows_t knows = {.machine = &machine, .preempts = true};
		torus_job_source_t source = select_source;
		const torus_job_t job = {.asked = TORUS_ASKED_PLAN, .contiguous = true};

		source.context = &knows;
		assert_int_equal(torus_job_strictly(&job, &source, true),
				 slowly(&machine, TORUS_ASKED_START, false).answer);
		assert_int_equal(knows.finds, 1);
	}
}

/* Every place is refused but, with [last], one at the last time. */
typedef struct refusals {
	bool last, narrows;
	int times, lasts;
} refusals_t;

static torus_outcome_t find_refused(void *context, torus_at_t at, int64_t when)
{
	refusals_t *r = context;

	(void)when;
	r->times += at == TORUS_AT_TIME;
	r->lasts += at == TORUS_AT_LAST;
	return at == TORUS_AT_LAST && r->last ? TORUS_PLACE_FOUND : TORUS_UNDECIDED;
}

static int64_t some_time(void *context)
{
	(void)context;
	return 1;
}

static bool narrows(void *context)
{
	const refusals_t *r = context;

	return r->narrows;
}

/* After three times, or one if a refusal teaches nothing, the last time is tried. */
static void does_not_plan_for_ever(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		refusals_t r = {.last = i & 1, .narrows = i & 2};
		const torus_job_source_t source = {
			.context = &r,
			.find = find_refused,
			.next_time = some_time,
			.narrow = narrows,
		};
		const torus_job_t job = {
			.asked = TORUS_ASKED_PLAN, .at_once = i & 4, .contiguous = true};
		bool plans = !job.at_once;

		assert_int_equal(torus_job_strictly(&job, &source, false),
				 plans && r.last ? TORUS_JOB_PLACED : TORUS_JOB_WAITS);
		assert_int_equal(r.times, !plans ? 0 : r.narrows ? 3 : 1);
		assert_int_equal(r.lasts, plans);
	}
}

/* A source that is not to be asked for more than whether there is a place. */
static bool possible[2]; /* by [whole] */
static bool says_possible(void *context, bool whole)
{
	(void)context;
	return possible[whole];
}

static void names_the_reason(void **state)
{
	static const struct {
		bool shape, contiguous;
		uint32_t segment;
		bool possible, possible_whole;
		torus_never_t why;
	} table[] = {
		{true, false, 0, true, true, TORUS_NEVER_NOT},
		{true, false, 0, false, false, TORUS_NEVER_BOX},
		{true, false, 4, false, false, TORUS_NEVER_BOX},
		{true, false, 4, false, true, TORUS_NEVER_BOX_IN_SEGMENTS},
		{true, true, 0, false, true, TORUS_NEVER_BOX},
		{false, true, 0, true, false, TORUS_NEVER_NOT},
		{false, true, 0, false, true, TORUS_NEVER_INTERVAL},
		{false, true, 4, false, true, TORUS_NEVER_INTERVAL},
		{false, false, 4, false, true, TORUS_NEVER_SEGMENTS},
		{false, false, 4, true, true, TORUS_NEVER_NOT},
	};
	const torus_job_source_t source = {.is_possible = says_possible};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const torus_job_t job = {
			.network.has_shape = table[i].shape,
			.contiguous = table[i].contiguous,
			.segment = table[i].segment,
		};

		possible[false] = table[i].possible;
		possible[true] = table[i].possible_whole;
		if (torus_job_never(&job, &source) != table[i].why)
			fail_msg("line %zu", i);
	}
}

static void is_strict(void **state)
{
	torus_job_t job = {.network.has_shape = true};

	(void)state;
	assert_true(torus_job_is_strict(&job));
	job.gave_up = true;
	assert_false(torus_job_is_strict(&job));
	job.segment = 2;
	assert_true(torus_job_is_strict(&job));
	job = (torus_job_t){.contiguous = true};
	assert_true(torus_job_is_strict(&job));
	assert_false(torus_job_is_strict(&(torus_job_t){0}));
}

static void says_what_it_waits_for(void **state)
{
	static const struct {
		torus_job_t job;
		bool wishes;
		torus_waits_for_t what;
	} table[] = {
		{{0}, false, TORUS_WAITS_FOR_NODES},
		{{0}, true, TORUS_WAITS_FOR_PLACE},
		{{.contiguous = true}, false, TORUS_WAITS_FOR_PLACE},
		{{.contiguous = true, .gave_up = true}, false, TORUS_WAITS_FOR_NODES},
		{{.network.has_shape = true}, false, TORUS_WAITS_FOR_PLACE},
		{{.segment = 2}, false, TORUS_WAITS_FOR_SEGMENTS},
		{{.segment = 2, .contiguous = true}, false, TORUS_WAITS_FOR_SEGMENTS},
		{{.segment = 2, .network.has_shape = true}, false, TORUS_WAITS_FOR_PLACE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(torus_job_waits_for(&table[i].job, table[i].wishes),
				 table[i].what);
}

/* A verifier that says yes to some of the four ways in which a place is put to it. */
typedef struct says {
	unsigned yes; /* bit 0: as it is, 1: by name, 2: all, 3: both */
	int asked;
	unsigned seen;
} says_t;

static bool says(void *context, bool by_name, bool all)
{
	says_t *s = context;
	unsigned way = 1u << (by_name + 2 * all);

	assert_false(s->seen & way); /* never twice */
	s->seen |= way;
	s->asked++;
	return s->yes & way;
}

static void puts_places_to_the_verifier(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 16u * 2 * 2 * 2 * 2 * 3; i++) {
		const bool by_name = i & 16, whole = by_name && (i & 32), fewer = i & 64;
		const bool alike = i & 128;
		const uint32_t tasks = (uint32_t[]){0, 4, 5}[i / 256];
		const torus_job_place_t place = {.nodes = 5,
						 .min_nodes = fewer ? 3 : 5,
						 .by_name = by_name,
						 .whole = whole,
						 .tasks = tasks,
						 .alike = alike};
		unsigned all = whole && fewer ? 12u : 0;
		unsigned some = all && tasks == 4 ? 0 : 1u | (by_name ? 2u : 0);
		unsigned may = some | all;
		says_t s = {.yes = i & 15};
		unsigned good = s.yes & may, first = 1, before = alike ? may & 8u : 0;

		assert_int_equal(torus_job_verify(&place, says, &s), good != 0);
		if (good & before) { /* the last way first, and no other */
			assert_int_equal(s.seen, before);
			continue;
		}
		while (good && !(good & first))
			first <<= 1;
		/* All that come before the first yes, and no more. */
		assert_int_equal(s.seen,
				 good ? (may & ((first << 1) - 1)) | before : may);
	}
}

typedef struct starts {
	int64_t at[6]; /* 0: not there */
	int tried;
} starts_t;

static bool starts_on(void *context, int t, int64_t *start)
{
	starts_t *starts = context;

	assert_int_equal(t, starts->tried++);
	*start = starts->at[t];
	return starts->at[t] != 0;
}

static void takes_a_torus(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		starts_t starts = {0};
		int tori = 1 + (int)random_in(0, 5), first = -1, earliest = -1;
		int tried;

		for (int t = 0; t < tori; t++) {
			starts.at[t] = (int64_t)random_in(0, 3);
			if (!starts.at[t])
				continue;
			if (first < 0)
				first = t;
			if (earliest < 0 || starts.at[t] < starts.at[earliest])
				earliest = t;
		}
		assert_int_equal(torus_job_torus(tori, true, starts_on, &starts),
				 earliest);
		tried = starts.tried;
		assert_int_equal(tried, tori);
		starts.tried = 0;
		assert_int_equal(torus_job_torus(tori, false, starts_on, &starts), first);
		assert_int_equal(starts.tried, first < 0 ? tori : first + 1);
	}
}

/* --- jobs with a wish ----------------------------------------------------- */

/* What there is for such a job. */
typedef struct wish_case {
	bool strict, lasts, has_waited;
	bool wish_now; /* a place as it wishes is free */
	bool any_now;  /* it could be placed as a job that wishes nothing */
} wish_case_t;

typedef enum result { WAITS, GETS_WISH, GETS_ANY, PLANS_WISH } result_t;

typedef struct wishing {
	const wish_case_t *is;
	bool sees_near; /* find() looks for near places, as in topology/torus */
	bool looked;
	bool preempts; /* it was looked for a place at the cost of other jobs */
	result_t result;
} wishing_t;

static torus_outcome_t find_wish(void *context, torus_at_t at, int64_t when)
{
	wishing_t *w = context;

	(void)when;
	w->preempts |= at == TORUS_AT_PREEMPTING;
	if ((!w->is->strict && !w->sees_near) || at != TORUS_AT_NOW)
		return TORUS_UNDECIDED;
	w->result = w->is->wish_now ? GETS_WISH : WAITS;
	return w->is->wish_now ? TORUS_PLACE_FOUND : TORUS_NO_PLACE;
}

static int look_for_any(void *context)
{
	wishing_t *w = context;

	w->looked = true;
	return w->is->any_now ? TORUS_JOB_PLACED : TORUS_JOB_WAITS;
}

/* A place without the wish is as good as one with it if it happens to be near. */
static bool is_near(const wishing_t *w)
{
	return !w->is->strict && w->is->wish_now;
}

static int take_any(void *context)
{
	wishing_t *w = context;

	assert_true(w->looked && w->is->any_now);
	w->result = is_near(w) ? GETS_WISH : GETS_ANY;
	return TORUS_JOB_PLACED;
}

static int ordinary(void *context)
{
	return look_for_any(context) ? TORUS_JOB_WAITS : take_any(context);
}

static bool waits(void *context)
{
	const wishing_t *w = context;

	assert_true(w->looked);
	return w->is->lasts && (w->sees_near || !is_near(w));
}

static int wait_on(void *context)
{
	const wishing_t *w = context;

	assert_true(w->is->strict && w->is->lasts && w->is->has_waited);
	return TORUS_JOB_WAITS;
}

static int plan_wish(void *context)
{
	wishing_t *w = context;

	w->result = PLANS_WISH;
	return TORUS_JOB_PLACED;
}

static bool never_has_time(void *context)
{
	(void)context;
	return false;
}

static bool never_comes(void *context)
{
	(void)context;
	return false;
}

static bool may_be_possible(void *context, bool whole)
{
	(void)context, (void)whole;
	return true;
}

static int64_t no_time(void *context)
{
	(void)context;
	return 0;
}

static result_t result_of(const wish_case_t *is, torus_asked_t asked)
{
	wishing_t w = {.is = is, .sees_near = asked == TORUS_ASKED_ONCE};
	const torus_job_source_t source = {
		.context = &w,
		.find = find_wish,
		.next_time = no_time,
		.was_ever = never_has_time,
		.is_possible = may_be_possible,
		.may_come = never_comes,
		.ordinary = ordinary,
		.look = look_for_any,
		.take = take_any,
		.waits = waits,
		.wait_on = wait_on,
		.plan_wish = plan_wish,
	};
	const torus_job_t job = {
		.asked = asked,
		.contiguous = is->strict,
		.lasts = is->lasts,
		.has_waited = is->has_waited,
	};
	int answer = torus_job_patiently(&job, &source);

	assert_int_equal(answer == TORUS_JOB_PLACED, w.result != WAITS);
	/* Nobody is preempted for a wish that is over, or that is only planned. */
	assert_int_equal(w.preempts, asked == TORUS_ASKED_START && is->strict &&
					     is->lasts && !is->wish_now);
	return w.result;
}

/* The rule in one sentence: what it wishes, else anything once its patience is over. */
static result_t wished(const wish_case_t *is)
{
	if (is->wish_now && (is->strict || is->any_now))
		return GETS_WISH;
	return is->any_now && !is->lasts ? GETS_ANY : WAITS;
}

static void waits_for_its_wish(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 32; i++) {
		wish_case_t is = {i & 1, i & 2, i & 4, i & 8, i & 16};
		result_t twin, planned;

		/* A near place is a place. */
		if (!is.strict && is.wish_now)
			is.any_now = true;
		twin = wished(&is);
		planned = result_of(&is, TORUS_ASKED_PLAN);
		if (result_of(&is, TORUS_ASKED_START) != twin ||
		    result_of(&is, TORUS_ASKED_ONCE) != twin)
			fail_msg("case %u: by select %d, by topology %d, twin %d", i,
				 (int)result_of(&is, TORUS_ASKED_START),
				 (int)result_of(&is, TORUS_ASKED_ONCE), (int)twin);
		/* What would wait is planned; a job whose patience is over as any other.
		 */
		if (!is.strict && !is.lasts)
			assert_int_equal(planned, twin);
		else
			assert_int_equal(planned, twin == WAITS ? PLANS_WISH : twin);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_plugins_decide_the_same),
		cmocka_unit_test(looks_at_now_alone),
		cmocka_unit_test(does_not_plan_for_ever),
		cmocka_unit_test(names_the_reason),
		cmocka_unit_test(is_strict),
		cmocka_unit_test(says_what_it_waits_for),
		cmocka_unit_test(puts_places_to_the_verifier),
		cmocka_unit_test(takes_a_torus),
		cmocka_unit_test(waits_for_its_wish),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
