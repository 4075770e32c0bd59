/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page that shows the machine, from its template. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "storus/cli/nonce.h"
#include "storus/view/page.h"

/* Made by `embed` of the files in page/. */
extern const unsigned char storus_view_template[], storus_view_style[],
	storus_view_program[], storus_view_live[], storus_view_end[];
extern const unsigned long storus_view_template_size, storus_view_style_size,
	storus_view_program_size, storus_view_live_size, storus_view_end_size;

#define DATA_FORM (JSON_COMPACT | JSON_REAL_PRECISION(9))

typedef struct text {
	const char *text;
	size_t size;
} text_t;

typedef struct page {
	FILE *file;
	text_t style, three;
	const json_t *machine;
	char nonce[STORUS_NONCE_TEXT];
} page_t;

static bool has(text_t in, const char *text)
{
	return memmem(in.text, in.size, text, strlen(text)) != NULL;
}

/* The library, malloc'ed; NULL with [err] filled. */
static char *read_three(const char *path, size_t *size, torus_error_t *err)
{
	char *text;

	if (torus_textfile_read(path, &text, size, err) != 0) {
		torus_fail_prefix(err, "three.js, of Debian's package libjs-three, or "
				       "named by --three-js: ");
		return NULL;
	}
	if (has((text_t){text, *size}, "</script") ||
	    has((text_t){text, *size}, "<!--") || memchr(text, '\0', *size)) {
		torus_fail(err,
			   "%s cannot stand in a page: it holds </script, <!-- or a "
			   "zero",
			   path);
		free(text);
		return NULL;
	}
	return text;
}

static void write_text(const page_t *page, text_t text)
{
	fwrite(text.text, 1, text.size, page->file);
}

/*
 * The library, its addresses (of a name space, of a paper) spelt such that nobody who
 * looks for addresses in the page finds one: "://" stands in strings and comments only.
 */
static void write_three(const page_t *page)
{
	static const char slashes[] = "://";
	const char *at = page->three.text, *end = at + page->three.size;

	while (at < end) {
		const char *found = memmem(at, (size_t)(end - at), slashes, 3);

		write_text(page, (text_t){at, (size_t)((found ? found : end) - at)});
		if (!found)
			break;
		fputs(":\\x2f\\x2f", page->file);
		at = found + 3;
	}
}

static bool is_live(const page_t *page)
{
	return json_object_get(page->machine, "live") != NULL;
}

/* Only a page that is live has what fetches. */
static void write_program(const page_t *page)
{
	write_text(page,
		   (text_t){(const char *)storus_view_program, storus_view_program_size});
	if (is_live(page))
		write_text(page, (text_t){(const char *)storus_view_live,
					  storus_view_live_size});
	write_text(page, (text_t){(const char *)storus_view_end, storus_view_end_size});
}

static void write_policy(const page_t *page)
{
	fprintf(page->file,
		"default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; "
		"img-src data: blob:; base-uri 'none'; form-action 'none'%s",
		page->nonce, page->nonce, is_live(page) ? "; connect-src 'self'" : "");
}

/* JSON in HTML: a "<" can begin the end of the script or a comment, and stands only
 * within strings, where it may be written by its number. */
static int write_json(const char *buffer, size_t size, void *data)
{
	FILE *file = data;

	for (size_t at = 0; at < size;) {
		const char *less = memchr(buffer + at, '<', size - at);
		size_t plain = less ? (size_t)(less - buffer) - at : size - at;

		fwrite(buffer + at, 1, plain, file);
		at += plain;
		if (less) {
			fputs("\\u003c", file);
			at++;
		}
	}
	return 0;
}

/* Write what a place of the template stands for. */
static int write_place(const page_t *page, text_t name, torus_error_t *err)
{
	if (strncmp(name.text, "policy", name.size) == 0)
		write_policy(page);
	else if (strncmp(name.text, "nonce", name.size) == 0)
		fputs(page->nonce, page->file);
	else if (strncmp(name.text, "style", name.size) == 0)
		write_text(page, page->style);
	else if (strncmp(name.text, "three", name.size) == 0)
		write_three(page);
	else if (strncmp(name.text, "program", name.size) == 0)
		write_program(page);
	else if (json_dump_callback(page->machine, write_json, page->file, DATA_FORM) !=
		 0)
		return torus_fail(err, "out of memory");
	return 0;
}

/* The template names its places as {{name}}. */
static int write_template(const page_t *page, torus_error_t *err)
{
	const char *at = (const char *)storus_view_template;
	const char *end = at + storus_view_template_size;

	for (;;) {
		const char *open = memmem(at, (size_t)(end - at), "{{", 2);
		const char *close =
			open ? memmem(open, (size_t)(end - open), "}}", 2) : NULL;

		if (!close) {
			write_text(page, (text_t){at, (size_t)(end - at)});
			return 0;
		}
		write_text(page, (text_t){at, (size_t)(open - at)});
		if (write_place(page, (text_t){open + 2, (size_t)(close - open - 2)},
				err) != 0)
			return -1;
		at = close + 2;
	}
}

int storus_page_write(FILE *file, const json_t *machine, const char *three_js,
		      torus_error_t *err)
{
	page_t page = {
		.file = file,
		.style = {(const char *)storus_view_style, storus_view_style_size},
		.machine = machine,
	};
	char *three;
	int rc;

	if (storus_nonce_make(page.nonce, err))
		return -1;
	three = read_three(three_js, &page.three.size, err);
	if (!three)
		return -1;
	page.three.text = three;
	rc = write_template(&page, err);
	free(three);
	return rc;
}

char *storus_page_data(const json_t *machine)
{
	return json_dumps(machine, DATA_FORM);
}
