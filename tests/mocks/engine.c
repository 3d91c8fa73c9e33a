/*
 * engine.c - a mock engine for qgp, ugi, uci, xboard, hub and gomocup that misbehaves as its first argument says.
 * SPDX-License-Identifier: MIT
 *
 * It knows no rules: it asks for the legal moves and plays the first of them, until it does not.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mode = "good", *argument = "";
static char first_move[256];
static int moves_made;
static bool xboard, hub, gomocup; /* the protocol spoken */

static bool is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static void say(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void say_without_end(const char *text)
{
	for (;;)
		fputs(text, stdout);
}

static void million_bytes(void)
{
	for (int i = 0; i < 1000000; i++)
		putchar('x');
	say("\n");
}

/* A process that outlives its parent, unless somebody ends the whole group. */
static void leave_orphan(void)
{
	const pid_t pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		wait_for_ever();
	}
	FILE *file = fopen(argument, "w");
	fprintf(file, "%d\n", (int)pid);
	fclose(file);
}

/* Writes which descriptors besides the usual three are open here. */
static void list_descriptors(void)
{
	FILE *file = fopen(argument, "w");
	for (int i = 3; i < 1024; i++)
		if (i != fileno(file) && fcntl(i, F_GETFD) >= 0)
			fprintf(file, "%d\n", i);
	fclose(file);
}

/* The first start leaves a file behind, by which a later one knows that it is not the first. */
static void start_once(void)
{
	if (access(argument, F_OK) == 0)
		exit(3);
	close(open(argument, O_WRONLY | O_CREAT, 0600));
}

/* It stands still until a file is there, or who has started it is gone. */
static void wait_for_file(void)
{
	for (const pid_t parent = getppid(); access(argument, F_OK) != 0 && getppid() == parent;)
		usleep(20 * 1000);
}

static void at_start(const char *program)
{
	if (is("once"))
		start_once();
	if (is("vanish"))
		unlink(program);
	if (is("complain"))
		fputs("mock: begins\n", stderr);
	if (is("crash-start"))
		exit(1);
	if (is("silent"))
		wait_for_ever();
	if (is("stubborn-start")) {
		signal(SIGTERM, SIG_IGN);
		wait_for_ever();
	}
	if (is("flood-start"))
		say_without_end("name again and again\n");
	if (is("long-start"))
		million_bytes();
	if (is("garbage-start"))
		say("\x01\xff\xfe hello?\n");
	if (is("orphan"))
		leave_orphan();
	if (is("descriptors"))
		list_descriptors();
	if (is("stubborn"))
		signal(SIGTERM, SIG_IGN);
}

static void on_go(void)
{
	moves_made++;
	if (is("silent-move") || is("stubborn"))
		wait_for_ever();
	if (is("complain")) {
		fputs("mock: gives up\nmock: not a whole line", stderr);
		abort();
	}
	if (is("patient") && moves_made > 60)
		wait_for_file();
	/* More than pipes hold, and a line that is longer than any log wants. */
	if (is("complain-much"))
		for (int i = 0; i < 1000000; i++)
			fputs(i < 10000 ? "x" : "mock: and so on\n", stderr);
	if (is("crash") || is("orphan") || is("once") || is("vanish") || (is("crash-later") && moves_made == 3))
		abort();
	if (is("flood"))
		say_without_end("info depth 1 nodes 1\n");
	if (is("long-line"))
		million_bytes();
	if (is("garbage"))
		say("well, let me think\n");
	if (is("nul")) {
		fwrite("info\0depth 1\n", 1, 13, stdout);
		fflush(stdout);
	}
	if (is("half")) {
		say("bestmo");
		exit(0);
	}
	if (is("bad-info"))
		say("info depth many\n");
	if (is("endless")) { /* until it is stopped: see ugi_line */
		printf("info depth 1 score cp 5 nodes 1 pv %s\n", first_move);
		fflush(stdout);
		return;
	}
	/* An exact score, unless it has none, and then one that failed low. */
	if ((is("bounds") || is("bound-only")) && xboard)
		printf("%s11 -900 1 200 %s ?\n", is("bounds") ? "10 25 1 100 e2e4 e7e5\n" : "",
		       first_move);
	else if (is("bounds") || is("bound-only"))
		printf("%sinfo depth 11 score cp -900 upperbound nodes 200 pv %s\n",
		       is("bounds") ? "info depth 10 score cp 25 nodes 100 pv e2e4 e7e5\n" : "",
		       first_move);
	if (is("bounds") || is("bound-only"))
		printf("%s %s\n", xboard ? "move" : "bestmove", first_move);
	else if (is("resign"))
		say("resign\n");
	else if (is("refuse-move"))
		say("Illegal move: e2e4\n");
	else if (xboard)
		printf("9 5 1 1 %s\nmove %s\n", first_move, is("illegal") ? "over there" : first_move);
	else if (hub && is("bad-info"))
		say("info depth=many score=\" nodes=-1 pv=\ninfo =\ndone ponder=1\n");
	else if (hub && is("refuse"))
		say("error message=\"I do not like it\"\n");
	else if (hub)
		printf("info depth=1 score=0.05 nodes=1 pv=\"%s\"\ndone move=\"%s\"\n", first_move,
		       is("illegal") ? "over there" : first_move);
	else if (gomocup)
		printf("%s\n", is("illegal")  ? "99,99"
			       : is("refuse") ? "ERROR I do not like it"
					      : first_move);
	else if (is("illegal"))
		say("bestmove over there\n");
	else if (is("empty"))
		say("bestmove\n");
	else if (is("refuse"))
		say("error illegal I do not like it\n");
	else
		printf("info depth 1 score 5 nodes 1 pv %s\nbestmove %s\n", first_move, first_move);
	if (is("twice"))
		printf("bestmove %s\n", first_move);
	fflush(stdout);
	if (is("crash-after"))
		abort();
}

