/*
 * books.c - opening books: the twelve things that a book of openings must do (docs/books.md), each
 * a test of its own.
 * SPDX-License-Identifier: MIT
 */
#include "support/books.h"

#include "book/inside.h"
#include "search/player.h"
#include "support/scale.h"

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

static const char reversi_three[] = "quevedo-book 1 reversi\n"
				    "line 1 Parallel: f5 f4\n"
				    "line 3 Diagonal: f5 f6 e6 f4\n"
				    "line 5 Perpendicular: f5 d6 c3 d3 c4\n";

/* A player with a book of that text; the rest of the spec comes in front. */
static struct qv_player *with_book(const struct desk *d, const char *spec, const char *text,
				   const char *more, uint64_t seed)
{
	char path[32], whole[256];
	books_file(path, text);
	snprintf(whole, sizeof whole, "%sbook=%s%s", spec, path, more);
	struct qv_player *player = desk_player(d, whole, seed);
	unlink(path);
	return player;
}

static struct qv_answer think(struct qv_player *player, const struct desk *d)
{
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	if (qv_player_think(player, d->state, NULL, NULL, &answer, &error) != QV_OK)
		fail_msg("%s", error.text);
	return answer;
}

/* What the player does there, as text. */
static void expect(struct qv_player *player, struct desk *d, const char *moves, const char *move)
{
	char text[QV_MOVE_TEXT];
	books_at(d, moves);
	assert_string_equal(books_move(d, think(player, d).move, text), move);
}

/* 1. From either end of the board, whoever moves first: every image, both seats. */
static void test_books__1_both_seats_and_every_way_round(void **state)
{
	struct desk d;
	struct book book = books_read(*state, reversi_three);
	desk_open(&d, *state, "reversi", "start");
	const struct qv_game *g = d.rules.game;
	/* A move of Black's turned half round, as b8-c6 is g1-f3 for the other side. */
	struct qv_player *player = with_book(&d, "random:", reversi_three, ",line=Diagonal", 1);
	expect(player, &d, "f5", "f6");
	expect(player, &d, "c4", "c3");
	expect(player, &d, "d3", "c3");
	expect(player, &d, "e6", "f6");
	expect(player, &d, "c4 c3", "d3");
	expect(player, &d, "c4 c3 d3", "c5");
	qv_player_free(player);
	for (uint32_t p = 0; p < book.place_count; p++)
		for (int k = 0; k < g->symmetries; k++) {
			g->image(book_state(&book, book.places[p].state), k, d.state);
			const int n = books_agree(&book, d.state);
			assert_true(n > 0 || *book_name(&book, d.state, NULL, NULL));
		}
	/* White begins: the seats are the other way round, and the book that comes along knows. */
	player = desk_player(&d, "random:book=own,line=Perpendicular", 1);
	assert_int_equal(
		qv_position_parse(&d.rules,
				  "---------------------------OX------XO----------------------"
				  "----- O",
				  d.state, NULL),
		QV_OK);
	for (int i = 0; i < 2; i++)
		g->play(d.state, think(player, &d).move);
	qv_player_free(player);
	book_release(&book);
	player = desk_player(&d, "random:book=own", 1);
	struct book own;
	struct qv_error error = { "" };
	assert_int_equal(book_open(*state, "own:reversi", NULL, &own, &error), QV_OK);
	assert_string_equal(book_name(&own, d.state, NULL, NULL), "Perpendicular");
	book_release(&own);
	qv_player_free(player);
	desk_close(&d);
}

/* 2. Replies are told apart, and a line is left for another in the middle. */
static void test_books__2_switches_between_variations(void **state)
{
	struct desk d;
	desk_open(&d, *state, "reversi", "start");
	struct qv_player *player =
		with_book(&d, "random:", reversi_three, ",line=Perpendicular", 1);
	expect(player, &d, "f5 d6", "c3");
	expect(player, &d, "f5 f6", "e6"); /* the opponent chose the diagonal */
	expect(player, &d, "f5 f6 e6", "f4");
	expect(player, &d, "f5 d6 c3 d3", "c4");
	qv_player_free(player);
	desk_close(&d);
}

