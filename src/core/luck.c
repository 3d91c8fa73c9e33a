/*
 * luck.c - equity, the luck of chance outcomes, and what moves lose (quevedo/luck.h).
 * SPDX-License-Identifier: MIT
 *
 * A position is static or looked at one move deep: then it has the value of the best move, by the
 * static values after the moves. Static is the game's own estimate (struct engine), else its first
 * evaluation, which needs a player to move: at a chance node it is averaged over the outcomes. Work
 * is bounded: if one move deep takes too many evaluations, everything that is compared is static.
 * So the values of one call are always of the same kind, and luck has mean 0.
 */
#include "base/sized.h"
#include "core/context.h"
#include "search/legal.h"
#include "search/root.h"

enum {
	LUCK_WORK = 1 << 15, /* evaluations for the luck of one outcome ... */
	REVIEW_WORK = 1000,  /* ... and for what a move loses */
	LEVELS = 5,	     /* states in use at a time */
	MOST_CHAIN = 64,     /* chance outcomes in a row that are followed */
};

struct values {
	double of[QV_MAX_SEATS];
};

/* One call of a public function. */
struct estimate {
	const struct qv_game *game;
	const struct engine *engine;
	struct arena arena;
	void *states[LEVELS];
	qv_move *lists[LEVELS];
	int64_t work; /* evaluations left; below 0: too many */
};

static enum qv_status begin(struct estimate *e, const struct qv_context *context,
			    const struct qv_game *game, int64_t work, struct qv_error *error)
{
	const size_t moves = (size_t)game->max_moves;
	*e = (struct estimate){ .game = game, .engine = context_engine(game), .work = work };
	if (arena_init(&e->arena, context_allocator(context),
		       LEVELS * (arena_need(1, game->state_size) +
				 arena_need(moves, sizeof(qv_move)))) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "luck: out of memory");
	for (int i = 0; i < LEVELS; i++) {
		e->states[i] = arena_take(&e->arena, 1, game->state_size);
		e->lists[i] = arena_take(&e->arena, moves, sizeof(qv_move));
	}
	return QV_OK;
}

/* The state after a move, in the slot of this level. */
static void *after(const struct estimate *e, int level, const void *state, qv_move move)
{
	memcpy(e->states[level], state, e->game->state_size);
	e->game->play(e->states[level], move);
	return e->states[level];
}

static double weight_of(const struct qv_game *game, const void *state, qv_move outcome)
{
	const uint32_t weight = game->weight(state, outcome);
	return weight ? weight : 1; /* a plug-in may break the contract with 0 */
}

/* ---- Static values ---- */

/* The exact values of a game that has ended; false: it goes on. */
static bool ended_values(const struct estimate *e, const void *state, struct values *out)
{
	const struct qv_game *g = e->game;
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) == QV_GOING)
		return false;
	const unsigned winners = root_winners(g->seats, points);
	const bool shared = winners & (winners - 1);
	for (int seat = 0; seat < g->seats; seat++)
		out->of[seat] = !(winners >> seat & 1) ? -1 : shared ? 0 : 1;
	if (g->seats == 2) {
		out->of[0] = root_points(g, points);
		out->of[1] = -out->of[0];
	} else if (g->seats == 1) {
		out->of[0] = points[0];
	}
	return true;
}

/* By the first evaluation; a player is to move. */
static void evaluated_values(struct estimate *e, const void *state, struct values *out)
{
	const struct qv_game *g = e->game;
	const struct qv_evaluation *eval = g->evaluations;
	const double win = g->win ? g->win : QV_MAX_EVAL;
	const double point = g->seats == 1 ? 1 : win / (g->stakes ? g->stakes : 1);
	const int mover = g->seat(state);
	int32_t values[QV_MAX_SEATS] = { 0 };
	e->work--;
	if (eval && eval->seats && g->seats > 2) {
		eval->seats(state, eval->weights, values);
	} else if (eval) {
		const int32_t mine = eval->evaluate(state, eval->weights);
		for (int seat = 0; seat < g->seats; seat++)
			values[seat] = seat == mover ? mine : -mine / (g->seats - 1);
	}
	for (int seat = 0; seat < g->seats; seat++) {
		const double value = values[seat];
		const bool cut = g->seats > 1;
		out->of[seat] = (cut && value > win    ? win
				 : cut && value < -win ? -win
						       : value) /
				point;
	}
}

