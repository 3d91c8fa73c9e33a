/*
 * certificate.c - writes a proven value as a file that anyone can check: the moves that hold the
 * value.
 * SPDX-License-Identifier: MIT
 *
 * A strategy of one seat names a move for each of its positions that can arise while the seat
 * follows the strategy, whatever the opponent plays. A win needs one strategy, the winner's; a draw
 * needs one for each seat. Positions are found breadth first: the array of positions is also the
 * queue, so there is no recursion and no position is solved twice. Positions are compared by their
 * bytes, not by their hash alone. Memory grows with the number of positions; the time is almost all
 * the solver's.
 */
#include "base/flag.h"
#include "base/map.h"
#include "base/sized.h"
#include "base/text.h"
#include "core/context.h"
#include "search/legal.h"
#include "search/solver.h"

struct strategy {
	const struct qv_allocator *allocator;
	const struct qv_game *game;
	struct qv_solver *solver;
	const struct qv_certify_job *how;
	int seat;                  /* the seat that follows it */
	bool must_win;             /* false: a draw is enough */
	/* Positions in the order they were found: the move the seat plays there, then the state. */
	unsigned char *found;
	size_t stride;             /* bytes per position */
	size_t count, capacity;
	struct map numbers;        /* indexes into `found`, by hash */
	size_t named;              /* positions with a move of the seat */
	unsigned char *here, *child;       /* one state each */
	qv_move *list;             /* the moves of one position */
	uint64_t nodes;
	qv_move chosen;            /* set by the callbacks of any_move */
	enum qv_status status;
	struct qv_error *error;
};

enum { PROGRESS_EVERY = 1 << 12, ALIGNMENT = 16 };
_Static_assert(_Alignof(max_align_t) <= ALIGNMENT && sizeof(qv_move) <= ALIGNMENT, "room for a move");

/* The position with this number, in the order they were found. */
static void *state_at(const struct strategy *s, size_t number)
{
	return s->found + number * s->stride + ALIGNMENT;
}

/* The seat's move there. QV_NO_MOVE: it is the opponent's turn, or the game has ended. */
static qv_move *move_at(const struct strategy *s, size_t number)
{
	return (qv_move *)(void *)(s->found + number * s->stride);
}

/* ---- The positions found ---- */

/* Adds a position to the queue unless it is there. */
static enum qv_status add_found(struct strategy *s, const void *state)
{
	const uint64_t hash = s->game->hash(state);
	const void *number;
	for (size_t at = 0; (number = map_next_of(&s->numbers, hash, &at));)
		if (memcmp(state_at(s, map_to_number(number)), state, s->game->state_size) == 0)
			return QV_OK;
	if (s->how->most && s->count >= s->how->most)
		return qv_fail(s->error, QV_UNSUPPORTED,
			       "certificate: needs more than %llu positions",
			       (unsigned long long)s->how->most);
	if (!mem_reserve(s->allocator, &s->found, &s->capacity, s->count + 1, s->stride) ||
	    !map_add(&s->numbers, hash, map_of_number(s->count)))
		return qv_fail(s->error, QV_NO_MEMORY, "certificate: out of memory after %zu positions",
			       s->count);
	memcpy(state_at(s, s->count), state, s->game->state_size);
	*move_at(s, s->count++) = QV_NO_MOVE;
	return QV_OK;
}

/* ---- The moves that hold the value ---- */

/* Whether this value, which is for the seat to move, is good enough for the strategy's seat. */
static bool is_enough(const struct strategy *s, const void *state, enum qv_value value)
{
	const bool mine = s->game->seat(state) == s->seat;
	if (s->must_win)
		return value == (mine ? QV_VALUE_WIN : QV_VALUE_LOSS);
	return value == QV_VALUE_DRAW || value == (mine ? QV_VALUE_WIN : QV_VALUE_LOSS);
}

/* Solves a position and counts its nodes. */
static enum qv_status value_at(struct strategy *s, const void *state, struct qv_solution *out,
			       struct qv_error *error)
{
	/*
	 * If positions can repeat, only a move that shortens the distance is sure to reach the win.
	 */
	const struct qv_solve_limits limits = { .distance = s->must_win && s->game->repeated,
						.stop = s->how->stop,
						.watch = s->how->watch,
						.ctx = s->how->ctx };
	enum qv_status status = solver_run(s->solver, state, &limits, out, error);
	s->nodes += out->nodes;
	return status;
}

