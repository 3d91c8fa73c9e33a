/*
 * check.c - proves puzzles again, by another way than the one that made them.
 * SPDX-License-Identifier: MIT
 *
 * Wins and gains within some plies by the plain search, values by df-pn, final leads by the plain
 * search, backgammon by new roll-outs, and Race! by bounds of the exact chances.
 */
#include "base/scan.h"
#include "core/context.h"
#include "puzzle/inside.h"

enum { PROOF_BYTES = 1 << 22 };

enum qv_status puzzle_checker_new(const struct qv_context *context, const struct qv_rules *rules,
				  uint64_t seed, int trials, struct puzzle_checker **out,
				  struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	const struct qv_game *game = rules->game;
	struct puzzle_checker *c = mem_new(a, 1, sizeof *c);
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	*c = (struct puzzle_checker){ .context = context, .allocator = a, .rules = *rules };
	c->moves = mem_new(a, (size_t)game->max_moves, sizeof *c->moves);
	c->state = qv_state_new(context, game);
	c->next = qv_state_new(context, game);
	enum qv_status status = c->moves && c->state && c->next
					? plain_init(&c->plain, a, game, error)
					: qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	if (status == QV_OK && strcmp(game->name, "backgammon") == 0)
		status = backgammon_rolls_new(context, seed, trials, &c->rolls, error);
	if (status == QV_OK && strcmp(game->name, "race") == 0)
		status = race_table_new(a, game, &c->race, error);
	if (status == QV_OK)
		*out = c;
	else
		puzzle_checker_free(c);
	return status;
}

void puzzle_checker_free(struct puzzle_checker *c)
{
	if (!c)
		return;
	const struct qv_game *game = c->rules.game;
	backgammon_rolls_free(c->rolls);
	race_table_free(c->race);
	qv_solver_free(c->proof);
	plain_release(&c->plain);
	qv_state_free(c->context, game, c->state);
	qv_state_free(c->context, game, c->next);
	mem_free(c->allocator, c->moves, (size_t)game->max_moves * sizeof *c->moves);
	mem_free(c->allocator, c, sizeof *c);
}

/* The value after a move, for the side that makes it. */
static enum plain_answer value_after(struct puzzle_checker *c, const void *state, qv_move move,
				     bool win)
{
	const struct qv_game *g = c->rules.game;
	const struct qv_solve_limits limits = { .nodes = c->most, .stop = c->stop };
	struct qv_solution s;
	memcpy(c->next, state, g->state_size);
	g->play(c->next, move);
	const enum qv_status status = solver_run(c->proof, c->next, &limits, &s, NULL);
	c->used += s.nodes + 1;
	if (status != QV_OK || s.value == QV_VALUE_UNKNOWN)
		return PLAIN_UNKNOWN;
	const bool mine = g->seat(c->next) == g->seat(state);
	const enum qv_value best = mine ? QV_VALUE_WIN : QV_VALUE_LOSS;
	if (win)
		return s.value == best ? PLAIN_YES : PLAIN_NO;
	return s.value == best || s.value == QV_VALUE_DRAW ? PLAIN_YES : PLAIN_NO;
}

/* Whether the lead after a move is at least `amount`, for the side that makes it. */
static enum plain_answer lead_after(struct puzzle_checker *c, const void *state, qv_move move,
				    int32_t amount)
{
	const struct qv_game *g = c->rules.game;
	bool known;
	memcpy(c->next, state, g->state_size);
	g->play(c->next, move);
	const bool mine = g->seat(c->next) == g->seat(state);
	const uint64_t before = c->plain.nodes;
	/* A null window decides: at least `amount`, or less. */
	const int32_t found =
		mine ? plain_margin(&c->plain, c->next, amount - 1, amount, &known)
		     : -plain_margin(&c->plain, c->next, -amount, 1 - amount, &known);
	c->used += c->plain.nodes - before + 1;
	return !known ? PLAIN_UNKNOWN : found >= amount ? PLAIN_YES : PLAIN_NO;
}

/* Whether the move achieves the goal in `plies` plies from the state on. */
static enum plain_answer achieves(struct puzzle_checker *c, const struct puzzle_goal *goal,
				  const void *state, qv_move move, int plies)
{
	if (goal->kind == PUZZLE_BEST)
		return lead_after(c, state, move, goal->amount);
	if (goal->kind == PUZZLE_KEEP_WIN || goal->kind == PUZZLE_KEEP_DRAW)
		return value_after(c, state, move, goal->kind == PUZZLE_KEEP_WIN);
	const uint64_t before = c->plain.nodes;
	const enum plain_answer answer = plain_move_forces(&c->plain, state, move, plies);
	c->used += c->plain.nodes - before;
	return answer;
}

/* The words of a turn of the line. */
static bool in_turn(const struct qv_game *g, const void *state, const char *turn, qv_move move)
{
	char text[QV_MOVE_TEXT];
	qv_move one;
	while (scan_piece(&turn, "|", " ", text, sizeof text))
		if (qv_move_parse(g, state, text, &one, NULL) == QV_OK && one == move)
			return true;
	return false;
}

/*
 * A gain is what the moves win: no more of it can be forced, nor the game itself, which would be
 * the better goal.
 */
