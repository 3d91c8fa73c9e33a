/*
 * chess_machine.c - the king-and-rook machine against every defence, and the table of the same
 * ending; diagrams of the 1983 book, and its evaluation.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/tables.h"

#include "games/chess/rules.h"
#include "games/chess/book_eval.h"

static struct chess position(const char *fen)
{
	struct chess s;
	struct qv_error error = { "" };
	const int64_t none[QV_MAX_OPTIONS] = { 0 };
	if (chess_position_parse(&s, none, fen, &error) != QV_OK)
		fail_msg("%s: %s", fen, error.text);
	return s;
}

static int setup_context(void **state)
{
	*state = qv_context_new(NULL);
	return *state ? 0 : -1;
}

static int free_context(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* ---- The machine ---- */

static void test_machine__one_position_for_each_rule(void **state)
{
	static const struct {
		const char *fen, *move;
		int rule;
	} cases[] = {
		{ "K7/R7/8/8/8/1k6/8/8 w - - 0 1", "a7h7", 1 },
		{ "K7/R7/8/8/8/5k2/8/8 w - - 0 1", "a7a6", 2 },
		{ "K7/8/8/8/R7/5k2/8/8 w - - 0 1", "a8a7", 3 },
		{ "8/8/8/5K2/R7/5k2/8/8 w - - 0 1", "a4a3", 4 },
		{ "8/8/8/4K3/R7/5k2/8/8 w - - 0 1", "a4b4", 5 },
		{ "8/8/8/3K4/R7/5k2/8/8 w - - 0 1", "d5e5", 6 },
		/* Turned, and with black's machine. */
		{ "8/8/5K2/8/R7/5k2/8/8 b - - 0 1", "", 0 },
		{ "8/8/5K2/r7/5k2/8/8/8 b - - 0 1", "a5a6", 4 },
		/* No order of rows or files; more men. */
		{ "8/8/8/R4K2/8/5k2/8/8 w - - 0 1", "", 0 },
		{ "K7/R7/8/8/8/1k6/7P/8 w - - 0 1", "", 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct chess s = position(cases[i].fen);
		qv_move move, expected;
		assert_int_equal(chess_machine_rule(&s, false, &move), cases[i].rule);
		if (!cases[i].rule)
			continue;
		assert_true(chess_move_parse(&s, cases[i].move, &expected));
		assert_int_equal(move, expected);
	}
}

enum { BUSY = -1, LOST = 9999 };

/* Moves to mate for each position of the machine, against the defence that lasts longest. */
struct trial {
	int16_t moves[64 * 64 * 64]; /* by its king, its rook, the other king; 0: not known */
	bool literal;
};

static int place_of(const struct chess *s)
{
	const int us = s->turn;
	return (chess_king(s, us) * 64 + bits_lowest(chess_of(s, us, CHESS_ROOK))) * 64 +
	       chess_king(s, 1 - us);
}

/* LOST: the rook goes, it is stalemate, no rule applies, or the game goes round. */
static int moves_to_mate(struct trial *t, const struct chess *s)
{
	int16_t *known = &t->moves[place_of(s)];
	qv_move move, list[CHESS_MAX_MOVES];
	if (*known)
		return *known == BUSY ? LOST : *known;
	*known = BUSY;
	int longest = LOST;
	if (chess_machine_rule(s, t->literal, &move)) {
		struct chess next = *s;
		chess_play(&next, move);
		const int n = chess_moves(&next, list);
		longest = n ? 0 : chess_checkers(&next) ? 1 : LOST;
		for (int i = 0; i < n && longest < LOST; i++) {
			struct chess then = next;
			chess_play(&then, list[i]);
			const int more = then.kind[CHESS_ROOK] ? moves_to_mate(t, &then) : LOST;
			if (more == LOST)
				longest = LOST;
			else if (more + 1 > longest)
				longest = more + 1;
		}
	}
	*known = (int16_t)longest;
	return longest;
}

/* All starts with the rook on an edge file and the rows in order; *starts and the longest mate. */
static int longest_from_edges(struct trial *t, int *starts, int *lost, char *fen)
{
	int longest = 0;
	*starts = *lost = 0;
	for (int at = 0; at < 64 * 64 * 64; at++) {
		const int king = at / 4096, rook = at / 64 % 64, enemy = at % 64;
		if ((chess_file(rook) != 0 && chess_file(rook) != 7) ||
		    chess_row(king) <= chess_row(rook) || chess_row(rook) <= chess_row(enemy) ||
		    chess_file(rook) == chess_file(enemy))
			continue;
		char board[8][9], text[128] = "";
		for (int row = 0; row < 8; row++)
			memcpy(board[row], "11111111", 9);
		board[7 - chess_row(king)][chess_file(king)] = 'K';
		board[7 - chess_row(rook)][chess_file(rook)] = 'R';
		board[7 - chess_row(enemy)][chess_file(enemy)] = 'k';
		for (int row = 0; row < 8; row++)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
				 board[row], row < 7 ? "/" : " w - - 0 1");
		const struct chess s = position(text);
		const int moves = moves_to_mate(t, &s);
		++*starts;
		*lost += moves == LOST;
		if (moves != LOST && moves > longest) {
			longest = moves;
			strcpy(fen, text);
		}
	}
	return longest;
}

