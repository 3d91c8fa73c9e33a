/*
 * conform_board.c - the conformance suite finds what is wrong in boards broken on purpose.
 * SPDX-License-Identifier: MIT
 */
#include "quevedo.h"

#include "support/check.h"

/* What the board was before: broken functions call it, and then do what they should not. */
static const struct qv_board *whole;
static int calls;
static struct qv_piece pieces[16];

/* ---- layouts ---- */

static void name_twice(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	memcpy(l->cells[1].name, l->cells[0].name, sizeof l->cells[0].name);
}

static void name_empty(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[1].name[0] = '\0';
}

static void name_endless(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	memset(l->cells[1].name, 'a', sizeof l->cells[1].name);
}

static void place_twice(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[1].row = l->cells[0].row;
	l->cells[1].column = l->cells[0].column;
}

static void cell_outside(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[2].x = 10;
}

static void slant_outside(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[0].slant = 90;
}

static void cell_flat(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[2].height = 0;
}

static void no_such_tone(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[2].tone = QV_TONES;
}

static void no_such_shape(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[2].shape = QV_SHAPES;
}

static void no_such_stack(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[2].stack = QV_STACKS;
}

static void flat_stack(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cells[2].stack = QV_STACK_UP;
	l->cells[2].height = (int16_t)(l->cells[2].width - 1);
}

static void no_size(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->width = 0;
}

static void no_cells(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->cell_count = 0;
}

static void too_many_lines(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->line_count = QV_MAX_LINES + 1;
}

static void line_outside(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	qv_add_line(l, 0, 0, l->width + 1, 0);
}

static void label_outside(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	qv_add_label(l, "label", 0, -1);
}

static void label_unprintable(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	qv_add_label(l, "a\n", 1, 1);
}

static void another_each_time(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	l->turnable = calls++ % 2;
}

static const char *break_layout(struct qv_board *b, int way)
{
	static void (*const layouts[])(const int64_t *, struct qv_layout *) = {
		name_twice, name_empty, name_endless, place_twice, cell_outside, slant_outside,
		cell_flat, no_such_tone, no_such_shape, no_such_stack, flat_stack, no_size, no_cells,
		too_many_lines, line_outside, label_outside, label_unprintable, another_each_time,
	};
	if (way >= (int)(sizeof layouts / sizeof *layouts))
		return NULL;
	b->layout = layouts[way];
	return "board-layout";
}

/* ---- pieces ---- */

static const char *break_pieces(struct qv_board *b, int way)
{
	int count = 0;
	for (; whole->pieces[count].name; count++)
		pieces[count] = whole->pieces[count];
	pieces[count] = (struct qv_piece){ .name = NULL };
	b->pieces = pieces;
	switch (way) {
	case 0: return pieces[1].name = pieces[0].name, "board-pieces";
	case 1: return pieces[1].name = "", "board-pieces";
	case 2: return pieces[1].body = NULL, "board-pieces";
	case 3: return pieces[1].detail = "M0 0\xc3\xa9", "board-pieces";
	case 4: return pieces[1].paint = QV_PAINTS, "board-pieces";
	case 5: return pieces[1].seat = 2, "board-pieces";
	case 6: return pieces[1].most = -1, "board-pieces";
	case 7: return pieces[0].name = NULL, "board-pieces";
	case 8: return b->clicks = NULL, "board-pieces";
	case 9: return pieces[1].name = NULL, "standing";
	default: return NULL;
	}
}

/* ---- what stands ---- */

static int stands_nowhere(const void *state, struct qv_standing *list)
{
	const int count = whole->stand(state, list);
	list[0].cell = QV_MAX_CELLS - 1;
	return count;
}

static int stands_twice(const void *state, struct qv_standing *list)
{
	const int count = whole->stand(state, list);
	if (count > 1)
		list[1].cell = list[0].cell;
	return count;
}

static int stands_none(const void *state, struct qv_standing *list)
{
	const int count = whole->stand(state, list);
	list[0].count = 0;
	return count;
}

