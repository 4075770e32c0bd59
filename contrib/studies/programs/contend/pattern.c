/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pattern.h"

#include <string.h>

static uint32_t floor_log2(uint32_t n)
{
	return 31 - (uint32_t)__builtin_clz(n);
}

/* The rank [distance] from [rank] in the direction of [lane]: 0, 1 are x down and up,
 * and so on. */
static uint32_t grid_neighbor(const torus_task_grid_t *grid, uint32_t rank, uint32_t lane,
			      uint32_t distance)
{
	uint32_t stride = 1, length, at;

	for (uint32_t axis = 0; axis < lane / 2; axis++)
		stride *= (uint32_t)grid->length[axis];
	length = (uint32_t)grid->length[lane / 2];
	at = rank / stride % length;
	if (lane % 2)
		return at + distance < length ? rank + distance * stride : CONTEND_NOBODY;
	return at >= distance ? rank - distance * stride : CONTEND_NOBODY;
}

static void prepare_halo(contend_pattern_t *pattern)
{
	if (!pattern->grid.dims)
		torus_task_grid_mpi(pattern->ranks, 3, &pattern->grid);
	pattern->steps = 1;
	pattern->senders = pattern->ranks;
}

static uint32_t halo_target(const contend_pattern_t *pattern, uint32_t step,
			    uint32_t rank, uint32_t lane)
{
	(void)step;
	return grid_neighbor(&pattern->grid, rank, lane, 1);
}

static void prepare_ring(contend_pattern_t *pattern)
{
	pattern->steps = 1;
	pattern->senders = pattern->ranks;
}

static void prepare_all_to_all(contend_pattern_t *pattern)
{
	pattern->steps = pattern->ranks - 1;
	pattern->senders = pattern->ranks;
}

/* Of ring the first step of all_to_all. */
static uint32_t shifted_target(const contend_pattern_t *pattern, uint32_t step,
			       uint32_t rank, uint32_t lane)
{
	(void)lane;
	return (rank + step + 1) % pattern->ranks;
}

static void prepare_ping_pong(contend_pattern_t *pattern)
{
	uint32_t players = pattern->ranks + pattern->ranks % 2;

	pattern->steps = 2 * (players - 1);
	pattern->senders = pattern->ranks;
}

/* The last player meets all others in turn; for odd n it is not there. */
static uint32_t ping_pong_target(const contend_pattern_t *pattern, uint32_t step,
				 uint32_t rank, uint32_t lane)
{
	uint32_t last = pattern->ranks - 1 + pattern->ranks % 2, turn = step / 2, other;

	(void)lane;
	if (rank == last)
		other = turn;
	else if (rank == turn)
		other = last;
	else
		other = (2 * turn + last - rank) % last;
	if (other >= pattern->ranks || (rank < other) == (step % 2 == 1))
		return CONTEND_NOBODY;
	return other;
}

static void prepare_one_to_all(contend_pattern_t *pattern)
{
	pattern->steps = pattern->ranks - 1;
	pattern->senders = 1;
}

static uint32_t one_to_all_target(const contend_pattern_t *pattern, uint32_t step,
				  uint32_t rank, uint32_t lane)
{
	(void)pattern;
	(void)rank;
	(void)lane;
	return step + 1;
}

static void prepare_fft(contend_pattern_t *pattern)
{
	pattern->steps = floor_log2(pattern->ranks);
	pattern->senders = UINT32_C(1) << pattern->steps;
}

static uint32_t fft_target(const contend_pattern_t *pattern, uint32_t step, uint32_t rank,
			   uint32_t lane)
{
	(void)pattern;
	(void)lane;
	return rank ^ UINT32_C(1) << step;
}

static void prepare_multigrid(contend_pattern_t *pattern)
{
	int32_t longest = 1;

	if (!pattern->grid.dims)
		torus_task_grid_mpi(pattern->ranks, 3, &pattern->grid);
	for (int axis = 0; axis < 3; axis++) {
		if (pattern->grid.length[axis] > longest)
			longest = pattern->grid.length[axis];
	}
	pattern->steps = 2 * floor_log2((uint32_t)longest * 2 - 1) - 1;
	pattern->senders = pattern->ranks;
}

