/*
 * crew.c - the players that one worker keeps for its games.
 * SPDX-License-Identifier: MIT
 *
 * Each game gives its players seeds of their own and tells them that a new game begins, so that no
 * game depends on those that this worker happened to play before. A program that died is started
 * again by that.
 */
#include "match/game.h"

#include "core/context.h"
#include "programs/players.h"
#include "core/player.h"

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
}

static struct qv_defaults defaults_of(const struct match_plan *plan, uint64_t seed)
{
	return (struct qv_defaults){ .seed = seed, .threads = plan->threads ? plan->threads : 1,
				     .hash_mb = plan->hash_mb };
}

enum qv_status crew_blame(const struct crew *crew, int player, enum qv_status status,
			  const struct qv_error *why, struct qv_error *error)
{
	return qv_fail(error, status, "player %.40s: %.200s", crew->plan->players[player].name,
		       why->text);
}

/* Tries every spec, so that a wrong one is refused before anything is played. */
static enum qv_status try_players(struct crew *crew, struct qv_error *error)
{
	const struct match_plan *plan = crew->plan;
	const struct qv_defaults defaults = defaults_of(plan, plan->seed);
	for (int i = 0; i < plan->player_count; i++) {
		struct qv_player *player = NULL;
		struct qv_error why = { "" };
		struct settings settings;
		const enum qv_status status = player_open(crew->context, &plan->rules,
							  plan->players[i].spec, &defaults, &player,
							  &why);
		if (status != QV_OK)
			return crew_blame(crew, i, status, &why, error);
		crew->outside[i] = spec_parse(plan->players[i].spec, &defaults, &settings, NULL) !=
				   QV_OK;
		crew->members[i][0] = player;
	}
	return QV_OK;
}

enum qv_status crew_init(struct crew *crew, const struct qv_context *context,
			 const struct match_plan *plan, struct qv_error *error)
{
	*crew = (struct crew){ .context = context, .plan = plan };
	crew->scratch = qv_state_new(context, plan->rules.game);
	enum qv_status status = QV_OK;
	if (!crew->scratch)
		status = no_memory(error);
	if (status == QV_OK && plan->adjudication.tables)
		status = qv_tables_open(context, &plan->rules, plan->adjudication.tables,
					&crew->tables, error);
	if (status == QV_OK)
		status = try_players(crew, error);
	if (status != QV_OK)
		crew_release(crew);
	return status;
}

void crew_release(struct crew *crew)
{
	if (!crew->context)
		return;
	const struct qv_game *game = crew->plan->rules.game;
	for (int i = 0; i < MATCH_MAX_PLAYERS; i++)
		for (int k = 0; k < QV_MAX_SEATS; k++)
			qv_player_free(crew->members[i][k]);
	qv_tables_close(crew->tables);
	if (crew->scratch)
		qv_state_free(crew->context, game, crew->scratch);
	*crew = (struct crew){ 0 };
}

void crew_set_up(struct crew *crew, const struct match_run *run)
{
	crew->no_times = run->no_times;
	crew->opinions = run->opinions;
	crew->log = run->engine_log;
	for (int i = 0; i < crew->plan->player_count; i++)
		player_log_to(crew->members[i][0], crew->log, crew->plan->players[i].name);
}

enum qv_status crew_start(struct crew *crew, const atomic_bool *stop, struct qv_error *error)
{
	for (int i = 0; i < crew->plan->player_count && !(stop && atomic_load(stop)); i++) {
		struct qv_error why = { "" };
		const enum qv_status status = player_ready(crew->members[i][0], &why);
		if (status != QV_OK)
			return crew_blame(crew, i, status, &why, error);
	}
	return QV_OK;
}

enum qv_status crew_seat(struct crew *crew, const struct match_seating *seating, int seat,
			 struct qv_player **out, struct qv_error *error)
{
	const int player = seating->player[seat];
	const struct qv_defaults defaults = defaults_of(crew->plan, seating->seed[seat]);
	int copy = 0;
	for (int other = 0; other < seat; other++)
		copy += seating->player[other] == player;
	struct qv_player **member = &crew->members[player][copy];
	enum qv_status status = QV_OK;
	/* What the perfect player has solved it keeps, and might choose another of equal moves. */
	if (*member && !crew->outside[player] && (*member)->settings.kind == &perfect_kind) {
		qv_player_free(*member);
		*member = NULL;
	}
	if (!*member)
		status = player_open(crew->context, &crew->plan->rules,
				     crew->plan->players[player].spec, &defaults, member, error);
	if (status == QV_OK) {
		player_log_to(*member, crew->log, crew->plan->players[player].name);
		(*member)->settings.seed = seating->seed[seat];
		qv_player_new_game(*member);
	}
	*out = *member;
	return status;
}

bool crew_reproducible(const struct crew *crew, int player)
{
	const struct qv_player *member = crew->members[player][0];
	return !crew->outside[player] && member && member->settings.kind != &learn_kind &&
	       !member->settings.time_ms && member->settings.threads <= 1 &&
	       crew->plan->clock.kind == CLOCK_NONE;
}
