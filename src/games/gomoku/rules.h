/*
 * rules.h - go-moku: five in a row, with the rules freestyle, exact and renju, and the opening
 * swap2.
 * SPDX-License-Identifier: MIT
 *
 * A state holds the stones as lines (lines.h), and the number of patterns of each kind, which the
 * evaluation needs. A move changes four lines, so its cost does not depend on the size of the
 * board. A move is the number of its point, or the choice of a colour in the opening swap2.
 *
 * Seats and colours are the same unless swap2 exchanged them: seat 0 has Black in the phase
 * GOMOKU_KEPT and White in the phase GOMOKU_SWAPPED.
 */
#ifndef GOMOKU_RULES_H
#define GOMOKU_RULES_H

#include "games/gomoku/renju.h"

enum { GOMOKU_BLACK, GOMOKU_WHITE };

/* The options, in the order of their table. */
enum { GOMOKU_OPTION_SIZE, GOMOKU_OPTION_RULE, GOMOKU_OPTION_OPENING };
enum gomoku_rule { GOMOKU_FREESTYLE, GOMOKU_EXACT, GOMOKU_RENJU };

/*
 * In the opening swap2 the first player places three stones. Then the second player takes a colour
 * or places two more stones, after which the first player takes a colour.
 */
enum gomoku_phase { GOMOKU_OPENING, GOMOKU_KEPT, GOMOKU_SWAPPED };

enum {
	GOMOKU_MIN_SIZE = 9,
	GOMOKU_TAKE_BLACK = GOMOKU_POINTS, /* moves of swap2 */
	GOMOKU_TAKE_WHITE,
	GOMOKU_MAX_MOVES,
	GOMOKU_MAX_PLIES = GOMOKU_POINTS + 1,
	GOMOKU_FIRST_CHOICE = 3, /* stones on the board when a colour may be taken */
	GOMOKU_LAST_CHOICE = 5,
};

/*
 * The patterns that are counted: windows of struct gomoku_windows with one to four stones.
 */
enum {
	GOMOKU_FIVE_1,
	GOMOKU_FIVE_2,
	GOMOKU_FIVE_3,
	GOMOKU_FIVE_4,
	GOMOKU_SIX_1,
	GOMOKU_SIX_2,
	GOMOKU_SIX_3,
	GOMOKU_SIX_4,
	GOMOKU_PATTERNS,
};

struct gomoku {
	uint64_t hash;
	uint32_t stones[2][GOMOKU_LINES];
	int16_t patterns[2][GOMOKU_PATTERNS]; /* of each colour */
	uint16_t count;			      /* stones on the board */
	uint8_t size, rule;
	uint8_t swap2, phase;
	uint8_t turn;	/* the colour of the next stone */
	uint8_t winner; /* 0: nobody; 1 + colour */
};
_Static_assert(sizeof(struct gomoku) == 8 + 2 * 4 * GOMOKU_LINES + 4 * GOMOKU_PATTERNS + 8,
	       "no padding");

static inline int gomoku_point(int row, int column)
{
	return row * GOMOKU_SIDE + column;
}

/* Whether more than five in a row do not win for that colour. */
static inline bool gomoku_is_strict(const struct gomoku *s, int colour)
{
	return s->rule == GOMOKU_EXACT || (s->rule == GOMOKU_RENJU && colour == GOMOKU_BLACK);
}

/* The points of a line that a colour can use: on the board, without an enemy stone. */
static inline uint32_t gomoku_free(const struct gomoku *s, int colour, int line)
{
	return gomoku_board_mask(line, s->size) & ~s->stones[1 - colour][line];
}

static inline bool gomoku_has_stone(const struct gomoku *s, int colour, int point)
{
	const struct gomoku_place at = gomoku_place(point, 0);
	return s->stones[colour][at.line] >> at.bit & 1;
}

/* The empty points of a row, as bits from GOMOKU_MARGIN. */
static inline uint32_t gomoku_empty_row(const struct gomoku *s, int row)
{
	return gomoku_board_mask(row, s->size) & ~s->stones[0][row] & ~s->stones[1][row];
}

static inline bool gomoku_is_empty(const struct gomoku *s, int point)
{
	const struct gomoku_place at = gomoku_place(point, 0);
	return gomoku_empty_row(s, at.line) >> at.bit & 1;
}

/* ---- Hash ---- */

enum {
	GOMOKU_KEY_PHASE = GOMOKU_MAX_MOVES * 2,
	GOMOKU_KEY_TURN = GOMOKU_KEY_PHASE + 8,
	GOMOKU_KEY_RULES = GOMOKU_KEY_TURN + 8
};

