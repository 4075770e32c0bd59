/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments on one torus: see torus/segments.h. */
#define _GNU_SOURCE /* qsort_r() */
#include "torus/segments.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "torus/joined.h"
#include "torus/survey.h"

/* The machine cube by cube. */
typedef struct cubes {
	const torus_segments_site_t *site;
	torus_geometry_t one;
	torus_cube_survey_t survey;
	uint32_t full;	  /* nodes of the cube with most */
	uint32_t *first;  /* [cubes + 1] a cube's ranks are rank[first[cube]] up to before
			   * rank[first[cube + 1]], ascending */
	uint32_t *rank;	  /* [ranks] */
	uint32_t *inner;  /* [ranks] its cell within its cube, in the same order */
	uint32_t *order;  /* [cubes] the order in which they are taken */
	uint64_t *within; /* bitmap of the ranks of one cube */
	uint64_t *required; /* the same of those required */
	uint32_t *scratch;  /* [ranks] */
} cubes_t;

static void close_cubes(cubes_t *cubes)
{
	torus_cubes_survey_free(&cubes->survey);
	free(cubes->first);
	free(cubes->rank);
	free(cubes->inner);
	free(cubes->order);
	free(cubes->within);
	free(cubes->required);
	free(cubes->scratch);
}

/* Sort the ranks by cube. */
static void sort_ranks(cubes_t *cubes)
{
	const torus_segments_site_t *site = cubes->site;
	uint32_t count = cubes->survey.cubes;

	for (uint32_t rank = 0; rank < site->ranks; rank++)
		cubes->first[torus_cube_of(site->geometry, site->cell_of_rank[rank],
					   NULL) +
			     2]++;
	for (uint32_t cube = 0; cube < count; cube++)
		cubes->first[cube + 2] += cubes->first[cube + 1];
	for (uint32_t rank = 0; rank < site->ranks; rank++) {
		uint32_t inner, cube = torus_cube_of(site->geometry,
						     site->cell_of_rank[rank], &inner);
		uint32_t at = cubes->first[cube + 1]++;

		cubes->rank[at] = rank;
		cubes->inner[at] = inner;
	}
}

