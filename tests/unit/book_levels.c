/*
 * book_levels.c - levels, hints and default players that use the program's opening books.
 * SPDX-License-Identifier: MIT
 */
#include "support/books.h"

#include "core/context.h"
#include "core/player.h"

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

/* The answer with another seed; the book stays open, which is quicker than another player. */
static struct qv_answer ask_seed(const struct desk *d, struct qv_player *player, uint64_t seed)
{
	struct qv_answer answer = { .size = sizeof answer };
	player->settings.seed = seed;
	qv_player_new_game(player);
	assert_int_equal(qv_player_think(player, d->state, NULL, NULL, &answer, NULL), QV_OK);
	return answer;
}

static bool uses_book(const struct qv_context *context, const char *game, const char *spec)
{
	struct desk d;
	desk_open(&d, context, game, "start");
	const struct qv_answer answer = desk_ask(&d, spec, 1, NULL);
	desk_close(&d);
	return answer.book[0] != '\0';
}

static void test_levels__play_from_the_book(void **state)
{
	struct desk d;
	desk_open(&d, *state, "chess", "start");
	books_at(&d, "g1f3");
	const struct qv_answer known = desk_ask(&d, "level:12", 3, NULL);
	assert_string_equal(known.book, "A09 Réti - 2.c4");
	assert_int_equal(known.depth, 0);
	assert_true(known.line_length > 4);
	const struct qv_answer none = desk_ask(&d, "level:12,book=none", 3, NULL);
	assert_string_equal(none.book, "");
	assert_int_equal(none.depth, 2);
	/* The book of a spec comes before that of the level, and so does its choice of moves. */
	struct qv_answer own = desk_ask(&d, "level:12,book=own,line=Réti - Dutch", 3, NULL);
	assert_string_equal(own.book, "A04 Réti - Dutch");
	own = desk_ask(&d, "level:1,weighted=0", 3, NULL);
	const struct qv_answer heaviest = desk_ask(&d, "random:book=own,weighted=0", 1, NULL);
	if (own.book[0])
		assert_true(own.move == heaviest.move);
	/* Behind the book they search. */
	books_at(&d, "a2a4 a7a5 h2h4 h7h5");
	assert_string_equal(desk_ask(&d, "level:12", 3, NULL).book, "");
	desk_close(&d);
}

static void test_levels__from_the_level_that_suits_the_game(void **state)
{
	static const struct {
		const char *game, *spec;
		bool uses;
	} cases[] = {
		{ "chess", "level:10", true },
		{ "chess", "level:10,ladder=own", true },
		{ "reversi", "level:3", false },
		{ "reversi", "level:10", true },
		{ "reversi", "level:1,ladder=lurgee", false },
		{ "minichess", "level:12", false },
		{ "minichess", "level:13", true },
		{ "connect4", "level:7", false },
		{ "connect4", "level:8", true },
		/* These prove their moves. */
		{ "connect4", "level:10", false },
		{ "noughts", "perfect:book=auto", false },
		{ "noughts", "alphabeta:depth=2,prove=1000,book=auto", false },
		/* A book that a user names comes first all the same. */
		{ "noughts", "perfect:book=own", true },
		{ "noughts", "alphabeta:depth=2,book=auto", true },
		{ "noughts", "level:4", false },
		/* Rules without a book. */
		{ "hexapawn:blocked=draw", "random:book=auto", false },
		{ "toy-quiet", "random:book=auto", false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (uses_book(*state, cases[i].game, cases[i].spec) != cases[i].uses)
			fail_msg("%s %s: the book is %sused", cases[i].game, cases[i].spec,
				 cases[i].uses ? "not " : "");
}

static void test_levels__without_the_book_by_default_settings(void **state)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults,
		.seed = 1, .threads = 1, .hash_mb = 1, .no_book = true
	};
	struct desk d;
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	static const char *const specs[] = { "level:12", "level:12,book=own" };
	desk_open(&d, *state, "chess", "start");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
			qv_player_new(*state, &d.rules, specs[i], &defaults, &player, NULL), QV_OK);
		assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &answer, NULL),
				 QV_OK);
		assert_int_equal(answer.book[0] != '\0', i);
		qv_player_free(player);
	}
	desk_close(&d);
}

