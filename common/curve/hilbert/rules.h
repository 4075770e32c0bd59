/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules by which plans are made, one a file. Each gives the plan [index] of the book
 * its parts and its looseness, or leaves it without parts when it finds none or memory is
 * short (book->no_memory). The plans of the parts are found in the book.
 */
#ifndef TORUS_CURVE_HILBERT_RULES_H
#define TORUS_CURVE_HILBERT_RULES_H

#include "curve/hilbert/plan.h"

/* Hilbert's own curve, on a cube with sides 2^k travelled along one axis. */
void torus_hilbert_plan_cube(hilbert_book_t *book, uint32_t index);

/* The plan of a smaller box of like proportions; false if this box is small enough. */
bool torus_hilbert_plan_scale(hilbert_book_t *book, uint32_t index);

/* The most compact of many ways of cutting a small box. */
void torus_hilbert_plan_search(hilbert_book_t *book, uint32_t index);

#endif
