/*
 * play_turns.c - games in which a turn is many orders: listed, revoked, and told in words.
 * SPDX-License-Identifier: MIT
 */
#include "games/starchess/rules.h"

#include "terminal/turns.h"
#include "support/meter.h"
#include "support/scale.h"
#include "support/table.h"

#define EASY "mask:masks=0"

/* Seat 1 in A1 and A2, seat 2 in A4 and A3; everybody is rich. */
#define FRONT                                                                                                                      \
	" f1=9999,9999 f2=9999,9999 f3=9999,9999 f4=9999,9999 A1=T1:1000:0/1:20:20 A2=B1:100:0/1:12:12"                            \
	" A3=B2:100:0/2:40:40 A4=T2:1000:0/2:5:5 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0 C4=B0 D1=T4:1000:0/4:20:20 D2=B0 D3=B0" \
	" D4=T3:1000:0/3:20:20"

static void open_alone(struct table *t, struct qv_context *context)
{
	table_open(t, context, "starchess:seed=3", SEATS("human", EASY, EASY, EASY));
}

static int order_count(struct table *t)
{
	struct text_list list = { .allocator = &mem_malloc };
	turns_orders(t->talk.session, &list);
	const int count = list.count;
	assert_false(list.failed);
	text_list_release(&list);
	return count;
}

/* ---- Orders ---- */

static void test_turns__orders_are_listed_with_their_numbers(void **state)
{
	struct table t;
	open_alone(&t, *state);
	assert_says(say(&t, "orders"), "No orders yet");
	assert_says(say(&t, "m a1 a2 5"), "Orders of this turn: 1. move A1 A2 5");
	assert_says(say(&t, "m a1 b1"), "1. move A1 A2 5; 2. move A1 B1 15");
	assert_says(say(&t, "o"), "1. move A1 A2 5\n2. move A1 B1 15\n'revoke N'");
	t.talk.screen = (struct screen){ .width = 80, .terminal = true };
	const char *text = say(&t, "board");
	assert_says(text, "    orders of this turn\n");
	assert_says(text, "    2. move A1 B1 15\n");
	assert_null(strstr(text, "Orders of this turn:"));
	assert_says(say(&t, "end"), "    (none yet)\n");
	for (int i = 0; i < 10; i++) { /* more than there is room for: the last ones stay */
		say(&t, "scrap A2 1");
		text = say(&t, "scrap B1 1");
	}
	assert_says(text, "    ... ('orders' has all)\n");
	assert_says(text, "    10. scrap B1 1\n");
	assert_says(text, "what happened last");
	assert_says(say(&t, "orders"), "1. scrap A2 1\n2. scrap B1 1\n");
	table_close(&t);
}

static void test_turns__an_order_can_be_revoked(void **state)
{
	struct table t;
	open_alone(&t, *state);
	say(&t, "move A1 A2 5");
	say(&t, "move A1 B2 6");
	assert_says(say(&t, "revoke 1"), "Revoked: move A1 A2 5.");
	assert_says(say(&t, "orders"), "1. move A1 B2 6\n'revoke");
	say(&t, "scrap A1 1");
	assert_says(say(&t, "x"), "Revoked: scrap A1 1.");
	say(&t, "move A1 A2 1");
	assert_says(say(&t, "revoke all"), "all orders of this turn");
	assert_int_equal(order_count(&t), 0);
	assert_int_equal(ply(&t), 0);
	assert_says(say(&t, "redo 2"), "2. move A1 A2 1"); /* nothing is lost */
	table_close(&t);
}

static void test_turns__what_another_order_needs_stays(void **state)
{
	struct table t;
	table_open(&t, *state, "starchess", SEATS("human", "human", "human", "human"));
	say(&t, "edit SC1 turn=5 move=1" FRONT);
	say(&t, "build A1 5");
	say(&t, "scrap A1 23");
	const int before = ply(&t);
	assert_says(say(&t, "revoke 1"),
		    "revoke 1: order 2, 'scrap A1 23', needs it; revoke that one first.");
	assert_int_equal(ply(&t), before);
	assert_int_equal(order_count(&t), 2);
	assert_says(say(&t, "revoke 2"), "Revoked");
	assert_says(say(&t, "revoke 1"), "Revoked");
	assert_int_equal(order_count(&t), 0);
	table_close(&t);
}

