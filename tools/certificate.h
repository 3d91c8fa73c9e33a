/*
 * certificate.h - checks a certificate (docs/formats.md) against the rules of its game, and nothing
 * else.
 * SPDX-License-Identifier: MIT
 *
 * Small enough to be read in one sitting: it shares no line with what wrote the certificate. Rules
 * come as four functions over texts, so that any implementation of a game will do.
 *
 * A strategy holds if, from the claimed position on, every move of the other seat and the named
 * move of its own lead to ends that are good enough. A win must also come to an end: no position
 * may follow from itself.
 */
#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CERTIFICATE_POSITION = 4096,       /* texts fit, with their NUL */
	CERTIFICATE_MOVE = 64,
	CERTIFICATE_DEEPEST = 1000,        /* plies; more is refused */
};

typedef char certificate_move[CERTIFICATE_MOVE];

struct certificate_rules {
	void *ctx;
	/* To move, 0 or 1; -1: the text is no position. */
	int (*seat)(void *ctx, const char *position);
	/* All moves, in memory to be freed; NULL: no memory. */
	certificate_move *(*moves)(void *ctx, const char *position, int *count);
	bool (*play)(void *ctx, char *position, const char *move);       /* false: not legal */
	bool (*over)(void *ctx, const char *position, int32_t *points);  /* of the two seats */
};

enum certificate_mark { UNSEEN, OPEN, HOLDS };

struct certificate_entry {
	const char *position, *move;
	enum certificate_mark mark;
};

struct certificate {
	const struct certificate_rules *rules;
	char *next;                        /* of the text: the line not read yet */
	struct certificate_entry *entries; /* by hash, open addressing */
	size_t places, count, checked;
	int seat;                          /* the strategy's */
	bool must_win;
	char why[256];                     /* what is wrong */
};

__attribute__((format(printf, 2, 3))) static inline bool certificate_wrong(struct certificate *c,
									  const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(c->why, sizeof c->why, format, args);
	va_end(args);
	return false;
}

/* Cuts the next line off; NULL at the end of the text. */
static inline char *certificate_line(struct certificate *c)
{
	char *line = c->next, *end = line ? strchr(line, '\n') : NULL;
	if (!end)
		return NULL;
	*end = '\0';
	c->next = end + 1;
	return line;
}

/* The next line must begin with that word; what follows it. */
static inline char *certificate_field(struct certificate *c, const char *word)
{
	char *line = certificate_line(c);
	const size_t length = strlen(word);
	if (line && strncmp(line, word, length) == 0 && line[length] == ' ')
		return line + length + 1;
	certificate_wrong(c, "a line that begins with '%s' is missing", word);
	return NULL;
}

static inline struct certificate_entry *certificate_find(struct certificate *c,
							 const char *position)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (const char *t = position; *t; t++)
		hash = (hash ^ (unsigned char)*t) * UINT64_C(1099511628211);
	hash ^= hash >> 32;
	size_t place = hash & (c->places - 1);
	while (c->entries[place].position && strcmp(c->entries[place].position, position) != 0)
		place = (place + 1) & (c->places - 1);
	return &c->entries[place];
}

static inline bool certificate_read_entries(struct certificate *c)
{
	for (size_t i = 0; i < c->count; i++) {
		char *line = certificate_line(c), *tab = line ? strchr(line, '\t') : NULL;
		if (!tab)
			return certificate_wrong(c, "entry %zu is not a position, a tab and a move",
						 i + 1);
		*tab = '\0';
		struct certificate_entry *entry = certificate_find(c, line);
		if (entry->position)
			return certificate_wrong(c, "entry %zu names its position twice", i + 1);
		*entry = (struct certificate_entry){ line, tab + 1, UNSEEN };
	}
	return true;
}

static inline bool certificate_walk(struct certificate *c, const char *position, int ply);

static inline bool certificate_after(struct certificate *c, const char *position, const char *move,
				     int ply)
{
	char next[CERTIFICATE_POSITION];
	snprintf(next, sizeof next, "%s", position);
	if (!c->rules->play(c->rules->ctx, next, move))
		return certificate_wrong(c, "%.120s: %.40s is not legal", position, move);
	return certificate_walk(c, next, ply + 1);
}

