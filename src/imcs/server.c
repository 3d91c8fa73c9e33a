/*
 * server.c - the IMCS server: who is connected, lines out of bytes, and what is said, in one write.
 * SPDX-License-Identifier: MIT
 */
#include "imcs/inside.h"

#include <stdarg.h>

#include "core/context.h"

enum {
	IN_KEPT = 4096,	  /* room for input that an idle peer keeps */
	OUT_MOST = 65536, /* bytes of one write, about */
};

/* ---- Birth and death ---- */

enum qv_status imcs_new(const struct imcs_setup *setup, struct imcs **out, struct qv_error *error)
{
	struct qv_rules rules;
	const enum qv_status status = qv_rules_parse(setup->context, "minichess", &rules, error);
	if (status != QV_OK)
		return status;
	const struct qv_allocator *allocator = context_allocator(setup->context);
	struct imcs *s = mem_new(allocator, 1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	s->setup = *setup;
	s->allocator = allocator;
	s->rules = rules;
	s->next_id = setup->next_id > 0 ? setup->next_id : 1;
	s->touched_end = &s->touched;
	*out = s;
	return QV_OK;
}

static void peer_free(struct imcs *s, struct imcs_peer *p)
{
	if (s->greeted == p)
		s->greeted = NULL;
	if (p->before)
		p->before->next = p->next;
	else
		s->peers = p->next;
	if (p->next)
		p->next->before = p->before;
	string_release(&p->in);
	string_release(&p->out);
	mem_free(s->allocator, p, sizeof *p);
}

void imcs_free(struct imcs *s)
{
	if (!s)
		return;
	while (s->first)
		imcs_drop_entry(s, s->first);
	while (s->peers)
		peer_free(s, s->peers);
	mem_free(s->allocator, s->accounts, s->account_room * sizeof *s->accounts);
	mem_free(s->allocator, s, sizeof *s);
}

/* ---- Accounts ---- */

enum qv_status imcs_add_account(struct imcs *s, const struct imcs_account *account)
{
	if (!mem_reserve(s->allocator, &s->accounts, &s->account_room, (size_t)s->account_count + 1,
			 sizeof *s->accounts))
		return QV_NO_MEMORY;
	s->accounts[s->account_count++] = *account;
	return QV_OK;
}

int imcs_account_number(const struct imcs *s, const char *name)
{
	for (int i = 0; i < s->account_count; i++)
		if (strcmp(s->accounts[i].name, name) == 0)
			return i;
	return -1;
}

const struct imcs_account *imcs_find_account(const struct imcs *s, const char *name)
{
	const int number = imcs_account_number(s, name);
	return number < 0 ? NULL : &s->accounts[number];
}

/* ---- Offers and games ---- */

static void link_last(struct imcs *s, struct entry *e)
{
	e->before = s->last;
	e->next = NULL;
	if (s->last)
		s->last->next = e;
	else
		s->first = e;
	s->last = e;
}

static void unlink_entry(struct imcs *s, struct entry *e)
{
	if (e->before)
		e->before->next = e->next;
	else
		s->first = e->next;
	if (e->next)
		e->next->before = e->before;
	else
		s->last = e->before;
}

struct entry *imcs_add_entry(struct imcs *s, int64_t id)
{
	struct entry *e = mem_new(s->allocator, 1, sizeof *e);
	if (!e)
		return NULL;
	e->id = id;
	e->log.allocator = s->allocator;
	link_last(s, e);
	return e;
}

void imcs_drop_entry(struct imcs *s, struct entry *e)
{
	unlink_entry(s, e);
	game_session_release(&e->game);
	string_release(&e->log);
	mem_free(s->allocator, e, sizeof *e);
}

void imcs_last_entry(struct imcs *s, struct entry *e)
{
	unlink_entry(s, e);
	link_last(s, e);
}

int imcs_clean(struct imcs *s, int account)
{
	int count = 0;
	for (struct entry *e = s->first, *next; e; e = next) {
		struct imcs_peer *p = e->offerer;
		next = e->next;
		if (!p || (account >= 0 && p->account != account))
			continue;
		count++;
		p->mode = PEER_COMMANDS;
		p->entry = NULL;
		imcs_drop_entry(s, e);
		imcs_say(s, p, "421 offer countermanded");
	}
	return count;
}

int imcs_games(const struct imcs *s)
{
	int count = 0;
	for (const struct entry *e = s->first; e; e = e->next)
		count += !e->offerer;
	return count;
}

/* ---- What is said ---- */

void imcs_touch(struct imcs *s, struct imcs_peer *p)
{
	if (!p->touched) {
		p->touched = true;
		p->next_touched = NULL;
		*s->touched_end = p;
		s->touched_end = &p->next_touched;
	}
	if (!p->told) {
		p->told = true;
		p->next_told = s->told;
		s->told = p;
	}
}

void imcs_say(struct imcs *s, struct imcs_peer *p, const char *format, ...)
{
	char line[256];
	va_list values;
	va_start(values, format);
	const int length = vsnprintf(line, sizeof line, format, values);
	va_end(values);
	string_add(&p->out, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
	string_add(&p->out, "\r\n", 2);
	imcs_touch(s, p);
}

void imcs_close_peer(struct imcs *s, struct imcs_peer *p)
{
	p->mode = PEER_CLOSED;
	p->entry = NULL;
	imcs_touch(s, p);
}

/* ---- Lines out of bytes ---- */

enum got { GOT_NOTHING, GOT_LINE, GOT_TOO_LONG };

/* Where the line ends that begins at `read`; its end is 1 or 2 bytes. False: not yet. */
static bool find_end(const struct imcs_peer *p, size_t *end, size_t *skip)
{
	const char *in = p->in.data;
	const size_t most = p->in.length;
	size_t at = p->read;
	while (at < most && in[at] != '\n' && in[at] != '\r')
		at++;
	*end = at;
	*skip = 1;
	if (at == most) /* what comes before the end of all is a line too */
		return *skip = 0, p->ended && at > p->read;
	if (in[at] == '\n')
		return true;
	/* A CR may be half of an end: so it is looked at when more is there, as the original does.
	 */
	if (at + 1 == most)
		return p->ended;
	*skip = in[at + 1] == '\n' || in[at + 1] == '\0' ? 2 : 1;
	return true;
}

/* The next line; it stands until more bytes come. A line too long gives its beginning. */
static enum got take_line(struct imcs_peer *p, char **line, size_t *length)
{
	size_t end, skip;
	while (p->read < p->in.length) {
		const bool whole = find_end(p, &end, &skip);
		const bool skipped = p->skipping;
		*line = p->in.data + p->read;
		*length = end - p->read;
		if (!whole && (skipped || *length > IMCS_LINE)) {
			/* A CR at its end stays: it may be half of an end. */
			p->read = end;
			p->skipping = true;
			*length = *length < IMCS_LINE ? *length : IMCS_LINE;
			return skipped ? GOT_NOTHING : GOT_TOO_LONG;
		}
		if (!whole)
			return GOT_NOTHING;
		p->read = end + skip;
		p->skipping = false;
		if (skipped)
			continue;
		if (*length <= IMCS_LINE)
			return GOT_LINE;
		*length = IMCS_LINE;
		return GOT_TOO_LONG;
	}
	return GOT_NOTHING;
}

/* What was read goes, and room that nobody needs. */
static void tidy(struct imcs_peer *p)
{
	const size_t left = p->in.length - p->read;
	if (left)
		memmove(p->in.data, p->in.data + p->read, left);
	p->in.length = left;
	p->read = 0;
	if (left == 0 && p->in.capacity > IN_KEPT)
		string_release(&p->in);
}

/* ---- A peer's turn ---- */

static bool is_heard(const struct imcs_peer *p)
{
	return p->mode == PEER_COMMANDS || (p->mode == PEER_PLAYING && imcs_is_on_move(p));
}

static void one_line(struct imcs *s, struct imcs_peer *p, enum got got, char *line, size_t length)
{
	char copy[IMCS_LINE + 1];
	memcpy(copy, line, length);
	copy[length] = '\0';
	if (got == GOT_TOO_LONG)
		imcs_line_too_long(s, p, copy, length);
	else if (p->mode == PEER_PLAYING)
		imcs_play_line(s, p, copy, length);
	else
		imcs_command(s, p, copy, length);
}

/* It will say no more than what waits to be read. */
static void see_end(struct imcs *s, struct imcs_peer *p)
{
	const bool dumb = p->gone || p->read == p->in.length;
	if (p->mode == PEER_OFFERING) {
		imcs_drop_entry(s, p->entry);
		imcs_close_peer(s, p);
	} else if (p->mode == PEER_PLAYING && dumb) {
		imcs_leave_game(s, p);
	} else if (p->mode == PEER_COMMANDS && dumb) {
		imcs_close_peer(s, p);
	} else if (p->mode == PEER_STOPPING && p->gone) {
		s->admin = NULL;
		imcs_close_peer(s, p);
	} else if (p->mode == PEER_HASHING && p->gone) {
		imcs_close_peer(s, p);
	}
}

/* Most of what is said in a call is one write; a flood of commands has to be in several. */
static void write_out(struct imcs *s, struct imcs_peer *p)
{
	const struct imcs_host *host = &s->setup.host;
	if (p->out.length && !p->gone)
		host->write(host->ctx, p->conn, p->out.data, p->out.length);
	p->out.length = 0;
	if (p->out.capacity > OUT_MOST)
		string_release(&p->out);
}

static void read_lines(struct imcs *s, struct imcs_peer *p)
{
	char *line;
	size_t length;
	enum got got;
	while (!p->gone && is_heard(p) && (got = take_line(p, &line, &length)) != GOT_NOTHING) {
		one_line(s, p, got, line, length);
		if (p->out.length > OUT_MOST)
			write_out(s, p);
	}
	if (p->in.failed || p->out.failed || p->in.length - p->read > IMCS_WAITING)
		p->gone = p->ended = true;
	if (p->ended)
		see_end(s, p);
}

static void finish(struct imcs *s, struct imcs_peer *p)
{
	const struct imcs_host *host = &s->setup.host;
	p->told = false;
	write_out(s, p);
	tidy(p);
	if (p->mode != PEER_CLOSED)
		return;
	host->close(host->ctx, p->conn);
	peer_free(s, p);
}

/* Everybody is read before anybody hears: what one does may touch others. */
static void settle(struct imcs *s)
{
	if (s->settling)
		return;
	s->settling = true;
	while (s->touched) {
		struct imcs_peer *p = s->touched;
		s->touched = p->next_touched;
		if (!s->touched)
			s->touched_end = &s->touched;
		p->touched = false;
		read_lines(s, p);
		imcs_see_stop(s);
	}
	while (s->told) {
		struct imcs_peer *p = s->told;
		s->told = p->next_told;
		finish(s, p);
	}
	s->settling = false;
}

/* ---- What the host says ---- */

static struct imcs_peer *peer_new(struct imcs *s, void *conn, const char *address)
{
	struct imcs_peer *p = mem_new(s->allocator, 1, sizeof *p);
	if (!p)
		return NULL;
	p->conn = conn;
	p->account = -1;
	p->in.allocator = p->out.allocator = s->allocator;
	snprintf(p->address, sizeof p->address, "%s", address);
	p->next = s->peers;
	if (s->peers)
		s->peers->before = p;
	return s->peers = p;
}

struct imcs_peer *imcs_connect(struct imcs *s, void *conn, const char *address, int64_t now)
{
	static const char closed[] = "503 server shutdown, come back later\r\n";
	s->now = now;
	if (s->stopping) {
		s->setup.host.write(s->setup.host.ctx, conn, closed, sizeof closed - 1);
		return NULL;
	}
	struct imcs_peer *p = peer_new(s, conn, address);
	if (!p)
		return NULL;
	s->greeted = p;
	imcs_say(s, p, "100 imcs 2.5");
	settle(s);
	return s->greeted;
}

void imcs_bytes(struct imcs *s, struct imcs_peer *p, const char *bytes, size_t size, int64_t now)
{
	s->now = now;
	string_add(&p->in, bytes, size);
	imcs_touch(s, p);
	settle(s);
}

void imcs_end(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	s->now = now;
	p->ended = true;
	imcs_touch(s, p);
	settle(s);
}

void imcs_gone(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	s->now = now;
	p->ended = p->gone = true;
	imcs_touch(s, p);
	settle(s);
}

void imcs_password(struct imcs *s, struct imcs_peer *p, const char *hash, bool good, int64_t now)
{
	s->now = now;
	if (p->mode == PEER_HASHING) {
		p->mode = PEER_COMMANDS;
		imcs_wish_done(s, p, hash, good);
	}
	imcs_touch(s, p);
	settle(s);
}

/* ---- Clocks ---- */

int64_t imcs_due(const struct imcs *s)
{
	int64_t due = -1;
	for (const struct entry *e = s->first; e; e = e->next) {
		const int64_t at = e->offerer ? -1 : game_clock_due(&e->game.clock);
		if (at >= 0 && (due < 0 || at < due))
			due = at;
	}
	return due;
}

void imcs_tick(struct imcs *s, int64_t now)
{
	s->now = now;
	for (struct entry *e = s->first, *next; e; e = next) {
		next = e->next;
		if (!e->offerer && game_clock_due(&e->game.clock) <= now)
			imcs_end_game(s, e,
				      game_winner_without(&e->game, game_seat_to_move(&e->game)),
				      IMCS_BY_TIME);
	}
	settle(s);
}

/* ---- The end ---- */

void imcs_see_stop(struct imcs *s)
{
	struct imcs_peer *admin = s->admin;
	if (!s->stopping || s->stopped || imcs_games(s) > 0)
		return;
	s->stopped = true;
	if (admin) {
		imcs_say(s, admin, "205 server stopped");
		imcs_close_peer(s, admin);
		s->admin = NULL;
	}
	s->setup.host.stopped(s->setup.host.ctx);
}

void imcs_shut(struct imcs *s, int64_t now)
{
	s->now = now;
	s->stopping = s->stopped = true;
	imcs_clean(s, -1);
	for (struct entry *e = s->first, *next; e; e = next) {
		next = e->next;
		imcs_end_game(s, e, QV_UNDECIDED, IMCS_BY_STOP);
	}
	for (struct imcs_peer *p = s->peers; p; p = p->next)
		imcs_close_peer(s, p);
	settle(s);
}
