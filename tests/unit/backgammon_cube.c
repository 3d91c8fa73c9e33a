/*
 * backgammon_cube.c - the doubling cube and matches of backgammon: rules, texts, IDs as GNU
 * Backgammon prints them, and the board.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/rules.h"

#include "support/desk.h"

#include <stdlib.h>

#define START "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"

static struct qv_context *context;

static int setup(void **unused)
{
	(void)unused;
	context = qv_context_new(NULL);
	return context ? 0 : -1;
}

static int teardown(void **unused)
{
	(void)unused;
	qv_context_free(context);
	return 0;
}

static const struct backgammon *state_of(const struct desk *d)
{
	return d->state;
}

static void must_be_at(const struct desk *d, const char *position)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	d->rules.game->position_text(d->state, &out);
	assert_string_equal(text, position);
}

/* Plays moves, which are separated by commas, from a position to another. */
static void must_lead(const char *game, const char *position, const char *moves, const char *after)
{
	struct desk d;
	desk_open(&d, context, game, position);
	while (*moves) {
		char text[QV_MOVE_TEXT];
		const int length = (int)strcspn(moves, ",");
		struct qv_error error = { "" };
		qv_move move;
		snprintf(text, sizeof text, "%.*s", length, moves);
		if (qv_move_parse(d.rules.game, d.state, text, &move, &error) != QV_OK)
			fail_msg("%s, %s: %s", game, position, error.text);
		d.rules.game->play(d.state, move);
		moves += length + (moves[length] == ',');
	}
	must_be_at(&d, after);
	desk_close(&d);
}

/* The game is over at a position, and its points. */
static void must_count(const char *game, const char *position, int first, int second)
{
	struct desk d;
	int32_t points[2] = { -1, -1 };
	desk_open(&d, context, game, position);
	assert_int_equal(d.rules.game->result(d.state, points), QV_ENDED);
	assert_int_equal(points[0], first);
	assert_int_equal(points[1], second);
	desk_close(&d);
}

/* ---- The cube ---- */

static void test_cube__double_and_answers(void **unused)
{
	(void)unused;
	const char *game = "backgammon:cube=1";
	must_lead(game, NULL, "31", START " 1 31 cube 1 -");
	must_lead(game, START " 1 -", "roll", START " 1 roll cube 1 -");
	must_lead(game, START " 1 -", "roll,31", START " 1 31 cube 1 -");
	must_lead(game, START " 1 -", "double", START " 1 double cube 1 -");
	must_lead(game, START " 1 -", "double,take", START " 1 - cube 2 2");
	must_lead(game, START " 1 -", "double,take,31,8/5 6/5",
		  "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 - cube 2 2");
	must_lead(game, START " 2 - cube 2 2", "double,drop", START " 2 won cube 2 2");
	must_count(game, START " 2 won cube 2 2", 0, 2);
}

static void test_cube__seat_that_answers(void **unused)
{
	(void)unused;
	struct desk d;
	desk_open(&d, context, "backgammon:cube=1,beavers=1", START " 1 double");
	assert_int_equal(backgammon_seat(state_of(&d)), 1);
	desk_close(&d);
	desk_open(&d, context, "backgammon:cube=1,beavers=1", START " 1 beaver cube 2 2");
	assert_int_equal(backgammon_seat(state_of(&d)), 0);
	desk_close(&d);
	desk_open(&d, context, "backgammon:cube=1", START " 1 - cube 2 2");
	assert_int_equal(backgammon_seat(state_of(&d)), QV_CHANCE);
	desk_close(&d);
}

/* A beaver turns the cube twice in all, and the beaver's owner keeps it. */
static void test_cube__beavers(void **unused)
{
	(void)unused;
	const char *game = "backgammon:cube=1,beavers=1";
	must_lead(game, START " 1 -", "double,beaver", START " 1 beaver cube 2 2");
	must_lead(game, START " 1 -", "double,beaver,take", START " 1 - cube 4 2");
	must_lead(game, START " 1 -", "double,beaver,drop", START " 2 won cube 2 2");
	must_count(game, START " 2 won cube 2 2", 0, 2);
}

