/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs' tasks are put in order: see machine/order_scope.h. */
#include "machine/order_scope.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char except[] = "except:";

/* Whether some name in the list is empty. */
static bool has_gap(const char *list)
{
	return !*list || *list == ',' || strstr(list, ",,") ||
	       list[strlen(list) - 1] == ',';
}

int torus_order_scope_parse(const char *text, torus_order_scope_t *scope,
			    torus_error_t *err)
{
	size_t prefix = sizeof(except) - 1;

	*scope = (torus_order_scope_t){0};
	if (!strcasecmp(text, "all"))
		return 0;
	scope->only = strncasecmp(text, except, prefix) != 0;
	if (!strcasecmp(text, "none"))
		return 0;
	if (!scope->only)
		text += prefix;
	if (has_gap(text))
		return torus_fail(err,
				  "'%.64s' is not a list of partitions, such as "
				  "batch,long, nor all or none",
				  text);
	scope->partitions = strdup(text);
	return scope->partitions ? 0 : torus_fail(err, "out of memory");
}

static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strcspn(at, ",") == length && !strncmp(at, name, length))
			return true;
	}
	return false;
}

bool torus_order_scope_has(const torus_order_scope_t *scope, const char *partition)
{
	return is_listed(scope->partitions, partition) == scope->only;
}

void torus_order_scope_clear(torus_order_scope_t *scope)
{
	free(scope->partitions);
	*scope = (torus_order_scope_t){0};
}
