/*
 * connect4_early.c - the table of connect-four's early positions: its places, its file, what it says
 * against published values and against searches without it, and the first player who never fails.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "games/connect4/early.h"
#include "games/connect4/score_search.h"
#include "games/connect4/solver.h"
#include "support/scale.h"

/* ---- places ---- */

typedef void shown_position(void *ctx, const struct c4 *at);

/* Every way to fill the columns from this one on with so many discs, of either colour. */
static void show_columns(shown_position *show, void *ctx, struct c4 *at, int column, int left)
{
	if (column == C4_WIDTH) {
		if (left == 0)
			show(ctx, at);
		return;
	}
	for (int height = 0; height <= C4_HEIGHT && height <= left; height++)
		for (uint64_t mine = 0; mine < UINT64_C(1) << height; mine++) {
			struct c4 next = *at;
			next.mover |= mine << column * C4_STRIDE;
			next.all |= ((UINT64_C(1) << height) - 1) << column * C4_STRIDE;
			show_columns(show, ctx, &next, column + 1, left - height);
		}
}

struct places_seen {
	struct c4_places places;
	bool *seen, *without_four;
};

static void see_place(void *ctx, const struct c4 *at)
{
	struct places_seen *s = ctx;
	const struct c4 image = { c4_mirror(at->mover), c4_mirror(at->all) };
	if (bits_count(at->mover) != s->places.plies / 2)
		return;
	const uint32_t place = c4_place(&s->places, at);
	assert_int_equal(c4_place(&s->places, &image), place);
	assert_in_range(place, 0, s->places.count - 1);
	s->seen[place] = true;
	s->without_four[place] = !c4_has_four(at->mover) && !c4_has_four(at->mover ^ at->all);
}

static int count_true(const bool *list, size_t size)
{
	int count = 0;
	for (size_t i = 0; i < size; i++)
		count += list[i];
	return count;
}

/* How many there are, and how many of them without a four, was counted by other means. */
static void test_early__every_position_has_a_place(void **state)
{
	(void)state;
	static const struct {
		int all, fourless;
	} counts[] = { { 0, 0 }, { 4, 4 }, { 29, 29 }, { 129, 129 }, { 642, 642 }, { 2327, 2327 },
		       { 9274, 9274 }, { 29966, 29389 }, { 103552, 100639 } };
	for (int plies = 1; plies <= (scaled(100) < 100 ? 6 : 8); plies++) {
		struct places_seen s;
		c4_places_init(&s.places, plies);
		s.seen = calloc(s.places.count, 1);
		s.without_four = calloc(s.places.count, 1);
		assert_true(s.seen && s.without_four);
		show_columns(see_place, &s, &(struct c4){ 0, 0 }, 0, plies);
		assert_int_equal(count_true(s.seen, s.places.count), counts[plies].all);
		assert_int_equal(count_true(s.without_four, s.places.count), counts[plies].fourless);
		free(s.seen);
		free(s.without_four);
	}
	struct c4_places most;
	c4_places_init(&most, C4_EARLY_MOST);
	assert_int_equal(most.shapes, C4_SHAPES_MOST);
}

/* ---- the file ---- */

enum { SMALL = 4 };

struct packed {
	unsigned char *file;
	size_t size;
	int8_t *scores;
	struct c4_early early;     /* of this file */
	int known;
};

/* A table of 4 plies with any scores that can be. */
static struct packed pack_any(uint64_t seed)
{
	struct packed p = { .size = c4_early_size(SMALL) };
	struct c4_places places;
	struct qv_random random = { .key = seed };
	c4_places_init(&places, SMALL);
	p.scores = malloc(places.count);
	p.file = malloc(p.size);
	assert_true(p.scores && p.file);
	for (size_t i = 0; i < places.count; i++) {
		const int half = (int)qv_random_below(&random, 18);
		const uint64_t kind = qv_random_below(&random, 8);
		p.scores[i] = (int8_t)(kind == 0 ? C4_EARLY_UNKNOWN : kind == 1 ? 0 :
				       kind < 5 ? 2 * half + 2 : -2 * half - 1);
	}
	c4_early_pack(SMALL, p.scores, p.file);
	return p;
}

static void unpack(struct packed *p)
{
	free(p->file);
	free(p->scores);
}

static void compare(void *ctx, const struct c4 *at)
{
	struct packed *p = ctx;
	int wanted;
	if (bits_count(at->mover) != SMALL / 2)
		return;
	if (!c4_seen_at_once(at, SMALL, &wanted))
		wanted = p->scores[c4_place(&p->early.places, at)];
	assert_int_equal(c4_early_score(&p->early, at), wanted);
	p->known += wanted != C4_EARLY_UNKNOWN;
}

