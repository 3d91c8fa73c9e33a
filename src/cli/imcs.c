/*
 * imcs.c - the command imcs: minichess over the network, as a client and as a server.
 * SPDX-License-Identifier: MIT
 *
 * `play HOST[:PORT]` logs in at a server and plays (imcs/play_client.h); the first Ctrl-C lets the
 * current game end, the second abandons it. `serve` is a server without the web (server/imcs), `log`
 * prints what a server has stored. Events are printed as they occur, one line or JSON object each.
 */
#include <time.h>

#include "base/scan.h"
#include "cli/cli.h"
#include "imcs/play_client.h"
#include "imcs/server.h"
#include "programs/players.h"
#include "server/imcs/listen.h"
#include "server/store/store.h"

#define DEFAULT_PLAYER "selective:time=60s"
enum { PASSWORD_FILE_MOST = 4096, IMCS_HOST = 256 };

/* The options of all verbs. */
struct imcs_values {
	int64_t port, games;
	const char *user, *offer, *accept, *time, *log; /* offer: "" without a colour */
	const char *store;
	bool list, enroll;
};

/*
 * The password is the first line of the file, so that it appears on no command line. It must be
 * printable ASCII without blanks, since the protocol separates words by blanks.
 */
enum qv_status cli_password(struct cli *c, char *out, size_t size)
{
	struct file_bytes file;
	const char *path = c->args.password_file;
	enum qv_status status = file_read(&mem_malloc, path, PASSWORD_FILE_MOST, &file, &c->error);
	if (status != QV_OK)
		return status;
	const size_t length = strcspn(file.data, "\r\n");
	bool good = length > 0 && length < size;
	for (size_t i = 0; i < length; i++)
		good &= file.data[i] > ' ' && file.data[i] <= '~';
	if (good)
		snprintf(out, size, "%.*s", (int)length, file.data);
	else
		status = cli_refuse(
			c,
			"--password-file: the first line of %.60s is not 1 to %d printable "
			"characters without blanks",
			path, (int)size - 1);
	file_release(&mem_malloc, &file);
	return status;
}

/* ---- serve ---- */

/* Prints the address as soon as the server listens. */
static enum qv_status print_ready(void *ctx, const char *at, struct qv_error *error)
{
	struct cli *c = ctx;
	if (c->args.json)
		cli_json(c, json_field(json_object(), "imcs", json_text(at)));
	else
		string_addf(&c->out, "quevedo: imcs %s\n", at);
	const enum qv_status status = cli_flush(c);
	*error = c->error;
	return status;
}

/* Runs the server until Ctrl-C, with accounts and games in the data folder. */
static enum qv_status serve(struct cli *c)
{
	char data[FOLDER_PATH], password[IMCS_PASSWORD + 1];
	const struct imcs_values *own = cli_own(c);
	if (own->store)
		return cli_refuse(c, "imcs serve: --store needs 'quevedo serve --imcs PORT'");
	enum qv_status status = folder_find(c->args.data, NULL, data, &c->error);
	if (status == QV_OK && c->args.password_file)
		status = cli_password(c, password, sizeof password);
	if (status != QV_OK)
		return status;
	/* The server searches nothing, so one worker is enough. */
	const struct imcs_run_setup setup = {
		.host = c->args.host ? c->args.host : "127.0.0.1",
		.port = (int)own->port,
		.admin_password = c->args.password_file ? password : NULL,
		.api = { .context = c->context,
			 .data = data,
			 .workers = 1,
			 .per_address = (int)c->args.per_address,
			 .log = { .write = cli_log } },
		.ready = print_ready,
		.ctx = c,
	};
	return imcs_run(&setup, &c->error);
}

/* ---- log ---- */

/* The games that log prints. */
struct logged {
	struct cli *c;
	json_t *list; /* NULL: the output is text */
	bool one;     /* the log of one game, not a list of games */
	int count;
};

