/*
 * counted.c - nim: counted moves, options, a board that depends on them, and no evaluation at all.
 * SPDX-License-Identifier: MIT
 *
 * Heaps of stones; a move takes any number from one heap. Who takes the last stone of all wins, or
 * loses with last=loses. A heap is one counted move, listed with all its stones. The theory is
 * known (Bouton 1901): the seat to move loses if the exclusive or of the heaps is 0; with
 * last=loses the same, unless no heap has more than one stone: then it loses if their number is
 * odd.
 *
 *  Move:  63 .... 8   7 .... 0
 *            heap       count
 */
#include "toys/toys.h"

enum { MAX_HEAPS = 4, MAX_SIZE = 9, COUNT_MASK = 0xff, HEAP_SHIFT = 8 };
enum { OPTION_HEAPS, OPTION_SIZE, OPTION_LAST };

struct counted {
	uint8_t heap[MAX_HEAPS];
	uint8_t heaps;
	uint8_t turn;
	uint8_t last_loses;
};
_Static_assert(sizeof(struct counted) == 7, "no padding");

static void counted_start(const int64_t *options, void *state)
{
	struct counted s = {
		.heaps = (uint8_t)options[OPTION_HEAPS],
		.last_loses = (uint8_t)options[OPTION_LAST],
	};
	for (int i = 0; i < s.heaps; i++)
		s.heap[i] = (uint8_t)options[OPTION_SIZE];
	*(struct counted *)state = s;
}

static int counted_seat(const void *state)
{
	return ((const struct counted *)state)->turn;
}

static int counted_heap(qv_move move)
{
	return (int)(move >> HEAP_SHIFT);
}

static qv_move counted_with_count(qv_move move, int count)
{
	return (move & ~(qv_move)COUNT_MASK) | (qv_move)count;
}

static int counted_max_count(const void *state, qv_move move)
{
	return ((const struct counted *)state)->heap[counted_heap(move)];
}

static int counted_moves(const void *state, qv_move *list)
{
	const struct counted *s = state;
	int n = 0;
	for (int i = 0; i < s->heaps; i++)
		if (s->heap[i])
			list[n++] = counted_with_count((qv_move)i << HEAP_SHIFT, s->heap[i]);
	return n;
}

static void counted_play(void *state, qv_move move)
{
	struct counted *s = state;
	uint8_t *heap = &s->heap[counted_heap(move)];
	*heap = (uint8_t)(*heap - (move & COUNT_MASK));
	s->turn ^= 1;
}

static enum qv_outcome counted_result(const void *state, int32_t *points)
{
	const struct counted *s = state;
	for (int i = 0; i < s->heaps; i++)
		if (s->heap[i])
			return QV_GOING;
	points[s->turn] = s->last_loses;
	points[1 - s->turn] = !s->last_loses;
	return QV_ENDED;
}

static uint64_t counted_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct counted));
}

static void counted_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put(out, "take ");
	qv_put_char(out, (char)('a' + counted_heap(move)));
	qv_put_char(out, ' ');
	qv_put_int(out, (int64_t)(move & COUNT_MASK));
}

/* `take b 3`, or `b3` for short. */
static bool counted_move_parse(const void *state, const char *text, qv_move *move)
{
	const struct counted *s = state;
	int count;
	const bool whole = strncmp(text, "take ", 5) == 0;
	if (whole)
		text += 5;
	if (*text < 'a' || *text >= 'a' + s->heaps)
		return false;
	const int heap = *text++ - 'a';
	if ((whole && !toy_read_char(&text, ' ')) || !toy_read_number(&text, MAX_SIZE, &count) ||
	    *text)
		return false;
	*move = counted_with_count((qv_move)heap << HEAP_SHIFT, count);
	return true;
}

/* `5 5 5 1`: the heaps and the seat to move. */
static void counted_position_text(const void *state, struct qv_text *out)
{
	const struct counted *s = state;
	for (int i = 0; i < s->heaps; i++) {
		qv_put_int(out, s->heap[i]);
		qv_put_char(out, ' ');
	}
	qv_put_int(out, s->turn + 1);
}

