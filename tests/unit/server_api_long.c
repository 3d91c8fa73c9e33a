/*
 * server_api_long.c - the web interface and long games: workers replay them, the loop does not.
 * SPDX-License-Identifier: MIT
 *
 * What is in memory is answered inside api_handle; so a request that has no answer yet when desk_send
 * returns waits for the store or for a worker.
 */
#include "support/api_desk.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"

enum { SHORT = 20, LONG = 1500 };  /* moves that are played and taken back: two lines each */

static struct visitor visitor_at(struct api_desk *d, const char *address)
{
	struct visitor who = desk_visitor(d);
	snprintf(who.address, sizeof who.address, "%s", address);
	return who;
}

static const char *make(struct api_desk *d, const struct visitor *who, int pairs, const char *seats)
{
	char *body = desk_record_body(pairs, seats);
	const char *id = desk_text(desk_ask(d, who, "POST", PLAYS, body, 201), "id");
	free(body);
	return id;
}

static json_int_t in_memory(struct api_desk *d, const struct visitor *who)
{
	return json_integer_value(json_object_get(
		desk_ask(d, who, "GET", "/api/v1/health", NULL, 200), "plays"));
}

static bool is_answered(const struct api_desk *d, uint64_t call)
{
	return d->call[call].count > 0;
}

static void assert_status(struct api_desk *d, uint64_t call, int status)
{
	assert_int_equal(desk_wait(d, call, 1)->last->status, status);
}

/* ---- Loading ---- */

static void test_long__games_are_loaded_by_a_worker(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *brief = make(&d, &a, SHORT, "human"), *lengthy = make(&d, &a, LONG, "human");
	desk_reopen(&d);
	assert_status(&d, desk_send(&d, &a, "GET", play_path(brief, ""), NULL), 200);
	const uint64_t looks[] = { desk_send(&d, &a, "GET", play_path(lengthy, ""), NULL),
				   desk_send(&d, &a, "GET", play_path(lengthy, "/record"), NULL),
				   desk_send(&d, &a, "GET", play_path(lengthy, "/events"), NULL) };
	const uint64_t move = desk_send(&d, &a, "POST", play_path(lengthy, "/moves"),
					"{\"move\":\"5\"}");
	for (int i = 0; i < 3; i++)
		assert_false(is_answered(&d, looks[i]));
	assert_false(is_answered(&d, move));
	assert_int_equal(in_memory(&d, &a), 1);
	for (int i = 0; i < 3; i++)
		assert_status(&d, looks[i], 200);
	assert_status(&d, move, 200);
	assert_int_equal(in_memory(&d, &a), 2);
	/* Once it is in memory it is as quick as any other. */
	assert_true(is_answered(&d, desk_send(&d, &a, "GET", play_path(lengthy, ""), NULL)));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_long__whoever_has_gone_is_not_answered(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, LONG, "human");
	desk_reopen(&d);
	const uint64_t gone = desk_send(&d, &a, "GET", play_path(id, ""), NULL);
	const uint64_t stays = desk_send(&d, &a, "GET", play_path(id, ""), NULL);
	api_cancel(d.api, gone);
	assert_status(&d, stays, 200);
	assert_false(is_answered(&d, gone));
	/* Nor does a server that closes wait for those who wait. */
	desk_reopen(&d);
	const uint64_t late = desk_send(&d, &a, "GET", play_path(id, ""), NULL);
	desk_reopen(&d);
	assert_int_equal(d.call[late].last->status, 503);
	desk_close(&d);
}

static void test_long__loading_is_paid_for_before_it_begins(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	d.frozen = true;
	d.now = 1000000;
	const struct visitor maker = visitor_at(&d, "10.0.0.1"), a = visitor_at(&d, "10.0.0.2"),
			     b = visitor_at(&d, "10.0.0.3");
	const char *id = make(&d, &maker, LONG, "human");
	desk_reopen(&d);
	for (int i = 0; i < 39; i++)   /* of 40 at once; the game takes its request and three more */
		desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200);
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 429);
	desk_turn(&d, 100);
	assert_int_equal(in_memory(&d, &b), 0);
	desk_ask(&d, &b, "GET", play_path(id, ""), NULL, 200);
	desk_close(&d);
}

