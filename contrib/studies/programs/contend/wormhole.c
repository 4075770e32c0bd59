/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Worms of flits: see wormhole.h. */
#include "wormhole.h"

#include <stdlib.h>

#include "route.h"
#include "sim/agenda.h"

#define CYCLE INT64_C(1000000) /* microseconds */
#define NOBODY UINT32_MAX

/* What happens to a message; below these, a channel of its route becomes free. */
#define HEADER (UINT32_MAX - 1) /* its header comes to the next channel */
#define TAIL UINT32_MAX		/* its last flit has arrived */

typedef struct channel {
	uint32_t owner;	      /* a message, or NOBODY */
	uint32_t first, last; /* of those that are blocked, or NOBODY */
} channel_t;

typedef struct message {
	contend_run_t *run;
	uint32_t *route; /* [longest] channels, owned */
	uint32_t flits;
	uint32_t hops;	 /* length of the route */
	uint32_t taken;	 /* how many of its channels the header has taken */
	uint32_t next;	 /* of those blocked at a channel, or of unused ones */
	int64_t blocked; /* since when */
} message_t;

struct wormhole {
	torus_geometry_t geometry;
	uint32_t per_router;
	uint32_t flits;
	uint32_t longest;   /* no route has more channels */
	channel_t *channel; /* [cells * dims * 4]: by direction and whether the second */
	message_t *message; /* [messages] */
	uint32_t messages, unused;
	torus_agenda_t agenda;
	int64_t now;
	contend_ends_t ends;
	bool failed; /* out of memory */
};

wormhole_t *wormhole_create(const torus_geometry_t *geometry, uint32_t per_router,
			    uint32_t flits, torus_error_t *err)
{
	wormhole_t *network = calloc(1, sizeof(*network));
	uint32_t channels = 4 * torus_geometry_cells(geometry) * (uint32_t)geometry->dims;

	if (network)
		network->channel = calloc(channels, sizeof(channel_t));
	if (!network || !network->channel) {
		free(network);
		torus_fail(err, "out of memory");
		return NULL;
	}
	network->geometry = *geometry;
	network->per_router = per_router;
	network->flits = flits;
	network->unused = NOBODY;
	network->longest = contend_longest_route(geometry);
	for (uint32_t i = 0; i < channels; i++)
		network->channel[i] = (channel_t){NOBODY, NOBODY, NOBODY};
	return network;
}

void wormhole_destroy(wormhole_t *network)
{
	if (!network)
		return;
	for (uint32_t i = 0; i < network->messages; i++)
		free(network->message[i].route);
	free(network->message);
	free(network->channel);
	torus_agenda_clear(&network->agenda);
	free(network);
}

int64_t wormhole_now(const wormhole_t *network)
{
	return network->now;
}

static void at(wormhole_t *network, int64_t time, uint32_t message, uint32_t what)
{
	const torus_agenda_entry_t entry = {time, message, what};

	if (torus_agenda_add(&network->agenda, &entry))
		network->failed = true;
}

static uint32_t cell_of(const wormhole_t *network, const contend_job_t *job,
			uint32_t rank)
{
	return job->node[rank] / network->per_router;
}

/* --- messages ----------------------------------------------------------- */

/* A message that is not in use; NOBODY: out of memory. */
static uint32_t new_message(wormhole_t *network)
{
	uint32_t message = network->unused;
	message_t *more;

	if (message != NOBODY) {
		network->unused = network->message[message].next;
		return message;
	}
	more = reallocarray(network->message, network->messages + 1, sizeof(*more));
	if (!more)
		return NOBODY;
	network->message = more;
	more[network->messages].route = calloc(network->longest + 1, sizeof(uint32_t));
	if (!more[network->messages].route)
		return NOBODY;
	return network->messages++;
}

/* How long a message is: contend_job_flits(). */
static uint32_t flits_of(const wormhole_t *network, const contend_job_t *job,
			 uint64_t step, const contend_pattern_t *pattern, uint32_t rank,
			 uint32_t lane)
{
	return contend_job_flits(job, step, (uint64_t)rank * pattern->kind->lanes + lane,
				 network->flits);
}

/* contend_send_t */
static void send(void *context, contend_run_t *run, uint32_t from, uint32_t lane,
		 uint32_t to)
{
	wormhole_t *network = context;
	const contend_job_t *job = run->job;
	uint32_t number = new_message(network);
	message_t *message;

	if (number == NOBODY) {
		network->failed = true;
		return;
	}
	message = &network->message[number];
	message->run = run;
	message->taken = 0;
	message->flits = flits_of(network, job, run->steps, &job->pattern[run->pattern],
				  from, lane);
	message->hops = contend_route(&network->geometry, cell_of(network, job, from),
				      cell_of(network, job, to), false, message->route);
	if (message->hops)
		at(network, network->now, number, HEADER);
	else
		at(network, network->now + message->flits * CYCLE, number, TAIL);
}

static void release(wormhole_t *network, uint32_t channel);

/*
 * The header takes the next channel of its route, which is free. The last flit follows
 * the first: over the whole route, or as far as the worm is long.
 */
