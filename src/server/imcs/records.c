/*
 * records.c - the accounts and games of an IMCS server, in the store and on the page.
 * SPDX-License-Identifier: MIT
 *
 * Each account is also a user of the store, created with it, so that it can have a seat in a play.
 * All accounts are in memory, in order of registration, and searched linearly: IMCS has hundreds.
 */
#include "server/imcs/records.h"

#include <stdlib.h>

#include "server/imcs/live_games.h"
#include "server/api/inside.h"
#include "server/store/imcs.h"

enum { NEW_A_MINUTE = 600 }; /* accounts of one address */

struct stored_account {
	char user[STORE_ID];
	struct imcs_account account;
};

/* A game in progress. */
struct open_game {
	int64_t id, began;
	struct imcs_live_game show;
	struct open_game *next;
};

struct imcs_records {
	struct api *api;
	struct stored_account *accounts; /* in order of registration */
	size_t count, room;
	struct open_game *games;
	int64_t last_id;
};

/* ---- Accounts ---- */

static struct stored_account *add_account(struct imcs_records *k, const char *user,
			  const struct imcs_account *account)
{
	if (!mem_reserve(&mem_malloc, &k->accounts, &k->room, k->count + 1, sizeof *k->accounts))
		return NULL;
	struct stored_account *at = &k->accounts[k->count++];
	at->account = *account;
	snprintf(at->user, sizeof at->user, "%s", user);
	return at;
}

static struct stored_account *find(const struct imcs_records *k, const char *name)
{
	for (size_t i = 0; i < k->count; i++)
		if (strcmp(k->accounts[i].account.name, name) == 0)
			return &k->accounts[i];
	return NULL;
}

/* Skips a row that does not fit: it was not written by this program. */
static bool take_user(void *ctx, const struct store_imcs_user *row)
{
	struct imcs_records *k = ctx;
	struct imcs_account account = { .rating = row->rating };
	if (strlen(row->name) >= sizeof account.name ||
	    strlen(row->password_hash) >= sizeof account.hash)
		return true;
	memcpy(account.name, row->name, strlen(row->name) + 1);
	memcpy(account.hash, row->password_hash, strlen(row->password_hash) + 1);
	return add_account(k, row->user, &account);
}

enum qv_status imcs_records_load(struct imcs_records *k, struct imcs *server)
{
	for (size_t i = 0; i < k->count; i++)
		if (imcs_add_account(server, &k->accounts[i].account) != QV_OK)
			return QV_NO_MEMORY;
	return QV_OK;
}

void imcs_records_store_account(struct imcs_records *k, const struct imcs_account *account)
{
	struct store *store = k->api->store;
	struct stored_account *known = find(k, account->name);
	struct store_imcs_user row = { .rating = account->rating };
	if (!known) {
		char user[SECRETS_ID];
		secrets_user_id(user);
		known = add_account(k, user, account);
		if (!known)
			return;
		store_put_user(store, user, account->name, api_seconds(k->api));
	}
	known->account = *account;
	snprintf(row.name, sizeof row.name, "%s", account->name);
	snprintf(row.user, sizeof row.user, "%s", known->user);
	snprintf(row.password_hash, sizeof row.password_hash, "%s", account->hash);
	store_put_imcs_user(store, &row);
	store_end_unit(store, NULL, NULL);
}

bool imcs_records_set_admin(struct imcs_records *k, const char *password)
{
	const struct stored_account *known = find(k, "admin");
	struct imcs_account admin = { .name = "admin", .rating = IMCS_RATING };
	if (known)
		admin.rating = known->account.rating;
	if (!*password || !secrets_hash_weak(password, admin.hash))
		return false;
	imcs_records_store_account(k, &admin);
	return true;
}

bool imcs_records_may_register(struct imcs_records *k, const char *address)
{
	struct api *api = k->api;
	const double times = api->setup.per_address > 1 ? api->setup.per_address : 1;
	char name[BUCKETS_NAME];
	snprintf(name, sizeof name, "imcs %s", address);
	return buckets_take(api->buckets, name, NEW_A_MINUTE * times, NEW_A_MINUTE * times,
			    api_now(api));
}

/* ---- Games ---- */

