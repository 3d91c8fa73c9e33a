/*
 * search.h - what the tests of searches share: positions with their history, one call to think,
 * values by definition, and lines played out.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_SEARCH_H
#define TEST_SEARCH_H

#include "support/check.h"

#include <stdlib.h>

#include "quevedo.h"
#include "support/scale.h"

enum { SPOT_STATE = 1024, SPOT_HISTORY = 1024 };

/* A position on its way through a game. Plain data: a copy is a position of its own. */
struct spot {
	const struct qv_context *context;
	struct qv_rules rules;
	_Alignas(max_align_t) unsigned char state[SPOT_STATE];
	uint64_t history[SPOT_HISTORY];    /* as struct qv_limits wants it */
	int history_count;
};

/* ---- contexts ---- */

static inline int setup(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_error error = { "" };
	assert_non_null(context);
	if (qv_context_load(context, TOY_PLUGIN, &error) != QV_OK)
		fail_msg("%s", error.text);
	*state = context;
	return 0;
}

static inline int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* What the two-player search plays: games of two seats without chance. */
/* Games for these tests: two seats, no chance, and not so many moves that full width gets nowhere. */
static inline bool is_duel(const struct qv_game *game)
{
	return game->seats == 2 && !game->chance && game->max_moves <= 60;
}

/* ---- levels ---- */

static inline int level_count(const struct qv_game *game)
{
	int count = 0;
	while (qv_levels(game)[count])
		count++;
	return count;
}

/* To the next level to test: a short run takes every second, of a long ladder every fourth. */
static inline int level_step(const struct qv_game *game)
{
	return scaled(100) >= 100 ? 1 : level_count(game) > 10 ? 4 : 2;
}

/* ---- positions ---- */

static inline uint64_t spot_hash(const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	return g->repeat_hash ? g->repeat_hash(s->state) : g->hash(s->state);
}

static inline void spot_play(struct spot *s, qv_move move)
{
	const struct qv_game *g = s->rules.game;
	if (g->repeated) {
		assert_true(s->history_count < SPOT_HISTORY);
		s->history[s->history_count++] = spot_hash(s);
		if (g->irreversible(s->state, move))
			s->history_count = 0;
	}
	g->play(s->state, move);
}

/* By the rules or by repetition; points only if it has ended. */
static inline bool spot_ended(const struct spot *s, int32_t *points)
{
	const struct qv_game *g = s->rules.game;
	int times = 0;
	if (g->result(s->state, points) != QV_GOING)
		return true;
	for (int i = 0; i < s->history_count; i++)
		times += s->history[i] == spot_hash(s);
	return times && g->repeated(s->state, times, points) != QV_GOING;
}

/* Every move, counted ones with each of their numbers. list: room for all of them. */
enum { SPOT_MOVES = 512 };
static inline int spot_moves(const struct spot *s, qv_move *list)
{
	const struct qv_game *g = s->rules.game;
	qv_move listed[QV_MAX_MOVES];
	int count = 0;
	const int n = g->moves(s->state, listed);
	for (int i = 0; i < n; i++)
		for (int k = g->max_count ? g->max_count(s->state, listed[i]) : 1; k > 0; k--) {
			assert_true(count < SPOT_MOVES);
			list[count++] = g->max_count ? g->with_count(listed[i], k) : listed[i];
		}
	return count;
}

static inline struct spot spot_start(const struct qv_context *context, const struct qv_game *game)
{
	struct spot s = { .context = context, .rules = { .game = game } };
	assert_true(game->state_size <= SPOT_STATE);
	for (int i = 0; game->options && game->options[i].name; i++)
		s.rules.options[i] = game->options[i].preset;
	game->start(s.rules.options, s.state);
	return s;
}

/* NAME[:options] and a position's text; NULL is the start. */
static inline struct spot spot_at(const struct qv_context *context, const char *name,
				  const char *text)
{
	struct spot s = { .context = context };
	struct qv_error error = { "" };
	if (qv_rules_parse(context, name, &s.rules, &error) != QV_OK ||
	    qv_position_parse(&s.rules, text, s.state, &error) != QV_OK)
		fail_msg("%s", error.text);
	return s;
}