static int by_free(const void *a, const void *b, void *context)
{
	const torus_cube_survey_t *survey = context;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	uint32_t fewer = survey->cube[left].free, other = survey->cube[right].free;

	if (fewer != other)
		return fewer < other ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* Look at the machine; [weights] as torus_cubes_survey() takes them. 0, or -1; either way
 * to be closed. */
static int open_cubes(cubes_t *cubes, const torus_segments_site_t *site,
		      const uint64_t *free_ranks, const uint64_t *weights,
		      torus_error_t *err)
{
	size_t ranks = site->ranks;
	uint32_t count;

	*cubes = (cubes_t){.site = site, .one = torus_cubes_one(site->geometry)};
	if (torus_cubes_survey(&cubes->survey, site->geometry, site->cell_of_rank,
			       site->ranks, free_ranks, weights, err))
		return -1;
	count = cubes->survey.cubes;
	cubes->first = calloc((size_t)count + 2, sizeof(*cubes->first));
	cubes->rank = malloc(ranks * sizeof(*cubes->rank));
	cubes->inner = malloc(ranks * sizeof(*cubes->inner));
	cubes->order = malloc(count * sizeof(*cubes->order));
	cubes->within = torus_bitmap_create(site->ranks);
	cubes->required = torus_bitmap_create(site->ranks);
	cubes->scratch = malloc(ranks * sizeof(*cubes->scratch));
	if (!cubes->first || !cubes->rank || !cubes->inner || !cubes->order ||
	    !cubes->within || !cubes->required || !cubes->scratch)
		return torus_fail(err, "out of memory for the segments of %u cubes",
				  count);
	sort_ranks(cubes);
	for (uint32_t cube = 0; cube < count; cube++) {
		if (cubes->survey.cube[cube].nodes > cubes->full)
			cubes->full = cubes->survey.cube[cube].nodes;
	}
	return 0;
}

/* Cube [cube] as a machine of its own, a mesh. */
static torus_segments_site_t site_of(const cubes_t *cubes, uint32_t cube)
{
	uint32_t first = cubes->first[cube];

	return (torus_segments_site_t){.geometry = &cubes->one,
				       .cell_of_rank = cubes->inner + first,
				       .ranks = cubes->first[cube + 1] - first,
				       .span = TORUS_SPAN_LINEAR,
				       .whether = cubes->site->whether,
				       .work = cubes->site->work};
}

/* Set in [bits] the ranks of cube [cube] that are set in [ranks], by their number in it.
 * Returns how many they are. */
static uint32_t pick_from(const cubes_t *cubes, const uint64_t *ranks, uint32_t cube,
			  uint64_t *bits)
{
	uint32_t first = cubes->first[cube], end = cubes->first[cube + 1], count = 0;

	memset(bits, 0, TORUS_WORDS(cubes->site->ranks) * sizeof(*bits));
	for (uint32_t i = first; i < end; i++) {
		if (!torus_bit_test(ranks, cubes->rank[i]))
			continue;
		torus_bit_set(bits, i - first);
		count++;
	}
	return count;
}

static uint32_t look_into(const cubes_t *cubes, const uint64_t *ranks, uint32_t cube)
{
	return pick_from(cubes, ranks, cube, cubes->within);
}

/* How many ranks of cube [cube] are required; cubes->required says which. */
static uint32_t required_in(const cubes_t *cubes, uint32_t cube)
{
	const uint64_t *required = cubes->site->required;

	return required ? pick_from(cubes, required, cube, cubes->required) : 0;
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* Add the summed distance of the ranks, joined as they can be, to *hops. */
static int add_hops(const torus_segments_site_t *site, const uint32_t *ranks, uint32_t n,
		    uint64_t *hops, torus_error_t *err)
{
	uint32_t *cells = malloc(n * sizeof(*cells));
	torus_geometry_t geometry = *site->geometry;
	uint64_t sum;
	int result = -1;

	if (!cells)
		return torus_fail(err, "out of memory for %u nodes", n);
	for (uint32_t i = 0; i < n; i++)
		cells[i] = site->cell_of_rank[ranks[i]];
	if (!torus_join_cells(&geometry, cells, n, NULL, err) &&
	    !torus_summed_distance(&geometry, cells, n, &sum, err)) {
		*hops += sum;
		result = 0;
	}
	free(cells);
	return result;
}

/* ---- segments of whole cubes ---- */

/* The hops of segments of [size] ranks, one behind the other in ranks[]. */
static int measure(const torus_segments_site_t *site, const uint32_t *ranks,
		   uint32_t size, uint32_t count, torus_segments_hops_t *hops,
		   torus_error_t *err)
{
	*hops = (torus_segments_hops_t){0};
	for (uint32_t i = 0; i < count; i++) {
		if (add_hops(site, ranks + (size_t)i * size, size, &hops->within, err))
			return -1;
	}
	return add_hops(site, ranks, size * count, &hops->all, err);
}

/* The cubes with required ranks. */
static uint32_t count_named(const cubes_t *cubes)
{
	uint32_t count = 0;

	for (uint32_t cube = 0; cube < cubes->survey.cubes; cube++)
		count += required_in(cubes, cube) > 0;
	return count;
}

/* Move those to the front of the [count] cubes in order[]; the order remains. Returns how
 * many they are. */
static uint32_t put_named_first(cubes_t *cubes, uint32_t count)
{
	uint32_t named = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t cube = cubes->order[i];

		if (!required_in(cubes, cube))
			continue;
		memmove(cubes->order + named + 1, cubes->order + named,
			(i - named) * sizeof(*cubes->order));
		cubes->order[named++] = cube;
	}
	return named;
}

static int place_whole(cubes_t *cubes, uint32_t size, uint32_t count, uint32_t *chosen,
		       torus_segments_hops_t *hops, torus_error_t *err)
{
	uint32_t needed = size / cubes->full * count, whole = 0, ranks = 0;
	uint32_t listed = torus_cubes_list_whole(&cubes->survey, cubes->order);
	uint32_t named = count_named(cubes);

	for (uint32_t i = 0; i < listed; i++) {
		uint32_t cube = cubes->order[i];

		if (cubes->survey.cube[cube].nodes != cubes->full)
			continue;
		if (required_in(cubes, cube))
			named--;
		cubes->order[whole++] = cube;
	}
	if (whole < needed || named) /* or one with required ranks is not whole */
		return 0;
	whole = put_named_first(cubes, whole);
	if (whole > needed)
		return 0;
	/* The cubes of a segment by their numbers, as torus_cut_segments() has it.
	 */
	qsort(cubes->order, needed, sizeof(*cubes->order), compare_ranks);
	for (uint32_t i = 0; i < needed; i++) {
		uint32_t cube = cubes->order[i];

		for (uint32_t at = cubes->first[cube]; at < cubes->first[cube + 1]; at++)
			chosen[ranks++] = cubes->rank[at];
	}
	if (measure(cubes->site, chosen, size, count, hops, err))
		return -1;
	qsort(chosen, ranks, sizeof(*chosen), compare_ranks);
	return 1;
}

/* ---- segments within a cube ---- */

/* A question for segments within cubes. */
typedef struct inside {
	cubes_t *cubes;
	uint32_t size, count;
	torus_segments_where_t where;
	uint32_t *kept; /* [cubes] segments that a cube needs for its required ranks */
	uint32_t ranks; /* chosen so far */
	bool gave_up;	/* as in torus_segments_hops_t */
} inside_t;

/* What one cube is asked for. */
typedef struct from_cube {
	uint32_t cube, least, most; /* segments */
	bool fewest;		    /* or else as many as there are */
} from_cube_t;

/* Choose so many segments of the cube that d->cubes->within has. 1, 0 or -1. */
static int try_in_cube(inside_t *d, const torus_segments_site_t *site, uint32_t segments,
		       torus_segments_hops_t *hops, torus_error_t *err)
{
	int found = torus_segments_place(site, d->cubes->within, d->size, segments,
					 d->cubes->scratch, hops, err);

	if (!found)
		d->gave_up |= hops->gave_up;
	return found;
}

/* The fewest segments, [least] to [most], that there are. */
static int place_fewest(inside_t *d, const torus_segments_site_t *site, uint32_t least,
			uint32_t most, uint32_t *made, torus_segments_hops_t *hops,
			torus_error_t *err)
{
	int found = 0;

	for (uint32_t segments = least; segments <= most && !found; segments++) {
		found = try_in_cube(d, site, segments, hops, err);
		*made = found > 0 ? segments : 0;
	}
	return found < 0 ? -1 : 0;
}

/* The most segments, [least] to [most], that there are: found by halving, since fewer
 * have a place where more have. */
static int place_most(inside_t *d, const torus_segments_site_t *site, uint32_t least,
		      uint32_t most, uint32_t *made, torus_segments_hops_t *hops,
		      torus_error_t *err)
{
	torus_segments_site_t whether = *site;
	uint32_t low = least - 1, high = most, middle = most;
	int found;

	whether.whether = true;
	if (!site->required) {
		uint32_t there =
			torus_segments_in_intervals(site, d->cubes->within, d->size);

		low = there > low ? there : low;
		low = low < high ? low : high;
	}
	while (low < high) {
		found = try_in_cube(d, &whether, middle, hops, err);
		if (found < 0)
			return -1;
		if (found)
			low = middle;
		else
			high = middle - 1;
		middle = high - (high - low) / 2;
	}
	if (low < least)
		return 0;
	found = try_in_cube(d, site, low, hops, err);
	if (!found) /* not with the looks that are left */
		found = try_in_cube(d, &whether, low, hops, err);
	*made = found > 0 ? low : 0;
	return found < 0 ? -1 : 0;
}

/* Choose segments of one cube, into cubes->scratch: *made of them. It gets a fourth of
 * the looks that are left. 0, or -1. */
static int place_in_cube(inside_t *d, const uint64_t *free_ranks, const from_cube_t *from,
			 uint32_t *made, uint64_t *within, torus_error_t *err)
{
	torus_segments_site_t site = site_of(d->cubes, from->cube);
	uint32_t room = look_into(d->cubes, free_ranks, from->cube) / d->size;
	uint32_t most = from->most < room ? from->most : room;
	torus_segments_hops_t hops = {0};
	uint64_t work = site.work ? *site.work / 4 : 0, before = work;
	int result = 0;

	if (required_in(d->cubes, from->cube))
		site.required = d->cubes->required;
	if (site.work)
		site.work = &work;
	*made = 0;
	if (from->least <= most)
		result = (from->fewest ? place_fewest : place_most)(
			d, &site, from->least, most, made, &hops, err);
	if (site.work)
		*d->cubes->site->work -= before - work;
	*within = *made ? hops.within : 0;
	return result;
}

/* How many segments the cubes with required ranks need: *kept. 1; 0: they do not have
 * them; or -1. */
static int keep_for_required(inside_t *d, const uint64_t *free_ranks, uint32_t *kept,
			     torus_error_t *err)
{
	*kept = 0;
	for (uint32_t cube = 0; cube < d->cubes->survey.cubes; cube++) {
		uint32_t named = required_in(d->cubes, cube);
		const from_cube_t from = {cube, (named + d->size - 1) / d->size, d->count,
					  true};
		uint64_t within;

		d->kept[cube] = 0;
		if (!named)
			continue;
		if (place_in_cube(d, free_ranks, &from, &d->kept[cube], &within, err))
			return -1;
		if (!d->kept[cube])
			return 0;
		*kept += d->kept[cube];
	}
	return *kept <= d->count;
}

/* Choose as many of the [left] segments as one cube holds, [kept] of which are for the
 * cubes after it: *made. 1; 0: it cannot have its required ranks; or -1. */
static int fill_cube(inside_t *d, const uint64_t *free_ranks, uint32_t cube,
		     uint32_t left, uint32_t kept, uint32_t *chosen, uint64_t *within,
		     uint32_t *made, torus_error_t *err)
{
	from_cube_t from = {.cube = cube, .least = d->kept[cube], .most = left - kept};
	uint64_t hops;

	if (!from.least)
		from.least = 1;
	if (d->where == TORUS_SEGMENTS_SPREAD && from.most > 1)
		from.most = 1;
	if (d->where == TORUS_SEGMENTS_CONSOLIDATED)
		from.least = d->count;
	if (place_in_cube(d, free_ranks, &from, made, &hops, err))
		return -1;
	for (uint32_t i = 0; i < *made * d->size; i++)
		chosen[d->ranks++] =
			d->cubes->rank[d->cubes->first[cube] + d->cubes->scratch[i]];
	*within += hops;
	return *made || !d->kept[cube];
}

static int fill_all(inside_t *d, const uint64_t *free_ranks, uint32_t *chosen,
		    torus_segments_hops_t *hops, torus_error_t *err)
{
	uint32_t left = d->count, made, kept;
	int result = keep_for_required(d, free_ranks, &kept, err);

	d->ranks = 0;
	hops->within = hops->all = 0;
	for (uint32_t i = 0; i < d->cubes->survey.cubes && left && result > 0; i++) {
		uint32_t cube = d->cubes->order[i];

		kept -= d->kept[cube];
		result = fill_cube(d, free_ranks, cube, left, kept, chosen, &hops->within,
				   &made, err);
		left -= made;
	}
	if (d->gave_up)
		hops->gave_up = true;
	if (result <= 0 || left)
		return result < 0 ? -1 : 0;
	qsort(chosen, d->ranks, sizeof(*chosen), compare_ranks);
	if (d->cubes->site->whether)
		return 1;
	return add_hops(d->cubes->site, chosen, d->ranks, &hops->all, err) ? -1 : 1;
}

/* torus_segments_choose_t: among the [free_ranks]. */
static int fill_cubes(void *context, const torus_segments_site_t *site,
		      const uint64_t *free_ranks, uint32_t *chosen,
		      torus_segments_hops_t *hops, torus_error_t *err)
{
	inside_t *d = context;
	const torus_segments_site_t *outer = d->cubes->site;
	int result;

	d->cubes->site = site;
	result = fill_all(d, free_ranks, chosen, hops, err);
	d->cubes->site = outer;
	return result;
}

static int place_inside(cubes_t *cubes, const uint64_t *free_ranks,
			const uint64_t *weights, uint32_t size, uint32_t count,
			torus_segments_where_t where, uint32_t *chosen,
			torus_segments_hops_t *hops, torus_error_t *err)
{
	inside_t inside = {.cubes = cubes, .size = size, .count = count, .where = where};
	uint32_t all = cubes->survey.cubes;
	int result;

	inside.kept = malloc(all * sizeof(*inside.kept));
	if (!inside.kept)
		return torus_fail(err, "out of memory for the segments of %u cubes", all);
	if (where == TORUS_SEGMENTS_CONSOLIDATED && size * count > cubes->full)
		inside.where = TORUS_SEGMENTS_ANYWHERE;
	for (uint32_t cube = 0; cube < all; cube++)
		cubes->order[cube] = cube;
	qsort_r(cubes->order, all, sizeof(*cubes->order), by_free, &cubes->survey);
	result = torus_segments_lowest_weight(cubes->site, free_ranks, weights,
					      size * count, fill_cubes, &inside, chosen,
					      hops, err);
	free(inside.kept);
	return result;
}

int torus_choose_segments(const torus_segments_site_t *site, const uint64_t *free_ranks,
			  const uint64_t *weights, uint32_t size, uint32_t count,
			  torus_segments_where_t where, uint32_t *chosen,
			  torus_segments_hops_t *hops, torus_error_t *err)
{
	cubes_t cubes;
	int result = -1;

	if (!torus_has_cubes(site->geometry))
		return torus_segments_place_weighted(site, free_ranks, weights, size,
						     count, chosen, hops, err);
	if ((uint64_t)size * count > torus_bitmap_count(free_ranks, site->ranks))
		return 0;
	if (open_cubes(&cubes, site, free_ranks, weights, err))
		goto done;
	result = 0;
	if (size % cubes.full == 0)
		result = place_whole(&cubes, size, count, chosen, hops, err);
	/* A cube with holes is never whole, but may have all nodes of a segment. */
	if (!result && size <= cubes.full)
		result = place_inside(&cubes, free_ranks, weights, size, count, where,
				      chosen, hops, err);
done:
	close_cubes(&cubes);
	return result;
}

int torus_count_segments(const torus_segments_site_t *site, const uint64_t *free_ranks,
			 uint32_t size, torus_segments_where_t where, uint32_t *count,
			 torus_error_t *err)
{
	cubes_t cubes;
	int result = -1;

	*count = 0;
	if (!torus_has_cubes(site->geometry)) {
		*count = torus_segments_in_intervals(site, free_ranks, size);
		return 0;
	}
	if (open_cubes(&cubes, site, free_ranks, NULL, err))
		goto done;
	result = 0;
	for (uint32_t cube = 0; cube < cubes.survey.cubes; cube++) {
		const torus_cube_state_t *state = &cubes.survey.cube[cube];
		const torus_segments_site_t one = site_of(&cubes, cube);
		uint32_t here;

		if (size % cubes.full == 0) {
			*count += state->whole && state->nodes == cubes.full;
			continue;
		}
		if (!look_into(&cubes, free_ranks, cube))
			continue;
		here = torus_segments_in_intervals(&one, cubes.within, size);
		if (where == TORUS_SEGMENTS_CONSOLIDATED)
			*count = here > *count ? here : *count;
		else
			*count += where == TORUS_SEGMENTS_SPREAD ? here > 0 : here;
	}
	if (size % cubes.full == 0)
		*count /= size / cubes.full;
done:
	close_cubes(&cubes);
	return result;
}

/* ---- a job's nodes cut ---- */

/* Cut what each cube has of the set, which [ranks] is as a bitmap. 1 with order[]; 0: a
 * cube has nodes that are no segments; or -1. */
static int cut_cubes(cubes_t *cubes, const uint64_t *ranks, uint32_t size,
		     uint32_t *order, bool *pieces, torus_error_t *err)
{
	uint32_t done = 0;

	*pieces = true;
	for (uint32_t cube = 0; cube < cubes->survey.cubes; cube++) {
		const torus_segments_site_t one = site_of(cubes, cube);
		uint32_t nodes = look_into(cubes, ranks, cube), count = 0;
		torus_segments_hops_t hops;
		bool are_pieces = true;

		if (nodes % size)
			return 0;
		if (!nodes)
			continue;
		for (uint32_t at = 0; at < one.ranks; at++) {
			if (torus_bit_test(cubes->within, at))
				cubes->scratch[count++] = at;
		}
		if (torus_segments_cut(&one, cubes->scratch, size, nodes / size,
				       order + done, &are_pieces, &hops, err))
			return -1;
		for (uint32_t i = 0; i < nodes; i++, done++)
			order[done] = cubes->rank[cubes->first[cube] + order[done]];
		*pieces &= are_pieces;
	}
	return 1;
}

/* The cubes of the set, which was surveyed as what is free, one behind the other: 1 with
 * order[], or 0: they are not whole. */
static int cut_whole(const cubes_t *cubes, uint32_t *order)
{
	uint32_t done = 0;

	for (uint32_t cube = 0; cube < cubes->survey.cubes; cube++) {
		const torus_cube_state_t *state = &cubes->survey.cube[cube];
		uint32_t first = cubes->first[cube], end = cubes->first[cube + 1];

		if (!state->free)
			continue;
		if (!state->whole || state->nodes != cubes->full)
			return 0;
		for (uint32_t i = first; i < end; i++)
			order[done++] = cubes->rank[i];
	}
	return 1;
}

int torus_cut_segments(const torus_segments_site_t *site, const uint32_t *set,
		       uint32_t size, uint32_t count, uint32_t *order, bool *pieces,
		       torus_segments_hops_t *hops, torus_error_t *err)
{
	uint64_t *ranks;
	cubes_t cubes = {0};
	int found = -1;

	if (!torus_has_cubes(site->geometry))
		return torus_segments_cut(site, set, size, count, order, pieces, hops,
					  err);
	ranks = torus_bitmap_create(site->ranks);
	if (!ranks)
		return torus_fail(err, "out of memory for %u nodes", size * count);
	for (uint32_t i = 0; i < size * count; i++)
		torus_bit_set(ranks, set[i]);
	if (open_cubes(&cubes, site, ranks, NULL, err))
		goto done;
	*pieces = true;
	found = size > cubes.full && size % cubes.full == 0
			? cut_whole(&cubes, order)
			: cut_cubes(&cubes, ranks, size, order, pieces, err);
	if (found == 0) {
		found = torus_segments_cut(site, set, size, count, order, pieces, hops,
					   err)
				? -1
				: 1;
		*pieces = false;
	} else if (found > 0) {
		/* Each ascending, and the one with the lowest rank first. */
		for (uint32_t i = 0; i < count; i++)
			qsort(order + (size_t)i * size, size, sizeof(*order),
			      compare_ranks);
		qsort(order, count, size * sizeof(*order), compare_ranks);
		found = measure(site, order, size, count, hops, err) ? -1 : 1;
	}
done:
	free(ranks);
	close_cubes(&cubes);
	return found < 0 ? -1 : 0;
}
