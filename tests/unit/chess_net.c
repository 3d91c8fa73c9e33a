/*
 * chess_net.c - chess's net: its value beside one that is made step by step, its mirrors, its file,
 * and what it learns.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <unistd.h>

#include "games/chess/evaluate.h"
#include "games/chess/moves.h"
#include "learn/chess/net_fit.h"
#include "learn/chess/train.h"
#include "support/chess_positions.h"
#include "support/odd_armies.h"

/* A net of weights by chance, as large as they may be. */
static struct chess_net *any_net(uint64_t seed)
{
	struct qv_random random = { seed, 0 };
	struct chess_net *net = calloc(1, sizeof *net);
	assert_non_null(net);
	int16_t *rows = net->rows[0], *outs = net->outs[0][0];
	for (size_t i = 0; i < sizeof net->rows / sizeof *rows; i++)
		rows[i] = (int16_t)(qv_random_below(&random, 2 * CHESS_NET_ROW_MOST + 1) -
				    CHESS_NET_ROW_MOST);
	for (size_t i = 0; i < sizeof net->outs / sizeof *outs; i++)
		outs[i] = (int16_t)(qv_random_below(&random, 2 * CHESS_NET_OUT_MOST + 1) -
				    CHESS_NET_OUT_MOST);
	for (int i = 0; i < CHESS_NET_SIZE; i++)
		net->empty[i] = (int16_t)qv_random_below(&random, CHESS_NET_ROW_MOST);
	for (int i = 0; i < CHESS_NET_STAGES; i++) {
		net->base[i] = (int32_t)qv_random_below(&random, 20000) - 10000;
		net->curve[i] = 100 + (int32_t)qv_random_below(&random, 200);
	}
	return net;
}

/* The king's area, by its file (0 to 3 from the middle) and row as its side sees them. */
static int slow_area(int file, int row)
{
	if (CHESS_NET_AREAS == 1)
		return 0;
	return row > 1 ? 3 : row == 1 ? 2 : file > 1 ? 0 : 1;
}

/* What net.h says of one side's sum, man by man and in wide integers. */
static int64_t slow_look(const struct chess_net *net, const struct chess *s, int side,
			 const int16_t *outs)
{
	const int king = chess_king(s, side);
	const bool mirrored = king % 8 < 4;
	const int area =
		slow_area(mirrored ? 3 - king % 8 : king % 8 - 4, side ? 7 - king / 8 : king / 8);
	int64_t total = 0;
	for (int k = 0; k < CHESS_NET_SIZE; k++) {
		int64_t sum = net->empty[k];
		for (int square = 0; square < 64; square++) {
			const int man = s->board[square];
			if (man == CHESS_EMPTY)
				continue;
			const int file = mirrored ? 7 - square % 8 : square % 8;
			const int row = side ? 7 - square / 8 : square / 8;
			const int whose = man >> 3 == side ? 0 : 1;
			const int kind = (area * 2 + whose) * 6 + (man & 7);
			sum += net->rows[kind * 64 + row * 8 + file][k];
		}
		sum = sum < 0 ? 0 : sum > 255 ? 255 : sum;
		total += sum * sum * outs[k];
	}
	return total;
}

static int32_t slow_value(const struct chess_net *net, const struct chess *s)
{
	int men = 0;
	for (int square = 0; square < 64; square++)
		men += s->board[square] != CHESS_EMPTY;
	const int stage = (men - 1) / 4;
	const int64_t sum = slow_look(net, s, s->turn, net->outs[stage][0]) +
			    slow_look(net, s, 1 - s->turn, net->outs[stage][1]);
	return (int32_t)((sum / 255 + net->base[stage]) * net->curve[stage] / (255 * 64));
}

static void test_chess_net__is_what_a_slow_one_says(void **state)
{
	struct qv_random random = { 5, 0 };
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct chess_net *net = any_net(seed);
		for (int k = (int)scaled(300); k > 0; k--) {
			const struct chess s = any_position(*state, &random);
			assert_int_equal(chess_net_value(&s, net, NULL), slow_value(net, &s));
		}
		for (int k = 0; k < ODD_ARMIES; k++) {
			struct chess s;
			assert_int_equal(chess_position_parse(&s, NULL, odd_armies[k], NULL),
					 QV_OK);
			assert_int_equal(chess_net_value(&s, net, NULL), slow_value(net, &s));
		}
		free(net);
	}
}

