/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page that shows the machine: one HTML file with its style, its program, three.js
 * and the data inside. It fetches nothing, unless the data says that it is live: then
 * newer data from where it came from. Its Content-Security-Policy lets only scripts run
 * that carry a random number of this page.
 */
#ifndef STORUS_VIEW_PAGE_H
#define STORUS_VIEW_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Write the page with [machine], as machine_json.h makes it, and the library in the file
 * [three_js] to [file]. Errors of [file] are the caller's to find. Returns 0, or -1 with
 * [err] filled: the library cannot be read, or cannot stand in a page; memory.
 */
int storus_page_write(FILE *file, const json_t *machine, const char *three_js,
		      torus_error_t *err);

/* The data as it stands in the page, without what HTML makes necessary: malloc'ed text;
 * NULL: out of memory. */
char *storus_page_data(const json_t *machine);

#endif
