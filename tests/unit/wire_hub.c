/*
 * wire_hub.c - Hub: positions, moves and arguments, transcripts of the engine's side, and what the
 * manager's side sends and makes of an engine's lines.
 * SPDX-License-Identifier: MIT
 */
#include "support/wire_bench.h"

#include "formats/hub.h"

/* ---- The format ---- */

static struct draughts position_of(const char *text)
{
	struct draughts s = { 0 };
	struct qv_error error = { "" };
	char again[HUB_POSITION] = "";
	struct qv_text out = { again, sizeof again, 0 };
	if (hub_position_parse(&s, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	hub_position_text(&s, &out);
	assert_string_equal(again, text);
	return s;
}

static void test_hub__positions(void **state)
{
	(void)state;
	static const char *const bad[] = { "",
					   "B",
					   "bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
					   "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwww",
					   "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwww",
					   "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwx" };
	struct draughts start, s = position_of(HUB_START);
	draughts_start(&start, NULL);
	assert_memory_equal(&s, &start, sizeof s);
	s = position_of("WeeeeeBeeeeeeeeeeeeeeeeeeeeeeeeeW");
	assert_int_equal(s.turn, DRAUGHTS_WHITE);
	assert_true(s.kings == (s.pieces[0] | s.pieces[1]));
	assert_true(s.pieces[DRAUGHTS_BLACK] == draughts_bit(draughts_bit_of(6)));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(hub_position_parse(&s, bad[i], NULL), QV_BAD_INPUT);
}

/* Every legal move of random games is read back as one with the same result. */
static void test_hub__moves(void **state)
{
	(void)state;
	uint64_t throws = 0;
	int captures = 0;
	for (int n = 0; n < 50; n++) {
		struct draughts s;
		int32_t points[2];
		draughts_start(&s, NULL);
		while (draughts_result(&s, points) == QV_GOING) {
			qv_move list[DRAUGHTS_MAX_MOVES], read;
			const int count = draughts_moves(&s, list);
			for (int i = 0; i < count; i++) {
				char text[QV_MOVE_TEXT] = "";
				struct qv_text out = { text, sizeof text, 0 };
				struct draughts a = s, b = s;
				hub_move_text(list[i], &out);
				if (!hub_move_parse(&s, text, &read))
					fail_msg("%s", text);
				draughts_play(&a, list[i]);
				draughts_play(&b, read);
				assert_memory_equal(&a, &b, sizeof a);
				captures += draughts_jumps(list[i]) > 1;
			}
			draughts_play(&s, list[qv_random_below_at(5, throws++, (uint64_t)count)]);
		}
	}
	assert_true(captures > 0);
	/* White's man takes two pieces, in any order; both must be named, once. */
	const struct draughts s = position_of("WeeeeeeeeeebeeeeeebeewweeeeeeeeeW");
	static const char *const bad[] = {
		"22x8",	   "22x8x18",	  "22x8x11x18x18", "22-8",
		"22x15x8", "22x8x11x18 ", "22x8x18x18",	   "22x8x11x18x1x2x3x4x5x6x7x9x10",
		"",	   "x",		  "22x",	   "0-1",
		"22--8",   "22x8-11x18",  "21-17",	   "22x8x11x99999999999999999999"
	};
	qv_move move;
	assert_true(hub_move_parse(&s, "22x8x18x11", &move));
	assert_int_equal(draughts_jumps(move), 2);
	assert_true(hub_move_parse(&s, "22x8x11x18", &move));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (hub_move_parse(&s, bad[i], &move))
			fail_msg("%s", bad[i]);
}

static void test_hub__arguments(void **state)
{
	(void)state;
	char line[] = "  a=1 flag\tb = \"two words\" c=\"\" d=x=y e= f", *rest = line;
	static const char *const pairs[][2] = { { "a", "1" }, { "flag", "" }, { "b", "two words" },
						{ "c", "" },  { "d", "x=y" }, { "e", "f" } };
	char *name, *value;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		assert_int_equal(hub_argument(&rest, &name, &value), HUB_ARGUMENT);
		assert_string_equal(name, pairs[i][0]);
		assert_string_equal(value, pairs[i][1]);
	}
	assert_int_equal(hub_argument(&rest, &name, &value), HUB_END);
	static const char *const bad[] = { "=", "=1", "\"a\"=1", "a\"=1", "a=\"1" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char copy[16];
		snprintf(copy, sizeof copy, "%s", bad[i]);
		rest = copy;
		assert_int_equal(hub_argument(&rest, &name, &value), HUB_BAD);
	}
	struct string out = { .allocator = &mem_malloc };
	hub_add(&out, "a", "b");
	hub_add(&out, "c", "");
	hub_add(&out, "d", "e \"f\" g=h");
	string_add(&out, "", 1);
	assert_string_equal(out.data, " a=b c=\"\" d=\"e 'f' g=h\"");
	string_release(&out);
	static const struct {
		const char *text;
		int64_t value;
	} numbers[] = {
		{ "0", 0 },    { "1", 1000 },	       { "-0.25", -250 }, { "+2.5", 2500 },
		{ ".5", 500 }, { "291.5879", 291587 }, { "3.", 3000 },	  { "007.01", 7010 }
	};
	int64_t n;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		assert_true(hub_number(numbers[i].text, &n));
		assert_int_equal(n, numbers[i].value);
	}
	assert_true(hub_number("99999999999999999999999999", &n) && n > INT32_MAX);
	static const char *const none[] = { "", "-", ".", "1e3", "nan", "1.2.3", " 1", "1 " };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(hub_number(none[i], &n));
}

