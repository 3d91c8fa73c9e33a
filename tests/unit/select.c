/*
 * select.c - the selective search: plain alpha-beta's values where its keys are off, mates, draws,
 * limits; and what it asks of chess, against the slow way.
 * SPDX-License-Identifier: MIT
 */
#include "games/chess/evaluate.h"
#include "support/odd_armies.h"
#include "support/search.h"

enum { SPEC = 400, WANDER = 80 };

#define BARE                                                                               \
	"null=0,lmr=0,late=0,futility=0,see=0,delta=0,checks=0,extend=0,singular=0,iir=0," \
	"probcut=0,correct=0,twofold=0,quiet=0"

static const struct qv_game *chess(void **state)
{
	return spot_at(*state, "chess", NULL).rules.game;
}

/* ---- values ---- */

static void test_select__keys_off_is_alphabeta(void **state)
{
	struct qv_random random = { 5, 0 };
	char spec[SPEC], text[QV_POSITION_TEXT];
	for (int k = (int)scaled(80); k > 0; k--) {
		const struct qv_game *game =
			k % 4 ? chess(state) : spot_at(*state, "minichess", NULL).rules.game;
		const struct spot s = spot_random(*state, game, WANDER, &random);
		const int depth = depth_for(&s, 4, 30000);
		const struct qv_answer plain = think_to(&s, "alphabeta:quiet=0,tt=0", depth);
		snprintf(spec, sizeof spec,
			 "selective:" BARE ",tt-exact=1,tt=%d,killers=%d,history=%d,follow=%d,"
			 "window=%d",
			 (int)qv_random_below(&random, 2), (int)qv_random_below(&random, 3),
			 (int)qv_random_below(&random, 2), (int)qv_random_below(&random, 2),
			 (int)qv_random_below(&random, 2) * 15);
		const struct qv_answer answer = think_to(&s, spec, depth);
		if (answer.score != plain.score)
			fail_msg("%s gives %d, alphabeta %d at depth %d of %s", spec,
				 (int)answer.score, (int)plain.score, depth, spot_text(&s, text));
	}
}

/* A position of few men, white to move; false: it is none. */
static bool put_few(const struct qv_context *context, struct qv_random *random, struct spot *out)
{
	static const char men[] = "KkQRppn";
	char board[64], text[QV_POSITION_TEXT];
	size_t used = 0;
	memset(board, 0, sizeof board);
	for (const char *man = men; *man; man++) {
		const uint64_t at = qv_random_below(random, 64);
		if (board[at] || (*man == 'p' && (at < 8 || at >= 56)))
			return false;
		board[at] = *man;
	}
	for (int i = 0; i < 64; i++) {
		if (i && i % 8 == 0)
			text[used++] = '/';
		text[used++] = board[i] ? board[i] : '1';
	}
	strcpy(text + used, " w - - 0 1");
	struct qv_error error;
	int32_t points[QV_MAX_SEATS];
	*out = (struct spot){ .context = context };
	return qv_rules_parse(context, "chess", &out->rules, &error) == QV_OK &&
	       qv_position_parse(&out->rules, text, out->state, &error) == QV_OK &&
	       out->rules.game->result(out->state, points) == QV_GOING;
}

static void check_win(const struct spot *s, const struct qv_answer *answer, int plies)
{
	char text[QV_POSITION_TEXT];
	if (answer->score < QV_WIN - plies)
		fail_msg("%d where there is a mate in %d plies: %s", (int)answer->score, plies,
			 spot_text(s, text));
	assert_proof_shown(s, answer, "selective");
	if (!answer->proven)
		fail_msg("a mate in %d plies is not proven: %s", plies, spot_text(s, text));
}

