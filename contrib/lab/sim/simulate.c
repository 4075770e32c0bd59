/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulation from its beginning to its end: see simulate.h. */
#include "sim/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/random.h"
#include "sim/engine.h"

static const torus_scheduler_rule_t *const rules[] = {
	[TORUS_FCFS] = &torus_rule_fcfs,
	[TORUS_EASY] = &torus_rule_easy,
	[TORUS_CONSERVATIVE] = &torus_rule_conservative,
	[TORUS_CPLANT] = &torus_rule_cplant,
	[TORUS_GREEDY] = &torus_rule_greedy,
	[TORUS_RECORDED] = &torus_rule_recorded,
};

static int64_t ready_time(const torus_sim_t *sim, uint32_t job)
{
	return sim->rule->ready ? sim->rule->ready(sim, job)
				: torus_sim_job(sim, job)->submit;
}

/* Numbers to sort jobs by. */
typedef struct sort_key {
	int64_t number[2];
	uint32_t job;
} sort_key_t;

static int compare_keys(const void *a, const void *b)
{
	const sort_key_t *first = a, *second = b;

	for (int i = 0; i < 2; i++) {
		if (first->number[i] != second->number[i])
			return first->number[i] < second->number[i] ? -1 : 1;
	}
	return first->job < second->job ? -1 : 1;
}

/* Sort, unless they are sorted, as most workloads are. */
static void sort_keys(sort_key_t *key, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (compare_keys(&key[i - 1], &key[i]) > 0) {
			qsort(key, count, sizeof(*key), compare_keys);
			return;
		}
	}
}

/* Put the jobs to be replayed, which sim->arrival holds, into order. */
static int sort_jobs(torus_sim_t *sim)
{
	sort_key_t *key = calloc(sim->arrivals, sizeof(*key));

	if (!key)
		return torus_sim_no_memory(sim);
	for (uint32_t i = 0; i < sim->arrivals; i++) {
		key[i].job = sim->arrival[i];
		if (sim->rule->key)
			sim->rule->key(sim, key[i].job, key[i].number);
	}
	sort_keys(key, sim->arrivals);
	for (uint32_t i = 0; i < sim->arrivals; i++) {
		sim->job_at[i] = key[i].job;
		sim->state[key[i].job].place = i;
	}
	for (uint32_t i = 0; i < sim->arrivals; i++) {
		key[i].job = sim->arrival[i];
		key[i].number[0] = ready_time(sim, key[i].job);
		key[i].number[1] = 0;
	}
	sort_keys(key, sim->arrivals);
	for (uint32_t i = 0; i < sim->arrivals; i++)
		sim->arrival[i] = key[i].job;
	free(key);
	return 0;
}

/*
 * Find how many nodes the job needs (0: it does not fit) and on which tori it may be, by
 * trying each when it is empty: where the number of nodes alone does not tell. Returns 0,
 * or -1 with sim->err filled.
 */
static int find_fit(torus_sim_t *sim, torus_job_need_t *need, torus_fit_t *fit)
{
	const uint64_t *among[TORUS_MAX_TORI] = {NULL};

	fit->on = calloc((size_t)sim->pool->tori, sizeof(*fit->on));
	if (!fit->on)
		return torus_sim_no_memory(sim);
	for (int t = 0; t < sim->pool->tori; t++) {
		int placed;

		among[t] = sim->pool->free[t];
		placed = torus_pool_place(sim->pool, need, among, sim->err);
		among[t] = NULL;
		if (placed < 0)
			return -1;
		fit->on[t] = placed;
		if (placed && sim->pool->placement.nodes > fit->nodes)
			fit->nodes = sim->pool->placement.nodes;
	}
	return 0;
}

/* The same, once for each kind of job. */
static int find_need(torus_sim_t *sim, torus_job_need_t *need)
{
	torus_fit_t fit = {.asked = need->nodes};
	torus_fit_t *more;
	size_t i = 0;

	if (need->shape)
		fit.shape = *need->shape;
	while (i < sim->fits &&
	       (sim->fit[i].asked != fit.asked ||
		memcmp(&sim->fit[i].shape, &fit.shape, sizeof(fit.shape)) != 0))
		i++;
	if (i == sim->fits) {
		more = reallocarray(sim->fit, sim->fits + 1, sizeof(fit));
		if (!more)
			return torus_sim_no_memory(sim);
		sim->fit = more;
		if (find_fit(sim, need, &fit) != 0) {
			free(fit.on);
			return -1;
		}
		sim->fit[sim->fits++] = fit;
	}
	need->nodes = sim->fit[i].nodes;
	need->on = sim->fit[i].on;
	return 0;
}

