/*
 * cheap_passwords.c - hashes of passwords at the least cost that libsodium has, for tests of other
 * things: a hash of an account takes 64 MiB and a tenth of a second. The linker puts it in between.
 * SPDX-License-Identifier: MIT
 */
#include <sodium.h>

/* The linker gives them these names. */
int __real_crypto_pwhash_str(char *out, const char *password, unsigned long long length,
			     unsigned long long operations, size_t bytes);
int __wrap_crypto_pwhash_str(char *out, const char *password, unsigned long long length,
			     unsigned long long operations, size_t bytes);

int __wrap_crypto_pwhash_str(char *out, const char *password, unsigned long long length,
			     unsigned long long operations, size_t bytes)
{
	(void)operations, (void)bytes;
	return __real_crypto_pwhash_str(out, password, length, crypto_pwhash_OPSLIMIT_MIN,
					crypto_pwhash_MEMLIMIT_MIN);
}
