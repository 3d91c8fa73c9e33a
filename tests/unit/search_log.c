/*
 * search_log.c - the log of a two-player search is that of the real search: the same counts, value
 * and line as without a listener, and all of it follows from the rules (support/search_log.h).
 * SPDX-License-Identifier: MIT
 */
#include "support/log_words.h"
#include "support/search_log.h"

/* ---- watching ---- */

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct checker *k = ctx;
	assert_true(k->line_count < MOST_ITERATIONS);
	k->lines[k->line_count++] = *so_far;
}

/* Runs a search with and without a log, which the checker gets. */
static void watch(struct checker *k, const struct spot *s, const struct config *c)
{
	char spec[512];
	struct qv_error error = { "" };
	struct log *log = NULL;
	write_spec(c, spec);
	const struct trace_setup how = { .allocator = &mem_malloc,
					 .rules = s->rules,
					 .root = s->state,
					 .player = spec,
					 .max_nodes = MOST_VISITS,
					 .max_ply = QV_MAX_LINE };
	*k = (struct checker){ .c = c, .root = s };
	assert_int_equal(log_new(&how, &log, &error), QV_OK);
	const struct qv_listener lines = { .size = sizeof lines,
					   .iteration = on_iteration,
					   .ctx = k };
	struct qv_listener listener = log_listener(log);
	listener.next = &lines;
	const struct qv_answer watched = think(s, spec, NULL, &listener);
	const struct qv_answer alone = think(s, spec, NULL, NULL);
	if (!same_answer(&watched, &alone)) {
		char text[QV_POSITION_TEXT];
		fail_msg("%s %s %s: differs without a log", s->rules.game->name, spot_text(s, text),
			 spec);
	}
	assert_int_equal(log_finish(log, &watched, &error), QV_OK);
	k->l = log;
	k->keys = calloc((size_t)log->count, sizeof *k->keys);
	k->moves = calloc((size_t)log->count, sizeof *k->moves);
	assert_true(k->keys && k->moves);
}

static void release(struct checker *k)
{
	free(k->keys);
	free(k->moves);
	log_free((struct log *)(uintptr_t)k->l);
}

enum { LEAVES = 2500 };

/* ---- one search ---- */

/* Every visit has words. */
static void check_words(const struct checker *k)
{
	struct string text = { .allocator = &mem_malloc };
	for (int i = 0; i < k->l->count; i += 1 + k->l->count / 50) {
		check_words_of(k->l, i);
		text.length = 0;
		log_words(k->l, i, &text);
		if (!k->c->tt)
			assert_null(strstr(text.data, "table"));
	}
	string_release(&text);
}

/* What has been seen, so that a test can tell that nothing was left out. */
static unsigned seen_reasons, seen_flags;
static int searches, cut_logs; /* larger than a log may be: these cannot be checked */

static void check_search(const struct spot *s, const struct config *c)
{
	struct checker *k = calloc(1, sizeof *k);
	assert_non_null(k);
	watch(k, s, c);
	const bool cut = k->l->seen > (uint64_t)k->l->count;
	searches++;
	cut_logs += cut;
	if (!cut && !check_log(k)) {
		char text[QV_POSITION_TEXT], spec[512];
		write_spec(c, spec);
		fail_msg("%s %s\n%s\n%s", s->rules.game->name, spot_text(s, text), spec, k->wrong);
	}
	check_words(k);
	for (int i = 0; i < k->l->count; i++) {
		seen_reasons |= k->l->visits[i].reasons;
		seen_flags |= k->l->visits[i].flags;
	}
	release(k);
	free(k);
}

/* ---- the searches ---- */

static const char *const kinds[] = { "minimax", "negamax", "alphabeta", "negascout", "mtdf" };
enum { KINDS = 5 };

/* Everything off; then one key alone. */
static struct config bare(const char *kind, int depth)
{
	return (struct config){ .kind = kind, .depth = depth, .deep = 1 };
}

