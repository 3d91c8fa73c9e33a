/*
 * client.c - the client's side of IMCS: what a server's lines mean.
 * SPDX-License-Identifier: MIT
 *
 * A state machine: greeting, login, the request (a list, an offer, or a game to accept), the game.
 * The board of each prompt has precedence over our own record: where they differ, a new record
 * begins with it. The server does not acknowledge our move; it counts until the server refuses it.
 */
#include "imcs/client.h"

#include "core/context.h"
#include "record/record.h"
#include "protocols/words.h"

enum client_state {
	STATE_GREETING,
	STATE_LOGIN,
	STATE_ENROLLING,
	STATE_ASKED,   /* the request was sent, and has no result yet */
	STATE_LISTING, /* inside a list */
	STATE_OFFERING,
	STATE_PLAYING,
	STATE_DONE,
};

enum {
	BOARD_RANKS = 6,
	BOARD_FILES = 5,
	LAST_MOVE = 40,	       /* of a game */
	LAG_MS = 50,	       /* lost with each move: the original's 42, and some */
	RESERVE_MS = 1000,     /* kept for the end */
	FIRST_MOST_MS = 20000, /* White's first move is free, for a minute */
	MOST_WORDS = 10,
};

/* ---- Life ---- */

/* Nothing is sent before the server has sent its greeting. */
enum qv_status imcs_client_init(struct imcs_client *c, const struct imcs_client_setup *setup,
				struct qv_error *error)
{
	*c = (struct imcs_client){ .setup = *setup,
				   .allocator = context_allocator(setup->context),
				   .board_lines = -1 };
	return qv_rules_parse(setup->context, "minichess", &c->rules, error);
}

void imcs_client_release(struct imcs_client *c)
{
	qv_record_free(c->record);
	c->record = NULL;
}

/*
 * Copies as much as fits, with a NUL. Characters below `least` and those that are not ASCII become
 * '?', so that nothing the server sends can confuse a terminal.
 */
static void copy_printable(char *to, size_t size, char least, const char *from, size_t length)
{
	size_t n = 0;
	for (; n < length && n < size - 1; n++)
		to[n] = from[n] >= least && from[n] <= '~' ? from[n] : '?';
	to[n] = '\0';
}

/* For messages of the driver: whatever the server sends is safe to print. */
static void keep_text(struct imcs_client *c, const char *line, size_t length)
{
	copy_printable(c->text, sizeof c->text, ' ', line, length);
}

/* A copy of a line that can be split into words; "": the line is too long to mean anything. */
struct line_copy {
	char text[CLIENT_TEXT];
};

static struct line_copy copy_line(const char *line, size_t length)
{
	struct line_copy copy;
	snprintf(copy.text, sizeof copy.text, "%.*s", length < CLIENT_TEXT ? (int)length : 0, line);
	return copy;
}

/* A record with the names of the players, as far as they are known. */
static enum qv_status new_record(const struct imcs_client *c, const char *position,
				 struct qv_record **out)
{
	char own[CLIENT_NAME];
	const char *seats[2];
	copy_printable(own, sizeof own, '!', c->setup.user, strlen(c->setup.user));
	seats[c->seat] = own;
	seats[!c->seat] = *c->opponent ? c->opponent : "?";
	return record_new_seated(c->setup.context, &c->rules, position, seats, 2, out, NULL);
}

/* The conversation ends here; further lines are ignored. */
static enum client_said refused(struct imcs_client *c, const char *line, size_t length)
{
	keep_text(c, line, length);
	c->state = STATE_DONE;
	return CLIENT_REFUSED;
}

/* ---- Login and request ---- */

/* " W", " B", or nothing, which is either. */
static const char *color_word(const struct imcs_client *c)
{
	return c->setup.color == 'W' ? " W" : c->setup.color == 'B' ? " B" : "";
}

