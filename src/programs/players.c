/*
 * players.c - any player of any spec.
 * SPDX-License-Identifier: MIT
 */
#include "programs/players.h"

#include "core/context.h"
#include "programs/protocol_player.h"

const char *player_fault_text(enum player_fault fault)
{
#define X(id, text) [id] = text,
	static const char *const texts[PLAYER_FAULTS] = { PLAYER_FAULT_LIST(X) };
#undef X
	return fault < PLAYER_FAULTS ? texts[fault] : "?";
}

enum qv_status player_open(const struct qv_context *context, const struct qv_rules *rules,
			   const char *spec, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error)
{
	if (protocol_player_is_spec(spec))
		return protocol_player_new(context_allocator(context), rules, spec, out, error);
	return qv_player_new(context, rules, spec, defaults, out, error);
}

enum player_fault player_fault(const struct qv_player *player)
{
	return protocol_player_is(player) ? protocol_player_fault(player) : FAULT_NONE;
}

const char *player_fault_words(const struct qv_player *player)
{
	return protocol_player_is(player) ? protocol_player_fault_words(player) : "";
}

void player_log_to(struct qv_player *player, struct engine_log *log, const char *name)
{
	const struct engine_log_entry entry = { log, name };
	if (protocol_player_is(player))
		protocol_player_log_to(player, &entry);
}

enum qv_status player_ready(struct qv_player *player, struct qv_error *error)
{
	return protocol_player_is(player) ? protocol_player_ready(player, error) : QV_OK;
}

enum qv_status player_think(struct qv_player *player, const struct player_news *news,
			    const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	const struct qv_limits none = { 0 };
	if (protocol_player_is(player))
		return protocol_player_think(player, news, state, limits ? limits : &none, listener,
					     out, error);
	return qv_player_think(player, state, limits, listener, out, error);
}
