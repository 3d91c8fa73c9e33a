/*
 * connect4_early.c - the table of connect-four's early positions: its places, its file, what it says
 * against published values and against searches without it, and the first player who never fails.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engines/connect4/early_file.h"
#include "engines/connect4/score.h"
#include "engines/connect4/solver.h"
#include "support/scale.h"

/* ---- places ---- */

struct places_seen {
	const struct c4_places *places;
	uint32_t next;
	int count;
};

static bool check_place(void *ctx, uint32_t place, const struct c4 *at)
{
	struct places_seen *seen = ctx;
	const struct c4 image = { c4_mirror(at->mover), c4_mirror(at->all) };
	assert_in_range(place, seen->next, seen->places->shapes * seen->places->colours - 1);
	assert_int_equal(bits_count(at->all), seen->places->plies);
	assert_int_equal(c4_place(seen->places, at), place);
	assert_int_equal(c4_place(seen->places, &image), place);
	seen->next = place + 1;
	seen->count++;
	return true;
}

/* Heaps and colours counted by other means; and every place comes once, in order. */
static void test_early__every_position_has_a_place(void **state)
{
	(void)state;
	static const struct {
		uint32_t all;
		int shown;
	} counts[] = { { 0, 0 }, { 7, 4 }, { 56, 29 }, { 252, 129 }, { 1260, 0 }, { 4620, 0 },
		       { 18480, 0 }, { 59815, 29389 }, { 206780, 100639 } };
	for (int plies = 1; plies <= 8; plies++) {
		struct c4_places places;
		c4_places_init(&places, plies);
		struct places_seen seen = { .places = &places };
		assert_int_equal(places.shapes * places.colours, counts[plies].all);
		if (plies == 8 && scaled(100) < 100)
			continue;
		assert_true(c4_places_walk(&places, check_place, &seen));
		if (counts[plies].shown)
			assert_int_equal(seen.count, counts[plies].shown);
	}
}

/* ---- the file ---- */

enum { SMALL = 4 };

struct packed {
	unsigned char *file;
	size_t size;
	int8_t *scores;
	size_t places;
};

/* A table of 4 plies with any scores that can be. */
static struct packed pack_any(uint64_t seed)
{
	struct packed p;
	struct c4_places places;
	struct qv_random random = { .key = seed };
	c4_places_init(&places, SMALL);
	p.places = (size_t)places.shapes * places.colours;
	p.scores = malloc(p.places);
	p.file = malloc(c4_early_room(SMALL));
	assert_true(p.scores && p.file);
	for (size_t i = 0; i < p.places; i++) {
		const int half = (int)qv_random_below(&random, 18);
		const uint64_t kind = qv_random_below(&random, 8);
		p.scores[i] = (int8_t)(kind == 0 ? C4_EARLY_UNKNOWN : kind == 1 ? C4_EARLY_ANY :
				       kind == 2 ? 0 : kind < 5 ? 2 * half + 2 : -2 * half - 1);
	}
	assert_int_equal(c4_early_pack(SMALL, p.scores, &mem_malloc, p.file, &p.size, NULL), QV_OK);
	return p;
}

static void unpack(struct packed *p)
{
	free(p->file);
	free(p->scores);
}

struct compared {
	const struct packed *packed;
	const struct c4_early *early;
	int known;
};

static bool compare(void *ctx, uint32_t place, const struct c4 *at)
{
	struct compared *c = ctx;
	int score;
	const int wanted = c->packed->scores[place];
	if (c4_seen_at_once(at, SMALL, &score))
		assert_int_equal(c4_early_score(c->early, at), score);
	else if (wanted != C4_EARLY_ANY)
		assert_int_equal(c4_early_score(c->early, at), wanted);
	c->known += wanted > C4_EARLY_ANY;
	return true;
}

static void test_early__what_is_packed_is_read(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 10; seed++) {
		struct packed p = pack_any(seed);
		struct c4_early early;
		assert_int_equal(c4_early_read(&early, &mem_malloc, p.file, p.size, NULL), QV_OK);
		struct compared c = { &p, &early, 0 };
		c4_places_walk(&early.places, compare, &c);
		assert_in_range(c.known, 300, 700);
		c4_early_release(&early, &mem_malloc);
		unpack(&p);
	}
}

