/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The corpus of a fuzz target as one text file, so that a case can be read, reviewed and
 * written by hand:
 *
 *     # a comment, as are blank lines
 *     case two-tokens
 *     |torus=main,nodes=12
 *     |torus=x\
 *
 * A line `|TEXT` is TEXT and a newline; with a backslash at its end it is TEXT alone. In
 * TEXT \\ \n \r \t \xNN stand for bytes; all others are printable ASCII. A name is of
 * letters, digits and - _ . and stands once in a file.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 90 /* of the lines that are written */

static const char usage[] =
	"Usage: cases unpack FILE DIRECTORY   write each case into a file of its own\n"
	"       cases add FILE INPUT...       append inputs that the file does not have\n";

typedef struct bytes {
	unsigned char *byte;
	size_t count;
} bytes_t;

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("cases: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(2);
}

static void append(bytes_t *bytes, int byte)
{
	/* Doubled whenever the count is a power of two. */
	if (!(bytes->count & (bytes->count - 1))) {
		bytes->byte = realloc(bytes->byte, 2 * bytes->count + 1);
		if (!bytes->byte)
			fail("out of memory");
	}
	bytes->byte[bytes->count++] = (unsigned char)byte;
}

static bool same(const bytes_t *a, const bytes_t *b)
{
	return a->count == b->count && (!a->count || !memcmp(a->byte, b->byte, a->count));
}

static bytes_t read_file(const char *path)
{
	FILE *stream = fopen(path, "rb");
	bytes_t bytes = {NULL, 0};
	int byte;

	if (!stream)
		fail("%s: %s", path, strerror(errno));
	while ((byte = getc(stream)) != EOF)
		append(&bytes, byte);
	if (ferror(stream))
		fail("%s: cannot be read", path);
	fclose(stream);
	return bytes;
}

/* The byte that \[*at] stands for; *at is then at its last character. -1: none. */
static int escaped(const char **at)
{
	char hex[3] = "", *end;
	long byte;

	switch (**at) {
	case '\\':
		return '\\';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	case 'x':
		if (!isxdigit((unsigned char)(*at)[1]) ||
		    !isxdigit((unsigned char)(*at)[2]))
			return -1;
		memcpy(hex, *at + 1, 2);
		byte = strtol(hex, &end, 16);
		*at += 2;
		return (int)byte;
	default:
		return -1;
	}
}

/* Append what the line [text] (behind the |) stands for. False: it is none. */
static bool read_line(const char *text, bytes_t *bytes)
{
	for (; *text; text++) {
		int byte = (unsigned char)*text;

		if (byte == '\\' && !text[1])
			return true;
		if (byte == '\\') {
			text++;
			byte = escaped(&text);
		} else if (byte < ' ' || byte > '~') {
			byte = -1;
		}
		if (byte < 0)
			return false;
		append(bytes, byte);
	}
	append(bytes, '\n');
	return true;
}

/* What is done with each case of a file. */
typedef void case_taker_t(void *context, const char *name, bytes_t *content);

static void read_cases(const char *path, case_taker_t *take, void *context)
{
	FILE *stream = fopen(path, "r");
	char *line = NULL, *name = NULL;
	bytes_t content = {NULL, 0};
	size_t size = 0;

	if (!stream)
		fail("%s: %s", path, strerror(errno));
	for (int number = 1; getline(&line, &size, stream) >= 0; number++) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#' || !line[0])
			continue;
		if (line[0] == '|' && name) {
			if (!read_line(line + 1, &content))
				fail("%s:%d: not printable, or no such escape", path,
				     number);
			continue;
		}
		if (strncmp(line, "case ", 5) != 0 || !line[5] || line[5] == '.' ||
		    line[5 + strspn(line + 5, "abcdefghijklmnopqrstuvwxyz"
					      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")])
			fail("%s:%d: neither 'case NAME' nor a line of one", path,
			     number);
		if (name)
			take(context, name, &content);
		free(name);
		name = strdup(line + 5);
		if (!name)
			fail("out of memory");
		content.count = 0;
	}
	if (name)
		take(context, name, &content);
	free(content.byte);
	free(name);
	free(line);
	fclose(stream);
}

static void unpack(void *directory, const char *name, bytes_t *content)
{
	char path[PATH_MAX];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", (const char *)directory, name);
	stream = fopen(path, "wxb"); /* a name that is there twice fails */
	if (!stream)
		fail("%s: %s", path, strerror(errno));
	fwrite(content->byte, 1, content->count, stream);
	if (ferror(stream) | fclose(stream))
		fail("%s: cannot be written", path);
}

/* The names and contents that a file has. */
typedef struct known {
	const bytes_t *input;
	char name[64];
	bool content_known, name_known;
} known_t;

static void look(void *context, const char *name, bytes_t *content)
{
	known_t *known = context;

	known->content_known |= same(content, known->input);
	known->name_known |= !strcmp(name, known->name);
}

static void write_case(FILE *stream, const char *name, const bytes_t *input)
{
	size_t column = 0;

	fprintf(stream, "\ncase %s\n", name);
	for (size_t i = 0; i < input->count; i++) {
		int byte = input->byte[i];

		if (!column)
			column = (size_t)fprintf(stream, "|");
		if (byte == '\n') {
			fputc('\n', stream);
			column = 0;
			continue;
		}
		if (byte == '\\' || byte == '\r' || byte == '\t')
			column += (size_t)fprintf(stream, "\\%c",
						  byte == '\r'	 ? 'r'
						  : byte == '\t' ? 't'
								 : '\\');
		else if (byte < ' ' || byte > '~')
			column += (size_t)fprintf(stream, "\\x%02x", byte);
		else
			column += (size_t)fprintf(stream, "%c", byte);
		if (i + 1 == input->count ||
		    (column >= WIDTH && input->byte[i + 1] != '\n')) {
			fputs("\\\n", stream);
			column = 0;
		}
	}
}

/* Called by the start of its name; libFuzzer's are 40 hexadecimal digits. */
static void add(const char *path, const char *input_path)
{
	const char *slash = strrchr(input_path, '/'),
		   *name = slash ? slash + 1 : input_path;
	bytes_t input = read_file(input_path);
	known_t known = {.input = &input};
	FILE *stream;

	snprintf(known.name, sizeof(known.name), "%.*s", strlen(name) == 40 ? 10 : 63,
		 name);
	read_cases(path, look, &known);
	if (!known.content_known) {
		if (known.name_known)
			fail("%s: there is another case %s", path, known.name);
		stream = fopen(path, "a");
		if (!stream)
			fail("%s: %s", path, strerror(errno));
		write_case(stream, known.name, &input);
		if (ferror(stream) | fclose(stream))
			fail("%s: cannot be written", path);
	}
	free(input.byte);
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "unpack")) {
		read_cases(argv[2], unpack, argv[3]);
	} else if (argc >= 4 && !strcmp(argv[1], "add")) {
		for (int i = 3; i < argc; i++)
			add(argv[2], argv[i]);
	} else {
		fputs(usage, stderr);
		return 2;
	}
	return 0;
}