/* Lines that an older program would have taken, straight into the database. */
static void add_walks(const struct api_desk *d, const char *id, int walks)
{
	static const char sql[] =
		"INSERT INTO event (play, number, line) SELECT ?1, max(number) + 1, ?2 FROM event WHERE play = ?1";
	sqlite3_stmt *add;
	sqlite3 *db = database_open(d->folder);
	assert_int_equal(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &add, NULL), SQLITE_OK);
	for (int i = 0; i < 2 * walks; i++) {
		sqlite3_bind_text(add, 1, id, -1, SQLITE_STATIC);
		sqlite3_bind_text(add, 2, i % 2 ? "{\"redo\":500}" : "{\"undo\":500}", -1,
				  SQLITE_STATIC);
		assert_int_equal(sqlite3_step(add), SQLITE_DONE);
		sqlite3_reset(add);
	}
	sqlite3_finalize(add);
	assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* A game of so many plies that is then walked so often, in no server's memory. */
static const char *game_with_walks(struct api_desk *d, const struct visitor *who, int plies,
				   int walks)
{
	json_t *moves = json_array();
	for (int i = 0; i < plies; i++)
		json_array_append_new(moves, json_string("end"));
	json_t *body = json_pack("{s:s, s:o}", "game", "starchess", "moves", moves);
	char *text = json_dumps(body, 0);
	const char *id = desk_text(desk_ask(d, who, "POST", PLAYS, text, 201), "id");
	api_close(d->api);
	add_walks(d, id, walks);
	desk_api_open(d);
	json_decref(body);
	free(text);
	return id;
}

static void test_long__games_from_before_the_bound_on_walks_open(void **state)
{
	enum { PLIES = 500, WALKS = 4000 };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = game_with_walks(&d, &a, PLIES, WALKS);
	const json_t *play = desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	assert_int_equal(json_array_size(json_object_get(play, "line")), PLIES);
	desk_close(&d);
}

/* ---- Lists ---- */

/* The user's games in progress. */
static size_t listed(struct api_desk *d, const struct visitor *who)
{
	const json_t *me = desk_ask(d, who, "GET", "/api/v1/me", NULL, 200);
	return json_array_size(json_object_get(me, "plays"));
}

static void test_long__a_list_does_not_wait_for_long_games(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	make(&d, &a, SHORT, "open");
	make(&d, &a, LONG, "open");
	make(&d, &a, LONG, "open");
	desk_reopen(&d);
	assert_int_equal(listed(&d, &a), 1);
	assert_int_equal(in_memory(&d, &a), 1);
	for (int i = 0; i < 10000 && listed(&d, &a) < 3; i++)
		desk_turn(&d, 5);
	assert_int_equal(listed(&d, &a), 3);
	desk_close(&d);
}

static void test_long__short_games_of_a_list_are_loaded_by_and_by(void **state)
{
	enum { GAMES = 30, PAIRS = 45 };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (int i = 0; i < GAMES; i++)
		make(&d, &a, PAIRS, "open");
	desk_reopen(&d);
	const size_t at_once = listed(&d, &a);
	assert_in_range(at_once, 1, 2000 / (2 * PAIRS));
	assert_int_equal(in_memory(&d, &a), at_once);
	for (int i = 0; i < GAMES; i++)
		listed(&d, &a);
	assert_int_equal(listed(&d, &a), GAMES);
	desk_close(&d);
}

/* ---- Making ---- */

