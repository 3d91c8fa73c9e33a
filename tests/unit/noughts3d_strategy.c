/*
 * noughts3d_strategy.c - the shipped strategy that wins 3D noughts and crosses: its moves against
 * every reply, its file, and the solver that uses it.
 * SPDX-License-Identifier: MIT
 *
 * noughts3d_proof.c walks the same win with lines and symmetries of its own.
 */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "games/noughts3d/proof_hooks.h"
#include "games/noughts3d/solver.h"
#include "support/scale.h"

enum { FEW_NODES = 2000 };

struct bench {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_solver *solver;
	struct n3_tools *tools; /* with the shipped strategy */
	uint64_t checked;	/* replies */
};

static int setup(void **state)
{
	struct bench *b = calloc(1, sizeof *b);
	assert_non_null(b);
	b->context = qv_context_new(NULL);
	b->tools = calloc(1, sizeof *b->tools);
	assert_true(b->context && b->tools);
	assert_int_equal(qv_rules_parse(b->context, "noughts3d", &b->rules, NULL), QV_OK);
	assert_int_equal(qv_solver_new(b->context, &b->rules, 1 << 22, &b->solver, NULL), QV_OK);
	n3_tools_init(b->tools);
	assert_int_equal(n3_strategy_shipped(&b->tools->strategy, NULL), QV_OK);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;
	qv_solver_free(b->solver);
	qv_context_free(b->context);
	free(b->tools);
	free(b);
	return 0;
}

static struct n3 after(struct n3 s, qv_move move)
{
	assert_true(move && !(move & (move - 1)) && !(move & (s.mine | s.theirs)));
	n3_play(&s, move);
	return s;
}

/* The empty squares that complete a four of `marks`, by definition. */
static uint64_t completing(uint64_t marks, uint64_t others)
{
	uint64_t squares = 0;
	for (uint64_t left = ~(marks | others); left; left = bits_rest(left))
		if (n3_has_four(marks | (left & (0 - left))))
			squares |= left & (0 - left);
	return squares;
}

static struct qv_solution solve(struct bench *b, const struct n3 *s)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .nodes = FEW_NODES };
	struct qv_solution found = { .size = sizeof found };
	assert_int_equal(qv_solver_solve(b->solver, s, &limits, &found, NULL), QV_OK);
	return found;
}

/* ---- The moves ---- */

/* A record of the shipped strategy. */
static struct n3_strategy_record record_at(const struct bench *b, size_t number)
{
	struct n3_strategy_record r;
	uint64_t words[2] = { 0, 0 };
	for (int i = 0; i < 16; i++)
		words[i / 8] |= (uint64_t)b->tools->strategy.records[16 * number + (size_t)i]
				<< i % 8 * 8;
	r.move = words[0] & words[1];
	r.position = (struct n3){ words[0] ^ r.move, words[1] ^ r.move };
	return r;
}

/* Plays threats until there is a four: the noughts can only block, and never complete a four. */
static void check_threats(struct bench *b, struct n3 s)
{
	qv_move move;
	while (!completing(s.mine, s.theirs)) {
		assert_true(n3_wins_by_threats(&s, b->tools, &move));
		s = after(s, move);
		const uint64_t blocks = completing(s.theirs, s.mine);
		assert_true(blocks && !completing(s.mine, s.theirs));
		s = after(s, blocks & (0 - blocks));
	}
}

static void check_reply(struct bench *b, const struct n3 *s);

/* The crosses have moved; checks every reply. */
static void check_replies(struct bench *b, const struct n3 *s)
{
	assert_true(!completing(s->mine, s->theirs) && ~(s->mine | s->theirs));
	for (uint64_t left = ~(s->mine | s->theirs); left; left = bits_rest(left)) {
		const struct n3 next = after(*s, left & (0 - left));
		b->checked++;
		check_reply(b, &next);
	}
}

/*
 * The crosses must win by threats or find their move in the strategy; a four that must be blocked
 * leaves them one move, after which all replies are checked.
 */
static void check_reply(struct bench *b, const struct n3 *s)
{
	struct n3 least;
	qv_move move;
	if (n3_wins_by_threats(s, b->tools, &move)) {
		check_threats(b, *s);
		return;
	}
	const uint64_t blocks = completing(s->theirs, s->mine);
	assert_int_equal(blocks & (blocks - 1), 0);
	if (blocks) {
		const struct n3 next = after(*s, blocks);
		check_replies(b, &next);
		return;
	}
	n3_least_image(s, b->tools, &least);
	assert_true(n3_strategy_find(&b->tools->strategy, &least));
}

