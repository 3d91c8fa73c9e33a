/*
 * pool.c - the players that one worker keeps for its games.
 * SPDX-License-Identifier: MIT
 *
 * Each game sets the seeds of its players and tells them that a new game begins, so no game depends on
 * those that this worker happened to play before. This also restarts a program that died.
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

enum qv_status player_pool_blame(const struct player_pool *pool, int player, enum qv_status status,
			  const struct qv_error *why, struct qv_error *error)
{
	return qv_fail(error, status, "player %.40s: %.200s", pool->plan->players[player].name,
		       why->text);
}

/* Tries every spec, so that a wrong one is refused before anything is played. */
static enum qv_status try_players(struct player_pool *pool, struct qv_error *error)
{
	const struct match_plan *plan = pool->plan;
	const struct qv_defaults defaults = defaults_of(plan, plan->seed);
	for (int i = 0; i < plan->player_count; i++) {
		struct qv_player *player = NULL;
		struct qv_error why = { "" };
		struct settings settings;
		const enum qv_status status = player_open(pool->context, &plan->rules,
							  plan->players[i].spec, &defaults, &player,
							  &why);
		if (status != QV_OK)
			return player_pool_blame(pool, i, status, &why, error);
		pool->outside[i] = spec_parse(plan->players[i].spec, &defaults, &settings, NULL) !=
				   QV_OK;
		pool->members[i][0] = player;
	}
	return QV_OK;
}

enum qv_status player_pool_init(struct player_pool *pool, const struct qv_context *context,
			 const struct match_plan *plan, struct qv_error *error)
{
	*pool = (struct player_pool){ .context = context, .plan = plan };
	pool->scratch = qv_state_new(context, plan->rules.game);
	enum qv_status status = QV_OK;
	if (!pool->scratch)
		status = no_memory(error);
	if (status == QV_OK && plan->adjudication.tables)
		status = qv_tables_open(context, &plan->rules, plan->adjudication.tables,
					&pool->tables, error);
	if (status == QV_OK)
		status = try_players(pool, error);
	if (status != QV_OK)
		player_pool_release(pool);
	return status;
}

void player_pool_release(struct player_pool *pool)
{
	if (!pool->context)
		return;
	const struct qv_game *game = pool->plan->rules.game;
	for (int i = 0; i < MATCH_MAX_PLAYERS; i++)
		for (int k = 0; k < QV_MAX_SEATS; k++)
			qv_player_free(pool->members[i][k]);
	qv_tables_close(pool->tables);
	if (pool->scratch)
		qv_state_free(pool->context, game, pool->scratch);
	*pool = (struct player_pool){ 0 };
}

void player_pool_set_up(struct player_pool *pool, const struct match_run *run)
{
	pool->no_times = run->no_times;
	pool->opinions = run->opinions;
	pool->log = run->engine_log;
	for (int i = 0; i < pool->plan->player_count; i++)
		player_log_to(pool->members[i][0], pool->log, pool->plan->players[i].name);
}

enum qv_status player_pool_start(struct player_pool *pool, const atomic_bool *stop, struct qv_error *error)
{
	for (int i = 0; i < pool->plan->player_count && !(stop && atomic_load(stop)); i++) {
		struct qv_error why = { "" };
		const enum qv_status status = player_ready(pool->members[i][0], &why);
		if (status != QV_OK)
			return player_pool_blame(pool, i, status, &why, error);
	}
	return QV_OK;
}

enum qv_status player_pool_seat(struct player_pool *pool, const struct match_seating *seating, int seat,
			 struct qv_player **out, struct qv_error *error)
{
	const int player = seating->player[seat];
	const struct qv_defaults defaults = defaults_of(pool->plan, seating->seed[seat]);
	int copy = 0;
	for (int other = 0; other < seat; other++)
		copy += seating->player[other] == player;
	struct qv_player **member = &pool->members[player][copy];
	enum qv_status status = QV_OK;
	/* What the perfect player has solved it keeps, and might choose another of equal moves. */
	if (*member && !pool->outside[player] && (*member)->settings.kind == &perfect_kind) {
		qv_player_free(*member);
		*member = NULL;
	}
	if (!*member)
		status = player_open(pool->context, &pool->plan->rules,
				     pool->plan->players[player].spec, &defaults, member, error);
	if (status == QV_OK) {
		player_log_to(*member, pool->log, pool->plan->players[player].name);
		(*member)->settings.seed = seating->seed[seat];
		qv_player_new_game(*member);
	}
	*out = *member;
	return status;
}

bool player_pool_reproducible(const struct player_pool *pool, int player)
{
	const struct qv_player *member = pool->members[player][0];
	return !pool->outside[player] && member && member->settings.kind != &learn_kind &&
	       !member->settings.time_ms && member->settings.threads <= 1 &&
	       pool->plan->clock.kind == CLOCK_NONE;
}
