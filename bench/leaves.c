/*
 * leaves.c - what each search technique saves: nodes and evaluations to one depth, technique by
 * technique, as Markdown.
 * SPDX-License-Identifier: MIT
 *
 * docs/results/search.md has the output. All searches are single-threaded and to a fixed depth, so
 * the numbers are the same on every machine.
 */
#include <stdlib.h>

#include "quevedo.h"

enum { DEEPEST = 6, MOST_LEAVES = 2000000, SEED = 9, POSITIONS = 2, SPEC = 256 };

/* Move ordering is added step by step; then iterative deepening, principal variation and table. */
#define ORDER(sort, killers, history) \
	"sort=" #sort ",killers=" #killers ",history=" #history ",quiet=0"
#define ONCE ",iterate=0,keep-line=0,tt=0"
#define ALL ORDER(1, 2, 1) ",iterate=1,keep-line=1,tt=16"

static const struct {
	const char *name, *kind, *keys;
} techniques[] = {
	{ "minimax", "minimax", NULL },
	{ "negamax", "negamax", NULL },
	{ "alphabeta, shallow cut-offs only", "alphabeta", "deep=0," ORDER(0, 0, 0) ONCE },
	{ "alphabeta", "alphabeta", ORDER(0, 0, 0) ONCE },
	{ "+ sorted moves", "alphabeta", ORDER(1, 0, 0) ONCE },
	{ "+ killer moves", "alphabeta", ORDER(1, 2, 0) ONCE },
	{ "+ history", "alphabeta", ORDER(1, 2, 1) ONCE },
	{ "+ iterative deepening", "alphabeta", ORDER(1, 2, 1) ",iterate=1,keep-line=0,tt=0" },
	{ "+ previous best line", "alphabeta", ORDER(1, 2, 1) ",iterate=1,keep-line=1,tt=0" },
	{ "+ table, exact", "alphabeta", ALL ",tt-exact=1" },
	{ "+ table", "alphabeta", ALL },
	{ "all on: negascout", "negascout", ALL },
	{ "all on: mtdf", "mtdf", ALL },
	{ "all on: window=50", "alphabeta", ALL ",window=50" },
	{ "all on: razor (unsound)", "alphabeta", ALL ",razor=1" },
	{ "all on: hard=100 (unsound)", "alphabeta", ALL ",hard=100" },
	{ "all on: top=4 (unsound)", "alphabeta", ALL ",top=4" },
};
enum { TECHNIQUES = sizeof techniques / sizeof *techniques };

static void fail(const char *what)
{
	fprintf(stderr, "bench_leaves: %s\n", what);
	exit(1);
}

/* A third of the way through a game, but never at its end. */
static void play_to_the_middle(const struct qv_context *context, const struct qv_game *game,
			       void *state)
{
	struct qv_random random = { .key = SEED };
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	void *next = qv_state_new(context, game);
	if (!next)
		fail("out of memory");
	for (int plies = game->max_plies ? game->max_plies / 3 : 20; plies > 0; plies--) {
		memcpy(next, state, game->state_size);
		game->play(next,
			   list[qv_random_below(&random, (uint64_t)game->moves(state, list))]);
		if (game->result(next, points) == QV_GOING)
			memcpy(state, next, game->state_size);
	}
	qv_state_free(context, game, next);
}

static struct qv_answer search(const struct qv_context *context, const struct qv_rules *rules,
			       const void *state, int depth, int technique)
{
	char spec[SPEC];
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error;
	const char *keys = techniques[technique].keys;
	snprintf(spec, sizeof spec, "%s:depth=%d%s%s", techniques[technique].kind, depth,
		 keys ? "," : "", keys ? keys : "");
	if (qv_player_new(context, rules, spec, NULL, &player, &error) != QV_OK ||
	    qv_player_think(player, state, NULL, NULL, &answer, &error) != QV_OK)
		fail(error.text);
	qv_player_free(player);
	return answer;
}

/* The greatest depth, at most `depth`, at which minimax has at most MOST_LEAVES leaves. */
static int affordable_depth(const struct qv_context *context, const struct qv_game *game,
			    const void *state, int depth)
{
	for (int next = 2; next <= depth; next++) {
		const struct qv_perft_limits limits = { .size = sizeof limits, .depth = next };
		uint64_t leaves;
		if (qv_perft(context, game, state, &limits, &leaves, NULL) != QV_OK ||
		    leaves > MOST_LEAVES)
			return next - 1;
	}
	return depth;
}

/* Prints wins and losses as plies to the end. */
static void print_value(int32_t score)
{
	if (score > QV_MAX_EVAL)
		printf("win in %d", QV_WIN - score);
	else if (score < -QV_MAX_EVAL)
		printf("loss in %d", QV_WIN + score);
	else
		printf("%d", (int)score);
}

static void print_game(const struct qv_context *context, const struct qv_game *game)
{
	struct qv_rules rules = { .game = game };
	void *states[POSITIONS];
	for (int i = 0; game->options && game->options[i].name; i++)
		rules.options[i] = game->options[i].preset;
	for (int i = 0; i < POSITIONS; i++) {
		states[i] = qv_state_new(context, game);
		if (!states[i])
			fail("out of memory");
		game->start(rules.options, states[i]);
	}
	play_to_the_middle(context, game, states[1]);
	char where[QV_POSITION_TEXT] = "";
	struct qv_text text = { where, sizeof where, 0 };
	game->position_text(states[1], &text);
	int depth = DEEPEST;
	for (int i = 0; i < POSITIONS; i++)
		depth = affordable_depth(context, game, states[i], depth);
	printf("**%s**, depth %d, from the start and from this middlegame position:\n\n    %s\n\n",
	       game->name, depth, where);
	printf("| technique | start: evals | nodes | value | middlegame: evals | nodes | value |\n");
	printf("|---|--:|--:|--:|--:|--:|--:|\n");
	for (int t = 0; t < TECHNIQUES; t++) {
		printf("| %s |", techniques[t].name);
		for (int i = 0; i < POSITIONS; i++) {
			const struct qv_answer a = search(context, &rules, states[i], depth, t);
			printf(" %llu | %llu | ", (unsigned long long)a.evals,
			       (unsigned long long)a.nodes);
			print_value(a.score);
			printf(" |");
		}
		printf("\n");
	}
	printf("\n");
	for (int i = 0; i < POSITIONS; i++)
		qv_state_free(context, game, states[i]);
}

int main(void)
{
	struct qv_context *context = qv_context_new(NULL);
	if (!context)
		fail("out of memory");
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		/* The start of diagram is a tree of two plies: nothing to measure. */
		if (game->seats == 2 && !game->chance && strcmp(game->name, "diagram") != 0)
			print_game(context, game);
	}
	qv_context_free(context);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
