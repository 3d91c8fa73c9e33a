/*
 * imcs_play.c - `imcs play HOST`: its options, what it prints, and the files of --log.
 * SPDX-License-Identifier: MIT
 *
 * The first Ctrl-C lets the current game end, the second abandons it.
 */
#include <time.h>

#include "base/file.h"
#include "cli/imcs.h"
#include "imcs/play_client.h"
#include "programs/players.h"

#define DEFAULT_PLAYER "selective:time=60s"

struct guest {
	struct cli *c;
	const struct imcs_values *own;
	char port[16], password[IMCS_PASSWORD + 1], times[32];
	struct imcs_play_setup setup;
};

/* ---- The log ---- */

static enum qv_status save_record(const struct qv_record *record, const char *path,
				  struct qv_error *error)
{
	struct qv_text size = { NULL, 0, 0 };
	struct file_writer w = { 0 };
	qv_record_save(record, &size);
	char *text = mem_new(&mem_malloc, size.length + 1, 1);
	if (!text)
		return qv_fail(error, QV_NO_MEMORY, "--log: out of memory");
	struct qv_text out = { text, size.length + 1, 0 };
	qv_record_save(record, &out);
	enum qv_status status = file_create(&w, &mem_malloc, path, error);
	if (status == QV_OK)
		status = file_write(&w, text, size.length, error);
	if (status == QV_OK)
		status = file_keep(&w, error);
	mem_free(&mem_malloc, text, size.length + 1);
	return status;
}

/* imcs-20261115-153000-12-W.jsonl: when it ended, the game's number (0: unknown), our colour. */
static enum qv_status keep_log(const struct guest *g, const struct imcs_client *client,
			       struct qv_error *error)
{
	char name[96], when[32] = "", path[FOLDER_PATH];
	const time_t now = time(NULL);
	struct tm date;
	if (!g->own->log || !client->record)
		return QV_OK;
	if (gmtime_r(&now, &date))
		strftime(when, sizeof when, "%Y%m%d-%H%M%S", &date);
	snprintf(name, sizeof name, "imcs-%s-%lld-%c.jsonl", when, (long long)client->id,
		 "WB"[client->seat]);
	enum qv_status status = folder_path(g->own->log, name, path, error);
	return status == QV_OK ? save_record(client->record, path, error) : status;
}

/* ---- Printing ---- */

static json_t *event(const char *what)
{
	return json_field(json_object(), "event", json_text(what));
}

static bool speaks_json(const struct guest *g)
{
	return g->c->args.json;
}

static const char *outcome(const struct imcs_client *client)
{
	if (!client->has_result)
		return "unknown";
	return client->winner < 0 ? "drawn" : client->winner == client->seat ? "won" : "lost";
}

static void print_lost(void *ctx, const char *why, int64_t again_ms)
{
	const struct guest *g = ctx;
	if (speaks_json(g))
		cli_json(g->c, json_field(event("lost"), "why", json_text(why)));
	else
		string_addf(&g->c->out, "%s; again in %d s\n", why, (int)(again_ms / 1000));
	cli_flush(g->c);
}

static void print_line(const struct guest *g, const struct imcs_client *client)
{
	if (speaks_json(g))
		cli_json(g->c, json_field(event("listed"), "line", json_text(client->text)));
	else
		string_addf(&g->c->out, "%s\n", client->text);
}

static void print_offer(const struct guest *g, const struct imcs_client *client)
{
	if (speaks_json(g))
		cli_json(g->c,
			 json_field(event("offer"), "id", json_integer((json_int_t)client->id)));
	else
		string_addf(&g->c->out, "offer %lld waits\n", (long long)client->id);
	cli_flush(g->c);
}

static void print_begin(const struct guest *g, const struct imcs_client *client)
{
	const char *color = client->seat == IMCS_WHITE ? "W" : "B";
	if (speaks_json(g))
		cli_json(g->c, json_field(json_field(event("begin"), "id",
						     json_integer((json_int_t)client->id)),
					  "color", json_text(color)));
	else
		string_addf(&g->c->out, "game %lld begins, as %s\n", (long long)client->id, color);
	cli_flush(g->c);
}

static enum qv_status print_end(const struct guest *g, const struct imcs_client *client)
{
	if (speaks_json(g)) {
		json_t *o = json_field(event("end"), "id", json_integer((json_int_t)client->id));
		o = json_field(json_field(o, "result", json_text(client->text)), "outcome",
			       json_text(outcome(client)));
		cli_json(g->c, json_field(o, "plies", json_integer(qv_record_ply(client->record))));
	} else {
		string_addf(&g->c->out, "game %lld: %s (%s)\n", (long long)client->id, client->text,
			    outcome(client));
	}
	return cli_flush(g->c);
}

static enum qv_status print_sum(const struct guest *g, const struct imcs_play_result *r)
{
	if (speaks_json(g)) {
		json_t *o = json_field(event("sum"), "games", json_integer(r->games));
		o = json_field(json_field(o, "won", json_integer(r->won)), "drawn",
			       json_integer(r->drawn));
		return cli_json(g->c, json_field(json_field(o, "lost", json_integer(r->lost)),
						 "unknown", json_integer(r->unknown)));
	}
	string_addf(&g->c->out, "games %d: won %d, drawn %d, lost %d", r->games, r->won, r->drawn,
		    r->lost);
	if (r->unknown)
		string_addf(&g->c->out, ", without a result %d", r->unknown);
	string_addf(&g->c->out, "\n");
	return QV_OK;
}

