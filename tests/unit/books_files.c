/*
 * books_files.c - opening books as files: what is refused and where, what a check finds, merging,
 * building, the books that come with the program, and want of memory.
 * SPDX-License-Identifier: MIT
 */
#include "support/books.h"

#include "book/inside.h"
#include "support/meter.h"
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

/* ---- What is refused ---- */

#define HEAD "quevedo-book 1 noughts\n"

static const struct {
	const char *text, *why;
} wrong[] = {
	{ "", "line 1: not a book" },
	{ "\n", "line 1: not a book" },
	{ "quevedo-books 1 noughts\n", "line 1: not a book" },
	{ "quevedo-book 2 noughts\n", "line 1: unknown version" },
	{ "quevedo-book 1 nought\n", "line 1: game 'nought'" },
	{ "quevedo-book 1 hexapawn:blocked=maybe\n", "line 1: " },
	{ "quevedo-book\x01 1 noughts\n", "line 1: not a text" },
	{ HEAD "lime 1 A: 5\n", "line 2: unknown keyword 'lime'; did you mean 'line'" },
	{ HEAD "zzzzzzzz\n", "line 2: unknown keyword 'zzzzzzzz'; expected line, at" },
	{ HEAD "\n#\nline 1 A: 5 5\n", "line 4: move '5': not a legal move here" },
	{ HEAD "line 1 A: 1 4 2 5 3 6\n", "line 2: the game ends before" },
	{ HEAD "line 1 A 5\n", "line 2: expected 'line WEIGHT NAME: MOVES'" },
	{ HEAD "line 1 A:\n", "line 2: the line has no moves" },
	{ HEAD "line 1 : 5\n", "line 2: a name must have" },
	{ HEAD "line 1 \xff: 5\n", "line 2: not plain text" },
	{ HEAD "line 1 a\x02: 5\n", "line 2: not plain text" },
	{ HEAD "line 1000000001 A: 5\n", "line 2: a weight must be a number" },
	{ HEAD "line 99999999999999999999 A: 5\n", "line 2: a weight must be a number" },
	{ HEAD "at xx....... x\n", "line 2: " },
	{ HEAD "at\n", "line 2: the position is missing" },
	{ HEAD "at start\nmove 5 10\n", "line 3: move '10': not a legal move here" },
	{ HEAD "at start\nmove\n", "line 3: a move is missing" },
	{ HEAD "at start\nmove -1 5\n", "line 3: move '-1 5'" },
	{ HEAD "at start\nmove 1000000001 5\n", "line 3: a weight" },
	{ HEAD "at xxxoo.... o\nmove 6\n", "line 3: no player moves there" },
	{ HEAD "move 5\n", "line 2: 'move' must be below" },
	{ HEAD "line A: 5\nmove 5\n", "line 3: 'move' must be below" },
	{ HEAD "name A\n", "line 2: 'name' must be below" },
	{ HEAD "at start\nname A\nname B\n", "line 4: the position already has a name" },
	{ HEAD "at start\nname A:B\n", "line 3: a name must have" },
	{ HEAD "at start\nnote\n", "line 3: the note is empty" },
	{ HEAD "line A: 5\nnote b\nnote c\n", "line 4: the item already has a note" },
	{ HEAD "from start\nnote c\nnote d\n", "line 3: a note must be below" },
	{ HEAD "title A\ntitle B\n", "line 3: the title must be given once" },
	{ HEAD "line A: 5\ntitle B\n", "line 3: the title must be given once" },
	{ HEAD "title\n", "line 2: a title must have" },
	{ HEAD "reply\n", "line 2: expected 'reply" },
	{ HEAD "reply 1 0\n", "line 2: the reply is not legal" },
	{ HEAD "reply 5 except 0\n", "line 2: move '0'" },
	{ HEAD "reply 1000000001 5\n", "line 2: a weight" },
	{ HEAD "from xxxoo.... o\nreply 6\n", "line 3: the reply is not legal" },
	{ HEAD "from nowhere\n", "line 2: " },
};

