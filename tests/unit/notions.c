/*
 * notions.c - what games tell of a position, against literal twins and against the game itself.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/scale.h"
#include "twins/notions.h"

#include "quevedo.h"

typedef int twin_notions_fn(const char *position, struct twin_notion list[TWIN_NOTIONS]);

struct desk {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_layout layout;
	unsigned char *state, *after;
	struct qv_random random;
	twin_notions_fn *twin;
};

static void desk_open(struct desk *d, const char *game, twin_notions_fn *twin, uint64_t seed)
{
	memset(d, 0, sizeof *d);
	d->context = qv_context_new(NULL);
	assert_non_null(d->context);
	assert_int_equal(qv_rules_parse(d->context, game, &d->rules, NULL), QV_OK);
	d->rules.game->board->layout(d->rules.options, &d->layout);
	d->state = qv_state_new(d->context, d->rules.game);
	d->after = qv_state_new(d->context, d->rules.game);
	assert_non_null(d->state);
	assert_non_null(d->after);
	d->random = (struct qv_random){ .key = qv_random_key(seed, 0) };
	d->twin = twin;
}

static void desk_close(struct desk *d)
{
	qv_state_free(d->context, d->rules.game, d->state);
	qv_state_free(d->context, d->rules.game, d->after);
	qv_context_free(d->context);
}

static void write_position(const struct desk *d, char text[QV_POSITION_TEXT])
{
	struct qv_text out = { text, QV_POSITION_TEXT, 0 };
	text[0] = '\0';
	d->rules.game->position_text(d->state, &out);
}

static void read_position(struct desk *d, const char *text)
{
	struct qv_error error = { "" };
	if (qv_position_parse(&d->rules, text, d->state, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static int ask(const struct desk *d, struct qv_notion list[QV_MAX_NOTIONS])
{
	memset(list, 0, QV_MAX_NOTIONS * sizeof *list);
	return d->rules.game->board->notions(d->state, list, QV_MAX_NOTIONS);
}

/* ---- games at random ---- */

static bool is_over(const struct desk *d, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	return d->rules.game->result(state, points) != QV_GOING;
}

/* A move by chance; careful: none that ends the game, while there is another. */
static void play_any(struct desk *d, bool careful)
{
	qv_move list[QV_MAX_MOVES];
	const int count = d->rules.game->moves(d->state, list);
	int tries = careful ? 4 * count : 1;
	do {
		const qv_move move = list[qv_random_below(&d->random, (uint64_t)count)];
		memcpy(d->after, d->state, d->rules.game->state_size);
		d->rules.game->play(d->after, move);
	} while (--tries > 0 && is_over(d, d->after));
	memcpy(d->state, d->after, d->rules.game->state_size);
}

typedef void look_fn(struct desk *d);

static void walk_games(struct desk *d, int64_t games, look_fn *look)
{
	for (int64_t i = 0; i < games; i++) {
		d->rules.game->start(d->rules.options, d->state);
		for (; !is_over(d, d->state); play_any(d, i % 4 != 0))
			look(d);
	}
}

/* ---- against the twins ---- */

