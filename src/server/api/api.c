/*
 * api.c - the API itself: routes, pending calls, rate limits, turns, opening, closing.
 * SPDX-License-Identifier: MIT
 *
 * A request is matched against the table of routes, one pattern after the other: there are few. Its
 * response passes through reply_text to the host, which knows how to send it. A call is a request
 * whose response comes later (from the disk, a worker or a game that is being loaded), or a stream.
 *
 * api_turn is the other way in: it delivers what the store and the workers have finished, and does
 * what is due by the clock.
 */
#include "server/api/api.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/embed.h"
#include "base/scan.h"
#include "server/api/bounds.h"
#include "server/api/inside.h"
#include "server/api/limits.h"
#include "server/api/match_files.h"
#include "server/api/thinking.h"
#include "server/jobs/job_text.h"

enum {
	REQUESTS_A_MINUTE = 1200,
	REQUEST_BURST = 40,
	COST_MOST = 32, /* requests that one is charged for at most, besides itself */
	HASH_MB = 32, /* transposition table of one player, by default */
	LOG_LINE = 512,
	LOG_TIME = 24,
	LOG_LIMIT_MS = 10000,
	JOB_MS = 10000, /* limit of jobs whose input bounds their work: they never reach it */
	EXPECTED_MS = 100,
};

EMBEDDED(char openapi_file[]); /* the description of the interface */

static route_fn get_health, get_live, get_ready, get_openapi;

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
	{ API_GET, "/api/v1/health/live", get_live },
	{ API_GET, "/api/v1/health/ready", get_ready },
	{ API_GET, "/api/v1/openapi.json", get_openapi },
	{ API_GET, "/api/v1/privacy", get_privacy },
	{ API_GET, "/api/v1/games", get_games },
	{ API_GET, "/api/v1/gallery", get_gallery },
	{ API_GET, "/api/v1/pictures", get_picture },
	{ API_GET, "/api/v1/history", get_history },
	{ API_GET, "/api/v1/boards", get_board },
	{ API_GET, "/api/v1/openings", get_openings },
	{ API_POST, "/api/v1/positions", post_position },
	{ API_POST, "/api/v1/analysis", post_analysis },
	{ API_POST, "/api/v1/values", post_values },
	{ API_POST, "/api/v1/evaluation", post_evaluation },
	{ API_POST, "/api/v1/explorer", post_explorer },
	{ API_POST, "/api/v1/luck", post_luck },
	{ API_POST, "/api/v1/review", post_review },
	{ API_POST, "/api/v1/records", post_record },
	{ API_POST, "/api/v1/explanations", post_explanation },
	{ API_POST, "/api/v1/plays", post_named_play },
	{ API_GET, "/api/v1/plays/*", get_play },
	{ API_GET, "/api/v1/plays/*/events", get_play_events },
	{ API_GET, "/api/v1/plays/*/record", get_play_record },
	{ API_POST, "/api/v1/plays/*/moves", post_move_once },
	{ API_POST, "/api/v1/plays/*/actions", post_named_action },
	{ API_POST, "/api/v1/plays/*/phrases", post_phrase },
	{ API_POST, "/api/v1/plays/*/claim", post_claim },
	{ API_GET, "/api/v1/lobby", get_lobby },
	{ API_GET, "/api/v1/lobby/events", get_lobby_events },
	{ API_GET, "/api/v1/me", get_me },
	{ API_POST, "/api/v1/me", post_me },
	{ API_GET, "/api/v1/me/games", get_finished },
	{ API_POST, "/api/v1/me/games", post_finished },
	{ API_GET, "/api/v1/puzzles/*", get_puzzles },
	{ API_POST, "/api/v1/puzzles/*/attempts", post_attempt },
	{ API_GET, "/api/v1/studies", get_studies },
	{ API_POST, "/api/v1/studies", post_study },
	{ API_GET, "/api/v1/studies/*", get_study },
	{ API_POST, "/api/v1/studies/*", put_study },
	{ API_GET, "/api/v1/studies/*/version", get_study_version },
	{ API_POST, "/api/v1/studies/*/delete", post_study_delete },
	{ API_POST, "/api/v1/reports", post_report },
	{ API_POST, "/api/v1/accounts", post_account },
	{ API_POST, "/api/v1/login", post_login },
	{ API_POST, "/api/v1/logout", post_logout },
	{ API_GET, "/api/v1/sessions", get_sessions },
	{ API_POST, "/api/v1/sessions/*/end", post_session_end },
	{ API_GET, "/api/v1/tokens", get_tokens },
	{ API_POST, "/api/v1/tokens", post_token },
	{ API_POST, "/api/v1/tokens/*/revoke", post_token_revoke },
	{ API_POST, "/api/v1/password", post_password },
	{ API_POST, "/api/v1/password/forgotten", post_forgotten },
	{ API_POST, "/api/v1/password/reset", post_reset },
	{ API_POST, "/api/v1/account/email", post_email },
	{ API_POST, "/api/v1/account/email/confirm", post_email_confirm },
	{ API_POST, "/api/v1/account/delete", post_account_delete },
	{ API_GET, "/api/v1/account/export", get_export },
	{ API_GET, "/api/v1/matches", get_matches },
	{ API_GET, "/api/v1/matches/*", get_match },
	{ API_GET, "/api/v1/matches/*/events", get_match_events },
	{ API_GET, "/api/v1/matches/*/games/*", get_match_game },
};

