/*
 * conform.c - every game passes the conformance suite; and the suite finds what is wrong in games
 * broken on purpose.
 * SPDX-License-Identifier: MIT
 */
#include "conform/watch.h"
#include "quevedo.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/scale.h"
#include "toys/toys.h"

/* ---- Every game obeys the laws ---- */

static struct qv_context *new_context(void)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_error error;
	assert_non_null(context);
	if (qv_context_load(context, TOY_PLUGIN, &error) != QV_OK)
		fail_msg("%s", error.text);
	return context;
}

static struct qv_rules preset_rules(const struct qv_game *game)
{
	struct qv_rules rules = { game, { 0 } };
	for (int i = 0; game->options && game->options[i].name; i++)
		rules.options[i] = game->options[i].preset;
	return rules;
}

static int64_t largest_value(const struct qv_option *option)
{
	if (!option->choices)
		return option->max;
	int64_t bars = 0;
	for (const char *c = option->choices; *c; c++)
		bars += *c == '|';
	return bars;
}

static struct qv_rules random_rules(const struct qv_game *game, struct qv_random *random)
{
	struct qv_rules rules = { game, { 0 } };
	for (int i = 0; game->options[i].name; i++) {
		const struct qv_option *o = &game->options[i];
		const int64_t min = o->choices ? 0 : o->min;
		rules.options[i] = min + (int64_t)qv_random_below(
						 random, (uint64_t)(largest_value(o) - min) + 1);
	}
	return rules;
}

static void count_checks(void *ctx, const char *law, uint64_t checks)
{
	(void)law;
	*(uint64_t *)ctx += checks;
}

/*
 * Our games are as they should be, so advice on how they were written would be wrong. In go-moku
 * players may swap colours: it alternates without the option, and with it the same pieces are the
 * other's with the other to move.
 */
static void look_at_advice(void *ctx, const char *sentence)
{
	print_message("%s: advice: %s\n", (const char *)ctx, sentence);
	if (strncmp(ctx, "gomoku", 6) == 0)
		return;
	assert_null(strstr(sentence, "evaluation"));
	assert_null(strstr(sentence, "clicks"));
	assert_null(strstr(sentence, "alternates"));
}

static void must_conform(const struct qv_context *context, const struct qv_rules *rules, int games)
{
	char name[256] = "";
	struct qv_error error = { "" };
	uint64_t checks = 0;
	const int some = (int)scaled(rules->game->max_moves > 256 ? games / 4 : games);
	const struct qv_conformance how = { .size = sizeof how, .seed = 7, .games = some,
					    .progress = count_checks, .ctx = &checks };
	const struct conform_watch watch = { .advise = look_at_advice, .ctx = name };
	qv_rules_text(rules, &(struct qv_text){ name, sizeof name, 0 });
	if (conform_run(context, rules, &how, &watch, &error) != QV_OK)
		fail_msg("%s: %s", name, error.text);
	print_message("%s: %llu checks\n", name, (unsigned long long)checks);
}

static void test_conform__every_game_obeys_the_laws(void **unused)
{
	(void)unused;
	struct qv_context *context = new_context();
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_rules rules = preset_rules(qv_game_at(context, i));
		must_conform(context, &rules, 60);
	}
	qv_context_free(context);
}

static void test_conform__options_do_not_break_the_laws(void **unused)
{
	(void)unused;
	struct qv_context *context = new_context();
	struct qv_random random = { 11, 0 };
	int games_with_options = 0;
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		for (int k = 0; game->options && k < scaled(4); k++) {
			const struct qv_rules rules = random_rules(game, &random);
			must_conform(context, &rules, 20);
		}
		games_with_options += game->options != NULL;
	}
	assert_true(games_with_options > 0);
	qv_context_free(context);
}

/* ---- Games broken on purpose ---- */

/* What the game was before: broken functions call it, and then do what they should not. */
static const struct qv_game *whole;
static int calls;

static int twice_listed(const void *state, qv_move *list)
{
	const int count = whole->moves(state, list);
	if (count > 1)
		list[count - 1] = list[0];
	return count;
}