/* A colour is sent only if one is wanted; otherwise the server decides. */
static void say_accept(const struct imcs_client *c, int64_t id, struct string *out)
{
	string_addf(out, "accept %lld%s\r\n", (long long)id, color_word(c));
}

/* Sends the request; to accept any game, the list comes first. */
static void say_wish(struct imcs_client *c, struct string *out)
{
	const struct imcs_client_setup *w = &c->setup;
	c->state = STATE_ASKED;
	c->found_id = 0;
	if (w->wish == CLIENT_LIST || (w->wish == CLIENT_ACCEPT && !w->id))
		string_addf(out, "list\r\n");
	else if (w->wish == CLIENT_OFFER)
		string_addf(out, "offer%s%s%s\r\n", color_word(c), w->times ? " " : "",
			    w->times ? w->times : "");
	else
		say_accept(c, w->id, out);
}

/* After CLIENT_WAIT. In any other state the request is still open. */
void imcs_client_again(struct imcs_client *c, struct string *out)
{
	if (c->state == STATE_ASKED)
		say_wish(c, out);
}

/* ---- Lists ---- */

/*
 * " <id> <offerer> <W|B|?> <time> <time> <rating> [offer]"; names may be anything but blank. Stores
 * the first offer that suits.
 */
static void see_offer(struct imcs_client *c, const char *line, size_t length)
{
	struct line_copy copy = copy_line(line, length);
	char *rest = copy.text, *words[MOST_WORDS];
	int count = 0;
	int64_t id;
	while (count < MOST_WORDS && *(words[count] = words_next(&rest)))
		count++;
	if (count != 7 || strcmp(words[6], "[offer]") != 0 || c->found_id ||
	    !text_to_int(words[0], 1, INT64_MAX, &id) || strcmp(words[1], c->setup.user) == 0)
		return;
	if (c->setup.color == '?' || words[2][0] != c->setup.color) {
		c->found_id = id;
		copy_printable(c->opponent, CLIENT_NAME, '!', words[1], strlen(words[1]));
	}
}

/*
 * A list ends with a line that is just a dot. Whoever wants the list gets it line by line; whoever
 * wants a game looks for an offer in it.
 */
static enum client_said list_line(struct imcs_client *c, const char *line, size_t length,
				  struct string *out)
{
	const bool end = length == 1 && *line == '.';
	if (c->setup.wish == CLIENT_LIST) {
		keep_text(c, line, length);
		c->state = end ? STATE_DONE : STATE_LISTING;
		return end ? CLIENT_OVER : CLIENT_LISTED;
	}
	if (!end) {
		see_offer(c, line, length);
		return CLIENT_ON;
	}
	c->state = STATE_ASKED;
	if (!c->found_id)
		return CLIENT_WAIT;
	c->id = c->found_id;
	say_accept(c, c->id, out);
	return CLIENT_ON;
}

/* ---- Replies with a code ---- */

/* The code of a reply, three digits; 0: the line has none. */
static int read_code(const char *line, size_t length)
{
	for (int i = 0; i < 3; i++)
		if ((size_t)i >= length || !is_digit(line[i]))
			return 0;
	if (length > 3 && line[3] != ' ')
		return 0;
	return 100 * (line[0] - '0') + 10 * (line[1] - '0') + line[2] - '0';
}

/* "105 W 5:00 5:00 game starts" */
static enum client_said begin(struct imcs_client *c, int seat, const char *line, size_t length)
{
	struct line_copy copy = copy_line(line, length);
	char *rest = copy.text;
	int64_t own = 300, other = 300;
	words_next(&rest);
	words_next(&rest);
	if (!imcs_read_time(words_next(&rest), &own) || !imcs_read_time(words_next(&rest), &other))
		own = other = 300;
	c->seat = seat;
	if (new_record(c, NULL, &c->record) != QV_OK)
		return refused(c, "out of memory", 13);
	c->state = STATE_PLAYING;
	c->playing = true;
	c->offering = false;
	c->own_ms = 1000 * own;
	c->other_ms = 1000 * other;
	return CLIENT_BEGINS;
}

