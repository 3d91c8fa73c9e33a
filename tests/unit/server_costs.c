/*
 * server_costs.c - what each route costs the event loop at most: processor time of its thread, with
 * the worst legal input that is known.
 * SPDX-License-Identifier: MIT
 *
 * The unit is a piece of work of the library, measured in the same process: about a millisecond of an
 * optimized build, and as slow as everything else under a sanitizer, an emulator or load. Each request
 * is sent several times; the fastest one counts. A request may cost UNITS of them, and as many more for
 * each token that it pays besides the first one. A route without a row fails the test.
 *
 * The time covers what the web server does besides: reading the body, and compressing the response.
 * QV_COSTS=1 in the environment prints the table.
 */
#include <time.h>

#include "server/api/limits.h"
#include "server/http/gzip.h"
#include "support/accounts.h"
#include "support/scale.h"

enum {
	UNITS = 3,
	TRIES = 3,
	GAME_MOVES = 1000, /* a worker plays more of them */
	STUDY_BYTES = 250 << 10,
	BIG_PAIRS = 2500, /* of a move and an undo, in the largest game */
};

/* ---- The clock ---- */

static int64_t loop_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

struct bench {
	struct api_desk desk;
	int64_t unit_us, aside_us; /* aside: what the desk itself spends on responses */
	struct visitor who;
	char play[API_USER], big[API_USER], study[API_USER];
};
static struct bench *bench; /* for the host's callback */

/* As http/response.c does, which has large ones compressed by a thread; then the desk keeps it. */
static void respond(void *ctx, const struct api_response *response)
{
	struct string packed;
	char tag[GZIP_TAG];
	if (response->size >= GZIP_LEAST && strstr(response->type, "json")) {
		if (response->shared)
			gzip_tag(response->text, response->size, tag);
		else if (response->size <= GZIP_ASIDE &&
			 gzip_pack(response->text, response->size, &packed))
			string_release(&packed);
	}
	const int64_t began = loop_us();
	desk_answer(ctx, response);
	bench->aside_us += loop_us() - began;
}

/* The fastest of several, of about a millisecond. */
static int64_t measure_unit(const struct qv_context *context)
{
	struct qv_rules rules;
	int64_t best = INT64_MAX;
	assert_int_equal(qv_rules_parse(context, "chess", &rules, NULL), QV_OK);
	qv_move *moves = calloc(QV_MAX_MOVES, sizeof *moves);
	void *state = qv_state_new(context, rules.game), *next = qv_state_new(context, rules.game);
	assert_true(moves && state && next);
	for (int i = 0; i < 3 * TRIES; i++) {
		const int64_t began = loop_us();
		for (int k = 0; k < 2100; k++) {
			rules.game->start(rules.options, state);
			const int count = rules.game->moves(state, moves);
			for (int m = 0; m < count; m++) {
				memcpy(next, state, rules.game->state_size);
				rules.game->play(next, moves[m]);
			}
		}
		const int64_t took = loop_us() - began;
		best = took < best ? took : best;
	}
	qv_state_free(context, rules.game, state);
	qv_state_free(context, rules.game, next);
	free(moves);
	return best > 0 ? best : 1;
}

/* ---- Requests ---- */

/* What the loop does for one request, until its first response. It turns only when it is woken. */
static int64_t cost_of(struct bench *b, const char *method, const char *path, const char *body,
		       int *status)
{
	struct api_desk *d = &b->desk;
	b->aside_us = 0;
	int64_t took = -loop_us();
	const struct desk_call *call = &d->call[desk_send(d, &b->who, method, path, body)];
	atomic_store(&d->woken, true);
	for (int naps = 0; !call->count && naps < 60000; naps++) {
		if (naps % 100 == 99 || atomic_exchange(&d->woken, false))
			api_turn(d->api);
		took += loop_us();
		if (!call->count)
			nap();
		took -= loop_us();
	}
	took += loop_us() - b->aside_us;
	if (!call->count)
		fail_msg("%s %s: no answer", method, path);
	*status = call->last->status;
	if (!call->ended)
		api_cancel(d->api, d->calls);
	return took;
}

