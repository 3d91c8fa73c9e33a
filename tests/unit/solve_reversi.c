/*
 * solve_reversi.c - reversi's endgame solver: its parts against literal walks over the board, its
 * answers against plain trying of every move and against published scores.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/flag.h"
#include "games/reversi/endgame.h"
#include "games/reversi/rules.h"
#include "support/meter.h"
#include "support/scale.h"
#include "twins/reversi.h"

enum { SQUARES = 64, MOST = 64 };

/* ---- literal walks ---- */

static bool has(uint64_t set, int column, int row)
{
	return set >> (8 * row + column) & 1;
}

static uint64_t walk(uint64_t mine, uint64_t theirs, int square, int right, int down)
{
	uint64_t turned = 0;
	int column = square % 8 + right, row = square / 8 + down;
	for (; column >= 0 && column < 8 && row >= 0 && row < 8; column += right, row += down) {
		if (has(mine, column, row))
			return turned;
		if (!has(theirs, column, row))
			return 0;
		turned |= UINT64_C(1) << (8 * row + column);
	}
	return 0;
}

static uint64_t walk_all(uint64_t mine, uint64_t theirs, int square)
{
	uint64_t turned = 0;
	for (int right = -1; right <= 1; right++)
		for (int down = -1; down <= 1; down++)
			if (right || down)
				turned |= walk(mine, theirs, square, right, down);
	return turned;
}

static void test_solve_reversi__flips_are_what_lies_between(void **state)
{
	struct flip_rays *rays = *state;
	struct qv_random random = { 11, 0 };
	for (int k = (int)scaled(40000); k > 0; k--) {
		const uint64_t mine = qv_random_next(&random), some = qv_random_next(&random);
		const uint64_t theirs = some & ~mine & (k % 2 ? ~UINT64_C(0) : qv_random_next(&random));
		const uint64_t empty = ~(mine | theirs);
		for (uint64_t set = empty; set; set = bits_rest(set)) {
			const int square = bits_lowest(set);
			const uint64_t turned = walk_all(mine, theirs, square);
			assert_true(flips_plain(rays, mine, theirs, square) == turned);
			assert_true(flips(rays, mine, theirs, square) == turned);
#ifdef __ARM_NEON
			assert_true(flips_neon(rays, mine, theirs, square) == turned);
#endif
		}
	}
}

/* Rows of the other side's discs are long in endgames, and random boards hardly have any. */
static void test_solve_reversi__flips_of_long_rows(void **state)
{
	struct flip_rays *rays = *state;
	struct qv_random random = { 12, 0 };
	for (int k = (int)scaled(40000); k > 0; k--) {
		const uint64_t few = qv_random_next(&random) & qv_random_next(&random) & qv_random_next(&random);
		const int square = (int)qv_random_below(&random, SQUARES);
		const uint64_t mine = few & ~(UINT64_C(1) << square);
		const uint64_t theirs = ~(mine | UINT64_C(1) << square);
		const uint64_t turned = walk_all(mine, theirs, square);
		assert_true(flips_plain(rays, mine, theirs, square) == turned);
		assert_true(flips(rays, mine, theirs, square) == turned);
		struct flip_counts counts;
		if (k % 1000 == 0 || k == 1)
			flip_counts_init(&counts);
		else
			continue;
		for (int at = 0; at < SQUARES; at++) {
			const uint64_t here = UINT64_C(1) << at;
			assert_int_equal(flip_count(&counts, few & ~here, at),
					 bits_count(walk_all(few & ~here, ~(few | here), at)));
		}
	}
}

static void test_solve_reversi__a_turned_board_is_read_backwards(void **unused)
{
	struct qv_random random = { 13, 0 };
	(void)unused;
	for (int k = 0; k < 1000; k++) {
		const uint64_t b = qv_random_next(&random);
		uint64_t turned = 0;
		for (int square = 0; square < SQUARES; square++)
			turned |= (b >> square & 1) << (63 - square);
		assert_true(flip_board_plain(b) == turned);
	}
}

/* ---- positions ---- */