static const struct twin_notion *find_twin(const struct twin_notion *list, int count,
					   const char *name, int seat)
{
	for (int i = 0; i < count; i++)
		if (list[i].seat == seat && !strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static bool has_cell(const struct twin_notion *n, const char *name)
{
	for (int i = 0; i < n->cell_count; i++)
		if (!strcmp(n->cells[i], name))
			return true;
	return false;
}

static void compare_with_twin(struct desk *d)
{
	char text[QV_POSITION_TEXT];
	struct qv_notion list[QV_MAX_NOTIONS];
	struct twin_notion twins[TWIN_NOTIONS];
	write_position(d, text);
	const int count = ask(d, list), twin_count = d->twin(text, twins);
	if (count != twin_count)
		fail_msg("%s: %d notions, the twin has %d", text, count, twin_count);
	for (int i = 0; i < count; i++) {
		const struct twin_notion *twin =
			find_twin(twins, twin_count, list[i].name, list[i].seat);
		if (!twin || twin->value != list[i].value || twin->cell_count != list[i].cell_count)
			fail_msg("%s: %s of %d is %d on %d cells", text, list[i].name, list[i].seat,
				 list[i].value, list[i].cell_count);
		for (int k = 0; k < list[i].cell_count; k++)
			if (!has_cell(twin, d->layout.cells[list[i].cells[k]].name))
				fail_msg("%s: %s of %d is not on %s", text, list[i].name,
					 list[i].seat, d->layout.cells[list[i].cells[k]].name);
	}
}

static void test_notions__connect4_sees_what_its_twin_sees(void **unused)
{
	struct desk d;
	(void)unused;
	desk_open(&d, "connect4", twin_connect4_notions, 1);
	walk_games(&d, scaled(2000), compare_with_twin);
	desk_close(&d);
}

static void test_notions__reversi_sees_what_its_twin_sees(void **unused)
{
	struct desk d;
	(void)unused;
	desk_open(&d, "reversi", twin_reversi_notions, 2);
	walk_games(&d, scaled(200), compare_with_twin);
	desk_close(&d);
}

/* ---- connect-four: the evaluation ---- */

/* How many of the threats with this word in their names the first player has more. */
static int threats_ahead(const struct twin_notion *list, int count, const char *word)
{
	int ahead = 0;
	for (int i = 0; i < count; i++)
		if (list[i].seat >= 0 && strstr(list[i].name, word))
			ahead += list[i].seat ? -list[i].value : list[i].value;
	return ahead;
}

static int own_rows_ahead(const struct twin_notion *list, int count)
{
	int ahead = 0;
	for (int i = 0; i < count; i++) {
		if (list[i].seat == 0 && strstr(list[i].name, "odd threats"))
			ahead += list[i].value;
		if (list[i].seat == 1 && strstr(list[i].name, "even threats"))
			ahead -= list[i].value;
	}
	return ahead;
}

static int columns_ahead(const struct twin_notion *list, int count)
{
	int lowest[8], owner[8] = { 0 }, ahead = 0;
	for (int i = 0; i < 8; i++)
		lowest[i] = 7;
	for (int i = 0; i < count; i++) {
		const int seat = list[i].seat;
		if (seat < 0 || !strstr(list[i].name, seat ? "even threats" : "odd threats"))
			continue;
		for (int k = 0; k < list[i].cell_count; k++) {
			int column, row;
			assert_int_equal(
				sscanf(list[i].cells[k], "column %d row %d", &column, &row), 2);
			if (row < lowest[column]) {
				lowest[column] = row;
				owner[column] = seat ? -1 : 1;
			}
		}
	}
	for (int i = 1; i <= 7; i++)
		ahead += owner[i];
	return ahead;
}

static int discs_ahead(const char *text, const char *rows, const char *columns)
{
	int ahead = 0;
	for (const char *row = rows; *row; row++)
		for (const char *column = columns; *column; column++) {
			const char disc = text[('6' - *row) * 8 + (*column - '1')];
			ahead += (disc == 'x') - (disc == 'o');
		}
	return ahead;
}

static const struct qv_evaluation *find_evaluation(const struct qv_game *game, const char *name)
{
	const struct qv_evaluation *e = game->evaluations;
	while (e->name && strcmp(e->name, name) != 0)
		e++;
	assert_non_null(e->name);
	return e;
}

/* Each weight alone must give the count that it is for. */
static void compare_evaluation(struct desk *d)
{
	char text[QV_POSITION_TEXT];
	struct twin_notion list[TWIN_NOTIONS];
	write_position(d, text);
	const int count = twin_connect4_notions(text, list);
	const struct twin_notion *zugzwang = &list[count - 1];
	const struct {
		const char *name;
		int value;
	} expected[] = {
		{ "immediate", threats_ahead(list, count, "immediate") },
		{ "active", threats_ahead(list, count, "active") },
		{ "distant", threats_ahead(list, count, "distant") },
		{ "own-row", own_rows_ahead(list, count) },
		{ "column", columns_ahead(list, count) },
		{ "zugzwang", zugzwang->seat < 0 ? 0
			      : zugzwang->seat	 ? -1
						 : 1 },
		{ "middle", discs_ahead(text, "123456", "4") },
		{ "inner", discs_ahead(text, "2345", "23456") },
	};
	const struct qv_evaluation *e = find_evaluation(d->rules.game, "threats");
	const int sign = text[strlen(text) - 1] == 'x' ? 1 : -1;
	int32_t weights[8];
	int number = 0;
	assert_int_equal(e->weights_size, sizeof weights);
	for (const struct qv_weight *w = e->names; w->name; w++, number++) {
		memset(weights, 0, sizeof weights);
		weights[w->first] = 3;
		assert_string_equal(w->name, expected[number].name);
		if (e->evaluate(d->state, weights) != 3 * sign * expected[number].value)
			fail_msg("%s: %s gives %d", text, w->name, e->evaluate(d->state, weights));
	}
	assert_int_equal(number, 8);
}

static void test_notions__connect4_evaluation_adds_up_what_the_twin_sees(void **unused)
{
	struct desk d;
	(void)unused;
	desk_open(&d, "connect4", NULL, 3);
	walk_games(&d, scaled(500), compare_evaluation);
	desk_close(&d);
}

/* ---- connect-four: the last column ---- */

/* Who wins when the only column is played to its top; -1: nobody. */
static int play_out(struct desk *d)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[QV_MAX_MOVES];
	memcpy(d->after, d->state, d->rules.game->state_size);
	while (d->rules.game->result(d->after, points) == QV_GOING) {
		assert_int_equal(d->rules.game->moves(d->after, list), 1);
		d->rules.game->play(d->after, list[0]);
	}
	return points[0] > points[1] ? 0 : points[1] > points[0] ? 1 : -1;
}

static int seen[3];

static void check_last_column(struct desk *d)
{
	qv_move moves[QV_MAX_MOVES];
	struct qv_notion list[QV_MAX_NOTIONS];
	if (d->rules.game->moves(d->state, moves) != 1)
		return;
	const int count = ask(d, list), winner = play_out(d);
	assert_string_equal(list[count - 1].name, "zugzwang");
	assert_int_equal(list[count - 1].seat, winner);
	seen[winner + 1]++;
}

static void test_notions__connect4_knows_who_wins_in_the_last_column(void **unused)
{
	struct desk d;
	(void)unused;
	desk_open(&d, "connect4", NULL, 4);
	memset(seen, 0, sizeof seen);
	walk_games(&d, scaled(4000) + 400, check_last_column);
	print_message("%d drawn, %d and %d won\n", seen[0], seen[1], seen[2]);
	assert_true(seen[0] && seen[1] && seen[2]);
	desk_close(&d);
}

/* ---- connect-four: examples ---- */

static const struct qv_notion *find(const struct qv_notion *list, int count, const char *name,
				    int seat)
{
	for (int i = 0; i < count; i++)
		if (list[i].seat == seat && !strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static void test_notions__connect4_examples(void **unused)
{
	/* What must be told: "NAME SEAT VALUE MARK", and who profits. */
	static const struct {
		const char *position, *name;
		int seat, value;
		const char *mark;
		int profits;
	} cases[] = {
		{ "......./......./......./......./......./....... x", "zugzwang", -1, 0, "", -1 },
		/* Three in a row on the bottom, both ends free: two at once. */
		{ "......./......./......./......./..oo.../..xxx.. o", "immediate odd threats", 0,
		  2, "odd", 0 },
		/* The fourth of a level three hangs over two free places: the first player's row.
		 */
		{ "......./......./......./..xxxo./..oxoo./..xoxo. x", "distant odd threats", 0, 1,
		  "odd", 0 },
		/* The second player's, in an even row, and no odd one of the first's. */
		{ "......./......./......./......./.ooox../xxoxoxx o", "immediate even threats", 1,
		  1, "even", 1 },
	};
	struct desk d;
	struct qv_notion list[QV_MAX_NOTIONS];
	(void)unused;
	desk_open(&d, "connect4", NULL, 5);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		read_position(&d, cases[i].position);
		const int count = ask(&d, list);
		const struct qv_notion *n = find(list, count, cases[i].name, cases[i].seat);
		if (!n)
			fail_msg("%s: no %s", cases[i].position, cases[i].name);
		assert_int_equal(n->value, cases[i].value);
		assert_string_equal(n->mark, cases[i].mark);
		assert_int_equal(list[count - 1].seat, cases[i].profits);
	}
	desk_close(&d);
}

/* ---- reversi ---- */

/* The discs that were called stable stay as they are until the end of any game. */
static void check_stability_lasts(struct desk *d)
{
	struct qv_notion list[QV_MAX_NOTIONS];
	struct qv_standing standing[QV_MAX_CELLS];
	static int owner[64];
	const int count = ask(d, list), discs = d->rules.game->board->stand(d->state, standing);
	for (int i = 0; i < 64 && discs == 4; i++)
		owner[i] = -1; /* a new game */
	for (int i = 0; i < discs; i++)
		if (owner[standing[i].cell] >= 0)
			assert_int_equal(owner[standing[i].cell], standing[i].piece);
	for (int seat = 0; seat < 2; seat++) {
		const struct qv_notion *n = find(list, count, "stability", seat);
		assert_non_null(n);
		for (int i = 0; i < n->cell_count; i++)
			owner[n->cells[i]] = seat;
		seen[0] += n->value;
	}
}

static void test_notions__reversi_stable_discs_are_never_turned(void **unused)
{
	struct desk d;
	(void)unused;
	desk_open(&d, "reversi", NULL, 6);
	seen[0] = 0;
	walk_games(&d, scaled(500), check_stability_lasts);
	assert_true(seen[0] > 0);
	desk_close(&d);
}

static void test_notions__reversi_at_the_start(void **unused)
{
	/* The second player has the last word in the one region of sixty squares. */
	static const struct {
		const char *name;
		int values[2];
	} expected[] = {
		{ "mobility", { 4, 4 } },  { "potential mobility", { 10, 10 } },
		{ "frontier", { 2, 2 } },  { "corners", { 0, 0 } },
		{ "edges", { 0, 0 } },	   { "C-squares", { 0, 0 } },
		{ "X-squares", { 0, 0 } }, { "stability", { 0, 0 } },
		{ "parity", { 0, 1 } },	   { "quiet moves", { 0, 0 } },
	};
	struct desk d;
	struct qv_notion list[QV_MAX_NOTIONS];
	(void)unused;
	desk_open(&d, "reversi", NULL, 7);
	d.rules.game->start(d.rules.options, d.state);
	const int count = ask(&d, list);
	assert_int_equal(count, 20);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		for (int seat = 0; seat < 2; seat++) {
			const struct qv_notion *n = find(list, count, expected[i].name, seat);
			assert_non_null(n);
			assert_int_equal(n->value, expected[i].values[seat]);
		}
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notions__connect4_sees_what_its_twin_sees),
		cmocka_unit_test(test_notions__reversi_sees_what_its_twin_sees),
		cmocka_unit_test(test_notions__connect4_evaluation_adds_up_what_the_twin_sees),
		cmocka_unit_test(test_notions__connect4_knows_who_wins_in_the_last_column),
		cmocka_unit_test(test_notions__connect4_examples),
		cmocka_unit_test(test_notions__reversi_stable_discs_are_never_turned),
		cmocka_unit_test(test_notions__reversi_at_the_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