static void test_long__records_are_read_by_a_worker(void **state)
{
	struct api_desk d;
	char *brief = desk_record_body(SHORT, NULL), *lengthy = desk_record_body(LONG, NULL),
	     *game = desk_record_body(LONG, "human");
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200); /* the visitor is known from now on */
	assert_true(is_answered(&d, desk_send(&d, &a, "POST", "/api/v1/records", brief)));
	const uint64_t read = desk_send(&d, &a, "POST", "/api/v1/records", lengthy);
	const uint64_t made = desk_send(&d, &a, "POST", PLAYS, game);
	assert_false(is_answered(&d, read));
	assert_int_equal(in_memory(&d, &a), 0);
	assert_status(&d, read, 200);
	assert_status(&d, made, 201);
	assert_int_equal(in_memory(&d, &a), 1);
	/* What is wrong with one is told all the same. */
	char *wrong = strdup(lengthy);
	memcpy(strstr(wrong, "undo"), "redo", 4);
	assert_status(&d, desk_send(&d, &a, "POST", PLAYS, wrong), 400);
	free(wrong);
	free(brief);
	free(lengthy);
	free(game);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_long__reading_a_record_is_paid_for_before_it_begins(void **state)
{
	struct api_desk d;
	char *body = desk_record_body(4000, NULL);
	(void)state;
	desk_open(&d, 1, 1);
	d.frozen = true;
	d.now = 1000000;
	const struct visitor a = visitor_at(&d, "10.0.0.1");
	int count = 0;
	while (count < 100 &&
	       desk_wait(&d, desk_send(&d, &a, "POST", "/api/v1/records", body), 1)->last->status ==
		       200)
		count++;
	/* 40 requests at once, and a record of 150 KB counts as five. */
	assert_in_range(count, 4, 10);
	free(body);
	desk_close(&d);
}

static char *moves_body(int count, bool course)
{
	json_t *moves = json_array();
	for (int i = 0; i < count; i++)
		json_array_append_new(moves, json_string("end"));
	json_t *body = json_pack("{s:s, s:o}", "game", "starchess:limit=5000", "moves", moves);
	if (course)
		json_object_set_new(body, "course", json_true());
	char *text = json_dumps(body, 0);
	json_decref(body);
	return text;
}

static void test_long__many_moves_to_a_position_are_played_by_a_worker(void **state)
{
	enum { FEW = 90, MANY = 1100 };
	struct api_desk d;
	char *few = moves_body(FEW, true), *many = moves_body(MANY, true),
	     *plain = moves_body(MANY, false);
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200); /* the visitor is known from now on */
	const uint64_t quick = desk_send(&d, &a, "POST", "/api/v1/positions", few);
	assert_true(is_answered(&d, quick));
	const uint64_t slow = desk_send(&d, &a, "POST", "/api/v1/positions", many);
	assert_false(is_answered(&d, slow));
	assert_status(&d, slow, 200);
	assert_int_equal(json_array_size(json_object_get(d.call[slow].last->json, "course")), MANY);
	memcpy(strrchr(many, ']') - 5, "\"zzz\"", 5);
	assert_status(&d, desk_send(&d, &a, "POST", "/api/v1/positions", many), 409);
	/* A route that thinks about the position goes on from there. */
	const uint64_t thinks = desk_send(&d, &a, "POST", "/api/v1/analysis", plain);
	assert_false(is_answered(&d, thinks));
	assert_status(&d, thinks, 200);
	api_cancel(d.api, thinks);
	free(plain);
	free(few);
	free(many);
	desk_close(&d);
}

