/*
 * book_players.c - the 1983 programs against literal versions of them, and against what the book
 * says of them.
 * SPDX-License-Identifier: MIT
 */
#include "support/choice.h"

#include <stdlib.h>

#include "support/paired.h"
#include "support/scale.h"

enum { TEXT = 64 };

static int setup(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* ---- Noughts and crosses ---- */

/* As the listing counts: squares 1 to 9, the machine's men 1, the opponent's -1. */
struct board {
	int square[10];
};

static const int rows[8][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 }, { 1, 4, 7 },
				{ 2, 5, 8 }, { 3, 6, 9 }, { 1, 5, 9 }, { 3, 5, 7 } };

static int row_sum(const struct board *b, int row)
{
	return b->square[rows[row][0]] + b->square[rows[row][1]] + b->square[rows[row][2]];
}

static int literal_score(const struct board *b)
{
	int q = 0;
	for (int i = 0; i < 8; i++)
		switch (row_sum(b, i)) {
		case 3: q += 100; break;
		case 2: q += 4; break;
		case 1: q += 1; break;
		case -1: q -= 2; break;
		case -2: q -= 12; break;
		}
	return q;
}

static int men_on(const struct board *b)
{
	int men = 0;
	for (int i = 1; i <= 9; i++)
		men += b->square[i] != 0;
	return men;
}

static bool opposite_corners(const struct board *b)
{
	return men_on(b) == 3 && b->square[5] == 1 &&
	       ((b->square[1] == -1 && b->square[9] == -1) ||
		(b->square[3] == -1 && b->square[7] == -1));
}

static struct choice literal_choice(const struct board *b, bool book_line_2)
{
	struct choice c = { .count = 0 };
	for (int i = 1; i <= 9; i++) {
		const bool edge = i % 2 == 0;
		if (b->square[i] || (!men_on(b) && i != 5) ||
		    (book_line_2 && opposite_corners(b) && !edge))
			continue;
		struct board next = *b;
		next.square[i] = 1;
		consider(&c, (char[]){ (char)('0' + i), '\0' }, literal_score(&next));
	}
	return c;
}

static int winner_on(const struct board *b)
{
	for (int i = 0; i < 8; i++)
		if (abs(row_sum(b, i)) == 3)
			return row_sum(b, i) / 3;
	return 0;
}

/* What comes of all games in which the machine makes any of its choices, the opponent any move. */
struct outcomes {
	int won, drawn, lost;
	int other_losses;          /* not in the lines of the opposite corners */
	int best_quiet, worst_winning;     /* scores of moves that do not win, and that do */
};

static void play_all(const struct board *b, bool machine, bool line_2, bool corners,
		     struct outcomes *o)
{
	const int winner = winner_on(b);
	corners |= machine && opposite_corners(b);
	if (winner || men_on(b) == 9) {
		o->won += winner > 0;
		o->lost += winner < 0;
		o->drawn += winner == 0;
		o->other_losses += winner < 0 && !corners;
		return;
	}
	const struct choice c = literal_choice(b, line_2);
	for (int i = 1; i <= 9; i++) {
		struct board next = *b;
		if (b->square[i] || (machine && place_in(&c, (char[]){ (char)('0' + i), 0 }) < 0))
			continue;
		next.square[i] = machine ? 1 : -1;
		if (machine && winner_on(&next) && c.score < o->worst_winning)
			o->worst_winning = c.score;
		if (machine && !winner_on(&next) && c.score > o->best_quiet)
			o->best_quiet = c.score;
		play_all(&next, !machine, line_2, corners, o);
	}
}

static struct outcomes outcomes_from(const char *squares, bool machine, bool line_2)
{
	struct outcomes o = { .worst_winning = 1000, .best_quiet = -1000 };
	struct board b = { { 0 } };
	for (int i = 1; i <= 9; i++)
		b.square[i] = squares[i - 1] == '+' ? 1 : squares[i - 1] == '-' ? -1 : 0;
	play_all(&b, machine, line_2, false, &o);
	return o;
}

static void test_noughts__never_loses(void **unused)
{
	(void)unused;
	for (int machine = 0; machine < 2; machine++) {
		const struct outcomes o = outcomes_from(".........", machine, true);
		assert_int_equal(o.lost, 0);
		assert_true(o.won > 0 && o.drawn > 0);
		assert_true(o.best_quiet <= 11);
		assert_true(o.worst_winning >= 81);
	}
}

