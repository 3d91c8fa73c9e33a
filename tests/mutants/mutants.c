/*
 * mutants.c - Kalah broken in many ways, each a game of its own, for tests/cli/mutants.sh.
 * SPDX-License-Identifier: MIT
 *
 * The good game is examples/kalah.c on a small board, with a symmetry and a count of moves besides.
 * A mutant goes wrong only in some positions, so that the check has to find and name one. The name
 * says what is wrong; the script knows the law that must notice.
 */
#define qv_plugin kalah_plugin
#include "../../examples/kalah.c"
#undef qv_plugin

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

/* Some positions, none of which is the start. */
static bool is_bad(const void *state)
{
	const struct kalah *k = state;
	return k->seeds[store(k, 0)] + k->seeds[store(k, 1)] >= 4;
}

static void crash(void)
{
	static int *volatile nowhere;
	*nowhere = 1;
}

static void loop(void)
{
	for (volatile int i = 0; i < 1; i = 0)
		;
}

/* The state without its const: what a game may not do. */
static struct kalah *unlocked(const void *state)
{
	return (struct kalah *)(uintptr_t)state;
}

/* ---- Moves ---- */

#define MOVES(name_, when, what)                                  \
	static int name_(const void *state, qv_move *list)        \
	{                                                         \
		if (when)                                         \
			what;                                     \
		return moves(state, list);                        \
	}
MOVES(moves_crash, is_bad(state), crash())
MOVES(moves_loop, is_bad(state), loop())
MOVES(moves_print, is_bad(state), printf("moves of %p\n", (void *)list))
MOVES(moves_overrun, is_bad(state), list[MOST_PITS] = 0)
MOVES(moves_underrun, is_bad(state), list[-1] = 0)
MOVES(moves_option_crash, ((const struct kalah *)state)->pits == 1, crash())

/* Reads, and no more: what is there does not matter, so only a fence can tell. */
#define READS(at) (void)*(const volatile char *)(at)
MOVES(moves_before, is_bad(state), READS((const char *)state - 1))
MOVES(moves_behind, is_bad(state), READS((const char *)state + sizeof(struct kalah)))

static int moves_shuffled(const void *state, qv_move *list)
{
	const int n = moves(state, list);
	if (is_bad(state) && n > 1 && rand() % 2) {
		const qv_move first = list[0];
		list[0] = list[1];
		list[1] = first;
	}
	return n;
}

static int moves_twice(const void *state, qv_move *list)
{
	const int n = moves(state, list);
	if (is_bad(state) && n > 1)
		list[1] = list[0];
	return n;
}

static int moves_none(const void *state, qv_move *list)
{
	return is_bad(state) ? 0 : moves(state, list);
}

static int moves_empty_pits(const void *state, qv_move *list)
{
	const struct kalah *k = state;
	if (k->pits != 4 || has_ended(k))
		return moves(state, list);
	for (int i = 0; i < k->pits; i++)
		list[i] = 0;
	return k->pits;
}

static int count(const void *state)
{
	qv_move list[MOST_PITS];
	return moves(state, list);
}

static int count_wrong(const void *state)
{
	return count(state) + is_bad(state);
}

static int seat_third(const void *state)
{
	return is_bad(state) ? 2 : seat(state);
}

/* ---- Play, results, hashes ---- */

#define PLAY(name_, what)                                         \
	static void name_(void *state, qv_move move)              \
	{                                                         \
		play(state, move);                                \
		if (is_bad(state))                                \
			what;                                     \
	}
PLAY(play_crash, crash())
PLAY(play_loop, loop())
PLAY(play_exit, exit(0))
PLAY(play_overrun, ((unsigned char *)state)[sizeof(struct kalah)] = 1)
PLAY(play_random, unlocked(state)->turn = (uint8_t)(rand() % 2))

/* Another game than Kalah, and a good one. */
static void play_without_captures(void *state, qv_move move)
{
	struct kalah *k = state;
	const int home = store(k, k->turn), last = sow(k, first_pit(k, k->turn) + (int)move);
	if (!row_sum(k, 0) || !row_sum(k, 1))
		sweep(k);
	if (last != home)
		k->turn = !k->turn;
}

/* No second turn for a seed in the store. */
static void play_alternating(void *state, qv_move move)
{
	struct kalah *k = state;
	const uint8_t turn = k->turn;
	play_without_captures(state, move);
	k->turn = !turn;
}

static enum qv_outcome result_loop(const void *state, int32_t *points)
{
	if (is_bad(state))
		loop();
	return result(state, points);
}

