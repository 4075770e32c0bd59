/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading of another select plugin: see delegate.h. */
#include "select/delegate.h"

#include <dlfcn.h>
#include <errno.h>

delegate_functions_t delegate;

static plugin_handle_t loaded = PLUGIN_INVALID_HANDLE;

#define DELEGATE_NAME(result, name, parameters, ...) #name,
static const char *names[] = {
	"plugin_id", SELECT_SYMBOLS(DELEGATE_NAME, DELEGATE_NAME, DELEGATE_NAME)};
#undef DELEGATE_NAME

_Static_assert(sizeof(names) == sizeof(delegate_functions_t),
	       "one function pointer for each name");

/*
 * By functions that libslurm offers, too: programs of others that are linked to it load
 * select plugins as Slurm's own commands do.
 */
int delegate_load(const char *type)
{
	const int count = sizeof(names) / sizeof(names[0]);

	if (loaded != PLUGIN_INVALID_HANDLE)
		return SLURM_SUCCESS;
	loaded = plugin_load_and_link(type, count, names, (void **)&delegate);
	if (loaded != PLUGIN_INVALID_HANDLE)
		return SLURM_SUCCESS;
	error("cannot load %s: %s", type, slurm_strerror(errno));
	return SLURM_ERROR;
}

void *delegate_variable(const char *name)
{
	return dlsym(loaded, name);
}

void delegate_unload(void)
{
	if (loaded == PLUGIN_INVALID_HANDLE)
		return;
	plugin_unload(loaded);
	loaded = PLUGIN_INVALID_HANDLE;
}
