/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the name of an output file leads to. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "storus/cli/output_target.h"

/* As many as the kernel follows. */
#define MAX_LINKS 40

/* A walk along a path. */
typedef struct walk {
	const char *path; /* for messages */
	int directory;	  /* where it is */
	char *rest;	  /* malloc'ed: what is left of the path */
	int links;	  /* followed so far */
} walk_t;

static int fail(const walk_t *walk, int code, torus_error_t *err)
{
	return torus_fail(err, "cannot write '%s': %s", walk->path, strerror(code));
}

/* Go on from [directory], which is taken over. */
static void enter(walk_t *walk, int directory)
{
	if (walk->directory >= 0)
		close(walk->directory);
	walk->directory = directory;
}

/* Go to where the rest of the path begins. Returns 0, or -1 with errno set. */
static int begin(walk_t *walk)
{
	bool absolute = walk->rest[0] == '/';

	if (absolute || walk->directory < 0)
		enter(walk, open(absolute ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
	return walk->directory >= 0 ? 0 : -1;
}

/* The next name of the path, malloc'ed, "" at its end; *last whether nothing follows. */
static char *next_name(walk_t *walk, bool *last)
{
	char *from = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(from, "/");
	char *name = strndup(from, length);

	*last = from[length] == '\0';
	memmove(walk->rest, from + length, strlen(from + length) + 1);
	return name;
}

/* Whether another user may have planted this file. */
static bool of_a_stranger(int directory, const struct stat *file)
{
	struct stat parent;

	if (fstat(directory, &parent) != 0)
		return true;
	return (parent.st_mode & S_ISVTX) && (parent.st_mode & S_IWOTH) &&
	       file->st_uid != geteuid() && file->st_uid != parent.st_uid;
}

/* The descriptor of this process that the link [name] in [directory] stands for; -1. */
static int own_descriptor(int directory, const char *name)
{
	struct stat here, own;
	char *end;
	long number = strtol(name, &end, 10);

	if (*end || end == name || number < 0 || number > INT_MAX ||
	    fstat(directory, &here) != 0 || stat("/proc/self/fd", &own) != 0 ||
	    here.st_dev != own.st_dev || here.st_ino != own.st_ino)
		return -1;
	return (int)number;
}

/* Put the text of the link that [descriptor] is in front of the rest of the path. */
static int follow(walk_t *walk, int descriptor, torus_error_t *err)
{
	char text[PATH_MAX], *rest;
	ssize_t length = readlinkat(descriptor, "", text, sizeof(text));

	if (length < 0)
		return fail(walk, errno, err);
	if (length == 0 || (size_t)length == sizeof(text))
		return fail(walk, ENAMETOOLONG, err);
	if (++walk->links > MAX_LINKS)
		return fail(walk, ELOOP, err);
	/* What is left begins with a slash, or is empty. */
	if (asprintf(&rest, "%.*s%s", (int)length, text, walk->rest) < 0)
		return fail(walk, ENOMEM, err);
	free(walk->rest);
	walk->rest = rest;
	return begin(walk) == 0 ? 0 : fail(walk, errno, err);
}

/* End the walk at the file [name] of its directory, whether or not it exists. */
static int arrive(walk_t *walk, char *name, storus_target_t *target, torus_error_t *err)
{
	if (target->exists && S_ISDIR(target->status.st_mode))
		return fail(walk, EISDIR, err);
	if (target->exists && !S_ISREG(target->status.st_mode) &&
	    of_a_stranger(walk->directory, &target->status))
		return torus_fail(err,
				  "cannot write '%s': it belongs to another user, in a "
				  "directory where everyone may write",
				  walk->path);
	target->name = name;
	target->directory = walk->directory;
	walk->directory = -1;
	return 0;
}

/* One step: 1 at the end, with [target] filled and [name] taken; 0 to go on; or -1. */
static int step(walk_t *walk, char *name, bool last, storus_target_t *target,
		torus_error_t *err)
{
	struct stat *status = &target->status;
	int next, rc = 0;

	if (!*name) /* the path is empty, or ends with a slash */
		return fail(walk, walk->rest[0] || *walk->path ? EISDIR : ENOENT, err);
	next = openat(walk->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	target->exists = next >= 0;
	if (next < 0 && (errno != ENOENT || !last))
		return fail(walk, errno, err);
	if (next >= 0 && fstat(next, status) != 0)
		rc = fail(walk, errno, err);
	else if (next >= 0 && S_ISLNK(status->st_mode)) {
		target->descriptor = last ? own_descriptor(walk->directory, name) : -1;
		if (target->descriptor >= 0)
			rc = fstat(target->descriptor, status) == 0
				     ? 1
				     : fail(walk, errno, err);
		else if (of_a_stranger(walk->directory, status))
			rc = torus_fail(err,
					"cannot write '%s': the symbolic link '%s' "
					"belongs to another user, in a directory where "
					"everyone may write",
					walk->path, name);
		else
			rc = follow(walk, next, err);
	} else if (last) {
		rc = arrive(walk, name, target, err) == 0 ? 1 : -1;
	} else if (!S_ISDIR(status->st_mode)) {
		rc = fail(walk, ENOTDIR, err);
	} else {
		enter(walk, next);
		next = -1;
	}
	if (next >= 0)
		close(next);
	return rc;
}

int storus_target_find(const char *path, storus_target_t *target, torus_error_t *err)
{
	walk_t walk = {.path = path, .directory = -1, .rest = strdup(path)};
	int rc = walk.rest ? 0 : fail(&walk, ENOMEM, err);

	*target = (storus_target_t){.directory = -1, .descriptor = -1};
	if (rc == 0 && begin(&walk) != 0)
		rc = fail(&walk, errno, err);
	while (rc == 0) {
		bool last;
		char *name = next_name(&walk, &last);

		rc = name ? step(&walk, name, last, target, err)
			  : fail(&walk, ENOMEM, err);
		if (name != target->name)
			free(name);
	}
	enter(&walk, -1);
	free(walk.rest);
	return rc > 0 ? 0 : -1;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool storus_target_same(const storus_target_t *a, const storus_target_t *b)
{
	struct stat in_a, in_b;

	/* A regular file with two names is replaced under each of them, and nothing
	 * is lost. Anything else is written to, so that two outputs would mix. */
	if (a->exists && b->exists && same_file(&a->status, &b->status) &&
	    (!a->name || !b->name || !S_ISREG(a->status.st_mode)))
		return !S_ISCHR(a->status.st_mode) || a->status.st_rdev != makedev(1, 3);
	return a->name && b->name && strcmp(a->name, b->name) == 0 &&
	       fstat(a->directory, &in_a) == 0 && fstat(b->directory, &in_b) == 0 &&
	       same_file(&in_a, &in_b);
}

bool storus_target_is_stdout(const storus_target_t *target)
{
	struct stat status;

	return target->name && target->exists && S_ISREG(target->status.st_mode) &&
	       fstat(STDOUT_FILENO, &status) == 0 && same_file(&target->status, &status);
}

void storus_target_clear(storus_target_t *target)
{
	if (target->directory >= 0)
		close(target->directory);
	free(target->name);
	*target = (storus_target_t){.directory = -1, .descriptor = -1};
}