/* After an outcome, in place: follows the likeliest outcomes until a player is to move. */
static void settled_values(struct estimate *e, int level, void *state, struct values *out)
{
	const struct qv_game *g = e->game;
	*out = (struct values){ { 0 } };
	for (int steps = 0; steps < MOST_CHAIN; steps++) {
		if (ended_values(e, state, out))
			return;
		if (g->seat(state) != QV_CHANCE) {
			evaluated_values(e, state, out);
			return;
		}
		const int n = g->moves(state, e->lists[level]);
		qv_move likeliest = n ? e->lists[level][0] : QV_NO_MOVE;
		for (int i = 1; i < n; i++)
			if (weight_of(g, state, e->lists[level][i]) >
			    weight_of(g, state, likeliest))
				likeliest = e->lists[level][i];
		if (!n)
			return;
		g->play(state, likeliest);
	}
}

static void static_values(struct estimate *e, int level, const void *state, struct values *out)
{
	const struct qv_game *g = e->game;
	double total = 0;
	if (ended_values(e, state, out))
		return;
	if (e->engine->equity && g->seats == 2) {
		e->work--;
		out->of[0] = e->engine->equity(state, 0);
		out->of[1] = -out->of[0];
		return;
	}
	if (g->seat(state) != QV_CHANCE) {
		evaluated_values(e, state, out);
		return;
	}
	*out = (struct values){ { 0 } };
	const int n = g->moves(state, e->lists[level]);
	for (int i = 0; i < n && e->work >= 0; i++) {
		const qv_move outcome = e->lists[level][i];
		const double weight = weight_of(g, state, outcome);
		struct values here;
		settled_values(e, level + 1, after(e, level, state, outcome), &here);
		for (int seat = 0; seat < g->seats; seat++)
			out->of[seat] += weight * here.of[seat];
		total += weight;
	}
	for (int seat = 0; seat < g->seats && total > 0; seat++)
		out->of[seat] /= total;
}

/* ---- One move deep ---- */

static void best_values(struct estimate *e, int level, const void *state, struct values *out)
{
	const struct qv_game *g = e->game;
	const int mover = g->seat(state);
	if (ended_values(e, state, out))
		return;
	if (mover == QV_CHANCE) {
		static_values(e, level, state, out);
		return;
	}
	const int n = g->moves(state, e->lists[level]);
	for (int i = 0; i < n && e->work >= 0; i++) {
		struct values here;
		static_values(e, level + 1, after(e, level, state, e->lists[level][i]), &here);
		if (!i || here.of[mover] > out->of[mover])
			*out = here;
	}
}

/* How positions are valued in one call. */
typedef void value_fn(struct estimate *e, int level, const void *state, struct values *out);

/* The mean over the outcomes at a chance node; *chosen, unless NULL: the values of this outcome. */
static void mean_values(struct estimate *e, int level, const void *state, value_fn *value,
			qv_move outcome, struct values *chosen, struct values *mean)
{
	const struct qv_game *g = e->game;
	const int n = g->moves(state, e->lists[level]);
	double total = 0;
	*mean = (struct values){ { 0 } };
	for (int i = 0; i < n && e->work >= 0; i++) {
		const qv_move one = e->lists[level][i];
		const double weight = weight_of(g, state, one);
		struct values here;
		value(e, level + 1, after(e, level, state, one), &here);
		for (int seat = 0; seat < g->seats; seat++)
			mean->of[seat] += weight * here.of[seat];
		total += weight;
		if (chosen && one == outcome)
			*chosen = here;
	}
	for (int seat = 0; seat < g->seats && total > 0; seat++)
		mean->of[seat] /= total;
}

/* The mean at a chance node, else one move deep. */
static void deep_values(struct estimate *e, int level, const void *state, struct values *out)
{
	struct values ended;
	if (!ended_values(e, state, &ended) && e->game->seat(state) == QV_CHANCE)
		mean_values(e, level, state, best_values, QV_NO_MOVE, NULL, out);
	else
		best_values(e, level, state, out);
}

/* ---- Public functions ---- */

enum qv_status qv_equity(const struct qv_context *context, const struct qv_game *game,
			 const void *state, double *equities, struct qv_error *error)
{
	struct estimate e;
	struct values values;
	const enum qv_status status = begin(&e, context, game, LUCK_WORK, error);
	if (status != QV_OK)
		return status;
	deep_values(&e, 0, state, &values);
	if (e.work < 0) {
		e.work = INT64_MAX;
		static_values(&e, 0, state, &values);
	}
	memcpy(equities, values.of, (size_t)game->seats * sizeof *equities);
	arena_release(&e.arena);
	return QV_OK;
}