static enum qv_status check_most(struct puzzle_checker *c, const struct puzzle_goal *goal,
				 int plies, struct qv_error *error)
{
	const struct puzzle_goal more = { .kind = PUZZLE_GAIN, .plies = plies,
					  .amount = goal->amount + 1 },
				 win = { .kind = PUZZLE_WIN, .plies = plies };
	if (goal->kind != PUZZLE_GAIN)
		return QV_OK;
	const uint64_t before = c->plain.nodes;
	const enum plain_answer wins = plain_instead(&c->plain, c->state, &win),
				gains = plain_instead(&c->plain, c->state, &more);
	c->used += c->plain.nodes - before;
	if (wins == PLAIN_UNKNOWN || gains == PLAIN_UNKNOWN)
		return qv_fail(error, QV_STOPPED, "not proven within the limits");
	if (wins == PLAIN_YES)
		return qv_fail(error, QV_ILLEGAL, "the game can be won in %d plies", plies);
	return gains == PLAIN_NO ? QV_OK
				 : qv_fail(error, QV_ILLEGAL, "a gain of %d can be forced",
					   goal->amount + 1);
}

/* At the solver's turn, the moves of the line achieve the goal and no others do. */
static enum qv_status check_turn(struct puzzle_checker *c, const struct puzzle_goal *goal,
				 const char *turn, int plies, struct qv_error *error)
{
	const struct qv_game *g = c->rules.game;
	const int n = g->moves(c->state, c->moves);
	for (int i = 0; i < n; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text words = { text, sizeof text, 0 };
		const bool listed = in_turn(g, c->state, turn, c->moves[i]);
		const enum plain_answer answer = achieves(c, goal, c->state, c->moves[i], plies);
		g->move_text(c->state, c->moves[i], &words);
		if (answer == PLAIN_UNKNOWN)
			return qv_fail(error, QV_STOPPED, "%s: not proven within the limits", text);
		if (answer == PLAIN_YES && !listed)
			return qv_fail(error, QV_ILLEGAL, "%s achieves the goal too", text);
		if (answer == PLAIN_NO && listed)
			return qv_fail(error, QV_ILLEGAL, "%s does not achieve the goal", text);
	}
	return QV_OK;
}

static enum qv_status check_line(struct puzzle_checker *c, const struct puzzle *p,
				 struct qv_error *error)
{
	const struct qv_game *g = c->rules.game;
	const char *rest = p->line;
	char turn[PUZZLE_LINE], text[QV_MOVE_TEXT];
	int plies = p->goal.plies;
	for (int ply = 0; scan_piece(&rest, ",", " ", turn, sizeof turn); ply++, plies--) {
		const char *moves = turn;
		qv_move move;
		if (ply % 2 == 0) {
			enum qv_status status = check_most(c, &p->goal, plies, error);
			if (status == QV_OK)
				status = check_turn(c, &p->goal, turn, plies, error);
			if (status != QV_OK)
				return status;
		}
		scan_piece(&moves, "|", " ", text, sizeof text);
		if (qv_move_parse(g, c->state, text, &move, error) != QV_OK)
			return QV_ILLEGAL;
		g->play(c->state, move);
	}
	return QV_OK;
}

/* df-pn with an empty table, so that neither the proof nor its cost depends on other puzzles. */
static enum qv_status open_proof(struct puzzle_checker *c, struct qv_error *error)
{
	qv_solver_free(c->proof);
	c->proof = NULL;
	return qv_solver_new_by(c->context, &c->rules, QV_BY_PROOF, PROOF_BYTES, &c->proof, error);
}

/* A goal of a number of plies must not be reached two plies earlier. */
static enum qv_status check_shortest(struct puzzle_checker *c, const struct puzzle *p,
				     struct qv_error *error)
{
	if (p->goal.kind != PUZZLE_WIN || p->goal.plies < 3)
		return QV_OK;
	const enum plain_answer sooner = plain_forces(&c->plain, c->state, p->goal.plies - 2);
	if (sooner == PLAIN_UNKNOWN)
		return qv_fail(error, QV_STOPPED, "not proven within the limits");
	return sooner == PLAIN_NO ? QV_OK
				  : qv_fail(error, QV_ILLEGAL, "the goal is reached in %d plies",
					    p->goal.plies - 2);
}

enum qv_status puzzle_check(struct puzzle_checker *c, const struct puzzle *p, uint64_t nodes,
			    const struct qv_flag *stop, uint64_t *used, struct qv_error *error)
{
	const struct qv_game *g = c->rules.game;
	enum qv_status status = qv_position_parse(&c->rules, p->position, c->state, error);
	if (status != QV_OK)
		return status;
	c->used = 0;
	c->most = nodes;
	c->stop = c->plain.stop = stop;
	plain_forget(&c->plain);
	c->plain.most = nodes;
	*used = 0;
	if (p->goal.kind == PUZZLE_EQUITY) {
		if (!c->rolls)
			return qv_fail(error, QV_UNSUPPORTED, "%s has no roll-outs", g->name);
		return backgammon_rolls_check(c->rolls, c->state, p, error);
	}
	if (p->goal.kind == PUZZLE_ODDS) {
		if (!c->race)
			return qv_fail(error, QV_UNSUPPORTED, "%s has no exact chances", g->name);
		return race_table_check(c->race, c->state, p, error);
	}
	if (p->goal.kind == PUZZLE_KEEP_WIN || p->goal.kind == PUZZLE_KEEP_DRAW)
		status = open_proof(c, error);
	if (status != QV_OK)
		return status;
	plain_aim(&c->plain, c->state, &p->goal);
	status = check_shortest(c, p, error);
	if (status == QV_OK)
		status = check_line(c, p, error);
	*used = c->used;
	return status;
}
