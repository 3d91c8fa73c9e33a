/*
 * text.c - positions and moves of Warp Trog as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the 36 squares from a1, rank by rank, the side to move, and the warps left of each
 * side. Two parts follow only where they apply: `warp c2` while a warp is under way, with the square
 * of the Trog that chance moves next; and with rules=1983 `last c4`, the square of rank 4 that the
 * first side moved to last.
 *
 * The drawing uses the letters of the position; in Unicode, Valgs are triangles that point where
 * they go, and Trogs are diamonds, as in the 1983 character set.
 */
#include "base/scan.h"
#include "base/text.h"
#include "games/warptrog/rules.h"

static void put_square(struct qv_text *out, int square)
{
	qv_put_char(out, (char)('a' + square % WARPTROG_SIZE));
	qv_put_char(out, (char)('1' + square / WARPTROG_SIZE));
}

void warptrog_move_text(const struct warptrog *s, qv_move move, struct qv_text *out)
{
	if (s->warping != WARPTROG_NONE) {
		qv_put(out, "land ");
		put_square(out, (int)move);
	} else if (move == WARPTROG_WARP) {
		qv_put(out, "warp");
	} else {
		put_square(out, (int)(move & 63));
		put_square(out, (int)(move >> WARPTROG_TO));
	}
}

/* A square; WARPTROG_NONE: the text is not one. */
static int read_square(const char *text)
{
	if (text[0] < 'a' || text[0] > 'f' || text[1] < '1' || text[1] > '6')
		return WARPTROG_NONE;
	return text[0] - 'a' + WARPTROG_SIZE * (text[1] - '1');
}

/* Accepts the key of the 1983 program, and a landing without its word. */
bool warptrog_move_parse(const struct warptrog *s, const char *text, qv_move *move)
{
	if (s->warping != WARPTROG_NONE) {
		const int square = read_square(text);
		*move = (qv_move)square;
		return square != WARPTROG_NONE && !text[2];
	}
	*move = WARPTROG_WARP;
	return is_one_of(text[0], "wW") && !text[1];
}

void warptrog_refusal(const struct warptrog *s, const char *text, struct qv_text *why)
{
	if (s->warping != WARPTROG_NONE)
		return;
	if (text_same(text, "warp") || text_same(text, "w")) {
		qv_put(why, "no warps left");
		return;
	}
	const int from = read_square(text);
	const int to = from == WARPTROG_NONE ? from : read_square(text + 2);
	if (to == WARPTROG_NONE || text[4])
		return;
	const uint64_t valgs = s->men[s->turn] & ~s->trogs;
	const uint64_t ahead = warptrog_ahead(valgs & UINT64_C(1) << from, s->turn);
	if ((ahead & warptrog_supported(s, 1 - s->turn)) >> to & 1)
		qv_put(why, "that man is supported, so a Valg cannot capture it");
}

/* "The Trog on c2 lands on e5 and captures a Valg." */
void warptrog_chance_text(const struct warptrog *s, qv_move move, struct qv_text *out)
{
	const uint64_t square = UINT64_C(1) << move;
	qv_put(out, "The Trog on ");
	put_square(out, s->warping);
	if (s->men[s->turn] & square) {
		qv_put(out, " stays");
		if (move != s->warping) {
			qv_put(out, ": its own man is on ");
			put_square(out, (int)move);
		}
	} else {
		qv_put(out, " lands on ");
		put_square(out, (int)move);
		if (s->men[1 - s->turn] & square)
			qv_put(out,
			       s->trogs & square ? " and captures a Trog" : " and captures a Valg");
	}
	qv_put_char(out, '.');
}

static char square_letter(const struct warptrog *s, int square)
{
	const bool trog = s->trogs >> square & 1;
	return s->men[0] >> square & 1 ? "VT"[trog] : s->men[1] >> square & 1 ? "vt"[trog] : '.';
}

void warptrog_position_text(const struct warptrog *s, struct qv_text *out)
{
	for (int square = 0; square < WARPTROG_SQUARES; square++)
		qv_put_char(out, square_letter(s, square));
	qv_put_char(out, ' ');
	qv_put_char(out, (char)('1' + s->turn));
	for (int seat = 0; seat < 2; seat++) {
		qv_put_char(out, ' ');
		qv_put_int(out, s->warps[seat]);
	}
	if (s->warping != WARPTROG_NONE) {
		qv_put(out, " warp ");
		put_square(out, s->warping);
	}
	if (s->last != WARPTROG_NONE) {
		qv_put(out, " last ");
		put_square(out, s->last);
	}
}

/* ---- Reading ---- */

static enum qv_status read_men(struct warptrog *s, const char **text, struct qv_error *error)
{
	for (int square = 0; square < WARPTROG_SQUARES; square++, ++*text) {
		const char c = **text;
		const uint64_t bit = UINT64_C(1) << square;
		if (!is_one_of(c, "VTvt."))
			return qv_fail(
				error, QV_BAD_INPUT,
				"position: expected 36 squares of 'V', 'T', 'v', 't' or '.'");
		if (c != '.')
			s->men[c == 'v' || c == 't'] |= bit;
		if (c == 'T' || c == 't')
			s->trogs |= bit;
	}
	return QV_OK;
}