static void test_early__what_is_packed_is_read(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 10; seed++) {
		struct packed p = pack_any(seed);
		assert_int_equal(c4_early_read(&p.early, p.file, p.size, NULL), QV_OK);
		show_columns(compare, &p, &(struct c4){ 0, 0 }, 0, SMALL);
		assert_in_range(p.known, 1000, 1260);
		unpack(&p);
	}
}

/* What is won or lost at once has no code, and must not spoil those of its neighbours. */
static void test_early__scores_seen_at_once_are_left_out(void **state)
{
	(void)state;
	struct packed one = pack_any(3), two = pack_any(3);
	struct c4_places places;
	c4_places_init(&places, SMALL);
	for (size_t i = 0; i < places.count; i++)
		if (one.scores[i] == C4_EARLY_UNKNOWN)
			one.scores[i] = (int8_t)(i % 2 ? c4_score_win(SMALL + 1) : -c4_score_win(SMALL + 2));
	c4_early_pack(SMALL, one.scores, one.file);
	assert_memory_equal(one.file, two.file, one.size);
	unpack(&one);
	unpack(&two);
}

static void must_be_refused(const unsigned char *file, size_t size, const char *why)
{
	struct c4_early early;
	struct qv_error error = { "" };
	assert_int_equal(c4_early_read(&early, file, size, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, why));
	assert_null(early.codes);
}

static void put_sum(unsigned char *file, size_t size)
{
	const uint64_t sum = qv_hash_bytes(file + 17, size - 17);
	for (int i = 0; i < 8; i++)
		file[9 + i] = (unsigned char)(sum >> 8 * i);
}

static void test_early__a_damaged_file_is_refused(void **state)
{
	(void)state;
	struct packed p = pack_any(1);
	for (size_t i = 0; i < p.size; i++) {
		p.file[i] ^= 4;
		must_be_refused(p.file, p.size, i < 8 ? "not a table" :
						i == 8 ? "" : "wrong checksum");
		p.file[i] ^= 4;
	}
	for (size_t size = 0; size < p.size; size++)
		must_be_refused(p.file, size, size < 17 ? "not a table" : "checksum");
	for (size_t size = 17; size < p.size; size++) {
		put_sum(p.file, size);
		must_be_refused(p.file, size, "wrong length");
	}
	p.file[8] = C4_EARLY_MOST + 1;
	must_be_refused(p.file, p.size, "expected 1 to");
	unpack(&p);
}

/* ---- what the shipped table says ---- */

struct desk {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_solver *solver;
	struct c4_early early[C4_EARLY_TABLES];
};

static struct desk set_up(void)
{
	struct desk d = { .context = qv_context_new(NULL) };
	struct qv_error error = { "" };
	assert_non_null(d.context);
	assert_int_equal(qv_rules_parse(d.context, "connect4", &d.rules, NULL), QV_OK);
	assert_int_equal(qv_solver_new(d.context, &d.rules, 1 << 24, &d.solver, NULL), QV_OK);
	for (int i = 0; i < C4_EARLY_TABLES; i++) {
		assert_int_equal(c4_early_shipped(&d.early[i], i, &error), QV_OK);
		assert_int_equal(d.early[i].plies, c4_early_plies[i]);
	}
	return d;
}

static void clear_up(struct desk *d)
{
	qv_solver_free(d->solver);
	qv_context_free(d->context);
}

static struct qv_solution solve(const struct desk *d, const struct c4 *at)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solution out = { .size = sizeof out };
	assert_int_equal(qv_solver_solve(d->solver, at, &limits, &out, NULL), QV_OK);
	return out;
}

static struct c4 after(const char *columns)
{
	struct c4 s = { 0, 0 };
	for (; *columns; columns++)
		c4_play(&s, c4_playable(&s) & C4_COLUMN(*columns - '1'));
	return s;
}

/* James Allen and Victor Allis, 1988, and the plies that all solvers since then have found. */
static void test_early__openings_are_as_published(void **state)
{
	(void)state;
	static const struct {
		const char *columns;
		enum qv_value value;
		int in;
	} openings[] = {
		{ "3", QV_VALUE_DRAW, -1 }, { "4", QV_VALUE_LOSS, 40 }, { "5", QV_VALUE_DRAW, -1 },
		{ "2", QV_VALUE_WIN, 41 },  { "6", QV_VALUE_WIN, 41 },  { "44", QV_VALUE_WIN, 39 },
		{ "1", QV_VALUE_WIN, 39 },  { "7", QV_VALUE_WIN, 39 },
	};
	struct desk d = set_up();
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		const struct c4 at = after(openings[i].columns);
		const struct qv_solution s = solve(&d, &at);
		assert_int_equal(s.value, openings[i].value);
		assert_int_equal(s.in, openings[i].in);
	}
	clear_up(&d);
}

