/*
 * sha256.h - SHA-256 (FIPS 180-4), to tell in a journal which plug-in has played.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_SHA256_H
#define MATCH_SHA256_H

#include <stddef.h>

enum { SHA256_HEX = 65 }; /* bytes of the hash in hexadecimal digits, NUL included */

void sha256_hex(const void *data, size_t size, char out[SHA256_HEX]);

#endif
