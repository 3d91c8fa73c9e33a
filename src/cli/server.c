/*
 * server.c - the command server: what an operator does with the data of a web server.
 * SPDX-License-Identifier: MIT
 *
 * All verbs read the database itself, so that they work whether a server runs or not. A verb that
 * changes something writes in small transactions beside the server.
 *
 * To add a verb, write its function, in a file of its own if it is long, and list it in verbs[].
 */
#include <time.h>

#include "base/flag.h"
#include "cli/server.h"
#include "cli/server_health.h"
#include "server/api/secrets.h"
#include "server/store/moderation.h"

enum { DAY_S = 86400, LIST_MOST = 1000000 };

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct server_values, name_, type_, f, __VA_ARGS__)
static const struct option prune_options[] = {
	ROW("older", OPTION_INT, older, .min = 1, .max = 36500, .def = 90, .value = "DAYS",
	    .help = "prune: what was not used for so many days"),
	ROW("unfinished", OPTION_FLAG, unfinished, .help = "prune: games in progress, too"),
	ROW("dry-run", OPTION_FLAG, dry_run, .help = "prune: only count"),
	ROW("clock-is-right", OPTION_FLAG, clock_is_right,
	    .help = "prune: the clock is days after the last time in the database, and right"),
	ROW("vacuum", OPTION_FLAG, vacuum,
	    .help = "prune: copy the whole database to make it small; no server may run then"),
	{ 0 },
};
static const struct option store_option[] = {
	ROW("store", OPTION_POINTER, store, .value = "URL",
	    .help = "the PostgreSQL database of the servers, postgres://... (default: SQLite in "
		    "--data)"),
	{ 0 },
};
static const struct option migrate_options[] = {
	ROW("back", OPTION_FLAG, back, .help = "migrate: from PostgreSQL to SQLite"),
	{ 0 },
};
static const struct option restored_options[] = {
	ROW("removals", OPTION_POINTER, removals, .value = "FILE",
	    .help = "restored: also delete again what is listed there"),
	{ 0 },
};
static const struct option list_options[] = {
	ROW("most", OPTION_INT, most, .min = 1, .max = LIST_MOST, .def = 50, .value = "N",
	    .help = "games, studies, reports, audit: list at most so many, the latest first"),
	{ 0 },
};
static const struct option suspend_options[] = {
	ROW("until", OPTION_POINTER, until, .value = "DAY",
	    .help = "suspend: to the end of that day, such as 2030-12-31 (default: without end)"),
	ROW("reason", OPTION_POINTER, reason, .value = "TEXT",
	    .help = "suspend: what the visitor is told"),
	{ 0 },
};
#undef ROW

/* ---- The store ---- */

/* "" if --store names the database: then there may be no folder. */
static enum qv_status find_folder(struct cli *c, char folder[FOLDER_PATH])
{
	const struct server_values *own = cli_own(c);
	*folder = '\0';
	return own->store && *own->store ? QV_OK : folder_find(c->args.data, NULL, folder, &c->error);
}

enum qv_status server_open(struct cli *c, char folder[FOLDER_PATH], struct store **out)
{
	const struct server_values *own = cli_own(c);
	const enum qv_status status = find_folder(c, folder);
	const struct store_setup setup = { .folder = folder, .place = own->store, .shared = true };
	return status == QV_OK ? store_open(&setup, out, &c->error) : status;
}

/* A write that is on its way. */
struct waiting {
	bool done, ok;
};

static void on_written(void *ctx, bool ok)
{
	*(struct waiting *)ctx = (struct waiting){ true, ok };
}

/* Between two looks at what the store has written. */
static void wait_a_moment(struct store *store)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	store_deliver(store);
}

enum qv_status server_commit(struct cli *c, struct store *store)
{
	struct waiting waiting = { false, false };
	const enum qv_status status = store_end_unit(store, on_written, &waiting);
	while (status == QV_OK && !waiting.done)
		wait_a_moment(store);
	if (status == QV_OK && !waiting.ok) {
		c->error = store_last_error(store);
		return QV_IO;
	}
	return status;
}

