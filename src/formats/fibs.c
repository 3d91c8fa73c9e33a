/*
 * fibs.c - reads and writes board lines of FIBS.
 * SPDX-License-Identifier: MIT
 */
#include "formats/fibs.h"

#include "base/scan.h"

static enum qv_status bad(struct qv_error *error, const char *why)
{
	return qv_fail(error, QV_BAD_INPUT, "board: %s", why);
}

/* ---- Text ---- */

/* Reads a name up to its colon. It may hold any other character, even blanks. */
static bool read_name(const char **text, char *name)
{
	const size_t length = strcspn(*text, ":");
	const size_t kept = length < FIBS_NAME ? length : FIBS_NAME - 1;
	if ((*text)[length] != ':')
		return false;
	memcpy(name, *text, kept);
	name[kept] = '\0';
	*text += length + 1;
	return true;
}

enum qv_status fibs_read(const char *text, struct fibs_board *out, const char **rest,
			 struct qv_error *error)
{
	struct fibs_board board = { 0 };
	int count = 0;
	if (!scan_literal(&text, "board:"))
		return bad(error, "the line does not begin with 'board:'");
	if (!read_name(&text, board.name[0]) || !read_name(&text, board.name[1]))
		return bad(error, "expected two names");
	do {
		int64_t number;
		if (count == FIBS_FIELDS)
			return bad(error, "more than 50 numbers");
		if (!scan_int(&text, INT32_MIN, INT32_MAX, &number))
			return qv_fail(error, QV_BAD_INPUT, "board: expected number %d", count + 1);
		board.field[count++] = (int32_t)number;
	} while (scan_literal(&text, ":"));
	if (*text && *text != ' ')
		return qv_fail(error, QV_BAD_INPUT, "board: expected a colon after number %d",
			       count);
	if (count < FIBS_LEAST)
		return qv_fail(error, QV_BAD_INPUT, "board: %d numbers; at least %d are needed",
			       count, FIBS_LEAST);
	*out = board;
	*rest = text;
	return QV_OK;
}

void fibs_write(const struct fibs_board *board, struct qv_text *out)
{
	qv_put(out, "board");
	for (int i = 0; i < 2; i++) {
		qv_put_char(out, ':');
		qv_put(out, board->name[i]);
	}
	for (int i = 0; i < FIBS_FIELDS; i++) {
		qv_put_char(out, ':');
		qv_put_int(out, board->field[i]);
	}
}

/* ---- Positions ---- */

/*
 * Reads the men. If the player with positive men moves upwards, its point p is number 25 - p of the
 * line. On a bar the number may have either sign.
 */
static enum qv_status read_men(const struct fibs_board *b, bool upwards, struct backgammon *s,
			       struct qv_error *error)
{
	int sum[2] = { 0, 0 };
	for (int place = 0; place <= BACKGAMMON_BAR; place++) {
		const int32_t men =
			b->field[FIBS_POINT + (upwards ? BACKGAMMON_BAR - place : place)];
		const bool bar = place == 0 || place == BACKGAMMON_BAR;
		const int seat = bar ? place == 0 : men < 0;
		if (men < -BACKGAMMON_MEN || men > BACKGAMMON_MEN)
			return qv_fail(error, QV_ILLEGAL, "board: %d men on one point", (int)men);
		const int count = men < 0 ? -men : men;
		if (!count)
			continue;
		sum[seat] += count;
		s->men[seat][seat ? BACKGAMMON_BAR - place : place] = (uint8_t)count;
	}
	for (int seat = 0; seat < 2; seat++) {
		if (sum[seat] > BACKGAMMON_MEN)
			return qv_fail(error, QV_ILLEGAL, "board: one player has %d men",
				       sum[seat]);
		s->men[seat][BACKGAMMON_OFF] = (uint8_t)(BACKGAMMON_MEN - sum[seat]);
	}
	return QV_OK;
}

/* Reads the roll of the player who moves; GNU Backgammon writes it for both players. */
static enum qv_status read_dice(const struct fibs_board *b, struct backgammon *s,
				struct qv_error *error)
{
	const int32_t *dice = b->field + FIBS_DICE;
	if (!dice[0] && !dice[1])
		dice += 2;
	if (!dice[0] && !dice[1])
		return QV_OK;
	for (int i = 0; i < 2; i++)
		if (dice[i] < 1 || dice[i] > BACKGAMMON_FACES)
			return qv_fail(error, QV_ILLEGAL, "board: a die shows %d", (int)dice[i]);
	const bool swap = dice[1] > dice[0];
	s->dice[0] = (uint8_t)dice[swap];
	s->dice[1] = (uint8_t)dice[!swap];
	s->phase = BACKGAMMON_MOVE;
	return QV_OK;
}

enum qv_status fibs_to_state(const struct fibs_board *b, struct backgammon *out,
			     struct qv_error *error)
{
	struct backgammon s = { .phase = BACKGAMMON_ROLL };
	const int32_t turn = b->field[FIBS_TURN], colour = b->field[FIBS_COLOUR];
	const int32_t direction = b->field[FIBS_DIRECTION];
	if (!turn || !colour || !direction)
		return qv_fail(error, QV_ILLEGAL, "board: the game is over");
	s.turn = turn < 0;
	enum qv_status status = read_men(b, (direction > 0) == (colour > 0), &s, error);
	if (status == QV_OK)
		status = read_dice(b, &s, error);
	if (status == QV_OK)
		status = backgammon_check(&s, error);
	if (status == QV_OK && backgammon_has_ended(&s))
		status = qv_fail(error, QV_ILLEGAL, "board: the game is over");
	if (status == QV_OK)
		*out = s;
	return status;
}

/* As GNU Backgammon writes it: seat 1 is described and has positive men, which move downwards. */
void fibs_from_state(const struct backgammon *s, struct fibs_board *out)
{
	int32_t *field = out->field;
	*out = (struct fibs_board){ 0 };
	for (int seat = 0; seat < 2; seat++)
		for (int place = 1; place <= BACKGAMMON_BAR; place++) {
			const int32_t men = s->men[seat][place];
			field[FIBS_POINT + (seat ? BACKGAMMON_BAR - place : place)] +=
				seat ? -men : men;
		}
	for (int seat = 0; seat < 2; seat++) {
		field[FIBS_OFF + seat] = s->men[seat][BACKGAMMON_OFF];
		field[FIBS_DICE + 2 * seat] = s->dice[0];
		field[FIBS_DICE + 2 * seat + 1] = s->dice[1];
		field[FIBS_MAY_DOUBLE + seat] = 1;
	}
	field[FIBS_TURN] = s->turn ? -1 : 1;
	field[FIBS_CUBE] = 1;
	field[FIBS_COLOUR] = 1;
	field[FIBS_DIRECTION] = -1;
	field[FIBS_BAR] = BACKGAMMON_BAR;
	field[FIBS_NO_CRAWFORD] = 1;
}
