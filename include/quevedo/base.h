/*
 * base.h - part of quevedo.h: moves, statuses, errors, flags, texts, random numbers and hashes.
 * SPDX-License-Identifier: MIT
 *
 * The structs of this file never change: they are the same in every version of the library.
 */
#ifndef QUEVEDO_BASE_H
#define QUEVEDO_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#define QV_API __attribute__((visibility("default")))
#else
#define QV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t qv_move;      /* each game chooses its own encoding */
#define QV_NO_MOVE UINT64_MAX  /* never a legal move */

enum {
	QV_CHANCE = -1,            /* what `seat` returns at a chance node (dice rolls) */
	QV_MAX_SEATS = 4,
	QV_MAX_OPTIONS = 8,
	QV_MAX_MOVES = 4096,       /* upper limit of qv_game.max_moves */
	QV_MAX_STATE = 1 << 16,    /* upper limit of qv_game.state_size, bytes */
	QV_MAX_EVAL = 1 << 28,     /* evaluations are from -QV_MAX_EVAL to QV_MAX_EVAL */
	QV_WIN = 1 << 30,          /* score of a won position; a win in n plies scores QV_WIN - n */
	QV_MOVE_TEXT = 64,         /* size of a buffer for any move text, NUL included */
	QV_POSITION_TEXT = 4096,   /* size of a buffer for any position text, NUL included */
};

/* What a `leaf` function returns for a game that has ended. Any other value is an evaluation. */
#define QV_LEAF_WON QV_WIN          /* for the seat to move */
#define QV_LEAF_LOST (-QV_WIN)
#define QV_LEAF_DRAWN (QV_WIN + 1)

/* The stage of a game, as the function `phase` returns it. */
enum qv_phase { QV_OPENING, QV_MIDDLE, QV_END, QV_PHASES };

enum qv_outcome {
	QV_GOING,
	/*
	 * The seat with the most points has won; equal points are a draw. With three or four seats
	 * the points rank all seats, and a match counts every pair of seats as a game of its own:
	 * second place beats third. If only the winner matters, give all others the same points.
	 */
	QV_ENDED,
	/* Drawn by a move counter; perft and tables ignore it and continue. */
	QV_DRAWN_BY_COUNT,
};

/* New statuses are added at the end. */
enum qv_status {
	QV_OK,
	QV_NO_MEMORY,
	QV_BAD_INPUT,              /* malformed input */
	QV_ILLEGAL,                /* against the rules */
	QV_UNKNOWN,                /* unknown name */
	QV_UNSUPPORTED,            /* not possible for this game */
	QV_IO,                     /* a file cannot be read or written */
	QV_STOPPED,
	QV_STATUS_COUNT
};
QV_API const char *qv_status_text(enum qv_status status);   /* a static string, never freed */

struct qv_error {
	char text[256];            /* "WHAT: WHY", one printable line, NUL-terminated */
};

/*
 * Formats the error text, unless error is NULL, and returns status, so that a function can end with
 * `return qv_fail(error, QV_BAD_INPUT, ...)`. Bytes that are not printable ASCII become '?'.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline enum qv_status
qv_fail(struct qv_error *error, enum qv_status status, const char *format, ...)
{
	if (!error)
		return status;
	va_list args;
	va_start(args, format);
	vsnprintf(error->text, sizeof error->text, format, args);
	va_end(args);
	for (char *c = error->text; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';              /* the text may quote any input */
	return status;
}

/*
 * A flag by which you stop a search from any thread, or from a signal handler. A zeroed flag is
 * clear. Use the functions only: they are atomic. NULL is a clear flag for qv_flag_is_set.
 */
struct qv_flag {
	int32_t value;
};
QV_API void qv_flag_set(struct qv_flag *flag);
QV_API void qv_flag_clear(struct qv_flag *flag);
QV_API bool qv_flag_is_set(const struct qv_flag *flag);