void server_note(struct store *store, const char *verb, const char *id, const char *user)
{
	char detail[STORE_TITLE];
	snprintf(detail, sizeof detail, "%s%s%s", verb, *id ? " " : "", id);
	const struct store_audit entry = { .made = (int64_t)time(NULL),
					   .what = "operator",
					   .user = user,
					   .network = "",
					   .detail = detail };
	store_add_audit(store, &entry);
}

enum qv_status server_done(struct cli *c, struct store *store, const char *done, const char *name)
{
	const enum qv_status status = server_commit(c, store);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), done, json_text(name), NULL));
	for (const char *at = done; *at; at++)
		string_addf(&c->out, "%c", *at == '_' ? ' ' : *at);
	string_addf(&c->out, " %s\n", name);
	return QV_OK;
}

struct time_text time_text(int64_t seconds)
{
	const time_t at = (time_t)seconds;
	struct time_text out = { "" };
	struct tm day;
	if (gmtime_r(&at, &day))
		strftime(out.text, sizeof out.text, "%Y-%m-%dT%H:%M:%SZ", &day);
	return out;
}

/* ---- status ---- */

/* Adds the workers that are alive, and the jobs of all servers. */
static json_t *add_queue(json_t *o, const struct store_queue *q)
{
	return json_fields(o, "workers", json_integer(q->workers), "threads",
			   json_integer(q->threads), "jobs_waiting", json_integer(q->waiting),
			   "jobs_running", json_integer(q->running), NULL);
}

/* What status prints. */
struct status_facts {
	struct store_facts facts;
	struct store_queue queue;
	struct store_space space;
	bool served;
	int64_t most_bytes; /* --max-data of the server that runs; 0: none */
};

/* With the marks of the server that runs, so that space is what that server sees. */
static enum qv_status read_status(struct cli *c, struct status_facts *s)
{
	const struct server_values *own = cli_own(c);
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	enum qv_status status = find_folder(c, folder);
	if (status != QV_OK)
		return status;
	s->served = !own->store && store_is_served(folder, &s->most_bytes);
	const struct store_setup setup = { .folder = folder,
					   .place = own->store,
					   .shared = true,
					   .marks = { .most_bytes = s->most_bytes } };
	status = store_open(&setup, &store, &c->error);
	if (status == QV_OK)
		status = store_find_facts(store, &s->facts, &c->error);
	if (status == QV_OK)
		status = store_find_queue(store, &s->queue, &c->error);
	if (status == QV_OK)
		s->space = store_space(store);
	store_close(store);
	return status;
}

/* With PostgreSQL, who serves it and what its disk has is not known here. */
static enum qv_status print_status_json(struct cli *c, const struct status_facts *s, bool shared)
{
	const struct store_facts *facts = &s->facts;
	json_t *o = json_fields(
		json_object(), "version", json_integer(facts->version), "served",
		shared ? json_null() : json_boolean(s->served), "space",
		shared ? json_null() : json_text(store_space_text(s->space)), "bytes",
		json_integer(s->space.bytes), "max_data",
		s->most_bytes ? json_integer(s->most_bytes) : json_null(), "disk",
		shared ? json_null() : json_integer(s->space.disk), "free",
		shared ? json_null() : json_integer(s->space.free), "games",
		json_integer(facts->games), "going", json_integer(facts->going), "users",
		json_integer(facts->users), "accounts", json_integer(facts->accounts), "studies",
		json_integer(facts->studies), "oldest",
		facts->games ? json_text(time_text(facts->oldest).text) : json_null(), NULL);
	return cli_json(c, shared ? add_queue(o, &s->queue) : o);
}

