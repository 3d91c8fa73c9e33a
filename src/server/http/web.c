/*
 * web.c - the web server: the event loop, connections, signals, startup and shutdown.
 * SPDX-License-Identifier: MIT
 *
 * The libuv loop is ours; libwebsockets runs on it (loop_uv.c, or loop_poll.c). Threads of the API reach the loop through one
 * uv_async. Shutdown happens inside the loop, in this order: load balancers see that the server is
 * not ready any more, new requests are refused, all streams end, requests end, queued output is
 * written, libwebsockets' context and our handles are closed, the loop runs out.
 */
#include "server/http/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/embed.h"
#include "server/api/secrets.h"
#include "server/http/notify.h"
#include "server/http/transport.h"
#include "server/imcs/listen.h"

enum {
	OWN_FILES = 256, /* descriptors not for connections: database, child processes, ... */
	SWEEP_MS = 1000,
	SHUTDOWN_MS = 1000, /* at most, to write what is left when the API is closed */
	SHUTDOWN_STEP_MS = 50,
	GRACE_MS = 2500,   /* four checks of a load balancer that asks twice a second, and some */
	WATCHED_MS = 10000, /* whoever asked for readiness this recently will ask again */
};

/* The page, one blob for assets.h. */
EMBEDDED(unsigned char page_file[]);
EMBEDDED(uint64_t page_file_size);

/* ---- For the other files of the transport ---- */

int64_t web_now_ms(void)
{
	return (int64_t)(uv_hrtime() / 1000000);
}

/* The user data of the context, set in make_context. */
struct web *web_of(struct lws *wsi)
{
	return lws_context_user(lws_get_context(wsi));
}

/* Several calls before the loop gets there become one turn. */
void web_turn_soon(struct web *web)
{
	uv_async_send(&web->wake);
}

/* libwebsockets checks its timers only after one of its events, so it gets one. */
void web_kill(struct lws *wsi)
{
	lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	lws_cancel_service(lws_get_context(wsi));
}

/* Also for tests. */
const unsigned char *page_blob(size_t *size)
{
	*size = page_file_size;
	return page_file;
}

/* A build without Node has a blob without files. */
bool web_has_page(void)
{
	struct assets assets;
	/* Reading the index is quick: nothing is copied or unpacked. */
	const bool has = assets_read(&assets, page_file, page_file_size) && assets.count;
	assets_release(&assets);
	return has;
}

/* ---- Calls ---- */

/* Numbers count up from 1: 64 bits are never used up. */
struct call_owner *call_owner_add(struct web *web, enum api_method method, const char *path)
{
	struct call_owner *owner = calloc(1, sizeof *owner);
	if (!owner)
		return NULL;
	owner->began_us = clock_us();
	owner->route = api_route(method, path);
	owner->number = ++web->last_call;
	if (map_add(&web->calls, owner->number, owner))
		return owner;
	free(owner);
	return NULL;
}

/* NULL is fine. */
static void call_owner_remove(struct web *web, struct call_owner *owner)
{
	if (owner)
		map_remove(&web->calls, owner->number, owner);
	free(owner);
}

/* Counts and logs the call: with its response, or without one. */
static void call_ended(struct web *web, const struct call_owner *owner,
		       const struct api_response *response)
{
	const struct exchange *e = owner->exchange;
	char why[128];
	if (response)
		error_message(response, why, sizeof why);
	const struct ended_request ended = {
		.id = e ? e->request_id : "",
		.number = e ? e->number : owner->number,
		.route = owner->route,
		.post = owner->route >= 0 && api_route_method(owner->route) == API_POST,
		.socket = !e,
		.status = response ? response->status : 499,
		.began_us = owner->began_us,
		.bytes = response ? response->size : 0,
		.address = e ? e->visitor.address : socket_address(owner->socket),
		.why = response && *why ? why : NULL,
	};
	request_ended(web, &ended);
}

/* The API may have more to do afterwards, such as dropping a room: hence the turn. */
void call_owner_cancel(struct web *web, uint64_t number)
{
	struct call_owner *owner = map_find(&web->calls, number);
	if (owner && !owner->counted)
		call_ended(web, owner, NULL);
	call_owner_remove(web, owner);
	if (web->api)
		api_cancel(web->api, number);
	web_turn_soon(web);
}

