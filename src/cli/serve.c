/*
 * serve.c - the commands serve and backup: the web server, and a copy of its database.
 * SPDX-License-Identifier: MIT
 *
 * serve runs until Ctrl-C. It prints its addresses as soon as it listens, so that a script can wait
 * for that line; its log goes to standard error. backup works while a server runs.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/server.h"
#include "base/scan.h"
#include "imcs/server.h"
#include "programs/command_line.h"
#include "server/api/secrets.h"
#include "server/http/http_text.h"
#include "server/http/log.h"
#include "server/http/web.h"
#include "server/store/store.h"

enum { LOG_TEXT, LOG_JSON };
enum { JOBS_PROCESSES, JOBS_THREADS };
enum {
	WORKER_WORDS = 64,	 /* of the command of worker processes */
	CLASSROOM = 10,		 /* --per-address of --classroom */
	HSTS_S = 180 * 24 * 3600, /* --hsts with --cert */
	ALLOWED = 8,		 /* of --allow-host */
};

const struct option listen_options[] = {
	SHARED_OPTION(
		"host", OPTION_POINTER, host, .value = "ADDRESS",
		.help = "address to listen on (default 127.0.0.1); 0.0.0.0: the whole network"),
	SHARED_OPTION("per-address", OPTION_INT, per_address, .min = 1, .max = 1000, .def = 1,
		      .value = "N", .help = "multiply the per-address request limits by N"),
	{ 0 },
};

const struct option server_data_option[] = {
	SHARED_OPTION("data", OPTION_POINTER, data, .value = "DIR",
		      .help = "folder of the server (default $XDG_DATA_HOME/quevedo or "
			      "~/.local/share/quevedo)"),
	{ 0 },
};

/* The options of serve. */
struct serve_values {
	int64_t port, workers, imcs; /* imcs -1: no IMCS */
	int64_t hsts, drain;	     /* hsts -1: the default */
	int64_t max_data, day_bytes, keep_guests, keep_unfinished;
	const char *matches, *cert, *key, *metrics, *contact, *mail_command, *mail_from, *store;
	int64_t log_form, log_level; /* LOG_TEXT, LOG_JSON; enum log_level */
	int64_t think;		     /* enum api_think */
	int64_t jobs;		     /* JOBS_PROCESSES, JOBS_THREADS */
	struct option_list allow_hosts, trust_proxies;
	bool classroom, proxy_protocol, check_config;
};