/* One of a random game with so many empty squares that the game goes on. */
static struct reversi random_position(struct qv_random *random, int empty)
{
	for (;;) {
		struct reversi s;
		qv_move list[REVERSI_MAX_MOVES];
		int n;
		reversi_start(&s, NULL);
		while ((n = reversi_moves(&s, list)) > 0 &&
		       SQUARES - bits_count(s.mover | s.other) > empty)
			reversi_play(&s, list[qv_random_below(random, (uint64_t)n)]);
		if (n > 0 && SQUARES - bits_count(s.mover | s.other) == empty)
			return s;
	}
}

static int final_score(int mine, int theirs)
{
	return mine > theirs ? SQUARES - 2 * theirs : mine < theirs ? 2 * mine - SQUARES : 0;
}

/* Every move tried, on a board of letters. */
static int try_letters(const char *position)
{
	char list[REVERSI_MAX_MOVES][16];
	int points[2], best = -MOST;
	if (twin_reversi.over(position, points)) {
		const int mover = position[65] == 'O';
		return final_score(points[mover], points[1 - mover]);
	}
	const int n = twin_reversi.moves(position, list, REVERSI_MAX_MOVES);
	for (int i = 0; i < n; i++) {
		char next[TWIN_REVERSI_POSITION];
		memcpy(next, position, sizeof next);
		assert_true(twin_reversi.play(next, sizeof next, list[i]));
		const int score = -try_letters(next);
		best = score > best ? score : best;
	}
	return best;
}

/* Plain alpha-beta by the game's rules. */
static int try_all(const struct reversi *s, int alpha, int beta)
{
	qv_move list[REVERSI_MAX_MOVES];
	const int n = reversi_moves(s, list);
	int best = -MOST;
	if (n == 0)
		return final_score(bits_count(s->mover), bits_count(s->other));
	for (int i = 0; i < n && best < beta; i++) {
		struct reversi next = *s;
		reversi_play(&next, list[i]);
		const int score = -try_all(&next, -beta, -(best > alpha ? best : alpha));
		best = score > best ? score : best;
	}
	return best;
}

/* ---- a solver at hand ---- */

struct table {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_solver *solver;
};

static struct table table_open(size_t hash_bytes)
{
	struct table t = { .context = qv_context_new(NULL) };
	assert_non_null(t.context);
	assert_int_equal(qv_rules_parse(t.context, "reversi", &t.rules, NULL), QV_OK);
	assert_int_equal(qv_solver_new_by(t.context, &t.rules, QV_BY_OWN, hash_bytes, &t.solver,
					  NULL),
			 QV_OK);
	return t;
}

static void table_close(struct table *t)
{
	qv_solver_free(t->solver);
	qv_context_free(t->context);
}

static struct qv_solution solve(const struct table *t, const struct reversi *s, bool margin)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .margin = margin };
	struct qv_solution found = { .size = sizeof found };
	assert_int_equal(qv_solver_solve(t->solver, s, &limits, &found, NULL), QV_OK);
	assert_int_equal(found.has_margin, margin);
	assert_int_equal(found.in, -1);
	return found;
}

static struct reversi at(const struct table *t, const char *position)
{
	struct reversi s;
	struct qv_error error = { "" };
	if (qv_position_parse(&t->rules, position, &s, &error) != QV_OK)
		fail_msg("%s: %s", position, error.text);
	return s;
}

static enum qv_value value_of(int score)
{
	return score > 0 ? QV_VALUE_WIN : score < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
}

/* The margin, and that the move given gets it; the value alone, and that its move keeps it. */
static void check_answers(const struct table *t, const struct reversi *s, int score)
{
	const struct qv_solution exact = solve(t, s, true), value = solve(t, s, false);
	assert_int_equal(exact.margin, score);
	assert_int_equal(exact.value, value_of(score));
	assert_int_equal(value.value, value_of(score));
	struct reversi next = *s;
	reversi_play(&next, exact.move);
	assert_int_equal(try_all(&next, -MOST, MOST), -score);
	next = *s;
	reversi_play(&next, value.move);
	assert_int_equal(value_of(try_all(&next, -MOST, MOST)), value_of(-score));
}

