/*
 * create.c - routes that create games, from a setup or a record, and the one that only reads
 * records.
 * SPDX-License-Identifier: MIT
 *
 * A request becomes a struct creation in three steps. First the body is read and the request charged
 * for the work. Then the game is made, in a worker if a long record must be replayed. Then the game
 * is added, or the error is sent.
 */
#include <stdlib.h>

#include "formats/game_file.h"
#include "record/record.h"
#include "server/api/allowed_specs.h"
#include "server/api/inside.h"
#include "server/jobs/file_jobs.h"

enum {
	NEW_A_MINUTE = 30,
	RECORDS_A_MINUTE = 60, /* for the route that only reads them */
	MOVES_MOST = 4000,
	RECORD_LONG = 4096,		/* bytes: a longer record is given to a worker */
	RECORD_BYTES_A_REQUEST = 32768, /* bytes of a record that cost as much as a request */
};

struct creation {
	struct api *api;
	uint64_t call;
	struct visitor visitor;
	json_t *body;	  /* texts point into it; it has nothing else that is large */
	bool only_read;	  /* no game is created: the response is the record as JSON */
	bool paid;	  /* for the bytes of the record, when a process read it */
	const char *game; /* NULL: the record names it */
	struct hosted_setup setup;
	struct qv_rules rules;
	char name[STORE_NAME], id[SECRETS_ID];
	const char **moves;
	struct string journal; /* the record, converted from another format */
	int64_t now;

	enum verdict verdict; /* the outcome */
	struct qv_error error;
	struct hosted_game *play;
	char *text; /* only_read: the response; NULL: out of memory */
};

/* Fits worker_job.release, so it may be called in any thread. */
static void creation_free(void *arg)
{
	struct creation *m = arg;
	hosted_free(m->play);
	free(m->text);
	free(m->moves);
	string_release(&m->journal);
	json_decref(m->body);
	free(m);
}

/* Copies what it needs from the request, which ends before a worker is done. */
static struct creation *creation_new(struct api *api, const struct api_request *r)
{
	struct creation *m = calloc(1, sizeof *m);
	if (!m) {
		reply_no_memory(api, r->call);
		return NULL;
	}
	m->api = api;
	m->call = r->call;
	m->visitor = *r->visitor;
	m->body = json_incref(r->body);
	m->journal.allocator = &mem_malloc;
	m->now = api_now(api);
	secrets_play_id(m->id);
	m->setup.id = m->id;
	m->setup.owner = m->visitor.user;
	m->setup.created = api_seconds(api);
	m->setup.rules = &m->rules;
	return m;
}

/* ---- Reading the body; false: an error was sent ---- */

/* The texts stay in the body; the array of pointers is the setup's. */
static bool read_moves(struct api *api, const struct api_request *r, struct creation *m)
{
	const json_t *moves = json_object_get(r->body, "moves");
	const size_t count = json_array_size(moves);
	bool good = !moves || json_is_null(moves) || (json_is_array(moves) && count <= MOVES_MOST);
	if (good && count && !(m->moves = calloc(count, sizeof *m->moves))) {
		reply_no_memory(api, r->call);
		return false;
	}
	for (size_t i = 0; good && i < count; i++)
		good = (m->moves[i] = json_string_value(json_array_get(moves, i))) != NULL;
	if (!good)
		reply_error(api, r->call, 400, "moves: must be a list of at most %d strings",
			    MOVES_MOST);
	m->setup.moves = m->moves;
	m->setup.move_count = count;
	return good;
}

/* How many there must be is not known before the game is: check_seats. */
static bool read_seats(struct api *api, const struct api_request *r)
{
	const json_t *seats = json_object_get(r->body, "seats"), *seat;
	bool good = !seats || json_is_null(seats) ||
		    (json_is_array(seats) && json_array_size(seats) <= QV_MAX_SEATS);
	size_t i;
	json_array_foreach(seats, i, seat)
		good = good && json_is_string(seat);
	if (!good)
		reply_error(api, r->call, 400,
			    "seats: must be a list with a string for each player");
	return good;
}