/* Digits and K, M, G or T, which are powers of 1024. */
static enum qv_status set_size(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	static const char units[] = "KMGT";
	const size_t length = strspn(text, "0123456789");
	const char *unit = text[length] ? strchr(units, text[length]) : NULL;
	char digits[16];
	int64_t size = 0;
	snprintf(digits, sizeof digits, "%.*s", length < sizeof digits ? (int)length : 0, text);
	const bool good = text_to_int(digits, 1, 1000000, &size) && unit && !text[length + 1];
	if (!good)
		return qv_fail(error, QV_BAD_INPUT,
			       "%s '%.20s': a size such as 500M or 20G is expected", option->name,
			       text);
	memcpy((char *)values + option->at, &(int64_t){ size << 10 * (unit - units + 1) },
	       sizeof size);
	return QV_OK;
}

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct serve_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("port", OPTION_INT, port, .max = 65535, .def = 8080, .value = "N",
	    .help = "port to listen on; 0: any free port"),
	ROW("matches", OPTION_POINTER, matches, .value = "DIR",
	    .help = "journals of matches to show (default: matches in the data folder)"),
	SHARED_OPTION(
		"tables", OPTION_POINTER, tables, .value = "DIR",
		.help = "tables of solved positions (default: where 'tables build' puts them)"),
	ROW("workers", OPTION_INT, workers, .max = 256, .value = "N",
	    .help = "search threads; 0: one less than there are processors"),
	ROW("allow-host", OPTION_LIST, allow_hosts, .max = ALLOWED, .value = "NAME",
	    .help = "another host name of the server, or an origin such as "
		    "https://games.example:8443; can be repeated"),
	ROW("trust-proxy", OPTION_LIST, trust_proxies, .max = PROXY_NETWORKS, .value = "CIDR",
	    .help = "take visitors' addresses from X-Forwarded-For and X-Forwarded-Proto of proxies "
		    "at this address or network; can be repeated"),
	ROW("proxy-protocol", OPTION_FLAG, proxy_protocol,
	    .help = "connections of these proxies begin with the PROXY protocol, version 1 or 2"),
	ROW("classroom", OPTION_FLAG, classroom, .help = "the same as --per-address 10"),
	ROW("store", OPTION_POINTER, store, .value = "URL",
	    .help = "a PostgreSQL database, postgres://..., that several servers may share"),
	ROW("think", OPTION_CHOICE, think, .choices = "here|workers|both", .def = THINK_HERE,
	    .help = "where computers think: in this server, in 'quevedo worker' processes of the "
		    "same --store, or in both; without workers always here"),
	ROW("jobs", OPTION_CHOICE, jobs, .choices = "processes|threads", .def = JOBS_PROCESSES,
	    .help = "search and read files in processes without rights, or in threads of the server"),
	ROW("max-data", OPTION_CUSTOM, max_data, .set = set_size, .value = "SIZE",
	    .help = "largest size of the database, such as 20G (default: what the disk allows)"),
	ROW("quota", OPTION_CUSTOM, day_bytes, .set = set_size, .value = "SIZE",
	    .help = "what one address or user may store in a day (default 16M)"),
	ROW("keep-guests", OPTION_INT, keep_guests, .max = 36500, .def = 90, .value = "DAYS",
	    .help = "remove finished games and studies of guests after so many days; 0: never"),
	ROW("keep-unfinished", OPTION_INT, keep_unfinished, .max = 36500, .def = 180, .value = "DAYS",
	    .help = "remove games of guests in which nobody moved for so many days; 0: never"),
	ROW("cert", OPTION_POINTER, cert, .value = "FILE", .help = "TLS certificate"),
	ROW("key", OPTION_POINTER, key, .value = "FILE", .help = "private key of the certificate"),
	ROW("log", OPTION_CHOICE, log_form, .choices = "text|json", .def = LOG_TEXT,
	    .help = "form of the log on standard error"),
	ROW("log-level", OPTION_CHOICE, log_level, .choices = "error|warn|info|debug",
	    .def = LOG_WARN, .help = "the least important lines to log; info: each request"),
	ROW("metrics", OPTION_POINTER, metrics, .value = "[ADDRESS:]PORT",
	    .help = "serve metrics for Prometheus there, as /metrics (default address 127.0.0.1)"),
	ROW("contact", OPTION_POINTER, contact, .value = "TEXT",
	    .help = "whom to ask about this server; the page /privacy shows it"),
	ROW("mail-command", OPTION_POINTER, mail_command, .value = "COMMAND",
	    .help = "program that sends mail, such as 'msmtp --host=127.0.0.1': message on its input, address "
		    "as last argument"),
	ROW("mail-from", OPTION_POINTER, mail_from, .value = "ADDRESS",
	    .help = "sender of that mail, in its From line (default: what the program chooses)"),
	ROW("hsts", OPTION_INT, hsts, .max = 2 * 366 * 24 * 3600, .def = -1, .value = "SECONDS",
	    .help = "browsers shall use https alone for so long; 0: do not ask for it (default 180 "
		    "days with --cert, else 0)"),
	ROW("drain", OPTION_INT, drain, .max = 600, .def = 2, .value = "SECONDS",
	    .help = "after Ctrl-C or SIGTERM, wait at most so long for requests under way"),
	ROW("imcs", OPTION_INT, imcs, .max = 65535, .def = -1, .value = "PORT",
	    .help = "also run an IMCS server on this port; 0: any free port"),
	SHARED_OPTION("password-file", OPTION_POINTER, password_file, .value = "FILE",
		      .help = "with --imcs: the first line is the admin's password"),
	SHARED_OPTION("config", OPTION_POINTER, config, .value = "FILE",
		      .help = "read options from FILE, lines 'name = value'; those on the command "
			      "line win"),
	ROW("check-config", OPTION_FLAG, check_config, .help = "check all options, start nothing"),
	{ 0 },
};
#undef ROW

/* ---- Output ---- */

/*
 * Lists the URLs under which others reach this machine, for a server that listens on all addresses:
 * in `list`, or as text if that is NULL. `rest` is the end of the URL, ":8080/".
 */
static void add_lan(struct cli *c, json_t *list, const char *rest)
{
	const struct serve_values *own = cli_own(c);
	struct ifaddrs *first = NULL;
	if (getifaddrs(&first) != 0)
		return;
	for (const struct ifaddrs *at = first; at; at = at->ifa_next) {
		struct sockaddr_in four;
		char text[INET_ADDRSTRLEN], url[WEB_ADDRESS];
		/* Only IPv4, which people can type. */
		if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET)
			continue;
		memcpy(&four, at->ifa_addr, sizeof four);
		/* Others cannot reach the loopback. */
		if (ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET)
			continue;
		inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
		snprintf(url, sizeof url, "%s://%s%.32s", own->cert ? "https" : "http", text, rest);
		if (list)
			json_item(list, json_text(url));
		else
			string_addf(&c->out, "quevedo: %s\n", url);
	}
	freeifaddrs(first);
}

