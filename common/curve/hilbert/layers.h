/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layers: a box cut along one axis into three or more slabs alike, of which every other
 * one is walked back. A slab that an axis of a ring lies in is more compact than a box
 * that cuts the ring and has as many cells.
 */
#ifndef TORUS_CURVE_HILBERT_LAYERS_H
#define TORUS_CURVE_HILBERT_LAYERS_H

#include "curve/hilbert/plan.h"

/*
 * Give the plan [index], which has parts already, the tightest layers instead if these
 * are tighter. At most [tries] of them are measured, the thinnest first. Slabs one cell
 * thick could not be stretched (scale.c): they are not tried in a book with models.
 */
void torus_hilbert_try_layers(hilbert_book_t *book, uint32_t index, int tries);

#endif
