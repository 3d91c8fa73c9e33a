/*
 * text.c - positions and moves of backgammon as text.
 * SPDX-License-Identifier: MIT
 *
 * A position is the men of each seat by place, as the seat counts, from the rear, then the seat to
 * move and its roll, or - before it: `24:2,13:5,8:3,6:5 bar:1,13:5,8:4,6:5 2 31`. Before the
 * opening roll both are -. The parser also accepts a position ID of GNU Backgammon in place of the
 * men. Moves are written as GNU Backgammon does: `8/5 6/5`, `bar/22 13/11*`, `6/off(2)`.
 *
 * With the cube, a word may replace the roll: `roll` (the seat may double but rolls), `double`,
 * `beaver` (its double was beavered) and `won`. The cube follows with its value and owner, and in a
 * match its length, the score and perhaps `crawford`: `... 2 - cube 2 1 match 7 5 3`.
 */
#include "base/scan.h"
#include "games/backgammon/rules.h"

static void put_place(struct qv_text *out, int place)
{
	if (place == BACKGAMMON_BAR)
		qv_put(out, "bar");
	else if (place == BACKGAMMON_OFF)
		qv_put(out, "off");
	else
		qv_put_int(out, place);
}

/* Reads a place: 1 to 24, or `bar`, `off` in any case. */
static bool scan_place(const char **text, int *place)
{
	static const char *const names[] = { "bar", "off" };
	for (int i = 0; i < 2; i++) {
		int same = 0;
		while (same < 3 && to_lower((*text)[same]) == names[i][same])
			same++;
		if (same == 3) {
			*text += 3;
			*place = i ? BACKGAMMON_OFF : BACKGAMMON_BAR;
			return true;
		}
	}
	return scan_count(text, BACKGAMMON_POINTS, place) && *place;
}

/* ---- Moves ---- */

/* The way of one man, or of several men with the same way. */
struct way {
	int place[BACKGAMMON_STEPS + 1], length;
	int men; /* 0: joined to another way */
};

/*
 * Joins the steps of one man, as GNU Backgammon does. A place between is kept only if a blot is hit
 * there.
 */
static int join_steps(const struct backgammon *s, qv_move move, struct way *ways)
{
	const int n = backgammon_steps(move);
	const uint32_t blots = backgammon_blots(s);
	for (int i = 0; i < n; i++) {
		const int from = backgammon_step_from(move, i);
		const int to = backgammon_target(from, backgammon_step_die(move, i));
		ways[i] = (struct way){ { from, to }, 2, 1 };
	}
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n && ways[i].men; j++) {
			struct way *w = &ways[i];
			const int end = w->place[w->length - 1];
			if (!ways[j].men || ways[j].place[0] != end)
				continue;
			w->length += (int)(blots >> end & 1);
			w->place[w->length - 1] = ways[j].place[1];
			ways[j].men = 0;
		}
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n && ways[i].men; j++)
			if (ways[j].men && ways[j].length == ways[i].length &&
			    !memcmp(ways[j].place, ways[i].place,
				    (size_t)ways[i].length * sizeof ways[i].place[0])) {
				ways[i].men++;
				ways[j].men = 0;
			}
	return n;
}

static const char *const decisions[] = {
	[BACKGAMMON_DO_ROLL] = "roll", [BACKGAMMON_DOUBLE] = "double", [BACKGAMMON_TAKE] = "take",
	[BACKGAMMON_DROP] = "drop",    [BACKGAMMON_BEAVER] = "beaver",
};

void backgammon_move_text(const struct backgammon *s, qv_move move, struct qv_text *out)
{
	struct way ways[BACKGAMMON_STEPS];
	if (s->phase > BACKGAMMON_MOVE) {
		qv_put(out, decisions[move]);
		return;
	}
	if (s->phase != BACKGAMMON_MOVE) {
		qv_put(out, "roll ");
		qv_put_int(out, (int64_t)(10 * (move & 7) + (move >> 3 & 7)));
		return;
	}
	if (move == BACKGAMMON_PASS)
		qv_put(out, "pass");
	const int n = join_steps(s, move, ways);
	uint32_t blots = backgammon_blots(s);
	bool first = true;
	for (int i = 0; i < n; i++) {
		if (!ways[i].men)
			continue;
		qv_put(out, first ? "" : " ");
		first = false;
		for (int k = 0; k < ways[i].length; k++) {
			qv_put(out, k ? "/" : "");
			put_place(out, ways[i].place[k]);
			if (k && blots >> ways[i].place[k] & 1) {
				qv_put_char(out, '*');
				blots &= ~(UINT32_C(1) << ways[i].place[k]);
			}
		}
		if (ways[i].men > 1) {
			qv_put_char(out, '(');
			qv_put_int(out, ways[i].men);
			qv_put_char(out, ')');
		}
	}
}