static void test_long__a_game_is_written_as_pgn_by_a_worker(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *brief = make(&d, &a, SHORT, "human"), *lengthy = make(&d, &a, LONG, "human");
	assert_true(is_answered(
		&d, desk_send(&d, &a, "GET", play_path(brief, "/record?format=pgn"), NULL)));
	const uint64_t slow = desk_send(&d, &a, "GET", play_path(lengthy, "/record?format=pgn"), NULL);
	assert_false(is_answered(&d, slow));
	assert_status(&d, slow, 200);
	const struct desk_answer *pgn = d.call[slow].last;
	assert_string_equal(pgn->type, "application/x-chess-pgn");
	assert_non_null(strstr(pgn->file, ".pgn"));
	assert_non_null(strstr(pgn->text, "[White \"Guest "));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Dice: the luck of each roll and the loss of each move are computed ---- */

/* A game of backgammon of so many moves at random, as a list of them. */
static json_t *dice_moves(const struct api_desk *d, size_t count)
{
	struct qv_rules rules;
	qv_move list[QV_MAX_MOVES];
	assert_int_equal(qv_rules_parse(d->context, "backgammon", &rules, NULL), QV_OK);
	for (uint64_t seed = 1; seed < 100; seed++) {
		struct qv_record *r = NULL;
		struct qv_random random = { seed, 0 };
		json_t *moves = json_array();
		assert_int_equal(qv_record_new(d->context, &rules, NULL, &r, NULL), QV_OK);
		while (json_array_size(moves) < count && qv_record_result(r, NULL) == QV_GOING) {
			char name[QV_MOVE_TEXT] = "";
			struct qv_text text = { name, sizeof name, 0 };
			const int n = rules.game->moves(qv_record_state(r), list);
			const qv_move move = list[qv_random_below(&random, (uint64_t)n)];
			rules.game->move_text(qv_record_state(r), move, &text);
			json_array_append_new(moves, json_string(name));
			assert_int_equal(qv_record_play(r, move, -1, NULL), QV_OK);
		}
		qv_record_free(r);
		if (json_array_size(moves) == count)
			return moves;
		json_decref(moves);
	}
	fail_msg("no game is so long");
	return NULL;
}

/* As the body of POST /plays; record: as a record instead of a list. The caller frees it. */
static char *dice_body(const struct api_desk *d, size_t count, bool record)
{
	json_t *moves = dice_moves(d, count), *body;
	if (record) {
		struct string text = { .allocator = &mem_malloc };
		string_addf(&text, "{\"quevedo\":1,\"game\":\"backgammon\",\"position\":"
				   "\"start\",\"seats\":[]}\n");
		for (size_t i = 0; i < count; i++)
			string_addf(&text, "{\"move\":\"%s\"}\n",
				    json_string_value(json_array_get(moves, i)));
		body = json_pack("{s:s}", "record", text.data);
		json_decref(moves);
		string_release(&text);
	} else {
		body = json_pack("{s:s, s:s, s:[s, s], s:o}", "game", "backgammon", "dice", "typed",
				 "seats", "human", "open", "moves", moves);
	}
	char *text = json_dumps(body, 0);
	json_decref(body);
	return text;
}

/* How many jobs of this kind workers have done. */
static uint64_t jobs_done(struct api_desk *d, const char *kind)
{
	struct api_figures f;
	uint64_t count = 0;
	api_figures(d->api, &f);
	for (int i = 0; i < f.pool.kind_count; i++)
		for (int j = 0; strcmp(f.pool.kinds[i].name, kind) == 0 && j <= HISTOGRAM_BOUNDS; j++)
			count += f.pool.kinds[i].run_seconds.counts[j];
	return count;
}

static void test_long__walks_are_replayed_by_a_worker(void **state)
{
	enum { PLIES = 500, WALKS = 200 };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	d.frozen = true;
	d.now = 1000000;
	const struct visitor maker = visitor_at(&d, "10.0.0.1"), a = visitor_at(&d, "10.0.0.2"),
			     b = visitor_at(&d, "10.0.0.3");
	const char *id = game_with_walks(&d, &maker, PLIES, WALKS);
	for (int i = 0; i < 39; i++) /* of 40 at once; the game takes its request and one more */
		desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200);
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 429);
	assert_int_equal(jobs_done(&d, "load"), 0);
	desk_ask(&d, &b, "GET", play_path(id, ""), NULL, 200);
	assert_int_equal(jobs_done(&d, "load"), 1);
	desk_close(&d);
}

