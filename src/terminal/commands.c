/*
 * commands.c - the commands of a game in progress, each a function and a line of the table.
 * SPDX-License-Identifier: MIT
 */
#include "terminal/commands.h"

#include "terminal/turns.h"
#include "formats/pgn.h"

enum { MOST_TURNS = 1000000000 };

/* ---- Small things they share ---- */

static struct qv_text text_into(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct qv_text){ buffer, size, 0 };
}

static enum qv_status needs_nothing(const char *argument, const char *name, struct qv_error *error)
{
	return *argument ? qv_fail(error, QV_BAD_INPUT, "%s: it takes nothing after it", name)
			 : QV_OK;
}

/* The number in an argument; an empty one is `fallback`. */
static enum qv_status read_number(const char *argument, const char *name, int fallback, int *out,
				  struct qv_error *error)
{
	int64_t number = fallback;
	if (*argument && !text_to_int(argument, 1, MOST_TURNS, &number))
		return qv_fail(error, QV_BAD_INPUT, "%s: '%.30s' is not a number from 1 on", name,
			       argument);
	*out = (int)number;
	return QV_OK;
}

/* Something changed under everybody: show it, and let computers that play alone wait. */
static void look_again(struct talk *t)
{
	t->drawn = false;
	t->paused = session_persons(t->session) == 0;
}

/* ---- Hints and lists ---- */

/* How good the answer is for who asked. */
static void put_score(const struct qv_answer *a, struct qv_text *out)
{
	char text[64];
	const bool won = a->score > QV_MAX_EVAL, lost = a->score < -QV_MAX_EVAL;
	const int plies = QV_WIN - (won ? a->score : -a->score);
	if (a->proven && (won || lost))
		snprintf(text, sizeof text, "It %s in %d %s.", won ? "wins" : "loses", plies,
			 plies == 1 ? "ply" : "plies");
	else if (a->proven)
		snprintf(text, sizeof text, "It draws.");
	else if (a->depth > 0)
		snprintf(text, sizeof text, "Score %d at depth %d.", a->score, a->depth);
	else
		text[0] = '\0';
	qv_put(out, text);
}

/* The line's moves have names only in the positions they are played in. */
static void add_line(struct session *s, const struct qv_answer *a, struct string *out)
{
	const struct qv_game *game = session_game(s);
	const int length = a->line_length > 0 ? a->line_length : 1;
	memcpy(session_current(s)->scratch, session_state(s), game->state_size);
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? a->line[i] : a->move;
		if (!qv_move_legal(game, session_current(s)->scratch, move))
			break;
		string_addf(out, "%s%s", i ? ", " : "", move_name(s, session_current(s)->scratch, move).text);
		game->play(session_current(s)->scratch, move);
	}
}

