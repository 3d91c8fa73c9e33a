/*
 * chess_tables.c - the endgame tables of chess: those that are built in, the numbering of four
 * pieces, and tables of other programs behind struct qv_prober.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"
#include "support/tables.h"

#include "games/chess/index.h"
#include "protocols/protocol.h"
#include "search/engine.h"

static const char *const KRK = "8/8/8/4K3/R7/5k2/8/8 w - - 0 1";

/* ---- Built-in tables ---- */

static void test_built_in__every_entry_follows_from_the_rules(void **state)
{
	const struct spot s = spot_at(*state, "chess", NULL);
	assert_int_equal(tables_check_built_in(*state, &s.rules, "kpk"), 722944);
}

/* Mates on move 16 with the rook, 10 with the queen, 28 with the pawn: published figures. */
static void test_built_in__longest_wins_are_those_published(void **state)
{
	static const struct {
		const char *name;
		int longest;
	} known[] = { { "kk", -1 },  { "krk", 32 }, { "kqk", 20 },
		      { "knk", -1 }, { "kbk", -1 }, { "kpk", 56 } };
	const struct spot s = spot_at(*state, "chess", NULL);
	struct qv_tables *tables;
	struct qv_table table = { .size = sizeof table };
	assert_int_equal(qv_tables_open(*state, &s.rules, NULL, &tables, NULL), QV_OK);
	for (int i = 0; i < 6; i++) {
		assert_true(qv_tables_at(tables, i, &table));
		assert_string_equal(table.space.name, known[i].name);
		assert_true(table.there);
		assert_int_equal(table.longest, known[i].longest);
	}
	assert_true(qv_tables_at(tables, 6, &table));
	assert_false(table.there);
	qv_tables_close(tables);
}

/* A solver finds the value without a folder, and gives the search what is in no table. */
static void test_solver__looks_up_three_pieces(void **state)
{
	static const struct {
		const char *position;
		enum qv_value value;
		int in;
	} cases[] = { { "8/8/8/4K3/R7/5k2/8/8 w - - 0 1", QV_VALUE_WIN, 17 },
		      { "8/8/8/8/8/2k5/1p6/1K6 w - - 0 1", QV_VALUE_LOSS, 8 },
		      { "8/8/8/8/8/2k5/1p6/1K6 b - - 0 1", QV_VALUE_DRAW, -1 },
		      { "8/8/8/4k3/8/8/1B6/K7 b - - 0 1", QV_VALUE_DRAW, -1 },
		      /* Mate just before the fifty-move rule. */
		      { "k7/7R/8/1K6/8/8/8/8 w - - 96 80", QV_VALUE_WIN, 3 },
		      /* Five pieces: a mate in one for the search. */
		      { "k7/7R/1K4R1/8/8/8/8/7r w - - 0 1", QV_VALUE_WIN, 1 } };
	const struct spot s = spot_at(*state, "chess", NULL);
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solver *solver;
	assert_int_equal(qv_solver_new(*state, &s.rules, 1 << 20, &solver, NULL), QV_OK);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot at = spot_at(*state, "chess", cases[i].position);
		struct qv_solution found = { .size = sizeof found };
		assert_int_equal(qv_solver_solve(solver, at.state, &limits, &found, NULL), QV_OK);
		assert_int_equal(found.value, cases[i].value);
		assert_int_equal(found.in, cases[i].in);
	}
	qv_solver_free(solver);
}

/* Plays both sides to the end: mate comes exactly when the first answer says. */
static void test_strongest__mates_in_the_moves_of_the_table(void **state)
{
	const struct spot start = spot_at(*state, "chess", KRK);
	char spec[STRONGEST_SPEC];
	int32_t points[QV_MAX_SEATS];
	strongest_player(start.rules.game, "depth=100", spec);
	struct qv_player *player = player_new(&start, spec);
	struct spot s = start;
	for (int left = 17; left > 0; left--) {
		struct qv_answer a = { .size = sizeof a };
		const struct qv_limits limits = limits_at(&s);
		assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_OK);
		assert_true(a.proven);
		assert_true(a.table_hits > 0);
		assert_int_equal(a.score, left % 2 ? QV_WIN - left : left - QV_WIN);
		assert_int_equal(a.line_length, left);
		spot_play(&s, a.move);
	}
	assert_int_equal(start.rules.game->result(s.state, points), QV_ENDED);
	qv_player_free(player);
}

