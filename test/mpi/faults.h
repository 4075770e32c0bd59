/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations of libstorus_mpi that fail on demand, and those that it has not freed. A
 * program that is linked with this has malloc() and its like for all of its libraries;
 * who calls is known by the address. What the C library allocates for others, as in
 * getline(), is not seen.
 */
#ifndef STORUS_TEST_MPI_FAULTS_H
#define STORUS_TEST_MPI_FAULTS_H

#include <stdbool.h>

/* From now on the library's allocation number [nth], the first being 0, fails, and no
 * other. Only one thread may call the library then. */
void faults_arm(long nth);

/* Let all succeed again. Returns whether one has failed. */
bool faults_disarm(void);

/* How many blocks the library has that nobody freed. */
long faults_blocks(void);

#endif