/* A record, ours or in another format. Its game is made later, maybe in a worker. */
static bool read_record(struct api *api, const struct api_request *r, struct creation *m)
{
	const bool good = body_text(api, r, "record", &m->setup.record);
	m->setup.record_size = good && m->setup.record ? strlen(m->setup.record) : 0;
	return good;
}

/* All fields of POST /api/v1/plays. The order decides which of several errors is sent. */
static bool read_setup(struct api *api, const struct api_request *r, struct creation *m)
{
	struct hosted_setup *s = &m->setup;
	const char *name, *dice, *engine;
	if (!body_keys(api, r,
		       "game seats position moves record clock dice private name memory engine") ||
	    !body_text(api, r, "game", &m->game) || !body_text(api, r, "position", &s->position) ||
	    !read_record(api, r, m) || !body_text(api, r, "clock", &s->clock) ||
	    !body_boolean(api, r, "private", &s->closed) ||
	    !body_text(api, r, "memory", &s->memory) || !body_text(api, r, "name", &name))
		return false;
	if (name && !hosted_name_ok(name)) {
		reply_error(api, r->call, 400,
			    "name: a name must have 1 to %d printable characters", HOSTED_NAME);
		return false;
	}
	if (name)
		snprintf(m->name, sizeof m->name, "%s", name);
	s->owner_name = m->name;
	if (!body_text(api, r, "dice", &dice))
		return false;
	s->typed_dice = dice && strcmp(dice, "typed") == 0;
	if (dice && !s->typed_dice && strcmp(dice, "server") != 0) {
		reply_error(api, r->call, 400, "dice: must be \"server\" or \"typed\"");
		return false;
	}
	if (!body_text(api, r, "engine", &engine))
		return false;
	s->own_engine = engine && strcmp(engine, "browser") == 0;
	if (engine && !s->own_engine && strcmp(engine, "server") != 0) {
		reply_error(api, r->call, 400, "engine: must be \"browser\" or \"server\"");
		return false;
	}
	return read_seats(api, r) && read_moves(api, r, m);
}

/* ---- The work: in a worker, or at once if it is short ---- */

/* The first game of a file in another format becomes a journal. */
static enum qv_status convert_record(struct creation *m)
{
	const struct pgn_bounds most = { HOSTED_MAX_LINES, HOSTED_MAX_BYTES };
	struct hosted_setup *s = &m->setup;
	struct qv_error why = { "" };
	if (!s->record || !game_file_looks_like(s->record, s->record_size))
		return QV_OK;
	const enum qv_status status = game_file_to_journal(
		m->api->setup.context, s->record, s->record_size, most, &m->journal, &why);
	if (status != QV_OK)
		return qv_fail(&m->error, status, "record: %s", why.text);
	s->record = m->journal.data;
	s->record_size = m->journal.length;
	return QV_OK;
}

/* The rules that `game` names, or else those in the first line of the record. */
static enum qv_status find_rules(struct creation *m)
{
	const struct qv_context *context = m->api->setup.context;
	const struct hosted_setup *s = &m->setup;
	struct qv_record *first = NULL;
	if (m->rules.game)
		return QV_OK;
	if (m->game)
		return qv_rules_parse(context, m->game, &m->rules, &m->error);
	if (!s->record)
		return qv_fail(&m->error, QV_BAD_INPUT, "game: missing");
	const char *end = strchr(s->record, '\n');
	const size_t size = end ? (size_t)(end - s->record) + 1 : s->record_size;
	const enum qv_status status = qv_record_load(context, s->record, size, &first, &m->error);
	if (status == QV_OK)
		m->rules = *qv_record_rules(first);
	qv_record_free(first);
	return status;
}

/*
 * Whether a game is private unless the request says otherwise: nobody expects to be watched when
 * playing against a computer, which without a list of seats is the opponent. A game with an open seat
 * waits in the lobby.
 */