static void test_cube__multiplies_the_points(void **unused)
{
	(void)unused;
	must_count("backgammon:cube=1", "off:15 19:1,1:14 2 - cube 4 2", 12, 0);
	must_count("backgammon:cube=1", "off:15 19:1,1:14 2 - cube 1 -", 3, 0);
	must_count("backgammon:cube=1", "1:15 off:15 1 - cube 4096 2", 0, 8192);
	must_count("backgammon:cube=1,jacoby=1", "off:15 19:1,1:14 2 - cube 1 -", 1, 0);
	must_count("backgammon:cube=1,jacoby=1", "off:15 19:1,1:14 2 - cube 2 1", 6, 0);
	must_count("backgammon:jacoby=1", "off:15 19:1,1:14 2 -", 3, 0);
 * backgammon_cube.c - the match equity table, Janowski's formula and the decisions about the cube.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/cube.h"

#include "support/check.h"

#include <math.h>

#define NEAR(a, b, within)                                            \
	do {                                                          \
		const double a_ = (a), b_ = (b);                      \
		if (!(fabs(a_ - b_) <= (within)))                     \
			fail_msg("%s is %.6f, not %.6f", #a, a_, b_); \
	} while (0)

/* The chances with these shares of gammons among wins and losses. */
static struct backgammon_chances chances(double p, double won, double lost)
{
	return (struct backgammon_chances){ .of = { [BACKGAMMON_WIN_ANY] = (float)p,
						    [BACKGAMMON_WIN_GAMMON] = (float)(p * won),
						    [BACKGAMMON_LOSE_GAMMON] =
							    (float)((1 - p) * lost) } };
}

static double worth(const struct cube_view *v, double p, double won, double lost, double life)
{
	const struct backgammon_chances c = chances(p, won, lost);
	return cube_worth(v, &c, life);
}

static struct match_equity table_of(int points)
{
	static struct match_equity table;
	memset(&table, 0, sizeof table);
	match_equity_compute(&table, points);
	return table;
}

/* The doubler's values for a position, by the formula. */
static struct cube_offer offer(const struct cube_view *v, double p, double won, double lost,
			       double life)
{
	const struct cube_view doubled = cube_doubled(v);
	return (struct cube_offer){ worth(v, p, won, lost, life),
				    worth(&doubled, p, won, lost, life), cube_points(v, 1) };
}

/* The lowest chance with which the other seat takes. */
static double take_point(const struct cube_view *v, double won, double lost, double life)
{
	double low = 0, high = 1; /* the doubler's chances */
	for (int i = 0; i < 40; i++) {
		const double p = (low + high) / 2;
		const struct cube_offer o = offer(v, p, won, lost, life);
		*(cube_should_take(&o) ? &low : &high) = p;
	}
	return 1 - low;
}

/* ---- Match equities ---- */

static void test_match_equity__agrees_with_published_tables(void **unused)
{
	(void)unused;
	/* Points needed, and the chance of the first seat by Kazaross's table of 2011. */
	static const struct {
		int mine, theirs;
		double chance;
	} known[] = {
		{ 2, 1, 0.3226 }, { 3, 1, 0.2492 }, { 4, 1, 0.1856 }, { 5, 1, 0.1582 },
		{ 3, 2, 0.4005 }, { 4, 2, 0.3313 }, { 5, 2, 0.2564 }, { 4, 3, 0.4285 },
		{ 5, 3, 0.3521 }, { 7, 3, 0.2379 }, { 5, 4, 0.4227 }, { 7, 5, 0.3736 },
		{ 9, 4, 0.2120 }, { 9, 7, 0.3915 },
	};
	const struct match_equity t = table_of(25);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		NEAR(match_equity_at(&t, known[i].mine, known[i].theirs, false), known[i].chance,
		     0.005);
	static const double after[] = { 1, 0.5, 0.488, 0.3226, 0.31, 0.1901, 0.1807 };
	for (int n = 0; n < 7; n++)
		NEAR(match_equity_at(&t, n, 1, true), after[n], 0.005);
}

static void test_match_equity__is_symmetric_and_monotonic(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(MATCH_EQUITY_POINTS);
	for (int mine = 1; mine <= MATCH_EQUITY_POINTS; mine++)
		for (int theirs = 1; theirs <= MATCH_EQUITY_POINTS; theirs++) {
			const double e = match_equity_at(&t, mine, theirs, false);
			NEAR(e + match_equity_at(&t, theirs, mine, false), 1, 1e-12);
			assert_true(match_equity_at(&t, mine - 1, theirs, false) > e);
			assert_true(match_equity_at(&t, mine, theirs - 1, false) < e);
		}
	for (int n = 1; n <= MATCH_EQUITY_POINTS; n++) {
		NEAR(match_equity_at(&t, n, n, false), 0.5, 1e-12);
		NEAR(match_equity_at(&t, 1, n, true), 1 - match_equity_at(&t, n, 1, true), 1e-12);
	}
	assert_true(match_equity_at(&t, 0, 3, false) == 1 && match_equity_at(&t, 3, -1, true) == 0);
}

static void test_match_equity__does_not_depend_on_the_length(void **unused)
{
	(void)unused;
	const struct match_equity five = table_of(5), all = table_of(MATCH_EQUITY_POINTS);
	for (int mine = 1; mine <= 5; mine++)
		for (int theirs = 1; theirs <= 5; theirs++)
			assert_true(five.before[mine][theirs] == all.before[mine][theirs]);
}

/* ---- Money ---- */

static void test_cube__money_take_points(void **unused)
{
	(void)unused;
	const struct cube_view v = { .value = 1, .live = true };
	/* Without gammons: 1/4 with a dead cube, 1/5 with a live one. */
	NEAR(take_point(&v, 0, 0, 0), 0.25, 1e-6);
	NEAR(take_point(&v, 0, 0, 1), 0.2, 1e-6);
	/* Janowski: (L - 1/2) / (W + L + x / 2), of the seat that takes. */
	NEAR(take_point(&v, 0, 0, 0.68), 0.5 / 2.34, 1e-6);
	NEAR(take_point(&v, 0.4, 0.2, 0.68), 0.9 / (1.4 + 1.2 + 0.34), 1e-6);
	/* The same from any cube. */
	const struct cube_view four = { .value = 4, .owner = 1, .live = true };
	NEAR(take_point(&four, 0.4, 0.2, 0.68), 0.9 / (1.4 + 1.2 + 0.34), 1e-6);
}

static void test_cube__money_values(void **unused)
{
	(void)unused;
	struct cube_view v = { .value = 2, .owner = 1, .live = true };
	/* Janowski's values for an owned cube: C (p (W + L + x / 2) - L); x / 2 less for theirs. */
	NEAR(worth(&v, 0.5, 0.3, 0.1, 0.68), 2 * (0.5 * (1.3 + 1.1 + 0.34) - 1.1), 1e-6);
	v.owner = -1;
	NEAR(worth(&v, 0.5, 0.3, 0.1, 0.68), 2 * (0.5 * (1.3 + 1.1 + 0.34) - 1.1 - 0.34), 1e-6);
	v.owner = 0;
	NEAR(worth(&v, 0.5, 0, 0, 0.68), 0, 1e-6);
	NEAR(worth(&v, 0.5, 0.3, 0.3, 0.68), 0, 1e-6);
	/* The other seat sees the opposite. */
	const struct cube_view mine = { .value = 2, .owner = 1, .live = true };
	const struct cube_view theirs = cube_turned(&mine);
	NEAR(worth(&mine, 0.61, 0.3, 0.1, 0.68), -worth(&theirs, 0.39, 0.1, 0.3, 0.68), 1e-6);
	/* Without a cube: the cubeless equity. */
	v.live = false;
	NEAR(worth(&v, 0.6, 0.25, 0.1, 0.68), 2 * (0.2 + 0.15 - 0.04), 1e-6);
}

static void test_cube__money_decisions(void **unused)
{
	(void)unused;
	const struct cube_view v = { .value = 1, .live = true };
	struct cube_offer o = offer(&v, 0.55, 0.2, 0.2, 0.68);
	assert_false(cube_should_double(&v, &o));
	o = offer(&v, 0.77, 0, 0, 0.68);
	assert_true(cube_should_double(&v, &o) && cube_should_take(&o));
	o = offer(&v, 0.85, 0.1, 0.1, 0.68);
	assert_true(cube_should_double(&v, &o) && !cube_should_take(&o));
	/* Too good, except under Jacoby's rule: there gammons do not count yet. */
	o = offer(&v, 0.92, 0.7, 0.1, 0.68);
	assert_true(!cube_should_double(&v, &o) && !cube_should_take(&o));
	const struct cube_view jacoby = { .value = 1, .live = true, .jacoby = true };
	o = offer(&jacoby, 0.92, 0.7, 0.1, 0.68);
	assert_true(cube_should_double(&jacoby, &o) && !cube_should_take(&o));
	/* Nor with a cube that is not this seat's. */
	const struct cube_view theirs = { .value = 2, .owner = -1, .live = true };
	o = offer(&theirs, 0.77, 0, 0, 0.68);
	assert_false(cube_should_double(&theirs, &o));
	/* A double with a negative value after the take is beavered, and then it costs twice that. */
	const struct cube_view beavers = { .value = 1, .live = true, .beavers = true };
	const struct cube_offer bad = { -0.1, -0.3, 1 };
	NEAR(cube_offer_worth(&v, &bad), -0.3, 1e-9);
	NEAR(cube_offer_worth(&beavers, &bad), -0.6, 1e-9);
	const struct cube_offer worse = { -0.9, -1.5, 1 };
	NEAR(cube_beaver_worth(&beavers, &worse), -2, 1e-9); /* the doubler drops */
}

/* ---- Matches ---- */

static void test_match__next_game(void **unused)
{
	(void)unused;
	const char *game = "backgammon:match=7";
	must_lead(game, START " 1 - match 7 2 1", "double,drop", START " - - cube 1 - match 7 3 1");
	must_lead(game, "1:1,off:14 6:1,off:14 1 65 cube 2 2 match 7 2 1", "1/off",
		  START " - - cube 1 - match 7 4 1");
	/* A gammon with the cube at 2. */
	must_lead(game, "1:1,off:14 6:15 1 65 cube 2 2 match 7 2 1", "1/off",
		  START " - - cube 1 - match 7 6 1 crawford");
}

static void test_match__crawford(void **unused)
{
	(void)unused;
	const char *game = "backgammon:match=7";
	/* No doubling: straight to the roll. After this game everybody may double again. */
	must_lead(game, START " 2 61 match 7 6 1 crawford", "13/7 8/7",
		  "24:2,13:5,8:3,6:5 24:2,13:4,8:2,7:2,6:5 1 - cube 1 - match 7 6 1 crawford");
	must_lead(game, "6:15 1:1,off:14 2 65 match 7 6 1 crawford", "1/off",
		  START " - - cube 1 - match 7 6 3");
	must_lead(game, START " 2 - match 7 6 3", "double,take", START " 2 - cube 2 1 match 7 6 3");
	must_lead("backgammon:match=7,crawford=0", "1:1,off:14 6:1,off:14 1 65 match 7 5 1",
		  "1/off", START " - - cube 1 - match 7 6 1");
	/* A match to one point has no Crawford game; its cube is dead. */
	must_lead("backgammon:match=1", NULL, "31,8/5 6/5",
		  "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 - cube 1 - match 1 0 0");
}

/* Whoever has enough points on the cube may not double. */
static void test_match__dead_cube(void **unused)
{
	(void)unused;
	struct desk d;
	static const char *const dead[] = { START " 1 - cube 4 1 match 7 3 3",
					    START " 1 - match 7 6 3", START " 1 - match 7 6 6" };
	for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
		desk_open(&d, context, "backgammon:match=7", dead[i]);
		assert_int_equal(state_of(&d)->phase, BACKGAMMON_ROLL);
		desk_close(&d);
	}
	desk_open(&d, context, "backgammon:match=7", START " 1 - cube 4 1 match 7 2 3");
	assert_int_equal(state_of(&d)->phase, BACKGAMMON_CUBE);
	desk_close(&d);
}

static void test_match__end(void **unused)
{
	(void)unused;
	must_lead("backgammon:match=7", "1:1,off:14 6:15 1 65 cube 4 2 match 7 2 1", "1/off",
		  "off:15 6:15 1 won cube 4 2 match 7 7 1");
	must_count("backgammon:match=7", "off:15 6:15 1 won cube 4 2 match 7 7 1", 1, 0);
}

/* ---- Texts ---- */

/* A line of the file: GAME|POSITION|ID. */
static void check_line(char *line)
{
	const char *game = strtok(line, "|"), *position = strtok(NULL, "|"),
		   *id = strtok(NULL, "\n");
	char ours[BACKGAMMON_ID + 1], match[BACKGAMMON_MATCH_ID + 1], both[64];
	struct desk d;
	desk_open(&d, context, game, id);
	must_be_at(&d, position);
	backgammon_write_id(state_of(&d), ours);
	backgammon_write_match_id(state_of(&d), match);
	snprintf(both, sizeof both, "%s:%s", ours, match);
	assert_string_equal(both, id);
	desk_close(&d);
}

static void test_text__ids_as_gnubg_prints_them(void **unused)
{
	(void)unused;
	FILE *file = fopen(TEST_DATA "/backgammon-ids.txt", "r");
	char line[QV_POSITION_TEXT];
	int lines = 0;
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (line[0] != '#') {
			check_line(line);
			lines++;
		}
	fclose(file);
	assert_true(lines > 20);
}

static void must_refuse(const char *game, const char *position, const char *why)
{
	struct qv_rules rules;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	void *state = qv_state_new(context, rules.game);
	assert_int_not_equal(qv_position_parse(&rules, position, state, &error), QV_OK);
	assert_string_equal(error.text, why);
	qv_state_free(context, rules.game, state);
}

/* The options decide which game it is, and the error names those that are needed. */
static void test_text__other_options(void **unused)
{
	(void)unused;
	must_refuse("backgammon", START " 1 - cube 1 -",
		    "position: it has a doubling cube; use backgammon:cube=1");
	must_refuse("backgammon", "4HPwATDgc/ABMA:cAkAAAAAAAAA",
		    "position: it has a doubling cube; use backgammon:cube=1");
	must_refuse("backgammon:cube=1", START " 1 - match 7 0 0",
		    "position: the match is to 7 points; use backgammon:match=7");
	must_refuse("backgammon:match=5", "4HPwATDgc/ABMA:cBHgAFAAGAAE",
		    "position: the match is to 7 points; use backgammon:match=7");
	must_refuse("backgammon:match=5", "4HPwATDgc/ABMA:cAkAAAAAAAAA",
		    "position: this is a money game; use backgammon:cube=1");
	/* A position without cube and match is one at the beginning. */
	must_lead("backgammon:match=5", START " 1 -", "", START " 1 - cube 1 - match 5 0 0");
	must_lead("backgammon:match=5", "4HPwATDgc/ABMA 2 31", "",
		  START " 2 31 cube 1 - match 5 0 0");
}

static void must_draw(const char *game, const char *position, const char *part)
{
	struct desk d;
	char text[2048] = "";
	struct qv_text out = { text, sizeof text, 0 };
	desk_open(&d, context, game, position);
	backgammon_draw(d.state, false, &out);
	if (!strstr(text, part))
		fail_msg("%s\nlacks %s", text, part);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 40);
	desk_close(&d);
}