/* Moves separated by blanks. */
static inline void spot_play_text(struct spot *s, const char *moves)
{
	char copy[1024];
	assert_true(strlen(moves) < sizeof copy);
	strcpy(copy, moves);
	for (char *save, *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		qv_move move;
		struct qv_error error;
		if (qv_move_parse(s->rules.game, s->state, word, &move, &error) != QV_OK)
			fail_msg("%s", error.text);
		spot_play(s, move);
	}
}

/* One random move, unless that would end the game; false then. */
static inline bool spot_wander(struct spot *s, struct qv_random *random)
{
	qv_move list[SPOT_MOVES];
	int32_t points[QV_MAX_SEATS];
	struct spot next = *s;
	spot_play(&next, list[qv_random_below(random, (uint64_t)spot_moves(s, list))]);
	if (spot_ended(&next, points))
		return false;
	*s = next;
	return true;
}

/* A position of a random game after at most that many plies, still going. */
static inline struct spot spot_random(const struct qv_context *context, const struct qv_game *game,
				      int plies, struct qv_random *random)
{
	struct spot s = spot_start(context, game);
	for (int left = (int)qv_random_below(random, (uint64_t)plies + 1);
	     left && spot_wander(&s, random); left--)
		;
	return s;
}

static inline const char *spot_text(const struct spot *s, char *buffer)
{
	struct qv_text text = { buffer, QV_POSITION_TEXT, 0 };
	s->rules.game->position_text(s->state, &text);
	return buffer;
}

static inline const char *move_text(const struct spot *s, qv_move move, char *buffer)
{
	struct qv_text text = { buffer, QV_MOVE_TEXT, 0 };
	s->rules.game->move_text(s->state, move, &text);
	return buffer;
}

/* The deepest depth up to `most` whose full tree has no more leaves than that. */
static inline int depth_for(const struct spot *s, int most, uint64_t leaves)
{
	int depth = 1;
	for (uint64_t count; depth < most; depth++) {
		const struct qv_perft_limits limits = { .size = sizeof limits, .depth = depth + 1 };
		if (qv_perft(s->context, s->rules.game, s->state, &limits, &count, NULL) != QV_OK ||
		    count > leaves)
			break;
	}
	return depth;
}

/* ---- thinking ---- */

static inline struct qv_limits limits_at(const struct spot *s)
{
	return (struct qv_limits){ .size = sizeof(struct qv_limits),
				   .history = s->history,
				   .history_count = s->history_count };
}

