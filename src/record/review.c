/*
 * review.c - the review of a recorded game: values of positions and classes of moves.
 * SPDX-License-Identifier: MIT
 *
 * The record is walked from its end to its start: what is known about later positions stays in the
 * tables of the solver and of the search and helps with earlier ones. A position is valued once, and a
 * move by the positions before and after it. The solver is no longer tried after some positions in a
 * row that it could not solve, unless the game is solved as a whole.
 *
 * A short search makes mistakes of its own. What it takes for a mistake is searched again with many
 * times the nodes, to the same depth with and without the move, and only what is left is told.
 */
#include "record/review.h"

#include "base/flag.h"
#include "base/real.h"
#include "core/context.h"
#include "core/expected_score.h"
#include "search/solver.h"

enum {
	NODES = 10000,		/* of a search */
	DEEPER = 20,		/* times the nodes for a second search ... */
	DEEPER_ALL = 1000,	/* ... and for all second searches of a game */
	TIME_MS = 3600000,	/* never reached: nodes end a search */
	SOLVE_NODES = 30000,	/* for a proof, unless the game has its own number */
	FINISH_NODES = 300000,	/* ... or a solver for its last moves */
	MOST_FAILED = 3,	/* positions in a row that could not be solved */
	HASH_MB = 8,
	SOLVER_MB = 16,
};

/* Losses of expected score from which a move is an inaccuracy, a mistake, a blunder. */
static const double limits_of_loss[] = { 0.05, 0.10, 0.15 };
/* Losses of equity with the same meaning: those of qv_loss_name. */
static const double limits_of_points[] = { 0.04, 0.08, 0.16 };
static const double ONLY = 0.10; /* what every other move loses if one is the only good one */

struct reviewer {
	struct review_setup setup;
	struct review review;
	int plies, left; /* of the record, and those not yet reviewed */
	bool begun;	 /* the last position was valued */
	struct qv_record *record;
	const struct qv_game *game;
	const struct engine *engine;
	struct qv_player *player; /* NULL: the game is valued by equity */
	struct qv_solver *solver; /* NULL: none */
	uint64_t nodes, solve_nodes;
	uint64_t deep_left; /* nodes for second searches */
	int failed; /* positions in a row without a proof */
	bool tireless;
	double scale;
	qv_move *list;
	void *after, *scratch;
};

/* ---- Names ---- */

const char *review_class_name(enum review_class class)
{
	static const char *const names[REVIEW_CLASSES] = { NULL,	 "best",    "good",
							   "inaccuracy", "mistake", "blunder" };
	return names[class];
}

const char *review_glyph(enum review_class class)
{
	static const char *const glyphs[REVIEW_CLASSES] = { "", "", "", "?!", "?", "??" };
	return glyphs[class];
}

static enum review_class class_of(double loss, const double *limits, bool best)
{
	return loss >= limits[2]   ? REVIEW_BLUNDER
	       : loss >= limits[1] ? REVIEW_MISTAKE
	       : loss >= limits[0] ? REVIEW_INACCURACY
	       : best		   ? REVIEW_BEST
				   : REVIEW_GOOD;
}

/* The curve of lichess, from the loss of expected score to the accuracy of a move. */
static double accuracy_of(double lost)
{
	const double accuracy = 103.1669 * real_exp(-4.354 * lost) - 3.1669;
	return accuracy > 100 ? 100 : accuracy < 0 ? 0 : accuracy;
}

/* ---- The value of a position ---- */

/* Of a seat, from that of the first one. */
static double expected_for(const struct review_value *v, int seat)
{
	return seat == 0 ? v->expected : 1 - v->expected;
}

static void set_exact(struct review_value *v, enum qv_value value, int in, int mover)
{
	const double mine = value == QV_VALUE_WIN ? 1 : value == QV_VALUE_DRAW ? 0.5 : 0;
	v->exact = true;
	v->value = value;
	v->in = in;
	v->expected = mover == 0 ? mine : 1 - mine;
}

