/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus reserve: a reservation of a box of nodes. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storus/cli/conf.h"
#include "storus/cli/machine_options.h"
#include "storus/cli/progress.h"
#include "storus/cli/slurm.h"
#include "storus/commands.h"
#include "storus/reserve/find.h"
#include "storus/reserve/slurm.h"
#include "storus/cli/times.h"

typedef struct reserve_options {
	const char *shape; /* of --shape or --chips, whichever is given */
	const char *chips;
	const char *start;
	const char *duration;
	const char *corner;
	const char *flags;
	storus_machine_options_t machine; /* of which conf and torus alone */
	bool dry_run;
	storus_format_t format;
	storus_reservation_t reservation;
	storus_box_request_t box;
	int32_t corner_coord[TORUS_MAX_DIMS];
	int corner_dims;
} reserve_options_t;

/* Read "X,Y,Z" into corner_coord. Returns 0, or -1 with [err] filled. */
static int read_corner(reserve_options_t *options, torus_error_t *err)
{
	const char *at = options->corner;

	do {
		size_t digits = strspn(at, "0123456789");

		if (digits < 1 || digits > 8 || options->corner_dims == TORUS_MAX_DIMS)
			goto bad;
		options->corner_coord[options->corner_dims++] = atoi(at);
		at += digits;
	} while (*at && *at++ == ',');
	if (*at)
		goto bad;
	options->box.corner = options->corner_coord;
	return 0;
bad:
	return torus_fail(err, "--corner: '%s' is no coordinate such as 0,4,2",
			  options->corner);
}

/* Parse the texts of the options. Returns 0, or -1 with [err] filled. */
static int understand(reserve_options_t *options, torus_error_t *err)
{
	storus_reservation_t *reservation = &options->reservation;
	time_t now = time(NULL);

	if (torus_shape_parse(options->shape, &options->box.shape, err) != 0)
		return torus_fail_prefix(err, options->chips ? "--chips: " : "--shape: ");
	options->box.shape.in_chips = options->chips;
	if (storus_time_parse(options->start, now, &reservation->start, err) != 0)
		return torus_fail_prefix(err, "--start: ");
	if (reservation->start < now)
		return torus_fail(err, "--start: '%s' is past", options->start);
	if (storus_duration_parse(options->duration, &reservation->minutes, err) != 0)
		return torus_fail_prefix(err, "--duration: ");
	if (options->corner && read_corner(options, err) != 0)
		return -1;
	if (options->flags &&
	    storus_reserve_flags(options->flags, &reservation->flags, err) != 0)
		return -1;
	if (!reservation->users && !reservation->accounts) {
		const struct passwd *entry = getpwuid(getuid());

		if (!entry)
			return torus_fail(err, "you have no name: give --users");
		reservation->users = entry->pw_name;
	}
	return 0;
}

/* Read the options. Returns 0; or -1, with *status what is left to return. */
static int read_options(int argc, char **argv, reserve_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{"shape", "AxBxC",
		 "sides of the box in routers, in any rotation; on a machine of cubes of "
		 "a box within one, or of a torus of whole ones",
		 .text = &options->shape},
		{"chips", "AxBxC",
		 "or in chips, where nodes are boxes of chips (NodeShape= in torus.conf)",
		 .text = &options->chips},
		{"start", "TIME", "now, now+2hours, 2026-11-30 or 2026-11-30T08:00",
		 .text = &options->start},
		{"duration", "TIME", "minutes, hours:minutes:seconds or days-hours",
		 .text = &options->duration},
		{"corner", "X,Y,Z",
		 "where the box begins; its sides are then those along x, y, z",
		 .text = &options->corner},
		{"name", "NAME", "of the reservation; default: Slurm makes one",
		 .text = &options->reservation.name},
		{"users", "LIST", "who may use it; default, without accounts: you",
		 .text = &options->reservation.users},
		{"accounts", "LIST", "whose jobs may use it",
		 .text = &options->reservation.accounts},
		{"flags", "LIST", "as for scontrol, such as MAINT,IGNORE_JOBS",
		 .text = &options->flags},
		{"dry-run", NULL, "print what would be reserved, and do not",
		 .flag = &options->dry_run},
		STORUS_CONF_OPTION(
			&options->machine,
			"torus.conf; default: $STORUS_CONF, or the one beside slurm.conf"),
		STORUS_TORUS_OPTION(&options->machine,
				    "on which of several tori; default: any"),
		STORUS_FORMAT_OPTION(&options->format, "text (default), csv or json"),
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus reserve --shape AxBxC | --chips AxBxC --start TIME "
			"--duration TIME [OPTION]...\n"
			"Reserve a box of nodes that are free then, in the running Slurm.\n\n",
		.options = table,
		.end = "Exit status: 0 reserved, 1 no such box is free, 2 bad usage or "
		       "input, or Slurm\n"
		       "refuses.\n",
	};

	*options = (reserve_options_t){.format = STORUS_FORMAT_TEXT};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (options->shape && options->chips) {
		storus_misuse("--shape and --chips exclude each other: the sides of one "
			      "are in nodes, of the other in chips");
		return -1;
	}
	if (options->chips)
		options->shape = options->chips;
	if (!options->shape || !options->start || !options->duration) {
		storus_misuse(
			"which box, when and for how long? Give --shape or --chips, "
			"--start and --duration");
		return -1;
	}
	return 0;
}

/*
 * Open the cluster of the options. With --corner it must be one torus of as many
 * dimensions. NULL on error (message printed).
 */