static void test_machine__mates_from_every_edge(void **state)
{
	struct trial *t = calloc(1, sizeof *t);
	int starts, lost;
	char fen[128] = "";
	(void)state;
	assert_non_null(t);
	assert_int_equal(longest_from_edges(t, &starts, &lost, fen), 66);
	assert_int_equal(starts, 6272);
	assert_int_equal(lost, 0);
	/* Longer than the fifty-move rule allows. */
	const struct chess worst = position("K7/R7/3k4/8/8/8/8/8 w - - 0 1");
	assert_int_equal(moves_to_mate(t, &worst), 66);
	free(t);
}

/* As printed the rules lose the rook from most starts. */
static void test_machine__the_printed_rules_fail(void **state)
{
	struct trial *t = calloc(1, sizeof *t);
	int starts, lost;
	char fen[128] = "";
	(void)state;
	assert_non_null(t);
	t->literal = true;
	longest_from_edges(t, &starts, &lost, fen);
	assert_int_equal(starts, 6272);
	assert_true(lost > starts / 2);
	free(t);
}

static void test_machine__is_a_player_of_chess_alone(void **state)
{
	struct qv_rules rules;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_rules_parse(*state, "chess", &rules, NULL), QV_OK);
	assert_int_equal(qv_player_new(*state, &rules, "machine", NULL, &player, &error), QV_OK);
	const struct chess s = position("8/8/8/4K3/R7/5k2/8/8 w - - 0 1");
	qv_move expected;
	assert_true(chess_move_parse(&s, "a4b4", &expected));
	assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, &error), QV_OK);
	assert_int_equal(answer.move, expected);
	qv_player_free(player);
	assert_int_equal(qv_rules_parse(*state, "noughts", &rules, NULL), QV_OK);
	assert_int_equal(qv_player_new(*state, &rules, "machine", NULL, &player, &error),
			 QV_UNSUPPORTED);
	assert_string_equal(error.text,
			    "player machine: not available for noughts; it plays chess");
}

/* ---- The table beside it ---- */

