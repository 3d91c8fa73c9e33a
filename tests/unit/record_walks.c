/*
 * record_walks.c - tests of records at length: bounds, random walks in every game, want of memory
 * at every allocation.
 * SPDX-License-Identifier: MIT
 */
#include "support/record.h"
#include "support/scale.h"

/* ---- Bounds ---- */

/* A game without an end, made here: add 1 or 2. It counts how often it is played. */
struct ladder {
	uint64_t sum, plies;
};
static int ladder_plays;

static void ladder_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct ladder *)state = (struct ladder){ 0, 0 };
}

static int ladder_seat(const void *state)
{
	return ((const struct ladder *)state)->plies & 1;
}

static int ladder_moves(const void *state, qv_move *list)
{
	(void)state;
	list[0] = 1;
	list[1] = 2;
	return 2;
}

static void ladder_play(void *state, qv_move move)
{
	struct ladder *s = state;
	s->sum = qv_mix(s->sum + move);      /* so that the order of the moves shows */
	s->plies++;
	ladder_plays++;
}

static enum qv_outcome ladder_result(const void *state, int32_t *points)
{
	(void)state;
	(void)points;
	return QV_GOING;
}

static uint64_t ladder_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct ladder));
}

static void ladder_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

static void ladder_position_text(const void *state, struct qv_text *out)
{
	qv_put_int(out, (int64_t)((const struct ladder *)state)->sum);
}

static enum qv_status ladder_position_parse(const int64_t *options, const char *text, void *state,
					    struct qv_error *error)
{
	(void)options, (void)text, (void)state;
	return qv_fail(error, QV_BAD_INPUT, "position: only the start can be read");
}

static const struct qv_game ladder = {
	QV_HEAD(qv_game),
	.name = "ladder",
	.title = "A ladder",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct ladder),
	.max_moves = 2,
	.start = ladder_start,
	.seat = ladder_seat,
	.moves = ladder_moves,
	.play = ladder_play,
	.result = ladder_result,
	.hash = ladder_hash,
	.move_text = ladder_move_text,
	.position_text = ladder_position_text,
	.position_parse = ladder_position_parse,
};

static struct qv_record *new_ladder(const struct qv_context *context, int plies)
{
	const struct qv_rules rules = { .game = &ladder };
	struct qv_record *r = NULL;
	assert_int_equal(qv_record_new(context, &rules, NULL, &r, NULL), QV_OK);
	for (int i = 0; i < plies; i++)
		assert_int_equal(qv_record_play(r, 1 + (qv_mix((uint64_t)i) & 1), 0, NULL), QV_OK);
	return r;
}

static void test_record__undo_in_a_long_game_plays_few_moves_again(void **state)
{
	enum { PLIES = 1000 };
	struct ladder reference[PLIES + 1] = { { 0, 0 } };
	struct qv_record *r = new_ladder(*state, PLIES);
	for (int i = 0; i < PLIES; i++) {
		reference[i + 1] = reference[i];
		ladder_play(&reference[i + 1], qv_record_move(r, i));
	}
	for (int i = PLIES - 1; i >= 0; i--) {
		ladder_plays = 0;
		undo(r, 1, 1);
		assert_true(ladder_plays < STATE_EVERY);
		assert_memory_equal(qv_record_state(r), &reference[i], sizeof reference[i]);
	}
	redo(r, PLIES, PLIES);
	assert_memory_equal(qv_record_state(r), &reference[PLIES], sizeof reference[PLIES]);
	undo(r, 777, 777);
	assert_memory_equal(qv_record_state(r), &reference[PLIES - 777], sizeof reference[0]);
	qv_record_free(r);
}

/* A short line may name thousands of plies: they must not be played one by one. */
static void test_record__redo_in_a_long_game_plays_few_moves_again(void **state)
{
	enum { PLIES = 1000 };
	struct qv_record *r = new_ladder(*state, PLIES);
	struct ladder end;
	memcpy(&end, qv_record_state(r), sizeof end);
	for (int plies = 1; plies <= PLIES; plies++) {
		undo(r, plies, plies);
		ladder_plays = 0;
		redo(r, plies, plies);
		assert_true(ladder_plays < STATE_EVERY);
		assert_memory_equal(qv_record_state(r), &end, sizeof end);
	}
	qv_record_free(r);
}

