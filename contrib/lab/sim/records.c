/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of jobs: see records.h. */
#include "sim/records.h"

#include <stdlib.h>

int torus_records_open(torus_records_t *records, size_t jobs)
{
	records->pages = (jobs - 1) / TORUS_RECORDS_PAGE + 1;
	records->page = calloc(records->pages, sizeof(torus_sim_record_t *));
	return records->page ? 0 : -1;
}

void torus_records_close(torus_records_t *records)
{
	for (size_t i = 0; records->page && i < records->pages; i++)
		free(records->page[i]);
	free(records->page);
	*records = (torus_records_t){0};
}

int torus_records_make(torus_records_t *records, size_t job)
{
	torus_sim_record_t **page = &records->page[job / TORUS_RECORDS_PAGE];

	if (!*page)
		*page = malloc(TORUS_RECORDS_PAGE * sizeof(**page));
	return *page ? 0 : -1;
}

void torus_records_drop(torus_records_t *records, size_t job)
{
	torus_sim_record_t **page = &records->page[job / TORUS_RECORDS_PAGE];

	if (job % TORUS_RECORDS_PAGE < TORUS_RECORDS_PAGE - 1)
		return;
	free(*page);
	*page = NULL;
}