static bool is_closed(const struct creation *m)
{
	const json_t *given = json_object_get(m->body, "private");
	bool open = false, computer = !m->setup.seat_count;
	for (int i = 0; i < m->setup.seat_count; i++) {
		open |= m->setup.seats[i].kind == SEAT_OPEN;
		computer |= m->setup.seats[i].kind == SEAT_COMPUTER;
	}
	return json_is_boolean(given) ? json_is_true(given) : computer && !open;
}

/* One text for each seat; without any, the hosted game has its default seats. */
static enum qv_status check_seats(struct creation *m)
{
	const struct hosted_user me = { m->visitor.user, m->name };
	const json_t *seats = json_object_get(m->body, "seats");
	const int count = m->rules.game->seats;
	enum qv_status status = QV_OK;
	if (m->only_read) /* all of them are open */
		m->setup.seat_count = count;
	if (m->only_read || !seats || json_is_null(seats))
		return QV_OK;
	if (!json_is_array(seats) || json_array_size(seats) != (size_t)count)
		return qv_fail(&m->error, QV_BAD_INPUT,
			       "seats: must be a list of %d, one for each player", count);
	m->setup.seat_count = count;
	for (int i = 0; i < count && status == QV_OK; i++) {
		const char *text = json_string_value(json_array_get(seats, (size_t)i));
		struct hosted_seat *out = &m->setup.seats[i];
		if (!text || !hosted_seat_read(out, text, &me))
			return qv_fail(&m->error, QV_BAD_INPUT,
				       "seat %d: must be \"human\", \"open\" or a player such as "
				       "\"level:3\"",
				       i + 1);
		if (out->kind == SEAT_COMPUTER)
			status = specs_check(m->api->setup.context, m->api->table_lookup, &m->rules,
					     out->spec, &m->error);
	}
	return status;
}

/* Adds the record as a journal and as PGN, with the names and tags that a hosted game has not. */
static json_t *add_texts(json_t *json, const struct creation *m)
{
	const struct qv_context *context = m->api->setup.context;
	struct string pgn = { .allocator = &mem_malloc };
	struct qv_record *record = NULL;
	enum qv_status status = record_load_bounded(context, m->setup.record, m->setup.record_size,
						    HOSTED_MAX_REDONE, &record, NULL);
	if (status == QV_OK) {
		json = json_field(json, "record", json_string(record->journal.data));
		status = pgn_write(context, record, NULL, &pgn, NULL);
	}
	/* null if the game has no PGN. */
	json = json_field(json, "pgn",
			  status == QV_OK	   ? json_string(pgn.data)
			  : status != QV_NO_MEMORY ? json_null()
						   : NULL);
	qv_record_free(record);
	string_release(&pgn);
	return json;
}

/*
 * The record as JSON, with the fields that a game created from it would have; NULL: out of memory.
 */
static char *record_text(const struct creation *m)
{
	static const char *const keys[] = {
		"game", "title", "start", "cursor", "result", "reason"
	};
	struct string tree = { .allocator = &mem_malloc };
	json_t *head = game_head_json(m->play, "", 0, m->now), *json = head ? json_object() : NULL;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		json = json_field(json, keys[i], json_incref(json_object_get(head, keys[i])));
	game_add_tree(m->play, &tree);
	char *text = game_text(add_texts(json, m), &tree);
	json_decref(head);
	string_release(&tree);
	return text;
}

static enum verdict verdict_of(enum qv_status status)
{
	return status == QV_OK		? VERDICT_OK
	       : status == QV_NO_MEMORY ? VERDICT_NO_MEMORY
					: VERDICT_MALFORMED;
}

/* Uses nothing of the API that changes, so it may run in a worker. */
static void creation_run(struct worker_task *task, void *arg)
{
	struct creation *m = arg;
	const struct hosted_callbacks host = rooms_host(m->api);
	(void)task;
	enum qv_status status = convert_record(m);
	if (status == QV_OK)
		status = find_rules(m);
	if (status == QV_OK)
		status = check_seats(m);
	m->verdict = verdict_of(status);
	m->setup.closed = is_closed(m);
	if (status == QV_OK)
		m->verdict = hosted_prepare(m->api->setup.context, &host, &m->setup, &m->play,
					    &m->error);
	if (m->verdict == VERDICT_OK && m->only_read)
		m->text = record_text(m);
}