/* Those that store something new: bounds.c decides whether they may. */
static route_fn *const growing[] = { post_named_play, post_me,      post_attempt, post_study,
				     put_study, post_account, post_token,   post_report };

/* Those that write nothing, or that end what may be abused, are not refused while others wait. */
static route_fn *const always[] = {
	post_position, post_analysis,	 post_values,	 post_evaluation,     post_explorer,
	post_luck,     post_review,	 post_record,	 post_explanation,    post_phrase,
	post_logout,   post_session_end, post_token_revoke, post_account_delete,
};

static bool is_among(route_fn *run, route_fn *const *list, size_t count)
{
	size_t i = 0;
	while (i < count && list[i] != run)
		i++;
	return i < count;
}

static bool grows(route_fn *run)
{
	return is_among(run, growing, sizeof growing / sizeof *growing);
}

/* A request is refused before it has done anything. */
static bool may_write(struct api *api, const struct api_request *r, route_fn *run)
{
	return r->method == API_GET || api->run->runs > 1 ||
	       is_among(run, always, sizeof always / sizeof *always) || overload_allows(api, r);
}

/*
 * Does the path match? The parts that match a * are copied into `buffer`, each with its NUL, and
 * `words` points to them.
 */
static bool matches(const char *pattern, const char *path, char buffer[2 * API_PATH],
		    const char *words[2])
{
	int found = 0;
	for (; *pattern; pattern++) {
		/* Anything else must match to the letter. */
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
		words[found++] = buffer;
		buffer += length + 1;
		path += length;
	}
	return !*path;
}

void route_request(struct api *api, const struct api_request *r)
{
	struct api_request routed = *r;
	char buffer[2 * API_PATH];
	bool other_method = false;
	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
		routed.words[0] = routed.words[1] = "";
		if (strlen(r->path) >= API_PATH ||
		    !matches(routes[i].pattern, r->path, buffer, routed.words))
			continue;
		if (routes[i].method != r->method) {
			other_method = true;
			continue;
		}
		if (r->method == API_POST && !json_is_object(r->body))
			reply_error(api, r->call, 400, "body: must be a JSON object");
		else if (!refuse_suspended(api, r) && may_write(api, r, routes[i].run) &&
			 (!grows(routes[i].run) || bounds_admit(api, r)))
			routes[i].run(api, &routed);
		return;
	}
	/* The path exists, but not for this method. */
	if (other_method)
		reply_error(api, r->call, 405, "method: use %s here",
			    r->method == API_GET ? "POST" : "GET");
	else
		reply_error(api, r->call, 404, "path: not found");
}

