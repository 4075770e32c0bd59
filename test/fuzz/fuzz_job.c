/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is tried for a job (decide/job.h): for strict jobs on machines that the input
 * describes, number by number, against the slow twin; and with sources that answer
 * whatever the input says. */
#include "fuzz.h"

#include "../unit/job_case.h"

/* More functions of a source are called for no job. */
#define MOST_CALLS 16

static const uint8_t *next, *end;

/* The next byte of the input; of one that has come to its end the lowest numbers. */
static uint32_t number(uint32_t low, uint32_t high)
{
	return next < end ? low + *next++ % (high - low + 1) : low;
}

/* --- sources that answer anything ------------------------------------------ */

/* What was called: how many functions, and whether the last one has a place. */
typedef struct calls {
	int count;
	bool has_place;
} calls_t;

static void is_called(calls_t *calls, bool has_place)
{
	calls->count++;
	calls->has_place = has_place;
	CHECK(calls->count <= MOST_CALLS);
}

static torus_outcome_t find_any(void *context, torus_at_t at, int64_t when)
{
	torus_outcome_t outcome = (torus_outcome_t)((int)number(0, 3) - 1);

	CHECK((at == TORUS_AT_TIME) == (when != 0));
	is_called(context, outcome == TORUS_PLACE_FOUND);
	return outcome;
}

static int64_t any_time(void *context)
{
	is_called(context, false);
	return number(0, 3);
}

static bool yes_or_no(void *context)
{
	is_called(context, false);
	return number(0, 1);
}

/* Looking leaves the place, if there is one, for take(). */
static int look_for_any(void *context)
{
	is_called(context, false);
	return number(0, 1) ? TORUS_JOB_WAITS : TORUS_JOB_PLACED;
}

static bool any_is_possible(void *context, bool whole)
{
	(void)whole;
	return yes_or_no(context);
}

static int refuse_any(void *context, torus_never_t why)
{
	CHECK(why != TORUS_NEVER_NOT);
	is_called(context, false);
	return REFUSED - (int)why;
}

static int place_any(void *context)
{
	bool has_place = number(0, 1);

	is_called(context, has_place);
	return has_place ? TORUS_JOB_PLACED : TORUS_JOB_WAITS;
}

static int take_any(void *context)
{
	is_called(context, true);
	return TORUS_JOB_PLACED;
}

static int wait_for_any(void *context)
{
	is_called(context, false);
	return TORUS_JOB_WAITS;
}

static void ask_any(void)
{
	calls_t calls = {0};
	const torus_job_source_t source = {
		.context = &calls,
		.find = find_any,
		.next_time = any_time,
		.narrow = yes_or_no,
		.was_ever = yes_or_no,
		.is_possible = any_is_possible,
		.may_come = yes_or_no,
		.refuse = refuse_any,
		.leave = place_any,
		.postpone = number(0, 1) ? place_any : NULL,
		.ordinary = place_any,
		.look = look_for_any,
		.take = take_any,
		.waits = yes_or_no,
		.wait_on = wait_for_any,
		.plan_wish = place_any,
	};
	torus_job_t job = {
		.asked = (torus_asked_t)number(TORUS_ASKED_EVER, TORUS_ASKED_ONCE),
		.at_once = number(0, 1),
		.network.has_shape = number(0, 1),
		.contiguous = number(0, 1),
		.segment = number(0, 1),
		.gave_up = number(0, 1),
		.lasts = number(0, 1),
		.has_waited = number(0, 1),
	};
	bool strictly = torus_job_is_strict(&job) && number(0, 1);
	int answer = strictly ? torus_job_strictly(&job, &source, number(0, 1))
			      : torus_job_patiently(&job, &source);

	CHECK((answer == TORUS_JOB_PLACED) == calls.has_place);
	CHECK(answer <= TORUS_JOB_PLACED);
}

/* --- machines ---------------------------------------------------------------- */

static void compare(void)
{
	const machine_t machine = job_case_make(number);
	bool preempts = number(0, 1);

	for (torus_asked_t asked = TORUS_ASKED_EVER; asked <= TORUS_ASKED_PLAN; asked++) {
		fate_t twin = slowly(&machine, asked, preempts);

		CHECK(is_same(by_select(&machine, asked, preempts), twin));
		CHECK(is_same(by_topology(&machine, asked, preempts), twin));
		/* Slurm asks first whether a job can ever run. */
		if (asked == TORUS_ASKED_EVER && twin.answer)
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	next = data;
	end = data + size;
	if (number(0, 1))
		compare();
	else
		ask_any();
	return 0;
}
