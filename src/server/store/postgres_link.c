/*
 * postgres_link.c - connections to PostgreSQL, and what goes over them.
 * SPDX-License-Identifier: MIT
 *
 * All values and results are in PostgreSQL's binary format: numbers have their highest byte first,
 * texts and bytes are what they are. Nothing waits without limit, and `stop` ends every wait.
 */
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"
#include "server/store/postgres.h"

enum {
	WAIT_SLICE_MS = 50,
	CONNECT_US = 3000000,
	PATIENCE_US = 2000000, /* for a server that is restarted */
	PAUSE_US = 100000,     /* after an attempt that failed */
	/* How long to wait for a result, more than statement_timeout. A reader: for all of a question. */
	ANSWER_US = 30000000,
	READ_US = 12000000,
	OLDEST_SERVER = 130000,
};
#define DUPLICATE_STATEMENT "42P05" /* of another session, which had this connection before */

/* ---- the text of statements ---- */

/* Adds text; *at beyond the end: it does not fit. */
static void add(char out[POSTGRES_SQL], size_t *at, const char *text, size_t size)
{
	if (*at + size < POSTGRES_SQL)
		memcpy(out + *at, text, size);
	*at += size;
	if (*at < POSTGRES_SQL)
		out[*at] = '\0';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* How long the token is that begins here: what is quoted, a word, or one character. */
static size_t token_size(const char *sql)
{
	size_t size = 1;
	if (*sql == '\'' || *sql == '"') {
		const char *end = strchr(sql + 1, *sql);
		return end ? (size_t)(end - sql) + 1 : strlen(sql);
	}
	if (is_word(*sql))
		while (is_word(sql[size]))
			size++;
	return size;
}

bool postgres_text(const struct store_statement *statement, char out[POSTGRES_SQL])
{
	const char *sql = statement->postgres ? statement->postgres : statement->sql;
	size_t at = 0;
	if (statement->unless)
		add(out, &at, "WITH done AS (", 14);
	for (size_t size; *sql; sql += size) {
		size = token_size(sql);
		if (*sql == '?')
			add(out, &at, "$", 1);
		else if (size == 4 && strncmp(sql, "user", 4) == 0)
			add(out, &at, "\"user\"", 6); /* reserved */
		else
			add(out, &at, sql, size);
	}
	if (statement->unless) {
		add(out, &at, " RETURNING 1) SELECT must_be_one(count(*), '", 44);
		add(out, &at, statement->unless, strlen(statement->unless));
		add(out, &at, "') FROM done", 12);
	}
	return at < POSTGRES_SQL;
}

/* ---- waiting ---- */

bool link_wait(struct store_link *link, short events, int64_t until_us)
{
	while (!flag_is_set(&link->stop) && clock_us() < until_us) {
		struct pollfd socket = { .fd = PQsocket(link->conn), .events = events };
		if (poll(&socket, 1, WAIT_SLICE_MS) > 0)
			return true;
	}
	return false;
}

/* The wait for what was sent begins. */
static void start_waiting(struct store_link *link)
{
	const int64_t usual = link->role == LINK_READER ? READ_US : ANSWER_US;
	link->until_us = clock_us() + (link->answer_us ? link->answer_us : usual);
}

PGresult *link_result(struct store_link *link, bool *lost)
{
	*lost = true;
	if (link->role != LINK_READER)
		start_waiting(link);
	const int64_t until = link->until_us;
	while (PQisBusy(link->conn)) {
		const int unsent = PQflush(link->conn);
		if (unsent < 0 || !link_wait(link, unsent ? POLLIN | POLLOUT : POLLIN, until) ||
		    !PQconsumeInput(link->conn))
			return NULL;
	}
	PGresult *result = PQgetResult(link->conn);
	/* A fatal error ends the connection, though this may not have been noticed yet. */
	const char *severity =
		result ? PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED) : NULL;
	*lost = PQstatus(link->conn) != CONNECTION_OK ||
		(severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0));
	if (!*lost)
		return result;
	PQclear(result);
	return NULL;
}

/* ---- errors ---- */

/* The first line of PostgreSQL's message. */
static enum qv_status fail(struct qv_error *error, const char *message)
{
	return qv_fail(error, QV_IO, "database: %.*s", (int)strcspn(message, "\n"), message);
}

bool result_failed(const PGresult *result, char state[6])
{
	const ExecStatusType status = PQresultStatus(result);
	const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	snprintf(state, 6, "%s", code ? code : "");
	return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
}

