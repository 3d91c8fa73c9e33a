/*
 * bounds.c - what visitors may store: quotas, space, and the removal of what guests leave behind.
 * SPDX-License-Identifier: MIT
 *
 * Users are free to make, so what is stored is charged to the address first, and to the user too, who
 * may have many addresses. Names of quotas are hashes of the address and the day, with the server's
 * key: the database has no addresses, and days cannot be connected. Charges are collected in memory
 * and stored every few seconds, one unit after the other, until they are stored; a crash may forget
 * the last ones.
 *
 * A visitor beyond the quota, and everybody while space is short, may begin nothing new and add
 * nothing to games in progress, but can play them to their end.
 */
#include "server/api/bounds.h"

#include <stdlib.h>

#include "server/api/inside.h"
#include "server/api/limits.h"

enum {
	DAY_S = 86400,
	DAY_BYTES = 16 << 20,
	ROW_COST = 256,	     /* bytes of a name, a token or the like, with its indexes */
	SAVE_MS = 5000,	     /* between two times that charges are stored */
	SAVE_MOST = 500,     /* charges in one unit */
	ASK_MS = 60000,	     /* after which the charges of other servers are read */
	NOTICED_SHARE = 16,  /* of the quota: who has stored less is not remembered */
	ACCOUNT_ROWS = 2,    /* of a name at IMCS: the user and the account */
	PRUNE_MS = 1000,     /* between two portions that are removed */
	PRUNE_FIRST_MS = 600000, /* after the start: time to read the log */
	PRUNE_REST_MS = 3600000, /* after everything was looked at */
	SURPRISE_MS = 60000, /* between two looks whether the operator has confirmed the clock */
	QUOTA_NAME = 40,
};

/* What one address or one user has stored today. */
struct quota {
	char name[QUOTA_NAME];
	int64_t used, unsaved; /* bytes; unsaved: not yet in the store */
};

/* Charges on their way to the store. */
struct saving {
	struct api *api;
	int64_t day;
	bool more; /* some did not fit */
	int count;
	struct charge {
		char name[QUOTA_NAME];
		int64_t bytes;
	} charges[SAVE_MOST];
};

struct bounds {
	int64_t day; /* of the quotas, since 1970 */
	struct map quotas;
	int64_t save_ms;   /* when to store charges; 0: there are none */
	bool saving;	   /* some are on their way; others wait for them */
	int64_t ask_ms;	   /* when to read those of other servers */
	bool asking;	   /* they are being read */
	int64_t asked_day; /* which were asked for last */
	int64_t noticed;   /* bytes: the least that is remembered of others, or after a restart */
	struct store_prune prune;
	int64_t prune_ms;  /* when to remove the next portion; 0: at once */
	int64_t trusted;   /* the last time (s) that was no surprise: store_find_clock */
	bool surprised;	   /* as last logged */
	int64_t pruned_users; /* of those removed: which the cache of names has forgotten */
	bool tight;	   /* as last logged */
};

/* ---- Quotas ---- */

static void forget_quotas(struct bounds *b)
{
	struct quota *quota;
	for (size_t at = 0; (quota = map_next(&b->quotas, &at));) {
		map_remove_text(&b->quotas, quota);
		free(quota);
	}
}

/* NULL: out of memory. */
static struct quota *quota_at(struct bounds *b, const char *name)
{
	struct quota *quota = map_find_text(&b->quotas, name);
	if (quota || !(quota = calloc(1, sizeof *quota)))
		return quota;
	snprintf(quota->name, sizeof quota->name, "%s", name);
	if (map_add_text(&b->quotas, quota))
		return quota;
	free(quota);
	return NULL;
}

/* "a" and a hash of key, day and address, or "u" and the user. */
static void quota_name(const struct api *api, char kind, const char *whose, char out[QUOTA_NAME])
{
	uint8_t hash[SECRETS_HASH];
	char text[SECRETS_KEY + 32 + API_ADDRESS];
	if (kind == 'u') {
		snprintf(out, QUOTA_NAME, "u %.*s", API_USER, whose);
		return;
	}
	memcpy(text, api->secrets.key, SECRETS_KEY);
	const int length = snprintf(text + SECRETS_KEY, sizeof text - SECRETS_KEY, "quota %lld %s",
				    (long long)api->bounds->day, whose);
	secrets_sha256(text, SECRETS_KEY + (size_t)length, hash);
	int at = snprintf(out, QUOTA_NAME, "a ");
	for (int i = 0; i < 16; i++)
		at += snprintf(out + at, QUOTA_NAME - (size_t)at, "%02x", hash[i]);
}

