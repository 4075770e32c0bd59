/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is tried for a job, in which order, and what becomes of it: the ladder that both
 * plugins climb. Knows no Slurm: what a plugin can find out, and how it says so, is a
 * source.
 *
 * A *strict* job (a shape, --contiguous, segments) gets such a place or none: now, then
 * at the cost of jobs that may be preempted, then at the ends of running jobs. Where
 * there is none it waits, or is refused for ever if there never is one. A job with a wish
 * (machine/patience.h) gets what it wishes, and while its patience lasts waits for it
 * although it could run; after that it is an ordinary job, whose place is the source's.
 */
#ifndef TORUS_DECIDE_JOB_H
#define TORUS_DECIDE_JOB_H

#include "decide/decide.h"
#include "machine/network_option.h"

/* What is asked about a job. */
typedef enum torus_asked {
	TORUS_ASKED_EVER,  /* could it run if all nodes were free? */
	TORUS_ASKED_START, /* now */
	TORUS_ASKED_PLAN,  /* now, or at the end of some running jobs */
	TORUS_ASKED_ONCE,  /* at one time, which only the asker knows: it asks again */
} torus_asked_t;

typedef struct torus_job {
	torus_asked_t asked;
	bool at_once; /* planned: it has to start now */
	torus_network_request_t network;
	bool contiguous;  /* only one interval of the curve will do */
	uint32_t segment; /* only segments of so many nodes will do; 0: anything */
	bool gave_up;	  /* its patience is over: any nodes will do */
	/* With a wish: */
	bool lasts;	 /* its patience does */
	bool has_waited; /* already, when it was last asked about */
} torus_job_t;

/* Whether only such a place will do. */
static inline bool torus_job_is_strict(const torus_job_t *job)
{
	return job->segment ||
	       (!job->gave_up && (job->network.has_shape || job->contiguous));
}

/*
 * Whether a job that may have [min_nodes] to [max_nodes] asks for a box of certain sides
 * and need not say how many nodes that is: without the box it gets as many.
 */
static inline bool torus_job_counts_as_box(const torus_job_t *job, uint32_t min_nodes,
					   uint32_t max_nodes)
{
	return job->network.shapes.count && min_nodes != max_nodes;
}

/* What a job that is not placed waits for. */
typedef enum torus_waits_for {
	TORUS_WAITS_FOR_NODES,
	TORUS_WAITS_FOR_PLACE,
	TORUS_WAITS_FOR_SEGMENTS,
} torus_waits_for_t;

static inline torus_waits_for_t torus_job_waits_for(const torus_job_t *job, bool wishes)
{
	if (job->segment && !job->network.has_shape)
		return TORUS_WAITS_FOR_SEGMENTS;
	return wishes || torus_job_is_strict(job) ? TORUS_WAITS_FOR_PLACE
						  : TORUS_WAITS_FOR_NODES;
}

/* When the nodes among which a place is looked for are free. */
typedef enum torus_at {
	TORUS_AT_NOW,	     /* or at the one time that is asked about */
	TORUS_AT_PREEMPTING, /* now, when the jobs that may be preempted are gone */
	TORUS_AT_TIME,	     /* at the end of a running job */
	TORUS_AT_LAST,	     /* when nothing runs, or as late as a plan may be */
} torus_at_t;

/* Why a strict job never has a place. */
typedef enum torus_never {
	TORUS_NEVER_NOT, /* it may have one */
	TORUS_NEVER_BOX,
	TORUS_NEVER_BOX_IN_SEGMENTS, /* there are boxes, but none can be cut into them */
	TORUS_NEVER_INTERVAL,
	TORUS_NEVER_SEGMENTS,
	TORUS_NEVER_HAS, /* no such place has what else the job needs */
} torus_never_t;

/* Answers, here and of the functions of a source: these, or why it is refused for ever,
 * in the source's own numbers. */
enum { TORUS_JOB_PLACED = 0, TORUS_JOB_WAITS = -1 };

/* What is known of the state of the machine, and who verifies a place. The functions are
 * asked only for what is in brackets; others may be NULL. */