enum qv_status result_error(const PGresult *result, struct qv_error *error)
{
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	return fail(error, message ? message : PQresultErrorMessage(result));
}

/* ---- connecting ---- */

void link_drop(struct store_link *link)
{
	PQfinish(link->conn);
	link->conn = NULL;
}

static void ignore_notice(void *ctx, const PGresult *result)
{
	(void)ctx, (void)result;
}

/* The result of the last of the statements, or of the first that failed; NULL: none came. */
static PGresult *take_last(struct store_link *link, bool *lost)
{
	char state[6];
	PGresult *last = NULL;
	for (PGresult *next; (next = link_result(link, lost));) {
		const bool keep = last && result_failed(last, state);
		PQclear(keep ? next : last);
		last = keep ? last : next;
	}
	return last;
}

PGresult *link_run(struct store_link *link, const char *sql, struct qv_error *error)
{
	char state[6];
	PQexitPipelineMode(link->conn);
	bool lost = !PQsendQuery(link->conn, sql);
	start_waiting(link);
	PGresult *result = lost ? NULL : take_last(link, &lost);
	if (!result || lost || result_failed(result, state)) {
		const char *why = link->conn ? PQerrorMessage(link->conn) : "";
		if (result && !lost)
			result_error(result, error);
		else
			fail(error, *why ? why : "no answer in time");
		PQclear(result);
		result = NULL;
	}
	PQenterPipelineMode(link->conn);
	return result;
}

/* Settings that the address may override come before it, the others after it. */
static bool connect_socket(struct store_link *link)
{
	static const char *const keys[] = { "target_session_attrs",
					    "keepalives_idle",
					    "keepalives_interval",
					    "keepalives_count",
					    "tcp_user_timeout",
					    "fallback_application_name",
					    "dbname",
					    "client_encoding",
					    NULL };
	const char *const values[] = { "read-write", "5",	  "2",	  "3", "10000",
				       "quevedo",    link->place, "UTF8", NULL };
	const int64_t until = clock_us() + CONNECT_US;
	link->conn = PQconnectStartParams(keys, values, 1);
	if (!link->conn || PQstatus(link->conn) == CONNECTION_BAD)
		return false;
	PQsetNoticeReceiver(link->conn, ignore_notice, NULL);
	PostgresPollingStatusType state = PGRES_POLLING_WRITING;
	while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
		if (!link_wait(link, state == PGRES_POLLING_READING ? POLLIN : POLLOUT, until))
			return false;
		state = PQconnectPoll(link->conn);
	}
	return state == PGRES_POLLING_OK && PQsetnonblocking(link->conn, 1) == 0;
}

#define SETTINGS(timeout)                                                                        \
	"SET default_transaction_isolation = 'read committed'; SET statement_timeout = " timeout \
	"; SET idle_in_transaction_session_timeout = 10000;"                                     \
	"SELECT set_config('synchronous_commit', 'on', false)"                                   \
	" WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"

/*
 * A password with @ or / that is not escaped: libpq would take the rest of it for a host or a database
 * and quote it. In an address without such, an @ only follows the name and the password.
 */
static bool has_plain_password(const char *place)
{
	const char *at = strstr(place, "://");
	at = at ? at + 3 : place;
	at += strcspn(at, "@/");
	at += *at != '\0';
	const char *next = strchr(at, '@');
	return next && (size_t)(next - at) < strcspn(at, "?");
}

enum qv_status link_begin(struct store_link *link, struct qv_error *error)
{
	if (has_plain_password(link->place))
		return fail(error, "in a password of the address, write %40 for @ and %2F for /");
	if (!connect_socket(link)) {
		const char *why = link->conn ? PQerrorMessage(link->conn) : "out of memory";
		return fail(error, *why ? why : "cannot connect in time");
	}
	const char *encoding = PQparameterStatus(link->conn, "server_encoding");
	if (!encoding || strcmp(encoding, "UTF8") != 0)
		return fail(error, "its encoding is not UTF8");
	if (PQserverVersion(link->conn) < OLDEST_SERVER)
		return fail(error, "PostgreSQL is older than version 13");
	/* A transaction that lost its client ends soon, and with it its locks. */
	PGresult *result = link_run(
		link, link->role == LINK_READER ? SETTINGS("10000") : SETTINGS("20000"), error);
	PQclear(result);
	return result ? QV_OK : QV_IO;
}

