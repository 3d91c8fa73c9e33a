/*
 * chance.c - what Star1 and Star2 save: nodes and evaluations of expectimax on positions of Race!,
 * as Markdown.
 * SPDX-License-Identifier: MIT
 *
 * docs/results/search.md has the output. The depth is fixed, so the numbers are the same on every
 * machine.
 */
#include <stdlib.h>

#include "quevedo.h"

enum { POSITIONS = 50, SEED = 11, STARS = 3, DEPTHS = 3, FIRST_DEPTH = 2 };

static void fail(const char *what)
{
	fprintf(stderr, "bench_chance: %s\n", what);
	exit(1);
}

static struct qv_player *player(const struct qv_context *context, const struct qv_rules *rules,
				const char *spec)
{
	struct qv_player *made;
	struct qv_error error;
	if (qv_player_new(context, rules, spec, NULL, &made, &error) != QV_OK)
		fail(error.text);
	return made;
}

/* Plays one move of the player, or a random one (also for dice); restarts an ended game. */
static void play_on(const struct qv_rules *rules, struct qv_player *who, struct qv_random *random,
		    void *state)
{
	const struct qv_game *g = rules->game;
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	struct qv_answer answer = { .size = sizeof answer };
	if (g->result(state, points) != QV_GOING)
		g->start(rules->options, state);
	const int n = g->moves(state, list);
	qv_move move = list[qv_random_below(random, (uint64_t)n)];
	if (who && g->seat(state) != QV_CHANCE) {
		if (qv_player_think(who, state, NULL, NULL, &answer, NULL) != QV_OK)
			fail("no answer");
		move = answer.move;
	}
	g->play(state, move);
}

static void count(const struct qv_context *context, const struct qv_rules *rules, const void *state,
		  uint64_t nodes[DEPTHS][STARS], uint64_t evals[DEPTHS][STARS])
{
	for (int i = 0; i < DEPTHS; i++)
		for (int star = 0; star < STARS; star++) {
			char spec[64];
			struct qv_answer answer = { .size = sizeof answer };
			snprintf(spec, sizeof spec, "expectimax:depth=%d,star=%d,iterate=0",
				 FIRST_DEPTH + i, star);
			struct qv_player *p = player(context, rules, spec);
			if (qv_player_think(p, state, NULL, NULL, &answer, NULL) != QV_OK)
				fail("no answer");
			nodes[i][star] += answer.nodes;
			evals[i][star] += answer.evals;
			qv_player_free(p);
		}
}

static void measure(const struct qv_context *context, const struct qv_rules *rules,
		    const char *name, const char *spec)
{
	const struct qv_game *g = rules->game;
	struct qv_random random = { .key = SEED };
	struct qv_player *who = spec ? player(context, rules, spec) : NULL;
	uint64_t nodes[DEPTHS][STARS] = { { 0 } }, evals[DEPTHS][STARS] = { { 0 } };
	void *state = qv_state_new(context, g);
	if (!state)
		fail("out of memory");
	g->start(rules->options, state);
	for (int found = 0; found < POSITIONS;) {
		for (int plies = 5; plies > 0; plies--)
			play_on(rules, who, &random, state);
		if (g->seat(state) == QV_CHANCE || g->count(state) < 2)
			continue;
		count(context, rules, state, nodes, evals);
		found++;
	}
	for (int i = 0; i < DEPTHS; i++) {
		printf("| %s | %d |", name, FIRST_DEPTH + i);
		for (int star = 0; star < STARS; star++)
			printf(" %llu |", (unsigned long long)nodes[i][star]);
		for (int star = 0; star < STARS; star++)
			printf(" %llu |", (unsigned long long)evals[i][star]);
		printf(" %.0f %% |\n",
		       100 - 100.0 * (double)evals[i][STARS - 1] / (double)evals[i][0]);
	}
	qv_state_free(context, g, state);
	qv_player_free(who);
}

int main(void)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	if (!context || qv_rules_parse(context, "race", &rules, NULL) != QV_OK)
		fail("no race");
	printf("| positions | depth | nodes: all | Star1 | Star2 "
	       "| evals: all | Star1 | Star2 | evals saved |\n"
	       "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
	measure(context, &rules, "of random games", NULL);
	measure(context, &rules, "of games of level 2", "level:2");
	qv_context_free(context);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