static inline uint64_t gomoku_key(int part)
{
	return qv_mix((uint64_t)(part + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The hash of an empty board with the same rules, phase and turn. */
static inline uint64_t gomoku_bare_hash(const struct gomoku *s)
{
	return gomoku_key(GOMOKU_KEY_RULES + s->size * 8 + s->rule * 2 + s->swap2) ^
	       gomoku_key(GOMOKU_KEY_PHASE + s->phase) ^ gomoku_key(GOMOKU_KEY_TURN + s->turn);
}

static inline uint64_t gomoku_hash(const struct gomoku *s)
{
	return s->hash;
}

/* ---- Start ---- */

static inline void gomoku_start(struct gomoku *s, const int64_t *options)
{
	memset(s, 0, sizeof *s);
	s->size = (uint8_t)options[GOMOKU_OPTION_SIZE];
	s->rule = (uint8_t)options[GOMOKU_OPTION_RULE];
	s->swap2 = (uint8_t)options[GOMOKU_OPTION_OPENING];
	s->phase = s->swap2 ? GOMOKU_OPENING : GOMOKU_KEPT;
	s->hash = gomoku_bare_hash(s);
}

/* ---- Stones ---- */

/* Adds the patterns of a colour in a line `times` times (1 or -1). */
static inline void gomoku_count_line(struct gomoku *s, int colour, int line, int times)
{
	struct gomoku_windows w;
	int16_t *count = s->patterns[colour];
	const uint32_t mine = s->stones[colour][line];
	if (!mine)
		return;
	gomoku_windows(mine, gomoku_free(s, colour, line), gomoku_is_strict(s, colour), &w);
	for (int n = 1; n <= 4; n++) {
		count[GOMOKU_FIVE_1 + n - 1] =
			(int16_t)(count[GOMOKU_FIVE_1 + n - 1] + times * bits_count(w.five[n]));
		count[GOMOKU_SIX_1 + n - 1] =
			(int16_t)(count[GOMOKU_SIX_1 + n - 1] + times * bits_count(w.six[n]));
	}
}

/* Whether the stone of a colour on a point is part of a row that wins. */
static inline bool gomoku_wins_at(const struct gomoku *s, int colour, int point)
{
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		const int length = gomoku_run_length(s->stones[colour][at.line], at.bit);
		if (length == 5 || (length > 5 && !gomoku_is_strict(s, colour)))
			return true;
	}
	return false;
}

/* Puts a stone on an empty point; the turn stays. */
static inline void gomoku_add(struct gomoku *s, int colour, int point)
{
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		/* A window with the point has no stone more than five steps from it. */
		const bool meets =
			(uint64_t)s->stones[1 - colour][at.line] << 1 >> (at.bit - 4) & 0x7ff;
		if (meets)
			gomoku_count_line(s, 1 - colour, at.line, -1);
		gomoku_count_line(s, colour, at.line, -1);
		s->stones[colour][at.line] |= UINT32_C(1) << at.bit;
		gomoku_count_line(s, colour, at.line, 1);
		if (meets)
			gomoku_count_line(s, 1 - colour, at.line, 1);
	}
	s->count++;
	s->hash ^= gomoku_key(colour * GOMOKU_POINTS + point);
}

static inline void gomoku_set_turn(struct gomoku *s, int turn)
{
	s->hash ^= gomoku_key(GOMOKU_KEY_TURN + s->turn) ^ gomoku_key(GOMOKU_KEY_TURN + turn);
	s->turn = (uint8_t)turn;
}

static inline void gomoku_set_phase(struct gomoku *s, int phase)
{
	s->hash ^= gomoku_key(GOMOKU_KEY_PHASE + s->phase) ^ gomoku_key(GOMOKU_KEY_PHASE + phase);
	s->phase = (uint8_t)phase;
}

/* ---- Moves ---- */

static inline int gomoku_seat(const struct gomoku *s)
{
	if (s->phase == GOMOKU_OPENING)
		return s->count >= GOMOKU_FIRST_CHOICE && s->count < GOMOKU_LAST_CHOICE;
	return s->turn ^ (s->phase == GOMOKU_SWAPPED);
}

/* The seat that has a colour; not in the phase GOMOKU_OPENING. */
static inline int gomoku_seat_of(const struct gomoku *s, int colour)
{
	return colour ^ (s->phase == GOMOKU_SWAPPED);
}

/* Whether the side to move may choose a colour. */
static inline bool gomoku_may_take(const struct gomoku *s)
{
	return s->phase == GOMOKU_OPENING &&
	       (s->count == GOMOKU_FIRST_CHOICE || s->count == GOMOKU_LAST_CHOICE);
}

/* Whether the side to move is Black under the restrictions of renju. */
static inline bool gomoku_is_restricted(const struct gomoku *s)
{
	return s->rule == GOMOKU_RENJU && s->turn == GOMOKU_BLACK;
}

/* Whether the side to move may put a stone on the empty point. */
static inline bool gomoku_allows(const struct gomoku *s, int point)
{
	return !gomoku_is_restricted(s) ||
	       !gomoku_is_forbidden(s->stones[GOMOKU_BLACK], s->stones[GOMOKU_WHITE], s->size,
				    point);
}

/* Points in the order a1, b1, ...; then the colours. */
static inline int gomoku_moves(const struct gomoku *s, qv_move *list)
{
	const bool takes = gomoku_may_take(s);
	int n = 0;
	for (int row = 0; row < s->size && !(takes && s->count == GOMOKU_LAST_CHOICE); row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left)) {
			const int point = gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN);
			if (gomoku_allows(s, point))
				list[n++] = (qv_move)point;
		}
	if (takes) {
		list[n++] = GOMOKU_TAKE_BLACK;
		list[n++] = GOMOKU_TAKE_WHITE;
	}
	return n;
}

