/*
 * api.c - the API itself: routes, visitors, rate limits, turns, opening and closing.
 * SPDX-License-Identifier: MIT
 *
 * A request is matched against the table of routes, one pattern after the other: there are few.
 * api_turn is the other way in: it delivers what the store and the workers have finished, and does
 * what is due by the clock.
 */
#include "server/api/api.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "server/api/inside.h"

enum { REQUESTS_A_MINUTE = 1200, REQUEST_BURST = 40, HASH_MB = 32 };

/* ---- Routes ---- */

/*
 * To add one: its pattern here (* matches one part of the path), its function in inside.h, and its
 * description in openapi.json.
 */
static const struct route {
	enum api_method method;
	const char *pattern;
	route_fn *run;
} routes[] = {
	{ API_GET, "/api/v1/health", get_health },
	{ API_GET, "/api/v1/openapi.json", get_openapi },
	{ API_GET, "/api/v1/games", get_games },
	{ API_GET, "/api/v1/boards", get_board },
	{ API_GET, "/api/v1/openings", get_openings },
	{ API_POST, "/api/v1/positions", post_position },
	{ API_POST, "/api/v1/analysis", post_analysis },
	{ API_POST, "/api/v1/values", post_values },
	{ API_POST, "/api/v1/records", post_record },
	{ API_POST, "/api/v1/explanations", post_explanation },
	{ API_POST, "/api/v1/plays", post_play },
	{ API_GET, "/api/v1/plays/*", get_play },
	{ API_GET, "/api/v1/plays/*/events", get_play_events },
	{ API_GET, "/api/v1/plays/*/record", get_play_record },
	{ API_POST, "/api/v1/plays/*/moves", post_move },
	{ API_POST, "/api/v1/plays/*/actions", post_action },
	{ API_GET, "/api/v1/lobby", get_lobby },
	{ API_GET, "/api/v1/lobby/events", get_lobby_events },
	{ API_GET, "/api/v1/me", get_me },
	{ API_POST, "/api/v1/me", post_me },
	{ API_POST, "/api/v1/accounts", post_account },
	{ API_POST, "/api/v1/login", post_login },
	{ API_POST, "/api/v1/logout", post_logout },
	{ API_POST, "/api/v1/tokens", post_token },
	{ API_GET, "/api/v1/matches", get_matches },
	{ API_GET, "/api/v1/matches/*", get_match },
	{ API_GET, "/api/v1/matches/*/events", get_match_events },
	{ API_GET, "/api/v1/matches/*/games/*", get_match_game },
};

/* The parts of the path that match a * are copied into `buffer`, each with its NUL. */
static bool matches(const char *pattern, const char *path, char buffer[2 * API_PATH],
		    struct path_words *words)
{
	int found = 0;
	for (; *pattern; pattern++) {
		if (*pattern != '*') {
			if (*path++ != *pattern)
				return false;
			continue;
		}
		const size_t length = strcspn(path, "/");
		if (length == 0 || length >= API_PATH || found == 2)
			return false;
		memcpy(buffer, path, length);
		buffer[length] = '\0';
		words->text[found++] = buffer;
		buffer += length + 1;
		path += length;
	}
	return !*path;
}

void run_route(struct api *api, const struct api_request *r)
{
	char buffer[2 * API_PATH];
	bool other_method = false;
	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
		struct path_words words = { { "", "" } };
		if (strlen(r->path) >= API_PATH ||
		    !matches(routes[i].pattern, r->path, buffer, &words))
			continue;
		if (routes[i].method != r->method) {
			other_method = true;
			continue;
		}
		if (r->method == API_POST && !json_is_object(r->body))
			reply_error(api, r->call, 400, "body: must be a JSON object");
		else
			routes[i].run(api, r, &words);
		return;
	}
	if (other_method)
		reply_error(api, r->call, 405, "method: use %s here",
			    r->method == API_GET ? "POST" : "GET");
	else
		reply_error(api, r->call, 404, "path: not found");
}

