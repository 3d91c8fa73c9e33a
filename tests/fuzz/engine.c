/*
 * engine.c - fuzz target: lines of requests to the engine for browsers, as in lines.c of tests/wasm.
 * Each has one last response, which is JSON or a record, and a status that is documented.
 * SPDX-License-Identifier: MIT
 *
 * A line is "REQUEST" or "REQUEST JSON"; "$" in a request stands for the game created last.
 * Only a worker's end stops a search of the engine, so its clock runs
 * fast here, times and depths of requests are limited, and so are searches that have no time limit.
 */
#include <jansson.h>
#include <time.h>

#include "fuzz/fuzz.h"
#include "server/wasm/engine.h"
#include "server/wasm/inside.h"

enum {
	MOST_LINES = 20,
	MOST_MS = 1000,
	CLOCK_RATE = 50,
	MOST_DEPTH = 2,
	MOST_GAMES = 5,
	MOST_NODES = 1000,
	LARGEST_BLOCK = 1 << 26,
};

static struct {
	char play[64];
	int ends;
} host;

/* A native build embeds the data of all games. */
bool data_is_loaded(const char *game)
{
	(void)game;
	return true;
}

void engine_respond(int status, const char *text, size_t size, bool last)
{
	fuzz_require(strlen(text) == size);
	fuzz_require(status == 200 || status == 201 || (status >= 400 && status < 504));
	host.ends += last;
	json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
	if (!last || status >= 400)
		fuzz_require(json_is_object(json));
	const char *id = json_string_value(json_object_get(json, "id"));
	if (id)
		snprintf(host.play, sizeof host.play, "%s", id);
	json_decref(json);
}

void engine_random(void *bytes, size_t size)
{
	static uint32_t state;
	for (unsigned char *at = bytes; size > 0; size--) {
		state = state * 1103515245 + 12345;
		*at++ = (unsigned char)(state >> 24);
	}
}

/*
 * What the stream of a game's events calls. The engine has no such route, but the linker cannot
 * leave it out where the code is instrumented.
 */
struct call *call_find(struct api *api, uint64_t number)
{
	(void)api, (void)number;
	abort();
}

bool call_may_stream(struct api *api, const struct api_request *request)
{
	(void)api, (void)request;
	abort();
}

void room_follow(struct api *api, struct room *room, struct call *call)
{
	(void)api, (void)room, (void)call;
	abort();
}

void room_send_thoughts(struct api *api, struct room *room, const struct call *stream)
{
	(void)api, (void)room, (void)stream;
	abort();
}

/* Memory for the engine, but no block as large as a request may want. */
static void *resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	(void)ctx, (void)old_size;
	if (!new_size) {
		free(block);
		return NULL;
	}
	return new_size > LARGEST_BLOCK ? NULL : realloc(block, new_size);
}

/* The linker replaces qv_context_new by it. */
struct qv_context *__real_qv_context_new(const struct qv_allocator *allocator);
struct qv_context *__wrap_qv_context_new(const struct qv_allocator *allocator);

struct qv_context *__wrap_qv_context_new(const struct qv_allocator *allocator)
{
	static const struct qv_allocator limited = { resize, NULL };
	return __real_qv_context_new(allocator ? allocator : &limited);
}

/* The same for clock_us. */
int64_t __wrap_clock_us(void);

int64_t __wrap_clock_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec * 1000000LL + now.tv_nsec / 1000) * CLOCK_RATE;
}

/* A whole number of the body becomes at most this; a missing one, too. */
static void limit_number(json_t *body, const char *key, json_int_t most)
{
	const json_t *number = json_object_get(body, key);
	if (!number || json_is_null(number) || json_integer_value(number) > most)
		json_object_set_new(body, key, json_integer(most));
}

/* Whether the text is one of the words, or missing. */
static bool is_among(const char *text, const char *words)
{
	return !text || (*text && !strchr(text, ' ') && strstr(words, text));
}

/* Requests of the laboratory, which have no time limit. */
static bool is_quick(const char *request, const json_t *body)
{
	const char *game = json_string_value(json_object_get(body, "game"));
	const char *player = json_string_value(json_object_get(body, "player"));
	const char *opponent = json_string_value(json_object_get(body, "opponent"));
	if (strncmp(request, "wave", 4) == 0)
		return is_among(game, "hexapawn noughts reversi pig");
	return is_among(opponent, "random book") &&
	       (strcmp(request, "mask") != 0 || is_among(player, "mask:turns=0 mask:turns=1"));
}

/* Players read no files, and a search that has no time limit is shallow. */
static bool is_allowed(const char *request, const json_t *body)
{
	const char *player = json_string_value(json_object_get(body, "player"));
	if ((player && strchr(player, '/')) || !is_quick(request, body))
		return false;
	return strcmp(request, "trace") != 0 || !player || strcmp(player, "level:1") == 0 ||
	       strcmp(player, "negascout:depth=1") == 0 || strcmp(player, "alphabeta:depth=2") == 0;
}

/* The body with its limits; malloc'd. What is not an object stays as it is. NULL: left out. */
static char *limited(const char *request, const char *text)
{
	json_t *body = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	char *out = NULL;
	if (!json_is_object(body)) {
		out = fuzz_text((const uint8_t *)text, strlen(text));
	} else if (is_allowed(request, body)) {
		if (strcmp(request, "perft") == 0)
			limit_number(body, "depth", MOST_DEPTH);
		if (strcmp(request, "move") == 0 || strcmp(request, "solve") == 0 ||
		    strcmp(request, "analysis") == 0)
			limit_number(body, "time", MOST_MS);
		if (strcmp(request, "learn") == 0 || strcmp(request, "boxes") == 0 ||
		    strcmp(request, "td") == 0)
			limit_number(body, "games", MOST_GAMES);
		if (strcmp(request, "td") == 0)
			limit_number(body, "test", MOST_GAMES);
		if (strcmp(request, "proof") == 0)
			limit_number(body, "nodes", MOST_NODES);
		out = json_dumps(body, JSON_COMPACT);
	}
	json_decref(body);
	return out;
}

static void feed(char *line)
{
	char request[2000];
	struct qv_text out = { request, sizeof request, 0 };
	char *body = strchr(line, ' ');
	if (body)
		*body++ = '\0';
	for (request[0] = '\0'; *line; line++)
		if (*line == '$')
			qv_put(&out, host.play);
		else
			qv_put_char(&out, *line);
	char *sent = limited(request, body ? body : "");
	if (!sent)
		return;
	host.ends = 0;
	engine_request(request, sent);
	fuzz_require(host.ends == 1);
	free(sent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	fuzz_require(engine_open());
	host.play[0] = '\0';
	int lines = 0;
	for (char *line = text, *next; *line && lines < MOST_LINES; line = next, lines++) {
		next = fuzz_next_line(line);
		feed(line);
	}
	engine_close();
	free(text);
	return 0;
}
