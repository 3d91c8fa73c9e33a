/*
 * studies.c - studies: chapters with games, variations, comments and arrows, which their owner saves
 * and everybody who has the link can read.
 * SPDX-License-Identifier: MIT
 *
 * A chapter is a name and a record (docs/formats.md), so a study needs no format of its own. A worker
 * replays the records, and only then the study is stored. A save names the version that it replaces:
 * if somebody else has saved meanwhile, in another tab or on another device, it is refused with 409.
 *
 * A client that gets no response cannot know whether its study was created. With a key, which names
 * the study among those of its owner, it may send the request again: the id depends on both, so
 * that the study is found, or its row cannot be inserted twice.
 */
#include <stdlib.h>

#include "base/plain.h"
#include "record/record.h"
#include "server/api/bounds.h"
#include "server/api/inside.h"
#include "server/jobs/file_jobs.h"

enum {
	STUDIES_MOST = 200, /* of one user */
	CHAPTERS_MOST = 64,
	STUDY_BYTES = 256 << 10, /* of all chapters with their names, as JSON */
	TITLE_MOST = 100,	 /* characters of a title or name */
	ABOUT_MOST = 4000,	 /* bytes of the description */
	SAVES_A_MINUTE = 60,
	NEW_STUDIES_A_MINUTE = 20,
	STUDY_JOBS = 4, /* that may wait for a worker, of one address */
	BYTES_A_REQUEST = 32768,
};

/* ---- What is saved ---- */

struct saving {
	struct api *api;
	uint64_t call;
	struct visitor visitor;
	bool is_new;
	struct store_study study; /* version: the one that is replaced */
	json_t *body;
	char *text; /* what is stored */
};

/* May be called in any thread. */
static void saving_free(void *arg)
{
	struct saving *s = arg;
	json_decref(s->body);
	free(s->text);
	free(s);
}

/* Whether a text has 1 to TITLE_MOST characters, none of which is a control character. */
static bool is_title(const char *text)
{
	const int count = text ? text_count_plain(text, "") : 0;
	return count >= 1 && count <= TITLE_MOST;
}

/* The chapters have names and records; what is in those is checked later. False: a 400 was sent. */
static bool check_chapters(struct api *api, const struct api_request *r, const json_t *chapters)
{
	const json_t *chapter;
	size_t i;
	if (!json_is_array(chapters) || !json_array_size(chapters) ||
	    json_array_size(chapters) > CHAPTERS_MOST) {
		reply_error(api, r->call, 400, "chapters: must be a list of 1 to %d chapters",
			    CHAPTERS_MOST);
		return false;
	}
	json_array_foreach(chapters, i, chapter) {
		const char *name = json_string_value(json_object_get(chapter, "name"));
		const char *key = json_unknown_key(chapter, "name record");
		if (is_title(name) && json_is_string(json_object_get(chapter, "record")) && !key)
			continue;
		reply_error(api, r->call, 400,
			    "chapter %d: must have a name of 1 to %d characters and a record",
			    (int)i + 1, TITLE_MOST);
		return false;
	}
	return true;
}

/* Reads the fields of a study. False: an error was sent. */
static bool study_of_body(struct api *api, const struct api_request *r, struct saving *s)
{
	const json_t *chapters = json_object_get(r->body, "chapters");
	const char *title, *about;
	if (!body_text(api, r, "title", &title) || !body_text(api, r, "about", &about))
		return false;
	if (!is_title(title)) {
		reply_error(api, r->call, 400, "title: a title must have 1 to %d characters",
			    TITLE_MOST);
		return false;
	}
	if (about && strlen(about) > ABOUT_MOST) {
		reply_error(api, r->call, 400, "about: a description must have at most %d bytes",
			    ABOUT_MOST);
		return false;
	}
	if (!check_chapters(api, r, chapters))
		return false;
	snprintf(s->study.title, sizeof s->study.title, "%s", title);
	s->study.chapters = (int)json_array_size(chapters);
	s->study.updated = api_seconds(api);
	s->text = json_to_text(json_pack("{s:s, s:O}", "about", about ? about : "", "chapters",
					 chapters),
			       JSON_COMPACT);
	if (!s->text)
		reply_no_memory(api, r->call);
	else if (strlen(s->text) > STUDY_BYTES)
		reply_error(api, r->call, 413,
			    "study: a study must have at most %d kB; remove chapters",
			    STUDY_BYTES >> 10);
	return s->text && strlen(s->text) <= STUDY_BYTES;
}

/* ---- Saving ---- */

/* The study that a request names. False: READ_LATER. */
static bool find_study(struct api *api, const struct api_request *r, struct store_study *out,
		       const char **body)
{
	const enum read_result found = read_study(api, r, r->words[0], out, body);
	if (found == READ_NONE)
		reply_error(api, r->call, 404, "study: not found");
	return found == READ_FOUND;
}

/* The same, if it is the visitor's own. */
static bool find_own(struct api *api, const struct api_request *r, struct store_study *out)
{
	const char *body;
	if (!find_study(api, r, out, &body))
		return false;
	const bool own = strcmp(out->owner, r->visitor->user) == 0;
	if (!own)
		reply_error(api, r->call, 403, "study: it belongs to somebody else");
	return own;
}

