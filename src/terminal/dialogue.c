/*
 * dialogue.c - a game in progress as a conversation: what happens next, and what a line means.
 * SPDX-License-Identifier: MIT
 */
#include "terminal/dialogue.h"

#include <stdarg.h>

#include "base/scan.h"
#include "base/options.h"
#include "core/context.h"
#include "terminal/commands.h"
#include "terminal/turns.h"

enum { SUGGESTIONS = 4, FAR = 255 };

void talk_say(struct talk *t, const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	view_flow(&t->out, t->screen.width, 0, text);
}

/* ---- What happens next ---- */

void talk_begin(struct talk *t)
{
	const struct session *s = t->session;
	t->out.allocator = s->allocator;
	talk_say(t, "%s", session_game(s)->title);
	for (int seat = 0; seat < session_game(s)->seats; seat++)
		if (!session_is_person(s, seat))
			talk_say(t, "%s is the computer.", seat_name(s, seat, true).text);
	if (t->lesson)
		talk_say(t, "To learn: %s. 'hint' tells how it goes on.", t->lesson);
	else if (t->trainer)
		talk_say(t, "To learn: a random opening. 'hint' shows how it continues.");
	talk_say(t, turns_words(s) ? "Type orders, then 'end'; 'help' lists them.\n"
				   : "Type a move, or 'help'.\n");
}

/* What the trainer's book calls the position, or that it does not know it any more. */
static void tell_book(struct talk *t)
{
	const struct session *s = t->session;
	const char *note;
	bool known;
	if (!t->trainer || !book_is_for(t->trainer, qv_record_rules(session_record(s))))
		return;
	const char *name = book_name(t->trainer, session_record(s)->state, &note, &known);
	if (*name)
		talk_say(t, "This is the opening %s.%s%s", name, *note ? " " : "", note);
	if (!known && !t->book_over)
		talk_say(t, "The book ends here: from now on everybody thinks.");
	t->book_over = !known;
}

/* Tells of the turns that have ended, if they have not been told yet. */
static void tell_turns(struct talk *t, bool aloud)
{
	struct session *s = t->session;
	const int ended = turns_ended_at(s);
	const uint64_t chapter = s->chapters[s->chapter].number;
	if (t->told_chapter != chapter || t->told > ended)
		t->told = -1; /* it went back: all that led here is new again */
	/* Each of several people sees all that happened since their own last turn. */
	if (aloud && t->told != ended)
		talk_news(t, session_turn(s) == TURN_PERSON ? -1 : t->told);
	t->told = ended;
	t->told_chapter = chapter;
}

static void show(struct talk *t)
{
	if (t->drawn)
		return;
	const bool turns = turns_words(t->session);
	const bool panels = turns && view_has_panels(t->session, &t->screen);
	if (turns)
		tell_turns(t, !panels);
	string_addf(&t->out, "\n");
	view_board(t->session, &t->screen, &t->out);
	view_status(t->session, &t->screen, &t->out);
	if (turns && !panels && session_turn(t->session) == TURN_PERSON)
		talk_orders(t);
	tell_book(t);
	t->drawn = true;
}

/* Where a turn is many moves: none of this one has been made. */
static bool is_turn_begun(const struct talk *t)
{
	struct session *s = t->session;
	return !turns_words(s) || turns_ended_at(s) == qv_record_ply(session_record(s));
}

enum talk_next talk_next(struct talk *t)
{
	if (t->quit)
		return TALK_QUIT;
	switch (session_turn(t->session)) {
	case TURN_DICE:
		if (!t->paused)
			return TALK_ROLL;
		break;
	case TURN_COMPUTER:
		if (!t->paused && session_persons(t->session) == 0 && is_turn_begun(t))
			show(t); /* somebody watches every move, or every turn */
		if (!t->paused)
			return TALK_THINK;
		break;
	default:
		break;
	}
	if (!t->wants_position)
		show(t);
	return TALK_ASK;
}

void talk_prompt(const struct talk *t, char prompt[TALK_PROMPT])
{
	const struct session *s = t->session;
	const int seat = session_seat(s);
	struct qv_text out = { prompt, TALK_PROMPT, 0 };
	const enum session_turn turn = session_turn(s);
	if (t->wants_position) {
		qv_put(&out, "position");
	} else if (turn == TURN_OVER) {
		qv_put(&out, "over");
	} else if (seat == QV_CHANCE) {
		qv_put(&out, "dice");
	} else {
		qv_put(&out, turn == TURN_COMPUTER ? "stopped, seat " : "seat ");
		qv_put_int(&out, seat + 1);
		if (game_clock_on(&session_current(s)->clock)) {
			qv_put_char(&out, ' ');
			put_clock(&out, session_left_ms(s, seat));
		}
	}
	qv_put(&out, "> ");
}

