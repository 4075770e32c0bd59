/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may look: the token, and the names by which the server may be called. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storus/view/serve/access.h"
#include "storus/view/serve/address.h"

static const char token_letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=";

/* Check what is known of the file without reading it. */
static int check_status(const char *path, const struct stat *status, torus_error_t *err)
{
	if (!S_ISREG(status->st_mode))
		return torus_fail(err, "%s: not a regular file", path);
	if (status->st_uid != geteuid() && status->st_uid != 0)
		return torus_fail(err, "%s: belongs to another user", path);
	if (status->st_mode & (S_IRWXG | S_IRWXO))
		return torus_fail(err,
				  "%s: others than its owner may read or write it; "
				  "`chmod 600` mends that, and then the token is to be "
				  "a new one",
				  path);
	return 0;
}

static int check_token(const char *path, char *text, torus_error_t *err)
{
	size_t length;

	text[strcspn(text, "\r\n")] = '\0';
	length = strlen(text);
	if (text[strspn(text, token_letters)] == '\0' && length >= STORUS_TOKEN_LEAST &&
	    length <= STORUS_TOKEN_MOST)
		return 0;
	return torus_fail(
		err,
		"%s: the token must have %d to %d letters, digits or -._~+/=, as "
		"`openssl rand -hex 32` prints them",
		path, STORUS_TOKEN_LEAST, STORUS_TOKEN_MOST);
}

/* Read the token, malloc'ed. */
static int read_token(const char *path, char **token, torus_error_t *err)
{
	char text[STORUS_TOKEN_MOST + 3] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	ssize_t length;
	int rc = -1;

	if (fd < 0)
		return torus_fail(err, "%s: %s", path, strerror(errno));
	if (fstat(fd, &status) != 0) {
		torus_fail(err, "%s: %s", path, strerror(errno));
	} else if (check_status(path, &status, err) == 0) {
		length = read(fd, text, sizeof(text) - 1);
		rc = length < 0 ? torus_fail(err, "%s: %s", path, strerror(errno))
				: check_token(path, text, err);
	}
	close(fd);
	if (rc != 0)
		return -1;
	*token = strdup(text);
	return *token ? 0 : torus_fail(err, "out of memory");
}

int storus_access_open(storus_access_t *access, const char *token_file,
		       torus_error_t *err)
{
	unsigned char random[(STORUS_SESSION_TEXT - 1) / 2];

	*access = (storus_access_t){0};
	/* The last byte stays zero. */
	if (gethostname(access->own_name, sizeof(access->own_name) - 1) != 0)
		access->own_name[0] = '\0';
	if (!token_file)
		return 0;
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return torus_fail(err, "no random numbers: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(access->session + 2 * i, 3, "%02x", random[i]);
	return read_token(token_file, &access->token, err);
}

void storus_access_close(storus_access_t *access)
{
	if (access->token)
		explicit_bzero(access->token, strlen(access->token));
	free(access->token);
	*access = (storus_access_t){0};
}

bool storus_access_host(const storus_access_t *access, const char *host)
{
	char name[256];
	const char *colon;
	size_t length;

	if (access->any_host)
		return true;
	if (!host)
		return false;
	/* The port may be any: ssh -L listens on another one. */
	colon = strrchr(host, ':');
	length = colon && !strchr(colon, ']') ? (size_t)(colon - host) : strlen(host);
	if (length == 0 || length >= sizeof(name) ||
	    (colon && length < strlen(host) &&
	     colon[1 + strspn(colon + 1, "0123456789")] != '\0'))
		return false;
	memcpy(name, host, length);
	name[length] = '\0';
	return storus_address_is_literal(name) || strcasecmp(name, "localhost") == 0 ||
	       (access->own_name[0] && strcasecmp(name, access->own_name) == 0) ||
	       (access->name && strcasecmp(name, access->name) == 0);
}

/* Whether they are the same; the time that it takes depends on [text]'s length alone. */
static bool same_secret(const char *secret, const char *text)
{
	size_t length = strlen(text), size = strlen(secret);
	unsigned difference = length != size;

	for (size_t i = 0; i < length; i++)
		difference |= (unsigned char)text[i] ^
			      (unsigned char)secret[i < size ? i : size];
	return difference == 0;
}

bool storus_access_is_token(const storus_access_t *access, const char *text)
{
	return access->token && text && same_secret(access->token, text);
}

bool storus_access_granted(const storus_access_t *access, const char *authorization,
			   const char *cookie)
{
	static const char bearer[] = "Bearer ";
	size_t length = strlen(bearer);

	if (!access->token)
		return true;
	if (authorization && strncasecmp(authorization, bearer, length) == 0 &&
	    storus_access_is_token(access, authorization + length))
		return true;
	return cookie && same_secret(access->session, cookie);
}
