/*
 * dialogue.c - a game in progress as a conversation: what happens next, and what a line means.
 * SPDX-License-Identifier: MIT
 *
 * A line is tried as a move first, then as a command; a line that begins with '/' is always a
 * command. Anything else is answered with the nearest legal moves or the nearest command. Functions
 * that fail leave the reason in talk.error, and complain prints it.
 */
#include "terminal/dialogue.h"

#include "base/options.h"
#include "base/scan.h"
#include "core/context.h"
#include "record/luck.h"
#include "terminal/commands.h"
#include "terminal/turns.h"

enum { SUGGESTIONS = 4 }; /* of legal moves, for a line that is not one */

void talk_say(struct talk *t, const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	view_flow(&t->out, t->screen.width, 0, text);
}

void talk_flow(struct talk *t, int indent, struct string *text)
{
	if (!text->failed && text->length)
		view_flow(&t->out, t->screen.width, indent, text->data);
	t->out.failed |= text->failed;
	string_release(text);
}

/* ---- Luck and the tutor, in games with dice ---- */

/* Stores a comment on the position unless it has one. A note that does not fit is left out. */
static void add_note(struct talk *t, const struct ply_luck *at)
{
	struct qv_record *record = session_record(t->session);
	char note[LUCK_NOTE];
	ply_luck_note(record->rules.game, at, note);
	if (t->tutor && *note && !qv_record_note_text(record))
		(void)qv_record_note(record, note);
}

/* Writes " Luck +0.12 (lucky)." for a roll that has been played; nothing if memory ran out. */
static void put_luck(struct talk *t, const void *before, qv_move rolled, struct qv_text *out)
{
	struct qv_roll_luck luck = { .size = sizeof luck };
	char number[16];
	if (qv_luck(t->session->setup.context, session_game(t->session), before, rolled, &luck,
		    NULL) != QV_OK)
		return;
	const struct ply_luck at = { .roll = true,
				     .seat = luck.seat,
				     .luck = luck.of[luck.seat],
				     .move = rolled,
				     .before = before };
	const char *word = luck_word(at.luck);
	snprintf(number, sizeof number, "%+.2f", at.luck);
	qv_put(out, " Luck ");
	qv_put(out, number);
	if (*word) {
		qv_put(out, " (");
		qv_put(out, word);
		qv_put(out, ")");
	}
	qv_put(out, ".");
	add_note(t, &at);
}

/* Reviews a person's move before it is played; false: the tutor is off or has nothing to say. */
static bool review_move(const struct talk *t, int seat, qv_move move, struct qv_move_review *out)
{
	const struct session *s = t->session;
	out->size = sizeof *out;
	return t->tutor && session_game(s)->chance && seat >= 0 && session_is_person(s, seat) &&
	       qv_review(s->setup.context, session_game(s), session_state(s), move, out, NULL) ==
		       QV_OK &&
	       *qv_loss_name(out->loss);
}

/* Prints and records what a move lost. */
static void say_review(struct talk *t, const struct ply_luck *at)
{
	talk_say(t, "That move is %s (%s): it loses %.2f points. Better: %s.",
		 qv_loss_name(at->review.loss), qv_loss_sign(at->review.loss), at->review.loss,
		 move_name(t->session, at->before, at->review.best).text);
	add_note(t, at);
}

/* The sums of a game that is over: luck, errors if the tutor is on, and the result without luck. */
static void say_total_luck(struct talk *t)
{
	const struct session *s = t->session;
	const struct qv_game *game = session_game(s);
	struct line_luck sums;
	struct string text = { .allocator = s->allocator };
	if (!game->chance || record_luck(s->setup.context, session_record(s), !t->tutor, NULL, NULL,
					 &sums, NULL) != QV_OK)
		return;
	string_addf(&text, "Luck:");
	for (int seat = 0; seat < game->seats; seat++)
		string_addf(&text, "%s %s %+.2f", seat ? "," : "", seat_name(s, seat, false).text,
			    sums.luck[seat]);
	string_addf(&text, ".");
	if (sums.has_result)
		string_addf(&text, " For %s: result %+g = luck %+.2f, skill %+.2f.",
			    seat_name(s, 0, false).text, sums.result, sums.net,
			    sums.result - sums.net);
	for (int seat = 0; seat < game->seats && t->tutor; seat++)
		string_addf(&text, "%s %s %.2f%s",
			    seat ? "," : " Lost by errors:", seat_name(s, seat, false).text,
			    sums.loss[seat], seat + 1 == game->seats ? "." : "");
	talk_flow(t, 2, &text);
}

