/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory is in use. The program that includes this is linked with the linker's
 * --wrap for the six functions below; memory of libc's own is not counted.
 */
#ifndef TORUS_TEST_COUNT_MEMORY_H
#define TORUS_TEST_COUNT_MEMORY_H

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

/* Bytes allocated and not freed, and the most since it was last set. */
static size_t memory_in_use, memory_most;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);

static void *counted(void *memory)
{
	memory_in_use += malloc_usable_size(memory);
	if (memory_in_use > memory_most)
		memory_most = memory_in_use;
	return memory;
}

void *__wrap_malloc(size_t size)
{
	return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	size_t before = malloc_usable_size(old);
	void *memory = __real_realloc(old, size);

	if (memory)
		memory_in_use -= before;
	return counted(memory);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return __wrap_realloc(old, bytes);
}

char *__wrap_strdup(const char *text)
{
	return counted(__real_strdup(text));
}

void __wrap_free(void *memory)
{
	memory_in_use -= malloc_usable_size(memory);
	__real_free(memory);
}

#endif