/* Says what went wrong. Whatever it was, the game goes on from where it is. */
static void complain(struct talk *t, const struct qv_error *error)
{
	const char last = error->text[0] ? error->text[strlen(error->text) - 1] : '\0';
	talk_say(t, "%s%s", error->text, last == '?' || last == '.' ? "" : ".");
}

/* What a player could not do with the end of a game does not undo it. */
static void tell_end(struct talk *t)
{
	struct qv_error error = { "" };
	if (session_tell_end(t->session, &error) != QV_OK)
		complain(t, &error);
}

void talk_roll(struct talk *t)
{
	struct qv_error error = { "" };
	qv_move rolled;
	void *before = session_current(t->session)->scratch;
	memcpy(before, session_state(t->session), session_game(t->session)->state_size);
	if (session_roll(t->session, &rolled, &error) != QV_OK) {
		complain(t, &error);
		t->paused = true; /* rather than forever */
		return;
	}
	talk_say(t, "Dice: %s.", move_name(t->session, before, rolled).text);
	t->drawn = false;
	tell_end(t);
}

enum qv_status talk_play(struct talk *t, qv_move move, bool say, struct qv_error *error)
{
	struct session *s = t->session;
	const int seat = session_seat(s);
	const struct move_name name = move_name(s, session_state(s), move);
	const enum qv_status status = session_play(s, move, error);
	if (status != QV_OK)
		return status;
	t->drawn = false;
	if (say && seat >= 0) {
		const bool you = session_is_person(s, seat) && session_persons(s) == 1;
		talk_say(t, "%s %s %s.", seat_name(s, seat, true).text, you ? "play" : "plays",
			 name.text);
	}
	tell_end(t);
	return QV_OK;
}

void talk_think(struct talk *t)
{
	struct qv_error error = { "" };
	struct qv_answer answer;
	enum qv_status status = session_think(t->session, t->stop, &answer, &error);
	const bool watched = session_persons(t->session) == 0;
	if (talk_check_flag(t))
		return;
	if (status == QV_STOPPED && watched) {
		t->paused = true;
		talk_say(t, "Stopped. 'go' goes on.");
		return;
	}
	const bool told = !turns_words(t->session); /* else the turn is told as a whole */
	if (status == QV_OK || status == QV_STOPPED)
		status = talk_play(t, answer.move, told, &error);
	if (status != QV_OK) {
		complain(t, &error);
		t->paused = true;
	}
	/* No person is asked any more, but may want to know how it goes on. */
	if (!told && !watched && is_turn_begun(t) &&
	    turns_without_person(t->session) >= session_game(t->session)->seats)
		tell_turns(t, true);
}

bool talk_check_flag(struct talk *t)
{
	struct session *s = t->session;
	struct qv_error error = { "" };
	const int seat = session_turn(s) == TURN_OVER ? -1 : session_flag(s);
	bool taken_over;
	if (seat < 0)
		return false;
	const struct seat_name name = seat_name(s, seat, true);
	session_clock_stop(s);
	if (session_give_up(s, seat, "time", &taken_over, &error) != QV_OK) {
		complain(t, &error);
		return false;
	}
	talk_say(t, "%s: the time is up.%s", name.text,
		 taken_over ? " The computer plays on." : "");
	t->drawn = t->wants_position = false;
	return true;
}

/* ---- What a line means ---- */

static bool begins_with_of(const char *text, const char *begin, size_t length)
{
	for (; length; text++, begin++, length--)
		if (to_lower(*text) != to_lower(*begin))
			return false;
	return true;
}

static bool begins_with(const char *text, const char *begin)
{
	return begins_with_of(text, begin, strlen(begin));
}

/* How far a legal move is from what was typed: what it begins with is near. */
static int distance_to(const char *move, const char *typed)
{
	if (begins_with(move, typed))
		return 1;
	const int distance = text_distance(move, typed);
	const size_t longest = strlen(move) > strlen(typed) ? strlen(move) : strlen(typed);
	return longest > 1 && distance <= 1 + (int)longest / 3 ? distance : FAR;
}