/* 3. By number, by name, or by chance as the weights say: chi-square over many seeds. */
static void test_books__3_chosen_by_the_user_or_by_weight(void **state)
{
	static const char *const replies[] = { "f4", "f6", "d6" };
	static const double odds[] = { 1 / 9.0, 3 / 9.0, 5 / 9.0 };
	const int64_t tries = scaled(9000);
	int64_t seen[3] = { 0 };
	struct desk d;
	char text[QV_MOVE_TEXT];
	desk_open(&d, *state, "reversi", "start");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { ",line=parallel", ",line=2",
						     ",line=Perpendicular" };
		struct qv_player *player = with_book(&d, "random:", reversi_three, names[i], 1);
		expect(player, &d, "f5", replies[i]);
		qv_player_free(player);
	}
	struct qv_player *player = with_book(&d, "random:", reversi_three, "", 0);
	books_at(&d, "f5");
	for (int64_t i = 0; i < tries; i++) {
		player->settings.seed = (uint64_t)i;
		qv_player_new_game(player);
		const char *move = books_move(&d, think(player, &d).move, text);
		for (int k = 0; k < 3; k++)
			seen[k] += strcmp(move, replies[k]) == 0;
	}
	double chi = 0;
	for (int k = 0; k < 3; k++) {
		const double expected = odds[k] * (double)tries;
		chi += ((double)seen[k] - expected) * ((double)seen[k] - expected) / expected;
	}
	assert_int_equal(seen[0] + seen[1] + seen[2], tries);
	if (chi > 13.8) /* one in a thousand, with two degrees */
		fail_msg("chi-square %f: %d %d %d", chi, (int)seen[0], (int)seen[1], (int)seen[2]);
	qv_player_free(player);
	/* The heaviest, always, where chance is switched off; weight 0 is never drawn. */
	for (uint64_t seed = 0; seed < 20; seed++) {
		player = with_book(&d, "random:", reversi_three, ",weighted=0", seed);
		expect(player, &d, "f5", "d6");
		qv_player_free(player);
		player = with_book(&d, "random:",
				   "quevedo-book 1 reversi\nline 0 A: f5 f4\n"
				   "line 2 B: f5 f6\n",
				   "", seed);
		expect(player, &d, "f5", "f6");
		qv_player_free(player);
	}
	desk_close(&d);
}

/* 4. Whoever asks is told how the book goes on, for his own seat too. */
static void test_books__4_prompts_with_the_continuation(void **state)
{
	static const char *const goes[] = { "d6", "c3", "d3", "c4" };
	struct desk d;
	char text[QV_MOVE_TEXT];
	desk_open(&d, *state, "reversi", "start");
	struct qv_player *player = with_book(&d, "random:", reversi_three, ",weighted=0", 1);
	books_at(&d, "f5");
	const struct qv_answer answer = think(player, &d);
	assert_int_equal(answer.line_length, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(books_move(&d, answer.line[i], text), goes[i]);
		d.rules.game->play(d.state, answer.line[i]);
	}
	qv_player_free(player);
	desk_close(&d);
}

