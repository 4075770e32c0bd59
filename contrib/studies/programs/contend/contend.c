/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus-contend: jobs that all communicate at once, and how long each takes. */
#include <err.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "job.h"
#include "machine_arguments.h"
#include "network.h"

static const char help[] =
	"Usage: torus-contend --dims AxBxC [OPTION]... JOBS\n"
	"Simulate that the jobs of the file JOBS communicate at the same time, and print how\n"
	"long each takes.\n"
	"\n" CONTEND_MACHINE_HELP "\n"
	"  --alone            also how long each takes on an empty machine, and how many times\n"
	"                     longer it takes beside the others\n"
	"  --sustain          a job that has done its rounds goes on communicating until all\n"
	"                     have done theirs; without it, it is silent from then on\n"
	"  --help\n"
	"\n"
	"JOBS has a line for each job: NAME PATTERN ROUNDS BYTES NODES. PATTERN is halo, ring,\n"
	"all_to_all, ping_pong, one_to_all, fft, multigrid, cg, or several joined by +. Each of\n"
	"its messages has BYTES bytes. NODES are the nodes of rank 0, 1, ..., such as 0-3,7,7;\n"
	"node c*K+i is the i-th of the K nodes on cell c (x fastest). # begins a comment.\n"
	"\n"
	"Links are shared fairly by the messages that pass them; there is no latency. What the\n"
	"patterns are is in pattern.h, and what is simulated in network.h.\n"
	"\n"
	"Prints CSV: job, ranks, pattern, rounds, bytes, seconds (from the common start to its\n"
	"end), and undisturbed: seconds if each message had links to itself. With --alone\n"
	"alone and slowdown. A job that sends nothing takes no time; its slowdown is 1.\n";

enum { OPTION_ALONE = CONTEND_OPTION_OWN, OPTION_SUSTAIN, OPTION_HELP };

static const struct option options[] = {
	CONTEND_MACHINE_OPTIONS,
	{"alone", no_argument, NULL, OPTION_ALONE},
	{"sustain", no_argument, NULL, OPTION_SUSTAIN},
	{"help", no_argument, NULL, OPTION_HELP},
	{0},
};

typedef struct contend {
	contend_machine_arguments_t machine;
	bool alone, sustain;
	contend_jobs_t jobs;
	contend_run_t **together, **by_itself; /* [jobs.count] */
} contend_t;

static contend_run_t *start(contend_network_t *network, const contend_job_t *job,
			    bool sustain)
{
	torus_error_t error;
	contend_run_t *run = contend_start(network, job, sustain, &error);

	if (!run)
		errx(2, "%s", error.text);
	return run;
}

static void wait_for_end(contend_network_t *network)
{
	contend_run_t *run;
	torus_error_t error;

	if (contend_next_end(network, INFINITY, &run, &error) < 0)
		errx(2, "%s", error.text);
}

static void run_jobs(contend_network_t *network, contend_t *contend)
{
	size_t count = contend->jobs.count;

	for (size_t i = 0; contend->alone && i < count; i++) {
		contend->by_itself[i] = start(network, &contend->jobs.job[i], false);
		wait_for_end(network);
	}
	for (size_t i = 0; i < count; i++)
		contend->together[i] =
			start(network, &contend->jobs.job[i], contend->sustain);
	for (size_t i = 0; i < count; i++)
		wait_for_end(network);
}

static double seconds(const contend_run_t *run)
{
	return run->end - run->start;
}

static void print(const contend_t *contend, const contend_network_t *network)
{
	printf("job,ranks,pattern,rounds,bytes,seconds,undisturbed%s\n",
	       contend->alone ? ",alone,slowdown" : "");
	for (size_t i = 0; i < contend->jobs.count; i++) {
		const contend_job_t *job = &contend->jobs.job[i];
		double together = seconds(contend->together[i]);

		printf("%s,%u,%s,%u,%.10g,%.9g,%.9g", job->name, job->ranks, job->word,
		       job->rounds, job->bytes, together,
		       contend_job_undisturbed(job, contend_network_rate, network));
		if (contend->alone) {
			double alone = seconds(contend->by_itself[i]);

			printf(",%.9g,%.9g", alone, alone > 0 ? together / alone : 1);
		}
		putchar('\n');
	}
}

static const char *parse(int argc, char **argv, contend_t *contend)
{
	int code;

	while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (contend_machine_argument(code, optarg, &contend->machine))
			continue;
		switch (code) {
		case OPTION_ALONE:
			contend->alone = true;
			break;
		case OPTION_SUSTAIN:
			contend->sustain = true;
			break;
		case OPTION_HELP:
			fputs(help, stdout);
			exit(0);
		default:
			exit(2);
		}
	}
	contend_machine_arguments_check(&contend->machine);
	if (optind != argc - 1)
		errx(2, "one file of jobs is wanted; see --help");
	return argv[optind];
}

static void read_jobs(const char *path, contend_t *contend)
{
	torus_error_t error;
	size_t length;
	char *text;

	if (torus_textfile_read(path, &text, &length, &error) ||
	    contend_jobs_read(text, length, path,
			      contend_machine_nodes(&contend->machine), &contend->jobs,
			      &error))
		errx(2, "%s", error.text);
	free(text);
}

static void free_runs(contend_run_t **run, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(run[i]);
	free(run);
}

int main(int argc, char **argv)
{
	contend_t contend = {0};
	contend_network_t *network;
	torus_error_t error;
	size_t count;

	read_jobs(parse(argc, argv, &contend), &contend);
	count = contend.jobs.count;
	contend.together = calloc(count + 1, sizeof(contend_run_t *));
	contend.by_itself = calloc(count + 1, sizeof(contend_run_t *));
	if (!contend.together || !contend.by_itself)
		errx(2, "out of memory");
	network = contend_network_create(&contend.machine.geometry,
					 contend.machine.per_router,
					 contend.machine.bandwidth, &error);
	if (!network)
		errx(2, "%s", error.text);
	run_jobs(network, &contend);
	print(&contend, network);
	free_runs(contend.together, count);
	free_runs(contend.by_itself, count);
	contend_jobs_clear(&contend.jobs);
	contend_network_destroy(network);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
