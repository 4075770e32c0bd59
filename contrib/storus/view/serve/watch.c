/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that looks at the machine for all who look on. */
#include "torus_config.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "storus/view/page.h"
#include "storus/view/serve/changes.h"
#include "storus/view/serve/watch.h"

/* How long the end waits for a look that is under way. */
#define PATIENCE 2

struct storus_watch {
	storus_sight_t sight;
	unsigned seconds;
	storus_watch_told_t *told;
	void *data;

	/* Only the thread, and what runs before it, has these. */
	torus_cluster_t *cluster;
	json_t *last;	   /* as it was looked like */
	uint32_t random;   /* versions of another process are others */
	unsigned versions; /* so far */

	pthread_t thread;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	time_t next; /* there is no look before that moment, CLOCK_MONOTONIC */
	unsigned viewers;
	time_t metrics_next; /* the same for metrics */
	bool wanted, metrics_wanted, looking, stopping, ended;
};

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static void version_of(const storus_watch_t *watch, unsigned number, char text[40])
{
	snprintf(text, 40, "%08x-%u", watch->random, number);
}

/* Make the page and the data of the [machine]. */
static int write_texts(const storus_watch_t *watch, const json_t *machine,
		       storus_sighting_t *sighting, torus_error_t *err)
{
	FILE *file = open_memstream(&sighting->page.text, &sighting->page.size);
	int rc = file ? storus_page_write(file, machine, watch->sight.three_js, err)
		      : torus_fail(err, "out of memory");

	if (file && fclose(file) != 0 && rc == 0)
		rc = torus_fail(err, "out of memory");
	if (rc == 0) {
		sighting->data.text = storus_page_data(machine);
		if (!sighting->data.text)
			rc = torus_fail(err, "out of memory");
		else
			sighting->data.size = strlen(sighting->data.text);
	}
	if (rc != 0) {
		free(sighting->page.text);
		sighting->page.text = NULL;
	}
	return rc;
}

/* Make what has changed since the version before, of the [dated] machine; where that
 * cannot be said there is none. */
static void write_changes(const storus_watch_t *watch, const json_t *dated,
			  storus_sighting_t *sighting)
{
	json_t *changes = watch->last ? storus_changes(watch->last, dated) : NULL;

	if (!changes)
		return;
	version_of(watch, watch->versions, sighting->since);
	if (json_object_set_new(changes, "base", json_string(sighting->since)) == 0 &&
	    json_object_set(changes, "live", json_object_get(dated, "live")) == 0 &&
	    json_object_set(changes, "time", json_object_get(dated, "time")) == 0) {
		sighting->changes.text = storus_page_data(changes);
		if (sighting->changes.text)
			sighting->changes.size = strlen(sighting->changes.text);
	}
	json_decref(changes);
}

/* Fill *sighting with the [machine] as a new version; takes a reference over. */
static int renew(storus_watch_t *watch, json_t *machine, storus_sighting_t *sighting,
		 torus_error_t *err)
{
	json_t *dated = json_copy(machine);
	int rc = -1;

	version_of(watch, watch->versions + 1, sighting->version);
	if (dated &&
	    json_object_set_new(dated, "time", json_integer((json_int_t)time(NULL))) ==
		    0 &&
	    json_object_set_new(dated, "live", json_string(sighting->version)) == 0)
		rc = write_texts(watch, dated, sighting, err);
	else
		torus_fail(err, "out of memory");
	if (rc == 0)
		write_changes(watch, dated, sighting);
	json_decref(dated);
	if (rc != 0) {
		json_decref(machine);
		return -1;
	}
	json_decref(watch->last);
	watch->last = machine;
	watch->versions++;
	return 0;
}

/* Look, and tell. Returns 0, or -1 with [err] filled. */
static int look(storus_watch_t *watch, bool metrics, torus_error_t *err)
{
	storus_sighting_t sighting = {0};
	bool forbidden;
	json_t *machine = storus_look(&watch->sight, &watch->cluster, &forbidden,
				      metrics ? &sighting.metrics : NULL, err);
	int rc = machine ? 0 : -1;

	if (machine && watch->last && json_equal(machine, watch->last))
		json_decref(machine);
	else if (machine)
		rc = renew(watch, machine, &sighting, err);
	if (rc != 0)
		free(sighting.metrics.text);
	if (forbidden) {
		json_decref(watch->last);
		watch->last = NULL;
	}
	watch->told(watch->data, rc == 0 ? &sighting : NULL, rc == 0 ? NULL : err->text,
		    forbidden);
	return rc;
}

