/*
 * dialogue.h - a game in progress as a conversation: a line in, text out. No input or output here: the
 * same object talks in a terminal, through a pipe and in a test.
 * SPDX-License-Identifier: MIT
 *
 *   talk_begin(&t)
 *   loop: switch (talk_next(&t))     what has to happen; then print and clear t.out
 *         TALK_ASK                   read a line, with talk_prompt, and give it to talk_line
 *         TALK_THINK, TALK_ROLL     talk_think, talk_roll
 *         TALK_QUIT                  talk_end says goodbye
 */
#ifndef TERMINAL_DIALOGUE_H
#define TERMINAL_DIALOGUE_H

#include "book/book.h"
#include "terminal/view.h"

/* How games are kept; a NULL function: they cannot be. */
struct talk_files {
	/* QV_ILLEGAL: the file is there already, and `over` is false. */
	enum qv_status (*save)(void *ctx, const char *path, const char *data, size_t size,
			       bool over, struct qv_error *error);
	enum qv_status (*load)(void *ctx, const char *path, struct string *out,
			       struct qv_error *error);
	void *ctx;
};

enum talk_next {
	TALK_QUIT,
	TALK_ASK,
	TALK_THINK,
	TALK_ROLL,
};

enum { TALK_PATH = 512, TALK_PROMPT = 64 };

/* Plain data: fill in the first part, and the rest with zeros. */
struct talk {
	struct session *session; /* the caller's */
	struct screen screen;	 /* may change between calls */
	struct talk_files files;
	struct book *trainer;	 /* names of openings are told, and where it ends; may be NULL */
	const char *lesson;	 /* the name of the line to learn; NULL: none, or any */
	const atomic_bool *stop; /* as struct qv_limits has it: hurries whoever thinks */
	struct string out;	 /* what is to be printed */

	bool quit, drawn;      /* drawn: the board as it is has been shown */
	bool paused;	       /* the computers wait for a word */
	bool book_over;	       /* it has been said that the book ends */
	bool wants_position;   /* the next line is one */
	int told;	       /* the turns that ended up to this ply have been told ... */
	uint64_t told_chapter; /* ... in this chapter */
	char path[TALK_PATH];  /* of the file the game was kept in last */
	size_t saved_length;   /* of the journal then; 0: never */
	uint64_t saved_chapter;
};

void talk_begin(struct talk *t);
/* What has to happen next; draws the board if somebody is to look at it. */
enum talk_next talk_next(struct talk *t);
void talk_prompt(const struct talk *t, char prompt[TALK_PROMPT]);
/* A line from the person: a move, a command, or anything else, which is explained. */
void talk_line(struct talk *t, const char *line);
void talk_think(struct talk *t);
void talk_roll(struct talk *t);
/* To be asked whenever time has passed: if a flag has fallen, says so, and returns true. */
bool talk_check_flag(struct talk *t);
void talk_end(struct talk *t);
/* All that a line which begins so can become: moves and commands. */
void talk_complete(struct talk *t, const char *begin, struct text_list *out);

#endif
