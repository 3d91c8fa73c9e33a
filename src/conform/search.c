/*
 * search.c - laws of players and perft: whatever sound options are on, a search returns the minimax
 * value; its
 * SPDX-License-Identifier: MIT
 *
 * lines are legal, and proven ones end as claimed; limits and stops are obeyed; perft agrees with a
 * naive recursion.
 *
 * The oracle is a plain minimax written from the definition (literal_value). Trees are kept to some
 * 20,000 positions, so depths depend on the number of moves.
 */
#include "conform/exam.h"

enum {
	MIXES = 3,                 /* mixes of options tried with each algorithm per position */
	TREE = 20000,              /* approximate limit of a tree's size; limits the depth */
	PERFT_TREE = 30000,
	SPEC = 256,
};

/* ---- Players ---- */

static bool is_duel(const struct qv_game *game)
{
	return game->seats == 2 && !game->chance;
}

static struct qv_limits limits_here(const struct exam *x)
{
	return (struct qv_limits){ .history = x->history + x->cut,
				   .history_count = x->game->repeated ? x->ply - x->cut : 0 };
}

static bool is_listed(const qv_move *list, int count, qv_move move)
{
	for (int i = 0; i < count; i++)
		if (list[i] == move)
			return true;
	return false;
}

/* Creates a player, lets it choose a move, and checks that the move is legal. */
static enum qv_status think(struct exam *x, const char *spec, const struct qv_limits *limits,
			    struct qv_answer *out)
{
	const struct qv_defaults defaults = { .seed = x->how.seed, .threads = 1, .hash_mb = 1 };
	const unsigned char *before = exam_copy(x, SLOT_D, x->at);
	struct qv_player *player;
	struct qv_error why = { "" };
	enum qv_status status = qv_player_new(x->context, x->rules, spec, &defaults, &player, &why);
	if (status == QV_NO_MEMORY)
		return qv_fail(x->error, status, "%s: %s", x->law->name, why.text);
	if (status != QV_OK)
		return exam_fail(x, "the player %s is rejected: %s", spec, why.text);
	memset(out, 0x5a, sizeof *out);
	status = qv_player_think(player, x->at, limits, NULL, out, &why);
	qv_player_free(player);
	if (status == QV_NO_MEMORY)
		return qv_fail(x->error, status, "%s: %s", x->law->name, why.text);
	if (status != QV_OK && status != QV_STOPPED)
		return exam_fail(x, "%s fails: %s", spec, why.text);
	if (status == QV_STOPPED && !limits->stop)
		return exam_fail(x, "%s returns QV_STOPPED without a stop", spec);
	if (!qv_move_legal(x->game, x->at, out->move))
		return exam_fail(x, "%s chooses a move that is not legal", spec);
	if (!exam_same(x, before, x->at))
		return exam_fail(x, "%s changes the position", spec);
	return QV_OK;
}

/* Iterates over the moves of a position; a counted move is one for each count. */
struct branches {
	const void *state;
	const qv_move *list;
	int count, next, number;   /* number: the last count of list[next - 1] that was returned */
};

static struct branches branches_of(const struct exam *x, const void *state, int level)
{
	qv_move *list = exam_list(x, SLOT_TREE + level);
	return (struct branches){ state, list, x->game->moves(state, list), 0, 0 };
}

/* Returns the next move; QV_NO_MOVE: no more. */
static qv_move next_branch(const struct exam *x, struct branches *b)
{
	if (b->number > 1)
		return x->game->with_count(b->list[b->next - 1], --b->number);
	if (b->next == b->count)
		return QV_NO_MOVE;
	b->number = exam_max_count(x, b->state, b->list[b->next]);
	return b->list[b->next++];
}

/* The depth at which a full tree stays within this size. */
static int depth_here(const struct exam *x, int64_t tree)
{
	int64_t width = 0;
	for (int i = 0; i < x->count; i++)
		width += exam_max_count(x, x->at, x->list[i]);
	if (width < 2)
		width = 2;
	int depth = 1;
	for (int64_t size = width * width;
	     depth < x->how.search_depth && depth < TREE_PLIES && size <= tree; size *= width)
		depth++;
	return depth;
}

