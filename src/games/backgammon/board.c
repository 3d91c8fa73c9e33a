/*
 * board.c - backgammon on a page, as seat 1 sees it.
 * SPDX-License-Identifier: MIT
 *
 *     13 14 15 16 17 18 | bar 1 | 19 20 21 22 23 24 | off 2
 *          die 1          die 2
 *     12 11 10  9  8  7 | bar 2 |  6  5  4  3  2  1 | off 1
 *
 * The cells in order: points 1 to 24 as seat 1 counts, the two bars, the two trays of men that are
 * off, the two dice. With the cube a column on the left has a cell for it at each owner's side and
 * in the middle, and beside the dice are the cells where it lies while a seat offers it.
 *
 * A turn is entered step by step, in any order: for each die the place that a man leaves and the
 * one it reaches.
 */
#include "games/backgammon/rules.h"
#include "games/pictures.h"

enum {
	CELL_BAR = BACKGAMMON_POINTS, /* of the first seat; the second's is the next one */
	CELL_OFF = CELL_BAR + 2,
	CELL_DIE = CELL_OFF + 2,
	CELL_CUBE = CELL_DIE + 2,   /* of its owners 0, 1 and BACKGAMMON_MIDDLE */
	CELL_OFFER = CELL_CUBE + 3, /* the cube as each seat offers it */
	PIECE_DIE = 2,		    /* the face 1; the others follow */
	PIECE_CUBE = PIECE_DIE + BACKGAMMON_FACES,
};

#define DIE "M-29-38H29A9 9 0 0 1 38-29V29A9 9 0 0 1 29 38H-29A9 9 0 0 1-38 29V-29A9 9 0 0 1-29-38Z"
/* Details are lines. A pip is three circles, so close that nothing shows between them. */
#define PIP                                                                                   \
	"m-6 0a6 6 0 1 0 12 0 6 6 0 1 0-12 0m2.5 0a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0m2.5 0" \
	"a1 1 0 1 0 2 0 1 1 0 1 0-2 0"
#define TWO "M-20 20" PIP "M20-20" PIP
#define FOUR TWO "M-20-20" PIP "M20 20" PIP
#define FACE(number, pips)                                                                   \
	{                                                                                    \
		.name = "die " number, .body = DIE, .detail = pips, .paint = QV_PAINT_LIGHT, \
		.seat = -1                                                                   \
	}

/* Digits 12 wide and 24 high, from their upper left corner. */
#define D0 "h12v24h-12z"
#define D1 "m2 4l4-4v24"
#define D2 "h12v12h-12v12h12"
#define D3 "h12v24h-12m0-12h12"
#define D4 "v12h12m0-12v24"
#define D5 "m12 0h-12v12h12v12h-12"
#define D6 "m12 0h-12v24h12v-12h-12"
#define D8 "h12v24h-12zm0 12h12"
#define D9 "m12 12h-12v-12h12v24h-12"
#define NUMBER_1(a) "M-6-12" a
#define NUMBER_2(a, b) "M-15-12" a "M3-12" b
#define NUMBER_3(a, b, c) "M-24-12" a "M-6-12" b "M12-12" c
#define NUMBER_4(a, b, c, d) "M-33-12" a "M-15-12" b "M3-12" c "M21-12" d
#define CUBE(value, number)                                                                    \
	{                                                                                      \
		.name = "cube " value, .body = DIE, .detail = number, .paint = QV_PAINT_LIGHT, \
		.seat = -1                                                                     \
	}

static const struct qv_piece pieces[] = {
	{ .name = "white man",
	  .body = picture_disc,
	  .detail = picture_disc_rim,
	  .paint = QV_PAINT_LIGHT,
	  .seat = 0,
	  .most = BACKGAMMON_MEN },
	{ .name = "black man",
	  .body = picture_disc,
	  .detail = picture_disc_rim,
	  .paint = QV_PAINT_DARK,
	  .seat = 1,
	  .most = BACKGAMMON_MEN },
	FACE("1", "M0 0" PIP),
	FACE("2", TWO),
	FACE("3", TWO "M0 0" PIP),
	FACE("4", FOUR),
	FACE("5", FOUR "M0 0" PIP),
	FACE("6", FOUR "M-20 0" PIP "M20 0" PIP),
	CUBE("1", NUMBER_1(D1)),
	CUBE("2", NUMBER_1(D2)),
	CUBE("4", NUMBER_1(D4)),
	CUBE("8", NUMBER_1(D8)),
	CUBE("16", NUMBER_2(D1, D6)),
	CUBE("32", NUMBER_2(D3, D2)),
	CUBE("64", NUMBER_2(D6, D4)),
	CUBE("128", NUMBER_3(D1, D2, D8)),
	CUBE("256", NUMBER_3(D2, D5, D6)),
	CUBE("512", NUMBER_3(D5, D1, D2)),
	CUBE("1024", NUMBER_4(D1, D0, D2, D4)),
	CUBE("2048", NUMBER_4(D2, D0, D4, D8)),
	CUBE("4096", NUMBER_4(D4, D0, D9, D6)),
	{ .name = NULL },
};