/* ---- What happens next ---- */

/* The first lines: the title, the computers' seats, what is to be learned, and how to start. */
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

/* Reports the turns that have ended since the last call; aloud: prints them, too. */
static void report_turns(struct talk *t, bool aloud)
{
	struct session *s = t->session;
	const int ended = turns_ended_at(s);
	const uint64_t chapter = s->chapters[s->chapter].number;
	if (t->reported_chapter != chapter || t->reported > ended)
		t->reported = -1; /* after an undo or in another game, everything is new */
	/* Each of several people sees all that happened since their own last turn. */
	if (aloud && t->reported != ended)
		talk_news(t, session_turn(s) == TURN_PERSON ? -1 : t->reported);
	t->reported = ended;
	t->reported_chapter = chapter;
}

/* Prints the board and what belongs to it, unless they have been printed as they are. */
static void show(struct talk *t)
{
	struct session *s = t->session;
	if (t->drawn)
		return;
	const bool turns = turns_words(s);
	const bool panels = turns && view_has_panels(s, &t->screen);
	if (turns)
		report_turns(t, !panels);
	/* Panels beside the board show the orders and the news; without them they are printed. */
	string_addf(&t->out, "\n");
	view_board(s, &t->screen, &t->out);
	view_status(s, &t->screen, &t->out);
	if (turns && !panels && session_turn(s) == TURN_PERSON)
		talk_orders(t);
	if (session_turn(s) == TURN_OVER)
		say_total_luck(t);
	t->drawn = true;

	/* What the trainer's book calls the position, or that the book ends before it. */
	if (!t->trainer || !book_is_for(t->trainer, qv_record_rules(session_record(s))))
		return;
	const char *note;
	bool known;
	const char *name = book_name(t->trainer, session_record(s)->state, &note, &known);
	if (*name)
		talk_say(t, "This is the opening %s.%s%s", name, *note ? " " : "", note);
	if (!known && !t->book_over)
		talk_say(t, "The book ends here: from now on everybody thinks.");
	t->book_over = !known;
}

/*
 * Whether no move of the present turn has been made. That is always so in games in which a turn is
 * one move.
 */
static bool is_turn_start(const struct talk *t)
{
	struct session *s = t->session;
	return !turns_words(s) || turns_ended_at(s) == qv_record_ply(session_record(s));
}

enum talk_next talk_next(struct talk *t)
{
	if (t->quit)
		return TALK_QUIT;
	const enum session_turn turn = session_turn(t->session);
	if (turn == TURN_DICE && !t->paused)
		return TALK_ROLL;
	/* While only computers play, a person watches: the board is shown before every turn. */
	if (turn == TURN_COMPUTER && !t->paused) {
		if (session_people(t->session) == 0 && is_turn_start(t))
			show(t);
		return TALK_THINK;
	}
	if (!t->wants_position)
		show(t);
	return TALK_ASK;
}

/* Examples: "seat 1 4:58> ", "South> ", "dice> ", "over> ", "stopped, seat 2> ". */
void talk_prompt(const struct talk *t, char prompt[TALK_PROMPT])
{
	const struct session *s = t->session;
	const int seat = session_seat(s);
	struct qv_text out = { prompt, TALK_PROMPT, 0 };
	const enum session_turn turn = session_turn(s);
	const bool moves = !t->wants_position && turn != TURN_OVER && seat != QV_CHANCE;
	qv_put(&out, t->wants_position	     ? "position"
		     : turn == TURN_OVER     ? "over"
		     : seat == QV_CHANCE     ? "dice"
		     : turn == TURN_COMPUTER ? "stopped, "
					     : "");
	if (moves && qv_game_seat_name(session_game(s), seat)) {
		qv_put(&out, qv_game_seat_name(session_game(s), seat));
	} else if (moves) {
		qv_put(&out, "seat ");
		qv_put_int(&out, seat + 1);
	}
	if (moves && game_clock_on(&session_current(s)->clock)) {
		qv_put_char(&out, ' ');
		put_clock(&out, session_left_ms(s, seat));
	}
	qv_put(&out, "> ");
}

