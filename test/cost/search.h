/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search for the question that costs most: random ones, and those that were found to
 * cost most with some of their numbers changed, or mixed with others'.
 */
#ifndef TORUS_TEST_COST_SEARCH_H
#define TORUS_TEST_COST_SEARCH_H

#include "question.h"

/* What the cost of a question may be, as a multiple of the ordinary one's. */
#define MOST_OFTEN 10
#define MOST_OFTEN_SMALL 50 /* on machines of up to SMALL nodes */
#define SMALL 1000

typedef struct found {
	question_t question;
	answer_t hostile, ordinary;
	/* Of work or memory, whichever is more, as a multiple of what it may be: above 1
	 * the bound is broken. */
	double cost;
} found_t;

/* Ask [found]'s question and fill the rest. */
void cost_ask(found_t *found);

/*
 * Search on the first [machines] of all, for [seconds] or, with 0, for [questions]; keep
 * the [room] costliest in best[], the worst first. Returns how many these are. Uses
 * random_next() of unit/random.h.
 */
int cost_search(uint32_t machines, double seconds, uint64_t questions, found_t *best,
		int room);

/*
 * Have the next cost_search() begin with the questions in a file, one on each line, as
 * cost_write() left them; a line that begins with # may stand before each. Returns how
 * many they are; 0 also where there is no such file.
 */
int cost_read(const char *path);
/* Write the costliest questions of the last search to a file. Returns 0, or -1 with errno
 * set. */
int cost_write(const char *path);

/* Write a line of numbers and one of the job. */
void cost_print(const found_t *found, FILE *to);

#endif