static void play_child(struct strategy *s, const void *state, qv_move move)
{
	memcpy(s->child, state, s->game->state_size);
	s->game->play(s->child, move);
}

/* Calls `visit` for each move, with each count of a counted one, until it returns true. */
static bool any_move(struct strategy *s, const void *state,
		     bool (*visit)(struct strategy *s, const void *state, qv_move move))
{
	struct legal_walk walk = { s->list, s->game->moves(state, s->list), 0 };
	for (qv_move move; (move = legal_next(s->game, state, &walk)) != QV_NO_MOVE;)
		if (visit(s, state, move))
			return true;
	return false;
}

/*
 * For solvers that return a value without a move: stops at a move that holds the value, or on an
 * error.
 */
static bool keeps_value(struct strategy *s, const void *state, qv_move move)
{
	struct qv_solution solution = { .nodes = 0 };
	play_child(s, state, move);
	s->status = value_at(s, s->child, &solution, s->error);
	s->chosen = move;
	return s->status != QV_OK || is_enough(s, s->child, solution.value);
}

/* Stops at a move that wins at once: it is the shortest proof and needs no solver. */
static bool ends_well(struct strategy *s, const void *state, qv_move move)
{
	int32_t points[QV_MAX_SEATS];
	play_child(s, state, move);
	s->chosen = move;
	return s->game->result(s->child, points) != QV_GOING &&
	       qv_winner(s->game, points) == s->seat;
}

/* Sets s->chosen to a move of the seat that holds the value. */
static enum qv_status choose(struct strategy *s, const void *state)
{
	struct qv_solution solution = { .nodes = 0 };
	if (any_move(s, state, ends_well))
		return QV_OK;
	enum qv_status status = value_at(s, state, &solution, s->error);
	s->chosen = solution.move;
	if (status != QV_OK || solution.move != QV_NO_MOVE)
		return status;
	if (any_move(s, state, keeps_value))
		return s->status;
	return qv_fail(s->error, QV_ILLEGAL,
		       "certificate: a position has no move that holds its value");
}

/* Adds the position after a move. For any_move: stops on an error. */
static bool follow(struct strategy *s, const void *state, qv_move move)
{
	play_child(s, state, move);
	s->status = add_found(s, s->child);
	return s->status != QV_OK;
}

/* Adds the positions after number `number` to the queue: after the chosen move, or after all. */
static enum qv_status expand(struct strategy *s, size_t number)
{
	int32_t points[QV_MAX_SEATS];
	/* The array may be reallocated. */
	memcpy(s->here, state_at(s, number), s->game->state_size);
	if (s->game->result(s->here, points) != QV_GOING)
		return QV_OK;
	if (s->game->seat(s->here) != s->seat)
		return any_move(s, s->here, follow) ? s->status : QV_OK;
	s->status = choose(s, s->here);
	if (s->status != QV_OK)
		return s->status;
	*move_at(s, number) = s->chosen;
	s->named++;
	follow(s, s->here, s->chosen);
	return s->status;
}

/* ---- Writing ---- */

/* Hands the line to the caller's callback and empties it. */
static enum qv_status write_line(const struct qv_certify_job *how, struct string *line,
				 struct qv_error *error)
{
	if (line->failed)
		return qv_fail(error, QV_NO_MEMORY, "certificate: out of memory");
	const bool written = how->write(how->ctx, line->data, line->length);
	line->length = 0;
	return written ? QV_OK : qv_fail(error, QV_IO, "certificate: cannot be written");
}

static void add_position(struct string *line, const struct qv_game *game, const void *state)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	game->position_text(state, &out);
	string_addf(line, "%s", text);
}

/* The number of named positions, then each with its move. */
static enum qv_status write_strategy(const struct strategy *s, struct string *line,
				   struct qv_error *error)
{
	string_addf(line, "strategy %d %zu\n", s->seat + 1, s->named);
	enum qv_status status = write_line(s->how, line, error);
	for (size_t i = 0; i < s->count && status == QV_OK; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		if (*move_at(s, i) == QV_NO_MOVE)
			continue;
		s->game->move_text(state_at(s, i), *move_at(s, i), &out);
		add_position(line, s->game, state_at(s, i));
		string_addf(line, "\t%s\n", text);
		status = write_line(s->how, line, error);
	}
	return status;
}