/* ---- Reading moves ---- */

/* What a text says of a turn: its change, the points it names, and those with a star. */
struct typed {
	struct backgammon_change change;
	uint32_t named, starred;
};

/* Reads one way: `13/8`, `bar/22*`, `13/8/5`, `8/5(2)`. */
static bool read_way(const char **text, struct typed *t)
{
	int place[BACKGAMMON_STEPS + 1], n = 0, men = 1;
	do {
		if (n > BACKGAMMON_STEPS || !scan_place(text, &place[n]))
			return false;
		if (n) {
			t->named |= UINT32_C(1) << place[n];
			if (scan_literal(text, "*"))
				t->starred |= UINT32_C(1) << place[n];
		}
		n++;
	} while (scan_literal(text, "/"));
	if (n < 2)
		return false;
	if (scan_literal(text, "(") &&
	    (!scan_count(text, BACKGAMMON_STEPS, &men) || !men || !scan_literal(text, ")")))
		return false;
	while (men-- > 0)
		backgammon_change_men(&t->change, place[0], place[n - 1]);
	return true;
}

static bool read_turn(const char *text, struct typed *t)
{
	int ways = 0;
	do {
		text += strspn(text, " ");
		if (++ways > BACKGAMMON_STEPS || !read_way(&text, t))
			return false;
	} while (*text == ' ');
	return !*text;
}

/* Reads a roll: `31`, `3-1`, `roll 3-1`; the order counts in the opening roll only. */
static bool parse_roll(const struct backgammon *s, const char *text, qv_move *move)
{
	scan_literal(&text, "roll ");
	if (text[0] < '1' || text[0] > '6')
		return false;
	const unsigned one = (unsigned)(*text++ - '0');
	scan_literal(&text, "-");
	if (text[0] < '1' || text[0] > '6' || text[1])
		return false;
	const unsigned two = (unsigned)(*text - '0');
	const bool swap = s->phase != BACKGAMMON_OPENING && two > one;
	*move = swap ? two | one << 3 : one | two << 3;
	return true;
}

static bool parse_decision(const char *text, qv_move *move)
{
	for (int i = BACKGAMMON_DO_ROLL; i <= BACKGAMMON_BEAVER; i++)
		if (!strcmp(text, decisions[i])) {
			*move = (qv_move)i;
			return true;
		}
	return false;
}

/*
 * Parts may come in any order, and one man's steps may be joined or not. Stars may be left out. If
 * the text allows several turns, which differ in what they hit on the way, it means the one that
 * hits on the named points only.
 */
bool backgammon_move_parse(const struct backgammon *s, const char *text, qv_move *move)
{
	struct typed t = { { { 0, 0 }, 0 }, 0, 0 };
	if (s->phase > BACKGAMMON_MOVE)
		return parse_decision(text, move);
	if (s->phase != BACKGAMMON_MOVE)
		return parse_roll(s, text, move);
	if (!read_turn(text, &t))
		return false;
	const uint32_t blots = backgammon_blots(s);
	if (t.starred & ~blots)
		return false;
	qv_move list[BACKGAMMON_MAX_MOVES];
	int found = 0;
	for (int i = 0, n = backgammon_moves(s, list); i < n; i++) {
		const struct backgammon_change c = backgammon_change_of(s, list[i]);
		if (c.men[0] != t.change.men[0] || c.men[1] != t.change.men[1] ||
		    t.named & blots & ~c.hits)
			continue;
		found++;
		*move = list[i];
		if (c.hits == (t.named & blots))
			return true;
	}
	return found == 1;
}

/* ---- Positions ---- */

/* The roll, or what stands in its place. */
static void put_roll(const struct backgammon *s, struct qv_text *out)
{
	switch (s->phase) {
	case BACKGAMMON_MOVE:
		qv_put_int(out, 10 * s->dice[0] + s->dice[1]);
		break;
	case BACKGAMMON_ROLL:
		qv_put(out, backgammon_can_double(s) ? "roll" : "-");
		break;
	case BACKGAMMON_ANSWER:
		qv_put(out, s->flags & BACKGAMMON_BEAVERED ? "beaver" : "double");
		break;
	case BACKGAMMON_OVER:
		qv_put(out, "won");
		break;
	default:
		qv_put_char(out, '-');
		break;
	}
}