static enum qv_outcome result_assert(const void *state, int32_t *points)
{
	if (is_bad(state)) {
		fprintf(stderr, "kalah.c:77: assertion 'seeds' failed\n");
		abort();
	}
	return result(state, points);
}

static enum qv_outcome result_half(const void *state, int32_t *points)
{
	int32_t both[2];
	const enum qv_outcome outcome = result(state, both);
	if (outcome == QV_ENDED)
		points[0] = both[0];
	return outcome;
}

/* A game in which the second player can only draw, and one that is never drawn. */
static enum qv_outcome result_one_sided(const void *state, int32_t *points)
{
	const enum qv_outcome outcome = result(state, points);
	if (outcome == QV_ENDED && points[1] > points[0])
		points[1] = points[0];
	return outcome;
}

static enum qv_outcome result_drawless(const void *state, int32_t *points)
{
	const enum qv_outcome outcome = result(state, points);
	if (outcome == QV_ENDED)
		points[0] = 2 * points[0] + (points[0] == points[1]), points[1] *= 2;
	return outcome;
}

static enum qv_outcome result_early(const void *state, int32_t *points)
{
	points[0] = points[1] = 1;
	return is_bad(state) ? QV_ENDED : result(state, points);
}

static uint64_t hash_of(const void *state, bool wrong)
{
	struct kalah k = *(const struct kalah *)state;
	if (wrong)
		k.turn = 0;
	return hash(&k);
}

static uint64_t hash_forgets(const void *state)
{
	return hash_of(state, is_bad(state));
}

static uint64_t hash_option(const void *state)
{
	return hash_of(state, ((const struct kalah *)state)->pits == 4);
}

static uint64_t hash_address(const void *state)
{
	return hash(state) + (is_bad(state) ? (uintptr_t)state : 0);
}

static uint64_t hash_recursive(const void *state)
{
	volatile char room[4096] = { 1 };
	return is_bad(state) ? hash_recursive(state) + (unsigned char)room[0] : hash(state);
}

static uint64_t hash_error_print(const void *state)
{
	if (is_bad(state))
		fprintf(stderr, "hash\n");
	return hash(state);
}

/* Right, but it remembers: two threads would disturb each other. */
static uint64_t hash_remembers(const void *state)
{
	static struct kalah last;
	static uint64_t value;
	if (is_bad(state) && memcmp(&last, state, sizeof last) != 0) {
		last = *(const struct kalah *)state;
		value = hash(state);
	}
	return is_bad(state) ? value : hash(state);
}

static uint64_t hash_leaks(const void *state)
{
	struct kalah *volatile copy = malloc(sizeof *copy);
	*copy = *(const struct kalah *)state;
	return hash(copy);
}

/* ---- Texts ---- */

static void move_text_same(const void *state, qv_move move, struct qv_text *out)
{
	move_text(state, is_bad(state) ? 0 : move, out);
}

static void move_text_comma(const void *state, qv_move move, struct qv_text *out)
{
	move_text(state, move, out);
	qv_put(out, is_bad(state) ? ",1" : "");
}

static void position_text_turnless(const void *state, struct qv_text *out)
{
	struct kalah k = *(const struct kalah *)state;
	if (is_bad(state))
		k.turn = 0;
	position_text(&k, out);
}

static void position_text_lines(const void *state, struct qv_text *out)
{
	qv_put(out, is_bad(state) ? "\n" : "");
	position_text(state, out);
}

static void position_text_sleep(const void *state, struct qv_text *out)
{
	if (is_bad(state))
		sleep(1000);
	position_text(state, out);
}

#define PARSE(name_, when, what)                                                           \
	static enum qv_status name_(const int64_t *options, const char *text, void *state, \
				    struct qv_error *error)                                \
	{                                                                                  \
		if (when)                                                                  \
			what;                                                              \
		return position_parse(options, text, state, error);                        \
	}
PARSE(parse_crash, strchr(text, '/'), crash())
PARSE(parse_loop, strchr(text, '/'), loop())
PARSE(parse_exit, strchr(text, '/'), _exit(3))
PARSE(parse_spoils, true, memset(state, 1, sizeof(struct kalah)))
PARSE(parse_silent, strchr(text, '/'), return QV_BAD_INPUT)

/* The end of a text is a character of every list of characters. */
static void walk_past_end(const char *text)
{
	while (strchr(" 0123456789", *(const volatile char *)text))
		text++;
}
PARSE(parse_past_end, true, walk_past_end(text))
PARSE(parse_far, true, READS(text + 72))
PARSE(parse_before, true, READS(text - 1))