/* Rings the bell, if that is wanted and somebody can hear it. */
static void ring(struct talk *t)
{
	if (t->bell && t->screen.terminal)
		string_add(&t->out, "\a", 1);
}

/* Prints what went wrong. Whatever it was, the game continues from where it is. */
static void complain(struct talk *t)
{
	const size_t length = strlen(t->error.text);
	const char last = length ? t->error.text[length - 1] : '\0';
	talk_say(t, "%s%s", t->error.text, last == '?' || last == '.' ? "" : ".");
	t->error.text[0] = '\0';
	ring(t);
}

/* Tells the players that the game ended. If one fails, for example to learn, the game stands. */
static void report_end(struct talk *t)
{
	if (session_report_end(t->session, &t->error) != QV_OK)
		complain(t);
}

void talk_roll(struct talk *t)
{
	qv_move rolled;
	/* A roll has its name in the position before it. */
	void *before = session_current(t->session)->scratch;
	memcpy(before, session_state(t->session), session_game(t->session)->state_size);
	if (session_roll(t->session, &rolled, &t->error) != QV_OK) {
		complain(t);
		t->paused = true; /* otherwise the caller would try again forever */
		return;
	}
	const struct play_words *words = context_engine(session_game(t->session))->words;
	char said[256] = "", luck[64] = "";
	if (words)
		words->chance(before, rolled, &(struct qv_text){ said, sizeof said, 0 });
	else
		snprintf(said, sizeof said, "Dice: %s.",
			 move_name(t->session, before, rolled).text);
	put_luck(t, before, rolled, &(struct qv_text){ luck, sizeof luck, 0 });
	talk_say(t, "%s%s", said, luck);
	t->drawn = false;
	report_end(t);
}

enum qv_status talk_play(struct talk *t, qv_move move, bool say)
{
	struct session *s = t->session;
	const int seat = session_seat(s);
	const struct move_name name = move_name(s, session_state(s), move);
	struct ply_luck at = { .seat = seat, .move = move };
	const bool reviewed = review_move(t, seat, move, &at.review);
	const enum qv_status status = session_play(s, move, &t->error);
	if (status != QV_OK)
		return status;
	t->drawn = false;
	/* What follows needs the position before the move. */
	void *before = session_current(s)->scratch;
	if (reviewed || seat == QV_CHANCE)
		tree_state_at(session_record(s), session_record(s)->ply - 1, before);
	if (seat == QV_CHANCE) {
		char luck[64] = "";
		struct qv_text out = { luck, sizeof luck, 0 };
		put_luck(t, before, move, &out);
		talk_say(t, "%s", *luck ? luck + 1 : luck);
	}
	if (say && seat >= 0) {
		const bool you = session_is_person(s, seat) && session_people(s) == 1;
		talk_say(t, "%s %s %s.", seat_name(s, seat, true).text, you ? "play" : "plays",
			 name.text);
	}
	at.before = before;
	if (reviewed)
		say_review(t, &at);
	report_end(t);
	return QV_OK;
}

/* Shows the best line so far, cut to the width of the screen. */
static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct talk *t = ctx;
	struct string text = { .allocator = t->session->allocator };
	talk_add_answer(t, so_far, &text);
	/* A byte for each column at most, and one column stays free for the cursor. */
	if (!text.failed && (int)text.length >= t->screen.width)
		text.data[t->screen.width - 1] = '\0';
	if (!text.failed)
		t->show_thoughts(t->show_ctx, text.data);
	string_release(&text);
}

