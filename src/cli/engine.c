/*
 * engine.c - the command engine: a protocol on standard input and output, or on a socket. The check
 * of another engine is in engine_check.c.
 * SPDX-License-Identifier: MIT
 *
 * The main thread reads lines and another one searches, so that a stop is read during a search. A
 * lock keeps a line and its answer together. Every search that was begun answers before the program
 * ends.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/threads.h"
#include "cli/engine_check.h"
#include "base/lines.h"
#include "programs/peer.h"
#include "protocols/protocol.h"

/*
 * The dialogue. The main thread uses `lines`, `setup` and `open` alone; `connection` and `write_failed`
 * are shared with the thread that searches.
 */
struct engine_io {
	struct connection *connection; /* the session in the chosen protocol */
	struct lines lines;
	int in, out;
	struct mutex lock;     /* for connection and output */
	struct thread thinker; /* runs think() */
	bool write_failed;     /* nobody reads the answers */
	struct connection_setup setup;
	bool open;		 /* no --protocol: the first line may choose it */
	const struct qv_flag *stop; /* set by a signal; NULL: none is caught */
};

static bool is_stopped(const struct engine_io *d)
{
	return flag_is_set(d->stop);
}

/* Prints answers. The caller holds the lock. */
static void print(struct engine_io *d, const struct string *out)
{
	for (size_t at = 0; at < out->length && !d->write_failed;) {
		const ssize_t written = write(d->out, out->data + at, out->length - at);
		if (written >= 0)
			at += (size_t)written;
		else if (errno != EINTR || is_stopped(d))
			d->write_failed = true;
	}
	if (out->failed)
		d->write_failed = true;
	if (d->write_failed)
		connection_stop(d->connection);
}

/* Prints what the search reports while it runs. */
static void print_report(void *ctx, const struct string *lines)
{
	struct engine_io *d = ctx;
	mutex_lock(&d->lock);
	print(d, lines);
	mutex_unlock(&d->lock);
}

/* The thread that searches, until there is no other search waiting. */
static void think(void *ctx)
{
	struct engine_io *d = ctx;
	struct string out = { .allocator = &mem_malloc };
	/* connection_answer returns NEXT_THINK if another search was queued meanwhile. */
	enum next_step next = NEXT_THINK;
	while (next == NEXT_THINK) {
		connection_think(d->connection, print_report, d);
		mutex_lock(&d->lock);
		out.length = 0;
		next = connection_answer(d->connection, &out);
		print(d, &out);
		mutex_unlock(&d->lock);
	}
	string_release(&out);
}

/* The protocol that a first line belongs to; NULL: the default. */
static const char *greeted(const char *line)
{
	static const char *const whole[] = { "uci", "ugi", "xboard", "hub" };
	static const char *const begun[][2] = {
		{ "START ", "gomocup" },       { "RECTSTART ", "gomocup" },
		{ "INFO ", "gomocup" },	       { "ABOUT", "gomocup" },
		{ "nboard ", "nboard" },       { "protocol_version", "gtp" },
		{ "list_commands", "gtp" },    { "known_command ", "gtp" },
		{ "boardsize ", "gtp" },
	};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strcmp(line, whole[i]) == 0)
			return whole[i];
	for (size_t i = 0; i < sizeof begun / sizeof *begun; i++)
		if (strncmp(line, begun[i][0], strlen(begun[i][0])) == 0)
			return begun[i][1];
	return NULL;
}

/* Handles a line and prints its answer. False: it was the last one. */
static bool take_line(struct engine_io *d, enum lines_got got, char *line, size_t length)
{
	struct string out = { .allocator = &mem_malloc };
	enum next_step next = NEXT_LINE;
	mutex_lock(&d->lock);
	/* A first line that belongs to another protocol chooses it, if it has the game. */
	const char *other_name = d->open && got == LINES_LINE ? greeted(line) : NULL;
	if (other_name) {
		struct connection *other = NULL;
		struct qv_error error;
		d->setup.protocol = other_name;
		if (connection_new(&d->setup, &other, &error) == QV_OK) {
			connection_free(d->connection);
			d->connection = other;
		}
	}
	d->open &= got != LINES_LINE;
	/* A line that is too long was dropped; the protocol reports it. */
	if (got == LINES_TOO_LONG)
		connection_line_too_long(d->connection, &out);
	else
		next = connection_line(d->connection, line, length, &out);
	print(d, &out);
	/* Read it under the lock; the search may set it. */
	const bool failed = d->write_failed;
	mutex_unlock(&d->lock);
	string_release(&out);
	if (next == NEXT_THINK) {
		thread_join(&d->thinker); /* it has answered, or there would be nothing to start */
		if (!thread_start(&d->thinker, think, d))
			think(d); /* without a thread, a stop is read only afterwards */
	}
	return next != NEXT_QUIT && !failed;
}

