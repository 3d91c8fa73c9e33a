/*
 * fuzz.h - what the fuzz targets share: a context with little memory to give, input as text, and a
 * check that stays on.
 * SPDX-License-Identifier: MIT
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "quevedo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A target, which gets a name of its own from the build. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding: libFuzzer and the replay both see the abort. */
#define fuzz_require(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

static inline void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}

static inline void fuzz_require_reason(const struct qv_error *error)
{
	fuzz_require(error->text[0] != '\0');
	for (const char *c = error->text; *c; c++)
		fuzz_require(*c >= ' ' && *c <= '~');
}

static inline void *fuzz_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	enum { LARGEST = 1 << 22 };
	(void)ctx, (void)old_size;
	if (!new_size) {
		free(block);
		return NULL;
	}
	return new_size > LARGEST ? NULL : realloc(block, new_size);
}

/* Whatever an input asks for, it gets at most 4 MB at a time. */
static inline struct qv_context *fuzz_context(void)
{
	const struct qv_allocator small = { fuzz_resize, NULL };
	struct qv_context *context = qv_context_new(&small);
	fuzz_require(context != NULL);
	return context;
}

#ifdef TOY_PLUGIN
static struct qv_context *fuzz_kept;

static inline void fuzz_forget_games(void)
{
	qv_context_free(fuzz_kept);
}

/*
 * The games with the toys among them, which alone have options, counted moves and chance; made
 * once, kept for all inputs.
 */
static inline const struct qv_context *fuzz_games(void)
{
	if (!fuzz_kept) {
		const char *moved = getenv("FUZZ_TOYS"); /* on another machine */
		fuzz_kept = fuzz_context();
		fuzz_require(qv_context_load(fuzz_kept, moved ? moved : TOY_PLUGIN, NULL) == QV_OK);
		fuzz_require(atexit(fuzz_forget_games) == 0);
	}
	return fuzz_kept;
}
#endif

/*
 * The input as a NUL-terminated text of exactly its size, so that reading past it shows; the caller
 * frees it.
 */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	fuzz_require(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* Cuts the first line off; returns what follows, "" after the last. */
static inline char *fuzz_next_line(char *line)
{
	char *end = line + strcspn(line, "\n");
	if (!*end)
		return end;
	*end = '\0';
	return end + 1;
}

#endif
