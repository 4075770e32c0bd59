/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The best order of a few nodes, by trying all: see taskmap/any/few.c. */
#ifndef TORUS_TASKMAP_ANY_FEW_H
#define TORUS_TASKMAP_ANY_FEW_H

#include "taskmap/any/search.h"

/* So many nodes are few: 5,040 orders with the first one in front. */
#define TORUS_ANY_FEW 8

/* Offer [search] orders of up to TORUS_ANY_FEW nodes, until none that it may come to is
 * allowed and better than its best. */
void torus_any_few(torus_any_search_t *search);

#endif