/* Prints a game of the store: its log, or a line of the list. Returns true to get the next one. */
static bool take_game(void *ctx, const struct store_imcs_game *g)
{
	struct logged *l = ctx;
	l->count++;
	if (l->list) {
		json_t *o =
			json_fields(json_object(), "id", json_integer((json_int_t)g->id), "white",
				    json_text(g->white), "black", json_text(g->black), "play",
				    json_text(g->play), "result", json_text(g->result), NULL);
		l->list = json_item(l->list, l->one ? json_field(o, "log", json_text(g->log)) : o);
	} else if (l->one && g->log_size) {
		string_add(&l->c->out, g->log, g->log_size);
	} else if (l->one) {
		/* The log is written when the game ends; the server may have ended before. */
		string_addf(&l->c->out, "%lld: %s(W) vs %s: %s, without a log\n", (long long)g->id,
			    g->white, g->black, *g->result ? g->result : "going on");
	} else {
		string_addf(&l->c->out, "%lld %s %s\n", (long long)g->id, g->white, g->black);
	}
	return true;
}

/* Prints the log of a game, or lists the games in progress if `word` is NULL. */
static enum qv_status print_log(struct cli *c, const char *word)
{
	int64_t id = 0;
	struct logged l = { .c = c, .one = word != NULL };
	char data[FOLDER_PATH] = "";
	const struct imcs_values *own = cli_own(c);
	const struct store_setup setup = { .folder = data, .place = own->store };
	struct store *store = NULL;
	if (word && !text_to_int(word, 1, INT64_MAX, &id))
		return cli_refuse(c, "imcs log: '%.60s' is not the number of a game", word);
	enum qv_status status =
		own->store && *own->store ? QV_OK : folder_find(c->args.data, NULL, data, &c->error);
	if (status == QV_OK)
		status = store_open_reader(&setup, &store, &c->error);
	if (status != QV_OK)
		return status;
	/* Without a number id is 0, which stands for the games in progress. */
	l.list = c->args.json ? json_array() : NULL;
	status = store_imcs_games(store, id, take_game, &l, &c->error);
	store_close_reader(store);
	if (status == QV_OK && word && !l.count)
		status = qv_fail(&c->error, QV_UNKNOWN, "imcs log: no game %lld", (long long)id);
	if (status == QV_OK && l.list)
		return cli_json(c, l.list);
	json_decref(l.list);
	return status;
}

/* ---- play ---- */

/* A client with its setup. */
struct play_run {
	struct cli *c;
	const struct imcs_values *own;
	char host[IMCS_HOST], port[16], password[IMCS_PASSWORD + 1], times[32];
	struct imcs_play_setup setup;
};

/*
 * Writes the record of a game to the folder of --log as imcs-20261115-153000-12-W.jsonl: when it
 * ended, the game's number (0: unknown) and our colour.
 */
static enum qv_status save_record(const struct play_run *g, const struct imcs_client *client)
{
	char name[96], when[32] = "", path[FOLDER_PATH];
	const time_t now = time(NULL);
	struct tm date;
	struct qv_text size = { NULL, 0, 0 };
	if (!g->own->log || !client->record)
		return QV_OK;
	if (gmtime_r(&now, &date))
		strftime(when, sizeof when, "%Y%m%d-%H%M%S", &date);
	snprintf(name, sizeof name, "imcs-%s-%lld-%c.jsonl", when, (long long)client->id,
		 "WB"[client->seat]);
	enum qv_status status = folder_path(g->own->log, name, path, &g->c->error);
	if (status != QV_OK)
		return status;
	/* The first call measures the record, the second one writes it. */
	qv_record_save(client->record, &size);
	char *text = mem_new(&mem_malloc, size.length + 1, 1);
	if (!text)
		return cli_no_memory(g->c, "--log");
	qv_record_save(client->record, &(struct qv_text){ text, size.length + 1, 0 });
	status =
		cli_write_file(g->c, path, &(struct string){ .data = text, .length = size.length });
	mem_free(&mem_malloc, text, size.length + 1);
	return status;
}