/* Two long variations from the first move on, by turns. */
static void test_record__changing_variations_plays_few_moves_again(void **state)
{
	enum { PLIES = 1000 };
	struct qv_record *r = new_ladder(*state, PLIES);
	const qv_move first = qv_record_move(r, 0);
	struct ladder ends[2];
	memcpy(&ends[0], qv_record_state(r), sizeof ends[0]);
	undo(r, PLIES, PLIES);
	assert_int_equal(qv_record_play(r, 3 - first, 0, NULL), QV_OK);
	for (int i = 1; i < PLIES; i++)
		assert_int_equal(qv_record_play(r, 1, 0, NULL), QV_OK);
	memcpy(&ends[1], qv_record_state(r), sizeof ends[1]);
	for (int i = 0; i < 20; i++) {
		ladder_plays = 0;
		undo(r, PLIES, PLIES);
		assert_int_equal(qv_record_play(r, i % 2 ? 3 - first : first, 0, NULL), QV_OK);
		redo(r, PLIES - 1, PLIES - 1);
		assert_true(ladder_plays <= STATE_EVERY);
		assert_memory_equal(qv_record_state(r), &ends[i % 2], sizeof ends[0]);
	}
	qv_record_free(r);
}

static void test_record__has_an_end_to_its_length(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	struct qv_error error = { "" };
	int lines = 1;
	while (qv_record_clock(r, 0, lines % 10) == QV_OK)
		lines++;
	assert_in_range(lines, RECORD_MAX_LINES - 2, RECORD_MAX_LINES);
	assert_int_equal(qv_record_clock(r, 0, 1), QV_BAD_INPUT);
	assert_int_equal(qv_record_note(r, "full"), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, 0, "full"), QV_BAD_INPUT);
	assert_int_equal(qv_record_play(r, 4, 0, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "record: the record is too long"));
	assert_int_equal(qv_record_variations(r), 0);
	assert_null(qv_record_note_text(r));
	if (scaled(100) >= 20) /* so many lines take seconds with a sanitizer */
		assert_round_trip(*state, r);
	qv_record_free(r);
	struct qv_record *none = NULL;
	assert_int_equal(qv_record_load(*state, "{", (size_t)RECORD_MAX_BYTES + 1, &none, &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "record: longer"));
}

/* A line of a few bytes must not ask for work without end. */
static void test_record__redo_has_a_bound(void **state)
{
	enum { PLIES = 10000 };
	struct qv_record *r = new_ladder(*state, PLIES);
	for (int i = 0; i < RECORD_MAX_REDONE / PLIES; i++) {
		undo(r, PLIES, PLIES);
		redo(r, PLIES, PLIES);
	}
	undo(r, 1, 1);
	assert_int_equal(qv_record_redo(r, 1, NULL), QV_BAD_INPUT);
	assert_int_equal(qv_record_ply(r), PLIES - 1);
	qv_record_free(r);
}

static void test_record__a_loader_may_bound_what_is_redone(void **state)
{
	static const char journal[] =
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[]}\n"
		"{\"move\":\"1\"}\n{\"move\":\"2\"}\n"
		"{\"undo\":2}\n{\"redo\":2}\n{\"undo\":2}\n{\"redo\":1}\n";
	struct qv_record *r = NULL;
	struct qv_error error = { "" };
	assert_int_equal(record_load_bounded(*state, journal, strlen(journal), 3, &r, &error),
			 QV_OK);
	qv_record_free(r);
	r = NULL;
	assert_int_equal(record_load_bounded(*state, journal, strlen(journal), 2, &r, &error),
			 QV_BAD_INPUT);
	assert_null(r);
	assert_string_equal(error.text, "line 7: redo: more than 2 plies in all");
	assert_int_equal(qv_record_load(*state, journal, strlen(journal), &r, &error), QV_OK);
	qv_record_free(r);
}

/* ---- Random walks, against a literal account of them ---- */

enum { WALK = 250 };

