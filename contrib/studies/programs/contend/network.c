/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "network.h"

#include <err.h>
#include <errno.h>
#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xbt/dynar.h>

/* In KiB: the main function may be a whole simulation of jobs, the others only send. */
#define MAIN_STACK 1024

struct contend_network {
	torus_geometry_t geometry;
	uint32_t per_router;
	uint32_t cells;
	double bandwidth[TORUS_MAX_DIMS];
	double fastest;
	sg_host_t *router; /* [cells] */
	sg_sem_t ends;	   /* how many are in the list */
	contend_run_t *first_ended, *last_ended;
	uint64_t sustained; /* jobs that have not ended yet */
	void (*main)(contend_network_t *network, void *data);
	void *data;
};

/* A sender of a job: slot k is lane k mod lanes of rank k / lanes, of each pattern. */
typedef struct contend_lane {
	contend_run_t *run;
	uint64_t slot;
} contend_lane_t;

/* --- the platform ------------------------------------------------------- */

/*
 * SimGrid's tori wrap in each dimension. One of length 2k - 1 of which only the first k
 * positions are used is a mesh of length k: the way around its end is always the longer.
 */
static uint32_t simulated_length(const torus_geometry_t *geometry, int axis)
{
	uint32_t length = (uint32_t)geometry->length[axis];

	return geometry->wrap[axis] ? length : 2 * length - 1;
}

static uint64_t simulated_cells(const torus_geometry_t *geometry)
{
	uint64_t cells = 1;

	for (int axis = 0; axis < geometry->dims; axis++)
		cells *= simulated_length(geometry, axis);
	return cells;
}

static uint64_t simulated_cell(const torus_geometry_t *geometry, uint32_t cell)
{
	int32_t coord[TORUS_MAX_DIMS];
	uint64_t simulated = 0;

	torus_cell_to_coord(geometry, cell, coord);
	for (int axis = geometry->dims - 1; axis >= 0; axis--)
		simulated = simulated * simulated_length(geometry, axis) +
			    (uint32_t)coord[axis];
	return simulated;
}

/* SimGrid names links by the cells at their ends; two dimensions of length 1 would have
 * the same names. */
static void write_lengths(FILE *file, const torus_geometry_t *geometry)
{
	int written = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->length[axis] > 1)
			fprintf(file, "%s%u", written++ ? "," : "",
				simulated_length(geometry, axis));
	}
	if (!written)
		fputs("1", file);
}

static int write_platform(FILE *file, const torus_geometry_t *geometry, double bandwidth)
{
	fputs("<?xml version='1.0'?>\n"
	      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	      "<platform version=\"4.1\">\n"
	      "<zone id=\"world\" routing=\"Full\">\n",
	      file);
	fprintf(file,
		"<cluster id=\"torus\" prefix=\"r\" suffix=\"\" radical=\"0-%llu\" "
		"speed=\"1Gf\" topology=\"TORUS\" topo_parameters=\"",
		(unsigned long long)simulated_cells(geometry) - 1);
	write_lengths(file, geometry);
	fprintf(file,
		"\" bw=\"%.17gBps\" lat=\"0s\" sharing_policy=\"SPLITDUPLEX\" "
		"loopback_bw=\"%.17gBps\" loopback_lat=\"0s\"/>\n"
		"</zone>\n</platform>\n",
		bandwidth, bandwidth);
	return ferror(file) ? -1 : 0;
}

/* SimGrid reads platforms from files. */
static int load_platform(const torus_geometry_t *geometry, double bandwidth,
			 torus_error_t *err)
{
	const char *directory = getenv("TMPDIR");
	char path[4096];
	FILE *file;
	int descriptor, result;

	/* SimGrid wants the ending. */
	snprintf(path, sizeof(path), "%s/torus-contend.XXXXXX.xml",
		 directory && *directory ? directory : "/tmp");
	descriptor = mkstemps(path, 4);
	if (descriptor < 0)
		return torus_fail(err, "cannot create '%s': %s", path, strerror(errno));
	file = fdopen(descriptor, "w");
	result = file ? write_platform(file, geometry, bandwidth) : -1;
	if (file && fclose(file))
		result = -1;
	if (result)
		torus_fail(err, "cannot write '%s': %s", path, strerror(errno));
	else
		simgrid_load_platform(path);
	unlink(path);
	return result;
}

static void init_simgrid(void)
{
	char *arguments[] = {
		"torus-contend",
		"--cfg=network/model:CM02",
		"--cfg=network/TCP-gamma:0",
		"--cfg=network/crosstraffic:0",
		"--cfg=surf/precision:1e-9",
		"--cfg=maxmin/precision:1e-9",
		"--cfg=contexts/stack-size:64",
		"--cfg=contexts/guard-size:0",
		"--log=root.thres:warning",
		NULL,
	};
	int count = sizeof(arguments) / sizeof(arguments[0]) - 1;

	simgrid_init(&count, arguments);
}