/* A body with so many random moves of the game, as far as it goes. */
static char *game_body(const struct bench *b, const char *name, int most, const char *more)
{
	struct qv_rules rules;
	struct qv_random random = { .key = 7 };
	int32_t points[QV_MAX_SEATS];
	qv_move *moves = calloc(QV_MAX_MOVES, sizeof *moves);
	assert_int_equal(qv_rules_parse(b->desk.context, name, &rules, NULL), QV_OK);
	void *state = qv_state_new(b->desk.context, rules.game);
	json_t *list = json_array();
	assert_true(moves && state);
	rules.game->start(rules.options, state);
	for (int i = 0; i < most && rules.game->result(state, points) == QV_GOING; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		const int count = rules.game->moves(state, moves);
		const qv_move move = moves[qv_random_below(&random, (uint64_t)count)];
		rules.game->move_text(state, move, &out);
		rules.game->play(state, move);
		json_array_append_new(list, json_string(text));
	}
	char *texts = json_dumps(list, JSON_COMPACT), *body = malloc(strlen(texts) + 400);
	snprintf(body, strlen(texts) + 400, "{\"game\":\"%s\",\"moves\":%s%s}", name, texts, more);
	json_decref(list);
	free(texts);
	qv_state_free(b->desk.context, rules.game, state);
	free(moves);
	return body;
}

static char *star_body(const struct bench *b)
{
	return game_body(b, "starchess", GAME_MOVES, ",\"course\":true,\"notions\":true");
}

static char *chess_moves(const struct bench *b)
{
	return game_body(b, "chess", 300, "");
}

static char *draughts_moves(const struct bench *b)
{
	return game_body(b, "draughts", 60, "");
}

static char *dice_moves(const struct bench *b)
{
	return game_body(b, "backgammon", 500, "");
}

/* As many as the loop plays itself, and as many as are allowed. */
static char *short_body(const struct bench *b)
{
	return game_body(b, "starchess", 100, ",\"course\":true,\"notions\":true");
}

static char *long_body(const struct bench *b)
{
	return game_body(b, "starchess", 4000, ",\"course\":true,\"notions\":true");
}

static char *study_body(const struct bench *b)
{
	static const char chapter[] =
		"{\"name\":\"One\",\"record\":\"{\\\"quevedo\\\":1,\\\"game\\\":\\\"chess\\\","
		"\\\"position\\\":\\\"start\\\",\\\"seats\\\":[]}\\n{\\\"move\\\":\\\"e2e4\\\"}\\n";
	struct string out = { .allocator = &mem_malloc };
	(void)b;
	string_addf(&out, "{\"title\":\"T\",\"chapters\":[%s", chapter);
	for (uint64_t i = 0; out.length < STUDY_BYTES; i++)
		string_addf(&out, "{\\\"note\\\":\\\"%llx%llx%llx\\\"}\\n",
			    (unsigned long long)qv_mix(i), (unsigned long long)qv_mix(~i),
			    (unsigned long long)qv_mix(i << 20));
	string_addf(&out, "\"}]}");
	assert_false(out.failed);
	return out.data;
}

static char *record_body(const struct bench *b)
{
	(void)b;
	return desk_record_body(BIG_PAIRS, NULL);
}

/* A spec that nobody has used yet. */
static char *with_spec(const char *before, const char *after)
{
	static int number;
	char *body = malloc(300);
	snprintf(body, 300, "%sselective:time=%dms%s", before, 100 + number++, after);
	return body;
}

static char *spec_body(const struct bench *b)
{
	(void)b;
	return with_spec("{\"game\":\"draughts\",\"player\":\"", "\",\"time\":1}");
}

static char *seats_body(const struct bench *b)
{
	(void)b;
	return with_spec("{\"game\":\"draughts\",\"seats\":[\"human\",\"", "\"]}");
}

static char *seat_body(const struct bench *b)
{
	(void)b;
	return with_spec("{\"action\":\"seat\",\"seat\":2,\"spec\":\"", "\"}");
}

static char *save_body(const struct bench *b)
{
	static int version;
	char *study = study_body(b), *body = malloc(strlen(study) + 40);
	sprintf(body, "{\"version\":%d,%s", ++version, study + 1);
	free(study);
	return body;
}

static char *report_body(const struct bench *b)
{
	char *body = malloc(700), text[501];
	memset(text, 'x', 500);
	text[500] = '\0';
	sprintf(body, "{\"kind\":\"study\",\"id\":\"%s\",\"reason\":\"other\",\"text\":\"%s\"}", b->study,
		text);
	return body;
}