static int otherwise_listed(const void *state, qv_move *list)
{
	const int count = whole->moves(state, list);
	if (count > 1 && calls++ % 2) {
		const qv_move first = list[0];
		list[0] = list[1];
		list[1] = first;
	}
	return count;
}

static int none_listed(const void *state, qv_move *list)
{
	const int count = whole->moves(state, list);
	return count == 2 ? 0 : count;
}

static int always_listed(const void *state, qv_move *list)
{
	const int count = whole->moves(state, list);
	list[count] = 0;
	return count ? count : 1;
}

static int too_high_seat(const void *state)
{
	return whole->seat(state) * 2;
}

static int sometimes_chance(const void *state)
{
	const int seat = whole->seat(state);
	return seat ? QV_CHANCE : seat;
}

static int too_many(const void *state)
{
	return whole->count(state) + 1;
}

static uint64_t forgetful_hash(const void *state)
{
	unsigned char *copy = malloc(whole->state_size);
	memcpy(copy, state, whole->state_size);
	copy[0] = 0;
	const uint64_t hash = whole->hash(copy);
	free(copy);
	return hash;
}

static uint64_t local_hash(const void *state)
{
	return whole->hash(state) + (uintptr_t)state;
}

static void one_text_for_all(const void *state, qv_move move, struct qv_text *out)
{
	whole->move_text(state, move == 3 ? 2 : move, out);
}

static void comma_in_text(const void *state, qv_move move, struct qv_text *out)
{
	whole->move_text(state, move, out);
	qv_put(out, ",");
}

static void long_move_text(const void *state, qv_move move, struct qv_text *out)
{
	for (int i = 0; i < QV_MOVE_TEXT; i++)
		qv_put_char(out, '0');
	whole->move_text(state, move, out);
}

static void one_text_for_all_positions(const void *state, struct qv_text *out)
{
	(void)state;
	qv_put(out, "......... x");
}

static void unreadable_text(const void *state, struct qv_text *out)
{
	whole->position_text(state, out);
	qv_put(out, " !");
}

static void unprintable_text(const void *state, struct qv_text *out)
{
	qv_put(out, "\n");
	whole->position_text(state, out);
}

/* The next three have four bytes of state more than the rules know of. */
static void start_leaves_bytes(const int64_t *options, void *state)
{
	whole->start(options, state);
}

static void start_sets_all(const int64_t *options, void *state)
{
	memset((unsigned char *)state + whole->state_size, 0, 4);
	whole->start(options, state);
}

static void play_leaves_garbage(void *state, qv_move move)
{
	whole->play(state, move);
	((unsigned char *)state)[whole->state_size] = (unsigned char)calls++;
}

static void play_writes_beside(void *state, qv_move move)
{
	whole->play(state, move);
	((unsigned char *)state)[whole->state_size] = 1;
}

static enum qv_outcome half_a_result(const void *state, int32_t *points)
{
	int32_t all[QV_MAX_SEATS];
	const enum qv_outcome outcome = whole->result(state, all);
	if (outcome != QV_GOING)
		points[0] = all[0];
	return outcome;
}

static enum qv_status parses_anything(const int64_t *options, const char *text, void *state,
				      struct qv_error *error)
{
	if (whole->position_parse(options, text, state, error) != QV_OK)
		memset(state, (int)strlen(text), whole->state_size);
	return QV_OK;
}

static enum qv_status says_no_reason(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	(void)error;
	return whole->position_parse(options, text, state, NULL);
}

static enum qv_status spoils_the_state(const int64_t *options, const char *text, void *state,
				       struct qv_error *error)
{
	memset(state, 0x11, whole->state_size);
	return whole->position_parse(options, text, state, error);
}

static qv_move unmoved_image(const void *state, int k, qv_move move)
{
	(void)state, (void)k;
	return move;
}

static void turned_images(const void *state, int k, void *out)
{
	whole->image(state, (k + 1) % whole->symmetries, out);
}

static void one_way_images(const void *state, int k, void *out)
{
	if (k == 0)
		whole->image(state, k, out);
	else
		whole->start(NULL, out);
}

static int32_t too_good(const void *state, const void *weights)
{
	(void)state, (void)weights;
	return QV_MAX_EVAL + 1;
}