/* 5. Left at any ply, by any move, the search goes on as if there had never been a book. */
static void test_books__5_falls_back_to_the_search(void **state)
{
	struct desk d;
	struct book own;
	struct qv_error error = { "" };
	qv_move list[BOOKS_MOVES];
	int left = 0;
	desk_open(&d, *state, "reversi", "start");
	const struct qv_game *g = d.rules.game;
	assert_int_equal(book_open(*state, "own:reversi", NULL, &own, &error), QV_OK);
	struct qv_player *player = desk_player(&d, "alphabeta:depth=2,tt=1,book=own", 1),
			 *without = desk_player(&d, "alphabeta:depth=2,tt=1", 1);
	const int64_t step = 1 + 400 / scaled(400);
	for (uint32_t p = 0; p < own.place_count; p += (uint32_t)step)
		for (int m = 0, n = g->moves(book_state(&own, own.places[p].state), list); m < n;
		     m++) {
			bool known;
			memcpy(d.state, book_state(&own, own.places[p].state), g->state_size);
			g->play(d.state, list[m]);
			struct book_option options[BOOKS_MOVES];
			book_name(&own, d.state, NULL, &known);
			const bool out = !book_options(&own, d.state, options);
			qv_player_new_game(player);
			qv_player_new_game(without);
			const struct qv_answer one = think(player, &d), other = think(without, &d);
			if (out) {
				assert_true(same_answer(&one, &other));
				assert_true(one.depth > 0);
				left++;
			} else {
				assert_int_equal(one.depth, 0);
			}
		}
	assert_true(left > 20);
	qv_player_free(player);
	qv_player_free(without);
	book_release(&own);
	desk_close(&d);
}

/* 6. The universal reply: the same move against anything but the exceptions. */
static void test_books__6_universal_reply_with_exceptions(void **state)
{
	struct desk d;
	struct book_option list[BOOKS_MOVES];
	char text[QV_MOVE_TEXT];
	desk_open(&d, *state, "connect4", "start");
	struct book book = books_read(*state, "quevedo-book 1 connect4\n"
					      "reply 7 3 except 2, 3\n"
					      "  note whatever comes\n"
					      "line 1 Edge: 1 1\n");
	for (char first = '1'; first <= '7'; first++) {
		const char moves[] = { first, '\0' };
		books_at(&d, moves);
		const int n = book_options(&book, d.state, list);
		/* 6 and 5 are 2 and 3, mirrored; 1 and 7 have something of their own. */
		const bool excepted = strchr("2356", first), own = strchr("17", first);
		assert_int_equal(n, excepted ? 0 : 1);
		if (!n)
			continue;
		assert_int_equal(list[0].general, !own);
		assert_string_equal(books_move(&d, list[0].move, text), own ? moves : "3");
		assert_int_equal(list[0].weight, own ? 1 : 7);
		assert_string_equal(list[0].note, own ? "" : "whatever comes");
	}
	books_at(&d, "");
	assert_int_equal(book_options(&book, d.state, list), 1); /* the line's first move alone */
	books_at(&d, "4 3 4");
	assert_int_equal(book_options(&book, d.state, list), 0);
	book_release(&book);
	desk_close(&d);
}

/* 7. A line that ends where the player sees a loss is told of; one that ends level is not. */
static void test_books__7_lines_suit_the_player(void **state)
{
	struct desk d;
	struct notes notes = { "", 0 };
	const struct book_reporter ear = { note, &notes };
	struct qv_error error = { "" };
	int found = 0;
	desk_open(&d, *state, "noughts", "start");
	struct book book = books_read(*state, "quevedo-book 1 noughts\n"
					      "line Good: 1 5 9 2\n"
					      "line Bad: 1 2\n"
					      "line Worse: 1 2 5 3\n");
	struct qv_player *player = desk_player(&d, "alphabeta:depth=9,tt=1", 1);
	assert_int_equal(book_judge(&book, player, -1, NULL, &ear, &found, &error), QV_OK);
	assert_string_equal(notes.text, "3: 'Bad' ends where seat 2 has lost\n"
					"4: 'Worse' ends where seat 2 has lost\n");
	assert_int_equal(found, 2);
	qv_player_free(player);
	/* By points: a shallow search proves nothing. */
	desk_close(&d);
	book_release(&book);
	desk_open(&d, *state, "reversi", "start");
	book = books_read(*state, "quevedo-book 1 reversi\nline Rose: f5 d6 c5 f4 e3 c6\n");
	player = desk_player(&d, "alphabeta:depth=2,tt=1", 1);
	notes = (struct notes){ "", 0 };
	assert_int_equal(book_judge(&book, player, QV_MAX_EVAL, NULL, &ear, &found, &error), QV_OK);
	assert_int_equal(notes.count, 0);
	assert_int_equal(book_judge(&book, player, 0, NULL, &ear, &found, &error), QV_OK);
	assert_int_equal(notes.count, 1);
	assert_non_null(strstr(notes.text, "points behind"));
	qv_player_free(player);
	book_release(&book);
	desk_close(&d);
}