static inline struct qv_player *player_new(const struct spot *s, const char *spec)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	if (qv_player_new(s->context, &s->rules, spec, &defaults, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	return player;
}

/* Thinks within limits; the answer must be a legal move at the head of its line. */
static inline struct qv_answer ask(struct qv_player *player, const struct spot *s,
				   const struct qv_limits *limits,
				   const struct qv_listener *listener)
{
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	memset(&answer, 0x5a, sizeof answer);
	if (qv_player_think(player, s->state, limits, listener, &answer, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_true(qv_move_legal(s->rules.game, s->state, answer.move));
	assert_true(answer.line_length >= 1 && answer.line_length <= QV_MAX_LINE);
	assert_true(answer.line[0] == answer.move);
	return answer;
}

/* The same with a player made for the purpose. */
static inline struct qv_answer think(const struct spot *s, const char *spec,
				     const struct qv_limits *limits,
				     const struct qv_listener *listener)
{
	const struct qv_limits plain = limits_at(s);
	struct qv_player *player = player_new(s, spec);
	const struct qv_answer answer = ask(player, s, limits ? limits : &plain, listener);
	qv_player_free(player);
	return answer;
}

/* ... to a depth; and among one move alone. */
static inline struct qv_answer think_to(const struct spot *s, const char *spec, int depth)
{
	struct qv_limits limits = limits_at(s);
	limits.depth = depth;
	return think(s, spec, &limits, NULL);
}

static inline struct qv_answer think_only(const struct spot *s, const char *spec, int depth,
					  qv_move move)
{
	struct qv_limits limits = limits_at(s);
	limits.depth = depth;
	limits.only = &move;
	limits.only_count = 1;
	return think(s, spec, &limits, NULL);
}

static inline bool same_answer(const struct qv_answer *a, const struct qv_answer *b)
{
	return a->move == b->move && a->score == b->score && a->proven == b->proven &&
	       a->rests_on_repetition == b->rests_on_repetition && a->depth == b->depth &&
	       a->nodes == b->nodes && a->evals == b->evals && a->considered == b->considered &&
	       a->line_length == b->line_length &&
	       !memcmp(a->line, b->line, (size_t)a->line_length * sizeof *a->line);
}

/* ---- values by definition ---- */

static inline int32_t points_value(const struct spot *s, const int32_t *points, int ply)
{
	const int winner = qv_winner(s->rules.game, points);
	return winner < 0				 ? 0
	       : winner == s->rules.game->seat(s->state) ? QV_WIN - ply
							 : ply - QV_WIN;
}

static inline int32_t static_value(const struct spot *s)
{
	const struct qv_evaluation *e = s->rules.game->evaluations;
	return e ? e->evaluate(s->state, e->weights) : 0;
}

/* Minimax, for the seat to move; ply: from the root, whose own repetition does not end it. */
static inline int32_t literal_value(const struct spot *s, int depth, int ply)
{
	int32_t points[QV_MAX_SEATS], best = INT32_MIN;
	qv_move list[SPOT_MOVES];
	if (ply ? spot_ended(s, points) : s->rules.game->result(s->state, points) != QV_GOING)
		return points_value(s, points, ply);
	if (!depth)
		return static_value(s);
	const int count = spot_moves(s, list);
	for (int i = 0; i < count; i++) {
		struct spot next = *s;
		spot_play(&next, list[i]);
		const int32_t value = literal_value(&next, depth - 1, ply + 1);
		const bool turns = s->rules.game->seat(next.state) != s->rules.game->seat(s->state);
		if ((turns ? -value : value) > best)
			best = turns ? -value : value;
	}
	return best;
}

/* ---- lines ---- */

static inline int sign(int32_t score)
{
	return (score > 0) - (score < 0);
}

static inline bool is_decided(int32_t score)
{
	return score > QV_MAX_EVAL || score < -QV_MAX_EVAL;
}

/* Plays the answer's line. Returns where it ends; *over says whether the game does, just there. */
static inline struct spot play_line(const struct spot *s, const struct qv_answer *answer,
				    bool *over, int32_t *points)
{
	struct spot at = *s;
	*over = false;
	for (int i = 0; i < answer->line_length; i++) {
		assert_false(*over);
		assert_true(qv_move_legal(at.rules.game, at.state, answer->line[i]));
		spot_play(&at, answer->line[i]);
		*over = spot_ended(&at, points);
	}
	return at;
}

/*
 * Of sound options: a score that says win or loss must be proven, and its line end the game as well
 * and as soon as it says.
 */
static inline void assert_win_shown(const struct spot *s, const struct qv_answer *answer,
				    const char *spec)
{
	char text[QV_POSITION_TEXT];
	int32_t points[QV_MAX_SEATS];
	bool over;
	const struct spot end = play_line(s, answer, &over, points);
	const bool turned = s->rules.game->seat(end.state) != s->rules.game->seat(s->state);
	if (!is_decided(answer->score))
		return;
	if (!answer->proven)
		fail_msg("%s: %d and not proven at %s", spec, (int)answer->score,
			 spot_text(s, text));
	const int32_t shown = over ? points_value(&end, points, answer->line_length) : 0;
	if ((turned ? -shown : shown) != answer->score)
		fail_msg("%s: the line, %d plies, does not show the %d at %s", spec,
			 answer->line_length, (int)answer->score, spot_text(s, text));
}

/* Of any options: what is proven shows the same; and the line of a proven draw must end in one. */
static inline void assert_proof_shown(const struct spot *s, const struct qv_answer *answer,
				      const char *spec)
{
	char text[QV_POSITION_TEXT];
	int32_t points[QV_MAX_SEATS];
	bool over;
	play_line(s, answer, &over, points);
	if (answer->proven && is_decided(answer->score))
		assert_win_shown(s, answer, spec);
	else if (answer->proven &&
		 (answer->score || !over || qv_winner(s->rules.game, points) >= 0))
		fail_msg("%s: the line of the proven draw, %d plies, does not end in one at %s",
			 spec, answer->line_length, spot_text(s, text));
}

#endif