static void test_books__refused_with_the_number_of_the_line(void **state)
{
	struct qv_error error;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *why = books_refused(*state, wrong[i].text, &error);
		if (strncmp(why, "book, ", 6) != 0 || !strstr(why, wrong[i].why))
			fail_msg("%s: %s", wrong[i].text, why);
	}
	struct book book;
	assert_int_equal(book_read(*state, "quevedo-book 1 noughts\n\0", 24, NULL, &book, &error),
			 QV_BAD_INPUT);
	char name[300] = HEAD "line 1 ";
	for (int i = 0; i < 121; i++)
		strcat(name, "n");
	strcat(name, ": 5\n");
	assert_non_null(strstr(books_refused(*state, name, &error), "line 2: a name must have"));
}

/* With a reporter all errors are reported, and the rest of the book is read. */
static void test_books__a_reporter_gets_every_wrong_line(void **state)
{
	struct notes notes = { "", 0 };
	const struct book_reporter ear = { note, &notes };
	struct qv_error error = { "" };
	struct book book;
	static const char text[] = HEAD "line 1 A: 5 5\n"
					"  note of nothing\n"
					"line 2 B: 5 1\n"
					"nonsense\n"
					"at xx....... x\n"
					"  name C\n"
					"  move 1 3\n"
					"reply 0\n"
					"at start\n"
					"  move 1 0\n"
					"  move 1 1\n";
	assert_int_equal(book_read(*state, text, sizeof text - 1, &ear, &book, &error), QV_OK);
	assert_int_equal(notes.count, 5);
	assert_non_null(strstr(notes.text, "2: move '5': not a legal move here\n5: unknown keyword 'nonsense'"));
	assert_int_equal(book.item_count, 2);
	assert_int_equal(book.move_count, 3);
	book_release(&book);
	assert_int_equal(book_read(*state, "x", 1, &ear, &book, &error), QV_BAD_INPUT);
}

/* ---- Checking ---- */

static void test_books__check_finds_what_is_wrong(void **state)
{
	static const char text[] = HEAD "line 1 A: 1 5\n"         /* 2 */
					"line 1 B: 1 5\n"         /* 3: twice */
					"at start\n"              /* 4 */
					"  move 1 1\n"
					"  move 1 1\n"            /* twice */
					"  move 1 9\n"            /* turned */
					"at xo....... x\n"        /* 8: no moves, no name; reached */
					"at xo......x o\n"        /* 9: reached by any reply */
					"  move 0 5\n"            /* chooses nothing */
					"at xoxox.... o\n"        /* 11: nothing leads there */
					"  move 1 9\n"
					"at x..x..oo. x\n"        /* 13: the same position as 15 */
					"  move 1 9\n"
					"at ..x..x.oo x\n"
					"  move 1 7\n"
					"reply 5\nreply 5\n";     /* 17, 18 */
	struct notes notes = { "", 0 };
	const struct book_reporter ear = { note, &notes };
	struct qv_error error = { "" };
	int found = 0;
	struct book book = books_read(*state, text);
	assert_int_equal(book_check(&book, &ear, &found, &error), QV_OK);
	assert_int_equal(found, notes.count);
	static const char *const expected[] = {
		"3: the moves are the same as in line 2, 'A'\n",
		"4: duplicate move 1\n",
		"4: move 9 is symmetric to move 1\n",
		"8: the position has neither moves nor a name\n",
		"9: all moves of the position have weight 0, so none is ever played\n",
		"11: the position cannot be reached by moves of the book\n",
		"15: the position is the same as in line 13, rotated or mirrored\n",
		"18: the reply is the same as in line 17\n",
	};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		if (!strstr(notes.text, expected[i]))
			fail_msg("%s is not in\n%s", expected[i], notes.text);
	assert_null(strstr(notes.text, "\n9: nothing"));
	book_release(&book);
	/* Turned, it is the same position; and that is all there is to say. */
	notes = (struct notes){ "", 0 };
	book = books_read(*state, HEAD "at ....x.... o\nmove 1\nat start\nmove 5\n"
				       "at x........ o\nmove 5\nat ..x...... o\nmove 5\n");
	assert_int_equal(book_check(&book, &ear, &found, &error), QV_OK);
	assert_string_equal(notes.text, "8: the position is the same as in line 6, rotated or mirrored\n");
	book_release(&book);
	notes = (struct notes){ "", 0 };
	book = books_read(*state, HEAD);
	assert_int_equal(book_check(&book, &ear, &found, &error), QV_OK);
	assert_string_equal(notes.text, "0: the book is empty\n");
	book_release(&book);
}