/* ---- Values ---- */

/* Which searches have an option: all, those that prune, or those with a window. */
enum option_level { ALL, PRUNING, WINDOWED };

static const struct {
	const char *name;
	enum option_level level;
} kinds[] = {
	{ "minimax", ALL },	   { "negamax", ALL },	{ "alphabeta", WINDOWED },
	{ "negascout", WINDOWED }, { "mtdf", PRUNING }, { "maxn", ALL },
	{ "paranoid", ALL },	   { "brs", ALL },
};
enum { KINDS = sizeof kinds / sizeof *kinds, ALPHABETA = 2 };

static const struct {
	const char *key;
	enum option_level level;
	int choices[4];
} sound[] = {
	{ "iterate", ALL, { 0, 1, 0, 1 } },        { "random", ALL, { 0, 1, 0, 1 } },
	{ "sort", PRUNING, { 0, 1, 0, 1 } },       { "deep", PRUNING, { 0, 1, 0, 1 } },
	{ "killers", PRUNING, { 0, 1, 2, 3 } },    { "history", PRUNING, { 0, 1, 0, 1 } },
	{ "keep-line", PRUNING, { 0, 1, 0, 1 } },  { "tt", PRUNING, { 0, 1, 0, 1 } },
	{ "window", WINDOWED, { 0, 1, 10, 100 } }, { "stack", PRUNING, { 0, 1, 0, 1 } },
};

/* Writes a spec with all unsound options off. */
static size_t put_spec(char *spec, int kind, int depth)
{
	return (size_t)snprintf(spec, SPEC, "%s:depth=%d,chopper=0%s", kinds[kind].name, depth,
				kinds[kind].level >= PRUNING ? ",quiet=0,tt-exact=1" : "");
}

static void put_plain_spec(char *spec, int kind, int depth)
{
	const size_t used = put_spec(spec, kind, depth);
	snprintf(spec + used, SPEC - used, ",iterate=0%s",
		 kinds[kind].level >= PRUNING ? ",tt=0" : "");
}

/* Writes a spec with a random mix of options that must not change the value. */
static void put_mixed_spec(struct exam *x, char *spec, int kind, int depth)
{
	size_t used = put_spec(spec, kind, depth);
	for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
		if (sound[i].level <= kinds[kind].level)
			used += (size_t)snprintf(spec + used, SPEC - used, ",%s=%d", sound[i].key,
						 sound[i].choices[qv_random_below(&x->random, 4)]);
}

/*
 * Plays the line from the position: every move must be legal and before the end of the game.
 * *winner becomes the winner at its end, -1 for a draw, or NOBODY_YET if the game goes on.
 */
enum { NOBODY_YET = -2 };

static enum qv_status replay(struct exam *x, const char *spec, const struct qv_answer *answer,
			     int *winner)
{
	unsigned char *state = exam_copy(x, SLOT_A, x->at);
	int cut = x->cut;
	*winner = NOBODY_YET;
	if (answer->line_length < 1 || answer->line_length > QV_MAX_LINE ||
	    answer->line[0] != answer->move)
		return exam_fail(x, "%s: the line does not begin with the move", spec);
	for (int i = 0; i < answer->line_length; i++) {
		int32_t points[QV_MAX_SEATS];
		if (*winner != NOBODY_YET || !qv_move_legal(x->game, state, answer->line[i]))
			return exam_fail(x, "%s: move %d of the line is not legal", spec, i + 1);
		cut = exam_cut_after(x, state, answer->line[i], cut, x->ply + i);
		x->game->play(state, answer->line[i]);
		if (x->game->result(state, points) != QV_GOING ||
		    exam_repeats(x, state, cut, x->ply + i + 1, points))
			*winner = qv_winner(x->game, points);
	}
	return QV_OK;
}