static struct c4 random_position(struct qv_random *random, int discs)
{
	struct c4 s = { 0, 0 };
	while (bits_count(s.all) < discs) {
		const uint64_t move = c4_playable(&s) & C4_COLUMN(qv_random_below(random, C4_WIDTH));
		if (move)
			c4_play(&s, move);
		if (c4_has_four(s.mover ^ s.all))
			s = (struct c4){ 0, 0 };
	}
	return s;
}

/* The score without the table, if that is cheap. */
static bool search(struct c4_scorer *scorer, const struct c4 *at, int *score)
{
	scorer->most_nodes = 1 << 15;
	*score = c4_score(scorer, at, -C4_SQUARES, C4_SQUARES).score;
	return !scorer->stopped;
}

/* Entries, and their successors, none of which may give more than the entry. */
static void test_early__a_search_without_it_agrees(void **state)
{
	(void)state;
	struct desk d = set_up();
	struct c4_scorer scorer;
	struct qv_random random = { .key = 80 };
	int same = 0, successors = 0;
	assert_int_equal(c4_scorer_init(&scorer, &mem_malloc), QV_OK);
	for (int64_t i = scaled(60); i > 0; i--) {
		const struct c4_early *early = &d.early[i % C4_EARLY_TABLES];
		const struct c4 at = random_position(&random, early->plies);
		const int known = c4_early_score(early, &at);
		int score, best = -C4_SQUARES;
		if (known == C4_EARLY_UNKNOWN || c4_seen_at_once(&at, early->plies, &score))
			continue;
		if (search(&scorer, &at, &score)) {
			assert_int_equal(score, known);
			same++;
		}
		int open = 0;
		for (uint64_t moves = c4_playable(&at); moves; moves = bits_rest(moves)) {
			struct c4 next = at;
			c4_play(&next, moves & (0 - moves));
			if (!search(&scorer, &next, &score)) {
				open++;
				continue;
			}
			assert_in_range(-score + C4_SQUARES, 0, known + C4_SQUARES);
			best = -score > best ? -score : best;
			successors++;
		}
		if (!open)
			assert_int_equal(best, known);
	}
	if (scaled(60) >= 60) {
		assert_in_range(same, 2, 60);
		assert_in_range(successors, 40, 420);
	}
	c4_scorer_release(&scorer, &mem_malloc);
	clear_up(&d);
}

/* What comes right after a table's positions: the score is not below what they leave. */
static void test_early__what_was_before_bounds_what_is(void **state)
{
	(void)state;
	struct desk d = set_up();
	struct c4_scorer scorer;
	struct qv_random random = { .key = 81 };
	int bounded = 0, tight = 0;
	assert_int_equal(c4_scorer_init(&scorer, &mem_malloc), QV_OK);
	for (int64_t i = scaled(40); i > 0; i--) {
		const struct c4_early *early = &d.early[i % C4_EARLY_TABLES];
		const struct c4 at = random_position(&random, early->plies + 1);
		const int least = c4_early_at_least(early, &at);
		int score;
		if (c4_threats(at.mover, at.all) & c4_playable(&at) || least == C4_EARLY_UNKNOWN ||
		    !search(&scorer, &at, &score))
			continue;
		assert_in_range(score + C4_SQUARES, least + C4_SQUARES, 2 * C4_SQUARES);
		bounded++;
		tight += score == least;
	}
	if (scaled(40) >= 40) {
		assert_in_range(bounded, 2, 40);
		assert_in_range(tight, 1, bounded);
	}
	c4_scorer_release(&scorer, &mem_malloc);
	clear_up(&d);
}

/* At the tables and beside them: what the move leads to is worth what was said. */
static void test_early__the_move_gets_the_score(void **state)
{
	(void)state;
	struct desk d = set_up();
	struct qv_random random = { .key = 82 };
	for (int64_t i = 0; i < scaled(12); i++) {
		struct c4 at = random_position(&random, 8 + (int)(i % 4));
		const struct qv_solution said = solve(&d, &at);
		c4_play(&at, said.move);
		const struct qv_solution next = solve(&d, &at);
		assert_int_equal(next.value, QV_VALUE_LOSS + QV_VALUE_WIN - said.value);
		assert_int_equal(next.in, said.in < 0 ? -1 : said.in - 1);
	}
	clear_up(&d);
}

/* ---- the first player never fails ---- */

enum { REPLIES = 4 };              /* then there are 8 discs */

/* Positions with so many discs are looked at once, whatever the order of the moves to them. */
struct walk {
	struct desk desk;
	struct c4_places places[2 * REPLIES + 1];
	bool *seen[2 * REPLIES + 1];
	int count[2 * REPLIES + 1];
};