static void test_solve_reversi__margins_are_those_of_the_literal_rules(void **unused)
{
	struct table t = table_open(1 << 20);
	struct qv_random random = { 21, 0 };
	(void)unused;
	for (int k = (int)scaled(150); k > 0; k--) {
		const struct reversi s = random_position(&random, 1 + k % 7);
		char text[QV_POSITION_TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		reversi_position_text(&s, &out);
		check_answers(&t, &s, try_letters(text));
	}
	table_close(&t);
}

static void test_solve_reversi__margins_are_those_of_alpha_beta(void **unused)
{
	struct table t = table_open(1 << 20);
	struct qv_random random = { 22, 0 };
	(void)unused;
	for (int k = (int)scaled(150); k > 0; k--) {
		const struct reversi s = random_position(&random, 8 + k % 4);
		check_answers(&t, &s, try_all(&s, -MOST, MOST));
	}
	table_close(&t);
}

/* Each answer must hold with a table that forgets at once, and one that remembers all. */
static void test_solve_reversi__the_size_of_the_table_changes_no_answer(void **unused)
{
	static const size_t sizes[] = { 0, 1, 1 << 12, 1 << 16, 1 << 25 };
	enum { SIZES = sizeof sizes / sizeof *sizes };
	struct table tables[SIZES];
	struct qv_random random = { 23, 0 };
	(void)unused;
	for (int i = 0; i < SIZES; i++)
		tables[i] = table_open(sizes[i]);
	for (int k = (int)scaled(60); k > 0; k--) {
		const struct reversi s = random_position(&random, 10 + k % 5);
		const int32_t margin = solve(&tables[0], &s, true).margin;
		for (int i = 0; i < SIZES; i++) {
			assert_int_equal(solve(&tables[i], &s, k % 2 == 0).value, value_of(margin));
			assert_int_equal(solve(&tables[i], &s, true).margin, margin);
		}
	}
	for (int i = 0; i < SIZES; i++)
		table_close(&tables[i]);
}

/* Turned and mirrored boards have the same score; nothing in the search knows that. */
static void test_solve_reversi__images_have_the_same_margin(void **unused)
{
	struct table t = table_open(1 << 16);
	struct qv_random random = { 24, 0 };
	(void)unused;
	for (int n = (int)scaled(30); n > 0; n--) {
		const struct reversi s = random_position(&random, 13);
		const int32_t margin = solve(&t, &s, true).margin;
		for (int k = 1; k < 8; k++) {
			struct reversi image;
			reversi_image(&s, k, &image);
			assert_int_equal(solve(&t, &image, true).margin, margin);
		}
	}
	table_close(&t);
}

/* ---- any board ---- */

/* A board as no game gives it: mostly one side's, or stripes, with so many random empty squares. */
static struct reversi random_board(struct qv_random *random, int empty)
{
	const uint64_t a = qv_random_next(random), b = qv_random_next(random);
	const uint64_t c = qv_random_next(random), stripes = UINT64_C(0x00ff00ffff00ff00);
	const uint64_t fills[] = { a, a & b, a | b, a & b & c, a | b | c, (a & b & c) ^ stripes };
	const uint64_t mine = fills[qv_random_below(random, sizeof fills / sizeof *fills)];
	uint64_t free = 0;
	while (bits_count(free) < empty)
		free |= UINT64_C(1) << qv_random_below(random, SQUARES);
	return (struct reversi){ mine & ~free, ~(mine | free), 0 };
}

/* With limits on either side of the score, an answer is the score, or the right bound of it. */
static void check_limits(struct endgame *e, const struct reversi *s, int score)
{
	static const int limits[][2] = { { -1, 1 }, { -3, 3 }, { 1, 3 }, { -3, -1 }, { 0, 1 }, { -1, 0 } };
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		const int low = score + limits[i][0], high = score + limits[i][1];
		const int found = endgame_solve(e, s->mover, s->other, low, high, NULL).score;
		if (low < score && score < high)
			assert_int_equal(found, score);
		else if (score <= low)
			assert_in_range(found + MOST, score + MOST, low + MOST);
		else
			assert_in_range(found + MOST, high + MOST, score + MOST);
	}
}