/* A book of random lines. */
static struct book random_book(const struct desk *d, int lines, int plies, uint64_t seed)
{
	const struct qv_game *g = d->rules.game;
	struct string text = { .allocator = &mem_malloc };
	struct qv_random random = { seed, 0 };
	char name[64] = "";
	struct qv_text rules = { name, sizeof name, 0 };
	qv_rules_text(&d->rules, &rules);
	string_addf(&text, "quevedo-book 1 %s\n", name);
	for (int i = 0; i < lines; i++) {
		int32_t points[QV_MAX_SEATS];
		qv_move list[QV_MAX_MOVES];
		string_addf(&text, "line %d L%d:", (int)qv_random_below(&random, 9), i);
		g->start(d->rules.options, d->state);
		for (int k = 1 + (int)qv_random_below(&random, (uint64_t)plies); k > 0; k--) {
			char move[QV_MOVE_TEXT];
			if (g->result(d->state, points) != QV_GOING)
				break;
			const int n = g->moves(d->state, list);
			const qv_move m = list[qv_random_below(&random, (uint64_t)n)];
			string_addf(&text, " %s,", books_move(d, m, move));
			g->play(d->state, m);
		}
		string_addf(&text, "\n");
	}
	string_add(&text, "", 1);
	struct book book = books_read(d->context, text.data);
	string_release(&text);
	return book;
}

/* 8. By position: however it came about, turned or not, and as a slow literal search finds it. */
static void test_books__8_transpositions_and_images_as_the_slow_way(void **state)
{
	static const char *const games[] = { "noughts",	  "connect4", "reversi",   "hexapawn",
					     "toy-quiet", "morris",   "noughts3d", "toy-repeat" };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct desk d;
		struct qv_random random = { 11, 0 };
		int64_t hits = 0;
		desk_open(&d, *state, games[i], "start");
		const struct qv_game *g = d.rules.game;
		struct book book = random_book(&d, 60, 6, i + 1);
		const int64_t tries = scaled(300);
		for (int64_t t = 0; t < tries; t++) {
			uint64_t image[BOOKS_STATE / 8 + 1];
			desk_wander(&d, &random, (int)qv_random_below(&random, 7));
			if (g->image) {
				const int k =
					(int)qv_random_below(&random, (uint64_t)g->symmetries);
				g->image(d.state, k, image);
				memcpy(d.state, image, g->state_size);
			}
			hits += books_agree(&book, d.state) > 0;
		}
		for (uint32_t p = 0; p < book.place_count; p++)
			books_agree(&book, book_state(&book, book.places[p].state));
		assert_true(hits > tries / 20);
		book_release(&book);
		desk_close(&d);
	}
	/* The same stones in another order are the same position. */
	struct desk d;
	struct book_option list[BOOKS_MOVES];
	char text[QV_MOVE_TEXT];
	desk_open(&d, *state, "connect4", "start");
	struct book book = books_read(*state, "quevedo-book 1 connect4\nline A: 4 4 3 5 2\n");
	static const char *const orders[] = { "4 4 3 5", "3 5 4 4", "4 5 3 4",
					      "5 3 4 4" }; /* the last mirrored */
	for (size_t i = 0; i < 4; i++) {
		books_at(&d, orders[i]);
		assert_int_equal(book_options(&book, d.state, list), 1);
		assert_string_equal(books_move(&d, list[0].move, text), i == 3 ? "6" : "2");
	}
	book_release(&book);
	desk_close(&d);
}

