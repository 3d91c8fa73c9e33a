/*
 * sodium.c - fuzz target: the engine for browsers has the same SHA-256 as libsodium, of a text at
 * once and in two parts.
 * SPDX-License-Identifier: MIT
 *
 * The first byte is the length of the first part.
 */
#include <sodium.h>

#include "fuzz/fuzz.h"

enum { HASH = crypto_hash_sha256_BYTES };

/* Those of src/server/wasm/sodium.c, renamed by own_names.h. */
int own_crypto_hash_sha256(unsigned char *out, const unsigned char *in, unsigned long long size);
int own_crypto_hash_sha256_init(crypto_hash_sha256_state *sum);
int own_crypto_hash_sha256_update(crypto_hash_sha256_state *sum, const unsigned char *in,
				  unsigned long long size);
int own_crypto_hash_sha256_final(crypto_hash_sha256_state *sum, unsigned char *out);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	crypto_hash_sha256_state sum;
	unsigned char hash[HASH], own_hash[HASH], parts_hash[HASH];
	if (!size)
		return 0;
	const size_t length = size - 1, first = *data < length ? *data : length;
	crypto_hash_sha256(hash, data + 1, length);
	own_crypto_hash_sha256(own_hash, data + 1, length);
	own_crypto_hash_sha256_init(&sum);
	own_crypto_hash_sha256_update(&sum, data + 1, first);
	own_crypto_hash_sha256_update(&sum, data + 1 + first, length - first);
	own_crypto_hash_sha256_final(&sum, parts_hash);
	fuzz_require(memcmp(hash, own_hash, HASH) == 0);
	fuzz_require(memcmp(hash, parts_hash, HASH) == 0);
	return 0;
}