static void test_noughts__without_its_second_line_loses_to_opposite_corners_only(void **unused)
{
	(void)unused;
	int lost = 0;
	for (int machine = 0; machine < 2; machine++) {
		const struct outcomes o = outcomes_from(".........", machine, false);
		assert_int_equal(o.other_losses, 0);
		lost += o.lost;
	}
	assert_true(lost > 0);
}

static void test_noughts__wins_from_the_centre_against_an_edge(void **unused)
{
	static const char *const edges[] = { ".-..+....", "...-+....", "....+-...", "....+..-." };
	(void)unused;
	for (int i = 0; i < 4; i++) {
		const struct outcomes o = outcomes_from(edges[i], true, true);
		assert_true(o.won > 0 && o.lost == 0 && o.drawn == 0);
	}
}

/* Every position of noughts that can come up, once. */
struct tour {
	struct desk *desk;
	struct qv_player *player, *plain;
	bool seen[19683];
	int count;
};

static void visit(struct tour *t, char text[TEXT])
{
	struct board b = { { 0 } };
	int number = 0, free = 0;
	for (int i = 1; i <= 9; i++) {
		const char c = text[i - 1];
		b.square[i] = c == '.' ? 0 : c == text[10] ? 1 : -1;
		number = number * 3 + (c == 'x' ? 1 : c == 'o' ? 2 : 0);
		free += c == '.';
	}
	if (t->seen[number] || winner_on(&b) || !free)
		return;
	t->seen[number] = true;
	t->count++;
	set_position(t->desk, text);
	const struct choice expected = literal_choice(&b, true);
	assert_same_choice(t->player, t->plain, t->desk, &expected);
	for (int i = 0; i < 9; i++) {
		if (text[i] != '.')
			continue;
		const char side = text[10];
		text[i] = side;
		text[10] = side == 'x' ? 'o' : 'x';
		visit(t, text);
		text[i] = '.';
		text[10] = side;
	}
}

static void test_noughts__is_the_literal_program_everywhere(void **state)
{
	struct desk d;
	char text[TEXT] = "......... x";
	struct tour *t = calloc(1, sizeof *t);
	assert_non_null(t);
	desk_open(&d, *state, "noughts", "start");
	t->desk = &d;
	t->player = desk_player(&d, "book", 3);
	t->plain = desk_player(&d, "book:random=0", 3);
	visit(t, text);
	assert_int_equal(t->count, 4520);          /* of 5478 positions, those still going */
	qv_player_free(t->player);
	qv_player_free(t->plain);
	desk_close(&d);
	free(t);
}

static void test_noughts__opens_in_the_centre_and_replies_in_a_corner(void **state)
{
	struct desk d;
	bool seen[10] = { false };
	desk_open(&d, *state, "noughts", "start");
	for (uint64_t seed = 1; seed <= 40; seed++) {
		char name[QV_MOVE_TEXT];
		set_position(&d, "start");
		name_of(&d, desk_ask(&d, "book", seed, NULL).move, name);
		assert_string_equal(name, "5");
		set_position(&d, "....x.... o");
		name_of(&d, desk_ask(&d, "book", seed, NULL).move, name);
		seen[name[0] - '0'] = true;
	}
	for (int i = 1; i <= 9; i++)
		assert_int_equal(seen[i], i == 1 || i == 3 || i == 7 || i == 9);
	desk_close(&d);
}

/* ---- Hexapawn ---- */

/* The board as in the listing: a(x, y) is 1 for the machine, which moves down from rank 3. */
struct pawns {
	int a[4][5];
};

static struct pawns pawns_of(const char *text, bool turned)
{
	const char machine = text[12] == 'w' ? 'P' : 'p';
	struct pawns b = { { { 0 } } };
	for (int x = 1; x <= 3; x++)
		for (int y = 1; y <= 3; y++) {
			const char c = text[(turned ? y - 1 : 3 - y) * 4 + x - 1];
			b.a[x][y] = c == '.' ? 0 : c == machine ? 1 : -1;
		}
	return b;
}

static int pawns_score(const struct pawns *b)
{
	int q = 0;
	for (int x = 1; x <= 3; x++)
		for (int y = 1; y <= 3; y++) {
			if (b->a[x][y] == 1)
				q += (4 - y) * (4 - y) + (y == 1 ? 20 : 0) + 1;
			if (b->a[x][y] == -1)
				q -= y * y + 1;
		}
	return q;
}

