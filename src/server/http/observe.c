/*
 * observe.c - what the operator sees of requests: figures, and lines of the log.
 * SPDX-License-Identifier: MIT
 *
 * Requests are named by their routes, never by their paths: whoever knows the id of a private game
 * may watch it.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/http/transport.h"

enum { FAILURE_US = 10000000 }; /* failed requests are logged at most once in that time */

void request_id(const struct web *web, uint64_t number, char out[REQUEST_ID])
{
	snprintf(out, REQUEST_ID, "%08x-%llx", (unsigned)web->run, (unsigned long long)number);
}

void given_request_id(struct lws *wsi, char out[REQUEST_ID])
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
		"-_.";
	static const char name[] = "x-request-id:";
	out[0] = '\0';
	const int length = lws_hdr_custom_length(wsi, name, sizeof name - 1);
	if (length < 1 || length >= REQUEST_ID ||
	    lws_hdr_custom_copy(wsi, out, REQUEST_ID, name, sizeof name - 1) < 0 ||
	    strspn(out, allowed) != strlen(out))
		out[0] = '\0';
}

/* The text is ours, {"error":{"code":...,"message":"WHAT: WHY"}}, so this finds it. */
void error_message(const struct api_response *response, char *out, size_t size)
{
	static const char mark[] = "\"message\":\"";
	const char *text = response->status >= 400 && response->text ? response->text : "";
	const char *at = strstr(text, mark);
	at = at ? at + sizeof mark - 1 : "";
	snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

/* Whoever watches the server asks again and again. */
static bool is_health(int route)
{
	static const char health[] = "/api/v1/health";
	const char *path = api_route_path(route);
	return path && strncmp(path, health, sizeof health - 1) == 0;
}

/* Failures that visitors can cause are logged now and then only; each is counted. */
static bool is_logged(struct web *web, const struct ended_request *r, enum log_level *level)
{
	const int64_t now = clock_us();
	if (is_health(r->route)) {
		*level = LOG_DEBUG;
		return log_wants(web->setup->log, LOG_DEBUG);
	}
	*level = LOG_INFO;
	if (r->status < 500 || log_wants(web->setup->log, LOG_INFO))
		return log_wants(web->setup->log, LOG_INFO);
	*level = LOG_WARN;
	if (web->draining || (web->failure_us && now - web->failure_us < FAILURE_US))
		return false;
	web->failure_us = now;
	return log_wants(web->setup->log, LOG_WARN);
}

void request_ended(struct web *web, const struct ended_request *r)
{
	const double seconds = (double)(clock_us() - r->began_us) / 1e6;
	char network[LIMIT_ADDRESS], id[REQUEST_ID];
	struct log_line line;
	enum log_level level;
	metrics_request(web->metrics, r->route, r->status, seconds, r->why);
	if (!is_logged(web, r, &level))
		return;
	request_id(web, r->number, id);
	limits_network(r->address, network);
	log_begin(&line, web->setup->log, level, "request");
	log_add_text(&line, "id", *r->id ? r->id : id);
	log_add_text(&line, "method", r->post ? "POST" : "GET");
	log_add_text(&line, "route", route_label(r->route));
	log_add_text(&line, "over", r->socket ? "websocket" : "http");
	log_add_number(&line, "status", r->status);
	log_add_real(&line, "ms", seconds * 1000);
	log_add_number(&line, "bytes", (int64_t)r->bytes);
	log_add_text(&line, "network", network);
	/* The messages of errors that are the visitor's may quote what the visitor sent. */
	if (r->status >= 500)
		log_add_text(&line, "error", r->why);
	log_end(&line);
}

void log_failed(const struct web *web, const struct call_owner *owner, const char *why)
{
	const struct exchange *e = owner ? owner->exchange : NULL;
	char id[REQUEST_ID] = "";
	struct log_line line;
	if (owner)
		request_id(web, e ? e->number : owner->number, id);
	log_begin(&line, web->setup->log, LOG_ERROR, "response");
	log_add_text(&line, "message", why);
	log_add_text(&line, "id", e && *e->request_id ? e->request_id : *id ? id : NULL);
	log_end(&line);
}

void log_start(const struct web *web, const char *url, const char *imcs)
{
	struct log_line line;
	log_begin(&line, web->setup->log, LOG_INFO, "start");
	log_add_text(&line, "version", qv_version());
	log_add_text(&line, "url", url);
	log_add_text(&line, "imcs", *imcs ? imcs : NULL);
	log_end(&line);
}

void log_stop(const struct web *web, int number)
{
	struct log_line line;
	log_begin(&line, web->setup->log, LOG_INFO, "stop");
	log_add_text(&line, "signal", number == SIGTERM ? "TERM" : "INT");
	log_add_real(&line, "seconds", (double)(clock_us() - web->began_us) / 1e6);
	log_end(&line);
}
