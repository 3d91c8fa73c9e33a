/*
 * serve.c - the command serve: the web server, until Ctrl-C.
 * SPDX-License-Identifier: MIT
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <strings.h>
#include <time.h>

#include "cli/imcs.h"
#include "server/http/http_text.h"
#include "server/http/web.h"

enum { CLASSROOM = 10 };

/* ---- What is printed when it listens ---- */

/* The addresses of this machine for others, where it listens on all of them. */
static void add_lan(struct cli *c, json_t *list, const char *rest)
{
	struct ifaddrs *first = NULL;
	if (getifaddrs(&first) != 0)
		return;
	for (const struct ifaddrs *at = first; at; at = at->ifa_next) {
		struct sockaddr_in four;
		char text[INET_ADDRSTRLEN], url[WEB_ADDRESS];
		if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET)
			continue;
		memcpy(&four, at->ifa_addr, sizeof four);
		if (ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET)
			continue;
		inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
		snprintf(url, sizeof url, "%s://%s%.32s", c->args.cert ? "https" : "http", text,
			 rest);
		if (list)
			json_item(list, json_text(url));
		else
			string_addf(&c->out, "quevedo: %s\n", url);
	}
	freeifaddrs(first);
}

/* ":8080/" of "http://0.0.0.0:8080/". */
static const char *port_of(const char *url)
{
	return strrchr(url, ':');
}

static bool listens_on_all(const struct cli *c)
{
	return c->args.host &&
	       (strcmp(c->args.host, "0.0.0.0") == 0 || strcmp(c->args.host, "::") == 0);
}

static enum qv_status print_ready(void *ctx, const char *url, const char *imcs,
				  struct qv_error *error)
{
	struct cli *c = ctx;
	const bool all = listens_on_all(c);
	char own[WEB_ADDRESS];
	snprintf(own, sizeof own, "%s://127.0.0.1%.32s", c->args.cert ? "https" : "http",
		 port_of(url));
	if (arguments_given(&c->args, OPT_JSON)) {
		json_t *lan = json_array();
		if (all)
			add_lan(c, lan, port_of(url));
		json_t *o = json_field(json_object(), "url", json_text(all ? own : url));
		o = json_field(json_field(o, "lan", lan), "page", json_boolean(web_has_page()));
		cli_json(c, *imcs ? json_field(o, "imcs", json_text(imcs)) : o);
	} else {
		string_addf(&c->out, "quevedo: %s\n", all ? own : url);
		if (all)
			add_lan(c, NULL, port_of(url));
		if (*imcs)
			string_addf(&c->out, "quevedo: imcs %s\n", imcs);
	}
	const enum qv_status status = cli_flush(c);
	*error = c->error;
	if (status == QV_OK && !web_has_page())
		fprintf(stderr,
			"quevedo: built without its page (it needs Node); the interface for "
			"programs is there\n");
	return status;
}

void cli_log(void *ctx, const char *level, const char *text)
{
	const time_t now = time(NULL);
	struct tm day;
	char at[32] = "";
	(void)ctx;
	if (gmtime_r(&now, &day))
		strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &day);
	fprintf(stderr, "%s %s %s\n", at, level, text);
}

/* ---- The command ---- */

static enum qv_status check_hosts(struct cli *c)
{
	for (int i = 0; i < c->args.allow_host_count; i++) {
		char name[HOST_NAME];
		if (!host_name(c->args.allow_hosts[i], name) ||
		    strcasecmp(name, c->args.allow_hosts[i]))
			return qv_fail(
				&c->error, QV_BAD_INPUT,
				"--allow-host: '%.60s' is not the name of a host, without a port",
				c->args.allow_hosts[i]);
	}
	if (!c->args.cert != !c->args.key)
		return qv_fail(&c->error, QV_BAD_INPUT, "--%s: --%s is missing",
			       c->args.cert ? "cert" : "key", c->args.cert ? "key" : "cert");
	return QV_OK;
}

static int limits_scale(const struct cli *c)
{
	if (arguments_given(&c->args, OPT_PER_ADDRESS))
		return (int)c->args.per_address;
	return arguments_given(&c->args, OPT_CLASSROOM) ? CLASSROOM : 1;
}

enum qv_status cmd_serve(struct cli *c)
{
	char data[FOLDER_PATH], password[IMCS_PASSWORD + 1];
	const bool imcs = arguments_given(&c->args, OPT_IMCS);
	enum qv_status status = check_hosts(c);
	if (status == QV_OK && c->args.password_file && !imcs)
		status = qv_fail(&c->error, QV_BAD_INPUT, "--password-file: --imcs is missing");
	if (status == QV_OK && c->args.password_file)
		status = cli_password(c, password);
	if (status == QV_OK)
		status = folder_find(c->args.data, NULL, data, &c->error);
	if (status != QV_OK)
		return status;
	const struct web_setup setup = {
		.host = c->args.host ? c->args.host : "127.0.0.1",
		.port = (int)c->args.port,
		.allowed_hosts = c->args.allow_hosts,
		.allowed_count = c->args.allow_host_count,
		.cert = c->args.cert,
		.key = c->args.key,
		.imcs_port = imcs ? (int)c->args.imcs : -1,
		.imcs_password = c->args.password_file ? password : NULL,
		.api = {
			.context = c->context,
			.data = data,
			.matches = c->args.matches,
			.tables = cli_defaults(c).tables,
			.workers = (int)c->args.workers,
			.hash_mb = (int)c->args.hash_mb,
			.per_address = limits_scale(c),
			.log = { .write = cli_log },
		},
		.ready = print_ready,
		.ctx = c,
	};
	return web_run(&setup, &c->error);
}