/*
 * The worker is done: writes the study. The database checks the version once more, since somebody
 * may have saved the study meanwhile.
 */
static void saving_done(struct api *api, struct call *call, const char *text)
{
	struct saving *s = file_job_take_owner(call->job_arg);
	call_free(api, call);
	if (!text || *text != '+') {
		reply_result(api, s->call, text);
		saving_free(s);
		return;
	}
	user_ensure(api, s->visitor.user);
	bounds_charge(api, s->visitor.address, s->visitor.user, strlen(s->text));
	if (s->is_new)
		store_add_study(api->store, &s->study, s->text);
	else
		store_set_study(api->store, &s->study, s->text);
	static const struct refusal other_version = {
		409, "version: the study has another version; it was saved elsewhere"
	};
	/* If the same request created it at the same moment: 503, and the next one finds it. */
	reply_unless_refused(api, s->call, s->is_new ? 201 : 200,
			     json_pack("{s:s, s:I}", "id", s->study.id, "version",
				       (json_int_t)s->study.version + 1),
			     s->is_new ? NULL : &other_version);
	saving_free(s);
}

/* Charges the request and gives the records to a worker. Takes s. */
static void save(struct api *api, const struct api_request *r, struct saving *s)
{
	const size_t bytes = strlen(s->text);
	const struct request_work work = { "study",	STUDY_JOBS,  file_job_run,
					   file_job_free, saving_done, (int64_t)(bytes / BYTES_A_MS) };
	const json_t *chapters = json_object_get(s->body, "chapters"), *chapter;
	json_t *texts = json_array();
	size_t i;
	if (!api_costs(api, r, bytes / BYTES_A_REQUEST)) {
		json_decref(texts);
		saving_free(s);
		return;
	}
	json_array_foreach(chapters, i, chapter)
		texts = json_item(texts, json_incref(json_object_get(chapter, "record")));
	struct file_job *job = file_job_new(api->setup.context, texts, true, s, saving_free);
	if (job) {
		call_work(api, r, call_new(api, r->call, r->visitor->user, CALL_JOB), &work, job);
	} else {
		reply_no_memory(api, r->call);
		saving_free(s);
	}
}

static struct saving *saving_new(struct api *api, const struct api_request *r)
{
	struct saving *s = calloc(1, sizeof *s);
	if (!s) {
		reply_no_memory(api, r->call);
		return NULL;
	}
	s->api = api;
	s->call = r->call;
	s->visitor = *r->visitor;
	s->body = json_incref(r->body);
	return s;
}

/* ---- Routes ---- */

/* The rows of the visitor's studies. NULL: READ_LATER. */
static const struct store_rows *own_studies(struct api *api, const struct api_request *r)
{
	const struct store_value values[] = { value_text(r->visitor->user),
					      value_number(STUDIES_MOST) };
	return read_rows(api, r, ASK_STUDIES, values, 2, NULL);
}

/* The client's key for a new study, NULL if it has none. False: a 400 was sent. */
static bool read_key(struct api *api, const struct api_request *r, const char **key)
{
	if (!body_text(api, r, "key", key))
		return false;
	const bool good = !*key || (**key && strlen(*key) <= SECRETS_USER_KEY);
	if (!good)
		reply_error(api, r->call, 400, "key: must have 1 to %d bytes", SECRETS_USER_KEY);
	return good;
}

/* POST /api/v1/studies: a new study, or what an earlier request with the same key has created. */
void post_study(struct api *api, const struct api_request *r)
{
	char id[SECRETS_ID];
	struct store_study before;
	const char *key, *body;
	enum read_result found = READ_NONE;
	if (!acts_as_user(api, r) ||
	    !api_limit(api, r, "studies", NEW_STUDIES_A_MINUTE, NEW_STUDIES_A_MINUTE) ||
	    !body_keys(api, r, "key title about chapters") || !read_key(api, r, &key))
		return;
	if (key) {
		secrets_id_of_key(&api->secrets, r->visitor->user, key, id);
		found = read_study(api, r, id, &before, &body);
	} else {
		secrets_play_id(id);
	}
	const struct store_rows *rows = own_studies(api, r);
	if (found == READ_LATER || !rows)
		return;
	if (found == READ_FOUND) {
		reply(api, r->call, 200,
		      json_pack("{s:s, s:i, s:b}", "id", id, "version", 1, "existed", 1));
		return;
	}
	if (rows->count >= STUDIES_MOST) {
		reply_error(api, r->call, 429, "studies: you have %d studies; delete some first",
			    STUDIES_MOST);
		return;
	}
	struct saving *s = saving_new(api, r);
	if (!s)
		return;
	s->is_new = true;
	snprintf(s->study.id, sizeof s->study.id, "%s", id);
	snprintf(s->study.owner, sizeof s->study.owner, "%s", r->visitor->user);
	s->study.created = api_seconds(api);
	if (study_of_body(api, r, s))
		save(api, r, s);
	else
		saving_free(s);
}

