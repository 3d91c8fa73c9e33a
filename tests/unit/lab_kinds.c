/*
 * lab_kinds.c - every kind of player, every kind of solver and every on/off key of alphabeta can be
 * watched, and what is watched is the real search.
 * SPDX-License-Identifier: MIT
 *
 * The kinds and keys come from the tables of the library, so a new one without a log fails here.
 */
#include "support/lab_desk.h"
#include "support/search.h"

#include "core/player.h"
#include "trace/log.h"

enum { MOST_VISITS = 200000, NODES = 3000 };

/* ---- one search ---- */

static struct log *log_of(const struct spot *s, const char *spec)
{
	struct qv_error error = { "" };
	struct log *l = NULL;
	const struct trace_setup how = { .allocator = &mem_malloc,
					 .rules = s->rules,
					 .root = s->state,
					 .player = spec,
					 .max_nodes = MOST_VISITS,
					 .max_ply = QV_MAX_LINE };
	if (log_new(&how, &l, &error) != QV_OK)
		fail_msg("%s", error.text);
	return l;
}

/* The answer of a player. Fails if it cannot play here. */
static enum qv_status answer_of(const struct spot *s, const char *spec,
				const struct qv_listener *listener, struct qv_answer *out)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	const struct qv_limits limits = limits_at(s);
	struct qv_player *player = NULL;
	enum qv_status status =
		qv_player_new(s->context, &s->rules, spec, &defaults, &player, NULL);
	if (status == QV_OK)
		status = qv_player_think(player, s->state, &limits, listener, out, NULL);
	qv_player_free(player);
	return status;
}

/*
 * Runs the player with a log and without. NULL: it cannot play here, or reports nothing. Otherwise
 * free the log, whose numbers are those of the search without it, unless differs is true.
 */
static struct log *watch(const struct spot *s, const char *spec, bool differs)
{
	struct qv_answer watched = { .size = sizeof watched }, alone = { .size = sizeof alone };
	struct log *l = log_of(s, spec);
	const struct qv_listener listener = log_listener(l);
	char text[QV_POSITION_TEXT];
	const enum qv_status status = answer_of(s, spec, &listener, &watched);
	if (answer_of(s, spec, NULL, &alone) != status ||
	    (status == QV_OK && !differs && !same_answer(&watched, &alone)))
		fail_msg("%s %s, %s: differs without a log", s->rules.game->name,
			 spot_text(s, text), spec);
	if (status == QV_OK && log_finish(l, &watched, NULL) == QV_OK) {
		assert_true(l->count + l->step_count > 0);
		return l;
	}
	log_free(l);
	return NULL;
}

/* A random position in which a player moves. */
static bool random_spot(const struct qv_context *context, const struct qv_game *game, int plies,
			struct qv_random *random, struct spot *s)
{
	int32_t points[QV_MAX_SEATS];
	*s = spot_random(context, game, plies, random);
	for (int i = 0; i < 50 && game->seat(s->state) == QV_CHANCE; i++)
		if (!spot_wander(s, random))
			break;
	return game->seat(s->state) != QV_CHANCE && !spot_ended(s, points);
}

/* ---- player kinds ---- */

static const struct option *option_of(const struct player_kind *kind, const char *name)
{
	for (const struct option *const *group = kind->options; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			if (strcmp(row->name, name) == 0)
				return row;
	return NULL;
}

/* A spec of the kind that takes little time, with whatever limits the kind has. */
static void write_small_spec(const struct player_kind *kind, char *spec, size_t size)
{
	static const char *const limits[][2] = { { "plies", "1" },     { "depth", "2" },
						 { "playouts", "40" }, { "nodes", "500" },
						 { "turns", "1" },     { "filter", "tiny" } };
	int at = snprintf(spec, size, "%s:%sbook=none", kind->name, kind->first ? "1," : "");
	bool limited = false;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		/* The first item of the spec has set that one. */
		const bool given = kind->first && strcmp(kind->first, limits[i][0]) == 0;
		if (given || !option_of(kind, limits[i][0]) || (i < 4 && limited)) {
			limited |= given;
			continue;
		}
		at += snprintf(spec + at, size - (size_t)at, ",%s=%s", limits[i][0], limits[i][1]);
		limited = true;
	}
}

/* The kinds whose thinking is no search have a request of their own. */
static const struct {
	const char *kind, *request, *body, *shows;
} requests[] = {
	{ "learn", "learn", "{\"games\":10}", "removed" },
	{ "learn", "boxes", "{\"games\":10}", "boxes" },
	{ "machine", "machine", "{\"position\":\"K7/R7/8/8/8/1k6/8/8 w - - 0 1\"}", "rules" },
	{ "mask", "mask", "{\"game\":\"starchess\",\"player\":\"mask:turns=1\"}", "masks" },
};

static bool has_request(const char *kind)
{
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (strcmp(requests[i].kind, kind) == 0)
			return true;
	return false;
}