/* A game by chance and, now and then, any other position: both sorts of steps. */
static void test_chess_net__recalls_what_it_would_find_anew(void **state)
{
	struct qv_random random = { 8, 0 };
	struct chess_net_memory *memory = aligned_alloc(64, sizeof *memory);
	assert_non_null(memory);
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct chess_net *net = any_net(seed);
		struct chess here = any_position(*state, &random);
		memset(memory, 0, sizeof *memory);
		for (int k = (int)scaled(3000); k > 0; k--) {
			qv_move moves[CHESS_MAX_MOVES];
			const int n = chess_moves(&here, moves);
			assert_int_equal(chess_net_evaluate(&here, net, memory),
					 chess_net_evaluate(&here, net, NULL));
			if (n && qv_random_below(&random, 20))
				chess_play(&here, moves[qv_random_below(&random, (uint64_t)n)]);
			else
				here = any_position(*state, &random);
		}
		free(net);
	}
	free(memory);
}

/* ---- the law of memories, and who breaks it ---- */

static int32_t nothing(const void *state, const void *weights)
{
	(void)state, (void)weights;
	return 0;
}

/* Says for good that a second position was asked for. */
static int32_t counting_recall(const void *state, const void *weights, void *memory)
{
	int32_t *asked = memory;
	(void)state, (void)weights;
	return ++*asked > 2;
}

static int32_t spilling_recall(const void *state, const void *weights, void *memory)
{
	(void)state, (void)weights;
	((char *)memory)[sizeof(int32_t)] = 1;
	return 0;
}

static void test_chess_net__memories_that_matter_are_noticed(void **state)
{
	const struct qv_rules whole = spot_at(*state, "noughts", NULL).rules;
	const struct qv_conformance how = { .size = sizeof how, .seed = 3, .games = 5 };
	struct qv_evaluation table[2] = { { .name = "wrong", .evaluate = nothing } };
	struct qv_game broken = *whole.game;
	struct qv_rules rules = whole;
	struct qv_error error = { "" };
	rules.game = &broken;
	broken.evaluations = table;
	broken.levels = NULL;
	table[0].memory_size = sizeof(int32_t);
	table[0].recall = counting_recall;
	assert_int_equal(qv_conform(*state, &rules, &how, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "recall: evaluation wrong: recall and evaluate differ"));
	table[0].recall = spilling_recall;
	assert_int_equal(qv_conform(*state, &rules, &how, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "recall: evaluation wrong writes outside its memory"));
}

/* ---- bounds, mirrors and the file ---- */

/* A board full of men, more than sums have room for: not legal, but texts can say it. */
static void test_chess_net__bears_too_many_men(void **state)
{
	struct chess s = { .turn = 0, .number = 1 };
	struct chess_net *net = any_net(9);
	struct chess_net_memory *memory = aligned_alloc(64, sizeof *memory);
	(void)state;
	assert_non_null(memory);
	memset(memory, 0, sizeof *memory);
	for (int square = 0; square < 64; square++) {
		const int man = square == 4    ? CHESS_KING
				: square == 60 ? 8 + CHESS_KING
				: square & 1   ? CHESS_QUEEN
					       : 8 + CHESS_ROOK;
		chess_toggle(&s, man >> 3, man & 7, square);
		s.board[square] = (uint8_t)man;
	}
	const int32_t value = chess_net_evaluate(&s, net, NULL);
	assert_true(value > -QV_MAX_EVAL && value < QV_MAX_EVAL);
	assert_int_equal(chess_net_evaluate(&s, net, memory), value);
	free(memory);
	free(net);
}