static int find_routers(contend_network_t *network, const torus_geometry_t *geometry,
			torus_error_t *err)
{
	char name[32];

	network->router = calloc(network->cells, sizeof(network->router[0]));
	if (!network->router)
		return torus_fail(err, "out of memory");
	for (uint32_t cell = 0; cell < network->cells; cell++) {
		snprintf(name, sizeof(name), "r%llu",
			 (unsigned long long)simulated_cell(geometry, cell));
		network->router[cell] = sg_host_by_name(name);
	}
	return 0;
}

/* The dimension of a link, which SimGrid names by the cells at its ends; -1: it is none
 * of the torus. */
static int axis_of_link(const torus_geometry_t *geometry, const char *name)
{
	unsigned long long a, b, stride = 1;

	if (sscanf(name, "torus_link_from_%llu_to_%llu", &a, &b) != 2)
		return -1;
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = simulated_length(geometry, axis);

		if (a / stride % length != b / stride % length)
			return axis;
		stride *= length;
	}
	return -1;
}

/* Where not all dimensions are alike. */
static int set_bandwidths(const contend_network_t *network, torus_error_t *err)
{
	uint32_t set = 0, wanted = 0;
	sg_link_t *link;

	for (int axis = 0; axis < network->geometry.dims; axis++)
		wanted += network->bandwidth[axis] < network->fastest &&
			  network->geometry.length[axis] > 1;
	if (!wanted)
		return 0;
	link = sg_link_list();
	for (size_t i = 0; i < sg_link_count(); i++) {
		int axis = axis_of_link(&network->geometry, sg_link_get_name(link[i]));

		if (axis < 0)
			continue;
		sg_link_set_bandwidth(link[i], network->bandwidth[axis]);
		set++;
	}
	free(link);
	return set ? 0 : torus_fail(err, "SimGrid has no links of a torus");
}

contend_network_t *contend_network_create(const torus_geometry_t *geometry,
					  uint32_t per_router, const double *bandwidth,
					  torus_error_t *err)
{
	contend_network_t *network = calloc(1, sizeof(*network));

	if (!network) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	network->per_router = per_router;
	network->geometry = *geometry;
	for (int axis = 0; axis < geometry->dims; axis++) {
		network->bandwidth[axis] = bandwidth[axis];
		if (bandwidth[axis] > network->fastest)
			network->fastest = bandwidth[axis];
	}
	network->cells = torus_geometry_cells(geometry);
	init_simgrid();
	if (load_platform(geometry, network->fastest, err) ||
	    set_bandwidths(network, err) || find_routers(network, geometry, err)) {
		contend_network_destroy(network);
		return NULL;
	}
	network->ends = sg_sem_init(0);
	return network;
}

void contend_network_destroy(contend_network_t *network)
{
	if (!network)
		return;
	if (network->ends)
		sg_sem_destroy(network->ends);
	free(network->router);
	free(network);
}

static sg_host_t router_of(const contend_network_t *network, uint32_t node)
{
	return network->router[node / network->per_router];
}

double contend_network_rate(const void *network, uint32_t from, uint32_t to)
{
	const contend_network_t *of = network;
	int32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
	double slowest = of->fastest;

	torus_cell_to_coord(&of->geometry, from / of->per_router, a);
	torus_cell_to_coord(&of->geometry, to / of->per_router, b);
	for (int axis = 0; axis < of->geometry.dims; axis++) {
		if (a[axis] != b[axis] && of->bandwidth[axis] < slowest)
			slowest = of->bandwidth[axis];
	}
	return slowest;
}

uint32_t contend_network_hops(const contend_network_t *network, uint32_t from,
			      uint32_t to)
{
	xbt_dynar_t links = xbt_dynar_new(sizeof(void *), NULL);
	uint32_t hops = 0;

	if (router_of(network, from) != router_of(network, to)) {
		sg_host_get_route(router_of(network, from), router_of(network, to),
				  links);
		hops = (uint32_t)xbt_dynar_length(links);
	}
	xbt_dynar_free(&links);
	return hops;
}

/* --- jobs --------------------------------------------------------------- */

static void append_ended(contend_run_t *run)
{
	contend_network_t *network = run->network;

	run->ended = true;
	run->end = simgrid_get_clock();
	if (network->last_ended)
		network->last_ended->next = run;
	else
		network->first_ended = run;
	network->last_ended = run;
	sg_sem_release(network->ends);
}