/* An event object; the caller adds the fields of the event. */
static json_t *event(const char *what)
{
	return json_field(json_object(), "event", json_text(what));
}

/* The connection is lost and will be opened again. */
static void on_lost(void *ctx, const char *why, int64_t again_ms)
{
	struct cli *c = ((const struct play_run *)ctx)->c;
	if (c->args.json)
		cli_json(c, json_field(event("lost"), "why", json_text(why)));
	else
		string_addf(&c->out, "%s; again in %d s\n", why, (int)(again_ms / 1000));
	cli_flush(c);
}

/* An offer is waiting, a game begins, or a line of a list has arrived. */
static void on_event(void *ctx, enum client_said said, const struct imcs_client *client)
{
	struct cli *c = ((const struct play_run *)ctx)->c;
	const long long id = (long long)client->id;
	const char *color = client->seat == IMCS_WHITE ? "W" : "B";
	if (said == CLIENT_LISTED && c->args.json)
		cli_json(c, json_field(event("listed"), "line", json_text(client->text)));
	else if (said == CLIENT_LISTED)
		string_addf(&c->out, "%s\n", client->text);
	else if (said == CLIENT_OFFERED && c->args.json)
		cli_json(c, json_field(event("offer"), "id", json_integer(id)));
	else if (said == CLIENT_OFFERED)
		string_addf(&c->out, "offer %lld waits\n", id);
	else if (said == CLIENT_BEGINS && c->args.json)
		cli_json(c, json_fields(event("begin"), "id", json_integer(id), "color",
					json_text(color), NULL));
	else if (said == CLIENT_BEGINS)
		string_addf(&c->out, "game %lld begins, as %s\n", id, color);
	/* A list is complete only at its end. */
	if (said != CLIENT_LISTED)
		cli_flush(c);
}

/*
 * Prints the result of a game, unless it was abandoned, and saves its record. A failure ends the
 * program.
 */
static enum qv_status on_game_over(void *ctx, const struct imcs_client *client, bool abandoned,
				   struct qv_error *error)
{
	const struct play_run *g = ctx;
	struct cli *c = g->c;
	const long long id = (long long)client->id;
	const char *outcome = !client->has_result	       ? "unknown"
			      : client->winner < 0	       ? "drawn"
			      : client->winner == client->seat ? "won"
							       : "lost";
	enum qv_status status = QV_OK;
	if (!abandoned && c->args.json)
		cli_json(c,
			 json_fields(event("end"), "id", json_integer(id), "result",
				     json_text(client->text), "outcome", json_text(outcome),
				     "plies", json_integer(qv_record_ply(client->record)), NULL));
	else if (!abandoned)
		string_addf(&c->out, "game %lld: %s (%s)\n", id, client->text, outcome);
	/* A write that fails ends the client. */
	if (!abandoned)
		status = cli_flush(c);
	if (status == QV_OK)
		status = save_record(g, client);
	if (status != QV_OK)
		*error = c->error;
	return status;
}

/*
 * Reads HOST, HOST:PORT or [ADDRESS]:PORT. Several colons without brackets are an IPv6 address
 * alone.
 */
static enum qv_status read_address(struct play_run *g, const char *text)
{
	struct cli *c = g->c;
	const bool brackets = *text == '[';
	const char *const host = text + brackets;
	const char *end = strchr(host, brackets ? ']' : ':');
	if (!end || (!brackets && strchr(end + 1, ':')))
		end = host + strlen(host);
	const char *const rest = end + (brackets && *end);
	int64_t port = g->own->port;
	if ((brackets && !*end) || end == host || end - host >= IMCS_HOST ||
	    (*rest && (*rest != ':' || !is_digit(rest[1]) ||
		       !text_to_int(rest + 1, 1, 65535, &port))))
		return cli_refuse(c, "imcs play: '%.60s' is not HOST or HOST:PORT", cli_word(text));
	if (*rest && cli_given(c, "port"))
		return cli_refuse(c, "--port: the port is already in '%.60s'", cli_word(text));
	snprintf(g->host, sizeof g->host, "%.*s", (int)(end - host), host);
	snprintf(g->port, sizeof g->port, "%d", (int)port);
	return QV_OK;
}

