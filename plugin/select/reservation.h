/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes for a reservation by their number: close together, like those of a job. */
#ifndef TORUS_RESERVATION_H
#define TORUS_RESERVATION_H

#include "select/job_decide.h"

/* Whether the job record only stands for a reservation: Slurm gives it no partition. */
bool is_reservation(const job_record_t *job);

/*
 * Choose [count] of the [candidates], [required] (or NULL) among them, into [chosen];
 * false: there are none by the rules of choose.h.
 */
bool choose_reserved(tori_t *tori, bitstr_t *candidates, uint32_t count,
		     const bitstr_t *required, bitstr_t *chosen);

/*
 * job_decide() for a reservation. One of single cores or of GRES has the nodes that
 * Slurm's plugin chooses.
 */
int reservation_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap);

#endif
