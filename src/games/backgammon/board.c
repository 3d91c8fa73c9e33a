/*
 * board.c - backgammon on a page, as seat 1 sees it.
 * SPDX-License-Identifier: MIT
 *
 *     13 14 15 16 17 18 | bar 1 | 19 20 21 22 23 24 | off 2
 *      dice of seat 2             dice of seat 1
 *     12 11 10  9  8  7 | bar 2 |  6  5  4  3  2  1 | off 1
 *
 * The cells in order: points 1 to 24 as seat 1 counts, the two bars, the two trays of men that are
 * off, and four dice of each seat, of which all are used for doubles. With the cube the trays are
 * shorter, so that there are cells for it at each owner's side and in the middle; beside the dice
 * are the cells where it lies while a seat offers it.
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
	DICE = 4,			 /* cells for the dice of a seat */
	CELL_CUBE = CELL_DIE + 2 * DICE, /* of its owners 0, 1 and BACKGAMMON_MIDDLE */
	CELL_OFFER = CELL_CUBE + 3,	 /* the cube as each seat offers it */
	PIECE_DIE = 2,			 /* the face 1; the others follow */
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

/*
 * Digits from their upper left corner, w wide and 2w high: 22 for one or two digits on the cube, 12
 * for more. They are texts, so that they join to a path.
 */
#define D0(w, h) "h" w "v" h "h-" w "z"
#define D1(w, h) "m" w " 0v" h
#define D2(w, h) "h" w "v" w "h-" w "v" w "h" w
#define D3(w, h) "h" w "v" h "h-" w "m0-" w "h" w
#define D4(w, h) "v" w "h" w "m0-" w "v" h
#define D5(w, h) "m" w " 0h-" w "v" w "h" w "v" w "h-" w
#define D6(w, h) "m" w " 0h-" w "v" h "h" w "v-" w "h-" w
#define D8(w, h) "h" w "v" h "h-" w "zm0 " w "h" w
#define D9(w, h) "m" w " " w "h-" w "v-" w "h" w "v" h "h-" w
#define LARGE(d) d("22", "44")
#define SMALL(d) d("12", "24")
#define NUMBER_1(a) "M-11-22" LARGE(a)
#define NUMBER_2(a, b) "M-27-22" LARGE(a) "M5-22" LARGE(b)
#define NUMBER_3(a, b, c) "M-24-12" SMALL(a) "M-6-12" SMALL(b) "M12-12" SMALL(c)
#define NUMBER_4(a, b, c, d) \
	"M-33-12" SMALL(a) "M-15-12" SMALL(b) "M3-12" SMALL(c) "M21-12" SMALL(d)
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
	CUBE("1", "M0-22v44"),
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

/* Lengths of the layout, see quevedo/board.h. */
enum {
	MARGIN = 20,
	POINT = 100, /* the width of a point */
	HALF = 6 * POINT,
	BAR = 90,
	LABELS = 50,  /* the height of a row of labels */
	LENGTH = 460, /* of a point */
	MIDDLE = 130, /* between the upper and the lower points */
	BOARD_HEIGHT = 2 * LABELS + 2 * LENGTH + MIDDLE,
	TRAY_X = MARGIN + 2 * HALF + BAR + MARGIN + POINT / 2,
	SHORT_TRAY = 300,
};

static struct qv_cell *add_cell(struct qv_layout *l, const char *name, int x, int y, int row,
				int column)
{
	struct qv_cell *cell = qv_add_cell(l, name, x, y);
	cell->row = (int16_t)row;
	cell->column = (int16_t)column;
	return cell;
}

/* Adds one of the cells that each seat has. */
static struct qv_cell *add_own_cell(struct qv_layout *l, int seat, const char *what, int x, int y,
				    int row, int column)
{
	char name[QV_CELL_TEXT];
	snprintf(name, sizeof name, "%s's %s", seat ? "Black" : "White", what);
	return add_cell(l, name, x, y, row, column);
}

/* Makes a cell a column of men, along the upper or the lower edge of the board or of a half. */
static void set_column(struct qv_cell *cell, int width, int height, uint8_t stack, uint8_t tone)
{
	cell->width = (int16_t)width;
	cell->height = (int16_t)height;
	cell->stack = stack;
	cell->tone = tone;
}

static void add_points(struct qv_layout *l)
{
	for (int point = 1; point <= BACKGAMMON_POINTS; point++) {
		char name[QV_CELL_TEXT];
		const bool upper = point > 12;
		const int place = upper ? point - 13 : 12 - point;
		const int x = MARGIN + POINT / 2 + POINT * place + (place >= 6 ? BAR : 0);
		const int y = LABELS + LENGTH / 2;
		snprintf(name, sizeof name, "%d", point);
		struct qv_cell *cell = add_cell(l, name, x, upper ? y : BOARD_HEIGHT - y,
						upper ? 0 : 2, place + (place >= 6));
		set_column(cell, POINT, LENGTH, upper ? QV_STACK_DOWN : QV_STACK_UP,
			   point % 2 ? QV_TONE_LIGHT : QV_TONE_DARK);
		cell->shape = upper ? QV_TRIANGLE_DOWN : QV_TRIANGLE;
		qv_add_label(l, name, x, upper ? LABELS / 2 : BOARD_HEIGHT - LABELS / 2);
	}
}