/* A new day begins with nothing. Ends a unit, so none may be being filled. */
static void turn_day(struct api *api)
{
	struct bounds *b = api->bounds;
	const int64_t day = api_seconds(api) / DAY_S;
	if (day == b->day)
		return;
	bounds_save(api);
	forget_quotas(b);
	b->day = day;
}

static void charge(struct api *api, char kind, const char *whose, size_t bytes)
{
	struct bounds *b = api->bounds;
	char name[QUOTA_NAME];
	if (!*whose)
		return;
	quota_name(api, kind, whose, name);
	struct quota *quota = quota_at(b, name);
	if (!quota)
		return;
	quota->used += (int64_t)bytes;
	quota->unsaved += (int64_t)bytes;
	if (!b->save_ms)
		b->save_ms = api_now(api) + SAVE_MS;
}

void bounds_charge(struct api *api, const char *address, const char *user, size_t bytes)
{
	char site[LIMIT_ADDRESS];
	charge(api, 'a', address, bytes);
	charge(api, 'u', user, bytes);
	if (limits_site(address, site))
		charge(api, 'a', site, bytes);
}

static int64_t used_today(const struct api *api, char kind, const char *whose)
{
	char name[QUOTA_NAME];
	quota_name(api, kind, whose, name);
	const struct quota *quota = map_find_text(&api->bounds->quotas, name);
	return quota ? quota->used : 0;
}

/* The limit of an address is scaled like the others: a whole school may be behind it. */
static int64_t quota_of_day(const struct api *api)
{
	const int64_t most = api->setup.day_bytes ? api->setup.day_bytes : DAY_BYTES;
	return most * (api->setup.per_address > 1 ? api->setup.per_address : 1);
}

static bool is_beyond_quota(const struct api *api, const char *address, const char *user)
{
	const int64_t most = quota_of_day(api);
	char site[LIMIT_ADDRESS];
	return used_today(api, 'a', address) >= most || used_today(api, 'u', user) >= most ||
	       (limits_site(address, site) && used_today(api, 'a', site) >= LIMIT_SITE * most);
}

/* By name, as all servers do: two that lock the same rows in another order would wait forever. */
static int compare_charges(const void *a, const void *b)
{
	return strcmp(((const struct charge *)a)->name, ((const struct charge *)b)->name);
}

static void collect_charges(const struct bounds *b, struct saving *s)
{
	struct quota *quota;
	for (size_t at = 0; !s->more && (quota = map_next(&b->quotas, &at));) {
		if (!quota->unsaved)
			continue;
		s->more = s->count == SAVE_MOST;
		if (s->more)
			break;
		struct charge *charge = &s->charges[s->count++];
		memcpy(charge->name, quota->name, sizeof charge->name);
		charge->bytes = quota->unsaved;
		quota->unsaved = 0;
	}
	qsort(s->charges, (size_t)s->count, sizeof *s->charges, compare_charges);
}

/* What was not stored is stored later, unless the day has ended meanwhile. */
static void on_saved(void *ctx, bool ok)
{
	struct saving *s = ctx;
	struct api *api = s->api;
	struct bounds *b = api->bounds;
	b->saving = false;
	for (int i = 0; !ok && s->day == b->day && i < s->count; i++) {
		struct quota *quota = quota_at(b, s->charges[i].name);
		if (quota)
			quota->unsaved += s->charges[i].bytes;
	}
	if (!ok)
		b->save_ms = api_now(api) + SAVE_MS;
	else if (s->more)
		b->save_ms = api_now(api);
	free(s);
}

/* A unit of its own, so that it cannot fail with anything else. */
void bounds_save(struct api *api)
{
	struct bounds *b = api->bounds;
	if (!b || !api->store || (b->saving && !api->closing))
		return;
	struct saving *s = calloc(1, sizeof *s);
	b->save_ms = s ? 0 : api_now(api) + SAVE_MS;
	if (!s)
		return;
	s->api = api;
	s->day = b->day;
	collect_charges(b, s);
	if (!s->count) {
		free(s);
		return;
	}
	for (int i = 0; i < s->count; i++)
		store_add_quota(api->store, s->charges[i].name, b->day, s->charges[i].bytes);
	b->saving = true;
	if (store_end_unit(api->store, on_saved, s) != QV_OK)
		on_saved(s, false);
}

