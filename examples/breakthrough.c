/*
 * breakthrough.c - Breakthrough (Dan Troyka, 2000) as a plug-in: a whole game in one file.
 * SPDX-License-Identifier: MIT
 *
 * Each side has two rows of pawns. A pawn moves one square forward, straight or diagonally, to an
 * empty square; diagonally it may also capture. You win by reaching the last row or by capturing
 * all enemy pawns.
 *
 * Build it with examples/Makefile, check it with `quevedo plugin check ./breakthrough.so`, and play
 * it with `quevedo play breakthrough --plugin ./breakthrough.so`. docs/add-a-game.md explains each
 * part.
 */
#include <quevedo.h>

enum { SIZE = 8, SQUARES = SIZE * SIZE };

struct board {
	char square[SQUARES];      /* 'w', 'b' or '.'; a1, b1, ... to h8 */
	char turn;                 /* 0: white, 1: black */
};
_Static_assert(sizeof(struct board) == SQUARES + 1, "no padding");

static const char pawn[2] = { 'w', 'b' };

static void start(const int64_t *options, void *state)
{
	struct board *b = state;
	(void)options;
	memset(b->square, 'w', 2 * SIZE);
	memset(b->square + 2 * SIZE, '.', 4 * SIZE);
	memset(b->square + 6 * SIZE, 'b', 2 * SIZE);
	b->turn = 0;
}

static int seat(const void *state)
{
	return ((const struct board *)state)->turn;
}

/* Whether a side has reached its last row, or the opponent has no pawns left. */
static bool has_won(const struct board *b, int side)
{
	return memchr(b->square + (side ? 0 : SQUARES - SIZE), pawn[side], SIZE) ||
	       !memchr(b->square, pawn[1 - side], SQUARES);
}

static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct board *b = state;
	if (!has_won(b, 1 - b->turn))      /* only the side that has just moved can have won */
		return QV_GOING;
	points[1 - b->turn] = 1;
	points[(int)b->turn] = 0;
	return QV_ENDED;
}

/*
 * A move is encoded as from + 64 * to. No legal move is left out, and none is listed after the end.
 */
static int moves(const void *state, qv_move *list)
{
	const struct board *b = state;
	const char mine = pawn[(int)b->turn];
	int n = 0;
	if (has_won(b, 1 - b->turn))
		return 0;
	for (int from = 0; from < SQUARES; from++)
		for (int slant = -1; slant <= 1 && b->square[from] == mine; slant++) {
			const int to = from + slant + (b->turn ? -SIZE : SIZE);
			if (from % SIZE + slant < 0 || from % SIZE + slant >= SIZE)
				continue;
			if (b->square[to] == '.' || (slant && b->square[to] != mine))
				list[n++] = (qv_move)(from + SQUARES * to);
		}
	return n;
}

static void play(void *state, qv_move move)
{
	struct board *b = state;
	b->square[move / SQUARES] = b->square[move % SQUARES];
	b->square[move % SQUARES] = '.';
	b->turn = !b->turn;
}

/* The state is small, so hashing its bytes is fast enough. */
static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct board));
}

/* `b2-c3` */
static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	const int from = (int)(move % SQUARES), to = (int)(move / SQUARES);
	(void)state;
	qv_put_char(out, (char)('a' + from % SIZE));
	qv_put_char(out, (char)('1' + from / SIZE));
	qv_put_char(out, '-');
	qv_put_char(out, (char)('a' + to % SIZE));
	qv_put_char(out, (char)('1' + to / SIZE));
}

/* The 64 squares from a1 to h8, a blank, the side to move. */
static void position_text(const void *state, struct qv_text *out)
{
	const struct board *b = state;
	for (int i = 0; i < SQUARES; i++)
		qv_put_char(out, b->square[i]);
	qv_put_char(out, ' ');
	qv_put_char(out, pawn[(int)b->turn]);
}

static int pawns(const struct board *b, int side)
{
	int n = 0;
	for (int i = 0; i < SQUARES; i++)
		n += b->square[i] == pawn[side];
	return n;
}