/* Reads and handles lines up to the end of the input, or until nobody reads the answers. */
static void read_lines(struct engine_io *d)
{
	enum lines_got got;
	char *line = NULL;
	size_t length = 0, room;
	struct pollfd ends[] = { { d->in, POLLIN, 0 }, { d->out, 0, 0 } };
	for (;;) {
		/* After another error of poll, read reports what is wrong. */
		const int ready = poll(ends, 2, d->stop ? PEER_LOOK_MS : -1);
		if (is_stopped(d))
			return;
		if (ready == 0 || (ready < 0 && errno == EINTR))
			continue;
		if (ends[1].revents & POLLERR || (ends[1].revents & POLLHUP && d->out != d->in))
			break;
		char *to = lines_space(&d->lines, &room);
		const ssize_t bytes = read(d->in, to, room);
		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes <= 0)
			break;
		lines_took(&d->lines, (size_t)bytes);
		while ((got = lines_next(&d->lines, &line, &length)) != LINES_NONE)
			if (!take_line(d, got, line, length))
				return;
	}
	/* A last line without its end. */
	if (lines_last(&d->lines, &line, &length) == LINES_LINE)
		take_line(d, LINES_LINE, line, length);
}

/* ---- The command ---- */

static const struct option own_options[] = {
	COMMAND_OPTION(
		struct engine_values, "protocol", OPTION_POINTER, protocol, .value = "NAME",
		.help = "qgp, ugi, uci, xboard, external, hub, gomocup, nboard or gtp (default qgp, unless the "
			"first line belongs to another)"),
	COMMAND_OPTION(struct engine_values, "listen", OPTION_POINTER, listen, .value = "ADDRESS",
		       .help = "serve HOST:PORT or a Unix socket at a path, one connection after "
			       "the other"),
	SHARED_OPTION(
		"player", OPTION_POINTER, player, .value = "SPEC",
		.help = "player that searches (default: the game's strongest, one second for a "
			"move unless a limit is given)"),
	{ 0 },
};

/*
 * Creates the session, reads lines until the input ends or `stop` is set, and waits for a search in
 * progress to answer. setup->protocol NULL: QGP, unless the first line belongs to another. first: a
 * line that was read already; NULL: none. stop: NULL: never.
 */
static enum qv_status converse(struct cli *c, struct connection_setup setup, char *first, int in,
			       int out, const struct qv_flag *stop)
{
	struct engine_io d = { .open = !setup.protocol, .in = in, .out = out, .stop = stop };
	setup.protocol = setup.protocol ? setup.protocol : "qgp";
	d.setup = setup;
	enum qv_status status = connection_new(&setup, &d.connection, &c->error);
	if (status == QV_OK && lines_init(&d.lines, &mem_malloc, CONNECTION_LINE_MOST) != QV_OK)
		status = cli_no_memory(c, "engine");
	if (status == QV_OK) {
		mutex_init(&d.lock);
		if (!first || take_line(&d, LINES_LINE, first, strlen(first)))
			read_lines(&d);
		/* A search in progress is stopped and answers. */
		mutex_lock(&d.lock);
		connection_end(d.connection);
		mutex_unlock(&d.lock);
		thread_join(&d.thinker);
		mutex_release(&d.lock);
		lines_release(&d.lines);
	}
	if (status == QV_OK && d.write_failed)
		status = qv_fail(&c->error, QV_IO, "standard output: %s", strerror(errno));
	connection_free(d.connection);
	return status;
}

