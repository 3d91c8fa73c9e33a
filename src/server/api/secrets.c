/*
 * secrets.c - the signing key in its file, random bytes, hashes and passwords.
 * SPDX-License-Identifier: MIT
 *
 * All cryptography is libsodium's. The key file is written under a temporary name and synced before
 * it gets its own, so that a crash cannot leave half a key; of two servers that start at the same
 * time one wins and the other reads its key.
 */
#include "server/api/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"

enum {
	WEAK_OPERATIONS = 2, /* cost of a password of IMCS */
	WEAK_BYTES = 8 << 20,
	WEAK_MOST = 128,
};

_Static_assert(crypto_pwhash_STRBYTES <= SECRETS_PASSWORD, "a password hash fits");
_Static_assert(crypto_hash_sha256_BYTES == SECRETS_HASH, "the size of a SHA-256 hash");

/* ---- the key ---- */

bool secrets_ready(void)
{
	return sodium_init() >= 0;
}

void secrets_forget(struct secrets *s)
{
	sodium_memzero(s, sizeof *s);
}

/* QV_UNKNOWN: no such file. */
static enum qv_status read_secret(const char *path, struct secrets *out, struct qv_error *error)
{
	struct stat about;
	enum qv_status status = QV_OK;
	/* O_NONBLOCK: a pipe of that name must not block the server. */
	const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0)
		return qv_fail(error, errno == ENOENT ? QV_UNKNOWN : QV_IO, "%.160s: %s", path,
			       strerror(errno));
	if (fstat(descriptor, &about) != 0) {
		status = qv_fail(error, QV_IO, "%.160s: %s", path, strerror(errno));
	} else if (!S_ISREG(about.st_mode) || about.st_size != SECRETS_KEY) {
		status = qv_fail(error, QV_IO, "%.160s: is not a file of %d bytes", path,
				 SECRETS_KEY);
	} else if (about.st_mode & 077) {
		status = qv_fail(
			error, QV_IO,
			"%.160s: other users can read or write it; if none has, run chmod 600",
			path);
	} else if (read(descriptor, out->key, SECRETS_KEY) != SECRETS_KEY) {
		secrets_forget(out);
		status = qv_fail(error, QV_IO, "%.160s: cannot be read", path);
	}
	close(descriptor);
	return status;
}

/* Creates the file with a key. QV_ILLEGAL: another process has just created it. */
static enum qv_status create_secret(const char *folder, const char *path,
				    const uint8_t key[SECRETS_KEY], struct qv_error *error)
{
	struct file_writer w;
	enum qv_status status = file_create(&w, &mem_malloc, path, error);
	if (status != QV_OK)
		return status;
	if (fchmod(w.descriptor, 0600) != 0) {
		status = qv_fail(error, QV_IO, "%.160s: %s", path, strerror(errno));
		file_abandon(&w);
	} else {
		status = file_write(&w, key, SECRETS_KEY, error);
	}
	if (status == QV_OK)
		status = file_keep_new(&w, error);
	return status == QV_OK ? folder_sync(folder, error) : status;
}

/* Reads the key; without a file, one is created with the key of `first`. */
static enum qv_status read_or_create(const char *folder, const struct secrets *first,
				     struct secrets *out, struct qv_error *error)
{
	char path[FOLDER_PATH];
	enum qv_status status = folder_make(folder, error);
	if (status == QV_OK)
		status = folder_path(folder, "secret", path, error);
	if (status == QV_OK)
		status = read_secret(path, out, error);
	if (status != QV_UNKNOWN)
		return status;
	status = create_secret(folder, path, first->key, error);
	/* QV_ILLEGAL: the key of the other process is read. */
	if (status != QV_OK && status != QV_ILLEGAL)
		return status;
	status = read_secret(path, out, error);
	return status == QV_UNKNOWN ? QV_IO : status;
}

enum qv_status secrets_open(const char *folder, struct secrets *out, struct qv_error *error)
{
	struct secrets first;
	if (!secrets_ready())
		return qv_fail(error, QV_IO, "secret: the system provides no random numbers");
	randombytes_buf(first.key, sizeof first.key);
	const enum qv_status status = read_or_create(folder, &first, out, error);
	secrets_forget(&first);
	return status;
}

enum qv_status secrets_keep(const char *folder, const struct secrets *s, struct qv_error *error)
{
	struct secrets found;
	enum qv_status status = read_or_create(folder, s, &found, error);
	if (status == QV_OK && sodium_memcmp(found.key, s->key, SECRETS_KEY) != 0)
		status = qv_fail(error, QV_IO,
				 "%.160s/secret: there is another one, of other servers; remove it",
				 folder);
	secrets_forget(&found);
	return status;
}

/* ---- random bytes and hashes ---- */

/* Bytes that nobody can predict, from the system. */
void secrets_random(void *out, size_t size)
{
	randombytes_buf(out, size);
}

void secrets_sha256(const void *bytes, size_t size, uint8_t out[SECRETS_HASH])
{
	crypto_hash_sha256(out, bytes, size);
}

/* ---- passwords ---- */

/* The hash contains its salt and its cost, so both may change later. */
bool secrets_hash_password(const char *password, char out[SECRETS_PASSWORD])
{
	return !secrets_password_fault(password) &&
	       crypto_pwhash_str(out, password, strlen(password),
				 crypto_pwhash_OPSLIMIT_INTERACTIVE,
				 crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0;
}

/* Without the rules for new passwords. */
static bool check_password(const char *password, const char *hash)
{
	/* libsodium reads the whole array, not just up to the NUL. */
	char whole[crypto_pwhash_STRBYTES] = "";
	const size_t length = strnlen(hash, sizeof whole);
	if (length == sizeof whole)
		return false;
	memcpy(whole, hash, length);
	return crypto_pwhash_str_verify(whole, password, strlen(password)) == 0;
}

bool secrets_check_password(const char *password, const char *hash)
{
	return !secrets_password_fault(password) && check_password(password, hash);
}

/* Fewer operations and less memory than for an account. */
bool secrets_hash_weak(const char *password, char out[SECRETS_PASSWORD])
{
	return strlen(password) <= WEAK_MOST &&
	       crypto_pwhash_str(out, password, strlen(password), WEAK_OPERATIONS, WEAK_BYTES) == 0;
}

bool secrets_check_weak(const char *password, const char *hash)
{
	return strlen(password) <= WEAK_MOST && check_password(password, hash);
}
