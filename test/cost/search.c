/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search for the costliest question: see search.h. */
#include "search.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "../unit/random.h"

/* Kept to be changed, and at least so many random ones first. */
#define POOL 400
#define FIRST 40

/* The questions found so far, the costliest first. */
static found_t pool[POOL + 1];
static uint32_t count;

void cost_ask(found_t *found)
{
	double most = question_machine_nodes(&found->question) > SMALL ? MOST_OFTEN
								       : MOST_OFTEN_SMALL;
	double work, memory;

	question_ask(&found->question, &found->hostile, &found->ordinary);
	work = question_work_ratio(&found->hostile, &found->ordinary);
	memory = question_memory_ratio(&found->hostile, &found->ordinary);
	found->cost = (work > memory ? work : memory) / most;
}

/* A random question. */
static void invent(question_t *question)
{
	for (int i = 0; i < GENES; i++)
		question->gene[i] = (uint32_t)random_next();
}

/* One of the pool, mostly a costly one, with some numbers changed. */
static void change(question_t *question)
{
	uint32_t from = random_in(0, random_in(0, count - 1));

	*question = pool[from].question;
	if (random_in(0, 3) == 0) {
		const question_t *other = &pool[random_in(0, count - 1)].question;

		for (int i = 0; i < GENES; i++)
			question->gene[i] =
				random_in(0, 2) ? question->gene[i] : other->gene[i];
	}
	for (uint32_t i = random_in(1, 6); i; i--)
		question->gene[random_in(0, random_in(0, 2) ? GENE_LENGTHS - 1
							    : GENES - 1)] =
			(uint32_t)random_next();
}

static bool is_same(const question_t *a, const question_t *b)
{
	return !memcmp(a->gene, b->gene, GENE_LENGTHS * sizeof(*a->gene));
}

/* Insert by cost; of questions that differ only in sides one stays. */
static void insert(const found_t *found)
{
	uint32_t at = 0, same = 0;

	while (same < count && !is_same(&pool[same].question, &found->question))
		same++;
	if (same < count) {
		if (pool[same].cost >= found->cost)
			return;
		memmove(pool + same, pool + same + 1, (--count - same) * sizeof(*pool));
	}
	while (at < count && pool[at].cost >= found->cost)
		at++;
	if (at == POOL)
		return;
	if (count == POOL)
		--count;
	memmove(pool + at + 1, pool + at, (count - at) * sizeof(*pool));
	pool[at] = *found;
	++count;
}

int cost_read(const char *path)
{
	FILE *file = fopen(path, "r");
	int read = 0;

	for (bool whole = file; whole; read += whole) {
		found_t found = {0};

		fscanf(file, " #%*[^\n]");
		for (int i = 0; i < GENES && whole; i++)
			whole = fscanf(file, "%" SCNu32, &found.question.gene[i]) == 1;
		if (whole) {
			cost_ask(&found);
			insert(&found);
		}
	}
	if (file)
		fclose(file);
	return read;
}

int cost_write(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		for (int gene = 0; gene < GENES; gene++)
			fprintf(file, "%" PRIu32 "%c", pool[i].question.gene[gene],
				gene < GENES - 1 ? ' ' : '\n');
	}
	return fclose(file) ? -1 : 0;
}

int cost_search(uint32_t machines, double seconds, uint64_t questions, found_t *best,
		int room)
{
	int kept = 0;
	time_t end = time(NULL) + (time_t)seconds;

	for (uint64_t asked = 0; seconds > 0 ? time(NULL) < end : asked < questions;
	     asked++) {
		found_t found;

		if (count < FIRST || random_in(0, 3) == 0)
			invent(&found.question);
		else
			change(&found.question);
		found.question.gene[GENE_MACHINE] %= machines;
		cost_ask(&found);
		insert(&found);
	}
	/* Of each machine and way to ask for a place the worst. */
	for (uint32_t i = 0; i < count && kept < room; i++) {
		bool known = false;

		for (int j = 0; j < kept; j++)
			known |= best[j].question.gene[GENE_MACHINE] ==
					 pool[i].question.gene[GENE_MACHINE] &&
				 best[j].question.gene[GENE_KIND] % 6 ==
					 pool[i].question.gene[GENE_KIND] % 6;
		if (!known)
			best[kept++] = pool[i];
	}
	return kept;
}

void cost_print(const found_t *found, FILE *to)
{
	static const char *const doors[DOORS] = {
		[DOOR_WORDS] = "words",
		[DOOR_CHOICE] = "choice",
		[DOOR_REASON] = "reason",
		[DOOR_TOKEN] = "token",
	};

	fprintf(to, "%.2f of what it may be: work x%.1f, memory x%.1f, verified %d;",
		found->cost, question_work_ratio(&found->hostile, &found->ordinary),
		question_memory_ratio(&found->hostile, &found->ordinary),
		found->hostile.verified);
	for (int door = 0; door < DOORS; door++)
		fprintf(to, " %s %.3g", doors[door],
			(double)found->hostile.door[door].blocks);
	fprintf(to, " (ordinary %.3g)\n    ",
		(double)found->ordinary.door[DOOR_CHOICE].blocks);
	question_print(&found->question, to);
}