/* Adds ", near it: a, b" for the nearest legal moves; false: none is near. */
static bool add_suggestions(struct talk *t, const char *typed, struct qv_text *out)
{
	struct text_list legal = { .allocator = t->session->allocator };
	int added = 0;
	legal_words(t->session, false, &legal);
	for (int wanted = 0; wanted <= 8; wanted++)
		for (int i = 0; i < legal.count && added < SUGGESTIONS; i++) {
			if (distance_to(legal.text[i], typed) != wanted)
				continue;
			qv_put(out, added++ ? ", " : "");
			qv_put(out, legal.text[i]);
		}
	text_list_release(&legal);
	return added > 0;
}

/* Short words are near to too many: no order is near to them. */
static struct text_nearest nearest_order(const char *word)
{
	struct text_nearest nearest = text_nearest_to(word);
	for (const struct order *o = orders; o->name && strlen(word) > 2; o++)
		text_nearest_try(&nearest, o->name);
	if (nearest.distance > ((int)strlen(word) + 1) / 3)
		nearest.best = NULL;
	return nearest;
}

/* Neither a move nor a command: says what could have been meant. */
static void explain(struct talk *t, const char *line, const char *word, struct qv_error *error)
{
	char near[SUGGESTIONS * (QV_MOVE_TEXT + 2)] = "";
	struct qv_text out = { near, sizeof near, 0 };
	const enum session_turn turn = session_turn(t->session);
	const struct text_nearest order = nearest_order(word);
	if (order.best)
		qv_fail(error, QV_UNKNOWN, "'%.30s': no such command%s", line,
			suggest(&order).text);
	else if (turn == TURN_OVER)
		qv_fail(error, QV_UNKNOWN,
			"'%.30s': the game is over; 'new', 'undo', 'save FILE' or 'quit'", line);
	else if (turn == TURN_COMPUTER || turn == TURN_DICE)
		qv_fail(error, QV_UNKNOWN, "'%.30s': the computer is to move; 'go' lets it", line);
	else if (turn == TURN_TYPED_DICE)
		qv_fail(error, QV_UNKNOWN, "'%.30s': no such roll; 'moves' lists them", line);
	else if (add_suggestions(t, line, &out))
		qv_fail(error, QV_UNKNOWN, "'%.30s': not a legal move here; near it: %.150s", line,
			near);
	else
		qv_fail(error, QV_UNKNOWN,
			"'%.30s': neither a legal move ('moves') nor a command ('help')", line);
}

enum qv_status talk_roll_typed(struct talk *t, const char *text, struct qv_error *error)
{
	char whole[2 * QV_MOVE_TEXT];
	const struct qv_game *game = session_game(t->session);
	const void *state = session_state(t->session);
	qv_move move;
	snprintf(whole, sizeof whole, "roll %.100s", text);
	enum qv_status status = qv_move_parse(game, state, text, &move, error);
	if (status != QV_OK)
		status = qv_move_parse(game, state, whole, &move, NULL);
	return status == QV_OK ? talk_play(t, move, false, error) : status;
}

/* True: it was a move, and has been played or failed because memory ran out. */
static bool try_move(struct talk *t, const char *line)
{
	struct session *s = t->session;
	struct qv_error error = { "" };
	qv_move move;
	enum qv_status status;
	switch (session_turn(s)) {
	case TURN_PERSON:
		if (qv_move_parse(session_game(s), session_state(s), line, &move, NULL) != QV_OK)
			return false;
		status = talk_play(t, move, false, &error);
		break;
	case TURN_TYPED_DICE:
		status = talk_roll_typed(t, line, &error);
		if (status == QV_ILLEGAL)
			return false;
		break;
	default:
		return false;
	}
	if (status != QV_OK)
		complain(t, &error);
	return true;
}

/* The first word, and where the rest begins. */
static const char *split(const char *line, char *word, size_t size)
{
	const size_t length = strcspn(line, " \t");
	snprintf(word, size, "%.*s", length < size ? (int)length : (int)size - 1, line);
	line += length;
	return line + strspn(line, " \t");
}

/* An order of the game's that cannot be: `b A1` is one, though `b` alone is `board`. */
static bool is_refused_order(const struct talk *t, const struct order *order, const char *word,
			     const char *argument)
{
	const struct turn_words *words = turns_words(t->session);
	const bool command = order && (text_same(order->name, word) || !*argument);
	return words && session_turn(t->session) == TURN_PERSON && !command &&
	       words->is_order(word);
}

static void obey(struct talk *t, const char *line)
{
	char word[32];
	struct qv_error error = { "" };
	qv_move move;
	const char *begin = line + (*line == '/'); /* a command even where a move has that name */
	const char *argument = split(begin, word, sizeof word);
	const struct order *order = order_find(word);
	if (is_refused_order(t, order, word, argument))
		qv_move_parse(session_game(t->session), session_state(t->session), begin, &move,
			      &error);
	else if (!order)
		explain(t, line, word, &error);
	else if (order->run(t, argument, &error) == QV_OK)
		return;
	complain(t, &error);
}

