/*
 * imcs_play.c - `imcs play HOST`: games over IMCS, one connection each, for as long as is wanted.
 * SPDX-License-Identifier: MIT
 *
 * The protocol is imcs/client.h; here are the socket, the player, the patience and the log.
 * The first Ctrl-C lets the game that goes on come to its end, the second leaves it.
 */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/imcs.h"
#include "programs/players.h"
#include "imcs/client.h"
#include "base/lines.h"

enum {
	CONNECT_MS = 15000,
	GAME_MS = 120000, /* beyond the clocks: White's free minute, and one more */
	REPLY_MS = 30000, /* for the answer to a command */
	KEEPALIVE_S = 60,
	AGAIN_MS = 1000,    /* between two looks for an offer */
	BACK_OFF_MS = 1000, /* after a lost connection; doubled each time */
	BACK_OFF_MOST_MS = 60000,
	STEP_MS = 200, /* how often Ctrl-C is looked for */
};

#define DEFAULT_PLAYER "selective:time=60s"

enum ending {
	ENDING_GAME, /* played to its end, with a result or without */
	ENDING_LIST,
	ENDING_LOST,  /* try again */
	ENDING_LEFT,  /* Ctrl-C */
	ENDING_FAULT, /* no use; the reason is in the error */
};

struct guest {
	struct cli *c;
	const struct imcs_values *own;
	const char *host;
	char port[16], password[IMCS_PASSWORD + 1], times[32];
	struct imcs_client_setup setup;
	struct qv_player *player;
	atomic_bool *interrupt;
	bool last, leave; /* after this game; at once */
	bool known; /* the host's name was found once: if it is not any more, it may be again */
	int fd;
	struct imcs_client client;
	struct lines lines;
	struct string out; /* to be sent */
	int games, won, drawn, lost, unknown;
};

/* ---- Patience ---- */

/* What Ctrl-C has said since it was last looked at. */
static bool must_leave(struct guest *g)
{
	if (atomic_exchange(g->interrupt, false)) {
		g->leave |= g->last || cli_asked_to_end();
		g->last = true;
		/* Nobody plays yet: there is nothing to wait for. */
		g->leave |= !g->client.playing;
	}
	return g->leave;
}

static bool wait_ms(struct guest *g, int64_t ms)
{
	const int64_t until = clock_us() / 1000 + ms;
	for (int64_t left = ms; left > 0; left = until - clock_us() / 1000) {
		if (must_leave(g))
			return false;
		poll(NULL, 0, (int)(left < STEP_MS ? left : STEP_MS));
	}
	return !must_leave(g);
}

/* Waits for the descriptor. False: time is up, or it is to leave. */
static bool wait_for(struct guest *g, short events, int64_t ms)
{
	const int64_t until = clock_us() / 1000 + ms;
	for (;;) {
		struct pollfd poll_fd = { .fd = g->fd, .events = events };
		const int64_t left = until - clock_us() / 1000;
		if (must_leave(g) || (ms >= 0 && left <= 0))
			return false;
		if (poll(&poll_fd, 1, ms >= 0 && left < STEP_MS ? (int)left : STEP_MS) > 0)
			return true;
	}
}

/* ---- The connection ---- */

static void hang_up(struct guest *g)
{
	if (g->fd >= 0)
		close(g->fd);
	g->fd = -1;
}