int api_route(enum api_method method, const char *path)
{
	char buffer[2 * API_PATH];
	const char *words[2];
	for (size_t i = 0; strlen(path) < API_PATH && i < sizeof routes / sizeof *routes; i++)
		if (routes[i].method == method && matches(routes[i].pattern, path, buffer, words))
			return (int)i;
	return -1;
}

const char *api_route_path(int route)
{
	return (size_t)route < sizeof routes / sizeof *routes ? routes[route].pattern : NULL;
}

enum api_method api_route_method(int route)
{
	return routes[route].method;
}

/* ---- Rate limits ---- */

/* Behind one address there may be a whole classroom: setup.per_address scales the limits. */
static double per_address(const struct api *api)
{
	return api->setup.per_address > 1 ? api->setup.per_address : 1;
}

bool api_take(struct api *api, const char *what, const char *address, double per_minute,
	      double burst)
{
	const double times = per_address(api);
	return limits_take_at(api->limits, what, address, per_minute * times, burst * times,
			      api_now(api));
}

/* The limits that a request meets come in the same order in each of its runs. */
bool api_take_once(struct api *api, const char *what, const char *address, double per_minute,
		   double burst)
{
	struct request_run *run = api->run;
	if (run && ++run->limits <= run->paid)
		return true;
	const bool good = api_take(api, what, address, per_minute, burst);
	if (run && good)
		run->paid++;
	return good;
}

/* The name of the limit is part of the message, so that the client knows what to slow down. */
bool api_limit(struct api *api, const struct api_request *r, const char *what, double per_minute,
	       double burst)
{
	const bool good = api_take_once(api, what, r->visitor->address, per_minute, burst);
	if (!good)
		reply_error(api, r->call, 429,
			    "%s: too many requests from your address; wait a moment", what);
	return good;
}

/* What costs more than the bucket holds could never be paid. */
static size_t payable(size_t requests)
{
	return requests < COST_MOST ? requests : COST_MOST;
}

/* Tokens that were taken before the bucket was empty stay taken. */
bool api_costs(struct api *api, const struct api_request *r, size_t requests)
{
	requests = payable(requests);
	while (requests > 0 && api_limit(api, r, "requests", REQUESTS_A_MINUTE, REQUEST_BURST))
		requests--;
	return requests == 0;
}

/* Not among the limits that are met in order: the next run finds the game loaded. */
bool api_take_requests(struct api *api, const char *address, size_t requests)
{
	requests = payable(requests);
	while (requests > 0 &&
	       api_take(api, "requests", address, REQUESTS_A_MINUTE, REQUEST_BURST))
		requests--;
	return requests == 0;
}

/* ---- Processor time ---- */

enum { TOKEN_US = 1000 }; /* that a request may cost */

/* Charges whoever the thread has worked for since the last time. */
static void busy_settle(struct api *api)
{
	const struct api_host *host = &api->setup.host;
	const int64_t now = host->busy_us ? host->busy_us(host->ctx) : 0;
	const double tokens = (double)(now - api->busy_us) / TOKEN_US, times = per_address(api);
	if (api->busy && *api->busy->address && tokens > 0)
		limits_spend_at(api->limits, "requests", api->busy->address, tokens,
				REQUESTS_A_MINUTE * times, REQUEST_BURST * times, api_now(api));
	api->busy_us = now;
}

void api_busy_begin(struct api *api, struct api_busy *busy, const char *address)
{
	if (!api)
		return;
	busy_settle(api);
	*busy = (struct api_busy){ address, api->busy };
	api->busy = busy;
}

void api_busy_end(struct api *api, const struct api_busy *busy)
{
	if (!api)
		return;
	busy_settle(api);
	api->busy = busy->outer;
}

double api_requests_left(struct api *api, const char *address)
{
	const double times = per_address(api);
	return limits_left_at(api->limits, "requests", address, REQUESTS_A_MINUTE * times,
			      REQUEST_BURST * times, api_now(api));
}