/*
 * Each record is checked by itself, which proves the win when all are (make soak): every reply
 * leads to threats or to another record, with more marks.
 */
static void test_strategy__every_reply_is_answered(void **state)
{
	struct bench *b = *state;
	const size_t count = b->tools->strategy.count;
	const size_t wanted = (size_t)scaled(200), step = wanted < count ? count / wanted : 1;
	const struct n3 start = { 0, 0 };
	check_reply(b, &start);
	for (size_t i = 0; i < count; i += step) {
		const struct n3_strategy_record r = record_at(b, i);
		const struct n3 next = after(r.position, r.move);
		assert_int_equal(bits_count(r.position.mine), bits_count(r.position.theirs));
		assert_false(n3_has_four(r.position.mine) || n3_has_four(r.position.theirs));
		check_replies(b, &next);
	}
	assert_true(b->checked > 0);
}

/* All symmetries of a record find its move, or one that is as good by symmetry. */
static void test_strategy__symmetries_share_a_record(void **state)
{
	struct bench *b = *state;
	struct qv_random random = { 16, 3 };
	for (int64_t left = scaled(300); left > 0; left--) {
		const struct n3_strategy_record r =
			record_at(b, qv_random_below(&random, b->tools->strategy.count));
		const struct n3 played = after(r.position, r.move);
		struct n3 least, image;
		qv_move move;
		n3_image(&r.position, (int)qv_random_below(&random, N3_SYMMETRIES), &image);
		assert_true(n3_forced(&image, b->tools, &move));
		const struct n3 next = after(image, move);
		n3_least_image(&image, b->tools, &least);
		assert_memory_equal(&least, &r.position, sizeof least);
		assert_true(n3_prove_key(&next, b->tools) == n3_prove_key(&played, b->tools));
	}
}

/* The list of symmetries leads to the same position from every symmetric one, tried one by one. */
static void test_strategy__the_smallest_symmetric_position_is_unique(void **state)
{
	struct bench *b = *state;
	struct qv_random random = { 16, 4 };
	for (int64_t left = scaled(50); left > 0; left--) {
		struct n3 s = { 0, 0 }, least, other, image;
		for (uint64_t marks = qv_random_below(&random, 24); marks > 0; marks--) {
			const uint64_t square = UINT64_C(1) << qv_random_below(&random, N3_SQUARES);
			if (!(square & (s.mine | s.theirs)))
				n3_play(&s, square);
		}
		const int symmetry = n3_least_image(&s, b->tools, &least);
		n3_image(&s, symmetry, &image);
		assert_memory_equal(&image, &least, sizeof least);
		for (int k = 0; k < N3_SYMMETRIES; k++) {
			n3_image(&s, k, &image);
			n3_least_image(&image, b->tools, &other);
			assert_memory_equal(&other, &least, sizeof least);
		}
	}
}

/* ---- The solver ---- */

/*
 * Games against random noughts and against the solver's, turned at random after each move. Few
 * nodes are enough for either side, and the solver agrees with itself without the strategy wherever
 * that is quick.
 */
static void test_strategy__the_solver_wins_every_game(void **state)
{
	struct bench *b = *state;
	struct qv_random random = { 16, 5 };
	struct qv_solver *plain;
	const struct qv_solve_limits limits = { .size = sizeof limits, .nodes = 1000 };
	int agreed = 0;
	assert_int_equal(qv_solver_new(b->context, &b->rules, 1 << 22, &plain, NULL), QV_OK);
	n3_solver_disable_strategy(plain);
	for (int64_t left = scaled(30); left > 0; left--) {
		struct n3 s = { 0, 0 };
		int32_t points[QV_MAX_SEATS];
		const uint64_t fools = qv_random_below(&random, 3); /* thirds of random replies */
		while (n3_result(&s, points) == QV_GOING) {
			const struct n3 at = s;
			struct qv_solution other = { .size = sizeof other },
					   found = { .size = sizeof found };
			n3_image(&at, (int)qv_random_below(&random, N3_SYMMETRIES), &s);
			found = solve(b, &s);
			assert_int_equal(found.value, n3_seat(&s) ? QV_VALUE_LOSS : QV_VALUE_WIN);
			if (qv_solver_solve(plain, &s, &limits, &other, NULL) == QV_OK) {
				assert_int_equal(other.value, found.value);
				agreed++;
			}
			qv_move list[N3_SQUARES];
			const int count = n3_moves(&s, list);
			if (n3_seat(&s) && qv_random_below(&random, 3) < fools)
				found.move = list[qv_random_below(&random, (uint64_t)count)];
			s = after(s, found.move);
		}
		assert_int_equal(points[0], 1);
	}
	assert_true(agreed > 0);
	qv_solver_free(plain);
}

