/*
 * review.c - reviews of games: every sentence about a mistake is checked by something that did not make
 * it, over a thousand mistakes of seeded games; classes, accuracy, the only move, reproducibility.
 * SPDX-License-Identifier: MIT
 *
 * Proofs are checked by another solver or, if they are short, by brute force over the rules; captures
 * by a plain minimax; measured costs by a second review.
 */
#include "support/search.h"

#include <math.h>

#include "core/expected_score.h"
#include "games/review_words.h"
#include "record/review.h"

enum { MOST_PLIES = 120, FORCE_PLIES = 3 };

/* What is reviewed: so many mistakes of games by this player, after random plies. */
static const struct source {
	const char *game, *player;
	int mistakes;	/* that are checked */
	int random;	/* plies at the start */
	uint64_t nodes; /* of each search of the review */
	int last;	/* plies that are reviewed, since earlier ones take long to solve; 0: all */
} sources[] = {
	{ "noughts", "random", 200, 0, 0, 0 },
	{ "hexapawn", "random", 100, 0, 0, 0 },
	{ "hexapawn:blocked=draw", "random", 60, 0, 0, 0 },
	{ "connect4", "random", 15, 16, 0, 6 },
	{ "reversi", "random", 250, 6, 200, 0 },
	{ "chess", "random", 160, 4, 300, 0 },
	{ "chess", "alphabeta:depth=1", 30, 6, 500, 0 },
	{ "minichess", "random", 120, 0, 300, 0 },
	{ "draughts", "random", 120, 4, 300, 0 },
	{ "morris", "random", 40, 4, 300, 0 },
	{ "noughts3d", "random", 4, 12, 300, 8 },
	{ "gomoku", "random", 4, 8, 300, 8 },
	{ "backgammon", "random", 30, 0, 0, 0 },
	{ "race", "random", 20, 0, 0, 0 },
};

/* A mistake, and the positions around it. */
struct case_of {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const struct qv_game *game;
	const struct ply_review *at;
	_Alignas(max_align_t) unsigned char before[SPOT_STATE], after[SPOT_STATE];
};

static void wrong(const struct case_of *c, const char *why)
{
	char position[QV_POSITION_TEXT] = "", move[QV_MOVE_TEXT] = "";
	c->game->position_text(c->before, &(struct qv_text){ position, sizeof position, 0 });
	c->game->move_text(c->before, c->at->move, &(struct qv_text){ move, sizeof move, 0 });
	fail_msg("%s %s, %s: \"%s\": %s", c->game->name, position, move, c->at->sentence, why);
}

/* ---- Independent checks ---- */

/* Whether the seat can force a win in so many plies, by the rules alone. */
static bool forces(const struct qv_game *g, const void *state, int seat, int plies)
{
	qv_move list[512];
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING)
		return qv_winner(g, points) == seat;
	if (plies == 0)
		return false;
	const bool own = g->seat(state) == seat;
	const int count = g->moves(state, list);
	for (int i = 0; i < count; i++) {
		_Alignas(max_align_t) unsigned char next[SPOT_STATE];
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		if (forces(g, next, seat, plies - 1) == own)
			return own;
	}
	return !own;
}

/* The value by another solver than the review's, with the distance if that can be found. */
static struct qv_solution solve_again(const struct case_of *c, const void *state)
{
	struct qv_solver *solver = NULL;
	struct qv_solution s = { .size = sizeof s, .in = -1 };
	struct qv_error error = { "" };
	const struct qv_solve_limits limits = { .size = sizeof limits,
						.distance = true,
						.nodes = 100000 };
	if (qv_solver_new_by(c->context, c->rules, QV_BY_SEARCH, 1 << 20, &solver, &error) != QV_OK)
		fail_msg("%s", error.text);
	qv_solver_solve(solver, state, &limits, &s, &error);
	qv_solver_free(solver);
	return s;
}

/* Checks a proven win of a seat; false: it is too hard to check. A distance is an upper limit. */
static bool check_win(const struct case_of *c, const void *state, int seat,
		      const struct review_value *told)
{
	if (told->in == 0)
		return true; /* the game has ended: nothing is claimed but the result */
	if (told->in > 0 && told->in <= FORCE_PLIES) {
		if (!forces(c->game, state, seat, told->in))
			wrong(c, "brute force finds no such win");
		return true;
	}
	const struct qv_solution s = solve_again(c, state);
	if (s.value == QV_VALUE_UNKNOWN)
		return false;
	const bool wins = (s.value == QV_VALUE_WIN) == (c->game->seat(state) == seat);
	if (s.value == QV_VALUE_DRAW || !wins)
		wrong(c, "another solver finds no win");
	if (told->in >= 0 && s.in > told->in)
		wrong(c, "the win takes longer");
	return true;
}

