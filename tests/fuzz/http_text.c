/*
 * http_text.c - fuzz target: the texts of a request, a line each (path, a pair of a query, Host,
 * Origin, a header, JSON), and the whole input as a blob of the page.
 * SPDX-License-Identifier: MIT
 */
#include <strings.h>

#include "fuzz/fuzz.h"

#include "base/json.h"
#include "server/http/assets.h"
#include "server/http/http_text.h"
#include "server/api/limits.h"
#include "server/http/log.h"

static const char *const names[] = { "localhost", "127.0.0.1", "[::1]", "games.example" };

static void try_path(const char *text)
{
	char path[512];
	if (!path_decode(text, strlen(text), path, sizeof path))
		return;
	fuzz_require(path[0] == '/' && strlen(path) <= strlen(text));
	fuzz_require(path_is_clean(path, strlen(path)));
	fuzz_require(!strstr(path, "/../") && !strstr(path, "/./") && !strpbrk(path, "\r\n"));
	const size_t length = strlen(path);
	fuzz_require(length < 3 || strcmp(path + length - 3, "/..") != 0);
}

/* What is encoded is decoded to the same, but for the slash that a path begins with. */
static void try_query(const char *text)
{
	char encoded[4096], decoded[4200], path[4200];
	const size_t length = query_encode(text, encoded, sizeof encoded);
	if (!length)
		return;
	fuzz_require(length == strlen(encoded) && !strpbrk(encoded, "&#+ \r\n\""));
	path[0] = '/';
	snprintf(path + 1, sizeof path - 1, "%s", encoded);
	if (length < 4000 && path_decode(path, length + 1, decoded, sizeof decoded))
		fuzz_require(strcmp(decoded + 1, text) == 0);
}

/* An allowed host is one of the names, letter by letter, before its port; or digits and dots. */
static void try_host(const char *text)
{
	struct host_list list = { { names[0], names[1], names[2], names[3] }, 4, false };
	char name[HOST_NAME];
	const bool allowed = host_is_allowed(&list, text);
	bool listed = false;
	for (int i = 0; i < 4; i++)
		listed |= strncasecmp(text, names[i], strlen(names[i])) == 0;
	fuzz_require(!allowed || listed);
	fuzz_require(!allowed || host_name(text, name));
	list.any_address = true;
	if (host_is_allowed(&list, text) && !allowed)
		fuzz_require(text[0] == '[' || strspn(text, "0123456789.:") == strlen(text));
}

static void try_origin(const char *origin, const char *host)
{
	struct origin allowed[2], read;
	char name[HOST_NAME];
	fuzz_require(origin_or_name_parse("games.example", &allowed[0]));
	fuzz_require(origin_or_name_parse("https://localhost:8443", &allowed[1]));
	for (int scheme = SCHEME_UNKNOWN; scheme <= SCHEME_HTTPS; scheme++) {
		if (!origin_is_ours(origin, (enum url_scheme)scheme, host, allowed, 2))
			continue;
		/* An allowed one, or the host itself. */
		fuzz_require(origin_parse(origin, &read) && read.port >= 0);
		const bool whole = strcmp(read.name, "localhost") == 0 && read.port == 8443 &&
				   read.scheme == SCHEME_HTTPS;
		fuzz_require(whole || scheme == SCHEME_UNKNOWN ||
			     scheme == (int)read.scheme);
		fuzz_require(whole || strcmp(read.name, names[3]) == 0 ||
			     (host_name(host, name) && strcmp(read.name, name) == 0));
	}
}

static void try_header(const char *text)
{
	char value[64];
	size_t length;
	if (cookie_find(text, "qv", value, sizeof value))
		fuzz_require(strlen(value) < sizeof value && !strchr(value, ';') &&
			     strstr(text, "qv="));
	fuzz_require(!socket_key_is_valid(text) || strlen(text) == 24);
	if (content_length_parse(text, &length))
		fuzz_require(strtoull(text, NULL, 10) == length);
	const char *bearer = bearer_find(text);
	fuzz_require(!bearer || (bearer > text && bearer <= text + strlen(text)));
	if (encoding_accepted(text, "br"))
		fuzz_require(strpbrk(text, "bB") != NULL);
	fuzz_require(!etag_matches(text, "\"tag\"") || strstr(text, "\"tag\"") ||
		     strchr(text, '*'));
	fuzz_require(!header_has_token(text, "close") || strpbrk(text, "cC"));
	fuzz_require(!type_is_json(text) || strchr(text, '/'));
}

static size_t count_parsed(json_t *json)
{
	size_t count = 1, i;
	const char *key;
	json_t *value;
	json_array_foreach(json, i, value)
		count += count_parsed(value);
	json_object_foreach(json, key, value)
		count += count_parsed(value);
	return count;
}

static void try_json(const char *text)
{
	size_t open = 0;
	json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
	fuzz_require(!json || count_parsed(json) <= json_count_values(text, strlen(text)));
	json_decref(json);
	for (const char *c = text; *c; c++)
		open += *c == '[' || *c == '{';
	fuzz_require(json_is_shallow(text, strlen(text), 16) || open > 16);
}

static void try_blob(const uint8_t *data, size_t size)
{
	struct assets assets;
	if (!assets_read(&assets, data, size))
		return;
	for (size_t i = 0; i < assets.count; i++) {
		const struct asset *asset = &assets.list[i];
		fuzz_require(asset->data >= data && asset->data + asset->stored <= data + size);
		const struct asset *found = assets_find(&assets, asset->path, "gzip, br");
		fuzz_require(!found || strcmp(found->path, asset->path) == 0);
	}
	assets_release(&assets);
}

/* A line of the log is one line of ASCII, and as JSON an object. */
static void check_line(void *ctx, const char *line)
{
	const struct server_log *log = ctx;
	const size_t length = strlen(line);
	fuzz_require(length > 0 && strchr(line, '\n') == line + length - 1);
	for (size_t i = 0; i + 1 < length; i++)
		fuzz_require(line[i] >= ' ' && line[i] <= '~');
	json_t *json = log->json ? json_loads(line, JSON_REJECT_DUPLICATES, NULL) : NULL;
	fuzz_require(!log->json || json_is_string(json_object_get(json, "message")));
	json_decref(json);
}

static void try_log(const char *text)
{
	struct server_log log = { .level = LOG_DEBUG, .write = check_line, .ctx = &log };
	char network[LIMIT_ADDRESS];
	for (int form = 0; form < 2; form++) {
		log.json = form;
		log_message(&log, "info", text);
	}
	limits_network(text, network);
	fuzz_require(!*network || strchr(network, '.') || strchr(network, ':'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *line = text, *lines[6];
	for (int i = 0; i < 6; i++) {
		lines[i] = line;
		line = fuzz_next_line(line);
	}
	try_path(lines[0]);
	try_query(lines[1]);
	try_host(lines[2]);
	try_origin(lines[3], lines[2]);
	try_header(lines[4]);
	try_json(lines[5]);
	try_log(lines[4]);
	try_blob(data, size);
	free(text);
	return 0;
}