/* `perfect` keeps the value without a distance. */
static void test_strategy__perfect_follows_it(void **state)
{
	struct bench *b = *state;
	const struct n3 start = { 0, 0 };
	const struct qv_limits limits = { .size = sizeof limits, .nodes = FEW_NODES };
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_player_new(b->context, &b->rules, "perfect", NULL, &player, NULL),
			 QV_OK);
	assert_int_equal(qv_player_think(player, &start, &limits, NULL, &answer, NULL), QV_OK);
	assert_true(answer.proven && !answer.unsolved);
	assert_int_equal(answer.score, QV_WIN - answer.line_length);
	const struct n3 next = after(start, answer.move);
	assert_int_equal(qv_player_think(player, &next, &limits, NULL, &answer, NULL), QV_OK);
	assert_true(answer.proven && !answer.unsolved);
	assert_int_equal(answer.score, answer.line_length - QV_WIN);
	qv_player_free(player);
}

/* ---- The file ---- */

static void test_strategy__refuses_a_damaged_file(void **state)
{
	enum { RECORDS = 5 };
	struct n3_strategy_record records[RECORDS];
	unsigned char file[256];
	const size_t size = n3_strategy_size(RECORDS);
	struct n3_strategy t;
	assert_true(size <= sizeof file);
	for (size_t i = 0; i < RECORDS; i++)
		records[i] = record_at(*state, (7 * i + 3) % RECORDS);
	n3_strategy_pack(records, RECORDS, file);
	assert_int_equal(n3_strategy_read(&t, file, size, NULL), QV_OK);
	assert_int_equal(t.count, RECORDS);
	for (size_t i = 0; i < RECORDS; i++)
		assert_true(n3_strategy_find(&t, &records[i].position) == records[i].move);
	for (size_t i = 0; i < size; i++) {
		struct qv_error error;
		file[i] ^= 1;
		assert_int_equal(n3_strategy_read(&t, file, size, &error), QV_BAD_INPUT);
		assert_non_null(strstr(error.text, "strategy: "));
		assert_int_equal(t.count, 0);
		file[i] ^= 1;
		assert_int_equal(n3_strategy_read(&t, file, i, NULL), QV_BAD_INPUT);
	}
}

/* Whatever records a file has, no lookup gives an illegal move. */
static void test_strategy__wrong_records_give_legal_moves(void **state)
{
	enum { RECORDS = 64 };
	struct bench *b = *state;
	struct qv_random random = { 16, 6 };
	struct n3_strategy_record records[RECORDS];
	unsigned char *file = malloc(n3_strategy_size(RECORDS));
	const struct n3_strategy shipped = b->tools->strategy;
	int hits = 0;
	assert_non_null(file);
	for (int64_t left = scaled(20); left > 0; left--) {
		for (int i = 0; i < RECORDS; i++) {
			const struct n3_strategy_record r =
				record_at(b, qv_random_below(&random, shipped.count));
			records[i] = r;
			records[i].move = qv_random_next(&random) & qv_random_next(&random);
			if (i % 2)
				records[i].move = UINT64_C(1) << qv_random_below(&random, 64);
		}
		n3_strategy_pack(records, RECORDS, file);
		assert_int_equal(n3_strategy_read(&b->tools->strategy, file,
						  n3_strategy_size(RECORDS), NULL),
				 QV_OK);
		for (int i = 0; i < RECORDS; i++) {
			qv_move move;
			struct n3 image;
			n3_image(&records[i].position, i, &image);
			if (!n3_forced(&image, b->tools, &move))
				continue;
			after(image, move);
			hits++;
		}
		b->tools->strategy = shipped;
	}
	assert_true(hits > 0);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strategy__every_reply_is_answered),
		cmocka_unit_test(test_strategy__symmetries_share_a_record),
		cmocka_unit_test(test_strategy__the_smallest_symmetric_position_is_unique),
		cmocka_unit_test(test_strategy__the_solver_wins_every_game),
		cmocka_unit_test(test_strategy__perfect_follows_it),
		cmocka_unit_test(test_strategy__refuses_a_damaged_file),
		cmocka_unit_test(test_strategy__wrong_records_give_legal_moves),
	};
	return cmocka_run_group_tests_name("noughts3d_strategy", tests, setup, teardown);
}