/* Tries to prove the value. */
static bool solved(struct reviewer *r, const void *state, struct review_value *out)
{
	const struct solver_ops *ops = r->solver->ops;
	const struct qv_solve_limits limits = { .distance = !ops->slow_distance && !ops->margin,
						.margin = ops->margin,
						.nodes = r->solve_nodes,
						.stop = r->setup.stop };
	struct qv_solution s;
	if (solver_run(r->solver, state, &limits, &s, NULL) != QV_OK ||
	    s.value == QV_VALUE_UNKNOWN || !qv_move_legal(r->game, state, s.move))
		return false;
	set_exact(out, s.value, s.in, r->game->seat(state));
	out->best = s.move;
	out->has_margin = s.has_margin;
	out->margin = s.margin;
	return true;
}

/* Searches the position: all moves, or those that the limits list. */
static enum qv_status search(struct reviewer *r, const void *state, struct qv_limits limits,
			     struct qv_answer *out, struct qv_error *error)
{
	limits.nodes = limits.nodes ? limits.nodes : r->nodes;
	limits.time_ms = TIME_MS;
	limits.stop = r->setup.stop;
	limits.history = qv_record_history(r->record, &limits.history_count);
	return player_choose(r->player, state, &limits, NULL, out, error);
}

/* By the search; a win that it is sure of, but has not proved, is left to the solver. */
static enum qv_status searched(struct reviewer *r, const void *state,
			       const struct qv_limits *limits, struct review_value *out,
			       struct qv_error *error)
{
	struct qv_answer answer;
	const int mover = r->game->seat(state);
	const enum qv_status status = search(r, state, *limits, &answer, error);
	if (status != QV_OK)
		return status;
	const double mine = expected_score(&answer, 0, r->scale);
	const bool decided = answer.score > QV_MAX_EVAL || answer.score < -QV_MAX_EVAL;
	out->score = answer.score;
	out->depth = answer.depth;
	out->best = answer.move;
	if (answer.proven && !answer.rests_on_repetition)
		set_exact(out,
			  !decided	     ? QV_VALUE_DRAW
			  : answer.score > 0 ? QV_VALUE_WIN
					     : QV_VALUE_LOSS,
			  decided ? QV_WIN - (answer.score < 0 ? -answer.score : answer.score) : -1,
			  mover);
	else if (!decided || !r->solver || !solved(r, state, out))
		out->expected = mover == 0 ? mine : 1 - mine;
	return QV_OK;
}

/* Values the position at the cursor. */
static enum qv_status value_position(struct reviewer *r, struct review_value *out,
				     struct qv_error *error)
{
	const void *state = qv_record_state(r->record);
	int32_t points[QV_MAX_SEATS];
	double equities[QV_MAX_SEATS];
	*out = (struct review_value){ .expected = 0.5, .in = -1, .best = QV_NO_MOVE };
	if (qv_record_result(r->record, points) != QV_GOING && !r->record->ended) {
		const int winner = qv_winner(r->game, points), mover = r->game->seat(state);
		set_exact(out,
			  winner < 0	    ? QV_VALUE_DRAW
			  : winner == mover ? QV_VALUE_WIN
					    : QV_VALUE_LOSS,
			  winner < 0 ? -1 : 0, mover);
		out->expected = winner < 0 ? 0.5 : winner == 0;
		return QV_OK;
	}
	if (!r->player) {
		const enum qv_status status =
			qv_equity(r->setup.context, r->game, state, equities, error);
		const double mine = status == QV_OK ? 0.5 + equities[0] / 2 : 0.5;
		out->expected = mine > 1 ? 1 : mine < 0 ? 0 : mine;
		return status;
	}
	if (r->solver && (r->tireless || r->failed < MOST_FAILED)) {
		if (solved(r, state, out)) {
			r->failed = 0;
			return QV_OK;
		}
		r->failed++;
	}
	return searched(r, state, &(struct qv_limits){ 0 }, out, error);
}

