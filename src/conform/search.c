/*
 * search.c - laws of players and perft.
 * SPDX-License-Identifier: MIT
 *
 * Whatever sound options are on, a search returns the minimax value; its lines are legal, and
 * proven ones end as claimed; limits and stops are obeyed; perft agrees with a naive recursion.
 *
 * The oracle is a plain minimax written from the definition (literal_value). Trees are kept to some
 * 20,000 positions, so depths depend on the number of moves.
 */
#include "conform/exam.h"

#include "core/context.h"

enum {
	MIXES = 3,                 /* mixes of options tried with each algorithm per position */
	TREE = 20000,              /* approximate limit of a tree's size; limits the depth */
	PERFT_TREE = 30000,
	SPEC = 256,
};

/* ---- Players ---- */

/* No limits, but the positions of the game that may recur. */
static struct qv_limits limits_here(const struct exam *x)
{
	return (struct qv_limits){ .history = x->history + x->cut,
				   .history_count = x->game->repeated ? x->ply - x->cut : 0 };
}

/* Creates a player, lets it choose a move, and checks that the move is legal. */
static bool think(struct exam *x, const char *spec, const struct qv_limits *limits,
		  struct qv_answer *out)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = x->how.seed, .threads = 1, .hash_mb = 1
	};
	exam_now(x, NULL, spec);
	/* A player must not change the position it is given. */
	const unsigned char *before = exam_copy(x, SLOT_D, x->at);
	struct qv_player *player;
	struct qv_error why = { "" };
	enum qv_status status = qv_player_new(x->context, x->rules, spec, &defaults, &player, &why);
	if (status != QV_OK)
		return exam_broken(x, status, spec, why.text);
	/* Fields that the player leaves unwritten show as nonsense. */
	memset(out, 0x5a, sizeof *out);
	status = player_choose(player, x->at, limits, NULL, out, &why);
	qv_player_free(player);
	if (status != QV_OK && status != QV_STOPPED)
		return exam_broken(x, status, spec, why.text);
	if (status == QV_STOPPED && !limits->stop)
		return exam_fail(x, "%s returns QV_STOPPED without a stop", spec);
	if (!qv_move_legal(x->game, x->at, out->move))
		return exam_fail(x, "%s chooses a move that is not legal", spec);
	return exam_same(x, before, x->at) || exam_fail(x, "%s changes the position", spec);
}

/* Branch k of a listed move that stands for `most` moves, one for each count. */
static qv_move branch(const struct exam *x, qv_move listed, int k, int most)
{
	return k < most ? x->game->with_count(listed, k) : listed;
}

/* The depth at which a full tree stays within this size. */
static int depth_here(const struct exam *x, int64_t tree)
{
	int64_t width = 0;
	for (int i = 0; i < x->count; i++)
		width += legal_max_count(x->game, x->at, x->list[i]);
	width = width < 2 ? 2 : width;
	int depth = 1;
	for (int64_t size = width * width;
	     depth < x->how.search_depth && depth < TREE_PLIES && size <= tree; size *= width)
		depth++;
	return depth;
}

/* ---- Values ---- */

/* Which searches have an option: all, those that prune, or those with a window. */
enum option_level { ALL, PRUNING, WINDOWED };

/* The algorithms, with the options that each accepts. The first is the reference for evals. */
static const struct {
	const char *name;
	enum option_level level;
} kinds[] = {
	{ "minimax", ALL },	   { "negamax", ALL },	{ "alphabeta", WINDOWED },
	{ "negascout", WINDOWED }, { "mtdf", PRUNING }, { "maxn", ALL },
	{ "paranoid", ALL },	   { "brs", ALL },
};
enum { KINDS = sizeof kinds / sizeof *kinds, ALPHABETA = 2, MAXN = 5 };

static bool is_for_several(const char *spec)
{
	int i = MAXN;
	while (i < KINDS && strncmp(spec, kinds[i].name, strlen(kinds[i].name)) != 0)
		i++;
	return i < KINDS;
}

/* Options that must not change the value; the four choices are equally likely. */
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