bool api_limit(struct api *api, const struct api_request *r, const char *what, double per_minute,
	       double burst)
{
	const double times = api->setup.per_address > 1 ? api->setup.per_address : 1;
	char name[BUCKETS_NAME];
	snprintf(name, sizeof name, "%s %s", what, r->visitor->address);
	if (buckets_take(api->buckets, name, per_minute * times, burst * times, api_now(api)))
		return true;
	reply_error(api, r->call, 429, "%s: too many requests from your address; wait a moment",
		    what);
	return false;
}

bool api_costs(struct api *api, const struct api_request *r, size_t requests)
{
	while (requests > 0 && api_limit(api, r, "requests", REQUESTS_A_MINUTE, REQUEST_BURST))
		requests--;
	return requests == 0;
}

/* The host sleeps until the time that api_turn gave it: wake it if something is due earlier. */
static void wake_if_due(struct api *api, int64_t due_before)
{
	if (api->next_due_ms != due_before || api->lobby_changed)
		api->setup.host.wake(api->setup.host.ctx);
}

void api_handle(struct api *api, const struct api_request *request)
{
	const int64_t due = api->next_due_ms;
	if (api_costs(api, request, 1))
		run_route(api, request);
	wake_if_due(api, due);
}

void api_cancel(struct api *api, uint64_t call)
{
	const int64_t due = api->next_due_ms;
	struct call *found = call_find(api, call);
	if (found)
		call_free(api, found);
	wake_if_due(api, due);
}

/* ---- About the server ---- */

/* The status is 503 while nothing can be stored, so that monitoring notices. */
void get_health(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const bool failing = api->store_fails_since != 0;
	char since[LOG_TIME], store[64] = "ok";
	int waiting, running;
	(void)w;
	log_time(api->store_fails_since, since);
	if (failing)
		snprintf(store, sizeof store, "failing since %s", since);
	if (failing) /* visitors are refused, so nothing else would be written */
		store_probe(api->store);
	worker_pool_count(api->pool, &waiting, &running);
	reply(api, r->call, failing ? 503 : 200,
	      json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "version", qv_version(), "plays",
			(int)api->rooms.count, "watchers", api->stream_count, "workers",
			api->workers, "queue", waiting + running, "store", store));
}

void get_openapi(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	(void)w;
	reply_text(api, &out, openapi_file);
}

/* ---- Visitors ---- */

static bool identify_bearer(struct api *api, const char *bearer, struct visitor *out)
{
	uint8_t hash[SECRETS_HASH];
	struct store_user row;
	if (secrets_read_seat(&api->secrets, bearer, out->user, out->play))
		return true;
	if (!secrets_token_hash(bearer, hash) ||
	    store_user_by_token(api->store, hash, &row, NULL) != QV_OK)
		return false;
	snprintf(out->user, sizeof out->user, "%s", row.id);
	return true;
}

bool api_identify(struct api *api, const char *cookie, const char *bearer, const char *address,
		  struct visitor *out)
{
	*out = (struct visitor){ 0 };
	snprintf(out->address, sizeof out->address, "%s", address);
	if (bearer)
		return identify_bearer(api, bearer, out);
	if (cookie && secrets_read_cookie(&api->secrets, cookie, out->user))
		return true;
	out->fresh = true;
	secrets_user_id(out->user);
	secrets_cookie(&api->secrets, out->user, out->cookie);
	return true;
}

/* ---- Turns ---- */