static void test_lab__every_player_kind_can_be_watched(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	(void)state;
	assert_non_null(context);
	for (int i = 0; player_kind_at(i); i++) {
		const struct player_kind *kind = player_kind_at(i);
		struct qv_random random = { .key = qv_random_key(20, (uint64_t)i) };
		char spec[200];
		int watched = 0;
		write_small_spec(kind, spec, sizeof spec);
		for (int g = 0; qv_game_at(context, g); g++)
			/* In some positions there is nothing to think about, such as a forced move. */
			for (int n = 0, here = 0; n < 6 && here < 2; n++) {
				struct spot s;
				if (!random_spot(context, qv_game_at(context, g), 6 * n, &random,
						 &s))
					continue;
				struct log *l = watch(&s, spec, false);
				here += l != NULL;
				watched += l != NULL;
				log_free(l);
			}
		if (!watched && !has_request(kind->name))
			fail_msg("player %s: no game shows how it thinks", kind->name);
	}
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
		const json_t *r = lab_ask(requests[i].request, "%s", requests[i].body);
		assert_true(json_array_size(list_of(r, requests[i].shows)) > 0);
	}
	qv_context_free(context);
}

/* ---- solver kinds ---- */

/* Solves with a log and without; returns what the log has seen. */
static uint64_t watch_solver(const struct spot *s, enum qv_solve_by by)
{
	struct qv_solution found[2];
	enum qv_status status[2] = { QV_OK, QV_OK };
	struct log *l = log_of(s, "solver");
	const struct qv_listener listener = log_listener(l);
	for (int with = 0; with < 2; with++) {
		const struct qv_solve_limits limits = { .size = sizeof limits, .nodes = NODES,
							.listener = with ? &listener : NULL };
		struct qv_solver *solver = NULL;
		found[with] = (struct qv_solution){ .size = sizeof(struct qv_solution),
						    .move = QV_NO_MOVE };
		status[with] = qv_solver_new_by(s->context, &s->rules, by, 1 << 20, &solver, NULL);
		if (status[with] == QV_OK)
			status[with] =
				qv_solver_solve(solver, s->state, &limits, &found[with], NULL);
		qv_solver_free(solver);
	}
	if (status[0] != status[1] || found[0].value != found[1].value ||
	    found[0].nodes != found[1].nodes || found[0].move != found[1].move)
		fail_msg("%s, solver %d: differs without a log", s->rules.game->name, (int)by);
	const uint64_t seen = l->seen;
	log_free(l);
	return seen;
}

/* A game's own solver need not report anything; QV_BY_ANY may choose it. */
static void test_lab__every_solver_for_any_game_can_be_watched(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_random random = { .key = qv_random_key(21, 0) };
	(void)state;
	assert_non_null(context);
	for (enum qv_solve_by by = QV_BY_ANY; by <= QV_BY_OWN; by++)
		for (int g = 0; qv_game_at(context, g); g++) {
			const struct qv_game *game = qv_game_at(context, g);
			struct spot s;
			if (game->seats != 2 || game->chance ||
			    !random_spot(context, game, 6, &random, &s))
				continue;
			const uint64_t seen = watch_solver(&s, by);
			if (!seen && (by == QV_BY_SEARCH || by == QV_BY_PROOF))
				fail_msg("%s: solver %d reports nothing", game->name, (int)by);
		}
	/* Retrograde analysis and the learner of weights have requests of their own. */
	assert_true(json_array_size(list_of(lab_ask("wave", "{\"game\":\"hexapawn\"}"), "waves")) >
		    3);
	assert_true(json_array_size(list_of(lab_ask("td", "{\"games\":20,\"every\":10,\"test\":5}"),
					    "curve")) > 1);
	assert_true(json_array_size(list_of(
			    json_object_get(lab_ask("proof", "{\"game\":\"hexapawn\"}"), "growth"),
			    "steps")) > 1);
	qv_context_free(context);
}

/* ---- the keys of alphabeta ---- */

/* What must be seen of a key when it is on, and never when it is off. */
struct mark {
	const char *key;
	unsigned flags, reasons;
};
static const struct mark marks[] = {
	{ "killers", QV_VISIT_KILLER, 0 },
	{ "tt", QV_VISIT_TABLE, 1U << QV_WHY_TABLE },
	{ "quiet", QV_VISIT_QUIET, 1U << QV_WHY_STAND_PAT },
	{ "razor", 0, 1U << QV_WHY_RAZOR },
	{ "hard", 0, 1U << QV_WHY_HARD },
	{ "top", 0, 1U << QV_WHY_TOP },
};

/* Keys that start a solver before the search. It shows no tree, so a watched search goes without. */
static bool is_aside(const char *key)
{
	return strcmp(key, "solve") == 0 || strcmp(key, "prove") == 0;
}

/* Keys that change nothing in a log. */
static bool is_silent(const char *key)
{
	return is_aside(key) || strcmp(key, "stack") == 0;
}

