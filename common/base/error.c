/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error texts: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int torus_fail(torus_error_t *err, const char *format, ...)
{
	va_list arguments;

	if (!err)
		return -1;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	return -1;
}

int torus_fail_prefix(torus_error_t *err, const char *format, ...)
{
	char tail[sizeof(err->text)];
	va_list arguments;
	size_t used;

	if (!err)
		return -1;
	memcpy(tail, err->text, sizeof(tail));
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, "%s", tail);
	return -1;
}
