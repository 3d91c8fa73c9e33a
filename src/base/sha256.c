/*
 * sha256.c - SHA-256, as FIPS 180-4 has it.
 * SPDX-License-Identifier: MIT
 */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = SHA256_BLOCK, ROUNDS = 64, WORDS = SHA256_WORDS };

const uint32_t sha256_start[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
				       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotated(uint32_t x, int bits)
{
	return x >> bits | x << (32 - bits);
}

void sha256_add(uint32_t state[WORDS], const unsigned char block[BLOCK])
{
	uint32_t w[ROUNDS], s[WORDS];
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		const uint32_t a = w[i - 15], b = w[i - 2];
		w[i] = w[i - 16] + w[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) +
		       (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
	}
	memcpy(s, state, sizeof s);
	for (int i = 0; i < ROUNDS; i++) {
		const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		const uint32_t first = s[7] +
				       (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
				       choice + constants[i] + w[i];
		const uint32_t second =
			(rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + majority;
		memmove(s + 1, s, (WORDS - 1) * sizeof *s);
		s[4] += first;
		s[0] = first + second;
	}
	for (int i = 0; i < WORDS; i++)
		state[i] += s[i];
}

/* The last block, or two, has a 1 bit after the data and the size in bits at its end. */
void sha256_hex(const void *data, size_t size, char out[SHA256_HEX])
{
	uint32_t state[WORDS];
	unsigned char last[2 * BLOCK] = { 0 };
	const unsigned char *at = data;
	size_t left = size;
	memcpy(state, sha256_start, sizeof state);
	for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
		sha256_add(state, at);
	if (left)
		memcpy(last, at, left);
	last[left] = 0x80;
	const size_t end = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
	for (int i = 0; i < 8; i++)
		last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
	for (size_t i = 0; i < end; i += BLOCK)
		sha256_add(state, last + i);
	for (int i = 0; i < WORDS; i++)
		snprintf(out + 8 * i, 9, "%08lx", (unsigned long)state[i]);
}
