/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The integer program: see order/model.h. */
#include "order/model.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the rows are built from. */
typedef struct builder {
	const torus_order_objective_t *objective;
	torus_order_model_t *model;
	uint32_t n;
	uint32_t k;	/* the largest distance s with w(s) > 0 that two positions have */
	uint32_t slots; /* pairs of positions (p,q), in both orders */
	uint64_t entries;
	uint32_t *pair; /* for each entry of near, the pair e it belongs to */
} builder_t;

static uint32_t useful_k(const torus_order_objective_t *objective)
{
	uint32_t n = objective->near->tasks;
	uint32_t k = objective->k < n - 1 ? objective->k : n - 1;

	while (k > 0 && objective->weight[k] == 0)
		k--;
	return k;
}

/* Positions (p,q) 1 .. k apart: 2 (n-1) + ... + 2 (n-k). */
static uint64_t slots_of(uint64_t n, uint64_t k)
{
	return 2 * n * k - k * (k + 1);
}

uint64_t torus_order_model_size(const torus_order_objective_t *objective)
{
	uint64_t n = objective->near->tasks, k = useful_k(objective);
	uint64_t pairs = objective->near->first[n] / 2;

	if (n > UINT32_C(1) << 15 || pairs > UINT32_C(1) << 31)
		return UINT64_MAX;
	return 4 * slots_of(n, k) * pairs + 2 * n * n;
}

/* The column of z(e,p,q). */
static uint32_t column_of_z(const builder_t *builder, uint32_t e, uint32_t p, uint32_t q)
{
	uint32_t s = p < q ? q - p : p - q, low = p < q ? p : q;
	uint64_t slot = slots_of(builder->n, s - 1) + 2 * low + (p > q);

	return builder->n * builder->n + e * builder->slots + (uint32_t)slot;
}

static void add(builder_t *builder, uint32_t column, double coefficient)
{
	builder->model->column[builder->entries] = column;
	builder->model->coefficient[builder->entries++] = coefficient;
}

static void end_row(builder_t *builder, bool equal, double limit)
{
	torus_order_model_t *model = builder->model;

	model->equal[model->rows] = equal;
	model->limit[model->rows++] = limit;
	model->first[model->rows] = builder->entries;
}

/* (1) */
static void assignment_rows(builder_t *builder)
{
	uint32_t n = builder->n;

	for (uint32_t v = 0; v < n; v++) {
		for (uint32_t p = 0; p < n; p++)
			add(builder, v * n + p, 1);
		end_row(builder, true, 1);
	}
	for (uint32_t p = 0; p < n; p++) {
		for (uint32_t v = 0; v < n; v++)
			add(builder, v * n + p, 1);
		end_row(builder, true, 1);
	}
}

static uint32_t lowest_near(const builder_t *builder, uint32_t p)
{
	return p > builder->k ? p - builder->k : 0;
}

static uint32_t highest_near(const builder_t *builder, uint32_t p)
{
	return p + builder->k < builder->n ? p + builder->k : builder->n - 1;
}

/* (2): [node], the lower end of pair [e] if [lower], on p, the other near it. */
static void pair_rows(builder_t *builder, uint32_t e, uint32_t node, bool lower)
{
	for (uint32_t p = 0; p < builder->n; p++) {
		for (uint32_t q = lowest_near(builder, p); q <= highest_near(builder, p);
		     q++) {
			if (p != q)
				add(builder,
				    lower ? column_of_z(builder, e, p, q)
					  : column_of_z(builder, e, q, p),
				    1);
		}
		add(builder, node * builder->n + p, -1);
		end_row(builder, false, 0);
	}
}

/* (3) */
static void neighbor_row(builder_t *builder, uint32_t node, uint32_t p, uint32_t q)
{
	const torus_task_graph_t *near = builder->objective->near;

	for (uint64_t i = near->first[node]; i < near->first[node + 1]; i++)
		add(builder,
		    near->neighbor[i] > node
			    ? column_of_z(builder, builder->pair[i], p, q)
			    : column_of_z(builder, builder->pair[i], q, p),
		    1);
	add(builder, node * builder->n + p, -1);
	end_row(builder, false, 0);
}

static void neighbor_rows(builder_t *builder, uint32_t node)
{
	for (uint32_t p = 0; p < builder->n; p++) {
		for (uint32_t q = lowest_near(builder, p); q <= highest_near(builder, p);
		     q++) {
			if (p != q)
				neighbor_row(builder, node, p, q);
		}
	}
}

/* The first node with most neighbours. */
static uint32_t busiest(const torus_task_graph_t *near)
{
	uint64_t most = 0;
	uint32_t node = 0;

	for (uint32_t v = 0; v < near->tasks; v++) {
		uint64_t degree = near->first[v + 1] - near->first[v];

		if (degree > most) {
			most = degree;
			node = v;
		}
	}
	return node;
}