static int stands_doubled(const void *state, struct qv_standing *list)
{
	const int count = whole->stand(state, list);
	list[0].count = 2;
	return count;
}

static int stands_below_zero(const void *state, struct qv_standing *list)
{
	const int count = whole->stand(state, list);
	return count ? -1 : 0;
}

static int hides_one(const void *state, struct qv_standing *list)
{
	const int count = whole->stand(state, list);
	return count ? count - 1 : 0;
}

static int marks_nothing(const void *state, int16_t *cells)
{
	(void)state;
	cells[0] = -1;
	return 1;
}

static int marks_twice(const void *state, int16_t *cells)
{
	(void)state;
	cells[0] = cells[1] = 2;
	return 2;
}

/* ---- clicks ---- */

static int clicks_outside(const void *state, qv_move move, int16_t *cells)
{
	const int count = whole->clicks(state, move, cells);
	cells[0] = QV_MAX_CELLS - 1;
	return count;
}

static int clicks_without_end(const void *state, qv_move move, int16_t *cells)
{
	whole->clicks(state, move, cells);
	return QV_MAX_CLICKS + 1;
}

/* Every move begins on the first cell; the move there is complete with that. */
static int clicks_from_first(const void *state, qv_move move, int16_t *cells)
{
	whole->clicks(state, move, cells);
	cells[1] = cells[0];
	cells[0] = 0;
	return cells[1] ? 2 : 1;
}

static void all_one_group(const int64_t *options, struct qv_layout *l)
{
	whole->layout(options, l);
	for (int i = 0; i < l->cell_count; i++)
		l->cells[i].group = 1;
}

static int touches_outside(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	(void)move;
	cells[0] = -1;
	return 1;
}

static int touches_without_end(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	(void)move;
	(void)cells;
	return QV_MAX_CLICKS + 1;
}

/* Two clicks for each move, so that one could be a step. */
static int clicks_in_pairs(const void *state, qv_move move, int16_t *cells)
{
	const int count = whole->clicks(state, move, cells);
	cells[1] = cells[0];
	return 2 * count;
}

static int no_other_way(const void *state, qv_move move, int way, int16_t *cells)
{
	(void)state, (void)move, (void)way, (void)cells;
	return 0;
}

static int ways_outside(const void *state, qv_move move, int way, int16_t *cells)
{
	(void)state, (void)move;
	cells[0] = cells[1] = -1;
	return way == 1 ? 2 : 0;
}

static int ways_of_half_a_step(const void *state, qv_move move, int way, int16_t *cells)
{
	(void)state, (void)move;
	cells[0] = 0;
	return way == 1;
}

static int ways_without_end(const void *state, qv_move move, int way, int16_t *cells)
{
	(void)way;
	return clicks_in_pairs(state, move, cells);
}

/* ---- the editor ---- */

static enum qv_status refuses_all(const int64_t *options, const struct qv_standing *list, int count,
				  int seat, void *state, struct qv_error *error)
{
	(void)options, (void)list, (void)count, (void)seat, (void)state;
	return qv_fail(error, QV_ILLEGAL, "position: no");
}

static enum qv_status gives_no_reason(const int64_t *options, const struct qv_standing *list,
				      int count, int seat, void *state, struct qv_error *error)
{
	const enum qv_status status = whole->set_up(options, list, count, seat, state, error);
	if (status != QV_OK && error)
		error->text[0] = '\0';
	return status;
}

static enum qv_status spoils_when_refused(const int64_t *options, const struct qv_standing *list,
					  int count, int seat, void *state, struct qv_error *error)
{
	const enum qv_status status = whole->set_up(options, list, count, seat, state, error);
	if (status != QV_OK)
		*(unsigned char *)state ^= 1;
	return status;
}

static enum qv_status forgets_one(const int64_t *options, const struct qv_standing *list, int count,
				  int seat, void *state, struct qv_error *error)
{
	const int fewer = count > 1 ? count - 2 : count;
	return whole->set_up(options, list, fewer, seat, state, error);
}

