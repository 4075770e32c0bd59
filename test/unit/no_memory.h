/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations that fail on demand. The program that includes this is linked with the
 * linker's --wrap for the functions below.
 */
#ifndef TORUS_TEST_NO_MEMORY_H
#define TORUS_TEST_NO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Allocations that still succeed; negative: all do. */
static long allowed = -1;
static bool refused;

static bool refuse(void)
{
	if (allowed < 0)
		return false;
	if (allowed > 0) {
		allowed--;
		return false;
	}
	refused = true;
	return true;
}

/* From now on [count] allocations succeed and all others fail, until allow_all(). */
static void allow(long count)
{
	allowed = count;
	refused = false;
}

/* Whether an allocation has failed since allow(). */
static bool allow_all(void)
{
	allowed = -1;
	return refused;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
char *__real_strdup(const char *text);
FILE *__real_open_memstream(char **text, size_t *length);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
char *__wrap_strdup(const char *text);
FILE *__wrap_open_memstream(char **text, size_t *length);

void *__wrap_malloc(size_t size)
{
	return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return refuse() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
	return refuse() ? NULL : __real_reallocarray(old, count, size);
}

char *__wrap_strdup(const char *text)
{
	return refuse() ? NULL : __real_strdup(text);
}

FILE *__wrap_open_memstream(char **text, size_t *length)
{
	return refuse() ? NULL : __real_open_memstream(text, length);
}

#endif