/* All weights at their bounds, of one sign: nothing leaves its type. */
static void test_chess_net__is_exact_at_its_bounds(void **state)
{
	struct qv_random random = { 7, 0 };
	struct chess_net *net = any_net(1);
	int16_t *rows = net->rows[0], *outs = net->outs[0][0];
	for (int sign = -1; sign <= 1; sign += 2) {
		for (size_t i = 0; i < sizeof net->rows / sizeof *rows; i++)
			rows[i] = (int16_t)(sign * CHESS_NET_ROW_MOST);
		for (size_t i = 0; i < sizeof net->outs / sizeof *outs; i++)
			outs[i] = (int16_t)(-sign * CHESS_NET_OUT_MOST);
		for (int k = (int)scaled(20); k > 0; k--) {
			const struct chess s = any_position(*state, &random);
			assert_int_equal(chess_net_value(&s, net, NULL), slow_value(net, &s));
		}
	}
	free(net);
}

/* The men of the position elsewhere, or of the other colour. */
static struct chess image(const struct chess *s, int turn_squares, bool other_colours)
{
	struct chess out = { .turn = s->turn ^ other_colours, .number = 1 };
	memset(out.board, CHESS_EMPTY, sizeof out.board);
	for (int square = 0; square < 64; square++) {
		const int man = s->board[square] ^ (other_colours ? 8 : 0);
		if (s->board[square] == CHESS_EMPTY)
			continue;
		chess_toggle(&out, man >> 3, man & 7, square ^ turn_squares);
		out.board[square ^ turn_squares] = (uint8_t)man;
	}
	return out;
}

static void test_chess_net__mirrors_are_worth_the_same(void **state)
{
	struct qv_random random = { 6, 0 };
	struct chess_net *net = any_net(4);
	for (int k = (int)scaled(300); k > 0; k--) {
		const struct chess s = any_position(*state, &random);
		const struct chess other = image(&s, 56, true), mirrored = image(&s, 7, false);
		assert_int_equal(chess_net_evaluate(&s, net, NULL),
				 chess_net_evaluate(&other, net, NULL));
		assert_int_equal(chess_net_evaluate(&s, net, NULL),
				 chess_net_evaluate(&mirrored, net, NULL));
	}
	free(net);
}

static void test_chess_net__comes_back_from_its_file(void **state)
{
	struct chess_net *net = any_net(7), *again = any_net(8);
	char *file = malloc(CHESS_NET_FILE + 1);
	struct qv_error error = { "" };
	(void)state;
	assert_non_null(file);
	chess_net_write(net, file);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, again, &error), QV_OK);
	assert_memory_equal(net, again, sizeof *net);
	for (size_t size = 0; size < CHESS_NET_FILE; size += 40000 + size)
		assert_int_equal(chess_net_read(file, size, again, &error), QV_BAD_INPUT);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE + 1, again, &error), QV_BAD_INPUT);
	file[3] ^= 1;
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, again, &error), QV_BAD_INPUT);

	/* A weight of each kind beyond its bounds. */
	struct chess_net *wrong = any_net(7);
	wrong->rows[5][5] = CHESS_NET_ROW_MOST + 1;
	chess_net_write(wrong, file);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, again, &error), QV_BAD_INPUT);
	*wrong = *net;
	wrong->outs[7][1][3] = -CHESS_NET_OUT_MOST - 1;
	chess_net_write(wrong, file);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, again, &error), QV_BAD_INPUT);
	*wrong = *net;
	wrong->curve[0] = 0;
	chess_net_write(wrong, file);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, again, &error), QV_BAD_INPUT);
	*wrong = *net;
	wrong->base[1] = INT32_MIN;
	chess_net_write(wrong, file);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, again, &error), QV_BAD_INPUT);
	free(wrong);
	free(file);
	free(net);
	free(again);
}

static void test_chess_net__refuses_another_shape(void **state)
{
	static const char older[] = "quevedo-chess-net 1\n";
	struct chess_net *net = any_net(7);
	char *file = malloc(CHESS_NET_FILE);
	struct qv_error error = { "" };
	(void)state;
	assert_non_null(file);
	chess_net_write(net, file);
	char *size = strstr(file, "size=");
	assert_non_null(size);
	size[5]++;
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, net, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "another shape: '2 areas="));
	memset(file, ' ', CHESS_NET_HEAD);
	memcpy(file, older, sizeof older - 1);
	assert_int_equal(chess_net_read(file, CHESS_NET_FILE, net, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "another shape: '1'"));
	file[sizeof older - 3] = (char)0x80;
	assert_int_equal(chess_net_read(file, CHESS_NET_HEAD, net, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "another shape: ''"));
	free(file);
	free(net);
}

