/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Subcubes of a binary hypercube, for the strategies about them. Private to place/. */
#ifndef TORUS_PLACE_SUBCUBE_H
#define TORUS_PLACE_SUBCUBE_H

#include "place/strategy.h"

/*
 * Whether a strategy recognises the subcubes of 2^[size] nodes which the dimensions of
 * the bits in [across] run through.
 */
typedef bool torus_recognised_t(uint32_t across, int size);

/*
 * Take n nodes of the smallest free subcube that has them, the first recognised one: by
 * its lowest node, then by the dimensions as a number. A node is free if its router is
 * full and all its nodes are free. Returns like a rule of strategy.h, -1 also when the
 * machine, some of whose lengths are not 2, is no binary hypercube.
 */
int torus_subcube_place(const torus_ask_t *ask, torus_recognised_t *recognised,
			torus_error_t *err);

#endif