/* Hit men wait in the half of the bar that is next to the points where they enter. */
static void add_bars_and_trays(struct qv_layout *l, bool cube)
{
	const int bar_x = MARGIN + HALF + BAR / 2, bar = LENGTH + MIDDLE / 2;
	const int tray = cube ? SHORT_TRAY : LENGTH;
	for (int seat = 0; seat < 2; seat++) {
		const int y = LABELS + bar / 2;
		set_column(add_own_cell(l, seat, "bar", bar_x, seat ? BOARD_HEIGHT - y : y,
					2 * seat, 6),
			   BAR, bar, seat ? QV_STACK_DOWN : QV_STACK_UP, QV_TONE_WOOD);
	}
	for (int seat = 0; seat < 2; seat++) {
		const int y = LABELS + tray / 2;
		set_column(add_own_cell(l, seat, "tray", TRAY_X, seat ? y : BOARD_HEIGHT - y,
					2 - 2 * seat, 13),
			   POINT, tray, seat ? QV_STACK_DOWN : QV_STACK_UP, QV_TONE_WOOD);
	}
}

/* Two dice lie in the middle of the seat's half; the other two of a double beside them. */
static void add_dice(struct qv_layout *l)
{
	static const int place[DICE] = { 1, 2, 0, 3 };
	for (int seat = 0; seat < 2; seat++)
		for (int i = 0; i < DICE; i++) {
			char what[QV_CELL_TEXT];
			const int x = MARGIN + HALF / 2 + (seat ? 0 : HALF + BAR) +
				      POINT * (seat ? 3 - 2 * place[i] : 2 * place[i] - 3) / 2;
			snprintf(what, sizeof what, "die %d", i + 1);
			add_own_cell(l, seat, what, x, BOARD_HEIGHT / 2, 1,
				     seat ? 4 - place[i] : 8 + place[i]);
		}
}

static void add_cube(struct qv_layout *l)
{
	const int y = LABELS + SHORT_TRAY + POINT / 2 + MARGIN;
	for (int seat = 0; seat < 2; seat++)
		add_own_cell(l, seat, "cube", TRAY_X, seat ? y : BOARD_HEIGHT - y, 2 - 2 * seat,
			     14);
	add_cell(l, "cube", TRAY_X, BOARD_HEIGHT / 2, 1, 14);
	for (int seat = 0; seat < 2; seat++)
		add_own_cell(l, seat, "offer",
			     seat ? MARGIN + POINT / 2 : MARGIN + 2 * HALF + BAR - POINT / 2,
			     BOARD_HEIGHT / 2, 1, seat ? 0 : 13);
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	const bool cube = backgammon_with_options(options).flags & BACKGAMMON_HAS_CUBE;
	l->width = TRAY_X + POINT / 2 + MARGIN;
	l->height = BOARD_HEIGHT;
	l->ground = QV_TONE_FELT;
	l->turnable = true;
	l->label_size = 36;
	add_points(l);
	add_bars_and_trays(l, cube);
	add_dice(l);
	if (cube)
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
	const int dice = s->phase != BACKGAMMON_MOVE ? 0 : s->dice[0] == s->dice[1] ? DICE : 2;
	for (int i = 0; i < dice; i++)
		list[n++] = (struct qv_standing){ (int16_t)(CELL_DIE + DICE * s->turn + i),
						  (int16_t)(PIECE_DIE + s->dice[i % 2] - 1), 1 };
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
	uint8_t dice[2 * DICE];
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
		set->dice[cell - CELL_DIE] = (uint8_t)(piece - PIECE_DIE + 1);
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

/* Reads the dice of the seat to move. */
static enum qv_status set_dice(struct backgammon *s, const struct set_pieces *set, int seat,
			       struct qv_error *error)
{
	static const uint8_t none[DICE] = { 0 };
	const uint8_t *dice = set->dice + DICE * seat;
	if (memcmp(set->dice + DICE * (1 - seat), none, DICE) != 0)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the dice must be those of the seat to move");
	const bool is_double = dice[0] && dice[0] == dice[1];
	const uint8_t more = is_double ? dice[0] : 0;
	if (dice[0] < dice[1] || !dice[0] != !dice[1] || dice[2] != more || dice[3] != more)
		return qv_fail(error, QV_ILLEGAL,
			       "position: set two dice, the larger one first, four equal ones, or "
			       "none");
	memcpy(s->dice, dice, sizeof s->dice);
	return QV_OK;
}

/* Refuses a wrong number of men or cubes. */
static enum qv_status check_pieces(const struct backgammon *s, const struct set_pieces *set,
				   struct qv_error *error)
{
	for (int k = 0; k < 2; k++)
		if (set->men[k] != BACKGAMMON_MEN)
			return qv_fail(error, QV_ILLEGAL,
				       "position: seat %d has %d men instead of %d", k + 1,
				       set->men[k], BACKGAMMON_MEN);
	if (set->cubes != !!(s->flags & BACKGAMMON_HAS_CUBE))
		return qv_fail(error, QV_ILLEGAL, "position: there must be one doubling cube");
	return QV_OK;
}

static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	struct backgammon s = backgammon_with_options(options);
	struct set_pieces set = { 0 };
	enum qv_status status = QV_OK;
	for (int i = 0; i < count && status == QV_OK; i++)
		status = set_piece(&s, &list[i], &set, error);
	if (status == QV_OK)
		status = set_dice(&s, &set, seat, error);
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
