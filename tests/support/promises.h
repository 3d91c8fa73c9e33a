/*
 * promises.h - sees every text that leaves a server, and whether one of them has the secret of a dice roll before the roll.
 * SPDX-License-Identifier: MIT
 *
 * It knows nothing of the server: what hashes to a commitment is its secret, wherever it stands and whatever it is called. The roll
 * shows it first.
 */
#ifndef TEST_PROMISES_H
#define TEST_PROMISES_H

#include <ctype.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>

enum { PROMISE_BYTES = 32, PROMISE_HEX = 64, PROMISES_ROOM = 1 << 14 };

struct promise {
	enum promise_state {
		PROMISE_NONE,
		PROMISE_SEEN, /* some 32 bytes with this hash were in a text, before any roll with them */
		PROMISE_DUE,  /* the hash was published as a commitment */
		PROMISE_KEPT, /* the dice were rolled: the secret is known, also if the roll is taken back */
	} state;
	unsigned char hash[PROMISE_BYTES];
};

/* A hash table. {0}: nothing was seen yet. */
struct promises {
	struct promise list[PROMISES_ROOM];
	size_t count;
};

/* The entry of a hash. In a table that becomes full everything is forgotten. */
static inline struct promise *promise_of(struct promises *p, const unsigned char hash[PROMISE_BYTES])
{
	if (p->count > PROMISES_ROOM / 4 * 3)
		memset(p, 0, sizeof *p);
	size_t at = (size_t)(hash[0] | hash[1] << 8) % PROMISES_ROOM;
	while (p->list[at].state && memcmp(p->list[at].hash, hash, PROMISE_BYTES) != 0)
		at = (at + 1) % PROMISES_ROOM;
	if (!p->list[at].state) {
		memcpy(p->list[at].hash, hash, PROMISE_BYTES);
		p->count++;
	}
	return &p->list[at];
}

/* Does the text end with these words, and the hash where they have "#"? */
static inline bool promise_follows(const char *begin, const char *end, const char *words, const char *hash)
{
	char whole[256] = "";
	for (size_t length = 0; *words; words++, length = strlen(whole))
		if (*words == '#')
			memcpy(whole + length, hash, PROMISE_HEX + 1);
		else
			whole[length] = *words;
	const size_t length = strlen(whole);
	return (size_t)(end - begin) >= length && memcmp(end - length, whole, length) == 0;
}

static inline bool promise_read(const char *hex, unsigned char out[PROMISE_BYTES])
{
	return sodium_hex2bin(out, PROMISE_BYTES, hex, PROMISE_HEX, NULL, NULL, NULL) == 0;
}

/* A commitment is published. False: its secret was already seen. */
static inline bool promise_made(struct promises *p, const char *hex)
{
	unsigned char hash[PROMISE_BYTES];
	if (!promise_read(hex, hash))
		return true;
	struct promise *promise = promise_of(p, hash);
	if (promise->state == PROMISE_NONE)
		promise->state = PROMISE_DUE;
	return promise->state != PROMISE_SEEN;
}

/* 64 hex digits at this place. False: they are a secret that nobody may know, or that was known too early. */
static inline bool promise_allows(struct promises *p, const char *begin, const char *at)
{
	unsigned char bytes[PROMISE_BYTES], sum[crypto_hash_sha256_BYTES];
	char hex[PROMISE_HEX + 1];
	if (!promise_read(at, bytes))
		return true;
	crypto_hash_sha256(sum, bytes, sizeof bytes);
	sodium_bin2hex(hex, sizeof hex, sum, sizeof sum);
	struct promise *promise = promise_of(p, sum);
	const enum promise_state was = promise->state;
	if (was == PROMISE_KEPT)
		return true;
	const bool rolled =
		promise_follows(begin, at, "\"last\":{\"commit\":\"#\",\"secret\":\"", hex) ||
		promise_follows(begin, at, "{\"play\":\"throw\",\"secret\":\"", hex);
	promise->state = rolled ? PROMISE_KEPT : PROMISE_SEEN;
	return rolled ? was != PROMISE_SEEN : was != PROMISE_DUE;
}

/* False: the text, which may be anything, has a secret before its roll. */
static inline bool promises_see(struct promises *p, const char *text, size_t size)
{
	static const char due[] = "\"mode\":\"server\",\"commit\":\"";
	const size_t due_size = sizeof due - 1;
	bool fine = true;
	size_t digits = 0;
	for (size_t i = 0; i + due_size + PROMISE_HEX <= size; i++)
		if (text[i] == '"' && memcmp(text + i, due, due_size) == 0)
			fine = promise_made(p, text + i + due_size) && fine;
	for (size_t i = 0; i < size; i++) {
		digits = isxdigit((unsigned char)text[i]) ? digits + 1 : 0;
		if (digits >= PROMISE_HEX)
			fine = promise_allows(p, text, text + i + 1 - PROMISE_HEX) && fine;
	}
	return fine;
}

#endif
