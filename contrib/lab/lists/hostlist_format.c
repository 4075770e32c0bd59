/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names to a hostlist expression: see hostlist_format.h. */
#include "lists/hostlist_format.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits of a number that hostlist.c reads; digits before them belong to the prefix. */
#define DIGITS_MAX 18

/* A name cut at its last number. */
typedef struct pieces {
	const char *name;
	size_t prefix; /* characters in front of the number */
	int digits;    /* 0: the name has no number, and prefix is all of it */
	uint64_t number;
	const char *suffix;
} pieces_t;

static pieces_t cut(const char *name)
{
	size_t end = strlen(name), begin;
	pieces_t pieces = {.name = name, .prefix = end, .suffix = name + end};

	while (end && !isdigit((unsigned char)name[end - 1]))
		end--;
	if (!end)
		return pieces;
	begin = end;
	while (begin && isdigit((unsigned char)name[begin - 1]) &&
	       end - begin < DIGITS_MAX)
		begin--;
	pieces.prefix = begin;
	pieces.digits = (int)(end - begin);
	pieces.suffix = name + end;
	for (size_t i = begin; i < end; i++)
		pieces.number = pieces.number * 10 + (uint64_t)(name[i] - '0');
	return pieces;
}

/* Whether both names fit into one bracket. */
static bool same_group(const pieces_t *a, const pieces_t *b)
{
	return a->digits && b->digits && a->prefix == b->prefix &&
	       !memcmp(a->name, b->name, a->prefix) && !strcmp(a->suffix, b->suffix);
}

static int digits_of(uint64_t number)
{
	int digits = 1;

	while (number /= 10)
		digits++;
	return digits;
}

/* Whether a range that begins at [first] and has reached [last] continues with [next]. */
static bool continues(const pieces_t *first, const pieces_t *last, const pieces_t *next)
{
	int digits = digits_of(next->number);

	return next->number == last->number + 1 &&
	       next->digits == (digits > first->digits ? digits : first->digits);
}

/* The index after the last name that goes into one bracket with names[from]. */
static uint32_t group_end(const char *const *names, uint32_t count, uint32_t from)
{
	pieces_t first = cut(names[from]);

	while (++from < count) {
		pieces_t next = cut(names[from]);

		if (!same_group(&first, &next))
			break;
	}
	return from;
}

static void write_group(FILE *stream, const char *const *names, uint32_t begin,
			uint32_t end)
{
	pieces_t first = cut(names[begin]);

	if (end - begin == 1) {
		fputs(names[begin], stream);
		return;
	}
	fwrite(first.name, 1, first.prefix, stream);
	for (uint32_t i = begin; i < end;) {
		pieces_t run = cut(names[i]), last = run;

		fputc(i == begin ? '[' : ',', stream);
		fwrite(run.name + run.prefix, 1, (size_t)run.digits, stream);
		while (++i < end) {
			pieces_t next = cut(names[i]);

			if (!continues(&run, &last, &next))
				break;
			last = next;
		}
		if (last.number != run.number) {
			fputc('-', stream);
			fwrite(last.name + last.prefix, 1, (size_t)last.digits, stream);
		}
	}
	fprintf(stream, "]%s", first.suffix);
}

char *torus_hostlist_format(const char *const *names, uint32_t count)
{
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);
	bool failed;

	if (!stream)
		return NULL;
	for (uint32_t i = 0; i < count;) {
		uint32_t end = group_end(names, count, i);

		if (i)
			fputc(',', stream);
		write_group(stream, names, i, end);
		i = end;
	}
	failed = ferror(stream);
	if (fclose(stream) || failed) {
		free(text);
		return NULL;
	}
	return text;
}