static int32_t lopsided(const void *state, const void *weights)
{
	(void)weights;
	return *(const unsigned char *)state;
}

static int32_t wrong_leaf(const void *state, const void *weights)
{
	const int32_t leaf = whole->evaluations->leaf(state, weights);
	return leaf == QV_LEAF_DRAWN ? 0 : leaf;
}

/* Honest to the first asker, who looks at one place; drifts with every call of a search. */
static int32_t drifting(const void *state, const void *weights)
{
	static const void *first;
	if (!first)
		first = state;
	(void)weights;
	return state == first ? 0 : ++calls % 16; /* bounded, or mtdf would climb after it for minutes */
}

static uint32_t weightless(const void *state, qv_move outcome)
{
	return outcome & 1 ? 0 : whole->weight(state, outcome);
}

static int one_fewer(const void *state, qv_move move)
{
	const int most = whole->max_count(state, move);
	return most > 2 ? most - 1 : most;
}

static bool all_irreversible(const void *state, qv_move move)
{
	(void)state, (void)move;
	return true;
}

static enum qv_outcome half_a_repetition(const void *state, int times, int32_t *points)
{
	(void)state, (void)points;
	return times < 3 ? QV_GOING : QV_ENDED;
}

static uint64_t same_for_all(const void *state)
{
	(void)state;
	return 1;
}

static int32_t meddling_rank(const void *state, qv_move move)
{
	(void)move;
	++*(unsigned char *)(uintptr_t)state;
	return 0;
}

static int32_t moody_rank(const void *state, qv_move move)
{
	(void)state, (void)move;
	return calls++;
}

static void unicode_always(const void *state, bool unicode, struct qv_text *out)
{
	(void)unicode;
	whole->draw(state, true, out);
}

static void unfinished_line(const void *state, bool unicode, struct qv_text *out)
{
	whole->draw(state, unicode, out);
	qv_put(out, "x");
}

static const struct qv_evaluation too_good_table[] = { { .name = "e", .evaluate = too_good },
						       { .name = NULL } };
static const struct qv_evaluation lopsided_table[] = { { .name = "e", .evaluate = lopsided },
						       { .name = NULL } };
static const struct qv_evaluation drifting_table[] = { { .name = "e", .evaluate = drifting },
						       { .name = NULL } };
static const struct qv_evaluation doubled_table[] = {
	{ .name = "e", .evaluate = lopsided },
	{ .name = "e", .evaluate = lopsided },
	{ .name = NULL },
};
static const struct qv_option wrong_preset[] = { { .name = "size", .min = 1, .max = 3 },
						 { .name = NULL } };
static const char *const wrong_level[] = { "random", "nonsense:depth=1", NULL };

/* Fills in a table of one evaluation with the game's own weights and a leaf that is wrong. */
static struct qv_evaluation wrong_leaf_table[2];

static const struct qv_evaluation *with_wrong_leaf(void)
{
	wrong_leaf_table[0] = whole->evaluations[0];
	wrong_leaf_table[0].leaf = wrong_leaf;
	return wrong_leaf_table;
}

/*
 * Breaks the copy g of the game `whole` in way number `way`; the law that must notice, NULL: there
 * are no more ways.
 */
static const char *break_facts(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->name = "No Name", "names";
	case 1: return g->interface_number = 0, "names";
	case 2: return g->solved = "maybe", "names";
	case 3: return g->seats = 5, "sizes";
	case 4: return g->state_size = 0, "sizes";
	case 5: return g->max_moves = QV_MAX_MOVES + 1, "sizes";
	case 6: return g->play = NULL, "functions";
	case 7: return g->chance = true, g->alternates = false, "functions";
	case 8: return g->image_move = NULL, "functions";
	case 9: return g->symmetries = 0, "functions";
	case 10: return g->options = wrong_preset, "options";
	case 11: return g->evaluations = doubled_table, "evaluation-table";
	default: return NULL;
	}
}