/* The books that come along are right, and are what the documents say. */
static void test_books__own_books_are_sound(void **state)
{
	static const char *const games[] = { "own:noughts", "own:connect4", "own:reversi",
					     "own:chess", "own:minichess", "own:draughts" };
	struct qv_error error = { "" };
	struct book book;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct notes notes = { "", 0 };
		const struct book_reporter ear = { note, &notes };
		int found = 0;
		if (book_open(*state, games[i], NULL, &book, &error) != QV_OK)
			fail_msg("%s", error.text);
		assert_int_equal(book_check(&book, &ear, &found, &error), QV_OK);
		assert_string_equal(notes.text, "");
		for (uint32_t p = 0; strcmp(games[i], "own:reversi") == 0 && p < book.place_count; p++)
			books_agree(&book, book_state(&book, book.places[p].state));
		book_release(&book);
	}
	/* White's answers, 1 : 3 : 5, wherever Black begins, and by their names. */
	struct desk d;
	desk_open(&d, *state, "reversi", "start");
	assert_int_equal(book_open(*state, "own:reversi", NULL, &book, &error), QV_OK);
	static const char *const first[] = { "d3", "c4", "f5", "e6" };
	static const char *const answers[4][3] = { { "c5", "c3", "e3" }, { "e3", "c3", "c5" },
						   { "d6", "f6", "f4" }, { "f4", "f6", "d6" } };
	static const char *const names[] = { "Perpendicular", "Diagonal", "Parallel" };
	for (int i = 0; i < 4; i++) {
		struct book_option list[BOOKS_MOVES];
		char text[QV_MOVE_TEXT];
		books_at(&d, first[i]);
		assert_int_equal(book_options(&book, d.state, list), 3);
		for (int k = 0; k < 3; k++) {
			static const uint64_t odds[] = { 5, 3, 1 };
			books_at(&d, first[i]);
			assert_string_equal(books_move(&d, list[k].move, text), answers[i][k]);
			assert_int_equal(list[k].weight * 9,
					 odds[k] * (list[0].weight + list[1].weight + list[2].weight));
			d.rules.game->play(d.state, list[k].move);
			assert_string_equal(book_name(&book, d.state, NULL, NULL), names[k]);
		}
	}
	book_release(&book);
	assert_int_equal(book_open(*state, "own:race", NULL, &book, &error), QV_UNKNOWN);
	assert_int_equal(book_open(*state, "own:nothing", NULL, &book, &error), QV_UNKNOWN);
	desk_close(&d);
}

/* ---- Merging ---- */

static void expect_text(const struct book *b, const char *expected)
{
	struct string out = { .allocator = &mem_malloc };
	book_write(b, &out);
	string_add(&out, "", 1);
	assert_false(out.failed);
	assert_string_equal(out.data, expected);
	string_release(&out);
}

static void test_books__merged_weights_add_up(void **state)
{
	struct qv_error error = { "" };
	struct book one = books_read(*state, HEAD "title One\n"
						  "line 2 A: 1 5\n"
						  "at start\n  name S\n  move 3 1\n  move 1 5\n"
						  "reply 1 5 except 5\n"),
		    two = books_read(*state, HEAD "title Two\nnote two\n"
						  "at start\n  note n\n  move 4 9\n    note m\n"
						  "  move 1000000000 5\n  move 7 2\n"
						  "line 3 B: 5 1\nline 5 C: 1 5\n"
						  "reply 2 5 except 5\n"),
		    other = books_read(*state, "quevedo-book 1 connect4\nline A: 4\n");
	assert_int_equal(book_merge(&one, &two, &error), QV_OK);
	expect_text(&one, HEAD "title One\nnote two\n"
			       "line 7 A: 1 5\n"
			       "at start\n  name S\n  note n\n"
			       "  move 7 1\n    note m\n  move 1000000000 5\n  move 7 2\n"
			       "reply 3 5 except 5\n"
			       "line 3 B: 5 1\n");
	for (uint32_t p = 0; p < one.place_count; p++) {
		struct book_option list[BOOKS_MOVES];
		if (!book_options(&one, book_state(&one, one.places[p].state), list) ||
		    !list[0].general)
			books_agree(&one, book_state(&one, one.places[p].state));
	}
	assert_int_equal(book_merge(&one, &other, &error), QV_BAD_INPUT);
	book_release(&one);
	book_release(&two);
	/* A position that is turned is the same, and its moves are turned back. */
	one = books_read(*state, HEAD "at x........ o\n  name A\n  move 1 5\n  move 1 3\n");
	two = books_read(*state, HEAD "at ..x...... o\n  move 2 5\n  move 3 1\n  move 4 8\n");
	assert_int_equal(book_merge(&one, &two, &error), QV_OK);
	expect_text(&one, HEAD "at x........ o\n  name A\n  move 3 5\n  move 4 3\n  move 4 6\n");
	book_release(&one);
	book_release(&two);
	book_release(&other);
}

