/*
 * dice.c - a program that uses the library: any game, with dice and from a plug-in.
 * SPDX-License-Identifier: MIT
 *
 *     cc -std=c11 dice.c $(pkg-config --cflags --libs quevedo) -o dice
 *     ./dice backgammon 7
 *     ./dice pig 7 ./pig.so
 *
 * Every seat is a Monte Carlo player. The program rolls the dice itself. The same seed gives the
 * same game.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <quevedo.h>

static const char spec[] = "mcts:playouts=200";

static void print_move(const struct qv_game *game, const void *state, int seat, qv_move move)
{
	char name[QV_MOVE_TEXT];
	struct qv_text text = { name, sizeof name, 0 };
	qv_move_text(game, state, move, &text);
	if (seat == QV_CHANCE)
		printf("%s\n", name);
	else
		printf("seat %d: %s\n", seat + 1, name);
}

/* Plays the game to its end in *state. */
static enum qv_status play(const struct qv_game *game, struct qv_player *player, void *state,
			   struct qv_random *random, int32_t *points, struct qv_error *error)
{
	while (qv_result(game, state, points) == QV_GOING) {
		const int seat = qv_seat(game, state);
		struct qv_answer answer = { .size = sizeof answer };
		if (seat == QV_CHANCE) {
			answer.move = qv_roll(game, state, random);
		} else {
			const enum qv_status status =
				qv_player_think(player, state, NULL, NULL, &answer, error);
			if (status != QV_OK)
				return status;
		}
		print_move(game, state, seat, answer.move);
		const enum qv_status status = qv_play(game, state, answer.move, error);
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

int main(int argc, char **argv)
{
	struct qv_error error = { "not enough memory" };
	struct qv_rules rules;
	struct qv_player *player = NULL;
	void *state = NULL;
	int32_t points[QV_MAX_SEATS] = { 0 };
	char *end = NULL;
	const unsigned long long seed = argc > 2 ? strtoull(argv[2], &end, 10) : 0;
	if (argc < 3 || argc > 4 || end == argv[2] || *end || errno == ERANGE) {
		fprintf(stderr, "usage: dice GAME SEED [PLUGIN]\n");
		return 2;
	}
	struct qv_random random = { qv_random_key(seed, 0), 0 };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 16
	};
	struct qv_context *context = qv_context_new(NULL);
	enum qv_status status = context ? QV_OK : QV_NO_MEMORY;
	if (status == QV_OK && argc > 3)
		status = qv_context_load(context, argv[3], &error);
	if (status == QV_OK)
		status = qv_rules_parse(context, argv[1], &rules, &error);
	if (status == QV_OK)
		status = qv_player_new(context, &rules, spec, &defaults, &player, &error);
	if (status == QV_OK && !(state = qv_state_new(context, rules.game)))
		status = QV_NO_MEMORY;
	if (status == QV_OK)
		status = qv_position_parse(&rules, "start", state, &error);
	if (status == QV_OK)
		status = play(rules.game, player, state, &random, points, &error);
	for (int i = 0; status == QV_OK && i < qv_game_seats(rules.game); i++)
		printf("points of seat %d: %d\n", i + 1, (int)points[i]);
	if (status != QV_OK)
		fprintf(stderr, "dice: %s\n", error.text);
	if (state)
		qv_state_free(context, rules.game, state);
	qv_player_free(player);
	qv_context_free(context);
	return status != QV_OK;
}