static enum qv_status order_hint(struct talk *t, const char *argument, struct qv_error *error)
{
	struct session *s = t->session;
	struct qv_answer a;
	char score[64];
	struct qv_text out = text_into(score, sizeof score);
	const enum session_turn turn = session_turn(s);
	if (turn != TURN_PERSON && turn != TURN_COMPUTER)
		return qv_fail(error, QV_ILLEGAL, "hint: there is no move to choose now");
	enum qv_status status = session_advise(s, *argument ? argument : NULL, t->stop, &a, error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	put_score(&a, &out);
	struct string text = { .allocator = s->allocator };
	string_addf(&text, "Hint: %s. %s Line: ", move_name(s, session_state(s), a.move).text,
		    score);
	add_line(s, &a, &text);
	if (!text.failed)
		view_flow(&t->out, t->screen.width, 2, text.data);
	t->out.failed |= text.failed;
	string_release(&text);
	return QV_OK;
}

static enum qv_status order_moves(struct talk *t, const char *argument, struct qv_error *error)
{
	struct text_list legal = { .allocator = t->session->allocator };
	const enum qv_status status = needs_nothing(argument, "moves", error);
	if (status != QV_OK)
		return status;
	legal_words(t->session, true, &legal);
	if (legal.count)
		view_columns(&t->out, t->screen.width, &legal);
	else
		talk_say(t, "There are none: the game is over.");
	text_list_release(&legal);
	return QV_OK;
}

static enum qv_status order_line(struct talk *t, const char *argument, struct qv_error *error)
{
	struct text_list line = { .allocator = t->session->allocator };
	const enum qv_status status = needs_nothing(argument, "line", error);
	if (status != QV_OK)
		return status;
	line_words(t->session, &line);
	if (line.count)
		view_columns(&t->out, t->screen.width, &line);
	else
		talk_say(t, "No move has been played.");
	text_list_release(&line);
	return QV_OK;
}

static enum qv_status order_variations(struct talk *t, const char *argument, struct qv_error *error)
{
	const struct qv_record *record = session_record(t->session);
	const int count = qv_record_variations(record);
	struct text_list tried = { .allocator = t->session->allocator };
	const enum qv_status status = needs_nothing(argument, "variations", error);
	if (status != QV_OK)
		return status;
	for (int i = 0; i < count; i++)
		text_list_add(&tried, move_name(t->session, session_state(t->session),
					    qv_record_variation(record, i))
					  .text);
	if (count)
		view_columns(&t->out, t->screen.width, &tried);
	else
		talk_say(t, "Nothing has been tried from here.");
	text_list_release(&tried);
	return QV_OK;
}

static enum qv_status order_position(struct talk *t, const char *argument, struct qv_error *error)
{
	char text[QV_POSITION_TEXT];
	struct qv_text out = text_into(text, sizeof text);
	const enum qv_status status = needs_nothing(argument, "position", error);
	if (status != QV_OK)
		return status;
	session_game(t->session)->position_text(session_state(t->session), &out);
	view_flow(&t->out, t->screen.width, 0, text);
	return QV_OK;
}

/* ---- Back and forth ---- */

static enum qv_status walk(struct talk *t, const char *argument, const char *name,
			   enum qv_status (*go)(struct session *, int, int *, struct qv_error *),
			   struct qv_error *error)
{
	int turns = 1, plies = 0;
	enum qv_status status = read_number(argument, name, 1, &turns, error);
	if (status == QV_OK)
		status = go(t->session, turns, &plies, error);
	if (status != QV_OK)
		return status;
	if (plies < 0)
		talk_say(t, "To the %s game.", *name == 'u' ? "earlier" : "later");
	look_again(t);
	return QV_OK;
}

static enum qv_status order_undo(struct talk *t, const char *argument, struct qv_error *error)
{
	return walk(t, argument, "undo", session_undo, error);
}

static enum qv_status order_redo(struct talk *t, const char *argument, struct qv_error *error)
{
	return walk(t, argument, "redo", session_redo, error);
}

/* Who moves for a person: as the first computer plays, or the middle level. */
static const char *helper_spec(const struct session *s, char spec[GAME_LEVEL_SPEC])
{
	for (int seat = 0; seat < session_game(s)->seats; seat++)
		if (!session_is_person(s, seat))
			return session_spec(s, seat);
	game_middle_level(session_game(s), spec);
	return spec;
}

static enum qv_status order_go(struct talk *t, const char *argument, struct qv_error *error)
{
	struct qv_answer answer;
	char spec[32];
	enum qv_status status = needs_nothing(argument, "go", error);
	if (status != QV_OK)
		return status;
	switch (session_turn(t->session)) {
	case TURN_OVER:
		return qv_fail(error, QV_ILLEGAL, "go: the game is over");
	case TURN_TYPED_DICE:
		talk_roll(t);
		return QV_OK;
	case TURN_PERSON:
		break;
	default:
		t->paused = false;
		return QV_OK;
	}
	status = session_advise(t->session, helper_spec(t->session, spec), t->stop, &answer, error);
	if (status == QV_OK || status == QV_STOPPED)
		status = talk_play(t, answer.move, true, error);
	return status;
}

/* ---- Seats ---- */

static void say_seats(struct talk *t)
{
	for (int seat = 0; seat < session_game(t->session)->seats; seat++)
		talk_say(t, "seat %d: %s", seat + 1, session_spec(t->session, seat));
}

static enum qv_status order_level(struct talk *t, const char *argument, struct qv_error *error)
{
	int level = 1;
	enum qv_status status = read_number(argument, "level", 1, &level, error);
	if (status != QV_OK)
		return status;
	if (!*argument) {
		talk_say(t, "Levels are 1 (the easiest) to %d.", game_level_count(session_game(t->session)));
		say_seats(t);
		return QV_OK;
	}
	status = session_set_level(t->session, level, error);
	if (status == QV_OK)
		talk_say(t, "The computer plays at level %d from here on.", level);
	return status;
}

static enum qv_status order_swap(struct talk *t, const char *argument, struct qv_error *error)
{
	const enum qv_status status = needs_nothing(argument, "swap", error);
	if (status != QV_OK)
		return status;
	session_swap(t->session);
	say_seats(t);
	t->drawn = false;
	return QV_OK;
}

static enum qv_status order_seat(struct talk *t, const char *argument, struct qv_error *error)
{
	const size_t digits = strspn(argument, "0123456789");
	const char *spec = argument + digits + strspn(argument + digits, " \t=");
	const int seat = digits == 1 ? argument[0] - '0' : 0;
	if (!*argument) {
		say_seats(t);
		return QV_OK;
	}
	if (!seat || !*spec)
		return qv_fail(error, QV_BAD_INPUT,
			       "seat: a number and who sits there, as 'seat 2 level:3'");
	const enum qv_status status = session_set_seat(t->session, seat - 1, spec, error);
	if (status == QV_OK)
		say_seats(t);
	t->drawn &= status != QV_OK;
	return status;
}

static enum qv_status order_resign(struct talk *t, const char *argument, struct qv_error *error)
{
	struct session *s = t->session;
	bool taken_over;
	int seat = session_seat(s);
	enum qv_status status = needs_nothing(argument, "resign", error);
	if (status != QV_OK)
		return status;
	if (session_turn(s) == TURN_OVER)
		return qv_fail(error, QV_ILLEGAL, "resign: the game is over");
	if (session_persons(s) == 0)
		return qv_fail(error, QV_ILLEGAL, "resign: no person plays");
	for (int i = 0; seat < 0 || !session_is_person(s, seat); i++)
		seat = i;
	const struct seat_name name = seat_name(s, seat, true);
	const bool you = session_persons(s) == 1;
	status = session_give_up(s, seat, "resigns", &taken_over, error);
	if (status != QV_OK)
		return status;
	talk_say(t, "%s %s.%s", name.text, you ? "resign" : "resigns",
		 taken_over ? " The computer plays on." : "");
	t->drawn = false;
	return QV_OK;
}

/* ---- Dice and clocks ---- */

static enum qv_status order_dice(struct talk *t, const char *argument, struct qv_error *error)
{
	bool *typed = &t->session->setup.typed_dice;
	if (!session_game(t->session)->chance)
		return qv_fail(error, QV_UNSUPPORTED, "dice: this game has none");
	if (strcmp(argument, "typed") == 0)
		*typed = true;
	else if (strcmp(argument, "thrown") == 0)
		*typed = false;
	else if (*argument)
		return qv_fail(error, QV_BAD_INPUT, "dice: 'typed' or 'thrown' is expected");
	talk_say(t, *typed ? "You type the rolls." : "The program rolls the dice.");
	return QV_OK;
}

static enum qv_status order_roll(struct talk *t, const char *argument, struct qv_error *error)
{
	if (session_turn(t->session) == TURN_DICE && t->paused && !*argument)
		return talk_roll(t), QV_OK;
	if (session_turn(t->session) != TURN_TYPED_DICE)
		return qv_fail(error, QV_ILLEGAL,
			       "roll: there is nothing to roll now ('dice typed' lets you type rolls)");
	if (!*argument)
		return talk_roll(t), QV_OK;
	return talk_roll_typed(t, argument, error);
}

static enum qv_status order_clock(struct talk *t, const char *argument, struct qv_error *error)
{
	struct time_control control;
	struct session *s = t->session;
	char text[64];
	struct qv_text out = text_into(text, sizeof text);
	if (*argument && !time_control_parse(argument, &control))
		return qv_fail(error, QV_BAD_INPUT, "clock: '%.30s' is no time; 5m, 300+3 or off",
			       argument);
	if (*argument)
		session_set_clock(s, &control);
	time_control_text(&session_current(s)->clock.control, &out);
	talk_say(t, "Clock: %s.", text);
	for (int seat = 0; game_clock_on(&session_current(s)->clock) && seat < session_game(s)->seats; seat++) {
		out = text_into(text, sizeof text);
		put_clock(&out, session_left_ms(s, seat));
		talk_say(t, "%s: %s", seat_name(s, seat, true).text, text);
	}
	return QV_OK;
}

/* ---- Positions, notes, files ---- */

static enum qv_status order_edit(struct talk *t, const char *argument, struct qv_error *error)
{
	if (!*argument) {
		talk_say(t, "The position now:");
		t->wants_position = true;
		return order_position(t, "", error);
	}
	const enum qv_status status = session_edit(t->session, argument, error);
	if (status == QV_OK)
		look_again(t);
	return status;
}

static enum qv_status order_new(struct talk *t, const char *argument, struct qv_error *error)
{
	enum qv_status status = needs_nothing(argument, "new", error);
	if (status == QV_OK)
		status = session_new_game(t->session, error);
	if (status != QV_OK)
		return status;
	talk_say(t, "A new game ('undo' goes back).");
	t->drawn = t->paused = false;
	return QV_OK;
}

static enum qv_status order_note(struct talk *t, const char *argument, struct qv_error *error)
{
	struct qv_record *record = session_record(t->session);
	if (!*argument) {
		const char *note = qv_record_note_text(record);
		talk_say(t, "%s", note ? note : "There is no note here.");
		return QV_OK;
	}
	const enum qv_status status = qv_record_note(record, argument);
	if (status == QV_BAD_INPUT)
		return qv_fail(error, status, "note: it is not UTF-8, or too long");
	if (status != QV_OK)
		return qv_fail(error, status, "note: out of memory");
	talk_say(t, "Noted.");
	return QV_OK;
}

static enum qv_status save(struct talk *t, const char *argument, bool over, struct qv_error *error)
{
	const struct session *s = t->session;
	const struct string *journal = &session_record(s)->journal;
	const char *path = *argument ? argument : t->path;
	if (!*path)
		return qv_fail(error, QV_BAD_INPUT, "save: in which file?");
	if (strlen(path) >= TALK_PATH)
		return qv_fail(error, QV_BAD_INPUT, "save: the name is too long");
	if (!t->files.save)
		return qv_fail(error, QV_UNSUPPORTED, "save: files are not at hand here");
	over |= strcmp(path, t->path) == 0; /* its own file may be written again */
	struct string pgn = { .allocator = s->allocator };
	enum qv_status status = QV_OK;
	if (pgn_is_name(path))
		status = pgn_write(s->setup.context, session_record(s), NULL, &pgn, error);
	const struct string *text = pgn_is_name(path) ? &pgn : journal;
	if (status == QV_OK)
		status = t->files.save(t->files.ctx, path, text->data, text->length, over, error);
	string_release(&pgn);
	if (status == QV_ILLEGAL)
		return qv_fail(error, status,
			       "%.60s: already exists; 'save! FILE' overwrites it", path);
	if (status != QV_OK)
		return status;
	memmove(t->path, path, strlen(path) + 1);
	t->saved_length = journal->length;
	t->saved_chapter = s->chapters[s->chapter].number;
	talk_say(t, "Saved in %s.", t->path);
	return QV_OK;
}

static enum qv_status order_save(struct talk *t, const char *argument, struct qv_error *error)
{
	return save(t, argument, false, error);
}

static enum qv_status order_save_over(struct talk *t, const char *argument, struct qv_error *error)
{
	return save(t, argument, true, error);
}

/* A record, or the first game of a PGN file. */
static enum qv_status load_text(struct session *s, const char *data, size_t size,
				struct qv_error *error)
{
	if (!pgn_looks_like(data, size))
		return session_load(s, data, size, error);
	struct string journal = { .allocator = s->allocator };
	enum qv_status status = pgn_to_journal(s->setup.context, NULL, data, size,
					       (struct pgn_bounds){ 0 }, &journal, error);
	if (status == QV_OK)
		status = session_load(s, journal.data, journal.length, error);
	string_release(&journal);
	return status;
}

static enum qv_status order_load(struct talk *t, const char *argument, struct qv_error *error)
{
	struct session *s = t->session;
	struct string data = { .allocator = s->allocator };
	if (!*argument || strlen(argument) >= TALK_PATH)
		return qv_fail(error, QV_BAD_INPUT, "load: from which file?");
	if (!t->files.load)
		return qv_fail(error, QV_UNSUPPORTED, "load: files are not at hand here");
	enum qv_status status = t->files.load(t->files.ctx, argument, &data, error);
	if (status == QV_OK) {
		status = load_text(s, data.data ? data.data : "", data.length, error);
		const struct qv_error why = *error;
		if (status != QV_OK)
			qv_fail(error, status, "%.60s: %.180s", argument, why.text);
	}
	string_release(&data);
	if (status != QV_OK)
		return status;
	snprintf(t->path, sizeof t->path, "%s", argument);
	t->saved_length = session_record(s)->journal.length;
	t->saved_chapter = s->chapters[s->chapter].number;
	talk_say(t, "Loaded from %s ('undo' at its beginning goes back).", t->path);
	look_again(t);
	return QV_OK;
}

/* ---- Help ---- */

static enum qv_status order_rules(struct talk *t, const char *argument, struct qv_error *error)
{
	const char *help = session_game(t->session)->help;
	const enum qv_status status = needs_nothing(argument, "rules", error);
	struct string text = { .allocator = t->session->allocator };
	if (status == QV_OK)
		view_unbreak(&text, help && *help ? help : "The game does not say.");
	if (text.data && !text.failed)
		view_prose(&t->out, t->screen.width, text.data);
	t->out.failed |= text.failed;
	string_release(&text);
	return status;
}

static enum qv_status order_help(struct talk *t, const char *argument, struct qv_error *error)
{
	struct text_list lines = { .allocator = t->session->allocator };
	const enum qv_status status = needs_nothing(argument, "help", error);
	if (status != QV_OK)
		return status;
	if (turns_words(t->session))
		talk_turn_help(t);
	else
		talk_say(t, "A move, or:");
	for (const struct order *o = orders; o->name; o++) {
		char left[32], line[WORD_ROOM];
		const bool dice = o->run == order_dice || o->run == order_roll;
		const bool other = order_is_for_turns(o) && !turns_words(t->session);
		if (!o->help || other || (dice && !session_game(t->session)->chance))
			continue;
		snprintf(left, sizeof left, "%s%s%s", o->name, *o->argument ? " " : "",
			 o->argument);
		snprintf(line, sizeof line, "%-15s %s", left, o->help);
		text_list_add(&lines, line);
	}
	view_columns(&t->out, t->screen.width, &lines);
	text_list_release(&lines);
	return QV_OK;
}

static enum qv_status order_board(struct talk *t, const char *argument, struct qv_error *error)
{
	const enum qv_status status = needs_nothing(argument, "board", error);
	t->drawn &= status != QV_OK;
	return status;
}

static enum qv_status order_quit(struct talk *t, const char *argument, struct qv_error *error)
{
	const enum qv_status status = needs_nothing(argument, "quit", error);
	t->quit = status == QV_OK;
	return status;
}

/* To add a command: a function above, a line here. The help is to fit 40 columns. */
const struct order orders[] = {
	{ "hint", "h", "[SPEC]", "a good move, its line", order_hint },
	{ "moves", "m", "", "the legal moves", order_moves },
	{ "orders", "o", "", "those of this turn", order_orders },
	{ "revoke", "x", "[N]", "one of them, or 'all'", order_revoke },
	{ "news", "n", "", "what the others did", order_news },
	{ "undo", "u", "[N]", "back to your last move", order_undo },
	{ "redo", "r", "[N]", "the other way", order_redo },
	{ "go", "play", "", "the computer moves", order_go },
	{ "level", NULL, "[N]", "how strong it plays", order_level },
	{ "swap", NULL, "", "change sides", order_swap },
	{ "seat", "seats", "[N SPEC]", "who sits where", order_seat },
	{ "dice", NULL, "[HOW]", "typed or thrown", order_dice },
	{ "roll", NULL, "[ROLL]", "roll, or type the roll", order_roll },
	{ "clock", NULL, "[TIME]", "5m, 300+3 or off", order_clock },
	{ "edit", NULL, "[POSITION]", "show it, set one up", order_edit },
	{ "position", NULL, "", NULL, order_position },
	{ "line", NULL, "", "the moves so far", order_line },
	{ "variations", NULL, "", "moves tried from here", order_variations },
	{ "note", NULL, "[TEXT]", "a note on the position", order_note },
	{ "save", NULL, "[FILE]", "save; save! over a file", order_save },
	{ "save!", NULL, "[FILE]", NULL, order_save_over },
	{ "load", NULL, "FILE", "continue a saved game", order_load },
	{ "resign", NULL, "", "give up", order_resign },
	{ "new", NULL, "", "a new game", order_new },
	{ "rules", NULL, "", "how the game goes", order_rules },
	{ "help", "?", "", "this list", order_help },
	{ "quit", "q", "", "leave", order_quit },
	{ "exit", "bye", "", NULL, order_quit },
	{ "board", "b", "", NULL, order_board },
	{ "back", "takeback", "[N]", NULL, order_undo },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct order *order_find(const char *name)
{
	for (const struct order *o = orders; o->name; o++)
		if (text_same(o->name, name) || (o->other && text_same(o->other, name)))
			return o;
	return NULL;
}
