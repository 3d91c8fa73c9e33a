/*
 * certificate.c - certificates against the literal twins, and certificates that were tampered with.
 * SPDX-License-Identifier: MIT
 *
 * The checker of tools/certificate.h runs here over the twins, so that neither the solvers nor the
 * fast rules have a say in whether a certificate holds.
 */
#include "support/check.h"
#include "support/meter.h"
#include "support/scale.h"
#include "twins/twin.h"

#include "../tools/certificate.h"
#include "quevedo.h"

enum { TWIN_MOVES = 128 };

/* ---- the twins as rules ---- */

/* The side is the last letter of a position: the first player's comes later or earlier by game. */
static int twin_seat(void *ctx, const char *position)
{
	const struct twin *twin = ctx;
	char start[CERTIFICATE_POSITION];
	twin->start(start, sizeof start);
	return position[strlen(position) - 1] != start[strlen(start) - 1];
}

static certificate_move *twin_list(void *ctx, const char *position, int *count)
{
	const struct twin *twin = ctx;
	char list[TWIN_MOVES][16];
	certificate_move *out = calloc(TWIN_MOVES, sizeof *out);
	*count = twin->moves(position, list, TWIN_MOVES);
	for (int i = 0; out && i < *count; i++)
		snprintf(out[i], sizeof out[i], "%s", list[i]);
	return out;
}

static bool twin_plays(void *ctx, char *position, const char *move)
{
	const struct twin *twin = ctx;
	return twin->play(position, CERTIFICATE_POSITION, move);
}

static bool twin_over(void *ctx, const char *position, int32_t *points)
{
	const struct twin *twin = ctx;
	int two[2];
	if (!twin->over(position, two))
		return false;
	points[0] = two[0];
	points[1] = two[1];
	return true;
}

/* ---- certificates in memory ---- */

struct text {
	char *data;
	size_t length, room;
};

static bool keep(void *ctx, const char *data, size_t size)
{
	struct text *t = ctx;
	while (t->length + size + 1 > t->room) {
		t->room = t->room ? 2 * t->room : 4096;
		t->data = realloc(t->data, t->room);
		assert_non_null(t->data);
	}
	memcpy(t->data + t->length, data, size);
	t->length += size;
	t->data[t->length] = '\0';
	return true;
}

static enum qv_status write_one(struct qv_context *context, const char *game, const char *position,
				const struct qv_certify_job *how, struct qv_solution *out)
{
	struct qv_rules rules;
	struct qv_solver *solver;
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	void *state = qv_state_new(context, rules.game);
	if (!state)
		return QV_NO_MEMORY;
	assert_int_equal(qv_position_parse(&rules, position, state, NULL), QV_OK);
	enum qv_status status = qv_solver_new(context, &rules, 1 << 20, &solver, NULL);
	if (status == QV_OK) {
		status = qv_certify(solver, state, how, out, NULL);
		qv_solver_free(solver);
	}
	qv_state_free(context, rules.game, state);
	return status;
}

static struct text certificate_of(const char *game, const char *position)
{
	struct text text = { 0 };
	struct qv_solution solution = { .size = sizeof solution };
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_certify_job how = { .size = sizeof how, .write = keep, .ctx = &text };
	assert_int_equal(write_one(context, game, position, &how, &solution), QV_OK);
	qv_context_free(context);
	return text;
}

/* Whether the text (kept as it is) holds by the twin's rules; the value it claims. */
static bool holds_by(const struct twin *twin, const char *text, char value[8], size_t *checked)
{
	const struct certificate_rules rules = { (void *)(uintptr_t)twin, twin_seat, twin_list,
						 twin_plays, twin_over };
	char *copy = strdup(text);
	struct certificate c = { .rules = &rules, .next = copy };
	const char *position, *claim = "";
	const char *head = certificate_line(&c), *game = head ? certificate_field(&c, "game") : NULL;
	const bool good = game && strcmp(head, "quevedo certificate 1") == 0 &&
			  strcmp(game, twin->game) == 0 && certificate_holds(&c, &position, &claim);
	snprintf(value, 8, "%s", good ? claim : "");
	*checked = c.checked;
	free(copy);
	return good;
}

