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

/* Whether the double must be answered. On FIBS nobody may double then. */
static bool is_doubled(const struct fibs_board *b)
{
	const int32_t *may = b->field + FIBS_MAY_DOUBLE;
	return b->field[FIBS_DOUBLED] || (!may[0] && !may[1]);
}

/* Which of two fields belongs to the player described; the other one is the opponent's. */
static int field_of_turn(const struct fibs_board *b)
{
	return (b->field[FIBS_TURN] > 0) != (b->field[FIBS_COLOUR] > 0);
}

/* Which score belongs to the player on roll, in the order of GNU Backgammon. */
static int score_of_turn(const struct fibs_board *b)
{
	return is_doubled(b) == field_of_turn(b);
}

/* The points by which a match is longer than the game allows. */
static int32_t excess(const struct fibs_board *b)
{
	const int32_t match = b->field[FIBS_MATCH] == FIBS_MONEY ? 0 : b->field[FIBS_MATCH];
	return match > BACKGAMMON_MAX_MATCH ? match - BACKGAMMON_MAX_MATCH : 0;
}

void fibs_options(const struct fibs_board *b, int64_t *options)
{
	const int32_t match = b->field[FIBS_MATCH], *may = b->field + FIBS_MAY_DOUBLE;
	const int32_t *dice = b->field + FIBS_DICE;
	const bool rolled = dice[0] || dice[1] || dice[2] || dice[3];
	options[BACKGAMMON_OPTION_MATCH] =
		match <= 0 || match == FIBS_MONEY ? 0 : match - excess(b);
	if (!rolled || is_doubled(b) || b->field[FIBS_CUBE] > 1 || !may[0] != !may[1])
		options[BACKGAMMON_OPTION_CUBE] = 1;
}

static enum qv_status read_scores(const struct fibs_board *b, struct backgammon *s,
				  struct qv_error *error)
{
	const int32_t *score = b->field + FIBS_SCORE, match = b->field[FIBS_MATCH];
	if (match < 0)
		return qv_fail(error, QV_ILLEGAL, "board: a match to %d points", (int)match);
	if (!s->match)
		return QV_OK;
	for (int i = 0; i < 2; i++) {
		const int seat = i == score_of_turn(b) ? s->turn : 1 - s->turn;
		if (score[i] < 0 || score[i] >= match)
			return qv_fail(error, QV_ILLEGAL, "board: %d points in a match to %d",
				       (int)score[i], (int)match);
		s->score[seat] = (uint8_t)(score[i] > excess(b) ? score[i] - excess(b) : 0);
	}
	/* Where both need one point, as in a match to 1, it is no Crawford game. */
	if ((match - score[0] == 1) != (match - score[1] == 1) && s->flags & BACKGAMMON_CRAWFORD &&
	    !b->field[FIBS_POST_CRAWFORD] && !b->field[FIBS_NO_CRAWFORD])
		s->flags |= BACKGAMMON_CRAWFORD_GAME;
	return QV_OK;
}

/* After a beaver the cube belongs to the opponent of the player who has doubled. */
static enum qv_status read_cube(const struct fibs_board *b, struct backgammon *s,
				struct qv_error *error)
{
	const int32_t *may = b->field + FIBS_MAY_DOUBLE, value = b->field[FIBS_CUBE];
	const bool mine = may[field_of_turn(b)], theirs = may[!field_of_turn(b)];
	while (s->cube < BACKGAMMON_MAX_CUBE && 1 << s->cube < value)
		s->cube++;
	if (1 << s->cube != value)
		return qv_fail(error, QV_ILLEGAL, "board: the cube shows %d", (int)value);
	if (mine != theirs)
		s->owner = mine ? s->turn : 1 - s->turn;
	if (!is_doubled(b)) {
		if (s->phase != BACKGAMMON_MOVE && backgammon_can_double(s))
			s->phase = BACKGAMMON_CUBE;
		return QV_OK;
	}
	s->phase = BACKGAMMON_ANSWER;
	s->dice[0] = s->dice[1] = 0;
	if (s->owner == 1 - s->turn && s->flags & BACKGAMMON_BEAVERS && s->cube)
		s->flags |= BACKGAMMON_BEAVERED;
	else if (!backgammon_can_double(s))
		return qv_fail(error, QV_ILLEGAL, "board: no double is allowed here");
	return QV_OK;
}

enum qv_status fibs_to_state(const struct fibs_board *b, const int64_t *options,
			     struct backgammon *out, struct qv_error *error)
{
	struct backgammon s = backgammon_with_options(options);
	const int32_t turn = b->field[FIBS_TURN], colour = b->field[FIBS_COLOUR];
	const int32_t direction = b->field[FIBS_DIRECTION];
	if (!turn || !colour || !direction)
		return qv_fail(error, QV_ILLEGAL, "board: the game is over");
	s.turn = turn < 0;
	s.phase = BACKGAMMON_ROLL;
	enum qv_status status = read_men(b, (direction > 0) == (colour > 0), &s, error);
	if (status == QV_OK)
		status = read_dice(b, &s, error);
	if (status == QV_OK)
		status = read_scores(b, &s, error);
	if (status == QV_OK && s.flags & BACKGAMMON_HAS_CUBE)
		status = read_cube(b, &s, error);
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
	field[FIBS_TURN] = s->turn ? -1 : 1;
	field[FIBS_CUBE] = 1 << s->cube;
	field[FIBS_DOUBLED] = s->phase == BACKGAMMON_ANSWER;
	field[FIBS_COLOUR] = 1;
	field[FIBS_DIRECTION] = -1;
	field[FIBS_BAR] = BACKGAMMON_BAR;
	field[FIBS_MATCH] = s->match;
	field[FIBS_NO_CRAWFORD] = !(s->flags & BACKGAMMON_CRAWFORD_GAME);
	for (int seat = 0; seat < 2; seat++) {
		field[FIBS_OFF + seat] = s->men[seat][BACKGAMMON_OFF];
		field[FIBS_DICE + 2 * seat] = s->dice[0];
		field[FIBS_DICE + 2 * seat + 1] = s->dice[1];
		field[FIBS_MAY_DOUBLE + seat] = s->owner != 1 - seat;
		if (s->match && s->flags & BACKGAMMON_CRAWFORD && s->match - s->score[seat] == 1)
			field[FIBS_POST_CRAWFORD] = field[FIBS_NO_CRAWFORD];
	}
	field[FIBS_SCORE + score_of_turn(out)] = s->score[s->turn];
	field[FIBS_SCORE + !score_of_turn(out)] = s->score[1 - s->turn];
}