/* The game and the other keys allow the key. */
static bool allows(const struct spot *s, const struct config *c)
{
	char spec[512];
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_player *player = NULL;
	/* Of a counted move, all numbers count as one of the N. */
	if (c->top && s->rules.game->max_count)
		return false;
	write_spec(c, spec);
	const bool right =
		qv_player_new(s->context, &s->rules, spec, &defaults, &player, NULL) == QV_OK;
	qv_player_free(player);
	return right;
}

/* A value that makes each key do something. */
static int on_value(const char *key, struct qv_random *random)
{
	if (strcmp(key, "window") == 0 || strcmp(key, "margin") == 0)
		return 1 + (int)qv_random_below(random, 30);
	if (strcmp(key, "hard") == 0)
		return 1 + (int)qv_random_below(random, 60);
	if (strcmp(key, "blunder") == 0)
		return 100;
	if (strcmp(key, "top") == 0 || strcmp(key, "killers") == 0 || strcmp(key, "ply1") == 0)
		return 1 + (int)qv_random_below(random, 2);
	return 1;
}

static int *key_at(struct config *c, int place, const char **name)
{
	int at = 0;
#define X(field, key)             \
	if (at++ == place) {      \
		*name = key;      \
		return &c->field; \
	}
	KEYS(X)
#undef X
	return NULL;
}

static bool is_game(const struct qv_game *g)
{
	return g->seats == 2 && !g->chance;
}

static void test_search_log__each_key_alone(void **state)
{
	struct qv_random random = { 31, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *g = qv_game_at(*state, i);
		for (int kind = 0; is_game(g) && kind < KINDS; kind++) {
			const char *name;
			struct config c = bare(kinds[kind], 1);
			for (int key = -1; key < 0 || key_at(&c, key, &name); key++) {
				const struct spot s = spot_random(*state, g, 30, &random);
				c = bare(kinds[kind], depth_for(&s, 5, LEAVES));
				c.iterate = (int)qv_random_below(&random, 2);
				if (key >= 0) {
					int *value = key_at(&c, key, &name);
					*value = *value ? 0 : on_value(name, &random);
					if (!has_key(&c, name))
						continue;
				}
				if (allows(&s, &c))
					check_search(&s, &c);
			}
		}
	}
}

static void test_search_log__keys_together(void **state)
{
	struct qv_random random = { 32, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *g = qv_game_at(*state, i);
		for (int round = (int)scaled(60); is_game(g) && round > 0; round--) {
			const struct spot s = spot_random(*state, g, 40, &random);
			struct config c = bare(kinds[qv_random_below(&random, KINDS)],
					       depth_for(&s, 5, LEAVES));
			const char *name;
			for (int key = 0; key_at(&c, key, &name); key++)
				if (has_key(&c, name) && qv_random_below(&random, 3) == 0) {
					int *value = key_at(&c, key, &name), before = *value;
					*value = before ? 0 : on_value(name, &random);
					if (!allows(&s, &c))
						*value = before;
				}
			check_search(&s, &c);
		}
	}
	assert_true(100 * cut_logs <= searches);
}

/* The two tests before have seen everything that these searches do. */
static void test_search_log__every_reason_and_flag_occurs(void **state)
{
	static const enum qv_why reasons[] = { QV_WHY_LEAF,	 QV_WHY_ENDED, QV_WHY_REPEATED,
					       QV_WHY_TABLE,	 QV_WHY_RAZOR, QV_WHY_HARD,
					       QV_WHY_STAND_PAT, QV_WHY_TOP,   QV_WHY_CUT };
	const unsigned flags = QV_VISIT_SCOUT | QV_VISIT_AGAIN | QV_VISIT_QUIET | QV_VISIT_TABLE |
			       QV_VISIT_KEPT | QV_VISIT_KILLER | QV_VISIT_VERIFY;
	(void)state;
	if (scaled(100) < 100)
		skip();
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		assert_true(seen_reasons >> reasons[i] & 1);
	assert_int_equal(seen_flags, flags);
}