/* For print_ready. */
struct ready {
	struct cli *cli;
	struct server_log *log;
};

/* What works, but should not be so. New folders and databases are their owner's alone. */
static void warn(struct cli *c, struct server_log *log)
{
	static const char *const names[] = { "", "/quevedo.db" };
	char data[FOLDER_PATH], path[FOLDER_PATH + 16], text[FOLDER_PATH + 100];
	struct stat about;
	if (geteuid() == 0)
		log_message(log, "warn", "server: it runs as root; a user of its own is safer");
	if (folder_find(c->args.data, NULL, data, NULL) != QV_OK)
		return;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s%s", data, names[i]);
		if (stat(path, &about) != 0 || !(about.st_mode & 077))
			continue;
		snprintf(text, sizeof text, "%s: other users have access to it; run chmod %s",
			 path, i ? "600" : "700");
		log_message(log, "warn", text);
	}
}

/*
 * Prints the URLs when the server listens. A server on all addresses prints that of the loopback
 * first, which works in any case. `imcs` is "" without an IMCS server.
 */
static enum qv_status print_ready(void *ctx, const char *url, const char *imcs, int metrics,
				  struct qv_error *error)
{
	struct ready *ready = ctx;
	struct cli *c = ready->cli;
	const struct serve_values *own = cli_own(c);
	const char *host = c->args.host ? c->args.host : "", *rest = strrchr(url, ':');
	const bool all = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
	char loopback[WEB_ADDRESS];
	snprintf(loopback, sizeof loopback, "%s://127.0.0.1%.32s", own->cert ? "https" : "http",
		 rest);
	if (c->args.json) {
		json_t *lan = json_array();
		if (all)
			add_lan(c, lan, rest);
		json_t *o = json_fields(json_object(), "url", json_text(all ? loopback : url),
					"lan", lan, "page", json_boolean(web_has_page()), NULL);
		if (metrics)
			json_field(o, "metrics", json_integer(metrics));
		cli_json(c, *imcs ? json_field(o, "imcs", json_text(imcs)) : o);
	} else {
		string_addf(&c->out, "quevedo: %s\n", all ? loopback : url);
		if (all)
			add_lan(c, NULL, rest);
		if (*imcs)
			string_addf(&c->out, "quevedo: imcs %s\n", imcs);
		if (metrics)
			string_addf(&c->out, "quevedo: metrics port %d\n", metrics);
	}
	/* A script may wait for this line. */
	const enum qv_status status = cli_flush(c);
	*error = c->error;
	if (status == QV_OK && !web_has_page())
		fprintf(stderr, "quevedo: built without the page (it needs Node); only the API is "
				"there\n");
	if (status == QV_OK)
		warn(c, ready->log);
	return status;
}

/* Times are in UTC. */
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

/* The log of serve. One call for each line, so that lines of several programs do not mix. */
static void write_log(void *ctx, const char *line)
{
	(void)ctx;
	fputs(line, stderr);
}

/* Something that can be shown on a page. */
static bool is_contact(const char *text)
{
	json_t *json = json_string(text); /* NULL: not UTF-8 */
	const bool good = json && *text && strlen(text) <= 200 && !strpbrk(text, "\r\n\t");
	json_decref(json);
	return good;
}

/* Splits "[ADDRESS:]PORT", with an IPv6 address in brackets. False: it is neither. */
static bool metrics_address(const char *text, char host[HOST_NAME], int *port)
{
	const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;
	const size_t length = colon ? (size_t)(colon - text) : 0;
	const bool bracketed = length > 2 && text[0] == '[' && text[length - 1] == ']';
	int number;
	if (!scan_count(&digits, 65535, &number) || *digits || (colon && !length) ||
	    length >= HOST_NAME || (!bracketed && memchr(text, ':', length)))
		return false;
	if (colon)
		snprintf(host, HOST_NAME, "%.*s", (int)length - (bracketed ? 2 : 0),
			 text + bracketed);
	else
		snprintf(host, HOST_NAME, "127.0.0.1");
	*port = number;
	return true;
}

/* ---- The commands ---- */

