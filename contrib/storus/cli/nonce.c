/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of a page. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "storus/cli/nonce.h"

int storus_nonce_make(char nonce[STORUS_NONCE_TEXT], torus_error_t *err)
{
	unsigned char random[(STORUS_NONCE_TEXT - 1) / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return torus_fail(err, "no random numbers: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(nonce + 2 * i, 3, "%02x", random[i]);
	return 0;
}