/* Positions that no table contains cost nothing: the search counts the same nodes. */
static void test_strongest__searches_other_positions_as_before(void **state)
{
	const struct spot s = spot_at(*state, "chess", NULL);
	struct qv_answer with = { .size = sizeof with }, without = { .size = sizeof without };
	struct qv_player *one = player_new(&s, "selective:depth=6,prove=30000"),
			 *other = player_new(&s, "selective:depth=6");
	const struct qv_limits limits = limits_at(&s);
	assert_int_equal(qv_player_think(one, s.state, &limits, NULL, &with, NULL), QV_OK);
	assert_int_equal(qv_player_think(other, s.state, &limits, NULL, &without, NULL), QV_OK);
	assert_int_equal(with.move, without.move);
	assert_int_equal(with.nodes, without.nodes);
	assert_int_equal(with.table_hits, 0);
	qv_player_free(one);
	qv_player_free(other);
}

/* ---- The numbers of four pieces ---- */

static struct chess position(const char *fen)
{
	struct chess s;
	assert_int_equal(chess_position_parse(&s, NULL, fen, NULL), QV_OK);
	return s;
}

/* Mirrored boards, and boards with the colours exchanged, share a number. */
static void test_index__symmetric_positions_share_a_number(void **state)
{
	static const struct {
		const char *space, *one, *other;
	} cases[] = {
		{ "kqkr", "8/8/8/3k4/5r2/8/1Q6/K7 w - - 0 1", "k7/1q6/8/5R2/3K4/8/8/8 b - - 0 1" },
		{ "kqkr", "8/8/8/3k4/5r2/8/1Q6/K7 b - - 0 1", "8/8/8/4k3/2r5/8/6Q1/7K b - - 0 1" },
		{ "kbnk", "8/8/8/3k4/8/8/1B3N2/K7 w - - 0 1", "k7/1b3n2/8/8/3K4/8/8/8 b - - 0 1" },
		{ "kbbk", "8/8/8/3k4/8/8/1BB5/K7 w - - 0 1", "7K/5BB1/8/8/4k3/8/8/8 w - - 0 1" },
		{ "krkr", "8/8/8/3k4/5r2/8/1R6/K7 w - - 0 1", "k7/1r6/8/5R2/3K4/8/8/8 b - - 0 1" },
		{ "kppk", "8/8/8/3k4/8/8/1P4P1/K7 w - - 0 1", "7k/1p4p1/8/8/4K3/8/8/8 b - - 0 1" },
		{ "knkp", "8/8/8/3k4/5p2/8/1N6/K7 w - - 0 1", "8/8/8/4k3/2p5/8/6N1/7K w - - 0 1" },
		{ "kpkp", "8/8/8/3k4/5p2/8/1P6/K7 w - - 0 1", "k7/1p6/8/5P2/3K4/8/8/8 b - - 0 1" },
		{ "kpkp-ep", "8/8/8/k2pP3/8/8/8/K7 w - d6 0 2", "k7/8/8/8/K2Pp3/8/8/8 b - d3 0 1" },
	};
	const struct spot s = spot_at(*state, "chess", NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct chess one = position(cases[i].one), other = position(cases[i].other);
		struct qv_place a, b;
		struct qv_space space;
		struct chess back;
		assert_true(chess_find(&one, NULL, &a));
		assert_true(chess_find(&other, NULL, &b));
		assert_true(chess_space(s.rules.options, a.space, &space));
		assert_string_equal(space.name, cases[i].space);
		assert_int_equal(a.space, b.space);
		assert_int_equal(a.number, b.number);
		assert_true(a.number < space.size);
		assert_true(chess_decode(&back, NULL, NULL, a.space, a.number));
		assert_true(chess_find(&back, NULL, &b));
		assert_int_equal(a.number, b.number);
	}
	/* Rights, or a fifth piece. */
	struct qv_place place;
	const struct chess castling = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
			   five = position("8/8/8/3k4/5r2/2p5/1R6/K7 w - - 0 1");
	assert_false(chess_find(&castling, NULL, &place));
	assert_false(chess_find(&five, NULL, &place));
}