static void test_tables__king_and_rook_take_sixteen_moves(void **state)
{
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_table table = { .size = sizeof table };
	struct qv_solution known = { .size = sizeof known };
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder.path, .up_to = "krk", .threads = 1, .checkpoint_ms = 60000
	};
	assert_int_equal(qv_rules_parse(*state, "chess", &rules, NULL), QV_OK);
	tables_make(*state, &rules, &job);
	struct qv_tables *tables = tables_open(*state, &rules, folder.path);
	assert_true(qv_tables_at(tables, 1, &table));
	assert_string_equal(table.space.name, "krk");
	assert_int_equal(table.longest, 2 * 16); /* to move: the side that is mated on move 16 */
	/* The machine is never faster than perfect play, from any start. */
	struct trial *t = calloc(1, sizeof *t);
	int starts, lost, slower = 0;
	char fen[128] = "";
	assert_non_null(t);
	longest_from_edges(t, &starts, &lost, fen);
	for (int at = 0; at < 64 * 64 * 64; at += 7) {
		if (t->moves[at] <= 0 || t->moves[at] == LOST)
			continue;
		struct chess s;
		const int squares[3] = { at / 4096, at / 64 % 64, at % 64 };
		const int kinds[3] = { CHESS_KING, CHESS_ROOK, CHESS_KING };
		memset(&s, 0, sizeof s);
		memset(s.board, CHESS_EMPTY, sizeof s.board);
		s.number = 1;
		for (int i = 0; i < 3; i++) {
			chess_toggle(&s, i == 2, kinds[i], squares[i]);
			s.board[squares[i]] = (uint8_t)chess_piece(i == 2, kinds[i]);
		}
		assert_int_equal(qv_tables_probe(tables, &s, &known, NULL), QV_OK);
		assert_int_equal(known.value, QV_VALUE_WIN);
		assert_true((known.in + 1) / 2 <= t->moves[at]);
		slower += (known.in + 1) / 2 < t->moves[at];
	}
	assert_true(slower > 500);
	free(t);
	/* The side with the rook may be black; mirrored it is the same. */
	const struct chess white = position("8/8/8/8/8/2k5/1r6/K7 w - - 0 1");
	assert_int_equal(qv_tables_probe(tables, &white, &known, NULL), QV_OK);
	const struct chess taken = position("8/8/8/8/8/3k4/1r6/K7 w - - 0 1");
	assert_int_equal(qv_tables_probe(tables, &taken, &known, NULL), QV_OK);
	assert_int_equal(known.value, QV_VALUE_DRAW);
	qv_tables_close(tables);
	tables_folder_free(&folder);
}

/* ---- Diagrams ---- */