/* White sees the board turned upside down: its ranks count the other way. */
static void consider_step(struct choice *c, const struct pawns *b, int x, int y, int to_x,
			  bool turned)
{
	if (to_x < 1 || to_x > 3 || y == 1 || b->a[x][y] != 1 ||
	    b->a[to_x][y - 1] != (to_x == x ? 0 : -1))
		return;
	char name[16];
	struct pawns next = *b;
	next.a[x][y] = 0;
	next.a[to_x][y - 1] = 1;
	snprintf(name, sizeof name, "%c%d-%c%d", 'a' + x - 1, turned ? 4 - y : y, 'a' + to_x - 1,
		 turned ? 5 - y : y - 1);
	consider(c, name, pawns_score(&next));
}

static struct choice pawns_choice(const char *text)
{
	const bool turned = text[12] == 'w';
	const struct pawns b = pawns_of(text, turned);
	struct choice c = { .count = 0 };
	/* In the order of the game's own list, which decides between equals when chance is off. */
	for (int i = 0; i < 9; i++)
		for (int aside = -1; aside <= 1; aside++) {
			const int x = i % 3 + 1, rank = i / 3 + 1;
			consider_step(&c, &b, x, turned ? 4 - rank : rank, x + aside, turned);
		}
	return c;
}

struct pawn_games {
	struct desk *desk;
	struct qv_player *player, *plain;
	int seat;                  /* the machine's */
	bool first_only;           /* of equal moves, as without chance */
	int won, drawn, lost;
};

