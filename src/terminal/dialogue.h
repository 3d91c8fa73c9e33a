/*
 * dialogue.h - a game in progress as a conversation: a line in, text out.
 * SPDX-License-Identifier: MIT
 *
 * There is no input or output here: the same object serves a terminal, a pipe and a test. The
 * caller runs this loop, and prints and clears t.out after each call:
 *
 *   talk_begin(&t)
 *   loop: switch (talk_next(&t))     what has to happen
 *         TALK_ASK                   read a line, with talk_prompt, and pass it to talk_line
 *         TALK_THINK, TALK_ROLL      talk_think, talk_roll
 *         TALK_QUIT                  talk_end, then leave
 */
#ifndef TERMINAL_DIALOGUE_H
#define TERMINAL_DIALOGUE_H

#include "book/book.h"
#include "terminal/view.h"

struct talk_command; /* commands.h */

/* How games are stored; a NULL function: they cannot be. */
struct talk_files {
	/* Writes a file. QV_ILLEGAL: it already exists, and `over` is false. */
	enum qv_status (*save)(void *ctx, const char *path, const char *data, size_t size,
			       bool over, struct qv_error *error);
	/* Appends the bytes of a file to *out. */
	enum qv_status (*load)(void *ctx, const char *path, struct string *out,
			       struct qv_error *error);
	void *ctx;
};

/* What the caller has to do next. */
enum talk_next { TALK_QUIT, TALK_ASK, TALK_THINK, TALK_ROLL };

enum {
	TALK_PATH = 512,  /* bytes of a file name, with its NUL */
	TALK_PROMPT = 64, /* bytes of a prompt, with its NUL */
};

/* Plain data: fill in the first part, and the rest with zeros. */
struct talk {
	struct session *session; /* the caller's */
	struct screen screen;	 /* may change between calls */
	struct talk_files files;
	struct book *trainer;	 /* its names of openings and its end are reported; may be NULL */
	const char *lesson;	 /* the name of the line to learn; NULL: none, or any */
	const struct qv_flag *stop; /* as in struct qv_limits: true stops a player that thinks */
	bool thoughts;		 /* show what a computer finds (command `thoughts`) */
	bool bell;		 /* ring on a terminal (command `bell`) */
	bool tutor;		 /* in games with dice: report errors (command `tutor`) */
	/* Shows a line of thoughts while a computer searches; NULL: only after its move. */
	void (*show_thoughts)(void *ctx, const char *line);
	void *show_ctx;
	struct string out;	 /* what is to be printed */

	const struct talk_command *command; /* the one that runs, and its argument */
	const char *argument;
	struct qv_error error; /* why it failed */
	bool quit, drawn;      /* drawn: the board as it is has been shown */
	bool paused;	       /* the computers wait for a command */
	bool book_over;	       /* the end of the book has been reported */
	bool wants_position;   /* the next line is a position */
	qv_move hint;	       /* the last hint ... */
	uint64_t hint_chapter; /* ... and its position: a chapter, 0: none, */
	int32_t hint_node;     /* and a node of its record */
	int reported;	       /* turns that ended up to this ply have been reported ... */
	uint64_t reported_chapter; /* ... in this chapter */
	char path[TALK_PATH];  /* of the file the game was last saved in or loaded from */
	size_t saved_length;   /* of the journal then; 0: never */
	uint64_t saved_chapter;
};

/* Prints the title, who plays, and how to start. */
void talk_begin(struct talk *t);
/* What has to happen next; prints the board if a person is to look at it. */
enum talk_next talk_next(struct talk *t);
/* The prompt for the next line: what it is for, and the clock of the seat to move. */
void talk_prompt(const struct talk *t, char prompt[TALK_PROMPT]);
/* Handles a line from the person: a move, a command, or anything else, which is explained. */
void talk_line(struct talk *t, const char *line);
/* The computer to move thinks, until it has moved or *stop is true; then its move is printed. */
void talk_think(struct talk *t);
/* Rolls the dice and prints the roll. */
void talk_roll(struct talk *t);
/* Call it whenever time has passed: if a flag has fallen, prints that, and returns true. */
bool talk_check_flag(struct talk *t);
/* Prints the moves of a game that was not saved. */
void talk_end(struct talk *t);
/* Adds everything that a line which begins so can become: moves and commands. */
void talk_complete(struct talk *t, const char *begin, struct text_list *out);

#endif
