/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flows that share links: see network.h.
 *
 * A set of rates is max-min fair if and only if each flow has a bottleneck: a link of its
 * route that is full and on which no flow is faster (Bertsekas and Gallager). When flows
 * come and go, most others keep theirs. So rates are found anew for a region of flows
 * alone, those that came, while all others keep their rate; whoever has no bottleneck then
 * joins the region, and whoever takes more than his share of the full links of one that has
 * none; until each flow has one.
 */
#include "network.h"

#include <math.h>
#include <stdlib.h>

#include "heap.h"
#include "route.h"

/* What rounding may come to: parts of a link or rate that are none where shares are
 * compared, of a message that are left when it is through, of a rate that stays. */
#define SAME 1e-9
#define THROUGH 1e-10
#define STAYS 1e-12

/* A link of a flow's route, and the flow's place among those of the link. */
typedef struct hop {
	uint32_t link, place;
} hop_t;

typedef struct flow {
	contend_run_t *run;
	double begin; /* when it was sent */
	double alone; /* seconds that it takes by itself */
	double left;  /* bytes at [since] */
	double since; /* when it got [was] */
	double was;   /* its rate, while a new one is sought */
	double rate;  /* bytes a second */
	uint32_t hops;
	bool joined; /* the region */
	bool grows;  /* its rate is not found yet */
} flow_t;

/* Which hop of which flow passes a link. */
typedef struct passage {
	uint32_t flow, hop;
} passage_t;

typedef struct link {
	double bandwidth;
	passage_t *passage; /* [passages], owned */
	uint32_t passages, room;
	double sum, fastest; /* of the rates of its flows */
	bool touched;	     /* the region, or a flow that has gone */
	double free;	     /* what those leave whose rate is known */
	uint32_t growing;    /* flows whose rate is not */
} link_t;

struct contend_network {
	torus_geometry_t geometry;
	uint32_t per_router;
	double bandwidth[TORUS_MAX_DIMS], fastest;
	uint32_t longest; /* hops of a route */
	uint32_t *route;  /* [longest] the one that is being found */
	link_t *link;	  /* [links] */
	uint32_t links;
	flow_t *flow; /* [room] */
	hop_t *hop;   /* [room * longest] their routes */
	uint32_t flows, room;
	uint32_t *unused; /* [unused_count], of the [flows] numbers given out so far */
	uint32_t unused_count;
	uint32_t *region;  /* [joined] flows */
	uint32_t *touched; /* [touched_count] links */
	uint32_t joined, touched_count;
	contend_heap_t end;   /* of flows: when */
	contend_heap_t share; /* of links with growing flows: what each of these gets */
	double now;
	uint64_t sustained; /* jobs that have not ended yet */
	contend_ends_t ends;
	bool failed; /* out of memory */
};

contend_network_t *contend_network_create(const torus_geometry_t *geometry,
					  uint32_t per_router, const double *bandwidth,
					  torus_error_t *err)
{
	contend_network_t *network = calloc(1, sizeof(*network));
	uint32_t dims = (uint32_t)geometry->dims;

	if (!network) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	network->per_router = per_router;
	network->geometry = *geometry;
	network->longest = contend_longest_route(geometry);
	network->links = 2 * torus_geometry_cells(geometry) * dims;
	network->route = calloc((size_t)network->longest + 1, sizeof(uint32_t));
	network->link = calloc(network->links, sizeof(link_t));
	network->touched = calloc(network->links, sizeof(uint32_t));
	if (!network->route || !network->link || !network->touched ||
	    contend_heap_resize(&network->share, network->links)) {
		contend_network_destroy(network);
		torus_fail(err, "out of memory");
		return NULL;
	}
	for (uint32_t axis = 0; axis < dims; axis++) {
		network->bandwidth[axis] = bandwidth[axis];
		network->fastest = fmax(network->fastest, bandwidth[axis]);
	}
	for (uint32_t link = 0; link < network->links; link++)
		network->link[link].bandwidth = bandwidth[link / 2 % dims];
	return network;
}

