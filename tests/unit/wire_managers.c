/*
 * wire_managers.c - the managers of UCI and XBoard: what they say, and what they make of an engine's
 * lines.
 * SPDX-License-Identifier: MIT
 */
#include "support/wire_bench.h"

static void test_uci_manager__speaks_uci(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("uci", 3) };
	assert_non_null(m.ops);
	m.ops->hello(&m, &out);
	assert_string_equal(said(&out), "uci\n");
	assert_int_equal(tell(&m, "id name Stockfish 15.1"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "option name Hash type spin"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "uciok"), MANAGER_READY);
	assert_string_equal(m.name, "Stockfish 15.1");
	m.ops->set(&m, "UCI_Elo", "2600", &out);
	m.ops->new_game(&m, "chess", &out);
	assert_string_equal(said(&out), "setoption name UCI_Elo value 2600\nucinewgame\nisready\n");
	assert_int_equal(tell(&m, "readyok"), MANAGER_READY);
	const struct manager_question q = { .moves = "e2e4",
					    .legal = "",
					    .seats = 2,
					    .seat = 1,
					    .nodes = 7,
					    .clocks = true,
					    .left_ms = { 1000, 900 },
					    .added_ms = { 10, 20 } };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "position startpos moves e2e4\n"
					"go nodes 7 wtime 1000 btime 900 winc 10 binc 20\n");
	assert_int_equal(tell(&m, "info depth 9 multipv 2 score cp 99 pv a7a6"), MANAGER_QUIET);
	assert_int_equal(tell(&m,
			      "info depth 9 seldepth 12 multipv 1 score cp -12 lowerbound nodes 5 "
			      "pv e7e5 g1f3"),
			 MANAGER_INFO);
	assert_int_equal(m.info.score, -12);
	assert_string_equal(m.info.pv, "e7e5 g1f3");
	assert_int_equal(tell(&m, "bestmove e7e5 ponder g1f3"), MANAGER_MOVE);
	assert_string_equal(m.move, "e7e5");
	string_release(&out);
}

static struct manager xboard_ready(struct string *out)
{
	struct manager m = { .ops = manager_find("xboard", 6) };
	assert_non_null(m.ops);
	m.ops->hello(&m, out);
	assert_string_equal(said(out), "xboard\nprotover 2\n");
	assert_int_equal(tell(&m, "feature done=0"), MANAGER_QUIET);
	assert_true(m.slow);
	assert_int_equal(tell(&m, "feature myname=\"A B\" ping=1 usermove=1 san=1 unknown=\"x"),
			 MANAGER_QUIET);
	assert_int_equal(tell(&m, "feature setboard=1 done=1"), MANAGER_READY);
	assert_string_equal(m.name, "A B");
	m.ops->set(&m, "memory", "8", out);
	m.ops->set(&m, "Skill", "3", out);
	m.ops->set(&m, "Clear Hash", "", out);
	m.ops->new_game(&m, "chess", out);
	assert_string_equal(said(out),
			    "memory 8\noption Skill=3\noption Clear Hash\naccepted ping\n"
			    "accepted setboard\naccepted usermove\naccepted myname\n"
			    "rejected san\nnew\neasy\npost\nforce\nping 1\n");
	assert_int_equal(tell(&m, "pong 7"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "pong 1"), MANAGER_READY);
	return m;
}

