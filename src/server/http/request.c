/*
 * request.c - checks a request that libwebsockets has parsed: host, origin, path, query, body.
 * SPDX-License-Identifier: MIT
 *
 * libwebsockets is lenient. It decodes paths itself, cuts them at '&' and ';', accepts any version
 * and a missing Host, assumes a length of 100 MiB if none is given, and does not understand chunked
 * bodies. So everything is checked again here, and anything unusual is refused.
 */
#include <string.h>

#include "base/json.h"
#include "server/http/transport.h"

const char *header_text(struct lws *wsi, enum lws_token_indexes header, struct header_text *out)
{
	out->text[0] = '\0';
	if (lws_hdr_copy(wsi, out->text, HEADER_BYTES, header) < 0)
		out->text[0] = '\0';
	return out->text;
}

static bool has_header(struct lws *wsi, enum lws_token_indexes header)
{
	return lws_hdr_total_length(wsi, header) > 0;
}

struct refusal request_check_host(const struct web *web, struct lws *wsi)
{
	struct header_text host;
	if (!host_is_allowed(&web->hosts, header_text(wsi, WSI_TOKEN_HOST, &host)))
		return (struct refusal){ 403,
					 "Host: unknown host name; allow it with --allow-host" };
	return (struct refusal){ 0, NULL };
}

/* Browsers send the Origin; a request without Origin and cookie cannot use anybody's rights. */
struct refusal request_check_origin(const struct web *web, struct lws *wsi)
{
	struct header_text origin, host, bearer;
	if (has_header(wsi, WSI_TOKEN_ORIGIN)) {
		if (!origin_is_ours(header_text(wsi, WSI_TOKEN_ORIGIN, &origin),
				    header_text(wsi, WSI_TOKEN_HOST, &host), &web->named))
			return (struct refusal){ 403, "Origin: the page is from another server" };
	} else if (has_header(wsi, WSI_TOKEN_HTTP_COOKIE) &&
		   !bearer_find(header_text(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, &bearer))) {
		return (struct refusal){ 403, "Origin: missing; a request with a cookie needs it" };
	}
	return (struct refusal){ 0, NULL };
}

static struct refusal check_length(struct lws *wsi, bool post, size_t most, size_t *size)
{
	struct header_text text;
	if (has_header(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING))
		return (struct refusal){ 411, "Transfer-Encoding: send a Content-Length instead" };
	if (!has_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH))
		return post ? (struct refusal){ 411, "Content-Length: missing" }
			    : (struct refusal){ 0, NULL };
	if (!content_length_parse(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &text), size))
		return (struct refusal){ 400, "Content-Length: not a number" };
	if (*size && !post)
		return (struct refusal){ 400, "body: only POST requests may have one" };
	if (*size > most)
		return (struct refusal){ 413, "body: too large" };
	return (struct refusal){ 0, NULL };
}

struct refusal request_check_body(struct lws *wsi, const char *path, bool post, size_t *size)
{
	struct header_text text;
	const size_t most = strcmp(path, "/api/v1/plays") == 0 ? RECORD_BYTES : BODY_BYTES;
	*size = 0;
	const struct refusal refusal = check_length(wsi, post, most, size);
	if (refusal.status || !post)
		return refusal;
	if (!type_is_json(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, &text)))
		return (struct refusal){ 415, "Content-Type: must be application/json" };
	return (struct refusal){ 0, NULL };
}

/*
 * A path with a line end in it (%0a) ends the request line for libwebsockets: then the version is
 * missing, or is part of a header.
 */
static bool version_is_known(struct lws *wsi)
{
	struct header_text version;
	header_text(wsi, WSI_TOKEN_HTTP, &version);
	return strcmp(version.text, "HTTP/1.1") == 0 || strcmp(version.text, "HTTP/1.0") == 0;
}

struct refusal request_path(struct lws *wsi, char path[API_PATH])
{
	char *at = NULL;
	int length = 0;
	const int method = lws_http_get_uri_and_method(wsi, &at, &length);
	if (method < 0 || !at || length < 1 || !version_is_known(wsi))
		return (struct refusal){ 400, "request: the first line is malformed" };
	if (length >= API_PATH)
		return (struct refusal){ 400, "path: too long" };
	memcpy(path, at, (size_t)length);
	path[length] = '\0';
	if (!path_is_clean(path, (size_t)length))
		return (struct refusal){ 400, "path: malformed" };
	return (struct refusal){ 0, NULL };
}

struct refusal request_query(struct lws *wsi, char query[QUERY_BYTES])
{
	char pair[HEADER_BYTES];
	size_t used = 0;
	query[0] = '\0';
	for (int i = 0;
	     lws_hdr_copy_fragment(wsi, pair, sizeof pair, WSI_TOKEN_HTTP_URI_ARGS, i) >= 0; i++) {
		if (!pair[0])
			continue;
		if (used && used + 1 < QUERY_BYTES)
			query[used++] = '&';
		const size_t length = query_encode(pair, query + used, QUERY_BYTES - used);
		if (!length)
			return (struct refusal){ 400, "query: too long" };
		used += length;
	}
	return (struct refusal){ 0, NULL };
}

struct refusal request_visitor(const struct web *web, struct lws *wsi, struct visitor *out)
{
	struct header_text cookies, authorization;
	char cookie[API_COOKIE];
	const char *bearer =
		bearer_find(header_text(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, &authorization));
	const bool known = cookie_find(header_text(wsi, WSI_TOKEN_HTTP_COOKIE, &cookies),
				       web_cookie_name(web), cookie, sizeof cookie);
	const struct limits_peer *peer = web_peer(wsi);
	if (!api_identify(web->api, known ? cookie : NULL, bearer, peer ? peer->address : "", out))
		return (struct refusal){ 401, "Authorization: unknown token" };
	return (struct refusal){ 0, NULL };
}

json_t *request_json(const char *text, size_t length)
{
	json_t *body;
	json_load_object(text, length, JSON_DEPTH, &body, NULL);
	return body;
}
