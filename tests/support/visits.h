/*
 * visits.h - records every visit of a search (quevedo/visit.h) with its position, for tests that
 * derive each one again.
 * SPDX-License-Identifier: MIT
 *
 * A checker returns NULL, or what is wrong with the record. So a test can also spoil a record and
 * see that the checker notices.
 */
#ifndef TEST_VISITS_H
#define TEST_VISITS_H

#include <math.h>
#include <stdio.h>

#include "support/search.h"

enum { VISITS_MOST = 400000 };

/* A reason, in the order in which they came. */
struct visit_reason {
	int next; /* of the same visit; -1: the last */
	int at;	  /* visits entered before it */
	enum qv_why why;
	double number;
};

struct visit {
	int parent;	  /* -1: a pass over the root */
	int end;	  /* just after its last descendant */
	int reason, last; /* its first and last reason; -1: none */
	int mover;	  /* who moves there, or QV_CHANCE */
	int ply, depth, seat;
	unsigned flags;
	bool ended, left, has_values;
	qv_move move, best;
	double alpha, beta, value, values[QV_MAX_SEATS];
};

struct visits {
	const struct qv_game *game;
	struct spot spot;
	struct visit *list;
	struct visit_reason *reasons;
	unsigned char *states;
	int count, reason_count, room;
	int open[2 * QV_MAX_LINE], depth; /* the path */
	struct qv_answer answer;
	bool full;	   /* there was no room */
	char trouble[200]; /* the first error; "": none */
};

/* Keeps the first message; returns it, so that a checker can return it, too. */
#define VISITS_WRONG(r, ...)    \
	((r)->trouble[0]        \
		 ? (r)->trouble \
		 : (snprintf((r)->trouble, sizeof(r)->trouble, __VA_ARGS__), (r)->trouble))

static inline const void *visit_state(const struct visits *r, int i)
{
	return r->states + (size_t)i * r->game->state_size;
}

static inline const struct qv_game *visits_game(const struct qv_context *context, const char *name)
{
	const struct qv_game *g;
	for (int i = 0; (g = qv_game_at(context, i)) && strcmp(g->name, name) != 0; i++)
		;
	if (!g)
		fail_msg("no game %s", name);
	return g;
}

/* Sets *s to a random position in which a player is to move. False: not this time. */
static inline bool visits_spot(struct spot *s, const struct qv_context *context,
			       const struct qv_game *game, int plies, struct qv_random *random)
{
	int32_t points[QV_MAX_SEATS];
	*s = spot_random(context, game, plies, random);
	for (int k = 0; game->seat(s->state) == QV_CHANCE && k < 50; k++)
		if (!spot_wander(s, random))
			break;
	return game->seat(s->state) != QV_CHANCE && !spot_ended(s, points);
}

/* ---- Recording ---- */

static inline void visits_on_enter(void *ctx, const struct qv_visit *v)
{
	struct visits *r = ctx;
	int32_t points[QV_MAX_SEATS];
	if (r->full)
		return;
	if (v->ply != r->depth)
		VISITS_WRONG(r, "enter at ply %d, but %d nodes are open", v->ply, r->depth);
	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 1024;
		r->list = realloc(r->list, (size_t)r->room * sizeof *r->list);
		r->states = realloc(r->states, (size_t)r->room * r->game->state_size);
		r->reasons = realloc(r->reasons, 3 * (size_t)r->room * sizeof *r->reasons);
		assert_true(r->list && r->states && r->reasons);
	}
	if (r->count == VISITS_MOST) {
		r->full = true;
		return;
	}
	memcpy(r->states + (size_t)r->count * r->game->state_size, v->state, r->game->state_size);
	r->list[r->count] = (struct visit){
		.parent = r->depth ? r->open[r->depth - 1] : -1,
		.reason = -1,
		.last = -1,
		.mover = r->game->seat(v->state),
		.ply = v->ply,
		.depth = v->depth,
		.seat = v->seat,
		.flags = v->flags,
		.ended = r->game->result(v->state, points) != QV_GOING,
		.move = v->move,
		.best = QV_NO_MOVE,
		.alpha = v->alpha,
		.beta = v->beta,
	};
	r->open[r->depth++] = r->count++;
}

/* The visit on top, which must be at that ply. */
static inline struct visit *visits_top(struct visits *r, int ply, const char *what)
{
	if (r->full)
		return NULL;
	if (!r->depth || r->list[r->open[r->depth - 1]].ply != ply) {
		VISITS_WRONG(r, "%s at ply %d, which is not that of the last open node", what, ply);
		return NULL;
	}
	return &r->list[r->open[r->depth - 1]];
}

static inline void visits_on_why(void *ctx, int ply, enum qv_why why, double number)
{
	struct visits *r = ctx;
	struct visit *v = visits_top(r, ply, "why");
	if (!v || r->reason_count == 3 * r->room)
		return;
	r->reasons[r->reason_count] = (struct visit_reason){ -1, r->count, why, number };
	if (v->last >= 0)
		r->reasons[v->last].next = r->reason_count;
	else
		v->reason = r->reason_count;
	v->last = r->reason_count++;
}

static inline void visits_on_values(void *ctx, int ply, const double *values)
{
	struct visits *r = ctx;
	struct visit *v = visits_top(r, ply, "values");
	if (!v)
		return;
	v->has_values = true;
	memcpy(v->values, values, (size_t)r->game->seats * sizeof *values);
}