typedef struct torus_job_source {
	void *context; /* handed to each function */
	/*
	 * [strict] Find a place among the nodes that are free [at] that time, with
	 * TORUS_AT_TIME [when], and have it verified: torus_decide().
	 */
	torus_outcome_t (*find)(void *context, torus_at_t at, int64_t when);
	/*
	 * [strict, planned] The first end of a running job at which there is a place, not
	 * verified, among the nodes that are left; 0: there is none. After refusals:
	 * whether nodes had to go because they are accepted in no place.
	 */
	int64_t (*next_time)(void *context);
	bool (*narrow)(void *context);
	/* [strict, once] Whether the last find() was one among all nodes, as if all were
	 * free: an answer for ever. */
	bool (*was_ever)(void *context);
	/* [strict, ever or once] Whether there may be a place on the nodes that the job
	 * may have, whoever uses them and whatever they have; [whole]: also one that
	 * cannot be cut into its segments. */
	bool (*is_possible)(void *context, bool whole);
	/* [strict, ever or once] Whether nodes may come to places where there are none,
	 * so that it may have one: then nothing is refused for ever. */
	bool (*may_come)(void *context);
	/* [strict, ever or once] Say why it is refused; what to answer. */
	int (*refuse)(void *context, torus_never_t why);
	/* [strict, ever or once] A place was not tried that may do, or may come: have the
	 * verifier choose of all nodes, and answer. */
	int (*leave)(void *context);
	/* [strict, once; may be NULL] The same where it is not known whether the answer is
	 * for now or for ever: it is to mean that the job could run some day, and does not
	 * start now. NULL: it waits. */
	int (*postpone)(void *context);
	/*
	 * [wish] Of the job as one that wishes nothing: place it; or only look whether it
	 * could be placed (TORUS_JOB_PLACED); and, if it could, take what was seen.
	 */
	int (*ordinary)(void *context);
	int (*look)(void *context);
	int (*take)(void *context);
	/* [wish] It could be placed, as look() has seen: whether it waits nevertheless.
	 * What it would get may be as good as what it wishes. */
	bool (*waits)(void *context);
	/* [wish, to be started] It goes on to wait; what to answer. */
	int (*wait_on)(void *context);
	/* [wish, planned] It waits: plan what it wishes, or what look() has seen for the
	 * end of its patience. */
	int (*plan_wish)(void *context);
} torus_job_source_t;

/*
 * Decide for a strict job; [now_only]: among the nodes that are free now, although more
 * is asked. With TORUS_JOB_PLACED find() or leave() was the last that was called, and has
 * the place.
 */
int torus_job_strictly(const torus_job_t *job, const torus_job_source_t *source,
		       bool now_only);

/*
 * Decide for a job with a wish: a strict one, or for which find() looks for a near place;
 * where a source cannot look for one, find() answers TORUS_UNDECIDED. With
 * TORUS_JOB_PLACED the last function called has the place.
 */
int torus_job_patiently(const torus_job_t *job, const torus_job_source_t *source);

/* Why a strict job for which no place was found never has one. */
torus_never_t torus_job_never(const torus_job_t *job, const torus_job_source_t *source);

/*
 * How a place of [nodes] nodes is put to the verifier, which may be asked for all of it
 * by name, and for at least as many nodes ([all]). The job is asked about as it is, with
 * its own least number of nodes: with another it would need other processors and GRES.
 * The verifier may then take a part of the place, or, where nodes have different numbers
 * of processors, give up on a set all of which it would take for a job that names these
 * nodes. Only if it would not take all of it, because the tasks need less, it is asked
 * for as many, as Slurm itself does for nodes that a job names.
 *
 * The verifier gives no node to a job with fewer [tasks] than nodes beyond its tasks and
 * its own least number: then only the latter is tried.
 *
 * Where the ways are [alike] the last of them comes first: a verifier that knows that it
 * must have all of these nodes need not find out when it could have some.
 */
typedef struct torus_job_place {
	uint32_t nodes, min_nodes;
	bool by_name;	/* it matters which nodes these are */
	bool whole;	/* all of them have to be taken */
	uint32_t tasks; /* of the job; 0: it does not say */
	bool alike; /* each way of asking has the same answer, but for the time that the
		     * verifier needs for it */
} torus_job_place_t;

bool torus_job_verify(const torus_job_place_t *place,
		      bool (*verify)(void *context, bool by_name, bool all),
		      void *context);

/*
 * The torus on which an ordinary job, which has to stay within one of [tori], is placed:
 * the first on which [place] says that it is, or ([plans]) the one with the earliest
 * *start; -1: none.
 */
int torus_job_torus(int tori, bool plans,
		    bool (*place)(void *context, int t, int64_t *start), void *context);

#endif
