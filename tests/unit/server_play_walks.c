/*
 * server_play_walks.c - tests of plays at length: in every game users do anything at all, and
 * after each step the play is what its lines make of it, and a refusal has changed nothing.
 * SPDX-License-Identifier: MIT
 */
#include "support/play_checks.h"
#include "support/scale.h"

static const char *const users[] = { "ann", "bob", "eve" };
static const char *const kinds[] = { "draw", "undo", "rematch", "swap" };
static const char *const specs[] = { "human", "open", "level:1", "random", "level:2" };

static unsigned pick(struct qv_random *random, unsigned n)
{
	return (unsigned)qv_random_below(random, n);
}

/* Any action, sensible or not. */
static void any_action(struct qv_random *random, int nodes, char *out, size_t size)
{
	static const char *const plain[] = { "swap", "leave", "rematch", "resign",
					     "undo", "redo",  "throw",	 "join" };
	const unsigned kind = pick(random, 4), seat = pick(random, 4);
	switch (pick(random, 10)) {
	case 0:
		snprintf(out, size, "{\"action\":\"undo\",\"plies\":%u}", pick(random, 4));
		break;
	case 1:
		snprintf(out, size, "{\"action\":\"redo\",\"plies\":%u}", pick(random, 4));
		break;
	case 2:
		snprintf(out, size, "{\"action\":\"goto\",\"node\":%u}",
			 pick(random, (unsigned)nodes + 1));
		break;
	case 3:
		snprintf(out, size, "{\"action\":\"offer\",\"kind\":\"%s\"}", kinds[kind]);
		break;
	case 4:
		snprintf(out, size, "{\"action\":\"%s\",\"kind\":\"%s\"}",
			 pick(random, 3) ? "accept" : "decline", kinds[kind]);
		break;
	case 5:
		snprintf(out, size, "{\"action\":\"seat\",\"seat\":%u,\"spec\":\"%s\"}", seat,
			 specs[pick(random, 5)]);
		break;
	case 6:
		snprintf(out, size, "{\"action\":\"note\",\"text\":\"%u\"}", pick(random, 3));
		break;
	case 7:
		snprintf(out, size, "{\"action\":\"throw\",\"seed\":\"%u\"}", pick(random, 100));
		break;
	default:
		snprintf(out, size, "{\"action\":\"%s\"}", plain[pick(random, 8)]);
	}
}

/* Somebody asks for something. */
static void ask(struct table *t, struct qv_random *random)
{
	const char *user = users[pick(random, 3)];
	char action[128], move[QV_MOVE_TEXT] = "";
	const struct qv_record *r = hosted_record(t->play);
	const struct qv_game *game = qv_record_rules(r)->game;
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(qv_record_state(r), list);
	char *before = table_seen(t->play, user, t->now);
	const size_t lines = t->count;
	enum verdict verdict;
	if (count && pick(random, 3)) {
		struct qv_text text = { move, sizeof move, 0 };
		game->move_text(qv_record_state(r), list[pick(random, (unsigned)count)], &text);
		verdict = table_move(t, user, move);
	} else {
		any_action(random, qv_record_ply(r) + 3, action, sizeof action);
		verdict = table_act(t, user, action);
	}
	char *after = table_seen(t->play, user, t->now);
	assert_true(before && after);
	assert_true(verdict == VERDICT_OK || verdict == VERDICT_MALFORMED || verdict == VERDICT_NOT_YOURS || verdict == VERDICT_NOT_NOW);
	if (verdict == VERDICT_OK)
		assert_true(t->count > lines);
	else
		assert_string_equal(before, after);
	free(before);
	free(after);
}

static void think(struct table *t, struct qv_random *random)
{
	struct hosted_think job;
	qv_move list[QV_MAX_MOVES];
	if (!hosted_wants_think(t->play, t->now, &job) || hosted_due(t->play) == t->now)
		return;
	const struct qv_record *r = hosted_record(t->play);
	const int count = qv_record_rules(r)->game->moves(qv_record_state(r), list);
	const double seconds = (double)pick(random, 100000) / 7000;
	const enum verdict verdict = hosted_computer_move(
		t->play, job.turn, list[pick(random, (unsigned)count)], seconds, t->now, &t->error);
	assert_true(verdict == VERDICT_OK || hosted_due(t->play) <= t->now);
	table_store(t);
}

/* Time goes by; now and then the server is killed and comes back. */
static void wait(struct table *t, struct qv_random *random)
{
	t->now += pick(random, 8) ? pick(random, 400) : pick(random, 20000);
	hosted_tick(t->play, t->now, NULL);
	table_store(t);
	if (pick(random, 5))
		return;
	struct hosted_game *again = table_again(t);
	assert_non_null(again);
	hosted_free(t->play);
	t->play = again;
}

static struct hosted_setup any_setup(struct qv_random *random, const struct qv_rules *rules)
{
	static const char *const clocks[] = { NULL, "10s", "1m+1", "off" };
	static const char *const who[] = { "ann", "bob", "level:1", "open", "ann", "bob" };
	struct hosted_setup setup = { .id = "walk",
				    .owner = "ann",
				    .owner_name = "ann",
				    .rules = rules,
				    .clock = clocks[pick(random, 4)],
				    .typed_dice = pick(random, 4) == 0,
				    .created = 1 };
	for (int i = 0; i < rules->game->seats; i++) {
		const char *word = who[pick(random, 6)];
		const struct hosted_user person = { word, word };
		const bool sits = strcmp(word, "ann") == 0 || strcmp(word, "bob") == 0;
		assert_true(hosted_seat_read(&setup.seats[i], sits ? "human" : word, &person));
	}
	setup.seat_count = rules->game->seats;
	return setup;
}

static void walk(const struct qv_context *context, const struct qv_game *game, uint64_t number,
		 int steps)
{
	struct qv_rules rules;
	struct table t;
	struct qv_random random = { .key = qv_random_key(2026, number) };
	assert_int_equal(qv_rules_parse(context, game->name, &rules, NULL), QV_OK);
	const struct hosted_setup setup = any_setup(&random, &rules);
	assert_int_equal(table_open(&t, context, &setup), VERDICT_OK);
	for (int i = 0; i < steps; i++) {
		const unsigned what = pick(&random, 8);
		if (what == 0)
			wait(&t, &random);
		else if (what <= 2)
			think(&t, &random);
		else
			ask(&t, &random);
		if (!table_same(&t, users[i % 3]))
			fail_msg("%s, walk %llu, step %d", game->name, (unsigned long long)number,
				 i);
	}
	table_close(&t);
}

static void test_play__is_what_its_lines_make_of_it(void **state)
{
	const struct qv_game *game;
	for (int i = 0; (game = qv_game_at(*state, i)); i++)
		for (uint64_t number = 0; number < (uint64_t)scaled(6); number++)
			walk(*state, game, number * 100 + (uint64_t)i, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_play__is_what_its_lines_make_of_it),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
