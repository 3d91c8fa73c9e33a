/*
 * commands.c - the commands of a game in progress, each a function and a line of the table.
 * SPDX-License-Identifier: MIT
 *
 * A command reads its argument from talk.argument and changes the session; what it prints goes to
 * talk.out. It clears talk.drawn if the board has to be shown again. The last part has the commands
 * of games in which a turn has many moves, called orders.
 */
#include "terminal/commands.h"

#include "base/json.h"
#include "core/context.h"
#include "formats/game_file.h"
#include "formats/wthor.h"
#include "search/engine.h"
#include "terminal/turns.h"

enum {
	MOST_TURNS = 1000000000,
	HINT_LINES = 5, /* moves with their equities */
};

/* ---- Helpers ---- */

/* An empty text that is written into a buffer. */
static struct qv_text text_into(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct qv_text){ buffer, size, 0 };
}

/* The number in the argument; an empty one is 1. */
static enum qv_status read_number(struct talk *t, const char *name, int *out)
{
	int64_t number = 1;
	if (*t->argument && !text_to_int(t->argument, 1, MOST_TURNS, &number))
		return qv_fail(&t->error, QV_BAD_INPUT, "%s: '%.30s' is not a number from 1 on",
			       name, t->argument);
	*out = (int)number;
	return QV_OK;
}

/* The position changed for everybody: show it, and let computers that play alone wait. */
static void look_again(struct talk *t)
{
	t->drawn = false;
	t->paused = session_people(t->session) == 0;
}

/* Prints a list in columns, or the sentence if it is empty, and releases it. */
static enum qv_status show_list(struct talk *t, struct text_list *list, const char *if_empty)
{
	if (list->count)
		view_columns(&t->out, t->screen.width, list);
	else
		talk_say(t, "%s", if_empty);
	text_list_release(list);
	return QV_OK;
}

/* ---- Hints and lists ---- */

void talk_add_answer(struct talk *t, const struct qv_answer *a, struct string *out)
{
	const struct session *s = t->session;
	const struct qv_game *game = session_game(s);
	/* How good the move is for the seat to move. */
	const bool won = a->score > QV_MAX_EVAL, lost = a->score < -QV_MAX_EVAL;
	const int plies = QV_WIN - (won ? a->score : -a->score);
	if (a->proven && (won || lost))
		string_addf(out, "It %s in %d %s.", won ? "wins" : "loses", plies,
			    plies == 1 ? "ply" : "plies");
	else if (a->proven)
		string_addf(out, "It draws.");
	else if (a->unsolved)
		string_addf(out, "Not solved.");
	else if (won || lost)
		string_addf(out, "It seems to %s in %d plies, at depth %d.", won ? "win" : "lose",
			    plies, a->depth);
	else if (a->depth > 0)
		string_addf(out, "Score %d at depth %d.", a->score, a->depth);
	else if (*a->book && !t->trainer) /* the trainer names the opening itself */
		string_addf(out, "From the book: %s.", a->book);
	string_addf(out, " Line: ");
	/* The moves of the line have names only in the positions they are played in. */
	void *at = session_current(s)->scratch;
	const int length = a->line_length > 0 ? a->line_length : 1;
	memcpy(at, session_state(s), game->state_size);
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? a->line[i] : a->move;
		if (!qv_move_legal(game, at, move))
			break;
		string_addf(out, "%s%s", i ? ", " : "", move_name(s, at, move).text);
		game->play(at, move);
	}
}

/* Where the session is: the chapter, from 1, and the node of its record. */
static uint64_t position_now(const struct session *s, int32_t *node)
{
	const struct qv_record *record = session_record(s);
	*node = record->line[record->ply].node;
	return s->chapters[s->chapter].number + 1;
}

/* The current position has this hint. */
static void remember_hint(struct talk *t, qv_move move)
{
	t->hint = move;
	t->hint_chapter = position_now(t->session, &t->hint_node);
}

