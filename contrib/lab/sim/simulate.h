/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator: replays a workload on a machine, event by event, and measures what each
 * job gets. machine/cluster_place.h chooses the nodes, as in the Slurm plugins.
 *
 * Rules that hold under every scheduler:
 *
 * - A job of n nodes needs a torus with n free nodes. A job that is larger than every
 *   torus is spread over several. A job with a shape needs a free box.
 * - A job may find enough free nodes but no place: it has a shape, or the strategy
 *   demands a box. It waits, and that counts as a failure by external fragmentation.
 * - A job that does not fit on the empty machine is skipped and counted.
 * - A job with a wish (sim/wish.h) that finds nodes, but not those that it wishes for,
 *   waits until its patience ends. Of a wish for shapes it has those of which there is a
 *   box of exactly its nodes on the empty machine; without one, and nearness, it has no
 *   wish. A job that asks for a box itself has none either, nor has a loose one.
 * - A job that needs segments (config.segment) waits for them as for a shape. One that is
 *   larger than every torus needs none.
 * - A job that runs on a node when it fails is lost. It waits again, in its old place in
 *   the queue, and runs from its beginning. Schedulers do not know of an outage before
 *   it begins; from then on they know its end.
 * - With advice (config.advise), when the first job in the queue asks for a box and has
 *   waited for config.advise_after, enough nodes are free, and no box is: the jobs of the
 *   box with the fewest of them (capacity/holders.h), if all may be preempted, are lost
 *   and wait again, as above, and the job starts. Jobs that ask for a box stay.
 * - Jobs submitted at the same time stand in the queue in the workload's order.
 * - At one point in time, first jobs end and nodes return, then nodes fail, then jobs are
 *   submitted, then the scheduler decides. A job that ends at the time at which it
 *   starts makes all of this happen again at that time.
 * - With a runner (sim/runner.h) a job ends when the runner says so. Schedulers that plan
 *   with run times cannot be had then.
 * - An estimate of 0 counts as a microsecond in the schedulers' plans.
 */
#ifndef TORUS_SIM_SIMULATE_H
#define TORUS_SIM_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/map.h"
#include "measures/isolation.h"
#include "metrics/metrics.h"
#include "sim/outages.h"
#include "sim/runner.h"
#include "sim/scheduler.h"
#include "sim/skipped.h"
#include "sim/slowdown.h"
#include "sim/summary.h"
#include "sim/wish.h"
#include "sim/workload.h"
#include "torus/segments.h"

/* How often cplant looks at its queue, unless told: PBS's default. */
#define TORUS_CPLANT_PERIOD (600 * TORUS_SECOND)

/* The most jobs that can be simulated, and about how much memory each needs. */
#define TORUS_SIM_MOST_JOBS INT64_C(2147483646)
#define TORUS_SIM_BYTES_A_JOB UINT64_C(512)

struct torus_sim_record;
struct torus_sim_run;

/* All that is not given ({0}) is off, fcfs, or as said. Everything is borrowed. */
typedef struct torus_sim_config {
	const torus_map_t *const *map; /* [tori] with their allocators and span rules */
	int tori;
	torus_scheduler_t scheduler;
	int64_t period; /* of cplant, above 0; 0: TORUS_CPLANT_PERIOD */
	torus_slowdown_t slowdown;
	const torus_outages_t *outages; /* or NULL */
	size_t warmup; /* leave the first jobs submitted out of the summary */
	uint64_t seed; /* of strategies that choose at random */
	bool forget;   /* keep neither records nor runs: the result has none */
	bool spreads;  /* jobs need not wait until one of several tori holds them */
	torus_sim_wish_t wish; /* of the jobs that say so */
	uint32_t segment; /* jobs of a multiple of so many nodes, more than one of these,
			   * need segments of so many (place/segments.h); 0: none does */
	torus_segments_where_t segments; /* where these may be, on machines of cubes */
	bool isolation;	      /* measure how much the jobs disturb each other */
	bool advise;	      /* of fcfs and easy: requeue jobs for boxes, see above */
	int64_t advise_after; /* microseconds since its submission */
	/* Of one torus, fcfs, cplant and greedy, without slowdown and outages; or NULL */
	const torus_sim_runner_t *runner;
	/* Called now and then unless NULL: [done] of [total] jobs have ended. */
	void (*progress)(uint64_t done, uint64_t total, void *context);
	/*
	 * Called unless NULL for each job that ran, in the workload's order, as soon as
	 * it and all before it have ended, with run[0 .. record->runs-1]. Returns 0, or
	 * -1 with [err] filled, which ends the simulation.
	 */
	int (*ended)(const struct torus_sim_record *record,
		     const struct torus_sim_run *run, void *context, torus_error_t *err);
	void *context;
} torus_sim_config_t;

/* Ranks first, first+1, ... first+count-1 of a torus. */
typedef struct torus_sim_run {
	int torus;
	uint32_t first, count;
} torus_sim_run_t;

/* One job, or one run of it that was lost. */
typedef struct torus_sim_record {
	size_t job; /* number in the workload's job[] */
	int64_t start, end;
	uint32_t nodes; /* that it had; more than asked for if a shape says routers */
	int torus;	/* number, or TORUS_SPREAD */
	bool wished;	/* it had a wish, and two nodes or more */
	bool met;	/* it got what it wished for */
	int64_t could;	/* when its patience began; .start without a wish */
	size_t first_run, runs;	 /* of result->run[]: its ranks, as torus_place() orders
				  * them, torus after torus */
	torus_metrics_t metrics; /* all 0 if spread */
	/* Against the jobs that run when it starts; all 0 unless asked for, or spread */
	torus_isolation_t isolation;
} torus_sim_record_t;

typedef struct torus_sim_result {
	torus_sim_record_t *record; /* [count] the jobs that ran, in the workload's order;
				     * NULL with config.forget */
	size_t count;
	torus_sim_record_t *lost; /* [lost_count] runs that an outage or advice ended, in
				   * order of their ends */
	size_t lost_count;
	torus_sim_run_t *run;
	size_t runs;
	torus_skipped_t skipped; /* the workload's, and those larger than the machine */
	torus_summary_t summary;
} torus_sim_result_t;

/*
 * Replay the sorted [workload] as [config] says. Returns 0, and then [result] is to be
 * cleared by the caller; or -1 with [err] filled, [result] empty: memory; times that add
 * up to more than 2^63 microseconds.
 *
 * The same input gives the same result with every compiler. Time is that of the decisions
 * and metrics, plus for each event O(log jobs + words of the free bitmaps + runs), and
 * for easy and conservative O(running jobs); conservative, when a job ends before its
 * estimate, O(waiting jobs * (running and waiting jobs)).
 */
int torus_simulate(const torus_workload_t *workload, const torus_sim_config_t *config,
		   torus_sim_result_t *result, torus_error_t *err);

/* Free what *result holds. It is empty then. */
void torus_sim_result_clear(torus_sim_result_t *result);

#endif
