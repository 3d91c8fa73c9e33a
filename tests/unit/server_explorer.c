/*
 * server_explorer.c - the opening explorer: its index against a literal count over the same games,
 * private games, games that continue, older games, bad requests.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"
#define EXPLORER "/api/v1/explorer"

enum { PLIES = 40, GAMES = 24, TEXT = 256 };

/* A game as text: the position before each move, without counters, and the move. */
struct played {
	const char *game;
	int count;
	char position[PLIES + 1][TEXT], move[PLIES + 1][QV_MOVE_TEXT];
	int winner; /* from 1 */
};

static json_t *body_of(const struct played *p, int plies)
{
	json_t *moves = json_array();
	for (int i = 0; i < plies; i++)
		json_array_append_new(moves, json_string(p->move[i]));
	return json_pack("{s:s, s:o}", "game", p->game, "moves", moves);
}

static json_t *ask(struct api_desk *d, const struct visitor *who, const char *path, json_t *body,
		   int status)
{
	char *text = json_dumps(body, 0);
	json_t *answer = desk_ask(d, who, "POST", path, text, status);
	free(text);
	json_decref(body);
	return answer;
}

static int64_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* At random, of at most PLIES + 1 moves; chess without the two counters of its FEN. */
static void play_at_random(struct api_desk *d, const char *game, struct qv_random *random,
			   struct played *p)
{
	struct qv_rules rules;
	struct qv_record *record;
	qv_move moves[256];
	*p = (struct played){ .game = game };
	assert_int_equal(qv_rules_parse(d->context, game, &rules, NULL), QV_OK);
	assert_int_equal(qv_record_new(d->context, &rules, "start", &record, NULL), QV_OK);
	for (; p->count <= PLIES; p->count++) {
		const void *state = qv_record_state(record);
		int32_t points[QV_MAX_SEATS];
		struct qv_text position = { p->position[p->count], TEXT, 0 };
		struct qv_text text = { p->move[p->count], QV_MOVE_TEXT, 0 };
		if (qv_record_result(record, points) != QV_GOING)
			break;
		const int count = rules.game->moves(state, moves);
		/* The first moves only, so that positions recur. */
		const qv_move move =
			moves[qv_random_below(random, count < 3 ? (uint64_t)count : 3)];
		rules.game->position_text(state, &position);
		if (strcmp(game, "chess") == 0)
			for (int fields = 0; fields < 2; fields++)
				*strrchr(p->position[p->count], ' ') = '\0';
		rules.game->move_text(state, move, &text);
		assert_int_equal(qv_record_play(record, move, -1, NULL), QV_OK);
	}
	qv_record_free(record);
}

/* Posts the game with two people of one browser, and the side to move resigns if it is not over. */
static const char *post_game(struct api_desk *d, const struct visitor *who, struct played *p,
			     bool private)
{
	char path[128];
	json_t *body = body_of(p, p->count);
	json_object_set_new(body, "seats", json_pack("[s, s]", "human", "human"));
	json_object_set_new(body, "private", json_boolean(private));
	const char *id = desk_text(ask(d, who, PLAYS, body, 201), "id");
	snprintf(path, sizeof path, PLAYS "/%s", id);
	const json_t *play = desk_ask(d, who, "GET", path, NULL, 200);
	if (json_is_null(json_object_get(play, "result"))) {
		snprintf(path, sizeof path, PLAYS "/%s/actions", id);
		play = desk_ask(d, who, "POST", path, "{\"action\":\"resign\"}", 200);
	}
	const char *result = desk_text(play, "result");
	p->winner = strcmp(result, "draw") == 0 ? 0 : atoi(result + 4);
	assert_in_range(p->winner, 0, 2);
	return id;
}

/* What the explorer should say of a move: a game counts where it first had the position. */
static void count_literally(const struct played *games, int count, const char *position,
			    const char *move, int out[3])
{
	out[0] = out[1] = out[2] = 0;
	for (int g = 0; g < count; g++)
		for (int i = 0; i < games[g].count && i < PLIES; i++)
			if (strcmp(games[g].position[i], position) == 0) {
				if (strcmp(games[g].move[i], move) == 0)
					out[games[g].winner]++;
				break;
			}
}

