/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layers: a box cut along one axis into three or more equal slabs, every other one of
 * which is walked backwards. A slab that contains a whole ring is more compact than a box
 * with as many cells that cuts the ring.
 */
#ifndef TORUS_CURVE_HILBERT_LAYERS_H
#define TORUS_CURVE_HILBERT_LAYERS_H

#include "curve/hilbert/plan.h"

/*
 * If layers are tighter than the parts that the plan [index] has, give it the tightest
 * ones instead. At most [tries] are measured, the thinnest first. Slabs one cell thick
 * cannot be stretched (scale.c), so they are not tried in a book with models.
 */
void torus_hilbert_try_layers(hilbert_book_t *book, uint32_t index, int tries);

#endif
