/*
 * child.c - a program outside. posix_spawn and not fork: it is safe among threads, and it says when
 * there is no such program.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE                /* pipe2: no moment in which another thread's child inherits */
#include "programs/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/threads.h"

enum { REAP_MS = 5000 };           /* for a killed process to be gone; more is a sick kernel */

/* ---- Starting ---- */

struct words {
	char *text, **list;
	size_t text_size, room;
};

static void words_release(const struct qv_allocator *a, struct words *w)
{
	mem_free(a, w->text, w->text_size);
	mem_free(a, w->list, w->room * sizeof *w->list);
}

static enum qv_status split(const struct qv_allocator *a, const char *command, struct words *w)
{
	const size_t length = strlen(command);
	*w = (struct words){ .text_size = length + 1, .room = length / 2 + 2 };
	w->text = mem_new(a, w->text_size, 1);
	w->list = mem_new(a, w->room, sizeof *w->list);
	if (!w->text || !w->list)
		return QV_NO_MEMORY;
	memcpy(w->text, command, length);
	size_t count = 0;
	for (char *at = w->text; *(at += strspn(at, " \t"));) {
		w->list[count++] = at;
		at += strcspn(at, " \t");
		if (*at)
			*at++ = '\0';
	}
	return QV_OK;
}

static void close_both(const int pair[2])
{
	close(pair[0]);
	close(pair[1]);
}

/* Signals as a program expects them, whatever this process has done to its own. */
static int attributes(posix_spawnattr_t *attr)
{
	sigset_t none, usual;
	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGTERM);
	sigaddset(&usual, SIGHUP);
	const short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
	int failed = posix_spawnattr_setflags(attr, flags);
	failed |= posix_spawnattr_setpgroup(attr, 0);
	failed |= posix_spawnattr_setsigdefault(attr, &usual);
	return failed | posix_spawnattr_setsigmask(attr, &none);
}

