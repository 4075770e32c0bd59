/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library to preload (LD_PRELOAD): it counts what a program does to files below a
 * directory that a crash could come between, and ends it with SIGKILL at one of these
 * steps. Environment:
 *
 *   KILL_AT_PROGRAM  only in programs of this name; children of a shell may be others
 *   KILL_AT_BELOW    the directory, with its symbolic links resolved
 *   KILL_AT          the number of the step, from 1 on; 0 or not set: none. A write is
 *                    half done by then, anything else not begun.
 *   KILL_AT_LOG      append a line for each step to this file: NUMBER STEP PATH
 *   KILL_AT_FAIL     a kind of step, such as fsync, that fails with EIO instead
 *
 * Steps are: open (of a file that is made, cut off or written to), write, truncate,
 * fsync, link, rename, unlink. What the C library writes for streams by itself is not
 * seen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *below, *fails, *log_name;
static long kill_at;
static atomic_long steps;

__attribute__((constructor)) static void begin(void)
{
	const char *program = getenv("KILL_AT_PROGRAM"), *number = getenv("KILL_AT");

	if (program && strcmp(program, program_invocation_short_name) != 0)
		return;
	below = getenv("KILL_AT_BELOW");
	fails = getenv("KILL_AT_FAIL");
	log_name = getenv("KILL_AT_LOG");
	kill_at = number ? atol(number) : 0;
}

/* Whether the name, seen from [directory], is below the directory; then *path is it. */
static bool is_ours(int directory, const char *name, char path[PATH_MAX])
{
	char link[64];
	ssize_t length = 0;

	if (!below)
		return false;
	if (!name || name[0] != '/') {
		if (directory == AT_FDCWD)
			snprintf(link, sizeof(link), "/proc/self/cwd");
		else
			snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
		length = readlink(link, path, PATH_MAX - 1);
		if (length < 0)
			return false;
	}
	path[length] = '\0';
	if (name && (size_t)length + strlen(name) + 2 > PATH_MAX)
		return false;
	if (name && name[0] != '/')
		strcat(path, "/");
	if (name)
		strcat(path, name);
	return !strncmp(path, below, strlen(below)) && path[strlen(below)] == '/';
}

/* Append a line to the log, which is opened for each: daemons close all that they find
 * open. */
static void log_step(long number, const char *what, const char *path)
{
	char line[PATH_MAX + 64];
	int length = snprintf(line, sizeof(line), "%ld %s %s\n", number, what, path);
	long file = syscall(SYS_openat, AT_FDCWD, log_name,
			    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (file < 0)
		return;
	(void)!syscall(SYS_write, file, line, (size_t)length);
	syscall(SYS_close, file);
}

/* Count a step. Returns whether the program is to be killed at it. */
static bool step(const char *what, const char *path)
{
	long number = ++steps;

	if (log_name)
		log_step(number, what, path);
	return number == kill_at;
}

static void end(void)
{
	for (;;)
		syscall(SYS_kill, getpid(), SIGKILL);
}

/* A step that is not begun when the program is killed. Returns whether it fails. */
static bool takes_step(const char *what, const char *path)
{
	if (step(what, path))
		end();
	if (!fails || strcmp(fails, what) != 0)
		return false;
	errno = EIO;
	return true;
}

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

/* open() and openat(), of which [directory] is what the second is given. */
#define OPEN(name, parameters, directory, ...)                                           \
	int name(parameters const char *file, int flags, ...)                            \
	{                                                                                \
		char path[PATH_MAX];                                                     \
		mode_t mode = 0;                                                         \
		va_list rest;                                                            \
                                                                                         \
		if (flags & (O_CREAT | __O_TMPFILE)) {                                   \
			va_start(rest, flags);                                           \
			mode = va_arg(rest, mode_t);                                     \
			va_end(rest);                                                    \
		}                                                                        \
		if ((flags & CHANGES) && is_ours(directory, file, path) &&               \
		    takes_step("open", path))                                            \
			return -1;                                                       \
		return NEXT(name)(__VA_ARGS__, flags, mode);                             \
	}
#define NONE
#define DIRECTORY int directory,
OPEN(open, NONE, AT_FDCWD, file)
OPEN(open64, NONE, AT_FDCWD, file)
OPEN(openat, DIRECTORY, directory, directory, file)
OPEN(openat64, DIRECTORY, directory, directory, file)

#define CREAT(name)                                                                      \
	int name(const char *file, mode_t mode)                                          \
	{                                                                                \
		char path[PATH_MAX];                                                     \
                                                                                         \
		if (is_ours(AT_FDCWD, file, path) && takes_step("open", path))           \
			return -1;                                                       \
		return NEXT(name)(file, mode);                                           \
	}
CREAT(creat)
CREAT(creat64)

ssize_t write(int file, const void *data, size_t size)
{
	char path[PATH_MAX];

	if (is_ours(file, NULL, path) && step("write", path)) {
		syscall(SYS_write, file, data, size / 2);
		end();
	}
	return syscall(SYS_write, file, data, size);
}

#define PWRITE(name, offset_type)                                                        \
	ssize_t name(int file, const void *data, size_t size, offset_type at)            \
	{                                                                                \
		char path[PATH_MAX];                                                     \
                                                                                         \
		if (is_ours(file, NULL, path) && step("write", path)) {                  \
			syscall(SYS_pwrite64, file, data, size / 2, at);                 \
			end();                                                           \
		}                                                                        \
		return syscall(SYS_pwrite64, file, data, size, at);                      \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int file, const struct iovec *parts, int count)
{
	char path[PATH_MAX];

	if (is_ours(file, NULL, path))
		(void)takes_step("write", path);
	return syscall(SYS_writev, file, parts, count);
}

#define ON_FILE(name, what, parameters, arguments)                                       \
	int name parameters                                                              \
	{                                                                                \
		char path[PATH_MAX];                                                     \
                                                                                         \
		if (is_ours(file, NULL, path) && takes_step(what, path))                 \
			return -1;                                                       \
		return NEXT(name) arguments;                                             \
	}
ON_FILE(ftruncate, "truncate", (int file, off_t size), (file, size))
ON_FILE(ftruncate64, "truncate", (int file, off64_t size), (file, size))
ON_FILE(fdatasync, "fsync", (int file), (file))

/* Of the directory itself, too. */
int fsync(int file)
{
	char path[PATH_MAX];

	if ((is_ours(file, NULL, path) || (below && !strcmp(path, below))) &&
	    takes_step("fsync", path))
		return -1;
	return (int)syscall(SYS_fsync, file);
}

#define ON_NAME(name, what, from, file, parameters, arguments)                           \
	int name parameters                                                              \
	{                                                                                \
		char path[PATH_MAX];                                                     \
                                                                                         \
		if (is_ours(from, file, path) && takes_step(what, path))                 \
			return -1;                                                       \
		return NEXT(name) arguments;                                             \
	}
ON_NAME(unlink, "unlink", AT_FDCWD, file, (const char *file), (file))
ON_NAME(unlinkat, "unlink", directory, file, (int directory, const char *file, int flags),
	(directory, file, flags))
ON_NAME(rename, "rename", AT_FDCWD, to, (const char *file, const char *to), (file, to))
ON_NAME(renameat, "rename", directory, to,
	(int old, const char *file, int directory, const char *to),
	(old, file, directory, to))
ON_NAME(link, "link", AT_FDCWD, to, (const char *file, const char *to), (file, to))
ON_NAME(linkat, "link", directory, to,
	(int old, const char *file, int directory, const char *to, int flags),
	(old, file, directory, to, flags))