static void test_solve_reversi__any_board_between_any_limits(void **unused)
{
	struct endgame *e = malloc(sizeof *e);
	struct qv_random random = { 26, 0 };
	(void)unused;
	assert_non_null(e);
	memset(e, 0, sizeof *e);
	for (int k = (int)scaled(12000); k > 0; k--) {
		const struct reversi s = random_board(&random, 1 + k % 8);
		if (k % 1000 == 0 || !e->tables[0].slots) {              /* none of the answers is known */
			endgame_release(e, &mem_malloc);
			assert_int_equal(endgame_init(e, &mem_malloc, 1 << 14), QV_OK);
		}
		if (reversi_count(&s) > 0)
			check_limits(e, &s, try_all(&s, -MOST, MOST));
	}
	endgame_release(e, &mem_malloc);
	free(e);
}

/* ---- stable discs ---- */

/* Every game from here on, at random: what was called stable is never turned. */
static void play_out(struct qv_random *random, struct reversi s, uint64_t stable[2])
{
	qv_move list[REVERSI_MAX_MOVES];
	for (int n; (n = reversi_moves(&s, list)) > 0;) {
		reversi_play(&s, list[qv_random_below(random, (uint64_t)n)]);
		const uint64_t discs[2] = { s.seat ? s.other : s.mover, s.seat ? s.mover : s.other };
		assert_true((stable[0] & ~discs[0]) == 0);
		assert_true((stable[1] & ~discs[1]) == 0);
	}
}

static void test_solve_reversi__stable_discs_stay(void **unused)
{
	static struct stable_edges edges;
	struct qv_random random = { 31, 0 };
	int seen = 0;
	(void)unused;
	stable_edges_init(&edges);
	for (int k = (int)scaled(4000); k > 0; k--) {
		const struct reversi s = random_position(&random, 3 + k % 30);
		uint64_t stable[2];
		stable[s.seat] = stable_discs(&edges, s.mover, s.other);
		stable[1 - s.seat] = stable_discs(&edges, s.other, s.mover);
		assert_true((stable[s.seat] & ~s.mover) == 0);
		assert_true((stable[1 - s.seat] & ~s.other) == 0);
		seen += bits_count(stable[0] | stable[1]);
		for (int i = 0; i < 10; i++)
			play_out(&random, s, stable);
	}
	assert_true(seen > scaled(4000));
}

/* A full board is stable, and so is what stands on a corner and hangs together along the side. */
static void test_solve_reversi__plainly_stable_discs_are_seen(void **unused)
{
	static struct stable_edges edges;
	const uint64_t mine = UINT64_C(0x00000018180f070f);
	(void)unused;
	stable_edges_init(&edges);
	assert_true(stable_discs(&edges, UINT64_C(0xf0f0), ~UINT64_C(0xf0f0)) == UINT64_C(0xf0f0));
	assert_true((stable_discs(&edges, mine, UINT64_C(0x0000001000000000)) & 0xff) == 0x0f);
	assert_true(stable_discs(&edges, UINT64_C(0x0000001818000000), 0) == 0);
}

/* ---- published scores ---- */

struct problem {
	int number;
	char position[TWIN_REVERSI_POSITION];
	char scores[512];              /* "A2:+38 C7:+36 ...", best first */
};

static bool read_problem(const char *line, struct problem *p)
{
	int empty, from = 0;
	char board[SQUARES + 1], side;
	if (sscanf(line, "%d %d %*s %64s %c | %n", &p->number, &empty, board, &side, &from) != 4 ||
	    from == 0)
		return false;
	snprintf(p->position, sizeof p->position, "%s %c", board, side);
	snprintf(p->scores, sizeof p->scores, "%s", line + from);
	return true;
}

static struct problem problem_of(int number)
{
	struct problem p = { .number = 0 };
	char line[2048];
	FILE *file = fopen(TEST_DATA "/reversi-ffo40-59.txt", "r");
	assert_non_null(file);
	while (p.number != number && fgets(line, sizeof line, file))
		if (*line != '#')
			assert_true(read_problem(line, &p));
	fclose(file);
	assert_int_equal(p.number, number);
	return p;
}