/*
 * Leave of the wish's shapes those of which the empty machine has a box of exactly the
 * job's nodes. Returns 0, or -1 with sim->err filled.
 */
static int keep_shapes(torus_sim_t *sim, const torus_job_need_t *need,
		       torus_kind_wish_t *own)
{
	torus_shapes_t asked = own->wish.shapes;
	const torus_shapes_t none = {.closed = asked.closed};
	torus_shapes_t one = asked;
	torus_job_need_t alone = *need;

	alone.wish = &own->wish;
	own->wish.shapes = none;
	for (int i = 0; i < (asked.any ? 1 : asked.count); i++) {
		torus_shapes_t kept = own->wish.shapes;
		int placed;

		one.count = asked.any ? 0 : 1;
		one.shape[0] = asked.shape[i];
		own->wish.shapes = one;
		placed = torus_pool_place_box(sim->pool, &alone, NULL, sim->err);
		if (placed < 0)
			return -1;
		if (placed && asked.any)
			kept.any = true;
		else if (placed)
			kept.shape[kept.count++] = asked.shape[i];
		own->wish.shapes = kept;
	}
	return 0;
}

/* Give the job the wish of all jobs of as many nodes. */
static int find_wish(torus_sim_t *sim, torus_job_need_t *need)
{
	torus_kind_wish_t **more, *own;
	size_t i = 0;

	while (i < sim->wishes && sim->wish[i]->nodes != need->nodes)
		i++;
	if (i == sim->wishes) {
		more = reallocarray(sim->wish, i + 1, sizeof(torus_kind_wish_t *));
		if (!more)
			return torus_sim_no_memory(sim);
		sim->wish = more;
		own = malloc(sizeof(*own));
		if (!own)
			return torus_sim_no_memory(sim);
		*own = (torus_kind_wish_t){need->nodes, sim->config->wish};
		sim->wish[sim->wishes++] = own;
		if (keep_shapes(sim, need, own) != 0)
			return -1;
	}
	if (torus_sim_wish_asked(&sim->wish[i]->wish))
		need->wish = &sim->wish[i]->wish;
	return 0;
}

/* The segment of a job, as far as its need is known. */
static uint32_t segment_of(const torus_sim_t *sim, const torus_job_need_t *need)
{
	uint32_t segment = sim->config->segment;

	return segment && !need->shape && !need->spread && need->nodes > segment &&
			       need->nodes % segment == 0
		       ? segment
		       : 0;
}

/*
 * Find the jobs that fit on the machine; the others are skipped. Each job has a seed of
 * its own, so that strategies choose alike for it whenever they are asked.
 */
static int admit(torus_sim_t *sim)
{
	uint64_t seeds = sim->config->seed;
	int result = 0;

	for (uint32_t job = 0; !result && job < sim->workload->count; job++) {
		const torus_sim_job_t *of_log = torus_sim_job(sim, job);
		torus_job_need_t *need = &sim->state[job].need;

		sim->state[job].estimate = of_log->estimate > 0 ? of_log->estimate : 1;
		need->nodes = of_log->nodes;
		need->shape = of_log->has_shape ? &of_log->shape : NULL;
		need->spread = !need->shape &&
			       (need->nodes > sim->pool->largest || sim->pool->spreads);
		need->isolated = of_log->isolated;
		need->loose = of_log->loose;
		need->segment = segment_of(sim, need);
		need->segments = sim->config->segments;
		need->seed = torus_random_next(&seeds);
		if (torus_job_is_strict(need) || (sim->pool->strict && !need->spread))
			result = find_need(sim, need);
		if (!result && of_log->wishes && !need->shape && !need->loose &&
		    need->nodes && need->nodes <= sim->pool->nodes &&
		    torus_sim_wish_asked(&sim->config->wish))
			result = find_wish(sim, need);
		if (!need->nodes || need->nodes > sim->pool->nodes)
			torus_skip(&sim->result->skipped, TORUS_SKIP_LARGER,
				   of_log->line);
		else
			sim->arrival[sim->arrivals++] = job;
		sim->state[job].over = !need->nodes || need->nodes > sim->pool->nodes;
	}
	return result;
}