/*
 * A text that is written into a buffer of the caller's. Characters that do not fit are dropped, but
 * `length` counts them: if length >= size, the text was cut and needs length + 1 bytes. After the
 * first qv_put the data is NUL-terminated, if size > 0. { NULL, 0, 0 } only measures the length.
 */
struct qv_text {
	char *data;
	size_t size, length;
};

static inline void qv_put_char(struct qv_text *out, char c)
{
	if (out->length + 1 < out->size) {
		out->data[out->length] = c;
		out->data[out->length + 1] = '\0';
	} else if (out->length < out->size) {
		out->data[out->length] = '\0';
	}
	out->length++;
}

static inline void qv_put(struct qv_text *out, const char *text)
{
	while (*text)
		qv_put_char(out, *text++);
}

static inline void qv_put_int(struct qv_text *out, int64_t value)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%lld", (long long)value);
	qv_put(out, digits);
}

/* For parsers: steps over the character c if the text goes on with it. */
static inline bool qv_read_char(const char **text, char c)
{
	if (**text != c || c == '\0')
		return false;
	++*text;
	return true;
}

/*
 * For parsers: reads a whole number from 0 to max, written plainly, and steps over it. False, with
 * both arguments unchanged: there is no number, it is larger, or it has a leading zero, so that each
 * number has one text only.
 */
static inline bool qv_read_number(const char **text, int64_t max, int64_t *value)
{
	const char *t = *text;
	int64_t number = 0;
	if (t[0] == '0' && t[1] >= '0' && t[1] <= '9')
		return false;
	for (; *t >= '0' && *t <= '9'; t++) {
		const int digit = *t - '0';
		if (number > (max - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	if (t == *text || number > max)
		return false;
	*text = t;
	*value = number;
	return true;
}

/*
 * Random numbers (SplitMix64). qv_random_at computes the k-th number of a key directly, and struct
 * qv_random steps through the same sequence. A dice roll can therefore be reproduced without
 * replaying the rolls before it: it is number k of key = qv_random_key(qv_random_key(seed, game),
 * seat).
 */
static inline uint64_t qv_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline uint64_t qv_random_at(uint64_t key, uint64_t k)
{
	return qv_mix(key + (k + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The key of an independent sequence: number `stream` of those that belong to `key`. */
static inline uint64_t qv_random_key(uint64_t key, uint64_t stream)
{
	return qv_mix(qv_random_at(key, stream) ^ UINT64_C(0x5851f42d4c957f2d));
}

struct qv_random {
	uint64_t key, next;        /* next: the number of values drawn so far */
};

static inline uint64_t qv_random_next(struct qv_random *r)
{
	return qv_random_at(r->key, r->next++);
}

/*
 * Number k of the key as an integer from 0 to n - 1 (n > 0). All values are exactly equally likely.
 */
static inline uint64_t qv_random_below_at(uint64_t key, uint64_t k, uint64_t n)
{
	const uint64_t excess = (0 - n) % n;     /* 2^64 mod n; reject that many values */
	uint64_t x = qv_random_at(key, k);
	for (uint64_t retry = 0; x < excess; retry++)
		x = qv_random_at(qv_random_key(key, k), retry);
	return x % n;
}

static inline uint64_t qv_random_below(struct qv_random *r, uint64_t n)
{
	return qv_random_below_at(r->key, r->next++, n);
}

/* A 64-bit hash of any bytes. Use it as `hash` if your game has no faster one. */
static inline uint64_t qv_hash_bytes(const void *data, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)data;
	uint64_t h = size;
	for (; size >= 8; bytes += 8, size -= 8) {
		uint64_t word;
		memcpy(&word, bytes, 8);
		h = qv_mix((h ^ word) * UINT64_C(0x9e3779b97f4a7c15));
	}
	for (; size; bytes++, size--)
		h = qv_mix((h ^ *bytes) * UINT64_C(0x9e3779b97f4a7c15));
	return h;
}

#ifdef __cplusplus
}
#endif

#endif