/* The names and networks of the options. */
static enum qv_status read_names(struct cli *c, struct origin allowed[ALLOWED],
				 struct ip_networks *trusted)
{
	const struct serve_values *own = cli_own(c);
	/* A name with a port would be right for some visitors only, depending on their scheme. */
	for (int i = 0; i < own->allow_hosts.count; i++)
		if (!origin_or_name_parse(own->allow_hosts.texts[i], &allowed[i]))
			return cli_refuse(c,
					  "--allow-host: '%.60s' is neither a host name without a "
					  "port nor an origin such as https://games.example",
					  own->allow_hosts.texts[i]);
	for (int i = 0; i < own->trust_proxies.count; i++)
		if (!ip_network_parse(own->trust_proxies.texts[i], &trusted->list[i]))
			return cli_refuse(c,
					  "--trust-proxy: '%.60s' is not an address or a network "
					  "such as 10.0.0.0/8",
					  own->trust_proxies.texts[i]);
	trusted->count = own->trust_proxies.count;
	if (own->proxy_protocol && !trusted->count)
		return cli_refuse(c, "--proxy-protocol: --trust-proxy is missing");
	return QV_OK;
}

/* The answer to --check-config: all is well. */
static enum qv_status print_checked(struct cli *c)
{
	const char *file = c->args.config;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "config",
					       file ? json_text(file) : json_null(), "ok",
					       json_true(), NULL));
	string_addf(&c->out, "%s: ok\n", file ? file : "options");
	return QV_OK;
}

/*
 * The command of worker processes, with the options that bear on what they find. It is this program
 * even if a newer version has taken its place. False: this system does not say where it is.
 */
static bool worker_words(struct cli *c, const char *words[WORKER_WORDS], char hash[24])
{
	const struct qv_defaults defaults = cli_defaults(c);
	const char *const first[] = { "/proc/self/exe", "worker", "--pipe", "--hash", hash };
	int count = 0;
	snprintf(hash, 24, "%lld", (long long)c->args.hash_mb);
	while (count < (int)(sizeof first / sizeof *first)) {
		words[count] = first[count];
		count++;
	}
	if (defaults.tables) {
		words[count++] = "--tables";
		words[count++] = defaults.tables;
	}
	if (c->args.syzygy) {
		words[count++] = "--syzygy";
		words[count++] = c->args.syzygy;
	}
	for (int i = 0; i < c->args.plugins.count && count < WORKER_WORDS - 2; i++) {
		words[count++] = "--plugin";
		words[count++] = c->args.plugins.texts[i];
	}
	words[count] = NULL;
	return access(words[0], X_OK) == 0;
}