/* A stop ends the search. If only computers play it also pauses them, so that a person can type. */
void talk_think(struct talk *t)
{
	struct qv_answer answer;
	const struct qv_listener listener = { .iteration = on_iteration, .ctx = t };
	struct string thoughts = { .allocator = t->session->allocator };
	enum qv_status status = session_think(t->session, t->stop,
					      t->thoughts && t->show_thoughts ? &listener : NULL,
					      &answer, &t->error);
	const bool watched = session_people(t->session) == 0;
	if (talk_check_flag(t))
		return;
	if (status == QV_STOPPED && watched) {
		t->paused = true;
		talk_say(t, "Stopped. 'go' goes on.");
		return;
	}
	/* Where a turn has many moves, it is reported as a whole. */
	const bool say = !turns_words(t->session);
	if (status == QV_OK || status == QV_STOPPED) {
		/* The line has its names in the position before the move. */
		if (t->thoughts) {
			string_addf(&thoughts, "Thoughts: ");
			talk_add_answer(t, &answer, &thoughts);
		}
		status = talk_play(t, answer.move, say);
	}
	if (status == QV_OK && session_turn(t->session) != TURN_COMPUTER)
		ring(t);
	if (status != QV_OK) {
		complain(t);
		t->paused = true;
	}
	talk_flow(t, 2, &thoughts);
	/* No person has a turn any more, but one may want to read how the game continues. */
	if (!say && !watched && is_turn_start(t) &&
	    turns_without_person(t->session) >= session_game(t->session)->seats)
		report_turns(t, true);
}

/* A flag that has fallen ends the game, or a computer takes over (session_give_up). */
bool talk_check_flag(struct talk *t)
{
	struct session *s = t->session;
	const int seat = session_turn(s) == TURN_OVER ? -1 : session_flag(s);
	bool taken_over;
	if (seat < 0)
		return false;
	/* The name first: it changes if a computer takes over. */
	const struct seat_name name = seat_name(s, seat, true);
	session_clock_stop(s);
	if (session_give_up(s, seat, "time", &taken_over, &t->error) != QV_OK) {
		complain(t);
		return false;
	}
	talk_say(t, "%s: the time is up.%s", name.text,
		 taken_over ? " The computer plays on." : "");
	t->drawn = t->wants_position = false;
	return true;
}

/* ---- What a line means ---- */

/* Whether a text begins with the first bytes of another, letter case ignored. */
static bool begins_with_of(const char *text, const char *begin, size_t length)
{
	for (; length; text++, begin++, length--)
		if (to_lower(*text) != to_lower(*begin))
			return false;
	return true;
}

/* As begins_with_of, with the whole of the other text. */
static bool begins_with(const char *text, const char *begin)
{
	return begins_with_of(text, begin, strlen(begin));
}

/*
 * Adds "a, b" for the legal moves that are nearest to what was typed; false: no move is near. A
 * move that begins with it is near.
 */
static bool add_suggestions(struct talk *t, const char *typed, struct qv_text *out)
{
	struct text_list legal = { .allocator = t->session->allocator };
	int added = 0;
	legal_words(t->session, false, &legal);
	for (int wanted = 0; wanted <= 8; wanted++)
		for (int i = 0; i < legal.count && added < SUGGESTIONS; i++) {
			const char *move = legal.text[i];
			const size_t one = strlen(move), two = strlen(typed);
			const int longest = (int)(one > two ? one : two);
			const bool begins = begins_with(move, typed);
			const int distance = begins ? 1 : text_distance(move, typed);
			const bool near = begins || (longest > 1 && distance <= 1 + longest / 3);
			if (!near || distance != wanted)
				continue;
			qv_put(out, added++ ? ", " : "");
			qv_put(out, move);
		}
	text_list_release(&legal);
	return added > 0;
}

/* The game's own explanation why a line is not a legal move; "": it has none. */
static void add_refusal(struct talk *t, const char *line, struct qv_text *why)
{
	const struct engine *engine = context_engine(session_game(t->session));
	if (engine->refusal && !engine->turns && session_turn(t->session) == TURN_PERSON)
		engine->refusal(session_state(t->session), line, why);
}

