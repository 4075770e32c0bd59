/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading of another select plugin: see delegate.h. */
#include "delegate.h"

#include <dlfcn.h>

delegate_functions_t delegate;

static plugin_context_t *context;

#define DELEGATE_NAME(result, name, parameters, ...) #name,
static const char *names[] = {
	"plugin_id", SELECT_SYMBOLS(DELEGATE_NAME, DELEGATE_NAME, DELEGATE_NAME)};
#undef DELEGATE_NAME

_Static_assert(sizeof(names) == sizeof(delegate_functions_t),
	       "one function pointer for each name");

int delegate_load(const char *type)
{
	if (context)
		return SLURM_SUCCESS;
	context = plugin_context_create("select", type, (void **)&delegate, names,
					sizeof(names));
	return context ? SLURM_SUCCESS : SLURM_ERROR;
}

void *delegate_variable(const char *name)
{
	return dlsym(context->cur_plugin, name);
}

void delegate_unload(void)
{
	if (!context)
		return;
	plugin_context_destroy(context);
	context = NULL;
}