/* Where full width finds a mate in two or three moves, so does the selective search. */
static void test_select__finds_mates(void **state)
{
	static const struct {
		const char *text;
		int plies;
	} known[] = {
		{ "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3 }, /* Morphy's problem */
		{ "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1", 3 },
		{ "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1 },
	};
	struct qv_random random = { 11, 0 };
	int found = 0;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct spot s = spot_at(*state, "chess", known[i].text);
		const struct qv_answer answer = think(&s, "selective:nodes=60000", NULL, NULL);
		check_win(&s, &answer, known[i].plies);
	}
	for (int k = (int)scaled(150); k > 0; k--) {
		struct spot s;
		if (!put_few(*state, &random, &s))
			continue;
		const struct qv_answer full = think_to(&s, "alphabeta:quiet=0,tt=1", 3);
		if (full.score < QV_WIN - 100)
			continue;
		const struct qv_answer answer = think(&s, "selective:nodes=60000", NULL, NULL);
		check_win(&s, &answer, QV_WIN - full.score);
		found++;
	}
	assert_true(found > 0 || scaled(150) < 150);
}

/* What it says is forced is so: full width confirms every mate of a selective search. */
static void test_select__mates_are_forced(void **state)
{
	struct qv_random random = { 12, 0 };
	char text[QV_POSITION_TEXT];
	for (int k = (int)scaled(100); k > 0; k--) {
		struct spot s;
		if (!put_few(*state, &random, &s))
			continue;
		const struct qv_answer answer = think(&s, "selective:nodes=3000", NULL, NULL);
		const int plies = QV_WIN - answer.score;
		if (plies < 1 || plies > 5)
			continue;
		const struct qv_answer full = think_to(&s, "alphabeta:quiet=0,tt=4", plies);
		if (full.score < answer.score)
			fail_msg("mate in %d plies is none: %s", plies, spot_text(&s, text));
	}
}

/* What can be won with few men is won, within the fifty moves. */
static void test_select__mates_a_lone_king(void **state)
{
	static const char *const texts[] = {
		"8/8/3k4/8/8/8/8/K6Q w - - 0 1",
		"8/8/3k4/8/8/8/8/K6R w - - 0 1",
		"8/8/3k4/8/8/8/8/K4BB1 w - - 0 1",
		"7k/8/5K2/8/8/4N3/4B3/8 w - - 0 1", /* the wrong corner */
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct spot s = spot_at(*state, "chess", texts[i]);
		struct qv_player *player = player_new(&s, "selective:nodes=12000,tt=4");
		int32_t points[QV_MAX_SEATS];
		while (!spot_ended(&s, points)) {
			const struct qv_limits limits = limits_at(&s);
			spot_play(&s, ask(player, &s, &limits, NULL).move);
		}
		if (qv_winner(s.rules.game, points) != 0)
			fail_msg("not won: %s", texts[i]);
		qv_player_free(player);
	}
}

/* ---- draws ---- */

static void test_select__draws(void **state)
{
	/* A rook behind takes the perpetual check. */
	const struct spot s = spot_at(*state, "chess", "6k1/6p1/8/6KQ/1r6/q7/8/8 w - - 0 1");
	const struct qv_answer perpetual = think(&s, "selective:nodes=30000", NULL, NULL);
	assert_int_equal(perpetual.score, 0);
	/* A hundred plies are nearly up: no mate comes in time. */
	const struct spot late = spot_at(*state, "chess", "8/8/8/4k3/8/8/8/K6R w - - 99 80");
	assert_int_equal(think(&late, "selective:nodes=5000", NULL, NULL).score, 0);
	/* The same with a mate on the last ply. */
	const struct spot mate = spot_at(*state, "chess", "k7/8/K7/8/8/8/8/7R w - - 99 80");
	assert_int_equal(think(&mate, "selective:nodes=5000", NULL, NULL).score, QV_WIN - 1);
}

/* ---- limits ---- */

static void test_select__is_reproducible(void **state)
{
	struct qv_random random = { 21, 0 };
	for (int k = (int)scaled(6); k > 0; k--) {
		const struct spot s = spot_random(*state, chess(state), WANDER, &random);
		struct qv_player *player = player_new(&s, "selective:nodes=20000,tt=1");
		const struct qv_limits limits = limits_at(&s);
		const struct qv_answer first = ask(player, &s, &limits, NULL);
		qv_player_new_game(player);
		const struct qv_answer second = ask(player, &s, &limits, NULL);
		assert_true(same_answer(&first, &second));
		assert_true(first.nodes <= 20000);
		qv_player_free(player);
	}
}

static void test_select__stops_at_once(void **state)
{
	const struct spot s = spot_start(*state, chess(state));
	const struct qv_flag stop = { 1 };
	struct qv_limits limits = limits_at(&s);
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	limits.stop = &stop;
	struct qv_player *player = player_new(&s, "selective:depth=60");
	assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &answer, &error),
			 QV_STOPPED);
	assert_true(qv_move_legal(s.rules.game, s.state, answer.move));
	qv_player_free(player);
}

/* Where little can happen, iterations go as deep as they may, and lines as long. */
static void test_select__survives_the_deepest_ply(void **state)
{
	static const char *const texts[] = {
		"8/8/1p1k4/1P6/8/3K4/8/8 w - - 0 1",
		"k7/8/8/8/8/8/8/K5QQ b - - 0 1",
		"4k3/4p3/4P3/8/8/8/8/4K3 w - - 0 1",
		"8/p7/P7/k7/p1p1p1p1/P1P1P1P1/K7/8 w - - 0 1",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct spot s = spot_at(*state, "chess", texts[i]);
		struct qv_limits limits = limits_at(&s);
		limits.nodes = (uint64_t)scaled(150000);
		think(&s, "selective:depth=100", &limits, NULL);
		think(&s, "selective:depth=100,checks=1,twofold=0", &limits, NULL);
	}
}