/* ---- The engine ---- */

#define PLAIN "alphabeta:depth=1,tt=0,sort=0,killers=0,history=0"

static void test_hub__a_game(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "hub", "*\nwait\n" },
		{ "set-param name=seed value=7", "" },
		{ "set-param name=hash value=many",
		  "error message=\"hash: 'many' is not a whole number from 0 to 1048576\"\n" },
		{ "set-param name=variant value=killer",
		  "error message=\"set-param 'variant': there is no such parameter\"\n" },
		{ "set-param name=seed",
		  "error message=\"set-param: name= or value= is missing\"\n" },
		{ "init", "ready\n" },
		{ "new-game", "" },
		{ "pos pos=" HUB_START " moves=\"11-15 22-18 15x22x18\"", "" },
		{ "level depth=1", "" },
		{ "go think", "*\ndone move=25x18x22\n" },
		{ "pos pos=WeeeeeeeeeebeeeeeebeewweeeeeeeeeW unknown=1", "" },
		{ "go think", "*\ndone move=22x8x18x11\n" },
		{ "ping", "pong\n" },
		{ "ponder-hit", "" },
		{ "stop", "" },
		{ "", "" },
		{ "what is this", "" },
		/* The last piece is captured: a win in one ply. */
		{ "pos pos=BeeeeeeeeeeBeeeweeeeeeeeeeeeeeeee", "" },
		{ "go think", "info depth=1 score=99.99 nodes=1 pv=\"11x18x15\"\n"
			      "done move=11x18x15\n" },
		{ "pos", "error message=\"pos: pos= is missing\"\n" },
		{ "go think", "error message=\"go: no valid position: pos: pos= is missing\"\n" },
		{ "pos pos=" HUB_START " moves=11-16x",
		  "error message=\"pos: move '11-16x' is not legal\"\n" },
		{ "pos pos=" HUB_START " moves=\"11-15",
		  "error message=\"pos: expected NAME=VALUE, quoted if the value holds blanks\"\n" },
		{ "pos pos=Bwbbbbbbbbbbbeeeeeeeewwwwwwwwwwwe",
		  "error message=\"position: White's piece on square 1 must be a king (K1)\"\n" },
		{ "pos pos=BeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeW", "" },
		{ "go think", "error message=\"go: the game has ended\"\n" },
		{ "go", "error message=\"go: expected think, ponder or analyze\"\n" },
		{ "pos pos=" HUB_START, "" },
		{ "level depth=x", "error message=\"level: depth 'x' is not a number\"\n" },
		{ "level depth=-3", "error message=\"level: depth '-3' is less than 1\"\n" },
		{ "level depth=0", "error message=\"level: depth '0' is less than 1\"\n" },
		{ "level depth=2.5", "error message=\"level: depth '2.5' is not a number\"\n" },
		{ "level nodes=-4", "error message=\"level: nodes '-4' is less than 1\"\n" },
		{ "level moves=-1 time=5", "error message=\"level: moves '-1' is less than 0\"\n" },
		{ "level move-time=-0.5",
		  "error message=\"level: move-time '-0.5' is less than 0\"\n" },
		{ "level time=soon", "error message=\"level: time 'soon' is not a number\"\n" },
		{ "level time=5 inc=-1", "error message=\"level: inc '-1' is less than 0\"\n" },
		{ "level \"",
		  "error message=\"level: expected NAME=VALUE, quoted if the value holds "
		  "blanks\"\n" },
		{ "go think", "*\n" },
		{ 0 },
	};
	transcript("hub", PLAIN, turns);
}