/* Each guest is a name, so there may be very many that have stored next to nothing. */
static void take_quota(void *ctx, const char *name, int64_t used)
{
	struct bounds *b = ctx;
	struct quota *quota =
		used < b->noticed ? map_find_text(&b->quotas, name) : quota_at(b, name);
	if (quota && used + quota->unsaved > quota->used)
		quota->used = used + quota->unsaved;
}

static void on_quotas(void *ctx, struct store_rows *rows, const struct qv_error *error);

/* The next portion, after this name. */
static void ask_quotas(struct api *api, const char *last)
{
	struct bounds *b = api->bounds;
	const struct store_value values[] = { value_number(b->asked_day), value_text(last),
					      value_number(STORE_PORTION) };
	b->asking = store_read(api->store, ASK_QUOTAS, values, 3, on_quotas, api) == QV_OK;
}

/* Not if the day has ended meanwhile. */
static void on_quotas(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	struct bounds *b = api->bounds;
	(void)error; /* it is asked again */
	const bool wanted = rows && !api->closing && b->asked_day == b->day;
	b->asking = false;
	for (size_t i = 0; wanted && i < rows->count; i++)
		take_quota(b, store_rows_text(rows, i, 0), store_rows_number(rows, i, 1));
	if (wanted && rows->count == STORE_PORTION)
		ask_quotas(api, store_rows_text(rows, rows->count - 1, 0));
	store_rows_free(rows);
}

/* Servers of one store share the quotas. */
static void ask_others(struct api *api, int64_t now)
{
	struct bounds *b = api->bounds;
	if (!*cluster_node(api) || now < b->ask_ms || b->asking)
		return;
	b->ask_ms = now + ASK_MS;
	b->asked_day = b->day;
	ask_quotas(api, "");
}

/* ---- Requests ---- */

/* If it is, a probe finds out whether it still is. */
static bool is_space_short(struct api *api)
{
	const bool tight = store_space(api->store).tight;
	if (tight)
		store_probe(api->store);
	return tight;
}

bool bounds_allow(struct api *api, const struct api_request *r)
{
	turn_day(api);
	if (is_space_short(api)) {
		reply_error(api, r->call, 503,
			    "store: space is short; nothing new can be stored now, but games in "
			    "progress continue");
		return false;
	}
	if (is_beyond_quota(api, r->visitor->address, r->visitor->user)) {
		reply_error(api, r->call, 429,
			    "quota: you have stored as much as is allowed in a day; try again "
			    "tomorrow");
		return false;
	}
	return true;
}

bool bounds_admit(struct api *api, const struct api_request *r)
{
	if (api->run->admitted)
		return true;
	if (!bounds_allow(api, r))
		return false;
	bounds_charge(api, r->visitor->address, "", ROW_COST);
	api->run->admitted = true;
	return true;
}

bool bounds_admit_account(struct api *api, const char *address)
{
	turn_day(api);
	if (is_space_short(api) || is_beyond_quota(api, address, ""))
		return false;
	bounds_charge(api, address, "", ACCOUNT_ROWS * ROW_COST);
	return true;
}

/* ---- Turns ---- */

/* A line when space becomes short, or is there again. */
static void log_space(struct api *api)
{
	const struct store_space space = store_space(api->store);
	char line[200];
	if (space.tight == api->bounds->tight)
		return;
	api->bounds->tight = space.tight;
	const int length = snprintf(line, sizeof line, "store: %s: the database has %lld MiB",
				    space.tight ? "space is short, nothing new is stored"
						: "there is space again",
				    (long long)(space.bytes >> 20));
	if (space.disk)
		snprintf(line + length, sizeof line - (size_t)length,
			 ", the disk has %lld MiB free", (long long)(space.free >> 20));
	log_line(api, space.tight ? "error" : "info", line);
}

/* A game in memory may be in use; it is removed another time. */
static bool is_in_memory(void *ctx, const char *play)
{
	const struct api *api = ctx;
	return map_find_text(&api->rooms, play) != NULL;
}

/* For the unit that removes users. */
static void tell_others(void *ctx)
{
	cluster_forget(ctx, false);
}

bool bounds_doubt_clock(const struct api *api)
{
	return api_seconds(api) - api->bounds->trusted > STORE_SURPRISE_S;
}

/* The operator may have confirmed the clock. */
static void on_clock(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	(void)error; /* it is asked again */
	const int64_t found = rows && rows->count ? atoll(store_rows_text(rows, 0, 0)) : 0;
	if (!api->closing && found > api->bounds->trusted)
		api->bounds->trusted = found;
	store_rows_free(rows);
}

