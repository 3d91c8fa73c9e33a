/*
 * write.c - writes a book as text that read.c accepts.
 * SPDX-License-Identifier: MIT
 *
 * The output is canonical: a book that is read and written again gives the same text.
 */
#include "book/inside.h"

static void add_move(const struct book *b, struct string *out, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "";
	b->rules.game->move_text(state, move, &(struct qv_text){ text, sizeof text, 0 });
	string_addf(out, "%s", text);
}

/* A position, as "start" or in the game's notation. */
static void add_state(const struct book *b, struct string *out, uint32_t number)
{
	char text[QV_POSITION_TEXT] = "start";
	struct qv_text buffer = { text, sizeof text, 0 };
	const void *state = book_state(b, number);
	if (memcmp(state, book_state(b, 0), b->rules.game->state_size) != 0)
		b->rules.game->position_text(state, &buffer);
	string_addf(out, "%s\n", text);
}

/* A note on its own line, if there is one. */
static void add_note(const struct book *b, struct string *out, const char *indent, size_t note)
{
	if (note)
		string_addf(out, "%snote %s\n", indent, book_text(b, note));
}

/* A line on one line, with its note below. */
static void add_line(const struct book *b, struct string *out, const struct book_item *item)
{
	void *state = book_scratch(b, SCRATCH_WALK);
	string_addf(out, "line %u %s:", item->weight, book_text(b, item->name));
	memcpy(state, book_state(b, item->from), b->rules.game->state_size);
	for (uint32_t i = 0; i < item->count; i++) {
		const qv_move move = b->moves[item->first + i].move;
		string_addf(out, " ");
		add_move(b, out, state, move);
		/* Where move texts contain blanks, commas separate them. */
		if (i + 1 < item->count && !book_blanks_separate(b, state))
			string_addf(out, ",");
		b->rules.game->play(state, move);
	}
	string_addf(out, "\n");
	add_note(b, out, "  ", item->note);
}

/* A position with its name, note and moves. */
static void add_position(const struct book *b, struct string *out, const struct book_item *item)
{
	string_addf(out, "at ");
	add_state(b, out, item->from);
	if (item->name)
		string_addf(out, "  name %s\n", book_text(b, item->name));
	add_note(b, out, "  ", item->note);
	for (uint32_t i = 0; i < item->count; i++) {
		const struct book_move *m = &b->moves[item->first + i];
		string_addf(out, "  move %u ", m->weight);
		add_move(b, out, book_state(b, item->from), m->move);
		string_addf(out, "\n");
		add_note(b, out, "    ", m->note);
	}
}

/* A universal reply and its exceptions. */
static void add_reply(const struct book *b, struct string *out, const struct book_item *item)
{
	const struct qv_game *g = b->rules.game;
	const void *from = book_state(b, item->from);
	void *state = book_scratch(b, SCRATCH_WALK);
	const qv_move reply = b->moves[item->first].move;
	bool written = false;
	string_addf(out, "reply %u ", item->weight);
	/* The text of the reply is that of the first position where it is legal. */
	const int n = g->moves(from, b->list);
	for (int i = 0; i < n && !written; i++) {
		memcpy(state, from, g->state_size);
		g->play(state, b->list[i]);
		written = book_has_choice(b, state) && qv_move_legal(g, state, reply);
		if (written)
			add_move(b, out, state, reply);
	}
	for (uint32_t i = 1; i < item->count; i++) {
		string_addf(out, "%s", i == 1 ? " except " : ", ");
		add_move(b, out, from, b->moves[item->first + i].move);
	}
	string_addf(out, "\n");
	add_note(b, out, "  ", item->note);
}

/* `from` lines are written only where the first position changes. */
void book_write(const struct book *b, struct string *out)
{
	char rules[QV_POSITION_TEXT] = "";
	uint32_t from = 0; /* the position of the last `from` line */
	qv_rules_text(&b->rules, &(struct qv_text){ rules, sizeof rules, 0 });
	string_addf(out, "quevedo-book 1 %s\n", rules);
	if (b->title)
		string_addf(out, "title %s\n", book_text(b, b->title));
	add_note(b, out, "", b->note);
	for (uint32_t i = 0; i < b->item_count; i++) {
		const struct book_item *item = &b->items[i];
		if (item->kind == BOOK_AT) {
			add_position(b, out, item);
			continue;
		}
		if (memcmp(book_state(b, from), book_state(b, item->from),
			   b->rules.game->state_size) != 0) {
			from = item->from;
			string_addf(out, "from ");
			add_state(b, out, from);
		}
		(item->kind == BOOK_LINE ? add_line : add_reply)(b, out, item);
	}
}
