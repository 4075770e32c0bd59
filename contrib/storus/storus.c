/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command storus: finds the subcommand, and sees to it that all output was written.
 */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/edit_distance.h"
#include "storus/cli/complete.h"
#include "storus/commands.h"

typedef struct command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
} command_t;

#define ENTRY(name, summary) {#name, summary, storus_##name},
static const command_t commands[] = {STORUS_COMMANDS(ENTRY)};
#undef ENTRY

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *file)
{
	fputs("Usage: storus COMMAND [OPTION]...\n"
	      "Numbering, placement and pictures for meshes and tori.\n\n"
	      "Commands:\n",
	      file);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(file, "  %-8s %s\n", commands[i].name, commands[i].summary);
	fputs("\n"
	      "  -h, --help  print this help, `storus COMMAND --help` that of a command\n"
	      "  --version   print the version\n\n"
	      "Exit status: 0 success, 1 nothing fits or a check failed, 2 bad usage or\n"
	      "input.\n",
	      file);
}

static const command_t *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

static int unknown_command(const char *name)
{
	const command_t *nearest = NULL;
	size_t nearest_distance = 3; /* farther away than two typing errors: no guess */

	for (size_t i = 0; i < COMMANDS; i++) {
		size_t distance = torus_edit_distance(name, commands[i].name);

		if (distance < nearest_distance) {
			nearest = &commands[i];
			nearest_distance = distance;
		}
	}
	if (nearest)
		warnx("unknown command '%s'; did you mean '%s'?", name, nearest->name);
	else
		warnx("unknown command '%s'; `storus --help` lists them", name);
	return STORUS_BAD;
}

/* Run commands[] entry [name] on its own arguments; argv[0] is overwritten. */
static int run_command(const char *name, int argc, char **argv)
{
	const command_t *command = find_command(name);
	char title[32]; /* argv[0], for getopt's messages and ours */

	if (!command)
		return unknown_command(name);
	snprintf(title, sizeof(title), "storus %s", command->name);
	argv[0] = title;
	program_invocation_name = program_invocation_short_name = title;
	int status = command->run(argc, argv);

	program_invocation_name = program_invocation_short_name = (char *)"storus";
	return status;
}

/* Print what the last of words[0 .. count-1], behind "storus", may become. */
static int complete(int count, char **words)
{
	const char *typed = count ? words[count - 1] : "";

	storus_complete_begin();
	if (count > 1 && strcmp(words[0], "help") != 0)
		return find_command(words[0]) ? run_command(words[0], count, words)
					      : STORUS_OK;
	for (size_t i = 0; i < COMMANDS; i++)
		storus_complete_offer(typed, commands[i].name, commands[i].summary);
	if (count < 2) {
		storus_complete_offer(typed, "help", "print the help of a command");
		storus_complete_offer(typed, "--help", "print the help");
		storus_complete_offer(typed, "--version", "print the version");
	}
	return STORUS_OK;
}

static int run(int argc, char **argv)
{
	if (argc < 2) {
		print_usage(stderr);
		return STORUS_BAD;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("storus (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return STORUS_OK;
	}
	if (strcmp(argv[1], "--complete") == 0)
		return complete(argc - 2, argv + 2);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		char help_option[] = "--help";
		char *help_argv[] = {NULL, help_option, NULL};

		if (argc > 2)
			return run_command(argv[2], 2, help_argv);
		print_usage(stdout);
		return STORUS_OK;
	}
	if (argv[1][0] == '-') {
		warnx("unknown option '%s'; options follow the command", argv[1]);
		return STORUS_BAD;
	}
	return run_command(argv[1], argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	program_invocation_name = program_invocation_short_name = (char *)"storus";
	/* A reader that went away is an error to report, not a signal to die of. */
	signal(SIGPIPE, SIG_IGN);
	/* Inherited as ignored, it would hide the ends of processes that are waited for.
	 */
	signal(SIGCHLD, SIG_DFL);
	int status = run(argc, argv);
	/* Both are called: a buffer lost earlier shows only in ferror(). */
	bool lost = ferror(stdout);

	errno = 0;
	if (fclose(stdout) != 0 || lost) {
		if (errno == 0)
			errno = EIO;
		/* A reader that closed the pipe, as head does, has what it wants. */
		if (errno != EPIPE)
			warn("cannot write the standard output");
		status = STORUS_BAD;
	}
	return status;
}