/* Level 1 knows about 60 % of the positions, and there plays all moves about equally often. */
static void test_levels__beginners_know_less_and_play_more_variedly(void **state)
{
	struct desk d;
	desk_open(&d, *state, "chess", "start");
	struct qv_player *first = desk_player(&d, "level:1", 1),
			 *strong = desk_player(&d, "level:12", 1);
	const int games = 500;
	int known = 0, main_first = 0, main_strong = 0;
	qv_move pawns[2];
	assert_int_equal(qv_move_parse(d.rules.game, d.state, "e2e4", &pawns[0], NULL), QV_OK);
	assert_int_equal(qv_move_parse(d.rules.game, d.state, "d2d4", &pawns[1], NULL), QV_OK);
	for (int seed = 1; seed <= games; seed++) {
		const struct qv_answer a = ask_seed(&d, first, (uint64_t)seed),
				       b = ask_seed(&d, strong, (uint64_t)seed);
		assert_true(b.book[0]);
		known += a.book[0] != '\0';
		main_first += a.book[0] && (a.move == pawns[0] || a.move == pawns[1]);
		main_strong += b.move == pawns[0] || b.move == pawns[1];
	}
	assert_true(known > games / 2 && known < 7 * games / 10);
	/* Two of twenty first moves; by weight they are three quarters. */
	assert_true(main_first < known / 4);
	assert_true(main_strong > games / 2);
	/* The same seed: the same move. */
	for (int seed = 1; seed <= 20; seed++)
		assert_true(ask_seed(&d, first, (uint64_t)seed).move ==
			    ask_seed(&d, first, (uint64_t)seed).move);
	qv_player_free(first);
	qv_player_free(strong);
	desk_close(&d);
}

static void test_hints__play_the_main_line_of_the_book(void **state)
{
	char spec[STRONGEST_SPEC];
	struct desk d;
	desk_open(&d, *state, "chess", "start");
	books_at(&d, "e2e4 c7c5");
	hint_player(d.rules.game, "time=60s", spec);
	for (uint64_t seed = 1; seed <= 3; seed++) {
		const struct qv_answer answer = desk_ask(&d, spec, seed, NULL);
		char text[QV_MOVE_TEXT];
		assert_string_equal(books_move(&d, answer.move, text), "g1f3");
		assert_non_null(strstr(answer.book, "Sicilian"));
	}
	desk_close(&d);
	/* An analysis searches, and a solver has exact values. */
	desk_open(&d, *state, "connect4", "start");
	strongest_player(d.rules.game, "time=1s", spec);
	assert_null(strstr(spec, "book="));
	hint_player(d.rules.game, "time=1s", spec);
	assert_null(strstr(spec, "book="));
	desk_close(&d);
}

/* A position without a name takes the first name ahead, and a book without names its title. */
static void test_names__of_positions_lines_and_books(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{ "quevedo-book 1 noughts\nline 1 Here: 5\nnote ECO A00\n", "A00 Here" },
		{ "quevedo-book 1 noughts\nline 1 Ahead: 5 1\nnote ECO Z9\n", "Ahead" },
		{ "quevedo-book 1 noughts\nat start\nname Before\nmove 1 5\n", "Before" },
		{ "quevedo-book 1 noughts\ntitle All of it\nat start\nmove 1 5\n", "All of it" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[32], spec[64];
		struct desk d;
		books_file(path, cases[i].text);
		snprintf(spec, sizeof spec, "random:book=%s", path);
		desk_open(&d, *state, "noughts", "start");
		assert_string_equal(desk_ask(&d, spec, 1, NULL).book, cases[i].name);
		desk_close(&d);
		unlink(path);
	}
}

static void count_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	(void)move, (void)ply, (void)value, (void)cut;
	++*(int *)ctx;
}

/* A search tree is wanted: the level searches. */
static void test_levels__a_watched_search_is_no_book_move(void **state)
{
	int nodes = 0;
	const struct qv_listener listener = { .size = sizeof listener,
					      .node = count_node,
					      .ctx = &nodes };
	struct desk d;
	struct qv_answer answer = { .size = sizeof answer };
	desk_open(&d, *state, "chess", "start");
	struct qv_player *player = desk_player(&d, "level:12", 1);
	assert_int_equal(qv_player_think(player, d.state, NULL, &listener, &answer, NULL), QV_OK);
	assert_true(nodes > 0 && !answer.book[0]);
	qv_player_free(player);
	desk_close(&d);
}

static void test_specs__a_line_may_have_commas(void **state)
{
	struct desk d;
	char text[QV_MOVE_TEXT];
	desk_open(&d, *state, "chess", "start");
	books_at(&d, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 a7a6");
	const struct qv_answer answer = desk_ask(
		&d, "random:book=own,line=Giuoco Piano - Giuoco Pianissimo, 6.a4,weighted=0", 1,
		NULL);
	assert_string_equal(books_move(&d, answer.move, text), "a2a4");
	assert_string_equal(answer.book, "C54 Giuoco Piano - Giuoco Pianissimo, 6.a4");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels__play_from_the_book),
		cmocka_unit_test(test_levels__from_the_level_that_suits_the_game),
		cmocka_unit_test(test_levels__without_the_book_by_default_settings),
		cmocka_unit_test(test_levels__beginners_know_less_and_play_more_variedly),
		cmocka_unit_test(test_hints__play_the_main_line_of_the_book),
		cmocka_unit_test(test_names__of_positions_lines_and_books),
		cmocka_unit_test(test_levels__a_watched_search_is_no_book_move),
		cmocka_unit_test(test_specs__a_line_may_have_commas),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
