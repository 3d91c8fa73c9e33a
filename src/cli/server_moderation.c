/*
 * server_moderation.c - server studies, reports, suspend, unsuspend, suspensions and audit: what an
 * operator does about people who disturb others, and what was done.
 * SPDX-License-Identifier: MIT
 *
 * A running server notices a suspension within a second.
 */
#include <string.h>
#include <time.h>

#include "cli/server.h"
#include "server/api/secrets.h"
#include "server/http/forwarded.h"
#include "server/store/moderation.h"

/* ---- Rows ---- */

/* Asks for a list, and prints it or makes JSON of it: a line or an object for each row. */
static enum qv_status list_rows(struct cli *c, struct store *store, enum store_question question,
				int64_t most, json_t *(*json)(const struct store_rows *rows, size_t i),
				void (*print)(struct string *out, const struct store_rows *rows,
					      size_t i))
{
	const struct store_value value = value_number(most);
	struct store_rows *rows = NULL;
	const enum qv_status status = store_read_now(store, question, &value, &rows, &c->error);
	json_t *list = status == QV_OK && c->args.json ? json_array() : NULL;
	for (size_t i = 0; status == QV_OK && i < rows->count; i++)
		if (list)
			list = json_item(list, json(rows, i));
		else
			print(&c->out, rows, i);
	store_rows_free(rows);
	return list ? cli_json(c, list) : status;
}

static const char *text_at(const struct store_rows *rows, size_t i, int column)
{
	return store_rows_text(rows, i, column);
}

static json_t *time_json(const struct store_rows *rows, size_t i, int column)
{
	const int64_t seconds = store_rows_number(rows, i, column);
	return seconds ? json_text(time_text(seconds).text) : json_null();
}