/* Never asks the rules: x may have any number of stones. */
static enum qv_status takes_anything(const int64_t *options, const struct qv_standing *list,
				     int count, int seat, void *state, struct qv_error *error)
{
	const enum qv_status status = whole->set_up(options, list, count, seat, state, error);
	uint16_t stones[2] = { 0, 0 };
	if (status == QV_OK || count % 2 != seat)
		return status;
	for (int i = 0; i < count; i++)
		stones[list[i].piece] |= (uint16_t)(1 << list[i].cell);
	memcpy(state, stones, sizeof stones);
	return QV_OK;
}

static const char *break_noughts(struct qv_board *b, int way)
{
	switch (way) {
	case 0: return b->stand = stands_nowhere, "standing";
	case 1: return b->stand = stands_twice, "standing";
	case 2: return b->stand = stands_none, "standing";
	case 3: return b->stand = stands_doubled, "standing";
	case 4: return b->stand = stands_below_zero, "standing";
	case 5: return b->marks = marks_nothing, "marks";
	case 6: return b->marks = marks_twice, "marks";
	case 7: return b->clicks = clicks_outside, "clicks";
	case 8: return b->clicks = clicks_without_end, "clicks";
	case 9: return b->clicks = clicks_from_first, "clicks";
	case 10: return b->layout = all_one_group, "clicks";
	case 11: return b->touches = touches_outside, "clicks";
	case 12: return b->touches = touches_without_end, "clicks";
	case 13: return b->set_up = refuses_all, "set-up";
	case 14: return b->set_up = forgets_one, "set-up";
	case 15: return b->stand = hides_one, "set-up";
	case 16: return b->set_up = gives_no_reason, "edited-set-up";
	case 17: return b->set_up = spoils_when_refused, "edited-set-up";
	case 18: return b->set_up = takes_anything, "edited-set-up";
	case 19: return b->ways = no_other_way, "clicks"; /* one click is no step */
	case 20: return b->clicks = clicks_in_pairs, b->ways = ways_outside, "clicks";
	case 21: return b->clicks = clicks_in_pairs, b->ways = ways_of_half_a_step, "clicks";
	case 22: return b->clicks = clicks_in_pairs, b->ways = ways_without_end, "clicks";
	default: return NULL;
	}
}

/* ---- notions ---- */

static int tells_well(const void *state, struct qv_notion *list, int max)
{
	struct qv_standing standing[QV_MAX_CELLS];
	const int count = whole->stand(state, standing);
	int n = 0;
	for (int16_t seat = 0; seat < 2 && n < max; seat++, n++) {
		strcpy(list[n].name, "stones");
		strcpy(list[n].text, "What stands there.");
		list[n].seat = seat;
		for (int i = 0; i < count; i++)
			if (standing[i].piece == seat)
				list[n].cells[list[n].cell_count++] = standing[i].cell;
	}
	return n;
}

/* Two notions, of which the first is as `wrong` says. */
static int tells_but(const void *state, struct qv_notion *list, int max,
		     void (*wrong)(struct qv_notion *n))
{
	const int count = tells_well(state, list, max);
	if (count)
		wrong(list);
	return count;
}

