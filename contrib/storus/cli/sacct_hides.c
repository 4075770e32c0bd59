/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that slurmdbd hides: see sacct_hides.h. */
#include "torus_config.h"

#include <err.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storus/cli/run_command.h"
#include "storus/cli/sacct_hides.h"

/* The value of [key] in the configuration of slurmdbd, the second that "sacctmgr show
 * config" prints, as "key = value" up to the end of the line; or NULL. */
static const char *find_value(const char *text, const char *key)
{
	const char *line = strstr(text, "\nSlurmDBD configuration:");
	size_t length = strlen(key);

	for (line = line ? strchr(line + 1, '\n') : NULL; line;
	     line = strchr(line, '\n')) {
		line++;
		if (strncmp(line, key, length) == 0 && line[length] == ' ') {
			line = strstr(line, "= ");
			return line ? line + 2 : NULL;
		}
	}
	return NULL;
}

/* Whether [word] is in the rest of the line at [text]. */
static bool line_has(const char *text, const char *word)
{
	const char *at = text ? strstr(text, word) : NULL;

	return at && at < text + strcspn(text, "\n");
}

/* Whether slurmdbd hides jobs from ordinary users, of which [user] is one as far as its
 * SlurmUser goes. Returns 1, 0, or -1 with [err] filled. */
static int hides_jobs(const char *user, torus_error_t *err)
{
	static const char *const arguments[] = {"sacctmgr", "-n", "show", "config", NULL};
	const char *private, *slurm_user;
	size_t length = strlen(user), ignored;
	char *text;
	int hides;

	if (storus_run_command((char *const *)arguments, &text, &ignored, err) != 0)
		return -1;
	private = find_value(text, "PrivateData");
	slurm_user = find_value(text, "SlurmUser");
	hides = line_has(private, "job") &&
		!(slurm_user && strncmp(slurm_user, user, length) == 0 &&
		  slurm_user[length] == '(');
	if (!private)
		torus_fail(err, "sacctmgr show config prints no PrivateData of slurmdbd");
	free(text);
	return private ? hides : -1;
}

/* Whether slurmdbd knows [user] as an operator or an administrator; -1 with [err]
 * filled. */
static int is_operator(const char *user, torus_error_t *err)
{
	const char *const arguments[] = {
		"sacctmgr", "-n", "-P", "show", "user", user, "format=adminlevel", NULL};
	size_t length;
	char *text;
	int is;

	if (storus_run_command((char *const *)arguments, &text, &length, err) != 0)
		return -1;
	is = strncmp(text, "Operator", 8) == 0 || strncmp(text, "Admin", 5) == 0;
	free(text);
	return is;
}

void storus_sacct_warn_hidden(void)
{
	const struct passwd *entry = geteuid() ? getpwuid(geteuid()) : NULL;
	torus_error_t error;
	char *user;
	int hides, sees = 0;

	/* Root sees all, and a user without a name nothing that can be asked for. */
	user = entry ? strdup(entry->pw_name) : NULL;
	if (!user)
		return;
	hides = hides_jobs(user, &error);
	if (hides > 0)
		sees = is_operator(user, &error);
	if (hides < 0 || sees < 0)
		warnx("whether slurmdbd hides jobs of others from you is not known: %s",
		      error.text);
	else if (hides && !sees)
		warnx("slurmdbd.conf's PrivateData=jobs hides jobs of others from you: "
		      "what follows is of your own jobs, and of those in accounts that "
		      "you coordinate, as if there were no others; for all jobs run it "
		      "as root or as an operator (sacctmgr modify user %s set "
		      "adminlevel=operator)",
		      user);
	free(user);
}