/* Neither a move nor a command: explains what could have been meant. */
static void explain(struct talk *t, const char *line, const char *word)
{
	char near[SUGGESTIONS * (QV_MOVE_TEXT + 2)] = "", why[160] = "";
	struct qv_text out = { near, sizeof near, 0 };
	const enum session_turn turn = session_turn(t->session);
	/*
	 * A command that is nearly what was typed comes first, since commands work in every
	 * position. Short words are near to too many commands, so they get no suggestion.
	 */
	struct text_nearest nearest = text_nearest_to(word);
	for (const struct talk_command *c = talk_commands; c->name && strlen(word) > 2; c++)
		text_nearest_try(&nearest, c->name);
	if (nearest.distance > ((int)strlen(word) + 1) / 3)
		nearest.best = NULL;
	static const char *const whys[] = {
		[TURN_OVER] = "the game is over; 'new', 'undo', 'save FILE' or 'quit'",
		[TURN_PERSON] = "neither a legal move ('moves') nor a command ('help')",
		[TURN_COMPUTER] = "the computer is to move; 'go' lets it",
		[TURN_DICE] = "the computer is to move; 'go' lets it",
		[TURN_TYPED_DICE] = "no such roll; 'moves' lists them",
	};
	add_refusal(t, line, &(struct qv_text){ why, sizeof why, 0 });
	if (*why)
		qv_fail(&t->error, QV_ILLEGAL, "'%.30s': %s", line, why);
	else if (nearest.best)
		qv_fail(&t->error, QV_UNKNOWN, "'%.30s': no such command%s", line,
			suggest(&nearest).text);
	else if (turn == TURN_PERSON && add_suggestions(t, line, &out))
		qv_fail(&t->error, QV_UNKNOWN, "'%.30s': not a legal move here; near it: %.150s",
			line, near);
	else
		qv_fail(&t->error, QV_UNKNOWN, "'%.30s': %s", line, whys[turn]);
}

enum qv_status talk_roll_typed(struct talk *t, const char *text)
{
	char whole[2 * QV_MOVE_TEXT];
	const struct qv_game *game = session_game(t->session);
	const void *state = session_state(t->session);
	qv_move move;
	/* The game writes a roll as `roll 3 1`; people may leave out the word. */
	snprintf(whole, sizeof whole, "roll %.100s", text);
	enum qv_status status = qv_move_parse(game, state, text, &move, &t->error);
	if (status != QV_OK)
		status = qv_move_parse(game, state, whole, &move, NULL);
	return status == QV_OK ? talk_play(t, move, false) : status;
}

/* True: it was a move, and has been played or failed because memory ran out. */
static bool try_move(struct talk *t, const char *line)
{
	struct session *s = t->session;
	const enum session_turn turn = session_turn(s);
	enum qv_status status = QV_ILLEGAL;
	qv_move move;
	if (turn == TURN_PERSON &&
	    qv_move_parse(session_game(s), session_state(s), line, &move, NULL) == QV_OK)
		status = talk_play(t, move, false);
	else if (turn == TURN_TYPED_DICE)
		status = talk_roll_typed(t, line);
	else
		return false;
	if (turn == TURN_TYPED_DICE && status == QV_ILLEGAL)
		return false;
	if (status != QV_OK)
		complain(t);
	return true;
}

/* Runs a command, or explains why the line is not one. */
static void obey(struct talk *t, const char *line)
{
	struct session *s = t->session;
	const struct turn_words *words = turns_words(s);
	char word[32];
	qv_move move;
	/* A leading '/' makes the line a command even where a move has that name. */
	const char *begin = line + (*line == '/');
	const size_t length = strcspn(begin, " \t");
	snprintf(word, sizeof word, "%.*s",
		 length < sizeof word ? (int)length : (int)sizeof word - 1, begin);
	const char *argument = begin + length + strspn(begin + length, " \t");
	const struct talk_command *command = talk_command_find(word);
	const bool is_command = command && (text_same(command->name, word) || !*argument);
	/*
	 * An order that is not legal here gets the game's own explanation: `b A1` is one, though
	 * `b` alone is `board`.
	 */
	if (words && session_turn(s) == TURN_PERSON && !is_command && words->is_order(word))
		qv_move_parse(session_game(s), session_state(s), begin, &move, &t->error);
	else if (!command)
		explain(t, line, word);
	else if (talk_command_run(t, command, argument) == QV_OK)
		return;
	complain(t);
}

