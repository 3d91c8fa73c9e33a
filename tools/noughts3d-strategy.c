/*
 * noughts3d-strategy.c - makes the file of the winning strategy of 3D noughts and crosses.
 * SPDX-License-Identifier: MIT
 *
 * usage: noughts3d-strategy OUT
 *
 * Solves the empty cube without the shipped strategy, then follows the solver's moves for the
 * crosses against every reply of the noughts that does not lose to threats at once. The move is
 * recorded where threats do not win and no four must be blocked; of symmetric positions one is
 * visited. The result is the same on every machine. Takes half a minute of processor time and
 * 300 MB. Exit status: 0 OUT is written; 1 something went wrong; 2 wrong use.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "games/noughts3d/proof_hooks.h"
#include "games/noughts3d/solver.h"

enum { HASH_MB = 256 };

struct work {
	struct qv_solver *solver;
	struct n3_tools tools;
	struct map seen; /* positions of the crosses, by key */
	struct n3_strategy_record *records;
	size_t count, room, visited;
};

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "noughts3d-strategy: %s: %s\n", what, why);
	exit(1);
}

static void check(enum qv_status status, const struct qv_error *error)
{
	if (status != QV_OK)
		fail("error", error->text);
}

/* Whether the side to move must block: the other side could complete a four with its next move. */
static bool must_block(const struct n3 *s)
{
	for (uint64_t left = ~(s->mine | s->theirs); left; left = bits_rest(left))
		if (n3_has_four(s->theirs | (left & (0 - left))))
			return true;
	return false;
}

static void record(struct work *w, const struct n3 *s, qv_move move)
{
	struct n3 least;
	const int symmetry = n3_least_image(s, &w->tools, &least);
	if (!mem_reserve(&mem_malloc, &w->records, &w->room, w->count + 1, sizeof *w->records))
		fail("memory", "not enough");
	w->records[w->count++] = (struct n3_strategy_record){ least, n3_transform(move, symmetry) };
}

/* Follows the strategy from a position of the crosses, unless a symmetric one was visited. */
static void follow(struct work *w, const struct n3 *s)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = false };
	const uint64_t key = n3_prove_key(s, &w->tools);
	struct qv_solution found = { .size = sizeof found };
	struct qv_error error;
	qv_move list[N3_SQUARES];
	if (n3_wins_by_threats(s, &w->tools, list) || map_find(&w->seen, key))
		return;
	if (!map_add(&w->seen, key, map_of_number(w->visited++)))
		fail("memory", "not enough");
	check(qv_solver_solve(w->solver, s, &limits, &found, &error), &error);
	if (found.value != QV_VALUE_WIN)
		fail("strategy", "a position is not won");
	if (!must_block(s))
		record(w, s, found.move);
	struct n3 replied = *s;
	n3_play(&replied, found.move);
	for (int n = n3_replies(&replied, &w->tools, list); n > 0; n--) {
		struct n3 next = replied;
		n3_play(&next, list[n - 1]);
		follow(w, &next);
	}
}

int main(int argc, char **argv)
{
	struct qv_context *context = qv_context_new(NULL);
	struct work *w = calloc(1, sizeof *w);
	const struct n3 start = { 0, 0 };
	struct qv_rules rules;
	struct qv_error error;
	if (argc != 2) {
		fprintf(stderr, "usage: noughts3d-strategy OUT\n");
		return 2;
	}
	if (!context || !w)
		fail("memory", "not enough");
	w->seen.allocator = &mem_malloc;
	n3_tools_init(&w->tools);
	check(qv_rules_parse(context, "noughts3d", &rules, &error), &error);
	check(qv_solver_new(context, &rules, (size_t)HASH_MB << 20, &w->solver, &error), &error);
	n3_solver_disable_strategy(w->solver);
	follow(w, &start);

	const size_t size = n3_strategy_size(w->count);
	unsigned char *file = malloc(size);
	if (!file)
		fail("memory", "not enough");
	n3_strategy_pack(w->records, w->count, file);
	struct file_writer out;
	check(file_create(&out, &mem_malloc, argv[1], &error), &error);
	check(file_write(&out, file, size, &error), &error);
	check(file_keep(&out, &error), &error);
	printf("%zu positions with a move, %zu in all, %zu bytes\n", w->count, w->visited, size);
	free(file);
	mem_free(&mem_malloc, w->records, w->room * sizeof *w->records);
	map_release(&w->seen);
	qv_solver_free(w->solver);
	qv_context_free(context);
	free(w);
	return 0;
}