static enum qv_status run_status(struct cli *c)
{
	const struct server_values *own = cli_own(c);
	struct status_facts s = { .served = false };
	const enum qv_status status = read_status(c, &s);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return print_status_json(c, &s, own->store);
	if (!own->store)
		string_addf(&c->out, "server: %s\n", s.served ? "running" : "not running");
	string_addf(&c->out, "store: version %lld, %lld bytes", (long long)s.facts.version,
		    (long long)s.space.bytes);
	if (s.most_bytes)
		string_addf(&c->out, " of %lld (--max-data)", (long long)s.most_bytes);
	if (!own->store)
		string_addf(&c->out, "\nspace: %s, %lld of %lld bytes of the disk free",
			    store_space_text(s.space), (long long)s.space.free,
			    (long long)s.space.disk);
	string_addf(&c->out, "\ngames: %lld, %lld in progress", (long long)s.facts.games,
		    (long long)s.facts.going);
	if (s.facts.games)
		string_addf(&c->out, ", the oldest of %s", time_text(s.facts.oldest).text);
	string_addf(&c->out, "\nusers: %lld, %lld with an account\nstudies: %lld\n",
		    (long long)s.facts.users, (long long)s.facts.accounts,
		    (long long)s.facts.studies);
	if (own->store)
		string_addf(&c->out,
			    "workers: %lld with %lld threads; jobs: %lld waiting, %lld running\n",
			    (long long)s.queue.workers, (long long)s.queue.threads,
			    (long long)s.queue.waiting, (long long)s.queue.running);
	return QV_OK;
}

/* ---- prune ---- */

/* Removes everything, a portion at a time; Ctrl-C ends it after the present one. */
static enum qv_status prune_all(struct cli *c, struct store *store, struct store_prune *p)
{
	const struct qv_flag *stop = cli_stop_flag();
	while (p->phase != PRUNE_DONE && !flag_is_set(stop)) {
		store_prune_step(store, p);
		while (p->busy)
			wait_a_moment(store);
		if (store_failing(store, &c->error))
			return QV_IO;
	}
	if (p->failed)
		c->error = p->error;
	return p->failed ? QV_IO : QV_OK;
}

/* A clock that is far after the last time in the database may be wrong. */
static enum qv_status trust_clock(struct cli *c, struct store *store, int64_t now)
{
	const struct server_values *own = cli_own(c);
	int64_t last;
	bool kept;
	const enum qv_status status = store_find_clock(store, &last, &kept, &c->error);
	if (status != QV_OK || own->dry_run)
		return status;
	if (last && now - last > STORE_SURPRISE_S && !own->clock_is_right)
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "clock: it is %lld days after the last time in the database; if it is "
			       "right, add --clock-is-right",
			       (long long)((now - last) / DAY_S));
	store_set_clock(store, now);
	return server_commit(c, store);
}

static enum qv_status run_prune(struct cli *c)
{
	const struct server_values *own = cli_own(c);
	const int64_t now = (int64_t)time(NULL);
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	struct store_prune p = { .before = now - own->older * DAY_S,
				 .today = now / DAY_S,
				 .now = now,
				 .unfinished = own->unfinished ? now - own->older * DAY_S : 0,
				 .dry_run = own->dry_run };
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = trust_clock(c, store, now);
	if (status == QV_OK)
		status = prune_all(c, store, &p);
	store_close(store);
	if (status == QV_OK && own->vacuum && !own->dry_run)
		status = own->store ? store_vacuum_postgres(own->store, &c->error)
				    : store_vacuum(folder, &c->error);
	if (status != QV_OK)
		return status;
	const struct store_pruned *r = &p.removed;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "dry_run", json_boolean(own->dry_run),
					       "games", json_integer(r->games), "lines",
					       json_integer(r->lines), "studies",
					       json_integer(r->studies), "users",
					       json_integer(r->users), "attempts",
					       json_integer(r->attempts), "quotas",
					       json_integer(r->quotas), "pages",
					       json_integer(r->pages), NULL));
	string_addf(&c->out,
		    "%s %lld games with %lld lines, %lld studies, %lld guests, %lld puzzle "
		    "attempts, %lld quotas; %lld free pages\n",
		    own->dry_run ? "would remove" : "removed", (long long)r->games,
		    (long long)r->lines, (long long)r->studies, (long long)r->users, (long long)r->attempts,
		    (long long)r->quotas, (long long)r->pages);
	return QV_OK;
}