static bool replay(struct exam *x, const char *spec, const struct qv_answer *answer, int *winner)
{
	unsigned char *state = exam_copy(x, SLOT_A, x->at);
	/* The line may also end by repetition of a position of the game. */
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
	return true;
}

/*
 * Lets the player think: the score must be the value, and the line of a win or loss must end the
 * game with the result and length of the score.
 */
static bool answer_is_sound(struct exam *x, const char *spec, int depth, int32_t value,
			    struct qv_answer *answer)
{
	const struct qv_limits limits = limits_here(x);
	int winner;
	if (!think(x, spec, &limits, answer))
		return false;
	/* Where the margin of points counts, the searches for several seats play for it. */
	if (x->game->stakes && is_for_several(spec))
		return replay(x, spec, answer, &winner);
	if (answer->score != value)
		return exam_fail(x, "%s gives %ld, but the minimax value is %ld at depth %d", spec,
				 (long)answer->score, (long)value, depth);
	if (!replay(x, spec, answer, &winner))
		return false;
	const int32_t size = answer->score < 0 ? -answer->score : answer->score;
	if (size <= QV_MAX_EVAL)
		return true;
	const int seat = x->game->seat(x->at), expected = answer->score > 0 ? seat : 1 - seat;
	if (!answer->proven)
		return exam_fail(x, "%s: the score is a win or loss, but not proven", spec);
	if (answer->line_length != QV_WIN - size)
		return exam_fail(x, "%s: by the score it takes %d plies, but the line has %d", spec,
				 QV_WIN - size, answer->line_length);
	return winner == expected ||
	       exam_fail(x, "%s: the proven line does not end with seat %d as the winner", spec,
			 expected);
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
	    (level && exam_repeats(x, state, cut, x->ply + level, points))) {
		const int winner = qv_winner(g, points), sign = winner == g->seat(state) ? 1 : -1;
		return winner < 0 ? 0 : sign * (QV_WIN - level);
	}
	if (depth == 0)
		return g->evaluations ? g->evaluations->evaluate(state, g->evaluations->weights) :
					0;
	int32_t best = INT32_MIN;
	qv_move *list = exam_list(x, SLOT_TREE + level);
	const int count = g->moves(state, list);
	for (int i = 0; i < count; i++) {
		const int most = legal_max_count(g, state, list[i]);
		for (int k = most; k > 0; k--) {
			const qv_move move = branch(x, list[i], k, most);
			const unsigned char *after = exam_after(x, SLOT_TREE + level, state, move);
			const int after_cut = exam_cut_after(x, state, move, cut, x->ply + level);
			/* Not every game alternates: negate only if the seat changes. */
			const int sign = g->seat(after) != g->seat(state) ? -1 : 1;
			const int32_t value =
				sign * literal_value(x, after, depth - 1, level + 1, after_cut);
			best = value > best ? value : best;
		}
	}
	return best;
}

/* Each algorithm, with random sound options and without any, must find the minimax value. */
static bool searches_agree(struct exam *x)
{
	char spec[SPEC];
	struct qv_answer plain, answer;
	const int depth = 1 + (int)qv_random_below(&x->random, (uint64_t)depth_here(x, TREE));
	const int32_t value = literal_value(x, x->at, depth, 0, x->cut);
	for (int i = 0; i < MIXES * KINDS; i++) {
		put_mixed_spec(x, spec, i % KINDS, depth);
		if (!answer_is_sound(x, spec, depth, value, &answer))
			return false;
	}
	/* Without options, alphabeta never evaluates more positions than minimax, the first. */
	for (int i = 0; i < KINDS; i++) {
		const size_t used = put_spec(spec, i, depth);
		snprintf(spec + used, SPEC - used, ",iterate=0%s",
			 kinds[i].level >= PRUNING ? ",tt=0" : "");
		if (!answer_is_sound(x, spec, depth, value, i ? &answer : &plain))
			return false;
		if (i == ALPHABETA && answer.evals > plain.evals)
			return exam_fail(x, "alphabeta evaluates %llu positions, minimax %llu",
					 (unsigned long long)answer.evals,
					 (unsigned long long)plain.evals);
	}
	return true;
}