/*
 * All that was walked: from the position that a path leads to, this move (or, with `end`, the word
 * that ended it).
 */
struct edge {
	uint64_t path;
	qv_move move;
	bool end;
	int when;                  /* last walked */
};

struct account {
	qv_move line[WALK];
	int ply, edges, now;
	bool ended;
	struct edge edge[WALK];
};

static uint64_t path_of(const struct account *a, int ply)
{
	uint64_t path = 1;
	for (int i = 0; i < ply; i++)
		path = qv_mix(path * 31 + a->line[i] + 1);
	return path;
}

static void account_walk(struct account *a, qv_move move, bool end)
{
	const uint64_t path = path_of(a, a->ply);
	int i = 0;
	while (i < a->edges &&
	       !(a->edge[i].path == path && a->edge[i].end == end && a->edge[i].move == move))
		i++;
	a->edges += i == a->edges;
	a->edge[i] = (struct edge){ path, move, end, ++a->now };
	if (end)
		a->ended = true;
	else
		a->line[a->ply++] = move;
}

/* The edge last walked from here; NULL: none. */
static const struct edge *account_last(const struct account *a)
{
	const uint64_t path = path_of(a, a->ply);
	const struct edge *last = NULL;
	for (int i = 0; i < a->edges; i++)
		if (a->edge[i].path == path && (!last || a->edge[i].when > last->when))
			last = &a->edge[i];
	return last;
}

static int account_redo(struct account *a, int plies)
{
	int done = 0;
	const struct edge *last = a->ended ? NULL : account_last(a);
	for (; last && !last->end && done < plies; done++) {
		a->line[a->ply++] = last->move;
		last = account_last(a);
	}
	a->ended = a->ended || (last && last->end);
	return done;
}

static uint64_t what_repeats(const struct qv_game *game, const void *state)
{
	return game->repeat_hash ? game->repeat_hash(state) : game->hash(state);
}

/* The state, history and result from the start, by the game's own functions alone. */
static void assert_cursor(const struct qv_record *r, const struct account *a)
{
	const struct qv_game *game = qv_record_rules(r)->game;
	unsigned char *state = calloc(1, game->state_size);
	uint64_t hashes[WALK + 1];
	int since = 0, count, times = 0;
	int32_t points[2][QV_MAX_SEATS] = { { 0 } };
	game->start(qv_record_rules(r)->options, state);
	for (int i = 0; i < a->ply; i++) {
		assert_int_equal(qv_record_move(r, i), a->line[i]);
		hashes[i] = what_repeats(game, state);
		if (!game->irreversible || game->irreversible(state, a->line[i]))
			since = i + 1;
		game->play(state, a->line[i]);
	}
	assert_int_equal(qv_record_ply(r), a->ply);
	assert_memory_equal(qv_record_state(r), state, game->state_size);
	const uint64_t *history = qv_record_history(r, &count);
	assert_int_equal(count, a->ply - since);
	for (int i = 0; i < count; i++) {
		assert_true(history[i] == hashes[since + i]);
		times += history[i] == what_repeats(game, state);
	}
	enum qv_outcome outcome = game->result(state, points[0]);
	if (outcome == QV_GOING && times && game->repeated)
		outcome = game->repeated(state, times, points[0]);
	if (!a->ended) {
		assert_int_equal(qv_record_result(r, points[1]), outcome);
		assert_true(outcome == QV_GOING ||
			    memcmp(points[0], points[1], sizeof points[0]) == 0);
	} else {
		assert_int_equal(outcome, QV_GOING);
		assert_int_equal(qv_record_result(r, NULL), QV_ENDED);
	}
	int variations = 0;
	for (int i = 0; i < a->edges; i++)
		if (a->edge[i].path == path_of(a, a->ply) && !a->edge[i].end)
			assert_int_equal(qv_record_variation(r, variations++), a->edge[i].move);
	assert_int_equal(qv_record_variations(r), variations);
	free(state);
}