static void pawns_play(struct pawn_games *g)
{
	const struct qv_game *game = g->desk->rules.game;
	qv_move list[CHOICE_MOST];
	int32_t points[QV_MAX_SEATS];
	uint64_t before[8];
	if (game->result(g->desk->state, points) != QV_GOING) {
		g->won += points[g->seat] > points[1 - g->seat];
		g->lost += points[g->seat] < points[1 - g->seat];
		g->drawn += points[0] == points[1];
		return;
	}
	struct choice c = { .count = 0 };
	const bool machine = game->seat(g->desk->state) == g->seat;
	if (machine) {
		char text[TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		game->position_text(g->desk->state, &out);
		c = pawns_choice(text);
		assert_same_choice(g->player, g->plain, g->desk, &c);
		c.count = g->first_only ? 1 : c.count;
	}
	assert_true(game->state_size <= sizeof before);
	memcpy(before, g->desk->state, game->state_size);
	for (int n = game->moves(g->desk->state, list); n > 0; n--) {
		char name[QV_MOVE_TEXT];
		name_of(g->desk, list[n - 1], name);
		if (machine && place_in(&c, name) < 0)
			continue;
		game->play(g->desk->state, list[n - 1]);
		pawns_play(g);
		memcpy(g->desk->state, before, game->state_size);
	}
}

static struct pawn_games pawn_games(struct qv_context *context, const char *name, int seat,
				    bool first_only)
{
	struct desk d;
	desk_open(&d, context, name, "start");
	struct pawn_games g = { .desk = &d, .seat = seat, .first_only = first_only };
	g.player = desk_player(&d, "book", 5);
	g.plain = desk_player(&d, "book:random=0", 5);
	pawns_play(&g);
	qv_player_free(g.player);
	qv_player_free(g.plain);
	desk_close(&d);
	return g;
}

static void test_hexapawn__never_loses_when_the_user_starts(void **state)
{
	for (int first_only = 0; first_only < 2; first_only++) {
		const struct pawn_games second =
			pawn_games(*state, "hexapawn:blocked=draw", 1, first_only);
		assert_int_equal(second.lost, 0);
		assert_true(second.won > 0 && second.drawn > 0);
	}
}

/* By chance; the first of equal moves happens to be good enough. */
static void test_hexapawn__can_lose_when_it_starts(void **state)
{
	const struct pawn_games any = pawn_games(*state, "hexapawn:blocked=draw", 0, false);
	assert_true(any.lost > 0 && any.won > 0);
	assert_true(pawn_games(*state, "hexapawn", 0, true).lost > 0);
	/* The book's program was made for the draw: by the original rule it loses as second too. */
	assert_true(pawn_games(*state, "hexapawn", 1, true).lost > 0);
}

static void test_hexapawn__every_opening_move_scores_3(void **state)
{
	struct desk d;
	qv_move list[CHOICE_MOST];
	desk_open(&d, *state, "hexapawn", "start");
	const struct qv_game *g = d.rules.game;
	const struct qv_evaluation *e = g->evaluations;
	while (strcmp(e->name, "book") != 0)
		e++;
	assert_int_equal(e->evaluate(d.state, e->weights), 0);
	const int n = g->moves(d.state, list);
	assert_int_equal(n, 3);
	for (int i = 0; i < n; i++) {
		const struct qv_limits only = { .size = sizeof only,
						.only = &list[i],
						.only_count = 1 };
		const struct qv_answer answer = desk_ask(&d, "book", 1, &only);
		assert_true(answer.move == list[i]);
		assert_int_equal(answer.score, 3);
		assert_int_equal(answer.considered, 1);
	}
	desk_close(&d);
}

/* ---- Race! ---- */

/* Squares as in the book: 0 the start, 6 to 23 the track and home. */
static int book_square(int square)
{
	return square ? square + 5 : 0;
}

struct track {
	int squares[2][4], seat, die;
};

static struct track track_of(const char *text)
{
	struct track t;
	int *a = t.squares[0], *b = t.squares[1];
	assert_int_equal(sscanf(text, "%d,%d,%d,%d %d,%d,%d,%d %d %d", &a[0], &a[1], &a[2], &a[3],
				&b[0], &b[1], &b[2], &b[3], &t.seat, &t.die),
			 10);
	for (int i = 0; i < 4; i++) {
		a[i] = book_square(a[i]);
		b[i] = book_square(b[i]);
	}
	t.seat--;
	return t;
}

/* A(V) for the mover: its own men count, the other's are negative; nobody stands at home. */
static int men_at(const struct track *t, int square)
{
	int men = 0;
	for (int i = 0; i < 4 && square < 23 && square > 0; i++)
		men += (t->squares[t->seat][i] == square) - (t->squares[1 - t->seat][i] == square);
	return men;
}

static int track_score(const struct track *t, int y, bool literal)
{
	const int v = y + t->die;
	int q = v;
	if (men_at(t, v) == -1)
		q += 40;
	if (men_at(t, v) == 1)
		q += 20;
	if (men_at(t, y) == (literal ? 1 : 2))
		q -= 10;
	if (v == 6)
		q += 5;
	if (v == 23)
		q += 40;
	return q;
}

static struct choice track_choice(const char *text, bool literal)
{
	const struct track t = track_of(text);
	struct choice c = { .count = 0 };
	for (int y = 0; y <= 22; y++) {
		const int v = y + t.die;
		bool mine = false, blocked = false;
		for (int i = 0; i < 4; i++)
			mine |= t.squares[t.seat][i] == y;
		for (int z = y + 1; z <= v && z < 23; z++)
			blocked |= men_at(&t, z) <= -2;
		if (!mine || blocked || v > 23 || (v >= 1 && v <= 5))
			continue;
		char name[16];
		snprintf(name, sizeof name, "%d-%d", y ? y - 5 : 0, v - 5);
		consider(&c, name, track_score(&t, y, literal));
	}
	if (!c.count)
		consider(&c, "pass", -999);
	return c;
}

static void test_race__scores_as_the_examples(void **state)
{
	/* Enter on an empty square; home; capture; a pair broken up to join another. */
	static const struct {
		const char *position, *move;
		int literal, intended;
	} examples[] = {
		{ "0,0,0,0 0,0,0,0 1 6", "0-1", 11, 11 },
		{ "0,0,0,14 0,0,0,0 1 4", "14-18", 53, 63 },
		{ "0,0,0,2 0,0,0,5 1 3", "2-5", 40, 50 },
		{ "0,2,2,5 0,0,0,0 1 3", "2-5", 30, 20 },
		{ "0,0,0,0 0,0,0,0 2 3", "pass", -999, -999 },
	};
	struct desk d;
	char name[QV_MOVE_TEXT];
	desk_open(&d, *state, "race", "start");
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		set_position(&d, examples[i].position);
		struct qv_answer answer = desk_ask(&d, "book:literal=1", 1, NULL);
		assert_int_equal(answer.score, examples[i].literal);
		name_of(&d, answer.move, name);
		assert_string_equal(name, examples[i].move);
		answer = desk_ask(&d, "book", 1, NULL);
		assert_int_equal(answer.score, examples[i].intended);
		name_of(&d, answer.move, name);
		assert_string_equal(name, examples[i].move);
	}
	desk_close(&d);
}