/* Reads the account, and whether to list, offer or accept games. */
static enum qv_status read_options(struct play_run *g)
{
	const struct imcs_values *a = g->own;
	struct cli *c = g->c;
	if (!a->user || !c->args.password_file)
		return cli_refuse(c, "imcs play: --user and --password-file are needed");
	if (!*a->user || strpbrk(a->user, " \t\r\n"))
		return cli_refuse(c, "--user: expected a name without blanks");
	g->setup.client.context = c->context;
	g->setup.client.user = a->user;
	g->setup.client.password = g->password;
	g->setup.client.enroll = a->enroll;
	const enum qv_status status = cli_password(c, g->password, sizeof g->password);
	if (status != QV_OK)
		return status;
	/* The default is to offer games, as either colour. */
	g->setup.client.wish = a->list ? CLIENT_LIST : a->accept ? CLIENT_ACCEPT : CLIENT_OFFER;
	g->setup.client.color = '?';
	if (a->list + (a->accept != NULL) + (a->offer != NULL) > 1)
		return cli_refuse(c, "imcs play: give only one of --list, --offer and --accept");
	if (a->offer && *a->offer) {
		if (a->offer[1] || !strchr("WwBb?", *a->offer))
			return cli_refuse(c, "--offer: expected W, B or ?");
		g->setup.client.color = *a->offer == 'w' ? 'W' : *a->offer == 'b' ? 'B' : *a->offer;
	}
	if (a->accept && strcmp(a->accept, "any") != 0 &&
	    !text_to_int(a->accept, 1, 99999999, &g->setup.client.id))
		return cli_refuse(c, "--accept: expected the number of a game, or 'any'");
	if (a->time && g->setup.client.wish != CLIENT_OFFER)
		return cli_refuse(c, "--time: only for an offer");
	if (!a->time)
		return QV_OK;
	/* "60", or "1:00,5:00" for the two sides; the protocol has a blank for the comma. */
	int64_t seconds;
	snprintf(g->times, sizeof g->times, "%.31s", a->time);
	char *comma = strchr(g->times, ',');
	if (comma)
		*comma = '\0';
	if (strlen(a->time) >= sizeof g->times || !imcs_read_time(g->times, &seconds) ||
	    (comma && !imcs_read_time(comma + 1, &seconds)))
		return cli_refuse(c,
				  "--time: expected seconds or m:ss, or two of them with a comma");
	if (comma)
		*comma = ' ';
	g->setup.client.times = g->times;
	return QV_OK;
}

/*
 * Plays at a server until all games are finished or Ctrl-C ends it, and prints the sum of the
 * results.
 */
static enum qv_status play(struct cli *c, const char *address)
{
	struct play_run g = { .c = c, .own = cli_own(c) };
	const struct qv_defaults defaults = cli_defaults(c);
	struct qv_rules rules;
	struct imcs_play_result r = { 0 };
	enum qv_status status = read_address(&g, address);
	if (status == QV_OK)
		status = read_options(&g);
	if (status == QV_OK)
		status = qv_rules_parse(c->context, "minichess", &rules, &c->error);
	if (status == QV_OK)
		status = player_open(c->context, &rules,
				     c->args.player ? c->args.player : DEFAULT_PLAYER, &defaults,
				     &g.setup.player, &c->error);
	if (status == QV_OK && g.own->log)
		status = folder_make(g.own->log, &c->error);
	if (status == QV_OK) {
		/* The callbacks print; everything else is in the client. */
		g.setup.host = g.host;
		g.setup.port = g.port;
		g.setup.games = (int)g.own->games;
		g.setup.interrupt = cli_catch_interrupts();
		g.setup.must_end = cli_asked_to_end;
		g.setup.ctx = &g;
		g.setup.on_event = on_event;
		g.setup.connection_lost = on_lost;
		g.setup.game_over = on_game_over;
		status = imcs_play(&g.setup, &r, &c->error);
		c->answer_is_no = !r.listed && r.games < g.setup.games;
	}
	qv_player_free(g.setup.player);
	if (status != QV_OK || r.listed)
		return status;
	/* The sum of all games; a list has none. */
	if (c->args.json)
		return cli_json(c, json_fields(event("sum"), "games", json_integer(r.games), "won",
					       json_integer(r.won), "drawn", json_integer(r.drawn),
					       "lost", json_integer(r.lost), "unknown",
					       json_integer(r.unknown), NULL));
	string_addf(&c->out, "games %d: won %d, drawn %d, lost %d", r.games, r.won, r.drawn,
		    r.lost);
	if (r.unknown)
		string_addf(&c->out, ", without a result %d", r.unknown);
	string_addf(&c->out, "\n");
	return QV_OK;
}