static void walk_move(struct qv_record *r, struct account *a, struct qv_random *random)
{
	const struct qv_game *game = qv_record_rules(r)->game;
	qv_move list[QV_MAX_MOVES];
	const void *state = qv_record_state(r);
	if (qv_record_result(r, NULL) != QV_GOING)
		return;
	qv_move move = list[qv_random_below(random, (uint64_t)game->moves(state, list))];
	const int max = game->max_count ? game->max_count(state, move) : 1;
	if (max > 1)
		move = game->with_count(move, 1 + (int)qv_random_below(random, (uint64_t)max));
	assert_int_equal(
		qv_record_play(r, move, (double)qv_random_below(random, 5000000) / 1e6 - 1, NULL),
		QV_OK);
	account_walk(a, move, false);
}

static void walk_step(struct qv_record *r, struct account *a, struct qv_random *random)
{
	const int plies = (int)qv_random_below(random, 4), seats = qv_record_rules(r)->game->seats;
	const int seat = (int)qv_random_below(random, (uint64_t)seats);
	switch (qv_random_below(random, 16)) {
	case 0: case 1: case 2:
		undo(r, plies, plies < a->ply ? plies : a->ply);
		a->ply -= plies < a->ply ? plies : a->ply;
		a->ended = false;
		break;
	case 3: case 4:
		redo(r, plies, account_redo(a, plies));
		break;
	case 5:
		assert_int_equal(qv_record_note(r, plies ? "a \"note\" \xe2\x9c\x93\n" : ""),
				 QV_OK);
		break;
	case 6:
		assert_int_equal(qv_record_clock(r, seat, plies * 1000), QV_OK);
		break;
	case 7:
		if (qv_record_result(r, NULL) == QV_GOING) {
			assert_int_equal(qv_record_end(r, plies ? seat : -1, "resigns"), QV_OK);
			account_walk(a, 0, true);
		}
		break;
	default:
		walk_move(r, a, random);
	}
}

static void test_record__random_walks_save_and_load_in_every_game(void **state)
{
	const struct qv_game *game;
	for (int i = 0; (game = qv_game_at(*state, i)); i++) {
		for (uint64_t seed = 0; seed < (uint64_t)scaled(20); seed++) {
			struct qv_random random = { qv_random_key(seed, (uint64_t)i), 0 };
			struct qv_record *r = new_record(*state, game->name, NULL);
			struct account account = { .ply = 0 };
			for (int step = 0; step < WALK; step++) {
				walk_step(r, &account, &random);
				assert_cursor(r, &account);
				if (step % 50 == 49)
					assert_round_trip(*state, r);
			}
			qv_record_free(r);
		}
	}
}

/* ---- Want of memory ---- */

/* Step number n of a game; QV_STOPPED after the last. */
static enum qv_status script(struct qv_record *r, int n)
{
	char note[400];
	memset(note, 'n', sizeof note - 1);
	note[sizeof note - 1] = '\0';
	switch (n) {
	case 0: return qv_record_play(r, 4, 0.25, NULL);
	case 1: return qv_record_play(r, 0, 0.25, NULL);
	case 2: return qv_record_note(r, note);
	case 3: return qv_record_note(r, "other");
	case 4: return qv_record_undo(r, 1, NULL);
	case 5: return qv_record_play(r, 2, -1, NULL);
	case 6: return qv_record_clock(r, 1, 1000);
	case 7: return qv_record_end(r, 1, note);
	case 8: return qv_record_undo(r, 2, NULL);
	case 9: return qv_record_redo(r, 2, NULL);
	case 10: return qv_record_undo(r, 0, NULL);
	case 11: return qv_record_end(r, -1, "agreed");
	case 12: return qv_record_undo(r, 1, NULL);
	case 13: return qv_record_play(r, 0, 1, NULL);
	case 14: return qv_record_play(r, 1, 1, NULL);
	case 15: return qv_record_play(r, 8, 1, NULL);
	case 16: return qv_record_play(r, 7, 1, NULL);         /* 5, 2, 8: x has won */
	case 17: return qv_record_undo(r, 3, NULL);
	case 18: return qv_record_redo(r, 3, NULL);
	default: return QV_STOPPED;
	}
}

/*
 * Runs the script; a step that memory stops must leave everything as it was, and succeed when there
 * is some.
 */
