/*
 * listen.c - an IMCS server on a libuv loop.
 * SPDX-License-Identifier: MIT
 *
 * A connection is open while the protocol has a peer for it. Then it lingers: queued output is sent
 * and input is discarded, so that the last lines are not lost in a TCP reset. Then it is closed. It
 * is freed when the handle is closed and no thread works for it.
 */
#include "server/imcs/listen.h"

#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/imcs/inside.h"
#include "server/api/held_bytes.h"
#include "server/api/secrets.h"

enum {
	BACKLOG = 512,
	READ_BYTES = 16384,
	WAITING_BYTES = 1 << 20, /* queued output beyond which the connection is closed */
	LINGER_MS = 2000,
	SWEEP_MS = 500,
	KEEPALIVE_S = 60,
	CONNECTIONS_MOST = 8192,
	KNOWN = 4096, /* pairs of a name and an address that are remembered */
};

/* A connection. The handle must outlive all requests to libuv that use it. */
struct conn {
	struct imcs_link link; /* first; no peer: it lingers, or is closed */
	uv_tcp_t tcp;
	uv_shutdown_t shutdown;
	struct imcs_listener *listener;
	struct limits_peer *limit;
	struct holder holder; /* of what waits */
	char address[IMCS_ADDRESS], host[LIMIT_ADDRESS];
	char login[IMCS_NAME + 1]; /* the name it last tried to log in to */
	size_t waiting;	      /* bytes of queued output */
	bool broken;	      /* writing has failed */
	bool closing, closed; /* the handle */
	bool working;	      /* a thread or the store works for it: see struct work, storing */
	bool slowed;	      /* it has sent too much, and is not read from */
	bool ended;	      /* there is nothing more to read */
	int64_t linger_until;
	struct conn *next, *before;
};

/* The server with its sockets and timers. {0} until imcs_listener_open has filled it. */
struct imcs_listener {
	struct imcs_base base; /* first */
	uv_tcp_t tcp;
	uv_timer_t due, sweep;
	int handles; /* how many of these three are not closed */
	uv_loop_t *loop;
	struct imcs_listen_setup setup;
	struct limits *limits;
	struct held_bytes held;
	struct conn *conns;
	uint64_t known[KNOWN]; /* hashes of names with addresses that have logged in to them */
	bool shut;
	char bytes[READ_BYTES]; /* the buffer for all reads */
};

/* The clock of the games: monotonic. */
static int64_t now_ms(void)
{
	return (int64_t)(uv_hrtime() / 1000000);
}

/* ---- Freeing ---- */

/* The last handle or connection that is closed frees the listener. */
static void free_when_done(struct imcs_listener *l)
{
	if (l->handles || l->conns || !l->shut)
		return;
	limits_free(l->limits);
	free(l);
}

/* Called when the handle is closed and when a thread is done: the later one frees. */
static void conn_free(struct conn *c)
{
	struct imcs_listener *l = c->listener;
	if (!c->closed || c->working)
		return;
	/* Leaves the list of the listener. */
	if (c->before)
		c->before->next = c->next;
	else
		l->conns = c->next;
	if (c->next)
		c->next->before = c->before;
	holder_close(&l->held, &c->holder);
	if (c->limit)
		limits_disconnect(l->limits, c->limit);
	free(c);
	free_when_done(l);
}

/* libuv no longer uses the handle. */
static void on_conn_closed(uv_handle_t *handle)
{
	struct conn *c = handle->data;
	c->closed = true;
	conn_free(c);
}

/* Pending writes fail with UV_ECANCELED and are freed by on_written. */
static void conn_close(struct conn *c)
{
	if (c->closing)
		return;
	c->closing = true;
	uv_close((uv_handle_t *)&c->tcp, on_conn_closed);
}

/* ---- Time ---- */

static void on_due(uv_timer_t *timer);

/* After every call of the server: sets the timer to the time when the next flag falls. */
static void set_timer(struct imcs_listener *l)
{
	if (l->shut)
		return;
	const int64_t due = imcs_due(l->base.server), now = now_ms();
	if (due < 0)
		uv_timer_stop(&l->due);
	else {
		/* The time that the loop has cached may be old after long work. */
		uv_update_time(l->loop);
		uv_timer_start(&l->due, on_due, due > now ? (uint64_t)(due - now) : 0, 0);
	}
}