static bool is_new(struct walk *w, const struct c4 *at, int discs)
{
	if (discs > 0) {
		bool *seen = &w->seen[discs][c4_place(&w->places[discs], at)];
		if (*seen)
			return false;
		*seen = true;
	}
	w->count[discs]++;
	return true;
}

/* The first player, to move, wins with so many discs on the board or fewer. */
static void check_won(const struct walk *w, const struct c4 *at, int discs, int end)
{
	const int score = c4_early_score(&w->desk.early[0], at);
	assert_int_equal(discs, w->desk.early[0].plies);
	assert_in_range(score, 1, C4_SQUARES);
	assert_in_range(c4_score_end(score), discs + 1, end);
}

/* Every reply to the first player's moves: he keeps winning, and as soon. */
static void check_replies(struct walk *w, struct c4 at, int discs, int end)
{
	if (!is_new(w, &at, discs))
		return;
	if (discs == 2 * REPLIES) {
		check_won(w, &at, discs, end);
		return;
	}
	const struct qv_solution s = solve(&w->desk, &at);
	assert_int_equal(s.value, QV_VALUE_WIN);
	assert_in_range(discs + s.in, discs + 1, end);
	c4_play(&at, s.move);
	for (uint64_t moves = s.in > 1 ? c4_playable(&at) : 0; moves; moves = bits_rest(moves)) {
		struct c4 next = at;
		c4_play(&next, moves & (0 - moves));
		check_replies(w, next, discs + 2, discs + s.in);
	}
}

static void test_early__the_first_player_keeps_the_win_against_every_reply(void **state)
{
	(void)state;
	struct walk *w = calloc(1, sizeof *w);
	assert_non_null(w);
	w->desk = set_up();
	for (int discs = 2; discs <= 2 * REPLIES; discs += 2) {
		c4_places_init(&w->places[discs], discs);
		w->seen[discs] = calloc(w->places[discs].count, 1);
		assert_non_null(w->seen[discs]);
	}
	check_replies(w, after(""), 0, 41);
	for (int discs = 2, most = 7; discs <= 2 * REPLIES; discs += 2, most *= 7) {
		assert_in_range(w->count[discs], most / 5, most);
		free(w->seen[discs]);
	}
	clear_up(&w->desk);
	free(w);
}

static void play_first(struct qv_player *perfect, struct qv_player *other)
{
	const struct qv_limits limits = { .size = sizeof limits, .depth = 0 };
	struct c4 at = { 0, 0 };
	int32_t points[QV_MAX_SEATS];
	while (c4_result(&at, points) == QV_GOING) {
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_player *mover = c4_seat(&at) == 0 ? perfect : other;
		assert_int_equal(qv_player_think(mover, &at, &limits, NULL, &answer, NULL), QV_OK);
		c4_play(&at, answer.move);
	}
	assert_int_equal(points[0], 1);
	assert_int_equal(points[1], 0);
}

static void test_early__the_perfect_player_wins_as_first_against_anybody(void **state)
{
	(void)state;
	static const char *const others[] = { "random", "level:7", "perfect" };
	struct desk d = set_up();
	struct qv_player *perfect, *other;
	assert_int_equal(qv_player_new(d.context, &d.rules, "perfect:tt=16", NULL, &perfect, NULL), QV_OK);
	const size_t count = scaled(100) < 100 ? 2 : sizeof others / sizeof *others;
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(qv_player_new(d.context, &d.rules, others[i], NULL, &other, NULL),
				 QV_OK);
		/* More games against random moves where there is time: tools/soak. */
		for (int64_t games = i == 0 ? 1 + scaled(100) / 200 : 1; games > 0; games--)
			play_first(perfect, other);
		qv_player_free(other);
	}
	qv_player_free(perfect);
	clear_up(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_early__every_position_has_a_place),
		cmocka_unit_test(test_early__what_is_packed_is_read),
		cmocka_unit_test(test_early__scores_seen_at_once_are_left_out),
		cmocka_unit_test(test_early__a_damaged_file_is_refused),
		cmocka_unit_test(test_early__openings_are_as_published),
		cmocka_unit_test(test_early__a_search_without_it_agrees),
		cmocka_unit_test(test_early__what_was_before_bounds_what_is),
		cmocka_unit_test(test_early__the_move_gets_the_score),
		cmocka_unit_test(test_early__the_first_player_keeps_the_win_against_every_reply),
		cmocka_unit_test(test_early__the_perfect_player_wins_as_first_against_anybody),
	};
	return cmocka_run_group_tests_name("connect4_early", tests, NULL, NULL);
}