/* ---- Requests from the host ---- */

/* The host sleeps until the time that api_turn gave it: wake it if something is due earlier. */
static void wake_if_due(struct api *api, int64_t due_before)
{
	if (api->next_due_ms != due_before || api->lobby_changed)
		api->setup.host.wake(api->setup.host.ctx);
}

/* The way in for requests; the response may come at once or in a later turn. */
void api_handle(struct api *api, const struct api_request *request)
{
	const int64_t due = api->next_due_ms;
	struct request_run run = { 0 };
	if (api_costs(api, request, 1))
		request_run(api, request, &run);
	wake_if_due(api, due);
}

/* Frees the call, so that nothing more is sent for this number. */
void api_cancel(struct api *api, uint64_t call)
{
	const int64_t due = api->next_due_ms;
	struct call *found = call_find(api, call);
	if (found)
		call_free(api, found);
	wake_if_due(api, due);
}

/* ---- Calls ---- */

/* The number is the host's and never used twice, so the map has one call for each. */
struct call *call_new(struct api *api, uint64_t number, const char *user, enum call_kind kind)
{
	struct call *call = calloc(1, sizeof *call);
	if (!call || !map_add(&api->calls, number, call)) {
		free(call);
		reply_no_memory(api, number);
		return NULL;
	}
	call->number = number;
	call->kind = kind;
	call->since_ms = api_now(api);
	snprintf(call->user, sizeof call->user, "%s", user);
	api->stream_count += kind >= CALL_PLAY;
	api->lobby_followers += kind == CALL_LOBBY;
	return call;
}

struct call *call_stream(struct api *api, const struct api_request *r, const char *user,
			 enum call_kind kind)
{
	struct call *call = call_new(api, r->call, user, kind);
	if (!call)
		return NULL;
	snprintf(call->visitor_user, sizeof call->visitor_user, "%s", r->visitor->user);
	snprintf(call->visitor_address, sizeof call->visitor_address, "%s", r->visitor->address);
	snprintf(call->issuer, sizeof call->issuer, "%s", r->visitor->issuer);
	call->program = r->visitor->program;
	return call;
}

struct call *call_find(struct api *api, uint64_t number)
{
	return map_find(&api->calls, number);
}

/* Cancelling the job makes its result vanish, so job_done is never called for a freed call. */
void call_free(struct api *api, struct call *call)
{
	map_remove(&api->calls, call->number, call);
	if (call->job_number)
		worker_pool_cancel(api->pool, call->job_number);
	if (call->room)
		room_unfollow(api, call);
	if (call->kind == CALL_REMOTE)
		cluster_cancelled(api, call);
	api->stream_count -= call->kind >= CALL_PLAY;
	api->lobby_followers -= call->kind == CALL_LOBBY;
	parked_free(call->parked);
	free(call);
}

/* By visitor, over all streams, also of games of other nodes: no other calls have a visitor_user. */
bool call_may_stream(struct api *api, const struct api_request *request)
{
	const struct call *c;
	int count = 0;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		count += *c->visitor_user && strcmp(c->visitor_user, request->visitor->user) == 0;
	if (count >= STREAMS_MOST)
		reply_error(api, request->call, 429, "streams: you already have %d open", count);
	return count < STREAMS_MOST;
}

/* Progress or the result of a worker's job goes to the call that waits for it. */
static void on_job_text(void *ctx, uint64_t number, const char *text, bool last)
{
	struct api *api = ctx;
	struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->job_number == number) {
			char address[API_ADDRESS];
			struct api_busy busy;
			memcpy(address, c->address, sizeof address);
			if (last)
				c->job_number = 0;
			api_busy_begin(api, &busy, address);
			c->job_done(api, c, text);
			api_busy_end(api, &busy);
			return;
		}
}