static void assert_best(const struct qv_context *context, const char *spec, const char *fen,
			const char *among, bool is_among)
{
	const struct chess s = position(fen);
	struct qv_rules rules;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	struct qv_answer answer = { .size = sizeof answer };
	char text[QV_MOVE_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	assert_int_equal(qv_rules_parse(context, "chess", &rules, NULL), QV_OK);
	if (qv_player_new(context, &rules, spec, NULL, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, NULL), QV_OK);
	chess_move_text(&s, answer.move, &out);
	if (!strstr(among, text) == is_among)
		fail_msg("%s plays %s in %s", spec, text, fen);
	qv_player_free(player);
}

/* 2-1 and 2-2: counting men, and pawns by their rows. */
static void test_diagrams__men_are_counted(void **state)
{
	const struct chess one = position("r3k3/8/8/8/8/8/4PP2/3RK3 w - - 0 1");
	const struct chess two = position("5rk1/pp3ppp/2nbq3/8/1P6/2P1B2Q/P7/1KR5 w - - 0 1");
	int32_t weights[CHESS_BOOK_WEIGHTS] = { 100, 300, 300, 500, 900 };
	(void)state;
	assert_int_equal(chess_book_evaluate(&one, weights), 200);
	assert_int_equal(chess_book_evaluate(&two, weights), -500);
	weights[CHESS_BOOK_ADVANCE] = 1;
	assert_int_equal(chess_book_evaluate(&two, weights), -501);
}

/* 3-3: three plies end in the middle of an exchange; captures to the end see it ("Turing-dead"). */
static void test_diagrams__turing_dead(void **state)
{
	static const char fen[] = "2R1n1r1/1p3k2/5n2/4Q3/p7/5r2/8/7K w - - 0 1";
	assert_best(*state, "alphabeta:depth=3,eval=material,quiet=0,random=0", fen, "c8e8", true);
	assert_best(*state, "alphabeta:depth=3,eval=material,quiet=1,random=0", fen, "c8e8", false);
	assert_best(*state, "alphabeta:depth=4,eval=material,quiet=0,random=0", fen, "c8e8", false);
}

/* 3-4: a check pushes the loss over the horizon. */
static void test_diagrams__horizon(void **state)
{
	static const char fen[] = "8/8/8/8/2B5/5k2/4p3/K7 w - - 0 1";
	assert_best(*state, "alphabeta:depth=2,eval=material,quiet=0,random=0", fen, "c4d5", true);
	assert_best(*state, "alphabeta:depth=3,eval=material,quiet=0,random=0", fen, "c4d5", true);
	assert_best(*state, "alphabeta:depth=4,eval=material,quiet=0,random=0", fen, "c4e2", true);
	assert_best(*state, "alphabeta:depth=5,eval=material,quiet=0,random=0", fen, "c4e2", true);
}

/* 9-1: only f6, f7 and f8 keep the pawn; the others lose it on the tenth ply. */
static void test_diagrams__9_1(void **state)
{
	static const char spec[] = "alphabeta:depth=11,eval=material,quiet=0,random=0,tt=16";
	assert_best(*state, spec, "8/6k1/p7/8/5K2/8/8/8 b - - 0 1", "g7f6 g7f7 g7f8", true);
	assert_best(*state, spec, "8/p5k1/8/8/8/8/3K4/8 b - - 0 1", "g7f6 g7f7 g7f8", true);
}

/* 11-2: a king has no price. */
static void test_diagrams__11_2(void **state)
{
	static const char fen[] = "6k1/6b1/8/6n1/1q6/6R1/1P6/1K6 w - - 0 1";
	assert_best(*state, "alphabeta:depth=2,eval=material,quiet=0,random=0", fen, "g3g5", false);
}

/* The Elephant trap: the knight takes though the queen is lost. */
static void test_diagrams__elephant_trap(void **state)
{
	assert_best(*state, "negascout:depth=6,eval=material,quiet=1,random=0,tt=16",
		    "r1bqkb1r/pppn1ppp/5n2/3N2B1/3P4/8/PP2PPPP/R2QKBNR b KQkq - 0 6", "f6d5", true);
}

/* ---- The book's evaluation ---- */

static void turn_colours(const char *fen, char *out, size_t size)
{
	/* Rows from the bottom, colours changed. */
	char rows[8][16], side, rest[64];
	const int n = sscanf(
		fen, "%15[^/]/%15[^/]/%15[^/]/%15[^/]/%15[^/]/%15[^/]/%15[^/]/%15s %c %63[^\n]",
		rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], &side,
		rest);
	assert_int_equal(n, 10);
	out[0] = '\0';
	for (int row = 7; row >= 0; row--) {
		for (char *c = rows[row]; *c; c++)
			*c = (char)(*c >= 'a' ? *c - 32 : *c >= 'A' ? *c + 32 : *c);
		snprintf(out + strlen(out), size - strlen(out), "%s%c", rows[row], row ? '/' : ' ');
	}
	snprintf(out + strlen(out), size - strlen(out), "%c - - 0 5", side == 'w' ? 'b' : 'w');
}

static void test_book_evaluation__is_fair(void **state)
{
	static const char *const fens[] = {
		"r1bqkb1r/pppn1ppp/5n2/3N2B1/3P4/8/PP2PPPP/R2QKBNR b - - 0 5",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 5",
		"8/6k1/p7/8/5K2/8/8/8 b - - 0 5",
	};
	(void)state;
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		char turned[128];
		turn_colours(fens[i], turned, sizeof turned);
		const struct chess s = position(fens[i]), t = position(turned);
		const int32_t value = chess_book_evaluate(&s, chess_book_weights);
		assert_int_equal(value, chess_book_evaluate(&t, chess_book_weights));
		struct chess other = s;
		other.turn ^= 1;
		assert_int_equal(chess_book_evaluate(&other, chess_book_weights), -value);
	}
}

