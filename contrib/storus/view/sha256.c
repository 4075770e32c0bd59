/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256: FIPS 180-4, "Secure Hash Standard". */
#include "torus_config.h"

#include <stdint.h>
#include <string.h>

#include "storus/view/sha256.h"

#define BLOCK 64
#define DIGEST 32

static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int bits)
{
	return word >> bits | word << (32 - bits);
}

static uint32_t big_endian(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

static void add_block(uint32_t state[8], const uint8_t block[BLOCK])
{
	uint32_t w[64], s[8];

	for (int i = 0; i < 16; i++)
		w[i] = big_endian(block + 4 * i);
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] +
		       (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
	}
	memcpy(s, state, sizeof(s));
	for (int i = 0; i < 64; i++) {
		uint32_t first =
			s[7] +
			(rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
			((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
		uint32_t second =
			(rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
			((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += first;
		s[0] = first + second;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

/* The last bytes, with a one bit, zeros and the length in bits behind them. */
static void add_end(uint32_t state[8], const uint8_t *rest, size_t left, size_t size)
{
	uint8_t end[2 * BLOCK] = {0};
	size_t blocks = left + 9 > BLOCK ? 2 : 1;
	uint64_t bits = (uint64_t)size * 8;

	if (left)
		memcpy(end, rest, left);
	end[left] = 0x80;
	for (int i = 0; i < 8; i++)
		end[blocks * BLOCK - 1 - (size_t)i] = (uint8_t)(bits >> (8 * i));
	for (size_t i = 0; i < blocks; i++)
		add_block(state, end + i * BLOCK);
}

static void base64(const uint8_t digest[DIGEST], char text[STORUS_SHA256_TEXT])
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	/* 32 bytes are ten groups of three and one of two. */
	for (int i = 0; i < DIGEST; i += 3) {
		uint32_t group = (uint32_t)digest[i] << 16 | (uint32_t)digest[i + 1] << 8;

		if (i + 2 < DIGEST)
			group |= digest[i + 2];
		for (int j = 0; j < 4; j++)
			*text++ = letters[group >> (18 - 6 * j) & 63];
	}
	text[-1] = '=';
	*text = '\0';
}

char *storus_sha256(const void *data, size_t size, char text[STORUS_SHA256_TEXT])
{
	uint32_t state[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	const uint8_t *bytes = data;
	uint8_t digest[DIGEST];
	size_t at = 0;

	for (; size - at >= BLOCK; at += BLOCK)
		add_block(state, bytes + at);
	add_end(state, bytes + at, size - at, size);
	for (int i = 0; i < DIGEST; i++)
		digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
	base64(digest, text);
	return text;
}