static void on_moves(const char *rest)
{
	snprintf(first_move, sizeof first_move, "%.*s", (int)strcspn(rest, ","), rest);
	say("ok\n");
}

static void qgp_line(const char *line)
{
	if (strncmp(line, "qgp", 3) == 0) {
		if (is("crash-hello"))
			abort();
		say(is("no-hello") ? "" : "name mock\nwants moves\n# a remark\nok\n");
	} else if (strncmp(line, "moves ", 6) == 0) {
		on_moves(line + 6);
	} else if (strncmp(line, "newgame", 7) == 0 && is("refuse-game")) {
		say("error game I do not know it\n");
	} else if (strcmp(line, "go") == 0 || strncmp(line, "go ", 3) == 0) {
		on_go();
	} else if (strcmp(line, "quit") == 0) {
		if (is("stubborn-quit")) {
			signal(SIGTERM, SIG_IGN);
			wait_for_ever();
		}
		exit(0);
	} else {
		say("ok\n");
	}
}

/* It has no way to ask for moves, so it plays what it was told on the command line. */
static void ugi_line(const char *line)
{
	snprintf(first_move, sizeof first_move, "%s", argument);
	if (strcmp(line, "ugi") == 0 || strcmp(line, "uci") == 0)
		printf("id name mock\nwhat is this\n%sok\n", line), fflush(stdout);
	else if (strcmp(line, "isready") == 0)
		say("readyok\n");
	else if (strncmp(line, "go", 2) == 0)
		on_go();
	else if (strcmp(line, "stop") == 0 && is("endless"))
		printf("bestmove %s\n", first_move), fflush(stdout);
	else if (strcmp(line, "quit") == 0)
		exit(0);
}

/* Likewise. Modes mute and no-ping are those of old engines. */
static void xboard_line(const char *line)
{
	snprintf(first_move, sizeof first_move, "%s", argument);
	if (strncmp(line, "protover", 8) == 0 && !is("mute"))
		say(is("no-ping") ? "feature done=1\n" : "feature myname=\"mock\" ping=1 done=1\n");
	else if (strncmp(line, "ping ", 5) == 0)
		printf("pong %s\n", line + 5), fflush(stdout);
	else if (strcmp(line, "go") == 0)
		on_go();
	else if (strcmp(line, "quit") == 0)
		exit(0);
}

/* Plays the moves of the command line, with / between them, over and over. */
static void hub_line(const char *line)
{
	static const char *next;
	if (strcmp(line, "hub") == 0 && is("crash-hello"))
		abort();
	if (strcmp(line, "init") == 0 && is("crash-init"))
		abort();
	if (strcmp(line, "hub") == 0)
		say("id name=mock\nwhat is this\nwait\n");
	else if (strcmp(line, "init") == 0)
		say(is("refuse-game") ? "error message=\"not today\"\n" : is("no-ready") ? "" : "ready\n");
	else if (strcmp(line, "ping") == 0)
		say("pong\n");
	else if (strncmp(line, "go", 2) == 0) {
		next = next && *next ? next : argument;
		const size_t length = strcspn(next, "/");
		snprintf(first_move, sizeof first_move, "%.*s", (int)length, next);
		next += length + (next[length] == '/');
		on_go();
	} else if (strcmp(line, "quit") == 0)
		exit(0);
}

/* Plays on the first free point. */
static void gomocup_line(const char *line)
{
	static bool taken[20][20];
	static int size;
	int x, y;
	if (strcmp(line, "ABOUT") == 0) {
		if (is("crash-hello"))
			abort();
		say("name=\"mock\", version=\"1.0\"\n");
	} else if (sscanf(line, "START %d", &size) == 1) {
		if (is("crash-init"))
			abort();
		memset(taken, 0, sizeof taken);
		say(is("refuse-game") ? "ERROR not today\n" : is("no-ready") ? "" : "OK\n");
	} else if (strcmp(line, "END") == 0) {
		exit(0);
	}
	if ((sscanf(line, "TURN %d,%d", &x, &y) == 2 || sscanf(line, "%d,%d", &x, &y) == 2) &&
	    x >= 0 && x < 20 && y >= 0 && y < 20)
		taken[y][x] = true;
	if (strncmp(line, "TURN", 4) != 0 && strcmp(line, "BEGIN") != 0 &&
	    strcmp(line, "DONE") != 0)
		return;
	int point = 0;
	while (point < size * size && taken[point / size][point % size])
		point++;
	taken[point / size][point % size] = true;
	snprintf(first_move, sizeof first_move, "%d,%d", point % size, point / size);
	on_go();
}

int main(int argc, char **argv)
{
	static char line[1 << 20];
	bool ugi = false;
	if (argc > 1)
		mode = argv[1];
	if (argc > 2)
		argument = argv[2];
	at_start(argv[0]);
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\r\n")] = '\0';
		ugi |= strcmp(line, "ugi") == 0 || strcmp(line, "uci") == 0;
		xboard |= strcmp(line, "xboard") == 0;
		hub |= strcmp(line, "hub") == 0;
		gomocup |= strcmp(line, "ABOUT") == 0;
		if (xboard)
			xboard_line(line);
		else if (hub)
			hub_line(line);
		else if (gomocup)
			gomocup_line(line);
		else if (ugi)
			ugi_line(line);
		else
			qgp_line(line);
	}
	if (is("stubborn"))
		wait_for_ever();
	return 0;
}