/* The move's score as published; fails if there is none. */
static int published(const struct problem *p, const char *move)
{
	char name[3] = { (char)toupper(move[0]), move[1], 0 };
	const char *found = strstr(p->scores, name);
	assert_non_null(found);
	return atoi(found + 3);
}

/* Each takes around a second. */
static void test_solve_reversi__ffo_scores_are_the_published_ones(void **unused)
{
	static const int numbers[] = { 40, 44, 42 };
	struct table t = table_open(1 << 26);
	(void)unused;
	for (int i = 0; i < scaled(3) && i < 3; i++) {
		const struct problem p = problem_of(numbers[i]);
		const struct reversi s = at(&t, p.position);
		const struct qv_solution found = solve(&t, &s, true);
		char move[QV_MOVE_TEXT];
		struct qv_text out = { move, sizeof move, 0 };
		reversi_move_text(&s, found.move, &out);
		assert_int_equal(found.margin, atoi(p.scores + 3));
		assert_int_equal(published(&p, move), found.margin);
	}
	table_close(&t);
}

/* The first position after moves of it that are mistakes. */
static void test_solve_reversi__ffo_scores_of_mistakes(void **unused)
{
	const struct problem p = problem_of(40);
	struct table t = table_open(1 << 26);
	const struct reversi s = at(&t, p.position);
	qv_move list[REVERSI_MAX_MOVES];
	const int n = reversi_moves(&s, list);
	int64_t left = scaled(4);
	(void)unused;
	assert_int_equal(n, 10);
	for (int i = n - 1; i >= 0 && left-- > 0; i--) {
		char move[QV_MOVE_TEXT];
		struct qv_text out = { move, sizeof move, 0 };
		reversi_move_text(&s, list[i], &out);
		struct reversi next = s;
		reversi_play(&next, list[i]);
		assert_int_equal(solve(&t, &next, true).margin, -published(&p, move));
	}
	table_close(&t);
}

/* ---- ends, passes, wipe-outs ---- */

static void test_solve_reversi__what_has_ended_or_is_wiped_out(void **unused)
{
	static const struct {
		const char *position;
		int margin;
	} known[] = {
		/* Over: a full board, one that is shared, one side gone: the rest counts for the other. */
		{ "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOO O", -16 },
		{ "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X", 0 },
		{ "--------------------------XXX------XX--------------------------- O", -64 },
		/* Every move takes all that the other side has. */
		{ "--------------------------XXO------XX--------------------------- X", 64 },
	};
	struct table t = table_open(1 << 16);
	(void)unused;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct reversi s = at(&t, known[i].position);
		const struct qv_solution found = solve(&t, &s, true);
		int32_t points[QV_MAX_SEATS];
		assert_int_equal(found.margin, known[i].margin);
		assert_int_equal(found.value, value_of(known[i].margin));
		assert_int_equal(found.move == QV_NO_MOVE, reversi_result(&s, points) == QV_ENDED);
	}
	table_close(&t);
}

/* Random games rarely have many passes: positions in which the side to move must pass. */
static void test_solve_reversi__passes_are_moves(void **unused)
{
	struct table t = table_open(1 << 16);
	struct qv_random random = { 41, 0 };
	(void)unused;
	for (int k = (int)scaled(60); k > 0;) {
		const struct reversi s = random_position(&random, 2 + k % 9);
		if (reversi_mobility(s.mover, s.other))
			continue;
		k--;
		assert_int_equal(solve(&t, &s, true).move, REVERSI_PASS);
		check_answers(&t, &s, try_all(&s, -MOST, MOST));
	}
	table_close(&t);
}

/* ---- how it is asked ---- */