_Static_assert(sizeof pieces / sizeof *pieces == PIECE_CUBE + BACKGAMMON_MAX_CUBE + 2, "all cubes");

/* Adds a cell to a grid of 14 columns (7th: the bar, 14th: off) by 3 rows. */
static struct qv_cell *add_cell(struct qv_layout *l, const char *name, int column, int row)
{
	struct qv_cell *cell = qv_add_cell(l, name, 60 + 100 * column, 165 + 200 * row);
	cell->row = (int16_t)row;
	cell->column = (int16_t)column;
	cell->tone = QV_TONE_TRAY;
	return cell;
}

/* Moves the board to the right, and adds the cells of the cube. */
static void add_cube(struct qv_layout *l)
{
	static const char *const owners[] = { "cube 1", "cube 2", "cube" };
	static const int rows[] = { 2, 0, 1 };
	l->width += 100;
	for (int i = 0; i < l->cell_count; i++) {
		l->cells[i].x += 100;
		l->cells[i].column++;
	}
	for (int i = 0; i < l->label_count; i++)
		l->labels[i].x += 100;
	for (int owner = 0; owner <= BACKGAMMON_MIDDLE; owner++)
		add_cell(l, owners[owner], 0, rows[owner]);
	add_cell(l, "offer 1", 3, 1);
	add_cell(l, "offer 2", 4, 1);
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	l->width = 1420;
	l->height = 730;
	l->ground = QV_TONE_WOOD;
	for (int point = 1; point <= BACKGAMMON_POINTS; point++) {
		char name[QV_CELL_TEXT];
		const bool upper = point > 12;
		const int place = upper ? point - 13 : 12 - point;
		snprintf(name, sizeof name, "%d", point);
		struct qv_cell *cell = add_cell(l, name, place + (place >= 6), upper ? 0 : 2);
		cell->height = 200;
		cell->tone = point % 2 ? QV_TONE_LIGHT : QV_TONE_DARK;
		qv_add_label(l, name, cell->x, upper ? 35 : 695);
	}
	add_cell(l, "bar 1", 6, 0)->height = 200;
	add_cell(l, "bar 2", 6, 2)->height = 200;
	add_cell(l, "off 1", 13, 2)->height = 200;
	add_cell(l, "off 2", 13, 0)->height = 200;
	add_cell(l, "die 1", 9, 1);
	add_cell(l, "die 2", 10, 1);
	qv_add_label(l, "bar", 660, 365);
	qv_add_label(l, "off", 1360, 365);
	if (backgammon_with_options(options).flags & BACKGAMMON_HAS_CUBE)
		add_cube(l);
}

/* The cell of a seat's men on a place. */
static int16_t cell_of(int seat, int place)
{
	return (int16_t)(place == BACKGAMMON_BAR   ? CELL_BAR + seat
			 : place == BACKGAMMON_OFF ? CELL_OFF + seat
			 : seat			   ? BACKGAMMON_POINTS - place
						   : place - 1);
}