static bool same_log(const struct log *a, const struct log *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++) {
		const struct log_visit *v = &a->visits[i], *u = &b->visits[i];
		if (v->parent != u->parent || v->depth != u->depth || v->alpha != u->alpha ||
		    v->beta != u->beta || v->value != u->value || v->flags != u->flags ||
		    v->reasons != u->reasons ||
		    strcmp(log_name(a, v->move), log_name(b, u->move)) != 0)
			return false;
	}
	return true;
}

static bool shows(const struct log *l, const struct mark *m)
{
	for (int i = 0; i < l->count; i++)
		if (l->visits[i].flags & m->flags || l->visits[i].reasons & m->reasons)
			return true;
	return false;
}

/* What was seen of a key so far. */
struct seen {
	bool same, differs, marked;
};

/* The base, with the key in place of what it says of it. */
static void write_key_spec(const char *base, const char *key, int value, char *spec, size_t size)
{
	int at = snprintf(spec, size, "alphabeta:%s=%d", key, value);
	for (const char *item = base; *item;
	     item += strcspn(item, ",") + (item[strcspn(item, ",")] == ',')) {
		const size_t length = strlen(key);
		if (strncmp(item, key, length) != 0 || item[length] != '=')
			at += snprintf(spec + at, size - (size_t)at, ",%.*s",
				       (int)strcspn(item, ","), item);
	}
}

/* Both values of a key on one position. */
static void compare_key(const struct spot *s, const char *base, const struct option *row, int on,
			struct seen *seen)
{
	char spec[200], text[QV_POSITION_TEXT];
	struct log *logs[2];
	for (int i = 0; i < 2; i++) {
		write_key_spec(base, row->name, i ? on : 0, spec, sizeof spec);
		logs[i] = watch(s, spec, is_aside(row->name));
	}
	if (logs[0] && logs[1]) {
		const bool same = same_log(logs[0], logs[1]);
		seen->same |= same;
		seen->differs |= !same;
		if (!same && is_silent(row->name))
			fail_msg("%s, %s: %s changes the log", s->rules.game->name,
				 spot_text(s, text), spec);
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
			if (strcmp(marks[i].key, row->name) != 0)
				continue;
			assert_false(shows(logs[0], &marks[i]));
			seen->marked |= shows(logs[1], &marks[i]);
		}
	}
	log_free(logs[0]);
	log_free(logs[1]);
}

static bool has_mark(const char *key)
{
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strcmp(marks[i].key, key) == 0)
			return true;
	return false;
}

/* Tries the key on positions of all games until it has shown what it does. */
static struct seen try_key(const struct qv_context *context, const struct option *row)
{
	/* A technique may be hidden by another one, such as a kept line by a table. */
	static const char *const bases[] = {
		"depth=4,tt=0",
		"depth=4,tt=1",
		"depth=3,tt=0,sort=0,killers=0,history=0,quiet=0",
	};
	static const int values[] = { 1, 2, 100 };
	struct qv_random random = { .key = qv_random_key(22, 0) };
	struct seen seen = { false, false, false };
	const int rounds = is_silent(row->name) ? 1 : 6;
	for (int round = 0; round < rounds; round++)
		for (int g = 0; qv_game_at(context, g); g++)
			for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
				const struct qv_game *game = qv_game_at(context, g);
				const int64_t on =
					row->type == OPTION_SWITCH ? 1 : values[round % 3];
				struct spot s;
				if (game->max_moves > 300 ||
				    !random_spot(context, game, 25, &random, &s))
					continue;
				compare_key(&s, bases[b], row,
					    on > row->max && row->max ? (int)row->max : (int)on,
					    &seen);
				if (seen.differs && (seen.marked || !has_mark(row->name)))
					return seen;
			}
	return seen;
}

/* Whether 0 turns the option off. */
static bool is_key(const struct option *row)
{
	return row->type == OPTION_SWITCH || (row->type == OPTION_INT && row->min == 0);
}

static void test_lab__every_key_of_alphabeta_can_be_seen(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	int keys = 0;
	(void)state;
	assert_non_null(context);
	for (const struct option *const *group = alphabeta_kind.options; *group; group++)
		for (const struct option *row = *group; row->name; row++) {
			if (!is_key(row))
				continue;
			const struct seen seen = try_key(context, row);
			keys++;
			if (is_silent(row->name) ? !seen.same : !seen.differs)
				fail_msg("%s: nothing shows whether it is on", row->name);
			if (has_mark(row->name) && !seen.marked)
				fail_msg("%s: its flag or reason never occurs", row->name);
		}
	assert_true(keys >= 20);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lab__every_player_kind_can_be_watched),
		cmocka_unit_test(test_lab__every_solver_for_any_game_can_be_watched),
		cmocka_unit_test(test_lab__every_key_of_alphabeta_can_be_seen),
	};
	return cmocka_run_group_tests_name("lab_kinds", tests, open_engine, close_engine);
}
