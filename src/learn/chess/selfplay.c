/*
 * selfplay.c - chess: self-play games that provide training positions.
 * SPDX-License-Identifier: MIT
 *
 * Openings are 5 to 12 random plies; lopsided ones are replaced. Games are adjudicated when the
 * score is decisive or level for several plies. Quiet positions are kept: not in check, and the
 * best move is neither a capture nor a promotion.
 */
#include "learn/chess/selfplay.h"

#include "games/registry.h"
#include "search/player_kind.h"

enum {
	CHANCE_LEAST = 5,
	CHANCE_MOST = 12, /* random plies of the opening */
	LOPSIDED = 350,	  /* an opening with a larger score is replaced */
	STARTS_MOST = 50,
	PLIES_MOST = 400,
	DECIDED = 1200,
	DECIDED_PLIES = 4, /* adjudicated as a win after this many plies */
	LEVEL = 6,
	LEVEL_PLIES = 20,
	LEVEL_FROM = 80, /* adjudicated as a draw, from this ply on */
};

/* ---- positions in 32 bytes ---- */

void lesson_pack(const struct chess *s, struct lesson *out)
{
	int n = 0;
	*out = (struct lesson){ .men = chess_men(s), .turn = s->turn };
	for (uint64_t left = out->men; left && n < 32; left = bits_rest(left), n++)
		out->kinds[n / 2] |= (uint8_t)(s->board[bits_lowest(left)] << n % 2 * 4);
}

bool lesson_unpack(const struct lesson *l, struct chess *out)
{
	int n = 0;
	*out = (struct chess){ .turn = l->turn & 1, .number = 1 };
	memset(out->board, CHESS_EMPTY, sizeof out->board);
	for (uint64_t left = l->men; left; left = bits_rest(left), n++) {
		const int square = bits_lowest(left);
		const int man = n < 32 ? l->kinds[n / 2] >> n % 2 * 4 & 15 : CHESS_EMPTY;
		if ((man & 7) >= CHESS_KINDS)
			return false;
		chess_toggle(out, man >> 3, man & 7, square);
		out->board[square] = (uint8_t)man;
	}
	return bits_count(chess_of(out, 0, CHESS_KING)) == 1 &&
	       bits_count(chess_of(out, 1, CHESS_KING)) == 1 && l->result < 3;
}

/* ---- playing ---- */

enum qv_status teacher_init(struct teacher *t, const struct qv_allocator *allocator,
			    const struct teaching_plan *plan,
			    const struct qv_evaluation *evaluation, const void *weights,
			    struct qv_error *error)
{
	struct settings settings;
	*t = (struct teacher){ .plan = *plan };
	const enum qv_status status = kind_settings(&selective_kind, "tt=2", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.depth = 0;
	settings.nodes = plan->nodes;
	const struct duel_setup setup = {
		.game = chess_engine.game,
		.ops = game_player_find(&chess_engine, &selective_kind)->own,
		.allocator = allocator,
		.settings = &settings,
		.evaluation = evaluation,
		.weights = weights,
	};
	return duel_new(&setup, &t->duel, error);
}

void teacher_release(struct teacher *t)
{
	duel_free(t->duel);
	*t = (struct teacher){ 0 };
}

/* A game in progress. */
struct lesson_game {
	struct teacher *teacher;
	struct qv_random random;
	struct chess s;
	uint64_t history[PLIES_MOST + CHANCE_MOST + 1];
	int history_count;
	int plies, decided, level;
	bool over;
	int result; /* as in struct lesson */
};

/* Plays a move and tests for the end of the game. */
static void play(struct lesson_game *g, qv_move move)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	int times = 0;
	if (chess_irreversible(&g->s, move))
		g->history_count = 0;
	else
		g->history[g->history_count++] = chess_repeat_hash(&g->s);
	chess_play(&g->s, move);
	g->plies++;
	for (int i = 0; i < g->history_count; i++)
		times += g->history[i] == chess_repeat_hash(&g->s);
	if (chess_result(&g->s, points) != QV_GOING) {
		g->over = true;
		g->result = 1 + points[0] - points[1];
	} else if (times >= 2 || g->plies >= PLIES_MOST) {
		g->over = true;
		g->result = 1;
	}
}