static void test_turns__what_cannot_be_revoked_is_explained(void **state)
{
	struct table t;
	open_alone(&t, *state);
	assert_says(say(&t, "revoke"), "no order has been given this turn");
	assert_says(say(&t, "revoke 1"), "no order has been given this turn");
	assert_says(say(&t, "revoke all"), "no order has been given this turn");
	say(&t, "m a1 a2 5");
	assert_says(say(&t, "revoke 2"), "revoke 2: there are orders 1 to 1.");
	assert_says(say(&t, "revoke 0"), "'0' is not the number of an order");
	assert_says(say(&t, "revoke 99999999999"), "is not the number of an order");
	assert_says(say(&t, "revoke two"), "'two' is not the number of an order");
	assert_says(say(&t, "orders 1"), "nothing after it");
	assert_says(say(&t, "news 1"), "nothing after it");
	assert_int_equal(order_count(&t), 1);
	say(&t, "end");
	assert_says(say(&t, "revoke"), "no order has been given this turn");
	table_close(&t);
	table_open(&t, *state, "noughts", SEATS("human", "human"));
	say(&t, "5");
	assert_says(say(&t, "revoke"), "revoke: in this game a turn is one move");
	assert_says(say(&t, "orders"), "orders: in this game a turn is one move");
	assert_says(say(&t, "news"), "news: in this game a turn is one move");
	assert_null(strstr(say(&t, "help"), "revoke"));
	assert_int_equal(ply(&t), 1);
	table_close(&t);
}

/* A turn as the test itself keeps it. */
struct kept {
	struct starchess start;
	qv_move orders[64];
	int count;
};

static bool replay(const struct kept *k, const struct qv_game *game, int without,
		   struct starchess *out)
{
	*out = k->start;
	for (int i = 0; i < k->count; i++) {
		if (i == without)
			continue;
		if (!qv_move_legal(game, out, k->orders[i]))
			return false;
		starchess_play(out, k->orders[i]);
	}
	return true;
}

static void check_revoked(struct table *t, struct kept *k, int number)
{
	struct session *s = t->talk.session;
	struct starchess expected;
	struct move_name name;
	const bool possible = replay(k, session_game(s), number - 1, &expected);
	const enum qv_status status = session_revoke(s, number, &name, NULL);
	assert_int_equal(status, possible ? QV_OK : QV_ILLEGAL);
	if (possible) {
		memmove(k->orders + number - 1, k->orders + number,
			(size_t)(k->count - number) * sizeof *k->orders);
		k->count--;
	} else {
		replay(k, session_game(s), -1, &expected);
	}
	assert_memory_equal(session_state(s), &expected, sizeof expected);
	assert_int_equal(order_count(t), k->count);
}

