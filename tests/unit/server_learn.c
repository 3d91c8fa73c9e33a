/*
 * server_learn.c - the player that learns by losing, on a server: its memory belongs to the game.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"
#include "session/hosted_game.h"

/* O is to move and has lost: X threatens 2 and 4. Up to symmetry O has two moves. */
#define LOST "x.x.o.x.o o"

/* Creates a game against the learner from LOST; memory NULL: none. */
static const char *begin(struct api_desk *d, const struct visitor *me, const char *memory)
{
	json_t *body = json_pack("{s:s, s:[s, s], s:s, s:s*}", "game", "noughts", "seats", "human",
				 "learn", "position", LOST, "memory", memory);
	char *text = json_dumps(body, 0);
	const json_t *made = desk_ask(d, me, "POST", "/api/v1/plays", text, 201);
	free(text);
	json_decref(body);
	return desk_text(made, "id");
}

static const json_t *look(struct api_desk *d, const struct visitor *me, const char *id)
{
	char path[128];
	snprintf(path, sizeof path, "/api/v1/plays/%s", id);
	return desk_ask(d, me, "GET", path, NULL, 200);
}

/* Waits for the learner's move, then wins. Returns the game at its end. */
static const json_t *win(struct api_desk *d, const struct visitor *me, const char *id)
{
	const json_t *play = look(d, me, id);
	char path[128];
	for (int i = 0; i < 20000 && !json_array_size(json_object_get(play, "line")); i++) {
		nap();
		api_turn(d->api);
		play = look(d, me, id);
	}
	const json_t *line = json_object_get(play, "line");
	assert_int_equal(json_array_size(line), 1);
	const bool blocked = strcmp(desk_text(json_array_get(line, 0), "move"), "2") == 0;
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", id);
	/* The learner has learned, so the response is the whole game, unless nothing is new. */
	desk_ask(d, me, "POST", path, blocked ? "{\"move\":\"4\"}" : "{\"move\":\"2\"}", 200);
	play = look(d, me, id);
	assert_string_equal(desk_text(play, "result"), "win 1");
	return play;
}

/* How many moves a memory holds. */
static int moves_of(const char *memory)
{
	int count = 0;
	for (; *memory; memory++)
		count += *memory == '\t';
	return count;
}

static void test_learn__memory_grows_by_losing_and_goes_on(void **state)
{
	struct api_desk d;
	char path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	/* The first loss teaches one move, the second the other one; then there is nothing more. */
	const json_t *play = win(&d, &me, begin(&d, &me, NULL));
	const char *memory = desk_text(play, "memory");
	assert_true(strncmp(memory, "quevedo-learned 1 noughts\n", 26) == 0);
	assert_int_equal(moves_of(memory), 1);
	play = win(&d, &me, begin(&d, &me, memory));
	memory = desk_text(play, "memory");
	assert_int_equal(moves_of(memory), 2);
	const char *id = begin(&d, &me, memory);
	assert_string_equal(desk_text(win(&d, &me, id), "memory"), memory);
	/* It is stored with the game, and the rematch has it, too. */
	desk_reopen(&d);
	assert_string_equal(desk_text(look(&d, &me, id), "memory"), memory);
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", id);
	play = desk_ask(&d, &me, "POST", path, "{\"action\":\"rematch\"}", 200);
	id = desk_text(play, "rematch");
	play = look(&d, &me, id);
	assert_string_equal(desk_text(play, "memory"), memory);
	/* Only a player of the game can make it forget, and only once. */
	const struct visitor other = desk_visitor(&d);
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", id);
	desk_ask(&d, &other, "POST", path, "{\"action\":\"forget\"}", 403);
	play = desk_ask(&d, &me, "POST", path, "{\"action\":\"forget\"}", 200);
	assert_true(json_is_null(json_object_get(play, "memory")));
	desk_ask(&d, &me, "POST", path, "{\"action\":\"forget\"}", 409);
	desk_reopen(&d);
	assert_true(json_is_null(json_object_get(look(&d, &me, id), "memory")));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A game that nobody lost teaches nothing, nor does a resignation. */
static void test_learn__only_losses_on_the_board_teach(void **state)
{
	struct api_desk d;
	char path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const char *id = begin(&d, &me, NULL);
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", id);
	desk_ask(&d, &me, "POST", path, "{\"action\":\"resign\"}", 200);
	assert_true(json_is_null(json_object_get(look(&d, &me, id), "memory")));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_learn__a_bad_memory_is_refused(void **state)
{
	static const struct {
		const char *memory, *why;
	} bad[] = {
		{ "", "memory: learned, line 1" },
		{ "junk", "memory: learned, line 1" },
		{ "quevedo-learned 1 hexapawn\n", "this is noughts" },
		{ "quevedo-learned 2 noughts\n", "version" },
		{ "quevedo-learned 1 noughts\n" LOST "\t1\n", "not legal" },
		{ "quevedo-learned 1 noughts\nxxxxxxxxx o\t1\n", "line 2" },
		{ "quevedo-learned 1 noughts\n" LOST "\t2", "line end" },
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		json_t *json = json_pack("{s:s, s:[s, s], s:s}", "game", "noughts", "seats",
					 "human", "learn", "memory", bad[i].memory);
		char *text = json_dumps(json, 0);
		const json_t *answer = desk_ask(&d, &me, "POST", "/api/v1/plays", text, 400);
		const char *message = desk_text(json_object_get(answer, "error"), "message");
		if (!strstr(message, bad[i].why))
			fail_msg("%s: %s", text, message);
		free(text);
		json_decref(json);
	}
	/* A game with dice has no learner, so it takes no memory. */
	desk_ask(&d, &me, "POST", "/api/v1/plays",
		 "{\"game\":\"race\",\"memory\":\"quevedo-learned 1 race\\n\"}", 400);
	/* Too long, though every line is right. */
	char *longest = malloc(HOSTED_MEMORY + 600);
	size_t length = (size_t)sprintf(longest, "quevedo-learned 1 noughts\n");
	while (length <= HOSTED_MEMORY)
		length += (size_t)sprintf(longest + length, LOST "\t2\n");
	json_t *json = json_pack("{s:s, s:s}", "game", "noughts", "memory", longest);
	char *text = json_dumps(json, 0);
	desk_ask(&d, &me, "POST", "/api/v1/plays", text, 400);
	free(text);
	json_decref(json);
	/* Just short enough: a line that comes again counts once. */
	longest[length - strlen(LOST "\t2\n")] = '\0';
	json = json_pack("{s:s, s:s}", "game", "noughts", "memory", longest);
	text = json_dumps(json, 0);
	const json_t *made = desk_ask(&d, &me, "POST", "/api/v1/plays", text, 201);
	assert_int_equal(moves_of(desk_text(look(&d, &me, desk_text(made, "id")), "memory")), 1);
	free(text);
	json_decref(json);
	free(longest);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_learn__memory_grows_by_losing_and_goes_on),
		cmocka_unit_test(test_learn__only_losses_on_the_board_teach),
		cmocka_unit_test(test_learn__a_bad_memory_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