/* $p, $b, $s: a small game, the largest one, a study. body NULL: `make` makes it, or there is none. */
struct row {
	const char *method, *path, *body;
	char *(*make)(const struct bench *b);
	int status, tokens; /* tokens: that it pays besides the first */
};

#define API "/api/v1/"
static const struct row rows[] = {
	{ "GET", API "health", NULL, NULL, 200, 0 },
	{ "GET", API "health/live", NULL, NULL, 200, 0 },
	{ "GET", API "health/ready", NULL, NULL, 200, 0 },
	{ "GET", API "openapi.json", NULL, NULL, 200, 0 },
	{ "GET", API "privacy", NULL, NULL, 200, 0 },
	{ "GET", API "games", NULL, NULL, 200, 0 },
	{ "GET", API "gallery", NULL, NULL, 200, 0 },
	{ "GET", API "pictures?game=chess", NULL, NULL, 200, 0 },
	{ "GET", API "history", NULL, NULL, 200, 0 },
	{ "GET", API "boards?game=gomoku", NULL, NULL, 200, 0 },
	{ "GET", API "openings?game=chess", NULL, NULL, 200, 0 },
	{ "GET", API "openings?game=race", NULL, NULL, 404, 0 },
	{ "POST", API "positions", NULL, star_body, 200, 1 },
	{ "POST", API "positions", NULL, long_body, 200, 4 },
	{ "POST", API "positions", NULL, short_body, 200, 0 },
	{ "POST", API "positions", "{\"game\":\"chess\",\"book\":true,\"notions\":true}", NULL, 200, 0 },
	{ "POST", API "positions", "{\"game\":\"draughts\",\"moves\":[\"zz\"]}", NULL, 409, 0 },
	{ "POST", API "analysis", NULL, spec_body, 200, 0 },
	{ "POST", API "analysis", "{\"game\":\"draughts\",\"player\":\"level:17\",\"time\":1}", NULL, 200, 0 },
	{ "POST", API "analysis", "{\"game\":\"chess\",\"player\":\"level:1,book=own,line=nothing\"}", NULL, 400, 0 },
	{ "POST", API "values", NULL, draughts_moves, 200, 0 },
	{ "POST", API "evaluation", NULL, chess_moves, 200, 0 },
	{ "POST", API "explorer", NULL, chess_moves, 200, 0 },
	{ "POST", API "luck", NULL, dice_moves, 200, 0 },
	{ "POST", API "review", NULL, chess_moves, 200, 0 },
	{ "POST", API "records", NULL, record_body, 200, 9 },
	{ "POST", API "explanations", "{\"game\":\"starchess\",\"player\":\"level:7\"}", NULL, 409, 0 },
	{ "POST", API "plays", "{\"game\":\"chess\",\"seats\":[\"human\",\"level:20\"]}", NULL, 201, 0 },
	{ "POST", API "plays", NULL, seats_body, 201, 0 },
	{ "POST", API "plays", NULL, record_body, 201, 9 },
	{ "GET", API "plays/$b", NULL, NULL, 200, 5 },
	{ "GET", API "plays/$b/events", NULL, NULL, 200, 5 },
	{ "GET", API "plays/$b/record", NULL, NULL, 200, 5 },
	{ "GET", API "plays/$b/record?format=pgn", NULL, NULL, 200, 5 },
	{ "POST", API "plays/$p/moves", "{\"move\":\"no such move\"}", NULL, 409, 0 },
	{ "POST", API "plays/$b/moves", "{\"move\":\"no such move\"}", NULL, 409, 0 },
	{ "POST", API "plays/$p/actions", NULL, seat_body, 200, 0 },
	{ "POST", API "plays/$b/actions", "{\"action\":\"redo\"}", NULL, 409, 5 },
	{ "POST", API "plays/$p/phrases", "{\"phrase\":\"hello\"}", NULL, 409, 0 },
	{ "POST", API "plays/$p/claim", "{}", NULL, 409, 0 },
	{ "POST", API "reports", NULL, report_body, 409, 0 },
	{ "GET", API "lobby", NULL, NULL, 200, 0 },
	{ "GET", API "lobby/events", NULL, NULL, 200, 0 },
	{ "GET", API "me", NULL, NULL, 200, 0 },
	{ "POST", API "me", "{\"name\":\"\\u00c4\\u00e4\\u00c4\\u00e4\\u00c4\\u00e4\\u00c4\"}", NULL, 200, 0 },
	{ "GET", API "me/games", NULL, NULL, 200, 0 },
	{ "POST", API "me/games", "{\"delete\":[\"nothing\"]}", NULL, 200, 0 },
	{ "GET", API "puzzles/chess", NULL, NULL, 200, 0 },
	{ "POST", API "puzzles/chess/attempts", "{\"puzzle\":\"x\",\"solved\":true,\"rating\":1500,\"deviation\":50}", NULL, 404, 0 },
	{ "GET", API "studies", NULL, NULL, 200, 0 },
	{ "POST", API "studies", NULL, study_body, 201, 7 },
	{ "GET", API "studies/$s", NULL, NULL, 200, 7 },
	{ "POST", API "studies/$s", NULL, save_body, 200, 7 },
	{ "GET", API "studies/$s/version", NULL, NULL, 200, 0 },
	{ "POST", API "studies/nobody/delete", "{}", NULL, 404, 0 },
	{ "GET", API "matches", NULL, NULL, 200, 0 },
	{ "GET", API "matches/none", NULL, NULL, 404, 0 },
	{ "GET", API "matches/none/events", NULL, NULL, 404, 0 },
	{ "GET", API "matches/none/games/1", NULL, NULL, 404, 0 },
	{ "GET", API "nothing", NULL, NULL, 404, 0 },
	{ "POST", API "accounts", "{\"name\":\"costs\",\"password\":\"" PASSWORD "\"}", NULL, 409, 0 },
	{ "POST", API "login", "{\"name\":\"nobody\",\"password\":\"" PASSWORD "\"}", NULL, 401, 0 },
	{ "POST", API "password/forgotten", "{\"name\":\"costs\"}", NULL, 409, 0 },
	{ "POST", API "password/reset", "{\"code\":\"x\",\"new\":\"" PASSWORD "\"}", NULL, 403, 0 },
	{ "POST", API "account/email", "{\"password\":\"" PASSWORD "\",\"email\":\"\"}", NULL, 200, 0 },
	{ "POST", API "account/email/confirm", "{\"code\":\"x\"}", NULL, 403, 0 },
	{ "GET", API "sessions", NULL, NULL, 200, 0 },
	{ "POST", API "sessions/nobody/end", "{}", NULL, 404, 0 },
	{ "GET", API "tokens", NULL, NULL, 200, 0 },
	{ "POST", API "tokens", "{\"label\":\"Test\"}", NULL, 201, 0 },
	{ "POST", API "tokens/nobody/revoke", "{}", NULL, 404, 0 },
	{ "GET", API "account/export", NULL, NULL, 200, 0 },
	{ "POST", API "account/delete", "{\"password\":\"wrong wrong\"}", NULL, 0, 0 },
	/* Wrong passwords, which soon have to wait: any status. */
	{ "POST", API "password", "{\"old\":\"wrong wrong\",\"new\":\"" PASSWORD "\",\"tokens\":\"keep\"}", NULL, 0, 0 },
	{ "POST", API "logout", "{}", NULL, 401, 0 }, /* the second time */
};