/* Hub has no draw by repetition or by count: the engine continues after ours. */
static void test_hub__plays_on_after_a_draw(void **state)
{
	(void)state;
	struct bench b = { 0 };
	struct string line = { .allocator = &mem_malloc };
	bench_open(&b, "hub", PLAIN);
	string_addf(&line, "pos pos=BBeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeW moves=\"");
	for (int i = 0; i < 60; i++)
		string_addf(&line, "1-6 32-27 6-1 27-32 ");
	string_addf(&line, "\"");
	string_add(&line, "", 1);
	assert_string_equal(ask(&b, line.data), "");
	assert_non_null(strstr(ask(&b, "go think"), "done move=1-"));
	string_release(&line);
	bench_close(&b);
}

static void test_hub__limits_of_every_kind(void **state)
{
	(void)state;
	static const char *const levels[] = { "level depth=2",
					      "level nodes=500",
					      "level move-time=0.01",
					      "level time=0.1",
					      "level time=-5 inc=0.001",
					      "level moves=3 time=0.2",
					      "level time=99999999999999999999999 depth=1",
					      "level move-time=0",
					      "level move-time=0.001 unknown=2 flag",
					      "level depth=99999999999 nodes=100" };
	struct bench b = { 0 };
	bench_open(&b, "hub", NULL);
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		assert_string_equal(ask(&b, levels[i]), "");
		const char *answer = ask(&b, "go think"), *done = strstr(answer, "done move=");
		if (!done || strstr(done + 1, "done "))
			fail_msg("%s: %s", levels[i], answer);
	}
	bench_close(&b);
}

/* What comes during a search: pings are answered, and stop ends it; other lines wait. */
static void test_hub__lines_during_a_search(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "hub", PLAIN);
	ask(&b, "level infinite");
	b.out.length = 0;
	assert_int_equal(feed(&b, "go analyze"), NEXT_THINK);
	assert_int_equal(feed(&b, "ping"), NEXT_LINE);
	assert_string_equal(text_of(&b), "pong\n");
	feed(&b, "stop");
	feed(&b, "pos pos=WeeeeeeeeeebeeeeeebeewweeeeeeeeeW");
	feed(&b, "go ponder");
	feed(&b, "stop");
	feed(&b, "ping");
	finish(&b, NEXT_THINK);
	const char *first = strstr(text_of(&b), "done move=");
	const char *second = first ? strstr(first + 1, "done move=22x8x18x11") : NULL;
	assert_true(second && strstr(second, "\npong\n") && !strstr(second + 1, "done"));
	/* The clock begins with ponder-hit; without it the answer would wait forever. */
	ask(&b, "level depth=1");
	b.out.length = 0;
	assert_int_equal(feed(&b, "go ponder"), NEXT_THINK);
	feed(&b, "ponder-hit");
	finish(&b, NEXT_THINK);
	assert_non_null(strstr(text_of(&b), "done move=22x8x18x11"));
	/* A line that cannot be read may have been a position. */
	b.out.length = 0;
	char bad[] = "pos pos=\x01";
	connection_line(b.connection, bad, strlen(bad), &b.out);
	connection_line_too_long(b.connection, &b.out);
	assert_string_equal(text_of(&b), "error message=\"the line holds control characters\"\n"
					 "error message=\"the line is too long\"\n");
	assert_string_equal(ask(&b, "go think"),
			    "error message=\"go: no valid position: the line is too long\"\n");
	assert_int_equal(feed(&b, "quit"), NEXT_QUIT);
	bench_close(&b);
}

