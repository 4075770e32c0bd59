/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has been said already: see said.h. */
#include "base/said.h"

/* FNV-1a over the subject and the text; never 0. */
static uint64_t hash_of(uint32_t subject, const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (int i = 0; i < 4; i++, subject >>= 8)
		hash = (hash ^ (subject & 0xff)) * UINT64_C(0x100000001b3);
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

bool torus_said_before(torus_said_t *said, uint32_t subject, const char *text)
{
	uint32_t set = subject % TORUS_SAID_SETS;
	uint64_t hash = hash_of(subject, text);

	for (int i = 0; i < TORUS_SAID_TEXTS; i++) {
		if (said->text[set][i] == hash)
			return true;
	}
	said->text[set][said->oldest[set]] = hash;
	said->oldest[set] = (uint8_t)((said->oldest[set] + 1) % TORUS_SAID_TEXTS);
	return false;
}
