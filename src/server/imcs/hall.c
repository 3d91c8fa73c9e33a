/*
 * hall.c - accounts, offers and games of several IMCS servers of one database.
 * SPDX-License-Identifier: MIT
 *
 * The store has the accounts, and a row for each offer and game that a server has now. What a
 * command needs is read before it runs: accounts that have changed since the last time, by their
 * version, and the rows of others. While the store is asked for some, others wait together for the
 * next time, so that it is asked one question at a time however many come.
 *
 * Rows of a server that is dead do not count. If it stays dead for LEFT_MS, its games end without a
 * result: whichever server is first writes that, since a game can end only once. A server that was
 * taken for dead looks which of its games it still has. So no game ends because the database was
 * away for some seconds, except those with players at two servers.
 */
#include <stdlib.h>

#include "server/imcs/hall_inside.h"

enum {
	ENTRIES_MOST = 8192, /* of all servers, as many as one may have connections */
	OFFERS_MOST = 64,    /* entries of one account */
	LEFT_MS = 3000,
	STALE_MS = 10000,
	STALE_S = 3600, /* an older game waits for the next start: its play is probably damaged */
};

static struct hall *hall_of(void *ctx)
{
	const struct imcs_base *base = ctx;
	return base->hall;
}

int64_t hall_now(const struct hall *h)
{
	return h->base->now_ms();
}

struct imcs_link *hall_link(const struct hall *h, uint64_t number)
{
	return h->base ? map_find(&h->links, number) : NULL;
}

struct hall *hall_use(struct hall *h)
{
	h->users++;
	return h;
}

bool hall_unuse(struct hall *h)
{
	if (--h->users > 0)
		return h->base != NULL;
	free(h->asked.list);
	free(h->next.list);
	free(h);
	return false;
}

/* After calls of the protocol. */
static void acted(const struct hall *h)
{
	if (h->base)
		h->base->acted(h->base);
}

bool hall_add(struct hall *h, struct imcs_link *link)
{
	if (!h)
		return true;
	link->number = ++h->last_number;
	return map_add(&h->links, link->number, link);
}

void hall_remove(struct hall *h, struct imcs_link *link)
{
	if (!h || !link->number)
		return;
	visitors_left(h, link);
	map_remove(&h->links, link->number, link);
	link->number = 0;
}

/* ---- Up to date ---- */

static void ask(struct hall *h);
static void on_accounts(void *ctx, struct store_rows *rows, const struct qv_error *error);

/* Those who have waited. A callback that comes at once may add to the other list. */
static void answer(struct hall *h, bool ok)
{
	struct hall_waiters done = h->asked;
	h->asked = (struct hall_waiters){ NULL, 0, 0 };
	h->asking = false;
	for (size_t i = 0; i < done.count && h->base; i++) {
		struct imcs_link *link = hall_link(h, done.list[i].number);
		if (!link)
			continue;
		if (done.list[i].wait == HALL_VISITOR)
			visitor_enter(h, link);
		else if (done.list[i].wait == HALL_TAKEN)
			imcs_stored(h->base->server, link->peer, IMCS_TAKEN, hall_now(h));
		else
			imcs_refreshed(h->base->server, link->peer, ok, hall_now(h));
	}
	free(done.list);
	acted(h);
	if (h->next.count && h->base)
		ask(h);
}

static void on_entries(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct hall *h = ctx;
	const size_t count = rows ? rows->count : 0;
	struct imcs_listed *list = count ? calloc(count, sizeof *list) : NULL;
	int listed = 0;
	(void)error;
	for (size_t i = 0; list && i < count; i++) {
		struct imcs_listed *to = &list[listed];
		struct store_imcs_entry e;
		if (!store_row_imcs_entry(rows, i, &e) || strlen(e.white) > IMCS_NAME ||
		    strlen(e.black) > IMCS_NAME)
			continue; /* not written by this program */
		*to = (struct imcs_listed){ .id = e.id, .color = e.color };
		strcpy(to->place, e.node);
		strcpy(to->white, e.white);
		strcpy(to->black, e.black);
		memcpy(to->offer_s, e.offer_s, sizeof to->offer_s);
		memcpy(to->ratings, e.ratings, sizeof to->ratings);
		listed++;
	}
	bool ok = rows && (list || !count);
	if (ok && h->base)
		ok = imcs_set_others(h->base->server, list, listed) == QV_OK;
	free(list);
	store_rows_free(rows);
	if (hall_unuse(h))
		answer(h, ok);
}