/* ---- The API's host functions ---- */

/* A late response to a closed connection finds no owner. */
static void respond(void *ctx, const struct api_response *response)
{
	struct web *web = ctx;
	struct call_owner *found = map_find(&web->calls, response->call);
	if (!found)
		return;
	/* A stream counts with its first message. */
	if (!found->counted)
		call_ended(web, found, response);
	found->counted = true;
	const struct call_owner owner = *found;
	struct api_busy busy;
	if (response->end || !response->stream)
		call_owner_remove(web, found);
	/* Compressing it may take longer than all that was done for it before. */
	api_busy_begin(web->api, &busy,
		       owner.exchange ? web_client_of(owner.exchange->wsi)->address
				      : socket_address(owner.socket));
	if (owner.exchange)
		http_respond(owner.exchange, response);
	else
		socket_respond(owner.socket, owner.id, response);
	api_busy_end(web->api, &busy);
}

static void wake_up(void *ctx)
{
	web_turn_soon(ctx);
}

static void credentials_ended(void *ctx)
{
	socket_recheck(ctx);
}

/* The line of the request itself follows, as a warning; this one says how many were alike. */
static void response_failed(void *ctx, uint64_t call, const char *why)
{
	struct web *web = ctx;
	log_failed(web, map_find(&web->calls, call), why);
}

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return web_now_ms();
}