/* For imcs_base. */
static void acted(struct imcs_base *base)
{
	set_timer((struct imcs_listener *)base);
}

/* A flag falls. */
static void on_due(uv_timer_t *timer)
{
	struct imcs_listener *l = timer->data;
	imcs_tick(l->base.server, now_ms());
	set_timer(l);
}

/* One of the listener's own three handles. */
static void on_handle_closed(uv_handle_t *handle)
{
	struct imcs_listener *l = handle->data;
	l->handles--;
	free_when_done(l);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out);
static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer);

/* Reads again, if nothing is against it. */
static void read_again(struct conn *c)
{
	if (!c->slowed && !c->ended && !c->closing)
		uv_read_start((uv_stream_t *)&c->tcp, on_room, on_read);
}

/* A connection that has sent too much: perhaps its next lines may be handled now. */
static void resume(struct conn *c)
{
	c->slowed = false;
	imcs_more(c->listener->base.server, c->link.peer, now_ms());
	read_again(c);
}

/*
 * Drops peers whose connection is broken; closes connections that have lingered long enough. After
 * the listener was shut, the timer closes with the last connection.
 */
static void on_sweep(uv_timer_t *timer)
{
	struct imcs_listener *l = timer->data;
	for (struct conn *c = l->conns, *next; c; c = next) {
		next = c->next;
		if (c->link.peer && !l->shut) {
			if (c->broken)
				imcs_gone(l->base.server, c->link.peer, now_ms());
			else if (c->slowed)
				resume(c);
		} else if (!c->closing && (c->broken || now_ms() >= c->linger_until)) {
			conn_close(c);
		}
	}
	if (l->shut && !l->conns)
		uv_close((uv_handle_t *)timer, on_handle_closed);
	imcs_records_sweep(l->base.records);
	hall_sweep(l->base.hall);
	set_timer(l);
}

/* ---- Writing ---- */

/* A piece of output while libuv writes it: the bytes must stay where they are. */
struct output {
	uv_write_t request;
	struct conn *conn;
	size_t size;
	char bytes[];
};

/* A failure is handled in on_sweep. */
static void on_written(uv_write_t *request, int status)
{
	struct output *out = request->data;
	struct conn *c = out->conn;
	c->waiting -= out->size;
	holder_set(&c->listener->held, &c->holder, c->waiting);
	c->broken |= status < 0;
	free(out);
}

/* Must not call the protocol: a broken connection is handled in on_sweep. */
static void conn_write(void *ctx, void *conn, const char *bytes, size_t size)
{
	struct conn *c = conn;
	const struct imcs_base *base = ctx;
	if (c->link.is_visitor) {
		visitor_write(base->hall, &c->link, bytes, size);
		return;
	}
	if (c->broken || c->closing)
		return;
	/* A client that does not read must not use up the memory. */
	struct output *out = c->waiting + size <= WAITING_BYTES ? malloc(sizeof *out + size) : NULL;
	if (!out) {
		c->broken = true;
		return;
	}
	out->conn = c;
	out->size = size;
	out->request.data = out;
	memcpy(out->bytes, bytes, size);
	uv_buf_t buffer = uv_buf_init(out->bytes, (unsigned)size);
	if (uv_write(&out->request, (uv_stream_t *)&c->tcp, &buffer, 1, on_written) != 0) {
		c->broken = true;
		free(out);
		return;
	}
	c->waiting += size;
	holder_set(&c->listener->held, &c->holder, c->waiting);
}

/* For held_bytes: too much waits. on_sweep closes it. */
static void end_largest(void *ctx, struct holder *holder)
{
	struct conn *c = (struct conn *)((char *)holder - offsetof(struct conn, holder));
	(void)ctx;
	c->broken = true;
}

/* Everything queued is written; the client closes, or on_sweep does. */
static void on_shutdown(uv_shutdown_t *request, int status)
{
	struct conn *c = request->data;
	if (status < 0)
		conn_close(c);
}