static inline bool certificate_own_turn(struct certificate *c, const char *position, int ply)
{
	struct certificate_entry *entry = certificate_find(c, position);
	if (!entry->position)
		return certificate_wrong(c, "%.160s: no move is named", position);
	if (entry->mark == OPEN && c->must_win)
		return certificate_wrong(c, "%.160s: comes again", position);
	if (entry->mark != UNSEEN)
		return true;
	entry->mark = OPEN;
	c->checked++;
	const bool holds = certificate_after(c, position, entry->move, ply);
	entry->mark = HOLDS;
	return holds;
}

static inline bool certificate_other_turn(struct certificate *c, const char *position, int ply)
{
	int count;
	certificate_move *list = c->rules->moves(c->rules->ctx, position, &count);
	bool holds = list || certificate_wrong(c, "out of memory");
	if (list && count < 1)
		holds = certificate_wrong(c, "%.160s: has no move, and has not ended", position);
	for (int i = 0; i < count && holds; i++)
		holds = certificate_after(c, position, list[i], ply);
	free(list);
	return holds;
}

static inline bool certificate_walk(struct certificate *c, const char *position, int ply)
{
	int32_t points[4] = { 0 };
	if (ply > CERTIFICATE_DEEPEST)
		return certificate_wrong(c, "longer than %d plies", CERTIFICATE_DEEPEST);
	if (c->rules->over(c->rules->ctx, position, points)) {
		const int32_t ahead = points[c->seat] - points[1 - c->seat];
		return ahead >= (c->must_win ? 1 : 0) ||
		       certificate_wrong(c, "%.160s: ends otherwise", position);
	}
	return c->rules->seat(c->rules->ctx, position) == c->seat ?
		       certificate_own_turn(c, position, ply) :
		       certificate_other_turn(c, position, ply);
}

static inline bool certificate_strategy(struct certificate *c, const char *position, int seat,
					bool must_win)
{
	const char *field = certificate_field(c, "strategy");
	int said;
	unsigned long long count;
	if (!field)
		return false;
	if (sscanf(field, "%d %llu", &said, &count) != 2 || said != seat + 1)
		return certificate_wrong(c, "a strategy of seat %d is missing", seat + 1);
	if (count > strlen(c->next))
		return certificate_wrong(c, "the text is too short for %llu entries", count);
	c->seat = seat;
	c->must_win = must_win;
	c->count = (size_t)count;
	for (c->places = 2; c->places < 2 * c->count + 2; c->places *= 2)
		;
	c->entries = calloc(c->places, sizeof *c->entries);
	const bool holds = c->entries ? certificate_read_entries(c) &&
						certificate_walk(c, position, 0) :
					certificate_wrong(c, "out of memory");
	free(c->entries);
	c->entries = NULL;
	return holds;
}

/*
 * Checks the text after its line `game`, from the line `position` on; `value` gets the claim, which
 * is true if true comes back. c: { rules, text }. The text is written into.
 */
static inline bool certificate_holds(struct certificate *c, const char **position,
				     const char **value)
{
	char *at = certificate_field(c, "position"), *claim = at ? certificate_field(c, "value") : NULL;
	if (!claim)
		return false;
	if (strlen(at) >= CERTIFICATE_POSITION)
		return certificate_wrong(c, "the position is too long");
	const bool win = strcmp(claim, "win") == 0, loss = strcmp(claim, "loss") == 0;
	if (!win && !loss && strcmp(claim, "draw") != 0)
		return certificate_wrong(c, "'%.40s' is no value", claim);
	*position = at;
	*value = claim;
	const int mover = c->rules->seat(c->rules->ctx, at);
	if (mover < 0)
		return certificate_wrong(c, "%.160s: not a position of this game", at);
	for (int seat = 0; seat < 2; seat++)
		if (((!win && !loss) || win == (seat == mover)) &&
		    !certificate_strategy(c, at, seat, win || loss))
			return false;
	const char *last = certificate_line(c);
	return (last && strcmp(last, "end") == 0) || certificate_wrong(c, "the line 'end' is missing");
}

#endif