/* ---- Building ---- */

static void tally(struct book_tally *t, struct desk *d, const char *moves, int winner)
{
	const struct qv_game *g = d->rules.game;
	char copy[64];
	snprintf(copy, sizeof copy, "%s", moves);
	g->start(d->rules.options, d->state);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		qv_move move;
		assert_int_equal(qv_move_parse(g, d->state, word, &move, NULL), QV_OK);
		assert_int_equal(book_tally_add(t, d->state, move, winner, NULL), QV_OK);
		g->play(d->state, move);
	}
}

static void test_books__built_of_games(void **state)
{
	struct desk d;
	struct book_tally t;
	struct book book;
	struct qv_error error = { "" };
	desk_open(&d, *state, "noughts", "start");
	assert_int_equal(book_tally_make(&t, &mem_malloc, &d.rules, &error), QV_OK);
	tally(&t, &d, "1 5 9", 0);
	tally(&t, &d, "9 5 1", -1);                /* the same game turned, drawn */
	tally(&t, &d, "1 2", 0);
	tally(&t, &d, "5 1", 1);
	assert_int_equal(book_tally_finish(&t, 1, &book, &error), QV_OK);
	expect_text(&book, HEAD "at start\n"
				"  move 5 1\n    note 2 won, 1 drawn, 0 lost\n"
				"  move 0 5\n    note 0 won, 0 drawn, 1 lost\n"
				"at x........ o\n"
				"  move 1 5\n    note 0 won, 1 drawn, 1 lost\n"
				"  move 0 2\n    note 0 won, 0 drawn, 1 lost\n"
				"at x...o.... x\n"
				"  move 3 9\n    note 1 won, 1 drawn, 0 lost\n"
				"at ....x.... o\n"
				"  move 2 1\n    note 1 won, 0 drawn, 0 lost\n");
	book_release(&book);
	assert_int_equal(book_tally_finish(&t, 2, &book, &error), QV_OK);
	assert_int_equal(book.item_count, 3);
	assert_int_equal(book.choice_count, 3);
	book_release(&book);
	book_tally_release(&t);
	desk_close(&d);
}

/* 1 won, 0 drawn, -1 lost for the seat to move. */
static int value_of(const struct qv_game *g, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[BOOKS_MOVES];
	int best = -1;
	if (g->result(state, points) != QV_GOING)
		return points[g->seat(state)] - points[1 - g->seat(state)];
	for (int n = g->moves(state, list); n > 0 && best < 1; n--) {
		uint64_t next[BOOKS_STATE / 8];
		memcpy(next, state, g->state_size);
		g->play(next, list[n - 1]);
		const int value = -value_of(g, next);
		best = value > best ? value : best;
	}
	return best;
}