/* A proof or a solver before the search shows no tree: a watched search goes without. */
static void test_search_log__a_watched_search_does_not_prove(void **state)
{
	const struct spot s = spot_at(*state, "connect4", NULL);
	struct checker *k = calloc(1, sizeof *k);
	const struct config c = bare("alphabeta", 4);
	assert_non_null(k);
	watch(k, &s, &c);
	const struct qv_answer plain = k->l->answer;
	struct qv_listener listener = log_listener((struct log *)(uintptr_t)k->l);
	char spec[600];
	write_spec(&c, spec);
	strcat(spec, ",prove=1000000");
	const struct qv_answer proving = think(&s, spec, NULL, &listener);
	assert_true(same_answer(&plain, &proving));
	release(k);
	free(k);
}

/* ---- planted errors ---- */

enum plant {
	PLANT_ALPHA,
	PLANT_BETA,
	PLANT_VALUE,
	PLANT_NUMBER,
	PLANT_BEST,
	PLANT_NO_CUT,
	PLANT_CUT,
	PLANT_SCOUT,
	PLANT_AGAIN,
	PLANT_KILLER,
	PLANT_TABLE_MOVE,
	PLANT_DEPTH,
	PLANT_MOVE,
	PLANT_REASON,
	PLANT_SEAT,
	PLANT_DROPPED,
	PLANTS
};

/* Takes a visit without visits below it out of the log. */
static void drop(struct log *l, int i)
{
	memmove(l->visits + i, l->visits + i + 1, (size_t)(l->count - i - 1) * sizeof *l->visits);
	l->count--;
	l->seen--;
	for (int j = 0; j < l->count; j++) {
		l->visits[j].end -= l->visits[j].end > i;
		l->visits[j].parent -= l->visits[j].parent > i;
	}
}

/* Changes a visit in one way. False: that visit has nothing of the kind. */
static bool plant(struct log *l, enum plant what, int i)
{
	struct log_visit *v = &l->visits[i];
	const bool inner = v->end > i + 1;
	switch (what) {
	case PLANT_ALPHA:
		v->alpha = isinf(v->alpha) ? 0 : v->alpha - 1;
		return true;
	case PLANT_BETA:
		v->beta = isinf(v->beta) ? 0 : v->beta + 1;
		return true;
	case PLANT_VALUE:
		v->value += i % 2 ? 1 : -1;
		return true;
	case PLANT_NUMBER:
		v->number++;
		return v->why >= 0;
	case PLANT_BEST:
		v->best = v->best ? 0 : 1;
		return true;
	case PLANT_NO_CUT:
		if (!has(v, QV_WHY_CUT))
			return false;
		v->reasons &= ~(1U << QV_WHY_CUT);
		v->why = -1;
		l->cuts--;
		return true;
	case PLANT_CUT:
		if (has(v, QV_WHY_CUT) || !inner)
			return false;
		v->reasons |= 1U << QV_WHY_CUT;
		v->why = QV_WHY_CUT;
		v->number = v->value;
		l->cuts++;
		return true;
	case PLANT_SCOUT:
		v->flags ^= QV_VISIT_SCOUT;
		return true;
	case PLANT_AGAIN:
		v->flags ^= QV_VISIT_AGAIN;
		return true;
	case PLANT_KILLER:
		v->flags |= QV_VISIT_KILLER;
		return v->ply > 0;
	case PLANT_TABLE_MOVE:
		v->flags |= QV_VISIT_TABLE;
		return v->ply > 0;
	case PLANT_DEPTH:
		v->depth++;
		return true;
	case PLANT_MOVE:
		v->move = v->move > 1 ? v->move - 1 : v->move + 1;
		return v->ply && l->name_count > 2;
	case PLANT_REASON:
		v->why = v->why == QV_WHY_LEAF ? QV_WHY_ENDED : QV_WHY_LEAF;
		v->reasons = 1U << v->why;
		return true;
	case PLANT_SEAT:
		v->seat = v->seat == 0;
		return true;
	default:
		if (inner || v->ply == 0)
			return false;
		drop(l, i);
		return true;
	}
}