static void must_be_refused(const unsigned char *file, size_t size, const char *why)
{
	struct c4_early early;
	struct qv_error error = { "" };
	assert_int_equal(c4_early_read(&early, &mem_malloc, file, size, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, why));
	assert_null(early.scores);
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
		must_be_refused(p.file, p.size, i < 8 ? "not such a table" :
						i == 8 ? "" : "the checksum differs");
		p.file[i] ^= 4;
	}
	for (size_t size = 0; size < p.size; size++)
		must_be_refused(p.file, size, size < 17 ? "not such a table" : "checksum");
	for (size_t size = 17; size < p.size; size++) {
		put_sum(p.file, size);
		must_be_refused(p.file, size, "of the wrong length");
	}
	p.file[8] = C4_EARLY_MOST + 1;
	must_be_refused(p.file, p.size, "of 1 to");
	unpack(&p);
}

/* The n-th block is refused: no crash, nothing left over. */
struct meter {
	int left, taken;
};

static void *count_down(void *ctx, void *block, size_t old_size, size_t new_size)
{
	struct meter *m = ctx;
	if (new_size && m->left-- <= 0)
		return NULL;
	m->taken += (new_size > 0) - (old_size > 0);
	return mem_malloc.resize(NULL, block, old_size, new_size);
}

static void test_early__no_memory_is_said(void **state)
{
	(void)state;
	struct packed p = pack_any(2);
	for (int n = 0; n < 3; n++) {
		struct meter m = { n, 0 };
		const struct qv_allocator allocator = { count_down, &m };
		struct c4_early early;
		const enum qv_status status =
			c4_early_read(&early, &allocator, p.file, p.size, NULL);
		assert_int_equal(status, n < 2 ? QV_NO_MEMORY : QV_OK);
		c4_early_release(&early, &allocator);
		assert_int_equal(m.taken, 0);
	}
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
		assert_int_equal(c4_early_shipped(&d.early[i], i, &mem_malloc, &error), QV_OK);
		assert_int_equal(d.early[i].plies, c4_early_plies[i]);
	}
	return d;
}

static void clear_up(struct desk *d)
{
	for (int i = 0; i < C4_EARLY_TABLES; i++)
		c4_early_release(&d->early[i], &mem_malloc);
	qv_solver_free(d->solver);
	qv_context_free(d->context);
}

static struct qv_solution solve(const struct desk *d, const struct c4 *at)
{
	const struct qv_solve_limits limits = { .distance = true };
	struct qv_solution out;
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

/* ---- the first player never fails ---- */

/* Every reply to the first player's moves, for so many of them: he keeps winning, and as soon. */
static void check_replies(const struct desk *d, struct c4 at, int replies, int in)
{
	const struct qv_solution s = solve(d, &at);
	assert_int_equal(s.value, QV_VALUE_WIN);
	assert_in_range(s.in, 1, in);
	c4_play(&at, s.move);
	if (replies == 0 || s.in == 1)
		return;
	for (uint64_t moves = c4_playable(&at); moves; moves = bits_rest(moves)) {
		struct c4 next = at;
		c4_play(&next, moves & (0 - moves));
		check_replies(d, next, replies - 1, s.in - 2);
	}
}

static void test_early__the_first_player_keeps_the_win_against_every_reply(void **state)
{
	(void)state;
	struct desk d = set_up();
	const int64_t scale = scaled(100);
	check_replies(&d, after(""), scale < 100 ? 2 : scale < 1000 ? 3 : 5, 41);
	clear_up(&d);
}

static void play_first(struct qv_player *perfect, struct qv_player *other)
{
	const struct qv_limits limits = { .depth = 0 };
	struct c4 at = { 0, 0 };
	int32_t points[QV_MAX_SEATS];
	while (c4_result(&at, points) == QV_GOING) {
		struct qv_answer answer;
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
		cmocka_unit_test(test_early__a_damaged_file_is_refused),
		cmocka_unit_test(test_early__no_memory_is_said),
		cmocka_unit_test(test_early__openings_are_as_published),
		cmocka_unit_test(test_early__a_search_without_it_agrees),
		cmocka_unit_test(test_early__the_first_player_keeps_the_win_against_every_reply),
		cmocka_unit_test(test_early__the_perfect_player_wins_as_first_against_anybody),
	};
	return cmocka_run_group_tests_name("connect4_early", tests, NULL, NULL);
}