static bool move_parse_past_end(const void *state, const char *text, qv_move *move)
{
	(void)state, (void)move;
	READS(text + strlen(text) + 1);
	return false;
}

/* Reads more than position_text writes, but all of it as legal positions. */
static enum qv_status parse_lax(const int64_t *options, const char *text, void *state,
				struct qv_error *error)
{
	return position_parse(options, text + strspn(text, " "), state, error);
}

/* Two players' turns are enough for a text of its own, but not for these. */
static enum qv_status parse_no_turn(const int64_t *options, const char *text, void *state,
				    struct qv_error *error)
{
	const enum qv_status status = position_parse(options, text, state, error);
	if (status == QV_OK)
		((struct kalah *)state)->turn = 0;
	return status;
}

static void draw_unfinished(const void *state, bool unicode, struct qv_text *out)
{
	draw(state, unicode, out);
	qv_put(out, is_bad(state) ? "x" : "");
}

static void draw_crash(const void *state, bool unicode, struct qv_text *out)
{
	if (is_bad(state))
		crash();
	draw(state, unicode, out);
}

static void start_loop(const int64_t *options, void *state)
{
	if (options[SEEDS] == 3)
		loop();
	start(options, state);
}

static void start_partly(const int64_t *options, void *state)
{
	struct kalah k;
	start(options, &k);
	memcpy(state, &k, (size_t)(2 + cells(&k)));
}

/* ---- Evaluations ---- */

#define EVALUATE(name_, what)                                            \
	static int32_t name_(const void *state, const void *weights)     \
	{                                                                \
		if (is_bad(state))                                       \
			what;                                            \
		return evaluate(state, weights);                         \
	}
EVALUATE(evaluate_crash, crash())
EVALUATE(evaluate_loop, loop())
EVALUATE(evaluate_range, return QV_MAX_EVAL + 1)
EVALUATE(evaluate_random, return rand() % 8)
EVALUATE(evaluate_meddles, unlocked(state)->seeds[0] ^= 1)
EVALUATE(evaluate_terms, return evaluate(state, weights) + 1)
EVALUATE(evaluate_lopsided, return 7 + seat(state))
EVALUATE(evaluate_constant, return 7)
EVALUATE(evaluate_prints, if (write(STDOUT_FILENO, "!", 1) != 1) return 0)

/* As seat 0 sees it, whoever is to move: with the pieces, the sign never changes. */
static int32_t evaluate_one_view(const void *state, const void *weights)
{
	const int32_t value = evaluate(state, weights);
	return seat(state) ? -value : value;
}

static int32_t leaf_wrong(const void *state, const void *weights)
{
	return evaluate(state, weights); /* also after the end */
}

/* Lopsided is only against the symmetry: the terms must not notice it first. */
#define TABLE(name_, function, ...)                                                  \
	static const struct qv_evaluation name_[] = {                                \
		{ .name = "seeds", .evaluate = function, .weights = default_weights, \
		  .weights_size = sizeof default_weights, .names = names, __VA_ARGS__ }, \
		{ .name = NULL },                                                    \
	};
TABLE(crash_table, evaluate_crash, .terms = list_terms)
TABLE(loop_table, evaluate_loop, .terms = list_terms)
TABLE(range_table, evaluate_range, .terms = NULL)
TABLE(random_table, evaluate_random, .terms = NULL)
TABLE(meddling_table, evaluate_meddles, .terms = NULL)
TABLE(terms_table, evaluate_terms, .terms = list_terms)
TABLE(lopsided_table, evaluate_lopsided, .terms = NULL)
TABLE(constant_table, evaluate_constant, .terms = NULL)
TABLE(one_view_table, evaluate_one_view, .terms = NULL)
TABLE(printing_table, evaluate_prints, .terms = NULL)
TABLE(leaf_table, evaluate, .leaf = leaf_wrong)

/* ---- Ranks, symmetry, board ---- */

static int32_t rank_range(const void *state, qv_move move)
{
	return is_bad(state) ? (1 << 27) + 1 : rank(state, move);
}

static int32_t rank_abort(const void *state, qv_move move)
{
	if (is_bad(state))
		abort();
	return rank(state, move);
}

static int32_t rank_moody(const void *state, qv_move move)
{
	static int calls;
	return is_bad(state) ? calls++ : rank(state, move);
}

/* The board from the other side of the table. */
static void image(const void *state, int k, void *out)
{
	const struct kalah *from = state;
	struct kalah to = *from;
	for (int i = 0; k && i < cells(from); i++)
		to.seeds[i] = from->seeds[(i + from->pits + 1) % cells(from)];
	to.turn = (uint8_t)(k ? !from->turn : from->turn);
	*(struct kalah *)out = to;
}