/* Accepts exactly what position_text writes, and only positions that the rules allow. */
static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	struct board b;
	(void)options;
	if (strspn(text, "wb.") != SQUARES)
		return qv_fail(error, QV_BAD_INPUT, "position: expected 64 of 'w', 'b' and '.'");
	const char *side = text + SQUARES;
	if (side[0] != ' ' || (side[1] != 'w' && side[1] != 'b') || side[2])
		return qv_fail(error, QV_BAD_INPUT, "position: expected a blank and w or b");
	memcpy(b.square, text, SQUARES);
	b.turn = side[1] == 'b';
	if (pawns(&b, 0) > 2 * SIZE || pawns(&b, 1) > 2 * SIZE)
		return qv_fail(error, QV_ILLEGAL, "position: a side can have at most 16 pawns");
	if (has_won(&b, b.turn))
		return qv_fail(error, QV_ILLEGAL, "position: the side to move has already won");
	*(struct board *)state = b;
	return QV_OK;
}

/*
 * Everything from here on is optional. The evaluation counts pawns and the rows they have advanced.
 */
static int32_t weigh(const struct board *b, const int32_t *w, struct qv_terms *terms)
{
	int32_t value[2] = { 0, 0 };
	for (int i = 0; i < SQUARES; i++) {
		const int seat = b->square[i] == pawn[1], row = i / SIZE;
		if (b->square[i] == '.')
			continue;
		value[seat] += qv_weigh(terms, w, 0, seat, 1) +
			       qv_weigh(terms, w, 1, seat, seat ? SIZE - 1 - row : row);
	}
	return value[(int)b->turn] - value[1 - b->turn];
}

static int32_t evaluate(const void *state, const void *weights)
{
	return weigh(state, weights, NULL);
}

/* For `quevedo eval`: the same sum, with the list of its terms. */
static void list_terms(const void *state, const void *weights, struct qv_terms *out)
{
	weigh(state, weights, out);
}

/* A search may evaluate after a move that captures nothing. */
static bool quiet(const void *state, qv_move move)
{
	return ((const struct board *)state)->square[move / SQUARES] == '.';
}

static void draw(const void *state, bool unicode, struct qv_text *out)
{
	(void)unicode;
	for (int row = SIZE - 1; row >= 0; row--) {
		qv_put_int(out, row + 1);
		for (int column = 0; column < SIZE; column++) {
			qv_put_char(out, ' ');
			qv_put_char(out, ((const struct board *)state)->square[row * SIZE + column]);
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  a b c d e f g h\n");
}

/* The board for user interfaces: cell i is square i. */
#define PAWN "M-24 34Q-8 18-8-2A16 16 0 1 1 8-2Q8 18 24 34Z"
static const struct qv_piece pieces[] = {
	{ .name = "white pawn", .body = PAWN, .paint = QV_PAINT_LIGHT, .seat = 0 },
	{ .name = "black pawn", .body = PAWN, .paint = QV_PAINT_DARK, .seat = 1 },
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	qv_add_squares(l, SIZE, SIZE);
	l->turnable = true;
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct board *b = state;
	int n = 0;
	for (int16_t i = 0; i < SQUARES; i++)
		if (b->square[i] != '.')
			list[n++] = (struct qv_standing){ i, b->square[i] == pawn[1], 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)(move % SQUARES);
	cells[1] = (int16_t)(move / SQUARES);
	return 2;
}

/* Writes the position as text and parses it, so that the same checks apply. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int side, void *state, struct qv_error *error)
{
	char text[SQUARES + 3] = { [SQUARES] = ' ', pawn[side], '\0' };
	memset(text, '.', SQUARES);
	for (int i = 0; i < count; i++)
		text[list[i].cell] = pawn[list[i].piece];
	return position_parse(options, text, state, error);
}

static const struct qv_board board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .set_up = set_up,
};

static const int32_t default_weights[] = { 100, 10 };
static const struct qv_weight names[] = { { "pawn", 0, 1 }, { "row", 1, 1 }, { NULL, 0, 0 } };
static const struct qv_evaluation evaluations[] = {
	{ .name = "advance", .help = "pawns, and how far they have come", .evaluate = evaluate,
	  .weights = default_weights, .weights_size = sizeof default_weights, .names = names,
	  .terms = list_terms },
	{ .name = NULL },
};

static const struct qv_game breakthrough = {
	QV_HEAD(qv_game), .name = "breakthrough", .title = "Breakthrough",
	.seats = 2, .alternates = true, .state_size = sizeof(struct board),
	.max_moves = 48,           /* 16 pawns with up to three moves each */
	.max_plies = 177,          /* a side has 8 * 5 + 8 * 6 moves before the last row */
	.evaluations = evaluations,
	.start = start, .seat = seat, .moves = moves, .play = play, .result = result, .hash = hash,
	.move_text = move_text, .position_text = position_text, .position_parse = position_parse,
	.quiet = quiet, .draw = draw, .board = &board,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return index == 0 ? &breakthrough : NULL;
}
