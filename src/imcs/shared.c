/*
 * shared.c - an IMCS server among others that share its accounts, offers and games.
 * SPDX-License-Identifier: MIT
 *
 * A command that needs to know what others have done waits until the host has read it, and then runs
 * from its start (WAIT_REFRESH). Each game is at the server where it was offered. Who accepts it
 * elsewhere is a visitor there, and PEER_AWAY here: its bytes go there, and what is written there
 * comes here, until the connection is closed with the end of the game.
 */
#include "imcs/inside.h"

static const char no_database[] = "499 internal error: the database does not respond";

/* ---- What others have done ---- */

enum qv_status imcs_put_account(struct imcs *s, const struct imcs_account *account)
{
	const int number = imcs_account_number(s, account->name);
	if (number < 0)
		return imcs_add_account(s, account);
	s->accounts[number] = *account;
	imcs_rated(s, number);
	return QV_OK;
}

enum qv_status imcs_set_others(struct imcs *s, const struct imcs_listed *others, int count)
{
	s->other_count = 0;
	if (!mem_reserve(s->allocator, &s->others, &s->other_room, (size_t)count,
			 sizeof *s->others))
		return QV_NO_MEMORY;
	if (count)
		memcpy(s->others, others, (size_t)count * sizeof *others);
	s->other_count = count;
	return QV_OK;
}

const struct imcs_listed *imcs_other_offer(const struct imcs *s, int64_t id)
{
	for (int i = 0; i < s->other_count; i++)
		if (s->others[i].id == id && !*s->others[i].black)
			return &s->others[i];
	return NULL;
}

int imcs_forget_offers(struct imcs *s, const char *name)
{
	int left = 0;
	for (int i = 0; i < s->other_count; i++)
		if (*s->others[i].black || strcmp(s->others[i].white, name) != 0)
			s->others[left++] = s->others[i];
	const int count = s->other_count - left;
	s->other_count = left;
	return count;
}

void imcs_withdraw(struct imcs *s, const char *name, int64_t now)
{
	const int account = name ? imcs_account_number(s, name) : -1;
	s->now = now;
	if (!name || account >= 0)
		imcs_clean(s, account);
	imcs_settle(s);
}

/* ---- Responses of the host ---- */

/* Does the peer wait for this? Then it gives commands again. */
static bool stops_waiting(struct imcs *s, struct imcs_peer *p, enum wait wait, int64_t now)
{
	s->now = now;
	if (p->mode != PEER_WAITING || p->wait != wait)
		return false;
	p->mode = PEER_COMMANDS;
	imcs_touch(s, p);
	return true;
}

void imcs_refreshed(struct imcs *s, struct imcs_peer *p, bool ok, int64_t now)
{
	char line[IMCS_LINE + 1];
	if (!stops_waiting(s, p, WAIT_REFRESH, now))
		return;
	const size_t length = p->line.length < IMCS_LINE ? p->line.length : IMCS_LINE;
	if (ok && !p->line.failed) {
		memcpy(line, p->line.data, length);
		line[length] = '\0';
		p->fresh = true;
		imcs_command(s, p, line, length);
		p->fresh = false;
	} else {
		imcs_say(s, p, no_database);
	}
	imcs_settle(s);
}

void imcs_stored(struct imcs *s, struct imcs_peer *p, enum imcs_storing stored, int64_t now)
{
	if (!stops_waiting(s, p, WAIT_STORE, now))
		return;
	imcs_store_done(s, p, stored);
	imcs_settle(s);
}

void imcs_offered(struct imcs *s, struct imcs_peer *p, int64_t id, int64_t now)
{
	const struct imcs_host *host = &s->setup.host;
	if (!stops_waiting(s, p, WAIT_OFFER, now))
		return;
	p->offer.id = id;
	if (id < 0)
		imcs_say(s, p, no_database);
	else if (!id)
		imcs_say(s, p, "503 too many offers, come back later");
	else if (s->stopping)
		imcs_say(s, p, "421 offer countermanded");
	else
		imcs_add_offer(s, p, &p->offer);
	if (id > 0 && p->mode != PEER_OFFERING)
		host->shared->withdraw(host->ctx, id);
	imcs_settle(s);
}

/* ---- Away ---- */

void imcs_visited(struct imcs *s, struct imcs_peer *p, bool begun, const char *text, size_t size,
		  int64_t now)
{
	if (!stops_waiting(s, p, WAIT_VISIT, now))
		return;
	if (size)
		string_add(&p->out, text, size);
	if (begun)
		p->mode = PEER_AWAY;
	imcs_settle(s);
}

void imcs_pass_on(struct imcs *s, struct imcs_peer *p)
{
	const struct imcs_host *host = &s->setup.host;
	const size_t left = p->in.length - p->read;
	if (p->end_passed || (!left && !p->ended))
		return;
	const size_t passed = host->shared->forward(host->ctx, p->conn, p->in.data + p->read,
						    p->gone ? 0 : left,
						    p->gone    ? IMCS_GONE
						    : p->ended ? IMCS_ENDED
							       : IMCS_FOLLOWS);
	p->read += passed;
	p->end_passed = p->ended && (p->gone || passed == left);
}

void imcs_more(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	s->now = now;
	imcs_touch(s, p);
	imcs_settle(s);
}

void imcs_relay(struct imcs *s, struct imcs_peer *p, const char *text, size_t size, bool close,
		int64_t now)
{
	s->now = now;
	if (p->mode != PEER_AWAY)
		return;
	if (size)
		string_add(&p->out, text, size);
	imcs_touch(s, p);
	if (close)
		imcs_close_peer(s, p);
	imcs_settle(s);
}

void imcs_break_off(struct imcs *s, struct imcs_peer *p, int64_t now)
{
	s->now = now;
	if (p->mode == PEER_PLAYING) {
		imcs_end_game(s, p->entry, QV_UNDECIDED, IMCS_BY_STOP);
	} else if (p->mode == PEER_AWAY) {
		imcs_say(s, p, "X fatal IO error: exiting");
		imcs_close_peer(s, p);
	} else if (p->mode == PEER_WAITING && p->wait == WAIT_VISIT) {
		p->mode = PEER_COMMANDS;
		imcs_say(s, p, "408 no such game");
	}
	imcs_settle(s);
}

void imcs_keep_only(struct imcs *s, const int64_t *ids, size_t count, int64_t now)
{
	s->now = now;
	for (struct entry *e = s->first, *next; e; e = next) {
		bool found = false;
		for (size_t i = 0; i < count && !found; i++)
			found = ids[i] == e->id;
		next = e->next;
		if (!found && e->offerer)
			imcs_withdraw_entry(s, e);
		else if (!found)
			imcs_end_game(s, e, QV_UNDECIDED, IMCS_BY_STOP);
	}
	imcs_settle(s);
}

bool imcs_has_entry(const struct imcs *s, int64_t id)
{
	const struct entry *e = s->first;
	while (e && e->id != id)
		e = e->next;
	return e;
}

/* ---- Visitors ---- */

/* A peer whose only command is `accept`: afterwards it plays, or is closed. */
struct imcs_peer *imcs_visit(struct imcs *s, void *conn, const char *address, const char *name,
			     int64_t id, char color, int64_t now)
{
	char line[64];
	struct imcs_peer *p = imcs_peer_new(s, conn, address);
	if (!p)
		return NULL;
	s->now = now;
	p->visitor = true;
	p->account = imcs_account_number(s, name);
	snprintf(line, sizeof line, "accept %lld %c", (long long)id, color);
	imcs_command(s, p, line, strlen(line));
	imcs_settle(s);
	return s->greeted;
}