static bool check_draw(const struct case_of *c, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	if (c->game->result(state, points) != QV_GOING) {
		if (qv_winner(c->game, points) >= 0)
			wrong(c, "the game has a winner");
		return true;
	}
	const struct qv_solution s = solve_again(c, state);
	if (s.value != QV_VALUE_UNKNOWN && s.value != QV_VALUE_DRAW)
		wrong(c, "another solver finds no draw");
	return s.value == QV_VALUE_DRAW;
}

static int32_t balance(const struct qv_game *g, const void *state, int seat)
{
	return g->material(state, seat) - g->material(state, 1 - seat);
}

/* The best balance of the seat by plain minimax; an end that is not a loss counts as everything. */
static int32_t minimax(const struct qv_game *g, const void *state, int seat, int plies)
{
	qv_move list[512];
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING)
		return qv_winner(g, points) == 1 - seat ? -QV_MAX_EVAL : QV_MAX_EVAL;
	if (plies == 0)
		return balance(g, state, seat);
	const bool own = g->seat(state) == seat;
	const int count = g->moves(state, list);
	int32_t best = own ? -QV_MAX_EVAL : QV_MAX_EVAL;
	for (int i = 0; i < count; i++) {
		_Alignas(max_align_t) unsigned char next[SPOT_STATE];
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		const int32_t value = minimax(g, next, seat, plies - 1);
		best = own ? (value > best ? value : best) : (value < best ? value : best);
	}
	return best;
}

static void check_capture(const struct case_of *c)
{
	const struct ply_review *at = c->at;
	const struct qv_game *g = c->game;
	_Alignas(max_align_t) unsigned char taken[SPOT_STATE];
	if (!qv_move_legal(g, c->after, at->reply))
		wrong(c, "the capture is not legal");
	memcpy(taken, c->after, g->state_size);
	g->play(taken, at->reply);
	const int32_t worth = balance(g, c->after, at->seat) - balance(g, taken, at->seat);
	if (worth <= 0)
		wrong(c, "it captures nothing");
	const int32_t lost = balance(g, c->before, at->seat) -
			     minimax(g, taken, at->seat, REVIEW_REGAIN);
	if (2 * lost <= worth)
		wrong(c, "half of it is regained");
	const struct qv_piece *piece = &g->board->pieces[at->piece];
	const char *kind = strrchr(piece->name, ' ');
	if (piece->seat != at->seat || (at->count == 1 && kind && !strstr(at->sentence, kind)))
		wrong(c, "the piece is another one");
}

static void check_prize(const struct case_of *c)
{
	char move[QV_MOVE_TEXT] = "";
	_Alignas(max_align_t) unsigned char other[SPOT_STATE];
	c->game->move_text(c->after, c->at->reply, &(struct qv_text){ move, sizeof move, 0 });
	if (!qv_move_legal(c->game, c->after, c->at->reply) ||
	    c->game->seat(c->after) == c->at->seat)
		wrong(c, "the opponent has no such move");
	if (!strchr("ah", move[0]) || !strchr("18", move[1]) || move[2] || !strstr(c->at->sentence, move))
		wrong(c, "it is no corner");
	memcpy(other, c->before, c->game->state_size);
	c->game->play(other, c->at->best);
	if (c->game->seat(other) != c->at->seat && qv_move_legal(c->game, other, c->at->reply))
		wrong(c, "the better move gives it up, too");
}

/* The numbers of a measured sentence follow from the values. */
static void check_cost(const struct case_of *c)
{
	const struct ply_review *at = c->at;
	const struct review_words *w = review_words(c->game);
	const bool same = c->game->seat(c->after) == at->seat;
	const double after = same ? at->after.score : -at->after.score;
	double told;
	assert_int_equal(sscanf(at->sentence, "This costs about %lf", &told), 1);
	if (fabs(told - (at->before.score - after) / w->one) > 0.051)
		wrong(c, "the cost is another one");
	if (at->before.exact || at->after.exact || at->before.depth < 1)
		wrong(c, "it was not measured");
}