/* Thinks twice: both answers must be the same, except for the time. */
static bool think_twice(struct exam *x, const char *spec, const struct qv_limits *limits,
			struct qv_answer *a)
{
	struct qv_answer b;
	if (!think(x, spec, limits, a) || !think(x, spec, limits, &b))
		return false;
	return (a->move == b.move && a->score == b.score && a->proven == b.proven &&
		a->rests_on_repetition == b.rests_on_repetition && a->depth == b.depth &&
		a->nodes == b.nodes && a->evals == b.evals && a->considered == b.considered &&
		a->line_length == b.line_length &&
		!memcmp(a->line, b.line, (size_t)a->line_length * sizeof *a->line)) ||
	       exam_fail(x, "%s gives different answers when called twice", spec);
}

/* With one thread and a fixed seed a search is deterministic. */
static bool searches_repeat(struct exam *x)
{
	char spec[SPEC];
	struct qv_answer answer;
	const struct qv_limits limits = limits_here(x);
	put_mixed_spec(x, spec, (int)qv_random_below(&x->random, KINDS), depth_here(x, TREE));
	return think_twice(x, spec, &limits, &answer);
}

/* ---- Limits ---- */

/* A search may exceed its limit of nodes by one list of moves. */
static bool nodes_are_limited(struct exam *x)
{
	for (uint64_t most = 1; most <= 1000; most *= 10) {
		struct qv_limits limits = limits_here(x);
		struct qv_answer answer;
		limits.nodes = most;
		if (!think(x, "alphabeta:depth=20", &limits, &answer))
			return false;
		if (answer.nodes > most + (uint64_t)x->game->max_moves)
			return exam_fail(x, "the limit was %llu nodes, %llu were searched",
					 (unsigned long long)most,
					 (unsigned long long)answer.nodes);
	}
	return true;
}

/* A stop that is set before the search begins must end it soon, with a legal move. */
static bool stops_are_obeyed(struct exam *x)
{
	struct qv_flag stop = { 1 };
	struct qv_limits limits = limits_here(x);
	struct qv_answer answer;
	limits.stop = &stop;
	if (!think(x, "alphabeta:depth=40", &limits, &answer))
		return false;
	return answer.nodes <= 5000 + (uint64_t)x->game->max_moves ||
	       exam_fail(x, "stopped before it began, the search still took %llu nodes",
			 (unsigned long long)answer.nodes);
}

/* A search restricted to some root moves chooses one of them. */
static bool only_these_moves(struct exam *x)
{
	const qv_move only[2] = { x->list[qv_random_below(&x->random, (uint64_t)x->count)],
				  x->list[0] };
	struct qv_limits limits = limits_here(x);
	struct qv_answer answer;
	limits.only = only;
	limits.only_count = 2;
	if (!think(x, "alphabeta:depth=2", &limits, &answer))
		return false;
	return answer.move == only[0] || answer.move == only[1] ||
	       exam_fail(x, "the search chooses a move outside limits.only");
}

/* ---- Players of games with chance or any number of seats ---- */

/* The searches for several seats: lines are legal, wins are proven, and results reproducible. */
static bool seats_are_searched(struct exam *x)
{
	static const char *const several[] = { "maxn", "paranoid", "brs" };
	const int seat = x->game->seat(x->at);
	for (int i = 0; i < 3 && seat != QV_CHANCE; i++) {
		char spec[SPEC];
		struct qv_answer answer;
		int winner;
		struct qv_limits limits = limits_here(x);
		limits.nodes = TREE / 10;
		snprintf(spec, SPEC, "%s:depth=%d,random=1", several[i],
			 1 + (int)qv_random_below(&x->random, (uint64_t)x->how.search_depth));
		if (!think_twice(x, spec, &limits, &answer) || !replay(x, spec, &answer, &winner))
			return false;
		if ((answer.score > QV_MAX_EVAL || answer.score < -QV_MAX_EVAL) &&
		    (!answer.proven || winner == NOBODY_YET ||
		     (winner == seat) != (answer.score > 0)))
			return exam_fail(x, "%s: the line does not show the win or loss", spec);
	}
	return true;
}

