/*
 * server_database.c - fuzz target: a database of the server, damaged as the input says. The server refuses it with a reason, or
 * starts and answers every request, if only with an error; it neither crashes nor hangs.
 * SPDX-License-Identifier: MIT
 *
 * The input is a list of changes: a kind, a page, a place in it, a count, then bytes. The database is made once, by requests
 * that are always the same. With bit 7 of the first byte it is opened like a large one, which is not checked before it is read.
 */
#include <sys/stat.h>

#include "fuzz/host.h"

enum { PAGE = 4096, MOST_CALLS = 64, MOST_TURNS = 50, MOST_CHANGES = 32 };

#define RECORD "\"{\\\"quevedo\\\":1,\\\"game\\\":\\\"chess\\\",\\\"position\\\":\\\"start\\\",\\\"seats\\\":[]}\\n\""

/* What the database is made of: plays in progress and ended, a study, an import. "$" is the play made last. */
static const char *const story[] = {
	"POST /api/v1/plays {\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}",
	"POST /api/v1/plays {\"game\":\"connect4\",\"seats\":[\"human\",\"human\"]}",
	"POST /api/v1/plays/$/moves {\"move\":\"4\"}",
	"POST /api/v1/plays/$/moves {\"move\":\"4\"}",
	"POST /api/v1/plays {\"game\":\"chess\",\"seats\":[\"human\",\"human\"],\"clock\":\"5m\"}",
	"POST /api/v1/plays/$/moves {\"move\":\"e2e4\"}",
	"POST /api/v1/plays/$/actions {\"action\":\"note\",\"text\":\"a note\"}",
	"POST /api/v1/plays/$/actions {\"action\":\"resign\"}",
	"POST /api/v1/plays {\"game\":\"backgammon\",\"seats\":[\"human\",\"level:1\"]}",
	"POST /api/v1/me {\"name\":\"Ann\"}",
	"POST /api/v1/studies {\"title\":\"A study\",\"chapters\":[{\"name\":\"One\",\"record\":" RECORD "}]}",
	"POST /api/v1/puzzles/chess/attempts {\"puzzle\":\"1x272dg\",\"solved\":true,\"rating\":1400,\"deviation\":90}",
};

/* What is asked of each damaged database. "$1" and so on: the plays in the order of their making. */
static const char *const questions[] = {
	"GET /api/v1/health", "GET /api/v1/lobby", "GET /api/v1/me", "GET /api/v1/me/games",
	"GET /api/v1/studies", "GET /api/v1/puzzles/chess", "GET /api/v1/plays/$0", "GET /api/v1/plays/$1",
	"GET /api/v1/plays/$2", "GET /api/v1/plays/$3", "GET /api/v1/plays/$2/record",
	"POST /api/v1/explorer {\"game\":\"chess\",\"moves\":[]}",
	"POST /api/v1/plays/$1/moves {\"move\":\"4\"}",
	"POST /api/v1/plays/$3/actions {\"action\":\"undo\"}",
};

static struct desk {
	struct fuzz_host host;
	struct visitor ann;
	char plays[4][64];
	int play_count;
	uint64_t calls;
	int status[MOST_CALLS]; /* 0: not yet answered */
	uint8_t *database;
	size_t size;
	char secret[4096];
	size_t secret_size;
} desk;

static void on_answer(void *ctx, const struct api_response *a)
{
	(void)ctx;
	fuzz_require(a->call >= 1 && a->call <= desk.calls && strlen(a->text) == a->size);
	desk.status[a->call - 1] = a->status;
	json_t *json = json_loads(a->text, JSON_DECODE_ANY, NULL);
	const char *id = json_object_get(json, "seat_token") ?
				 json_string_value(json_object_get(json, "id")) : NULL;
	fuzz_require(json || !a->size || strcmp(a->type, "application/json") != 0);
	if (id && !desk.database && desk.play_count < 4)
		snprintf(desk.plays[desk.play_count++], 64, "%s", id);
	json_decref(json);
}

/* "$" and a digit stand for the id of that play. */
static void put_path(char *out, size_t size, const char *from, size_t length)
{
	struct qv_text text = { out, size, 0 };
	out[0] = '\0';
	for (const char *end = from + length; from < end; from++)
		if (*from != '$')
			qv_put_char(&text, *from);
		else if (from + 1 < end && from[1] >= '0' && from[1] <= '3')
			qv_put(&text, desk.plays[*++from - '0']);
		else
			qv_put(&text, desk.plays[desk.play_count ? desk.play_count - 1 : 0]);
}