/* Queues the preparation of a statement. */
static bool send_prepare(struct store_link *link, int which)
{
	static const Oid oids[] = { ['b'] = 17, ['n'] = 20, ['r'] = 701, ['t'] = 25 };
	const struct store_statement *statement = &store_statements[which];
	Oid types[STATEMENT_VALUES];
	char name[16], sql[POSTGRES_SQL];
	const int count = (int)strlen(statement->types);
	for (int i = 0; i < count; i++)
		types[i] = oids[(unsigned char)statement->types[i]];
	snprintf(name, sizeof name, "s%d", which);
	return postgres_text(statement, sql) &&
	       PQsendPrepare(link->conn, name, sql, count, types) == 1;
}

/* In one round trip. It also checks that the tables are those that the statements expect. */
enum qv_status link_prepare(struct store_link *link, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	bool lost = false, sent = true;
	for (int which = 0; sent && which < STATEMENT_KINDS; which++) {
		const bool writes = which >= ASK_KINDS || store_statements[which].changes;
		if (link->role != LINK_LISTENER && writes == (link->role == LINK_WRITER))
			sent = send_prepare(link, which);
	}
	if (!sent || !link_sync(link))
		return fail(error, PQerrorMessage(link->conn));
	for (bool ended = false; !ended && !lost;) {
		char state[6];
		PGresult *result = link_result(link, &lost);
		ended = result && PQresultStatus(result) == PGRES_PIPELINE_SYNC;
		if (result && status == QV_OK && result_failed(result, state))
			status = strcmp(state, DUPLICATE_STATEMENT) == 0
					 ? fail(error, "a pooler must work per session")
					 : result_error(result, error);
		PQclear(result);
	}
	return lost && status == QV_OK ? fail(error, "connection lost") : status;
}

/* A connection that ended while nothing was sent is noticed here: behind its last words is its end. */
static bool is_connected(struct store_link *link)
{
	struct pollfd socket = { .fd = link->conn ? PQsocket(link->conn) : -1, .events = POLLIN };
	while (socket.fd >= 0 && poll(&socket, 1, 0) > 0)
		if (!PQconsumeInput(link->conn) || PQisBusy(link->conn))
			return false;
	return link->conn && PQstatus(link->conn) == CONNECTION_OK;
}

enum qv_status link_connect(struct store_link *link, bool patient, struct qv_error *error)
{
	enum qv_status status = QV_IO;
	const int64_t until = clock_us() + (patient && !link->down ? PATIENCE_US : 0);
	if (is_connected(link))
		return QV_OK;
	/* Whoever waits for an answer should not wait for each attempt. */
	if (!patient && link->down && clock_us() < link->failed_us + PAUSE_US)
		return fail(error, "no connection");
	for (bool again = true; again;) {
		link_drop(link);
		status = link_begin(link, error);
		if (status == QV_OK)
			status = link_prepare(link, error);
		again = status != QV_OK && clock_us() < until && !flag_is_set(&link->stop);
		if (again)
			poll(NULL, 0, WAIT_SLICE_MS);
	}
	link->down = status != QV_OK;
	link->failed_us = clock_us();
	if (link->down)
		link_drop(link);
	return status;
}

/* ---- sending ---- */

static void put_number(uint64_t number, char out[8])
{
	for (int i = 0; i < 8; i++)
		out[i] = (char)(number >> (56 - 8 * i) & 0xff);
}

bool link_send(struct store_link *link, int which, const struct store_value *values)
{
	const char *bytes[STATEMENT_VALUES];
	int sizes[STATEMENT_VALUES], formats[STATEMENT_VALUES];
	char numbers[STATEMENT_VALUES][8], name[16];
	const int count = (int)strlen(store_statements[which].types);
	for (int i = 0; i < count; i++) {
		uint64_t bits = (uint64_t)values[i].number;
		if (values[i].type == STORE_REAL)
			memcpy(&bits, &values[i].real, sizeof bits);
		put_number(bits, numbers[i]);
		const bool is_number =
			values[i].type == STORE_NUMBER || values[i].type == STORE_REAL;
		bytes[i] = is_number ? numbers[i] : values[i].bytes;
		sizes[i] = is_number ? 8 : (int)values[i].size;
		formats[i] = 1;
	}
	snprintf(name, sizeof name, "s%d", which);
	return PQsendQueryPrepared(link->conn, name, count, bytes, sizes, formats, 1) == 1;
}

bool link_send_sql(struct store_link *link, const char *sql)
{
	return PQsendQueryParams(link->conn, sql, 0, NULL, NULL, NULL, NULL, 1) == 1;
}

bool link_sync(struct store_link *link)
{
	start_waiting(link);
	return PQpipelineSync(link->conn) == 1 && PQflush(link->conn) >= 0;
}