/* The line of a win or loss must end the game with the result and length of the score. */
static enum qv_status proof_is_true(struct exam *x, const char *spec,
				    const struct qv_answer *answer, int winner)
{
	const int32_t size = answer->score < 0 ? -answer->score : answer->score;
	if (size <= QV_MAX_EVAL)
		return QV_OK;
	const int seat = x->game->seat(x->at), expected = answer->score > 0 ? seat : 1 - seat;
	if (!answer->proven)
		return exam_fail(x, "%s: the score is a win or loss, but not proven", spec);
	if (answer->line_length != QV_WIN - size)
		return exam_fail(x, "%s: by the score it takes %d plies, but the line has %d", spec,
				 QV_WIN - size, answer->line_length);
	if (winner != expected)
		return exam_fail(x, "%s: the proven line does not end with seat %d as the winner",
				 spec, expected);
	return QV_OK;
}

static enum qv_status answer_is_sound(struct exam *x, const char *spec, int depth, int32_t value,
				      struct qv_answer *answer)
{
	const struct qv_limits limits = limits_here(x);
	enum qv_status status = think(x, spec, &limits, answer);
	if (status == QV_OK && answer->score != value)
		return exam_fail(x, "%s gives %ld, but the minimax value is %ld at depth %d", spec,
				 (long)answer->score, (long)value, depth);
	int winner;
	if (status == QV_OK)
		status = replay(x, spec, answer, &winner);
	return status == QV_OK ? proof_is_true(x, spec, answer, winner) : status;
}

static int32_t ended_value(const struct exam *x, const void *state, const int32_t *points,
			   int level)
{
	const int winner = qv_winner(x->game, points);
	return winner < 0 ? 0 : winner == x->game->seat(state) ? QV_WIN - level : level - QV_WIN;
}

/*
 * The minimax value by its definition, the oracle for every search, for a state `level` plies below
 * x->at and `depth` plies to go.
 */
static int32_t literal_value(struct exam *x, const unsigned char *state, int depth, int level,
			     int cut)
{
	const struct qv_game *g = x->game;
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING ||
	    (level && exam_repeats(x, state, cut, x->ply + level, points)))
		return ended_value(x, state, points, level);
	if (depth == 0)
		return g->evaluations ? g->evaluations->evaluate(state, g->evaluations->weights) :
					0;
	int32_t best = INT32_MIN;
	struct branches b = branches_of(x, state, level);
	for (qv_move move; (move = next_branch(x, &b)) != QV_NO_MOVE;) {
		const unsigned char *after = exam_after(x, SLOT_TREE + level, state, move);
		const int after_cut = exam_cut_after(x, state, move, cut, x->ply + level);
		const bool turns = g->seat(after) != g->seat(state);
		const int32_t value = literal_value(x, after, depth - 1, level + 1, after_cut);
		if ((turns ? -value : value) > best)
			best = turns ? -value : value;
	}
	return best;
}

static enum qv_status searches_agree(struct exam *x)
{
	char spec[SPEC];
	struct qv_answer plain, answer;
	const int depth = 1 + (int)qv_random_below(&x->random, (uint64_t)depth_here(x, TREE));
	const int32_t value = literal_value(x, x->at, depth, 0, x->cut);
	enum qv_status status = QV_OK;
	for (int i = 0; i < MIXES * KINDS && status == QV_OK; i++) {
		put_mixed_spec(x, spec, i % KINDS, depth);
		status = answer_is_sound(x, spec, depth, value, &answer);
	}
	for (int i = 0; i < KINDS && status == QV_OK; i++) {
		put_plain_spec(spec, i, depth);
		status = answer_is_sound(x, spec, depth, value, i ? &answer : &plain);
		if (status == QV_OK && i == ALPHABETA && answer.evals > plain.evals)
			return exam_fail(x, "alphabeta evaluates %llu positions, minimax %llu",
					 (unsigned long long)answer.evals,
					 (unsigned long long)plain.evals);
	}
	return status;
}

