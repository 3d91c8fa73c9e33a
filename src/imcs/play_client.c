/*
 * play_client.c - games on an IMCS server, one connection each.
 * SPDX-License-Identifier: MIT
 *
 * imcs/client.h has the protocol; this file has the socket, the player and the time limits. All
 * waiting is in steps of STEP_MS, so that an interrupt takes effect soon. After a lost connection
 * the client connects again, with a pause that doubles each time.
 */
#include "imcs/play_client.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/lines.h"
#include "base/scan.h"
#include "programs/players.h"

enum {
	CONNECT_MS = 15000,
	GAME_MS = 120000, /* beyond the clocks: White's free minute, and one more */
	REPLY_MS = 30000, /* for the reply to a command */
	WITHDRAW_MS = 3000, /* for each reply to a client that leaves */
	KEEPALIVE_S = 60,
	AGAIN_MS = 1000,    /* between two lists of offers */
	BACK_OFF_MS = 1000, /* after a lost connection; doubled each time */
	BACK_OFF_MOST_MS = 60000,
	STEP_MS = 200, /* how often the interrupt flag is read */
};

enum ending {
	ENDING_GAME, /* over, with a result or without */
	ENDING_LIST,
	ENDING_LOST,  /* try again */
	ENDING_LEFT,  /* interrupted */
	ENDING_FAULT, /* useless to try again; the reason is in the error */
};

struct run {
	const struct imcs_play_setup *setup;
	struct imcs_play_result *result;
	bool last, leave; /* after this game; at once */
	bool host_exists; /* its name was resolved once: a later failure may be temporary */
	int fd;
	struct imcs_client client;
	struct lines lines;
	struct string out; /* to be sent */
	struct qv_error error;
};

/* ---- Waiting ---- */

/*
 * Takes the interrupts since the last call into account: the first one ends the run after the game,
 * the second one at once.
 */
static bool must_leave(struct run *r)
{
	if (flag_take(r->setup->interrupt)) {
		r->leave |= r->last || r->setup->must_end();
		r->last = true;
		/* Without a game there is nothing to wait for. */
		r->leave |= !r->client.playing;
	}
	return r->leave;
}

/* Pauses. False: the client must leave. */
static bool wait_ms(struct run *r, int64_t ms)
{
	const int64_t until = clock_us() / 1000 + ms;
	for (int64_t left = ms; left > 0; left = until - clock_us() / 1000) {
		if (must_leave(r))
			return false;
		poll(NULL, 0, (int)(left < STEP_MS ? left : STEP_MS));
	}
	return !must_leave(r);
}

/* Waits for the socket. False: time is up, or the client must leave. */
static bool wait_for(struct run *r, short events, int64_t ms)
{
	const int64_t until = clock_us() / 1000 + ms;
	for (;;) {
		struct pollfd poll_fd = { .fd = r->fd, .events = events };
		const int64_t left = until - clock_us() / 1000;
		if (must_leave(r) || (ms >= 0 && left <= 0))
			return false;
		if (poll(&poll_fd, 1, ms >= 0 && left < STEP_MS ? (int)left : STEP_MS) > 0)
			return true;
	}
}

/* ---- The connection ---- */

