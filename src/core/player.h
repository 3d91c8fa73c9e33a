/*
 * player.h - player kinds by name, and how a spec becomes a player (without an opening book).
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_PLAYER_H
#define CORE_PLAYER_H

#include "search/player_kind.h"

extern const struct player_kind level_kind, perfect_kind, learn_kind;

/* The settings of the kind `level`. */
struct level_settings {
	int64_t level, ladder;
};
enum { LADDER_OWN, LADDER_LURGEE, LADDER_LURGEE22 };
static inline const struct level_settings *level_settings(const struct settings *set)
{
	return (const struct level_settings *)(const void *)set->own;
}

/*
 * Lets a level use the program's opening book, if the levels of the game do so from that level on
 * and its spec, *out, has no book setting. `given`: the settings of the spec that names the level.
 */
void level_use_book(const struct qv_game *game, int64_t level, const struct settings *given,
		    struct settings *out);

/* The settings of the kind `perfect`. */
struct perfect_settings {
	char tables[SETTINGS_PATH];
	bool alone;                /* with tables: no search in place of a missing one */
};
_Static_assert(sizeof(struct perfect_settings) <= SETTINGS_OWN, "own settings are too large");

/*
 * Whether the player `perfect` will find the position in endgame tables. False for games that also
 * search down to their tables.
 */
bool perfect_looks_up(const struct qv_player *player, const void *state);

/*
 * Puts a player around another one for the key `prove`: it first lets the game's solver or endgame
 * tables try the position, and the other player searches only if they do not know it. *player stays
 * as it is if the game has neither. On failure *player is freed.
 */
enum qv_status prove_first(const struct player_setup *setup, struct qv_player **player,
			   struct qv_error *error);

/* The i-th player kind: first the general ones, then those of single games; NULL: no more. */
const struct player_kind *player_kind_at(int i);

/* Reads a spec, KIND[:key=value,...]. A level is not replaced. defaults may be NULL. */
enum qv_status spec_parse(const char *text, const struct qv_defaults *defaults,
			  struct settings *out, struct qv_error *error);
/*
 * Reads a spec and replaces a level by the player it stands for, with the book settings of the
 * spec, or else those of the level.
 */
enum qv_status player_settings(const struct qv_game *game, const char *spec,
			       const struct qv_defaults *defaults, struct settings *out,
			       struct qv_error *error);
/*
 * Creates the player of these settings, without their opening book. QV_UNSUPPORTED: the kind cannot
 * play this game. Free it with qv_player_free.
 */
enum qv_status player_make(const struct qv_context *context, const struct qv_rules *rules,
			   const struct settings *settings, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error);

/* The smaller of two limits on time or nodes; 0 or less means no limit. */
static inline int64_t smaller_limit(int64_t a, int64_t b)
{
	return a > 0 && b > 0 ? (a < b ? a : b) : a > 0 ? a : b > 0 ? b : 0;
}

/* Appends the help text about all kinds and options, or about one kind. False: no such kind. */
void players_help(struct string *out);
bool player_kind_help(const char *name, struct string *out);

#endif