/* POST /api/v1/studies/ID: replaces the study's contents. */
void put_study(struct api *api, const struct api_request *r)
{
	struct store_study now;
	json_int_t version;
	if (!acts_as_user(api, r) || !api_limit(api, r, "saves", SAVES_A_MINUTE, SAVES_A_MINUTE) ||
	    !body_keys(api, r, "version title about chapters") ||
	    !body_integer(api, r, "version", 1, INT64_MAX, 0, &version))
		return;
	if (!version) {
		reply_error(api, r->call, 400, "version: missing");
		return;
	}
	if (!find_own(api, r, &now))
		return;
	if (now.version != version) {
		reply_error(api, r->call, 409,
			    "version: the study has version %lld; it was saved elsewhere",
			    (long long)now.version);
		return;
	}
	struct saving *s = saving_new(api, r);
	if (!s)
		return;
	snprintf(s->study.id, sizeof s->study.id, "%s", now.id);
	s->study.version = version;
	if (study_of_body(api, r, s))
		save(api, r, s);
	else
		saving_free(s);
}

/* POST /api/v1/studies/ID/delete */
void post_study_delete(struct api *api, const struct api_request *r)
{
	struct store_study study;
	if (!acts_as_user(api, r) || !body_keys(api, r, "") ||
	    !find_own(api, r, &study))
		return;
	store_drop_study(api->store, study.id);
	reply_when_stored(api, r->call, 200, json_pack("{s:i}", "deleted", 1));
}

static json_t *study_entry(const struct store_study *study)
{
	return json_pack("{s:s, s:s, s:i, s:I, s:I, s:I}", "id", study->id, "title", study->title,
			 "chapters", study->chapters, "version", (json_int_t)study->version,
			 "created", (json_int_t)study->created, "updated",
			 (json_int_t)study->updated);
}

/* GET /api/v1/studies: your own, the latest first. */
void get_studies(struct api *api, const struct api_request *r)
{
	const struct store_rows *rows = acts_as_user(api, r) ? own_studies(api, r) : NULL;
	struct store_study study;
	const char *body;
	if (!rows)
		return;
	json_t *list = json_array();
	for (size_t i = 0; i < rows->count; i++)
		if (store_row_study(rows, i, &study, &body))
			list = json_item(list, study_entry(&study));
	reply(api, r->call, 200, json_pack("{s:o}", "studies", list));
}

/* GET /api/v1/studies/ID: for everybody. */
void get_study(struct api *api, const struct api_request *r)
{
	struct store_study study;
	const char *text;
	char author[STORE_NAME];
	if (!find_study(api, r, &study, &text) || !read_name(api, r, study.owner, author))
		return;
	/* Its own bytes follow the head as they are: an object that begins with a brace. */
	const bool own = !*r->visitor->play && strcmp(study.owner, r->visitor->user) == 0;
	char *head = json_to_text(json_pack("{s:s, s:s, s:I, s:I, s:I, s:s, s:b}", "id", study.id,
					    "title", study.title, "version",
					    (json_int_t)study.version, "created",
					    (json_int_t)study.created, "updated",
					    (json_int_t)study.updated, "author", author, "own",
					    (int)own),
				  RESPONSE_JSON);
	struct string whole = { .allocator = &mem_malloc };
	if (head)
		string_addf(&whole, "%.*s,", (int)strlen(head) - 1, head);
	string_add(&whole, text + 1, strlen(text + 1));
	if (api_costs(api, r, whole.length / BYTES_A_REQUEST))
		reply_ok(api, r->call, head && !whole.failed ? whole.data : NULL);
	string_release(&whole);
	free(head);
}

/* GET /api/v1/studies/ID/version: for readers who wait for changes. */
void get_study_version(struct api *api, const struct api_request *r)
{
	struct store_study study;
	const char *body;
	if (find_study(api, r, &study, &body))
		reply(api, r->call, 200,
		      json_pack("{s:s, s:I}", "id", study.id, "version", (json_int_t)study.version));
}

/* ---- For link previews ---- */

enum read_result study_preview(struct api *api, const struct api_request *r, const char *id,
			       char title[STORE_TITLE], char game[QV_POSITION_TEXT],
			       char position[QV_POSITION_TEXT])
{
	struct store_study study;
	const char *text;
	const enum read_result found = read_study(api, r, id, &study, &text);
	if (found != READ_FOUND)
		return found;
	json_t *body = json_loads(text, 0, NULL);
	const json_t *first = json_array_get(json_object_get(body, "chapters"), 0);
	const char *record = json_string_value(json_object_get(first, "record"));
	json_t *header = record ? json_loadb(record, strcspn(record, "\n"), 0, NULL) : NULL;
	const char *name = json_string_value(json_object_get(header, "game"));
	const char *start = json_string_value(json_object_get(header, "position"));
	snprintf(title, STORE_TITLE, "%s", study.title);
	snprintf(game, QV_POSITION_TEXT, "%s", name ? name : "");
	snprintf(position, QV_POSITION_TEXT, "%s", start ? start : "start");
	json_decref(header);
	json_decref(body);
	return READ_FOUND;
}
