/*
 * puzzle_gains.c - the puzzles of the page that are about captured pieces, proved again by a minimax
 * over the rules that shares nothing with the maker and the checker of puzzles.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "base/bits.h"
#include "base/scan.h"
#include "games/draughts/rules.h"
#include "puzzle/puzzle.h"

enum { LOST = -1000, WON = 1000, DEEPEST = 64 };

/* A game, and what its pieces count for the player who solves the puzzle. */
struct judge {
	const struct qv_game *game;
	int seat;
	bool win; /* only the end of the game counts */
};

static int pieces(const struct judge *j, const void *state, int seat)
{
	const struct draughts *d = state;
	return strcmp(j->game->name, "draughts") == 0 ? (int)bits_count(d->pieces[seat])
						       : j->game->material(state, seat);
}

static int lead(const struct judge *j, const void *state)
{
	return pieces(j, state, j->seat) - pieces(j, state, 1 - j->seat);
}

/* Whether each move takes something, so that the count of pieces is not yet the final one. */
static bool captures_go_on(const struct judge *j, const void *state)
{
	_Alignas(max_align_t) unsigned char next[SPOT_STATE];
	qv_move list[QV_MAX_MOVES];
	const int n = j->game->moves(state, list), enemy = 1 - j->game->seat(state);
	for (int i = 0; i < n; i++) {
		memcpy(next, state, j->game->state_size);
		j->game->play(next, list[i]);
		if (pieces(j, next, enemy) >= pieces(j, state, enemy))
			return false;
	}
	return true;
}

/*
 * What the solver's side can reach: the lead in pieces, or with `win` whether it wins the game. Who
 * loses the game has reached nothing.
 */
static int reaches(const struct judge *j, const void *state, int plies, int alpha, int beta)
{
	const struct qv_game *g = j->game;
	_Alignas(max_align_t) unsigned char next[SPOT_STATE];
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING)
		return qv_winner(g, points) != j->seat ? LOST : j->win ? WON : lead(j, state);
	if (plies <= 0 && j->win)
		return LOST;
	assert_true(plies > -DEEPEST);
	if (plies <= 0 && !captures_go_on(j, state))
		return lead(j, state);
	const int n = g->moves(state, list);
	const bool own = g->seat(state) == j->seat;
	int best = own ? LOST : WON;
	for (int i = 0; i < n && alpha < beta; i++) {
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		const int value = reaches(j, next, plies - 1, alpha, beta);
		best = own == (value > best) ? value : best;
		if (own)
			alpha = best > alpha ? best : alpha;
		else
			beta = best < beta ? best : beta;
	}
	return best;
}

/* Plays the first moves of the printed solution to its end. */
static void follow_line(const struct judge *j, const char *line, void *state)
{
	char turn[PUZZLE_LINE], text[QV_MOVE_TEXT];
	while (scan_piece(&line, ",", " ", turn, sizeof turn)) {
		const char *moves = turn;
		qv_move move;
		scan_piece(&moves, "|", " ", text, sizeof text);
		assert_int_equal(qv_move_parse(j->game, state, text, &move, NULL), QV_OK);
		j->game->play(state, move);
	}
}

static void check_puzzle(const struct qv_rules *rules, const struct puzzle *p)
{
	const struct qv_game *g = rules->game;
	const struct puzzle_goal *goal = &p->goal;
	_Alignas(max_align_t) unsigned char start[SPOT_STATE], end[SPOT_STATE];
	int32_t points[QV_MAX_SEATS];
	struct judge j = { .game = g, .win = true };
	assert_int_equal(qv_position_parse(rules, p->position, start, NULL), QV_OK);
	j.seat = g->seat(start);
	memcpy(end, start, g->state_size);
	follow_line(&j, p->line, end);
	const bool won = g->result(end, points) != QV_GOING && qv_winner(g, points) == j.seat;
	const bool wins = reaches(&j, start, goal->plies, LOST, WON) == WON;
	const bool sooner = reaches(&j, start, goal->plies - 2, LOST, WON) == WON;
	if (goal->kind == PUZZLE_WIN && (!won || !wins || sooner))
		fail_msg("%s %s: no win in %d plies", g->name, p->position, goal->plies);
	if (goal->kind != PUZZLE_GAIN)
		return;
	j.win = false;
	const int before = lead(&j, start),
		  gain = reaches(&j, start, goal->plies, LOST, WON) - before;
	if (wins || won)
		fail_msg("%s %s: wins the game", g->name, p->position);
	if (gain != goal->amount)
		fail_msg("%s %s: gains %d, not %d", g->name, p->position, gain, goal->amount);
	if (lead(&j, end) - before < goal->amount) /* more: the opponent takes back what is over */
		fail_msg("%s %s: %s gains %d, not %d", g->name, p->position, p->line,
			 lead(&j, end) - before, goal->amount);
}

static void check_file(const struct qv_context *context, const char *name)
{
	static char text[1 << 20];
	char path[512];
	struct puzzle_list list = { 0 };
	struct qv_error error = { "" };
	int gains = 0;
	snprintf(path, sizeof path, TEST_DATA "/../../web/puzzles/%s.txt", name);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	const size_t size = fread(text, 1, sizeof text, file);
	fclose(file);
	if (puzzles_read(context, text, size, &list, &error) != QV_OK)
		fail_msg("%s: %s", path, error.text);
	for (int i = 0; i < list.count; i++) {
		check_puzzle(&list.rules, &list.puzzles[i]);
		gains += list.puzzles[i].goal.kind == PUZZLE_GAIN;
	}
	print_message("%s: %d of %d are gains\n", name, gains, list.count);
	assert_true(gains > 0);
	puzzles_release(&list);
}

static void test_puzzle_gains__draughts(void **state)
{
	check_file(*state, "draughts");
}

static void test_puzzle_gains__morris(void **state)
{
	check_file(*state, "morris");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_puzzle_gains__draughts),
		cmocka_unit_test(test_puzzle_gains__morris),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