/* Prints the best candidates with their equities and how much they lose. False: there are none. */
static bool say_candidates(struct talk *t, const json_t *candidates)
{
	const struct session *s = t->session;
	const size_t count = json_array_size(candidates);
	double best = 0;
	qv_move first = QV_NO_MOVE;
	for (size_t i = 0; i < count && i < HINT_LINES; i++) {
		const json_t *c = json_array_get(candidates, i);
		const char *text = json_string_value(json_object_get(c, "move"));
		const double equity = json_number_value(json_object_get(c, "equity"));
		qv_move move;
		if (!text || !session_game(s)->move_parse(session_state(s), text, &move))
			return false;
		const struct move_name name = move_name(s, session_state(s), move);
		if (i == 0) {
			best = equity;
			first = move;
			talk_say(t, "Hint: %s.", name.text);
		}
		talk_say(t, "%zu. %s  %+.3f (%+.3f), %lld-ply", i + 1, name.text, equity,
			 equity - best, json_integer_value(json_object_get(c, "plies")));
	}
	if (count)
		remember_hint(t, first);
	return count > 0;
}

/* A hint with equities, from a player that has them. False: it has none, or failed. */
static bool hint_with_equities(struct talk *t, const char *spec)
{
	struct string text = { .allocator = t->session->allocator };
	struct qv_error error;
	bool said = false;
	const enum qv_status status = session_explain(t->session, spec, t->stop, &text, &error);
	if ((status == QV_OK || status == QV_STOPPED) && !text.failed) {
		json_t *o = json_loads(text.data, 0, NULL);
		said = say_candidates(t, json_object_get(o, "candidates"));
		json_decref(o);
	}
	string_release(&text);
	return said;
}

/*
 * hint [SPEC]: a good move, found by SPEC or by the session's adviser: with its score and line, or
 * with the moves next to it and their equities.
 */
