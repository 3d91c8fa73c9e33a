/*
 * web.c - the web server: the event loop, signals, startup and shutdown.
 * SPDX-License-Identifier: MIT
 *
 * The libuv loop is ours; libwebsockets runs on it. Threads of the API reach the loop through one
 * uv_async. Shutdown happens inside the loop, in this order: no new connections, all streams end,
 * queued output is written, libwebsockets' context and our handles are closed, the loop runs out.
 */
#include "server/http/web.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/imcs/listen.h"
#include "server/http/transport.h"

enum {
	OWN_FILES = 256, /* descriptors not for connections: database, child processes, ... */
	SWEEP_MS = 1000,
	SHUTDOWN_MS = 2000, /* at most, to write queued output */
	SHUTDOWN_STEP_MS = 50,
};

/* ---- For the other files of the transport ---- */

int64_t web_now_ms(void)
{
	return (int64_t)(uv_hrtime() / 1000000);
}

struct web *web_of(struct lws *wsi)
{
	return lws_context_user(lws_get_context(wsi));
}

struct limits_peer *web_peer(struct lws *wsi)
{
	return lws_get_opaque_user_data(wsi);
}

void web_turn_soon(struct web *web)
{
	uv_async_send(&web->wake);
}

/* libwebsockets checks its timers only after an event of its own, so it gets one. */
void web_kill(struct lws *wsi)
{
	lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	lws_cancel_service(lws_get_context(wsi));
}

bool web_is_secure(const struct web *web)
{
	return web->setup->cert != NULL;
}

/* Browsers accept a cookie with the prefix __Host- over TLS only, and from this host only. */
const char *web_cookie_name(const struct web *web)
{
	return web_is_secure(web) ? "__Host-qv" : "qv";
}

void web_cookie_line(const struct web *web, const char *value, struct string *out)
{
	if (strpbrk(value, "; \r\n"))
		return;
	string_addf(out,
		    "Set-Cookie: %s=%s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax%s\r\n",
		    web_cookie_name(web), value, web_is_secure(web) ? "; Secure" : "");
}

bool web_has_page(void)
{
	size_t size;
	struct assets assets;
	const unsigned char *blob = page_blob(&size);
	const bool has = assets_read(&assets, blob, size) && assets.count;
	assets_release(&assets);
	return has;
}

void web_adopt(struct web *web, int fd, const char *address)
{
	struct limits_peer *peer = limits_connect(web->limits, address);
	if (!peer) {
		close(fd);
		return;
	}
	struct lws *wsi = lws_adopt_socket_vhost(web->vhost, fd);
	if (wsi)
		lws_set_opaque_user_data(wsi, peer);
	else
		limits_disconnect(web->limits, peer); /* libwebsockets has closed it */
}

/* ---- The API's host functions ---- */

static void respond(void *ctx, const struct api_response *response)
{
	struct web *web = ctx;
	struct call_owner *found = call_owners_find(&web->calls, response->call);
	if (!found)
		return;
	const struct call_owner owner = *found;
	if (response->end || !response->stream)
		call_owners_remove(&web->calls, response->call);
	if (owner.exchange)
		http_respond(owner.exchange, response);
	else
		socket_respond(owner.socket, owner.id, response);
}

static void wake_up(void *ctx)
{
	web_turn_soon(ctx);
}

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return web_now_ms();
}

static int64_t seconds(void *ctx)
{
	(void)ctx;
	return (int64_t)time(NULL);
}

/* ---- The loop ---- */

static void on_turn(uv_timer_t *timer);

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

static void on_wake(uv_async_t *wake)
{
	http_unwatch(wake->data);
	turn(wake->data);
}

static void on_sweep(uv_timer_t *timer)
{
	struct web *web = timer->data;
	http_sweep(web);
	lws_cancel_service(web->context); /* so its timers are at most a second late */
}

/* ---- Shutdown ---- */

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void shut_imcs(struct web *web)
{
	imcs_listener_shut(web->imcs);
	web->imcs = NULL;
}