/* ---- games ---- */

static json_t *play_json(const struct store_play *play)
{
	return json_fields(json_object(), "id", json_text(play->id), "game", json_text(play->game),
			   "owner", json_text(play->owner), "created",
			   json_text(time_text(play->created).text), "updated",
			   json_text(time_text(play->updated).text), "private",
			   json_boolean(play->is_private), "going", json_boolean(play->going),
			   "lines", json_integer(play->lines), NULL);
}

static void add_play(struct string *out, const struct store_play *play)
{
	string_addf(out, "%s %s %s, %lld lines, %s, owner %s%s\n", play->id,
		    time_text(play->updated).text, play->game, (long long)play->lines,
		    play->going ? "in progress" : "over", play->owner,
		    play->is_private ? ", private" : "");
}

/* Where store_list_plays puts what it finds. */
struct listing {
	struct cli *c;
	json_t *list;
};

static bool take_play(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	struct listing *l = ctx;
	(void)header;
	(void)size;
	if (l->c->args.json)
		l->list = json_item(l->list, play_json(play));
	else
		add_play(&l->c->out, play);
	return true;
}

static enum qv_status list_games(struct cli *c, struct store *store)
{
	const struct server_values *own = cli_own(c);
	struct listing l = { c, json_array() };
	const enum qv_status status = store_list_plays(store, STORE_LATEST, NULL, (int)own->most,
						       take_play, &l, &c->error);
	if (status == QV_OK && c->args.json)
		return cli_json(c, l.list);
	json_decref(l.list);
	return status;
}

/* The lines of a game; a struct listing for JSON or text. */
static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct listing *l = ctx;
	(void)number;
	if (l->c->args.json)
		l->list = json_item(l->list, json_stringn(line, size));
	else
		string_addf(&l->c->out, "%.*s\n", (int)size, line);
	return true;
}

static enum qv_status show_game(struct cli *c, struct store *store, const char *id)
{
	struct listing l = { c, json_array() };
	struct store_play play;
	enum qv_status status = store_find_play(store, id, &play, &c->error);
	if (status == QV_OK && !c->args.json)
		add_play(&c->out, &play);
	if (status == QV_OK)
		status = store_load_play(store, id, NULL, take_line, &l, &c->error);
	if (status == QV_OK && c->args.json)
		return cli_json(c, json_field(play_json(&play), "events", l.list));
	json_decref(l.list);
	return status;
}

static enum qv_status delete_game(struct cli *c, struct store *store, const char *id)
{
	struct store_play play;
	enum qv_status status = store_find_play(store, id, &play, &c->error);
	if (status == QV_OK)
		status = store_delete_play(store, id, (int64_t)time(NULL));
	if (status == QV_OK)
		server_note(store, "games delete", id, "");
	return status == QV_OK ? server_done(c, store, "deleted", id) : status;
}

/* games, games list, games show ID, games delete ID */
static enum qv_status run_games(struct cli *c)
{
	const int count = c->args.word_count - 2;
	const char *what = count ? c->args.words[2] : "list", *id = c->args.words[3];
	const bool lists = strcmp(what, "list") == 0, shows = strcmp(what, "show") == 0;
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	if (!lists && !shows && strcmp(what, "delete") != 0)
		return cli_refuse(c, "server games %.60s: expected list, show or delete",
				  cli_word(what));
	if (lists ? count > 1 : count < 2)
		return cli_refuse(c, "server games %s: %s", what,
				  lists ? "too many arguments" : "the id of a game is missing");
	if (!lists && !secrets_is_id(id))
		return cli_refuse(c, "%.60s: no such game", cli_word(id));
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = lists	 ? list_games(c, store)
			 : shows ? show_game(c, store, id)
				 : delete_game(c, store, id);
	store_close(store);
	return status;
}