static enum qv_status cmd_hint(struct talk *t)
{
	struct session *s = t->session;
	const enum session_turn turn = session_turn(s);
	struct qv_answer a;
	if (turn != TURN_PERSON && turn != TURN_COMPUTER)
		return qv_fail(&t->error, QV_ILLEGAL, "hint: there is no move to choose now");
	if (hint_with_equities(t, *t->argument ? t->argument : NULL))
		return QV_OK;
	const enum qv_status status =
		session_advise(s, *t->argument ? t->argument : NULL, t->stop, &a, &t->error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	struct string text = { .allocator = s->allocator };
	string_addf(&text, "Hint: %s. ", move_name(s, session_state(s), a.move).text);
	talk_add_answer(t, &a, &text);
	talk_flow(t, 2, &text);
	remember_hint(t, a.move);
	return QV_OK;
}

/* yes: plays the last hint, if it was for this position. */
static enum qv_status cmd_yes(struct talk *t)
{
	int32_t node;
	if (session_turn(t->session) != TURN_PERSON)
		return qv_fail(&t->error, QV_ILLEGAL, "yes: it is not your turn");
	if (position_now(t->session, &node) != t->hint_chapter || node != t->hint_node)
		return qv_fail(&t->error, QV_ILLEGAL, "yes: type 'hint' first");
	return talk_play(t, t->hint, true);
}

/* moves: the legal moves; a move with a number to choose is listed once, with its range. */
static enum qv_status cmd_moves(struct talk *t)
{
	struct text_list legal = { .allocator = t->session->allocator };
	legal_words(t->session, true, &legal);
	return show_list(t, &legal, "There are none: the game is over.");
}

/* line: the moves so far, numbered. */
static enum qv_status cmd_line(struct talk *t)
{
	struct text_list line = { .allocator = t->session->allocator };
	line_words(t->session, 0, &line);
	return show_list(t, &line, "No move has been played.");
}

/* variations: the moves that have been played from this position before and taken back. */
static enum qv_status cmd_variations(struct talk *t)
{
	struct session *s = t->session;
	const struct qv_record *record = session_record(s);
	const int count = qv_record_variations(record);
	struct text_list tried = { .allocator = s->allocator };
	for (int i = 0; i < count; i++) {
		const qv_move move = qv_record_variation(record, i);
		text_list_add(&tried, move_name(s, session_state(s), move).text);
	}
	return show_list(t, &tried, "Nothing has been tried from here.");
}

/* position: the position in the game's notation. */
static enum qv_status cmd_position(struct talk *t)
{
	char text[QV_POSITION_TEXT];
	struct qv_text out = text_into(text, sizeof text);
	session_game(t->session)->position_text(session_state(t->session), &out);
	view_flow(&t->out, t->screen.width, 0, text);
	return QV_OK;
}

/* ---- Undo, redo, moves of the computer ---- */

/* undo, or redo. */
static enum qv_status cmd_walk(struct talk *t)
{
	const bool redo = strcmp(t->command->name, "redo") == 0;
	int turns, plies = 0;
	enum qv_status status = read_number(t, redo ? "redo" : "undo", &turns);
	if (status == QV_OK)
		status = (redo ? session_redo : session_undo)(t->session, turns, &plies, &t->error);
	if (status != QV_OK)
		return status;
	if (plies < 0)
		talk_say(t, "To the %s game.", redo ? "later" : "earlier");
	look_again(t);
	return QV_OK;
}

/* go: the computer moves for a person, rolls for one, or continues after a stop. */
static enum qv_status cmd_go(struct talk *t)
{
	struct session *s = t->session;
	struct qv_answer answer;
	char middle[GAME_LEVEL_SPEC];
	const char *spec = middle;
	switch (session_turn(s)) {
	case TURN_OVER:
		return qv_fail(&t->error, QV_ILLEGAL, "go: the game is over");
	case TURN_TYPED_DICE:
		talk_roll(t);
		return QV_OK;
	case TURN_PERSON:
		break;
	default:
		t->paused = false;
		return QV_OK;
	}
	/* It moves for a person as the first computer plays, or at the middle level. */
	game_middle_level(session_game(s), middle);
	for (int seat = session_game(s)->seats - 1; seat >= 0; seat--)
		if (!session_is_person(s, seat))
			spec = session_spec(s, seat);
	const enum qv_status status = session_advise(s, spec, t->stop, &answer, &t->error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	return talk_play(t, answer.move, true);
}

/* ---- Seats ---- */

/* Prints who sits where. */
static enum qv_status say_seats(struct talk *t)
{
	for (int seat = 0; seat < session_game(t->session)->seats; seat++)
		talk_say(t, "seat %d: %s", seat + 1, session_spec(t->session, seat));
	return QV_OK;
}

/* level [N]: changes the level of all computers, or prints the levels and the seats. */
static enum qv_status cmd_level(struct talk *t)
{
	int level;
	enum qv_status status = read_number(t, "level", &level);
	if (status != QV_OK)
		return status;
	if (!*t->argument) {
		talk_say(t, "Levels are 1 (the easiest) to %d.",
			 game_level_count(session_game(t->session)));
		return say_seats(t);
	}
	status = session_set_level(t->session, level, &t->error);
	if (status == QV_OK)
		talk_say(t, "The computer plays at level %d from here on.", level);
	return status;
}

/* swap: everybody moves to the next seat. */
static enum qv_status cmd_swap(struct talk *t)
{
	session_swap(t->session);
	t->drawn = false;
	return say_seats(t);
}

/* seat [N SPEC]: changes the player of a seat, or prints the seats. `seat 2=SPEC` works, too. */
static enum qv_status cmd_seat(struct talk *t)
{
	/* There are fewer than ten seats, so a number has one digit. */
	const size_t digits = strspn(t->argument, "0123456789");
	const char *spec = t->argument + digits + strspn(t->argument + digits, " \t=");
	const int seat = digits == 1 ? t->argument[0] - '0' : 0;
	if (!*t->argument)
		return say_seats(t);
	if (!seat || !*spec)
		return qv_fail(&t->error, QV_BAD_INPUT,
			       "seat: a number and who sits there, as 'seat 2 level:3'");
	const enum qv_status status = session_set_seat(t->session, seat - 1, spec, &t->error);
	if (status != QV_OK)
		return status;
	t->drawn = false;
	return say_seats(t);
}

/* resign: the person to move gives up, or the first person if no person is to move. */
static enum qv_status cmd_resign(struct talk *t)
{
	struct session *s = t->session;
	bool taken_over;
	int seat = session_seat(s);
	if (session_turn(s) == TURN_OVER)
		return qv_fail(&t->error, QV_ILLEGAL, "resign: the game is over");
	if (session_people(s) == 0)
		return qv_fail(&t->error, QV_ILLEGAL, "resign: no person plays");
	/* The person to move, else the first one. */
	for (int i = 0; seat < 0 || !session_is_person(s, seat); i++)
		seat = i;
	const struct seat_name name = seat_name(s, seat, true);
	const bool you = session_people(s) == 1;
	const enum qv_status status = session_give_up(s, seat, "resigns", &taken_over, &t->error);
	if (status != QV_OK)
		return status;
	talk_say(t, "%s %s.%s", name.text, you ? "resign" : "resigns",
		 taken_over ? " The computer plays on." : "");
	t->drawn = false;
	return QV_OK;
}

/* ---- Thoughts, the bell and the tutor ---- */

/* thoughts [HOW], bell [HOW] or tutor [HOW]: switches it on or off, and prints which it is. */
static enum qv_status cmd_switch(struct talk *t)
{
	const bool bell = strcmp(t->command->name, "bell") == 0;
	const bool tutor = strcmp(t->command->name, "tutor") == 0;
	bool *on = bell ? &t->bell : tutor ? &t->tutor : &t->thoughts;
	if (tutor && !session_game(t->session)->chance)
		return qv_fail(&t->error, QV_UNSUPPORTED, "tutor: only in games with dice");
	if (text_same(t->argument, "on") || text_same(t->argument, "off"))
		*on = text_same(t->argument, "on");
	else if (*t->argument)
		return qv_fail(&t->error, QV_BAD_INPUT, "%s: 'on' or 'off' is expected",
			       t->command->name);
	if (bell)
		talk_say(t, *on ? "The bell rings when the computer has moved and when a line is "
				  "refused."
				: "The bell is off.");
	else if (tutor)
		talk_say(t, *on ? "The tutor reports doubtful, bad and very bad moves."
				: "The tutor is off.");
	else
		talk_say(t, *on ? "The computer's thoughts are shown."
				: "The computer's thoughts are not shown.");
	return QV_OK;
}

/* ---- Dice and clocks ---- */

/* dice [HOW]: whether the person types the rolls or the program rolls. */
static enum qv_status cmd_dice(struct talk *t)
{
	bool *typed = &t->session->setup.typed_dice;
	if (!session_game(t->session)->chance)
		return qv_fail(&t->error, QV_UNSUPPORTED, "dice: this game has none");
	if (strcmp(t->argument, "typed") == 0)
		*typed = true;
	else if (strcmp(t->argument, "thrown") == 0)
		*typed = false;
	else if (*t->argument)
		return qv_fail(&t->error, QV_BAD_INPUT, "dice: 'typed' or 'thrown' is expected");
	talk_say(t, *typed ? "You type the rolls." : "The program rolls the dice.");
	return QV_OK;
}

/* roll [ROLL]: rolls the dice, or plays the roll that was typed. */
static enum qv_status cmd_roll(struct talk *t)
{
	const enum session_turn turn = session_turn(t->session);
	const bool paused = turn == TURN_DICE && t->paused && !*t->argument;
	if (turn != TURN_TYPED_DICE && !paused)
		return qv_fail(
			&t->error, QV_ILLEGAL,
			"roll: there is nothing to roll now ('dice typed' lets you type rolls)");
	if (*t->argument)
		return talk_roll_typed(t, t->argument);
	talk_roll(t);
	return QV_OK;
}

/* clock [TIME]: changes the time control, which resets all clocks, and prints the clocks. */
static enum qv_status cmd_clock(struct talk *t)
{
	struct time_control control;
	struct session *s = t->session;
	struct game_clock *clock = &session_current(s)->clock;
	char text[64];
	struct qv_text out = text_into(text, sizeof text);
	if (*t->argument && !time_control_parse(t->argument, &control))
		return qv_fail(&t->error, QV_BAD_INPUT,
			       "clock: '%.30s' is no time; 5m, 300+3 or off", t->argument);
	if (*t->argument)
		game_clock_init(clock, &control);
	time_control_text(&clock->control, &out);
	talk_say(t, "Clock: %s.", text);
	for (int seat = 0; game_clock_on(clock) && seat < session_game(s)->seats; seat++) {
		out = text_into(text, sizeof text);
		put_clock(&out, session_left_ms(s, seat));
		talk_say(t, "%s: %s", seat_name(s, seat, true).text, text);
	}
	return QV_OK;
}

/* ---- Positions, notes, files ---- */

/* edit [POSITION]: begins a game from a position. Without one, the next line is the position. */
static enum qv_status cmd_edit(struct talk *t)
{
	if (!*t->argument) {
		talk_say(t, "The position now:");
		t->wants_position = true;
		return cmd_position(t);
	}
	const enum qv_status status = session_edit(t->session, t->argument, &t->error);
	if (status == QV_OK)
		look_again(t);
	return status;
}

/* new: begins a new game from the same start, with the same seats. */
static enum qv_status cmd_new(struct talk *t)
{
	const enum qv_status status = session_new_game(t->session, &t->error);
	if (status != QV_OK)
		return status;
	talk_say(t, "A new game ('undo' goes back).");
	t->drawn = t->paused = false;
	return QV_OK;
}

/* note [TEXT]: stores a note on this position, or prints the one that it has. */
static enum qv_status cmd_note(struct talk *t)
{
	struct qv_record *record = session_record(t->session);
	if (!*t->argument) {
		const char *note = qv_record_note_text(record);
		talk_say(t, "%s", note ? note : "There is no note here.");
		return QV_OK;
	}
	const enum qv_status status = qv_record_note(record, t->argument);
	if (status == QV_BAD_INPUT)
		return qv_fail(&t->error, status, "note: it is not UTF-8, or too long");
	if (status != QV_OK)
		return qv_fail(&t->error, status, "note: out of memory");
	talk_say(t, "Noted.");
	return QV_OK;
}

/* The file of this path holds the game as it is now. */
static void mark_saved(struct talk *t, const char *path)
{
	const struct session *s = t->session;
	memmove(t->path, path, strlen(path) + 1);
	t->saved_length = session_record(s)->journal.length;
	t->saved_chapter = s->chapters[s->chapter].number;
}

/* save, or save! */
static enum qv_status cmd_save(struct talk *t)
{
	const struct session *s = t->session;
	const char *path = *t->argument ? t->argument : t->path;
	if (!*path)
		return qv_fail(&t->error, QV_BAD_INPUT, "save: in which file?");
	if (strlen(path) >= TALK_PATH)
		return qv_fail(&t->error, QV_BAD_INPUT, "save: the name is too long");
	if (!t->files.save)
		return qv_fail(&t->error, QV_UNSUPPORTED, "save: files are not at hand here");
	/* Its own file may be written again. */
	const bool over = strcmp(t->command->name, "save!") == 0 || strcmp(path, t->path) == 0;
	struct string pgn = { .allocator = s->allocator };
	/* The extension of the name decides: PGN, or else the journal of the record. */
	const struct string *text = pgn_is_name(path) ? &pgn : &session_record(s)->journal;
	enum qv_status status = QV_OK;
	if (text == &pgn)
		status = pgn_write(s->setup.context, session_record(s), NULL, &pgn, &t->error);
	if (status == QV_OK)
		status = t->files.save(t->files.ctx, path, text->data, text->length, over,
				       &t->error);
	string_release(&pgn);
	if (status == QV_ILLEGAL)
		return qv_fail(&t->error, status,
			       "%.60s: already exists; 'save! FILE' overwrites it", path);
	if (status != QV_OK)
		return status;
	mark_saved(t, path);
	talk_say(t, "Saved in %s.", t->path);
	return QV_OK;
}

/* Loads a record, or the first game of a file in another format. */
static enum qv_status cmd_load(struct talk *t)
{
	struct session *s = t->session;
	struct string data = { .allocator = s->allocator }, journal = { .allocator = s->allocator };
	struct string *text = &data;
	if (!*t->argument || strlen(t->argument) >= TALK_PATH)
		return qv_fail(&t->error, QV_BAD_INPUT, "load: from which file?");
	if (!t->files.load)
		return qv_fail(&t->error, QV_UNSUPPORTED, "load: files are not at hand here");
	enum qv_status status = t->files.load(t->files.ctx, t->argument, &data, &t->error);
	const bool read = status == QV_OK;
	if (read && data.data && wthor_looks_like(data.data, data.length)) {
		text = &journal;
		status = wthor_to_journal(s->setup.context, data.data, data.length, &journal,
					  &t->error);
	} else if (read && data.data && game_file_looks_like(data.data, data.length)) {
		text = &journal;
		status = game_file_to_journal(s->setup.context, data.data, data.length,
					      (struct pgn_bounds){ 0 }, &journal, &t->error);
	}
	if (status == QV_OK)
		status = session_load(s, text->data ? text->data : "", text->length, &t->error);
	string_release(&data);
	string_release(&journal);
	/* What is wrong in the file is reported with its name; file errors have it already. */
	const struct qv_error why = t->error;
	if (read && status != QV_OK)
		qv_fail(&t->error, status, "%.60s: %.180s", t->argument, why.text);
	if (status != QV_OK)
		return status;
	mark_saved(t, t->argument);
	talk_say(t, "Loaded from %s ('undo' at its beginning goes back).", t->path);
	look_again(t);
	return QV_OK;
}

/* ---- Games in which a turn has many moves ---- */

void talk_orders(struct talk *t)
{
	struct text_list list = { .allocator = t->session->allocator };
	struct string text = { .allocator = t->session->allocator };
	turns_orders(t->session, &list);
	string_addf(&text,
		    list.count ? "Orders of this turn:" : "No orders yet; 'end' ends the turn.");
	for (int i = 0; i < list.count; i++)
		string_addf(&text, "%s %s", i ? ";" : "", list.text[i]);
	talk_flow(t, 2, &text);
	t->out.failed |= list.failed;
	text_list_release(&list);
}

void talk_news(struct talk *t, int since)
{
	struct string news = { .allocator = t->session->allocator };
	turns_news(t->session, since, &news);
	talk_flow(t, 2, &news);
}

/* orders: the orders of this turn, a line each. */
static enum qv_status cmd_orders(struct talk *t)
{
	if (session_turn(t->session) == TURN_OVER)
		return qv_fail(&t->error, QV_ILLEGAL, "orders: the game is over");
	struct text_list list = { .allocator = t->session->allocator };
	turns_orders(t->session, &list);
	for (int i = 0; i < list.count; i++)
		talk_say(t, "%s", list.text[i]);
	if (list.count)
		talk_say(t, "'revoke N' takes one back; 'end' ends the turn.");
	else
		talk_orders(t);
	text_list_release(&list);
	return QV_OK;
}

/* revoke [N]: takes back order N, the last one, or all. */
static enum qv_status cmd_revoke(struct talk *t)
{
	struct text_list list = { .allocator = t->session->allocator };
	const bool all = text_same(t->argument, "all");
	struct move_name revoked;
	turns_orders(t->session, &list);
	/* Without an argument, the last order. */
	int64_t number = list.count;
	text_list_release(&list);
	if (!all && *t->argument && !text_to_int(t->argument, 1, INT32_MAX, &number))
		return qv_fail(&t->error, QV_BAD_INPUT,
			       "revoke: '%.30s' is not the number of an order, nor 'all'",
			       t->argument);
	const enum qv_status status =
		all ? session_revoke_all(t->session, &t->error)
		    : session_revoke(t->session, (int)number, &revoked, &t->error);
	if (status != QV_OK)
		return status;
	talk_say(t, "Revoked: %s.", all ? "all orders of this turn" : revoked.text);
	t->drawn = false;
	return QV_OK;
}

/* news: what happened since the person's last turn. */
static enum qv_status cmd_news(struct talk *t)
{
	const size_t before = t->out.length;
	talk_news(t, -1);
	if (t->out.length == before)
		talk_say(t, "No turn has ended yet.");
	return QV_OK;
}

/* ---- Help ---- */

/* rules: the rules of the game. */
static enum qv_status cmd_rules(struct talk *t)
{
	const char *help = session_game(t->session)->help;
	struct string text = { .allocator = t->session->allocator };
	view_unbreak(&text, help && *help ? help : "The game does not say.");
	if (text.data && !text.failed)
		view_prose(&t->out, t->screen.width, text.data);
	t->out.failed |= text.failed;
	string_release(&text);
	return QV_OK;
}

/* help: how to type moves, and the commands that this game has. */
static enum qv_status cmd_help(struct talk *t)
{
	const struct turn_words *words = turns_words(t->session);
	/* Which commands this game has. */
	const bool has[] = { [ANY_GAME] = true,
			     [DICE_GAMES] = session_game(t->session)->chance,
			     [TURN_GAMES] = words };
	struct text_list lines = { .allocator = t->session->allocator };
	if (words) {
		talk_say(t, "Orders: %s.", words->short_forms);
		for (int i = 0; words->orders[i]; i++)
			text_list_add(&lines, words->orders[i]);
		view_columns(&t->out, t->screen.width, &lines);
		text_list_release(&lines);
		talk_say(t, "%s", words->legend);
	}
	talk_say(t, words ? "Commands ('rules' has all of the rules):" : "A move, or:");
	for (const struct talk_command *c = talk_commands; c->name; c++) {
		char left[32], line[WORD_ROOM];
		if (!c->help || !has[c->games])
			continue;
		snprintf(left, sizeof left, "%s%s%s", c->name, *c->argument ? " " : "",
			 c->argument);
		snprintf(line, sizeof line, "%-15s %s", left, c->help);
		text_list_add(&lines, line);
	}
	view_columns(&t->out, t->screen.width, &lines);
	text_list_release(&lines);
	const struct play_words *own = context_engine(session_game(t->session))->words;
	if (own) {
		struct string keys = { .allocator = t->session->allocator };
		string_addf(&keys, "On your turn:");
		for (int i = 0; own->keys[i][0]; i++)
			string_addf(&keys, "%s %s is %s", i ? "," : "", own->keys[i][0],
				    own->keys[i][1]);
		string_addf(&keys, ".");
		talk_flow(t, 2, &keys);
	}
	talk_say(t, "Ctrl-C as it thinks: it moves now.");
	return QV_OK;
}

/* board: shows the board again, which the dialogue does whenever it is not drawn. */
static enum qv_status cmd_board(struct talk *t)
{
	t->drawn = false;
	return QV_OK;
}

/* quit: ends the dialogue. */
static enum qv_status cmd_quit(struct talk *t)
{
	t->quit = true;
	return QV_OK;
}

/* To add a command: a function above, a line here. The help is to fit 40 columns. */
const struct talk_command talk_commands[] = {
	{ "hint", "h", "[SPEC]", "a good move, its line", ANY_GAME, cmd_hint },
	{ "yes", "y", "", "play the hint", ANY_GAME, cmd_yes },
	{ "moves", "m", "", "the legal moves", ANY_GAME, cmd_moves },
	{ "orders", "o", "", "those of this turn", TURN_GAMES, cmd_orders },
	{ "revoke", "x", "[N]", "one of them, or 'all'", TURN_GAMES, cmd_revoke },
	{ "news", "n", "", "what the others did", TURN_GAMES, cmd_news },
	{ "undo", "u", "[N]", "back to your last move", ANY_GAME, cmd_walk },
	{ "redo", "r", "[N]", "the other way", ANY_GAME, cmd_walk },
	{ "go", "play", "", "the computer moves", ANY_GAME, cmd_go },
	{ "level", NULL, "[N]", "how strong it plays", ANY_GAME, cmd_level },
	{ "swap", NULL, "", "change sides", ANY_GAME, cmd_swap },
	{ "seat", "seats", "[N SPEC]", "who sits where", ANY_GAME, cmd_seat },
	{ "dice", NULL, "[HOW]", "typed or thrown", DICE_GAMES, cmd_dice },
	{ "roll", NULL, "[ROLL]", "roll, or type the roll", DICE_GAMES, cmd_roll },
	{ "clock", NULL, "[TIME]", "5m, 300+3 or off", ANY_GAME, cmd_clock },
	{ "thoughts", NULL, "[HOW]", "the computer's: on, off", ANY_GAME, cmd_switch },
	{ "tutor", NULL, "[HOW]", "your errors: on, off", DICE_GAMES, cmd_switch },
	{ "bell", NULL, "[HOW]", "at its moves: on, off", ANY_GAME, cmd_switch },
	{ "edit", NULL, "[POSITION]", "show it, set one up", ANY_GAME, cmd_edit },
	{ "position", NULL, "", NULL, ANY_GAME, cmd_position },
	{ "line", NULL, "", "the moves so far", ANY_GAME, cmd_line },
	{ "variations", NULL, "", "moves tried from here", ANY_GAME, cmd_variations },
	{ "note", NULL, "[TEXT]", "a note on the position", ANY_GAME, cmd_note },
	{ "save", NULL, "[FILE]", "save; save! over a file", ANY_GAME, cmd_save },
	{ "save!", NULL, "[FILE]", NULL, ANY_GAME, cmd_save },
	{ "load", NULL, "FILE", "continue a saved game", ANY_GAME, cmd_load },
	{ "resign", NULL, "", "give up", ANY_GAME, cmd_resign },
	{ "new", NULL, "", "a new game", ANY_GAME, cmd_new },
	{ "rules", NULL, "", "how the game goes", ANY_GAME, cmd_rules },
	{ "help", "?", "", "this list", ANY_GAME, cmd_help },
	{ "quit", "q", "", "leave", ANY_GAME, cmd_quit },
	{ "exit", "bye", "", NULL, ANY_GAME, cmd_quit },
	{ "board", "b", "", NULL, ANY_GAME, cmd_board },
	{ "back", "takeback", "[N]", NULL, ANY_GAME, cmd_walk },
	{ NULL, NULL, NULL, NULL, ANY_GAME, NULL },
};

const struct talk_command *talk_command_find(const char *name)
{
	for (const struct talk_command *c = talk_commands; c->name; c++)
		if (text_same(c->name, name) || (c->other && text_same(c->other, name)))
			return c;
	return NULL;
}

enum qv_status talk_command_run(struct talk *t, const struct talk_command *c, const char *argument)
{
	if (!*c->argument && *argument) {
		/* `exit` is named by the command it stands for. */
		const struct talk_command *first = talk_commands;
		while (first->run != c->run)
			first++;
		return qv_fail(&t->error, QV_BAD_INPUT, "%s: it takes nothing after it",
			       first->name);
	}
	if (c->games == TURN_GAMES && !turns_words(t->session))
		return qv_fail(&t->error, QV_UNSUPPORTED, "%s: in this game a turn is one move",
			       c->name);
	t->command = c;
	t->argument = argument;
	return c->run(t);
}