static uint64_t bad_hash(const void *state)
{
	(void)state;
	return 303; /* JOHN is NHOJ */
}

/* 9. What hashes alike is compared: with a hash that says nothing the book is the same. */
static void test_books__9_collisions_are_verified(void **state)
{
	static const char *const games[] = { "noughts", "connect4", "reversi" };
	for (size_t i = 0; i < 3; i++) {
		struct desk d;
		struct book good, bad;
		struct qv_random random = { 5, 0 };
		struct qv_error error = { "" };
		desk_open(&d, *state, games[i], "start");
		good = random_book(&d, 30, 5, 3);
		desk_as_plugin(&d);
		d.copy.hash = bad_hash;
		assert_int_equal(book_make(&bad, &mem_malloc, &d.rules, &error), QV_OK);
		for (uint32_t k = 0; k < good.item_count; k++) {
			const struct book_item *item = &good.items[k];
			assert_int_equal(book_add_item(&bad, item, &error), QV_OK);
			for (uint32_t m = 0; m < item->count; m++)
				assert_int_equal(book_add_move(&bad,
							       good.moves[item->first + m].move, 0,
							       0, &error),
						 QV_OK);
			assert_int_equal(book_index_item(&bad, book_last_item(&bad), &error),
					 QV_OK);
		}
		assert_int_equal(bad.place_count, good.place_count);
		for (int64_t t = scaled(500); t > 0; t--) {
			struct book_option one[BOOKS_MOVES], other[BOOKS_MOVES];
			desk_wander(&d, &random, (int)qv_random_below(&random, 6));
			const int n = book_options(&good, d.state, one);
			assert_int_equal(book_options(&bad, d.state, other), n);
			for (int m = 0; m < n; m++)
				assert_true(one[m].move == other[m].move &&
					    one[m].weight == other[m].weight);
			books_agree(&bad, d.state);
		}
		book_release(&good);
		book_release(&bad);
		desk_close(&d);
	}
}

/* 10. The same last moves from another position fool nobody. */
static void test_books__10_same_moves_from_elsewhere_are_not_in_book(void **state)
{
	struct desk d;
	struct book_option list[BOOKS_MOVES];
	desk_open(&d, *state, "connect4", "start");
	struct book book = books_read(*state, "quevedo-book 1 connect4\nline A: 4 4 4 4 4\n");
	books_at(&d, "4 4 4 4");
	assert_int_equal(book_options(&book, d.state, list), 1);
	books_at(&d, "1 2 4 4 4"); /* the last three are those of the line */
	assert_int_equal(book_options(&book, d.state, list), 0);
	books_at(&d, "4 4 4 4 1 1");
	assert_int_equal(book_options(&book, d.state, list), 0);
	book_release(&book);
	desk_close(&d);
}