/*
 * Replies are told apart by their code and by the state; the texts after the code are for people.
 * Codes from 400 on are errors, of which some are worth another attempt.
 */
static enum client_said code_line(struct imcs_client *c, int code, const char *line, size_t length,
				  struct string *out)
{
	const bool asking = c->state == STATE_ASKED || c->state == STATE_OFFERING;
	const bool greeted = c->state == STATE_GREETING && code == 100;
	if (greeted || (c->state == STATE_ENROLLING && code == 402)) { /* 402: the name exists */
		const bool enroll = greeted && c->setup.enroll;
		c->state = enroll ? STATE_ENROLLING : STATE_LOGIN;
		string_addf(out, "%s %s %s\r\n", enroll ? "register" : "me", c->setup.user,
			    c->setup.password);
		return CLIENT_ON;
	}
	if ((c->state == STATE_LOGIN && code == 201) ||
	    (c->state == STATE_ENROLLING && code == 202)) {
		say_wish(c, out);
		return CLIENT_IN;
	}
	if (asking && (code == 105 || code == 106))
		return begin(c, code - 105, line, length);
	if (c->state == STATE_ASKED && code == 103 && length > 4) {
		struct line_copy copy = copy_line(line + 4, strspn(line + 4, "0123456789"));
		if (!text_to_int(copy.text, 1, INT64_MAX, &c->id))
			c->id = 0;
		c->state = STATE_OFFERING;
		c->offering = true;
		return CLIENT_OFFERED;
	}
	if (c->state == STATE_ASKED && code == 211) {
		c->state = STATE_LISTING;
		keep_text(c, line, length);
		return c->setup.wish == CLIENT_LIST ? CLIENT_LISTED : CLIENT_ON;
	}
	if (c->state == STATE_OFFERING && code == 421) {
		c->state = STATE_ASKED;
		c->offering = false;
		return CLIENT_WAIT;
	}
	/* Any game would do, but it was taken meanwhile (408), or has the wrong colour (405). */
	if (c->state == STATE_ASKED && c->setup.wish == CLIENT_ACCEPT && !c->setup.id &&
	    (code == 408 || code == 405))
		return CLIENT_WAIT;
	if (code >= 400)
		return refused(c, line, length);
	c->strays++;
	return CLIENT_ON;
}

/* ---- The board ---- */

/* Collects the lines of a board: "7 B", then ranks. True: the line belongs to it. */
static bool board_line(struct imcs_client *c, const char *line, size_t length)
{
	size_t digits = 0, men = 0;
	while (digits < length && is_digit(line[digits]))
		digits++;
	while (men < length && is_one_of(line[men], "kqbnrpKQBNRP."))
		men++;
	const bool head = digits > 0 && digits <= 3 && length == digits + 2 &&
			  line[digits] == ' ' && is_one_of(line[digits + 1], "WB");
	const bool rank = length == BOARD_FILES && men == BOARD_FILES;
	if (head) {
		c->board[0] = '\0';
		c->board_lines = 0;
	} else if (c->board_lines < 0 || c->board_lines >= BOARD_RANKS || !rank) {
		return false;
	} else {
		c->board_lines++;
	}
	const size_t have = strlen(c->board);
	snprintf(c->board + have, sizeof c->board - have, "%s%.*s", have ? "/" : "", (int)length,
		 line);
	return true;
}

/* Writes the position in the game's notation. */
static void put_position(const struct imcs_client *c, char text[QV_POSITION_TEXT])
{
	struct qv_text out = { text, QV_POSITION_TEXT, 0 };
	c->rules.game->position_text(qv_record_state(c->record), &out);
}