static enum qv_status read_warps(struct warptrog *s, const int64_t *options, const char **text,
				 struct qv_error *error)
{
	const int most = warptrog_most_warps(options);
	for (int seat = 0; seat < 2; seat++) {
		int warps;
		if (!scan_literal(text, " ") || !scan_count(text, most, &warps))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected the warps left of side %d, 0 to %d",
				       seat + 1, most);
		s->warps[seat] = (uint8_t)warps;
	}
	return QV_OK;
}

/* The parts that most positions lack. */
static enum qv_status read_rest(struct warptrog *s, const char *text, struct qv_error *error)
{
	if (scan_literal(&text, " warp ")) {
		const int square = read_square(text);
		if (square == WARPTROG_NONE)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected the square of a Trog after 'warp'");
		if (!((s->men[s->turn] & s->trogs) >> square & 1))
			return qv_fail(error, QV_ILLEGAL,
				       "position: side %d has no Trog on the square after 'warp'",
				       s->turn + 1);
		s->warping = (uint8_t)square;
		text += 2;
	}
	if (s->rules == WARPTROG_1983 && scan_literal(&text, " last ")) {
		if (text[0] < 'a' || text[0] > 'f' || text[1] != '4')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected a square of rank 4 after 'last'");
		s->last = (uint8_t)read_square(text);
		text += 2;
	}
	return *text ? qv_fail(error, QV_BAD_INPUT,
			       "position: unexpected text after the warps left")
		     : QV_OK;
}

/* Refuses what no game can reach, except for men that are far from where they can come from. */
static enum qv_status check(const struct warptrog *s, struct qv_error *error)
{
	for (int seat = 0; seat < 2; seat++) {
		if (bits_count(s->men[seat]) > WARPTROG_MEN)
			return qv_fail(error, QV_ILLEGAL, "position: side %d has more than %d men",
				       seat + 1, WARPTROG_MEN);
		if (s->men[seat] & ~s->trogs & WARPTROG_GOAL(seat))
			return qv_fail(error, QV_ILLEGAL,
				       "position: side %d has a Valg on the far rank, where it "
				       "becomes a Trog",
				       seat + 1);
	}
	if (s->warping == WARPTROG_NONE && !s->men[1 - s->turn])
		return qv_fail(error, QV_ILLEGAL,
			       "position: side %d has just moved, but it has no man", 2 - s->turn);
	return QV_OK;
}

enum qv_status warptrog_position_parse(struct warptrog *s, const int64_t *options, const char *text,
				       struct qv_error *error)
{
	struct warptrog read = { .warping = WARPTROG_NONE,
				 .last = WARPTROG_NONE,
				 .rules = (uint8_t)options[WARPTROG_OPTION_RULES] };
	enum qv_status status = read_men(&read, &text, error);
	if (status != QV_OK)
		return status;
	if (text[0] != ' ' || (text[1] != '1' && text[1] != '2'))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected a blank and the side to move, 1 or 2, after the "
			       "squares");
	read.turn = (uint8_t)(text[1] - '1');
	text += 2;
	status = read_warps(&read, options, &text, error);
	if (status == QV_OK)
		status = read_rest(&read, text, error);
	if (status == QV_OK)
		status = check(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* ---- Drawing ---- */

/* How a man is drawn; `letter` is as in the position. */
static void put_man(struct qv_text *out, char letter, bool unicode)
{
	static const char letters[] = "VTvt.";
	static const char *const signs[] = { "▲", "◆", "▽", "◇", "·" };
	if (unicode)
		qv_put(out, signs[strchr(letters, letter) - letters]);
	else
		qv_put_char(out, letter);
}

/* What a side has left: "Blue: ▲ Valgs 4, ◆ Trogs 1, warps 5". */
static void put_side(struct qv_text *out, const struct warptrog *s, int seat, bool unicode)
{
	const int trogs = bits_count(s->men[seat] & s->trogs);
	qv_put(out, seat ? "Red:  " : "Blue: ");
	put_man(out, "Vv"[seat], unicode);
	qv_put(out, " Valgs ");
	qv_put_int(out, bits_count(s->men[seat]) - trogs);
	qv_put(out, ", ");
	put_man(out, "Tt"[seat], unicode);
	qv_put(out, " Trogs ");
	qv_put_int(out, trogs);
	qv_put(out, ", warps ");
	qv_put_int(out, s->warps[seat]);
	qv_put_char(out, '\n');
}

void warptrog_draw(const struct warptrog *s, bool unicode, struct qv_text *out)
{
	for (int rank = WARPTROG_SIZE - 1; rank >= 0; rank--) {
		qv_put_char(out, (char)('1' + rank));
		for (int file = 0; file < WARPTROG_SIZE; file++) {
			qv_put(out, "  ");
			put_man(out, square_letter(s, WARPTROG_SIZE * rank + file), unicode);
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "   a  b  c  d  e  f\n");
	put_side(out, s, 1, unicode);
	put_side(out, s, 0, unicode);
	if (s->warping != WARPTROG_NONE) {
		qv_put(out, "warping: ");
		put_square(out, s->warping);
		qv_put_char(out, '\n');
	}
}