static void close_handles(struct web *web)
{
	listener_close(web);
	shut_imcs(web);
	close_handle((uv_handle_t *)&web->imcs_end);
	close_handle((uv_handle_t *)&web->wake);
	close_handle((uv_handle_t *)&web->turn);
	close_handle((uv_handle_t *)&web->sweep);
	close_handle((uv_handle_t *)&web->shutdown);
	close_handle((uv_handle_t *)&web->interrupt);
	close_handle((uv_handle_t *)&web->terminate);
}

static void stop(struct web *web)
{
	struct lws_context *context = web->context;
	uv_timer_stop(&web->shutdown);
	close_handles(web);
	web->context = NULL;
	web->closed = context;
	lws_context_destroy(context);
}

static void on_shutdown_step(uv_timer_t *timer)
{
	struct web *web = timer->data;
	const bool all_sent = !web->calls.by_number.count && !web->exchanges;
	web->shutdown_steps++;
	if (web->shutdown_steps >= SHUTDOWN_MS / SHUTDOWN_STEP_MS ||
	    (web->shutdown_steps > 2 && all_sent))
		stop(web);
	else
		uv_timer_start(timer, on_shutdown_step, SHUTDOWN_STEP_MS, 0);
}

/* Closing the API ends every stream. A second signal has its default effect from here on. */
static void begin_shutdown(struct web *web)
{
	if (web->ending)
		return;
	web->ending = true;
	uv_signal_stop(&web->interrupt);
	uv_signal_stop(&web->terminate);
	listener_close(web);
	shut_imcs(web); /* before the API: it stores its games through it */
	struct api *api = web->api;
	api_close(api);
	web->api = NULL;
	lws_callback_on_writable_all_protocol(web->context, &web->protocols[1]);
	uv_timer_start(&web->shutdown, on_shutdown_step, SHUTDOWN_STEP_MS, 0);
}

static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	begin_shutdown(handle->data);
}

/* ---- Startup ---- */

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
	const bool loopback = strcmp(setup->host, "127.0.0.1") == 0 ||
			      strcmp(setup->host, "::1") == 0 ||
			      strcmp(setup->host, "localhost") == 0;
	add_host(&web->hosts, "localhost");
	add_host(&web->hosts, "127.0.0.1");
	add_host(&web->hosts, "[::1]");
	web->hosts.any_address = !loopback;
	if (!strchr(setup->host, ':'))
		add_host(&web->hosts, setup->host);
	for (int i = 0; i < setup->allowed_count; i++) {
		add_host(&web->hosts, setup->allowed_hosts[i]);
		add_host(&web->named, setup->allowed_hosts[i]);
	}
}

static void init_handles(struct web *web)
{
	web->loop.data = web;
	uv_async_init(&web->loop, &web->wake, on_wake);
	uv_timer_init(&web->loop, &web->turn);
	uv_timer_init(&web->loop, &web->sweep);
	uv_timer_init(&web->loop, &web->shutdown);
	uv_timer_init(&web->loop, &web->imcs_end);
	uv_signal_init(&web->loop, &web->interrupt);
	uv_signal_init(&web->loop, &web->terminate);
	web->wake.data = web->turn.data = web->sweep.data = web->shutdown.data = web;
	web->imcs_end.data = web;
	web->interrupt.data = web->terminate.data = web;
}

/* Responses that libwebsockets writes itself get these headers too. */
static const struct lws_protocol_vhost_options library_headers[] = {
	{ &library_headers[1], NULL, "content-security-policy:", "default-src 'none'" },
	{ &library_headers[2], NULL, "x-content-type-options:", "nosniff" },
	{ NULL, NULL, "referrer-policy:", "no-referrer" },
};

static const lws_retry_bo_t pings = { .secs_since_valid_ping = 30, .secs_since_valid_hangup = 45 };

/*
 * The virtual host is created separately: with an invalid certificate libwebsockets would
 * otherwise free the context together with handles that are on our loop.
 */