/* Finds the strategy of one seat and writes it. */
static enum qv_status certify_seat(struct qv_solver *solver, const void *state,
				   const struct qv_certify_job *how, int seat, bool must_win,
				   struct string *line, uint64_t *nodes, struct qv_error *error)
{
	const struct qv_allocator *a = solver->allocator;
	const struct qv_game *game = solver->rules.game;
	const size_t size = game->state_size, most = (size_t)game->max_moves;
	struct strategy s = {
		.allocator = a, .numbers = { .allocator = a }, .game = game, .solver = solver,
		.how = how, .seat = seat, .must_win = must_win, .error = error,
		.stride = ALIGNMENT + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
		.here = mem_new(a, 1, size), .child = mem_new(a, 1, size),
		.list = mem_new(a, most, sizeof *s.list)
	};
	enum qv_status status = s.here && s.child && s.list
					? add_found(&s, state)
					: qv_fail(error, QV_NO_MEMORY, "certificate: out of memory");
	for (size_t i = 0; i < s.count && status == QV_OK; i++) {
		if (how->progress && i % PROGRESS_EVERY == 0)
			how->progress(how->ctx, i, s.count);
		status = flag_is_set(how->stop)
				 ? qv_fail(error, QV_STOPPED, "certificate: stopped")
				 : expand(&s, i);
	}
	if (status == QV_OK)
		status = write_strategy(&s, line, error);
	*nodes += s.nodes;
	mem_free(a, s.found, s.capacity * s.stride);
	map_release(&s.numbers);
	mem_free(a, s.here, size);
	mem_free(a, s.child, size);
	mem_free(a, s.list, most * sizeof *s.list);
	return status;
}

/* The public function without the sizes. */
static enum qv_status certify(struct qv_solver *solver, const void *state,
			      const struct qv_certify_job *how, struct qv_solution *out,
			      struct qv_error *error)
{
	const struct qv_game *game = solver->rules.game;
	const struct qv_solve_limits limits = { .distance = how->distance,
						.stop = how->stop,
						.watch = how->watch,
						.ctx = how->ctx };
	enum qv_status status = solver_run(solver, state, &limits, out, error);
	if (status != QV_OK || out->value == QV_VALUE_UNKNOWN)
		return status;
	static const char *const names[] = { "unknown", "loss", "draw", "win" };
	struct string line = { .allocator = solver->allocator };
	const int seat = game->seat(state);
	char rules[QV_MOVE_TEXT * QV_MAX_OPTIONS] = "";
	qv_rules_text(&solver->rules, &(struct qv_text){ rules, sizeof rules, 0 });
	string_addf(&line, "quevedo certificate 1\ngame %s\nposition ", rules);
	add_position(&line, game, state);
	string_addf(&line, "\nvalue %s\n", names[out->value]);
	status = write_line(how, &line, error);
	/* A draw needs both strategies, a win or a loss that of the winner. */
	for (int i = 0; i < 2 && status == QV_OK; i++)
		if (out->value == QV_VALUE_DRAW || (out->value == QV_VALUE_WIN) == (i == seat))
			status = certify_seat(solver, state, how, i, out->value != QV_VALUE_DRAW,
					      &line, &out->nodes, error);
	if (status == QV_OK) {
		string_addf(&line, "end\n");
		status = write_line(how, &line, error);
	}
	string_release(&line);
	return status;
}

enum qv_status qv_certify(struct qv_solver *solver, const void *state,
			  const struct qv_certify_job *how, struct qv_solution *out,
			  struct qv_error *error)
{
	struct qv_certify_job job;
	struct qv_solution found;
	enum qv_status status = sized_check("qv_solution", out, error);
	if (status == QV_OK)
		status = sized_in("qv_certify_job", &job, sizeof job, how, error);
	if (status == QV_OK && !job.write)
		status = qv_fail(error, QV_BAD_INPUT, "certificate: write is missing");
	if (status == QV_OK)
		status = certify(solver, state, &job, &found, error);
	if (status == QV_OK || status == QV_STOPPED)
		sized_out(out, &found, sizeof found);
	return status;
}