/* Every position of every game. Returns the most games that one position had. */
static int64_t check_all(struct api_desk *d, const struct visitor *who, const struct played *games,
			 int count)
{
	int64_t most = 0;
	for (int g = 0; g < count; g++)
		for (int i = 0; i < games[g].count; i += i < 12 ? 1 : 7) {
			const json_t *seen = ask(d, who, EXPLORER, body_of(&games[g], i), 200);
			const json_t *list = json_object_get(seen, "moves"), *move;
			int64_t sum = 0;
			size_t m;
			json_array_foreach(list, m, move)
			{
				int by_result[3];
				const json_t *wins = json_object_get(move, "wins");
				count_literally(games, count, games[g].position[i],
						desk_text(move, "move"), by_result);
				assert_int_equal(number(move, "draws"), by_result[0]);
				for (size_t s = 0; s < 2; s++)
					assert_int_equal(
						json_integer_value(json_array_get(wins, s)),
						by_result[s + 1]);
				assert_int_equal(number(move, "games"),
						 by_result[0] + by_result[1] + by_result[2]);
				assert_int_equal(number(move, "people"), number(move, "games"));
				sum += number(move, "games");
			}
			int all = 0;
			for (int other = 0; other < count; other++)
				for (int j = 0; j < games[other].count && j < PLIES; j++)
					if (strcmp(games[other].position[j],
						   games[g].position[i]) == 0) {
						all++;
						break;
					}
			assert_int_equal(sum, all);
			assert_int_equal(number(seen, "games"), all);
			const size_t recent = json_array_size(json_object_get(seen, "recent"));
			assert_int_equal(recent, all < 8 ? all : 8);
			most = sum > most ? sum : most;
		}
	return most;
}

/* The explorer of an older database: the games are there, the index is not. */
static void lose_index(struct api_desk *d, const char *sql)
{
	char ignored[64];
	api_close(d->api);
	database_sql(d->folder, sql, ignored);
	desk_api_open(d);
}

static void wait_for_index(struct api_desk *d, const struct visitor *who)
{
	const char *body = "{\"game\":\"noughts\"}";
	while (!json_is_true(
		json_object_get(desk_ask(d, who, "POST", EXPLORER, body, 200), "complete")))
		desk_turn(d, 2);
}

