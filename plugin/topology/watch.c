/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following the running jobs: see topology/watch.h. */
#include "topology/watch.h"

#include <stdlib.h>

#include "base/monotonic.h"
#include "base/paced_thread.h"
#include "slurm/choose.h"
#include "slurm/comment.h"
#include "slurm/lock_order.h"
#include "slurm/record.h"

/*
 * How often the thread looks whether slurmctld has noted a change, and how many times
 * longer than a look keeps them locked it leaves the jobs alone: 2% at most. Until it has
 * the lock nobody waits for it, however long that takes on a busy controller; and it
 * takes no other lock of slurmctld's, for which it would have to wait while it has that
 * one.
 */
#define PAUSE_NS 100000000
#define PAUSE_RATIO 50

/* One running job with nodes on a torus. */
typedef struct watched_job {
	uint32_t job_id;
	bitstr_t *nodes;
	int parts;
	watched_part_t *part; /* [parts] */
} watched_job_t;

static struct {
	ordered_lock_t lock; /* of the jobs */
	bool anew;	     /* nothing is known of any job */
	int count;
	watched_job_t *job; /* [count] by ascending id */
} watched = {.lock = ORDERED_LOCK(LOCK_WATCHED), .anew = true};

static void forget_job(watched_job_t *job)
{
	for (int i = 0; i < job->parts; i++) {
		xfree(job->part[i].torus);
		xfree(job->part[i].nodes);
		xfree(job->part[i].token);
	}
	xfree(job->part);
	FREE_NULL_BITMAP(job->nodes);
}

static void forget_jobs(watched_job_t *jobs, int count)
{
	for (int i = 0; i < count; i++)
		forget_job(&jobs[i]);
	xfree(jobs);
}

/* The hostlist of the ranks of a torus that are a job's. */
static char *part_nodes(const joined_torus_t *torus, uint32_t count)
{
	bitstr_t *nodes = bit_alloc(node_record_count);
	char *names;

	for (uint32_t i = 0; i < count; i++)
		bit_set(nodes, torus->node_of_rank[torus->chosen[i]]);
	names = bitmap2node_name(nodes);
	bit_free(nodes);
	return names;
}

static watched_job_t describe_job(tori_t *tori, const job_record_t *job)
{
	watched_job_t described = {
		.job_id = job->job_id,
		.nodes = bit_copy(job->node_bitmap),
		.part = xcalloc((size_t)tori->count, sizeof(*described.part)),
	};
	uint32_t counts[tori->count];

	choose_ranks_of(tori, job->node_bitmap, counts);
	for (int t = 0; t < tori->count; t++) {
		const joined_torus_t *torus = &tori->torus[t];
		char *token = counts[t] ? comment_token(tori, job, counts, t) : NULL;

		if (!token)
			continue;
		described.part[described.parts++] = (watched_part_t){
			.torus = xstrdup(torus->map->name),
			.nodes = part_nodes(torus, counts[t]),
			.token = xstrdup(token),
		};
		free(token);
	}
	return described;
}

static int compare_jobs(const void *a, const void *b)
{
	uint32_t left = ((const watched_job_t *)a)->job_id;
	uint32_t right = ((const watched_job_t *)b)->job_id;

	return left < right ? -1 : left > right;
}

/* The entry of a job as it was at the last look; NULL: it is new, or has other nodes. */
static watched_job_t *known_job(const job_record_t *job)
{
	watched_job_t key = {.job_id = job->job_id}, *known = NULL;

	if (watched.count)
		known = bsearch(&key, watched.job, (size_t)watched.count,
				sizeof(*watched.job), compare_jobs);
	if (known && known->nodes &&
	    bit_size(known->nodes) == bit_size(job->node_bitmap) &&
	    bit_equal(known->nodes, job->node_bitmap))
		return known;
	return NULL;
}

/* What is left to do about the token of a job. */
typedef enum token_task {
	TOKEN_IS_RIGHT,
	TOKEN_IS_WRONG, /* or missing */
	TOKEN_IS_STALE, /* of a start that is over */
} token_task_t;

static token_task_t token_task(tori_t *tori, const job_record_t *job,
			       const watched_job_t *known)
{
	bool present = comment_present(job);

	if (IS_JOB_PENDING(job))
		return present ? TOKEN_IS_STALE : TOKEN_IS_RIGHT;
	/* Its nodes may be elsewhere by now, or gone. */
	if (present && !job_holds_nodes(job))
		return TOKEN_IS_RIGHT;
	/* The token of its start stays, though the map may be another since then; unless
	 * the job has been resized when nobody looked. */
	if (watched.anew)
		return comment_counts_right(tori, job) ? TOKEN_IS_RIGHT : TOKEN_IS_WRONG;
	if (known && (known->parts > 0) == present)
		return TOKEN_IS_RIGHT;
	return TOKEN_IS_WRONG;
}

/* Whether the job has had nodes and ended since the last look, perhaps unseen. */
static bool ended_since(const job_record_t *job, time_t since)
{
	return IS_JOB_FINISHED(job) && job->node_bitmap && job->end_time >= since;
}

static void mend_token(tori_t *tori, job_record_t *job, token_task_t task)
{
	if (task == TOKEN_IS_WRONG)
		comment_set(tori, job);
	else if (task == TOKEN_IS_STALE)
		comment_remove(job);
}

