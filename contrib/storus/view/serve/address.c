/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where `storus view --serve` listens. */
#include "torus_config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "storus/cli/options.h"
#include "storus/view/serve/address.h"

/* Bytes that the kernel keeps of an answer that is not read, half of what it counts. */
#define UNREAD 65536

/* Connections that wait to be taken, while as many as may be are there. */
#define BACKLOG 1024

static int parse_unix(const char *path, storus_address_t *address, torus_error_t *err)
{
	struct sockaddr_un *name = (struct sockaddr_un *)&address->name;

	if (!*path || strlen(path) >= sizeof(name->sun_path))
		return torus_fail(err,
				  "a Unix socket needs a path of 1 to %zu characters",
				  sizeof(name->sun_path) - 1);
	name->sun_family = AF_UNIX;
	strcpy(name->sun_path, path);
	address->path = path;
	address->length = sizeof(*name);
	return 0;
}

static int fill_ipv6(const char *host, size_t length, uint16_t port,
		     storus_address_t *address)
{
	struct sockaddr_in6 *name = (struct sockaddr_in6 *)&address->name;
	char text[INET6_ADDRSTRLEN];

	if (length < 2 || length - 2 >= sizeof(text) || host[0] != '[' ||
	    host[length - 1] != ']')
		return -1;
	memcpy(text, host + 1, length - 2);
	text[length - 2] = '\0';
	if (inet_pton(AF_INET6, text, &name->sin6_addr) != 1)
		return -1;
	name->sin6_family = AF_INET6;
	name->sin6_port = htons(port);
	address->length = sizeof(*name);
	address->loopback = IN6_IS_ADDR_LOOPBACK(&name->sin6_addr);
	return 0;
}

static int fill_ipv4(const char *host, size_t length, uint16_t port,
		     storus_address_t *address)
{
	struct sockaddr_in *name = (struct sockaddr_in *)&address->name;
	char text[INET_ADDRSTRLEN] = "127.0.0.1";

	if (length && !(length == strlen("localhost") &&
			strncasecmp(host, "localhost", length) == 0)) {
		if (length >= sizeof(text))
			return -1;
		memcpy(text, host, length);
		text[length] = '\0';
	}
	if (inet_pton(AF_INET, text, &name->sin_addr) != 1)
		return -1;
	name->sin_family = AF_INET;
	name->sin_port = htons(port);
	address->length = sizeof(*name);
	address->loopback = ntohl(name->sin_addr.s_addr) >> 24 == 127;
	return 0;
}

bool storus_address_is_literal(const char *host)
{
	storus_address_t address = {0};
	size_t length = strlen(host);

	return length && (fill_ipv6(host, length, 0, &address) == 0 ||
			  (strcasecmp(host, "localhost") != 0 &&
			   fill_ipv4(host, length, 0, &address) == 0));
}

int storus_address_parse(const char *text, storus_address_t *address, torus_error_t *err)
{
	const char *bracket = text[0] == '[' ? strchr(text, ']') : NULL;
	const char *colon = strchr(bracket ? bracket : text, ':');
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	uint64_t port = STORUS_SERVE_PORT;

	memset(address, 0, sizeof(*address));
	if (strncmp(text, "unix:", 5) == 0)
		return parse_unix(text + 5, address, err);
	if (!colon && *text && !text[strspn(text, "0123456789")]) {
		colon = text - 1;
		length = 0;
	}
	if (colon && storus_count_parse(colon + 1, 0, UINT16_MAX, &port, err) != 0) {
		torus_fail_prefix(err, "port: ");
		return -1;
	}
	if (fill_ipv6(text, length, (uint16_t)port, address) == 0 ||
	    fill_ipv4(text, length, (uint16_t)port, address) == 0)
		return 0;
	return torus_fail(
		err,
		"'%s' is no address: give a port, 127.0.0.1:PORT, [::1]:PORT or "
		"unix:PATH",
		text);
}

