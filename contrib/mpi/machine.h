/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a process runs. Each knows its own node; one process looks up all of them.
 *
 * A node is called SLURMD_NODENAME, or by the host's name. Its place is in torus.conf:
 * $STORUS_CONF, or beside $SLURM_CONF, or in Slurm's directory. Without such a file on
 * any node, the environment can say it: TORUS_COORD ("1,2,3", each process its own),
 * TORUS_DIMS ("8x8x5"), TORUS_WRAP ("xyz") and TORUS_TWIST ("z": the long sides of a
 * twisted torus). On a torus by registration (machine/registration.h) a node is where its
 * processes have SLURM_TOPOLOGY_ADDR, which topology/torus gives them.
 *
 * On a machine of cubes the job has a torus of its own (torus/joined.h): of the nodes in
 * SLURM_JOB_NODELIST, if torus.conf knows these, and the shape in SLURM_NETWORK.
 *
 * Where torus.conf says that a node is a box of chips (NodeShape=), and all of a
 * communicator's nodes have a process for each, process i of a node is on its chip i: so
 * many processes, with numbers of their own from 0 on, which the launcher gives them.
 */
#ifndef STORUS_MPI_MACHINE_H
#define STORUS_MPI_MACHINE_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/* What a process says of itself: sent as bytes. */
typedef struct storus_mpi_whereabouts {
	char node[96];	/* its name */
	char coord[32]; /* TORUS_COORD, or empty */
	char place[64]; /* "main:1:2:3" of SLURM_TOPOLOGY_ADDR, or empty */
	int32_t local;	/* its number among the tasks of its node, from 0; -1: unknown */
} storus_mpi_whereabouts_t;

/* Fill in this process's own. Names that are too long become empty: nobody knows them. */
void storus_mpi_whereabouts(storus_mpi_whereabouts_t *own);

/*
 * Get ready to look up: reads torus.conf at the first call, unless TORUS_DIMS is set.
 * Returns 0, or -1 with [err] filled: there is no file, or a bad one. Threads may call
 * it at the same time.
 */
int storus_mpi_machine_open(torus_error_t *err);

/*
 * Look all processes up, after storus_mpi_machine_open(): fills node[] (numbers, equal
 * for equal names; with a process on each chip, the chips') and cell[], and the geometry
 * they are on, then that of the chips. [stride] bytes lie from one
 * process's whereabouts to the next. Returns 0, or -1 with [err] filled: a node without a
 * place, or processes on several tori.
 */
int storus_mpi_machine_find(const storus_mpi_whereabouts_t *where, size_t stride,
			    uint32_t processes, torus_geometry_t *geometry,
			    uint32_t *node, uint32_t *cell, torus_error_t *err);

#endif
