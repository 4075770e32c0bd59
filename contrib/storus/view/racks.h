/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the nodes stand in the machine room: the files that Racks= of torus.conf names.
 *
 * The plugins accept the key and do not read the file, as placement does not depend on
 * it: a fault in it keeps no slurmctld from starting.
 */
#ifndef STORUS_VIEW_RACKS_H
#define STORUS_VIEW_RACKS_H

#include <stdint.h>

#include "base/error.h"
#include "conf/torus_conf.h"
#include "machine/cluster.h"

/* Rows, cabinets, cages and slots are numbered from 0 to below this. */
#define TORUS_RACKS_NUMBERS 65536
/* The most places: distinct rows times cabinets times cages times slots. */
#define TORUS_RACKS_PLACES (UINT32_C(1) << 28)
/* The place of a node that no file names, as its torus has no Racks=. */
#define TORUS_NO_PLACE UINT32_MAX

enum torus_rack_level {
	TORUS_RACK_ROW,
	TORUS_RACK_CABINET,
	TORUS_RACK_CAGE,
	TORUS_RACK_SLOT,
	TORUS_RACK_LEVELS,
};

/*
 * The places of all nodes of a cluster. A level's numbers are those that any node has, so
 * that places are few where the site's numbers have gaps or do not begin with 0.
 */
typedef struct torus_racks {
	uint32_t count[TORUS_RACK_LEVELS];   /* how many distinct numbers */
	uint32_t *number[TORUS_RACK_LEVELS]; /* [count] ascending */
	/*
	 * [nodes of the cluster] by the number in the cluster (torus_cluster_number()):
	 * ((row * cabinets + cabinet) * cages + cage) * slots + slot, each the index in
	 * number[] of its level. No two are the same, but for TORUS_NO_PLACE.
	 */
	uint32_t *place;
} torus_racks_t;

/*
 * Read the files that Racks= names in the torus.conf that [cluster] was read from. A file
 * has lines "node row cabinet cage slot"; comments, continued and empty lines as in
 * torus.conf. `node` may be a hostlist and each number a range "0-7": there are as many
 * places then as nodes, the slot running fastest and the row slowest.
 *
 * Racks= on the line of a torus names a file of the nodes of that torus; elsewhere one of
 * the nodes of all tori that have none of their own. Returns 0, and then [racks] is to be
 * cleared with torus_racks_clear(); it is empty ({0}) without any Racks=. Returns -1 with
 * [err] as "FILE:LINE: reason", [racks] empty: a file that cannot be read, a line that is
 * not of that form, a number of TORUS_RACKS_NUMBERS or more, a node that is unknown, of
 * another torus, given twice or missing, two nodes in a slot, too many places, memory.
 */
int torus_racks_read(const torus_cluster_t *cluster, torus_racks_t *racks,
		     torus_error_t *err);

/* The same with files from [reader], as torus_conf_read_text() has them. */
int torus_racks_read_with(const torus_cluster_t *cluster, torus_file_reader_t *reader,
			  void *context, torus_racks_t *racks, torus_error_t *err);

/* Free what [racks] holds; it is empty then. */
void torus_racks_clear(torus_racks_t *racks);

#endif