/* The cube and the match. */
static void put_stakes(const struct backgammon *s, struct qv_text *out)
{
	if (!(s->flags & BACKGAMMON_HAS_CUBE))
		return;
	qv_put(out, " cube ");
	qv_put_int(out, 1 << s->cube);
	qv_put_char(out, ' ');
	qv_put_char(out, s->owner == BACKGAMMON_MIDDLE ? '-' : (char)('1' + s->owner));
	if (!s->match)
		return;
	const int numbers[] = { s->match, s->score[0], s->score[1] };
	qv_put(out, " match");
	for (int i = 0; i < 3; i++) {
		qv_put_char(out, ' ');
		qv_put_int(out, numbers[i]);
	}
	qv_put(out, s->flags & BACKGAMMON_CRAWFORD_GAME ? " crawford" : "");
}

void backgammon_position_text(const struct backgammon *s, struct qv_text *out)
{
	for (int seat = 0; seat < 2; seat++) {
		bool first = true;
		for (int place = BACKGAMMON_BAR; place >= BACKGAMMON_OFF; place--) {
			if (!s->men[seat][place])
				continue;
			qv_put(out, first ? "" : ",");
			first = false;
			put_place(out, place);
			qv_put_char(out, ':');
			qv_put_int(out, s->men[seat][place]);
		}
		qv_put_char(out, ' ');
	}
	qv_put_char(out, s->phase == BACKGAMMON_OPENING ? '-' : (char)('1' + s->turn));
	qv_put_char(out, ' ');
	put_roll(s, out);
	put_stakes(s, out);
}

/* Reads the men of one seat and the blank behind them. */
static enum qv_status read_men(const char **text, uint8_t *men, int seat, struct qv_error *error)
{
	int last = BACKGAMMON_PLACES, sum = 0;
	do {
		int place, count;
		if (!scan_place(text, &place) || !scan_literal(text, ":") ||
		    !scan_count(text, BACKGAMMON_MEN, &count) || !count)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected PLACE:MEN,... for each seat, such as "
				       "bar:1,24:2,6:12, or a position ID");
		if (place >= last)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: the places must be in descending order");
		last = place;
		men[place] = (uint8_t)count;
		sum += count;
	} while (scan_literal(text, ","));
	if (sum != BACKGAMMON_MEN)
		return qv_fail(error, QV_ILLEGAL, "position: seat %d has %d men instead of %d",
			       seat + 1, sum, BACKGAMMON_MEN);
	if (!scan_literal(text, " "))
		return qv_fail(error, QV_BAD_INPUT, "position: expected a blank after the men");
	return QV_OK;
}

/* Reads a roll, or what stands in its place. */
static bool read_roll(const char **text, struct backgammon *s)
{
	const char *word = *text;
	if (s->flags & BACKGAMMON_HAS_CUBE) {
		if (scan_literal(text, "roll"))
			return true;
		if (scan_literal(text, "double") || scan_literal(text, "beaver")) {
			s->phase = BACKGAMMON_ANSWER;
			s->flags |= word[0] == 'b' ? BACKGAMMON_BEAVERED : 0;
			return true;
		}
		if (scan_literal(text, "won")) {
			s->phase = BACKGAMMON_OVER;
			return true;
		}
	}
	if (scan_literal(text, "-")) {
		s->phase = BACKGAMMON_CUBE; /* for now, see settle_phase */
		return true;
	}
	if (word[0] < '1' || word[0] > '6' || word[1] < '1' || word[1] > word[0])
		return false;
	s->phase = BACKGAMMON_MOVE;
	s->dice[0] = (uint8_t)(word[0] - '0');
	s->dice[1] = (uint8_t)(word[1] - '0');
	*text += 2;
	return true;
}

/* Reads the seat to move and the roll. */
static enum qv_status read_turn_and_roll(const char **text, struct backgammon *s,
					 struct qv_error *error)
{
	if (scan_literal(text, "- -")) {
		s->phase = BACKGAMMON_OPENING;
		return QV_OK;
	}
	if (((*text)[0] != '1' && (*text)[0] != '2') || (*text)[1] != ' ')
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the seat to move, 1 or 2, and a blank");
	s->turn = (uint8_t)((*text)[0] - '1');
	s->phase = BACKGAMMON_ROLL;
	*text += 2;
	if (!read_roll(text, s))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected a roll such as 31, larger die first, or '-'");
	return QV_OK;
}

/* ---- The cube and the match ---- */