static void test_solve_reversi__a_stop_that_came_before_counts(void **unused)
{
	struct table t = table_open(1 << 20);
	const struct problem p = problem_of(57);
	const struct reversi s = at(&t, p.position);
	const struct qv_flag stop = { 1 };
	const struct qv_solve_limits limits = { .size = sizeof limits,
						.stop = &stop,
						.margin = true };
	struct qv_solution found = { .size = sizeof found };
	(void)unused;
	assert_int_equal(qv_solver_solve(t.solver, &s, &limits, &found, NULL), QV_STOPPED);
	assert_int_equal(found.value, QV_VALUE_UNKNOWN);
	assert_false(found.has_margin);
	table_close(&t);
}

struct alarm {
	struct qv_flag stop;
	long microseconds;
};

static void *ring(void *alarm)
{
	struct alarm *a = alarm;
	const struct timespec moment = { 0, 1000 * a->microseconds };
	nanosleep(&moment, NULL);
	flag_set(&a->stop, true);
	return NULL;
}

static enum qv_status solve_until(const struct table *t, const struct reversi *s, long microseconds,
				  struct qv_solution *out)
{
	struct alarm alarm = { .microseconds = microseconds };
	const struct qv_solve_limits limits = { .size = sizeof limits,
						.stop = &alarm.stop,
						.margin = true };
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, ring, &alarm), 0);
	const enum qv_status status = qv_solver_solve(t->solver, s, &limits, out, NULL);
	assert_int_equal(pthread_join(thread, NULL), 0);
	return status;
}

static void test_solve_reversi__the_start_is_given_up(void **unused)
{
	struct table t = table_open(1 << 20);
	const struct reversi s = at(&t, "start");
	struct qv_solution found = { .size = sizeof found };
	(void)unused;
	assert_int_equal(solve_until(&t, &s, 30000, &found), QV_STOPPED);
	assert_int_equal(found.value, QV_VALUE_UNKNOWN);
	table_close(&t);
}

/* What a stopped search leaves in the table is true: asked again, it answers as a new one does. */
static void test_solve_reversi__a_stop_leaves_nothing_false(void **unused)
{
	struct table often_stopped = table_open(1 << 22);
	struct qv_random random = { 42, 0 };
	(void)unused;
	for (int k = (int)scaled(12); k > 0; k--) {
		const struct reversi s = random_position(&random, 16);
		struct table fresh = table_open(1 << 22);
		const int32_t margin = solve(&fresh, &s, true).margin;
		table_close(&fresh);
		for (long wait = 300; wait < 10000; wait *= 2) {
			struct qv_solution found = { .size = sizeof found };
			if (solve_until(&often_stopped, &s, wait, &found) == QV_OK)
				assert_int_equal(found.margin, margin);
			else
				assert_false(found.has_margin);
		}
		assert_int_equal(solve(&often_stopped, &s, true).margin, margin);
	}
	table_close(&often_stopped);
}

/* Distances come from the two-player search, with the margin beside them. */
static void test_solve_reversi__distance_and_margin_together(void **unused)
{
	struct table t = table_open(1 << 20);
	struct qv_solver *search;
	struct qv_random random = { 43, 0 };
	(void)unused;
	assert_int_equal(qv_solver_new_by(t.context, &t.rules, QV_BY_SEARCH, 1 << 20, &search, NULL),
			 QV_OK);
	for (int k = (int)scaled(30); k > 0; k--) {
		const struct reversi s = random_position(&random, 8);
		const struct qv_solve_limits both = { .size = sizeof both,
						      .distance = true,
						      .margin = true };
		const struct qv_solve_limits plain = { .size = sizeof plain, .distance = true };
		struct qv_solution own = { .size = sizeof own }, other = { .size = sizeof other };
		assert_int_equal(qv_solver_solve(t.solver, &s, &both, &own, NULL), QV_OK);
		assert_int_equal(qv_solver_solve(search, &s, &both, &other, NULL), QV_OK);
		assert_int_equal(own.value, other.value);
		assert_int_equal(own.in, other.in);
		assert_int_equal(own.margin, try_all(&s, -MOST, MOST));
		assert_false(other.has_margin);
		assert_int_equal(qv_solver_solve(t.solver, &s, &plain, &own, NULL), QV_OK);
		assert_int_equal(own.in, other.in);
	}
	qv_solver_free(search);
	table_close(&t);
}

