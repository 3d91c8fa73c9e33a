/*
 * server_bus.c - fuzz target: what other servers tell this one, in whole texts and in pieces, while requests wait for them.
 * Whatever comes, a request gets its responses in order and none after the last.
 * SPDX-License-Identifier: MIT
 *
 * A line is "HEAR TEXT" (a whole text), "PIECE PAYLOAD" (as the database passes it on), "MISSED", "GET PATH[?QUERY]", "POST PATH
 * JSON" or "TURN [MS]". "|" in a payload stands for the end of a line. The server "two" is alive and has the game AAAAAAAAAAAAAAAA. "#" in a text stands for the number of the
 * request sent last, which this server asks the other one with.
 */
#include <sqlite3.h>

#include "fuzz/api_desk.h"
#include "server/api/inside.h"
#include "server/store/inside.h"

enum { LEASE_MS = 1500 };

static const char other_sql[] =
	"INSERT INTO user (id, name, created) VALUES ('BBBBBBBBBBBBBBBB', 'Bob', 1);"
	"INSERT INTO play (id, game, owner, created, updated, private, going, open_seats, node, epoch)"
	" VALUES ('AAAAAAAAAAAAAAAA', 'noughts', 'BBBBBBBBBBBBBBBB', 1, 1, 0, 1, 0, 'two', 1);";

static void on_answer(void *ctx, const struct api_response *a)
{
	(void)ctx;
	if (!desk_check(a))
		return;
	fuzz_require(strlen(a->text) == a->size);
	fuzz_require(a->status >= 200 && a->status <= 599);
}

/* What it tells others is lost. */
static bool tell(void *ctx, const char *node, const char *text)
{
	(void)ctx, (void)node;
	host_leaves(text, strlen(text));
	return true;
}

/* Past the API. */
static void run_sql(const char *sql)
{
	char path[128];
	sqlite3 *db;
	snprintf(path, sizeof path, "%s/quevedo.db", desk.host.folder);
	fuzz_require(sqlite3_open(path, &db) == SQLITE_OK);
	fuzz_require(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
	sqlite3_close(db);
}

static void open_api(void)
{
	char sql[200];
	desk.host.cluster = (struct api_cluster){ "one", LEASE_MS, tell, NULL };
	if (!desk_open(on_answer))
		return;
	snprintf(sql, sizeof sql,
		 "INSERT INTO node (id, until, address) VALUES ('two',"
		 " CAST(strftime('%%s', 'now') AS INTEGER) * 1000 + 600000, '%s')",
		 desk.host.api->secret_mark);
	run_sql(other_sql);
	run_sql(sql);
}

static void turn_all(void)
{
	int turn = 0;
	do
		api_turn(desk.host.api);
	while (turn++ < MOST_TURNS && host_step(&desk.host));
}

/* The text with the number of the last request in it. The caller frees it. */
static char *put_number(const char *line)
{
	char number[24];
	const int length = snprintf(number, sizeof number, "%llu",
				    (unsigned long long)(desk.first + desk.calls - 1));
	size_t marks = 0;
	for (const char *c = line; *c; c++)
		marks += *c == '#';
	char *out = malloc(strlen(line) + marks * (size_t)length + 1), *to = out;
	fuzz_require(out != NULL);
	for (; *line; line++)
		if (*line == '#') {
			memcpy(to, number, (size_t)length);
			to += length;
		} else {
			*to++ = *line;
		}
	*to = '\0';
	return out;
}

static void hear(const char *line, bool piece)
{
	char *text = put_number(line);
	for (char *c = text; piece && *c; c++)
		if (*c == '|')
			*c = '\n';
	if (piece)
		bus_hear(desk.host.api->store, text);
	else
		api_hear(desk.host.api, text);
	free(text);
}

static void send_request(const struct visitor *who, enum api_method method, char *path)
{
	const char *body = method == API_POST ? desk_cut(path, ' ') : NULL;
	const char *query = desk_cut(path, '?');
	desk_send(who, method, path, query, body);
	turn_all();
}

static void feed(const struct visitor *who, char *line)
{
	if (strncmp(line, "HEAR ", 5) == 0)
		hear(line + 5, false);
	else if (strncmp(line, "PIECE ", 6) == 0)
		hear(line + 6, true);
	else if (strncmp(line, "MISSED", 6) == 0)
		api_hear(desk.host.api, NULL);
	else if (strncmp(line, "GET ", 4) == 0)
		send_request(who, API_GET, line + 4);
	else if (strncmp(line, "POST ", 5) == 0)
		send_request(who, API_POST, line + 5);
	else {
		desk_pass_time(line, LEASE_MS);
		turn_all();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct visitor who;
	open_api();
	desk.host.now += 60000; /* limits and debts of the input before are gone */
	turn_all();
	fuzz_require(api_identify(desk.host.api, NULL, NULL, "10.0.0.1", &who));
	desk_run(text, &who, feed, turn_all);
	free(text);
	return 0;
}