/* ---- The class of a move ---- */

/* Whether a proven value is kept by this move alone; the position has several moves. */
static bool keeps_alone(struct reviewer *r, const void *state, const struct ply_review *at,
			int count)
{
	const int seat = at->seat;
	for (int i = 0; i < count; i++) {
		struct review_value other = { .in = -1 };
		int32_t points[QV_MAX_SEATS];
		if (r->list[i] == at->move)
			continue;
		memcpy(r->after, state, r->game->state_size);
		r->game->play(r->after, r->list[i]);
		if (r->game->result(r->after, points) != QV_GOING) {
			const int winner = qv_winner(r->game, points);
			other.expected = winner < 0 ? 0.5 : winner == 0;
		} else if (!r->solver || !solved(r, r->after, &other)) {
			return false;
		}
		if (expected_for(&other, seat) >= expected_for(&at->before, seat))
			return false;
	}
	return true;
}

/* Whether all other moves are clearly worse by a search. */
static bool stands_out(struct reviewer *r, const void *state, const struct ply_review *at,
		       int count)
{
	struct qv_answer answer;
	int others = 0;
	for (int i = 0; i < count; i++)
		if (r->list[i] != at->move)
			r->list[others++] = r->list[i];
	const struct qv_limits limits = { .only = r->list, .only_count = others };
	if (search(r, state, limits, &answer, NULL) != QV_OK)
		return false;
	return expected_for(&at->before, at->seat) - expected_score(&answer, 0, r->scale) >= ONLY;
}

static enum qv_status rate_by_equity(struct reviewer *r, const void *state, struct ply_review *at,
				     struct qv_error *error)
{
	struct qv_move_review found = { .size = sizeof found };
	const enum qv_status status =
		qv_review(r->setup.context, r->game, state, at->move, &found, error);
	if (status != QV_OK)
		return status;
	at->best = found.best;
	at->points = found.loss;
	at->lost = found.loss / 2 > 1 ? 1 : found.loss / 2;
	at->class = class_of(found.loss, limits_of_points, found.best == at->move);
	return QV_OK;
}

/* The loss of a move by the values before and after it. */
static void rate_by_values(struct ply_review *at)
{
	const bool best = at->move == at->before.best;
	const double lost = expected_for(&at->before, at->seat) - expected_for(&at->after, at->seat);
	at->best = at->before.best;
	/* Two searches of the best move may differ, but it loses nothing. */
	at->lost = best || lost < 0 ? 0 : lost;
	at->class = class_of(at->lost, limits_of_loss, best);
}

/*
 * Values both positions again by longer searches, unless they are proven. The second one ends a ply
 * earlier, so that both end at the same depth, since an evaluation may depend on who is to move.
 */
static enum qv_status value_deeper(struct reviewer *r, struct ply_review *at,
				   struct qv_error *error)
{
	struct qv_limits limits = { .nodes = r->nodes * DEEPER };
	const uint64_t share = r->deep_left / (2 * (uint64_t)(r->left + 1));
	if (limits.nodes > share)
		limits.nodes = share > r->nodes ? share : r->nodes;
	enum qv_status status = QV_OK;
	if (!at->before.exact) {
		r->deep_left -= limits.nodes < r->deep_left ? limits.nodes : r->deep_left;
		status = searched(r, qv_record_state(r->record), &limits, &at->before, error);
		limits.depth = at->before.exact ? 0 : at->before.depth - 1;
	}
	if (status != QV_OK || at->after.exact || at->move == at->before.best)
		return status;
	r->deep_left -= limits.nodes < r->deep_left ? limits.nodes : r->deep_left;
	status = qv_record_redo(r->record, 1, NULL);
	if (status == QV_OK)
		status = searched(r, qv_record_state(r->record), &limits, &at->after, error);
	qv_record_undo(r->record, 1, NULL);
	return status;
}

