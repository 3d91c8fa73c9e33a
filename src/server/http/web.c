/*
 * web.c - the web server: loop, signals, and the life of it all.
 * SPDX-License-Identifier: MIT
 *
 * The loop is ours, libwebsockets is a guest on it. Threads of the API reach it through one
 * uv_async. At the end, inside the loop: nobody new, streams end, what waits is written, then the
 * library's context and our handles go, and the loop runs out.
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
	OWN_FILES = 256,    /* not for connections: database, children, ... */
	SWEEP_MS = 1000,
	LAST_MS = 2000, /* to write out what waits, at the end */
	LAST_STEP_MS = 50,
};

/* ---- What the other files ask ---- */

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

/* The library looks at its timers only after an event of its own; so it gets one. */
void web_kill(struct lws *wsi)
{
	lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	lws_cancel_service(lws_get_context(wsi));
}

bool web_is_secure(const struct web *web)
{
	return web->setup->cert != NULL;
}

/* With that prefix a browser takes it from TLS alone, and from this host alone. */
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

void web_take(struct web *web, int fd, const char *address)
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
		limits_disconnect(web->limits, peer); /* the library has closed it */
}

/* ---- What the API asks ---- */

static void take_answer(void *ctx, const struct api_response *answer)
{
	struct web *web = ctx;
	struct call_owner *found = call_owners_find(&web->calls, answer->call);
	if (!found)
		return;
	const struct call_owner call = *found;
	const bool end = answer->end || !answer->stream;
	if (end)
		call_owners_remove(&web->calls, answer->call);
	if (call.exchange)
		http_respond(call.exchange, answer);
	else
		socket_respond(call.socket, call.id, answer);
}

static void wake_up(void *ctx)
{
	struct web *web = ctx;
	uv_async_send(&web->wake);
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
	http_silence(wake->data);
	turn(wake->data);
}

static void on_sweep(uv_timer_t *timer)
{
	struct web *web = timer->data;
	http_sweep(web);
	lws_cancel_service(web->context); /* a second is how late its timers may be */
}

/* ---- The end ---- */

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
	close_handle((uv_handle_t *)&web->last_call);
	close_handle((uv_handle_t *)&web->interrupt);
	close_handle((uv_handle_t *)&web->terminate);
}

static void stop(struct web *web)
{
	struct lws_context *context = web->context;
	uv_timer_stop(&web->last_call);
	close_handles(web);
	web->context = NULL;
	web->closed = context;
	lws_context_destroy(context);
}

static bool all_is_said(const struct web *web)
{
	return !web->calls.by_number.count && !web->exchanges;
}

static void on_last_call(uv_timer_t *timer)
{
	struct web *web = timer->data;
	static const int steps = LAST_MS / LAST_STEP_MS;
	if (++web->last_steps >= steps || (web->last_steps > 2 && all_is_said(web)))
		stop(web);
	else
		uv_timer_start(timer, on_last_call, LAST_STEP_MS, 0);
}

/* The API's end makes every stream end; a signal from here on has its usual effect. */
static void begin_end(struct web *web)
{
	if (web->ending)
		return;
	web->ending = true;
	uv_signal_stop(&web->interrupt);
	uv_signal_stop(&web->terminate);
	listener_close(web);
	shut_imcs(web); /* what it keeps goes to the store of the API */
	struct api *api = web->api;
	api_close(api);
	web->api = NULL;
	lws_callback_on_writable_all_protocol(web->context, &web->protocols[1]);
	uv_timer_start(&web->last_call, on_last_call, LAST_STEP_MS, 0);
}

static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	begin_end(handle->data);
}

/* ---- The beginning ---- */

static void add_host(struct host_list *list, const char *name)
{
	if (list->count < MAX_HOSTS && !host_is_listed(list, name))
		list->names[list->count++] = name;
}

/*
 * Whoever can reach this machine by a number may ask by that number; a name is only good if it is
 * known, since anybody can make a name that leads here.
 */
static void list_hosts(struct web *web)
{
	const struct web_setup *setup = web->setup;
	const bool inside = strcmp(setup->host, "127.0.0.1") == 0 ||
			    strcmp(setup->host, "::1") == 0 ||
			    strcmp(setup->host, "localhost") == 0;
	add_host(&web->hosts, "localhost");
	add_host(&web->hosts, "127.0.0.1");
	add_host(&web->hosts, "[::1]");
	web->hosts.any_address = !inside;
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
	uv_timer_init(&web->loop, &web->last_call);
	uv_timer_init(&web->loop, &web->imcs_end);
	uv_signal_init(&web->loop, &web->interrupt);
	uv_signal_init(&web->loop, &web->terminate);
	web->wake.data = web->turn.data = web->sweep.data = web->last_call.data = web;
	web->imcs_end.data = web;
	web->interrupt.data = web->terminate.data = web;
}

/* The library's own pages bear our headers too. */
static const struct lws_protocol_vhost_options library_headers[] = {
	{ &library_headers[1], NULL, "content-security-policy:", "default-src 'none'" },
	{ &library_headers[2], NULL, "x-content-type-options:", "nosniff" },
	{ NULL, NULL, "referrer-policy:", "no-referrer" },
};

static const lws_retry_bo_t pings = { .secs_since_valid_ping = 30, .secs_since_valid_hangup = 45 };

/*
 * The virtual host is made apart: where its certificate is not good the library would, with the
 * context, free handles that are on our loop.
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
		       web_is_secure(web) ? "--cert: the certificate or its key is not good"
					  : "serve: libwebsockets could not start");
}

/* The admin of IMCS has stopped it: the rest goes on. */
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
	api.host = (struct api_host){ take_answer, wake_up, now_ms, seconds, web };
	return api_open(&api, &web->api, error);
}

static enum qv_status serve(struct web *web, struct qv_error *error)
{
	char url[WEB_ADDRESS], imcs[IMCS_LISTENS_AT];
	enum qv_status status = open_parts(web, url, error);
	if (status == QV_OK)
		status = open_imcs(web, imcs, error);
	if (status == QV_OK) { /* who hears that it is ready may end it at once */
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
	lws_context_destroy(web->closed); /* the rest of it, now that its handles are closed */
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
