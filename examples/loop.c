/*
 * loop.c - a program that uses the library: a game between two players, with progress and a stop.
 * SPDX-License-Identifier: MIT
 *
 *     cc -std=c11 loop.c $(pkg-config --cflags --libs quevedo) -o loop
 *     ./loop connect4 level:3 negascout:depth=20,tt=4
 *
 * A listener prints each iteration of a search. It also ends the search when the iteration's score
 * is proven or its depth is eight, by the same flag that Ctrl-C sets. The record keeps the moves,
 * detects the end, and is printed as a journal that `quevedo convert` reads.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <quevedo.h>

enum { DEPTH = 8, SEATS = 2, MOVE_MS = 10000 };

static struct qv_flag stop;		  /* ends the search that runs */
static volatile sig_atomic_t interrupted; /* ends the game */

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
	qv_flag_set(&stop);
}

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	const char *const *spec = ctx;
	fprintf(stderr, "%s: depth %d, score %d, %.0f nodes\n", *spec, so_far->depth,
		(int)so_far->score, (double)so_far->nodes);
	if (so_far->proven || so_far->depth >= DEPTH)
		qv_flag_set(&stop);
}

/* One move of the player whose turn it is, stored in the record. */
static enum qv_status take_turn(struct qv_record *record, struct qv_player *player,
				const char *spec, struct qv_error *error)
{
	const struct qv_listener listener = { .size = sizeof listener,
					      .iteration = on_iteration,
					      .ctx = &spec };
	struct qv_limits limits = { .size = sizeof limits, .time_ms = MOVE_MS, .stop = &stop };
	struct qv_answer answer = { .size = sizeof answer };
	limits.history = qv_record_history(record, &limits.history_count);
	if (!interrupted)
		qv_flag_clear(&stop); /* a flag serves for one search after the other */
	const enum qv_status status = qv_player_think(player, qv_record_state(record), &limits,
						      &listener, &answer, error);
	if (status != QV_OK && status != QV_STOPPED)
		return status; /* a stopped search has a legal move, too */
	return qv_record_play(record, answer.move, answer.seconds, error);
}

/* Measures the journal, then writes it. */
static void print_record(const struct qv_record *record)
{
	struct qv_text length = { NULL, 0, 0 };
	qv_record_save(record, &length);
	struct qv_text text = { malloc(length.length + 1), length.length + 1, 0 };
	if (text.data) {
		qv_record_save(record, &text);
		fputs(text.data, stdout);
	}
	free(text.data);
}

int main(int argc, char **argv)
{
	struct qv_error error = { "not enough memory" };
	struct qv_rules rules;
	struct qv_record *record = NULL;
	struct qv_player *players[SEATS] = { NULL };
	int32_t points[QV_MAX_SEATS];
	if (argc != 2 + SEATS) {
		fprintf(stderr, "usage: loop GAME SPEC SPEC\n");
		return 2;
	}
	signal(SIGINT, on_interrupt);
	struct qv_context *context = qv_context_new(NULL);
	enum qv_status status = context ? QV_OK : QV_NO_MEMORY;
	if (status == QV_OK)
		status = qv_rules_parse(context, argv[1], &rules, &error);
	if (status == QV_OK)
		status = qv_record_new(context, &rules, "start", &record, &error);
	for (int i = 0; status == QV_OK && i < SEATS; i++)
		status = qv_player_new(context, &rules, argv[2 + i], NULL, &players[i], &error);
	while (status == QV_OK && !interrupted && qv_record_result(record, points) == QV_GOING) {
		const int seat = qv_seat(rules.game, qv_record_state(record));
		if (seat < 0 || seat >= SEATS) {
			fprintf(stderr, "loop: a game for two without dice, please\n");
			break;
		}
		status = take_turn(record, players[seat], argv[2 + seat], &error);
	}
	if (status == QV_OK)
		print_record(record);
	else
		fprintf(stderr, "loop: %s\n", error.text);
	for (int i = 0; i < SEATS; i++)
		qv_player_free(players[i]);
	qv_record_free(record);
	qv_context_free(context);
	return status != QV_OK;
}