static void test_select__threads(void **state)
{
	const struct spot s = spot_start(*state, chess(state));
	const struct qv_answer answer = think(&s, "selective:nodes=40000,threads=3", NULL, NULL);
	assert_true(answer.nodes <= 40000);
}

/* Whoever searches has room for all of these moves. */
static void test_select__plays_odd_armies(void **state)
{
	static const char *const specs[] = { "selective:depth=100", "selective:depth=100,eval=net",
					     "selective:depth=100,checks=1,eval=book",
					     "negascout:depth=100,quiet=1", "mcts:nodes=1000000" };
	for (int i = 0; i < ODD_ARMIES; i++) {
		const struct spot s = spot_at(*state, "chess", odd_armies[i]);
		struct qv_limits limits = limits_at(&s);
		limits.nodes = (uint64_t)scaled(20000);
		for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
			think(&s, specs[k], &limits, NULL);
	}
}

static void test_select__only_for_games_that_have_it(void **state)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	const struct spot s = spot_at(*state, "reversi", NULL);
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_player_new(*state, &s.rules, "selective", &defaults, &player, &error),
			 QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "chess"));
}

/* ---- the evaluation ---- */

/* The same position with colours exchanged. */
static void flip(const struct chess *s, struct chess *out)
{
	char text[QV_POSITION_TEXT], flipped[QV_POSITION_TEXT] = "";
	char *rows[8], *save = NULL;
	struct qv_text t = { text, sizeof text, 0 };
	struct qv_error error = { "" };
	chess_position_text(s, &t);
	char *rest = strchr(text, ' ');
	*rest++ = '\0';
	rows[0] = strtok_r(text, "/", &save);
	for (int i = 1; i < 8; i++)
		rows[i] = strtok_r(NULL, "/", &save);
	for (int i = 7; i >= 0; i--) {
		for (char *c = rows[i]; *c; c++)
			*c = (char)(*c >= 'a' ? *c - 32 : *c >= 'A' ? *c + 32 : *c);
		strcat(flipped, rows[i]);
		strcat(flipped, i ? "/" : "");
	}
	strcat(flipped, *rest == 'w' ? " b - - 0 1" : " w - - 0 1");
	assert_int_equal(chess_position_parse(out, NULL, flipped, &error), QV_OK);
}

static void test_select__evaluation_knows_no_colour(void **state)
{
	struct qv_random random = { 31, 0 };
	char text[QV_POSITION_TEXT];
	for (int k = (int)scaled(2000); k > 0; k--) {
		const struct spot s = spot_random(*state, chess(state), 150, &random);
		struct chess here, there;
		struct chess_trace trace = { .phase = 0 };
		memcpy(&here, s.state, sizeof here);
		flip(&here, &there);
		const int32_t value = chess_evaluate(&here, chess_weights);
		if (value != chess_evaluate(&there, chess_weights))
			fail_msg("another value with colours exchanged: %s", spot_text(&s, text));
		assert_int_equal(value, chess_evaluate_as(&here, chess_weights, &trace));
	}
}

/* What is written down gives the value again: weights times how often they were taken. */
static void test_select__trace_adds_up(void **state)
{
	struct qv_random random = { 32, 0 };
	for (int k = (int)scaled(500); k > 0; k--) {
		const struct spot s = spot_random(*state, chess(state), 150, &random);
		struct chess here;
		struct chess_trace trace = { .phase = 0 };
		memcpy(&here, s.state, sizeof here);
		const int32_t value = chess_evaluate_as(&here, chess_weights, &trace);
		int32_t middle = 0, end = 0;
		for (int i = 0; i < CHESS_WEIGHTS; i++) {
			const int times = trace.times[0][i] - trace.times[1][i];
			middle += times * chess_weights[2 * i];
			end += times * chess_weights[2 * i + 1];
		}
		const int32_t white = (middle * trace.phase * CHESS_SCALE_ONE +
				       end * (CHESS_WHOLE - trace.phase) * trace.scale) /
					      (CHESS_WHOLE * CHESS_SCALE_ONE) +
				      trace.extra;
		assert_int_equal(value, here.turn ? -white : white);
	}
}

/* ---- exchanges ---- */