static uint64_t **create_bitmaps(const torus_pool_t *pool)
{
	uint64_t **bitmap = calloc((size_t)pool->tori, sizeof(*bitmap));

	for (int t = 0; bitmap && t < pool->tori; t++) {
		bitmap[t] = torus_bitmap_create(pool->map[t]->nodes);
		if (!bitmap[t]) {
			while (t--)
				free(bitmap[t]);
			free(bitmap);
			return NULL;
		}
	}
	return bitmap;
}

static void close_simulation(torus_sim_t *sim)
{
	/* Also of a job that was not quite started when memory ran out. */
	for (size_t job = 0; sim->state && job < sim->workload->count; job++)
		free(sim->state[job].run);
	for (int t = 0; sim->spare && t < sim->pool->tori; t++)
		free(sim->spare[t]);
	for (size_t i = 0; i < sim->fits; i++)
		free(sim->fit[i].on);
	for (size_t i = 0; i < sim->wishes; i++)
		free(sim->wish[i]);
	free(sim->wish);
	free(sim->fit);
	free(sim->spare);
	free(sim->extra);
	free(sim->counts);
	free(sim->running);
	free(sim->arrival);
	free(sim->job_at);
	free(sim->state);
	torus_records_close(&sim->records);
	torus_agenda_clear(&sim->agenda);
	torus_agenda_clear(&sim->down);
	torus_agenda_clear(&sim->patience);
	torus_ideal_destroy(sim->ideal);
	torus_occupants_destroy(sim->occupants);
	torus_gainers_destroy(sim->gainers);
	torus_profile_destroy(sim->profile);
	torus_queue_destroy(sim->queue);
	torus_pool_destroy(sim->pool);
}

/* Memory for the jobs, [room] of them. */
static int make_jobs(torus_sim_t *sim, size_t room)
{
	size_t tori = (size_t)sim->pool->tori;

	sim->state = calloc(room, sizeof(*sim->state));
	sim->job_at = calloc(room, sizeof(*sim->job_at));
	sim->arrival = calloc(room, sizeof(*sim->arrival));
	sim->running = calloc(room, sizeof(*sim->running));
	if (!sim->config->forget) {
		sim->result->record = calloc(room, sizeof(*sim->result->record));
		if (!sim->result->record)
			return torus_sim_no_memory(sim);
	}
	sim->counts = calloc(tori, sizeof(*sim->counts));
	sim->extra = calloc(tori, sizeof(*sim->extra));
	sim->spare = create_bitmaps(sim->pool);
	if (!sim->state || !sim->job_at || !sim->arrival || !sim->running ||
	    !sim->counts || !sim->extra || !sim->spare ||
	    torus_records_open(&sim->records, room) != 0)
		return torus_sim_no_memory(sim);
	return 0;
}

/* When it begins, and from when on it counts: admitted jobs are in order of submission.
 */
static void set_times(torus_sim_t *sim)
{
	size_t first = sim->config->warmup;

	if (!sim->arrivals)
		return;
	if (first >= sim->arrivals)
		first = sim->arrivals - 1;
	sim->begin = torus_sim_job(sim, sim->arrival[0])->submit;
	sim->counted_from = torus_sim_job(sim, sim->arrival[first])->submit;
}

/* Let the profile tell which jobs may gain. */
static int watch_gainers(torus_sim_t *sim)
{
	torus_gain_place_t *place = calloc((size_t)sim->arrivals + 1, sizeof(*place));

	for (uint32_t i = 0; place && i < sim->arrivals; i++) {
		const torus_sim_state_t *state = &sim->state[sim->job_at[i]];

		place[i].nodes = state->need.nodes;
		place[i].duration = state->estimate;
	}
	if (place)
		sim->gainers = torus_gainers_create(place, sim->arrivals);
	if (!sim->gainers)
		return torus_sim_no_memory(sim);
	sim->profile->gainers = sim->gainers;
	return 0;
}