/* (4) */
static void direction_row(builder_t *builder)
{
	uint32_t node = busiest(builder->objective->near);

	for (uint32_t p = 0; p < (builder->n + 1) / 2; p++)
		add(builder, node * builder->n + p, 1);
	end_row(builder, true, 1);
}

static void objective_of_pair(builder_t *builder, uint32_t e, double nearness)
{
	for (uint32_t p = 0; p < builder->n; p++) {
		for (uint32_t q = lowest_near(builder, p); q <= highest_near(builder, p);
		     q++) {
			if (p != q)
				builder->model->value[column_of_z(builder, e, p, q)] =
					nearness *
					torus_order_weight(builder->objective, p, q);
		}
	}
}

/* Number the pairs by their lower ends, and give both ends' entries the number. */
static void number_pairs(builder_t *builder)
{
	const torus_task_graph_t *near = builder->objective->near;
	uint32_t pairs = 0;

	for (uint32_t v = 0; v < builder->n; v++) {
		for (uint64_t i = near->first[v]; i < near->first[v + 1]; i++) {
			uint32_t u = near->neighbor[i];
			uint64_t back;

			if (u < v)
				continue;
			for (back = near->first[u]; near->neighbor[back] != v; back++)
				;
			builder->pair[i] = builder->pair[back] = pairs++;
		}
	}
}

static void build(builder_t *builder)
{
	const torus_task_graph_t *near = builder->objective->near;

	number_pairs(builder);
	assignment_rows(builder);
	for (uint32_t v = 0; v < builder->n; v++) {
		for (uint64_t i = near->first[v]; i < near->first[v + 1]; i++) {
			bool lower = v < near->neighbor[i];

			pair_rows(builder, builder->pair[i], v, lower);
			if (lower)
				objective_of_pair(
					builder, builder->pair[i],
					torus_order_near(builder->objective, i));
		}
		if (near->first[v] < near->first[v + 1])
			neighbor_rows(builder, v);
	}
	direction_row(builder);
}

torus_order_model_t *torus_order_model_create(const torus_order_objective_t *objective,
					      torus_error_t *err)
{
	uint32_t n = objective->near->tasks, k = useful_k(objective);
	uint64_t ends = objective->near->first[n], slots = slots_of(n, k);
	uint64_t columns = (uint64_t)n * n + ends / 2 * slots;
	uint64_t rows = 2 * n + ends * n + n * slots + 1;
	uint64_t entries = 2 * (uint64_t)n * n + ends * (slots + n) + ends * slots +
			   n * slots + (n + 1) / 2;
	builder_t builder = {.objective = objective, .n = n, .k = k};
	torus_order_model_t *model;

	if (torus_order_model_size(objective) > TORUS_ORDER_MODEL_MAX ||
	    entries > TORUS_ORDER_MODEL_MAX) {
		torus_fail(err,
			   "the integer program for %u nodes is too large for a solver; "
			   "use --solver none",
			   n);
		return NULL;
	}
	builder.slots = (uint32_t)slots;
	builder.pair = malloc((ends + 1) * sizeof(*builder.pair));
	builder.model = model = calloc(1, sizeof(*model));
	if (model) {
		model->nodes = n;
		model->columns = (uint32_t)columns;
		model->value = calloc(columns, sizeof(*model->value));
		model->first = calloc(rows + 1, sizeof(*model->first));
		model->limit = malloc(rows * sizeof(*model->limit));
		model->equal = malloc(rows * sizeof(*model->equal));
		model->column = malloc(entries * sizeof(*model->column));
		model->coefficient = malloc(entries * sizeof(*model->coefficient));
	}
	if (!builder.pair || !model || !model->value || !model->first || !model->limit ||
	    !model->equal || !model->column || !model->coefficient) {
		torus_fail(err, "out of memory for the integer program of %u nodes", n);
		torus_order_model_destroy(model);
		model = NULL;
	} else {
		build(&builder);
	}
	free(builder.pair);
	return model;
}

void torus_order_model_destroy(torus_order_model_t *model)
{
	if (!model)
		return;
	free(model->value);
	free(model->first);
	free(model->column);
	free(model->coefficient);
	free(model->limit);
	free(model->equal);
	free(model);
}