static void turn_all(void)
{
	for (int turn = 0; turn < MOST_TURNS; turn++) {
		bool open = false;
		desk.host.now++;
		api_turn(desk.host.api);
		for (uint64_t i = 0; i < desk.calls; i++)
			open |= !desk.status[i];
		if (!open || !host_step(&desk.host))
			return;
	}
}

static void ask(const char *line)
{
	const bool post = line[0] == 'P';
	const char *from = line + (post ? 5 : 4), *end = from + strcspn(from, " ");
	char path[512];
	put_path(path, sizeof path, from, (size_t)(end - from));
	json_t *body = post ? json_loads(end, 0, NULL) : NULL;
	const struct api_request request = { .method = post ? API_POST : API_GET, .path = path,
					     .query = "", .body = body, .visitor = &desk.ann,
					     .call = ++desk.calls };
	fuzz_require(desk.calls <= MOST_CALLS);
	api_handle(desk.host.api, &request);
	json_decref(body);
	turn_all();
}

static void path_in(char path[128], const char *name)
{
	snprintf(path, 128, "%s/%s", desk.host.folder, name);
}

static size_t read_file(const char *name, void *out, size_t room)
{
	char path[128];
	path_in(path, name);
	FILE *file = fopen(path, "rb");
	fuzz_require(file != NULL);
	const size_t size = fread(out, 1, room, file);
	fclose(file);
	return size;
}

static void write_file(const char *name, const void *data, size_t size)
{
	char path[128];
	path_in(path, name);
	FILE *file = fopen(path, "wb");
	fuzz_require(file && (!size || fwrite(data, size, 1, file) == 1));
	fclose(file);
	chmod(path, 0600);
}

static void forget(void)
{
	free(desk.database);
	fuzz_folder_remove(desk.host.folder);
}

static void make_database(void)
{
	enum { ROOM = 4 << 20 };
	struct qv_error error = { "" };
	fuzz_use_own_random();
	fuzz_games();
	fuzz_folder_make(desk.host.folder);
	atexit(forget);
	fuzz_require(host_open(&desk.host, on_answer, &error) == QV_OK);
	fuzz_require(api_identify(desk.host.api, NULL, NULL, "127.0.0.1", &desk.ann));
	for (size_t i = 0; i < sizeof story / sizeof *story; i++)
		ask(story[i]);
	api_close(desk.host.api);
	uint8_t *bytes = malloc(ROOM);
	fuzz_require(bytes != NULL);
	desk.size = read_file("quevedo.db", bytes, ROOM);
	desk.secret_size = read_file("secret", desk.secret, sizeof desk.secret);
	desk.database = bytes;
	fuzz_require(desk.size > PAGE && desk.size < ROOM && desk.play_count == 4);
}

struct input {
	const uint8_t *data;
	size_t size;
};

static size_t take(struct input *in, int bytes)
{
	size_t value = 0;
	for (; bytes && in->size; bytes--, in->size--)
		value = value << 8 | *in->data++;
	return value;
}

/* One change; returns the size that the file has then. */
static size_t change(struct input *in, uint8_t *file, size_t size)
{
	const size_t kind = take(in, 1), pages = size / PAGE;
	const size_t page = take(in, 1) % pages, place = page * PAGE + take(in, 2) % PAGE;
	size_t count = take(in, 1) % 32 + 1;
	switch (kind % 4) {
	case 0:
		for (; count && place + count < size; count--)
			file[place + count] = (uint8_t)take(in, 1);
		return size;
	case 1:
		file[place] ^= (uint8_t)(1 << count % 8);
		return size;
	case 2:
		memmove(file + page * PAGE, file + take(in, 1) % pages * PAGE, PAGE);
		return size;
	default:
		return page ? place : size; /* cut off, but not to nothing */
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct qv_error error = { "" };
	if (!desk.database)
		make_database();
	uint8_t *file = malloc(desk.size);
	fuzz_require(file != NULL);
	memcpy(file, desk.database, desk.size);
	size_t length = desk.size;
	for (int i = 0; in.size && length > PAGE && i < MOST_CHANGES; i++)
		length = change(&in, file, length);
	fuzz_folder_clear(desk.host.folder);
	write_file("quevedo.db", file, length);
	write_file("secret", desk.secret, desk.secret_size);
	free(file);
	desk.host.check_bytes = size && data[0] & 0x80;
	desk.calls = 0;
	memset(desk.status, 0, sizeof desk.status);
	if (host_open(&desk.host, on_answer, &error) != QV_OK) {
		fuzz_require_reason(&error);
		fuzz_require(size != 0);
		return 0;
	}
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		ask(questions[i]);
		fuzz_require(size || desk.status[i] < 500);
	}
	api_close(desk.host.api);
	return 0;
}
