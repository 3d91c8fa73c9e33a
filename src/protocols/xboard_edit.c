/*
 * xboard_edit.c - the command edit of the XBoard protocol: men one by one, then a dot.
 * SPDX-License-Identifier: MIT
 *
 * It says nothing of castling: who stands at home may castle. The side to move stays.
 */
#include "protocols/xboard.h"

static const char men[] = "PNBRQK";

static int place_of(int file, int rank)
{
	return (XBOARD_SIDE - 1 - rank) * XBOARD_SIDE + file;
}

void xboard_edit_begin(struct connection *c)
{
	struct xboard *x = xboard_of(c);
	char text[QV_POSITION_TEXT] = "";
	struct qv_text fen = { text, sizeof text, 0 };
	int at = 0;
	c->engine.rules.game->position_text(engine_state(&c->engine), &fen);
	memset(x->edited, ' ', sizeof x->edited);
	for (const char *p = text; *p && *p != ' ' && at < XBOARD_SQUARES; p++)
		if (*p >= '1' && *p <= '8')
			at += *p - '0';
		else if (*p != '/')
			x->edited[at++] = *p;
	x->editing = true;
	x->edits_black = false;
}

static bool at_home(const struct xboard *x, int file, int rank, char man)
{
	return x->edited[place_of(file, rank)] == man;
}

static void add_rights(const struct xboard *x, struct qv_text *fen)
{
	const size_t before = fen->length;
	if (at_home(x, 4, 0, 'K') && at_home(x, 7, 0, 'R'))
		qv_put_char(fen, 'K');
	if (at_home(x, 4, 0, 'K') && at_home(x, 0, 0, 'R'))
		qv_put_char(fen, 'Q');
	if (at_home(x, 4, 7, 'k') && at_home(x, 7, 7, 'r'))
		qv_put_char(fen, 'k');
	if (at_home(x, 4, 7, 'k') && at_home(x, 0, 7, 'r'))
		qv_put_char(fen, 'q');
	if (fen->length == before)
		qv_put_char(fen, '-');
}

static void add_men(const struct xboard *x, struct qv_text *fen)
{
	int empty = 0;
	for (int i = 0; i <= XBOARD_SQUARES; i++) {
		const bool row_ends = i && i % XBOARD_SIDE == 0;
		if (empty && (row_ends || x->edited[i] != ' ')) {
			qv_put_int(fen, empty);
			empty = 0;
		}
		if (i == XBOARD_SQUARES)
			return;
		if (row_ends)
			qv_put_char(fen, '/');
		if (x->edited[i] == ' ')
			empty++;
		else
			qv_put_char(fen, x->edited[i]);
	}
}

static enum next_step end_edit(struct connection *c, struct string *out)
{
	struct xboard *x = xboard_of(c);
	char text[QV_POSITION_TEXT] = "";
	struct qv_text fen = { text, sizeof text, 0 };
	struct qv_error error;
	x->editing = false;
	add_men(x, &fen);
	qv_put(&fen, c->engine.rules.game->seat(engine_state(&c->engine)) ? " b " : " w ");
	add_rights(x, &fen);
	qv_put(&fen, " - 0 1");
	if (engine_position(&c->engine, text, &error) != QV_OK)
		string_addf(out, "tellusererror Illegal position: %s\n", error.text);
	return xboard_idle(c, out);
}

enum next_step xboard_edit_line(struct connection *c, const char *line, struct string *out)
{
	struct xboard *x = xboard_of(c);
	if (strcmp(line, ".") == 0)
		return end_edit(c, out);
	const bool whole = strlen(line) == 3 && line[1] >= 'a' && line[1] <= 'h' &&
			   line[2] >= '1' && line[2] <= '8';
	if (strcmp(line, "#") == 0) {
		memset(x->edited, ' ', sizeof x->edited);
	} else if (strcmp(line, "c") == 0) {
		x->edits_black = !x->edits_black;
	} else if (whole && (line[0] == 'x' || strchr(men, line[0]))) {
		char *to = &x->edited[place_of(line[1] - 'a', line[2] - '1')];
		*to = line[0] == 'x' ? ' ' : line[0];
		if (line[0] != 'x' && x->edits_black)
			*to = (char)(line[0] - 'A' + 'a');
	} else {
		string_addf(out, "Error (no such man or square): %.100s\n", line);
	}
	return NEXT_LINE;
}