/* Where the cube lies, and which one. */
static struct qv_standing place_cube(const struct backgammon *s)
{
	if (s->phase != BACKGAMMON_ANSWER)
		return (struct qv_standing){ (int16_t)(CELL_CUBE + s->owner),
					     (int16_t)(PIECE_CUBE + s->cube), 1 };
	return (struct qv_standing){ (int16_t)(CELL_OFFER + 1 - backgammon_mover(s)),
				     (int16_t)(PIECE_CUBE + s->cube + 1), 1 };
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct backgammon *s = state;
	int n = 0;
	for (int seat = 0; seat < 2; seat++)
		for (int place = 0; place < BACKGAMMON_PLACES; place++)
			if (s->men[seat][place])
				list[n++] =
					(struct qv_standing){ cell_of(seat, place), (int16_t)seat,
							      s->men[seat][place] };
	for (int16_t i = 0; s->phase == BACKGAMMON_MOVE && i < 2; i++)
		list[n++] = (struct qv_standing){ (int16_t)(CELL_DIE + i),
						  (int16_t)(PIECE_DIE + s->dice[i] - 1), 1 };
	if (s->flags & BACKGAMMON_HAS_CUBE)
		list[n++] = place_cube(s);
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const struct backgammon *s = state;
	int n = 0;
	if (s->phase != BACKGAMMON_MOVE)
		return 0;
	for (int i = 0, steps = backgammon_steps(move); i < steps; i++) {
		const int from = backgammon_step_from(move, i);
		const int to = backgammon_target(from, backgammon_step_die(move, i));
		cells[n++] = cell_of(s->turn, from);
		cells[n++] = cell_of(s->turn, to);
	}
	return n;
}

static int ways(const void *state, qv_move move, int way, int16_t *cells)
{
	qv_move list[BACKGAMMON_WAYS];
	return way <= backgammon_ways(state, move, list) ? clicks(state, list[way - 1], cells) : 0;
}

/* The points of the match, or else the pips to go. */
static int32_t score(const void *state, int seat)
{
	const struct backgammon *s = state;
	return s->match ? s->score[seat] : backgammon_pips(s->men[seat]);
}

/* ---- Features ---- */

/* Adds a feature of a seat, or of neither (-1), if there is room. */
static struct qv_notion *add_notion(struct qv_notion *list, int *n, int max, const char *name,
				    int seat, int value)
{
	if (*n >= max)
		return NULL;
	struct qv_notion *one = &list[(*n)++];
	snprintf(one->name, sizeof one->name, "%s", name);
	one->seat = (int16_t)seat;
	one->value = value;
	return one;
}

/* The pip counts, the cube and the score of the match. */
static int notions(const void *state, struct qv_notion *list, int max)
{
	const struct backgammon *s = state;
	struct qv_notion *one;
	int n = 0;
	for (int seat = 0; seat < 2; seat++) {
		const int pips = backgammon_pips(s->men[seat]);
		const int lead = backgammon_pips(s->men[1 - seat]) - pips;
		one = add_notion(list, &n, max, "pip count", seat, pips);
		if (one)
			snprintf(one->text, sizeof one->text, "%d pips to go, %d %s", pips,
				 lead < 0 ? -lead : lead, lead < 0 ? "behind" : "ahead");
	}
	if (s->flags & BACKGAMMON_HAS_CUBE) {
		const bool middle = s->owner == BACKGAMMON_MIDDLE;
		one = add_notion(list, &n, max, "cube", middle ? -1 : s->owner, 1 << s->cube);
		if (one) {
			snprintf(one->text, sizeof one->text, "The cube is at %d, %s", 1 << s->cube,
				 middle ? "in the middle" : "owned");
			one->cells[one->cell_count++] = place_cube(s).cell;
		}
	}
	for (int seat = 0; s->match && seat < 2; seat++) {
		one = add_notion(list, &n, max, "match score", seat, s->score[seat]);
		if (one)
			snprintf(one->text, sizeof one->text, "%d of %d points%s", s->score[seat],
				 s->match,
				 s->flags & BACKGAMMON_CRAWFORD_GAME ? ", Crawford game" : "");
	}
	return n;
}

/* ---- The editor ---- */

/* The place of a cell as the seat counts; -1: the cell belongs to the other seat. */
static int place_of(int seat, int cell)
{
	for (int place = 0; place < BACKGAMMON_PLACES; place++)
		if (cell_of(seat, place) == cell)
			return place;
	return -1;
}

/* Puts the cube where it lies; `turn` is the seat that moves next. */
static enum qv_status set_cube(struct backgammon *s, int cell, int value, struct qv_error *error)
{
	if (cell < CELL_OFFER) {
		s->cube = (uint8_t)value;
		s->owner = (uint8_t)(cell - CELL_CUBE);
		return QV_OK;
	}
	if (cell - CELL_OFFER == s->turn || !value)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the other seat must offer the cube, at 2 or more");
	s->turn = 1 - s->turn;
	s->phase = BACKGAMMON_ANSWER;
	s->cube = (uint8_t)(value - 1);
	s->owner = s->cube ? s->turn : BACKGAMMON_MIDDLE;
	return QV_OK;
}

