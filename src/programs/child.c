/*
 * child.c - a program outside, connected by pipes or by a socket.
 * SPDX-License-Identifier: MIT
 *
 * It is started with posix_spawn, not fork, which is safe among threads and reports whether the
 * program exists. All pipes are non-blocking, and poll waits for them. Whenever this process waits,
 * it reads the program's standard error, too, because a program that waits for room there does
 * nothing else.
 */
/* pipe2: no other thread's child can inherit a descriptor meanwhile; and the folder of a child */
#define _GNU_SOURCE
#include "programs/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/threads.h"
#include "programs/command_line.h"
#include "programs/peer.h"

enum { REAP_MS = 5000 }; /* for a killed process to disappear */

/* ---- Starting ---- */

static void close_pipes(int pipes[][2], int count)
{
	for (int i = 0; i < count; i++) {
		close(pipes[i][0]);
		close(pipes[i][1]);
	}
}

/*
 * Starts the program with these descriptors, in the folder unless that is NULL. It gets its own
 * process group and default signals, whatever this process has changed. Returns 0 or an errno.
 */
static int spawn(pid_t *pid, char *const *words, const char *folder, int in, int out, int errors)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, usual;
	const short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGTERM);
	sigaddset(&usual, SIGHUP);
	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attr) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	int failed = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	failed |= posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	failed |= posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	if (folder)
		failed |= posix_spawn_file_actions_addchdir_np(&files, folder);
	failed |= posix_spawnattr_setflags(&attr, flags) | posix_spawnattr_setpgroup(&attr, 0);
	failed |= posix_spawnattr_setsigdefault(&attr, &usual);
	failed |= posix_spawnattr_setsigmask(&attr, &none);
	failed = failed ? ENOMEM : posix_spawnp(pid, words[0], &files, &attr, words, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

/*
 * Makes a pipe whose ends are not standard descriptors, which may be closed in this process: dup2
 * of a descriptor onto itself would keep the flag that closes it on exec.
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
			close(pair[0]);
			close(pair[1]);
			return false;
		}
		close(pair[i]);
		pair[i] = higher;
	}
	return true;
}

/*
 * Starts a shell that ends the program, and all that it has started, if this process ends without
 * doing so, even by SIGKILL: only this process has the other end of the pipe that the shell reads.
 * A signal at the death of the parent (Linux) would come when the thread ends that has started the
 * program. Without a guard, for lack of processes, the program runs all the same.
 */
static void guard_begin(struct child *c)
{
	char name[] = "/bin/sh", option[] = "-c", script[64];
	char *const words[] = { name, option, script, NULL };
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int pair[2];
	snprintf(script, sizeof script, "read x; kill -s KILL -- -%d", (int)c->pid);
	if (nowhere >= 0 && make_pipe(pair)) {
		if (spawn(&c->guard, words, NULL, pair[0], nowhere, nowhere) != 0)
			c->guard = 0;
		close(pair[0]);
		if (c->guard)
			c->leash = pair[1];
		else
			close(pair[1]);
	}
	if (nowhere >= 0)
		close(nowhere);
}

/* Before the program is reaped: from then on its number may be that of other processes. */
static void guard_end(struct child *c)
{
	if (!c->guard)
		return;
	kill(c->guard, SIGKILL);
	while (waitpid(c->guard, NULL, 0) < 0 && errno == EINTR)
		;
	close(c->leash);
	c->guard = 0;
}

/* Returns 0 or an errno. */
static int spawn_with_pipes(struct child *c, char *const *words, const char *folder)
{
	enum { IN, OUT, ERRORS, PIPES };
	int pipes[PIPES][2];
	for (int i = 0; i < PIPES; i++)
		if (!make_pipe(pipes[i])) {
			const int failed = errno;
			close_pipes(pipes, i);
			return failed;
		}
	const int failed =
		spawn(&c->pid, words, folder, pipes[IN][0], pipes[OUT][1], pipes[ERRORS][1]);
	if (failed) {
		close_pipes(pipes, PIPES);
		c->pid = 0;
		return failed;
	}
	c->to = pipes[IN][1];
	c->from = pipes[OUT][0];
	c->errors = pipes[ERRORS][0];
	close(pipes[IN][0]);
	for (int i = OUT; i < PIPES; i++) {
		close(pipes[i][1]);
		fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
	}
	fcntl(c->to, F_SETFL, O_NONBLOCK);
	return 0;
}

/* A remark of ours, such as the command line. */
static void log_remark(const struct child *c, const char *text)
{
	engine_log_line(&c->log, c->pid, '#', text, strlen(text));
}

static void release_lines(struct child *c)
{
	lines_release(&c->lines);
	lines_release(&c->error_lines);
}

/* A folder that does not exist would be reported as if the program did not. */
static enum qv_status check_folder(const char *folder, struct qv_error *error)
{
	struct stat found;
	if (!folder)
		return QV_OK;
	if (stat(folder, &found) != 0)
		return qv_fail(error, QV_IO, "folder %.100s: %s", folder, strerror(errno));
	return S_ISDIR(found.st_mode)
		       ? QV_OK
		       : qv_fail(error, QV_IO, "folder %.100s: %s", folder, strerror(ENOTDIR));
}

/*
 * The buffers are allocated before the program starts, so that nothing has to be undone after it.
 */
enum qv_status child_start_words(struct child *c, const struct qv_allocator *allocator,
				 char *const *words, const char *folder,
				 const struct engine_log_entry *log, size_t line_most,
				 struct qv_error *error)
{
	*c = (struct child){ .errors = -1, .pipes = { -1, -1 } };
	if (log)
		c->log = *log;
	enum qv_status status = check_folder(folder, error);
	if (status == QV_OK)
		status = lines_init(&c->lines, allocator, line_most);
	if (status == QV_OK)
		status = lines_init(&c->error_lines, allocator, CHILD_LINE_MOST);
	if (status == QV_NO_MEMORY)
		qv_fail(error, status, "out of memory");
	const int failed = status == QV_OK ? spawn_with_pipes(c, words, folder) : 0;
	if (failed)
		status = qv_fail(error, QV_IO, "%s", strerror(failed));
	c->runs = status == QV_OK;
	if (status != QV_OK)
		release_lines(c);
	return status;
}

enum qv_status child_start(struct child *c, const struct qv_allocator *allocator,
			   const char *command, const char *folder,
			   const struct engine_log_entry *log, struct qv_error *error)
{
	const size_t size = strlen(command) + 1, room = COMMAND_WORDS(size) + 1;
	size_t count = 0;
	*c = (struct child){ .errors = -1, .pipes = { -1, -1 } };
	char *text = mem_strdup(allocator, command);
	char **words = mem_new(allocator, room, sizeof *words); /* zeroed: a NULL ends them */
	enum qv_status status = text && words ? command_split(text, words, &count, error)
					      : qv_fail(error, QV_NO_MEMORY, "out of memory");
	if (status == QV_OK)
		status = child_start_words(c, allocator, words, folder, log, CHILD_LINE_MOST, error);
	if (status == QV_OK) {
		guard_begin(c);
		log_remark(c, command);
	}
	mem_free(allocator, text, size);
	mem_free(allocator, words, room * sizeof *words);
	return status;
}

/* ---- Sockets ---- */

/* Two descriptors for one socket, because the two directions are closed one by one. */
static bool use_socket(struct child *c, int fd)
{
	c->to = fd;
	c->from = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (c->from < 0)
		close(fd);
	return c->from >= 0;
}

enum qv_status child_connect(struct child *c, const struct qv_allocator *allocator,
			     const char *address, const struct engine_log_entry *log,
			     int64_t until_us, struct qv_error *error)
{
	*c = (struct child){ .errors = -1, .pipes = { -1, -1 } };
	if (log)
		c->log = *log;
	const int fd = peer_connect(address, until_us, error);
	if (fd < 0)
		return QV_IO;
	if (!use_socket(c, fd))
		return qv_fail(error, QV_IO, "%s", strerror(errno));
	if (lines_init(&c->lines, allocator, CHILD_LINE_MOST) != QV_OK) {
		close(c->to);
		close(c->from);
		return qv_fail(error, QV_NO_MEMORY, "out of memory");
	}
	c->runs = true;
	log_remark(c, address);
	return QV_OK;
}

/*
 * The pipes stay open: a program that may not write to its standard output any more would end. What
 * it has written there is dropped.
 */
bool child_attach(struct child *c, const char *address)
{
	const int pipes[] = { c->to, c->from };
	const int fd = peer_connect(address, clock_us(), NULL);
	if (fd < 0)
		return false;
	if (!use_socket(c, fd)) {
		c->to = pipes[0];
		c->from = pipes[1];
		return false;
	}
	memcpy(c->pipes, pipes, sizeof pipes);
	lines_clear(&c->lines);
	log_remark(c, address);
	return true;
}

/* ---- Reading and writing ---- */

/*
 * Keeps a line of standard error, and logs it unless there were too many: a flood must not fill the
 * disk.
 */
static void take_error_line(struct child *c, const char *line, size_t length)
{
	struct qv_error printable;
	if (c->errors_heard <= CHILD_ERRORS_MOST)
		engine_log_line(&c->log, c->pid, '!', line, length);
	if (!line[strspn(line, " \t")])
		return;
	qv_fail(&printable, QV_OK, "%.*s", CHILD_COMPLAINT - 1, line);
	snprintf(c->complaint, sizeof c->complaint, "%.*s", CHILD_COMPLAINT - 1, printable.text);
}

/*
 * Reads once from standard error, and logs it. Even what is not logged is read, or the program
 * would wait for room in the pipe. False: no byte was read.
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
		for (enum lines_got got; (got = lines_next(&c->error_lines, &line, &room));)
			if (got == LINES_LINE)
				take_error_line(c, line, room);
		c->errors_heard += bytes;
		if (logged && c->errors_heard > CHILD_ERRORS_MOST)
			log_remark(c, "too much on standard error; the rest is left out for now");
	} else if (bytes == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
		if (lines_last(&c->error_lines, &line, &room) == LINES_LINE)
			take_error_line(c, line, room);
		close(c->errors);
		c->errors = -1;
	}
	return bytes > 0;
}

/*
 * Waits for an event until that time; false: it did not come. Reads standard error meanwhile.
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

/* As write(2), but without SIGPIPE if the program has ended. */
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

/*
 * What the program writes from now on belongs to these lines, so the counts of the flood limits
 * begin again. Lines are logged before they are sent: the log shows what a dead program did not
 * get.
 */
enum child_got child_write(struct child *c, const char *data, size_t size, int64_t until_us)
{
	take_errors(c);
	for (size_t at = 0, length; c->log.log && at < size; at += length + 1) {
		const char *end = memchr(data + at, '\n', size - at);
		length = end ? (size_t)(end - data) - at : size - at;
		engine_log_line(&c->log, c->pid, '>', data + at, length);
	}
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

/*
 * Lines that have already come are returned even if the program has ended meanwhile. A last line
 * without an end is logged, but it is not an answer.
 */
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
		size_t room;
		char *to = lines_space(&c->lines, &room);
		const ssize_t bytes = read(c->from, to, room);
		if (bytes > 0) {
			lines_took(&c->lines, (size_t)bytes);
			c->heard += bytes;
		} else if (bytes == 0 ||
			   (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
			c->ended = true;
		} else if (!wait_for(c, c->from, POLLIN, until_us)) {
			return CHILD_TIMEOUT;
		}
	}
}

/* ---- Ending ---- */

/*
 * Waits at most `ms` milliseconds for it to end, reading standard error meanwhile. It stays a
 * zombie, so that no other process can get its number.
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

/* A socket stays: only half of it could be closed. */
void child_close_input(struct child *c)
{
	if (c->pipes[0] >= 0 || !c->pid || c->to < 0)
		return;
	close(c->to);
	c->to = -1;
}

/* A status counts only if the program ended by itself: after a signal of ours it says nothing. */
int child_end(struct child *c, bool gently)
{
	if (!child_runs(c))
		return -1;
	if (c->to >= 0)
		close(c->to);
	close(c->from);
	for (int i = 0; i < 2; i++)
		if (c->pipes[i] >= 0)
			close(c->pipes[i]);
	if (!c->pid) {
		release_lines(c);
		*c = (struct child){ 0 };
		return -1;
	}
	const bool willing = has_ended(c, gently ? CHILD_GRACE_MS : 0);
	bool ended = willing;
	int status = -1;
	if (!ended) {
		kill(-c->pid, SIGTERM);
		ended = has_ended(c, CHILD_GRACE_MS);
	}
	/* The whole group: the program if it still runs, and whatever it started. */
	kill(-c->pid, SIGKILL);
	guard_end(c);
	if (ended || has_ended(c, REAP_MS))
		while (waitpid(c->pid, &status, WNOHANG) < 0 && errno == EINTR)
			;
	/* Log what it wrote last, but not without limit: others may hold its standard error open. */
	while (c->errors_heard <= CHILD_ERRORS_MOST && take_errors(c))
		;
	if (c->errors >= 0)
		close(c->errors);
	release_lines(c);
	struct child idle = { 0 };
	memcpy(idle.complaint, c->complaint, sizeof idle.complaint);
	*c = idle;
	return willing ? status : -1;
}