/* Takes over the server's board. False: it is not valid, or we have no move in it. */
static bool take_board(struct imcs_client *c)
{
	struct qv_record *record = NULL;
	int32_t points[QV_MAX_SEATS];
	char ours[QV_POSITION_TEXT];
	const bool whole = c->board_lines == BOARD_RANKS;
	c->board_lines = -1;
	put_position(c, ours);
	if (whole && strcmp(ours, c->board) != 0) {
		if (new_record(c, c->board, &record) != QV_OK)
			return false;
		qv_record_free(c->record);
		c->record = record;
		c->refused_count = 0;
	}
	return qv_record_result(c->record, points) == QV_GOING &&
	       c->rules.game->seat(qv_record_state(c->record)) == c->seat;
}

/* ---- The game ---- */

/* "05:00.000" */
static bool read_clock(const char *word, int64_t *ms)
{
	int64_t minutes, seconds, rest;
	char copy[24], *colon, *dot;
	if (strlen(word) >= sizeof copy)
		return false;
	memcpy(copy, word, strlen(word) + 1);
	if (!(colon = strchr(copy, ':')) || !(dot = strchr(colon, '.')))
		return false;
	*colon = *dot = '\0';
	if (!text_to_int(copy, 0, 1000000, &minutes) || !text_to_int(colon + 1, 0, 99, &seconds) ||
	    strlen(dot + 1) != 3 || !text_to_int(dot + 1, 0, 999, &rest))
		return false;
	*ms = 60000 * minutes + 1000 * seconds + rest;
	return true;
}

/* "? 05:00.000 05:00.000": our turn, with both clocks. */
static enum client_said prompt(struct imcs_client *c, const char *line, size_t length,
			       struct string *out)
{
	struct line_copy copy = copy_line(line, length);
	char *rest = copy.text;
	int64_t own, other;
	words_next(&rest);
	if (read_clock(words_next(&rest), &own) && read_clock(words_next(&rest), &other)) {
		c->own_ms = own;
		c->other_ms = other;
	}
	c->moved = false;
	if (take_board(c))
		return CLIENT_TURN;
	c->strays++;
	string_addf(out, "resign\r\n"); /* asked for a move without a legal one */
	return CLIENT_ON;
}