/* ---- tests ---- */

static const struct {
	const struct twin *twin;
	const char *position, *value;
} known[] = {
	{ &twin_noughts, NULL, "draw" },
	{ &twin_noughts, "x...o...x o", "draw" },
	{ &twin_hexapawn, NULL, "loss" },
	{ &twin_hexapawn_draw, NULL, "draw" },
	{ &twin_connect4, "44444222222335", "win" },
	{ &twin_connect4, "2252576253462244111563365343671351441", "loss" },
};

static void test_certificate__holds_by_the_literal_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct text text = certificate_of(known[i].twin->game, known[i].position);
		char value[8];
		size_t checked;
		assert_true(holds_by(known[i].twin, text.data, value, &checked));
		assert_string_equal(value, known[i].value);
		assert_true(checked > 0);
		free(text.data);
	}
}

/* A false claim is no better for the moves that come with it. */
static void test_certificate__a_false_claim_does_not_hold(void **state)
{
	(void)state;
	static const char *const values[] = { "win", "loss", "draw" };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct text text = certificate_of(known[i].twin->game, known[i].position);
		char *at = strstr(text.data, "\nvalue "), value[8];
		char *rest = strchr(at + 1, '\n');
		size_t checked;
		for (int v = 0; v < 3; v++) {
			struct text other = { 0 };
			if (strcmp(values[v], known[i].value) == 0)
				continue;
			keep(&other, text.data, (size_t)(at - text.data));
			keep(&other, "\nvalue ", 7);
			keep(&other, values[v], strlen(values[v]));
			keep(&other, rest, strlen(rest));
			assert_false(holds_by(known[i].twin, other.data, value, &checked));
			free(other.data);
		}
		free(text.data);
	}
}

/* Every entry is needed: without any one of them, or with another legal move, it may fall. */
static void test_certificate__misses_no_entry(void **state)
{
	(void)state;
	struct text text = certificate_of("hexapawn", NULL);
	char value[8];
	size_t checked;
	int entries = 0;
	for (char *tab = strchr(text.data, '\t'); tab; tab = strchr(tab + 1, '\t'), entries++) {
		char *line = tab;
		while (line[-1] != '\n')
			line--;
		const char kept = *line;
		*line = '#';               /* now the entry is of no position */
		assert_false(holds_by(&twin_hexapawn, text.data, value, &checked));
		*line = kept;
	}
	assert_true(entries > 5);
	assert_true(holds_by(&twin_hexapawn, text.data, value, &checked));
	assert_int_equal(checked, entries);
	free(text.data);
}

/* Any change of a byte is refused, or the text still says something true. */
static void test_certificate__survives_any_bytes(void **state)
{
	(void)state;
	struct text text = certificate_of("hexapawn:blocked=draw", NULL);
	struct qv_random random = { 7, 0 };
	for (int i = 0; i < scaled(4000); i++) {
		char value[8], *copy = strdup(text.data);
		size_t checked;
		for (int n = 1 + (int)qv_random_below(&random, 3); n > 0; n--)
			copy[qv_random_below(&random, text.length)] =
				(char)(1 + qv_random_below(&random, 126));
		if (qv_random_below(&random, 4) == 0)
			copy[qv_random_below(&random, text.length)] = '\0';
		if (holds_by(&twin_hexapawn_draw, copy, value, &checked))
			assert_string_equal(value, "draw");
		free(copy);
	}
	free(text.data);
}

/* ---- a game that goes round: the first seat waits (w) or ends it (e), the second only waits ---- */

static int round_seat(void *ctx, const char *position)
{
	(void)ctx;
	return position[0] == '1' ? 0 : position[0] == '2' ? 1 : -1;
}

static certificate_move *round_moves(void *ctx, const char *position, int *count)
{
	(void)ctx;
	certificate_move *list = calloc(2, sizeof *list);
	*count = position[0] == '1' ? 2 : 1;
	strcpy(list[0], "w");
	strcpy(list[1], "e");
	return list;
}