/* ---- migrate ---- */

static enum qv_status run_migrate(struct cli *c)
{
	const struct server_values *own = cli_own(c);
	if (!own->store || !*own->store)
		return cli_refuse(c, "server migrate: --store URL is missing");
	return server_migrate(c, own->store, own->back);
}

/* ---- restored ---- */

static enum qv_status run_restored(struct cli *c)
{
	const struct server_values *own = cli_own(c);
	return server_restored(c, own->store, own->removals);
}

/* ---- The command ---- */

static const struct verb verbs[] = {
	{ "audit", server_audit, 0, 0, { server_data_option, store_option, list_options } },
	{ "check", server_check, 0, 0, { server_data_option, store_option } },
	{ "games", run_games, 0, 2, { server_data_option, store_option, list_options } },
	{ "health", run_health, 0, 1, { NULL } },
	{ "migrate", run_migrate, 0, 0, { server_data_option, store_option, migrate_options } },
	{ "prune", run_prune, 0, 0, { server_data_option, store_option, prune_options } },
	{ "removals", server_removals, 0, 0, { server_data_option, store_option } },
	{ "reports", server_reports, 0, 2, { server_data_option, store_option, list_options } },
	{ "restored", run_restored, 0, 0, { server_data_option, store_option, restored_options } },
	{ "status", run_status, 0, 0, { server_data_option, store_option } },
	{ "studies", server_studies, 0, 2, { server_data_option, store_option, list_options } },
	{ "suspend", server_suspend, 1, 1, { server_data_option, store_option, suspend_options } },
	{ "suspensions", server_suspensions, 0, 0, { server_data_option, store_option } },
	{ "tokens", server_tokens, 2, 2, { server_data_option, store_option } },
	{ "unsuspend", server_unsuspend, 1, 1, { server_data_option, store_option } },
	{ "users", server_users, 0, 2, { server_data_option, store_option } },
	{ 0 },
};

static enum qv_status run(struct cli *c)
{
	return cli_run_verb(c, verbs, "an argument is missing");
}

const struct command command_server = {
	.name = "server", .run = run, .least = 1, .most = 3,
	.usage = "server VERB ...",
	.help = "look after the data of a web server",
	.more = "check looks for damaged games; exit status 1: there are some. status shows sizes and counts. games lists the latest games; games show ID prints "
		"the lines of one, games delete ID removes it. prune removes finished games of "
		"guests, guests without games, and puzzle attempts that are old. The server may be "
		"running. health [URL] asks a running server whether it is ready for visitors "
		"(default http://127.0.0.1:8080). users lists the accounts; users show NAME prints "
		"one with its sessions and tokens, users reset NAME makes a code with which its "
		"owner sets a new password, users logout NAME ends its sessions, users delete NAME "
		"deletes it. migrate copies everything from SQLite in --data to PostgreSQL at --store, "
		"with --back the other way; no server may run, and the copy must not exist yet. tokens list NAME and tokens revoke ID are about the tokens of "
		"programs. reports lists what visitors have reported; reports show ID prints one, reports close ID "
		"closes it. studies lists studies; studies show ID prints one, studies delete ID removes "
		"it. suspend NAME, with an account, a user id or an address, refuses its requests; "
		"unsuspend NAME allows them again, suspensions lists them. audit lists what was done to "
		"accounts, and by operators. removals prints what was deleted or changed for safety in "
		"the last 100 days, to keep beside the backups. restored ends all sessions and codes "
		"after a restore of PostgreSQL, and does again what --removals lists; no server may "
		"run. See docs/server.md.\n",
	.options = OPTION_GROUPS(prune_options, migrate_options, restored_options, list_options, suspend_options,
				 server_data_option, store_option, common_options),
};