static void build(struct qv_record *r)
{
	for (int n = 0;; n++) {
		char *before = saved(r);
		const int ply = qv_record_ply(r), variations = qv_record_variations(r);
		uint64_t bytes = 0;
		memcpy(&bytes, qv_record_state(r), 4);
		const char *note = qv_record_note_text(r);
		enum qv_status status = script(r, n);
		if (status == QV_NO_MEMORY) {
			assert_saved(r, before);
			assert_int_equal(qv_record_ply(r), ply);
			assert_int_equal(qv_record_variations(r), variations);
			assert_memory_equal(qv_record_state(r), &bytes, 4);
			assert_ptr_equal(qv_record_note_text(r), note);
			status = script(r, n);
		}
		free(before);
		if (status == QV_STOPPED)
			return;
		assert_int_equal(status, QV_OK);
	}
}

static struct qv_record *new_or_again(const struct qv_context *context, const struct meter *m)
{
	struct qv_record *r = NULL;
	struct qv_rules rules;
	const int64_t blocks = m->blocks, bytes = m->bytes;
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	if (qv_record_new(context, &rules, NULL, &r, NULL) == QV_NO_MEMORY) {
		assert_null(r);
		assert_true(m->blocks == blocks && m->bytes == bytes);
		assert_int_equal(qv_record_new(context, &rules, NULL, &r, NULL), QV_OK);
	}
	return r;
}

static void test_record__building_survives_any_allocation_that_fails(void **state)
{
	(void)state;
	struct meter m = { 0 };
	struct qv_context *context = new_context(&m);
	const int64_t blocks = m.blocks, bytes = m.bytes;
	struct qv_record *r = new_or_again(context, &m);
	build(r);
	char *expected = saved(r);
	qv_record_free(r);
	int n = 1;
	for (bool failed = true; failed; n++) {
		m.failed = false;
		m.until_failure = n;
		r = new_or_again(context, &m);
		build(r);
		failed = m.failed;
		m.until_failure = 0;
		assert_saved(r, expected);
		assert_round_trip(context, r);
		qv_record_free(r);
		assert_true(m.blocks == blocks && m.bytes == bytes);
	}
	assert_true(n > 40);
	free(expected);
	qv_context_free(context);
	assert_true(m.blocks == 0 && m.bytes == 0);
}

static void test_record__loading_survives_any_allocation_that_fails(void **state)
{
	(void)state;
	struct meter m = { 0 };
	struct qv_context *context = new_context(&m);
	const int64_t blocks = m.blocks, bytes = m.bytes;
	struct qv_record *r = new_or_again(context, &m);
	build(r);
	char *journal = saved(r);
	qv_record_free(r);
	enum qv_status status = QV_NO_MEMORY;
	int n = 1;
	for (; status != QV_OK; n++) {
		struct qv_error error = { "" };
		r = NULL;
		m.until_failure = n;
		status = qv_record_load(context, journal, strlen(journal), &r, &error);
		if (status != QV_OK) {
			assert_int_equal(status, QV_NO_MEMORY);
			assert_non_null(strstr(error.text, "out of memory"));
			assert_null(r);
			assert_true(m.blocks == blocks && m.bytes == bytes);
		}
	}
	m.until_failure = 0;
	assert_saved(r, journal);
	assert_true(n > 40);
	qv_record_free(r);
	free(journal);
	qv_context_free(context);
	assert_true(m.blocks == 0 && m.bytes == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record__undo_in_a_long_game_plays_few_moves_again),
		cmocka_unit_test(test_record__redo_in_a_long_game_plays_few_moves_again),
		cmocka_unit_test(test_record__changing_variations_plays_few_moves_again),
		cmocka_unit_test(test_record__has_an_end_to_its_length),
		cmocka_unit_test(test_record__a_loader_may_bound_what_is_redone),
		cmocka_unit_test(test_record__redo_has_a_bound),
		cmocka_unit_test(test_record__random_walks_save_and_load_in_every_game),
		cmocka_unit_test(test_record__building_survives_any_allocation_that_fails),
		cmocka_unit_test(test_record__loading_survives_any_allocation_that_fails),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