static bool round_play(void *ctx, char *position, const char *move)
{
	(void)ctx;
	strcpy(position, move[0] == 'e' ? "end" : position[0] == '1' ? "2" : "1");
	return true;
}

static bool round_over(void *ctx, const char *position, int32_t *points)
{
	(void)ctx;
	points[0] = 1;
	points[1] = 0;
	return position[0] == 'e';
}

static bool round_holds(const char *text)
{
	const struct certificate_rules rules = { NULL, round_seat, round_moves, round_play,
						 round_over };
	char *copy = strdup(text);
	struct certificate c = { .rules = &rules, .next = copy };
	const char *position, *value;
	const bool holds = certificate_holds(&c, &position, &value);
	free(copy);
	return holds;
}

static void test_certificate__a_win_must_come_to_an_end(void **state)
{
	(void)state;
	assert_true(round_holds("position 1\nvalue win\nstrategy 1 1\n1\te\nend\n"));
	assert_false(round_holds("position 1\nvalue win\nstrategy 1 1\n1\tw\nend\n"));
	assert_true(round_holds("position 2\nvalue loss\nstrategy 1 1\n1\te\nend\n"));
	assert_false(round_holds("position 2\nvalue draw\nstrategy 1 1\n1\te\nstrategy 2 1\n"
				 "2\tw\nend\n"));
	assert_false(round_holds("position 1\nvalue win\nstrategy 1 1\n1\te\n"));
	assert_false(round_holds("position 3\nvalue win\nstrategy 1 1\n1\te\nend\n"));
	assert_false(round_holds("position 1\nvalue win\nstrategy 1 99999999999\n1\te\nend\n"));
}

static bool refuse(void *ctx, const char *data, size_t size)
{
	(void)ctx, (void)data, (void)size;
	return false;
}

static void test_certificate__says_why_there_is_none(void **state)
{
	(void)state;
	struct text text = { 0 };
	struct qv_solution solution = { .size = sizeof solution };
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_certify_job full = { .size = sizeof full, .write = refuse }, few = {
		.size = sizeof few, .write = keep, .ctx = &text, .most = 10
	};
	const struct qv_flag stop = { 1 };
	const struct qv_certify_job stopped = {
		.size = sizeof stopped, .write = keep, .ctx = &text, .stop = &stop
	};
	assert_int_equal(write_one(context, "noughts", NULL, &full, &solution), QV_IO);
	assert_int_equal(write_one(context, "noughts", NULL, &few, &solution), QV_UNSUPPORTED);
	assert_int_equal(write_one(context, "connect4", NULL, &stopped, &solution), QV_STOPPED);
	assert_int_equal(write_one(context, "race", NULL, &full, &solution), QV_UNSUPPORTED);
	qv_context_free(context);
	free(text.data);
}

static void test_certificate__survives_without_memory(void **state)
{
	(void)state;
	struct meter meter = meter_make();
	const struct qv_allocator few = { meter_resize, &meter };
	bool written = false;
	for (int n = 1; n < 200 && !written; n++) {
		meter_arm(&meter, n, true);
		struct qv_context *context = qv_context_new(&few);
		struct text text = { 0 };
		struct qv_solution solution = { .size = sizeof solution };
		const struct qv_certify_job how = { .size = sizeof how,
						    .write = keep,
						    .ctx = &text };
		if (!context)
			continue;
		const enum qv_status status =
			write_one(context, "hexapawn", NULL, &how, &solution);
		assert_true(status == QV_OK || status == QV_NO_MEMORY);
		written = status == QV_OK;
		free(text.data);
		qv_context_free(context);
		assert_int_equal(meter.blocks, 0);
	}
	assert_true(written);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_certificate__holds_by_the_literal_rules),
		cmocka_unit_test(test_certificate__a_false_claim_does_not_hold),
		cmocka_unit_test(test_certificate__misses_no_entry),
		cmocka_unit_test(test_certificate__survives_any_bytes),
		cmocka_unit_test(test_certificate__a_win_must_come_to_an_end),
		cmocka_unit_test(test_certificate__says_why_there_is_none),
		cmocka_unit_test(test_certificate__survives_without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
