/*
 * child.c - a program outside. posix_spawn and not fork: it is safe among threads, and it says when
 * there is no such program.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE                /* pipe2: no moment in which another thread's child inherits */
#include "play/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

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

/* Returns 0 or an errno. */
static int spawn(struct child *c, char *const *words, int in, int out)
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
	failed |= posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
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

static int spawn_with_pipes(struct child *c, char *const *words)
{
	int in[2], out[2];
	if (!make_pipe(in))
		return errno;
	if (!make_pipe(out)) {
		const int failed = errno;
		close_both(in);
		return failed;
	}
	const int failed = spawn(c, words, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	c->to = in[1];
	c->from = out[0];
	if (!failed) {
		fcntl(c->to, F_SETFL, O_NONBLOCK);
		fcntl(c->from, F_SETFL, O_NONBLOCK);
		return 0;
	}
	close(c->to);
	close(c->from);
	c->pid = 0;
	return failed;
}

enum qv_status child_start(struct child *c, const struct qv_allocator *allocator,
			   const char *command, struct qv_error *error)
{
	struct words words;
	*c = (struct child){ 0 };
	enum qv_status status = split(allocator, command, &words);
	if (status == QV_OK && !words.list[0])
		status = qv_fail(error, QV_BAD_INPUT, "program: its command line is empty");
	else if (status == QV_OK)
		status = lines_init(&c->lines, allocator, CHILD_LINE_MOST);
	if (status == QV_NO_MEMORY)
		qv_fail(error, status, "program: out of memory");
	if (status == QV_OK) {
		const int failed = spawn_with_pipes(c, words.list);
		if (failed) {
			status = qv_fail(error, QV_IO, "%.80s: %s", words.list[0], strerror(failed));
			lines_release(&c->lines);
		}
	}
	words_release(allocator, &words);
	return status;
}

/* ---- Talking ---- */

/* Waits for an event until the moment; false: it did not come. */
static bool wait_for(int descriptor, short events, int64_t until_us)
{
	for (;;) {
		const int64_t left = until_us - clock_us();
		struct pollfd wait = { descriptor, events, 0 };
		int ms = left <= 0 ? 0 : left > 1000000000 ? 1000000 : (int)(left / 1000) + 1;
		const int ready = poll(&wait, 1, ms);
		if (ready > 0)
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
	pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
	const ssize_t written = write(descriptor, data, size);
	const int why = errno;
	if (written < 0 && why == EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return written;
}

enum child_got child_write(struct child *c, const char *data, size_t size, int64_t until_us)
{
	c->heard = 0;
	while (size) {
		const ssize_t written = write_quietly(c->to, data, size);
		if (written >= 0) {
			data += written;
			size -= (size_t)written;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			if (!wait_for(c->to, POLLOUT, until_us))
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
	for (;;) {
		switch (lines_next(&c->lines, line, length)) {
		case LINES_LINE: return CHILD_LINE;
		case LINES_TOO_LONG: return CHILD_LONG_LINE;
		case LINES_NONE: break;
		}
		if (c->heard > CHILD_FLOOD_MOST)
			return CHILD_FLOOD;
		if (c->ended)
			return CHILD_ENDED;
		if (take_bytes(c) || c->ended)
			continue;
		if (!wait_for(c->from, POLLIN, until_us))
			return CHILD_TIMEOUT;
	}
}

/* ---- Ending ---- */

/* Whether it has ended by the moment; it stays a zombie, so that its number is still its own. */
static bool has_ended(pid_t pid, int64_t ms)
{
	const int64_t until = clock_us() + ms * 1000;
	const struct timespec moment = { 0, 1000000 };
	for (;;) {
		siginfo_t info = { 0 };
		const int failed = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG);
		if ((failed && errno != EINTR) || info.si_pid == pid)
			return true;
		if (clock_us() >= until)
			return false;
		nanosleep(&moment, NULL);
	}
}

void child_end(struct child *c, bool gently)
{
	if (!child_runs(c))
		return;
	close(c->to);
	close(c->from);
	bool ended = has_ended(c->pid, gently ? CHILD_GRACE_MS : 0);
	if (!ended) {
		kill(-c->pid, SIGTERM);
		ended = has_ended(c->pid, CHILD_GRACE_MS);
	}
	/* The rest of its group, too: itself if need be, and whatever it started. */
	kill(-c->pid, SIGKILL);
	if (ended || has_ended(c->pid, REAP_MS))
		while (waitpid(c->pid, NULL, WNOHANG) < 0 && errno == EINTR)
			;
	lines_release(&c->lines);
	*c = (struct child){ 0 };
}