/* Asks for the next portion of changed accounts. */
static bool ask_accounts(struct hall *h)
{
	const struct store_value values[] = { value_number(imcs_records_version(h->base->records)),
					      value_number(STORE_PORTION) };
	return store_read(h->api->store, ASK_IMCS_USERS, values, 2, on_accounts, h) == QV_OK;
}

static void on_accounts(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct hall *h = ctx;
	const bool more = rows && rows->count == STORE_PORTION;
	bool ok = rows && h->base, entries = false;
	(void)error;
	for (size_t i = 0; ok && i < rows->count; i++)
		ok = imcs_records_take(h->base->records, h->base->server, rows, i);
	store_rows_free(rows);
	/* The reference goes on to the next callback, here and below. */
	if (ok && more && ask_accounts(h))
		return;
	ok = ok && !more;
	for (size_t i = 0; i < h->asked.count; i++)
		entries |= h->asked.list[i].entries;
	const struct store_value values[] = { value_text(cluster_node(h->api)),
					      value_number(ENTRIES_MOST) };
	if (ok && entries) {
		if (store_read(h->api->store, ASK_IMCS_ENTRIES, values, 2, on_entries, h) == QV_OK)
			return;
		ok = false;
	}
	if (hall_unuse(h))
		answer(h, ok);
}

static void ask(struct hall *h)
{
	const struct hall_waiters empty = h->asked;
	h->asked = h->next;
	h->next = empty;
	h->next.count = 0;
	h->asking = true;
	if (!ask_accounts(hall_use(h))) {
		hall_unuse(h);
		answer(h, false);
	}
}

void hall_refresh(struct hall *h, uint64_t number, enum hall_wait wait, bool entries)
{
	struct hall_waiters *w = &h->next;
	if (!mem_reserve(&mem_malloc, &w->list, &w->room, w->count + 1, sizeof *w->list))
		return; /* the client waits, and may leave */
	w->list[w->count++] = (struct hall_waiter){ number, wait, entries };
	if (!h->asking)
		ask(h);
}

static void refresh(void *ctx, void *conn, bool entries)
{
	const struct imcs_link *link = conn;
	hall_refresh(hall_of(ctx), link->number, HALL_COMMAND, entries);
}

/* ---- Accounts ---- */

/* Something on its way to the store. */
struct pending {
	struct hall *hall;
	uint64_t number; /* of the link */
	enum imcs_change change;
	struct imcs_account account;
	char user[STORE_ID];
	struct store_imcs_entry offer;
};

/* NULL: out of memory. It refers to the hall until pending_end. */
static struct pending *pending_new(struct hall *h, const struct imcs_link *link)
{
	struct pending *p = calloc(1, sizeof *p);
	if (p) {
		p->hall = hall_use(h);
		p->number = link->number;
	}
	return p;
}

/* False: the hall was closed. */
static bool pending_end(struct pending *p)
{
	struct hall *h = p->hall;
	free(p);
	return hall_unuse(h);
}

/* A new name that its unit has refused is somebody else's, who may log in after a refresh. */
static void on_stored(void *ctx, bool ok)
{
	const struct pending p = *(struct pending *)ctx;
	struct hall *h = p.hall;
	if (!pending_end(ctx))
		return;
	if (ok)
		imcs_records_stored(h->base->records, h->base->server, &p.account, p.user,
				    p.change);
	const struct imcs_link *link = hall_link(h, p.number);
	const enum imcs_storing stored = imcs_records_storing(h->base->records, p.change, ok);
	if (link && stored == IMCS_TAKEN)
		hall_refresh(h, p.number, HALL_TAKEN, false);
	else if (link)
		imcs_stored(h->base->server, link->peer, stored, hall_now(h));
	acted(h);
}

void hall_store(void *ctx, void *conn, const struct imcs_account *account, enum imcs_change change)
{
	struct hall *h = hall_of(ctx);
	const struct imcs_link *link = conn;
	struct pending *p = pending_new(h, link);
	if (p) {
		p->change = change;
		p->account = *account;
		if (imcs_records_change(h->base->records, account, change, p->user, on_stored, p) ==
		    QV_OK)
			return;
		pending_end(p);
	}
	imcs_stored(h->base->server, link->peer, IMCS_NOT_STORED, hall_now(h));
}

/* ---- Offers ---- */

