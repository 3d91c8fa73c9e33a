/*
 * response.c - HTTP: builds and writes response heads, bodies, streams and the files of the page.
 * SPDX-License-Identifier: MIT
 *
 * A response is put into `out` as a whole. A stream is added message by message in chunks that are
 * made here, since libwebsockets has no chunked encoding. If more than OUT_BYTES of a stream are
 * queued for a slow reader, the connection is closed.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/svg.h"
#include "server/http/transport.h"

enum { WRITE_BYTES = 32768, UNPACK_BYTES = 65536, SECURITY_DAYS = 30 };

const char security_headers[] =
	"Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
	"worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
	"font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
	"frame-ancestors 'none'\r\n"
	"X-Content-Type-Options: nosniff\r\n"
	"Referrer-Policy: no-referrer\r\n"
	"Permissions-Policy: accelerometer=(), camera=(), display-capture=(), geolocation=(), "
	"gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()\r\n"
	"Cross-Origin-Opener-Policy: same-origin\r\n"
	"Cross-Origin-Resource-Policy: same-origin\r\n";

/* ---- Heads ---- */

/* Browsers show it; HTTP gives it no meaning. */
static const char *reason_of(int status)
{
	static const struct {
		int status;
		const char *words;
	} reasons[] = {
		{ 200, "OK" },
		{ 201, "Created" },
		{ 202, "Accepted" },
		{ 204, "No Content" },
		{ 304, "Not Modified" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" },
		{ 409, "Conflict" },
		{ 411, "Length Required" },
		{ 413, "Content Too Large" },
		{ 415, "Unsupported Media Type" },
		{ 426, "Upgrade Required" },
		{ 429, "Too Many Requests" },
		{ 500, "Internal Server Error" },
		{ 503, "Service Unavailable" },
	};
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (reasons[i].status == status)
			return reasons[i].words;
	return "Unknown";
}

/* The status line and the headers that do not depend on the body. */
static void begin_head(struct exchange *e, int status, const char *type)
{
	char id[REQUEST_ID];
	e->head_written = true;
	e->status = status;
	request_id(e->web, e->number, id);
	string_addf(&e->out, "HTTP/1.1 %d %s\r\n%s", status, reason_of(status), security_headers);
	/* Nobody asks about a file that came; without it the first visit is a little shorter. */
	if (status >= 400 || !is_file_path(e->path))
		string_addf(&e->out, "X-Request-Id: %s\r\n", *e->request_id ? e->request_id : id);
	if (type)
		string_addf(&e->out, "Content-Type: %s\r\n", type);
	/* Headers that belong to these statuses. */
	if (status == 405)
		string_addf(&e->out, "Allow: GET, HEAD, POST\r\n");
	if (status == 429 || status == 503)
		string_addf(&e->out, "Retry-After: 1\r\n");
	if (status == 401)
		string_addf(&e->out, "WWW-Authenticate: Bearer\r\n");
	if (e->hsts)
		string_addf(&e->out, "Strict-Transport-Security: max-age=%lld\r\n",
			    (long long)e->web->setup->hsts_s);
	if (e->visitor.fresh)
		request_cookie_line(e->wsi, e->visitor.cookie, &e->out);
}

/* One request per connection, see http.c. */
static void end_head(struct exchange *e)
{
	string_addf(&e->out, "Connection: close\r\n\r\n");
}

/* Queues a whole response (no body for HEAD) and finishes the exchange. extra: header lines. */
static void exchange_reply(struct exchange *e, int status, const char *type, const char *extra,
			   const char *text, size_t size)
{
	begin_head(e, status, type);
	string_addf(&e->out, "%s", extra);
	if (status != 304)
		string_addf(&e->out, "Content-Length: %zu\r\n", size);
	end_head(e);
	if (!e->head)
		string_add(&e->out, text, size);
	e->sent = e->head ? 0 : size;
	e->finished = true;
	exchange_resume(e);
}

void exchange_refuse(struct exchange *e, struct refusal refusal)
{
	char text[512];
	const size_t size = api_error_text(refusal.status, refusal.why, text, sizeof text);
	e->why = refusal.why;
	exchange_reply(e, refusal.status, "application/json", "Cache-Control: no-store\r\n", text,
		       size < sizeof text ? size : sizeof text - 1);
}

/* ---- Responses of the API ---- */

/* ---- Large bodies: compressed by a thread of libuv's, since the loop would stand still ---- */

struct packing {
	uv_work_t work;
	struct exchange *exchange; /* NULL: it is gone */
	int status;
	const char *type; /* static */
	struct string extra, text, packed;
	bool good;
};

static void pack_aside(uv_work_t *work)
{
	struct packing *p = work->data;
	p->good = gzip_pack(p->text.data, p->text.length, &p->packed);
}

static void packed_aside(uv_work_t *work, int status)
{
	struct packing *p = work->data;
	struct exchange *e = p->exchange;
	(void)status;
	if (e) {
		const struct string *body = p->good ? &p->packed : &p->text;
		if (p->good)
			string_addf(&p->extra, "Content-Encoding: gzip\r\n");
		e->packing = NULL;
		exchange_reply(e, p->status, p->type, p->extra.failed ? "" : p->extra.data,
			       body->data, body->length);
	}
	string_release(&p->extra);
	string_release(&p->text);
	string_release(&p->packed);
	free(p);
}

void packing_forget(struct packing *packing)
{
	if (packing)
		packing->exchange = NULL;
}

/* Takes `extra`. False: it is sent as it is. */
static bool start_packing(struct exchange *e, const struct api_response *response,
			  struct string *extra)
{
	struct packing *p = calloc(1, sizeof *p);
	if (!p)
		return false;
	p->text.allocator = &mem_malloc;
	p->work.data = p;
	string_add(&p->text, response->text, response->size);
	if (p->text.failed ||
	    uv_queue_work(&e->web->loop, &p->work, pack_aside, packed_aside) != 0) {
		string_release(&p->text);
		free(p);
		return false;
	}
	p->exchange = e;
	p->status = response->status;
	p->type = response->type;
	p->extra = *extra;
	*extra = (struct string){ .allocator = &mem_malloc };
	e->packing = p;
	return true;
}

/* ---- Whole responses ---- */

/* The body as the client gets it, and the headers that depend on it. */
struct sent_body {
	const char *text;
	size_t size;
	struct string own; /* compressed for this response alone */
	bool aside;	   /* it comes later */
};

/* Compresses the body if that is possible and pays. */
static struct sent_body body_of(struct exchange *e, const struct api_response *response,
				const char *tag, struct string *extra)
{
	struct sent_body body = { .text = response->text, .size = response->size };
	const struct string *packed = NULL;
	if (response->size < GZIP_LEAST || strcmp(response->type, "image/png") == 0)
		return body;
	string_addf(extra, "Vary: Accept-Encoding\r\n");
	if (e->gzip && response->shared)
		packed = gzip_shared(&e->web->packed, tag, response->text, response->size);
	else if (e->gzip && response->size > GZIP_ASIDE)
		body.aside = start_packing(e, response, extra);
	else if (e->gzip && gzip_pack(response->text, response->size, &body.own))
		packed = &body.own;
	if (packed) {
		string_addf(extra, "Content-Encoding: gzip\r\n");
		body.text = packed->data;
		body.size = packed->length;
	}
	return body;
}

/*
 * A response of the API that is complete. One that is the same for everybody has a tag: the client
 * keeps it and asks whether it has changed. "private": it may come with a cookie.
 */
static void send_whole(struct exchange *e, const struct api_response *response)
{
	struct string extra = { .allocator = &mem_malloc };
	const char *file = response->file;
	char tag[GZIP_TAG] = "";
	if (response->max_age) {
		e->visitor.fresh = false; /* others may get the same bytes, so no cookie */
		string_addf(&extra, "Cache-Control: public, max-age=%d\r\n", response->max_age);
	} else if (response->shared) {
		gzip_tag(response->text, response->size, tag);
		string_addf(&extra, "Cache-Control: private, no-cache\r\nETag: W/%s\r\n", tag);
	} else {
		string_addf(&extra, "Cache-Control: no-store\r\n");
	}
	const bool same = *tag && etag_matches(e->known_tag, tag);
	/* Suggests a file name to save under; names that would need quoting are left out. */
	if (file && *file && !strpbrk(file, "\"\\/\r\n"))
		string_addf(&extra, "Content-Disposition: attachment; filename=\"%s\"\r\n", file);
	if (response->cookie) {
		e->visitor.fresh = false;
		request_cookie_line(e->wsi, response->cookie, &extra);
	}
	struct sent_body body = same || extra.failed ? (struct sent_body){ .text = "" }
						     : body_of(e, response, tag, &extra);
	if (body.aside)
		return; /* packed_aside goes on */
	if (extra.failed)
		exchange_refuse(e, (struct refusal){ 503, "server: out of memory" });
	else if (same)
		exchange_reply(e, 304, NULL, extra.data, "", 0);
	else
		exchange_reply(e, response->status, response->type, extra.data, body.text,
			       body.size);
	string_release(&body.own);
	string_release(&extra);
}

/* Adds a message of a stream, with the head before the first one. */
static void send_stream(struct exchange *e, const struct api_response *response)
{
	/* The client reads too slowly. */
	if (e->out.length > OUT_BYTES) {
		web_client_end(e->wsi);
		return;
	}
	if (!e->head_written) {
		e->streaming = true;
		begin_head(e, response->status, response->type);
		string_addf(&e->out, "Cache-Control: no-store\r\n%s",
			    e->http10 ? "" : "Transfer-Encoding: chunked\r\n");
		end_head(e);
	}
	if (response->size && !e->head) { /* a chunk: the message and a newline */
		if (!e->http10)
			string_addf(&e->out, "%zx\r\n", response->size + 1);
		string_add(&e->out, response->text, response->size);
		string_addf(&e->out, e->http10 ? "\n" : "\n\r\n");
	}
	if (response->end || e->head) {
		if (!e->http10 && !e->head)
			string_addf(&e->out, "0\r\n\r\n");
		e->finished = true;
	}
	exchange_resume(e);
}

static void send_page(struct exchange *e, const struct api_response *preview);

/* The exchange exists: the owner of the call was found. */
void http_respond(struct exchange *e, const struct api_response *response)
{
	e->asked = 0;
	/* A HEAD request of a stream is already complete. */
	if (e->finished || web_client_is_ended(e->wsi))
		return;
	if (e->page)
		send_page(e, response);
	else if (response->stream)
		send_stream(e, response);
	else if (e->streaming) /* an error in mid-stream: the head was sent, so just end it */
		send_stream(e, &(struct api_response){ .end = true });
	else
		send_whole(e, response);
	if (e->out.failed)
		web_kill(e->wsi);
}

/* ---- The page ---- */

static const char no_page[] =
	"This Quevedo server was built without the web page, which needs Node. "
	"The API is under /api/v1/.\n";

bool is_file_path(const char *path)
{
	return strncmp(path, "/assets/", 8) == 0 || strncmp(path, "/engine/", 8) == 0;
}

/*
 * The bytes are those of the program itself and are not copied into `out`. Clients that accept no
 * coding get small files unpacked while they are sent; a large one would keep the loop for long.
 */
static void send_asset(struct exchange *e, const struct asset *asset)
{
	struct header_text text;
	const bool same =
		etag_matches(header_text(e->wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, &text), asset->tag);
	/* A file that is named after a hash of its contents may be cached forever. */
	static const char digits[] =
		"0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ"; /* base 16 or 32 */
	const char *dash = strrchr(asset->path, '-');
	const bool hashed = is_file_path(asset->path) && dash && strspn(dash + 1, digits) >= 8;
	const bool has_body = !same && !e->head;
	if (!same && asset_is_packed(asset) && asset->size > UNPACK_BYTES) {
		exchange_refuse(e, (struct refusal){ 406, "Accept-Encoding: this file is sent compressed "
							  "only; accept gzip" });
		return;
	}
	if (has_body && !limits_bytes(e->web->limits, web_client_of(e->wsi)->address,
				      asset->size, web_now_ms())) {
		exchange_refuse(e, (struct refusal){ 429, "files: too many bytes from this address" });
		return;
	}
	if (has_body && asset_is_packed(asset)) {
		e->unpack = gunzip_open(asset->data, asset->stored);
		if (!e->unpack) {
			exchange_refuse(e, (struct refusal){ 503, "server: out of memory" });
			return;
		}
	}
	begin_head(e, same ? 304 : 200, same ? NULL : asset->type);
	string_addf(&e->out, "ETag: %s\r\nVary: Accept-Encoding\r\nCache-Control: %s\r\n",
		    asset->tag, hashed ? "public, max-age=31536000, immutable" : "no-cache");
	if (!same && strcmp(asset->coding, "identity") != 0)
		string_addf(&e->out, "Content-Encoding: %s\r\n", asset->coding);
	if (!same)
		string_addf(&e->out, "Content-Length: %zu\r\n", asset->size);
	end_head(e);
	if (has_body) {
		e->rest = asset->data;
		e->rest_size = e->sent = asset->size;
	}
	e->finished = true;
	exchange_resume(e);
}

/* A line of the head for previews; the text is escaped. */
static void add_meta(struct string *out, const char *kind, const char *name, const char *text)
{
	string_addf(out, "<meta %s=\"%s\" content=\"", kind, name);
	svg_add_text(out, text, SVG_WHOLE);
	string_addf(out, "\">\n");
}

/*
 * The address of this server, as the visitor wrote it: previews need whole addresses. If it is not
 * known how the visitor came, a proxy has the certificate for a name that was allowed.
 */
static void add_origin(const struct exchange *e, struct string *out)
{
	struct header_text host;
	char name[HOST_NAME];
	enum url_scheme scheme = web_client_of(e->wsi)->scheme;
	header_text(e->wsi, WSI_TOKEN_HOST, &host);
	const bool unknown = scheme == SCHEME_UNKNOWN && host_name(host.text, name);
	for (int i = 0; unknown && i < e->web->setup->allowed_count; i++)
		if (strcmp(e->web->setup->allowed[i].name, name) == 0)
			scheme = e->web->setup->allowed[i].scheme == SCHEME_HTTP ? SCHEME_HTTP
										 : SCHEME_HTTPS;
	string_addf(out, "http%s://%s", scheme == SCHEME_HTTPS ? "s" : "", host.text);
}

/* The text of a field; "" if it is missing. */
static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

/* What other sites show of the link: lines for the head of the page. */
static void add_preview(const struct exchange *e, const json_t *preview, struct string *out)
{
	const char *query = e->query ? e->query : "", *picture = text_of(preview, "picture");
	struct string url = { .allocator = &mem_malloc };
	add_meta(out, "property", "og:site_name", "Quevedo");
	add_meta(out, "property", "og:type", "website");
	add_meta(out, "property", "og:title", text_of(preview, "title"));
	add_meta(out, "property", "og:description", text_of(preview, "text"));
	string_addf(&url, "%s%s%s%s", e->origin, e->path, *query ? "?" : "", query);
	if (!url.failed)
		add_meta(out, "property", "og:url", url.data);
	out->failed |= url.failed;
	string_release(&url);
	if (!*picture)
		return;
	struct string address = { .allocator = &mem_malloc };
	string_addf(&address, "%s%s", e->origin, picture);
	if (!address.failed)
		add_meta(out, "property", "og:image", address.data);
	add_meta(out, "property", "og:image:width", "1200");
	add_meta(out, "property", "og:image:height", "630");
	add_meta(out, "name", "twitter:card", "summary_large_image");
	out->failed |= address.failed;
	string_release(&address);
}

/*
 * The page with the preview of this address in its head. It is small, so it is made each time; what
 * takes most of the time is to compress it, so the compressed form is kept.
 */
static void send_page(struct exchange *e, const struct api_response *preview)
{
	const struct string *page = &e->web->page;
	const char *end = strstr(page->data, "</head>");
	const bool missing = preview->status == 404;
	json_t *json = preview->status == 200 || missing
			       ? json_loadb(preview->text, preview->size, 0, NULL)
			       : NULL;
	struct string whole = { .allocator = &mem_malloc }, extra = whole;
	char tag[GZIP_TAG];
	const size_t before = end ? (size_t)(end - page->data) : 0;
	string_add(&whole, page->data, before);
	if (json && end)
		add_preview(e, json, &whole);
	json_decref(json);
	string_add(&whole, page->data + before, page->length - before);
	if (whole.failed) {
		string_release(&whole);
		exchange_refuse(e, (struct refusal){ 503, "server: out of memory" });
		return;
	}
	gzip_tag(whole.data, whole.length, tag);
	string_addf(&extra, "Cache-Control: no-cache\r\nVary: Accept-Encoding\r\nETag: W/%s\r\n",
		    tag);
	const bool same = !missing && etag_matches(e->known_tag, tag);
	const struct string *packed =
		!same && e->gzip ? gzip_shared(&e->web->packed_pages, tag, whole.data, whole.length)
				 : NULL;
	if (packed)
		string_addf(&extra, "Content-Encoding: gzip\r\n");
	const struct string *body = packed ? packed : &whole;
	exchange_reply(e, same ? 304 : missing ? 404 : 200, same ? NULL : "text/html;charset=utf-8",
		       extra.failed ? "" : extra.data, same ? "" : body->data,
		       same ? 0 : body->length);
	string_release(&whole);
	string_release(&extra);
}

/* The headers are gone when the preview comes, so the origin is copied. */
static void ask_preview(struct exchange *e)
{
	struct string origin = { .allocator = &mem_malloc };
	add_origin(e, &origin);
	e->origin = origin.failed ? NULL : strdup(origin.data);
	string_release(&origin);
	if (e->origin)
		exchange_ask_preview(e);
	else
		exchange_refuse(e, (struct refusal){ 503, "server: out of memory" });
}

/*
 * Where to report a vulnerability (RFC 9116): the operator's contact, if it is an address. What is
 * said today expires, so that an old copy does not mislead.
 */
static void send_security(struct exchange *e)
{
	const char *contact = e->web->setup->api.contact;
	const time_t until = time(NULL) + SECURITY_DAYS * 86400;
	char text[512], expires[32];
	struct tm day;
	const bool link = contact && (strncmp(contact, "https://", 8) == 0 ||
				      strncmp(contact, "mailto:", 7) == 0);
	if (!contact || strchr(contact, ' ') || (!link && !strchr(contact, '@')) ||
	    !gmtime_r(&until, &day)) {
		exchange_refuse(e, (struct refusal){ 404, "path: not found" });
		return;
	}
	strftime(expires, sizeof expires, "%Y-%m-%dT00:00:00Z", &day);
	const int size = snprintf(text, sizeof text, "Contact: %s%s\nExpires: %s\n",
				  link ? "" : "mailto:", contact, expires);
	exchange_reply(e, 200, "text/plain;charset=utf-8", "Cache-Control: no-cache\r\n", text,
		       (size_t)size);
}

/* All views of the page are one file. */
void exchange_asset(struct exchange *e)
{
	/* Search engines may index the page, not the API; previews of links need its pictures. */
	static const char robots[] = "User-agent: *\nAllow: /api/v1/pictures\nDisallow: /api/\n";
	static const char plain[] = "text/plain;charset=utf-8";
	struct header_text accept;
	const char *path = e->path;
	header_text(e->wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, &accept);
	if (strcmp(path, "/favicon.ico") == 0 || strcmp(path, "/favicon.svg") == 0)
		path = "/assets/favicon.svg";
	const struct asset *asset = assets_find(&e->web->assets, path, accept.text);
	if (strcmp(path, "/robots.txt") == 0)
		exchange_reply(e, 200, plain, "", robots, sizeof robots - 1);
	else if (strcmp(path, "/.well-known/security.txt") == 0)
		send_security(e);
	else if (strncmp(path, "/.well-known/", 13) == 0)
		exchange_refuse(e, (struct refusal){ 404, "path: not found" });
	else if (!asset && !is_file_path(path) && e->web->page.length)
		ask_preview(e);
	else if (asset)
		send_asset(e, asset);
	else if (is_file_path(path) || e->web->assets.count)
		exchange_refuse(e, (struct refusal){ 404, "path: not found" });
	else
		exchange_reply(e, 200, plain, "Cache-Control: no-cache\r\n", no_page,
			       sizeof no_page - 1);
}

/* ---- Writing ---- */

/* First `out`, then the static bytes or the unpacked file after it. */
int exchange_write(struct exchange *e)
{
	unsigned char buffer[LWS_PRE + WRITE_BYTES];
	if (lws_partial_buffered(e->wsi))
		return 0;
	const bool from_out = e->out.length > 0;
	const size_t left = from_out ? e->out.length : e->rest_size;
	const size_t size = left < WRITE_BYTES ? left : WRITE_BYTES;
	if (!size)
		return 0;
	if (from_out) {
		memcpy(buffer + LWS_PRE, e->out.data, size);
		memmove(e->out.data, e->out.data + size, e->out.length - size);
		e->out.length -= size;
		if (!e->out.length)
			string_release(&e->out);
	} else {
		if (e->unpack && !gunzip_read(e->unpack, buffer + LWS_PRE, size))
			return -1;
		if (!e->unpack) {
			memcpy(buffer + LWS_PRE, e->rest, size);
			e->rest += size;
		}
		e->rest_size -= size;
	}
	e->passed = e->passed + size < LIMIT_OUTPUT ? e->passed + size : LIMIT_OUTPUT;
	return lws_write(e->wsi, buffer + LWS_PRE, size, LWS_WRITE_HTTP) < (int)size ? -1 : 0;
}