/* ---- The response ---- */

/* Adds the game and responds once it is stored. */
static void add_game(struct creation *m)
{
	const struct outgoing out = { .call = m->call, .status = 201, .end = true };
	struct api *api = m->api;
	struct hosted_game *play = m->play;
	char token[SECRETS_SEAT], url[64];
	m->play = NULL;
	struct room *room = room_add(api, play, m->id);
	if (room)
		room_used_by(api, room, &m->visitor);
	if (!room || !room_changed(api, room)) {
		reply_error(api, m->call, 503, "store: the server is busy; try again soon");
		return;
	}
	secrets_seat(&api->secrets, m->visitor.user, m->id, m->visitor.issuer, token);
	snprintf(url, sizeof url, "/play/%s", m->id);
	room_reply(api, room, &out,
		   json_pack("{s:s, s:s, s:s}", "id", m->id, "url", url, "seat_token", token));
}

/* In the host's thread again: starts the game, or sends the error. */
static void creation_finish(struct creation *m)
{
	if (m->verdict == VERDICT_OK && !m->only_read)
		m->verdict = hosted_start(m->play, api_now(m->api), &m->error);
	if (m->verdict != VERDICT_OK)
		reply_error(m->api, m->call, verdict_http_status(m->verdict), "%s", m->error.text);
	else if (!m->only_read)
		add_game(m);
	else
		reply_ok(m->api, m->call, m->text);
}

/* The pool frees the creation after this. */
static void creation_done(struct api *api, struct call *call, const char *text)
{
	struct creation *m = call->job_arg;
	(void)text;
	call_free(api, call);
	creation_finish(m);
}

/*
 * Finds the rules as far as that is short work. A long file in another format is not converted
 * here, and a first line as long as that is not read.
 */
static enum qv_status find_rules_quickly(struct creation *m)
{
	const struct hosted_setup *s = &m->setup;
	if (s->record_size <= RECORD_LONG) {
		const enum qv_status status = convert_record(m);
		return status == QV_OK ? find_rules(m) : status;
	}
	const bool foreign = game_file_looks_like(s->record, s->record_size);
	return m->game || (!foreign && memchr(s->record, '\n', RECORD_LONG)) ? find_rules(m) : QV_OK;
}

/* Lines of a plain game that take as long as making this one, but for reading the record. */
static size_t creation_work(const struct creation *m)
{
	const struct hosted_setup *s = &m->setup;
	size_t lines = 1;
	if (!s->record)
		return hosted_work(m->rules.game, s->move_count, s->move_count);
	if (game_file_looks_like(s->record, s->record_size))
		return hosted_work(NULL, 0, game_file_count_dice(s->record, s->record_size));
	for (size_t i = 0; i < s->record_size; i++)
		lines += s->record[i] == '\n';
	return hosted_work(m->rules.game, 0, lines);
}

/* Is there a computer whose player has to be made to see whether it is valid? */
static bool has_new_player(const struct creation *m)
{
	const json_t *seat;
	size_t i;
	json_array_foreach(json_object_get(m->body, "seats"), i, seat) {
		const char *spec = json_string_value(seat);
		if (spec && strcmp(spec, "human") != 0 && strcmp(spec, "open") != 0 &&
		    !table_lookup_knows(m->api->table_lookup, &m->rules, spec))
			return true;
	}
	return false;
}