/* The line has no NUL at its end. */
static bool starts(const char *line, size_t length, const char *with)
{
	return length >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

/* "W wins on opponent time", "draw" */
static void take_result(struct imcs_client *c, const char *text, size_t length)
{
	if (c->has_result || !(starts(text, length, "W wins") || starts(text, length, "B wins") ||
			       starts(text, length, "draw")))
		return;
	keep_text(c, text, length);
	c->has_result = true;
	c->winner = *text == 'd' ? -1 : *text == 'W' ? IMCS_WHITE : IMCS_BLACK;
	qv_record_end(c->record, c->winner,
		      strlen(c->text) > 7 ? c->text + 7 : "so says the server");
}

/* The game is over, with a result or without. */
static enum client_said finish(struct imcs_client *c)
{
	c->state = STATE_DONE;
	c->over = true;
	if (!c->has_result) {
		snprintf(c->text, sizeof c->text, "no result");
		qv_record_end(c->record, QV_UNDECIDED, c->text);
	}
	return CLIENT_OVER;
}

/*
 * During a game, lines begin with a mark: ? is a prompt, ! a move of the opponent, - a refusal, =
 * a result, X the end of a game that the server broke off. A board precedes each prompt.
 */
static enum client_said game_line(struct imcs_client *c, const char *line, size_t length,
				  struct string *out)
{
	const int code = read_code(line, length), ply = qv_record_ply(c->record);
	if (length == 0 || board_line(c, line, length))
		return CLIENT_ON;
	if (line[0] == '?')
		return prompt(c, line, length, out);
	if (code >= 230 && code <= 232 && length > 4) {
		take_result(c, line + 4, length - 4);
		return finish(c);
	}
	if (line[0] == '!' && length > 2) {
		/* The opponent's move. If it does not fit our record, the next board corrects us. */
		const struct line_copy move = copy_line(line + 2, length < 10 ? length - 2 : 0);
		qv_move parsed;
		c->moved = false;
		c->refused_count = 0;
		if (qv_move_parse(c->rules.game, qv_record_state(c->record), move.text, &parsed,
				  NULL) != QV_OK ||
		    qv_record_play(c->record, parsed, -1, NULL) != QV_OK)
			c->strays++;
	} else if (line[0] == '-' && c->moved && ply) {
		/* Our last move was refused. */
		if (c->refused_count < CLIENT_REFUSALS)
			c->refused[c->refused_count++] = qv_record_move(c->record, ply - 1);
		qv_record_undo(c->record, 1, NULL);
		c->moved = false;
	} else if (line[0] == '=' && length > 2) {
		take_result(c, line + 2, length - 2);
	} else if (line[0] == 'X') {
		return finish(c);
	} else if (line[0] != '-') {
		c->strays++; /* "B send move request failed: ..." */
	}
	return CLIENT_ON;
}

/* The state decides how a line is read. Empty lines separate boards and mean nothing elsewhere. */
enum client_said imcs_client_line(struct imcs_client *c, const char *line, size_t length,
				  struct string *out)
{
	const int code = read_code(line, length);
	if (c->state == STATE_DONE)
		return CLIENT_ON;
	if (c->state == STATE_PLAYING)
		return game_line(c, line, length, out);
	if (c->state == STATE_LISTING)
		return list_line(c, line, length, out);
	if (code)
		return code_line(c, code, line, length, out);
	c->strays += length > 0;
	return CLIENT_ON;
}

/* The original server closes without a word after a game, so an end in a game is not an error. */
enum client_said imcs_client_end(struct imcs_client *c)
{
	if (c->state == STATE_DONE)
		return CLIENT_OVER;
	if (c->state == STATE_PLAYING)
		return finish(c);
	static const char closed[] = "the server closed the connection";
	return refused(c, closed, sizeof closed - 1);
}

/* ---- Our turn ---- */

/*
 * The clock is divided evenly among the moves up to the last possible one, less a reserve.
 * Minichess games end after LAST_MOVE moves, so no game needs more.
 */
int64_t imcs_client_time(const struct imcs_client *c)
{
	/* A position begins with the number of the move. */
	char text[QV_POSITION_TEXT];
	int64_t number = 1;
	put_position(c, text);
	text[strcspn(text, " ")] = '\0';
	if (!text_to_int(text, 1, LAST_MOVE, &number))
		number = LAST_MOVE;
	const int64_t left = LAST_MOVE + 1 - number;
	const bool free_move = number == 1 && c->seat == IMCS_WHITE;
	int64_t reserve = c->own_ms / 10;
	if (reserve > RESERVE_MS)
		reserve = RESERVE_MS;
	int64_t time = (c->own_ms - reserve) / left;
	if (free_move)
		time = 2 * time < FIRST_MOST_MS ? 2 * time : FIRST_MOST_MS;
	else
		time -= time > 2 * LAG_MS ? LAG_MS : time / 2;
	return time > 0 ? time : 1;
}

/* The move counts at once in our record; the server sends nothing back if it accepts it. */
enum qv_status imcs_client_move(struct imcs_client *c, qv_move move, double seconds,
				struct string *out, struct qv_error *error)
{
	char text[QV_MOVE_TEXT];
	struct qv_text to = { text, sizeof text, 0 };
	if (move == QV_NO_MOVE) {
		string_addf(out, "resign\r\n");
		return QV_OK;
	}
	c->rules.game->move_text(qv_record_state(c->record), move, &to);
	const enum qv_status status = qv_record_play(c->record, move, seconds, error);
	if (status != QV_OK)
		return status;
	/* The server counts what the way of the lines takes, too, and reports that at the next prompt. */
	const int64_t left_ms = c->own_ms - (int64_t)(seconds * 1000);
	qv_record_clock(c->record, c->seat, left_ms > 0 ? left_ms : 0);
	c->moved = true;
	string_addf(out, "%s\r\n", text);
	return QV_OK;
}