static void write_game(struct imcs_records *k, const struct open_game *g,
		       const struct imcs_news *news)
{
	const bool ends = news->kind == IMCS_GAME_ENDS;
	struct store_imcs_game row = { .id = news->id,
				       .began = g->began,
				       .ended = ends ? api_seconds(k->api) : 0,
				       .result = ends ? news->result : "",
				       .log = ends ? news->log : "",
				       .log_size = ends ? news->log_size : 0 };
	snprintf(row.white, sizeof row.white, "%s", news->players[IMCS_WHITE]->name);
	snprintf(row.black, sizeof row.black, "%s", news->players[IMCS_BLACK]->name);
	snprintf(row.play, sizeof row.play, "%s", g->show.play);
	store_put_imcs_game(k->api->store, &row);
	store_end_unit(k->api->store, NULL, NULL);
}

/* Sets the users' ids and names; the pointers are valid until the list of accounts grows. */
static void set_players(const struct imcs_records *k, struct open_game *g,
			const struct imcs_news *news)
{
	for (int i = 0; i < 2; i++) {
		const struct stored_account *known = find(k, news->players[i]->name);
		g->show.users[i] = known ? known->user : "";
		g->show.names[i] = news->players[i]->name;
	}
}

static void begin(struct imcs_records *k, const struct imcs_news *news)
{
	struct open_game *g = calloc(1, sizeof *g);
	if (!g)
		return;
	g->id = news->id;
	g->began = api_seconds(k->api);
	g->next = k->games;
	k->games = g;
	set_players(k, g, news);
	imcs_live_begin(k->api, &g->show);
	write_game(k, g, news);
}

static struct open_game **find_game(struct imcs_records *k, int64_t id)
{
	struct open_game **at = &k->games;
	while (*at && (*at)->id != id)
		at = &(*at)->next;
	return at;
}

static const char *reason(enum imcs_end end)
{
	static const char *const words[] = { [IMCS_BY_RULES] = "",
					     [IMCS_BY_RESIGNING] = "resigns",
					     [IMCS_BY_TIME] = "time",
					     [IMCS_BY_LEAVING] = "disconnect",
					     [IMCS_BY_STOP] = "server stopped" };
	return words[end];
}

void imcs_records_store_game(struct imcs_records *k, const struct imcs_news *news)
{
	if (news->kind == IMCS_GAME_BEGINS) {
		begin(k, news);
		return;
	}
	struct open_game **at = find_game(k, news->id), *g = *at;
	if (!g)
		return;
	set_players(k, g, news);
	if (news->kind == IMCS_GAME_MOVES) {
		imcs_live_move(k->api, &g->show, (qv_record_ply(news->record) + 1) % 2, news->move);
		return;
	}
	imcs_live_end(k->api, g->show.play, news->winner, reason(news->end));
	write_game(k, g, news);
	*at = g->next;
	free(g);
}

/* ---- Unfinished games of a previous server ---- */

struct left {
	struct store_imcs_game game;
	struct left *next;
};

static bool take_left(void *ctx, const struct store_imcs_game *game)
{
	struct left **first = ctx, *left = malloc(sizeof *left);
	if (!left)
		return false;
	left->game = *game;
	left->next = *first;
	*first = left;
	return true;
}

/* Ends them without a result. Collects them first: the store cannot be written while it is read. */
static enum qv_status end_unfinished(struct imcs_records *k, struct qv_error *error)
{
	struct left *first = NULL;
	const enum qv_status status = store_imcs_games(k->api->store, 0, take_left, &first, error);
	while (first) {
		struct left *left = first;
		first = left->next;
		left->game.ended = api_seconds(k->api);
		left->game.result = "no result";
		left->game.log = "";
		left->game.log_size = 0;
		imcs_live_end(k->api, left->game.play, QV_UNDECIDED, reason(IMCS_BY_STOP));
		store_put_imcs_game(k->api->store, &left->game);
		store_end_unit(k->api->store, NULL, NULL);
		free(left);
	}
	return status;
}

/* ---- Opening and closing ---- */

enum qv_status imcs_records_open(struct api *api, struct imcs_records **out, struct qv_error *error)
{
	struct imcs_records *k = calloc(1, sizeof *k);
	if (!k)
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	k->api = api;
	enum qv_status status = store_imcs_users(api->store, take_user, k, error);
	if (status == QV_OK)
		status = store_imcs_last(api->store, &k->last_id, error);
	if (status == QV_OK)
		status = end_unfinished(k, error);
	if (status == QV_OK)
		*out = k;
	else
		imcs_records_close(k);
	return status;
}

void imcs_records_close(struct imcs_records *k)
{
	if (!k)
		return;
	while (k->games) {
		struct open_game *g = k->games;
		k->games = g->next;
		free(g);
	}
	free(k->accounts);
	free(k);
}

int64_t imcs_records_next_id(const struct imcs_records *k)
{
	return k->last_id + 1;
}