static void put_path(const struct bench *b, const char *pattern, char *out, size_t size)
{
	struct qv_text text = { out, size, 0 };
	for (out[0] = '\0'; *pattern; pattern++) {
		if (*pattern != '$') {
			qv_put_char(&text, *pattern);
			continue;
		}
		pattern++;
		qv_put(&text, *pattern == 'p' ? b->play : *pattern == 'b' ? b->big : b->study);
	}
}

/* The fastest of several, in thousandths of the unit. */
static int64_t try_row(struct bench *b, const struct row *row)
{
	int64_t best = INT64_MAX;
	char path[300];
	int status = 0;
	put_path(b, row->path, path, sizeof path);
	for (int i = 0; i < TRIES; i++) {
		char *made = row->make ? row->make(b) : NULL;
		const int64_t took =
			cost_of(b, row->method, path, made ? made : row->body, &status);
		best = took < best ? took : best;
		free(made);
	}
	if (row->status && status != row->status)
		fail_msg("%s %s: %d, not %d: %.200s", row->method, row->path, status, row->status,
			 b->desk.call[b->desk.calls].last->text);
	const int64_t units = 1000 * best / b->unit_us;
	if (getenv("QV_COSTS"))
		fprintf(stderr, "%8lld us %7.2f units  %d  %s %s\n", (long long)best,
			(double)units / 1000, status, row->method, row->path);
	return units;
}