static const char *break_rules(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->moves = twice_listed, "moves";
	case 1: return g->moves = otherwise_listed, "moves";
	case 2: return g->moves = none_listed, "moves";
	case 3: return g->moves = always_listed, "moves";
	case 4: return g->max_moves = 5, "moves";
	case 5: return g->seat = too_high_seat, "moves";
	case 6: return g->seat = sometimes_chance, "moves";
	case 7: return g->hash = forgetful_hash, "hash";
	case 8: return g->hash = local_hash, "hash";
	case 9: return g->state_size += 4, g->start = start_leaves_bytes, "start";
	case 10:
		return g->state_size += 4, g->start = start_sets_all, g->play = play_leaves_garbage,
					   "play";
	case 11: return g->play = play_writes_beside, "play";
	case 12: return g->result = half_a_result, "result";
	case 13: return g->max_plies = 8, "length";
	default: return NULL;
	}
}

static const char *break_texts(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->move_text = one_text_for_all, "move-text";
	case 1: return g->move_text = comma_in_text, "move-text";
	case 2: return g->move_text = long_move_text, "move-text";
	case 3: return g->position_text = unprintable_text, "position-text";
	case 4: return g->position_text = unreadable_text, "position-reading";
	case 5: return g->position_text = one_text_for_all_positions, "position-reading";
	case 6: return g->position_parse = parses_anything, "damaged-position";
	case 7: return g->position_parse = says_no_reason, "damaged-position";
	case 8: return g->position_parse = spoils_the_state, "damaged-position";
	case 9: return g->draw = unicode_always, "drawing";
	case 10: return g->draw = unfinished_line, "drawing";
	default: return NULL;
	}
}

static const char *break_extras(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->count = too_many, "count";
	case 1: return g->rank = meddling_rank, "inputs";
	case 2: return g->rank = moody_rank, "inputs";
	case 3: return g->image = turned_images, "images";
	case 4: return g->image = one_way_images, "images";
	case 5: return g->image_move = unmoved_image, "image-play";
	case 6: return g->evaluations = lopsided_table, "image-play";
	case 7: return g->evaluations = too_good_table, "evaluation";
	case 8: return g->evaluations = with_wrong_leaf(), "leaf";
	case 9: return g->levels = wrong_level, "levels";
	case 10: return g->image = NULL, g->image_move = NULL, g->symmetries = 0,
			g->evaluations = drifting_table, "search-value";
	default: return NULL;
	}
}

static const char *break_chance(struct qv_game *g, int way)
{
	return way ? NULL : (g->weight = weightless, "chance");
}

static const char *break_turns(struct qv_game *g, int way)
{
	return way ? NULL : (g->alternates = true, "turns");
}

static void unlike_evaluate(const void *state, const void *weights, int32_t *values)
{
	whole->evaluations->seats(state, weights, values);
	values[whole->seat(state)]++;
}

static void too_good_seats(const void *state, const void *weights, int32_t *values)
{
	whole->evaluations->seats(state, weights, values);
	values[(whole->seat(state) + 1) % whole->seats] = QV_MAX_EVAL + 1;
}

/* Fills in a table of one evaluation with seats that are wrong. */
static struct qv_evaluation wrong_seats_table[2];

static const struct qv_evaluation *with_wrong_seats(
	void (*seats)(const void *state, const void *weights, int32_t *values))
{
	wrong_seats_table[0] = whole->evaluations[0];
	wrong_seats_table[0].seats = seats;
	return wrong_seats_table;
}

static const char *break_seats(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->evaluations = with_wrong_seats(unlike_evaluate), "seat-values";
	case 1: return g->evaluations = with_wrong_seats(too_good_seats), "seat-values";
	default: return NULL;
	}
}

static const char *break_counts(struct qv_game *g, int way)
{
	return way ? NULL : (g->max_count = one_fewer, "counted-moves");
}

static const char *break_repetition(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->irreversible = all_irreversible, "irreversible";
	case 1: return g->repeated = half_a_repetition, "repetition";
	case 2: return g->repeat_hash = same_for_all, "repeat-hash";
	default: return NULL;
	}
}

static int32_t debts(const void *state, int seat)
{
	return whole->material(state, seat) - QV_MAX_EVAL;
}

