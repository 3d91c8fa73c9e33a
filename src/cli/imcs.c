/*
 * imcs.c - the command imcs: a server of its own, and what is kept of its games. imcs_play.c plays.
 * SPDX-License-Identifier: MIT
 */
#include "cli/imcs.h"

#include "base/file.h"
#include "server/imcs/listen.h"
#include "server/store/store.h"

enum { PASSWORD_FILE_MOST = 4096 };

enum qv_status cli_password(struct cli *c, char out[IMCS_PASSWORD + 1])
{
	struct file_bytes file = { 0 };
	const char *path = c->args.password_file;
	enum qv_status status = file_read(&mem_malloc, path, PASSWORD_FILE_MOST, &file, &c->error);
	if (status != QV_OK)
		return status;
	const size_t length = strcspn(file.data, "\r\n");
	bool good = length > 0 && length <= IMCS_PASSWORD;
	for (size_t i = 0; i < length; i++)
		good &= file.data[i] > ' ' && file.data[i] <= '~';
	if (good)
		snprintf(out, IMCS_PASSWORD + 1, "%.*s", (int)length, file.data);
	else
		status =
			qv_fail(&c->error, QV_BAD_INPUT,
				"--password-file: the first line of %.60s is not 1 to %d printable "
				"characters without blanks",
				path, IMCS_PASSWORD);
	file_release(&mem_malloc, &file);
	return status;
}

/* ---- serve ---- */

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

static enum qv_status serve(struct cli *c)
{
	char data[FOLDER_PATH], password[IMCS_PASSWORD + 1];
	enum qv_status status = folder_find(c->args.data, NULL, data, &c->error);
	if (status == QV_OK && c->args.password_file)
		status = cli_password(c, password);
	if (status != QV_OK)
		return status;
	const struct imcs_values *own = cli_own(c);
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

struct logged {
	struct cli *c;
	json_t *list;
	bool one;
	int count;
};

static bool take_game(void *ctx, const struct store_imcs_game *g)
{
	struct logged *l = ctx;
	l->count++;
	if (l->list) {
		json_t *o = json_field(json_object(), "id", json_integer((json_int_t)g->id));
		o = json_field(json_field(o, "white", json_text(g->white)), "black",
			       json_text(g->black));
		o = json_field(json_field(o, "play", json_text(g->play)), "result",
			       json_text(g->result));
		l->list = json_item(l->list, l->one ? json_field(o, "log", json_text(g->log)) : o);
	} else if (l->one && g->log_size) {
		string_add(&l->c->out, g->log, g->log_size);
	} else if (l->one) {
		/* It is written when the game ends; the server may have ended before. */
		string_addf(&l->c->out, "%lld: %s(W) vs %s: %s, without a log\n", (long long)g->id,
			    g->white, g->black, *g->result ? g->result : "going on");
	} else {
		string_addf(&l->c->out, "%lld %s %s\n", (long long)g->id, g->white, g->black);
	}
	return true;
}

static enum qv_status read_log(struct cli *c, int64_t id, struct logged *l)
{
	char data[FOLDER_PATH], path[FOLDER_PATH];
	struct store *store = NULL;
	enum qv_status status = folder_find(c->args.data, NULL, data, &c->error);
	if (status == QV_OK)
		status = folder_path(data, "quevedo.db", path, &c->error);
	if (status == QV_OK)
		status = store_open_reader(path, &store, &c->error);
	if (status == QV_OK)
		status = store_imcs_games(store, id, take_game, l, &c->error);
	store_close_reader(store);
	return status;
}

static enum qv_status print_log(struct cli *c, const char *word)
{
	int64_t id = 0;
	struct logged l = { .c = c, .one = word != NULL };
	if (word && !text_to_int(word, 1, INT64_MAX, &id))
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "imcs log: '%.60s' is not the number of a game", word);
	if (c->args.json)
		l.list = json_array();
	const enum qv_status status = read_log(c, id, &l);
	if (status != QV_OK || (word && !l.count)) {
		json_decref(l.list);
		return status != QV_OK ? status
				       : qv_fail(&c->error, QV_UNKNOWN, "imcs log: no game %lld",
						 (long long)id);
	}
	return l.list ? cli_json(c, l.list) : QV_OK;
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
		      .help = "play: player that searches (default selective)"),
	ROW("games", OPTION_INT, games, .min = 1, .max = 1000000, .def = 1, .value = "N",
	    .help = "play: number of games"),
	ROW("time", OPTION_POINTER, time, .value = "TIME",
	    .help = "play: clocks of an offer, yours first: 60, or 1:00,5:00"),
	ROW("log", OPTION_POINTER, log, .value = "DIR",
	    .help = "play: folder for a record of each game"),
	{ 0 },
};
#undef ROW

static enum qv_status run(struct cli *c)
{
	const char *what = c->args.words[1],
		   *word = c->args.word_count > 2 ? c->args.words[2] : NULL;
	if (strcmp(what, "serve") == 0 && !word)
		return serve(c);
	if (strcmp(what, "play") == 0 && word)
		return cmd_imcs_play(c, word);
	if (strcmp(what, "log") == 0)
		return print_log(c, word);
	return qv_fail(&c->error, QV_BAD_INPUT,
		       "imcs: usage: quevedo imcs play HOST, or imcs serve, or imcs log [ID]");
}

const struct command command_imcs = {
	.name = "imcs",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "imcs play HOST|serve|log [ID]",
	.help = "play minichess over the network",
	.more = "play HOST logs in at an IMCS server and plays; it connects again when the connection "
		"is lost. Ctrl-C ends it after the current game, a second Ctrl-C at once. serve is "
		"such a server; it keeps accounts, ratings and games. log prints the log of a game, "
		"or lists the games in progress. See docs/imcs.md.\n"
		"Exit status 1: Ctrl-C stopped play before its last game.\n",
	.options = OPTION_GROUPS(own_options, listen_options, server_data_option, common_options),
};
