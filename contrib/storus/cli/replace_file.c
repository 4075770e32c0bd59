/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output files that appear whole or not at all. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "storus/cli/leftovers.h"
#include "storus/cli/output_target.h"
#include "storus/cli/replace_file.h"

/* How often a name for the temporary file may be taken. */
#define TRIES 100

/* Where a file goes, from its begin to its end. */
typedef struct storus_replaced {
	storus_target_t target;
	char *temporary; /* its name in the target's directory; NULL: written directly */
	struct storus_replaced *next;
} replaced_t;

/* The files being written. No two may be the same. */
static replaced_t *all_begun;

static void forget(replaced_t *replaced)
{
	replaced_t **at = &all_begun;

	while (*at && *at != replaced)
		at = &(*at)->next;
	if (*at)
		*at = replaced->next;
	free(replaced->temporary);
	storus_target_clear(&replaced->target);
	free(replaced);
}

/* Release all, keeping errno; the temporary file, if there is one, goes. */
static void release(storus_replacement_t *replacement)
{
	replaced_t *replaced = replacement->replaced;
	int saved = errno;

	if (replacement->file)
		fclose(replacement->file);
	if (replaced && replaced->temporary) {
		unlinkat(replaced->target.directory, replaced->temporary, 0);
		storus_leftovers_drop(replaced->target.directory, replaced->temporary);
	}
	if (replaced)
		forget(replaced);
	free(replacement->path);
	memset(replacement, 0, sizeof(*replacement));
	errno = saved;
}

/*
 * Make the temporary file by its name, so that a signal that ends storus removes it. Its
 * descriptor, or -1 with errno set; there is none then.
 */
static int make_temporary(const replaced_t *replaced)
{
	int directory = replaced->target.directory, descriptor;
	sigset_t before;

	storus_leftovers_hold(&before);
	descriptor = openat(directory, replaced->temporary,
			    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (descriptor >= 0 &&
	    storus_leftovers_add(directory, replaced->temporary) != 0) {
		close(descriptor);
		unlinkat(directory, replaced->temporary, 0);
		descriptor = -1;
		errno = ENOMEM;
	}
	storus_leftovers_release(&before);
	return descriptor;
}

/* A descriptor of the temporary file of [replaced], -1 with errno set. */
static int open_temporary(replaced_t *replaced)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	unsigned char byte[6];
	char suffix[sizeof(byte) + 1] = "";
	int descriptor = -1;

	for (int i = 0; i < TRIES && descriptor < 0; i++) {
		if (getrandom(byte, sizeof(byte), 0) != sizeof(byte))
			return -1;
		for (size_t k = 0; k < sizeof(byte); k++)
			suffix[k] = letters[byte[k] % (sizeof(letters) - 1)];
		free(replaced->temporary);
		if (asprintf(&replaced->temporary, "%s.%s", replaced->target.name,
			     suffix) < 0) {
			replaced->temporary = NULL;
			return -1;
		}
		descriptor = make_temporary(replaced);
		if (descriptor < 0 && errno != EEXIST)
			break;
	}
	if (descriptor < 0) {
		free(replaced->temporary);
		replaced->temporary = NULL;
	}
	return descriptor;
}

