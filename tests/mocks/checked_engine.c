/*
 * checked_engine.c - a UCI engine for noughts and crosses that does everything right, or one thing
 * wrong: the fault that its first argument names.
 * SPDX-License-Identifier: MIT
 *
 * It plays on the first free square. A search that has much time lasts until it is stopped.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fault = "";
static char squares[10] = ".........";
static int games;

static bool has(const char *name)
{
	return strcmp(fault, name) == 0;
}

static void say(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

static void wait_forever(void)
{
	for (;;)
		pause();
}

/* The next line, waiting at most that long; -1: without limit. NULL: none, or the end of input. */
static char *read_line(int ms, bool *ended)
{
	static char buffer[1 << 16];
	static size_t start, end;
	*ended = false;
	for (;;) {
		char *line = buffer + start, *stop = memchr(line, '\n', end - start);
		if (stop) {
			*stop = '\0';
			start = (size_t)(stop - buffer) + 1;
			return line;
		}
		memmove(buffer, line, end - start);
		end -= start;
		start = 0;
		struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
		if (poll(&input, 1, ms) <= 0)
			return NULL;
		const ssize_t bytes = read(STDIN_FILENO, buffer + end, sizeof buffer - end);
		if (bytes <= 0) {
			*ended = true;
			return NULL;
		}
		end += (size_t)bytes;
	}
}

static void leave(void)
{
	if (has("no quit"))
		wait_forever();
	if (has("talks after quit"))
		say("info string good bye\n");
	exit(has("exit status") ? 3 : 0);
}

static void answer(void)
{
	const int at = (int)strcspn(squares, ".");
	printf("info depth 1 score cp 5 nodes 7 pv %d%s\n", at + 1,
	       has("illegal line") ? " 77" : "");
	printf("bestmove %d\n", has("illegal") || (has("second game") && games > 2) ? 10 : at + 1);
	if (has("answers twice"))
		printf("bestmove %d\n", at + 1);
	fflush(stdout);
	if (has("crash after a move"))
		abort();
}

/* Searches until the time is over or a stop comes. */
static void search(int ms)
{
	bool ended;
	if (has("loses a stop")) /* what is there when the search begins is thrown away */
		while (read_line(1, &ended))
			;
	for (char *line; (line = read_line(ms, &ended)) || ended;) {
		if (ended || strcmp(line, "quit") == 0) {
			if (has("searches on"))
				wait_forever();
			leave();
		}
		if (strcmp(line, "isready") == 0 && !has("busy"))
			say("readyok\n");
		if (strcmp(line, "stop") == 0 && !has("deaf"))
			break;
	}
	answer();
}

static void on_go(char *line)
{
	const char *time = strstr(line, "movetime "), *clock = strstr(line, "wtime ");
	const int ms = time ? atoi(time + 9) : 0;
	if (has("crash"))
		abort();
	if (has("hangs"))
		wait_forever();
	if (has("no depth") && strstr(line, "depth"))
		exit(1);
	if (has("no nodes") && strstr(line, "nodes"))
		exit(1);
	if ((has("late") && ms == 100) || (has("burns its clock") && clock))
		sleep(5);
	search(ms > 1000 ? ms : ms ? ms / 2 : 1);
}

static void on_position(char *line)
{
	char *moves = strstr(line, "moves "), *fen = strstr(line, "fen ");
	memset(squares, '.', 9);
	if (fen && has("knows no positions"))
		exit(1);
	if (fen && strspn(fen + 4, "xo.") == 9)
		memcpy(squares, fen + 4, 9);
	else if (fen && has("trusts positions"))
		abort();
	for (char *move = moves ? strtok(moves + 6, " ") : NULL; move; move = strtok(NULL, " "))
		if (move[0] >= '1' && move[0] <= '9')
			squares[move[0] - '1'] = 'x';
	if (moves && has("forgets moves"))
		memset(squares, '.', 9);
}

static void on_hello(void)
{
	if (has("crash at hello")) {
		fputs("checked: this is why\n", stderr);
		exit(4);
	}
	printf("%soption name Hash type spin default %d min 1 max 64\n"
	       "option name %s type check default false\nuciok\n",
	       has("nameless") ? "" : "id name checked\n", has("bad option") ? 99 : 16,
	       has("twin option") ? "Hash" : "Ponder");
	fflush(stdout);
}

static void on_line(char *line)
{
	const bool known = strncmp(line, "uci", 3) == 0 || strcmp(line, "isready") == 0 ||
			   strncmp(line, "setoption", 9) == 0 ||
			   strncmp(line, "position", 8) == 0 || strncmp(line, "go", 2) == 0 ||
			   strcmp(line, "stop") == 0;
	if (strcmp(line, "uci") == 0)
		on_hello();
	else if (strcmp(line, "isready") == 0)
		say("readyok\n");
	else if (strcmp(line, "ucinewgame") == 0)
		games++;
	else if (strncmp(line, "position", 8) == 0)
		on_position(line);
	else if (strncmp(line, "go", 2) == 0)
		on_go(line);
	else if (strcmp(line, "quit") == 0)
		leave();
	else if (strstr(line, "NoSuch") && has("dies of options"))
		abort();
	else if (!known && has("dies of nonsense"))
		abort();
}

int main(int argc, char **argv)
{
	bool ended = false;
	if (argc > 1)
		fault = argv[1];
	for (char *line; (line = read_line(-1, &ended));)
		on_line(line);
	if (has("survives its manager"))
		wait_forever();
	return 0;
}