/* The line that a key of the game stands for while a person is to move, or the line itself. */
static const char *key_line(const struct talk *t, const char *typed)
{
	const struct play_words *words = context_engine(session_game(t->session))->words;
	const bool asked = session_turn(t->session) == TURN_PERSON;
	for (int i = 0; words && asked && words->keys[i][0]; i++)
		if (text_same(words->keys[i][0], typed))
			return words->keys[i][1];
	return typed;
}

void talk_line(struct talk *t, const char *text)
{
	struct session *s = t->session;
	struct string line = { .allocator = s->allocator };
	string_add(&line, text, strlen(text));
	if (line.failed) {
		talk_say(t, "line: out of memory.");
		return;
	}
	const char *typed = scan_trim(line.data, " \t\r\n");
	if (!t->wants_position)
		typed = key_line(t, typed);
	if (t->wants_position) {
		/* After `edit` alone: an empty line keeps the position. */
		t->wants_position = t->drawn = false;
		if (!*typed) {
			talk_say(t, "The position stays as it is.");
		} else if (session_edit(s, typed, &t->error) != QV_OK) {
			complain(t);
			t->drawn = true;
		}
		t->paused |= !t->drawn && session_people(s) == 0;
	} else if (!*typed) {
		/* Enter plays the move of a person that has no other; else it shows the board. */
		const qv_move move = session_turn(s) == TURN_PERSON ? only_move(s) : QV_NO_MOVE;
		t->drawn = false;
		if (move != QV_NO_MOVE && talk_play(t, move, true) != QV_OK)
			complain(t);
	} else if (*typed == '/' || !try_move(t, typed)) {
		obey(t, typed);
	}
	string_release(&line);
}

/* ---- The end, and completion ---- */

/* The moves are printed because they would be lost; they can be typed again. */
void talk_end(struct talk *t)
{
	const struct session *s = t->session;
	const bool saved = t->saved_length == session_record(s)->journal.length &&
			   t->saved_chapter == s->chapters[s->chapter].number;
	struct text_list line = { .allocator = s->allocator };
	struct string text = { .allocator = s->allocator };
	line_words(t->session, 0, &line);
	if (line.count && !saved) {
		string_addf(&text, "The game was not saved ('save FILE' does). Its moves:");
		for (int i = 0; i < line.count; i++)
			string_addf(&text, " %s", line.text[i]);
		talk_flow(t, 0, &text);
	}
	text_list_release(&line);
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

/* Adds the numbers from 1 to `most` that can follow a command, as far as the line allows. */
static void complete_numbers(const char *command, int most, const char *begin,
			     struct text_list *out)
{
	for (int i = 1; i <= most; i++) {
		char text[WORD_ROOM];
		snprintf(text, sizeof text, "%s %d", command, i);
		if (words_begin(text, begin))
			text_list_add(out, text);
	}
}

/* Arguments are completed only where their values are known: levels and numbers of orders. */
void talk_complete(struct talk *t, const char *begin, struct text_list *out)
{
	struct session *s = t->session;
	const bool turns = turns_words(s);
	struct text_list legal = { .allocator = s->allocator },
			 given = { .allocator = s->allocator };
	const enum session_turn turn = session_turn(s);
	if (turn == TURN_PERSON || turn == TURN_TYPED_DICE)
		legal_words(s, false, &legal);
	for (int i = 0; i < legal.count; i++)
		if (words_begin(legal.text[i], begin))
			text_list_add(out, legal.text[i]);
	text_list_release(&legal);
	for (const struct talk_command *c = talk_commands; c->name; c++)
		if (begins_with(c->name, begin) && (c->games != TURN_GAMES || turns))
			text_list_add(out, c->name);
	if (!strchr(begin, ' '))
		return;
	complete_numbers("level", game_level_count(session_game(s)), begin, out);
	if (turns)
		turns_orders(s, &given);
	complete_numbers("revoke", given.count, begin, out);
	if (given.count && words_begin("revoke all", begin))
		text_list_add(out, "revoke all");
	text_list_release(&given);
}