static bool read_cube(const char **text, struct backgammon *s)
{
	int value;
	if (!scan_count(text, 1 << BACKGAMMON_MAX_CUBE, &value) || !scan_literal(text, " "))
		return false;
	while (s->cube <= BACKGAMMON_MAX_CUBE && 1 << s->cube != value)
		s->cube++;
	if (s->cube > BACKGAMMON_MAX_CUBE || !**text || !strchr("-12", **text))
		return false;
	const char owner = *(*text)++;
	s->owner = (uint8_t)(owner == '-' ? BACKGAMMON_MIDDLE : owner - '1');
	return true;
}

static bool read_match(const char **text, struct backgammon *s, int *length)
{
	if (!scan_count(text, BACKGAMMON_MAX_MATCH, length) || !*length)
		return false;
	for (int seat = 0; seat < 2; seat++) {
		int score;
		if (!scan_literal(text, " ") || !scan_count(text, *length, &score))
			return false;
		s->score[seat] = (uint8_t)score;
	}
	if (scan_literal(text, " crawford"))
		s->flags |= BACKGAMMON_CRAWFORD_GAME;
	return true;
}

/* The position has a cube, and a match of this length or none; do the options agree? */
static enum qv_status check_options(const struct backgammon *s, int length, struct qv_error *error)
{
	if (length && length != s->match)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: the match is to %d points; use backgammon:match=%d",
			       length, length);
	if (!(s->flags & BACKGAMMON_HAS_CUBE))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: it has a doubling cube; use backgammon:cube=1");
	return QV_OK;
}

/* Reads what follows the roll. It may be left out: a centred cube, no points. */
static enum qv_status read_stakes(const char *text, struct backgammon *s, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	int length = 0;
	const bool has_cube = scan_literal(&text, " cube ");
	if (has_cube && !read_cube(&text, s))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the cube as its value, 1 to %d, and its owner: "
			       "'cube 2 1', 'cube 1 -'",
			       1 << BACKGAMMON_MAX_CUBE);
	const bool has_match = scan_literal(&text, " match ");
	if (has_match && !read_match(&text, s, &length))
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected the match as its length, 1 to %d, and the score: "
			"'match 7 3 2', perhaps with 'crawford'",
			BACKGAMMON_MAX_MATCH);
	if (*text)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: unexpected text after the roll, the cube or the match");
	if (has_cube || has_match)
		status = check_options(s, length, error);
	return status;
}

/* Before a roll the seat decides about the cube, if it may double. */
static void settle_phase(struct backgammon *s)
{
	if (s->phase == BACKGAMMON_CUBE && !backgammon_can_double(s))
		s->phase = BACKGAMMON_ROLL;
}

/* ---- What no game can reach ---- */

/* Whether no man can enter against this seat's home board. */
static bool is_closed(const uint8_t *men)
{
	for (int point = 1; point <= BACKGAMMON_HOME; point++)
		if (men[point] < 2)
			return false;
	return true;
}

/* Whether the seats can have turned the cube so often. */
static bool is_cube_possible(const struct backgammon *s)
{
	if (s->owner == BACKGAMMON_MIDDLE)
		return !s->cube || !s->match; /* money: perhaps after automatic doubles */
	if (!s->cube || s->flags & BACKGAMMON_CRAWFORD_GAME)
		return false;
	/* The other seat doubled last. If it has won the match since, its score was lower then. */
	const int doubler = 1 - s->owner;
	const int score = s->score[doubler] < s->match ? s->score[doubler] : 0;
	return !s->match || score + (1 << (s->cube - 1)) < s->match;
}

/*
 * Whether the phase fits the cube. A drop never wins a match, because the cube would have been dead
 * before the double.
 */
static bool is_phase_possible(const struct backgammon *s)
{
	switch (s->phase) {
	case BACKGAMMON_OPENING:
		return !s->cube;
	case BACKGAMMON_ANSWER:
		if (!(s->flags & BACKGAMMON_BEAVERED))
			return backgammon_can_double(s);
		return s->flags & BACKGAMMON_BEAVERS && s->owner == 1 - s->turn &&
		       s->cube < BACKGAMMON_MAX_CUBE;
	case BACKGAMMON_OVER:
		return s->match ? backgammon_is_off(s) : s->owner != 1 - s->turn;
	default:
		return true;
	}
}

/* Whether this can be the Crawford game: one seat, and not the other, needed one point. */
static bool is_crawford_possible(const struct backgammon *s)
{
	const int last = s->match - 1;
	if (!(s->flags & BACKGAMMON_CRAWFORD) || s->match < 2)
		return false;
	return s->phase == BACKGAMMON_OVER || (s->score[0] == last) != (s->score[1] == last);
}