/* What a perfect player builds of hexapawn: exactly the moves that keep the value, to the end. */
static void test_books__built_by_a_player(void **state)
{
	struct desk d;
	struct book book;
	struct qv_error error = { "" };
	desk_open(&d, *state, "hexapawn", "start");
	const struct qv_game *g = d.rules.game;
	/* A win is worth about 2^30; the margin forgives the plies, not the value. */
	struct qv_player *player = desk_player(&d, "alphabeta:depth=20,tt=1", 1);
	const struct book_search how = { .player = player, .plies = 4, .margin = 1000,
					 .every = true };
	assert_int_equal(book_build(&mem_malloc, &d.rules, &how, &book, &error), QV_OK);
	assert_in_range(book.place_count, 18, 100);
	for (uint32_t p = 0; p < book.place_count; p++) {
		const void *at = book_state(&book, book.places[p].state);
		struct book_option list[BOOKS_MOVES];
		qv_move moves[BOOKS_MOVES];
		const int n = book_options(&book, at, list), all = g->moves(at, moves);
		const int value = value_of(g, at);
		for (int i = 0; i < all; i++) {
			uint64_t next[BOOKS_STATE / 8];
			bool kept = false;
			memcpy(next, at, g->state_size);
			g->play(next, moves[i]);
			for (int k = 0; k < n; k++)
				kept |= slow_same(g, at, list[k].move, moves[i]);
			assert_int_equal(kept, -value_of(g, next) == value);
		}
		for (int k = 0; k < n; k++)
			assert_in_range(list[k].weight, 1, 100);
	}
	book_release(&book);
	/* Not every move: fewer positions. Stopped: none. */
	struct qv_flag stop = { 0 };
	const struct book_search good = { .player = player, .plies = 4, .stop = &stop };
	assert_int_equal(book_build(&mem_malloc, &d.rules, &good, &book, &error), QV_OK);
	assert_in_range(book.place_count, 3, 17);
	book_release(&book);
	qv_flag_set(&stop);
	assert_int_equal(book_build(&mem_malloc, &d.rules, &good, &book, &error), QV_STOPPED);
	assert_null(book.allocator);
	qv_player_free(player);
	desk_close(&d);
}

/* ---- Players ---- */

static void test_books__players_that_cannot_be_made(void **state)
{
	static const struct {
		const char *game, *spec, *why;
	} specs[] = {
		{ "reversi", "random:book=/nowhere/at/all", "/nowhere/at/all: " },
		{ "reversi", "random:line=Tiger", "needs book=FILE" },
		{ "reversi", "random:book=own,line=Tigre", "did you mean 'Tiger'" },
		{ "reversi", "random:book=own,line=999", "its lines are 1 to " },
		{ "reversi", "random:book=own,weighted=2", "weighted=2" },
		{ "reversi", "random:book=own:connect4",
		  "the book is for connect4, but this is reversi" },
		{ "race", "random:book=own", "the program has no such book" },
		{ "hexapawn:blocked=draw", "random:book=own", "no such book" },
		{ "reversi", "random:book=-", "needs a file" },
	};
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct qv_rules rules;
		struct qv_error error = { "" };
		struct qv_player *player = NULL;
		assert_int_equal(qv_rules_parse(*state, specs[i].game, &rules, NULL), QV_OK);
		assert_int_not_equal(qv_player_new(*state, &rules, specs[i].spec, &defaults, &player,
						   &error),
				     QV_OK);
		if (!strstr(error.text, specs[i].why))
			fail_msg("%s: %s", specs[i].spec, error.text);
	}
}

/* Every kind takes a book, levels too; and moves that are not allowed are not played. */
static void test_books__every_kind_of_player_takes_one(void **state)
{
	static const char *const specs[] = { "random:",	    "level:3,",	    "minimax:depth=1,",
					     "mtdf:depth=1,", "mcts:playouts=9,", "lurgee:depth=1,",
					     "brs:depth=1," };
	struct desk d;
	char text[QV_MOVE_TEXT], spec[128];
	qv_move diagonal, corner;
	desk_open(&d, *state, "reversi", "start");
	books_at(&d, "f5");
	assert_int_equal(qv_move_parse(d.rules.game, d.state, "f6", &diagonal, NULL), QV_OK);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		snprintf(spec, sizeof spec, "%sbook=own,line=Parallel", specs[i]);
		struct qv_answer answer = desk_ask(&d, spec, 1, NULL);
		assert_string_equal(books_move(&d, answer.move, text), "f4");
		const struct qv_limits only = { .size = sizeof only,
						.only = &diagonal,
						.only_count = 1 };
		answer = desk_ask(&d, spec, 1, &only);
		assert_true(answer.move == diagonal);
		assert_int_equal(answer.depth, 0); /* of the book as well */
	}
	books_at(&d, "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6");
	assert_int_equal(qv_move_parse(d.rules.game, d.state, "f3", &corner, NULL), QV_OK);
	const struct qv_limits only = { .size = sizeof only, .only = &corner, .only_count = 1 };
	const struct qv_answer answer = desk_ask(&d, "alphabeta:depth=2,book=own", 1, &only);
	assert_true(answer.move == corner && answer.depth == 2);
	desk_close(&d);
}