/* A text of a visitor, in one line. */
static void add_line(struct string *out, const char *text)
{
	for (; *text; text++)
		string_addf(out, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
}

/* ---- Studies ---- */

static json_t *study_fields(const struct store_study *study)
{
	return json_fields(json_object(), "id", json_text(study->id), "title",
			   json_text(study->title), "owner", json_text(study->owner), "created",
			   json_text(time_text(study->created).text), "updated",
			   json_text(time_text(study->updated).text), "chapters",
			   json_integer(study->chapters), NULL);
}

static json_t *study_json(const struct store_rows *rows, size_t i)
{
	struct store_study study;
	const char *body;
	return store_row_study(rows, i, &study, &body) ? study_fields(&study) : json_null();
}

static void print_study(struct string *out, const struct store_rows *rows, size_t i)
{
	struct store_study study;
	const char *body;
	if (!store_row_study(rows, i, &study, &body))
		return;
	string_addf(out, "%s %s, %d chapters, owner %s: ", study.id,
		    time_text(study.updated).text, study.chapters, study.owner);
	add_line(out, study.title);
	string_addf(out, "\n");
}

static enum qv_status one_row(struct cli *c, struct store *store, enum store_question question,
			      const char *id, const char *what, struct store_rows **rows)
{
	const struct store_value value = value_text(id);
	const enum qv_status status = store_read_now(store, question, &value, rows, &c->error);
	if (status != QV_OK || (*rows)->count)
		return status;
	store_rows_free(*rows);
	*rows = NULL;
	return cli_refuse(c, "%.60s: no such %s", cli_word(id), what);
}

static enum qv_status show_study(struct cli *c, struct store *store, const char *id)
{
	struct store_rows *rows = NULL;
	struct store_study study;
	const char *body;
	enum qv_status status = one_row(c, store, ASK_STUDY, id, "study", &rows);
	if (status == QV_OK && !store_row_study(rows, 0, &study, &body))
		status = qv_fail(&c->error, QV_IO, "database: is damaged: a text is too long");
	if (status == QV_OK && !c->args.json) {
		print_study(&c->out, rows, 0);
		string_addf(&c->out, "%s\n", body);
	} else if (status == QV_OK) {
		json_t *contents = json_loads(body, 0, NULL);
		status = cli_json(c, json_field(study_fields(&study), "contents",
						contents ? contents : json_text(body)));
	}
	store_rows_free(rows);
	return status;
}

static enum qv_status delete_study(struct cli *c, struct store *store, const char *id)
{
	struct store_rows *rows = NULL;
	enum qv_status status = one_row(c, store, ASK_STUDY, id, "study", &rows);
	store_rows_free(rows);
	if (status != QV_OK)
		return status;
	store_drop_study(store, id);
	server_note(store, "studies delete", id, "");
	return server_done(c, store, "deleted", id);
}

/* ---- Reports ---- */

static json_t *report_json(const struct store_rows *rows, size_t i)
{
	return json_fields(json_object(), "id", json_text(text_at(rows, i, REPORT_ID)), "made",
			   time_json(rows, i, REPORT_MADE), "kind",
			   json_text(text_at(rows, i, REPORT_KIND)), "object",
			   json_text(text_at(rows, i, REPORT_OBJECT)), "about",
			   json_text(text_at(rows, i, REPORT_ABOUT)), "shown",
			   json_text(text_at(rows, i, REPORT_SHOWN)), "reason",
			   json_text(text_at(rows, i, REPORT_REASON)), "text",
			   json_text(text_at(rows, i, REPORT_TEXT)), "reporter",
			   json_unless_empty(text_at(rows, i, REPORT_REPORTER)), "network",
			   json_text(text_at(rows, i, REPORT_NETWORK)), "closed",
			   time_json(rows, i, REPORT_CLOSED), NULL);
}

static void print_report(struct string *out, const struct store_rows *rows, size_t i)
{
	string_addf(out, "%s %s %s: %s %s, user %s, \"", text_at(rows, i, REPORT_ID),
		    time_text(store_rows_number(rows, i, REPORT_MADE)).text,
		    text_at(rows, i, REPORT_REASON), text_at(rows, i, REPORT_KIND),
		    text_at(rows, i, REPORT_OBJECT), text_at(rows, i, REPORT_ABOUT));
	add_line(out, text_at(rows, i, REPORT_SHOWN));
	string_addf(out, "\"%s", *text_at(rows, i, REPORT_TEXT) ? ": " : "");
	add_line(out, text_at(rows, i, REPORT_TEXT));
	string_addf(out, "%s\n", store_rows_number(rows, i, REPORT_CLOSED) ? " (closed)" : "");
}

static enum qv_status show_report(struct cli *c, struct store *store, const char *id)
{
	struct store_rows *rows = NULL;
	enum qv_status status = one_row(c, store, ASK_REPORT, id, "report", &rows);
	if (status == QV_OK && c->args.json) {
		status = cli_json(c, report_json(rows, 0));
	} else if (status == QV_OK) {
		print_report(&c->out, rows, 0);
		string_addf(&c->out, "reporter %s %s\n", text_at(rows, 0, REPORT_REPORTER),
			    text_at(rows, 0, REPORT_NETWORK));
	}
	store_rows_free(rows);
	return status;
}

static enum qv_status close_report(struct cli *c, struct store *store, const char *id)
{
	struct store_rows *rows = NULL;
	enum qv_status status = one_row(c, store, ASK_REPORT, id, "report", &rows);
	const bool closed = status == QV_OK && store_rows_number(rows, 0, REPORT_CLOSED);
	store_rows_free(rows);
	if (status != QV_OK)
		return status;
	if (closed)
		return cli_refuse(c, "%s: the report is closed already", id);
	store_close_report(store, id, (int64_t)time(NULL));
	server_note(store, "reports close", id, "");
	return server_done(c, store, "closed", id);
}

/* ---- Verbs with list, and two words that need an id ---- */

struct id_verb {
	const char *name, *thing, *show, *change;
	enum store_question list;
	json_t *(*json)(const struct store_rows *rows, size_t i);
	void (*print)(struct string *out, const struct store_rows *rows, size_t i);
	enum qv_status (*run_show)(struct cli *c, struct store *store, const char *id);
	enum qv_status (*run_change)(struct cli *c, struct store *store, const char *id);
};

static enum qv_status run_id_verb(struct cli *c, const struct id_verb *v)
{
	const struct server_values *own = cli_own(c);
	const int count = c->args.word_count - 2;
	const char *what = count > 0 ? c->args.words[2] : "list", *id = c->args.words[3];
	const bool lists = strcmp(what, "list") == 0, shows = strcmp(what, v->show) == 0;
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	if (!lists && !shows && strcmp(what, v->change) != 0)
		return cli_refuse(c, "server %s %.60s: expected list, %s or %s", v->name,
				  cli_word(what), v->show, v->change);
	if (lists ? count > 1 : count < 2)
		return cli_refuse(c, "server %s %s: %s%s%s", v->name, what,
				  lists ? "too many arguments" : "the id of a ",
				  lists ? "" : v->thing, lists ? "" : " is missing");
	if (!lists && !secrets_is_id(id))
		return cli_refuse(c, "%.60s: no such %s", cli_word(id), v->thing);
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = lists	 ? list_rows(c, store, v->list, own->most, v->json, v->print)
			 : shows ? v->run_show(c, store, id)
				 : v->run_change(c, store, id);
	store_close(store);
	return status;
}

enum qv_status server_studies(struct cli *c)
{
	static const struct id_verb verb = { "studies",	  "study",    "show",	   "delete",
					     ASK_LATEST_STUDIES, study_json, print_study,
					     show_study,  delete_study };
	return run_id_verb(c, &verb);
}

enum qv_status server_reports(struct cli *c)
{
	static const struct id_verb verb = { "reports",	  "report",	"show",	     "close",
					     ASK_REPORTS, report_json, print_report, show_report,
					     close_report };
	return run_id_verb(c, &verb);
}

/* ---- Suspensions ---- */

/* The account of that name, the user of that id, or an address. False: none of them. */
static enum qv_status find_target(struct cli *c, struct store *store, const char *word,
				  char out[STORE_TARGET])
{
	struct store_user user;
	struct ip ip;
	if (ip_parse(word, strlen(word), &ip)) {
		limits_address(ip, out);
		return QV_OK;
	}
	/* An id goes first: anybody may choose one as the name of an account. */
	if (secrets_is_id(word) && store_user_by_id(store, word, &user, &c->error) == QV_OK) {
		snprintf(out, STORE_TARGET, "%s", word);
		return QV_OK;
	}
	enum qv_status status = store_user_by_login(store, word, &user, &c->error);
	if (status == QV_UNKNOWN && secrets_is_id(word)) {
		snprintf(out, STORE_TARGET, "%s", word); /* a guest may have no row yet */
		return QV_OK;
	}
	if (status == QV_UNKNOWN)
		return cli_refuse(c, "%.60s: no such account, user id or address", cli_word(word));
	if (status == QV_OK)
		snprintf(out, STORE_TARGET, "%s", user.id);
	return status;
}

/* The last second of a day of the Gregorian calendar, UTC; -1: there is no such day. */
static int64_t end_of_day(int year, int month, int day)
{
	const int y = month > 2 ? year : year - 1; /* years begin in March */
	const int64_t days = 365 * (int64_t)y + y / 4 - y / 100 + y / 400 +
			     (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 719469;
	const time_t at = (time_t)(days * 86400 + 86399);
	struct tm found;
	return gmtime_r(&at, &found) && found.tm_year + 1900 == year && found.tm_mon + 1 == month &&
			       found.tm_mday == day
		       ? (int64_t)at
		       : -1;
}

/* A day, as "2026-12-31", until whose end it lasts. 0: none was given. */
static enum qv_status read_until(struct cli *c, const char *text, int64_t *out)
{
	int year = 0, month = 0, day = 0, end = 0;
	*out = 0;
	if (!text)
		return QV_OK;
	if (strspn(text, "0123456789-") == strlen(text) &&
	    sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &end) == 3 && !text[end])
		*out = end_of_day(year, month, day);
	if (*out <= (int64_t)time(NULL))
		return cli_refuse(c, "--until %.40s: a day to come is expected, such as 2030-12-31",
				  cli_word(text));
	return QV_OK;
}

/* The trail has networks instead of addresses. */
static void note_target(struct store *store, const char *verb, const char *target)
{
	char network[LIMIT_ADDRESS];
	limits_network(target, network);
	server_note(store, verb, network, *network ? "" : target);
}

static enum qv_status suspend(struct cli *c, struct store *store, const char *word)
{
	struct store_suspension s = { .made = (int64_t)time(NULL) };
	struct store_rows *rows = NULL;
	const struct server_values *own = cli_own(c);
	const char *reason = own->reason ? own->reason : "";
	enum qv_status status = read_until(c, own->until, &s.until);
	if (status == QV_OK && strlen(reason) >= sizeof s.reason)
		return cli_refuse(c, "--reason: longer than %d bytes", STORE_REASON - 1);
	if (status == QV_OK)
		status = find_target(c, store, word, s.target);
	if (status == QV_OK)
		status = store_read_now(store, ASK_SUSPENSIONS, NULL, &rows, &c->error);
	const bool full = status == QV_OK && rows->count >= STORE_SUSPENSIONS;
	store_rows_free(rows);
	if (full)
		return cli_refuse(c, "server suspend: there are %d suspensions already",
				  STORE_SUSPENSIONS);
	if (status != QV_OK)
		return status;
	snprintf(s.reason, sizeof s.reason, "%s", reason);
	store_suspend(store, &s);
	note_target(store, "suspend", s.target);
	return server_done(c, store, "suspended", s.target);
}

static enum qv_status unsuspend(struct cli *c, struct store *store, const char *word)
{
	char target[STORE_TARGET];
	struct store_rows *rows = NULL;
	enum qv_status status = find_target(c, store, word, target);
	const struct store_value value = value_text(target);
	if (status == QV_OK)
		status = store_read_now(store, ASK_SUSPENSION, &value, &rows, &c->error);
	const bool found = status == QV_OK && rows->count;
	store_rows_free(rows);
	if (status != QV_OK)
		return status;
	if (!found)
		return cli_refuse(c, "%.60s: is not suspended", cli_word(word));
	store_unsuspend(store, target, (int64_t)time(NULL));
	note_target(store, "unsuspend", target);
	return server_done(c, store, "unsuspended", target);
}

static enum qv_status with_store(struct cli *c, enum qv_status (*run)(struct cli *c,
								      struct store *store,
								      const char *word))
{
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = run(c, store, c->args.words[2]);
	store_close(store);
	return status;
}

enum qv_status server_suspend(struct cli *c)
{
	return with_store(c, suspend);
}

enum qv_status server_unsuspend(struct cli *c)
{
	return with_store(c, unsuspend);
}

static json_t *suspension_json(const struct store_rows *rows, size_t i)
{
	return json_fields(json_object(), "target", json_text(text_at(rows, i, SUSPENSION_TARGET)),
			   "reason", json_text(text_at(rows, i, SUSPENSION_REASON)), "made",
			   time_json(rows, i, SUSPENSION_MADE), "until",
			   time_json(rows, i, SUSPENSION_UNTIL), NULL);
}

static void print_suspension(struct string *out, const struct store_rows *rows, size_t i)
{
	const int64_t until = store_rows_number(rows, i, SUSPENSION_UNTIL);
	string_addf(out, "%s since %s%s%s%s", text_at(rows, i, SUSPENSION_TARGET),
		    time_text(store_rows_number(rows, i, SUSPENSION_MADE)).text,
		    until ? ", until " : "", until ? time_text(until).text : "",
		    *text_at(rows, i, SUSPENSION_REASON) ? ": " : "");
	add_line(out, text_at(rows, i, SUSPENSION_REASON));
	string_addf(out, "\n");
}

static enum qv_status list_suspensions(struct cli *c, struct store *store, const char *word)
{
	(void)word;
	return list_rows(c, store, ASK_SUSPENSIONS, 0, suspension_json, print_suspension);
}

enum qv_status server_suspensions(struct cli *c)
{
	return with_store(c, list_suspensions);
}

/* ---- The audit trail ---- */

static json_t *audit_json(const struct store_rows *rows, size_t i)
{
	return json_fields(json_object(), "time", time_json(rows, i, AUDIT_MADE), "what",
			   json_text(text_at(rows, i, AUDIT_WHAT)), "user",
			   json_unless_empty(text_at(rows, i, AUDIT_USER)), "network",
			   json_unless_empty(text_at(rows, i, AUDIT_NETWORK)), "detail",
			   json_unless_empty(text_at(rows, i, AUDIT_DETAIL)), "times",
			   json_integer(store_rows_number(rows, i, AUDIT_TIMES)), NULL);
}

static void print_audit(struct string *out, const struct store_rows *rows, size_t i)
{
	static const struct {
		const char *name;
		int column;
	} fields[] = { { " user=", AUDIT_USER },
		       { " network=", AUDIT_NETWORK },
		       { " detail=", AUDIT_DETAIL } };
	string_addf(out, "%s %s", time_text(store_rows_number(rows, i, AUDIT_MADE)).text,
		    text_at(rows, i, AUDIT_WHAT));
	for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
		if (*text_at(rows, i, fields[k].column))
			string_addf(out, "%s%s", fields[k].name,
				    text_at(rows, i, fields[k].column));
	if (store_rows_number(rows, i, AUDIT_TIMES) > 1)
		string_addf(out, " times=%lld", (long long)store_rows_number(rows, i, AUDIT_TIMES));
	string_addf(out, "\n");
}

static enum qv_status list_audit(struct cli *c, struct store *store, const char *word)
{
	const struct server_values *own = cli_own(c);
	(void)word;
	return list_rows(c, store, ASK_AUDIT, own->most, audit_json, print_audit);
}

enum qv_status server_audit(struct cli *c)
{
	return with_store(c, list_audit);
}