static bool same_answer(const struct qv_answer *a, const struct qv_answer *b)
{
	return a->move == b->move && a->score == b->score && a->proven == b->proven &&
	       a->rests_on_repetition == b->rests_on_repetition && a->depth == b->depth &&
	       a->nodes == b->nodes && a->evals == b->evals && a->considered == b->considered &&
	       a->line_length == b->line_length &&
	       !memcmp(a->line, b->line, (size_t)a->line_length * sizeof *a->line);
}

static enum qv_status searches_repeat(struct exam *x)
{
	char spec[SPEC];
	struct qv_answer first, second;
	const struct qv_limits limits = limits_here(x);
	put_mixed_spec(x, spec, (int)qv_random_below(&x->random, KINDS), depth_here(x, TREE));
	enum qv_status status = think(x, spec, &limits, &first);
	if (status == QV_OK)
		status = think(x, spec, &limits, &second);
	if (status == QV_OK && !same_answer(&first, &second))
		return exam_fail(x, "%s gives different answers when called twice", spec);
	return status;
}

/* ---- Limits ---- */

static enum qv_status nodes_are_limited(struct exam *x)
{
	static const uint64_t most[] = { 1, 10, 100, 1000 };
	for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
		struct qv_limits limits = limits_here(x);
		struct qv_answer answer;
		limits.nodes = most[i];
		enum qv_status status = think(x, "alphabeta:depth=20", &limits, &answer);
		if (status != QV_OK)
			return status;
		if (answer.nodes > most[i] + (uint64_t)x->game->max_moves)
			return exam_fail(x, "the limit was %llu nodes, %llu were searched",
					 (unsigned long long)most[i],
					 (unsigned long long)answer.nodes);
	}
	return QV_OK;
}

static enum qv_status stops_are_obeyed(struct exam *x)
{
	atomic_bool stop = true;
	struct qv_limits limits = limits_here(x);
	struct qv_answer answer;
	limits.stop = &stop;
	enum qv_status status = think(x, "alphabeta:depth=40", &limits, &answer);
	if (status == QV_OK && answer.nodes > 5000 + (uint64_t)x->game->max_moves)
		return exam_fail(x, "stopped before it began, the search still took %llu nodes",
				 (unsigned long long)answer.nodes);
	return status;
}

static enum qv_status only_these_moves(struct exam *x)
{
	const qv_move only[2] = { x->list[qv_random_below(&x->random, (uint64_t)x->count)],
				  x->list[0] };
	struct qv_limits limits = limits_here(x);
	struct qv_answer answer;
	limits.only = only;
	limits.only_count = 2;
	enum qv_status status = think(x, "alphabeta:depth=2", &limits, &answer);
	if (status == QV_OK && !is_listed(only, 2, answer.move))
		return exam_fail(x, "the search chooses a move outside limits.only");
	return status;
}

/* ---- Several seats ---- */

static bool has_several_seats(const struct qv_game *game)
{
	return game->seats > 1;
}

/*
 * The searches for any number of seats: lines are legal, wins are proven, and results reproducible.
 */
static enum qv_status seats_are_searched(struct exam *x)
{
	static const char *const several[] = { "maxn", "paranoid", "brs" };
	enum qv_status status = QV_OK;
	if (x->game->seat(x->at) == QV_CHANCE)
		return QV_OK;
	for (int i = 0; i < 3 && status == QV_OK; i++) {
		char spec[SPEC];
		struct qv_answer first, second;
		int winner;
		struct qv_limits limits = limits_here(x);
		limits.nodes = TREE / 10;
		snprintf(spec, SPEC, "%s:depth=%d,random=1", several[i],
			 1 + (int)qv_random_below(&x->random, (uint64_t)x->how.search_depth));
		status = think(x, spec, &limits, &first);
		if (status == QV_OK)
			status = think(x, spec, &limits, &second);
		if (status == QV_OK && !same_answer(&first, &second))
			return exam_fail(x, "%s gives different answers when called twice", spec);
		if (status == QV_OK)
			status = replay(x, spec, &first, &winner);
		if (status != QV_OK)
			return status;
		if ((first.score > QV_MAX_EVAL || first.score < -QV_MAX_EVAL) &&
		    (!first.proven || winner == NOBODY_YET ||
		     (winner == x->game->seat(x->at)) != (first.score > 0)))
			return exam_fail(x, "%s: the line does not show the win or loss", spec);
	}
	return status;
}