/* 11. Lines of any length, out of a file; what is written reads back to the same. */
static void test_books__11_lines_of_any_length_from_a_file(void **state)
{
	static const char text[] =
		"quevedo-book 1 reversi\n"
		"title All there is\n"
		"note of the book\n"
		"line 1 Short: f5\n"
		"line 2 Long: f5 d6 c3 d3 c4 f4 f6 f3\n"
		"  note of the line\n"
		"from ------------------OX-------OX------XO----------------------"
		"----- X\n"
		"line 3 Elsewhere: b3\n"
		"reply 4 c5 except b3, f5\n"
		"  note of the reply\n"
		"at start\n"
		"  name The start\n"
		"  note of the position\n"
		"  move 5 d3\n"
		"    note of the move\n";
	struct book book, again;
	struct qv_error error = { "" };
	struct string out = { .allocator = &mem_malloc };
	char path[32];
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(*state, "reversi", &rules, NULL), QV_OK);
	books_file(path, text);
	if (book_open(*state, path, NULL, &book, &error) != QV_OK)
		fail_msg("%s", error.text);
	unlink(path);
	assert_int_equal(book_open(*state, path, NULL, &again, &error), QV_IO);
	book_write(&book, &out);
	string_add(&out, "", 1);
	assert_string_equal(out.data, text);
	again = books_read(*state, out.data);
	assert_int_equal(again.place_count, book.place_count);
	assert_int_equal(again.choice_count, book.choice_count);
	assert_string_equal(book_name(&again, book_state(&again, 0), NULL, NULL), "The start");
	book_release(&again);
	book_release(&book);
	string_release(&out);
	/* Blanks, empty lines, comments, carriage returns and a last line without its end. */
	book = books_read(*state, "quevedo-book 1 reversi\r\n\r\n# a comment\n\tline\t3  A b : "
				  "f5, d6,c3\r\n  at start \n move d3");
	assert_int_equal(book.item_count, 2);
	assert_string_equal(book_text(&book, book.items[0].name), "A b");
	assert_int_equal(book.items[0].count, 3);
	assert_int_equal(book.moves[3].weight, 1);
	book_release(&book);
}

/* 12. After the book the evaluation of the opening counts, while the opening lasts. */
static void test_books__12_opening_evaluation_after_the_book(void **state)
{
	struct desk d;
	char line[] = "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6";
	desk_open(&d, *state, "reversi", "start");
	struct qv_player *player =
		with_book(&d, "alphabeta:depth=3,tt=1,phases=1,", reversi_three, "", 1);
	expect(player, &d, "f5 d6", "c3");
	books_at(&d, line);
	assert_int_equal(d.rules.game->phase(d.state), QV_OPENING);
	qv_player_new_game(player);
	const struct qv_answer with = think(player, &d),
			       phases = desk_ask(&d, "alphabeta:depth=3,tt=1,phases=1", 1, NULL);
	assert_true(same_answer(&with, &phases));
	assert_int_equal(with.depth, 3);
	qv_player_free(player);
	desk_close(&d);
}

/* A look-up takes as long whatever the book: few slots are looked at. */
static void test_books__look_up_time_does_not_grow(void **state)
{
	for (int lines = 10; lines <= 1000; lines *= 10) {
		struct desk d;
		uint64_t steps = 0, most = 0;
		desk_open(&d, *state, "reversi", "start");
		struct book book = random_book(&d, lines, 12, 77);
		assert_int_equal(book.index.count, book.place_count);
		assert_true(book.index.capacity >= 2 * book.place_count);
		for (size_t s = 0; s < book.index.capacity; s++) {
			if (!book.index.entries[s].value)
				continue;
			const uint64_t from = qv_mix(book.index.entries[s].key);
			const uint64_t step = (s - from) & (book.index.capacity - 1);
			steps += step;
			most = step > most ? step : most;
		}
		assert_true(steps <= book.place_count);
		assert_true(most <= 40);
		book_release(&book);
		desk_close(&d);
	}
}

/* Counters that only grow make no other position, but for those who count them. */
static void test_books__counters_make_no_difference(void **state)
{
	struct desk d;
	struct book_option list[BOOKS_MOVES];
	char text[QV_MOVE_TEXT];
	struct book book =
		books_read(*state, "quevedo-book 1 morris\n"
				   "at W..W...W....B..B.......B W 0 0 0\n  move 3 a7-d7\n");
	desk_open(&d, *state, "morris", "W..W...W....B..B.......B W 0 0 6");
	assert_int_equal(book_options(&book, d.state, list), 1);
	assert_string_equal(books_move(&d, list[0].move, text), "a7-d7");
	desk_close(&d);
	desk_open(&d, *state, "morris", "W..W...W....B..B.......B B 0 0 6");
	assert_int_equal(book_options(&book, d.state, list), 0);
	desk_close(&d);
	book_release(&book);
}