static void test_text__drawing(void **unused)
{
	(void)unused;
	const char *match = "backgammon:match=64";
	must_draw("backgammon:cube=1", START " 1 -", "O: off 0, pips 167, to roll or double\n");
	must_draw("backgammon:cube=1", START " 1 double cube 2048 1",
		  "O: off 0, pips 167, doubles to 4096\n");
	must_draw("backgammon:cube=1,beavers=1", START " 1 beaver cube 2 2",
		  "X: off 0, pips 167, beavers to 4\ncube: 2 owned by X\n");
	must_draw("backgammon:cube=1", START " 1 won cube 1 -", "O: off 0, pips 167, won\n");
	must_draw(match, START " 1 - match 64 63 62 crawford",
		  "cube: 1 in the middle\nmatch to 64: O 63, X 62, Crawford game\n");
	must_draw(match, START " 1 - match 64 63 62 crawford", "ID: 4HPwATDgc/ABMA:");
}

/* ---- The board ---- */

/* The piece on a cell, by their names; NULL: none. */
static const char *piece_on(const struct desk *d, const char *cell)
{
	const struct qv_board *board = d->rules.game->board;
	struct qv_standing list[QV_MAX_CELLS];
	struct qv_layout *l = calloc(1, sizeof *l);
	const char *name = NULL;
	assert_non_null(l);
	board->layout(d->rules.options, l);
	for (int n = board->stand(d->state, list); n-- > 0;)
		if (!strcmp(l->cells[list[n].cell].name, cell))
			name = board->pieces[list[n].piece].name;
	free(l);
	return name;
}