static bool try_address(struct guest *g, const struct addrinfo *at)
{
	const int on = 1;
	int failed = 0;
	socklen_t size = sizeof failed;
	g->fd = socket(at->ai_family, SOCK_STREAM, 0);
	if (g->fd < 0)
		return false;
	fcntl(g->fd, F_SETFD, FD_CLOEXEC);
	fcntl(g->fd, F_SETFL, O_NONBLOCK);
	setsockopt(g->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(g->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#ifdef TCP_KEEPIDLE /* an offer may wait for a day: a server that has vanished must be noticed */
	const int idle = KEEPALIVE_S;
	setsockopt(g->fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
#endif
	if (connect(g->fd, at->ai_addr, at->ai_addrlen) == 0)
		return true;
	failed = errno;
	if (errno == EINPROGRESS && wait_for(g, POLLOUT, CONNECT_MS) &&
	    getsockopt(g->fd, SOL_SOCKET, SO_ERROR, &failed, &size) == 0 && failed == 0)
		return true;
	hang_up(g);
	errno = failed ? failed : ETIMEDOUT;
	return false;
}

static bool dial(struct guest *g, struct qv_error *why)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	const int wrong = getaddrinfo(g->host, g->port, &hints, &list);
	if (wrong) {
		qv_fail(why, QV_IO, "%.60s: %s", g->host, gai_strerror(wrong));
		return false;
	}
	g->known = true;
	bool ok = false;
	for (const struct addrinfo *at = list; at && !ok && !g->leave; at = at->ai_next)
		ok = try_address(g, at);
	if (!ok)
		qv_fail(why, QV_IO, "%.60s port %s: %s", g->host, g->port, strerror(errno));
	freeaddrinfo(list);
	return ok;
}

static bool send_out(struct guest *g)
{
	size_t sent = 0;
	bool ok = !g->out.failed;
	while (ok && sent < g->out.length) {
		const ssize_t n =
			send(g->fd, g->out.data + sent, g->out.length - sent, MSG_NOSIGNAL);
		if (n > 0)
			sent += (size_t)n;
		else
			ok = (errno == EAGAIN || errno == EINTR) && wait_for(g, POLLOUT, REPLY_MS);
	}
	g->out.length = 0;
	return ok;
}

/* ---- The log ---- */

static enum qv_status save_record(struct guest *g, const char *path)
{
	struct cli *c = g->c;
	struct qv_text size = { NULL, 0, 0 };
	struct file_writer w = { 0 };
	qv_record_save(g->client.record, &size);
	char *text = mem_new(&mem_malloc, size.length + 1, 1);
	if (!text)
		return qv_fail(&c->error, QV_NO_MEMORY, "--log: out of memory");
	struct qv_text out = { text, size.length + 1, 0 };
	qv_record_save(g->client.record, &out);
	enum qv_status status = file_create(&w, &mem_malloc, path, &c->error);
	if (status == QV_OK)
		status = file_write(&w, text, size.length, &c->error);
	if (status == QV_OK)
		status = file_keep(&w, &c->error);
	mem_free(&mem_malloc, text, size.length + 1);
	return status;
}

/* imcs-20261115-153000-12-W.jsonl: when it ended, the game's number if it is known, our colour. */
static enum qv_status keep_log(struct guest *g)
{
	char name[96], when[32] = "", path[FOLDER_PATH];
	const time_t now = time(NULL);
	struct tm date;
	if (!g->own->log || !g->client.record)
		return QV_OK;
	if (gmtime_r(&now, &date))
		strftime(when, sizeof when, "%Y%m%d-%H%M%S", &date);
	snprintf(name, sizeof name, "imcs-%s-%lld-%c.jsonl", when, (long long)g->client.id,
		 "WB"[g->client.seat]);
	enum qv_status status = folder_path(g->own->log, name, path, &g->c->error);
	return status == QV_OK ? save_record(g, path) : status;
}

/* ---- What is said to the user ---- */

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

static void tell_lost(struct guest *g, const char *why, int64_t again_ms)
{
	if (speaks_json(g))
		cli_json(g->c, json_field(event("lost"), "why", json_text(why)));
	else
		string_addf(&g->c->out, "%s; again in %d s\n", why, (int)(again_ms / 1000));
	cli_flush(g->c);
}

static void tell_line(struct guest *g)
{
	if (speaks_json(g))
		cli_json(g->c, json_field(event("listed"), "line", json_text(g->client.text)));
	else
		string_addf(&g->c->out, "%s\n", g->client.text);
}

static void tell_offer(struct guest *g)
{
	if (speaks_json(g))
		cli_json(g->c,
			 json_field(event("offer"), "id", json_integer((json_int_t)g->client.id)));
	else
		string_addf(&g->c->out, "offer %lld waits\n", (long long)g->client.id);
	cli_flush(g->c);
}

static void tell_begin(struct guest *g)
{
	const char *color = g->client.seat == IMCS_WHITE ? "W" : "B";
	if (speaks_json(g))
		cli_json(g->c, json_field(json_field(event("begin"), "id",
						     json_integer((json_int_t)g->client.id)),
					  "color", json_text(color)));
	else
		string_addf(&g->c->out, "game %lld begins, as %s\n", (long long)g->client.id,
			    color);
	cli_flush(g->c);
}

static enum qv_status tell_end(struct guest *g)
{
	const struct imcs_client *client = &g->client;
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

static enum qv_status tell_sum(struct guest *g)
{
	if (speaks_json(g)) {
		json_t *o = json_field(event("sum"), "games", json_integer(g->games));
		o = json_field(json_field(o, "won", json_integer(g->won)), "drawn",
			       json_integer(g->drawn));
		return cli_json(g->c, json_field(json_field(o, "lost", json_integer(g->lost)),
						 "unknown", json_integer(g->unknown)));
	}
	string_addf(&g->c->out, "games %d: won %d, drawn %d, lost %d", g->games, g->won, g->drawn,
		    g->lost);
	if (g->unknown)
		string_addf(&g->c->out, ", without a result %d", g->unknown);
	string_addf(&g->c->out, "\n");
	return QV_OK;
}

/* ---- Thinking ---- */

/* The legal moves that the server has not refused. */
static int moves_left(const struct imcs_client *client, qv_move *moves)
{
	const struct qv_game *game = client->rules.game;
	qv_move all[QV_MAX_MOVES];
	const int count = game->moves(qv_record_state(client->record), all);
	int left = 0;
	for (int i = 0; i < count; i++) {
		bool refused = false;
		for (int k = 0; k < client->refused_count; k++)
			refused |= client->refused[k] == all[i];
		if (!refused)
			moves[left++] = all[i];
	}
	return left;
}

/* In doubt a move may take three times its share, but no more than a quarter of the clock. */
static int64_t most_time(const struct imcs_client *client, int64_t aim)
{
	const int64_t most = 3 * aim < client->own_ms / 4 ? 3 * aim : client->own_ms / 4;
	return most > aim ? most : aim;
}

static qv_move choose(struct guest *g)
{
	struct imcs_client *client = &g->client;
	qv_move moves[QV_MAX_MOVES];
	struct qv_answer answer;
	struct qv_error error;
	struct qv_limits limits = { .aim_ms = imcs_client_time(client), .stop = g->interrupt };
	struct player_news news = { .record = client->record, .clocks = true };
	limits.time_ms = most_time(client, limits.aim_ms);
	limits.history = qv_record_history(client->record, &limits.history_count);
	if (client->refused_count) {
		limits.only = moves;
		limits.only_count = moves_left(client, moves);
		if (!limits.only_count)
			return QV_NO_MOVE;
	}
	news.left_ms[client->seat] = client->own_ms;
	news.left_ms[!client->seat] = client->other_ms;
	const enum qv_status status = player_think(
		g->player, &news, qv_record_state(client->record), &limits, NULL, &answer, &error);
	return status == QV_OK || status == QV_STOPPED ? answer.move : QV_NO_MOVE;
}

static bool take_turn(struct guest *g)
{
	const int64_t begin = clock_us();
	const qv_move move = choose(g);
	const double seconds = (double)(clock_us() - begin) / 1e6;
	return imcs_client_move(&g->client, move, seconds, &g->out, &g->c->error) == QV_OK;
}

/* ---- A connection's conversation ---- */

/* Something wrong on the server's side, or of the moment: it may be better the next time. */
static bool may_pass(const char *reason)
{
	return strncmp(reason, "503", 3) == 0 || strncmp(reason, "the server closed", 17) == 0;
}

/* What the lines that have come mean. True: it goes on. */
static bool hear(struct guest *g, enum client_said said, enum ending *end)
{
	switch (said) {
	case CLIENT_ON:
	case CLIENT_IN:
		return true;
	case CLIENT_OFFERED:
		tell_offer(g);
		return true;
	case CLIENT_LISTED:
		tell_line(g);
		return true;
	case CLIENT_BEGINS:
		tell_begin(g);
		qv_player_new_game(g->player);
		return true;
	case CLIENT_TURN:
		*end = ENDING_FAULT;
		return take_turn(g);
	case CLIENT_WAIT:
		*end = ENDING_LEFT;
		if (!wait_ms(g, AGAIN_MS))
			return false;
		imcs_client_again(&g->client, &g->out);
		return true;
	case CLIENT_OVER:
		*end = g->client.playing ? ENDING_GAME : ENDING_LIST;
		return false;
	case CLIENT_REFUSED:
		*end = may_pass(g->client.text) ? ENDING_LOST : ENDING_FAULT;
		qv_fail(&g->c->error, QV_IO, "%.60s: %.150s", g->host, g->client.text);
		return false;
	}
	return false;
}

static bool hear_lines(struct guest *g, enum ending *end)
{
	char *line;
	size_t length;
	enum lines_got got;
	while ((got = lines_next(&g->lines, &line, &length)) != LINES_NONE)
		if (got == LINES_LINE &&
		    !hear(g, imcs_client_line(&g->client, line, length, &g->out), end))
			return false;
	return true;
}

/* Who has offered waits as long as it takes; in a game something comes while clocks run. */
static int64_t patience(const struct guest *g)
{
	const struct imcs_client *client = &g->client;
	if (client->playing)
		return client->own_ms + client->other_ms + GAME_MS;
	return client->offering ? -1 : REPLY_MS;
}

/* Reads on. False: it is over. */
static bool read_more(struct guest *g, enum ending *end)
{
	size_t room;
	if (!wait_for(g, POLLIN, patience(g))) {
		*end = g->leave ? ENDING_LEFT : ENDING_LOST;
		qv_fail(&g->c->error, QV_IO, "%.60s: no answer", g->host);
		if (!g->leave && g->client.playing)
			hear(g, imcs_client_end(&g->client), end);
		return false;
	}
	char *to = lines_space(&g->lines, &room);
	const ssize_t n = recv(g->fd, to, room, 0);
	if (n > 0) {
		lines_took(&g->lines, (size_t)n);
		return true;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	/* The last line may lack its end. */
	char *line;
	size_t length;
	if (lines_last(&g->lines, &line, &length) == LINES_LINE &&
	    !hear(g, imcs_client_line(&g->client, line, length, &g->out), end))
		return false;
	hear(g, imcs_client_end(&g->client), end);
	return false;
}

static enum ending converse(struct guest *g)
{
	enum ending end = ENDING_LOST;
	while (read_more(g, &end)) {
		end = ENDING_LOST;
		if (!hear_lines(g, &end))
			break;
		if (!send_out(g)) {
			/* A result may have come before the connection broke. */
			hear_lines(g, &end);
			if (g->client.playing)
				hear(g, imcs_client_end(&g->client), &end);
			break;
		}
	}
	return end;
}

static enum ending connect_once(struct guest *g)
{
	enum ending end = ENDING_FAULT;
	if (!dial(g, &g->c->error))
		return g->leave ? ENDING_LEFT : ENDING_LOST;
	if (imcs_client_init(&g->client, &g->setup, &g->c->error) == QV_OK &&
	    lines_init(&g->lines, &mem_malloc, CLIENT_LINE) == QV_OK)
		end = converse(g);
	g->out.length = 0;
	lines_release(&g->lines);
	hang_up(g);
	return end;
}

/* ---- Games ---- */

static enum qv_status count_game(struct guest *g)
{
	const struct imcs_client *client = &g->client;
	struct qv_error ignored;
	g->games++;
	g->won += client->has_result && client->winner == client->seat;
	g->drawn += client->has_result && client->winner < 0;
	g->lost += client->has_result && client->winner == !client->seat;
	g->unknown += !client->has_result;
	qv_player_game_over(g->player, qv_record_state(client->record), &ignored);
	const enum qv_status status = tell_end(g);
	return status == QV_OK ? keep_log(g) : status;
}

static enum qv_status play_games(struct guest *g, int wanted)
{
	int64_t again_ms = BACK_OFF_MS;
	enum qv_status status = QV_OK;
	while (status == QV_OK && g->games < wanted && !g->last && !must_leave(g)) {
		const enum ending end = connect_once(g);
		if (end == ENDING_GAME) {
			status = count_game(g);
			again_ms = BACK_OFF_MS;
		}
		if (end == ENDING_LEFT && g->client.playing) {
			imcs_client_end(&g->client);
			status = keep_log(g);
		}
		/* Who only wants to look does not wait for a day, nor is a name that is none. */
		const bool hopeless = g->setup.wish == CLIENT_LIST || !g->known;
		if (end == ENDING_FAULT || (end == ENDING_LOST && hopeless)) {
			status = QV_IO;
		} else if (end == ENDING_LOST) {
			tell_lost(g, g->c->error.text, again_ms);
			wait_ms(g, again_ms);
			again_ms =
				2 * again_ms < BACK_OFF_MOST_MS ? 2 * again_ms : BACK_OFF_MOST_MS;
		}
		imcs_client_release(&g->client);
		g->client.playing = false;
		if (end == ENDING_LIST)
			return status;
	}
	g->c->answer_is_no = g->games < wanted;
	return status == QV_OK ? tell_sum(g) : status;
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
	g->setup.times = g->times;
	return QV_OK;
}

static enum qv_status read_wish(struct guest *g)
{
	const struct imcs_values *a = g->own;
	g->setup.wish = a->list ? CLIENT_LIST : a->accept ? CLIENT_ACCEPT : CLIENT_OFFER;
	g->setup.color = '?';
	if (a->list + (a->accept != NULL) + (a->offer != NULL) > 1)
		return bad(g->c, "imcs play: give only one of --list, --offer and --accept");
	if (a->offer && *a->offer) {
		if (a->offer[1] || !strchr("WwBb?", *a->offer))
			return bad(g->c, "--offer: expected W, B or ?");
		g->setup.color = *a->offer == 'w' ? 'W' : *a->offer == 'b' ? 'B' : *a->offer;
	}
	if (a->accept && strcmp(a->accept, "any") != 0 &&
	    !text_to_int(a->accept, 1, 99999999, &g->setup.id))
		return bad(g->c, "--accept: expected the number of a game, or 'any'");
	if (a->time && g->setup.wish != CLIENT_OFFER)
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
	g->setup.context = g->c->context;
	g->setup.user = a->user;
	g->setup.password = g->password;
	g->setup.enroll = a->enroll;
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
				     &g->player, &c->error);
	if (status == QV_OK && g->own->log)
		status = folder_make(g->own->log, &c->error);
	return status;
}

enum qv_status imcs_play(struct cli *c, const char *host)
{
	struct guest g = { .c = c,
			   .own = cli_own(c),
			   .host = host,
			   .fd = -1,
			   .out = { .allocator = &mem_malloc } };
	snprintf(g.port, sizeof g.port, "%d", (int)g.own->port);
	enum qv_status status = read_who(&g);
	if (status == QV_OK)
		status = read_wish(&g);
	if (status == QV_OK)
		status = seat_player(&g);
	if (status == QV_OK) {
		g.interrupt = cli_catch_interrupts();
		status = play_games(&g, (int)g.own->games);
	}
	qv_player_free(g.player);
	string_release(&g.out);
	return status;
}