static void test_solve_reversi__the_perfect_player_gets_the_margin(void **unused)
{
	struct table t = table_open(1 << 20);
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_random random = { 44, 0 };
	struct qv_player *player;
	(void)unused;
	assert_int_equal(qv_player_new(t.context, &t.rules, "perfect", &defaults, &player, NULL),
			 QV_OK);
	for (int k = (int)scaled(30); k > 0; k--) {
		struct reversi s = random_position(&random, 10);
		struct qv_answer answer = { .size = sizeof answer };
		const int score = try_all(&s, -MOST, MOST);
		assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, NULL), QV_OK);
		assert_true(answer.proven);
		const uint64_t seat = s.seat;
		for (int i = 0; i < answer.line_length; i++)
			reversi_play(&s, answer.line[i]);
		const int end = final_score(bits_count(s.mover), bits_count(s.other));
		assert_int_equal(s.seat == seat ? end : -end, score);
	}
	qv_player_free(player);
	table_close(&t);
}

static void test_solve_reversi__survives_without_memory(void **unused)
{
	(void)unused;
	for (int n = 1; n <= 6; n++) {
		struct meter meter = meter_make();
		const struct qv_allocator allocator = { meter_resize, &meter };
		struct qv_context *context = qv_context_new(&allocator);
		struct qv_rules rules;
		struct qv_solver *solver = NULL;
		assert_int_equal(qv_rules_parse(context, "reversi", &rules, NULL), QV_OK);
		meter_arm(&meter, n, false);
		const enum qv_status status =
			qv_solver_new(context, &rules, 1 << 16, &solver, NULL);
		assert_int_equal(status, meter.failed ? QV_NO_MEMORY : QV_OK);
		assert_int_equal(meter.failed, n <= 3);
		if (status == QV_OK)
			qv_solver_free(solver);
		qv_context_free(context);
		assert_int_equal(meter.blocks, 0);
		assert_int_equal(meter.wrong_sizes, 0);
	}
}

static int rays_setup(void **state)
{
	struct flip_rays *rays = malloc(sizeof *rays);
	if (!rays)
		return -1;
	flip_rays_init(rays);
	*state = rays;
	return 0;
}

static int rays_teardown(void **state)
{
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_solve_reversi__flips_are_what_lies_between),
		cmocka_unit_test(test_solve_reversi__flips_of_long_rows),
		cmocka_unit_test(test_solve_reversi__a_turned_board_is_read_backwards),
		cmocka_unit_test(test_solve_reversi__margins_are_those_of_the_literal_rules),
		cmocka_unit_test(test_solve_reversi__margins_are_those_of_alpha_beta),
		cmocka_unit_test(test_solve_reversi__the_size_of_the_table_changes_no_answer),
		cmocka_unit_test(test_solve_reversi__images_have_the_same_margin),
		cmocka_unit_test(test_solve_reversi__any_board_between_any_limits),
		cmocka_unit_test(test_solve_reversi__stable_discs_stay),
		cmocka_unit_test(test_solve_reversi__plainly_stable_discs_are_seen),
		cmocka_unit_test(test_solve_reversi__ffo_scores_are_the_published_ones),
		cmocka_unit_test(test_solve_reversi__ffo_scores_of_mistakes),
		cmocka_unit_test(test_solve_reversi__what_has_ended_or_is_wiped_out),
		cmocka_unit_test(test_solve_reversi__passes_are_moves),
		cmocka_unit_test(test_solve_reversi__a_stop_that_came_before_counts),
		cmocka_unit_test(test_solve_reversi__the_start_is_given_up),
		cmocka_unit_test(test_solve_reversi__a_stop_leaves_nothing_false),
		cmocka_unit_test(test_solve_reversi__distance_and_margin_together),
		cmocka_unit_test(test_solve_reversi__the_perfect_player_gets_the_margin),
		cmocka_unit_test(test_solve_reversi__survives_without_memory),
	};
	return cmocka_run_group_tests_name("solve_reversi", tests, rays_setup, rays_teardown);
}