static int32_t moody_material(const void *state, int seat)
{
	return whole->material(state, seat) + (++calls & 1);
}

static int fourth_phase(const void *state)
{
	return (void)state, QV_END + 1;
}

static const char *break_values(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->material = debts, "material";
	case 1: return g->material = moody_material, "material";
	case 2: return g->phase = fourth_phase, "phase";
	default: return NULL;
	}
}

/* Breaks the game in every way there is; each must be noticed, by the right law. */
static int break_all(const struct qv_game *game, const char *(*ways)(struct qv_game *, int))
{
	struct qv_context *context = new_context();
	int way = 0;
	whole = game;
	for (;; way++) {
		struct qv_game broken = *game;
		struct qv_error error = { "" };
		const char *law = ways(&broken, way);
		if (!law)
			break;
		calls = 0;
		const struct qv_rules rules = preset_rules(game);
		const struct qv_rules broken_rules = {
			&broken, { rules.options[0], rules.options[1], rules.options[2] }
		};
		const struct qv_conformance how = { .size = sizeof how, .seed = 3, .games = 30 };
		const enum qv_status status = qv_conform(context, &broken_rules, &how, &error);
		print_message("%s %d: %s\n", game->name, way, error.text);
		if (status != QV_ILLEGAL || strncmp(error.text, law, strlen(law)) ||
		    error.text[strlen(law)] != ':')
			fail_msg("%s, way %d: the law '%s' should not hold; said was: '%s'",
				 game->name, way, law, error.text);
	}
	qv_context_free(context);
	return way;
}

static const struct qv_game *noughts(void)
{
	struct qv_context *context = new_context();
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	qv_context_free(context);
	return rules.game;
}

static void test_conform__notices_broken_facts(void **unused)
{
	(void)unused;
	assert_true(break_all(noughts(), break_facts) >= 10);
}

static void test_conform__notices_broken_rules(void **unused)
{
	(void)unused;
	assert_true(break_all(noughts(), break_rules) >= 10);
}

static void test_conform__notices_broken_texts(void **unused)
{
	(void)unused;
	assert_true(break_all(noughts(), break_texts) >= 10);
}

static void test_conform__notices_broken_extras(void **unused)
{
	(void)unused;
	assert_true(break_all(noughts(), break_extras) >= 10);
}

static void test_conform__notices_what_only_some_games_can_break(void **unused)
{
	(void)unused;
	assert_int_equal(break_all(&toy_die, break_chance), 1);
	assert_int_equal(break_all(&toy_quiet, break_turns), 1);
	assert_int_equal(break_all(&toy_three, break_seats), 2);
	assert_int_equal(break_all(&toy_counted, break_counts), 1);
	assert_int_equal(break_all(&toy_repeat, break_repetition), 3);
	assert_int_equal(break_all(&toy_trade, break_values), 3);
}

/* ---- indexes that lie ---- */

static struct qv_index lying;

static bool next_number(const void *aid, const int64_t *set, int space, uint64_t n, void *state)
{
	return whole->index->decode(aid, set, space, n ? n - 1 : n, state);
}

static bool half_written(const void *aid, const int64_t *set, int space, uint64_t n, void *state)
{
	unsigned char all[QV_MAX_STATE];
	const bool there = whole->index->decode(aid, set, space, n, all);
	memcpy(state, all, whole->state_size / 2);
	return there;
}

/* No number of the last space, which is the empty board, has a position. */
static bool without_start(const void *aid, const int64_t *set, int space, uint64_t n, void *state)
{
	return space < 9 && whole->index->decode(aid, set, space, n, state);
}

static bool found_beside(const void *aid, const void *state, struct qv_place *out)
{
	whole->index->find(aid, state, out);
	out->number++;
	return true;
}

static bool found_nowhere(const void *aid, const void *state, struct qv_place *out)
{
	return whole->index->find(aid, state, out) && out->space != 4;
}

static bool found_beyond(const void *aid, const void *state, struct qv_place *out)
{
	whole->index->find(aid, state, out);
	out->number += out->space == 9 ? 1 : 0; /* the empty board, the only one of its space */
	return true;
}