/* The dice are nobody's choice; what stands between two throws is. */
static void test_books__dice(void **state)
{
	struct desk d;
	struct book_option list[BOOKS_MOVES];
	struct qv_error error = { "" };
	char throw[QV_MOVE_TEXT], move[QV_MOVE_TEXT], text[256];
	qv_move moves[BOOKS_MOVES];
	desk_open(&d, *state, "race", "start");
	const struct qv_game *g = d.rules.game;
	g->moves(d.state, moves);
	assert_int_equal(g->seat(d.state), QV_CHANCE);
	books_move(&d, moves[0], throw);
	g->play(d.state, moves[0]);
	g->moves(d.state, moves);
	books_move(&d, moves[0], move);
	snprintf(text, sizeof text, "quevedo-book 1 race\nline 1 A: %s, %s\n", throw, move);
	struct book book = books_read(*state, text);
	assert_int_equal(book_options(&book, d.state, list), 1);
	assert_true(list[0].move == moves[0]);
	g->start(d.rules.options, d.state);
	assert_int_equal(book_options(&book, d.state, list), 0);
	book_release(&book);
	snprintf(text, sizeof text, "quevedo-book 1 race\nat start\nmove 1 %s\n", throw);
	assert_non_null(strstr(books_refused(*state, text, &error), "line 3: no player moves there"));
	desk_close(&d);
}

/* The text is parsed once; each user has its own room for lookups. */
static void test_books__own_ones_are_shared(void **state)
{
	struct book one, other;
	struct qv_rules rules;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(*state, "chess", &rules, &error), QV_OK);
	assert_int_equal(book_open_own(*state, &rules, &one, &error), QV_OK);
	assert_int_equal(book_open_own(*state, &rules, &other, &error), QV_OK);
	assert_ptr_equal(one.places, other.places);
	assert_ptr_equal(one.texts.data, other.texts.data);
	assert_ptr_not_equal(one.scratch, other.scratch);
	book_release(&one);
	assert_string_equal(book_name(&other, book_state(&other, 0), NULL, NULL), "");
	assert_true(other.item_count > 10);
	book_release(&other);
	/* Not for games or options without one. */
	assert_int_equal(qv_rules_parse(*state, "race", &rules, &error), QV_OK);
	assert_int_equal(book_open_own(*state, &rules, &one, &error), QV_UNKNOWN);
	assert_int_equal(qv_rules_parse(*state, "warptrog:warps=0", &rules, &error), QV_OK);
	assert_int_equal(book_open_own(*state, &rules, &one, &error), QV_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_books__1_both_seats_and_every_way_round),
		cmocka_unit_test(test_books__2_switches_between_variations),
		cmocka_unit_test(test_books__3_chosen_by_the_user_or_by_weight),
		cmocka_unit_test(test_books__4_prompts_with_the_continuation),
		cmocka_unit_test(test_books__5_falls_back_to_the_search),
		cmocka_unit_test(test_books__6_universal_reply_with_exceptions),
		cmocka_unit_test(test_books__7_lines_suit_the_player),
		cmocka_unit_test(test_books__8_transpositions_and_images_as_the_slow_way),
		cmocka_unit_test(test_books__9_collisions_are_verified),
		cmocka_unit_test(test_books__10_same_moves_from_elsewhere_are_not_in_book),
		cmocka_unit_test(test_books__11_lines_of_any_length_from_a_file),
		cmocka_unit_test(test_books__12_opening_evaluation_after_the_book),
		cmocka_unit_test(test_books__look_up_time_does_not_grow),
		cmocka_unit_test(test_books__counters_make_no_difference),
		cmocka_unit_test(test_books__dice),
		cmocka_unit_test(test_books__own_ones_are_shared),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