/* Whether Black has an allowed point, which is nearly always the first empty one. */
static inline bool gomoku_can_play(const struct gomoku *s)
{
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left))
			if (gomoku_allows(s, gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN)))
				return true;
	return false;
}

/* A full board is a draw, and so is one where Black has only forbidden points left. */
static inline enum qv_outcome gomoku_result(const struct gomoku *s, int32_t *points)
{
	if (!s->winner && s->count < s->size * s->size &&
	    (!gomoku_is_restricted(s) || gomoku_can_play(s)))
		return QV_GOING;
	points[0] = points[1] = 0;
	if (s->winner)
		points[gomoku_seat_of(s, s->winner - 1)] = 1;
	return QV_ENDED;
}

/* The number of moves; 0 when the game has ended. */
static inline int gomoku_count(const struct gomoku *s)
{
	qv_move list[GOMOKU_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (gomoku_result(s, points) == QV_ENDED)
		return 0;
	if (gomoku_is_restricted(s) || s->phase == GOMOKU_OPENING)
		return gomoku_moves(s, list);
	return s->size * s->size - s->count;
}

static inline void gomoku_play(struct gomoku *s, qv_move move)
{
	if (move >= GOMOKU_POINTS) {
		const int chooser = gomoku_seat(s);
		const int black = move == GOMOKU_TAKE_BLACK ? chooser : 1 - chooser;
		gomoku_set_phase(s, black == 0 ? GOMOKU_KEPT : GOMOKU_SWAPPED);
		return;
	}
	gomoku_add(s, s->turn, (int)move);
	if (gomoku_wins_at(s, s->turn, (int)move))
		s->winner = (uint8_t)(1 + s->turn);
	gomoku_set_turn(s, 1 - s->turn);
}

/* ---- Symmetries ---- */

/* Symmetry k: bit 2 mirrors left to right, then come k & 3 quarter turns clockwise. */
static inline int gomoku_image_point(int size, int k, int point)
{
	int row = point / GOMOKU_SIDE, column = point % GOMOKU_SIDE;
	if (k & 4)
		column = size - 1 - column;
	for (int turns = k & 3; turns; turns--) {
		const int before = row;
		row = size - 1 - column;
		column = before;
	}
	return gomoku_point(row, column);
}

static inline void gomoku_image(const struct gomoku *s, int k, struct gomoku *out)
{
	*out = *s; /* the patterns stay the same, but not the places of the stones */
	memset(out->stones, 0, sizeof out->stones);
	out->hash = gomoku_bare_hash(s);
	for (int colour = 0; colour < 2; colour++)
		for (int row = 0; row < s->size; row++)
			for (uint64_t left = s->stones[colour][row]; left; left = bits_rest(left)) {
				const int column = bits_lowest(left) - GOMOKU_MARGIN;
				const int point =
					gomoku_image_point(s->size, k, gomoku_point(row, column));
				for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
					const struct gomoku_place at = gomoku_place(point, d);
					out->stones[colour][at.line] |= UINT32_C(1) << at.bit;
				}
				out->hash ^= gomoku_key(colour * GOMOKU_POINTS + point);
			}
}

static inline qv_move gomoku_image_move(const struct gomoku *s, int k, qv_move move)
{
	return move >= GOMOKU_POINTS ? move : (qv_move)gomoku_image_point(s->size, k, (int)move);
}

/* text.c: the slots of struct qv_game with these names. */
void gomoku_move_text(const struct gomoku *s, qv_move move, struct qv_text *out);

void gomoku_position_text(const struct gomoku *s, struct qv_text *out);
enum qv_status gomoku_position_parse(struct gomoku *s, const int64_t *options, const char *text,
				     struct qv_error *error);
void gomoku_draw(const struct gomoku *s, bool unicode, struct qv_text *out);
/* Explains why a point is not a legal move (struct engine). */
void gomoku_refusal(const void *state, const char *text, struct qv_text *why);

extern const struct qv_board gomoku_board; /* board.c */

#endif