static inline void visits_on_leave(void *ctx, int ply, double value, qv_move best)
{
	struct visits *r = ctx;
	struct visit *v = visits_top(r, ply, "leave");
	if (!v)
		return;
	v->left = true;
	v->value = value;
	v->best = best;
	v->end = r->count;
	r->depth--;
}

/*
 * Thinks twice, once with a listener: the answers must be the same, or a message says which differ.
 * Free the record with visits_free.
 */
static inline const char *visits_record(struct visits *r, const struct spot *s, const char *spec)
{
	*r = (struct visits){ .game = s->rules.game, .spot = *s };
	const struct qv_listener listener = { .size = sizeof listener, .enter = visits_on_enter,
					      .why = visits_on_why,
					      .values = visits_on_values,
					      .leave = visits_on_leave,
					      .ctx = r };
	const struct qv_answer plain = think(s, spec, NULL, NULL);
	r->answer = think(s, spec, NULL, &listener);
	if (!same_answer(&plain, &r->answer))
		return VISITS_WRONG(r,
				    "%s: with a listener %llu nodes, %llu evaluations, score %d; "
				    "without %llu, %llu, %d",
				    spec, (unsigned long long)r->answer.nodes,
				    (unsigned long long)r->answer.evals, r->answer.score,
				    (unsigned long long)plain.nodes,
				    (unsigned long long)plain.evals, plain.score);
	if (!r->full && r->depth)
		return VISITS_WRONG(r, "%s: a node was not left", spec);
	if (!r->count)
		return VISITS_WRONG(r, "%s: no visits", spec);
	return r->trouble[0] ? r->trouble : NULL;
}

static inline void visits_free(struct visits *r)
{
	free(r->list);
	free(r->states);
	free(r->reasons);
}

/* ---- Reading ---- */

/* The first visit below i, or the next sibling of c below i; -1: no more. */
static inline int visit_child(const struct visits *r, int i)
{
	return i + 1 < r->list[i].end ? i + 1 : -1;
}

static inline int visit_next(const struct visits *r, int i, int c)
{
	return r->list[c].end < r->list[i].end ? r->list[c].end : -1;
}

/* The reason of that kind, or NULL. */
static inline const struct visit_reason *visit_why_of(const struct visits *r, int i,
						      enum qv_why why)
{
	for (int k = r->list[i].reason; k >= 0; k = r->reasons[k].next)
		if (r->reasons[k].why == why)
			return &r->reasons[k];
	return NULL;
}

/* Whether a reason of that kind has the value of the node as its number. */
static inline bool visit_is(const struct visits *r, int i, enum qv_why why)
{
	const struct visit_reason *k = visit_why_of(r, i, why);
	return k && k->number == r->list[i].value;
}

/* A value or an edge of the window of visit c, for a seat, in games of two seats. */
static inline double visit_value_for(const struct visits *r, int c, int seat)
{
	return r->list[c].seat == seat ? r->list[c].value : -r->list[c].value;
}

/* Whether the window of c is this one, seen by a seat. */
static inline bool visit_has_window(const struct visits *r, int c, int seat, double alpha,
				    double beta)
{
	const struct visit *v = &r->list[c];
	return v->seat == seat ? v->alpha == alpha && v->beta == beta
			       : v->alpha == -beta && v->beta == -alpha;
}

/* How many moves there are at a visit, counted moves with each of their numbers. */
static inline int visit_moves(const struct visits *r, int i, qv_move *list)
{
	struct spot s = { .rules = r->spot.rules };
	memcpy(s.state, visit_state(r, i), r->game->state_size);
	return spot_moves(&s, list);
}

/* How many different moves were visited at i, and whether all are legal. */
static inline int visit_tried(const struct visits *r, int i, unsigned without)
{
	qv_move seen[SPOT_MOVES];
	int n = 0;
	for (int c = visit_child(r, i); c >= 0; c = visit_next(r, i, c)) {
		bool old = r->list[c].flags & without;
		for (int k = 0; k < n && !old; k++)
			old = seen[k] == r->list[c].move;
		if (!old && n < SPOT_MOVES)
			seen[n++] = r->list[c].move;
	}
	return n;
}

/* Whether a node has the position that its move leads to, from that of its parent. */
static inline const char *visit_check_position(struct visits *r, int i)
{
	unsigned char state[SPOT_STATE];
	const struct visit *v = &r->list[i];
	if (v->parent < 0 || v->flags & QV_VISIT_SAMPLE || v->move == QV_NO_MOVE)
		return NULL;
	memcpy(state, visit_state(r, v->parent), r->game->state_size);
	if (!qv_move_legal(r->game, state, v->move))
		return VISITS_WRONG(r, "visit %d: its move is not legal", i);
	r->game->play(state, v->move);
	if (r->game->hash(state) != r->game->hash(visit_state(r, i)))
		return VISITS_WRONG(r, "visit %d: its position is not that after its move", i);
	return NULL;
}

/* The last pass over the root. */
static inline int visits_last_pass(const struct visits *r)
{
	int last = 0;
	for (int i = 0; i < r->count; i = r->list[i].end)
		last = i;
	return last;
}

#endif