/* What the book says about the end: counted by men alone, 24 is one and 25 is not. */
static void test_book_evaluation__knows_the_end(void **state)
{
	const struct chess end = position("4k3/pppp4/8/8/8/8/PPPP4/QN1nK1n1 w - - 0 30");
	const struct chess middle = position("4k3/pppp4/8/8/8/8/PPPP4/QNR1K3 w - - 0 30");
	(void)state;
	assert_int_equal(chess_book_is_end(&end), false);    /* 8 + 9 + 9 */
	assert_int_equal(chess_book_is_end(&middle), false); /* 8 + 9 + 3 + 5 = 25 */
	const struct chess fewer = position("4k3/ppp5/8/8/8/8/PPPP4/QNR1K3 w - - 0 30");
	assert_int_equal(chess_book_is_end(&fewer), true);
	/* A king in the middle is better then, and only then. */
	const struct chess edge = position("4k3/8/8/8/8/8/PPP5/K7 w - - 0 30");
	const struct chess centre = position("4k3/8/8/3K4/8/8/PPP5/8 w - - 0 30");
	assert_true(chess_book_evaluate(&centre, chess_book_weights) >
		    chess_book_evaluate(&edge, chess_book_weights));
}

/* Levy's rule: White's pawn runs alone, and the black king, alone as well, tries to catch it. */
static bool pawn_promotes(int pawn, int king, bool pawn_moves);

static bool some_step_promotes(int pawn, int king)
{
	const int steps = chess_row(pawn) == 1 ? 2 : 1;
	bool promotes = false;
	/* Blocked by the king, it cannot escape: the king captures it next. */
	for (int i = 1; i <= steps && pawn + 8 * i != king; i++) {
		const int to = pawn + 8 * i;
		promotes |= chess_row(to) == 7 ? !(chess_king_attacks(king) & chess_bit(to))
					       : pawn_promotes(to, king, false);
	}
	return promotes;
}

static bool pawn_promotes(int pawn, int king, bool pawn_moves)
{
	if (pawn_moves)
		return some_step_promotes(pawn, king);
	for (uint64_t to = chess_king_attacks(king) & ~chess_pawn_attacks(CHESS_WHITE, pawn); to;
	     to = bits_rest(to))
		if (bits_lowest(to) == pawn || !pawn_promotes(pawn, bits_lowest(to), true))
			return false;
	return true;
}

/* In every position of such a race the rule of the square is right, for pawns of both sides. */
static void test_book_evaluation__the_rule_of_the_square(void **state)
{
	int races = 0, promoted = 0;
	(void)state;
	for (int pawn = 8; pawn < 56; pawn++)
		for (int king = 0; king < CHESS_SQUARES; king++)
			for (int turn = 0; turn < 2; turn++) {
				const bool first = turn == CHESS_WHITE;
				if (king == pawn ||
				    (first &&
				     chess_pawn_attacks(CHESS_WHITE, pawn) & chess_bit(king)))
					continue; /* the king could be captured */
				const bool promotes = pawn_promotes(pawn, king, first);
				if (chess_book_outruns(pawn, king, first) != promotes)
					fail_msg("pawn %d, king %d, turn %d: promotes %d", pawn,
						 king, turn, promotes);
				races++;
				promoted += promotes;
			}
	assert_int_equal(races, 5964);
	assert_true(promoted > 1000 && promoted < races - 1000);
}

static int runners(const char *fen, int side)
{
	const struct chess s = position(fen);
	return bits_count(chess_book_runners(&s, side));
}