static enum qv_status make_context(struct web *web, int files, struct qv_error *error)
{
	void *loops[] = { &web->loop };
	web->protocols[0] = (struct lws_protocols){ .name = "http",
						    .callback = http_callback,
						    .per_session_data_size = http_exchange_size() };
	web->protocols[1] = (struct lws_protocols){ .name = "quevedo",
						    .callback = socket_callback,
						    .per_session_data_size = socket_size(),
						    .rx_buffer_size = 4096 };
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = web->protocols,
		.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8 |
			   LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
			   (web_is_secure(web) ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
		.foreign_loops = loops,
		.user = web,
		.uid = -1,
		.gid = -1,
		.alpn = "http/1.1",
		.headers = library_headers,
		.max_http_header_data = HEADER_BYTES,
		.timeout_secs = READ_SECONDS,
		.keepalive_timeout = IDLE_SECONDS,
		.fd_limit_per_thread = (unsigned)files,
		.retry_and_idle_policy = &pings,
		.ssl_cert_filepath = web->setup->cert,
		.ssl_private_key_filepath = web->setup->key,
	};
	lws_set_log_level(0, NULL);
	web->context = lws_create_context(&info);
	web->vhost = web->context ? lws_create_vhost(web->context, &info) : NULL;
	if (web->vhost)
		return QV_OK;
	return qv_fail(error, QV_IO,
		       web_is_secure(web) ? "--cert: the certificate or its key is not valid"
					  : "serve: libwebsockets could not start");
}

/* The IMCS admin has stopped the IMCS server: the web server continues. */
static void on_imcs_end(uv_timer_t *timer)
{
	shut_imcs(timer->data);
}

static void imcs_stopped(void *ctx)
{
	struct web *web = ctx;
	uv_timer_start(&web->imcs_end, on_imcs_end, 0, 0);
}

static enum qv_status open_imcs(struct web *web, char at[IMCS_LISTENS_AT], struct qv_error *error)
{
	const struct imcs_listen_setup setup = { .loop = &web->loop,
						 .api = web->api,
						 .host = web->setup->host,
						 .port = web->setup->imcs_port,
						 .admin_password = web->setup->imcs_password,
						 .stopped = imcs_stopped,
						 .ctx = web };
	at[0] = '\0';
	return web->setup->imcs_port < 0 ? QV_OK
					 : imcs_listener_open(&setup, &web->imcs, at, error);
}

static enum qv_status open_parts(struct web *web, char url[WEB_ADDRESS], struct qv_error *error)
{
	struct api_setup api = web->setup->api;
	size_t size;
	const unsigned char *blob = page_blob(&size);
	const int files = limits_raise_files();
	web->limits = limits_new(api.per_address,
				 files > 2 * OWN_FILES ? files - OWN_FILES : files / 2);
	if (!web->limits || !assets_read(&web->assets, blob, size))
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	list_hosts(web);
	enum qv_status status = make_context(web, files, error);
	if (status == QV_OK)
		status = listener_open(web, url, error);
	if (status != QV_OK)
		return status;
	api.host = (struct api_host){ respond, wake_up, now_ms, seconds, web };
	return api_open(&api, &web->api, error);
}

static enum qv_status serve(struct web *web, struct qv_error *error)
{
	char url[WEB_ADDRESS], imcs[IMCS_LISTENS_AT];
	enum qv_status status = open_parts(web, url, error);
	if (status == QV_OK)
		status = open_imcs(web, imcs, error);
	if (status == QV_OK) { /* signals first: `ready` may cause one at once */
		uv_signal_start(&web->interrupt, on_signal, SIGINT);
		uv_signal_start(&web->terminate, on_signal, SIGTERM);
		status = web->setup->ready(web->setup->ctx, url, imcs, error);
	}
	if (status == QV_OK) {
		uv_timer_start(&web->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
		turn(web);
	} else if (web->context) {
		stop(web);
	} else {
		close_handles(web);
	}
	uv_run(&web->loop, UV_RUN_DEFAULT);
	lws_context_destroy(web->closed); /* frees the rest, now that its handles are closed */
	return status;
}

enum qv_status web_run(const struct web_setup *setup, struct qv_error *error)
{
	struct web *web = calloc(1, sizeof *web);
	if (!web || uv_loop_init(&web->loop) != 0) {
		free(web);
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	}
	web->setup = setup;
	call_owners_init(&web->calls);
	init_handles(web);
	const enum qv_status status = serve(web, error);
	api_close(web->api);
	uv_loop_close(&web->loop);
	call_owners_release(&web->calls);
	limits_free(web->limits);
	assets_release(&web->assets);
	free(web);
	return status;
}