static int64_t busy_us(void *ctx)
{
	struct timespec now = { 0 };
	(void)ctx;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t seconds(void *ctx)
{
	(void)ctx;
	return (int64_t)time(NULL);
}

/* ---- The loop ---- */

static void on_turn(uv_timer_t *timer);

/* Runs the API and sets the timer to when it has to run again. */
static void turn(struct web *web)
{
	const int64_t next = web->api ? api_turn(web->api) : -1;
	if (next < 0)
		uv_timer_stop(&web->turn);
	else
		uv_timer_start(&web->turn, on_turn, (uint64_t)next, 0);
}

static void on_turn(uv_timer_t *timer)
{
	turn(timer->data);
}

/* Outside libwebsockets' callbacks, as http_unwatch requires. */
static void on_wake(uv_async_t *wake)
{
	http_unwatch(wake->data);
	turn(wake->data);
}

/* Once a second. */
static void on_sweep(uv_timer_t *timer)
{
	struct web *web = timer->data;
	http_sweep(web);
	listener_sweep(web);
	tls_look(web);
	socket_sweep(web);
	web_client_sweep(web);
	if (web->watchdog_ms && web_now_ms() - web->watched_ms >= web->watchdog_ms / 3) {
		web->watched_ms = web_now_ms();
		notify_systemd("WATCHDOG=1");
	}
	lws_cancel_service(web->context); /* so its timers are at most a second late */
}

/* ---- Shutdown ---- */

/* It frees itself; NULL is fine. */
static void shut_imcs(struct web *web)
{
	imcs_listener_shut(web->imcs);
	web->imcs = NULL;
}

/* Closes all handles; the context, if there is one, is freed when the loop has run out. */
static void stop(struct web *web)
{
	uv_handle_t *const handles[] = {
		(uv_handle_t *)&web->imcs_end,	(uv_handle_t *)&web->wake,
		(uv_handle_t *)&web->turn,	(uv_handle_t *)&web->sweep,
		(uv_handle_t *)&web->shutdown,	(uv_handle_t *)&web->interrupt,
		(uv_handle_t *)&web->terminate,	(uv_handle_t *)&web->hangup,
	};
	/* Nothing new comes in while the rest is closed. */
	listener_close(web);
	shut_imcs(web);
	metrics_listener_shut(web->metrics_listener);
	web->metrics_listener = NULL;
	for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
		uv_close(handles[i], NULL);
	loop_leave(web);
}

/* Waits until everything is written, but not for a client that does not read. */
static void on_shutdown_step(uv_timer_t *timer)
{
	struct web *web = timer->data;
	web->shutdown_steps++;
	if (web->shutdown_steps >= SHUTDOWN_MS / SHUTDOWN_STEP_MS ||
	    (web->shutdown_steps > 2 && !web->calls.count && !web->exchange_count))
		stop(web);
	else
		uv_timer_start(timer, on_shutdown_step, SHUTDOWN_STEP_MS, 0);
}

/* Waits until the requests that are under way have ended, or their time is up. */
static void on_drain_step(uv_timer_t *timer)
{
	struct web *web = timer->data;
	if ((web->exchange_count || web->socket_count) && web_now_ms() < web->drain_ms) {
		api_drain(web->api);
		uv_timer_start(timer, on_drain_step, SHUTDOWN_STEP_MS, 0);
		return;
	}
	api_close(web->api); /* requests that have not ended get a 503 */
	web->api = NULL;
	lws_callback_on_writable_all_protocol(web->context, &web->protocols[1]);
	uv_timer_start(timer, on_shutdown_step, SHUTDOWN_STEP_MS, 0);
}

/* Does a load balancer ask for readiness? */
static bool is_watched(const struct web *web)
{
	return web->ready_ms && web_now_ms() - web->ready_ms < WATCHED_MS;
}

/*
 * Streams have no end of their own. A balancer that met refused connections would cut the requests
 * that are under way, so one that watches is answered until they have ended.
 */
static void on_grace_over(uv_timer_t *timer)
{
	struct web *web = timer->data;
	web->draining = true;
	if (!is_watched(web))
		listener_close(web);
	shut_imcs(web); /* before the API: it stores its games through it */
	api_drain(web->api);
	lws_callback_on_writable_all_protocol(web->context, &web->protocols[1]);
	uv_timer_start(timer, on_drain_step, 0, 0);
}

/*
 * How long to serve as before while readiness is denied, so that a load balancer sends visitors
 * elsewhere before they are refused. At most half of the time to drain, and only if one watches.
 */
static int64_t grace_ms(const struct web *web)
{
	const int64_t half = 500 * (int64_t)web->setup->drain_s;
	return !is_watched(web) ? 0 : half < GRACE_MS ? half : GRACE_MS;
}

/* A second signal has its default effect from here on. */
static void on_signal(uv_signal_t *handle, int number)
{
	struct web *web = handle->data;
	if (web->stopping)
		return;
	log_stop(web, number);
	notify_systemd("STOPPING=1");
	web->stopping = true;
	web->drain_ms = web_now_ms() + 1000 * (int64_t)web->setup->drain_s;
	uv_signal_stop(&web->interrupt);
	uv_signal_stop(&web->terminate);
	api_deny_ready(web->api);
	uv_timer_start(&web->shutdown, on_grace_over, (uint64_t)grace_ms(web), 0);
}

static void on_hangup(uv_signal_t *handle, int number)
{
	struct web *web = handle->data;
	(void)number;
	if (web->stopping)
		return;
	notify_reloading();
	tls_reload(web);
	notify_systemd("READY=1");
}

/* ---- Startup ---- */

/* Further names than MAX_HOSTS are left out. */
static void add_host(struct host_list *list, const char *name)
{
	if (list->count < MAX_HOSTS && !host_is_listed(list, name))
		list->names[list->count++] = name;
}

/*
 * A numeric address in the Host header is safe when the server is open to the network. A name must
 * be listed, since anybody can register a name that resolves to this machine (DNS rebinding).
 */
static void list_hosts(struct web *web)
{
	const struct web_setup *setup = web->setup;
	/* A server on the loopback interface has no other numeric address. */
	const bool loopback = strcmp(setup->host, "127.0.0.1") == 0 ||
			      strcmp(setup->host, "::1") == 0 ||
			      strcmp(setup->host, "localhost") == 0;
	add_host(&web->hosts, "localhost");
	add_host(&web->hosts, "127.0.0.1");
	add_host(&web->hosts, "[::1]");
	web->hosts.any_address = !loopback;
	if (!strchr(setup->host, ':'))
		add_host(&web->hosts, setup->host);
	for (int i = 0; i < setup->allowed_count; i++)
		add_host(&web->hosts, setup->allowed[i].name);
}

/* Responses that libwebsockets writes itself get these headers too. */
static const struct lws_protocol_vhost_options library_headers[] = {
	{ &library_headers[1], NULL, "content-security-policy:", "default-src 'none'" },
	{ &library_headers[2], NULL, "x-content-type-options:", "nosniff" },
	{ NULL, NULL, "referrer-policy:", "no-referrer" },
};

/* No pings by libwebsockets: see socket_sweep. */
static const lws_retry_bo_t no_pings = { 0 };

/*
 * The virtual host is created separately: with an invalid certificate libwebsockets would
 * otherwise free the context together with handles that are on our loop.
 */
static enum qv_status make_context(struct web *web, int files, struct qv_error *error)
{
	web->protocols[0] =
		(struct lws_protocols){ .name = "http",
					.callback = http_callback,
					.per_session_data_size = sizeof(struct exchange) };
	web->protocols[1] = (struct lws_protocols){ .name = "quevedo",
						    .callback = socket_callback,
						    .per_session_data_size = socket_size(),
						    .rx_buffer_size = 4096 };
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = web->protocols,
		.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
			   (web->setup->cert ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
		.user = web,
		.uid = -1,
		.gid = -1,
		.alpn = "http/1.1",
		.headers = library_headers,
		.max_http_header_data = HEADER_BYTES,
		.timeout_secs = READ_SECONDS,
		.keepalive_timeout = IDLE_SECONDS,
		.fd_limit_per_thread = (unsigned)files,
		.retry_and_idle_policy = &no_pings,
		.ssl_cert_filepath = web->setup->cert,
		.ssl_private_key_filepath = web->setup->key,
	};
	loop_prepare(web, &info);
	/* libwebsockets would print to standard error. */
	lws_set_log_level(0, NULL);
	web->context = lws_create_context(&info);
	web->vhost = web->context ? lws_create_vhost(web->context, &info) : NULL;
	if (web->vhost && loop_join(web))
		return QV_OK;
	if (access("/dev/urandom", R_OK) != 0)
		return qv_fail(error, QV_IO, "/dev/urandom: %s", strerror(errno));
	return qv_fail(error, QV_IO,
		       web->setup->cert ? "--cert: the certificate or its key is not valid"
					: "serve: libwebsockets could not start");
}

/* The IMCS admin has stopped the IMCS server: the web server continues. */
static void on_imcs_end(uv_timer_t *timer)
{
	shut_imcs(timer->data);
}

/* Deferred to a timer: the protocol is still in the middle of the admin's command. */
static void imcs_stopped(void *ctx)
{
	struct web *web = ctx;
	uv_timer_start(&web->imcs_end, on_imcs_end, 0, 0);
}

/* Unpacks index.html, which is sent with lines of its own for each address. False: no memory. */
static bool read_page(struct web *web)
{
	const struct asset *index = assets_find(&web->assets, "/index.html", "");
	web->page.allocator = &mem_malloc;
	if (!index)
		return true;
	string_addf(&web->page, "%*s", (int)index->size, ""); /* the room */
	struct gunzip *unpack =
		asset_is_packed(index) ? gunzip_open(index->data, index->stored) : NULL;
	bool good = !web->page.failed;
	if (good && unpack)
		good = gunzip_read(unpack, (unsigned char *)web->page.data, index->size);
	else if (good && !asset_is_packed(index))
		memcpy(web->page.data, index->data, index->size);
	else
		good = false;
	gunzip_close(unpack);
	return good;
}

/* The body of GET /metrics. */
static void write_metrics(void *ctx, struct string *out)
{
	struct web *web = ctx;
	struct metrics_now now = { .sockets = web->sockets.count,
				   .connections = limits_connections(web->limits),
				   .held = web->held.total };
	for (const struct exchange *e = web->exchanges; e; e = e->next)
		now.waiting++;
	metrics_write(web->metrics, web->api, &now, out);
}

static enum qv_status open_metrics(struct web *web, int *port, struct qv_error *error)
{
	const struct metrics_listen_setup setup = { .loop = &web->loop,
						    .host = web->setup->metrics_host,
						    .port = web->setup->metrics_port,
						    .write = write_metrics,
						    .ctx = web };
	*port = 0;
	if (setup.port < 0)
		return QV_OK;
	return metrics_listener_open(&setup, &web->metrics_listener, port, error);
}

/* Opens everything, in the order of its use; `url` and `imcs` become the addresses. */
static enum qv_status open_parts(struct web *web, char url[WEB_ADDRESS], char imcs[IMCS_LISTENS_AT],
				 struct qv_error *error)
{
	const struct web_setup *setup = web->setup;
	struct api_setup api = setup->api;
	/* Each connection needs a descriptor; a quarter of them is for IMCS. */
	const int files = limits_raise_files();
	const int most = files > 2 * OWN_FILES ? files - OWN_FILES : files / 2;
	const int imcs_most = setup->imcs_port < 0 ? 0 : most / 4;
	web->limits = limits_new(api.per_address, most - imcs_most);
	held_open(&web->held, api.per_address > 1 ? api.per_address : 1);
	web->held.end = web_client_end_largest;
	web->held.ctx = web;
	web->metrics = metrics_new();
	if (!web->limits || !web->metrics ||
	    !assets_read(&web->assets, page_file, page_file_size) || !read_page(web))
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	list_hosts(web);
	enum qv_status status = make_context(web, files, error);
	if (status == QV_OK)
		status = listener_open(web, url, error);
	api.host = (struct api_host){ respond, wake_up, now_ms, seconds, web, credentials_ended,
				      response_failed, busy_us };
	if (status == QV_OK)
		status = api_open(&api, &web->api, error);
	if (status == QV_OK)
		api_share_limits(web->api, web->limits);
	imcs[0] = '\0';
	if (status != QV_OK || setup->imcs_port < 0)
		return status;
	const struct imcs_listen_setup listen_setup = { .loop = &web->loop,
							.api = web->api,
							.host = setup->host,
							.port = setup->imcs_port,
							.per_address = api.per_address,
							.admin_password = setup->imcs_password,
							.stopped = imcs_stopped,
							.ctx = web,
							.connections = imcs_most };
	return imcs_listener_open(&listen_setup, &web->imcs, imcs, error);
}

/* Handles are initialised first, so that stop can close them whatever fails. */
enum qv_status web_run(const struct web_setup *setup, struct qv_error *error)
{
	char url[WEB_ADDRESS], imcs[IMCS_LISTENS_AT];
	int metrics_port = 0;
	struct call_owner *owner;
	struct web *web = calloc(1, sizeof *web);
	if (!web || uv_loop_init(&web->loop) != 0) {
		free(web);
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	}
	web->setup = setup;
	web->began_us = clock_us();
	secrets_random(&web->run, sizeof web->run);
	web->calls.allocator = &mem_malloc;
	web->loop.data = web->wake.data = web->turn.data = web->sweep.data = web;
	web->shutdown.data = web->imcs_end.data = web->interrupt.data = web->terminate.data = web;
	web->hangup.data = web;
	uv_async_init(&web->loop, &web->wake, on_wake);
	uv_timer_init(&web->loop, &web->turn);
	uv_timer_init(&web->loop, &web->sweep);
	uv_timer_init(&web->loop, &web->shutdown);
	uv_timer_init(&web->loop, &web->imcs_end);
	uv_signal_init(&web->loop, &web->interrupt);
	uv_signal_init(&web->loop, &web->terminate);
	uv_signal_init(&web->loop, &web->hangup);
	enum qv_status status = open_parts(web, url, imcs, error);
	if (status == QV_OK)
		status = open_metrics(web, &metrics_port, error);
	if (status == QV_OK) { /* signals first: `ready` may cause one at once */
		uv_signal_start(&web->interrupt, on_signal, SIGINT);
		uv_signal_start(&web->terminate, on_signal, SIGTERM);
		uv_signal_start(&web->hangup, on_hangup, SIGHUP);
		status = setup->ready(setup->ctx, url, imcs, metrics_port, error);
		log_start(web, url, imcs);
		web->watchdog_ms = notify_watchdog_ms();
		if (status == QV_OK)
			notify_systemd("READY=1");
	}
	if (status == QV_OK) {
		uv_timer_start(&web->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
		turn(web);
	} else {
		stop(web);
	}
	loop_run(web);
	loop_end(web);
	api_close(web->api);
	uv_loop_close(&web->loop);
	for (size_t at = 0; (owner = map_next(&web->calls, &at));)
		free(owner);
	map_release(&web->calls);
	limits_free(web->limits);
	metrics_free(web->metrics);
	tls_release(web);
	assets_release(&web->assets);
	string_release(&web->page);
	gzip_cache_release(&web->packed);
	gzip_cache_release(&web->packed_pages);
	free(web);
	return status;
}