void contend_network_destroy(contend_network_t *network)
{
	if (!network)
		return;
	for (uint32_t link = 0; network->link && link < network->links; link++)
		free(network->link[link].passage);
	free(network->link);
	free(network->route);
	free(network->flow);
	free(network->hop);
	free(network->unused);
	free(network->region);
	free(network->touched);
	contend_heap_clear(&network->end);
	contend_heap_clear(&network->share);
	free(network);
}

double contend_now(const contend_network_t *network)
{
	return network->now;
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

/* --- the region --------------------------------------------------------- */

static hop_t *hops_of(const contend_network_t *network, uint32_t flow)
{
	return network->hop + (size_t)flow * network->longest;
}

static void touch(contend_network_t *network, uint32_t link)
{
	if (network->link[link].touched)
		return;
	network->link[link].touched = true;
	network->touched[network->touched_count++] = link;
}

static void join(contend_network_t *network, uint32_t number)
{
	flow_t *flow = &network->flow[number];
	const hop_t *hop = hops_of(network, number);

	if (flow->joined)
		return;
	flow->joined = true;
	flow->was = flow->rate;
	network->region[network->joined++] = number;
	for (uint32_t i = 0; i < flow->hops; i++)
		touch(network, hop[i].link);
}

/* --- flows come and go -------------------------------------------------- */

/* Let there be twice as many flows. Returns 0, or -1: out of memory. */
static int more_room(contend_network_t *network)
{
	uint32_t room = network->room ? 2 * network->room : 64;
	flow_t *flow = reallocarray(network->flow, room, sizeof(*flow));
	uint32_t *unused, *region;
	hop_t *hop;

	if (!flow)
		return -1;
	network->flow = flow;
	hop = reallocarray(network->hop, (size_t)room * network->longest + 1,
			   sizeof(*hop));
	if (!hop)
		return -1;
	network->hop = hop;
	unused = reallocarray(network->unused, room, sizeof(*unused));
	if (!unused)
		return -1;
	network->unused = unused;
	region = reallocarray(network->region, room, sizeof(*region));
	if (!region)
		return -1;
	network->region = region;
	if (contend_heap_resize(&network->end, room))
		return -1;
	network->room = room;
	return 0;
}

/* Let flow [number] pass [link] as its hop [index]. */
static int pass(contend_network_t *network, uint32_t number, uint32_t index,
		uint32_t link)
{
	link_t *passed = &network->link[link];

	if (passed->passages == passed->room) {
		uint32_t room = passed->room ? 2 * passed->room : 4;
		passage_t *more = reallocarray(passed->passage, room, sizeof(*more));

		if (!more)
			return -1;
		passed->passage = more;
		passed->room = room;
	}
	hops_of(network, number)[index] = (hop_t){link, passed->passages};
	passed->passage[passed->passages++] = (passage_t){number, index};
	return 0;
}

/* contend_send_t */
static void send(void *context, contend_run_t *run, uint32_t from, uint32_t lane,
		 uint32_t to)
{
	contend_network_t *network = context;
	const contend_job_t *job = run->job;
	uint32_t number, hops;

	(void)lane;
	if (network->failed || (!network->unused_count &&
				network->flows == network->room && more_room(network))) {
		network->failed = true;
		return;
	}
	number = network->unused_count ? network->unused[--network->unused_count]
				       : network->flows++;
	hops = contend_route(&network->geometry, job->node[from] / network->per_router,
			     job->node[to] / network->per_router, true, network->route);
	network->flow[number] = (flow_t){
		.run = run,
		.begin = network->now,
		.alone = job->bytes / contend_network_rate(network, job->node[from],
							   job->node[to]),
		.left = job->bytes,
		.since = network->now,
		.hops = hops,
	};
	/* A hop's number has whether it has crossed a wrap as its last bit. */
	for (uint32_t i = 0; i < hops && !network->failed; i++)
		network->failed = pass(network, number, i, network->route[i] / 2);
	if (!network->failed)
		join(network, number);
}

static void leave_links(contend_network_t *network, uint32_t number)
{
	const hop_t *hop = hops_of(network, number);

	for (uint32_t i = 0; i < network->flow[number].hops; i++) {
		link_t *link = &network->link[hop[i].link];
		passage_t last = link->passage[--link->passages];

		link->passage[hop[i].place] = last;
		hops_of(network, last.flow)[last.hop].place = hop[i].place;
		touch(network, hop[i].link);
	}
}

/* All messages of the run's step have arrived, or it starts. */
static void go_on(contend_network_t *network, contend_run_t *run)
{
	if (run->ended && !network->sustained)
		return;
	if (contend_run_begin_step(run, send, network))
		return;
	contend_run_end(run, network->now, &network->ends);
	if (run->sustained && --network->sustained)
		contend_run_begin_step(run, send, network);
}

static void arrive(contend_network_t *network, uint32_t number)
{
	const flow_t *flow = &network->flow[number];
	contend_run_t *run = flow->run;

	if (!run->ended)
		run->waited += network->now - flow->begin - flow->alone;
	contend_heap_remove(&network->end, number);
	leave_links(network, number);
	network->unused[network->unused_count++] = number;
	if (!--run->alive)
		go_on(network, run);
}

/* --- rates -------------------------------------------------------------- */

static double share_of(const link_t *link)
{
	return fmax(link->free, 0) / link->growing;
}

/* Count what the flows outside the region leave on the links that it touches. */
static void begin_filling(contend_network_t *network)
{
	for (uint32_t i = 0; i < network->touched_count; i++) {
		uint32_t number = network->touched[i];
		link_t *link = &network->link[number];

		link->free = link->bandwidth;
		link->growing = 0;
		for (uint32_t k = 0; k < link->passages; k++) {
			const flow_t *flow = &network->flow[link->passage[k].flow];

			if (flow->joined)
				link->growing++;
			else
				link->free -= flow->rate;
		}
		if (link->growing)
			contend_heap_set(&network->share, number, share_of(link));
	}
	for (uint32_t i = 0; i < network->joined; i++) {
		flow_t *flow = &network->flow[network->region[i]];

		flow->grows = flow->hops > 0;
		if (!flow->hops)
			flow->rate = network->fastest;
	}
}

/* The rate of a flow is found. */
static void stop_growing(contend_network_t *network, uint32_t number, double rate)
{
	flow_t *flow = &network->flow[number];
	const hop_t *hop = hops_of(network, number);

	flow->rate = rate;
	flow->grows = false;
	for (uint32_t i = 0; i < flow->hops; i++) {
		link_t *link = &network->link[hop[i].link];

		link->free -= rate;
		link->growing--;
	}
}

/*
 * All rates of the region grow alike; a flow stops when a link of its is full. The share of
 * a link only rises when one does, so the heap may have a lower one until it is its turn.
 */
static void fill(contend_network_t *network)
{
	begin_filling(network);
	while (network->share.count) {
		uint32_t number = network->share.item[0];
		const link_t *link = &network->link[number];
		double share;

		if (!link->growing) {
			contend_heap_remove(&network->share, number);
			continue;
		}
		share = share_of(link);
		if (share > network->share.key[number]) {
			contend_heap_set(&network->share, number, share);
			continue;
		}
		for (uint32_t i = 0; i < link->passages; i++) {
			uint32_t flow = link->passage[i].flow;

			if (network->flow[flow].grows)
				stop_growing(network, flow, share);
		}
	}
}

static void measure(const contend_network_t *network, link_t *link)
{
	link->sum = 0;
	link->fastest = 0;
	for (uint32_t i = 0; i < link->passages; i++) {
		double rate = network->flow[link->passage[i].flow].rate;

		link->sum += rate;
		link->fastest = fmax(link->fastest, rate);
	}
}

static bool is_full(const link_t *link)
{
	return link->sum >= link->bandwidth * (1 - SAME);
}

static bool has_bottleneck(const contend_network_t *network, uint32_t number)
{
	const flow_t *flow = &network->flow[number];
	const hop_t *hop = hops_of(network, number);
	bool found = !flow->hops;

	for (uint32_t i = 0; i < flow->hops && !found; i++) {
		const link_t *link = &network->link[hop[i].link];

		found = is_full(link) && flow->rate >= link->fastest * (1 - SAME);
	}
	return found;
}

/* Those that are faster than flow [number] on its full links join the region. */
static void faster_join(contend_network_t *network, uint32_t number)
{
	const flow_t *flow = &network->flow[number];
	const hop_t *hop = hops_of(network, number);

	for (uint32_t i = 0; i < flow->hops; i++) {
		const link_t *link = &network->link[hop[i].link];

		for (uint32_t k = 0; is_full(link) && k < link->passages; k++) {
			uint32_t other = link->passage[k].flow;

			if (network->flow[other].rate > flow->rate * (1 + SAME))
				join(network, other);
		}
	}
}

/* Let those join that the rates found are not fair to, or that are not fair to others. */
static void let_join(contend_network_t *network)
{
	uint32_t touched = network->touched_count, joined = network->joined;

	for (uint32_t i = 0; i < touched; i++)
		measure(network, &network->link[network->touched[i]]);
	for (uint32_t i = 0; i < joined; i++) {
		uint32_t number = network->region[i];

		if (!has_bottleneck(network, number))
			faster_join(network, number);
	}
	for (uint32_t i = 0; i < touched; i++) {
		const link_t *link = &network->link[network->touched[i]];

		for (uint32_t k = 0; k < link->passages; k++) {
			uint32_t number = link->passage[k].flow;

			if (!network->flow[number].joined &&
			    !has_bottleneck(network, number))
				join(network, number);
		}
	}
}

/* A flow of the region has its new rate from now on. */
static void take_rate(contend_network_t *network, uint32_t number)
{
	flow_t *flow = &network->flow[number];

	flow->joined = false;
	if (fabs(flow->rate - flow->was) <= flow->was * STAYS) {
		flow->rate = flow->was;
		return;
	}
	flow->left -= (network->now - flow->since) * flow->was;
	flow->since = network->now;
	contend_heap_set(&network->end, number, network->now + flow->left / flow->rate);
}

static void share_links(contend_network_t *network)
{
	uint32_t before;

	if (!network->joined && !network->touched_count)
		return;
	do {
		before = network->joined;
		fill(network);
		let_join(network);
	} while (network->joined > before);
	for (uint32_t i = 0; i < network->joined; i++)
		take_rate(network, network->region[i]);
	for (uint32_t i = 0; i < network->touched_count; i++)
		network->link[network->touched[i]].touched = false;
	network->joined = 0;
	network->touched_count = 0;
}

/* --- jobs --------------------------------------------------------------- */

contend_run_t *contend_start(contend_network_t *network, const contend_job_t *job,
			     bool sustained, torus_error_t *err)
{
	contend_run_t *run = calloc(1, sizeof(*run));

	if (run) {
		run->job = job;
		run->start = network->now;
		run->sustained = sustained && contend_job_lanes(job);
		network->sustained += run->sustained;
		go_on(network, run);
	}
	if (run && !network->failed)
		return run;
	free(run);
	torus_fail(err, "out of memory");
	return NULL;
}

/* Whether nothing of a flow is left now but what comes from rounding. */
static bool is_through(const contend_network_t *network, uint32_t number)
{
	const flow_t *flow = &network->flow[number];

	return (network->end.key[number] - network->now) * flow->rate <=
	       THROUGH * flow->run->job->bytes;
}

int contend_next_end(contend_network_t *network, double until, contend_run_t **run,
		     torus_error_t *err)
{
	for (;;) {
		*run = contend_ends_take(&network->ends);
		if (*run)
			return 1;
		share_links(network);
		if (network->failed)
			return torus_fail(err, "out of memory");
		if (!network->end.count ||
		    network->end.key[network->end.item[0]] > until)
			break;
		network->now = network->end.key[network->end.item[0]];
		while (network->end.count && is_through(network, network->end.item[0]))
			arrive(network, network->end.item[0]);
	}
	if (until > network->now && isfinite(until))
		network->now = until;
	return 0;
}