static void open_bench(struct bench *b)
{
	*b = (struct bench){ .unit_us = 1 };
	bench = b;
	desk_open(&b->desk, 1, 1000);
	json_decref(b->desk.openapi);
	b->desk.openapi = NULL;
	b->desk.respond = respond;
	desk_reopen(&b->desk);
	b->unit_us = measure_unit(b->desk.context);
	b->who = desk_account(&b->desk, "veteran");
	struct api_desk *d = &b->desk;
	char *body = record_body(b);
	snprintf(b->big, sizeof b->big, "%s",
		 desk_text(desk_ask(d, &b->who, "POST", API "plays", body, 201), "id"));
	free(body);
	snprintf(b->play, sizeof b->play, "%s",
		 desk_text(desk_ask(d, &b->who, "POST", API "plays",
				    "{\"game\":\"draughts\",\"seats\":[\"human\",\"open\"]}", 201),
			   "id"));
	body = study_body(b);
	snprintf(b->study, sizeof b->study, "%s",
		 desk_text(desk_ask(d, &b->who, "POST", API "studies", body, 201), "id"));
	free(body);
}

/* Those that cost too much, in `dear`. */
static void check_row(struct bench *b, const struct row *row, char *dear, size_t size)
{
	const int64_t cost = try_row(b, row);
	const size_t length = strlen(dear);
	if (cost > 1000 * UNITS * (1 + row->tokens))
		snprintf(dear + length, size - length, " %s %s %.60s: %lld.%03lld;", row->method,
			 row->path, row->body ? row->body : "", (long long)cost / 1000,
			 (long long)cost % 1000);
}

static void close_bench(struct bench *b, const char *dear)
{
	desk_close(&b->desk);
	if (*dear)
		fail_msg("units beyond %d for each token:%s", UNITS, dear);
}

static void test_costs__of_each_route_are_bounded(void **state)
{
	static struct bench b;
	bool measured[200] = { false };
	char dear[2000] = "", bare[300];
	(void)state;
	open_bench(&b);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];
		check_row(&b, row, dear, sizeof dear);
		put_path(&b, row->path, bare, sizeof bare);
		bare[strcspn(bare, "?")] = '\0';
		const int route = api_route(*row->method == 'P' ? API_POST : API_GET, bare);
		if (route >= 0)
			measured[route] = true;
	}
	for (int i = 0; api_route_path(i); i++)
		if (!measured[i])
			fail_msg("%s: without a row", api_route_path(i));
	close_bench(&b, dear);
}

/* What depends on the game, for each of them; the levels are tried by a worker. */
static void test_costs__of_each_game_are_bounded(void **state)
{
	static struct bench b;
	static const char *const patterns[] = { "boards?game=%s", "openings?game=%s",
						"pictures?game=%s" };
	const struct qv_game *game;
	char dear[2000] = "", path[100], body[200];
	(void)state;
	open_bench(&b);
	for (int g = 0; (game = qv_game_at(b.desk.context, g)); g++) {
		for (int i = 0; i < 3; i++) {
			const size_t length = (size_t)snprintf(path, sizeof path, API);
			snprintf(path + length, sizeof path - length, patterns[i], game->name);
			check_row(&b, &(struct row){ "GET", path, NULL, NULL, 0, 0 }, dear,
				  sizeof dear);
		}
		char *made = game_body(&b, game->name, 100,
				       ",\"course\":true,\"notions\":true,\"book\":true");
		check_row(&b, &(struct row){ "POST", API "positions", made, NULL, 200, 0 }, dear,
			  sizeof dear);
		free(made);
		for (int level = 1; qv_levels(game)[level - 1]; level++) {
			snprintf(body, sizeof body,
				 "{\"game\":\"%s\",\"player\":\"level:%d\",\"time\":1}", game->name,
				 level);
			if (level == 1 || scaled(100) > 100)
				check_row(&b, &(struct row){ "POST", API "analysis", body, NULL, 0, 0 },
					  dear, sizeof dear);
		}
	}
	close_bench(&b, dear);
}