/* False: the check is too hard, and the sentence does not count. */
static bool check_sentence(const struct case_of *c)
{
	const struct ply_review *at = c->at;
	const int seat = at->seat;
	if (!*at->sentence || at->sentence[strlen(at->sentence) - 1] != '.')
		wrong(c, "not a sentence");
	switch (at->fact) {
	case FACT_TURNS:
		return check_win(c, c->before, seat, &at->before) &&
		       check_win(c, c->after, 1 - seat, &at->after);
	case FACT_ALLOWS_WIN:
		return check_win(c, c->after, 1 - seat, &at->after) &&
		       (!at->before.exact || check_draw(c, c->before));
	case FACT_DRAWS:
		return check_win(c, c->before, seat, &at->before) && check_draw(c, c->after);
	case FACT_MISSES_WIN:
		return check_win(c, c->before, seat, &at->before);
	case FACT_PRIZE:
		check_prize(c);
		break;
	case FACT_LOSES:
		check_capture(c);
		break;
	case FACT_COSTS:
		check_cost(c);
		break;
	case FACT_LOWERS:
	case FACT_POINTS:
		assert_true(at->lost > 0 || at->points > 0);
		break;
	default:
		wrong(c, "no fact");
	}
	return true;
}

/* ---- Games ---- */

static struct qv_record *play_game(const struct qv_context *context, const struct source *s,
				   uint64_t seed)
{
	struct qv_rules rules;
	struct qv_record *record = NULL;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1
	};
	struct qv_random random = { .key = seed };
	static qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (qv_rules_parse(context, s->game, &rules, &error) != QV_OK ||
	    qv_record_new(context, &rules, "start", &record, &error) != QV_OK ||
	    qv_player_new(context, &rules, s->player, &defaults, &player, &error) != QV_OK)
		fail_msg("%s", error.text);
	for (int ply = 0; ply < MOST_PLIES && qv_record_result(record, points) == QV_GOING; ply++) {
		const void *state = qv_record_state(record);
		struct qv_answer answer = { .size = sizeof answer, .move = QV_NO_MOVE };
		const int n = rules.game->moves(state, list);
		if (ply < s->random || rules.game->seat(state) == QV_CHANCE)
			answer.move = list[qv_random_below(&random, (uint64_t)n)];
		else
			qv_player_think(player, state, NULL, NULL, &answer, &error);
		assert_int_equal(qv_record_play(record, answer.move, -1, &error), QV_OK);
	}
	qv_player_free(player);
	return record;
}

