/*
 * sodium.c - stands in for libsodium: SHA-256, for the dice of games in the browser (FIPS 180-4).
 * SPDX-License-Identifier: MIT
 */
#include <sodium/crypto_hash_sha256.h>
#include <string.h>

#include "base/sha256.h"

enum { LENGTH_AT = 56 };

int crypto_hash_sha256_init(crypto_hash_sha256_state *sum)
{
	memcpy(sum->state, sha256_start, sizeof sha256_start);
	sum->count = 0; /* bytes */
	return 0;
}

int crypto_hash_sha256_update(crypto_hash_sha256_state *sum, const unsigned char *in,
			      unsigned long long size)
{
	for (unsigned long long i = 0; i < size; i++) {
		sum->buf[sum->count++ % SHA256_BLOCK] = in[i];
		if (sum->count % SHA256_BLOCK == 0)
			sha256_add(sum->state, sum->buf);
	}
	return 0;
}

int crypto_hash_sha256_final(crypto_hash_sha256_state *sum, unsigned char *out)
{
	const uint64_t bits = sum->count * 8;
	unsigned char length[8];
	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	crypto_hash_sha256_update(sum, (const unsigned char[]){ 0x80 }, 1);
	while (sum->count % SHA256_BLOCK != LENGTH_AT)
		crypto_hash_sha256_update(sum, (const unsigned char[]){ 0 }, 1);
	crypto_hash_sha256_update(sum, length, sizeof length);
	for (int i = 0; i < 32; i++)
		out[i] = (unsigned char)(sum->state[i / 4] >> (24 - i % 4 * 8));
	return 0;
}

int crypto_hash_sha256(unsigned char *out, const unsigned char *in, unsigned long long size)
{
	crypto_hash_sha256_state sum;
	crypto_hash_sha256_init(&sum);
	crypto_hash_sha256_update(&sum, in, size);
	return crypto_hash_sha256_final(&sum, out);
}