static void test_race__is_the_literal_program_in_random_games(void **state)
{
	static const char *const specs[] = { "book", "book:literal=1", "book:random=0",
					     "book:literal=1,random=0" };
	struct qv_player *players[4];
	struct qv_random random = { .key = 7 };
	struct desk d;
	desk_open(&d, *state, "race", "start");
	for (int i = 0; i < 4; i++)
		players[i] = desk_player(&d, specs[i], 9);
	int64_t compared = 0;
	for (const int64_t most = scaled(5000); compared < most;) {
		char text[TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		desk_wander(&d, &random, (int)qv_random_below(&random, 400));
		if (d.rules.game->seat(d.state) == QV_CHANCE)
			continue;
		d.rules.game->position_text(d.state, &out);
		for (int literal = 0; literal < 2; literal++) {
			const struct choice c = track_choice(text, literal);
			assert_same_choice(players[literal], players[literal + 2], &d, &c);
		}
		compared++;
	}
	for (int i = 0; i < 4; i++)
		qv_player_free(players[i]);
	desk_close(&d);
}

static void test_race__ours_beats_it(void **state)
{
	static const char *const books[] = { "book", "book:literal=1" };
	struct desk d;
	desk_open(&d, *state, "race", "start");
	for (int i = 0; i < 2; i++) {
		struct qv_player *const players[2] = {
			desk_player(&d, "expectimax:depth=2", 1), desk_player(&d, books[i], 1)
		};
		struct paired p;
		assert_true(paired_match(*state, &d.rules, players, 600, 2, &p));
		if (paired_score(&p) < 0.5 + 3 * paired_error(&p))
			fail_msg("%s: %.3f +- %.3f", books[i], paired_score(&p), paired_error(&p));
		qv_player_free(players[0]);
		qv_player_free(players[1]);
	}
	desk_close(&d);
}

/* ---- The cube, and connect-four ---- */

/* The points of a move for the mover, if it ends the game: 1 won, 0 drawn; -1: it goes on. */
static int ends_with(const struct desk *d, qv_move move, void *next)
{
	const struct qv_game *g = d->rules.game;
	int32_t points[QV_MAX_SEATS];
	memcpy(next, d->state, g->state_size);
	g->play(next, move);
	return g->result(next, points) == QV_GOING ? -1 : points[g->seat(d->state)];
}

static bool can_win_at_once(const struct qv_game *g, const void *state, void *next)
{
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING)
		return false;
	for (int n = g->moves(state, list); n > 0; n--) {
		memcpy(next, state, g->state_size);
		g->play(next, list[n - 1]);
		if (g->result(next, points) != QV_GOING && points[g->seat(state)])
			return true;
	}
	return false;
}

/* Takes a win; else leaves the opponent none, if that can be helped. */
static void assert_sees_one_ply(const struct desk *d, struct qv_player *player, void *next,
				void *after)
{
	const struct qv_game *g = d->rules.game;
	qv_move list[QV_MAX_MOVES];
	bool wins = false, safe = false;
	const int n = g->moves(d->state, list);
	for (int i = 0; i < n; i++) {
		wins |= ends_with(d, list[i], next) == 1;
		safe |= !can_win_at_once(g, next, after);
	}
	const qv_move move = ask(player, d).move;
	const int end = ends_with(d, move, next);
	if (wins)
		assert_int_equal(end, 1);
	else if (safe)
		assert_false(can_win_at_once(g, next, after));
}

static void test_lines__takes_wins_and_stops_losses(void **state)
{
	static const char *const games[] = { "connect4", "noughts3d" };
	for (int i = 0; i < 2; i++) {
		struct qv_random random = { .key = 21 };
		struct desk d;
		desk_open(&d, *state, games[i], "start");
		struct qv_player *player = desk_player(&d, "book", 1);
		void *next = qv_state_new(*state, d.rules.game);
		void *after = qv_state_new(*state, d.rules.game);
		for (int64_t left = scaled(1000); left > 0; left--) {
			desk_wander(&d, &random, (int)qv_random_below(&random, i ? 50 : 38));
			assert_sees_one_ply(&d, player, next, after);
		}
		qv_state_free(*state, d.rules.game, next);
		qv_state_free(*state, d.rules.game, after);
		qv_player_free(player);
		desk_close(&d);
	}
}