/*
 * For random positions of every space: moves that stay in the group are exactly those that the
 * parents of the positions after them list.
 */
static void test_index__parents_are_the_positions_before(void **state)
{
	static struct chess parents[CHESS_MAX_PARENTS];
	static qv_move moves[CHESS_MAX_MOVES], back[CHESS_MAX_MOVES];
	struct qv_random random = { 4, 1 };
	struct qv_space facts;
	(void)state;
	for (int space = CHESS_THREE_MEN; chess_space(NULL, space, &facts); space++)
		for (int64_t left = scaled(400); left > 0; left--) {
			struct chess s;
			const uint64_t number = qv_random_below(&random, facts.size);
			if (!chess_decode(&s, NULL, NULL, space, number))
				continue;
			const int count = chess_moves(&s, moves);
			for (int i = 0; i < count; i++) {
				struct chess child = s;
				struct qv_place place;
				chess_play(&child, moves[i]);
				assert_true(chess_find(&child, NULL, &place));
				if (chess_takes(moves[i]) || chess_promotes(moves[i])) {
					assert_true(place.space < space);
					continue;
				}
				const int n = chess_parents(&child, parents);
				int found = 0;
				for (int k = 0; k < n; k++)
					found += parents[k].key == s.key;
				assert_int_equal(found, 1);
			}
			/* Each listed parent that is legal has a move that leads here. */
			const int n = chess_parents(&s, parents);
			assert_true(n <= CHESS_MAX_PARENTS);
			for (int k = 0; k < n; k++) {
				struct qv_place place;
				bool leads = false;
				if (!chess_find(&parents[k], NULL, &place))
					continue;
				const int m = chess_moves(&parents[k], back);
				for (int i = 0; i < m; i++) {
					struct chess child = parents[k];
					chess_play(&child, back[i]);
					leads |= child.key == s.key;
				}
				assert_true(leads);
			}
		}
}

/* ---- Tables of other programs ---- */

/* Stands in for such tables: every position with five pieces is won by the first legal move. */
struct fake {
	char folder[64];
	int probes;
};

static bool fake_probe(void *ctx, const struct qv_rules *rules, const void *state,
		       struct qv_solution *out)
{
	struct fake *f = ctx;
	const struct chess *s = state;
	static qv_move moves[CHESS_MAX_MOVES];
	f->probes++;
	if (bits_count(chess_occupied(s)) != 5)
		return false;
	rules->game->moves(state, moves);
	*out = (struct qv_solution){ .size = sizeof(struct qv_solution),
				     .value = QV_VALUE_WIN,
				     .in = -1,
				     .move = moves[0] };
	return true;
}

static enum qv_status fake_open(void *ctx, const char *folder, struct qv_error *error)
{
	struct fake *f = ctx;
	if (strcmp(folder, "empty") == 0)
		return qv_fail(error, QV_IO, "%s: there are no tables", folder);
	snprintf(f->folder, sizeof f->folder, "%s", folder);
	return QV_OK;
}

static const char *const FIVE = "8/8/8/3k4/5r2/2p5/1R6/K7 w - - 0 1";