/* The cursor is before the move. */
static enum qv_status rate_move(struct reviewer *r, struct ply_review *at, struct qv_error *error)
{
	const void *state = qv_record_state(r->record);
	const int count = r->game->moves(state, r->list);
	enum qv_status status = QV_OK;
	at->forced = count == 1 && (!r->game->max_count || r->game->max_count(state, *r->list) == 1);
	if (!r->player) {
		status = rate_by_equity(r, state, at, error);
	} else {
		rate_by_values(at);
		if (at->class >= REVIEW_INACCURACY) {
			status = value_deeper(r, at, error);
			rate_by_values(at);
		}
		const bool best = at->move == at->best;
		if (at->before.exact && at->class <= REVIEW_GOOD && !at->forced)
			at->only = at->before.value != QV_VALUE_LOSS &&
				   keeps_alone(r, state, at, count);
		else if (best && !at->forced && !at->before.exact)
			at->only = stands_out(r, state, at, count);
	}
	at->accuracy = accuracy_of(at->lost);
	if (status == QV_OK && at->class >= REVIEW_INACCURACY)
		review_explain(r->game, state, r->after, r->scratch, at);
	return status;
}

/* ---- The walk ---- */

static enum qv_status open_searches(struct reviewer *r, struct qv_error *error)
{
	const struct review_setup *s = &r->setup;
	const struct qv_rules *rules = qv_record_rules(r->record);
	const struct qv_defaults defaults = {
		.size = sizeof defaults,
		.seed = 1, .threads = 1, .hash_mb = HASH_MB, .tables = s->tables, .no_book = true
	};
	char spec[STRONGEST_SPEC];
	if (r->game->seats != 2 || r->game->chance)
		return QV_OK;
	strongest_player(r->game, "time=3600s", spec);
	char *prove = strstr(spec, ",prove=");
	if (prove)
		*prove = '\0'; /* this review has its own proofs */
	r->scale = evaluation_scale(s->context, rules);
	r->nodes = s->nodes ? s->nodes : NODES;
	r->deep_left = r->nodes * DEEPER_ALL;
	r->solve_nodes = r->engine->prove_nodes ? (uint64_t)r->engine->prove_nodes
			 : r->engine->finisher	? FINISH_NODES
						: SOLVE_NODES;
	r->tireless = r->game->solved && (r->engine->solver || !r->game->index);
	/* A game without a solver is searched. */
	qv_solver_new_with(s->context, rules, &defaults, (size_t)SOLVER_MB << 20, &r->solver, NULL);
	return qv_player_new(s->context, rules, spec, &defaults, &r->player, error);
}

/* Values the position at the cursor and steps back; in *at goes what is known of the move. */
static enum qv_status review_ply(struct reviewer *r, struct ply_review *at,
				 const struct review_value *after, struct qv_error *error)
{
	*at = (struct ply_review){ .ply = qv_record_ply(r->record) - 1,
				   .move = qv_record_move(r->record, qv_record_ply(r->record) - 1),
				   .best = QV_NO_MOVE,
				   .reply = QV_NO_MOVE,
				   .after = *after };
	enum qv_status status = qv_record_undo(r->record, 1, NULL);
	at->seat = r->game->seat(qv_record_state(r->record));
	if (status == QV_OK)
		status = value_position(r, &at->before, error);
	if (status == QV_OK && at->seat != QV_CHANCE)
		status = rate_move(r, at, error);
	return status;
}

static bool goes_on(const struct reviewer *r, int done, int of)
{
	const struct review_setup *s = &r->setup;
	return (!s->stop || !flag_is_set(s->stop)) &&
	       (!s->progress || s->progress(s->ctx, done, of));
}