/* Go to the next step that a pattern has; there is one. */
static void next_step(contend_run_t *run)
{
	const contend_job_t *job = run->job;

	bool done = ++run->steps == job->steps;

	run->step++;
	while (run->step >= job->pattern[run->pattern].steps) {
		run->step = 0;
		if (++run->pattern < job->patterns)
			continue;
		run->pattern = 0;
		done = ++run->round == job->rounds || done;
	}
	if (done && !run->ended) {
		if (run->sustained)
			run->network->sustained--;
		append_ended(run);
	}
	run->stopped = run->ended && !(run->sustained && run->network->sustained);
}

/* A step of a run ends here for each of its actors; the last one goes to the next. */
static void end_step(contend_run_t *run)
{
	if (++run->arrived == run->lanes) {
		run->arrived = 0;
		next_step(run);
	}
	sg_barrier_wait(run->barrier);
}

static void send_message(contend_run_t *run, uint64_t slot)
{
	const contend_job_t *job = run->job;
	const contend_pattern_t *pattern = &job->pattern[run->pattern];
	uint64_t rank = slot / pattern->kind->lanes;
	double begin = simgrid_get_clock();
	uint32_t to;

	if (rank >= pattern->senders)
		return;
	to = contend_pattern_target(pattern, run->step, (uint32_t)rank,
				    (uint32_t)(slot % pattern->kind->lanes));
	if (to == CONTEND_NOBODY)
		return;
	sg_host_sendto(router_of(run->network, job->node[rank]),
		       router_of(run->network, job->node[to]), job->bytes);
	if (run->ended)
		return;
	run->messages++;
	run->waited += simgrid_get_clock() - begin -
		       job->bytes / contend_network_rate(run->network, job->node[rank],
							 job->node[to]);
}

static void lane_main(int argc, char **argv)
{
	const contend_lane_t *lane = sg_actor_self_get_data();
	contend_run_t *run = lane->run;

	(void)argc;
	(void)argv;
	while (!run->stopped) {
		send_message(run, lane->slot);
		end_step(run);
	}
	if (--run->alive)
		return;
	sg_barrier_destroy(run->barrier);
	free(run->lane);
	run->lane = NULL;
}

static void start_actors(contend_run_t *run)
{
	run->barrier = sg_barrier_init((unsigned)run->lanes);
	for (uint64_t slot = 0; slot < run->lanes; slot++) {
		contend_lane_t *lane = &run->lane[slot];
		sg_actor_t actor = sg_actor_init("lane", run->network->router[0]);

		*lane = (contend_lane_t){run, slot};
		sg_actor_set_data(actor, lane);
		sg_actor_start(actor, lane_main, 0, NULL);
	}
}

contend_run_t *contend_start(contend_network_t *network, const contend_job_t *job,
			     bool sustained, torus_error_t *err)
{
	contend_run_t *run = calloc(1, sizeof(*run));

	if (!run) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	*run = (contend_run_t){.job = job,
			       .start = simgrid_get_clock(),
			       .network = network,
			       .lanes = contend_job_lanes(job),
			       .sustained = sustained};
	if (!run->lanes) {
		append_ended(run);
		return run;
	}
	run->lane = calloc(run->lanes, sizeof(run->lane[0]));
	if (!run->lane) {
		torus_fail(err, "out of memory");
		free(run);
		return NULL;
	}
	run->alive = run->lanes;
	network->sustained += sustained;
	while (!job->pattern[run->pattern].steps)
		run->pattern++;
	start_actors(run);
	return run;
}

/* Take the first run off the list, for which network->ends has been acquired. */
static contend_run_t *take_ended(contend_network_t *network)
{
	contend_run_t *run = network->first_ended;

	network->first_ended = run->next;
	if (!network->first_ended)
		network->last_ended = NULL;
	return run;
}

contend_run_t *contend_next_end(contend_network_t *network)
{
	sg_sem_acquire(network->ends);
	return take_ended(network);
}

contend_run_t *contend_next_end_until(contend_network_t *network, double until)
{
	double left = until - simgrid_get_clock();

	if (network->first_ended)
		return contend_next_end(network);
	if (left <= 0 || sg_sem_acquire_timeout(network->ends, left))
		return NULL;
	return take_ended(network);
}

_Noreturn void contend_quit(int status, const char *message)
{
	warnx("%s", message);
	_exit(status);
}

double contend_now(void)
{
	return simgrid_get_clock();
}

static void simulation_main(int argc, char **argv)
{
	contend_network_t *network = sg_actor_self_get_data();

	(void)argc;
	(void)argv;
	network->main(network, network->data);
}

void contend_simulate(contend_network_t *network,
		      void (*main)(contend_network_t *network, void *data), void *data)
{
	sg_actor_t actor = sg_actor_init("main", network->router[0]);

	network->main = main;
	network->data = data;
	sg_actor_set_data(actor, network);
	sg_actor_set_stacksize(actor, MAIN_STACK);
	sg_actor_start(actor, simulation_main, 0, NULL);
	simgrid_run();
}
