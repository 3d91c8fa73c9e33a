/*
 * protocol_player.h - a program outside as a player: a child process, and the manager's side of a
 * protocol.
 * SPDX-License-Identifier: MIT
 *
 * The spec is KIND:COMMAND LINE, or KIND:key=value,...,cmd=COMMAND LINE. Everything after `cmd=`,
 * or without keys after the first colon, belongs to the command line, commas and colons too. Keys
 * stand there if the first word has a '=' before any '/'. They are depth, nodes and time, limits
 * for each move, and option.NAME, which is told to the program.
 */
#ifndef PROGRAMS_PROTOCOL_PLAYER_H
#define PROGRAMS_PROTOCOL_PLAYER_H

#include "programs/players.h"
#include "search/player.h"

/* Whether the spec is of such a kind; whether the player is. */
bool protocol_player_is_spec(const char *spec);
bool protocol_player_is(const struct qv_player *player);

/* The program is not started yet. */
enum qv_status protocol_player_new(const struct qv_allocator *allocator,
				   const struct qv_rules *rules, const char *spec,
				   struct qv_player **out, struct qv_error *error);
enum qv_status protocol_player_ready(struct qv_player *player, struct qv_error *error);
enum player_fault protocol_player_fault(const struct qv_player *player);
const char *protocol_player_fault_words(const struct qv_player *player);
void protocol_player_log_to(struct qv_player *player, const struct engine_log_entry *entry);
enum qv_status protocol_player_think(struct qv_player *player, const struct player_news *news,
				     const void *state, const struct qv_limits *limits,
				     const struct qv_listener *listener, struct qv_answer *out,
				     struct qv_error *error);

#endif