static int64_t earlier(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

int64_t api_turn(struct api *api)
{
	store_deliver(api->store);
	log_store_state(api);
	const int64_t next_delivery = worker_pool_deliver(api->pool);
	int64_t next = rooms_turn(api);
	next = earlier(next, lobby_turn(api));
	next = earlier(next, matches_turn(api));
	rooms_forget(api);
	const int64_t now = api_now(api);
	const int64_t wait = next < 0 ? -1 : next > now ? next - now : 0;
	return earlier(wait, next_delivery);
}

/* ---- Opening and closing ---- */

static void wake(void *ctx)
{
	const struct api *api = ctx;
	api->setup.host.wake(api->setup.host.ctx);
}

static int worker_count(const struct api_setup *setup)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return setup->workers > 0 ? setup->workers : processors > 2 ? (int)processors - 1 : 1;
}

static char *matches_folder(const struct api_setup *setup)
{
	if (setup->matches)
		return strdup(setup->matches);
	char *folder = malloc(strlen(setup->data) + sizeof "/matches");
	if (folder)
		sprintf(folder, "%s/matches", setup->data);
	return folder;
}

static enum qv_status open_parts(struct api *api, struct qv_error *error)
{
	const struct store_setup store = { .folder = api->data, .wake = wake, .ctx = api };
	const struct worker_pool_setup pool = { .workers = api->workers, .most = QUEUE_MOST,
						.wake = wake, .ctx = api };
	enum qv_status status = secrets_open(api->data, &api->secrets, error);
	if (status == QV_OK)
		status = store_open(&store, &api->store, error);
	if (status != QV_OK)
		return status;
	api->buckets = buckets_new();
	api->table_lookup = table_lookup_new(api->setup.context, api->setup.tables);
	api->openings = openings_new(api->setup.context);
	api->pool = worker_pool_new(&pool);
	return api->buckets && api->table_lookup && api->openings && api->pool
		       ? QV_OK
		       : qv_fail(error, QV_NO_MEMORY, "server: not enough memory or threads");
}

enum qv_status api_open(const struct api_setup *setup, struct api **out, struct qv_error *error)
{
	struct api *api = calloc(1, sizeof *api);
	if (!api)
		return qv_fail(error, QV_NO_MEMORY, "server: out of memory");
	api->setup = *setup;
	api->calls = (struct map){ .allocator = &mem_malloc };
	api->rooms = (struct map){ .allocator = &mem_malloc, .text_at = offsetof(struct room, id) };
	if (api->setup.hash_mb <= 0)
		api->setup.hash_mb = HASH_MB;
	api->workers = worker_count(setup);
	api->next_due_ms = -1;
	api->data = strdup(setup->data);
	api->matches = matches_folder(setup);
	const enum qv_status status =
		api->data && api->matches
			? open_parts(api, error)
			: qv_fail(error, QV_NO_MEMORY, "server: out of memory");
	if (status == QV_OK) {
		store_probe(api->store);
		*out = api;
	} else {
		api_close(api);
	}
	return status;
}

const struct qv_context *api_context(const struct api *api)
{
	return api->setup.context;
}

/* Ends all streams; calls that still wait get an error. */
static void end_calls(struct api *api)
{
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));) {
		const struct outgoing out = { .call = call->number, .status = 200, .stream = true,
					      .end = true };
		const bool streams = call->kind >= CALL_PLAY || call->begun;
		call_free(api, call);
		if (streams)
			reply_text(api, &out, "");
		else
			reply_error(api, out.call, 503, "server: shutting down");
	}
}

void api_close(struct api *api)
{
	if (!api)
		return;
	api->closing = true;
	if (api->store)
		store_close(api->store);
	end_calls(api);
	worker_pool_free(api->pool);
	api->pool = NULL;
	api->loadings = NULL;      /* the pool has freed them */
	table_lookup_free(api->table_lookup);
	openings_free(api->openings);
	struct room *room;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));) {
		room->job_number = 0;
		room_drop(api, room);
	}
	map_release(&api->calls);
	map_release(&api->rooms);
	buckets_free(api->buckets);
	secrets_forget(&api->secrets);
	free(api->lobby_sent);
	free(api->data);
	free(api->matches);
	free(api);
}
