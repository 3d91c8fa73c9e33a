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
static enum qv_status send_game(const struct crew *crew, const struct match_head *head,
			   const struct match_game *game, struct qv_error *error)
{
	struct string text = { .allocator = context_allocator(crew->context) };
	journal_add_game(&text, crew->plan->rules.game->seats, game, crew->no_times);
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
	struct crew crew;
	int64_t number;
	enum qv_status status = plan_check(plan, error);
	if (status == QV_OK)
		status = crew_init(&crew, context, plan, error);
	if (status != QV_OK)
		return status;
	crew.stop = run->stop;
	crew_set_up(&crew, run);
	status = crew_start(&crew, run->stop, error);
	while (status == QV_OK && (number = head->take(head->ctx)) >= 0) {
		struct match_game game;
		status = crew_play(&crew, number, &game, error);
		if (status != QV_OK)
			break;
		status = send_game(&crew, head, &game, error);
		match_game_release(&game);
	}
	crew_release(&crew);
	return status;
}
