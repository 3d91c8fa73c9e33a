/*
 * search_config.h - a two-player search and its keys, which are also written as the spec of a player.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_SEARCH_CONFIG_H
#define TEST_SEARCH_CONFIG_H

#include "support/search.h"

/* Each key is an option of the players; `every` key is 0 if it is off. */
#define KEYS(X)                                                                             \
	X(iterate, "iterate")                                                               \
	X(sort, "sort")                                                                     \
	X(killers, "killers")                                                               \
	X(history, "history") X(keep_line, "keep-line") X(tt, "tt") X(tt_exact, "tt-exact") \
		X(quiet, "quiet") X(deep, "deep") X(window, "window") X(razor, "razor")     \
			X(hard, "hard") X(top, "top") X(stack, "stack") X(ply1, "ply1")     \
				X(move_eval, "move-eval") X(exchange, "exchange")           \
					X(phases, "phases") X(margin, "margin")             \
						X(blunder, "blunder") X(random, "random")   \
							X(chopper, "chopper")

struct config {
	const char *kind;
	int depth;
#define X(field, name) int field;
	KEYS(X)
#undef X
};

static inline bool prunes(const struct config *c)
{
	return strcmp(c->kind, "minimax") != 0 && strcmp(c->kind, "negamax") != 0;
}

static inline bool is_mtdf(const struct config *c)
{
	return strcmp(c->kind, "mtdf") == 0;
}

/* Whether the players of this kind have the option. */
static inline bool has_key(const struct config *c, const char *key)
{
	static const char *const full[] = {
		"iterate", "stack",  "ply1",	"move-eval", "exchange",
		"phases",  "margin", "blunder", "random",    "chopper"
	};
	if (is_mtdf(c))
		return strcmp(key, "window") && strcmp(key, "razor") && strcmp(key, "margin") &&
		       strcmp(key, "blunder");
	for (size_t i = 0; !prunes(c) && i < sizeof full / sizeof *full; i++)
		if (strcmp(full[i], key) == 0)
			return true;
	return prunes(c);
}

/* The spec with every key written out. */
static inline void write_spec(const struct config *c, char spec[512])
{
	int at = snprintf(spec, 512, "%s:depth=%d", c->kind, c->depth);
#define X(field, name)        \
	if (has_key(c, name)) \
		at += snprintf(spec + at, (size_t)(512 - at), ",%s=%d", name, c->field);
	KEYS(X)
#undef X
}

#endif