static void test_prober__gives_value_and_move(void **state)
{
	struct fake fake = { .probes = 0 };
	const struct qv_prober prober = { .size = sizeof prober,
					  .probe = fake_probe,
					  .open = fake_open,
					  .ctx = &fake };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .threads = 1, .hash_mb = 1, .prober = &prober
	};
	const struct spot s = spot_at(*state, "chess", FIVE);
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	qv_move moves[CHESS_MAX_MOVES];
	struct qv_solver *solver;
	struct qv_solution found = { .size = sizeof found };
	struct qv_player *player;
	struct qv_answer a = { .size = sizeof a };
	s.rules.game->moves(s.state, moves);
	assert_int_equal(qv_solver_new_with(*state, &s.rules, &defaults, 1 << 20, &solver, NULL),
			 QV_OK);
	assert_int_equal(qv_solver_solve(solver, s.state, &limits, &found, NULL), QV_OK);
	assert_int_equal(found.value, QV_VALUE_WIN);
	assert_int_equal(found.in, -1);
	qv_solver_free(solver);
	/* The distance is unknown, so the score is high but not that of a mate. */
	assert_int_equal(qv_player_new(*state, &s.rules, "selective:depth=3,prove=1", &defaults,
				       &player, NULL),
			 QV_OK);
	struct qv_limits how = limits_at(&s);
	assert_int_equal(qv_player_think(player, s.state, &how, NULL, &a, NULL), QV_OK);
	assert_int_equal(a.move, moves[0]);
	assert_int_equal(a.table_hits, 1);
	assert_false(a.proven);
	assert_true(a.score > 10000 && a.score <= QV_MAX_EVAL);
	/* A move that the limits exclude is searched instead. */
	how.only = &moves[1];
	how.only_count = 1;
	assert_int_equal(qv_player_think(player, s.state, &how, NULL, &a, NULL), QV_OK);
	assert_int_equal(a.move, moves[1]);
	assert_int_equal(a.table_hits, 0);
	/* The built-in tables come first. */
	const struct spot three = spot_at(*state, "chess", KRK);
	fake.probes = 0;
	how = limits_at(&three);
	assert_int_equal(qv_player_think(player, three.state, &how, NULL, &a, NULL), QV_OK);
	assert_int_equal(a.score, QV_WIN - 17);
	assert_int_equal(fake.probes, 0);
	qv_player_free(player);
}

/* Sends a line to a UCI session and returns what it prints. */
static const char *told(struct connection *c, struct string *out, const char *line)
{
	char text[128];
	snprintf(text, sizeof text, "%s", line);
	out->length = 0;
	connection_line(c, text, strlen(text), out);
	return out->length ? out->data : "";
}

static void test_prober__folder_is_an_option_of_chess(void **state)
{
	struct fake fake = { .probes = 0 };
	const struct qv_prober prober = { .size = sizeof prober,
					  .probe = fake_probe,
					  .open = fake_open,
					  .ctx = &fake };
	struct connection_setup how = { .context = *state,
					.protocol = "uci",
					.game = "chess",
					.defaults = {
						.threads = 1, .hash_mb = 1, .prober = &prober } };
	struct string out = { .allocator = &mem_malloc };
	struct connection *c;
	assert_int_equal(connection_new(&how, &c, NULL), QV_OK);
	assert_non_null(strstr(told(c, &out, "uci"), "option name SyzygyPath type string"));
	assert_string_equal(told(c, &out, "setoption name SyzygyPath value some"), "");
	assert_string_equal(fake.folder, "some");
	assert_non_null(strstr(told(c, &out, "setoption name SyzygyPath value empty"),
			       "info string error: empty: there are no tables"));
	told(c, &out, "setoption name SyzygyPath value");
	assert_string_equal(fake.folder, "");
	connection_free(c);
	/* Not without a prober. */
	how.defaults.prober = NULL;
	assert_int_equal(connection_new(&how, &c, NULL), QV_OK);
	assert_null(strstr(told(c, &out, "uci"), "SyzygyPath"));
	connection_free(c);
	string_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_built_in__every_entry_follows_from_the_rules),
		cmocka_unit_test(test_built_in__longest_wins_are_those_published),
		cmocka_unit_test(test_solver__looks_up_three_pieces),
		cmocka_unit_test(test_strongest__mates_in_the_moves_of_the_table),
		cmocka_unit_test(test_strongest__searches_other_positions_as_before),
		cmocka_unit_test(test_index__symmetric_positions_share_a_number),
		cmocka_unit_test(test_index__parents_are_the_positions_before),
		cmocka_unit_test(test_prober__gives_value_and_move),
		cmocka_unit_test(test_prober__folder_is_an_option_of_chess),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