static uint32_t multigrid_target(const contend_pattern_t *pattern, uint32_t step,
				 uint32_t rank, uint32_t lane)
{
	uint32_t back = pattern->steps - 1 - step, left = rank;
	uint32_t distance = UINT32_C(1) << (step < back ? step : back);

	for (int axis = 0; axis < 3; axis++) {
		if (left % (uint32_t)pattern->grid.length[axis] % distance)
			return CONTEND_NOBODY;
		left /= (uint32_t)pattern->grid.length[axis];
	}
	return grid_neighbor(&pattern->grid, rank, lane, distance);
}

static void prepare_cg(contend_pattern_t *pattern)
{
	uint32_t log = floor_log2(pattern->ranks);

	pattern->senders = UINT32_C(1) << log;
	pattern->steps = (log + 1) / 2 + 1;
}

static uint32_t cg_target(const contend_pattern_t *pattern, uint32_t step, uint32_t rank,
			  uint32_t lane)
{
	uint32_t log_columns = pattern->steps - 1;
	uint32_t rows = pattern->senders >> log_columns;
	/* Where rows are twice as long as columns, pairs of ranks are transposed. */
	uint32_t pair = rows == UINT32_C(1) << log_columns ? 1 : 2;
	uint32_t other;

	(void)lane;
	if (step < log_columns)
		return rank ^ UINT32_C(1) << (log_columns - 1 - step);
	other = pair * (rank / pair % rows * rows + rank / pair / rows) + rank % pair;
	return other == rank ? CONTEND_NOBODY : other;
}

static const contend_pattern_kind_t kinds[] = {
	{"halo", 6, prepare_halo, halo_target},
	{"ring", 1, prepare_ring, shifted_target},
	{"all_to_all", 1, prepare_all_to_all, shifted_target},
	{"ping_pong", 1, prepare_ping_pong, ping_pong_target},
	{"one_to_all", 1, prepare_one_to_all, one_to_all_target},
	{"fft", 1, prepare_fft, fft_target},
	{"multigrid", 6, prepare_multigrid, multigrid_target},
	{"cg", 1, prepare_cg, cg_target},
};

const contend_pattern_kind_t *contend_pattern_kind(int index)
{
	return index < (int)(sizeof(kinds) / sizeof(kinds[0])) ? &kinds[index] : NULL;
}

static void prepare(contend_pattern_t *pattern)
{
	pattern->kind->prepare(pattern);
	if (pattern->ranks == 1)
		pattern->steps = 0;
}

int contend_pattern_make(const char *name, uint32_t ranks, contend_pattern_t *pattern,
			 torus_error_t *err)
{
	const contend_pattern_kind_t *kind;
	char names[256] = "";

	for (int i = 0; (kind = contend_pattern_kind(i)); i++) {
		if (!strcmp(kind->name, name))
			break;
		strcat(names, i ? ", " : "");
		strcat(names, kind->name);
	}
	if (!kind)
		return torus_fail(err, "unknown pattern '%s'; there are %s", name, names);
	if (!ranks || ranks > CONTEND_MAX_RANKS)
		return torus_fail(err, "%u ranks: must be 1 to %u", ranks,
				  CONTEND_MAX_RANKS);
	*pattern = (contend_pattern_t){.kind = kind, .ranks = ranks};
	prepare(pattern);
	return 0;
}

void contend_pattern_set_grid(contend_pattern_t *pattern, const torus_task_grid_t *grid)
{
	if (!pattern->grid.dims)
		return;
	pattern->grid = *grid;
	prepare(pattern);
}

uint32_t contend_pattern_target(const contend_pattern_t *pattern, uint32_t step,
				uint32_t rank, uint32_t lane)
{
	return pattern->kind->target(pattern, step, rank, lane);
}
