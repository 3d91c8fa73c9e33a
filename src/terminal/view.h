/*
 * view.h - a game in progress as text: the board with the last move marked, lists by columns, and
 * sentences that keep to the width of the screen.
 * SPDX-License-Identifier: MIT
 */
#ifndef TERMINAL_VIEW_H
#define TERMINAL_VIEW_H

#include "base/text.h"
#include "session/session.h"

/*
 * What the text is printed on. From PANEL_WIDTH columns on there is a panel beside the board, from
 * TWO_PANELS on there are two.
 */
struct screen {
	int width;
	bool unicode, colour;
	bool terminal; /* a person types here, so input need not be repeated */
};

enum { PANEL_WIDTH = 80, TWO_PANELS = 120, WORD_ROOM = QV_MOVE_TEXT + 32 };

/* A list of short texts; a longer one is cut. { allocator } is empty. */
struct text_list {
	const struct qv_allocator *allocator;
	char (*text)[WORD_ROOM];
	int count;
	size_t room; /* of the array, in texts */
	bool failed; /* out of memory: a text is missing */
};
/* Adds a copy. */
void text_list_add(struct text_list *w, const char *text);
/* Frees the texts; the list is empty and can be used again. */
void text_list_release(struct text_list *w);
/* The columns of the widest text; 0: there is no text. */
int text_list_widest(const struct text_list *w);

/*
 * Makes a string longer by `length` bytes, which the caller writes into the text that is returned.
 * So what a game writes is measured first, without a buffer, and then written in place. Out of
 * memory: the text has no room.
 */
struct qv_text string_extend(struct string *s, size_t length);

/* How many columns a text of UTF-8 takes: one for each character. */
int text_columns(const char *text);

/*
 * Paragraphs, one a line of the text, broken at blanks (a longer word anywhere). The lines of a
 * paragraph after its first are indented.
 */
void view_flow(struct string *out, int width, int indent, const char *text);
/*
 * Prose whose lines were broken at more than 80 columns, joined to one line a paragraph: breaks
 * before a blank or a title ("Moves: ...") stay.
 */
void view_unbreak(struct string *out, const char *text);
/* Paragraphs, tables and lists: lines that fit stay as they are. */
void view_prose(struct string *out, int width, const char *text);
/* The texts down the columns, as many columns as fit. */
void view_columns(struct string *out, int width, const struct text_list *w);

struct move_name {
	char text[QV_MOVE_TEXT];
};
/* The name of a move in a state of the session's game; with setup.san in the short notation. */
struct move_name move_name(const struct session *s, const void *state, qv_move move);

struct seat_name {
	char text[96];
};
/* "seat 2 (level 4)", "Red (level 4)", "you (White)"; begins: at the beginning of a sentence. */
struct seat_name seat_name(const struct session *s, int seat, bool begins);
/* "4:58", "1:02:03". */
void put_clock(struct qv_text *out, int64_t ms);

/* The only legal move of the seat to move. QV_NO_MOVE: there are more, or a number to choose. */
qv_move only_move(const struct session *s);
/* The legal moves here; counts: a move with a number to choose gets its range. */
void legal_words(const struct session *s, bool counts, struct text_list *w);
/*
 * The moves from a ply to the present one, numbered. Overwrites the scratch state, as those below.
 */
void line_words(struct session *s, int first, struct text_list *w);
/*
 * The board with the last move marked. On a wide terminal there are panels beside it: the moves so
 * far and the legal moves, or the orders and news of a game whose turns have many moves.
 */
void view_board(struct session *s, const struct screen *screen, struct string *out);
/* Whether view_board would draw panels. */
bool view_has_panels(struct session *s, const struct screen *screen);
/* Whose turn it is, or how it ended; clocks. */
void view_status(struct session *s, const struct screen *screen, struct string *out);

#endif
