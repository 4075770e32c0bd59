/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has changed between two looks at the same machine. */
#include "torus_config.h"

#include <stdbool.h>
#include <string.h>

#include "storus/view/serve/changes.h"

/* Of a torus that changes while its machine stays the same. */
static const char *const states[] = {"unusable", "reasons",  "weights",
				     "others",	 "reserved", "links"};
/* And of the machine: each has a rule of its own below. */
static const char *const parts[] = {"time", "live", "tori", "jobs", "queue"};

static bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* Whether all of [a] is the same in [b] but what is called by one of the names. */
static bool same_but(const json_t *a, const json_t *b, const char *const *names,
		     size_t count)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)a, name, value)
	{
		const json_t *other = json_object_get(b, name);

		if (!is_among(name, names, count) && !(other && json_equal(value, other)))
			return false;
	}
	return true;
}

static bool same_machine(const json_t *a, const json_t *b, const char *const *names,
			 size_t count)
{
	return same_but(a, b, names, count) && same_but(b, a, names, count);
}

/* Set [name] of [changes] if it is not the same, null where it is no more. */
static int note(json_t *changes, const json_t *before, const json_t *after,
		const char *name)
{
	json_t *was = json_object_get(before, name), *is = json_object_get(after, name);

	if (was == is || (was && is && json_equal(was, is)))
		return 0;
	return is ? json_object_set(changes, name, is)
		  : json_object_set_new(changes, name, json_null());
}

static json_t *torus_changes(const json_t *before, const json_t *after)
{
	json_t *changes = json_object();
	size_t count = sizeof(states) / sizeof(states[0]);
	int rc = changes && same_machine(before, after, states, count) ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = note(changes, before, after, states[i]);
	if (rc == 0)
		return changes;
	json_decref(changes);
	return NULL;
}

static json_t *tori_changes(const json_t *before, const json_t *after)
{
	size_t count = json_array_size(after);
	json_t *tori = json_array();
	int rc = tori && json_array_size(before) == count ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = json_array_append_new(tori, torus_changes(json_array_get(before, i),
							       json_array_get(after, i)));
	if (rc == 0)
		return tori;
	json_decref(tori);
	return NULL;
}

/* The jobs by their ids; NULL: two have the same, or memory is short. */
static json_t *by_id(const json_t *jobs)
{
	json_t *all = json_object(), *job;
	size_t i;

	json_array_foreach((json_t *)jobs, i, job)
	{
		const char *id = json_string_value(json_object_get(job, "id"));

		if (!all || !id || json_object_get(all, id) ||
		    json_object_set(all, id, job) != 0) {
			json_decref(all);
			return NULL;
		}
	}
	return all;
}

/* Set which jobs have come, or are no longer what they were, and which have gone. */
static int note_jobs(json_t *changes, const json_t *before, const json_t *after)
{
	json_t *was = by_id(before), *is = by_id(after), *come = json_array(),
	       *gone = json_array(), *job;
	int rc = was && is && come && gone ? 0 : -1;
	const char *id;

	json_object_foreach(is, id, job)
	{
		const json_t *old = json_object_get(was, id);

		if (rc == 0 && !(old && json_equal(old, job)))
			rc = json_array_append(come, job);
	}
	json_object_foreach(was, id, job)
	{
		if (rc == 0 && !json_object_get(is, id))
			rc = json_array_append_new(gone, json_string(id));
	}
	if (rc == 0)
		rc = json_object_set(changes, "come", come);
	if (rc == 0)
		rc = json_object_set(changes, "gone", gone);
	json_decref(was);
	json_decref(is);
	json_decref(come);
	json_decref(gone);
	return rc;
}

json_t *storus_changes(const json_t *before, const json_t *after)
{
	json_t *changes = json_object();

	if (changes &&
	    same_machine(before, after, parts, sizeof(parts) / sizeof(parts[0])) &&
	    json_object_set_new(changes, "tori",
				tori_changes(json_object_get(before, "tori"),
					     json_object_get(after, "tori"))) == 0 &&
	    note_jobs(changes, json_object_get(before, "jobs"),
		      json_object_get(after, "jobs")) == 0 &&
	    note(changes, before, after, "queue") == 0)
		return changes;
	json_decref(changes);
	return NULL;
}