/* The score of a match is not on the board: 0 to 0, or all points for a seat with all men off. */
static void settle(struct backgammon *s)
{
	if (s->phase == BACKGAMMON_MOVE || s->phase == BACKGAMMON_ANSWER)
		return;
	if (s->match && backgammon_is_off(s)) {
		s->turn = 1 - s->turn;
		s->phase = BACKGAMMON_OVER;
		s->score[s->turn] = s->match;
	} else {
		s->phase = backgammon_can_double(s) ? BACKGAMMON_CUBE : BACKGAMMON_ROLL;
	}
}

/* What lies on the board besides the men. */
struct set_pieces {
	const struct qv_standing *cube;
	int cubes, men[2];
};

/* Puts one kind of piece on its cell. */
static enum qv_status set_piece(struct backgammon *s, const struct qv_standing *one,
				struct set_pieces *set, struct qv_error *error)
{
	const int piece = one->piece, cell = one->cell;
	if ((piece >= PIECE_DIE) != (cell >= CELL_DIE) ||
	    (piece >= PIECE_CUBE) != (cell >= CELL_CUBE))
		return qv_fail(
			error, QV_ILLEGAL,
			"position: only dice may be on the squares of the dice, and only the "
			"cube on its own");
	if (cell >= CELL_CUBE) {
		set->cube = one;
		set->cubes++;
		return QV_OK;
	}
	if (cell >= CELL_DIE) {
		s->dice[cell - CELL_DIE] = (uint8_t)(piece - PIECE_DIE + 1);
		return QV_OK;
	}
	const int place = place_of(piece, cell);
	if (place < 0)
		return qv_fail(error, QV_ILLEGAL,
			       "position: a man is on the bar or tray of the other seat");
	s->men[piece][place] = (uint8_t)one->count;
	set->men[piece] += one->count;
	return QV_OK;
}

/* Refuses a wrong number of men, dice or cubes. */
static enum qv_status check_pieces(const struct backgammon *s, const struct set_pieces *set,
				   struct qv_error *error)
{
	for (int k = 0; k < 2; k++)
		if (set->men[k] != BACKGAMMON_MEN)
			return qv_fail(error, QV_ILLEGAL,
				       "position: seat %d has %d men instead of %d", k + 1,
				       set->men[k], BACKGAMMON_MEN);
	if (s->dice[0] < s->dice[1] || !s->dice[0] != !s->dice[1])
		return qv_fail(error, QV_ILLEGAL,
			       "position: set both dice, the larger one first, or none");
	if (set->cubes != !!(s->flags & BACKGAMMON_HAS_CUBE))
		return qv_fail(error, QV_ILLEGAL, "position: there must be one doubling cube");
	return QV_OK;
}

static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	struct backgammon s = backgammon_with_options(options);
	struct set_pieces set = { NULL, 0, { 0, 0 } };
	enum qv_status status = QV_OK;
	for (int i = 0; i < count && status == QV_OK; i++)
		status = set_piece(&s, &list[i], &set, error);
	if (status == QV_OK)
		status = check_pieces(&s, &set, error);
	if (status != QV_OK)
		return status;
	s.turn = (uint8_t)seat;
	s.phase = s.dice[0] ? BACKGAMMON_MOVE : BACKGAMMON_ROLL;
	if (set.cube)
		status = set_cube(&s, set.cube->cell, set.cube->piece - PIECE_CUBE, error);
	if (status == QV_OK && s.phase == BACKGAMMON_ANSWER && s.dice[0])
		status = qv_fail(error, QV_ILLEGAL, "position: a double comes before the roll");
	if (status != QV_OK)
		return status;
	settle(&s);
	status = backgammon_check(&s, error);
	if (status == QV_OK)
		memcpy(state, &s, sizeof s);
	return status;
}

const struct qv_board backgammon_board = {
	.pieces = pieces,
	.layout = layout,
	.stand = stand,
	.clicks = clicks,
	.score = score,
	.set_up = set_up,
	.notions = notions,
	.ways = ways,
};