/* Before anything is removed because it is old. False: perhaps it is not. */
static bool trust_clock(struct api *api)
{
	struct bounds *b = api->bounds;
	const int64_t now = api_seconds(api);
	const struct store_value what = value_text("clock");
	char line[240];
	if (!bounds_doubt_clock(api)) {
		b->surprised = false;
		if (now > b->trusted) {
			b->trusted = now;
			store_set_clock(api->store, now);
			store_end_unit(api->store, NULL, NULL);
		}
		return true;
	}
	if (!b->surprised) {
		snprintf(line, sizeof line,
			 "clock: it is %lld days after the last time in the database; nothing old is "
			 "removed until you run 'quevedo server prune --clock-is-right', or set it",
			 (long long)((now - b->trusted) / DAY_S));
		log_line(api, "error", line);
	}
	b->surprised = true;
	store_read(api->store, ASK_MARK, &what, 1, on_clock, api);
	return false;
}

/* What a pass has removed, if it is anything that somebody made. */
static void log_removed(struct api *api, const struct store_pruned *r)
{
	char line[200];
	if (!r->games && !r->studies && !r->users)
		return;
	snprintf(line, sizeof line, "removed what guests left: %lld games, %lld studies, %lld guests",
		 (long long)r->games, (long long)r->studies, (long long)r->users);
	log_line(api, "warn", line);
}

/* Removes the next portion; after the last one it rests. */
static void prune(struct api *api, int64_t now)
{
	struct bounds *b = api->bounds;
	struct store_prune *p = &b->prune;
	const int64_t seconds = api_seconds(api);
	b->prune_ms = now + PRUNE_MS;
	if (p->busy)
		return;
	/* Names of users who are gone must not stay in a cache: see tell_others, too. */
	if (p->removed.users != b->pruned_users) {
		users_forget(api);
		cluster_forget(api, true);
	}
	b->pruned_users = p->removed.users;
	if (p->phase == PRUNE_DONE && p->today) {
		log_removed(api, &p->removed);
		b->prune_ms = now + PRUNE_REST_MS;
		p->today = 0;
		return;
	}
	if (!p->today) {
		const int keep = api->setup.keep_guests, unfinished = api->setup.keep_unfinished;
		if (!trust_clock(api)) {
			b->prune_ms = now + SURPRISE_MS;
			return;
		}
		*p = (struct store_prune){ .before = keep ? seconds - (int64_t)keep * DAY_S : 0,
					   .unfinished = unfinished ? seconds -
									      (int64_t)unfinished * DAY_S
								    : 0,
					   .today = seconds / DAY_S,
					   .now = seconds,
					   .keep = is_in_memory,
					   .fill = tell_others,
					   .ctx = api };
		b->pruned_users = 0;
	}
	store_prune_step(api->store, p);
}

int64_t bounds_turn(struct api *api)
{
	struct bounds *b = api->bounds;
	const int64_t now = api_now(api);
	turn_day(api);
	log_space(api);
	if (b->save_ms && b->save_ms <= now && !b->saving)
		bounds_save(api);
	if (b->prune_ms <= now)
		prune(api, now);
	ask_others(api, now);
	return earlier(b->save_ms && !b->saving ? b->save_ms : -1, b->prune_ms);
}

/* ---- Opening and closing ---- */

enum qv_status bounds_open(struct api *api, struct qv_error *error)
{
	struct bounds *b = calloc(1, sizeof *b);
	if (!b)
		return qv_fail(error, QV_NO_MEMORY, "server: out of memory");
	api->bounds = b;
	b->day = api_seconds(api) / DAY_S;
	b->quotas = (struct map){ .allocator = &mem_malloc,
				  .text_at = offsetof(struct quota, name) };
	b->prune_ms = api_now(api) + PRUNE_FIRST_MS;
	b->noticed = quota_of_day(api) / NOTICED_SHARE;
	bool kept;
	const enum qv_status status = store_find_clock(api->store, &b->trusted, &kept, error);
	if (!b->trusted) /* an empty database */
		b->trusted = api_seconds(api);
	if (status == QV_OK && !kept) { /* before anything is stored with a time that is wrong */
		store_set_clock(api->store, b->trusted);
		store_end_unit(api->store, NULL, NULL);
	}
	return status == QV_OK ? store_list_quotas(api->store, b->day, take_quota, b, error)
			       : status;
}

void bounds_free(struct api *api)
{
	if (!api->bounds)
		return;
	forget_quotas(api->bounds);
	map_release(&api->bounds->quotas);
	free(api->bounds);
	api->bounds = NULL;
}
