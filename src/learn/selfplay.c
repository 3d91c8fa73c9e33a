/*
 * selfplay.c - self-play games for training: random openings, adjudication, and the rows of a plan.
 * SPDX-License-Identifier: MIT
 */
#include "learn/selfplay.h"

enum { STARTS_MOST = 50, PLAN_MOST = 256 };

/* ---- Plans and evaluations ---- */

enum qv_status selfplay_plan_parse(const struct option *keys, const char *text, void *plan,
				   size_t size, struct qv_error *error)
{
	_Alignas(max_align_t) char copy[PLAN_MOST];
	struct options o = { OPTION_GROUPS(keys), copy, .owner = "plan", .owner_first = true };
	if (size > sizeof copy)
		return qv_fail(error, QV_NO_MEMORY, "plan: out of memory");
	memcpy(copy, plan, size);
	options_init(&o);
	const enum qv_status status = options_parse(&o, text, error);
	if (status == QV_OK)
		memcpy(plan, copy, size);
	return status;
}

const struct qv_evaluation *selfplay_evaluation(const struct qv_game *game, const char *name)
{
	const struct qv_evaluation *e = game->evaluations;
	while (strcmp(e->name, name) != 0)
		e++;
	return e;
}

/* ---- Games ---- */

static void finish(struct selfplay_game *g, int result)
{
	g->over = true;
	g->result = result;
}

int selfplay_repetitions(const struct selfplay_game *g)
{
	const uint64_t hash = g->rules->game->repeat_hash(g->state);
	int times = 0;
	for (int i = 0; i < g->history_count; i++)
		times += g->history[i] == hash;
	return times;
}

/* Plays a move and tests for the end of the game. */
static void play_move(struct selfplay_game *g, qv_move move)
{
	const struct qv_game *game = g->rules->game;
	int32_t points[QV_MAX_SEATS] = { 0 };
	if (game->irreversible(g->state, move))
		g->history_count = 0;
	else
		g->history[g->history_count++] = game->repeat_hash(g->state);
	game->play(g->state, move);
	g->plies++;
	if (game->result(g->state, points) != QV_GOING)
		finish(g, 1 + points[0] - points[1]);
	else if (g->rules->is_drawn(g) || g->plies >= g->rules->plies_most)
		finish(g, 1);
}

/* Plays the random opening. False: the game has ended. */
static bool play_opening(struct selfplay_game *g)
{
	const struct selfplay_rules *r = g->rules;
	qv_move list[QV_MAX_MOVES];
	g->history_count = g->plies = g->decided = g->level = 0;
	g->over = false;
	r->game->start((const int64_t[QV_MAX_OPTIONS]){ 0 }, g->state);
	uint64_t left =
		(uint64_t)r->random_least +
		qv_random_below(&g->random, (uint64_t)(r->random_most - r->random_least + 1));
	for (; left && !g->over; left--) {
		const uint64_t n = (uint64_t)r->game->moves(g->state, list);
		play_move(g, list[qv_random_below(&g->random, n)]);
	}
	return !g->over;
}

static enum qv_status think(const struct selfplay_game *g, struct duel *duel,
			    struct qv_answer *answer, struct qv_error *error)
{
	const struct qv_limits limits = { .history = g->history,
					  .history_count = g->history_count };
	return duel_run(duel, g->state, &limits, NULL, answer, error);
}

/* Ends the game if the score, for the first player, has been decisive or level for long enough. */
static void adjudicate(struct selfplay_game *g, int32_t score)
{
	const struct selfplay_rules *r = g->rules;
	const int32_t size = score < 0 ? -score : score;
	g->decided = size < r->decided ? 0
		     : score > 0       ? (g->decided > 0 ? g->decided : 0) + 1
				       : (g->decided < 0 ? g->decided : 0) - 1;
	g->level = size <= r->level ? g->level + 1 : 0;
	if (g->decided >= r->decided_plies || g->decided <= -r->decided_plies)
		finish(g, g->decided > 0 ? 2 : 0);
	else if (g->level >= r->level_plies && g->plies >= r->level_from)
		finish(g, 1);
}

enum qv_status selfplay_run(struct selfplay_game *g, struct duel *duel,
			    enum qv_status (*keep)(void *ctx, const struct selfplay_game *g,
						   const struct qv_answer *answer,
						   struct qv_error *error),
			    void *ctx, struct qv_error *error)
{
	const struct selfplay_rules *r = g->rules;
	struct qv_answer answer = { .score = 0 };
	enum qv_status status = QV_OK;
	duel_forget(duel);
	/* Openings until one is playable and not lopsided. */
	for (int starts = 0; starts < STARTS_MOST; starts++) {
		if (!play_opening(g))
			continue;
		status = think(g, duel, &answer, error);
		if (status != QV_OK || (answer.score < r->lopsided && answer.score > -r->lopsided))
			break;
	}
	/* The score is for the position before the move, so the game is adjudicated after it. */
	while (status == QV_OK && !g->over) {
		status = think(g, duel, &answer, error);
		if (status == QV_OK)
			status = keep(ctx, g, &answer, error);
		if (status != QV_OK)
			break;
		const int32_t score = r->game->seat(g->state) == 0 ? answer.score : -answer.score;
		play_move(g, answer.move);
		if (!g->over)
			adjudicate(g, score);
	}
	return status;
}