/* Remove the socket that a server which is no more has left behind. */
static int remove_stale(const storus_address_t *address, torus_error_t *err)
{
	struct stat status;
	int fd, rc;

	if (lstat(address->path, &status) != 0)
		return 0;
	if (!S_ISSOCK(status.st_mode))
		return torus_fail(err, "'%s' is there already, and no socket",
				  address->path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = fd < 0 ? -1
		    : connect(fd, (const struct sockaddr *)&address->name,
			      address->length);
	if (rc != 0 && errno == ECONNREFUSED)
		rc = unlink(address->path) == 0
			     ? 0
			     : torus_fail(err, "cannot remove '%s': %s", address->path,
					  strerror(errno));
	else if (rc == 0)
		rc = torus_fail(err, "another process listens on '%s'", address->path);
	else
		rc = torus_fail(err, "cannot use '%s': %s", address->path,
				strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

static int bind_unix(int fd, const storus_address_t *address)
{
	mode_t before = umask(0);
	int rc;

	umask(before | S_IRWXO);
	rc = bind(fd, (const struct sockaddr *)&address->name, address->length);
	umask(before);
	return rc;
}

/* Room for "[ADDRESS]:PORT". */
#define ADDRESS_TEXT (INET6_ADDRSTRLEN + sizeof("[]:65535"))

/* Write the address and the port of [name] into [text], nothing where it is no TCP one.
 * Returns the port. */
static unsigned format_name(const struct sockaddr_storage *name, char text[ADDRESS_TEXT])
{
	char address[INET6_ADDRSTRLEN];
	unsigned port = 0;

	text[0] = '\0';
	if (name->ss_family == AF_INET6) {
		const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)name;

		port = ntohs(ipv6->sin6_port);
		inet_ntop(AF_INET6, &ipv6->sin6_addr, address, sizeof(address));
		snprintf(text, ADDRESS_TEXT, "[%s]:%u", address, port);
	} else if (name->ss_family == AF_INET) {
		const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)name;

		port = ntohs(ipv4->sin_port);
		inet_ntop(AF_INET, &ipv4->sin_addr, address, sizeof(address));
		snprintf(text, ADDRESS_TEXT, "%s:%u", address, port);
	}
	return port;
}

/* Find what the kernel chose, and say how a browser gets there. */
static int describe(storus_listener_t *listener)
{
	struct sockaddr_storage name = {0};
	socklen_t length = sizeof(name);
	char text[ADDRESS_TEXT];

	if (getsockname(listener->fd, (struct sockaddr *)&name, &length) != 0)
		return -1;
	listener->port = format_name(&name, text);
	if (*text)
		snprintf(listener->url, sizeof(listener->url), "http://%s/", text);
	return 0;
}

int storus_listen(const storus_address_t *address, storus_listener_t *listener,
		  torus_error_t *err)
{
	int on = 1, unread = UNREAD, rc;
	char text[ADDRESS_TEXT];

	*listener = (storus_listener_t){.fd = -1};
	if (address->path && remove_stale(address, err) != 0)
		return -1;
	listener->fd = socket(address->name.ss_family,
			      SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener->fd < 0)
		return torus_fail(err, "cannot listen: %s", strerror(errno));
	if (address->path) {
		rc = bind_unix(listener->fd, address);
		if (rc == 0)
			listener->path = address->path;
	} else {
		setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		rc = bind(listener->fd, (const struct sockaddr *)&address->name,
			  address->length);
	}
	/* Connections have it from there. */
	setsockopt(listener->fd, SOL_SOCKET, SO_SNDBUF, &unread, sizeof(unread));
	if (rc == 0 && listen(listener->fd, BACKLOG) == 0 && describe(listener) == 0)
		return 0;
	rc = errno;
	format_name(&address->name, text);
	torus_fail(err, "cannot listen on %s: %s%s", address->path ? address->path : text,
		   strerror(rc),
		   rc == EADDRINUSE ? "; --serve takes another address or port" : "");
	storus_listener_close(listener);
	return -1;
}

void storus_listener_close(storus_listener_t *listener)
{
	if (listener->path)
		unlink(listener->path);
	if (listener->fd >= 0)
		close(listener->fd);
	*listener = (storus_listener_t){.fd = -1};
}
