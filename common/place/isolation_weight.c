/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weight of isolation as text: see place.h. */
#include "base/thousandths.h"
#include "place/place.h"

int torus_isolation_weight_parse(const char *text, uint32_t *weight, torus_error_t *err)
{
	return torus_thousandths_parse(text, 0, TORUS_ISOLATION_WEIGHT_MOST / 1000, "0.2",
				       weight, err);
}