static qv_move image_move(const void *state, int k, qv_move move)
{
	(void)state, (void)k;
	return move;
}

static void image_one_way(const void *state, int k, void *out)
{
	image(state, k, out);
	if (k && is_bad(state))
		((struct kalah *)out)->turn = 0;
}

static qv_move image_move_next(const void *state, int k, qv_move move)
{
	const struct kalah *s = state;
	return k && is_bad(state) && move + 1 < s->pits ? move + 1 : move;
}

static int stand_twice(const void *state, struct qv_standing *list)
{
	const int n = stand(state, list);
	if (is_bad(state) && n > 1)
		list[0] = list[1];
	return n;
}

static int clicks_meddle(const void *state, qv_move move, int16_t *list)
{
	if (is_bad(state))
		unlocked(state)->turn = !unlocked(state)->turn;
	return clicks(state, move, list);
}

static int clicks_outside(const void *state, qv_move move, int16_t *list)
{
	const int n = clicks(state, move, list);
	if (is_bad(state))
		list[0] = 99;
	return n;
}

/* The row of the other player. */
static int clicks_opposite(const void *state, qv_move move, int16_t *list)
{
	const struct kalah *k = state;
	const int n = clicks(state, move, list);
	list[0] = (int16_t)((list[0] + k->pits + 1) % cells(k));
	return n;
}

static enum qv_status set_up_wrong_seat(const int64_t *options, const struct qv_standing *list,
					int count_, int side, void *state, struct qv_error *error)
{
	(void)side;
	return set_up(options, list, count_, 0, state, error);
}

#define BOARD(name_, ...)                                                                   \
	static const struct qv_board name_ = { .pieces = pieces, .layout = layout,          \
					       .stand = stand, .clicks = clicks,            \
					       .set_up = set_up, __VA_ARGS__ };
#pragma GCC diagnostic ignored "-Woverride-init"
BOARD(board_stand, .stand = stand_twice)
BOARD(board_meddle, .clicks = clicks_meddle)
BOARD(board_outside, .clicks = clicks_outside)
BOARD(board_opposite, .clicks = clicks_opposite)
BOARD(board_set_up, .set_up = set_up_wrong_seat)

static const char *const wrong_levels[] = { "random", "alphabeta:depht=2", NULL };

/* ---- All of them ---- */

/* A small board, so that the checks are quick. */
static const struct qv_option small_options[] = {
	{ .name = "pits", .help = "pits of each player", .min = 1, .max = 4, .preset = 3 },
	{ .name = "seeds", .help = "seeds in each pit", .min = 1, .max = 3, .preset = 2 },
	{ .name = NULL },
};

#define WHOLE(name_)                                                                          \
	QV_HEAD(qv_game), .name = name_, .title = "Mutant", .seats = 2,                       \
	.state_size = sizeof(struct kalah), .max_moves = MOST_PITS, .options = small_options, \
	.evaluations = evaluations, .start = start, .seat = seat, .moves = moves, .play = play, \
	.result = result, .hash = hash, .move_text = move_text, .position_text = position_text, \
	.position_parse = position_parse, .rank = rank, .count = count, .draw = draw,         \
	.board = &board, .symmetries = 2, .image = image, .image_move = image_move
#define ASYMMETRIC .symmetries = 0, .image = NULL, .image_move = NULL
#define MUTANT(name_, ...) { WHOLE(name_), __VA_ARGS__ }