/* ---- Memory ---- */

static const char much[] = HEAD "title T\nline 2 A: 1 5 9 2\nline 3 B: 5 1 9\n  note n\n"
				"line 4 C: 2 5 1 3\nline 5 D: 3 5 7 4\nline 6 E: 6 5 1 7\n"
				"at x...o.... x\n  name N\n  move 1 9\n  move 2 2\n"
				"reply 3 5 except 5\n";

static enum qv_status all_of_it(struct qv_context *context, struct qv_player *player,
				struct qv_error *error)
{
	struct book book = { 0 }, more = { 0 }, picked = { 0 }, built = { 0 };
	struct book_tally t = { 0 };
	struct notes notes = { "", 0 };
	const struct book_reporter ear = { note, &notes };
	int found = 0;
	enum qv_status status = book_read(context, much, sizeof much - 1, NULL, &book, error);
	if (status == QV_OK)
		status = book_open(context, "own:noughts", NULL, &more, error);
	if (status == QV_OK)
		status = book_merge(&book, &more, error);
	if (status == QV_OK)
		status = book_pick(&book, "B", &picked, error);
	if (status == QV_OK)
		status = book_check(&book, &ear, &found, error);
	if (status == QV_OK)
		status = book_tally_make(&t, book.allocator, &book.rules, error);
	for (uint32_t i = 0; status == QV_OK && i < 40; i++) {
		void *state = book_scratch(&t.book, SCRATCH_NEXT);
		memcpy(state, book_state(&book, book.places[i % book.place_count].state),
		       book.rules.game->state_size);
		qv_move list[9];
		const int n = book.rules.game->moves(state, list);
		if (n)
			status = book_tally_add(&t, state, list[i % (uint32_t)n], 0, error);
	}
	if (status == QV_OK)
		status = book_tally_finish(&t, 1, &built, error);
	book_release(&built);
	const struct book_search how = { .player = player, .plies = 3, .every = true };
	if (status == QV_OK)
		status = book_build(book.allocator, &book.rules, &how, &built, error);
	book_release(&built);
	book_tally_release(&t);
	book_release(&picked);
	book_release(&more);
	book_release(&book);
	return status;
}

static void test_books__survive_want_of_memory(void **state)
{
	int64_t failures = 0;
	(void)state;
	for (int mode = 0; mode < 2; mode++)
		for (int64_t n = 1;; n += 1 + (n > scaled(120) ? n / 4 : 0)) {
			struct meter meter = meter_make();
			const struct qv_allocator allocator = { meter_resize, &meter };
			struct qv_context *context = desk_context(&allocator);
			struct qv_error error = { "" };
			struct desk d;
			desk_open(&d, context, "noughts", "start");
			struct qv_player *player = desk_player(&d, "random", 1);
			const int64_t blocks = meter.blocks;
			meter_arm(&meter, n, mode == 1);
			const enum qv_status status = all_of_it(context, player, &error);
			const bool failed = meter.failed;
			meter_arm(&meter, 0, false);
			assert_int_equal(meter.blocks, blocks);
			if (failed) {
				assert_int_equal(status, QV_NO_MEMORY);
				assert_non_null(strstr(error.text, "out of memory"));
				failures++;
			} else {
				assert_int_equal(status, QV_OK);
			}
			qv_player_free(player);
			desk_close(&d);
			qv_context_free(context);
			assert_int_equal(meter.blocks, 0);
			assert_int_equal(meter.wrong_sizes, 0);
			if (!failed)
				break;
		}
	assert_true(failures > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_books__refused_with_the_number_of_the_line),
		cmocka_unit_test(test_books__a_reporter_gets_every_wrong_line),
		cmocka_unit_test(test_books__check_finds_what_is_wrong),
		cmocka_unit_test(test_books__own_books_are_sound),
		cmocka_unit_test(test_books__merged_weights_add_up),
		cmocka_unit_test(test_books__built_of_games),
		cmocka_unit_test(test_books__built_by_a_player),
		cmocka_unit_test(test_books__players_that_cannot_be_made),
		cmocka_unit_test(test_books__every_kind_of_player_takes_one),
		cmocka_unit_test(test_books__survive_want_of_memory),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