/* The call is freed before an error is sent: its number has then had its only response. */
void call_submit(struct api *api, struct call *call, call_done_fn *done, const char *what,
		 const char *whom, const struct worker_job *job)
{
	char client[WORKER_CLIENT];
	struct worker_job mine = *job;
	if (!call) {
		job->release(job->arg);
		return;
	}
	const uint64_t number = call->number;
	snprintf(client, sizeof client, "%s %s", what, whom);
	mine.client = client;
	mine.deliver = on_job_text;
	mine.ctx = api;
	snprintf(call->address, sizeof call->address, "%s", job->group ? job->group : "");
	call->job_done = done;
	call->job_arg = job->arg;
	const enum submit_result result = worker_pool_submit(api->pool, &mine, &call->job_number);
	if (result == SUBMIT_OK)
		return;
	call->job_number = 0;
	call_free(api, call);
	job->release(job->arg);
	if (result == SUBMIT_CLIENT_FULL)
		reply_error(api, number, 429, "queue: %d of your requests are already waiting",
			    job->most);
	else
		reply_error(api, number, 503, "queue: the server is busy; try again soon");
}

/* One group for each address: whoever has many users still has one share of the workers. */
void call_work(struct api *api, const struct api_request *r, struct call *call,
	       const struct request_work *work, void *arg)
{
	const char *address = r->visitor->address;
	const struct worker_job job = { .group = address,
					.urgent = true,
					.most = work->most,
					.limit_ms = JOB_MS,
					.expected_ms = work->expected_ms > EXPECTED_MS
							       ? work->expected_ms
							       : EXPECTED_MS,
					.run = work->run,
					.release = work->release,
					.arg = arg };
	call_submit(api, call, work->done, work->what, address, &job);
}

void call_reply(struct api *api, struct call *call, const char *text)
{
	const uint64_t number = call->number;
	call_free(api, call);
	reply_result(api, number, text);
}

/* ---- The operator's log ---- */