/* Sends no more; the client has LINGER_MS to read what is queued and to close. */
static void linger(struct conn *c)
{
	hall_remove(c->listener->base.hall, &c->link);
	c->link.peer = NULL;
	c->linger_until = now_ms() + LINGER_MS;
	c->shutdown.data = c;
	if (c->slowed) { /* what it has sent must be read, or the last lines may be lost */
		c->slowed = false;
		read_again(c);
	}
	if (c->closing)
		return;
	if (c->broken || uv_shutdown(&c->shutdown, (uv_stream_t *)&c->tcp, on_shutdown) != 0)
		conn_close(c);
}

/* The protocol has dropped the peer. */
static void host_close(void *ctx, void *conn)
{
	const struct imcs_base *base = ctx;
	struct conn *c = conn;
	if (c->link.is_visitor)
		visitor_close(base->hall, &c->link);
	else
		linger(c);
}

/* ---- Reading ---- */

/* All connections share a buffer: what is read is used at once. */
static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
	struct conn *c = handle->data;
	(void)wanted;
	*out = uv_buf_init(c->listener->bytes, sizeof c->listener->bytes);
}

/* size < 0: the end, or an error. A lingering connection only waits for it. */
static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
	struct conn *c = stream->data;
	struct imcs_listener *l = c->listener;
	if (size < 0) {
		c->ended = true;
		uv_read_stop(stream);
	}
	if (!c->link.peer) {
		if (size < 0)
			conn_close(c);
		return;
	}
	if (size > 0)
		imcs_bytes(l->base.server, c->link.peer, buffer->base, (size_t)size, now_ms());
	else if (size == UV_EOF)
		imcs_end(l->base.server, c->link.peer, now_ms());
	else if (size < 0) {
		c->broken = true;
		imcs_gone(l->base.server, c->link.peer, now_ms());
	}
	set_timer(l);
}

/* ---- Passwords, in a thread ---- */

/* A password on its way to a thread and back. */
struct work {
	uv_work_t request;
	struct conn *conn;
	char password[IMCS_PASSWORD + 1], hash[IMCS_HASH];
	char guess[LIMIT_NAME]; /* what it counts for: see guess_name */
	bool checks, good; /* checks: check against the hash; otherwise make one */
};

_Static_assert((int)SECRETS_PASSWORD <= (int)IMCS_HASH, "a hash fits");

/* In a thread of libuv's pool. It uses nothing but the work itself. */
static void do_work(uv_work_t *request)
{
	struct work *w = request->data;
	w->good = w->checks ? secrets_check_weak(w->password, w->hash)
			    : secrets_hash_weak(w->password, w->hash);
}

/* ---- Limits ---- */

/* A direct-mapped cache: another pair may take the slot. */
static uint64_t *known_slot(struct imcs_listener *l, const struct conn *c, uint64_t *hash)
{
	char pair[IMCS_NAME + 1 + LIMIT_ADDRESS + 1];
	const int length = snprintf(pair, sizeof pair, "%s %s", c->login, c->host);
	*hash = qv_hash_bytes(pair, (size_t)length) | 1; /* never that of an empty slot */
	return &l->known[*hash % KNOWN];
}

/*
 * What guesses at a password count for: its name. An address that has logged in to it before counts
 * alone, so that strangers who guess cannot keep the owner out.
 */
static void guess_name(struct imcs_listener *l, const struct conn *c, char name[LIMIT_NAME])
{
	uint64_t hash;
	const uint64_t *slot = known_slot(l, c, &hash);
	const bool known = *slot == hash;
	snprintf(name, LIMIT_NAME, "imcs %.24s %.60s", c->login, known ? c->host : "");
}

/* By address: otherwise one could lock many names. A name that cannot be one is unknown. */
static bool host_may_log_in(void *ctx, void *conn, const char *login)
{
	struct imcs_listener *l = ctx;
	struct conn *c = conn;
	snprintf(c->login, sizeof c->login, "%s", login);
	return imcs_records_may_log_in(l->base.records, c->host);
}

/* Back-pressure: nothing is lost, and the client waits. */
static bool host_may_go_on(void *ctx, void *conn, bool costly)
{
	const struct imcs_listener *l = ctx;
	struct conn *c = conn;
	if (imcs_records_may_go_on(l->base.records, c->host, costly))
		return true;
	c->slowed = true; /* until on_sweep */
	uv_read_stop((uv_stream_t *)&c->tcp);
	return false;
}