/* ---- What the client reports ---- */

static void on_event(void *ctx, enum client_said said, const struct imcs_client *client)
{
	if (said == CLIENT_OFFERED)
		print_offer(ctx, client);
	if (said == CLIENT_LISTED)
		print_line(ctx, client);
	if (said == CLIENT_BEGINS)
		print_begin(ctx, client);
}

static enum qv_status on_game_over(void *ctx, const struct imcs_client *client, bool abandoned,
				   struct qv_error *error)
{
	const struct guest *g = ctx;
	const enum qv_status status = abandoned ? QV_OK : print_end(g, client);
	if (status != QV_OK) {
		*error = g->c->error;
		return status;
	}
	return keep_log(g, client, error);
}

/* ---- The command ---- */

static enum qv_status bad(struct cli *c, const char *why)
{
	return qv_fail(&c->error, QV_BAD_INPUT, "%s", why);
}

/* "60" or "1:00,5:00" */
static enum qv_status read_times(struct guest *g, const char *text)
{
	int64_t seconds;
	snprintf(g->times, sizeof g->times, "%.31s", text);
	char *comma = strchr(g->times, ',');
	if (comma)
		*comma = '\0';
	if (strlen(text) >= sizeof g->times || !imcs_read_time(g->times, &seconds) ||
	    (comma && !imcs_read_time(comma + 1, &seconds)))
		return bad(g->c, "--time: expected seconds or m:ss, or two of them with a comma");
	if (comma)
		*comma = ' ';
	g->setup.client.times = g->times;
	return QV_OK;
}

static enum qv_status read_wish(struct guest *g)
{
	const struct imcs_values *a = g->own;
	g->setup.client.wish = a->list ? CLIENT_LIST : a->accept ? CLIENT_ACCEPT : CLIENT_OFFER;
	g->setup.client.color = '?';
	if (a->list + (a->accept != NULL) + (a->offer != NULL) > 1)
		return bad(g->c, "imcs play: give only one of --list, --offer and --accept");
	if (a->offer && *a->offer) {
		if (a->offer[1] || !strchr("WwBb?", *a->offer))
			return bad(g->c, "--offer: expected W, B or ?");
		g->setup.client.color = *a->offer == 'w' ? 'W' : *a->offer == 'b' ? 'B' : *a->offer;
	}
	if (a->accept && strcmp(a->accept, "any") != 0 &&
	    !text_to_int(a->accept, 1, 99999999, &g->setup.client.id))
		return bad(g->c, "--accept: expected the number of a game, or 'any'");
	if (a->time && g->setup.client.wish != CLIENT_OFFER)
		return bad(g->c, "--time: only for an offer");
	return a->time ? read_times(g, a->time) : QV_OK;
}

static enum qv_status read_who(struct guest *g)
{
	const struct imcs_values *a = g->own;
	if (!a->user || !g->c->args.password_file)
		return bad(g->c, "imcs play: --user and --password-file are needed");
	if (!*a->user || strpbrk(a->user, " \t\r\n"))
		return bad(g->c, "--user: expected a name without blanks");
	g->setup.client.context = g->c->context;
	g->setup.client.user = a->user;
	g->setup.client.password = g->password;
	g->setup.client.enroll = a->enroll;
	return cli_password(g->c, g->password);
}

static enum qv_status seat_player(struct guest *g)
{
	struct cli *c = g->c;
	const struct qv_defaults defaults = cli_defaults(c);
	struct qv_rules rules;
	enum qv_status status = qv_rules_parse(c->context, "minichess", &rules, &c->error);
	if (status == QV_OK)
		status = player_open(c->context, &rules,
				     c->args.player ? c->args.player : DEFAULT_PLAYER, &defaults,
				     &g->setup.player, &c->error);
	if (status == QV_OK && g->own->log)
		status = folder_make(g->own->log, &c->error);
	return status;
}

enum qv_status cmd_imcs_play(struct cli *c, const char *host)
{
	struct guest g = { .c = c, .own = cli_own(c) };
	snprintf(g.port, sizeof g.port, "%d", (int)g.own->port);
	enum qv_status status = read_who(&g);
	if (status == QV_OK)
		status = read_wish(&g);
	if (status == QV_OK)
		status = seat_player(&g);
	if (status == QV_OK) {
		struct imcs_play_result result;
		g.setup.host = host;
		g.setup.port = g.port;
		g.setup.games = (int)g.own->games;
		g.setup.interrupt = cli_catch_interrupts();
		g.setup.must_end = cli_asked_to_end;
		g.setup.ctx = &g;
		g.setup.on_event = on_event;
		g.setup.connection_lost = print_lost;
		g.setup.game_over = on_game_over;
		status = imcs_play(&g.setup, &result, &c->error);
		if (!result.listed) {
			c->answer_is_no = result.games < g.setup.games;
			status = status == QV_OK ? print_sum(&g, &result) : status;
		}
	}
	qv_player_free(g.setup.player);
	return status;
}
