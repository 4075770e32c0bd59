/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another select plugin, loaded by ours: its table of functions.
 */
#ifndef TORUS_DELEGATE_H
#define TORUS_DELEGATE_H

#include "slurm/compat.h"

#define DELEGATE_MEMBER(result, name, parameters, ...) result(*name) parameters;
typedef struct delegate_functions {
	uint32_t *plugin_id; /* first in Slurm's own table too */
	SELECT_SYMBOLS(DELEGATE_MEMBER, DELEGATE_MEMBER, DELEGATE_MEMBER)
} delegate_functions_t;
#undef DELEGATE_MEMBER

/* Filled by delegate_load(); its entries are named like the symbols. */
extern delegate_functions_t delegate;

/* For SELECT_SYMBOLS() in a select plugin: a function that passes its call on, one that
 * does so after [statement], and the prototype of one that the plugin has itself. */
#define DELEGATE_FORWARD(...) DELEGATE_FORWARD_AFTER((void)0, __VA_ARGS__)
#define DELEGATE_FORWARD_AFTER(statement, result, name, parameters, arguments)           \
	result name parameters;                                                          \
	result name parameters                                                           \
	{                                                                                \
		statement;                                                               \
		return delegate.name arguments;                                          \
	}
#define DELEGATE_DECLARE(result, name, parameters, arguments) result name parameters;

/*
 * Load the plugin [type], such as "select/cons_tres", and fill the table. SLURM_SUCCESS,
 * or SLURM_ERROR and the log says why.
 */
int delegate_load(const char *type);

/* The address of a variable or function of the loaded plugin; NULL: it has none so
 * called. */
void *delegate_variable(const char *name);

/* Unload it. Without effect when it is not loaded. */
void delegate_unload(void);

#endif