static enum qv_status check_stakes(const struct backgammon *s, struct qv_error *error)
{
	if (s->flags & BACKGAMMON_CRAWFORD_GAME && !is_crawford_possible(s))
		return qv_fail(error, QV_ILLEGAL, "position: this cannot be the Crawford game");
	for (int seat = 0; s->match && seat < 2; seat++)
		if ((s->score[seat] >= s->match) !=
		    (s->phase == BACKGAMMON_OVER && s->turn == seat))
			return qv_fail(error, QV_ILLEGAL,
				       "position: the score is wrong: seat %d has %d of %d points",
				       seat + 1, s->score[seat], s->match);
	if (!is_cube_possible(s) || !is_phase_possible(s))
		return qv_fail(error, QV_ILLEGAL,
			       "position: the cube cannot have this value, owner or state");
	return QV_OK;
}

enum qv_status backgammon_check(const struct backgammon *s, struct qv_error *error)
{
	struct backgammon start;
	backgammon_start(&start, NULL);
	for (int point = 1; point <= BACKGAMMON_POINTS; point++)
		if (s->men[0][point] && s->men[1][BACKGAMMON_BAR - point])
			return qv_fail(error, QV_ILLEGAL,
				       "position: both seats have men on point %d of seat 1",
				       point);
	if (s->phase == BACKGAMMON_OPENING && memcmp(s->men, start.men, sizeof start.men) != 0)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the opening roll needs the start position");
	if (s->men[0][BACKGAMMON_BAR] && s->men[1][BACKGAMMON_BAR] && is_closed(s->men[0]) &&
	    is_closed(s->men[1]))
		return qv_fail(error, QV_ILLEGAL,
			       "position: both seats are on the bar against a closed board");
	if (s->men[backgammon_mover(s)][BACKGAMMON_OFF] == BACKGAMMON_MEN)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the seat to move has already borne off all its men");
	if (backgammon_is_off(s) && s->phase == BACKGAMMON_MOVE)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the game is over, so there can be no roll");
	if (backgammon_is_off(s) && s->phase != (s->match ? BACKGAMMON_OVER : BACKGAMMON_ROLL))
		return qv_fail(error, QV_ILLEGAL, "position: the game is over%s",
			       s->match ? "; after the match write 'won', else the next game" : "");
	return check_stakes(s, error);
}

/* Reads `POSITIONID`, `POSITIONID 1 31 ...` or `POSITIONID:MATCHID`. */
static enum qv_status read_ids(const char *text, struct backgammon *s, struct qv_error *error)
{
	const char *rest = text + BACKGAMMON_ID;
	enum qv_status status = QV_OK;
	/* The position ID depends on the seat to move, so read that first. */
	if (*rest == ':') {
		int length = 0;
		if (!backgammon_read_match_id(rest + 1, s, &length))
			return qv_fail(error, QV_BAD_INPUT, "position: this is no match ID");
		status = check_options(s, length, error);
		if (status == QV_OK && !length && s->match)
			status = qv_fail(error, QV_BAD_INPUT,
					 "position: this is a money game; use backgammon:cube=1");
	} else if (*rest) {
		rest++;
		status = read_turn_and_roll(&rest, s, error);
		if (status == QV_OK)
			status = read_stakes(rest, s, error);
	} else {
		s->phase = BACKGAMMON_CUBE;
	}
	if (status == QV_OK && !backgammon_read_id(text, s))
		status = qv_fail(error, QV_BAD_INPUT, "position: this is no position ID");
	return status;
}

enum qv_status backgammon_position_parse(struct backgammon *s, const int64_t *options,
					 const char *text, struct qv_error *error)
{
	struct backgammon read = backgammon_with_options(options);
	enum qv_status status = QV_OK;
	if (strcspn(text, ": ") == BACKGAMMON_ID) {
		status = read_ids(text, &read, error);
	} else {
		for (int seat = 0; seat < 2 && status == QV_OK; seat++)
			status = read_men(&text, read.men[seat], seat, error);
		if (status == QV_OK)
			status = read_turn_and_roll(&text, &read, error);
		if (status == QV_OK)
			status = read_stakes(text, &read, error);
	}
	if (status == QV_OK) {
		settle_phase(&read);
		status = backgammon_check(&read, error);
	}
	if (status == QV_OK)
		*s = read;
	return status;
}