static void must_show(const char *game, const char *position, const char *cell, const char *piece)
{
	struct desk d;
	desk_open(&d, context, game, position);
	assert_string_equal(piece_on(&d, cell), piece);
	desk_close(&d);
}

static void test_board__cube(void **unused)
{
	(void)unused;
	must_show("backgammon:cube=1", START " 1 -", "cube", "cube 1");
	must_show("backgammon:cube=1", START " 1 - cube 512 1", "cube 1", "cube 512");
	must_show("backgammon:cube=1", START " 1 double", "offer 1", "cube 2");
	must_show("backgammon:cube=1,beavers=1", START " 1 beaver cube 2 2", "offer 2", "cube 4");
	must_show("backgammon:match=3", START " 1 31 cube 2 2", "die 1", "die 3");
}

static void test_board__score(void **unused)
{
	(void)unused;
	struct desk d;
	desk_open(&d, context, "backgammon:match=7", START " 1 - match 7 3 2");
	assert_int_equal(d.rules.game->board->score(d.state, 0), 3);
	assert_int_equal(d.rules.game->board->score(d.state, 1), 2);
	desk_close(&d);
static struct cube_view match_view(const struct match_equity *t, int mine, int theirs, int value,
				   int owner, bool after)
{
	return (struct cube_view){ .match = t,
				   .value = value,
				   .owner = owner,
				   .away = { mine, theirs },
				   .live = true,
				   .after_crawford = after };
}

static void test_cube__match_take_points(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(25);
	/* 2-away, 2-away: the cube at 2 decides the match. A drop leaves the Crawford game. */
	struct cube_view v = match_view(&t, 2, 2, 1, 0, false);
	NEAR(take_point(&v, 0.3, 0.3, 0.68), match_equity_at(&t, 2, 1, false), 1e-6);
	/*
	 * The leader needs two points and doubles, the other seat needs four: it redoubles at once, so
	 * that it plays for the match. A drop leaves it the Crawford game.
	 */
	v = match_view(&t, 2, 4, 1, 0, false);
	NEAR(take_point(&v, 0, 0, 0.68), match_equity_at(&t, 4, 1, false), 1e-6);
	/* Far from the end, a match is like money. */
	v = match_view(&t, 25, 25, 1, 0, false);
	NEAR(take_point(&v, 0, 0, 0.68), 0.2137, 0.03);
	/* The cube is dead if its owner wins the match with it. */
	v = match_view(&t, 2, 3, 2, 1, false);
	assert_false(cube_can_double(&v));
}

static void test_cube__after_the_crawford_game(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(25);
	/* The seat behind doubles at once, however bad its position is. */
	for (int n = 2; n < 9; n++)
		for (double p = 0.05; p < 0.6; p += 0.05) {
			const struct cube_view v = match_view(&t, n, 1, 1, 0, true);
			const struct cube_offer o = offer(&v, p, 0.25, 0.25, 0.68);
			assert_true(cube_should_double(&v, &o));
		}
	/* With an even number of points the leader has a free drop: he needs half the chances. */
	const struct cube_view two = match_view(&t, 2, 1, 1, 0, true);
	NEAR(take_point(&two, 0.25, 0.25, 0.68), 0.5, 1e-6);
	const struct cube_view three = match_view(&t, 3, 1, 1, 0, true);
	assert_true(take_point(&three, 0.25, 0.25, 0.68) < 0.3);
	/* The leader never doubles. */
	const struct cube_view leader = match_view(&t, 1, 4, 1, 0, true);
	const struct cube_offer o = offer(&leader, 0.9, 0.25, 0.25, 0.68);
	assert_false(cube_should_double(&leader, &o));
}

static void test_cube__match_values_are_opposite(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(15);
	for (int mine = 1; mine <= 15; mine++)
		for (int theirs = 1; theirs <= 15; theirs++)
			for (int owner = -1; owner <= 1; owner++) {
				const bool after = mine == 1 || theirs == 1;
				const struct cube_view v =
					match_view(&t, mine, theirs, 2, owner, after);
				const struct cube_view w = cube_turned(&v);
				double last = -1;
				for (double p = 0; p <= 1.001; p += 0.1) {
					const double value = worth(&v, p, 0.3, 0.2, 0.68);
					NEAR(value, -worth(&w, 1 - p, 0.2, 0.3, 0.68), 1e-6);
					assert_true(value >= last - 1e-6 && value <= 1 + 1e-9);
					last = value;
				}
			}
}

static void test_cube__view_of_a_state(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(7);
	struct backgammon s = { .cube = 2,
				.owner = 1,
				.match = 7,
				.score = { 2, 4 },
				.flags = BACKGAMMON_HAS_CUBE | BACKGAMMON_CRAWFORD };
	struct cube_view v = cube_view_of(&s, 0, &t);
	assert_true(v.value == 4 && v.owner == -1 && v.away[0] == 5 && v.away[1] == 3 && v.live);
	assert_false(v.after_crawford);
	s.score[1] = 6;
	v = cube_view_of(&s, 1, &t);
	assert_true(v.owner == 1 && v.away[0] == 1 && v.after_crawford && v.live);
	s.flags |= BACKGAMMON_CRAWFORD_GAME;
	v = cube_view_of(&s, 1, &t);
	assert_true(v.after_crawford && !v.live);
	s = (struct backgammon){ .owner = BACKGAMMON_MIDDLE };
	v = cube_view_of(&s, 0, &t);
	assert_true(!v.match && !v.live && v.value == 1 && v.owner == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cube__double_and_answers),
		cmocka_unit_test(test_cube__seat_that_answers),
		cmocka_unit_test(test_cube__beavers),
		cmocka_unit_test(test_cube__multiplies_the_points),
		cmocka_unit_test(test_match__next_game),
		cmocka_unit_test(test_match__crawford),
		cmocka_unit_test(test_match__dead_cube),
		cmocka_unit_test(test_match__end),
		cmocka_unit_test(test_text__ids_as_gnubg_prints_them),
		cmocka_unit_test(test_text__other_options),
		cmocka_unit_test(test_text__drawing),
		cmocka_unit_test(test_board__cube),
		cmocka_unit_test(test_board__score),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
		cmocka_unit_test(test_match_equity__agrees_with_published_tables),
		cmocka_unit_test(test_match_equity__is_symmetric_and_monotonic),
		cmocka_unit_test(test_match_equity__does_not_depend_on_the_length),
		cmocka_unit_test(test_cube__money_take_points),
		cmocka_unit_test(test_cube__money_values),
		cmocka_unit_test(test_cube__money_decisions),
		cmocka_unit_test(test_cube__match_take_points),
		cmocka_unit_test(test_cube__after_the_crawford_game),
		cmocka_unit_test(test_cube__match_values_are_opposite),
		cmocka_unit_test(test_cube__view_of_a_state),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
