/*
 * server.c - the IMCS server: its peers, its list of offers and games, lines out of bytes, output.
 * SPDX-License-Identifier: MIT
 *
 * Every call of the host ends with imcs_settle, which handles the lines of all touched peers before it
 * writes anything, because one peer's line may give others something to read. A peer's input stays
 * in its buffer while the peer waits or is not on move.
 */
#include "imcs/inside.h"

#include <stdarg.h>

#include "core/context.h"

enum {
	IN_KEPT = 4096,	  /* bytes of buffer that an idle peer keeps */
	OUT_MOST = 65536, /* bytes of one write, about */
};

/* ---- Life cycle ---- */

/* Accounts are added afterwards, by imcs_add_account. */
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
	s->names.allocator = allocator;
	*out = s;
	return QV_OK;
}

/* The peer must be in no other list than that of all peers. */
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
	string_release(&p->line);
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
	map_release(&s->names);
	mem_free(s->allocator, s->accounts, s->account_room * sizeof *s->accounts);
	mem_free(s->allocator, s->others, s->other_room * sizeof *s->others);
	mem_free(s->allocator, s, sizeof *s);
}

/* ---- Accounts ---- */

/* Accounts are never removed, so an index stays valid. Pointers do not: the array may move. */
enum qv_status imcs_add_account(struct imcs *s, const struct imcs_account *account)
{
	if (!mem_reserve(s->allocator, &s->accounts, &s->account_room, (size_t)s->account_count + 1,
			 sizeof *s->accounts) ||
	    !map_add(&s->names, qv_hash_bytes(account->name, strlen(account->name)),
		     map_of_number((size_t)s->account_count)))
		return QV_NO_MEMORY;
	s->accounts[s->account_count++] = *account;
	imcs_rated(s, s->account_count - 1);
	return QV_OK;
}

int imcs_account_number(const struct imcs *s, const char *name)
{
	const uint64_t hash = qv_hash_bytes(name, strlen(name));
	const void *value;
	for (size_t at = 0; (value = map_next_of(&s->names, hash, &at));) {
		const int number = (int)map_to_number(value);
		if (strcmp(s->accounts[number].name, name) == 0)
			return number;
	}
	return -1;
}

/* Most changes are far below the best. */
void imcs_rated(struct imcs *s, int account)
{
	bool listed = s->top_count < IMCS_TOP;
	for (int i = 0; i < s->top_count; i++)
		listed |= s->top[i] == account;
	if (listed ||
	    s->accounts[account].rating >= s->accounts[s->top[s->top_count - 1]].rating)
		s->top_known = false;
}

const struct imcs_account *imcs_find_account(const struct imcs *s, const char *name)
{
	const int number = imcs_account_number(s, name);
	return number < 0 ? NULL : &s->accounts[number];
}

/* ---- Offers and games ---- */

/* A doubly linked list, because an entry can leave it at any time. */
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

/* The list stays in the order of creation, but games move to its end. */
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

void imcs_drop_offer(struct imcs *s, struct entry *e)
{
	if (s->setup.host.shared)
		s->setup.host.shared->withdraw(s->setup.host.ctx, e->id);
	imcs_drop_entry(s, e);
}

void imcs_last_entry(struct imcs *s, struct entry *e)
{
	unlink_entry(s, e);
	link_last(s, e);
}

/* The peer goes back to command mode, so lines that waited behind the offer are handled now. */
void imcs_withdraw_entry(struct imcs *s, struct entry *e)
{
	struct imcs_peer *p = e->offerer;
	p->mode = PEER_COMMANDS;
	p->entry = NULL;
	imcs_drop_offer(s, e);
	imcs_say(s, p, "421 offer countermanded");
}