/* The password was right. */
static void note_login(struct conn *c, const char *guess)
{
	struct imcs_listener *l = c->listener;
	uint64_t hash;
	imcs_records_guessed(l->base.records, guess);
	uint64_t *slot = known_slot(l, c, &hash);
	*slot = hash;
}

/* ---- Passwords, the loop's side ---- */

/* The peer may have left meanwhile. */
static void finish_password(struct conn *c, const char *hash, enum imcs_checked checked)
{
	if (c->link.peer)
		imcs_password(c->listener->base.server, c->link.peer, hash, checked, now_ms());
	set_timer(c->listener);
}

/* Nothing works for the connection any more. After a shutdown the server is gone. */
static void end_work(struct work *w, const char *hash, enum imcs_checked checked)
{
	struct conn *c = w->conn;
	c->working = false;
	if (c->listener->shut)
		c->link.peer = NULL;
	else
		finish_password(c, hash, checked);
	free(w);
	conn_free(c);
}

/* Back on the loop. */
static void on_worked(uv_work_t *request, int status)
{
	struct work *w = request->data;
	const bool good = status == 0 && w->good;
	if (good && w->checks && !w->conn->listener->shut)
		note_login(w->conn, w->guess);
	end_work(w, good && !w->checks ? w->hash : NULL, good ? IMCS_RIGHT : IMCS_WRONG);
}

/* If no thread can take it the password counts as wrong, and the client may try again. */
static void start_work(struct work *w)
{
	if (uv_queue_work(w->conn->listener->loop, &w->request, do_work, on_worked) != 0)
		end_work(w, NULL, IMCS_WRONG);
}

/* hash: to check against, or NULL. The connection lives until end_work. NULL: no memory. */
static struct work *work_new(struct conn *c, const char *password, const char *hash)
{
	struct work *w = calloc(1, sizeof *w);
	if (!w) {
		finish_password(c, NULL, IMCS_WRONG);
		return NULL;
	}
	w->conn = c;
	w->checks = hash != NULL;
	w->request.data = w;
	snprintf(w->password, sizeof w->password, "%s", password);
	snprintf(w->hash, sizeof w->hash, "%s", hash ? hash : "");
	c->working = true;
	return w;
}

/* For a new account. */
static void host_hash(void *ctx, void *conn, const char *password)
{
	struct work *w = work_new(conn, password, NULL);
	(void)ctx;
	if (w)
		start_work(w);
}

/* The store has counted the guess; after a shutdown, too. */
static void on_guess(void *ctx, int64_t wait)
{
	struct work *w = ctx;
	if (wait || w->conn->listener->shut)
		end_work(w, NULL, IMCS_TOO_MANY);
	else
		start_work(w);
}

/* For a login. */
static void host_check(void *ctx, void *conn, const char *password, const char *hash)
{
	struct imcs_listener *l = ctx;
	struct work *w = work_new(conn, password, hash);
	if (!w)
		return;
	guess_name(l, w->conn, w->guess);
	imcs_records_guess(l->base.records, w->guess, on_guess, w);
}

/* ---- Other functions of imcs_host ---- */

static bool host_is_reserved(void *ctx, const char *name)
{
	(void)ctx;
	return imcs_records_is_reserved(name);
}

/* Limited by address, since anybody may register any number of names. */
static bool host_may_register(void *ctx, void *conn)
{
	const struct imcs_listener *l = ctx;
	const struct conn *c = conn;
	return imcs_records_may_register(l->base.records, c->host);
}

/* A change of an account on its way to the store. The connection lives until it is there. */
struct storing {
	struct conn *conn;
	struct imcs_account account;
	enum imcs_change change;
	char user[STORE_ID];
};

/* After a shutdown, too. */
static void on_account_stored(void *ctx, bool ok)
{
	struct storing *w = ctx;
	struct conn *c = w->conn;
	struct imcs_listener *l = c->listener;
	c->working = false;
	if (l->shut)
		c->link.peer = NULL;
	else if (ok)
		imcs_records_stored(l->base.records, l->base.server, &w->account, w->user,
				    w->change);
	if (c->link.peer)
		imcs_stored(l->base.server, c->link.peer,
			    imcs_records_storing(l->base.records, w->change, ok), now_ms());
	set_timer(l);
	free(w);
	conn_free(c);
}