static void test_xboard_manager__goes_on_from_move_to_move(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = xboard_ready(&out);
	struct manager_question q = { .moves = "",
				      .legal = "",
				      .seats = 2,
				      .seat = 0,
				      .clocks = true,
				      .left_ms = { 65000, 60000 },
				      .added_ms = { 1500, 1500 },
				      .depth = 4 };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "level 0 1:05 1.500\nsd 4\ntime 6500\notim 6000\ngo\n");
	assert_int_equal(tell(&m, "1. e2e4"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "12 35 120 45678 e2e4 e7e5"), MANAGER_INFO);
	assert_int_equal(m.info.depth, 12);
	assert_int_equal(m.info.score, 35);
	assert_int_equal(m.info.nodes, 45678);
	assert_string_equal(m.info.pv, "e2e4 e7e5");
	assert_int_equal(tell(&m, "9. -100003 1 2 5 6 7\te2e4"), MANAGER_INFO);
	assert_true(m.info.proven && m.info.score == 6 - QV_WIN);
	assert_string_equal(m.info.pv, "e2e4");
	assert_int_equal(tell(&m, "9& 100002 1 2 e2e4"), MANAGER_INFO);
	assert_int_equal(m.info.score, QV_WIN - 3);
	assert_int_equal(tell(&m, "9 99999999999999 1 2"), MANAGER_INFO);
	assert_int_equal(m.info.score, QV_MAX_EVAL);
	assert_int_equal(tell(&m, "Illegal weather"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "move e2e4"), MANAGER_MOVE);
	assert_string_equal(m.move, "e2e4");
	assert_int_equal(tell(&m, "move e2e4"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "Illegal move: e2e4"), MANAGER_QUIET);
	q.moves = "e2e4 e7e5";
	q.left_ms[0] = 64000;
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "time 6400\notim 6000\nusermove e7e5\n");
	assert_int_equal(tell(&m, "My move is: g1f3"), MANAGER_MOVE);
	/* Somebody took something back: all of it again. */
	q.moves = "e2e4 c7c5";
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "new\neasy\npost\nforce\nusermove e2e4\nusermove c7c5\n"
					"level 0 1:04 1.500\nsd 4\ntime 6400\notim 6000\ngo\n");
	assert_int_equal(tell(&m, "my move is : g1f3"), MANAGER_MOVE);
	q.moves = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4";
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "force\nusermove d7d6\nusermove d2d4\nusermove c5d4\n"
					"time 6400\notim 6000\ngo\n");
	assert_int_equal(tell(&m, "Illegal move: sd 4"), MANAGER_QUIET); /* it knows no sd */
	assert_int_equal(tell(&m, "Illegal move (why?): d7d6"), MANAGER_REFUSED);
	m.ops->stop(&m, &out);
	m.ops->quit(&m, &out);
	assert_string_equal(said(&out), "?\nquit\n");
	string_release(&out);
}

static void test_xboard_manager__times_and_resignation(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = xboard_ready(&out);
	struct manager_question q = { .start = "8/8/8/8/8/8/8/8 w - - 0 1",
				      .moves = "",
				      .legal = "",
				      .seats = 2,
				      .time_ms = 2000 };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out),
			    "new\neasy\npost\nforce\nsetboard 8/8/8/8/8/8/8/8 w - - 0 1\n"
			    "st 2\ntime 200\notim 200\ngo\n");
	assert_int_equal(tell(&m, "resign"), MANAGER_RESIGNS);
	assert_int_equal(tell(&m, "resign"), MANAGER_QUIET);
	m.ops->new_game(&m, "chess", &out);
	assert_string_equal(said(&out), "new\neasy\npost\nforce\nping 2\n");
	q.start = NULL;
	q.time_ms = 100;
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "level 1 0:01 0\ntime 10\notim 10\ngo\n");
	assert_int_equal(tell(&m, "0-1 {White resigns}"), MANAGER_RESIGNS);
	/* Without ping there is no word for being ready. */
	m = (struct manager){ .ops = m.ops };
	m.ops->hello(&m, &out);
	tell(&m, "feature done=1");
	m.ops->new_game(&m, "chess", &out);
	assert_int_equal(m.awaited, 0);
	said(&out);
	q.moves = "e2e4";
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "e2e4\nlevel 1 0:01 0\ntime 10\notim 10\ngo\n");
	string_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uci_manager__speaks_uci),
		cmocka_unit_test(test_xboard_manager__goes_on_from_move_to_move),
		cmocka_unit_test(test_xboard_manager__times_and_resignation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