/* Whose roll it was: by the game's own rule, or the seat that moves after it. */
static int roller(const struct estimate *e, const void *state, qv_move outcome)
{
	const struct qv_game *g = e->game;
	if (e->engine->roller)
		return e->engine->roller(state);
	void *next = after(e, 0, state, outcome);
	for (int i = 0; i < MOST_CHAIN && g->seat(next) == QV_CHANCE; i++) {
		if (g->moves(next, e->lists[0]) <= 0)
			break;
		g->play(next, e->lists[0][0]);
	}
	const int seat = g->seat(next);
	return seat == QV_CHANCE ? 0 : seat;
}

enum qv_status qv_luck(const struct qv_context *context, const struct qv_game *game,
		       const void *state, qv_move outcome, struct qv_roll_luck *out,
		       struct qv_error *error)
{
	struct estimate e;
	struct values mean, chosen = { { 0 } };
	if (game->seat(state) != QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "luck: chance is not to move");
	if (!qv_move_legal(game, state, outcome))
		return qv_fail(error, QV_ILLEGAL, "luck: not a possible outcome");
	enum qv_status status = sized_check("qv_roll_luck", out, error);
	if (status == QV_OK)
		status = begin(&e, context, game, LUCK_WORK, error);
	if (status != QV_OK)
		return status;
	mean_values(&e, 0, state, best_values, outcome, &chosen, &mean);
	if (e.work < 0) {
		e.work = INT64_MAX;
		mean_values(&e, 0, state, static_values, outcome, &chosen, &mean);
	}
	struct qv_roll_luck luck = { .seat = roller(&e, state, outcome) };
	for (int seat = 0; seat < game->seats; seat++)
		luck.of[seat] = chosen.of[seat] - mean.of[seat];
	sized_out(out, &luck, sizeof luck);
	arena_release(&e.arena);
	return QV_OK;
}

/* Finds the best of the moves for the mover, and the value of one of them. */
static void compare_moves(struct estimate *e, const void *state, value_fn *value, qv_move move,
			  struct qv_move_review *out)
{
	const struct qv_game *g = e->game;
	const int mover = g->seat(state), n = g->moves(state, e->lists[0]);
	struct values here;
	value(e, 1, after(e, 0, state, move), &here);
	const double own = here.of[mover];
	*out = (struct qv_move_review){ .best = move };
	for (int i = 0; i < n && e->work >= 0; i++) {
		value(e, 1, after(e, 0, state, e->lists[0][i]), &here);
		if (here.of[mover] - own > out->loss)
			*out = (struct qv_move_review){ .best = e->lists[0][i],
							.loss = here.of[mover] - own };
	}
}

enum qv_status qv_review(const struct qv_context *context, const struct qv_game *game,
			 const void *state, qv_move move, struct qv_move_review *out,
			 struct qv_error *error)
{
	struct estimate e;
	if (game->seat(state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "review: chance is to move");
	if (!qv_move_legal(game, state, move))
		return qv_fail(error, QV_ILLEGAL, "review: not a legal move");
	struct qv_move_review review;
	enum qv_status status = sized_check("qv_move_review", out, error);
	if (status == QV_OK)
		status = begin(&e, context, game, REVIEW_WORK, error);
	if (status != QV_OK)
		return status;
	compare_moves(&e, state, deep_values, move, &review);
	if (e.work < 0) {
		e.work = INT64_MAX;
		compare_moves(&e, state, static_values, move, &review);
	}
	sized_out(out, &review, sizeof review);
	arena_release(&e.arena);
	return QV_OK;
}

/* The names and limits are those of GNU Backgammon. */
static int loss_class(double loss)
{
	return loss >= 0.16 ? 3 : loss >= 0.08 ? 2 : loss >= 0.04 ? 1 : 0;
}

const char *qv_loss_name(double loss)
{
	static const char *const names[] = { "", "doubtful", "bad", "very bad" };
	return names[loss_class(loss)];
}

const char *qv_loss_sign(double loss)
{
	static const char *const signs[] = { "", "?!", "?", "??" };
	return signs[loss_class(loss)];
}