/* A line may quote what a visitor sent: what is not printable ASCII becomes a question mark. */
void log_line(const struct api *api, const char *level, char *line)
{
	for (char *c = line; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (api->setup.log.write)
		api->setup.log.write(api->setup.log.ctx, level, line);
}

void api_log(struct api *api, const char *level, const char *text)
{
	char line[LOG_LINE];
	snprintf(line, sizeof line, "%s", text);
	log_line(api, level, line);
}

/*
 * Visitors can cause failures as often as they like, so lines about them are rate-limited. Returns
 * whether this one may be logged; then it says how many were not.
 */
static bool limit_allows(struct api *api, struct log_limit *limit, char line[LOG_LINE])
{
	const int64_t now = api_now(api);
	const size_t length = strlen(line);
	if (limit->next_ms && now < limit->next_ms) {
		limit->left_out++;
		return false;
	}
	if (limit->left_out)
		snprintf(line + length, LOG_LINE - length, " (and %d more like it)",
			 limit->left_out);
	*limit = (struct log_limit){ .next_ms = now + LOG_LIMIT_MS };
	return true;
}

static void log_limited(struct api *api, struct log_limit *limit, char line[LOG_LINE])
{
	if (limit_allows(api, limit, line))
		log_line(api, "error", line);
}

/* The id is enough for the operator to find the game in the store. */
void log_unloadable(struct api *api, const char *id, const char *why)
{
	char line[LOG_LINE];
	snprintf(line, sizeof line, "game %s: cannot be loaded: %s", id, why);
	log_limited(api, &api->unloadable, line);
}

void log_unsent(struct api *api, const char *why)
{
	char line[LOG_LINE];
	snprintf(line, sizeof line, "mail: %.480s", why);
	if (!api->closing)
		log_limited(api, &api->unsent, line);
}

/* While the server shuts down, failures are expected and not logged. */
void api_failed(struct api *api, uint64_t call, int status, const char *why)
{
	static const char event[] = "response: ";
	const struct api_host *host = &api->setup.host;
	char line[LOG_LINE];
	snprintf(line, sizeof line, "%s%d %.480s", event, status, why);
	if (api->closing || !limit_allows(api, &api->failures, line))
		return;
	if (host->failed)
		host->failed(host->ctx, call, line + sizeof event - 1);
	else
		log_line(api, "error", line);
}

/* "2026-11-16T03:04:05Z" */
static void log_time(int64_t seconds, char out[LOG_TIME])
{
	const time_t at = (time_t)seconds;
	struct tm day;
	out[0] = '\0';
	if (gmtime_r(&at, &day))
		strftime(out, LOG_TIME, "%Y-%m-%dT%H:%M:%SZ", &day);
}

/* Writes a line when the store has begun to fail, or works again. */
static void log_store_state(struct api *api)
{
	struct qv_error why = { "" };
	char since[LOG_TIME], line[LOG_LINE];
	const bool failing = store_failing(api->store, &why);
	if (failing == (api->store_fails_since != 0))
		return;
	log_time(api->store_fails_since, since);
	api->store_fails_since = failing ? api_seconds(api) : 0;
	if (failing)
		snprintf(line, sizeof line, "store: cannot write: %s", why.text);
	else
		snprintf(line, sizeof line, "store: works again; it had failed since %s", since);
	log_line(api, failing ? "error" : "warn", line);
}

/* The parts with threads of their own count for themselves. */
void api_figures(struct api *api, struct api_figures *out)
{
	*out = (struct api_figures){ .games = api->rooms.count,
				     .game_lines = api->room_lines,
				     .streams = api->stream_count,
				     .calls = (int)api->calls.count,
				     .workers = api->workers,
				     .failing = api->store_fails_since != 0 };
	store_figures(api->store, &out->store);
	out->space = store_space(api->store);
	worker_pool_figures(api->pool, &out->pool);
	out->thinks_elsewhere = api->jobs != NULL;
	if (api->jobs)
		job_queue_figures(api->jobs, &out->queue);
	out->has_processes = api->processes != NULL;
	if (api->processes)
		worker_processes_figures(api->processes, &out->processes);
}

/* ---- Routes about the server ---- */

/* The status is 503 while nothing can be stored, so that monitoring notices. */
static void get_health(struct api *api, const struct api_request *r)
{
	const bool failing = api->store_fails_since != 0;
	const int64_t bad_since = failing ? api->store_fails_since : api->store_late_since;
	char since[LOG_TIME], store[64] = "ok";
	int waiting, running;
	log_time(bad_since, since);
	if (bad_since)
		snprintf(store, sizeof store, "%s since %s", failing ? "failing" : "late", since);
	if (failing) {
		store_probe(api->store); /* visitors are refused, so nothing else is written */
	}
	worker_pool_count(api->pool, &waiting, &running);
	reply(api, r->call, bad_since ? 503 : 200,
	      json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:I, s:s, s:o*}", "version", qv_version(),
			"plays", (int)api->rooms.count, "watchers", api->stream_count, "workers",
			api->workers, "queue", waiting + running, "store", store,
			"oldest_write_ms", (json_int_t)store_delay(api->store).oldest_ms, "space",
			store_space_text(store_space(api->store)), "thinking", thinking_json(api)));
}

/* GET /api/v1/health/live: the loop runs. If it does not, start the server again. */
static void get_live(struct api *api, const struct api_request *r)
{
	reply(api, r->call, 200, json_pack("{s:s}", "status", "live"));
}

/* GET /api/v1/health/ready: may a load balancer send visitors here? */
static void get_ready(struct api *api, const struct api_request *r)
{
	if (api->store_fails_since)
		store_probe(api->store);
	const bool cut_off =
		api->store_fails_since || api->store_late_since || cluster_is_lost(api);
	const char *why = api->draining ? "draining" : cut_off ? "store" : NULL;
	reply(api, r->call, why ? 503 : 200, json_pack("{s:s}", "status", why ? why : "ready"));
}

/* GET /api/v1/openapi.json, as it was built in. */
static void get_openapi(struct api *api, const struct api_request *r)
{
	reply_kept(api, r->call, openapi_file);
}

/* ---- Turns ---- */