/* Checks the options, which need no server to be wrong, and runs the server until Ctrl-C. */
static enum qv_status run_serve(struct cli *c)
{
	const struct serve_values *own = cli_own(c);
	char data[FOLDER_PATH], password[IMCS_PASSWORD + 1], metrics_host[HOST_NAME];
	int metrics_port = -1;
	struct server_log log = { .level = (enum log_level)own->log_level,
				  .json = own->log_form == LOG_JSON,
				  .write = write_log };
	struct ready ready = { c, &log };
	const bool classroom = own->classroom && !cli_given(c, "per-address");
	char site[HOST_NAME + 32] = "", hash[24];
	const char *worker[WORKER_WORDS];
	struct origin allowed[ALLOWED];
	struct ip_networks trusted = { .count = 0 };
	enum qv_status status = read_names(c, allowed, &trusted);
	if (status != QV_OK)
		return status;
	if (own->mail_command &&
	    (!command_closes(own->mail_command) || !own->mail_command[strspn(own->mail_command, " ")]))
		return cli_refuse(c, "--mail-command: a program is missing, or a quote is not closed");
	if (own->mail_from && secrets_email_fault(own->mail_from))
		return cli_refuse(c, "--mail-from: '%.60s' is not an e-mail address",
				  cli_word(own->mail_from));
	/* TLS needs both files. */
	if (!own->cert != !own->key)
		return cli_refuse(c, "--%s: --%s is missing", own->cert ? "cert" : "key",
				  own->cert ? "key" : "cert");
	if (own->think != THINK_HERE && !own->store)
		return cli_refuse(c, "--think: --store postgres://... is missing");
	if (own->contact && !is_contact(own->contact))
		return cli_refuse(c, "--contact: must be a line of UTF-8 text, at most 200 bytes");
	if (own->metrics && !metrics_address(own->metrics, metrics_host, &metrics_port))
		return cli_refuse(c, "--metrics: '%.60s' is not [ADDRESS:]PORT", own->metrics);
	if (c->args.password_file && own->imcs < 0)
		return cli_refuse(c, "--password-file: --imcs is missing");
	/* Read the password before anything is started. */
	if (c->args.password_file)
		status = cli_password(c, password, sizeof password);
	if (status == QV_OK)
		status = folder_find(c->args.data, NULL, data, &c->error);
	if (status == QV_OK && own->check_config && own->cert)
		status = web_check_certificate(own->cert, own->key, &c->error);
	if (status != QV_OK)
		return status;
	if (own->check_config)
		return print_checked(c);
	/* Under its own name the server is behind a proxy with a certificate, or has one. */
	if (own->allow_hosts.count)
		snprintf(site, sizeof site, "%s%s",
			 allowed[0].scheme == SCHEME_UNKNOWN ? "https://" : "",
			 own->allow_hosts.texts[0]);
	const bool processes = own->jobs == JOBS_PROCESSES && worker_words(c, worker, hash);
	if (own->jobs == JOBS_PROCESSES && !processes)
		log_message(&log, "warn", "workers: no processes: this system has no /proc/self/exe; "
					  "threads of the server search and read files");
	/* What is not given has the default of the server. */
	const struct web_setup setup = {
		.host = c->args.host ? c->args.host : "127.0.0.1",
		.port = (int)own->port,
		.allowed = allowed,
		.allowed_count = own->allow_hosts.count,
		.trusted = trusted,
		.proxy_protocol = own->proxy_protocol,
		.cert = own->cert,
		.key = own->key,
		.hsts_s = own->hsts >= 0 ? own->hsts : own->cert ? HSTS_S : 0,
		.drain_s = (int)own->drain,
		.imcs_port = (int)own->imcs,
		.imcs_password = c->args.password_file ? password : NULL,
		.metrics_host = metrics_host,
		.metrics_port = metrics_port,
		.log = &log,
		.api = {
			.context = c->context,
			.data = data,
			.place = own->store,
			.think = (enum api_think)own->think,
			.worker_command = processes ? worker : NULL,
			.matches = own->matches,
			.tables = cli_defaults(c).tables,
			.prober = cli_defaults(c).prober,
			.workers = (int)own->workers,
			.hash_mb = (int)c->args.hash_mb,
			.per_address = classroom ? CLASSROOM : (int)c->args.per_address,
			.mail_command = own->mail_command,
			.mail_from = own->mail_from,
			.site = own->allow_hosts.count ? site : NULL,
			.max_data = own->max_data,
			.day_bytes = own->day_bytes,
			.keep_guests = (int)own->keep_guests,
			.keep_unfinished = (int)own->keep_unfinished,
			.contact = own->contact,
			.logs_requests = log_wants(&log, LOG_INFO),
			.log = { .write = log_message, .ctx = &log },
		},
		.ready = print_ready,
		.ctx = &ready,
	};
	return web_run(&setup, &c->error);
}

const struct command command_serve = {
	.name = "serve", .run = run_serve, .usage = "serve", .help = "run the web server",
	.more = "Prints its address when it is ready; Ctrl-C ends it. See docs/server.md. With --imcs "
		"it is an IMCS server, too (docs/imcs.md).\n",
	.options = OPTION_GROUPS(own_options, listen_options, server_data_option, syzygy_option,
				 common_options),
};

/* Copies the database and prints the size of the copy. */
static enum qv_status run_backup(struct cli *c)
{
	char folder[FOLDER_PATH];
	struct stat about;
	const char *file = c->args.words[1];
	if (!*file)
		return cli_refuse(c, "FILE: the name is empty");
	enum qv_status status = folder_find(c->args.data, NULL, folder, &c->error);
	if (status == QV_OK)
		status = store_backup(folder, file, &c->error);
	/* The size shows that there is something in it. */
	if (status == QV_OK && stat(file, &about) != 0)
		status = qv_fail(&c->error, QV_IO, "%.160s: %s", file, strerror(errno));
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "file", json_text(file), "bytes",
					       json_integer((json_int_t)about.st_size), NULL));
	string_addf(&c->out, "backup %s, %lld bytes\n", file, (long long)about.st_size);
	return QV_OK;
}

const struct command command_backup = {
	.name = "backup", .run = run_backup, .least = 1, .most = 1, .usage = "backup FILE",
	.help = "copy the database of a server",
	.more = "The server may be running. FILE must not exist. The copy shows one moment; it is "
		"checked, and gets its name only when it is complete. See docs/server.md.\n",
	.options = OPTION_GROUPS(server_data_option, common_options),
};
