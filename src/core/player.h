/*
 * player.h - player kinds by name, and from a spec to a player without a book in two steps.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_PLAYER_H
#define CORE_PLAYER_H

#include "search/player_kind.h"

extern const struct player_kind level_kind, perfect_kind, learn_kind;

/* Settings of the kind `level` alone. */
struct level_settings {
	int64_t level, ladder;
};
enum { LADDER_OWN, LADDER_LURGEE, LADDER_LURGEE22 };
static inline const struct level_settings *level_settings(const struct settings *set)
{
	return (const struct level_settings *)(const void *)set->own;
}

/* The i-th kind there is, first those for any game, then those that games bring; NULL: no more. */
const struct player_kind *player_kind_at(int i);

/* Reads a spec, KIND[:key=value,...]; a level stays a level. */
enum qv_status spec_parse(const char *text, const struct qv_defaults *defaults,
			  struct settings *out, struct qv_error *error);
/* Reads a spec; a level is replaced by what it stands for, and keeps the book it was given. */
enum qv_status player_settings(const struct qv_game *game, const char *spec,
			       const struct qv_defaults *defaults, struct settings *out,
			       struct qv_error *error);
/* The player of those settings. Their opening book is ignored. */
enum qv_status player_make(const struct qv_context *context, const struct qv_rules *rules,
			   const struct settings *settings, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error);
/* perfect, with the tables of a folder. */
enum qv_status table_player_new(const struct player_setup *setup, const char *folder,
				struct qv_player **out, struct qv_error *error);

/* For people: all kinds and options; or one kind, by name. False: no such kind. */
void players_help(struct string *out);
bool player_kind_help(const char *name, struct string *out);

#endif