/* Commits first: they release responses, which may start jobs and change the lobby. */
int64_t api_turn(struct api *api)
{
	store_deliver(api->store);
	log_store_state(api);
	thinking_turn(api);
	const int64_t next_delivery = worker_pool_deliver(api->pool);
	int64_t next = revocations_turn(api);
	next = earlier(next, cluster_turn(api));
	next = earlier(next, rooms_turn(api));
	next = earlier(next, lobby_turn(api));
	next = earlier(next, overload_turn(api));
	next = earlier(next, matches_turn(api));
	next = earlier(next, explorer_turn(api));
	next = earlier(next, deletions_turn(api));
	next = earlier(next, bounds_turn(api));
	next = earlier(next, job_queue_turn(api->jobs));
	rooms_forget(api);
	/* The host counts from now; the parts work with points in time. */
	const int64_t now = api_now(api);
	const int64_t wait = next < 0 ? -1 : next > now ? next - now : 0;
	return earlier(wait, next_delivery);
}

bool api_step(struct api *api, enum api_part part)
{
	return part == API_STORE ? store_step(api->store) : worker_pool_step(api->pool);
}

/* ---- Opening and closing ---- */

/* For the threads of the store and of the pool. */
static void wake(void *ctx)
{
	const struct api *api = ctx;
	api->setup.host.wake(api->setup.host.ctx);
}

/* Without threads, time is what the host says, so that a run can be repeated. */
static int64_t manual_us(void *ctx)
{
	return api_now(ctx) * 1000;
}

static void hear(void *ctx, const char *from, const char *text, size_t size)
{
	struct api *api = ctx;
	(void)from, (void)size; /* the text says from whom it is */
	if (!job_queue_hear(api->jobs, text))
		api_hear(api, text);
}

/* Opens the parts in the order of their use. api_close can close a part of them. */
enum qv_status api_open(const struct api_setup *setup, struct api **out, struct qv_error *error)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct api *api = calloc(1, sizeof *api);
	if (!api)
		return qv_fail(error, QV_NO_MEMORY, "server: out of memory");
	api->setup = *setup;
	const bool unnamed = setup->place && *setup->place && !setup->cluster.node;
	if (unnamed)
		api->setup.cluster.node = api->node;
	api->calls = (struct map){ .allocator = &mem_malloc };
	api->rooms = (struct map){ .allocator = &mem_malloc, .text_at = offsetof(struct room, id) };
	if (api->setup.hash_mb <= 0)
		api->setup.hash_mb = HASH_MB;
	api->workers = setup->workers > 0 ? setup->workers
		       : processors > 2	  ? (int)processors - 1
					  : 1;
	api->next_due_ms = -1;
	api->data = strdup(setup->data);
	api->matches = setup->matches ? strdup(setup->matches)
				      : malloc(strlen(setup->data) + sizeof "/matches");
	if (api->matches && !setup->matches)
		sprintf(api->matches, "%s/matches", setup->data);
	const struct store_setup store = { .folder = api->data,
					   .place = setup->place,
					   .node = api->setup.cluster.node,
					   .address = api->secret_mark,
					   .heard = hear,
					   .wake = wake,
					   .ctx = api,
					   .manual = setup->manual,
					   .now_us = setup->manual ? manual_us : NULL,
					   .vfs = setup->vfs,
					   .check_bytes = setup->check_bytes,
					   .marks = { setup->max_data, setup->min_free } };
	const int times = setup->per_address > 1 ? setup->per_address : 1;
	struct worker_pool_setup pool = {
		.workers = api->workers,
		.most = QUEUE_MOST,
		.group_most = times < QUEUE_MOST / 2 / QUEUE_ADDRESS ? times * QUEUE_ADDRESS
								     : QUEUE_MOST / 2,
		.wake = wake,
		.now_us = setup->manual ? manual_us : NULL,
		.ctx = api,
		.manual = setup->manual,
		.may_leave = setup->think == THINK_HERE ? NULL : job_text_can,
	};
	enum qv_status status = QV_OK;
	if (!api->data || !api->matches)
		status = qv_fail(error, QV_NO_MEMORY, "server: out of memory");
	if (status == QV_OK)
		status = secrets_open(api->data, &api->secrets, error);
	if (status == QV_OK && setup->place && *setup->place)
		status = store_find_key(setup->place, api->secrets.key, error);
	if (status == QV_OK && unnamed)
		secrets_play_id(api->node);
	if (status == QV_OK)
		cluster_mark(api);
	if (status == QV_OK)
		status = store_open(&store, &api->store, error);
	if (status == QV_OK)
		status = cluster_check(api, error);
	if (status == QV_OK)
		status = revocations_open(api, error);
	if (status == QV_OK)
		status = store_find_mark(api->store, "dice", api->dice_mark, error);
	if (status == QV_OK)
		status = suspensions_open(api, error);
	if (status == QV_OK)
		status = bounds_open(api, error);
	if (status == QV_OK) {
		api->deletions_due = true;
		api->limits = limits_new(1, 0);
		api->table_lookup = table_lookup_new(setup->context, setup->tables);
		api->openings = openings_new(setup->context);
		api->match_cache = match_cache_new();
		processes_open(api, &pool);
		api->pool = worker_pool_new(&pool);
		if (!api->limits || !api->table_lookup || !api->openings || !api->match_cache ||
		    !api->pool || !cluster_open(api))
			status = qv_fail(error, QV_NO_MEMORY,
					 "server: not enough memory or threads");
	}
	if (status == QV_OK)
		status = thinking_open(api, error);
	if (status != QV_OK) {
		api_close(api);
		return status;
	}
	if (api->cluster)
		limits_share(api->limits);
	store_probe(api->store);
	finished_catch_up(api);
	*out = api;
	return QV_OK;
}