/* The random player's choice depends on the seed and the position alone. */
static bool random_player_moves(struct exam *x)
{
	struct qv_answer first, second;
	const struct qv_limits limits = limits_here(x);
	if (x->game->seat(x->at) == QV_CHANCE)
		return true;
	if (!think(x, "random", &limits, &first) || !think(x, "random", &limits, &second))
		return false;
	return first.move == second.move ||
	       exam_fail(x, "the random player chooses differently with the same seed");
}

/* Every level that the game offers can be created and finds a legal move. */
static bool levels_move(struct exam *x)
{
	const bool chance = x->game->seat(x->at) == QV_CHANCE;
	for (int i = 0; x->game->levels[i] && !chance; i++) {
		struct qv_limits limits = limits_here(x);
		struct qv_answer answer;
		limits.nodes = 200;
		if (!think(x, x->game->levels[i], &limits, &answer))
			return false;
	}
	return true;
}

/* ---- Perft ---- */

/* Counts the leaves by the definition of perft: lines of this many plies, played out one by one. */
static uint64_t naive_perft(const struct exam *x, const unsigned char *state, int depth, int level)
{
	int32_t points[QV_MAX_SEATS];
	if (depth == 0)
		return 1;
	if (x->game->result(state, points) == QV_ENDED)
		return 0;
	uint64_t leaves = 0;
	qv_move *list = exam_list(x, SLOT_TREE + level);
	const int count = x->game->moves(state, list);
	for (int i = 0; i < count; i++) {
		const int most = legal_max_count(x->game, state, list[i]);
		for (int k = most; k > 0; k--)
			leaves += naive_perft(x,
					      exam_after(x, SLOT_TREE + level, state,
							 branch(x, list[i], k, most)),
					      depth - 1, level + 1);
	}
	return leaves;
}

/* Plain, hashed and threaded perft must count the same as the naive recursion. */
static bool perft_agrees(struct exam *x)
{
	/* Without a hash table, with one, and with two threads. */
	static const struct {
		size_t hash_bytes;
		int threads;
	} ways[] = { { 0, 0 }, { 1 << 18, 0 }, { 0, 2 } };
	const int deepest = depth_here(x, PERFT_TREE);
	for (int depth = 1; depth <= deepest; depth++) {
		exam_now(x, NULL, NULL);
		const uint64_t expected = naive_perft(x, x->at, depth, 0);
		for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
			const struct qv_perft_limits limits = { .size = sizeof limits,
								.depth = depth,
								.hash_bytes = ways[i].hash_bytes,
								.threads = ways[i].threads };
			uint64_t leaves = 0;
			struct qv_error why = { "" };
			exam_now(x, NULL, NULL);
			const enum qv_status status =
				qv_perft(x->context, x->game, x->at, &limits, &leaves, &why);
			if (status != QV_OK)
				return exam_broken(x, status, "perft", why.text);
			if (leaves != expected)
				return exam_fail(
					x, "perft to depth %d, way %zu: %llu leaves, not %llu",
					depth, i, (unsigned long long)leaves,
					(unsigned long long)expected);
		}
	}
	return true;
}

const struct law search_laws[] = {
	{ "random-player", LAW_SAMPLED, random_player_moves, ANY_GAME, 100 },
	{ "levels", LAW_SAMPLED, levels_move, LEVELS, 5 },
	{ "perft", LAW_SAMPLED, perft_agrees, ANY_GAME, 20 },
	{ "search-value", LAW_SAMPLED, searches_agree, DUEL, 40 },
	{ "search-repeats", LAW_SAMPLED, searches_repeat, DUEL, 20 },
	{ "search-nodes", LAW_SAMPLED, nodes_are_limited, DUEL, 10 },
	{ "search-stop", LAW_SAMPLED, stops_are_obeyed, DUEL, 10 },
	{ "search-only", LAW_SAMPLED, only_these_moves, DUEL, 20 },
	{ "search-seats", LAW_SAMPLED, seats_are_searched, SEVERAL_SEATS, 20 },
	{ 0 },
};