/* The record as a file gives the same game. */
static void check_saved(const struct table *t)
{
	const struct qv_record *record = session_record(t->talk.session);
	struct qv_record *again = NULL;
	struct qv_error error = { "" };
	if (qv_record_load(t->context, record->journal.data, record->journal.length, &again,
			   &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(qv_record_ply(again), qv_record_ply(record));
	assert_memory_equal(qv_record_state(again), qv_record_state(record),
			    sizeof(struct starchess));
	qv_record_free(again);
}

static void random_turn(struct table *t, struct qv_random *random)
{
	struct session *s = t->talk.session;
	const struct qv_game *game = session_game(s);
	struct kept k = { .count = 0 };
	memcpy(&k.start, session_state(s), sizeof k.start);
	for (int step = 0; step < 12; step++) {
		qv_move list[QV_MAX_MOVES];
		const int moves = game->moves(session_state(s), list);
		const int pick = (int)qv_random_below(random, (uint64_t)moves);
		if (k.count && qv_random_below(random, 3) == 0) {
			check_revoked(t, &k, 1 + (int)qv_random_below(random, (uint64_t)k.count));
		} else if (sc_kind(list[pick]) != SC_END) {
			const int most = starchess_max_count(session_state(s), list[pick]);
			k.orders[k.count] = starchess_with_count(
				session_state(s), list[pick],
				1 + (int)qv_random_below(random, (uint64_t)most));
			assert_int_equal(session_play(s, k.orders[k.count++], NULL), QV_OK);
		}
	}
	assert_int_equal(session_play(s, sc_command(SC_END, 0, 0, 0), NULL), QV_OK);
}

static void test_turns__revoking_is_playing_the_others(void **state)
{
	struct qv_random random = { .key = 11 };
	for (int game = 0; game < scaled(40); game++) {
		struct table t;
		table_open(&t, *state, "starchess:limit=30",
			   SEATS("human", "human", "human", "human"));
		say(&t, "edit SC1 turn=5 move=1" FRONT);
		while (session_turn(t.talk.session) == TURN_PERSON && ply(&t) < 200)
			random_turn(&t, &random);
		check_saved(&t);
		table_close(&t);
	}
}

static void test_turns__revoking_without_memory_changes_nothing(void **unused)
{
	(void)unused;
	bool failed = true;
	for (int64_t n = 1; failed; n++) {
		struct meter meter = meter_make();
		const struct qv_allocator allocator = { meter_resize, &meter };
		struct qv_context *context = desk_context(&allocator);
		struct table t;
		struct starchess before;
		struct move_name name;
		open_alone(&t, context);
		for (int i = 1; i <= 8; i++)
			talk_line(&t.talk, i % 2 ? "move A1 A2 1" : "move A1 B2 1");
		memcpy(&before, session_state(t.talk.session), sizeof before);
		const size_t length = session_record(t.talk.session)->journal.length;
		meter_arm(&meter, n, true);
		const enum qv_status status = session_revoke(t.talk.session, 2, &name, NULL);
		failed = meter.failed;
		meter_arm(&meter, 0, false);
		assert_int_equal(status, failed ? QV_NO_MEMORY : QV_OK);
		assert_int_equal(order_count(&t), failed ? 8 : 7);
		if (failed) {
			assert_memory_equal(session_state(t.talk.session), &before, sizeof before);
			assert_int_equal(session_record(t.talk.session)->journal.length, length);
		}
		check_saved(&t);
		table_close(&t);
		qv_context_free(context);
		assert_int_equal(meter.blocks, 0);
	}
}

static void test_records__rewriting_refuses_what_cannot_be(void **state)
{
	struct table t;
	open_alone(&t, *state);
	struct qv_record *record = session_record(t.talk.session);
	const qv_move scrap = sc_command(SC_SCRAP, 0, 0, 1), far = sc_command(SC_SCRAP, 5, 0, 1);
	const qv_move twice[2] = { scrap, scrap }, wrong[2] = { scrap, far };
	say(&t, "scrap A1 2");
	assert_int_equal(record_rewrite(record, 0, twice, 0), QV_BAD_INPUT);
	assert_int_equal(record_rewrite(record, 2, twice, 1), QV_BAD_INPUT);
	assert_int_equal(record_rewrite(record, 1, twice, 2), QV_BAD_INPUT);
	assert_int_equal(record_rewrite(record, 1, twice, -1), QV_BAD_INPUT);
	say(&t, "scrap A1 3");
	assert_int_equal(record_rewrite(record, 2, wrong, 2), QV_ILLEGAL);
	assert_int_equal(qv_record_move(record, 1), sc_command(SC_SCRAP, 0, 0, 3));
	assert_int_equal(record_rewrite(record, 2, twice, 2), QV_OK);
	assert_int_equal(qv_record_move(record, 0), scrap);
	assert_int_equal(qv_record_move(record, 1), scrap);
	check_saved(&t);
	table_close(&t);
	table_open(&t, *state, "chess", SEATS("human", "human")); /* a repetition may end a move */
	say(&t, "e4");
	assert_int_equal(record_rewrite(session_record(t.talk.session), 1, NULL, 0),
			 QV_UNSUPPORTED);
	table_close(&t);
}

/* ---- What happened ---- */

/* Plays a turn from a position and says what is told of it. */
static const char *told(const struct qv_context *context, const char *position,
			const char *const *orders, int viewer, char text[512])
{
	struct qv_rules rules;
	struct starchess start, now;
	struct qv_error error = { "" };
	struct qv_text out = { text, 512, 0 };
	qv_move moves[16];
	int count = 0;
	text[0] = '\0';
	assert_int_equal(qv_rules_parse(context, "starchess", &rules, NULL), QV_OK);
	if (qv_position_parse(&rules, position, &start, &error) != QV_OK)
		fail_msg("%s", error.text);
	now = start;
	for (; orders[count]; count++) {
		if (qv_move_parse(rules.game, &now, orders[count], &moves[count], &error) != QV_OK)
			fail_msg("%s", error.text);
		starchess_play(&now, moves[count]);
	}
	starchess_report_turn(&start, moves, count, viewer, &out);
	return text;
}

static void test_news__say_what_a_turn_did(void **state)
{
	static const struct {
		const char *position;
		const char *orders[8];
		int viewer;
		const char *text;
	} rows[] = {
		{ "SC1 turn=5 move=2" FRONT,
		  { "move A3 A2 40", "build A4 2", "end" },
		  0,
		  "moved 40 ships from A3 to A2; beat 12 ships of yours in A2, losing none; built 2 "
		  "ships in A4; bombed your colony in A2, 60 of 100 inhabitants left" },
		{ "SC1 turn=5 move=2" FRONT,
		  { "move A3 A2 40", "build A4 2", "end" },
		  1,
		  "beat 12 ships of seat 1 in A2, losing none; bombed the colony of seat 1 in A2, 60 of "
		  "100 inhabitants left" },
		{ "SC1 turn=5 move=2" FRONT,
		  { "move A3 A2 20", "move A3 B3 4", "move A4 B4 1", "end" },
		  2,
		  "moved 20 ships from A3 to A2; beat 12 ships of seat 1 in A2, losing 12; moved 4 ships "
		  "from A3 to B3, 1 from A4 to B4; bombed the colony of seat 1 in A2, 92 of 100 "
		  "inhabitants left" },
		{ "SC1 turn=5 move=2" FRONT,
		  { "move A3 A2 12", "end" },
		  0,
		  "moved 12 ships from A3 to A2; lost 12 ships in A2 and destroyed as many of yours" },
		{ "SC1 turn=5 move=2" FRONT,
		  { "move A3 A2 8", "end" },
		  -1,
		  "moved 8 ships from A3 to A2; lost 8 ships in A2 to 12 of seat 1, destroying 8 of them" },
		{ "SC1 turn=5 move=2" FRONT,
		  { "terraform A3", "scrap A3 1", "scrap A4 2", "end" },
		  0,
		  "terraformed A3; scrapped 1 ship in A3, 2 in A4" },
		{ "SC1 turn=5 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0/1:40:40 A2=B0 A3=B0 A4=T2:1000:0 B1=B0 "
		  "B2=B0/1:20:20 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0/1:9:9 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0",
		  { "colonize B2", "end" },
		  -1,
		  "colonized B2; scrapped 19 ships that could not be supported" },
		{ "SC1 turn=5 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0 A2=B0 A3=B0 A4=T2:1000:0 B1=B0 B2=B0 B3=B0 "
		  "B4=B0 C1=B0 C2=B0 C3=B0/1:9:9 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0",
		  { "end" },
		  -1,
		  "lost 9 ships in C3, too far from any colony" },
		{ "SC1 turn=5 move=1 f1=9999,9999 f2=77,77 f3=0,0 f4=0,0 A1=T1:1000:0 A2=B0 A3=B1:100:0 "
		  "A4=T2:30:0/1:40:40 B1=B0 B2=B0 B3=T2:100:0 B4=B0/2:7:7 C1=B0 C2=B0 C3=B0 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0",
		  { "end" },
		  1,
		  "destroyed your home world in A4; you are defeated" },
		{ "SC1 turn=5 move=1 f1=9999,9999 f2=77,77 f3=0,0 f4=0,0 A1=T1:1000:0 A2=B0 A3=B1:100:0 "
		  "A4=T2:30:0/1:40:40 B1=B0 B2=B0 B3=T2:100:0 B4=B0/2:7:7 C1=B0 C2=B0 C3=B0 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0",
		  { "end" },
		  3,
		  "destroyed the home world of seat 2 in A4; seat 2 is defeated" },
		{ "SC1 turn=5 move=3" FRONT, { "end" }, 0, "" },
	};
	char text[512];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(
			told(*state, rows[i].position, rows[i].orders, rows[i].viewer, text),
			rows[i].text);
}

static void test_news__say_what_was_lost(void **state)
{
	static const char before[] = "SC1 turn=5 move=2" FRONT;
	static const char now[] =
		"SC1 turn=6 move=1 f1=9999,9999 f2=0,0 f3=0,0 f4=0,0 A1=T1:600:0/1:15:15 A2=B0/2:28:28 "
		"A3=B2:110:0 A4=T2:1000:0 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0";
	struct qv_rules rules;
	struct starchess a, b;
	char text[200] = "";
	struct qv_text out = { text, sizeof text, 0 };
	assert_int_equal(qv_rules_parse(*state, "starchess", &rules, NULL), QV_OK);
	assert_int_equal(qv_position_parse(&rules, before, &a, NULL), QV_OK);
	assert_int_equal(qv_position_parse(&rules, now, &b, NULL), QV_OK);
	starchess_losses(&a, &b, 0, &out);
	assert_string_equal(text, "17 ships, the colony in A2, 400 inhabitants");
	out.length = 0;
	text[0] = '\0';
	starchess_losses(&a, &b, 3, &out);
	assert_string_equal(text, "20 ships");
	out.length = 0;
	text[0] = '\0';
	starchess_losses(&a, &a, 0, &out);
	assert_string_equal(text, "");
}

static void test_news__come_before_ones_turn(void **state)
{
	struct table t;
	open_alone(&t, *state);
	assert_says(say(&t, "news"), "No turn has ended yet.");
	const char *text = say(&t, "end");
	for (int seat = 2; seat <= 4; seat++) {
		char name[32];
		snprintf(name, sizeof name, "Seat %d (" EASY "): moved 20", seat);
		assert_says(text, name);
	}
	assert_null(strstr(text, "plays"));
	assert_null(strstr(say(&t, "m a1 a2 5"), "moved 20")); /* told once */
	assert_says(say(&t, "news"), "Seat 3 (" EASY "): moved 20");
	assert_says(say(&t, "undo 2"), "You (seat 1) to move.");
	assert_int_equal(ply(&t), 0);
	assert_says(say(&t, "redo"),
		    "Seat 4 (" EASY "): moved 20"); /* and again after going back */
	t.talk.screen = (struct screen){ .width = 120, .terminal = true };
	text = say(&t, "m a1 a2 5");
	assert_says(text, "what happened last");
	assert_says(text, "legal moves");
	table_close(&t);
}

/* What one did oneself is told only where something came of it; then what the others took. */
static void test_news__of_fights(void **state)
{
	struct table t;
	table_open(&t, *state, "starchess", SEATS("human", "human", "human", "human"));
	say(&t, "edit SC1 turn=5 move=1" FRONT);
	say(&t, "move A1 A2 8");
	say(&t, "end");
	const char *text = say(&t, "news");
	assert_says(text, "Seat 1: moved 8 ships from A1 to A2.");
	say(&t, "move A3 A2 40");
	say(&t, "end");
	say(&t, "end");
	text = say(&t, "end");
	assert_says(text,
		    "Seat 2: moved 40 ships from A3 to A2; beat 20 ships of yours in A2, losing "
		    "10;");
	assert_says(text, "Seat 3: nothing.\n");
	assert_says(text, "You lost 20 ships, 33 inhabitants.");
	table_close(&t);
}

static int times(const char *text, const char *part)
{
	int count = 0;
	while ((text = strstr(text, part))) {
		count++;
		text += strlen(part);
	}
	return count;
}

/* A person whose faction is gone, or who only watches, hears of every turn once. */
static void test_news__go_on_without_a_person(void **state)
{
	struct table t;
	table_open(&t, *state, "starchess:limit=8", SEATS("human", EASY, EASY, EASY));
	t.talk.screen.width = 400; /* no line is broken */
	const char *text = say(
		&t,
		"edit SC1 turn=5 move=2 f1=0,0 f2=9999,9999 f3=0,0 f4=0,0 A1=T1:30:0/2:50:50 "
		"A2=B2:100:0 A3=B0 A4=T2:1000:0 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0 C4=B0 "
		"D1=T4:1000:0/4:20:20 D2=B0 D3=B0 D4=T3:1000:0/3:20:20");
	assert_int_equal(session_turn(t.talk.session), TURN_OVER);
	assert_int_equal(times(text, "destroyed your home world in A1; you are defeated."), 1);
	for (int seat = 2; seat <= 4; seat++) { /* of turns 5 to 8 */
		char name[32];
		snprintf(name, sizeof name, "Seat %d (" EASY "): ", seat);
		assert_int_equal(times(text, name), 4);
	}
	table_close(&t);

	table_open(&t, *state, "starchess:limit=3", SEATS(EASY, EASY, EASY, EASY));
	settle(&t);
	text = heard(&t);
	for (int seat = 1; seat <= 4; seat++) {
		char name[64];
		snprintf(name, sizeof name, "\nSeat %d (" EASY "): moved 20 ships", seat);
		assert_int_equal(times(text, name), 1);
	}
	table_close(&t);
}

/* ---- What is typed ---- */

static void test_turns__refusals_say_the_condition(void **state)
{
	struct table t;
	open_alone(&t, *state);
	assert_says(say(&t, "build A1 5"), "a ship costs 20 materials, and you have 0");
	assert_says(say(&t, "b A1"), "a ship costs 20 materials, and you have 0");
	assert_says(say(&t, "move A1 D4"), "D4 is not a neighbour of A1");
	assert_says(say(&t, "move A1"), "write it as 'move A1 B2 12'");
	assert_says(say(&t, "terr C9"), "write it as 'terraform C3'");
	assert_says(say(&t, "b"), "turn 1 of 200"); /* the board */
	assert_says(say(&t, "m"), "scrap A1 20 (1 to 20)");
	assert_says(say(&t, "reboke"), "did you mean 'revoke'?");
	assert_int_equal(ply(&t), 0);
	const char *help = say(&t, "help");
	assert_says(help, "move A1 B2 12");
	assert_says(help, "revoke [N]");
	assert_says(help, "T is a terran planet");
	table_close(&t);
}

static void assert_completes(struct table *t, const char *typed, int count, const char *first)
{
	struct text_list found = { .allocator = &mem_malloc };
	talk_complete(&t->talk, typed, &found);
	assert_int_equal(found.count, count);
	if (count)
		assert_string_equal(found.text[0], first);
	text_list_release(&found);
}

static void test_turns__words_sectors_and_numbers_are_completed(void **state)
{
	struct table t;
	open_alone(&t, *state);
	assert_completes(&t, "move a1 b", 2, "move A1 B1 20");
	assert_completes(&t, "m A1 ", 3, "move A1 A2 20");
	assert_completes(&t, "m a1 b2", 1, "move A1 B2 20");
	assert_completes(&t, "m a1 b2 20", 1, "move A1 B2 20");
	assert_completes(&t, "m a1 b2 20 1", 0, NULL);
	assert_completes(&t, "m d", 0, NULL);
	assert_completes(&t, "rev", 1, "revoke");
	assert_completes(&t, "revoke ", 0, NULL);
	say(&t, "m a1 b1 1");
	say(&t, "m a1 b1 1");
	assert_completes(&t, "revoke ", 3, "revoke 1");
	assert_completes(&t, "revoke 2", 1, "revoke 2");
	assert_completes(&t, "level ", 7, "level 1");
	table_close(&t);
}

/* ---- What it looks like ---- */

/* Every owner's digit of the drawing is said to be that seat's, and blanks are nobody's. */
static void check_owners(const struct starchess *s)
{
	char text[2048];
	struct qv_text out = { text, sizeof text, 0 };
	int row = 0, digits = 0;
	starchess_draw(s, false, &out);
	for (const char *line = text; *line; row++) {
		const size_t length = strcspn(line, "\n");
		assert_true(length <= 40);
		for (size_t i = 0; i + 1 < length; i++) {
			const int owner = starchess_drawn_owner(s, row, (int)i);
			const bool thing = strchr("TB>", line[i]) && line[i + 1] >= '1' &&
					   line[i + 1] <= '4' && line[0] != '>';
			if (strchr("|+-", line[i]) && row < 14)
				assert_int_equal(owner, -1);
			if (!thing)
				continue;
			assert_int_equal(owner, line[i + 1] - '1');
			digits++;
		}
		line += length + (line[length] == '\n');
	}
	int things = 0;
	for (unsigned i = 0; i < SC_SECTORS; i++)
		things += (sc_owner(s->g.colonies, i) >= 0) + (sc_owner(s->g.fleets, i) >= 0);
	assert_int_equal(digits, things);
}

static void test_drawing__says_whose_everything_is(void **state)
{
	struct table t;
	struct qv_random random = { .key = 5 };
	table_open(&t, *state, "starchess", SEATS("human", "human", "human", "human"));
	say(&t, "edit SC1 turn=5 move=1" FRONT);
	for (int i = 0; i < scaled(200) && session_turn(t.talk.session) == TURN_PERSON; i++) {
		qv_move list[QV_MAX_MOVES];
		const int moves =
			session_game(t.talk.session)->moves(session_state(t.talk.session), list);
		check_owners(session_state(t.talk.session));
		session_play(t.talk.session, list[qv_random_below(&random, (uint64_t)moves)], NULL);
	}
	t.talk.screen.colour = true;
	say(&t, "new");
	assert_says(say(&t, "board"), "\033[1;31mT\033[0m\033[1;31m1\033[0m");
	assert_says(say(&t, "board"), "\033[1;34m>\033[0m\033[1;34m4\033[0m");
	table_close(&t);
}

/* No line is too long, and of the text nothing but blanks is lost. */
static void check_prose(const char *text, int width)
{
	struct string out = { .allocator = &mem_malloc };
	int column = 0;
	view_prose(&out, width, text);
	assert_false(out.failed);
	for (const char *c = out.data; c && *c; c++) {
		column = *c == '\n' ? 0 : column + 1;
		assert_true(column <= width);
		if (*c == ' ' || *c == '\n')
			continue;
		text += strspn(text, " \n");
		assert_int_equal(*text++, *c);
	}
	text += strspn(text, " \n");
	assert_int_equal(*text, '\0');
	string_release(&out);
}

static void test_rules__keep_their_tables_where_they_fit(void **state)
{
	struct table t;
	struct qv_random random = { .key = 3 };
	open_alone(&t, *state);
	const char *text = say(&t, "rules");
	assert_says(text, "\n  growth                   20 %, up to 1000        10 %, up to 200\n");
	assert_says(text,
		    "\n  move A1 B2 12  moves ships that have not moved or been built this turn to a\n"
		    "                 neighbouring sector that has a colony of yours or is next to\n"
		    "                 one\n");
	t.talk.screen.width = 40;
	assert_says(say(&t, "rules"),
		    "\n  end            ends your turn (see\n                 below)\n");
	t.talk.screen.width = 20;
	assert_says(say(&t, "rules"), "\n  end ends your\n    turn (see below)\n");
	table_close(&t);
	for (int i = 0; i < scaled(2000); i++) {
		char made[200];
		const size_t length = (size_t)qv_random_below(&random, sizeof made - 1);
		for (size_t j = 0; j < length; j++)
			made[j] = "ab   \n"[qv_random_below(&random, 6)];
		made[length] = '\0';
		check_prose(made, 4 + (int)qv_random_below(&random, 60));
	}
}

/* ---- Length ---- */

/* Two Trogs that go back and forth never end a game by the rules. */
static void test_session__a_game_that_does_not_end_is_a_draw(void **state)
{
	static const char *const texts[] = { "c2c1", "d5d6", "c1c2", "d6d5" };
	struct table t;
	table_open(&t, *state, "warptrog", SEATS("human", "human"));
	struct session *s = t.talk.session;
	int plies = 0;
	while (session_turn(s) != TURN_OVER && plies <= GAME_MAX_PLIES) {
		qv_move move;
		assert_int_equal(qv_move_parse(session_game(s), session_state(s),
					       texts[plies++ % 4], &move, NULL),
				 QV_OK);
		assert_int_equal(session_play(s, move, NULL), QV_OK);
	}
	assert_int_equal(plies, GAME_MAX_PLIES);
	assert_int_equal(qv_record_winner(session_record(s)), -1);
	table_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns__orders_are_listed_with_their_numbers),
		cmocka_unit_test(test_turns__an_order_can_be_revoked),
		cmocka_unit_test(test_turns__what_another_order_needs_stays),
		cmocka_unit_test(test_turns__what_cannot_be_revoked_is_explained),
		cmocka_unit_test(test_turns__revoking_is_playing_the_others),
		cmocka_unit_test(test_turns__revoking_without_memory_changes_nothing),
		cmocka_unit_test(test_records__rewriting_refuses_what_cannot_be),
		cmocka_unit_test(test_news__say_what_a_turn_did),
		cmocka_unit_test(test_news__say_what_was_lost),
		cmocka_unit_test(test_news__come_before_ones_turn),
		cmocka_unit_test(test_news__of_fights),
		cmocka_unit_test(test_news__go_on_without_a_person),
		cmocka_unit_test(test_turns__refusals_say_the_condition),
		cmocka_unit_test(test_turns__words_sectors_and_numbers_are_completed),
		cmocka_unit_test(test_drawing__says_whose_everything_is),
		cmocka_unit_test(test_rules__keep_their_tables_where_they_fit),
		cmocka_unit_test(test_session__a_game_that_does_not_end_is_a_draw),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