/* A descriptor to write to, -1 with errno set. */
static int open_target(replaced_t *replaced)
{
	const storus_target_t *target = &replaced->target;

	if (!target->name) {
		/* What was printed before comes before. */
		fflush(stdout);
		return fcntl(target->descriptor, F_DUPFD_CLOEXEC, 3);
	}
	if (target->exists && !S_ISREG(target->status.st_mode))
		return openat(target->directory, target->name,
			      O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	return open_temporary(replaced);
}

/* Check that writing the target loses nothing else. Returns 0, or -1 with [err]. */
static int check_alone(const char *path, const storus_target_t *target,
		       torus_error_t *err)
{
	for (const replaced_t *other = all_begun; other; other = other->next) {
		if (storus_target_same(&other->target, target))
			return torus_fail(err,
					  "cannot write '%s': another output of this "
					  "command goes to the same file",
					  path);
	}
	if (storus_target_is_stdout(target))
		return torus_fail(
			err, "cannot write '%s': the standard output goes there", path);
	return 0;
}

int storus_replacement_begin(storus_replacement_t *replacement, const char *path,
			     torus_error_t *err)
{
	replaced_t *replaced = calloc(1, sizeof(*replaced));
	int descriptor;

	memset(replacement, 0, sizeof(*replacement));
	if (!replaced)
		return torus_fail(err, "cannot write '%s': out of memory", path);
	if (storus_target_find(path, &replaced->target, err) != 0 ||
	    check_alone(path, &replaced->target, err) != 0) {
		forget(replaced);
		return -1;
	}
	replaced->next = all_begun;
	all_begun = replaced;
	replacement->replaced = replaced;
	replacement->path = strdup(path);
	descriptor = replacement->path ? open_target(replaced) : -1;
	if (descriptor >= 0)
		replacement->file = fdopen(descriptor, "w");
	if (replacement->file)
		return 0;
	torus_fail(err, "cannot write '%s': %s", path, strerror(errno));
	if (descriptor >= 0)
		close(descriptor);
	release(replacement);
	return -1;
}

/* mkstemps(), and a signal that ends storus removes the file. */
static int make_new(char *path, int suffix)
{
	sigset_t before;
	int descriptor;

	storus_leftovers_hold(&before);
	descriptor = mkstemps(path, suffix);
	if (descriptor >= 0 && storus_leftovers_add(AT_FDCWD, path) != 0) {
		close(descriptor);
		unlink(path);
		descriptor = -1;
		errno = ENOMEM;
	}
	storus_leftovers_release(&before);
	return descriptor;
}

int storus_replacement_begin_new(storus_replacement_t *replacement, char *path,
				 int suffix, torus_error_t *err)
{
	replaced_t *replaced = calloc(1, sizeof(*replaced));
	int descriptor = replaced ? make_new(path, suffix) : -1;

	memset(replacement, 0, sizeof(*replacement));
	if (descriptor >= 0) {
		/* It has its name already, and goes if it is given up. */
		replacement->replaced = replaced;
		replaced->target.directory = AT_FDCWD;
		replaced->target.descriptor = -1;
		replaced->target.name = strdup(path);
		replaced->temporary = strdup(path);
		replacement->path = strdup(path);
		if (replacement->path && replaced->temporary && replaced->target.name)
			replacement->file = fdopen(descriptor, "w");
	}
	if (replacement->file)
		return 0;
	torus_fail(err, "cannot write '%s': %s", path, strerror(errno));
	if (descriptor >= 0) {
		close(descriptor);
		unlink(path);
		storus_leftovers_drop(AT_FDCWD, path);
		release(replacement);
	} else {
		free(replaced);
	}
	return -1;
}

/* Have the disk keep what was written, so that the name never leads to less of it. */
static int sync_file(FILE *file)
{
	if (fflush(file) != 0)
		return -1;
	/* What has no disk is kept as well as it can be. */
	return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS ? 0 : -1;
}

/*
 * Have the disk keep the new name. The file is in its place by then, so that nothing that
 * may come between is a failure.
 */
static void sync_name(const storus_target_t *target)
{
	/* target->directory only leads there. */
	int directory =
		openat(target->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0)
		return;
	(void)fsync(directory);
	close(directory);
}

/* Write the rest, and put the temporary file, if there is one, in place of the other. */
static int put_in_place(const replaced_t *replaced, FILE *file)
{
	const storus_target_t *target = &replaced->target;

	if (ferror(file)) {
		/* The reason of an earlier failed write is lost, unless the rest fails by
		 * it, too. */
		if (fclose(file) == 0)
			errno = EIO;
		return -1;
	}
	if (replaced->temporary && sync_file(file) != 0) {
		int first = errno; /* of several errors the one that counts */

		fclose(file);
		errno = first;
		return -1;
	}
	if (fclose(file) != 0)
		return -1;
	/* A new file has its name already. */
	if (!replaced->temporary || target->directory == AT_FDCWD)
		return 0;
	if (renameat(target->directory, replaced->temporary, target->directory,
		     target->name) != 0)
		return -1;
	sync_name(target);
	return 0;
}

int storus_replacement_commit(storus_replacement_t *replacement, torus_error_t *err)
{
	replaced_t *replaced = replacement->replaced;
	FILE *file = replacement->file;

	replacement->file = NULL;
	if (put_in_place(replaced, file) != 0) {
		torus_fail(err, "cannot write '%s': %s", replacement->path,
			   strerror(errno));
		release(replacement);
		return -1;
	}
	/* Renamed: there is nothing to remove. */
	if (replaced->temporary)
		storus_leftovers_drop(replaced->target.directory, replaced->temporary);
	free(replaced->temporary);
	replaced->temporary = NULL;
	release(replacement);
	return 0;
}

void storus_replacement_abandon(storus_replacement_t *replacement)
{
	release(replacement);
}