static int open_simulation(torus_sim_t *sim)
{
	const torus_sim_config_t *config = sim->config;

	if (config->runner && config->scheduler != TORUS_FCFS &&
	    config->scheduler != TORUS_CPLANT && config->scheduler != TORUS_GREEDY)
		return torus_fail(sim->err,
				  "%s plans with run times, which are not known here: "
				  "fcfs, cplant and greedy do not",
				  torus_scheduler_name(config->scheduler));
	if (config->advise && config->scheduler != TORUS_FCFS &&
	    config->scheduler != TORUS_EASY)
		return torus_fail(sim->err, "advice is only followed with fcfs and easy");
	if (sim->workload->count > TORUS_SIM_MOST_JOBS)
		return torus_fail(sim->err, "%zu jobs are too many",
				  sim->workload->count);
	sim->pool = torus_pool_create(config->map, config->tori, sim->err);
	if (sim->pool)
		sim->pool->spreads =
			config->spreads && config->tori > 1 && !sim->pool->strict;
	if (sim->pool && sim->pool->spreads && config->scheduler == TORUS_CONSERVATIVE)
		return torus_fail(sim->err,
				  "conservative backfilling, which reserves places, is "
				  "only simulated with WaitForTorus=yes");
	if (!sim->pool || make_jobs(sim, sim->workload->count + 1) != 0 ||
	    admit(sim) != 0)
		return -1;
	sim->left = sim->arrivals;
	set_times(sim);
	if (sort_jobs(sim) != 0)
		return -1;
	sim->period = config->period ? config->period : TORUS_CPLANT_PERIOD;
	sim->queue = torus_queue_create(sim->arrivals);
	sim->now = sim->begin;
	if (sim->rule->plans)
		sim->profile =
			torus_profile_create(config->tori, sim->pool->count, sim->begin);
	if (config->slowdown.weight > 0)
		sim->ideal =
			torus_ideal_create(config->map, config->tori, &config->slowdown);
	if (!sim->queue || (sim->rule->plans && !sim->profile) ||
	    (config->slowdown.weight > 0 && !sim->ideal))
		return torus_sim_no_memory(sim);
	if (sim->rule->compresses && config->tori == 1 && !sim->wishes &&
	    watch_gainers(sim) != 0)
		return -1;
	if (config->isolation)
		sim->occupants = torus_occupants_create(config->map, config->tori,
							sim->workload->count, sim->err);
	return config->isolation && !sim->occupants ? -1 : 0;
}

/*
 * Jobs whose patience ends may start on what there is, so that a look is worth it. Forget
 * these, and those that have started before.
 */
static void end_patience(torus_sim_t *sim)
{
	while (sim->patience.count) {
		const torus_agenda_entry_t *next = &sim->patience.entry[0];
		const torus_sim_state_t *state = &sim->state[next->job];
		bool waits = state->patient && state->patience == next->time;

		if (waits && next->time > sim->now)
			return;
		sim->changed |= waits;
		torus_agenda_take(&sim->patience);
	}
}

/* When something happens next but that advice is due; INT64_MAX: nothing does any more. */
static int64_t next_change(const torus_sim_t *sim)
{
	int64_t next = torus_sim_next_outage(sim), time;

	if (sim->agenda.count && sim->agenda.entry[0].time < next)
		next = sim->agenda.entry[0].time;
	if (sim->arrived < sim->arrivals) {
		time = ready_time(sim, sim->arrival[sim->arrived]);
		next = time < next ? time : next;
	}
	if (sim->patience.count && sim->patience.entry[0].time < next)
		next = sim->patience.entry[0].time;
	if (sim->rule->wake) {
		time = sim->rule->wake(sim);
		next = time < next ? time : next;
	}
	return next;
}

static int64_t next_event(const torus_sim_t *sim)
{
	int64_t next = next_change(sim), advice = INT64_MAX;

	if (sim->config->advise)
		advice = torus_sim_next_advice(sim);
	return advice < next ? advice : next;
}