static void take(wormhole_t *network, uint32_t number)
{
	message_t *message = &network->message[number];
	uint32_t index = message->taken++, flits = message->flits, left;

	network->channel[message->route[index]].owner = number;
	if (message->taken < message->hops) {
		at(network, network->now + CYCLE, number, HEADER);
		if (index >= flits)
			release(network, message->route[index - flits]);
		return;
	}
	/* The last channel is left to tail_comes(). */
	for (uint32_t i = index >= flits ? index - flits : 0; i < index; i++) {
		left = flits - (index - i);
		at(network, network->now + left * CYCLE, number, i);
	}
	at(network, network->now + flits * CYCLE, number, TAIL);
}

static void release(wormhole_t *network, uint32_t number)
{
	channel_t *channel = &network->channel[number];
	uint32_t first = channel->first;
	message_t *message;

	channel->owner = NOBODY;
	if (first == NOBODY)
		return;
	message = &network->message[first];
	channel->first = message->next;
	message->run->waited += (double)(network->now - message->blocked) / CYCLE;
	take(network, first);
}

static void header_comes(wormhole_t *network, uint32_t number)
{
	message_t *message = &network->message[number];
	channel_t *channel = &network->channel[message->route[message->taken]];

	if (channel->owner == NOBODY) {
		take(network, number);
		return;
	}
	message->blocked = network->now;
	message->next = NOBODY;
	if (channel->first == NOBODY)
		channel->first = number;
	else
		network->message[channel->last].next = number;
	channel->last = number;
}

/* --- jobs --------------------------------------------------------------- */

/* All messages of the run's step have arrived, or it starts. */
static void go_on(wormhole_t *network, contend_run_t *run)
{
	if (!contend_run_begin_step(run, send, network))
		contend_run_end(run, (double)network->now / CYCLE, &network->ends);
}

static void tail_comes(wormhole_t *network, uint32_t number)
{
	message_t *message = &network->message[number];
	contend_run_t *run = message->run;

	if (message->hops)
		release(network, message->route[message->hops - 1]);
	message->next = network->unused;
	network->unused = number;
	if (!--run->alive)
		go_on(network, run);
}

contend_run_t *wormhole_start(wormhole_t *network, const contend_job_t *job,
			      torus_error_t *err)
{
	contend_run_t *run = calloc(1, sizeof(*run));

	if (run) {
		run->job = job;
		run->start = (double)network->now / CYCLE;
		go_on(network, run);
	}
	if (run && !network->failed)
		return run;
	free(run);
	torus_fail(err, "out of memory");
	return NULL;
}

int wormhole_next_end(wormhole_t *network, int64_t until, contend_run_t **run,
		      torus_error_t *err)
{
	while (!network->ends.first && network->agenda.count &&
	       network->agenda.entry[0].time <= until) {
		torus_agenda_entry_t entry = torus_agenda_take(&network->agenda);

		network->now = entry.time;
		if (entry.run == HEADER)
			header_comes(network, entry.job);
		else if (entry.run == TAIL)
			tail_comes(network, entry.job);
		else
			release(network, network->message[entry.job].route[entry.run]);
		if (network->failed)
			return torus_fail(err, "out of memory");
	}
	*run = contend_ends_take(&network->ends);
	if (*run)
		return 1;
	if (until != INT64_MAX && until > network->now)
		network->now = until;
	return 0;
}

/* Cycles of the [done]th step of a job, which is [step] of a round of [pattern]. */
static uint32_t step_cycles(const wormhole_t *network, const contend_job_t *job,
			    const contend_pattern_t *pattern, uint32_t step,
			    uint64_t done)
{
	uint32_t longest = 0;

	for (uint32_t rank = 0; rank < pattern->senders; rank++) {
		for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++) {
			uint32_t to = contend_pattern_target(pattern, step, rank, lane);
			uint32_t cycles, hops;

			if (to == CONTEND_NOBODY)
				continue;
			cycles = flits_of(network, job, done, pattern, rank, lane);
			hops = torus_hops_cells(&network->geometry,
						cell_of(network, job, rank),
						cell_of(network, job, to));
			cycles += hops ? hops - 1 : 0;
			longest = cycles > longest ? cycles : longest;
		}
	}
	return longest;
}

/* Cycles of a round that begins with the [done]th step, or of what the job has of it. */
static double round_cycles(const wormhole_t *network, const contend_job_t *job,
			   uint64_t done)
{
	double cycles = 0;

	for (int i = 0; i < job->patterns; i++) {
		for (uint32_t step = 0; step < job->pattern[i].steps; step++) {
			if (job->steps && done == job->steps)
				return cycles;
			cycles +=
				step_cycles(network, job, &job->pattern[i], step, done++);
		}
	}
	return cycles;
}

double wormhole_undisturbed(const wormhole_t *network, const contend_job_t *job)
{
	uint64_t steps = contend_job_steps(job);
	double cycles = 0;

	if (!job->sizes && !job->steps)
		return job->rounds * round_cycles(network, job, 0);
	for (uint32_t round = 0; round < job->rounds; round++)
		cycles += round_cycles(network, job, round * steps);
	return cycles;
}
