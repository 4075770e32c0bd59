/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 22.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_22_05_H
#define TORUS_COMPAT_SLURM_22_05_H

#include "src/common/select.h"
#include "src/slurmctld/preempt.h"

#include "compat/select_symbols.h"
#include "compat/until_23_02.h"

/* Names that later releases have changed. */
typedef struct job_details job_details_t;

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)                                         \
	SELECT_SYMBOLS_OF_CLIENTS(FORWARD)                                               \
	FORWARD(int, select_p_job_signal, (job_record_t * job_ptr, int signal),          \
		(job_ptr, signal))                                                       \
	FORWARD(char *, select_p_select_jobinfo_sprint,                                  \
		(select_jobinfo_t * jobinfo, char *buffer, size_t size, int mode),       \
		(jobinfo, buffer, size, mode))                                           \
	FORWARD(char *, select_p_select_jobinfo_xstrdup,                                 \
		(select_jobinfo_t * jobinfo, int mode), (jobinfo, mode))                 \
	FORWARD(int, select_p_update_node_config, (int index), (index))                  \
	SELECT_SYMBOL_RESV_TEST(HOOK)

/*
 * The first bit set in [bits] at [from] or after it; -1: none. Slurm 22.05 can only look
 * from bit 0.
 */
static inline int next_set_bit(const bitstr_t *bits, int from)
{
	const uint64_t *words = (const uint64_t *)bits + BITSTR_OVERHEAD;
	int size = (int)bit_size((bitstr_t *)bits);
	int word = from / 64, count = (size + 63) / 64;
	uint64_t left;

	if (from >= size)
		return -1;
#ifdef SLURM_BIGENDIAN
	left = words[word] & (UINT64_MAX >> (from % 64));
#else
	left = words[word] & (UINT64_MAX << (from % 64));
#endif
	while (!left && ++word < count)
		left = words[word];
	if (!left)
		return -1;
#ifdef SLURM_BIGENDIAN
	return word * 64 + __builtin_clzll(left);
#else
	return word * 64 + __builtin_ctzll(left);
#endif
}

/* What each task asks for beyond --gpus-per-task. */
#define STEP_TRES_PER_TASK(opt) false

#endif