/* For a server without others, which have hall_store. */
static void host_store(void *ctx, void *conn, const struct imcs_account *account,
		       enum imcs_change change)
{
	const struct imcs_listener *l = ctx;
	struct conn *c = conn;
	struct storing *w = calloc(1, sizeof *w);
	if (w) {
		*w = (struct storing){ .conn = c, .account = *account, .change = change };
		c->working = true;
		if (imcs_records_change(l->base.records, account, change, w->user,
					on_account_stored, w) == QV_OK)
			return;
		c->working = false;
		free(w);
	}
	imcs_stored(l->base.server, c->link.peer, IMCS_NOT_STORED, now_ms());
}

/* A game has begun, moved on or ended. */
static void host_game(void *ctx, const struct imcs_news *news)
{
	const struct imcs_listener *l = ctx;
	imcs_records_store_game(l->base.records, news);
}

/* The admin's `stop`. */
static void host_stopped(void *ctx)
{
	const struct imcs_listener *l = ctx;
	if (l->setup.stopped)
		l->setup.stopped(l->setup.ctx);
}

static int64_t host_seconds(void *ctx)
{
	(void)ctx;
	return (int64_t)time(NULL);
}

/* Decides who plays White. */
static bool host_coin(void *ctx)
{
	unsigned char byte;
	(void)ctx;
	secrets_random(&byte, sizeof byte);
	return byte & 1;
}

/* ---- Connections ---- */

/* Writes the address of a connection: for limits, and "HOST:PORT" for the log of games. */
static void name_conn(struct conn *c)
{
	struct sockaddr_storage from;
	int size = sizeof from;
	char host[64] = "?", port[16] = "?";
	if (uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&from, &size) == 0) {
		limits_address(ip_of((struct sockaddr *)&from), c->host);
		getnameinfo((struct sockaddr *)&from, (socklen_t)size, host, sizeof host, port,
			    sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
	}
	snprintf(c->address, sizeof c->address, "%s:%s", host, port);
}

/* The connection is counted and named before the protocol gets it. */
static void on_connection(uv_stream_t *stream, int status)
{
	struct imcs_listener *l = stream->data;
	struct conn *c = status == 0 && !l->shut ? calloc(1, sizeof *c) : NULL;
	if (!c || uv_tcp_init(l->loop, &c->tcp) != 0) {
		free(c);
		return;
	}
	/* From here on conn_close frees it. */
	c->listener = l;
	c->tcp.data = c;
	c->next = l->conns;
	if (l->conns)
		l->conns->before = c;
	l->conns = c;
	if (uv_accept(stream, (uv_stream_t *)&c->tcp) != 0) {
		conn_close(c);
		return;
	}
	/* Connections beyond the limit of an address are closed without a message. */
	name_conn(c);
	c->limit = limits_connect(l->limits, c->host);
	holder_open(&l->held, &c->holder, c->limit);
	uv_tcp_nodelay(&c->tcp, 1);
	uv_tcp_keepalive(&c->tcp, 1, KEEPALIVE_S);
	if (!c->limit || uv_read_start((uv_stream_t *)&c->tcp, on_room, on_read) != 0) {
		conn_close(c);
		return;
	}
	c->link.peer = hall_add(l->base.hall, &c->link)
			       ? imcs_connect(l->base.server, c, c->address, now_ms())
			       : NULL;
	/* imcs_connect may have refused it: then host_close has been called. */
	if (!c->link.peer && !c->linger_until)
		linger(c);
}

/* ---- Opening ---- */