/* ---- The command ---- */

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct imcs_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("port", OPTION_INT, port, .max = 65535, .def = IMCS_PORT, .value = "N",
	    .help = "port of the server; serve: 0 is any free port"),
	ROW("user", OPTION_POINTER, user, .value = "NAME", .help = "play: name to log in with"),
	SHARED_OPTION("password-file", OPTION_POINTER, password_file, .value = "FILE",
		      .help = "the first line is the password of --user; serve: of the admin"),
	ROW("register", OPTION_FLAG, enroll,
	    .help = "play: create the account if the name is free"),
	ROW("list", OPTION_FLAG, list, .help = "play: list offers and games, then leave"),
	ROW("offer", OPTION_POINTER, offer, .optional_value = true, .value = "COLOR",
	    .help = "play: offer games, as W, B or ? (either); this is the default"),
	ROW("accept", OPTION_POINTER, accept, .value = "ID",
	    .help = "play: accept an offer, or 'any'"),
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "play: player that searches (default " DEFAULT_PLAYER ")"),
	ROW("games", OPTION_INT, games, .min = 1, .max = 1000000, .def = 1, .value = "N",
	    .help = "play: number of games"),
	ROW("time", OPTION_POINTER, time, .value = "TIME",
	    .help = "play: clocks of an offer, yours first: 60, or 1:00,5:00"),
	ROW("log", OPTION_POINTER, log, .value = "DIR",
	    .help = "play: folder for a record of each game"),
	ROW("store", OPTION_POINTER, store, .value = "URL",
	    .help = "log: the PostgreSQL database of the servers, postgres://... (default: SQLite "
		    "in --data)"),
	{ 0 },
};
#undef ROW

/* Finds the verb. `play` needs a host, `serve` takes nothing, `log` a number or nothing. */
static enum qv_status run(struct cli *c)
{
	const char *what = c->args.words[1], *word = c->args.words[2];
	if (strcmp(what, "serve") == 0 && !word)
		return serve(c);
	if (strcmp(what, "play") == 0 && word)
		return play(c, word);
	if (strcmp(what, "log") == 0)
		return print_log(c, word);
	return cli_refuse(
		c, "imcs: usage: quevedo imcs play HOST[:PORT], or imcs serve, or imcs log [ID]");
}

const struct command command_imcs = {
	.name = "imcs", .run = run, .least = 1, .most = 2,
	.usage = "imcs play HOST[:PORT]|serve|log [ID]",
	.help = "play minichess over the network",
	.more = "play logs in at an IMCS server and plays; it connects again when the connection "
		"is lost. Ctrl-C ends it after the current game, a second Ctrl-C at once. serve is "
		"such a server; it keeps accounts, ratings and games. log prints the log of a game, "
		"or lists the games in progress. See docs/imcs.md.\n"
		"Exit status 1: Ctrl-C stopped play before its last game.\n",
	.options = OPTION_GROUPS(own_options, listen_options, server_data_option, common_options),
};