/*
 * Look through the jobs; the caller has locked them for writing. Entries of jobs that run
 * on are kept, the others made anew. [since]: of the last look.
 */
static void look_through(tori_t *tori, bool with_tokens, time_t since)
{
	watched_job_t *jobs = NULL;
	int count = 0, room = 0;
	slurm_list_iterator_t iterator = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(iterator))) {
		watched_job_t *known = NULL;

		if (!record_is_job(job) ||
		    (!IS_JOB_PENDING(job) && !job_holds_nodes(job) &&
		     !ended_since(job, since)))
			continue;
		if (!IS_JOB_PENDING(job))
			known = known_job(job);
		if (with_tokens)
			mend_token(tori, job, token_task(tori, job, known));
		if (!job_holds_nodes(job))
			continue;
		if (count == room) {
			room = room ? 2 * room : 64;
			xrecalloc(jobs, (size_t)room, sizeof(*jobs));
		}
		if (known) {
			jobs[count++] = *known;
			known->nodes = NULL; /* moved */
			known->part = NULL;
			known->parts = 0;
		} else {
			jobs[count++] = describe_job(tori, job);
		}
	}
	list_iterator_destroy(iterator);
	if (count)
		qsort(jobs, (size_t)count, sizeof(*jobs), compare_jobs);
	forget_jobs(watched.job, watched.count);
	watched.job = jobs;
	watched.count = count;
	watched.anew = false;
}

/*
 * Whether slurmctld is about to end. It frees its jobs after that, and gives up saving
 * its state if somebody has a lock of it; but first it waits for threads that are counted
 * as its own. A thread that is counted and still sees no end is therefore waited for.
 */
static bool begins_before_end(void)
{
	server_thread_incr();
	if (!slurmctld_config.shutdown_time)
		return true;
	server_thread_decr();
	return false;
}

static int64_t look_if_changed(void *unused);

static struct {
	torus_paced_thread_t thread;
	bool with_tokens;
	time_t looked; /* when it last did */
} watcher = {
	.thread = {.work = look_if_changed, .pause = PAUSE_NS, .ratio = PAUSE_RATIO}};

/* Whether slurmctld has noted a change of its jobs since the second [looked]. */
static bool have_changed(time_t looked)
{
	slurmctld_lock_t locks = {.job = READ_LOCK};
	bool changed;

	lock_slurmctld(locks);
	changed = last_job_update >= looked;
	unlock_slurmctld(locks);
	return changed;
}

/*
 * Look through the jobs, where there are any, and note the time in *looked, which has
 * that of the last look. Returns for how many nanoseconds that has kept the jobs locked.
 *
 * Of the nodes only slurmctld's table is read, see expect_node_table_locked().
 */
static int64_t look(bool with_tokens, time_t *looked)
{
	slurmctld_lock_t locks = {.job = WRITE_LOCK};
	time_t before = time(NULL);
	tori_t *tori;
	int64_t start;

	lock_slurmctld(locks);
	start = torus_monotonic_ns();
	tori = job_list ? topology_tori_lock() : NULL;
	if (tori) {
		lock_in_order(&watched.lock);
		look_through(tori, with_tokens, *looked);
		*looked = before;
		unlock_in_order(&watched.lock);
		topology_tori_unlock();
	}
	unlock_slurmctld(locks);
	return torus_monotonic_ns() - start;
}

/*
 * Look if something has changed. slurmctld notes changes by the second of the time of
 * day: look once more when the second is over. What was seen before the time was set back
 * is no measure any more.
 */
static int64_t look_if_changed(void *unused)
{
	time_t now = time(NULL);
	int64_t locked = 0;

	(void)unused;
	if (watcher.looked > now)
		watcher.looked = now;
	if (!begins_before_end())
		return 0;
	if (have_changed(watcher.looked))
		locked = look(watcher.with_tokens, &watcher.looked);
	server_thread_decr();
	return locked;
}

void topology_watch_start(bool with_tokens)
{
	int rc;

	if (watcher.thread.runs)
		return;
	watcher.with_tokens = with_tokens;
	watcher.looked = 0;
	rc = torus_paced_thread_start(&watcher.thread);
	if (rc)
		error("%s: no thread to follow the running jobs: %s", plugin_type,
		      strerror(rc));
}

void topology_watch_forget(void)
{
	lock_in_order(&watched.lock);
	forget_jobs(watched.job, watched.count);
	watched.job = NULL;
	watched.count = 0;
	watched.anew = true;
	unlock_in_order(&watched.lock);
}

void topology_watch_end(void)
{
	if (!watcher.thread.runs)
		return;
	torus_paced_thread_end(&watcher.thread);
	topology_watch_forget();
}

void topology_watch_each(void (*see)(void *context, uint32_t job_id,
				     const watched_part_t *part),
			 void *context)
{
	lock_in_order(&watched.lock);
	for (int i = 0; i < watched.count; i++) {
		const watched_job_t *job = &watched.job[i];

		for (int k = 0; k < job->parts; k++)
			see(context, job->job_id, &job->part[k]);
	}
	unlock_in_order(&watched.lock);
}
