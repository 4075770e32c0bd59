/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that storus convert has read from somebody else's configuration: tori, and
 * which node is at which coordinate of them.
 */
#ifndef STORUS_CONVERT_CONVERTED_H
#define STORUS_CONVERT_CONVERTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/chords.h"

typedef struct storus_converted_node {
	char *name;	/* owned */
	uint32_t cell;	/* of the torus's geometry */
	uint32_t order; /* its number in the order in which they were added */
} storus_converted_node_t;

/* What a block of nodes is. */
typedef struct storus_block {
	torus_geometry_t box; /* its sides in nodes */
	int32_t node[TORUS_MAX_DIMS]; /* those of a node in chips; node[0] is 0: nobody says */
} storus_block_t;

/* Told, as "FILE:LINE: text", of what is left out or gets another name. */
typedef void storus_remark_t(void *context, const char *text);

/* Of a TorusName= in torus.conf. */
enum { STORUS_TORUS_NAME_MAX = 63 };

typedef struct storus_converted_torus {
	char *name; /* owned; what torus.conf allows */
	torus_geometry_t geometry;
	storus_converted_node_t *node; /* [nodes] */
	uint32_t nodes;
	uint32_t room; /* private: of node[] */
	int32_t node_shape[TORUS_MAX_DIMS]; /* of a node in chips; the first is 0: nobody says */
	bool by_registration; /* its nodes say where they are when they come */
	torus_chord_t *link;  /* [links] beside its own, between chips; owned */
	uint32_t links;
	/* Filled by storus_converted_finish(): */
	uint32_t nodes_per_router; /* 0: they differ, or some router has none */
	char *list; /* owned: the nodes as a hostlist that fills the routers; NULL if a
		       file of coordinates is needed (nodes_per_router is 0) or easier to
		       read */
} storus_converted_torus_t;

typedef struct storus_converted {
	storus_converted_torus_t *torus; /* [tori] */
	int tori;
} storus_converted_t;

/* [name] as torus.conf allows it, in [clean]: other characters become _, and what is too
 * long is cut. */
void storus_converted_clean_name(const char *name, char clean[STORUS_TORUS_NAME_MAX + 1]);

/*
 * Add a torus without nodes, called [name], which is copied; its geometry is the caller's
 * to fill. Valid until the next is added. NULL with [err] filled: a name that torus.conf
 * does not allow, one that is there already, too many tori, memory.
 */
storus_converted_torus_t *storus_converted_add_torus(storus_converted_t *machine,
						     const char *name,
						     torus_error_t *err);

/* Add the node called [name], which is copied, at [cell]. Returns 0, or -1 with [err]
 * filled: memory, more than TORUS_HOSTLIST_MAX nodes. */
int storus_converted_add_node(storus_converted_torus_t *torus, const char *name,
			      uint32_t cell, torus_error_t *err);

/* Whether both have the same nodes in the same places of the same box. Sorts them. */
bool storus_converted_same(storus_converted_torus_t *a, storus_converted_torus_t *b);

/* Take torus number [t] out; those behind it move up. */
void storus_converted_remove(storus_converted_t *machine, int t);

/* Nodes of a torus that have a place already. */
typedef struct storus_converted_repeated {
	uint32_t nodes;	  /* how many; 0: the rest is not filled */
	const char *name; /* the first of them, owned by the torus that keeps it ... */
	int owner;	  /* ... which is this one */
} storus_converted_repeated_t;

/*
 * Take out of torus number [t] the nodes that a torus before it has, and those that it
 * has a second time. Returns 0, or -1 with [err] filled: memory.
 */
int storus_converted_keep_first(storus_converted_t *machine, int t,
				storus_converted_repeated_t *repeated,
				torus_error_t *err);

/*
 * When all are added: sort the nodes of every torus by cell, those of a cell as they were
 * added, and find out how they can be written down. Returns 0, or -1 with [err] filled: a
 * torus without a node that is not by registration, a name that two nodes have, on one torus or on two; memory.
 */
int storus_converted_finish(storus_converted_t *machine, torus_error_t *err);

/* How many nodes, from number [first] on, are on the router of node [first]. */
uint32_t storus_converted_on_router(const storus_converted_torus_t *torus,
				    uint32_t first);

/* The names of [count] nodes from number [first] on as a hostlist; malloc'ed, NULL:
 * memory. */
char *storus_converted_hostlist(const storus_converted_torus_t *torus, uint32_t first,
				uint32_t count);

/* Free what it holds; an empty machine ({0}) is left. */
void storus_converted_clear(storus_converted_t *machine);

#endif