static struct review review_of(const struct qv_context *context, struct qv_record *record,
			       uint64_t nodes, int last)
{
	const struct review_setup how = { .context = context, .nodes = nodes, .last = last };
	struct review review = { 0 };
	struct qv_error error = { "" };
	const int plies = qv_record_ply(record);
	if (record_review(&how, record, &review, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(qv_record_ply(record), plies);
	return review;
}

/* Checks the mistakes of a game, at most so many; returns how many there were. */
static int check_game(const struct qv_context *context, struct qv_record *record,
		      const struct review *review, int most, int *facts)
{
	const struct qv_rules *rules = qv_record_rules(record);
	struct case_of c = { .context = context, .rules = rules, .game = rules->game };
	int found = 0;
	tree_state_at(record, review->first, c.before);
	for (int i = 0; i < review->count && found < most; i++) {
		c.at = &review->plies[i];
		memcpy(c.after, c.before, c.game->state_size);
		c.game->play(c.after, c.at->move);
		if (c.at->class >= REVIEW_INACCURACY) {
			const bool checked = check_sentence(&c);
			facts[c.at->fact] += checked;
			found += checked;
		} else if (*c.at->sentence) {
			wrong(&c, "it is no mistake");
		}
		memcpy(c.before, c.after, c.game->state_size);
	}
	return found;
}

static void test_review__no_sentence_is_false(void **state)
{
	const struct qv_context *context = *state;
	int facts[FACT_KINDS] = { 0 }, total = 0;
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		const struct source *s = &sources[i];
		const int wanted = (int)scaled(s->mistakes);
		int found = 0;
		for (uint64_t seed = 1; found < wanted && seed < 100000; seed++) {
			struct qv_record *record = play_game(context, s, seed);
			struct review review = review_of(context, record, s->nodes, s->last);
			found += check_game(context, record, &review, wanted - found, facts);
			review_release(&review);
			qv_record_free(record);
		}
		total += found;
	}
	print_message("%d sentences\n", total);
	for (int fact = FACT_NONE + 1; fact < FACT_KINDS; fact++) {
		print_message("fact %d: %d\n", fact, facts[fact]);
		assert_true(facts[fact] > 0);
	}
	assert_true(total >= scaled(1000));
}

/* ---- The rest ---- */

static struct qv_record *record_of(const struct qv_context *context, const char *game,
				   const char *position, const char *const *moves)
{
	struct qv_rules rules;
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	if (qv_rules_parse(context, game, &rules, &error) != QV_OK ||
	    qv_record_new(context, &rules, position, &record, &error) != QV_OK)
		fail_msg("%s", error.text);
	for (; *moves; moves++) {
		qv_move move;
		if (qv_move_parse(rules.game, qv_record_state(record), *moves, &move, &error) != QV_OK ||
		    qv_record_play(record, move, -1, &error) != QV_OK)
			fail_msg("%s", error.text);
	}
	return record;
}

static void check_text(const struct qv_context *context, const char *game, const char *position,
		       const char *const *moves, const char *sentence)
{
	struct qv_record *record = record_of(context, game, position, moves);
	struct review review = review_of(context, record, 0, 1);
	assert_int_equal(review.count, 1);
	assert_string_equal(review.plies[0].sentence, sentence);
	review_release(&review);
	qv_record_free(record);
}

static void test_review__tells_what_is_proven(void **state)
{
	check_text(*state, "chess", "start", (const char *const[]){ "f3", "e5", "g4", NULL },
		   "This allows mate in 1.");
	check_text(*state, "chess", "start", (const char *const[]){ "f3", "e5", "g4", "a6", NULL },
		   "This misses mate in 1.");
	check_text(*state, "chess", "4k3/8/8/3r4/8/8/8/3RK3 b - - 0 1",
		   (const char *const[]){ "Ke7", NULL }, "This loses the rook to Rxd5.");
	check_text(*state, "connect4", "start", (const char *const[]){ "4", "1", "4", "1", "4", "1", "7", NULL },
		   "This misses four in a row in one move and lets Yellow force four in a row in one move.");
	check_text(*state, "noughts", "start", (const char *const[]){ "5", "2", NULL },
		   "After this Cross can force three in a row in 3 moves; a perfect player would have drawn.");
}

/* The pawn that the queen took, and another one for it, do not make up for the queen. */
static void test_review__names_a_lost_queen(void **state)
{
	check_text(*state, "chess", "start",
		   (const char *const[]){ "e4", "c5", "Bc4", "e6", "Qh5", "Qf6", "Nf3", "Qd8",
					  "Qxf7+", NULL },
		   "This loses the queen to Kxf7.");
}

/*
 * 3. d7 is the best move, as the pattern evaluation says 13 and 15 plies deep. A search of 1,000
 * nodes takes it for a mistake.
 */
static void test_review__a_remark_survives_a_longer_search(void **state)
{
	static const char *const moves[] = { "f5", "d6", "c5", "b4", "d7", "d8", "c3", "g5" };
	for (int plies = 5; plies <= 8; plies++) {
		const char *line[9] = { NULL };
		memcpy(line, moves, (size_t)plies * sizeof *moves);
		struct qv_record *record = record_of(*state, "reversi", "start", line);
		struct review review = review_of(*state, record, 1000, 0);
		assert_in_range(review.plies[4].class, REVIEW_BEST, REVIEW_GOOD);
		assert_int_equal(review.plies[3].class, REVIEW_BLUNDER);
		review_release(&review);
		qv_record_free(record);
	}
}

/* Nothing tells what an order in a game of four players is worth. */
static void test_review__refuses_more_than_two_players(void **state)
{
	struct qv_record *record = record_of(*state, "starchess", "start",
					     (const char *const[]){ "end", NULL });
	const struct review_setup how = { .context = *state };
	struct review review;
	struct qv_error error = { "" };
	assert_int_equal(record_review(&how, record, &review, &error), QV_UNSUPPORTED);
	assert_string_equal(error.text,
			    "review: games of more than two players are not reviewed");
	qv_record_free(record);
}

/* The only move that stops a mill of three, and one that is forced. */
static void test_review__finds_the_only_move(void **state)
{
	struct qv_record *record = record_of(
		*state, "noughts", "start",
		(const char *const[]){ "1", "5", "2", "3", "7", "4", "6", "8", "9", NULL });
	struct review review = review_of(*state, record, 0, 0);
	assert_true(review.plies[1].only);
	assert_true(review.plies[3].only);
	assert_false(review.plies[0].only);
	assert_true(review.plies[8].forced);
	for (int i = 0; i < review.count; i++) {
		assert_true(review.plies[i].after.exact);
		assert_true(review.plies[i].class == REVIEW_BEST || review.plies[i].class == REVIEW_GOOD);
	}
	assert_true(review.accuracy[0] == 100 && review.accuracy[1] == 100);
	review_release(&review);
	qv_record_free(record);
}

/* Ends it every other time. */
static bool ends_now_and_then(void *ctx, int done, int of)
{
	bool *goes_on = ctx;
	(void)done, (void)of;
	*goes_on = !*goes_on;
	return !*goes_on;
}

/* The same, interrupted before each move, and once given up. */
static struct review review_in_parts(const struct qv_context *context, struct qv_record *record,
				     uint64_t nodes)
{
	bool goes_on = false;
	const struct review_setup how = {
		.context = context, .nodes = nodes, .progress = ends_now_and_then, .ctx = &goes_on
	};
	struct reviewer *r = NULL;
	struct review review = { 0 };
	enum qv_status status = QV_OK;
	const int plies = qv_record_ply(record);
	assert_int_equal(reviewer_new(&how, record, &r, NULL), QV_OK);
	assert_int_equal(reviewer_run(r, &review, NULL), QV_STOPPED);
	reviewer_free(r);
	assert_int_equal(qv_record_ply(record), plies);
	goes_on = false;
	assert_int_equal(reviewer_new(&how, record, &r, NULL), QV_OK);
	for (int parts = 0; (status = reviewer_run(r, &review, NULL)) != QV_OK; parts++) {
		assert_int_equal(status, QV_STOPPED);
		assert_in_range(parts, 0, plies - 1);
	}
	assert_int_equal(qv_record_ply(record), plies);
	reviewer_free(r);
	return review;
}

static void test_review__is_reproducible(void **state)
{
	static const struct source chess = { "chess", "random", 0, 0, 300, 0 };
	struct qv_record *record = play_game(*state, &chess, 5);
	struct review one = review_of(*state, record, 300, 0);
	struct review two = review_in_parts(*state, record, 300);
	assert_int_equal(one.count, two.count);
	for (int i = 0; i < one.count; i++) {
		assert_int_equal(one.plies[i].before.score, two.plies[i].before.score);
		assert_int_equal(one.plies[i].class, two.plies[i].class);
		assert_string_equal(one.plies[i].sentence, two.plies[i].sentence);
	}
	review_release(&one);
	review_release(&two);
	qv_record_free(record);
}

/* A pawn, a knight and a queen must show on the bar. */
static void test_review__material_shows_in_expected_scores(void **state)
{
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(*state, "chess", &rules, NULL), QV_OK);
	const double scale = evaluation_scale(*state, &rules);
	const double pawn = expected_score(
		&(struct qv_answer){ .size = sizeof(struct qv_answer), .score = 100 }, 0, scale);
	const double knight = expected_score(
		&(struct qv_answer){ .size = sizeof(struct qv_answer), .score = 320 }, 0, scale);
	const double queen = expected_score(
		&(struct qv_answer){ .size = sizeof(struct qv_answer), .score = 900 }, 0, scale);
	assert_true(pawn >= 0.58 && pawn <= 0.60);
	assert_true(knight >= 0.75 && knight <= 0.80);
	assert_true(queen >= 0.90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_review__no_sentence_is_false),
		cmocka_unit_test(test_review__tells_what_is_proven),
		cmocka_unit_test(test_review__names_a_lost_queen),
		cmocka_unit_test(test_review__a_remark_survives_a_longer_search),
		cmocka_unit_test(test_review__refuses_more_than_two_players),
		cmocka_unit_test(test_review__finds_the_only_move),
		cmocka_unit_test(test_review__is_reproducible),
		cmocka_unit_test(test_review__material_shows_in_expected_scores),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