static enum qv_status think(struct lesson_game *g, struct qv_answer *answer, struct qv_error *error)
{
	const struct qv_limits limits = { .history = g->history,
					  .history_count = g->history_count };
	return duel_run(g->teacher->duel, &g->s, &limits, NULL, answer, error);
}

/* Plays the random opening. False: the game has ended. */
static bool begin(struct lesson_game *g)
{
	g->history_count = g->plies = g->decided = g->level = 0;
	g->over = false;
	chess_start(&g->s, NULL);
	for (uint64_t left =
		     CHANCE_LEAST + qv_random_below(&g->random, CHANCE_MOST - CHANCE_LEAST + 1);
	     left && !g->over; left--) {
		qv_move list[CHESS_MAX_MOVES];
		const uint64_t n = (uint64_t)chess_moves(&g->s, list);
		play(g, list[qv_random_below(&g->random, n)]);
	}
	return !g->over;
}

/* Ends the game if the score has been decisive or level for long enough. */
static void adjudicate(struct lesson_game *g, int32_t white)
{
	const int32_t size = white < 0 ? -white : white;
	g->decided = size < DECIDED ? 0
		     : white > 0    ? (g->decided > 0 ? g->decided : 0) + 1
				    : (g->decided < 0 ? g->decided : 0) - 1;
	g->level = size <= LEVEL ? g->level + 1 : 0;
	if (g->decided >= DECIDED_PLIES || g->decided <= -DECIDED_PLIES) {
		g->over = true;
		g->result = g->decided > 0 ? 2 : 0;
	} else if (g->level >= LEVEL_PLIES && g->plies >= LEVEL_FROM) {
		g->over = true;
		g->result = 1;
	}
}

/* Quiet: not in check, and the best move is no capture or promotion. */
static bool is_quiet(const struct chess *s, const struct qv_answer *answer)
{
	return !chess_checkers(s) && !chess_takes(answer->move) && !chess_promotes(answer->move) &&
	       answer->score < DECIDED && answer->score > -DECIDED;
}

/* The score for white, clamped to 16 bits. */
static int32_t for_white(const struct chess *s, int32_t score)
{
	const int32_t most = 30000, white = s->turn ? -score : score;
	return white > most ? most : white < -most ? -most : white;
}

static enum qv_status keep(struct lesson_game *g, const struct qv_answer *answer,
			   struct lessons *out, struct qv_error *error)
{
	const struct teaching_plan *plan = &g->teacher->plan;
	int32_t score = answer->score;
	enum qv_status status = QV_OK;
	if (!is_quiet(&g->s, answer) || out->count == LESSONS_A_GAME)
		return QV_OK;
	if (plan->judge)
		status = plan->judge->score(plan->judge->ctx, plan->worker, &g->s, &score, error);
	if (status != QV_OK)
		return status;
	lesson_pack(&g->s, &out->list[out->count]);
	out->list[out->count++].score = (int16_t)for_white(&g->s, score);
	return QV_OK;
}

enum qv_status teacher_play(struct teacher *t, int64_t number, struct lessons *out,
			    struct qv_error *error)
{
	struct lesson_game g = { .teacher = t };
	struct qv_answer answer;
	enum qv_status status = QV_OK;
	g.random = (struct qv_random){ .key = qv_random_key(t->plan.seed, (uint64_t)number) };
	duel_forget(t->duel);
	if (t->plan.judge && t->plan.judge->forget)
		t->plan.judge->forget(t->plan.judge->ctx, t->plan.worker);
	*out = (struct lessons){ .count = 0 };
	for (int starts = 0; starts < STARTS_MOST; starts++) {
		if (!begin(&g))
			continue;
		status = think(&g, &answer, error);
		if (status != QV_OK || (answer.score < LOPSIDED && answer.score > -LOPSIDED))
			break;
	}
	while (status == QV_OK && !g.over) {
		status = think(&g, &answer, error);
		if (status == QV_OK)
			status = keep(&g, &answer, out, error);
		if (status != QV_OK)
			break;
		const int32_t white = for_white(&g.s, answer.score);
		play(&g, answer.move);
		if (!g.over)
			adjudicate(&g, white);
	}
	out->result = (uint8_t)g.result;
	out->plies = (uint16_t)g.plies;
	for (int i = 0; i < out->count; i++)
		out->list[i].result = out->result;
	return status;
}
