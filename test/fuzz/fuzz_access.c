/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What storus view --serve reads itself of a request, and where it listens. Input: an
 * address, a newline, the header Host, a newline, the header Authorization. A host that
 * may be asked for may be with any port, and only the token opens.
 */
#include "torus_config.h"

#include "fuzz.h"

#include <strings.h>

#include "storus/view/serve/access.h"
#include "storus/view/serve/gzip.h"
#include "storus/view/serve/address.h"

static void check_address(const char *text)
{
	storus_address_t address;
	torus_error_t err = {""};

	if (storus_address_parse(text, &address, &err) != 0) {
		CHECK(err.text[0]);
		return;
	}
	CHECK(address.length > 0 && address.length <= sizeof(address.name));
	CHECK(!address.path || (address.path[0] && !address.loopback));
}

static void check_host(const storus_access_t *access, const char *host)
{
	const char *bracket = strrchr(host, ']');
	char *other;
	bool allowed = storus_access_host(access, host);

	if (strchr(bracket ? bracket : host, ':'))
		return;
	CHECK(asprintf(&other, "%s:6840", host) > 0);
	CHECK(storus_access_host(access, other) == allowed);
	free(other);
}

/* Nothing but gzip, or anything, may be taken for gzip. */
static void check_encoding(const char *header)
{
	if (storus_takes_gzip(header))
		CHECK(strcasestr(header, "gzip") || strchr(header, '*'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char token[] = "0123456789abcdef0123456789abcdef";
	storus_access_t access = {
		.token = token, .session = "session", .name = "torus.example"};
	char *text = fuzz_text(data, size), *rest = text, *part[3] = {"", "", ""};

	for (int i = 0; i < 3 && rest; i++)
		part[i] = strsep(&rest, "\n");
	check_address(part[0]);
	check_host(&access, part[1]);
	check_encoding(part[1]);
	if (storus_access_granted(&access, part[2], NULL))
		CHECK(strncasecmp(part[2], "Bearer ", 7) == 0 &&
		      strcmp(part[2] + 7, token) == 0);
	CHECK(storus_access_granted(&access, NULL, part[2]) ==
	      (strcmp(part[2], access.session) == 0));
	free(text);
	return 0;
}
