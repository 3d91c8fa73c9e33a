/*
 * follow.c - tree --follow: a search event by event, each on a line of its own.
 * SPDX-License-Identifier: MIT
 *
 * A visit with others below it is two events: it is entered with its window, and left with its value.
 * Any other visit is one. On a terminal each event waits for a key.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "cli/follow.h"

#include "base/flag.h"

enum {
	LOOK_MS = 200, /* time between two looks for Ctrl-C */
};

struct event {
	int visit; /* or the step of a tree that grows: a log has visits or steps, never both */
	bool leaves;
};

struct follower {
	struct cli *c;
	const struct log *l;
	struct event *events;
	int count;
};

/* ---- Events ---- */

static void add_event(struct follower *f, int visit, bool leaves)
{
	f->events[f->count++] = (struct event){ visit, leaves };
}

/* Every visit is left before the next one that is not below it. */
static void list_events(struct follower *f)
{
	const struct log_visit *visits = f->l->visits;
	for (int i = 0; i < f->l->step_count; i++)
		add_event(f, i, false);
	for (int i = 0; i < f->l->count; i++) {
		add_event(f, i, false);
		for (int at = i, next = i + 1; at >= 0 && visits[at].end == next;
		     at = visits[at].parent)
			if (at != i)
				add_event(f, at, true);
	}
}

static void add_event_line(const struct follower *f, int n, struct string *out)
{
	const struct log *l = f->l;
	const struct event *e = &f->events[n];
	string_addf(out, "%5d  ", n + 1);
	if (l->step_count) {
		log_step_words(l, e->visit, out);
	} else {
		const struct log_visit *v = &l->visits[e->visit];
		const bool inner = v->end > e->visit + 1;
		string_addf(out, "%*s%s", 2 * v->ply, "", e->leaves ? "back to " : "");
		string_addf(out, "%s",
			    v->parent < 0 ? "root"
			    : v->move	  ? log_name(l, v->move)
					  : "(no move)");
		if (!e->leaves) {
			string_addf(out, " ");
			log_window(l, v, out);
		}
		if (!inner || e->leaves) {
			string_addf(out, ": ");
			log_words(l, e->visit, out);
		}
	}
}

/* ---- On a terminal ---- */

/* Adds a line that breaks between words where the terminal ends. */
static void add_wrapped(struct string *out, const char *line, int width, int indent)
{
	for (int at = 0; *line;) {
		const int gap = (int)strspn(line, " "), size = gap + (int)strcspn(line + gap, " ");
		const bool breaks = at > indent && at + size > width;
		if (breaks)
			string_addf(out, "\n%*s", indent, "");
		string_add(out, breaks ? line + gap : line, (size_t)(breaks ? size - gap : size));
		at = breaks ? indent + size - gap : at + size;
		line += size;
	}
}

static void show_event(const struct follower *f, int n)
{
	enum { NUMBER = 7 }; /* columns before the words */
	struct string line = { .allocator = &mem_malloc };
	add_event_line(f, n, &line);
	string_add(&line, "", 1);
	if (line.failed)
		f->c->out.failed = true;
	else
		add_wrapped(&f->c->out, line.data, cli_width(true), NUMBER);
	string_release(&line);
}

static bool is_cut(const struct follower *f, int n)
{
	const struct log *l = f->l;
	const struct event *e = &f->events[n];
	if (l->step_count)
		return false;
	const struct log_visit *v = &l->visits[e->visit];
	return log_is_cut(v) && (e->leaves || v->end == e->visit + 1);
}

/*
 * Reads a line of the terminal; only its first letter counts. 'q' at the end of the input and at
 * Ctrl-C. A signal between the prompt and the read would not end the read: so the flag is looked at
 * again and again.
 */
static char read_key(struct cli *c, const struct qv_flag *interrupted)
{
	char key = 0, byte = 0;
	while (byte != '\n') {
		struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
		const int ready = poll(&in, 1, LOOK_MS);
		const ssize_t got = ready > 0 ? read(STDIN_FILENO, &byte, 1) : -1;
		if (flag_is_set(interrupted) || got == 0 ||
		    (ready != 0 && got < 0 && errno != EINTR)) {
			string_addf(&c->out, "\n"); /* the cursor is still behind the prompt */
			return 'q';
		}
		if (got > 0 && !key)
			key = byte;
	}
	return key;
}

/* The event to show next; f->count: the end. */
static int next_event(const struct follower *f, int at, char key)
{
	if (key == 'q')
		return f->count;
	if (key == 'b')
		return at > 0 ? at - 1 : 0;
	int next = at + 1;
	while (key == 'c' && next < f->count && !is_cut(f, next))
		next++;
	if (key != 'c' || next < f->count)
		return next;
	string_addf(&f->c->out, "There is no cut-off after this step.\n");
	return at;
}

static enum qv_status step_through(struct follower *f)
{
	enum qv_status status = QV_OK;
	const struct qv_flag *interrupted = cli_catch_interrupts();
	for (int at = 0; at < f->count && status == QV_OK && !flag_is_set(interrupted);) {
		show_event(f, at);
		string_addf(&f->c->out, "\nEnter: next, b: back, c: next cut-off, q: quit > ");
		status = cli_flush(f->c);
		if (status == QV_OK)
			at = next_event(f, at, read_key(f->c, interrupted));
	}
	return status;
}

/* ---- The whole ---- */

enum qv_status follow_log(struct cli *c, const struct log *l)
{
	struct follower f = { .c = c, .l = l };
	const size_t room = 2 * (size_t)l->count + (size_t)l->step_count;
	enum qv_status status = QV_OK;
	f.events = mem_new(&mem_malloc, room, sizeof *f.events);
	if (!f.events)
		return cli_no_memory(c, "tree");
	list_events(&f);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		status = step_through(&f);
	else
		for (int i = 0; i < f.count; i++) {
			add_event_line(&f, i, &c->out);
			string_addf(&c->out, "\n");
		}
	if (l->seen > (uint64_t)(l->count + l->step_count))
		string_addf(&c->out, "Not shown: %llu more; raise --max-nodes or --depth.\n",
			    (unsigned long long)(l->seen - (uint64_t)(l->count + l->step_count)));
	string_addf(&c->out, "nodes %llu, evaluations %llu, cut-offs %llu\nmove %s\n",
		    (unsigned long long)l->answer.nodes, (unsigned long long)l->answer.evals,
		    (unsigned long long)l->cuts, l->move);
	mem_free(&mem_malloc, f.events, room * sizeof *f.events);
	return status;
}