int imcs_clean(struct imcs *s, int account)
{
	int count = 0;
	for (struct entry *e = s->first, *next; e; e = next) {
		const struct imcs_peer *p = e->offerer;
		next = e->next;
		if (!p || (account >= 0 && p->account != account))
			continue;
		count++;
		imcs_withdraw_entry(s, e);
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

/* ---- Output ---- */

/* The queue keeps the order in which peers were touched; the order of writes does not matter. */
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

/* A longer line would be cut, but keeps its end. Names are limited, so none is that long. */
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

/* The peer is freed by imcs_settle, after its last output, so callers may still use it. */
void imcs_close_peer(struct imcs *s, struct imcs_peer *p)
{
	p->mode = PEER_CLOSED;
	p->entry = NULL;
	imcs_touch(s, p);
}

/* ---- Lines out of bytes ---- */

enum got { GOT_NOTHING, GOT_LINE, GOT_TOO_LONG };

/* Finds the end of the line that begins at `read`, which is 1 or 2 bytes. False: not yet. */
static bool find_end(const struct imcs_peer *p, size_t *end, size_t *skip)
{
	const char *in = p->in.data;
	const size_t most = p->in.length;
	size_t at = p->read;
	while (at < most && in[at] != '\n' && in[at] != '\r')
		at++;
	*end = at;
	*skip = 1;
	if (at == most) {
		*skip = 0;
		return p->ended && at > p->read; /* the last line needs no end */
	}
	if (in[at] == '\n')
		return true;
	/* A CR may be half of an end, so it waits for the next byte, as in the original. */
	if (at + 1 == most)
		return p->ended;
	*skip = in[at + 1] == '\n' || in[at + 1] == '\0' ? 2 : 1;
	return true;
}

/* Takes the next line, valid until more bytes come; of a line that is too long, its beginning. */
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

/* ---- A peer's turn ---- */

/* Writes the output. That is once per call, unless a flood of commands gives too much of it. */
static void write_out(struct imcs *s, struct imcs_peer *p)
{
	const struct imcs_host *host = &s->setup.host;
	if (p->out.length && !p->gone)
		host->write(host->ctx, p->conn, p->out.data, p->out.length);
	p->out.length = 0;
	if (p->out.capacity > OUT_MOST)
		string_release(&p->out);
}

/* Moves are free. What else is sent in a game is paid for before the next line. */
static bool may_go_on(const struct imcs *s, struct imcs_peer *p, bool on_move, const char *line,
		      size_t length)
{
	const struct imcs_host *host = &s->setup.host;
	if (p->visitor || (on_move && !p->owes))
		return true;
	if (!host->may_go_on(host->ctx, p->conn, !on_move && imcs_is_costly(line, length)))
		return false;
	p->owes = false;
	return true;
}

static bool is_on_move(const struct imcs_peer *p)
{
	const struct entry *e = p->mode == PEER_PLAYING ? p->entry : NULL;
	return e && e->peers[game_seat_to_move(&e->game)] == p;
}

/* Handles the lines of a peer, as far as its mode allows, and then the end of its input. */
static void read_lines(struct imcs *s, struct imcs_peer *p)
{
	char *line, copy[IMCS_LINE + 1];
	size_t length;
	while (!p->gone) {
		const bool on_move = is_on_move(p), skipping = p->skipping;
		const size_t read = p->read;
		if (p->mode != PEER_COMMANDS && !on_move)
			break;
		const enum got got = take_line(p, &line, &length);
		if (got == GOT_NOTHING)
			break;
		if (!may_go_on(s, p, on_move, line, length)) {
			p->read = read; /* it stays in the buffer */
			p->skipping = skipping;
			break;
		}
		memcpy(copy, line, length);
		copy[length] = '\0';
		if (on_move) {
			imcs_play_line(s, p, copy, length);
			p->owes = is_on_move(p);
		} else if (got == GOT_TOO_LONG) {
			imcs_say(s, p, "501 unknown command");
		} else {
			imcs_command(s, p, copy, length);
		}
		if (p->out.length > OUT_MOST)
			write_out(s, p);
	}
	if (p->in.failed || p->out.failed || p->in.length - p->read > IMCS_WAITING)
		p->gone = p->ended = true;
	if (p->mode == PEER_AWAY)
		imcs_pass_on(s, p);
	if (p->visitor && p->mode == PEER_COMMANDS)
		imcs_close_peer(s, p);
	if (!p->ended)
		return;
	/* No more lines come than those that wait to be handled. */
	const bool silent = p->gone || p->read == p->in.length;
	if (p->mode == PEER_OFFERING) {
		imcs_drop_offer(s, p->entry);
		imcs_close_peer(s, p);
	} else if (p->mode == PEER_PLAYING && silent) {
		const struct game_session *game = &p->entry->game;
		const int seat = p->entry->peers[IMCS_WHITE] == p ? IMCS_WHITE : IMCS_BLACK;
		imcs_end_game(s, p->entry, game_winner_without(game, seat), IMCS_BY_LEAVING);
	} else if ((p->mode == PEER_COMMANDS && silent) ||
		   ((p->mode == PEER_STOPPING || p->mode == PEER_HASHING ||
		     p->mode == PEER_WAITING || p->mode == PEER_AWAY) &&
		    p->gone)) {
		if (p->mode == PEER_STOPPING)
			s->admin = NULL;
		imcs_close_peer(s, p);
	}
}

/* If the server is to stop and the last game is over: stops it. */
static void see_stop(struct imcs *s)
{
	if (!s->stopping || s->stopped || imcs_games(s) > 0)
		return;
	s->stopped = true;
	if (s->admin) {
		imcs_say(s, s->admin, "205 server stopped");
		imcs_close_peer(s, s->admin);
		s->admin = NULL;
	}
	s->setup.host.stopped(s->setup.host.ctx);
}

/* Writes a peer's output, and frees the peer if it is closed. */
static void finish(struct imcs *s, struct imcs_peer *p)
{
	const struct imcs_host *host = &s->setup.host;
	const size_t left = p->in.length - p->read;
	p->told = false;
	write_out(s, p);
	/* Keep only the input that was not handled. */
	if (left)
		memmove(p->in.data, p->in.data + p->read, left);
	p->in.length = left;
	p->read = 0;
	if (left == 0 && p->in.capacity > IN_KEPT)
		string_release(&p->in);
	if (p->mode == PEER_CLOSED) {
		host->close(host->ctx, p->conn);
		peer_free(s, p);
	}
}

/* Handles all lines before any output, because a line may touch other peers. */
void imcs_settle(struct imcs *s)
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
		see_stop(s);
	}
	while (s->told) {
		struct imcs_peer *p = s->told;
		s->told = p->next_told;
		finish(s, p);
	}
	s->settling = false;
}