/* Listens, and writes the address to `at`. */
static enum qv_status bind_to(struct imcs_listener *l, char at[IMCS_LISTENS_AT],
			      struct qv_error *error)
{
	const struct imcs_listen_setup *s = &l->setup;
	struct addrinfo *address;
	struct sockaddr_storage bound;
	int size = sizeof bound;
	char host[64] = "", port[16] = "";
	const enum qv_status status = address_find(s->host, s->port, &address, error);
	if (status != QV_OK)
		return status;
	int failed = uv_tcp_bind(&l->tcp, address->ai_addr, 0);
	uv_os_fd_t fd;
	if (!failed && uv_fileno((uv_handle_t *)&l->tcp, &fd) == 0)
		limits_output(fd);
	if (failed == 0)
		failed = uv_listen((uv_stream_t *)&l->tcp, BACKLOG, on_connection);
	freeaddrinfo(address);
	if (failed)
		return qv_fail(error, QV_IO, "%.60s port %d: %s", s->host, s->port,
			       uv_strerror(failed));
	if (uv_tcp_getsockname(&l->tcp, (struct sockaddr *)&bound, &size) == 0)
		getnameinfo((struct sockaddr *)&bound, (socklen_t)size, host, sizeof host, port,
			    sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(at, IMCS_LISTENS_AT, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
	return QV_OK;
}

/* Accounts are loaded from the store; a new admin password is stored first. */
static enum qv_status open_server(struct imcs_listener *l, const struct qv_context *context,
				  struct qv_error *error)
{
	const struct imcs_shared *shared = hall_functions(l->setup.api);
	struct imcs_setup setup = {
		.context = context,
		.host = { .write = conn_write,
			  .close = host_close,
			  .hash = host_hash,
			  .check = host_check,
			  .is_reserved = host_is_reserved,
			  .may_register = host_may_register,
			  .may_log_in = host_may_log_in,
			  .may_go_on = host_may_go_on,
			  .store = shared ? hall_store : host_store,
			  .game = host_game,
			  .stopped = host_stopped,
			  .seconds = host_seconds,
			  .coin = host_coin,
			  .shared = shared,
			  .ctx = l },
	};
	enum qv_status status = imcs_records_open(l->setup.api, &l->base.records, &setup.next_id, error);
	if (status != QV_OK)
		return status;
	/* Before the accounts are passed on, so that the server gets the new hash. */
	if (l->setup.admin_password && !imcs_records_set_admin(l->base.records, l->setup.admin_password))
		return qv_fail(error, QV_BAD_INPUT,
			       "--password-file: not a password for the admin");
	status = imcs_new(&setup, &l->base.server, error);
	if (status == QV_OK && imcs_records_load(l->base.records, l->base.server) != QV_OK)
		status = qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	if (status == QV_OK)
		status = hall_open(&l->base, l->setup.api, &l->base.hall, error);
	return status;
}

/* On failure imcs_listener_shut closes the handles and frees it. */
enum qv_status imcs_listener_open(const struct imcs_listen_setup *setup, struct imcs_listener **out,
				  char at[IMCS_LISTENS_AT], struct qv_error *error)
{
	struct imcs_listener *l = calloc(1, sizeof *l);
	if (!l)
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	l->setup = *setup;
	l->base.acted = acted;
	l->base.now_ms = now_ms;
	l->loop = setup->loop;
	uv_tcp_init(l->loop, &l->tcp);
	uv_timer_init(l->loop, &l->due);
	uv_timer_init(l->loop, &l->sweep);
	l->tcp.data = l->due.data = l->sweep.data = l;
	l->handles = 3;
	const int scale = setup->per_address > 1 ? setup->per_address : 1;
	l->limits = limits_new(scale, setup->connections ? setup->connections : CONNECTIONS_MOST);
	held_open(&l->held, scale);
	l->held.end = end_largest;
	enum qv_status status = l->limits ? open_server(l, api_context(setup->api), error)
					  : qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	if (status == QV_OK)
		status = bind_to(l, at, error);
	if (status != QV_OK) {
		imcs_listener_shut(l);
		return status;
	}
	uv_timer_start(&l->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
	*out = l;
	return QV_OK;
}

/* Games end while the API still works, so that their results are stored. */
void imcs_listener_shut(struct imcs_listener *l)
{
	if (!l || l->shut)
		return;
	if (l->base.server)
		imcs_shut(l->base.server, now_ms());
	/* From here on no callback may use the server or the records. */
	l->shut = true;
	hall_close(l->base.hall);
	imcs_free(l->base.server);
	imcs_records_close(l->base.records);
	l->base = (struct imcs_base){ .server = NULL };
	uv_close((uv_handle_t *)&l->tcp, on_handle_closed);
	uv_close((uv_handle_t *)&l->due, on_handle_closed);
	/* Sweeps more often, so that the process can end as soon as all clients have left. */
	uv_timer_start(&l->sweep, on_sweep, 0, SWEEP_MS / 10);
}