/* Wait until there is to be another look, and return true; false: the end. */
static bool wait_for_turn(storus_watch_t *watch)
{
	struct timespec until = {0};

	while (!watch->stopping) {
		bool asked = watch->wanted || watch->metrics_wanted || watch->viewers;

		if (asked && now() >= watch->next)
			return true;
		until.tv_sec = watch->next;
		if (asked)
			pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
		else
			pthread_cond_wait(&watch->changed, &watch->lock);
	}
	return false;
}

/* A pause after one that was in vain is not longer: some releases of Slurm's library try
 * for a minute before they say so. */
enum { PAUSE_AFTER_FAILURE = 10 };

/* How many seconds there are to be after a look of [took]. */
static time_t pause_after(const storus_watch_t *watch, time_t took, bool failed)
{
	/* One that takes long has as long a pause. */
	if (failed && took > PAUSE_AFTER_FAILURE)
		took = PAUSE_AFTER_FAILURE;
	return took > watch->seconds ? took : (time_t)watch->seconds;
}

static void *run(void *data)
{
	storus_watch_t *watch = data;
	torus_error_t error;

	pthread_mutex_lock(&watch->lock);
	while (wait_for_turn(watch)) {
		bool metrics = watch->metrics_wanted;
		time_t begin = now();
		bool failed;

		watch->wanted = watch->metrics_wanted = false;
		watch->looking = true;
		pthread_mutex_unlock(&watch->lock);
		failed = look(watch, metrics, &error) != 0;
		pthread_mutex_lock(&watch->lock);
		watch->looking = false;
		watch->next = now() + pause_after(watch, now() - begin, failed);
		if (metrics)
			watch->metrics_next = watch->next;
	}
	watch->ended = true;
	pthread_cond_broadcast(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

static void destroy(storus_watch_t *watch)
{
	pthread_cond_destroy(&watch->changed);
	pthread_mutex_destroy(&watch->lock);
	json_decref(watch->last);
	torus_cluster_destroy(watch->cluster);
	free(watch);
}

storus_watch_t *storus_watch_start(const storus_sight_t *sight, unsigned seconds,
				   storus_watch_told_t *told, void *data,
				   torus_error_t *err)
{
	storus_watch_t *watch = calloc(1, sizeof(*watch));
	pthread_condattr_t attributes;

	if (!watch) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	*watch = (storus_watch_t){
		.sight = *sight, .seconds = seconds, .told = told, .data = data};
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (getrandom(&watch->random, sizeof(watch->random), 0) < 0)
		watch->random = (uint32_t)time(NULL);
	if (look(watch, false, err) != 0) {
		destroy(watch);
		return NULL;
	}
	watch->next = now() + seconds;
	errno = pthread_create(&watch->thread, NULL, run, watch);
	if (errno) {
		torus_fail(err, "cannot start a thread: %s", strerror(errno));
		destroy(watch);
		return NULL;
	}
	return watch;
}

bool storus_watch_refresh(storus_watch_t *watch, bool metrics)
{
	bool due;

	pthread_mutex_lock(&watch->lock);
	if (metrics) {
		due = now() >= watch->metrics_next;
		watch->metrics_wanted = watch->metrics_wanted || due;
	} else {
		due = watch->looking || now() >= watch->next;
		watch->wanted = watch->wanted || (due && !watch->looking);
	}
	if (due)
		pthread_cond_broadcast(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
	return due;
}

void storus_watch_viewers(storus_watch_t *watch, unsigned viewers)
{
	pthread_mutex_lock(&watch->lock);
	watch->viewers = viewers;
	pthread_cond_broadcast(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
}

bool storus_watch_stop(storus_watch_t *watch)
{
	struct timespec until = {.tv_sec = now() + PATIENCE};
	bool ended;

	if (!watch)
		return true;
	pthread_mutex_lock(&watch->lock);
	watch->stopping = true;
	pthread_cond_broadcast(&watch->changed);
	while (!watch->ended &&
	       pthread_cond_timedwait(&watch->changed, &watch->lock, &until) == 0)
		;
	ended = watch->ended;
	pthread_mutex_unlock(&watch->lock);
	if (!ended)
		return false;
	pthread_join(watch->thread, NULL);
	destroy(watch);
	return true;
}