static enum qv_status counted_position_parse(const int64_t *options, const char *text, void *state,
					     struct qv_error *error)
{
	struct counted s;
	counted_start(options, &s);
	for (int i = 0; i < s.heaps; i++) {
		int stones;
		if (!toy_read_number(&text, s.heap[i], &stones) || !toy_read_char(&text, ' '))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: heap %d of %d, 0 to %d, is missing", i + 1,
				       s.heaps, s.heap[i]);
		s.heap[i] = (uint8_t)stones;
	}
	int turn;
	if (!toy_read_number(&text, 2, &turn) || turn == 0 || *text)
		return qv_fail(error, QV_BAD_INPUT, "position: it must end with the seat, 1 or 2");
	s.turn = (uint8_t)(turn - 1);
	*(struct counted *)state = s;
	return QV_OK;
}

static const struct qv_option counted_options[] = {
	[OPTION_HEAPS] = { "heaps", "how many heaps", NULL, 1, MAX_HEAPS, 3 },
	[OPTION_SIZE] = { "size", "stones in each heap", NULL, 1, MAX_SIZE, 5 },
	[OPTION_LAST] = { "last", "what taking the last stone does", "wins|loses", 0, 1, 0 },
	{ NULL, NULL, NULL, 0, 0, 0 },
};

/* ---- The board: a hexagon for each heap, with a stone and a number on it ---- */

static const struct qv_piece counted_pieces[] = {
	{ .name = "stone", .body = "M-30 0A30 30 0 0 1 30 0 30 30 0 0 1-30 0Z",
	  .paint = QV_PAINT_GREY, .seat = -1, .most = MAX_SIZE },
	{ .name = NULL },
};

static void counted_layout(const int64_t *options, struct qv_layout *l)
{
	const int heaps = (int)options[OPTION_HEAPS];
	l->width = (int16_t)(100 * heaps);
	l->height = 115;
	l->ground = QV_TONE_FELT;
	for (int16_t i = 0; i < heaps; i++) {
		const char name[2] = { (char)('a' + i), '\0' };
		struct qv_cell *cell = qv_add_cell(l, name, 50 + 100 * i, 57);
		cell->height = 114;
		cell->shape = QV_HEXAGON;
		cell->tone = QV_TONE_TRAY;
		cell->column = i;
	}
}

static int counted_stand(const void *state, struct qv_standing *list)
{
	const struct counted *s = state;
	int n = 0;
	for (int16_t i = 0; i < s->heaps; i++)
		if (s->heap[i])
			list[n++] = (struct qv_standing){ i, 0, s->heap[i] };
	return n;
}

static int counted_clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)counted_heap(move);
	return 1;
}

static int32_t counted_score(const void *state, int seat)
{
	return ((const struct counted *)state)->turn == seat;
}

static enum qv_status counted_set_up(const int64_t *options, const struct qv_standing *list,
				     int count, int seat, void *state, struct qv_error *error)
{
	char text[2 * MAX_HEAPS + 2] = "0 0 0 0 ";
	const int heaps = (int)options[OPTION_HEAPS];
	for (int i = 0; i < count; i++)
		text[2 * list[i].cell] = (char)('0' + list[i].count);
	text[2 * heaps] = (char)('1' + seat);
	text[2 * heaps + 1] = '\0';
	return counted_position_parse(options, text, state, error);
}

static int counted_notions(const void *state, struct qv_notion *list, int max)
{
	const struct counted *s = state;
	if (max < 1)
		return 0;
	strcpy(list->name, "nim sum");
	strcpy(list->text,
	       "The heaps added without carries: at 0, who moves loses, if the last stone wins.");
	list->seat = -1;
	for (int16_t i = 0; i < s->heaps; i++) {
		list->value ^= s->heap[i];
		if (s->heap[i])
			list->cells[list->cell_count++] = i;
	}
	return 1;
}

static const struct qv_board counted_board = {
	.pieces = counted_pieces, .layout = counted_layout, .stand = counted_stand,
	.clicks = counted_clicks, .score = counted_score, .set_up = counted_set_up,
	.notions = counted_notions,
};

const struct qv_game toy_counted = {
	QV_HEAD(qv_game), .name = "toy-counted", .title = "Nim", .aliases = "toy-nim",
	.seats = 2, .alternates = true, .state_size = sizeof(struct counted),
	.max_moves = MAX_HEAPS, .max_plies = MAX_HEAPS * MAX_SIZE, .options = counted_options,
	.start = counted_start, .seat = counted_seat, .moves = counted_moves, .play = counted_play,
	.result = counted_result, .hash = counted_hash,
	.move_text = counted_move_text, .position_text = counted_position_text,
	.position_parse = counted_position_parse, .move_parse = counted_move_parse,
	.max_count = counted_max_count, .with_count = counted_with_count, .board = &counted_board,
};