static int end_jobs(torus_sim_t *sim)
{
	while (sim->agenda.count && sim->agenda.entry[0].time <= sim->now) {
		torus_agenda_entry_t end = torus_agenda_take(&sim->agenda);

		if (end.run == sim->state[end.job].run_number &&
		    torus_sim_stop(sim, end.job, false) != 0)
			return -1;
	}
	return 0;
}

static void begin_waits(torus_sim_t *sim)
{
	while (sim->arrived < sim->arrivals &&
	       ready_time(sim, sim->arrival[sim->arrived]) <= sim->now)
		torus_sim_wait(sim, sim->arrival[sim->arrived++]);
}

/*
 * What happens at [now], the next event, in the order of simulate.h. Advice alone gives the
 * scheduler no other look than it would have without; the rule's time to wake is asked for
 * before it has come.
 */
static int happen(torus_sim_t *sim, int64_t now)
{
	bool changes = !sim->config->advise || next_change(sim) <= now;

	sim->now = now;
	if (sim->profile)
		torus_profile_advance(sim->profile, sim->now);
	if (end_jobs(sim) != 0)
		return -1;
	torus_sim_end_outages(sim);
	if (torus_sim_begin_outages(sim) != 0)
		return -1;
	begin_waits(sim);
	end_patience(sim);
	if (changes && sim->rule->decide(sim) != 0)
		return -1;
	return sim->config->advise ? torus_sim_advise(sim) : 0;
}

/*
 * Let the runner go on until jobs end, at most until [next], which is when something else
 * happens; it becomes the time of these ends. Returns 0, or -1 with sim->err filled.
 */
static int go_on(torus_sim_t *sim, int64_t *next)
{
	const torus_sim_runner_t *runner = sim->config->runner;

	for (;;) {
		torus_sim_record_t *record;
		torus_agenda_entry_t end = {0};
		size_t job;
		int ended;

		if (*next == INT64_MAX && !sim->running_count)
			return 0;
		ended = runner->advance(runner->context, *next, &job, next, sim->err);
		if (ended <= 0)
			return ended;
		record = torus_records_of(&sim->records, job);
		record->end = *next;
		end.time = *next;
		end.job = (uint32_t)job;
		end.run = sim->state[job].run_number;
		if (torus_agenda_add(&sim->agenda, &end) != 0)
			return torus_sim_no_memory(sim);
	}
}

static int run(torus_sim_t *sim)
{
	const torus_sim_config_t *config = sim->config;
	uint64_t seen = sim->pool->changes;

	torus_free_watch_begin(&sim->watch, sim->pool, sim->begin, sim->counted_from);
	torus_sim_summary_begin(sim);
	while (sim->left) {
		int64_t next;

		end_patience(sim);
		next = next_event(sim);
		if (config->runner && go_on(sim, &next) != 0)
			return -1;
		if (next == INT64_MAX)
			return torus_fail(sim->err, "%u jobs find no place for ever",
					  sim->left);
		if (sim->pool->changes != seen) {
			torus_free_watch_look(&sim->watch, sim->pool, sim->now);
			seen = sim->pool->changes;
		}
		if (happen(sim, next) != 0 || torus_sim_settle(sim) != 0)
			return -1;
		if (config->progress)
			config->progress(sim->arrivals - sim->left, sim->arrivals,
					 config->context);
	}
	torus_free_watch_look(&sim->watch, sim->pool, sim->now);
	return 0;
}

int torus_simulate(const torus_workload_t *workload, const torus_sim_config_t *config,
		   torus_sim_result_t *result, torus_error_t *err)
{
	torus_sim_t sim = {
		.workload = workload,
		.config = config,
		.rule = rules[config->scheduler],
		.err = err,
		.result = result,
	};
	int status = -1;

	*result = (torus_sim_result_t){.skipped = workload->skipped};
	if (open_simulation(&sim) == 0 && run(&sim) == 0) {
		torus_sim_summary_end(&sim);
		status = 0;
	}
	close_simulation(&sim);
	if (status != 0)
		torus_sim_result_clear(result);
	return status;
}

void torus_sim_result_clear(torus_sim_result_t *result)
{
	free(result->record);
	free(result->lost);
	free(result->run);
	*result = (torus_sim_result_t){0};
}