/* A line of a fuzzer's input: "GET PATH" or "POST PATH JSON". */
static void try_line(struct bench *b, char *line, char *dear, size_t size)
{
	const bool post = strncmp(line, "POST ", 5) == 0;
	char *path = post ? line + 5 : line + 4, *body = post ? strchr(path, ' ') : NULL;
	json_t *json = NULL;
	if (body)
		*body++ = '\0';
	if ((post && !body) || (!post && strncmp(line, "GET ", 4) != 0) || strchr(path, '$') ||
	    strlen(path) > 250 || (body && !(json = json_loads(body, 0, NULL))))
		return;
	json_decref(json);
	check_row(b, &(struct row){ post ? "POST" : "GET", path, body, NULL, 0, 0 }, dear, size);
}

/* What the fuzzers of the API have found, too. */
static void test_costs__of_fuzzed_requests_are_bounded(void **state)
{
	static struct bench b;
	char dear[2000] = "", path[600];
	(void)state;
	open_bench(&b);
	DIR *dir = opendir(TEST_DATA "/../fuzz/corpus/server_api");
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		size_t room = 0;
		char *line = NULL;
		snprintf(path, sizeof path, TEST_DATA "/../fuzz/corpus/server_api/%s", e->d_name);
		FILE *f = *e->d_name == '.' ? NULL : fopen(path, "r");
		while (f && getline(&line, &room, f) > 0) {
			line[strcspn(line, "\n")] = '\0';
			try_line(&b, line, dear, sizeof dear);
		}
		free(line);
		if (f)
			fclose(f);
	}
	closedir(dir);
	close_bench(&b, dear);
}

/* ---- Who pays ---- */

static struct visitor visitor_at(struct api_desk *d, const char *address)
{
	struct visitor who = desk_visitor(d);
	snprintf(who.address, sizeof who.address, "%s", address);
	return who;
}

/* How many requests in a row are not refused, with the clock standing. */
static int served(struct api_desk *d, const struct visitor *who)
{
	int count = 0;
	while (count < 100 &&
	       desk_wait(d, desk_send(d, who, "GET", API "health/live", NULL), 1)->last->status == 200)
		count++;
	return count;
}

/* The processor's clock is the test's: it passes only while requests are to cost something. */
static void test_costs__are_charged_afterwards(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	d.measured = d.frozen = true;
	d.now = 1000000;
	desk_reopen(&d);
	const struct visitor cheap = visitor_at(&d, "10.0.0.1"), dear = visitor_at(&d, "10.0.0.2"),
			     other = visitor_at(&d, "10.0.0.3");
	assert_int_equal(served(&d, &cheap), 40);
	desk_ask(&d, &dear, "GET", API "health/live", NULL, 200); /* now the visitor is known */
	d.now += 60000;
	d.busy_step = 10000;
	desk_ask(&d, &dear, "GET", API "health/live", NULL, 200);
	d.busy_step = 0;
	/* Two tokens were paid, each for a millisecond: eight more are taken. */
	assert_int_equal(served(&d, &dear), 40 - 1 - 8);
	assert_int_equal(served(&d, &other), 40);
	/* What a worker has done costs what the loop does with its result. */
	d.now += 60000;
	const uint64_t call = desk_send(&d, &dear, "POST", API "values",
					"{\"game\":\"noughts\",\"moves\":[\"1\"]}");
	d.busy_step = 100000;
	desk_wait(&d, call, 1);
	d.busy_step = 0;
	assert_true(api_requests_left(d.api, "10.0.0.2") < 0);
	assert_int_equal(served(&d, &dear), 0);
	/* A hundred milliseconds are paid after so many tokens. */
	d.now += 60000;
	assert_int_equal(served(&d, &dear), 40);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs__of_each_route_are_bounded),
		cmocka_unit_test(test_costs__of_each_game_are_bounded),
		cmocka_unit_test(test_costs__of_fuzzed_requests_are_bounded),
		cmocka_unit_test(test_costs__are_charged_afterwards),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