static void withdraw(void *ctx, int64_t id)
{
	const struct hall *h = hall_of(ctx);
	store_drop_imcs_entry(h->api->store, id);
	store_end_unit(h->api->store, NULL, NULL);
}

/* Of a unit that failed by itself, too many offers are the only reason. */
static void on_offered(void *ctx, bool ok)
{
	const struct pending p = *(struct pending *)ctx;
	struct hall *h = p.hall;
	if (!pending_end(ctx))
		return;
	const struct imcs_link *link = hall_link(h, p.number);
	const int64_t id = ok ? p.offer.id : store_failing(h->api->store, NULL) ? -1 : 0;
	if (link)
		imcs_offered(h->base->server, link->peer, id, hall_now(h));
	else if (ok)
		withdraw(h->base, id);
	acted(h);
}

/* The next number of a game: now the offer can be stored. */
static void on_number(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct pending *p = ctx;
	struct store *s = p->hall->api->store;
	(void)error;
	p->offer.id = rows && rows->count ? store_rows_number(rows, 0, 0) : 0;
	store_rows_free(rows);
	if (p->offer.id > 0 && p->hall->base) {
		store_add_imcs_offer(s, &p->offer, OFFERS_MOST, ENTRIES_MOST);
		if (store_end_unit(s, on_offered, p) == QV_OK)
			return;
	}
	struct hall *h = p->hall;
	const struct imcs_link *link = hall_link(h, p->number);
	if (!pending_end(p))
		return;
	if (link)
		imcs_offered(h->base->server, link->peer, -1, hall_now(h));
	acted(h);
}

static void offer(void *ctx, void *conn, const struct imcs_listed *offered)
{
	struct hall *h = hall_of(ctx);
	const struct imcs_link *link = conn;
	struct pending *p = pending_new(h, link);
	if (p) {
		p->offer.color = offered->color;
		memcpy(p->offer.offer_s, offered->offer_s, sizeof p->offer.offer_s);
		snprintf(p->offer.white, sizeof p->offer.white, "%s", offered->white);
		snprintf(p->offer.node, sizeof p->offer.node, "%s", cluster_node(h->api));
		if (store_read(h->api->store, ASK_IMCS_NEXT, NULL, 0, on_number, p) == QV_OK)
			return;
		pending_end(p);
	}
	imcs_offered(h->base->server, link->peer, -1, hall_now(h));
}

/* The rows go at once, so that no list shows them; their servers tell those who wait. */
static void clean(void *ctx, const char *name)
{
	const struct hall *h = hall_of(ctx);
	store_drop_imcs_offers(h->api->store, name);
	store_end_unit(h->api->store, NULL, NULL);
	cluster_send(h->api, "", json_pack("{s:s, s:s}", "imcs", "clean", "name", name), NULL, NULL);
}

const struct imcs_shared *hall_functions(const struct api *api)
{
	static const struct imcs_shared functions = { .refresh = refresh,
						      .offer = offer,
						      .withdraw = withdraw,
						      .clean = clean,
						      .visit = hall_visit,
						      .forward = hall_forward };
	return *cluster_node(api) ? &functions : NULL;
}

/* ---- Other servers ---- */

/* Those whose result waits here end when it is stored. */
static void end_games(struct hall *h, const struct store_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct store_imcs_game game;
		if (store_row_imcs_game(rows, i, &game) &&
		    !imcs_records_has_result(h->base->records, game.id))
			imcs_records_end_left(h->api, &game);
	}
}

/* If a server was lost meanwhile, it may come back: what it has is left alone until the next look. */
static void on_left(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct hall *h = ctx;
	const bool valid = rows && !h->left_ms;
	(void)error;
	if (!rows && h->base && !h->left_ms)
		h->left_ms = hall_now(h) + LEFT_MS;
	if (valid && h->base)
		end_games(h, rows);
	store_rows_free(rows);
	if (hall_unuse(h) && valid) {
		store_drop_dead_imcs(h->api->store);
		store_end_unit(h->api->store, NULL, NULL);
	}
}

static void end_left(struct hall *h)
{
	if (store_read(h->api->store, ASK_IMCS_LEFT, NULL, 0, on_left, hall_use(h)) == QV_OK)
		return;
	hall_unuse(h);
	h->left_ms = hall_now(h) + LEFT_MS;
}