/* Transpositions, repetitions, equal games; also after the index was lost or is outdated. */
static void test_explorer__agrees_with_a_literal_count(void **state)
{
	static struct played games[2][GAMES];
	static const char *const names[] = { "noughts", "chess" };
	struct api_desk d;
	struct qv_random random = { qv_random_key(21, 0), 0 };
	(void)state;
	desk_open(&d, 1, 1000);
	const struct visitor a = desk_visitor(&d);
	for (int n = 0; n < 2; n++)
		for (int g = 0; g < GAMES; g++) {
			if (g == 1)
				games[n][g] = games[n][0];
			else
				play_at_random(&d, names[n], &random, &games[n][g]);
			post_game(&d, &a, &games[n][g], false);
		}
	assert_int_equal(check_all(&d, &a, games[0], GAMES), GAMES);
	check_all(&d, &a, games[1], GAMES);
	lose_index(&d, "DELETE FROM visit; DELETE FROM explored; DELETE FROM tally");
	wait_for_index(&d, &a);
	check_all(&d, &a, games[0], GAMES);
	check_all(&d, &a, games[1], GAMES);
	/* Numbers that are no longer those of the positions. */
	lose_index(&d, "UPDATE visit SET position = position + 1;"
		       "UPDATE tally SET position = position + 1; UPDATE explored SET mark = 7");
	wait_for_index(&d, &a);
	check_all(&d, &a, games[0], GAMES);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The index is not complete while outdated games are in it, and it goes on by itself. */
static void test_explorer__outdated_games_leave_in_portions(void **state)
{
	enum { PORTION = 5, FULL = GAMES / PORTION * PORTION };
	static struct played games[GAMES];
	struct api_desk d;
	struct qv_random random = { qv_random_key(22, 0), 0 };
	const char *body = "{\"game\":\"noughts\"}";
	char ignored[64];
	(void)state;
	desk_open(&d, 1, 1000);
	const struct visitor a = desk_visitor(&d);
	for (int g = 0; g < GAMES; g++) {
		play_at_random(&d, "noughts", &random, &games[g]);
		post_game(&d, &a, &games[g], false);
	}
	/* All portions leave but that with the last game, which the database refuses. */
	lose_index(&d, "UPDATE explored SET mark = 7;"
		       "CREATE TABLE removed (number INTEGER) STRICT;"
		       "CREATE TRIGGER refuse BEFORE DELETE ON explored WHEN OLD.number ="
		       " (SELECT max(number) FROM explored) BEGIN SELECT RAISE(ABORT, 'no'); END;"
		       "CREATE TRIGGER count AFTER DELETE ON explored BEGIN"
		       " INSERT INTO removed SELECT count(*) FROM explored; END");
	for (int i = 0, after = 0; after < 20 && i < 4000; i++) {
		assert_true(json_is_false(json_object_get(
			desk_ask(&d, &a, "POST", EXPLORER, body, 200), "complete")));
		desk_turn(&d, 5);
		after += database_number(d.folder, "SELECT count(*) FROM removed") >= FULL;
	}
	assert_int_equal(database_number(d.folder, "SELECT count(*) FROM removed"), FULL);
	assert_int_equal(database_number(d.folder, "SELECT count(*) FROM explored WHERE mark = 7"),
			 GAMES - FULL);
	database_sql(d.folder, "DROP TRIGGER refuse; DROP TRIGGER count; DROP TABLE removed",
		     ignored);
	wait_for_index(&d, &a);
	assert_int_equal(database_number(d.folder, "SELECT count(*) FROM explored WHERE mark = 7"),
			 0);
	check_all(&d, &a, games, GAMES);
	desk_close(&d);
}

static int64_t games_at(struct api_desk *d, const struct visitor *who, const char *whose)
{
	return number(ask(d, who, EXPLORER,
			  json_pack("{s:s, s:s}", "game", "noughts", "whose", whose), 200),
		      "games");
}

/* Private games count for their players only; a deleted one for nobody of them. */
static void test_explorer__private_games_are_not_published(void **state)
{
	struct api_desk d;
	struct played p = { .game = "noughts", .count = 5, .move = { "1", "4", "2", "5", "3" } };
	char path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *secret = post_game(&d, &a, &p, true);
	assert_int_equal(games_at(&d, &a, "all"), 0);
	assert_int_equal(games_at(&d, &b, "mine"), 0);
	assert_int_equal(games_at(&d, &a, "mine"), 1);
	const char *id = post_game(&d, &a, &p, false);
	assert_int_equal(games_at(&d, &b, "all"), 1);
	assert_int_equal(games_at(&d, &a, "mine"), 2);
	const json_t *seen = desk_ask(&d, &b, "POST", EXPLORER, "{\"game\":\"noughts\"}", 200);
	const json_t *recent = json_object_get(seen, "recent");
	assert_int_equal(json_array_size(recent), 1);
	assert_string_equal(desk_text(json_array_get(recent, 0), "id"), id);
	ask(&d, &a, "/api/v1/me/games", json_pack("{s:[s]}", "delete", secret), 200);
	assert_int_equal(games_at(&d, &a, "mine"), 1);
	/* A game that continues leaves the index. */
	snprintf(path, sizeof path, PLAYS "/%s/actions", id);
	desk_ask(&d, &a, "POST", path, "{\"action\":\"undo\"}", 200);
	assert_int_equal(games_at(&d, &a, "all"), 0);
	assert_int_equal(games_at(&d, &a, "mine"), 0);
	desk_close(&d);
}

/* The level of the computers that played a move. */
static void test_explorer__levels(void **state)
{
	struct api_desk d;
	char path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (int level = 1; level <= 2; level++) {
		json_t *body =
			json_pack("{s:s, s:o, s:[s], s:b}", "game", "connect4", "seats",
				  json_pack("[o, s]", json_sprintf("level:%d", level), "human"),
				  "moves", "4", "private", 0);
		const char *id = desk_text(ask(&d, &a, PLAYS, body, 201), "id");
		snprintf(path, sizeof path, PLAYS "/%s/actions", id);
		desk_ask(&d, &a, "POST", path, "{\"action\":\"resign\"}", 200);
	}
	const json_t *seen = desk_ask(&d, &a, "POST", EXPLORER, "{\"game\":\"connect4\"}", 200);
	const json_t *move = json_array_get(json_object_get(seen, "moves"), 0);
	assert_string_equal(desk_text(move, "move"), "4");
	assert_int_equal(number(move, "people"), 0);
	assert_true(json_real_value(json_object_get(move, "level")) == 1.5);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(move, "wins"), 0)), 2);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_explorer__bad_requests(void **state)
{
	static const struct {
		const char *body;
		int status;
	} bad[] = {
		{ "{}", 400 },
		{ "{\"game\":\"nonsense\"}", 400 },
		{ "{\"game\":\"chess\",\"position\":\"8/8\"}", 400 },
		{ "{\"game\":\"chess\",\"moves\":[\"e2e5\"]}", 409 },
		{ "{\"game\":\"chess\",\"moves\":\"e4\"}", 400 },
		{ "{\"game\":\"chess\",\"whose\":\"yours\"}", 400 },
		{ "{\"game\":\"chess\",\"whose\":7}", 400 },
		{ "{\"game\":\"chess\",\"depth\":7}", 400 },
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		desk_ask(&d, &a, "POST", EXPLORER, bad[i].body, bad[i].status);
	desk_ask(&d, &a, "GET", EXPLORER, NULL, 405);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_explorer__agrees_with_a_literal_count),
		cmocka_unit_test(test_explorer__outdated_games_leave_in_portions),
		cmocka_unit_test(test_explorer__private_games_are_not_published),
		cmocka_unit_test(test_explorer__levels),
		cmocka_unit_test(test_explorer__bad_requests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