/* ---- Players of every game ---- */

static enum qv_status random_player_moves(struct exam *x)
{
	struct qv_answer first, second;
	const struct qv_limits limits = limits_here(x);
	if (x->game->seat(x->at) == QV_CHANCE)
		return QV_OK;
	enum qv_status status = think(x, "random", &limits, &first);
	if (status == QV_OK)
		status = think(x, "random", &limits, &second);
	if (status == QV_OK && first.move != second.move)
		return exam_fail(x, "the random player chooses differently with the same seed");
	return status;
}

static bool has_levels(const struct qv_game *game)
{
	return game->levels != NULL;
}

static enum qv_status levels_move(struct exam *x)
{
	enum qv_status status = QV_OK;
	if (x->game->seat(x->at) == QV_CHANCE)
		return QV_OK;
	for (int i = 0; x->game->levels[i] && status == QV_OK; i++) {
		struct qv_limits limits = limits_here(x);
		struct qv_answer answer;
		limits.nodes = 200;
		status = think(x, x->game->levels[i], &limits, &answer);
	}
	return status;
}

/* ---- Perft ---- */

static uint64_t naive_perft(const struct exam *x, const unsigned char *state, int depth, int level)
{
	int32_t points[QV_MAX_SEATS];
	if (depth == 0)
		return 1;
	if (x->game->result(state, points) == QV_ENDED)
		return 0;
	uint64_t leaves = 0;
	struct branches b = branches_of(x, state, level);
	for (qv_move move; (move = next_branch(x, &b)) != QV_NO_MOVE;)
		leaves += naive_perft(x, exam_after(x, SLOT_TREE + level, state, move), depth - 1,
				      level + 1);
	return leaves;
}

static enum qv_status perft_agrees(struct exam *x)
{
	static const struct {
		size_t hash_bytes;
		int threads;
	} ways[] = { { 0, 0 }, { 1 << 18, 0 }, { 0, 2 } };
	const int deepest = depth_here(x, PERFT_TREE);
	for (int depth = 1; depth <= deepest; depth++) {
		const uint64_t expected = naive_perft(x, x->at, depth, 0);
		for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
			const struct qv_perft_limits limits = { .depth = depth,
								.hash_bytes = ways[i].hash_bytes,
								.threads = ways[i].threads };
			uint64_t leaves = 0;
			struct qv_error why = { "" };
			const enum qv_status status =
				qv_perft(x->context, x->game, x->at, &limits, &leaves, &why);
			if (status == QV_NO_MEMORY)
				return qv_fail(x->error, status, "%s: %s", x->law->name, why.text);
			if (status != QV_OK)
				return exam_fail(x, "perft to depth %d: %s", depth, why.text);
			if (leaves != expected)
				return exam_fail(x,
						 "perft to depth %d (way %zu) counts %llu leaves "
						 "instead of %llu",
						 depth, i, (unsigned long long)leaves,
						 (unsigned long long)expected);
		}
	}
	return QV_OK;
}

const struct law search_laws[] = {
	{ "random-player", LAW_SAMPLED, random_player_moves, NULL, 100 },
	{ "levels", LAW_SAMPLED, levels_move, has_levels, 5 },
	{ "perft", LAW_SAMPLED, perft_agrees, NULL, 20 },
	{ "search-value", LAW_SAMPLED, searches_agree, is_duel, 40 },
	{ "search-repeats", LAW_SAMPLED, searches_repeat, is_duel, 20 },
	{ "search-nodes", LAW_SAMPLED, nodes_are_limited, is_duel, 10 },
	{ "search-stop", LAW_SAMPLED, stops_are_obeyed, is_duel, 10 },
	{ "search-only", LAW_SAMPLED, only_these_moves, is_duel, 20 },
	{ "search-seats", LAW_SAMPLED, seats_are_searched, has_several_seats, 20 },
	{ 0 },
};