static void test_lines__beats_a_random_mover(void **state)
{
	static const char *const games[] = { "connect4", "noughts3d" };
	for (int i = 0; i < 2; i++) {
		struct desk d;
		desk_open(&d, *state, games[i], "start");
		struct qv_player *const players[2] = { desk_player(&d, "book", 4),
						       desk_player(&d, "random", 4) };
		struct paired p;
		assert_true(paired_match(*state, &d.rules, players, 50, 1, &p));
		assert_true(paired_score(&p) > 0.9);
		qv_player_free(players[0]);
		qv_player_free(players[1]);
		desk_close(&d);
	}
}

/* ---- All of them ---- */

static void assert_refused(struct qv_context *context, const char *game, const char *spec,
			   const char *reason)
{
	struct qv_rules rules;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	assert_true(qv_player_new(context, &rules, spec, NULL, &player, &error) != QV_OK);
	assert_null(player);
	if (!strstr(error.text, reason))
		fail_msg("%s %s: \"%s\" does not speak of \"%s\"", game, spec, error.text, reason);
}

static void test_all__other_games_are_told_who_has_one(void **state)
{
	assert_refused(*state, "reversi", "book", "not available for reversi");
	assert_refused(*state, "reversi", "book", "noughts, connect4, hexapawn, noughts3d, race");
	assert_refused(*state, "toy-die", "book", "not available for toy-die");
	assert_refused(*state, "noughts", "book:literal=1", "one reading");
	assert_refused(*state, "connect4", "book:depth=3", "no option 'depth'");
	assert_refused(*state, "race", "book:literal=2", "from 0 to 1");
}

static void test_all__a_seed_gives_the_same_game_again(void **state)
{
	static const char *const games[] = { "noughts", "hexapawn", "noughts3d", "connect4" };
	for (int i = 0; i < 4; i++) {
		struct desk d;
		qv_move first[QV_MAX_LINE];
		int plies = 0;
		desk_open(&d, *state, games[i], "start");
		struct qv_player *player = desk_player(&d, "book", 6);
		for (int round = 0; round < 2; round++) {
			qv_player_new_game(player);
			set_position(&d, "start");
			for (int ply = 0; desk_going(&d); ply++) {
				const qv_move move = ask(player, &d).move;
				if (round)
					assert_true(ply < plies && first[ply] == move);
				else
					first[plies++] = move;
				d.rules.game->play(d.state, move);
			}
		}
		struct qv_answer answer = { .size = sizeof answer };
		const enum qv_status over =
			qv_player_think(player, d.state, NULL, NULL, &answer, NULL);
		assert_int_equal(over, QV_OK);
		assert_true(answer.move == QV_NO_MOVE);
		qv_player_free(player);
		desk_close(&d);
	}
}

static void test_all__does_not_throw_dice(void **state)
{
	struct desk d;
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	desk_open(&d, *state, "race", "start");
	struct qv_player *player = desk_player(&d, "book", 1);
	assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &answer, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "chance is to move"));
	qv_player_free(player);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noughts__never_loses),
		cmocka_unit_test(
			test_noughts__without_its_second_line_loses_to_opposite_corners_only),
		cmocka_unit_test(test_noughts__wins_from_the_centre_against_an_edge),
		cmocka_unit_test(test_noughts__is_the_literal_program_everywhere),
		cmocka_unit_test(test_noughts__opens_in_the_centre_and_replies_in_a_corner),
		cmocka_unit_test(test_hexapawn__never_loses_when_the_user_starts),
		cmocka_unit_test(test_hexapawn__can_lose_when_it_starts),
		cmocka_unit_test(test_hexapawn__every_opening_move_scores_3),
		cmocka_unit_test(test_race__scores_as_the_examples),
		cmocka_unit_test(test_race__is_the_literal_program_in_random_games),
		cmocka_unit_test(test_race__ours_beats_it),
		cmocka_unit_test(test_lines__takes_wins_and_stops_losses),
		cmocka_unit_test(test_lines__beats_a_random_mover),
		cmocka_unit_test(test_all__other_games_are_told_who_has_one),
		cmocka_unit_test(test_all__a_seed_gives_the_same_game_again),
		cmocka_unit_test(test_all__does_not_throw_dice),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