static void on_stale(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct hall *h = ctx;
	(void)error;
	if (rows && h->base)
		end_games(h, rows);
	store_rows_free(rows);
	hall_unuse(h);
}

/*
 * The database may have refused the end of a play, or the server that has the play may not be that
 * of its game. No event reports when the play can end, so servers look for it.
 */
static void end_stale(struct hall *h)
{
	const struct store_value since = value_number(api_seconds(h->api) - STALE_S);
	h->stale_ms = hall_now(h) + STALE_MS;
	if (store_read(h->api->store, ASK_IMCS_STALE, &since, 1, on_stale, hall_use(h)) != QV_OK)
		hall_unuse(h);
}

static void died(void *ctx, const char *node)
{
	struct hall *h = ctx;
	visitors_break(h, node);
	if (h->left_ms != INT64_MAX)
		h->left_ms = hall_now(h) + LEFT_MS;
	acted(h);
}

static void lost(void *ctx)
{
	struct hall *h = ctx;
	visitors_break(h, NULL);
	h->left_ms = INT64_MAX; /* the others may be lost just as well, and come back later */
	h->own_due = false;
	acted(h);
}

/* If it fails the next sweep repeats it. */
static void on_own(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct hall *h = ctx;
	int64_t *ids = rows ? calloc(rows->count + 1, sizeof *ids) : NULL;
	(void)error;
	h->own_due |= !ids;
	for (size_t i = 0; ids && i < rows->count; i++)
		ids[i] = store_rows_number(rows, i, 0);
	if (ids && h->base)
		imcs_keep_only(h->base->server, ids, rows->count, hall_now(h));
	/* What was withdrawn while the database was away may still be listed. */
	for (size_t i = 0; ids && h->base && i < rows->count; i++)
		if (!imcs_has_entry(h->base->server, ids[i]) &&
		    !imcs_records_has_result(h->base->records, ids[i]))
			withdraw(h->base, ids[i]);
	free(ids);
	store_rows_free(rows);
	if (hall_unuse(h))
		acted(h);
}

static void ask_own(struct hall *h)
{
	const struct store_value node = value_text(cluster_node(h->api));
	h->own_due =
		store_read(h->api->store, ASK_IMCS_OWN, &node, 1, on_own, hall_use(h)) != QV_OK;
	if (h->own_due)
		hall_unuse(h);
}

static void found(void *ctx)
{
	struct hall *h = ctx;
	h->left_ms = hall_now(h) + LEFT_MS; /* plays may not have ended with their games */
	ask_own(h);
}

static void heard(void *ctx, const json_t *message)
{
	struct hall *h = ctx;
	const char *what = json_string_value(json_object_get(message, "imcs"));
	const char *name = json_string_value(json_object_get(message, "name"));
	if (!message)
		visitors_break(h, NULL);
	if (!message || (what && strcmp(what, "changed") == 0))
		hall_refresh(h, 0, HALL_COMMAND, false);
	else if (what && name && strcmp(what, "clean") == 0)
		imcs_withdraw(h->base->server, name, hall_now(h));
	else
		visitors_hear(h, message);
	acted(h);
}

/* ---- Opening and closing ---- */

enum qv_status hall_open(struct imcs_base *base, struct api *api, struct hall **out,
			 struct qv_error *error)
{
	if (!*cluster_node(api))
		return QV_OK;
	struct hall *h = calloc(1, sizeof *h);
	if (!h)
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	h->base = base;
	h->api = api;
	h->users = 1;
	h->links.allocator = &mem_malloc;
	h->left_ms = hall_now(h) + LEFT_MS; /* a server may have died just before */
	h->stale_ms = hall_now(h) + STALE_MS;
	h->watch = (struct cluster_watch){ heard, died, lost, found, h };
	api->watch = &h->watch;
	*out = h;
	return QV_OK;
}

void hall_sweep(struct hall *h)
{
	if (!h)
		return;
	visitors_sweep(h);
	if (h->left_ms && hall_now(h) >= h->left_ms) {
		h->left_ms = 0;
		end_left(h);
	}
	if (hall_now(h) >= h->stale_ms && !cluster_is_lost(h->api))
		end_stale(h);
	if (h->own_due)
		ask_own(h);
	acted(h);
}

void hall_close(struct hall *h)
{
	if (!h)
		return;
	h->api->watch = NULL;
	visitors_free(h);
	map_release(&h->links);
	h->base = NULL;
	hall_unuse(h);
}
