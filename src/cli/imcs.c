/*
 * imcs.c - the command imcs: a server of its own, and what is kept of its games. imcs_play.c plays.
 * SPDX-License-Identifier: MIT
 */
#include "cli/imcs.h"

#include "base/file.h"
#include "server/imcs/standalone.h"
#include "server/store/imcs.h"

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
	if (arguments_given(&c->args, OPT_JSON))
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
	const struct imcs_run_setup setup = {
		.host = c->args.host ? c->args.host : "127.0.0.1",
		.port = arguments_given(&c->args, OPT_PORT) ? (int)c->args.port : IMCS_PORT,
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
		status = store_look(path, &store, &c->error);
	if (status == QV_OK)
		status = store_imcs_games(store, id, take_game, l, &c->error);
	store_look_end(store);
	return status;
}

static enum qv_status print_log(struct cli *c, const char *word)
{
	int64_t id = 0;
	struct logged l = { .c = c, .one = word != NULL };
	if (word && !text_to_int(word, 1, INT64_MAX, &id))
		return qv_fail(&c->error, QV_BAD_INPUT, "imcs log: '%.60s' is not a game's number",
			       word);
	if (arguments_given(&c->args, OPT_JSON))
		l.list = json_array();
	const enum qv_status status = read_log(c, id, &l);
	if (status != QV_OK || (word && !l.count)) {
		json_decref(l.list);
		return status != QV_OK ? status
				       : qv_fail(&c->error, QV_UNKNOWN,
						 "imcs log: there is no game %lld", (long long)id);
	}
	return l.list ? cli_json(c, l.list) : QV_OK;
}

/* ---- The command ---- */

enum qv_status cmd_imcs(struct cli *c)
{
	const char *what = c->args.words[1],
		   *word = c->args.word_count > 2 ? c->args.words[2] : NULL;
	if (strcmp(what, "serve") == 0 && !word)
		return serve(c);
	if (strcmp(what, "play") == 0 && word)
		return imcs_play(c, word);
	if (strcmp(what, "log") == 0)
		return print_log(c, word);
	return qv_fail(&c->error, QV_BAD_INPUT,
		       "imcs: usage: quevedo imcs play HOST, or imcs serve, or imcs log [ID]");
}