/* ---- Calls of the host ---- */

struct imcs_peer *imcs_peer_new(struct imcs *s, void *conn, const char *address)
{
	struct imcs_peer *p = mem_new(s->allocator, 1, sizeof *p);
	if (!p)
		return NULL;
	p->conn = conn;
	p->account = -1;
	p->in.allocator = p->out.allocator = p->line.allocator = s->allocator;
	snprintf(p->address, sizeof p->address, "%s", address);
	p->next = s->peers;
	if (s->peers)
		s->peers->before = p;
	s->greeted = s->peers = p;
	return p;
}

/*
 * The greeting is written before the function returns. If memory runs out for it, the peer has
 * been freed by then, which `greeted` tells.
 */
struct imcs_peer *imcs_connect(struct imcs *s, void *conn, const char *address, int64_t now)
{
	static const char closed[] = "503 server shutdown, come back later\r\n";
	s->now = now;
	if (s->stopping) {
		s->setup.host.write(s->setup.host.ctx, conn, closed, sizeof closed - 1);
		return NULL;
	}
	struct imcs_peer *p = imcs_peer_new(s, conn, address);
	if (!p)
		return NULL;
	imcs_say(s, p, "100 imcs 2.5");
	imcs_settle(s);
	return s->greeted;
}

/* Something has changed about the peer. */
static void handle(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	s->now = now;
	imcs_touch(s, p);
	imcs_settle(s);
}

void imcs_bytes(struct imcs *s, struct imcs_peer *p, const char *bytes, size_t size, int64_t now)
{
	string_add(&p->in, bytes, size);
	handle(s, p, now);
}

void imcs_end(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	p->ended = true;
	handle(s, p, now);
}

void imcs_gone(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	p->ended = p->gone = true;
	handle(s, p, now);
}

void imcs_password(struct imcs *s, struct imcs_peer *p, const char *hash,
		   enum imcs_checked checked, int64_t now)
{
	s->now = now;
	if (p->mode == PEER_HASHING) {
		p->mode = PEER_COMMANDS;
		imcs_hash_done(s, p, hash, checked);
	}
	handle(s, p, now);
}

/* ---- Clocks ---- */

/* The host sets one timer for all games. */
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

/* Ending a game frees its entry, so the next one is read before. */
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
	imcs_settle(s);
}

/* ---- The end ---- */

/*
 * Offers are cancelled and games broken off, each with its message, before all connections are
 * closed.
 */
void imcs_shut(struct imcs *s, int64_t now)
{
	s->now = now;
	s->stopping = s->stopped = true;
	imcs_clean(s, -1);
	for (struct entry *e = s->first, *next; e; e = next) {
		next = e->next;
		imcs_end_game(s, e, QV_UNDECIDED, IMCS_BY_STOP);
	}
	for (struct imcs_peer *p = s->peers; p; p = p->next) {
		if (p->mode == PEER_AWAY)
			imcs_say(s, p, "X fatal IO error: exiting");
		imcs_close_peer(s, p);
	}
	imcs_settle(s);
}
