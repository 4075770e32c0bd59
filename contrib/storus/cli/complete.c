/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a shell offers while somebody types: see complete.h. */
#include "torus_config.h"

#include <stdio.h>
#include <string.h>

#include "storus/cli/complete.h"

static bool completing;

void storus_complete_begin(void)
{
	completing = true;
}

bool storus_completing(void)
{
	return completing;
}

void storus_complete_offer(const char *typed, const char *word, const char *meaning)
{
	if (strncmp(typed, word, strlen(typed)) == 0)
		printf("%s\t%.*s\n", word, (int)strcspn(meaning, "\n"), meaning);
}

/* The option that [word], "--name" or "--name=...", gives; NULL: none. */
static const storus_option_t *option_of(const storus_option_t *options, const char *word)
{
	size_t length = strcspn(word, "=");

	for (; options->help; options++) {
		if (options->name && strncmp(word, "--", 2) == 0 &&
		    strlen(options->name) == length - 2 &&
		    strncmp(word + 2, options->name, length - 2) == 0)
			return options;
		if (options->letter && word[0] == '-' && word[1] == options->letter &&
		    !word[2])
			return options;
	}
	return NULL;
}

/* Offer values of [option], of which [typed] is there, each behind [before]. */
static void offer_values(const storus_option_t *option, const char *typed,
			 const char *before)
{
	static const char *const files[] = {"FILE", "DIR", "PATH"};

	for (int i = 0; option->choices && option->choices[i]; i++) {
		if (strncmp(typed, option->choices[i], strlen(typed)) == 0)
			printf("%s%s\n", before, option->choices[i]);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (strstr(option->argument, files[i])) {
			puts(STORUS_COMPLETE_FILES);
			return;
		}
	}
}

void storus_complete(int argc, char **argv, const storus_usage_t *usage)
{
	const char *typed = argv[argc - 1], *value = strchr(typed, '=');
	const storus_option_t *option =
		argc > 2 ? option_of(usage->options, argv[argc - 2]) : NULL;

	if (option && option->argument && option->argument[0] != '[' &&
	    !strchr(argv[argc - 2], '=')) {
		offer_values(option, typed, "");
		return;
	}
	option = value ? option_of(usage->options, typed) : NULL;
	if (option && option->argument) {
		char before[64];

		snprintf(before, sizeof(before), "--%s=", option->name);
		offer_values(option, value + 1, before);
		return;
	}
	if (typed[0] != '-') {
		puts(STORUS_COMPLETE_FILES);
		return;
	}
	for (option = usage->options; option->help; option++) {
		char word[64];

		if (!option->name)
			continue;
		snprintf(word, sizeof(word), "--%s", option->name);
		storus_complete_offer(typed, word, option->help);
	}
	storus_complete_offer(typed, "--help", "print the help");
	storus_complete_offer(typed, "--version", "print the version");
}