void torus_order_model_point(const torus_order_objective_t *objective,
			     const torus_order_model_t *model, const uint32_t *order,
			     double *value)
{
	const torus_task_graph_t *near = objective->near;
	builder_t builder = {.n = model->nodes, .k = useful_k(objective)};
	uint32_t n = builder.n, first = busiest(near), at = 0, e = 0;
	bool reverse;

	builder.slots = (uint32_t)slots_of(n, builder.k);
	for (uint32_t c = 0; c < model->columns; c++)
		value[c] = 0;
	while (order[at] != first)
		at++;
	reverse = at >= (n + 1) / 2;
	for (uint32_t p = 0; p < n; p++)
		value[order[p] * n + (reverse ? n - 1 - p : p)] = 1;
	for (uint32_t v = 0; v < n; v++) {
		for (uint64_t i = near->first[v]; i < near->first[v + 1]; i++) {
			uint32_t p = 0, q = 0, u = near->neighbor[i];

			if (u < v)
				continue;
			while (value[v * n + p] == 0)
				p++;
			while (value[u * n + q] == 0)
				q++;
			if ((p < q ? q - p : p - q) <= builder.k)
				value[column_of_z(&builder, e, p, q)] = 1;
			e++;
		}
	}
}

int torus_order_model_order(const torus_order_model_t *model, const double *value,
			    uint32_t *order)
{
	uint32_t n = model->nodes, placed = 0;

	for (uint32_t p = 0; p < n; p++)
		order[p] = UINT32_MAX;
	for (uint32_t v = 0; v < n; v++) {
		for (uint32_t p = 0; p < n; p++) {
			if (value[v * n + p] < 0.5)
				continue;
			if (order[p] != UINT32_MAX || placed > v)
				return -1;
			order[p] = v;
			placed++;
		}
		if (placed != v + 1)
			return -1;
	}
	return 0;
}

/* The same matrix by columns: start[columns + 1] and, for each coefficient, its place in
 * the rows and its row. Returns 0, or -1: out of memory. */
static int by_columns(const torus_order_model_t *model, uint64_t **start,
		      uint64_t **place, uint32_t **row)
{
	uint64_t entries = model->first[model->rows];

	*start = calloc((size_t)model->columns + 2, sizeof(**start));
	*place = malloc((entries + 1) * sizeof(**place));
	*row = malloc((entries + 1) * sizeof(**row));
	if (!*start || !*place || !*row)
		return -1;
	for (uint64_t i = 0; i < entries; i++)
		(*start)[model->column[i] + 2]++;
	for (uint32_t c = 0; c < model->columns; c++)
		(*start)[c + 1] += (*start)[c];
	for (uint32_t r = 0; r < model->rows; r++) {
		for (uint64_t i = model->first[r]; i < model->first[r + 1]; i++) {
			uint64_t at = (*start)[model->column[i] + 1]++;

			(*place)[at] = i;
			(*row)[at] = r;
		}
	}
	return 0;
}

static void write_column(const torus_order_model_t *model, FILE *file, uint32_t c,
			 const uint64_t *start, const uint64_t *place,
			 const uint32_t *row)
{
	if (model->value[c] != 0)
		fprintf(file, " C%" PRIu32 " VALUE %.17g\n", c, -model->value[c]);
	for (uint64_t i = start[c]; i < start[c + 1]; i++)
		fprintf(file, " C%" PRIu32 " R%" PRIu32 " %g\n", c, row[i],
			model->coefficient[place[i]]);
}

int torus_order_model_write(const torus_order_model_t *model, FILE *file,
			    torus_error_t *err)
{
	uint64_t *start, *place;
	uint32_t *row, whole = model->nodes * model->nodes;
	int rc = 0;

	if (by_columns(model, &start, &place, &row)) {
		rc = torus_fail(err, "out of memory for the integer program of %u nodes",
				model->nodes);
		goto done;
	}
	fputs("NAME ORDER FREE\nROWS\n N VALUE\n", file);
	for (uint32_t r = 0; r < model->rows; r++)
		fprintf(file, " %c R%" PRIu32 "\n", model->equal[r] ? 'E' : 'L', r);
	fputs("COLUMNS\n M1 'MARKER' 'INTORG'\n", file);
	for (uint32_t c = 0; c < whole; c++)
		write_column(model, file, c, start, place, row);
	fputs(" M2 'MARKER' 'INTEND'\n", file);
	for (uint32_t c = whole; c < model->columns; c++)
		write_column(model, file, c, start, place, row);
	fputs("RHS\n", file);
	for (uint32_t r = 0; r < model->rows; r++) {
		if (model->limit[r] != 0)
			fprintf(file, " RHS R%" PRIu32 " %g\n", r, model->limit[r]);
	}
	fputs("BOUNDS\n", file);
	for (uint32_t c = 0; c < whole; c++)
		fprintf(file, " UP BOUND C%" PRIu32 " 1\n", c);
	fputs("ENDATA\n", file);
done:
	free(start);
	free(place);
	free(row);
	return rc;
}
