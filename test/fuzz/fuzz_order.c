/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Node orders. What is read is a permutation that survives being written and read again.
 */
#include "fuzz.h"

#include "conf/coords.h"
#include "many_names.h"

static char *const names[] = {"a", "b", "n1", "n2", "n3"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };
/* More names only take time. */
enum { NAMES_MAX = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t order[NAMES], back[NAMES];
	bool seen[NAMES] = {false};
	char text[64] = "";

	if (fuzz_many_names(data, size, NAMES_MAX))
		return 0;
	if (torus_order_parse((const char *)data, size, "f", names, NAMES, order, NULL))
		return 0;
	for (int rank = 0; rank < NAMES; rank++) {
		CHECK(order[rank] < NAMES && !seen[order[rank]]);
		seen[order[rank]] = true;
		strcat(strcat(text, names[order[rank]]), "\n");
	}
	CHECK(!torus_order_parse(text, strlen(text), "back", names, NAMES, back, NULL));
	CHECK(!memcmp(order, back, sizeof(order)));
	return 0;
}