#define WRONG_NOTION(way, what)                                                        \
	static void way##_wrong(struct qv_notion *n)                                   \
	{                                                                              \
		what;                                                                  \
	}                                                                              \
	static int way(const void *state, struct qv_notion *list, int max)             \
	{                                                                              \
		return tells_but(state, list, max, way##_wrong);                       \
	}
WRONG_NOTION(notion_unnamed, n->name[0] = '\0')
WRONG_NOTION(notion_without_words, n->text[0] = '\0')
WRONG_NOTION(notion_endless, memset(n->text, 'a', sizeof n->text))
WRONG_NOTION(notion_unprintable, n->mark[0] = '\n')
WRONG_NOTION(notion_of_a_third, n->seat = 2)
WRONG_NOTION(notion_twice, n->seat = 1)
WRONG_NOTION(notion_outside, (n->cell_count = 1, n->cells[0] = 9))
WRONG_NOTION(notion_on_a_cell_twice, (n->cell_count = 2, n->cells[0] = n->cells[1] = 3))
WRONG_NOTION(notion_everywhere, n->cell_count = 10)
WRONG_NOTION(notion_another_each_time, n->value = calls++)

static int notions_beyond_the_room(const void *state, struct qv_notion *list, int max)
{
	(void)max;
	return tells_well(state, list, 2);
}

static int notions_without_end(const void *state, struct qv_notion *list, int max)
{
	(void)state, (void)list;
	return max + 1;
}

static int notions_written_beyond(const void *state, struct qv_notion *list, int max)
{
	const int count = tells_well(state, list, max);
	list[count].value = 1;
	return count;
}

static const char *break_notions(struct qv_board *b, int way)
{
	static int (*const notions[])(const void *, struct qv_notion *, int) = {
		notion_unnamed, notion_without_words, notion_endless, notion_unprintable,
		notion_of_a_third, notion_twice, notion_outside, notion_on_a_cell_twice,
		notion_everywhere, notion_another_each_time, notions_beyond_the_room,
		notions_without_end, notions_written_beyond,
	};
	if (way >= (int)(sizeof notions / sizeof *notions))
		return NULL;
	b->notions = notions[way];
	return "notions";
}

/* ---- the tests ---- */

/* Breaks noughts in every way; the law that each way names must be the one that objects. */
static int break_all(const char *(*ways)(struct qv_board *board, int way))
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	int way = 0;
	assert_non_null(context);
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	whole = rules.game->board;
	for (;; way++) {
		struct qv_game game = *rules.game;
		struct qv_board board = *whole;
		const struct qv_rules broken = { &game, { 0 } };
		const struct qv_conformance how = { .size = sizeof how, .seed = 3, .games = 8 };
		struct qv_error error = { "" };
		const char *law = ways(&board, way);
		if (!law)
			break;
		game.board = &board;
		calls = 0;
		const enum qv_status status = qv_conform(context, &broken, &how, &error);
		print_message("%d: %s\n", way, error.text);
		if (status != QV_ILLEGAL || strncmp(error.text, law, strlen(law)) ||
		    error.text[strlen(law)] != ':')
			fail_msg("way %d: the law '%s' should not hold; said was: '%s'", way, law,
				 error.text);
	}
	qv_context_free(context);
	return way;
}

static void test_conform_board__notices_broken_layouts(void **unused)
{
	(void)unused;
	assert_int_equal(break_all(break_layout), 18);
}

static void test_conform_board__notices_broken_pieces(void **unused)
{
	(void)unused;
	assert_int_equal(break_all(break_pieces), 10);
}

static void test_conform_board__notices_broken_positions_clicks_and_editors(void **unused)
{
	(void)unused;
	assert_int_equal(break_all(break_noughts), 23);
}

static void test_conform_board__notices_broken_notions(void **unused)
{
	(void)unused;
	assert_int_equal(break_all(break_notions), 13);
}

static void test_conform_board__takes_sane_notions(void **unused)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	(void)unused;
	assert_non_null(context);
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	whole = rules.game->board;
	struct qv_game game = *rules.game;
	struct qv_board board = *whole;
	const struct qv_rules told = { &game, { 0 } };
	const struct qv_conformance how = { .size = sizeof how, .seed = 3, .games = 8 };
	struct qv_error error = { "" };
	board.notions = tells_well;
	game.board = &board;
	if (qv_conform(context, &told, &how, &error) != QV_OK)
		fail_msg("%s", error.text);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conform_board__notices_broken_notions),
		cmocka_unit_test(test_conform_board__takes_sane_notions),
		cmocka_unit_test(test_conform_board__notices_broken_layouts),
		cmocka_unit_test(test_conform_board__notices_broken_pieces),
		cmocka_unit_test(test_conform_board__notices_broken_positions_clicks_and_editors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