/* Charges the request, makes the game and responds. Takes m. */
static void create(struct api *api, const struct api_request *r, struct creation *m)
{
	const size_t bytes = m->setup.record_size;
	m->verdict = verdict_of(find_rules_quickly(m));
	const size_t work = m->verdict == VERDICT_OK ? creation_work(m) : 0;
	const struct request_work job = { "record",	 NEW_A_MINUTE, creation_run, creation_free,
					  creation_done, (int64_t)(work / LINES_A_MS + bytes / BYTES_A_MS) };
	const size_t charge = m->paid ? 0 : bytes / RECORD_BYTES_A_REQUEST;
	if (!api_costs(api, r, charge + work / LONG_LINES)) {
		creation_free(m);
	} else if (m->verdict == VERDICT_OK &&
		   (bytes > RECORD_LONG || needs_worker(m->setup.move_count, work) ||
		    has_new_player(m))) {
		/* The client is the address: it cannot occupy more than one worker. */
		call_work(api, r, call_new(api, r->call, r->visitor->user, CALL_JOB), &job, m);
	} else {
		if (m->verdict == VERDICT_OK)
			creation_run(NULL, m);
		creation_finish(m);
		creation_free(m);
	}
}

/* A process has read the record: what it wrote is read here. */
static void record_read(struct api *api, struct call *call, const char *text)
{
	struct creation *m = file_job_take_owner(call->job_arg);
	const struct api_request r = { .visitor = &m->visitor, .call = m->call };
	call_free(api, call);
	if (text && *text == '+')
		string_add(&m->journal, text + 1, strlen(text + 1));
	if (m->journal.length && !m->journal.failed) {
		m->setup.record = m->journal.data;
		m->setup.record_size = m->journal.length;
		m->paid = true;
		create(api, &r, m);
		return;
	}
	reply_result(api, m->call, text && *text == '!' ? text : NULL);
	creation_free(m);
}

/*
 * A file in another format is read in a process without rights, if there are such processes. Our own
 * format is also that of the database, so the server reads it anyway.
 */
static void read_and_create(struct api *api, const struct api_request *r, struct creation *m)
{
	const size_t bytes = m->setup.record_size;
	const struct request_work job = { "record",	 NEW_A_MINUTE, file_job_run, file_job_free,
					  record_read, (int64_t)(bytes / BYTES_A_MS) };
	const bool foreign = m->setup.record && game_file_looks_like(m->setup.record, bytes);
	if (!foreign || !api->processes) {
		create(api, r, m);
		return;
	}
	if (!api_costs(api, r, bytes / RECORD_BYTES_A_REQUEST)) {
		creation_free(m);
		return;
	}
	json_t *texts = json_pack("[s#]", m->setup.record, bytes);
	struct file_job *file = file_job_new(api->setup.context, texts, false, m, creation_free);
	if (file) {
		call_work(api, r, call_new(api, r->call, r->visitor->user, CALL_JOB), &job, file);
	} else {
		reply_no_memory(api, r->call);
		creation_free(m);
	}
}

/* ---- Routes ---- */

/* POST /api/v1/plays: creates a game. */
void post_play(struct api *api, const struct api_request *r)
{
	char name[STORE_NAME];
	if (!acts_as_user(api, r) || !api_limit(api, r, "new", NEW_A_MINUTE, NEW_A_MINUTE))
		return;
	const bool named = read_name(api, r, r->visitor->user, name);
	if (!may_begin_game(api, r, r->visitor->user) || !named)
		return;
	struct creation *m = creation_new(api, r);
	if (m)
		snprintf(m->name, sizeof m->name, "%s", name);
	if (m && read_setup(api, r, m))
		read_and_create(api, r, m);
	else if (m)
		creation_free(m);
}

/* POST /api/v1/records: reads a record without creating a game. */
void post_record(struct api *api, const struct api_request *r)
{
	const bool may = api_limit(api, r, "record", RECORDS_A_MINUTE, RECORDS_A_MINUTE);
	struct creation *m = may ? creation_new(api, r) : NULL;
	if (!m)
		return;
	m->only_read = true;
	bool good = body_keys(api, r, "record") && read_record(api, r, m);
	if (good && !m->setup.record) {
		reply_error(api, r->call, 400, "record: missing");
		good = false;
	}
	if (good)
		read_and_create(api, r, m);
	else
		creation_free(m);
}
