/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocations that fail on demand: see faults.h. */
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc's own, for programs that replace malloc(). */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

/* Where the part of the library for this MPI is; found when it is first armed. */
static uintptr_t begin, end;

static long until_failure = -1;
static bool failed;

/* The library's blocks. MPI's own threads look for theirs in it, in vain. */
static _Atomic(void *) blocks[4096];

static int find_part(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!strstr(info->dlpi_name, "/libstorus_mpi_"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
			continue;
		begin = info->dlpi_addr + header->p_vaddr;
		end = begin + header->p_memsz;
	}
	return 1;
}

static bool is_library(const void *caller)
{
	return (uintptr_t)caller >= begin && (uintptr_t)caller < end;
}

/* Whether the allocation that the library asks for now is to fail. */
static bool fails(void)
{
	if (until_failure < 0 || until_failure-- > 0)
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

static void *note(void *block)
{
	for (size_t i = 0; block && i < sizeof(blocks) / sizeof(*blocks); i++) {
		if (!blocks[i]) {
			blocks[i] = block;
			return block;
		}
	}
	if (block)
		abort();
	return block;
}

static void forget(const void *block)
{
	for (size_t i = 0; block && i < sizeof(blocks) / sizeof(*blocks); i++) {
		if (blocks[i] == block) {
			blocks[i] = NULL;
			return;
		}
	}
}

void *malloc(size_t size)
{
	if (!is_library(__builtin_return_address(0)))
		return __libc_malloc(size);
	return fails() ? NULL : note(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	if (!is_library(__builtin_return_address(0)))
		return __libc_calloc(count, size);
	return fails() ? NULL : note(__libc_calloc(count, size));
}

/* Change a block of [caller]'s to [count] times [size] bytes. */
static void *change(const void *caller, void *block, size_t count, size_t size)
{
	void *changed;
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (!is_library(caller))
		return __libc_realloc(block, bytes);
	if (fails())
		return NULL;
	forget(block);
	changed = __libc_realloc(block, bytes);
	note(changed ? changed : block);
	return changed;
}

void *realloc(void *block, size_t size)
{
	return change(__builtin_return_address(0), block, 1, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
	return change(__builtin_return_address(0), block, count, size);
}

void free(void *block)
{
	if (begin)
		forget(block);
	__libc_free(block);
}

void faults_arm(long nth)
{
	if (!begin)
		dl_iterate_phdr(find_part, NULL);
	failed = false;
	until_failure = nth;
}

bool faults_disarm(void)
{
	until_failure = -1;
	return failed;
}

long faults_blocks(void)
{
	long count = 0;

	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		count += blocks[i] != NULL;
	return count;
}