const struct qv_context *api_context(const struct api *api)
{
	return api->setup.context;
}

void api_deny_ready(struct api *api)
{
	api->draining = true;
}

/* What the streams have shown is on disk. */
void api_drain(struct api *api)
{
	const struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));) {
		const uint64_t number = call->number;
		const bool far = call->kind == CALL_REMOTE && call->begun;
		if ((call->kind < CALL_PLAY && !far) || (api->drained && cluster_is_guest(number)))
			continue;
		call_free(api, map_find(&api->calls, number));
		reply_end(api, number);
	}
	api->drained = true;
}

/* The store first, so that everything acknowledged is on disk before the streams end. */
void api_close(struct api *api)
{
	struct call *call;
	struct room *room;
	if (!api)
		return;
	cluster_leave(api);
	api->closing = true;
	bounds_save(api);
	job_queue_leave(api->jobs);
	if (api->store)
		store_close(api->store);
	bounds_free(api);
	/* All streams end; calls that still wait get an error. */
	for (size_t at = 0; (call = map_next(&api->calls, &at));) {
		const uint64_t number = call->number;
		const bool streams = call->kind >= CALL_PLAY || call->begun;
		call_free(api, call);
		if (streams)
			reply_end(api, number);
		else
			reply_error(api, number, 503, "server: the server is shutting down");
	}
	if (api->processes)
		worker_processes_stop(api->processes);
	worker_pool_free(api->pool);
	api->pool = NULL;
	worker_processes_free(api->processes);
	job_queue_free(api->jobs);
	api->loadings = NULL; /* the pool has freed them */
	table_lookup_free(api->table_lookup);
	openings_free(api->openings);
	match_cache_free(api->match_cache);
	for (size_t at = 0; (room = map_next(&api->rooms, &at));) {
		room->job_number = 0;
		room_drop(api, room);
	}
	map_release(&api->calls);
	map_release(&api->rooms);
	limits_free(api->limits);
	secrets_forget(&api->secrets);
	free(api->lobby_sent);
	puzzles_forget(api->puzzles);
	free(api->gallery);
	free(api->games);
	suspensions_free(api);
	cluster_close(api);
	free(api->data);
	free(api->matches);
	free(api);
}
