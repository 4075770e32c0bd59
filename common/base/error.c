/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error texts: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

int torus_fail(torus_error_t *err, const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list arguments;

	if (!err)
		return -1;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	torus_printable(text, err->text, sizeof(err->text));
	return -1;
}

int torus_fail_prefix(torus_error_t *err, const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list arguments;
	size_t used;

	if (!err)
		return -1;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	used = strlen(text);
	snprintf(text + used, sizeof(text) - used, "%s", err->text);
	torus_printable(text, err->text, sizeof(err->text));
	return -1;
}