/* `errors` -1: to /dev/null. Returns 0 or an errno. */
static int spawn(struct child *c, char *const *words, int in, int out, int errors)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attr) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	int failed = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	failed |= posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (errors >= 0)
		failed |= posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	else
		failed |= posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
							   O_WRONLY, 0);
	failed |= attributes(&attr);
	failed = failed ? ENOMEM : posix_spawnp(&c->pid, words[0], &files, &attr, words, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

/*
 * A pipe whose ends are no standard descriptors: where those are closed, dup2 onto itself would
 * keep the mark that closes it on exec.
 */
static bool make_pipe(int pair[2])
{
	if (pipe2(pair, O_CLOEXEC) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		if (pair[i] > STDERR_FILENO)
			continue;
		const int higher = fcntl(pair[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (higher < 0) {
			close_both(pair);
			return false;
		}
		close(pair[i]);
		pair[i] = higher;
	}
	return true;
}

static void close_pipes(int pipes[][2], int count)
{
	for (int i = 0; i < count; i++)
		close_both(pipes[i]);
}

static int spawn_with_pipes(struct child *c, char *const *words)
{
	enum { IN, OUT, ERRORS };
	int pipes[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	const int count = c->log.log ? 3 : 2;
	for (int i = 0; i < count; i++)
		if (!make_pipe(pipes[i])) {
			const int failed = errno;
			close_pipes(pipes, i);
			return failed;
		}
	const int failed = spawn(c, words, pipes[IN][0], pipes[OUT][1], pipes[ERRORS][1]);
	if (failed) {
		close_pipes(pipes, count);
		c->pid = 0;
		return failed;
	}
	c->to = pipes[IN][1];
	c->from = pipes[OUT][0];
	c->errors = pipes[ERRORS][0];
	close(pipes[IN][0]);
	for (int i = OUT; i < count; i++) {
		close(pipes[i][1]);
		fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
	}
	fcntl(c->to, F_SETFL, O_NONBLOCK);
	return 0;
}

static void log_remark(const struct child *c, const char *text)
{
	engine_log_line(&c->log, c->pid, '#', text, strlen(text));
}

static void release_lines(struct child *c)
{
	lines_release(&c->lines);
	lines_release(&c->error_lines);
}

enum qv_status child_start(struct child *c, const struct qv_allocator *allocator,
			   const char *command, const struct engine_log_entry *log,
			   struct qv_error *error)
{
	struct words words;
	*c = (struct child){ .errors = -1 };
	if (log)
		c->log = *log;
	enum qv_status status = split(allocator, command, &words);
	if (status == QV_OK && !words.list[0])
		status = qv_fail(error, QV_BAD_INPUT, "the command line is empty");
	if (status == QV_OK)
		status = lines_init(&c->lines, allocator, CHILD_LINE_MOST);
	if (status == QV_OK && c->log.log)
		status = lines_init(&c->error_lines, allocator, CHILD_LINE_MOST);
	if (status == QV_NO_MEMORY)
		qv_fail(error, status, "out of memory");
	if (status == QV_OK) {
		const int failed = spawn_with_pipes(c, words.list);
		if (failed)
			status = qv_fail(error, QV_IO, "%s", strerror(failed));
	}
	if (status != QV_OK)
		release_lines(c);
	else
		log_remark(c, command);
	words_release(allocator, &words);
	return status;
}

/* ---- Talking ---- */

/* A line of its standard error, unless there were too many: a flood must not fill the disk. */
static void log_error_line(const struct child *c, const char *line, size_t length)
{
	if (c->errors_heard <= CHILD_ERRORS_MOST)
		engine_log_line(&c->log, c->pid, '!', line, length);
}

static void log_error_lines(struct child *c)
{
	char *line;
	size_t length;
	for (enum lines_got got; (got = lines_next(&c->error_lines, &line, &length));)
		if (got == LINES_LINE)
			log_error_line(c, line, length);
}

/*
 * Reads once what is on its standard error, and logs it. What is not logged is read all the same,
 * or the program would wait for room in the pipe. False: not a byte.
 */
static bool take_errors(struct child *c)
{
	size_t room;
	char *line;
	if (c->errors < 0)
		return false;
	char *to = lines_space(&c->error_lines, &room);
	const ssize_t bytes = read(c->errors, to, room);
	if (bytes > 0) {
		const bool logged = c->errors_heard <= CHILD_ERRORS_MOST;
		lines_took(&c->error_lines, (size_t)bytes);
		log_error_lines(c);
		c->errors_heard += bytes;
		if (logged && c->errors_heard > CHILD_ERRORS_MOST)
			log_remark(c, "too much on standard error; the rest is left out for now");
	} else if (bytes == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
		if (lines_last(&c->error_lines, &line, &room) == LINES_LINE)
			log_error_line(c, line, room);
		close(c->errors);
		c->errors = -1;
	}
	return bytes > 0;
}

/*
 * Waits for an event until the moment; false: it did not come. Meanwhile its standard error is
 * read: a program that waits for room there does nothing else.
 */
static bool wait_for(struct child *c, int descriptor, short events, int64_t until_us)
{
	for (;;) {
		const int64_t left = until_us - clock_us();
		struct pollfd wait[] = { { descriptor, events, 0 }, { c->errors, POLLIN, 0 } };
		int ms = left <= 0 ? 0 : left > 1000000000 ? 1000000 : (int)(left / 1000) + 1;
		const int ready = poll(wait, 2, ms);
		if (ready > 0 && wait[1].revents)
			take_errors(c);
		if (ready > 0 && wait[0].revents)
			return true;
		if ((ready < 0 && errno != EINTR) || left <= 0)
			return false;
	}
}

/* write(2) without the signal that a reader's death sends to a process that has not asked. */
static ssize_t write_quietly(int descriptor, const char *data, size_t size)
{
	sigset_t pipe_signal, before, pending;
	const struct timespec now = { 0 };
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigpending(&pending);
	thread_signal_mask(SIG_BLOCK, &pipe_signal, &before);
	const ssize_t written = write(descriptor, data, size);
	const int why = errno;
	if (written < 0 && why == EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR)
			;
	thread_signal_mask(SIG_SETMASK, &before, NULL);
	errno = why;
	return written;
}

static void log_written(const struct child *c, const char *data, size_t size)
{
	while (c->log.log && size) {
		const char *end = memchr(data, '\n', size);
		const size_t length = end ? (size_t)(end - data) : size, taken = length + (end != NULL);
		engine_log_line(&c->log, c->pid, '>', data, length);
		data += taken;
		size -= taken;
	}
}

enum child_got child_write(struct child *c, const char *data, size_t size, int64_t until_us)
{
	take_errors(c);
	log_written(c, data, size);
	c->heard = c->errors_heard = 0;
	while (size) {
		const ssize_t written = write_quietly(c->to, data, size);
		if (written >= 0) {
			data += written;
			size -= (size_t)written;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			if (!wait_for(c, c->to, POLLOUT, until_us))
				return CHILD_TIMEOUT;
		} else if (errno != EINTR) {
			return CHILD_ENDED;
		}
	}
	return CHILD_LINE;
}

/* Reads what is there. False: not a byte. */
static bool take_bytes(struct child *c)
{
	size_t room;
	char *to = lines_space(&c->lines, &room);
	const ssize_t bytes = read(c->from, to, room);
	if (bytes > 0) {
		lines_took(&c->lines, (size_t)bytes);
		c->heard += bytes;
	} else if (bytes == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
		c->ended = true;
	}
	return bytes > 0;
}

enum child_got child_read(struct child *c, int64_t until_us, char **line, size_t *length)
{
	take_errors(c);
	for (;;) {
		switch (lines_next(&c->lines, line, length)) {
		case LINES_LINE:
			engine_log_line(&c->log, c->pid, '<', *line, *length);
			return CHILD_LINE;
		case LINES_TOO_LONG: return CHILD_LONG_LINE;
		case LINES_NONE: break;
		}
		if (c->heard > CHILD_FLOOD_MOST)
			return CHILD_FLOOD;
		if (c->ended) {
			if (lines_last(&c->lines, line, length) == LINES_LINE)
				engine_log_line(&c->log, c->pid, '<', *line, *length);
			return CHILD_ENDED;
		}
		if (take_bytes(c) || c->ended)
			continue;
		if (!wait_for(c, c->from, POLLIN, until_us))
			return CHILD_TIMEOUT;
	}
}

/* ---- Ending ---- */

/*
 * Whether it has ended by the moment; it stays a zombie, so that its number is still its own.
 * Meanwhile its standard error is read.
 */
static bool has_ended(struct child *c, int64_t ms)
{
	const int64_t until = clock_us() + ms * 1000;
	const struct timespec moment = { 0, 1000000 };
	for (;;) {
		siginfo_t info = { 0 };
		const int failed = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT | WNOHANG);
		if ((failed && errno != EINTR) || info.si_pid == c->pid)
			return true;
		if (clock_us() >= until)
			return false;
		if (!take_errors(c))
			nanosleep(&moment, NULL);
	}
}

/* What it wrote last, but no more than is logged: others may hold its standard error open. */
static void close_errors(struct child *c)
{
	while (c->errors_heard <= CHILD_ERRORS_MOST && take_errors(c))
		;
	if (c->errors >= 0)
		close(c->errors);
}

int child_end(struct child *c, bool gently)
{
	if (!child_runs(c))
		return -1;
	close(c->to);
	close(c->from);
	const bool willing = has_ended(c, gently ? CHILD_GRACE_MS : 0);
	bool ended = willing;
	int status = -1;
	if (!ended) {
		kill(-c->pid, SIGTERM);
		ended = has_ended(c, CHILD_GRACE_MS);
	}
	/* The rest of its group, too: itself if need be, and whatever it started. */
	kill(-c->pid, SIGKILL);
	if (ended || has_ended(c, REAP_MS))
		while (waitpid(c->pid, &status, WNOHANG) < 0 && errno == EINTR)
			;
	close_errors(c);
	release_lines(c);
	*c = (struct child){ 0 };
	return willing ? status : -1;
}