/* ---- learning ---- */

enum { GAMES = 96 };

/* Games that the side with more pawns wins. */
static struct lessons *pawn_games(struct qv_context *context)
{
	struct qv_random random = { 9, 0 };
	struct lessons *games = calloc(GAMES, sizeof *games);
	assert_non_null(games);
	for (int i = 0; i < GAMES; i++) {
		games[i].count = 20;
		for (int k = 0; k < games[i].count; k++) {
			const struct chess here = any_position(context, &random);
			const int more = bits_count(chess_of(&here, 0, CHESS_PAWN)) -
					 bits_count(chess_of(&here, 1, CHESS_PAWN));
			lesson_pack(&here, &games[i].list[k]);
			games[i].list[k].score = (int16_t)(100 * more);
			games[i].list[k].result = (uint8_t)(more > 0 ? 2 : more < 0 ? 0 : 1);
		}
	}
	return games;
}

static void test_chess_net__learns_what_pawns_are_worth(void **state)
{
	struct lessons *games = pawn_games(*state);
	struct chess_net *net = any_net(1), *same = any_net(2);
	struct fit_news news;
	struct qv_error error = { "" };
	struct fit_job job = { .games = games,
			       .count = GAMES,
			       .round = GAMES,
			       .seed = 3,
			       .iterations = 25,
			       .step = 600,
			       .blend = 50,
			       .threads = 1,
			       .allocator = &mem_malloc };
	assert_int_equal(chess_net_fit(&job, net, &news, &error), QV_OK);
	assert_true(news.after < 0.8 * news.before);
	job.threads = 3;
	assert_int_equal(chess_net_fit(&job, same, &news, &error), QV_OK);
	assert_memory_equal(net, same, sizeof *net);

	struct spot up = spot_at(*state, "chess", "4k3/pppp4/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
	struct spot down = spot_at(*state, "chess", "4k3/pppppppp/8/8/8/8/PPPP4/4K3 w - - 0 1");
	struct chess better, worse;
	memcpy(&better, up.state, sizeof better);
	memcpy(&worse, down.state, sizeof worse);
	assert_true(chess_net_value(&better, net, NULL) > chess_net_value(&worse, net, NULL) + 100);

	games[1].list[0].occupied = 1;
	assert_int_equal(chess_net_fit(&job, net, &news, &error), QV_BAD_INPUT);
	job.count = 0;
	assert_int_equal(chess_net_fit(&job, net, &news, &error), QV_BAD_INPUT);
	free(games);
	free(net);
	free(same);
}

/* A whole run: the second round's games are played with the net of the first. */
static void test_chess_net__runs(void **state)
{
	char folder[] = "/tmp/chess-net-XXXXXX", path[64];
	static const char *const names[] = { "weights", "round-1.games", "round-1.weights",
					     "round-2.games", "round-2.weights" };
	struct chess_job job = { .folder = folder, .threads = 2 };
	struct chess_net *net = any_net(1);
	struct qv_error error = { "" };
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(
		chess_plan_parse("net=1,rounds=2,games=6,nodes=60,iterations=2", &job.plan, &error),
		QV_OK);
	assert_int_equal(chess_train(&job, &mem_malloc, net, &error), QV_OK);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		assert_int_equal(remove(path), 0);
	}
	rmdir(folder);
	free(net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess_net__is_what_a_slow_one_says),
		cmocka_unit_test(test_chess_net__recalls_what_it_would_find_anew),
		cmocka_unit_test(test_chess_net__memories_that_matter_are_noticed),
		cmocka_unit_test(test_chess_net__bears_too_many_men),
		cmocka_unit_test(test_chess_net__is_exact_at_its_bounds),
		cmocka_unit_test(test_chess_net__mirrors_are_worth_the_same),
		cmocka_unit_test(test_chess_net__comes_back_from_its_file),
		cmocka_unit_test(test_chess_net__refuses_another_shape),
		cmocka_unit_test(test_chess_net__learns_what_pawns_are_worth),
		cmocka_unit_test(test_chess_net__runs),
	};
	return cmocka_run_group_tests_name("chess_net", tests, setup, teardown);
}