static void test_book_evaluation__a_pawn_that_cannot_be_caught(void **state)
{
	(void)state;
	assert_int_equal(runners("8/8/8/P7/8/8/k6K/8 w - - 0 1", CHESS_WHITE), 1);
	assert_int_equal(runners("K6k/8/8/7p/8/p7/8/8 b - - 0 1", CHESS_BLACK), 2);
	/* One square nearer the king catches it, unless it moves second. */
	assert_int_equal(runners("8/8/8/P3k3/8/8/7K/8 b - - 0 1", CHESS_WHITE), 0);
	assert_int_equal(runners("8/8/8/P3k3/8/8/7K/8 w - - 0 1", CHESS_WHITE), 1);
	/* The enemy has a piece; the own king or an enemy pawn is in the way, or guards it. */
	assert_int_equal(runners("8/8/8/P7/8/8/k6K/7n w - - 0 1", CHESS_WHITE), 0);
	assert_int_equal(runners("K7/8/8/P7/8/8/k7/8 w - - 0 1", CHESS_WHITE), 0);
	assert_int_equal(runners("8/p7/8/P7/8/8/k6K/8 w - - 0 1", CHESS_WHITE), 0);
	assert_int_equal(runners("8/1p6/8/P7/8/8/k6K/8 w - - 0 1", CHESS_WHITE), 0);
	/* It is worth a queen. */
	const struct chess s = position("8/8/8/P7/8/8/k6K/8 w - - 0 1");
	const int32_t value = chess_book_evaluate(&s, chess_book_weights);
	const int32_t queen = chess_book_weights[CHESS_BOOK_VALUE + CHESS_QUEEN];
	assert_true(value > queen - 50 && value < queen + 100);
}

/* A chain counts everywhere; near promotion, support counts more, but only in the ending. */
static void test_book_evaluation__chains_and_support(void **state)
{
	static const struct {
		const char *fen;
		int chain, near, supported;
	} cases[] = {
		{ "4k3/8/8/8/8/8/1PP5/4K2r w - - 0 30", 0, 0, 0 },
		{ "4k3/8/8/8/3P4/2P5/1P6/4K2r w - - 0 30", 2, 0, 0 },
		{ "4k3/8/2P5/1P6/8/8/8/4K2r w - - 0 30", 1, 100 + 1000, 1000 },
		{ "4k3/P6P/8/8/8/8/8/4K2r w - - 0 30", 0, 2 * 10000, 0 },
		{ "rnbqkbnr/8/2P5/1P6/8/8/8/RNBQKBNR w - - 0 30", 1, 0, 0 },
	};
	int32_t weights[CHESS_BOOK_WEIGHTS] = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct chess s = position(cases[i].fen);
		char turned[128];
		turn_colours(cases[i].fen, turned, sizeof turned);
		const struct chess t = position(turned);
		memset(weights, 0, sizeof weights);
		weights[CHESS_BOOK_CHAIN] = 1;
		assert_int_equal(chess_book_evaluate(&s, weights), cases[i].chain);
		assert_int_equal(chess_book_evaluate(&t, weights), cases[i].chain);
		weights[CHESS_BOOK_CHAIN] = 0;
		for (int k = 0; k < 3; k++)
			weights[CHESS_BOOK_NEAR + k] = (int[]){ 100, 1000, 10000 }[k];
		assert_int_equal(chess_book_evaluate(&s, weights), cases[i].near);
		memcpy(weights + CHESS_BOOK_SUPPORTED, weights + CHESS_BOOK_NEAR,
		       3 * sizeof *weights);
		assert_int_equal(chess_book_evaluate(&t, weights),
				 cases[i].near + cases[i].supported);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine__one_position_for_each_rule),
		cmocka_unit_test(test_machine__mates_from_every_edge),
		cmocka_unit_test(test_machine__the_printed_rules_fail),
		cmocka_unit_test(test_machine__is_a_player_of_chess_alone),
		cmocka_unit_test(test_tables__king_and_rook_take_sixteen_moves),
		cmocka_unit_test(test_diagrams__men_are_counted),
		cmocka_unit_test(test_diagrams__turing_dead),
		cmocka_unit_test(test_diagrams__horizon),
		cmocka_unit_test(test_diagrams__9_1),
		cmocka_unit_test(test_diagrams__11_2),
		cmocka_unit_test(test_diagrams__elephant_trap),
		cmocka_unit_test(test_book_evaluation__is_fair),
		cmocka_unit_test(test_book_evaluation__knows_the_end),
		cmocka_unit_test(test_book_evaluation__the_rule_of_the_square),
		cmocka_unit_test(test_book_evaluation__a_pawn_that_cannot_be_caught),
		cmocka_unit_test(test_book_evaluation__chains_and_support),
	};
	return cmocka_run_group_tests(tests, setup_context, free_context);
}
