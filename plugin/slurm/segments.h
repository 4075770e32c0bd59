/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of segments: --segment, which Slurm has from 24.11 on. */
#ifndef TORUS_SLURM_SEGMENTS_H
#define TORUS_SLURM_SEGMENTS_H

#include "slurm/tori.h"

/*
 * The nodes of a segment of the job, which may have [max_nodes]; 0: it asks for none, or
 * all its nodes fit within one, or its partition has nodes on no torus.
 */
uint32_t segments_of_job(const tori_t *tori, const job_record_t *job, uint32_t max_nodes);

/* The fewest nodes, at least [min_nodes], that can be cut into segments of [size]; 0:
 * there is nothing to cut. */
uint32_t segments_least_nodes(uint32_t size, uint32_t min_nodes);

/*
 * Refuse the job if it asks for segments of [size] (0: none) in vain: the number of nodes
 * can not be cut into them, or, if it has but one, a number of GRES for the whole job
 * (--gpus) not into as many equal parts. Returns what Slurm is to be told, as refuse_job(), or
 * SLURM_SUCCESS.
 */
int segments_check(const job_record_t *job, uint32_t size, uint32_t min_nodes,
		   uint32_t max_nodes);

/* Refuse a job of segments because [size] does not divide the number of nodes of the box
 * that it asks for. */
int segments_refuse_box(const job_record_t *job, uint32_t size);

/* Refuse it because [nodes], or those of its partition, hold too few segments. */
int segments_refuse_too_few(const job_record_t *job, const bitstr_t *nodes, uint32_t size,
			    uint32_t min_nodes);

#endif