static const struct qv_game mutants[] = {
	MUTANT("none", .title = "The good one"),
	MUTANT("moves-crash", .moves = moves_crash),
	MUTANT("moves-loop", .moves = moves_loop),
	MUTANT("moves-print", .moves = moves_print),
	MUTANT("moves-overrun", .moves = moves_overrun),
	MUTANT("moves-underrun", .moves = moves_underrun),
	MUTANT("moves-option-crash", .moves = moves_option_crash),
	MUTANT("moves-shuffled", .moves = moves_shuffled),
	MUTANT("moves-twice", .moves = moves_twice),
	MUTANT("moves-none", .moves = moves_none),
	MUTANT("moves-option-wrong", .moves = moves_empty_pits),
	MUTANT("moves-too-many", .max_moves = 2),
	MUTANT("count-wrong", .count = count_wrong),
	MUTANT("seat-third", .seat = seat_third),
	MUTANT("alternates-lie", .alternates = true),
	MUTANT("length-lie", .max_plies = 3),
	MUTANT("play-crash", .play = play_crash),
	MUTANT("play-loop", .play = play_loop),
	MUTANT("play-exit", .play = play_exit),
	MUTANT("play-overrun", .play = play_overrun),
	MUTANT("play-random", .play = play_random),
	MUTANT("result-loop", .result = result_loop),
	MUTANT("result-assert", .result = result_assert),
	MUTANT("result-half", .result = result_half),
	MUTANT("result-early", .result = result_early),
	MUTANT("hash-forgets", .hash = hash_forgets),
	MUTANT("hash-option", .hash = hash_option),
	MUTANT("hash-address", .hash = hash_address),
	MUTANT("hash-recursive", .hash = hash_recursive),
	MUTANT("hash-error-print", .hash = hash_error_print),
	MUTANT("hash-remembers", .hash = hash_remembers),
	MUTANT("hash-leaks", .hash = hash_leaks),
	MUTANT("move-text-same", .move_text = move_text_same),
	MUTANT("move-text-comma", .move_text = move_text_comma),
	MUTANT("position-text-turnless", .position_text = position_text_turnless),
	MUTANT("position-text-lines", .position_text = position_text_lines),
	MUTANT("position-text-sleep", .position_text = position_text_sleep),
	MUTANT("parse-crash", .position_parse = parse_crash),
	MUTANT("parse-loop", .position_parse = parse_loop),
	MUTANT("parse-exit", .position_parse = parse_exit),
	MUTANT("parse-spoils", .position_parse = parse_spoils),
	MUTANT("parse-silent", .position_parse = parse_silent),
	MUTANT("parse-no-turn", .position_parse = parse_no_turn),
	MUTANT("draw-unfinished", .draw = draw_unfinished),
	MUTANT("draw-crash", .draw = draw_crash),
	MUTANT("start-option-loop", .start = start_loop),
	MUTANT("start-partly", .start = start_partly),
	MUTANT("evaluate-crash", .evaluations = crash_table),
	MUTANT("evaluate-loop", .evaluations = loop_table),
	MUTANT("evaluate-range", .evaluations = range_table),
	MUTANT("evaluate-random", .evaluations = random_table),
	MUTANT("evaluate-meddles", .evaluations = meddling_table),
	MUTANT("evaluate-terms", .evaluations = terms_table),
	MUTANT("evaluate-lopsided", .evaluations = lopsided_table),
	MUTANT("evaluate-prints", .evaluations = printing_table),
	MUTANT("leaf-wrong", .evaluations = leaf_table),
	MUTANT("rank-range", .rank = rank_range),
	MUTANT("rank-abort", .rank = rank_abort),
	MUTANT("rank-moody", .rank = rank_moody),
	MUTANT("image-one-way", .image = image_one_way),
	MUTANT("image-move-next", .image_move = image_move_next),
	MUTANT("stand-twice", .board = &board_stand),
	MUTANT("clicks-meddle", .board = &board_meddle),
	MUTANT("clicks-outside", .board = &board_outside),
	MUTANT("set-up-wrong-seat", .board = &board_set_up),
	MUTANT("levels-wrong", .levels = wrong_levels),
	MUTANT("moves-before", .moves = moves_before),
	MUTANT("moves-behind", .moves = moves_behind),
	MUTANT("parse-past-end", .position_parse = parse_past_end),
	MUTANT("parse-far", .position_parse = parse_far),
	MUTANT("parse-before", .position_parse = parse_before),
	MUTANT("move-parse-past-end", .move_parse = move_parse_past_end),
	/* Wrong, but consistent: there is advice. */
	MUTANT("advice-one-view", .title = "Advice", .evaluations = one_view_table, ASYMMETRIC),
	MUTANT("advice-clicks", .title = "Advice", .board = &board_opposite),
	MUTANT("advice-alternates", .title = "Advice", .play = play_alternating),
	MUTANT("advice-one-sided", .title = "Advice", .result = result_one_sided, ASYMMETRIC),
	MUTANT("advice-drawless", .title = "Advice", .result = result_drawless, ASYMMETRIC),
	/* Wrong, but consistent: nothing can see these. */
	MUTANT("unseen-evaluation", .title = "Unseen", .evaluations = constant_table),
	MUTANT("unseen-lax-parser", .title = "Unseen", .position_parse = parse_lax),
	MUTANT("unseen-rule", .title = "Unseen", .play = play_without_captures),
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return index < (int)(sizeof mutants / sizeof *mutants) ? &mutants[index] : NULL;
}
