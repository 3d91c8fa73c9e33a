/*
 * view.h - a game in progress as text: the board with the last move marked, lists by columns, and
 * sentences that keep to the width of the screen.
 * SPDX-License-Identifier: MIT
 */
#ifndef TERMINAL_VIEW_H
#define TERMINAL_VIEW_H

#include "base/text.h"
#include "session/session.h"

/* What the text is for. A side panel is drawn from PANEL_WIDTH on, two from TWO_PANELS on. */
struct screen {
	int width;
	bool unicode, colour;
	bool terminal; /* somebody sits there: no need to repeat what was typed */
};

enum { PANEL_WIDTH = 80, TWO_PANELS = 120, WORD_ROOM = QV_MOVE_TEXT + 32 };

/* Short texts, as many as come. Release with text_list_release. */
struct text_list {
	const struct qv_allocator *allocator;
	char (*text)[WORD_ROOM];
	int count;
	size_t room;
	bool failed;
};
void text_list_add(struct text_list *w, const char *text);
void text_list_release(struct text_list *w);

int text_columns(const char *text); /* of UTF-8 */

/* A paragraph, broken at blanks (a longer word anywhere); lines after the first are indented. */
void view_flow(struct string *out, int width, int indent, const char *text);
/*
 * Prose that somebody broke into lines longer than any screen, in one line a paragraph: breaks
 * before a blank or a title ("Moves: ...") stay.
 */
void view_unbreak(struct string *out, const char *text);
/* Paragraphs, tables and lists: lines that fit stay as they are (prose.c). */
void view_prose(struct string *out, int width, const char *text);
/* Down the columns, as many as fit. */
void view_columns(struct string *out, int width, const struct text_list *w);

struct move_name {
	char text[QV_MOVE_TEXT];
};
/* At any state of the session's game; as the setup asks for it. */
struct move_name move_name(const struct session *s, const void *state, qv_move move);
/* "seat 2 (level 4)", "you (seat 1)": to begin a sentence, or in it. */
struct seat_name {
	char text[96];
};
struct seat_name seat_name(const struct session *s, int seat, bool begins);
/* "4:58", "1:02:03". */
void put_clock(struct qv_text *out, int64_t ms);

/* The move of who has no other (QV_NO_MOVE: there are more, or a number to choose). */
qv_move only_move(const struct session *s);
/* The legal moves here; a counted one with its numbers if asked. */
void legal_words(const struct session *s, bool counts, struct text_list *w);
/* The moves so far, numbered. */
void line_words(struct session *s, struct text_list *w);
/* The board with what stands beside it. */
void view_board(struct session *s, const struct screen *screen, struct string *out);
/* Whether something stands beside it: of a game whose turns are many moves, orders and news. */
bool view_has_panels(struct session *s, const struct screen *screen);
/* Whose turn it is, or how it ended; clocks. */
void view_status(struct session *s, const struct screen *screen, struct string *out);

#endif
