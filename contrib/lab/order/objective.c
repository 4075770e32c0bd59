/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The value of an order: see order/objective.h. */
#include "order/objective.h"

#include <stdlib.h>
#include <string.h>

void torus_order_weights(torus_order_objective_t *objective, uint32_t k)
{
	objective->k = k;
	objective->weight[0] = 0;
	for (uint32_t s = 1; s <= k; s++)
		objective->weight[s] = (double)(k + 1 - s) / k;
}

int torus_order_weights_parse(const char *text, torus_order_objective_t *objective,
			      torus_error_t *err)
{
	const char *at = text;
	uint32_t k = 0;

	objective->weight[0] = 0;
	do {
		char *tail;
		double weight;

		if (k == TORUS_ORDER_K_MAX)
			return torus_fail(err, "more than %d weights", TORUS_ORDER_K_MAX);
		weight = strtod(at, &tail);
		if (tail == at || (*tail && *tail != ',') ||
		    !(weight >= 0 && weight <= TORUS_TASK_GRAPH_WEIGHT))
			return torus_fail(
				err, "'%s' is not a list of weights such as 4,2,1", text);
		if (k == 0 && weight == 0)
			return torus_fail(err,
					  "the first weight of '%s' is 0: then "
					  "nothing earns anything",
					  text);
		if (k > 0 && weight > objective->weight[k])
			return torus_fail(err,
					  "weights must not grow with the distance, as "
					  "they do in '%s'",
					  text);
		objective->weight[++k] = weight;
		at = tail + (*tail == ',');
		if (*tail == ',' && !*at)
			return torus_fail(err, "a weight is missing at the end of '%s'",
					  text);
	} while (*at);
	objective->k = k;
	return 0;
}

double torus_order_value(const torus_order_objective_t *objective,
			 const uint32_t *position)
{
	const torus_task_graph_t *near = objective->near;
	double value = 0;

	for (uint32_t node = 0; node < near->tasks; node++) {
		for (uint64_t i = near->first[node]; i < near->first[node + 1]; i++) {
			uint32_t other = near->neighbor[i];

			if (other > node)
				value += torus_order_near(objective, i) *
					 torus_order_weight(objective, position[node],
							    position[other]);
		}
	}
	return value;
}

static int compare_descending(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left < right) - (left > right);
}

/*
 * Sort dear[0 .. count-1], and put the dearest ones on [first_places] places of weight
 * w(1), [fewer] fewer of w(2), and so on. Returns the sum of the products.
 */
static double best_fill(const torus_order_objective_t *objective, double *dear,
			uint64_t count, uint64_t first_places, uint64_t fewer)
{
	uint64_t places = first_places, at = 0;
	double sum = 0;

	qsort(dear, count, sizeof(*dear), compare_descending);
	for (uint32_t s = 1; s <= objective->k && at < count && places; s++) {
		for (uint64_t i = 0; i < places && at < count; i++)
			sum += dear[at++] * objective->weight[s];
		places -= places > fewer ? fewer : places;
	}
	return sum;
}

int torus_order_bound(const torus_order_objective_t *objective, double *bound,
		      torus_error_t *err)
{
	const torus_task_graph_t *near = objective->near;
	uint64_t entries = near->first[near->tasks], count;
	double *dear = malloc((entries + 1) * sizeof(*dear));
	double by_node = 0, by_pair;

	if (!dear)
		return torus_fail(err, "out of memory for %llu pairs of nodes",
				  (unsigned long long)entries / 2);
	for (uint32_t node = 0; node < near->tasks; node++) {
		count = 0;
		for (uint64_t i = near->first[node]; i < near->first[node + 1]; i++)
			dear[count++] = torus_order_near(objective, i);
		by_node += best_fill(objective, dear, count, 2, 0) / 2;
	}
	count = 0;
	for (uint32_t node = 0; node < near->tasks; node++) {
		for (uint64_t i = near->first[node]; i < near->first[node + 1]; i++) {
			if (near->neighbor[i] > node)
				dear[count++] = torus_order_near(objective, i);
		}
	}
	by_pair = best_fill(objective, dear, count, near->tasks - 1, 1);
	free(dear);
	*bound = by_node < by_pair ? by_node : by_pair;
	return 0;
}