static void add_up(const struct qv_game *game, struct review *out)
{
	for (int seat = 0; seat < game->seats; seat++) {
		double sum = 0;
		int moves = 0;
		for (int i = 0; i < out->count; i++)
			if (out->plies[i].seat == seat && !out->plies[i].forced) {
				sum += out->plies[i].accuracy;
				moves++;
			}
		out->accuracy[seat] = moves ? sum / moves : -1;
	}
}

enum qv_status reviewer_new(const struct review_setup *setup, struct qv_record *record,
			    struct reviewer **out, struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(setup->context);
	const struct qv_game *game = qv_record_rules(record)->game;
	const int plies = qv_record_ply(record);
	const int count = setup->last && setup->last < plies ? setup->last : plies;
	/* Their evaluation tells next to nothing until few are left. */
	if (game->seats > 2)
		return qv_fail(error, QV_UNSUPPORTED,
			       "review: games of more than two players are not reviewed");
	struct reviewer *r = mem_new(allocator, 1, sizeof *r);
	if (r) {
		*r = (struct reviewer){ .setup = *setup, .record = record, .game = game,
					.engine = context_engine(game), .plies = plies,
					.left = count,
					.review = { .allocator = allocator, .count = count,
						    .first = plies - count } };
		r->review.plies = mem_new(allocator, (size_t)count + 1, sizeof *r->review.plies);
		r->list = mem_new(allocator, (size_t)game->max_moves, sizeof *r->list);
		r->after = qv_state_new(setup->context, game);
		r->scratch = mem_new(allocator, REVIEW_REGAIN + 1, review_stride(game));
	}
	const enum qv_status status =
		r && r->review.plies && r->list && r->after && r->scratch ?
			open_searches(r, error) :
			qv_fail(error, QV_NO_MEMORY, "review: out of memory");
	if (status == QV_OK)
		*out = r;
	else
		reviewer_free(r);
	return status;
}

enum qv_status reviewer_run(struct reviewer *r, struct review *out, struct qv_error *error)
{
	struct review *review = &r->review;
	enum qv_status status = QV_OK;
	if (!r->begun)
		status = value_position(r, &review->start, error);
	r->begun = status == QV_OK;
	while (status == QV_OK && r->left) {
		if (!goes_on(r, review->count - r->left, review->count))
			return qv_fail(error, QV_STOPPED, "review: stopped");
		struct ply_review *at = &review->plies[--r->left];
		status = review_ply(r, at, &review->start, error);
		review->start = at->before;
	}
	if (status != QV_OK)
		return status;
	qv_record_redo(r->record, r->plies - qv_record_ply(r->record), NULL);
	add_up(r->game, review);
	*out = *review;
	review->plies = NULL; /* they are the caller's */
	return QV_OK;
}

void reviewer_free(struct reviewer *r)
{
	if (!r)
		return;
	const struct qv_allocator *allocator = r->review.allocator;
	qv_record_redo(r->record, r->plies - qv_record_ply(r->record), NULL);
	qv_player_free(r->player);
	qv_solver_free(r->solver);
	qv_state_free(r->setup.context, r->game, r->after);
	mem_free(allocator, r->scratch, (REVIEW_REGAIN + 1) * review_stride(r->game));
	mem_free(allocator, r->list, (size_t)r->game->max_moves * sizeof *r->list);
	review_release(&r->review);
	mem_free(allocator, r, sizeof *r);
}

enum qv_status record_review(const struct review_setup *setup, struct qv_record *record,
			     struct review *out, struct qv_error *error)
{
	struct reviewer *r = NULL;
	enum qv_status status = reviewer_new(setup, record, &r, error);
	if (status == QV_OK)
		status = reviewer_run(r, out, error);
	reviewer_free(r);
	return status;
}

void review_release(struct review *review)
{
	if (review->plies)
		mem_free(review->allocator, review->plies,
			 ((size_t)review->count + 1) * sizeof *review->plies);
	review->plies = NULL;
}