/* Serves connections until a signal ends it. What fails in one does not end the others. */
static enum qv_status serve(struct cli *c, const struct connection_setup *setup,
			    const char *address)
{
	struct connection *first = NULL;
	struct connection_setup check = *setup;
	struct peer_listener listener;
	/* Errors of the setup must not wait for the first connection. */
	check.protocol = setup->protocol ? setup->protocol : "qgp";
	const enum qv_status status = connection_new(&check, &first, &c->error);
	connection_free(first);
	if (status != QV_OK)
		return status;
	const struct qv_flag *stop = cli_catch_interrupts();
	if (!peer_listen(address, &listener, &c->error))
		return QV_IO;
	signal(SIGPIPE, SIG_IGN);
	printf("listening on %s\n", listener.bound);
	fflush(stdout);
	int fd;
	while ((fd = peer_accept(&listener, stop, &c->error)) >= 0) {
		converse(c, *setup, NULL, fd, fd, stop);
		close(fd);
	}
	peer_listener_release(&listener);
	return flag_is_set(stop) ? QV_OK : QV_IO;
}

static enum qv_status run(struct cli *c)
{
	const struct engine_values *own = cli_own(c);
	if (strcmp(c->args.words[1], "check") == 0) {
		const enum qv_status status = arguments_allow(
			&c->args, OPTION_GROUPS(engine_check_options), "engine check", &c->error);
		return status == QV_OK ? engine_check_run(c) : status;
	}
	if (c->args.word_count > 2)
		return cli_refuse(c, "engine: too many arguments; usage: quevedo %s",
				  command_engine.usage);
	if (own->wait_ms || own->step)
		return cli_refuse(c, "--%s: only for engine check", own->step ? "step" : "wait");
	const struct connection_setup setup = {
		.context = c->context,
		.protocol = own->protocol,
		.game = c->args.words[1],
		.player = c->args.player,
		.defaults = cli_defaults(c),
		.no_times = c->args.no_times,
	};
	if (c->args.json)
		return cli_refuse(c, "--json: an engine prints its protocol only");
	return own->listen ? serve(c, &setup, own->listen)
			   : converse(c, setup, NULL, STDIN_FILENO, STDOUT_FILENO, NULL);
}

/* ---- Without a command ---- */

/*
 * Reads a line byte by byte, so that nothing after it is lost. False: the input ends, the line does
 * not fit, or nothing comes for a moment.
 */
static bool read_greeting(char *line, size_t room)
{
	enum { MOMENT_MS = 1000 };
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
	for (size_t length = 0; length < room; length++) {
		if (poll(&input, 1, MOMENT_MS) != 1 || read(STDIN_FILENO, line + length, 1) != 1)
			return false;
		if (line[length] == '\n') {
			line[length] = '\0';
			line[strcspn(line, "\r")] = '\0';
			return true;
		}
	}
	return false;
}

bool engine_greeted(struct cli *c, enum qv_status *status)
{
	char line[16];
	if (isatty(STDIN_FILENO) || !read_greeting(line, sizeof line) ||
	    (strcmp(line, "uci") != 0 && strcmp(line, "xboard") != 0))
		return false;
	const struct connection_setup setup = {
		.context = c->context,
		.protocol = *line == 'u' ? "uci" : "xboard",
		.game = "chess",
		.defaults = cli_defaults(c),
		.no_times = c->args.no_times,
	};
	*status = converse(c, setup, line, STDIN_FILENO, STDOUT_FILENO, NULL);
	return true;
}

const struct command command_engine = {
	.name = "engine",
	.run = run,
	.least = 1,
	.most = 3,
	.usage = "engine GAME | engine check GAME SPEC",
	.help = "run as an engine: QGP, UGI, UCI, XBoard, Hub, Gomocup, NBoard, GTP, GNU Backgammon",
	.more = "Speaks the protocol on standard input and output, or with --listen on a socket, for "
		"use by other programs. See docs/protocol.md.\n"
		"'engine check GAME SPEC' tries another engine's protocol step by step, as in "
		"'engine check chess uci:stockfish'. Each step prints ok, FAILED with what was sent, "
		"came and was expected, advice for what the protocol does not demand, or - if it has no "
		"such thing. Exit status 1: a step failed.\n",
	.options = OPTION_GROUPS(own_options, engine_check_options, syzygy_option, common_options),
};