static void test_hub__is_for_draughts(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct connection *c = NULL;
	struct qv_error error;
	const struct connection_setup setup = { .context = context,
						.protocol = "hub",
						.game = "chess" };
	assert_int_equal(connection_new(&setup, &c, &error), QV_UNSUPPORTED);
	assert_string_equal(error.text, "protocol hub: only draughts fits it, not chess");
	qv_context_free(context);
}

/* ---- The manager ---- */

static void test_hub_manager__speaks_hub(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("hub", 3) };
	assert_non_null(m.ops);
	m.ops->hello(&m, &out);
	assert_string_equal(said(&out), "hub\n");
	assert_int_equal(tell(&m, "id name=Scan version=3.0 author=\"F L\""), MANAGER_QUIET);
	assert_int_equal(tell(&m, "param name=book value=true type=bool"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "ready"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "wait"), MANAGER_READY);
	assert_string_equal(m.name, "Scan 3.0");
	m.ops->set(&m, "book", "a b", &out);
	m.ops->new_game(&m, "draughts", &out);
	assert_string_equal(said(&out), "set-param name=book value=\"a b\"\ninit\n");
	assert_int_equal(tell(&m, "pong"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "ready"), MANAGER_READY);
	struct manager_question q = { .moves = "11-15 22-18",
				      .legal = "",
				      .seats = 2,
				      .seat = 1,
				      .nodes = 7,
				      .clocks = true,
				      .left_ms = { 1000, 90050 },
				      .added_ms = { 10, 20 } };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "pos pos=" HUB_START " moves=\"11-15 22-18\"\n"
					"level nodes=7 time=90.050 inc=0.020\ngo think\n");
	assert_int_equal(tell(&m, "info depth=9 mean-depth=7.1 score=-1.25 nodes=5 nps=8.0 "
				  "pv=\"15x22x18 25x18x22\""),
			 MANAGER_INFO);
	assert_int_equal(m.info.depth, 9);
	assert_int_equal(m.info.score, -125);
	assert_int_equal(m.info.nodes, 5);
	assert_false(m.info.proven);
	assert_string_equal(m.info.pv, "15x22x18 25x18x22");
	tell(&m, "info score=99.87");
	assert_true(m.info.proven && m.info.score == QV_WIN - 13);
	tell(&m, "info score=-99.90");
	assert_true(m.info.proven && m.info.score == 10 - QV_WIN);
	tell(&m, "info score=99999999999999999999");
	assert_true(!m.info.proven && m.info.score == QV_MAX_EVAL);
	assert_int_equal(tell(&m, "info score=\"a nodes=-1 ="), MANAGER_INFO);
	assert_int_equal(m.info.nodes, 5);
	assert_int_equal(tell(&m, "done move=15x22x18 ponder=25x18x22"), MANAGER_MOVE);
	assert_string_equal(m.move, "15x22x18");
	assert_int_equal(tell(&m, "done move=15x22x18"), MANAGER_QUIET);
	m.ops->new_game(&m, "draughts", &out);
	assert_string_equal(said(&out), "new-game\nping\n");
	assert_int_equal(tell(&m, "pong"), MANAGER_READY);
	q = (struct manager_question){ .start = "WeeW", .moves = "", .legal = "", .time_ms = 500 };
	m.ops->ask(&m, &q, &out);
	m.ops->stop(&m, &out);
	assert_string_equal(said(&out), "pos pos=WeeW\nlevel move-time=0.500\ngo think\nstop\n");
	assert_int_equal(tell(&m, "error message=\"no such square\""), MANAGER_REFUSED);
	assert_string_equal(m.error.text, "error no such square");
	string_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hub__positions),
		cmocka_unit_test(test_hub__moves),
		cmocka_unit_test(test_hub__arguments),
		cmocka_unit_test(test_hub__a_game),
		cmocka_unit_test(test_hub__plays_on_after_a_draw),
		cmocka_unit_test(test_hub__limits_of_every_kind),
		cmocka_unit_test(test_hub__lines_during_a_search),
		cmocka_unit_test(test_hub__is_for_draughts),
		cmocka_unit_test(test_hub_manager__speaks_hub),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