/* The men on a board of characters, as FEN has them, that reach the square; by stepping along. */
static bool reaches(const char *board, int from, int to)
{
	const int df = to % 8 - from % 8, dr = to / 8 - from / 8;
	const int af = abs(df), ar = abs(dr);
	const char man = board[from];
	switch (man) {
	case 'P':
		return af == 1 && dr == 1;
	case 'p':
		return af == 1 && dr == -1;
	case 'N':
	case 'n':
		return af * ar == 2;
	case 'K':
	case 'k':
		return af < 2 && ar < 2 && af + ar;
	default:
		break;
	}
	const bool slant = af == ar && af, straight = !af != !ar;
	const char kind = (char)(man | 32);
	if (!(kind == 'q' ? slant || straight : kind == 'b' ? slant : kind == 'r' && straight))
		return false;
	const int step = (df > 0) - (df < 0) + 8 * ((dr > 0) - (dr < 0));
	for (int at = from + step; at != to; at += step)
		if (board[at])
			return false;
	return true;
}

static int32_t worth(char man)
{
	static const char kinds[] = "pnbrqk";
	return chess_values[strchr(kinds, man | 32) - kinds];
}

/* What the side gains by taking on the square, or nothing if it had better not. */
static int32_t slow_gain(const char *board, int to, bool white)
{
	int least = -1;
	char next[64];
	for (int from = 0; from < 64; from++) {
		const char man = board[from];
		if (!man || (man < 'a') != white || !reaches(board, from, to))
			continue;
		if (least < 0 || (man | 32) == 'k'
			    ? least < 0
			    : (board[least] | 32) == 'k' || worth(man) < worth(board[least]))
			least = from;
	}
	if (least < 0)
		return 0;
	memcpy(next, board, sizeof next);
	next[to] = board[least];
	next[least] = 0;
	if ((board[least] | 32) == 'k')
		for (int from = 0; from < 64; from++)
			if (next[from] && (next[from] < 'a') != white && reaches(next, from, to))
				return 0;
	const int32_t gain = worth(board[to]) - slow_gain(next, to, !white);
	return gain > 0 ? gain : 0;
}

static int32_t slow_exchange(const struct chess *s, qv_move move)
{
	static const char men[] = "PNBRQK??pnbrqk";
	char board[64] = { 0 };
	const int from = chess_from(move), to = chess_to(move);
	if (chess_castles(move))
		return 0;
	for (int i = 0; i < 64; i++)
		if (chess_kind_on(s, i) != CHESS_EMPTY)
			board[i] = men[s->board[i]];
	int32_t gain = board[to] ? worth(board[to]) : 0;
	if (chess_flag(move) == CHESS_PASSANT) {
		gain = chess_values[CHESS_PAWN];
		board[to ^ 8] = 0;
	}
	board[to] = board[from];
	board[from] = 0;
	if (chess_promotes(move)) {
		board[to] = men[chess_piece(s->turn, chess_promotion(move))];
		gain += worth(board[to]) - chess_values[CHESS_PAWN];
	}
	return gain - slow_gain(board, to, s->turn == CHESS_BLACK);
}

static void check_exchanges(const struct spot *s)
{
	char text[QV_POSITION_TEXT];
	struct chess here;
	qv_move list[CHESS_MAX_MOVES];
	memcpy(&here, s->state, sizeof here);
	const int n = chess_moves(&here, list);
	for (int i = 0; i < n; i++) {
		const int32_t slow = slow_exchange(&here, list[i]);
		if (!chess_exchange(&here, list[i], slow) ||
		    chess_exchange(&here, list[i], slow + 1))
			fail_msg("move %d: %d is not what it wins, %s", (int)list[i], (int)slow,
				 spot_text(s, text));
	}
}

static void test_select__exchange_is_the_slow_one(void **state)
{
	struct qv_random random = { 41, 0 };
	for (int k = (int)scaled(1500); k > 0; k--) {
		const struct spot s = spot_random(*state, chess(state), 120, &random);
		check_exchanges(&s);
	}
	for (int i = 0; i < ODD_ARMIES; i++) {
		const struct spot s = spot_at(*state, "chess", odd_armies[i]);
		check_exchanges(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_select__keys_off_is_alphabeta),
		cmocka_unit_test(test_select__finds_mates),
		cmocka_unit_test(test_select__mates_are_forced),
		cmocka_unit_test(test_select__mates_a_lone_king),
		cmocka_unit_test(test_select__draws),
		cmocka_unit_test(test_select__is_reproducible),
		cmocka_unit_test(test_select__stops_at_once),
		cmocka_unit_test(test_select__survives_the_deepest_ply),
		cmocka_unit_test(test_select__threads),
		cmocka_unit_test(test_select__plays_odd_armies),
		cmocka_unit_test(test_select__only_for_games_that_have_it),
		cmocka_unit_test(test_select__evaluation_knows_no_colour),
		cmocka_unit_test(test_select__trace_adds_up),
		cmocka_unit_test(test_select__exchange_is_the_slow_one),
	};
	return cmocka_run_group_tests_name("select", tests, setup, teardown);
}