/* May be called twice. */
static void disconnect(struct run *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* On failure errno has the reason. */
static bool try_address(struct run *r, const struct addrinfo *at)
{
	const int on = 1;
	int failed = 0;
	socklen_t size = sizeof failed;
	r->fd = socket(at->ai_family, SOCK_STREAM, 0);
	if (r->fd < 0)
		return false;
	fcntl(r->fd, F_SETFD, FD_CLOEXEC);
	fcntl(r->fd, F_SETFL, O_NONBLOCK);
	setsockopt(r->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(r->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#ifdef TCP_KEEPIDLE /* an offer may wait for a day: a server that has vanished must be noticed */
	const int idle = KEEPALIVE_S;
	setsockopt(r->fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
#endif
	if (connect(r->fd, at->ai_addr, at->ai_addrlen) == 0)
		return true;
	failed = errno;
	if (errno == EINPROGRESS && wait_for(r, POLLOUT, CONNECT_MS) &&
	    getsockopt(r->fd, SOL_SOCKET, SO_ERROR, &failed, &size) == 0 && failed == 0)
		return true;
	disconnect(r);
	errno = failed ? failed : ETIMEDOUT;
	return false;
}

/* Tries the addresses of the host one by one; `why` has the reason of the last failure. */
static bool connect_host(struct run *r, struct qv_error *why)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	const int wrong = getaddrinfo(r->setup->host, r->setup->port, &hints, &list);
	if (wrong) {
		qv_fail(why, QV_IO, "%.60s: %s", r->setup->host, gai_strerror(wrong));
		return false;
	}
	r->host_exists = true;
	bool ok = false;
	for (const struct addrinfo *at = list; at && !ok && !r->leave; at = at->ai_next)
		ok = try_address(r, at);
	if (!ok)
		qv_fail(why, QV_IO, "%.60s port %s: %s", r->setup->host, r->setup->port,
			strerror(errno));
	freeaddrinfo(list);
	return ok;
}

/* Sends all output; false: the connection is broken. */
static bool send_out(struct run *r)
{
	size_t sent = 0;
	bool ok = !r->out.failed;
	while (ok && sent < r->out.length) {
		const ssize_t n =
			send(r->fd, r->out.data + sent, r->out.length - sent, MSG_NOSIGNAL);
		if (n > 0)
			sent += (size_t)n;
		else
			ok = (errno == EAGAIN || errno == EINTR) && wait_for(r, POLLOUT, REPLY_MS);
	}
	r->out.length = 0;
	return ok;
}

/* ---- Searching ---- */

/* Has the player choose a move that the server has not refused; QV_NO_MOVE: resign. */
static qv_move choose(struct run *r)
{
	struct imcs_client *client = &r->client;
	qv_move moves[QV_MAX_MOVES];
	struct qv_answer answer;
	struct qv_error error;
	struct qv_limits limits = { .aim_ms = imcs_client_time(client),
				    .stop = r->setup->interrupt };
	struct player_news news = { .record = client->record, .clocks = true };
	/* In doubt a move may take three times its share, but at most a quarter of the clock. */
	const int64_t aim = limits.aim_ms, quarter = client->own_ms / 4;
	const int64_t most = 3 * aim < quarter ? 3 * aim : quarter;
	limits.time_ms = most > aim ? most : aim;
	limits.history = qv_record_history(client->record, &limits.history_count);
	const int count = client->rules.game->moves(qv_record_state(client->record), moves);
	for (int i = 0; i < count && client->refused_count; i++) {
		bool refused = false;
		for (int k = 0; k < client->refused_count; k++)
			refused |= client->refused[k] == moves[i];
		if (!refused)
			moves[limits.only_count++] = moves[i];
	}
	if (client->refused_count && !limits.only_count)
		return QV_NO_MOVE;
	limits.only = limits.only_count ? moves : NULL;
	news.left_ms[client->seat] = client->own_ms;
	news.left_ms[!client->seat] = client->other_ms;
	const enum qv_status status =
		player_think(r->setup->player, &news, qv_record_state(client->record), &limits,
			     NULL, &answer, &error);
	return status == QV_OK || status == QV_STOPPED ? answer.move : QV_NO_MOVE;
}

/* Acts on an event of the client. False: the connection is done. */
static bool on_event(struct run *r, enum client_said event, enum ending *end)
{
	const char *text = r->client.text;
	switch (event) {
	case CLIENT_ON:
	case CLIENT_IN:
		return true;
	case CLIENT_OFFERED:
	case CLIENT_LISTED:
		r->setup->on_event(r->setup->ctx, event, &r->client);
		return true;
	case CLIENT_BEGINS:
		r->setup->on_event(r->setup->ctx, event, &r->client);
		qv_player_new_game(r->setup->player);
		return true;
	case CLIENT_TURN: {
		*end = ENDING_FAULT;
		const int64_t began = clock_us();
		const qv_move move = choose(r);
		const double seconds = (double)(clock_us() - began) / 1e6;
		return imcs_client_move(&r->client, move, seconds, &r->out, &r->error) == QV_OK;
	}
	case CLIENT_WAIT:
		*end = ENDING_LEFT;
		if (!wait_ms(r, AGAIN_MS))
			return false;
		imcs_client_again(&r->client, &r->out);
		return true;
	case CLIENT_OVER:
		*end = r->client.playing ? ENDING_GAME : ENDING_LIST;
		return false;
	case CLIENT_REFUSED:
		/* A failure of the server may be gone the next time. */
		*end = strncmp(text, "503", 3) == 0 || strncmp(text, "the server closed", 17) == 0
			       ? ENDING_LOST
			       : ENDING_FAULT;
		qv_fail(&r->error, QV_IO, "%.60s: %.150s", r->setup->host, text);
		return false;
	}
	return false;
}

/* Handles the complete lines. False: the connection is done. */
static bool read_lines(struct run *r, enum ending *end)
{
	char *line;
	size_t length;
	enum lines_got got;
	while ((got = lines_next(&r->lines, &line, &length)) != LINES_NONE)
		if (got == LINES_LINE &&
		    !on_event(r, imcs_client_line(&r->client, line, length, &r->out), end))
			return false;
	return true;
}

/* Reads what the server sends. False: the connection is done. */
static bool read_more(struct run *r, enum ending *end)
{
	const struct imcs_client *client = &r->client;
	size_t room;
	/* The server may be silent while clocks run, and forever before an opponent comes. */
	int64_t limit = client->offering ? -1 : REPLY_MS;
	if (client->playing)
		limit = client->own_ms + client->other_ms + GAME_MS;
	if (!wait_for(r, POLLIN, limit)) {
		*end = r->leave ? ENDING_LEFT : ENDING_LOST;
		qv_fail(&r->error, QV_IO, "%.60s: no answer", r->setup->host);
		if (!r->leave && r->client.playing)
			on_event(r, imcs_client_end(&r->client), end);
		return false;
	}
	char *to = lines_space(&r->lines, &room);
	const ssize_t n = recv(r->fd, to, room, 0);
	if (n > 0) {
		lines_took(&r->lines, (size_t)n);
		return true;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	/* The last line may lack its end. */
	char *line;
	size_t length;
	if (lines_last(&r->lines, &line, &length) == LINES_LINE &&
	    !on_event(r, imcs_client_line(&r->client, line, length, &r->out), end))
		return false;
	on_event(r, imcs_client_end(&r->client), end);
	return false;
}

/* One connection from the greeting to the end of its game. */
static enum ending connect_once(struct run *r)
{
	enum ending end = ENDING_LOST;
	if (!connect_host(r, &r->error))
		return r->leave ? ENDING_LEFT : ENDING_LOST;
	bool on = imcs_client_init(&r->client, &r->setup->client, &r->error) == QV_OK &&
		  lines_init(&r->lines, &mem_malloc, CLIENT_LINE) == QV_OK;
	if (!on)
		end = ENDING_FAULT;
	while (on && read_more(r, &end)) {
		end = ENDING_LOST;
		on = read_lines(r, &end);
		if (on && !send_out(r)) {
			/* A result may have come before the connection broke. */
			read_lines(r, &end);
			if (r->client.playing)
				on_event(r, imcs_client_end(&r->client), &end);
			on = false;
		}
	}
	r->out.length = 0;
	lines_release(&r->lines);
	disconnect(r);
	return end;
}

/* ---- Leaving an offer ---- */

/* What the lines of a reply have shown. */
struct seen {
	bool done;  /* the line that ends it has come */
	bool found; /* the offer is in the list */
	bool failed;
};

/* A line of the list is `ID NAME COLOR ... [offer]`. */
static void look_at(const char *line, const char *done, int64_t id, struct seen *seen)
{
	int64_t number;
	const char *at = line + strspn(line, " ");
	seen->failed |= *line == '4' || *line == '5';
	seen->done |= strncmp(line, done, strlen(done)) == 0;
	seen->found |= scan_int(&at, 0, INT64_MAX, &number) && number == id && *at == ' ' &&
		       strstr(at, "[offer]") != NULL;
}

/* Sends a line, which may be "", and reads up to the line that begins with `done`. */
static bool ask(struct run *r, const char *command, const char *done, int64_t id, bool *found)
{
	struct seen seen = { 0 };
	string_addf(&r->out, "%s", command);
	bool good = send_out(r);
	while (good && !seen.done && !seen.failed) {
		char *line;
		size_t length, room;
		good = wait_for(r, POLLIN, WITHDRAW_MS);
		char *to = lines_space(&r->lines, &room);
		const ssize_t n = good ? recv(r->fd, to, room, 0) : 0;
		good = n > 0;
		if (good)
			lines_took(&r->lines, (size_t)n);
		while (good && !seen.done &&
		       lines_next(&r->lines, &line, &length) == LINES_LINE)
			look_at(line, done, id, &seen);
	}
	if (found)
		*found = seen.found;
	return good && seen.done && !seen.failed;
}

/*
 * The original server keeps the offer of a client that has left, and whoever accepts it gets a dead
 * game. If it is still listed, another connection withdraws it. `clean` withdraws all offers of the
 * account, so it is not sent without need. An interrupt gives this up.
 */
static void withdraw(const struct run *from, int64_t id)
{
	struct run r = { .setup = from->setup,
			 .fd = -1,
			 .out = { .allocator = &mem_malloc } };
	struct qv_error why;
	char login[2 * CLIENT_TEXT];
	bool found = false;
	const struct imcs_client_setup *client = &from->setup->client;
	snprintf(login, sizeof login, "me %s %s\r\n", client->user, client->password);
	if (connect_host(&r, &why) && lines_init(&r.lines, &mem_malloc, CLIENT_LINE) == QV_OK) {
		if (ask(&r, "", "100", id, NULL) && ask(&r, "list\r\n", ".", id, &found) && found &&
		    ask(&r, login, "201", id, NULL))
			ask(&r, "clean\r\n", "204", id, NULL);
		lines_release(&r.lines);
	}
	disconnect(&r);
	string_release(&r.out);
}

/* ---- Games ---- */

/*
 * Each turn of the loop is one connection. A game that was played resets the pause between
 * attempts.
 */
static enum qv_status play_games(struct run *r)
{
	const struct imcs_play_setup *setup = r->setup;
	const struct imcs_client *client = &r->client;
	struct imcs_play_result *sum = r->result;
	int64_t again_ms = BACK_OFF_MS;
	enum qv_status status = QV_OK;
	while (status == QV_OK && r->result->games < setup->games && !r->last && !must_leave(r)) {
		const enum ending end = connect_once(r);
		if (end == ENDING_GAME) {
			const bool known = client->has_result;
			sum->games++;
			sum->won += known && client->winner == client->seat;
			sum->drawn += known && client->winner < 0;
			sum->lost += known && client->winner == !client->seat;
			sum->unknown += !known;
			qv_player_game_over(setup->player, qv_record_state(client->record), NULL);
			status = setup->game_over(setup->ctx, client, false, &r->error);
			again_ms = BACK_OFF_MS;
		}
		if (end == ENDING_LEFT && r->client.playing) {
			imcs_client_end(&r->client);
			status = setup->game_over(setup->ctx, &r->client, true, &r->error);
		}
		if (end == ENDING_LEFT && client->offering && client->id)
			withdraw(r, client->id);
		/* A list is not worth waiting for, nor is a host that never existed. */
		const bool hopeless = setup->client.wish == CLIENT_LIST || !r->host_exists;
		if (end == ENDING_FAULT || (end == ENDING_LOST && hopeless)) {
			status = QV_IO;
		} else if (end == ENDING_LOST) {
			setup->connection_lost(setup->ctx, r->error.text, again_ms);
			wait_ms(r, again_ms);
			again_ms =
				2 * again_ms < BACK_OFF_MOST_MS ? 2 * again_ms : BACK_OFF_MOST_MS;
		}
		imcs_client_release(&r->client);
		r->client.playing = false;
		if (end == ENDING_LIST) {
			r->result->listed = true;
			break;
		}
	}
	return status;
}

/* The sums are valid even if the run ends with an error. */
enum qv_status imcs_play(const struct imcs_play_setup *setup, struct imcs_play_result *result,
			 struct qv_error *error)
{
	struct run r = {
		.setup = setup, .result = result, .fd = -1, .out = { .allocator = &mem_malloc }
	};
	*result = (struct imcs_play_result){ 0 };
	const enum qv_status status = play_games(&r);
	string_release(&r.out);
	if (status != QV_OK && error)
		*error = r.error;
	return status;
}