static torus_cluster_t *open_cluster(const reserve_options_t *options)
{
	torus_error_t error;
	char *conf = storus_conf_path(options->machine.conf, &error);
	torus_cluster_t *cluster;

	if (!conf) {
		warnx("%s", error.text);
		return NULL;
	}
	cluster = storus_cluster_open(&(storus_machine_options_t){
		.conf = conf, .torus = options->machine.torus});
	free(conf);
	if (cluster && storus_conf_register(cluster, &error)) {
		warnx("%s", error.text);
		torus_cluster_destroy(cluster);
		return NULL;
	}
	if (!cluster || !options->corner)
		return cluster;
	if (cluster->maps > 1)
		warnx("--corner of which torus? Give --torus");
	else if (options->corner_dims != cluster->map[0]->geometry.dims)
		warnx("--corner: '%s' has %d coordinates, the machine %d",
		      options->corner, options->corner_dims,
		      cluster->map[0]->geometry.dims);
	else
		return cluster;
	torus_cluster_destroy(cluster);
	return NULL;
}

static time_t end_of(const storus_reservation_t *reservation, time_t start)
{
	return start + (time_t)reservation->minutes * 60;
}

static const char *of_chips(const reserve_options_t *options)
{
	return options->chips ? " of chips" : "";
}

/*
 * Say why no box is free, and when one is. Returns STORUS_NO, or STORUS_BAD with the
 * message printed as well.
 */
static int explain_none(const reserve_options_t *options, const storus_busy_t *busy)
{
	const storus_reservation_t *reservation = &options->reservation;
	char from[STORUS_TIME_TEXT], until[STORUS_TIME_TEXT];
	storus_box_t box = {0};
	torus_error_t error;
	time_t start = reservation->start;
	int found = storus_box_possible(busy->cluster, &options->box, &error);

	if (found == 0 && *error.text) {
		warnx("nothing fits: %s", error.text);
		return STORUS_NO;
	}
	if (found == 0) {
		warnx("nothing fits: no box %s%s%s%s on this machine, even if all its nodes "
		      "were free",
		      options->shape, of_chips(options), options->corner ? " at " : "",
		      options->corner ? options->corner : "");
		return STORUS_NO;
	}
	storus_progress_begin("looking for a later time");
	for (found = found < 0 ? -1 : 0; found == 0;) {
		start = storus_busy_next_end(busy, start);
		if (!start)
			break;
		found = storus_box_find(busy, &options->box, start,
					end_of(reservation, start), &box, &error);
	}
	storus_progress_end();
	storus_box_clear(&box);
	if (found < 0) {
		warnx("%s", error.text);
		return STORUS_BAD;
	}
	storus_time_format(reservation->start, from);
	storus_time_format(end_of(reservation, reservation->start), until);
	if (found > 0) {
		char next[STORUS_TIME_TEXT];

		warnx("nothing fits: no box %s%s is free from %s to %s; the first one "
		      "after that is so from %s on",
		      options->shape, of_chips(options), from, until,
		      storus_time_format(start, next));
	} else {
		warnx("nothing fits: no box %s%s is free from %s to %s, nor later, as "
		      "nodes are down or drained, or kept without end",
		      options->shape, of_chips(options), from, until);
	}
	return STORUS_NO;
}

/* Print what is reserved; [name] is NULL if nothing is yet. */
static void report(const reserve_options_t *options, const storus_box_t *box,
		   const char *name)
{
	const storus_reservation_t *reservation = &options->reservation;
	char start[STORUS_TIME_TEXT], end[STORUS_TIME_TEXT];
	storus_field_t fields[] = {
		storus_text("reservation", name),
		storus_text("torus", box->map->name),
		storus_text("nodes", box->nodes),
		storus_count("count", box->count),
		storus_text("start", storus_time_format(reservation->start, start)),
		storus_text("end", storus_time_format(
					   end_of(reservation, reservation->start), end)),
		storus_text("cubes", box->joined.cubes),
		storus_text("joined", box->joined.joined),
	};

	storus_record_print(stdout, options->format, fields,
			    sizeof(fields) / sizeof(fields[0]));
}

/* Find the box and reserve it. Returns the exit status. */
static int reserve(const reserve_options_t *options, const storus_busy_t *busy)
{
	const storus_reservation_t *reservation = &options->reservation;
	const char *name = NULL;
	storus_box_t box = {0};
	torus_error_t error;
	int found =
		storus_box_find(busy, &options->box, reservation->start,
				end_of(reservation, reservation->start), &box, &error);

	if (found == 0)
		return explain_none(options, busy);
	if (found > 0 && !options->dry_run)
		name = storus_reserve_create(reservation, box.nodes, &error);
	if (found < 0 || (!name && !options->dry_run)) {
		warnx("%s", error.text);
		storus_box_clear(&box);
		return STORUS_BAD;
	}
	report(options, &box, name);
	storus_box_clear(&box);
	return STORUS_OK;
}

int storus_reserve(int argc, char **argv)
{
	reserve_options_t options;
	torus_cluster_t *cluster;
	storus_busy_t busy = {0};
	torus_error_t error;
	int status;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	if (understand(&options, &error) != 0) {
		warnx("%s", error.text);
		return STORUS_BAD;
	}
#ifdef HAVE_LIBSLURM
	storus_slurm_start();
#endif
	cluster = open_cluster(&options);
	if (!cluster)
		return STORUS_BAD;
	if (storus_busy_init(&busy, cluster, &error) != 0 ||
	    storus_reserve_load(&busy, options.reservation.flags, &error) != 0) {
		warnx("%s", error.text);
		status = STORUS_BAD;
	} else {
		status = reserve(&options, &busy);
	}
	storus_busy_clear(&busy);
	torus_cluster_destroy(cluster);
	return status;
}
