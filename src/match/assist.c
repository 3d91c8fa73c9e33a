/*
 * assist.c - plays games of a match that is counted elsewhere.
 * SPDX-License-Identifier: MIT
 *
 * The other end of a match_branch: it gets numbers of games and sends each finished game as lines
 * of the journal. Both ends have the same plan, so a number is all that is needed.
 */
#include "match/game.h"

#include "core/context.h"
#include "match/journal.h"

/* Sends the game as lines of the journal. */
static enum qv_status send_game(const struct player_pool *pool, const struct match_head *head,
			   const struct match_game *game, struct qv_error *error)
{
	struct string text = { .allocator = context_allocator(pool->context) };
	journal_add_game(&text, pool->plan->rules.game->seats, game, pool->no_times);
	const enum qv_status status = text.failed
					      ? qv_fail(error, QV_NO_MEMORY, "match: out of memory")
					      : head->give(head->ctx, &text, error);
	string_release(&text);
	return status;
}

enum qv_status match_assist(const struct qv_context *context, const struct match_plan *plan,
			    const struct match_run *run, const struct match_head *head,
			    struct qv_error *error)
{
	struct player_pool pool;
	int64_t number;
	enum qv_status status = plan_check(plan, error);
	if (status == QV_OK)
		status = player_pool_init(&pool, context, plan, error);
	if (status != QV_OK)
		return status;
	pool.stop = run->stop;
	player_pool_set_up(&pool, run);
	status = player_pool_start(&pool, run->stop, error);
	while (status == QV_OK && (number = head->take(head->ctx)) >= 0) {
		struct match_game game;
		status = match_play_game(&pool, number, &game, error);
		if (status != QV_OK)
			break;
		status = send_game(&pool, head, &game, error);
		match_game_release(&game);
	}
	player_pool_release(&pool);
	return status;
}