static void test_long__luck_is_computed_by_a_worker(void **state)
{
	enum { BRIEF = 20, LENGTHY = 200 };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	char *brief = dice_body(&d, BRIEF, false), *lengthy = dice_body(&d, LENGTHY, false);
	char *short_record = dice_body(&d, BRIEF, true), *record = dice_body(&d, 100, true);
	assert_in_range(strlen(record), 0, 4096);
	const struct visitor a = desk_visitor(&d);
	desk_ask(&d, &a, "POST", PLAYS, brief, 201);
	desk_ask(&d, &a, "POST", "/api/v1/records", short_record, 200);
	assert_int_equal(jobs_done(&d, "record"), 0);
	const char *id = desk_text(desk_ask(&d, &a, "POST", PLAYS, lengthy, 201), "id");
	assert_int_equal(jobs_done(&d, "record"), 1);
	desk_ask(&d, &a, "POST", "/api/v1/records", record, 200);
	assert_int_equal(jobs_done(&d, "record"), 2);
	/* Nor is it computed in the loop when the game is loaded, whoever asks for it. */
	desk_reopen(&d);
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	assert_int_equal(jobs_done(&d, "load"), 1);
	desk_reopen(&d);
	assert_int_equal(listed(&d, &a), 2);
	assert_int_equal(in_memory(&d, &a), 2);
	assert_int_equal(jobs_done(&d, "load"), 1);
	free(brief);
	free(lengthy);
	free(short_record);
	free(record);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Sends it until it is refused. */
static int count_paid(struct api_desk *d, const struct visitor *who, const char *path,
		      const char *body)
{
	int count = 0;
	while (count < 100 &&
	       desk_wait(d, desk_send(d, who, "POST", path, body), 1)->last->status != 429)
		count++;
	return count;
}

static void test_long__luck_is_paid_for_before_it_is_computed(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	d.frozen = true;
	d.now = 1000000;
	const struct visitor a = visitor_at(&d, "10.0.0.1"), b = visitor_at(&d, "10.0.0.2"),
			     c = visitor_at(&d, "10.0.0.3");
	char *moves = dice_body(&d, 300, false), *record = dice_body(&d, 300, true);
	/* 40 requests at once; each of these games counts as one and nine more. */
	assert_int_equal(count_paid(&d, &a, PLAYS, moves), 4);
	assert_int_equal(count_paid(&d, &b, "/api/v1/records", record), 4);
	/* So does loading it. */
	const char *id = desk_text(desk_ask(&d, &c, "POST", PLAYS, moves, 201), "id");
	desk_reopen(&d);
	for (int i = 0; i < 31; i++)
		desk_ask(&d, &c, "GET", "/api/v1/health", NULL, 200);
	desk_ask(&d, &c, "GET", play_path(id, ""), NULL, 429);
	assert_int_equal(jobs_done(&d, "load"), 0);
	free(moves);
	free(record);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long__a_list_does_not_wait_for_long_games),
		cmocka_unit_test(test_long__short_games_of_a_list_are_loaded_by_and_by),
		cmocka_unit_test(test_long__games_are_loaded_by_a_worker),
		cmocka_unit_test(test_long__whoever_has_gone_is_not_answered),
		cmocka_unit_test(test_long__loading_is_paid_for_before_it_begins),
		cmocka_unit_test(test_long__games_from_before_the_bound_on_walks_open),
		cmocka_unit_test(test_long__records_are_read_by_a_worker),
		cmocka_unit_test(test_long__reading_a_record_is_paid_for_before_it_begins),
		cmocka_unit_test(test_long__many_moves_to_a_position_are_played_by_a_worker),
		cmocka_unit_test(test_long__a_game_is_written_as_pgn_by_a_worker),
		cmocka_unit_test(test_long__walks_are_replayed_by_a_worker),
		cmocka_unit_test(test_long__luck_is_computed_by_a_worker),
		cmocka_unit_test(test_long__luck_is_paid_for_before_it_is_computed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
