/*
 * commands.h - what dialogue.c and commands.c share.
 * SPDX-License-Identifier: MIT
 *
 * dialogue.c decides what a line means and plays moves; commands.c carries out commands. Both print
 * into talk.out. A function that returns a status leaves the reason of a failure in talk.error.
 */
#ifndef TERMINAL_COMMANDS_H
#define TERMINAL_COMMANDS_H

#include "terminal/dialogue.h"

/* Which games have a command. Others refuse it, or leave it out of the help. */
enum talk_command_games { ANY_GAME, DICE_GAMES, TURN_GAMES };

/* A command: what is typed, and what it does. */
struct talk_command {
	const char *name, *other; /* other: a short form, or NULL */
	const char *argument;	  /* for the help; "": it takes no argument */
	const char *help;	  /* NULL: not listed */
	enum talk_command_games games; /* TURN_GAMES: those whose turns have many moves */
	/* Reads talk.argument. A failure is written to talk.error, and printed by the caller. */
	enum qv_status (*run)(struct talk *t);
};

extern const struct talk_command talk_commands[]; /* a NULL name ends it */
/* The command of a name or short form, letter case ignored; NULL: no such command. */
const struct talk_command *talk_command_find(const char *name);
/* Checks that the command takes the argument and is one of this game, then runs it. */
enum qv_status talk_command_run(struct talk *t, const struct talk_command *c, const char *argument);

/* Prints a sentence, broken to the width of the screen. */
void talk_say(struct talk *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints paragraphs, each of whose lines after the first are indented, and releases the text. */
void talk_flow(struct talk *t, int indent, struct string *text);
/* Adds what a player found in the present position: the score and the line. */
void talk_add_answer(struct talk *t, const struct qv_answer *answer, struct string *out);
/* Prints the orders of this turn, in a sentence. */
void talk_orders(struct talk *t);
/* Prints what happened in turns that ended after a ply. */
void talk_news(struct talk *t, int since);

/* Plays a legal move; say: and prints it, with the name of the seat. Failures go to talk.error. */
enum qv_status talk_play(struct talk *t, qv_move move, bool say);
/* Reads a roll, `roll 3 1` or only `3 1`, and plays it. Failures go to talk.error. */
enum qv_status talk_roll_typed(struct talk *t, const char *text);

#endif