static void set_position(struct talk *t, const char *text)
{
	struct qv_error error = { "" };
	t->wants_position = false;
	if (!*text)
		talk_say(t, "The position stays as it is.");
	else if (session_edit(t->session, text, &error) != QV_OK)
		complain(t, &error);
	t->drawn = *text && error.text[0];
	t->paused |= !t->drawn && session_persons(t->session) == 0;
}

/* An empty line: the move of a person that has no other; else the board once more. */
static void play_only_move(struct talk *t)
{
	struct qv_error error = { "" };
	const qv_move move =
		session_turn(t->session) == TURN_PERSON ? only_move(t->session) : QV_NO_MOVE;
	t->drawn = false;
	if (move != QV_NO_MOVE && talk_play(t, move, true, &error) != QV_OK)
		complain(t, &error);
}

void talk_line(struct talk *t, const char *text)
{
	struct string line = { .allocator = t->session->allocator };
	string_add(&line, text, strlen(text));
	if (line.failed) {
		talk_say(t, "line: out of memory.");
		return;
	}
	char *typed = scan_trim(line.data, " \t\r\n");
	if (t->wants_position)
		set_position(t, typed);
	else if (!*typed)
		play_only_move(t);
	else if (*typed == '/' || !try_move(t, typed))
		obey(t, typed);
	string_release(&line);
}

/* ---- The end, and completion ---- */

static bool is_saved(const struct talk *t)
{
	const struct session *s = t->session;
	return t->saved_length == session_record(s)->journal.length &&
	       t->saved_chapter == s->chapters[s->chapter].number;
}

void talk_end(struct talk *t)
{
	struct text_list line = { .allocator = t->session->allocator };
	struct string text = { .allocator = t->session->allocator };
	line_words(t->session, &line);
	if (line.count && !is_saved(t)) {
		string_addf(&text, "The game was not saved ('save FILE' does). Its moves:");
		for (int i = 0; i < line.count; i++)
			string_addf(&text, " %s", line.text[i]);
		if (!text.failed)
			view_flow(&t->out, t->screen.width, 0, text.data);
	}
	text_list_release(&line);
	string_release(&text);
}

/* Whether each word that was typed begins the word in its place: `m a1` begins `move A1 B2 20`. */
static bool words_begin(const char *text, const char *typed)
{
	while (*typed) {
		const size_t length = strcspn(typed, " ");
		if (length > strcspn(text, " ") || !begins_with_of(text, typed, length))
			return false;
		typed += length;
		if (!*typed)
			return true;
		typed += strspn(typed, " ");
		text += strcspn(text, " ");
		if (!*text)
			return false;
		text += strspn(text, " ");
	}
	return true;
}

/* The numbers that can follow a command. */
static void complete_numbers(const char *command, int most, const char *begin, struct text_list *out)
{
	for (int i = 1; i <= most; i++) {
		char text[WORD_ROOM];
		snprintf(text, sizeof text, "%s %d", command, i);
		if (words_begin(text, begin))
			text_list_add(out, text);
	}
}

static void complete_arguments(struct talk *t, const char *begin, struct text_list *out)
{
	struct text_list given = { .allocator = t->session->allocator };
	if (!strchr(begin, ' '))
		return;
	complete_numbers("level", game_level_count(session_game(t->session)), begin, out);
	if (!turns_words(t->session))
		return;
	turns_orders(t->session, &given);
	complete_numbers("revoke", given.count, begin, out);
	if (given.count && words_begin("revoke all", begin))
		text_list_add(out, "revoke all");
	text_list_release(&given);
}

void talk_complete(struct talk *t, const char *begin, struct text_list *out)
{
	struct text_list legal = { .allocator = t->session->allocator };
	const enum session_turn turn = session_turn(t->session);
	if (turn == TURN_PERSON || turn == TURN_TYPED_DICE)
		legal_words(t->session, false, &legal);
	for (int i = 0; i < legal.count; i++)
		if (words_begin(legal.text[i], begin))
			text_list_add(out, legal.text[i]);
	for (const struct order *o = orders; o->name; o++)
		if (begins_with(o->name, begin) &&
		    (!order_is_for_turns(o) || turns_words(t->session)))
			text_list_add(out, o->name);
	complete_arguments(t, begin, out);
	text_list_release(&legal);
}