static void test_search_log__the_checker_finds_planted_errors(void **state)
{
	struct qv_random random = { 33, 0 };
	static const char *const games[] = { "noughts", "connect4", "hexapawn" };
	int planted[PLANTS] = { 0 };
	for (int round = 0; round < 15; round++) {
		const struct qv_game *g = spot_at(*state, games[round % 3], NULL).rules.game;
		const struct spot s = spot_random(*state, g, 3, &random);
		struct config c = bare(kinds[round % KINDS], 3);
		struct checker *k = calloc(1, sizeof *k);
		assert_non_null(k);
		c.iterate = round & 1;
		c.tt = c.killers = round >= 10 && prunes(&c);
		watch(k, &s, &c);
		struct log *l = (struct log *)(uintptr_t)k->l;
		assert_true(check_log(k));
		const struct log right = *l;
		const size_t size = (size_t)l->count * sizeof *l->visits;
		struct log_visit *visits = malloc(size);
		assert_non_null(visits);
		memcpy(visits, l->visits, size);
		/* Not scaled further: some of the errors that can be planted change nothing. */
		for (int n = scaled(100) >= 50 ? 400 : 76; n > 0; n--) {
			const int i = (int)qv_random_below(&random, (uint64_t)right.count);
			const enum plant what = (enum plant)qv_random_below(&random, PLANTS);
			/* Some flags are right by chance where killers and table are on. */
			const bool early = what == PLANT_KILLER || what == PLANT_TABLE_MOVE;
			if (!(early && c.tt) && plant(l, what, i)) {
				planted[what]++;
				if (check_log(k))
					fail_msg("error %d at visit %d of %d is not found",
						 (int)what, i, right.count);
			}
			*l = right;
			memcpy(l->visits, visits, size);
		}
		free(visits);
		release(k);
		free(k);
	}
	for (int what = 0; what < PLANTS; what++)
		assert_true(planted[what] > 0);
}

/* ---- limits ---- */

static void test_search_log__keeps_at_most_so_many_visits(void **state)
{
	const struct spot s = spot_at(*state, "noughts", NULL);
	struct qv_error error = { "" };
	for (int most = 1; most < 40; most += 7) {
		struct log *l = NULL;
		const struct trace_setup how = { .allocator = &mem_malloc,
						 .rules = s.rules,
						 .root = s.state,
						 .player = "alphabeta:depth=3",
						 .max_nodes = most,
						 .max_ply = QV_MAX_LINE };
		assert_int_equal(log_new(&how, &l, &error), QV_OK);
		const struct qv_listener listener = log_listener(l);
		const struct qv_answer answer = think(&s, how.player, NULL, &listener);
		assert_int_equal(log_finish(l, &answer, &error), QV_OK);
		assert_int_equal(l->count, most);
		assert_true(l->seen > answer.nodes);
		json_t *json = log_json(l);
		assert_int_equal(json_integer_value(json_object_get(json, "kept")), most);
		assert_int_equal(json_integer_value(json_object_get(json, "nodes")), answer.nodes);
		assert_int_equal(
			json_array_size(json_object_get(json_object_get(json, "visits"), "value")),
			most);
		json_decref(json);
		log_free(l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_log__each_key_alone),
		cmocka_unit_test(test_search_log__keys_together),
		cmocka_unit_test(test_search_log__every_reason_and_flag_occurs),
		cmocka_unit_test(test_search_log__a_watched_search_does_not_prove),
		cmocka_unit_test(test_search_log__the_checker_finds_planted_errors),
		cmocka_unit_test(test_search_log__keeps_at_most_so_many_visits),
	};
	return cmocka_run_group_tests_name("search_log", tests, setup, teardown);
}
