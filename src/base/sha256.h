/*
 * sha256.h - SHA-256 (FIPS 180-4).
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum {
	SHA256_BLOCK = 64, /* bytes */
	SHA256_WORDS = 8,
	SHA256_HEX = 65,   /* bytes of the hash in hexadecimal digits, NUL included */
};

/* The state before the first block, and what a block makes of it. */
extern const uint32_t sha256_start[SHA256_WORDS];
void sha256_add(uint32_t state[SHA256_WORDS], const unsigned char block[SHA256_BLOCK]);

/* The hash of data that is in memory. */
void sha256_hex(const void *data, size_t size, char out[SHA256_HEX]);

#endif
