/*
 * text.c - positions and moves of backgammon as text.
 * SPDX-License-Identifier: MIT
 *
 * A position is the men of each seat by place, as the seat counts, from the rear, then the seat to
 * move and its roll, or - before it: `24:2,13:5,8:3,6:5 bar:1,13:5,8:4,6:5 2 31`. Before the
 * opening roll both are -. The parser also accepts a position ID of GNU Backgammon in place of the
 * men. Moves are written as GNU Backgammon does: `8/5 6/5`, `bar/22 13/11*`, `6/off(2)`.
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

void backgammon_move_text(const struct backgammon *s, qv_move move, struct qv_text *out)
{
	struct way ways[BACKGAMMON_STEPS];
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

/*
 * Parts may come in any order, and one man's steps may be joined or not. Stars may be left out. If
 * the text allows several turns, which differ in what they hit on the way, it means the one that
 * hits on the named points only.
 */
bool backgammon_move_parse(const struct backgammon *s, const char *text, qv_move *move)
{
	struct typed t = { { { 0, 0 }, 0 }, 0, 0 };
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
	if (s->phase == BACKGAMMON_MOVE)
		qv_put_int(out, 10 * s->dice[0] + s->dice[1]);
	else
		qv_put_char(out, '-');
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

/* Reads the seat to move and the roll. */
static enum qv_status read_turn_and_roll(const char *text, struct backgammon *s,
					 struct qv_error *error)
{
	if (!strcmp(text, "- -")) {
		s->phase = BACKGAMMON_OPENING;
		return QV_OK;
	}
	if ((text[0] != '1' && text[0] != '2') || text[1] != ' ')
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the seat to move, 1 or 2, and a blank");
	s->turn = (uint8_t)(text[0] - '1');
	s->phase = BACKGAMMON_ROLL;
	text += 2;
	if (!strcmp(text, "-"))
		return QV_OK;
	if (text[0] < '1' || text[0] > '6' || text[1] < '1' || text[1] > text[0] || text[2])
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected a roll such as 31, larger die first, or '-'");
	s->phase = BACKGAMMON_MOVE;
	s->dice[0] = (uint8_t)(text[0] - '0');
	s->dice[1] = (uint8_t)(text[1] - '0');
	return QV_OK;
}

/* Whether no man can enter against this seat's home board. */
static bool is_closed(const uint8_t *men)
{
	for (int point = 1; point <= BACKGAMMON_HOME; point++)
		if (men[point] < 2)
			return false;
	return true;
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
	if (s->phase == BACKGAMMON_OPENING && memcmp(s, &start, sizeof start) != 0)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the opening roll needs the start position");
	if (s->men[0][BACKGAMMON_BAR] && s->men[1][BACKGAMMON_BAR] && is_closed(s->men[0]) &&
	    is_closed(s->men[1]))
		return qv_fail(error, QV_ILLEGAL,
			       "position: both seats are on the bar against a closed board");
	if (s->men[s->turn][BACKGAMMON_OFF] == BACKGAMMON_MEN)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the seat to move has already borne off all its men");
	if (backgammon_has_ended(s) && s->phase == BACKGAMMON_MOVE)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the game is over, so there can be no roll");
	return QV_OK;
}

enum qv_status backgammon_position_parse(struct backgammon *s, const int64_t *options,
					 const char *text, struct qv_error *error)
{
	struct backgammon read = { .phase = BACKGAMMON_ROLL };
	enum qv_status status = QV_OK;
	(void)options;
	if (strcspn(text, ": ") == BACKGAMMON_ID && text[BACKGAMMON_ID] != ':') {
		/* The ID depends on the seat to move, so read that first. */
		if (text[BACKGAMMON_ID])
			status = read_turn_and_roll(text + BACKGAMMON_ID + 1, &read, error);
		if (status == QV_OK && !backgammon_read_id(text, &read))
			status = qv_fail(error, QV_BAD_INPUT, "position: this is no position ID");
	} else {
		for (int seat = 0; seat < 2 && status == QV_OK; seat++)
			status = read_men(&text, read.men[seat], seat, error);
		if (status == QV_OK)
			status = read_turn_and_roll(text, &read, error);
	}
	if (status == QV_OK)
		status = backgammon_check(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}