static bool empty_space(const int64_t *options, int space, struct qv_space *out)
{
	const bool there = whole->index->space(options, space, out);
	out->size = space == 3 ? 0 : out->size;
	return there;
}

static bool vast_space(const int64_t *options, int space, struct qv_space *out)
{
	const bool there = whole->index->space(options, space, out);
	out->size = space == 3 ? UINT64_C(1) << 60 : out->size;
	return there;
}

static bool spaces_without_end(const int64_t *options, int space, struct qv_space *out)
{
	(void)options;
	snprintf(out->name, sizeof out->name, "space-%d", space);
	out->group = space;
	out->size = 1;
	return true;
}

/* The other way round: moves lead to the next group, not to the one before. */
static bool space_backwards(const int64_t *options, int space, struct qv_space *out)
{
	const bool there = space <= 9 && whole->index->space(options, 9 - space, out);
	out->group = space;
	return there;
}

static bool decode_backwards(const void *aid, const int64_t *set, int space, uint64_t n, void *s)
{
	return whole->index->decode(aid, set, 9 - space, n, s);
}

static bool find_backwards(const void *aid, const void *state, struct qv_place *out)
{
	const bool found = whole->index->find(aid, state, out);
	out->space = 9 - out->space;
	return found;
}

static const char *break_index(struct qv_game *g, int way)
{
	lying = *whole->index;
	g->index = &lying;
	switch (way) {
	case 0: return lying.decode = next_number, "index";
	case 1: return lying.decode = half_written, "index";
	case 2: return lying.find = found_beside, "index";
	case 3: return lying.find = found_nowhere, "index";
	case 4: return lying.space = empty_space, "index";
	case 5: return lying.space = vast_space, "index";
	case 6: return lying.space = spaces_without_end, "index";
	case 7: return lying.find = NULL, "index";
	case 8: return lying.max_parents = 3, "index";
	case 9:
		return lying.space = space_backwards, lying.decode = decode_backwards,
		       lying.find = find_backwards, "index";
	case 10: return lying.decode = without_start, "index-play";
	case 11:
		return lying.decode = without_start, lying.find = found_beyond, "index-play";
	default: return NULL;
	}
}

static int one_parent_fewer(const void *state, void *list)
{
	const int count = whole->index->parents(state, list);
	return count ? count - 1 : 0;
}

static int itself_as_parent(const void *state, void *list)
{
	memcpy(list, state, whole->state_size);
	return 1;
}

static int first_parent_twice(const void *state, void *list)
{
	const int count = whole->index->parents(state, list);
	if (count > 1)
		memcpy((unsigned char *)list + whole->state_size, list, whole->state_size);
	return count;
}

static bool weightless_place(const void *aid, const void *state, struct qv_place *out)
{
	const bool found = whole->index->find(aid, state, out);
	out->weight = 1;
	return found;
}

static const char *break_parents(struct qv_game *g, int way)
{
	lying = *whole->index;
	g->index = &lying;
	switch (way) {
	case 0: return lying.parents = one_parent_fewer, "index";
	case 1: return lying.parents = itself_as_parent, "index";
	case 2: return lying.parents = first_parent_twice, "index";
	case 3: return lying.max_parents = 3, "index";
	case 4: return whole != &toy_trog_images ? NULL : (lying.find = weightless_place, "index");
	default: return NULL;
	}
}

static void test_conform__notices_an_index_that_lies(void **unused)
{
	(void)unused;
	assert_int_equal(break_all(noughts(), break_index), 12);
	assert_int_equal(break_all(&toy_trog, break_parents), 4);
	assert_int_equal(break_all(&toy_trog_images, break_parents), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conform__every_game_obeys_the_laws),
		cmocka_unit_test(test_conform__options_do_not_break_the_laws),
		cmocka_unit_test(test_conform__notices_broken_facts),
		cmocka_unit_test(test_conform__notices_broken_rules),
		cmocka_unit_test(test_conform__notices_broken_texts),
		cmocka_unit_test(test_conform__notices_broken_extras),
		cmocka_unit_test(test_conform__notices_what_only_some_games_can_break),
		cmocka_unit_test(test_conform__notices_an_index_that_lies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
