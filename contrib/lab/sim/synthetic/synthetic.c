/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Synthetic workloads: see synthetic.h. */
#include "sim/synthetic/synthetic.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "sim/swf.h"
#include "sim/synthetic/kinds.h"
#include "sim/synthetic/variates.h"

static const torus_synthetic_kind_t *const kinds[] = {
	&torus_synthetic_cplant_stream,
	&torus_synthetic_beta,
	&torus_synthetic_exponential,
	&torus_synthetic_log_uniform,
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

const torus_synthetic_kind_t *torus_synthetic_kind(int index)
{
	return index < KINDS ? kinds[index] : NULL;
}

const char *torus_synthetic_kind_name(const torus_synthetic_kind_t *kind)
{
	return kind->name;
}

const char *torus_synthetic_kind_summary(const torus_synthetic_kind_t *kind)
{
	return kind->summary;
}

const torus_synthetic_parameter_t *
torus_synthetic_kind_parameter(const torus_synthetic_kind_t *kind, int index)
{
	if (index >= TORUS_SYNTHETIC_PARAMETERS || !kind->parameter[index].name)
		return NULL;
	return &kind->parameter[index];
}

/* The names of all kinds, or of a kind's parameters, for messages. */
static const char *list_names(const torus_synthetic_kind_t *kind, char text[256])
{
	size_t length = 0;
	int count = kind ? TORUS_SYNTHETIC_PARAMETERS : KINDS;

	for (int i = 0; i < count; i++) {
		const char *name = kind ? kind->parameter[i].name : kinds[i]->name;

		if (!name)
			break;
		if (i) {
			memcpy(text + length, ", ", 2);
			length += 2;
		}
		memcpy(text + length, name, strlen(name));
		length += strlen(name);
	}
	text[length] = '\0';
	return text;
}

static int read_choice(const torus_synthetic_parameter_t *parameter, const char *text,
		       double *value, torus_error_t *err)
{
	char known[64] = "";

	for (int i = 0; parameter->choices[i]; i++) {
		if (!strcmp(text, parameter->choices[i])) {
			*value = i;
			return 0;
		}
		if (i)
			strcat(known, "|");
		strcat(known, parameter->choices[i]);
	}
	return torus_fail(err, "%s='%.64s' is not one of %s", parameter->name, text,
			  known);
}

static int read_number(const torus_synthetic_parameter_t *parameter, const char *text,
		       double *value, torus_error_t *err)
{
	const char *allowed = parameter->whole ? "0123456789" : "0123456789.";
	char *end;
	double number;

	/* By hand: strtod() takes signs, blanks, exponents and nan. */
	if (!*text || text[strspn(text, allowed)])
		return torus_fail(err, "%s='%.64s' is not a %snumber", parameter->name,
				  text, parameter->whole ? "whole " : "");
	number = strtod(text, &end);
	if (end == text || *end)
		return torus_fail(err, "%s='%.64s' is not a number", parameter->name,
				  text);
	if (!(number >= parameter->minimum && number <= parameter->maximum))
		return torus_fail(err, "%s=%.64s is not in %.15g to %.15g",
				  parameter->name, text, parameter->minimum,
				  parameter->maximum);
	*value = number;
	return 0;
}

int torus_synthetic_set(torus_synthetic_t *synthetic, const char *name, const char *value,
			torus_error_t *err)
{
	const torus_synthetic_kind_t *kind = synthetic->kind;
	char names[256];

	for (int i = 0; torus_synthetic_kind_parameter(kind, i); i++) {
		const torus_synthetic_parameter_t *parameter = &kind->parameter[i];

		if (strcmp(name, parameter->name) != 0)
			continue;
		if (synthetic->given[i])
			return torus_fail(err, "%s: %s= is given twice", kind->name,
					  name);
		if (parameter->choices
			    ? read_choice(parameter, value, &synthetic->value[i], err)
			    : read_number(parameter, value, &synthetic->value[i], err))
			return torus_fail_prefix(err, "%s: ", kind->name);
		synthetic->given[i] = true;
		return 0;
	}
	return torus_fail(err, "%s: unknown parameter '%.64s'; it has %s", kind->name,
			  name, list_names(kind, names));
}

/* Take "name=value,..." over; [text] is cut into pieces. */
static int set_all(torus_synthetic_t *synthetic, char *text, torus_error_t *err)
{
	while (text) {
		char *comma = strchr(text, ','), *equals;

		if (comma)
			*comma = '\0';
		equals = strchr(text, '=');
		if (!equals)
			return torus_fail(err,
					  "%s: '%.64s' is not of the form name=value",
					  synthetic->kind->name, text);
		*equals = '\0';
		if (torus_synthetic_set(synthetic, text, equals + 1, err))
			return -1;
		text = comma ? comma + 1 : NULL;
	}
	return 0;
}

int torus_synthetic_parse(const char *text, torus_synthetic_t *synthetic,
			  torus_error_t *err)
{
	size_t length = strcspn(text, ":");
	char names[256], *parameters;
	int rc;

	*synthetic = (torus_synthetic_t){0};
	for (int i = 0; i < KINDS && !synthetic->kind; i++) {
		if (strlen(kinds[i]->name) == length &&
		    !memcmp(text, kinds[i]->name, length))
			synthetic->kind = kinds[i];
	}
	if (!synthetic->kind)
		return torus_fail(err, "unknown workload '%.*s'; known are %s",
				  length < 64 ? (int)length : 64, text,
				  list_names(NULL, names));
	for (int i = 0; i < TORUS_SYNTHETIC_PARAMETERS; i++)
		synthetic->value[i] = synthetic->kind->parameter[i].standard;
	if (!text[length])
		return 0;
	parameters = strdup(text + length + 1);
	if (!parameters)
		return torus_fail(err, "out of memory");
	rc = set_all(synthetic, parameters, err);
	free(parameters);
	return rc;
}

/* A time of [seconds], rounded up to a whole second. */
static int64_t whole_seconds(double seconds)
{
	int64_t floor = (int64_t)seconds;

	return (floor + (seconds > (double)floor)) * TORUS_SECOND;
}

static void draw_run_times(const torus_synthetic_t *synthetic, uint64_t *random,
			   torus_workload_t *workload)
{
	double run = synthetic->value[TORUS_SYNTHETIC_RUN];
	int vary = synthetic->kind->vary;

	for (size_t i = 0; i < workload->count; i++) {
		torus_sim_job_t *job = &workload->job[i];
		double seconds = run;

		if (!vary || synthetic->value[vary] != 0)
			seconds *= torus_variate_exponential(random);
		job->run_time = whole_seconds(seconds);
		if (job->run_time < TORUS_SECOND)
			job->run_time = TORUS_SECOND;
		job->number = i + 1;
		job->wait = -1;
	}
}

/*
 * What users ask for: any time from the run time to 1 + [f] times it, each as likely. The
 * f-model of Feitelson and Weil, "Utilization and Predictability in Scheduling the IBM
 * SP2 with Backfilling" (1998), also in Mu'alem and Feitelson (2001).
 */
static void draw_estimates(double f, uint64_t *random, torus_workload_t *workload)
{
	for (size_t i = 0; i < workload->count; i++) {
		torus_sim_job_t *job = &workload->job[i];
		double more = (double)(job->run_time / TORUS_SECOND) * f;

		job->estimate = job->run_time +
				whole_seconds(more * torus_variate_uniform(random));
	}
}

/*
 * Poisson arrivals, at a rate at which the machine is asked for [load] times the
 * node-seconds it has: the mean time between two jobs is the work of these very jobs, by
 * their number, by what the machine does in a second, by the load.
 */
static int draw_arrivals(double load, uint32_t nodes, uint64_t *random,
			 torus_workload_t *workload, torus_error_t *err)
{
	double work = 0, clock = 0, interval;

	if (load <= 0)
		return 0;
	for (size_t i = 0; i < workload->count; i++) {
		const torus_sim_job_t *job = &workload->job[i];

		/* Whole node-seconds: sums below 2^53 are exact in any order. */
		work += (double)(job->run_time / TORUS_SECOND * job->nodes);
	}
	interval = work / (double)workload->count / nodes / load;
	for (size_t i = 0; i < workload->count; i++) {
		double seconds;

		clock += torus_variate_exponential(random);
		seconds = clock * interval;
		if (seconds > (double)TORUS_SWF_LONGEST)
			return torus_fail(err,
					  "load=%.15g is too low: the stream would "
					  "last longer than can be counted",
					  load);
		workload->job[i].submit = (int64_t)seconds * TORUS_SECOND;
	}
	return 0;
}

int torus_synthetic_generate(const torus_synthetic_t *synthetic,
			     const torus_synthetic_machine_t *machine, uint64_t seed,
			     torus_workload_t *workload, torus_error_t *err)
{
	/* A sequence each, so that none depends on how many numbers another took. */
	uint64_t other_set = (uint64_t)synthetic->value[TORUS_SYNTHETIC_TIMES];
	uint64_t sizes = torus_random_next(&seed);
	uint64_t run_times = torus_random_next(&seed);
	uint64_t arrivals = torus_random_next(&seed);
	uint64_t estimates = torus_random_next(&seed);

	/* Set 0 is what there was before there were others. */
	run_times += other_set * UINT64_C(0x9e3779b97f4a7c15);
	arrivals += other_set * UINT64_C(0xd1342543de82ef95);
	estimates += other_set * UINT64_C(0xda942042e4dd58b5);
	*workload = (torus_workload_t){0};
	if (synthetic->kind->draw(synthetic->value, machine, &sizes, workload, err))
		return -1;
	draw_run_times(synthetic, &run_times, workload);
	draw_estimates(synthetic->value[TORUS_SYNTHETIC_F], &estimates, workload);
	return draw_arrivals(synthetic->value[TORUS_SYNTHETIC_LOAD], machine->nodes,
			     &arrivals, workload, err);
}
