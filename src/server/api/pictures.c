/*
 * pictures.c - positions as PNG pictures, and the previews that other sites show of a link.
 * SPDX-License-Identifier: MIT
 *
 * A picture depends on its address alone, which names the position. So it can be cached anywhere, and
 * needs no rights: a private game has no address here, since its preview shows the start position.
 */
#include <stdlib.h>

#include "formats/board_png.h"
#include "server/api/inside.h"

enum {
	PICTURES_A_MINUTE = 60, /* of one address */
	PICTURES_AT_ONCE = 20,
	PICTURE_JOBS = 8, /* that may wait for a worker, of one address */
	PICTURE_SECONDS = 86400,
	PREVIEWS_A_MINUTE = 60, /* of games that must be loaded first */
	PREVIEWS_AT_ONCE = 20,
	ADDRESS_VALUE = 4096, /* of a query */
};

/* ---- Pictures ---- */

/* A worker's argument. */
struct drawing {
	struct request_position at;
	struct string png;
	enum qv_status status;
	struct qv_error error;
};

static void drawing_free(void *arg)
{
	struct drawing *d = arg;
	request_position_release(&d->at);
	string_release(&d->png);
	free(d);
}

static void drawing_run(struct worker_task *task, void *arg)
{
	struct drawing *d = arg;
	(void)task;
	d->status = board_card_png(&d->at.rules, qv_record_state(d->at.record), &d->png, &d->error);
}

static void drawing_done(struct api *api, struct call *call, const char *text)
{
	const struct drawing *d = call->job_arg;
	const struct outgoing out = { .call = call->number,
				      .status = 200,
				      .end = true,
				      .type = "image/png",
				      .max_age = PICTURE_SECONDS };
	(void)text;
	call_free(api, call);
	if (d->status == QV_OK)
		reply_bytes(api, &out, d->png.data, d->png.length);
	else
		reply_error(api, out.call, d->status == QV_NO_MEMORY ? 503 : 400, "%s",
			    d->error.text);
}

/* The query as the body of a request for a position. NULL: no game, or out of memory. */
static json_t *body_of_query(const char *query)
{
	char value[ADDRESS_VALUE], *rest = NULL;
	json_t *body = json_object(), *moves = json_array();
	if (query_value(query, "position", value, sizeof value))
		json_object_set_new(body, "position", json_string(value));
	if (query_value(query, "moves", value, sizeof value))
		for (char *at = strtok_r(value, ",", &rest); at; at = strtok_r(NULL, ",", &rest))
			json_array_append_new(moves, json_string(at));
	json_object_set_new(body, "moves", moves);
	if (query_value(query, "game", value, sizeof value) &&
	    json_object_set_new(body, "game", json_string(value)) == 0)
		return body;
	json_decref(body);
	return NULL;
}

/* GET /api/v1/pictures?game=NAME&position=TEXT&moves=M,M,M */
void get_picture(struct api *api, const struct api_request *r)
{
	static const struct request_work work = { "picture", PICTURE_JOBS, drawing_run,
						  drawing_free, drawing_done, 0 };
	struct api_request asked = *r;
	if (!api_limit(api, r, "pictures", PICTURES_A_MINUTE, PICTURES_AT_ONCE))
		return;
	struct drawing *d = calloc(1, sizeof *d);
	if (!d) {
		reply_no_memory(api, r->call);
		return;
	}
	d->png.allocator = &mem_malloc;
	asked.body = body_of_query(r->query);
	if (!asked.body)
		reply_error(api, r->call, 400, "game: missing");
	else if (request_position_open(api, &asked, &d->at)) {
		call_work(api, r, call_new(api, r->call, r->visitor->user, CALL_JOB), &work, d);
		d = NULL;
	}
	json_decref(asked.body);
	if (d)
		drawing_free(d);
}

/* ---- Previews ---- */

/* What other sites show of a link to the page. */
struct preview {
	char title[512], text[256];
	struct string picture; /* its path and query; empty: none */
	bool missing;	       /* the page has no such view, or there is no such game or study */
};

/* Appends a value of a query. */
static void add_value(struct string *out, const char *key, const char *value)
{
	string_addf(out, "%s%s=", out->length ? "&" : "/api/v1/pictures?", key);
	for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
		const bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
				   (*c >= 'A' && *c <= 'Z') || strchr("-._~,", *c);
		string_addf(out, plain ? "%c" : "%%%02X", *c);
	}
}

static void preview_position(struct preview *out, const char *game, const char *position)
{
	add_value(&out->picture, "game", game);
	if (strcmp(position, "start") != 0)
		add_value(&out->picture, "position", position);
}

/* A game with a position of its sample game. */
static void preview_game(struct preview *out, const struct qv_game *game)
{
	const char *moves = sample_moves(game->name);
	snprintf(out->title, sizeof out->title, "%.200s · Quevedo", game->title);
	snprintf(out->text, sizeof out->text,
		 "Play %.100s against the computer or a friend, then see how the machine thinks.",
		 game->title);
	if (!game->board)
		return;
	add_value(&out->picture, "game", game->name);
	if (*moves)
		add_value(&out->picture, "moves", moves);
}

/* "Chess: Ann against Bob · Quevedo", with its position. */
static void preview_room(struct preview *out, const struct room *room)
{
	const struct qv_record *record = hosted_record(room->play);
	const struct qv_rules *rules = qv_record_rules(record);
	char first[HOSTED_SPEC_ROOM], second[HOSTED_SPEC_ROOM], position[QV_POSITION_TEXT] = "";
	char game[STORE_GAME] = "";
	struct qv_text text = { position, sizeof position, 0 },
		       game_text = { game, sizeof game, 0 };
	if (hosted_seat_count(room->play) == 2) {
		hosted_seat_name(rules->game, hosted_seat_at(room->play, 0), first);
		hosted_seat_name(rules->game, hosted_seat_at(room->play, 1), second);
		snprintf(out->title, sizeof out->title, "%.100s: %.150s against %.150s · Quevedo",
			 rules->game->title, first, second);
	} else {
		snprintf(out->title, sizeof out->title, "A game of %.200s · Quevedo",
			 rules->game->title);
	}
	snprintf(out->text, sizeof out->text, "%s",
		 hosted_over(room->play) ? "This game is over. Replay it and analyse it."
		 : hosted_has_open_seat(room->play)
			 ? "Open the link to join this game."
			 : "This game is in progress. Open the link to watch it.");
	rules->game->position_text(qv_record_state(record), &text);
	qv_rules_text(rules, &game_text);
	if (rules->game->board) {
		string_release(&out->picture);
		preview_position(out, game, position);
	}
}

/*
 * The game, if nobody minds; *later: it is being loaded. A long one that is not in memory is not
 * loaded for this.
 */
static const struct room *room_to_show(struct api *api, const struct api_request *r,
				       const struct store_play *row, bool *later)
{
	if (row->is_private)
		return NULL;
	const struct room *room = room_at(api, row->id);
	if (!room && row->lines <= LONG_LINES &&
	    api_take_once(api, "previews", r->visitor->address, PREVIEWS_A_MINUTE,
			  PREVIEWS_AT_ONCE))
		*later = request_wait_for(api, r, row->id) == 0;
	return room && !room->broken && !room->commits ? room : NULL;
}

/* The following return false if the request has to wait, and runs again. */

static bool preview_missing(struct preview *out, const char *title)
{
	out->missing = true;
	snprintf(out->title, sizeof out->title, "%s · Quevedo", title);
	return true;
}

static bool preview_play(struct api *api, const struct api_request *r, const char *id,
			 struct preview *out)
{
	struct store_play row;
	struct qv_rules rules;
	bool later = false;
	if (strncmp(id, "local-", 6) == 0) /* the visitor's browser has it */
		return true;
	const enum read_result found = read_play(api, r, id, &row);
	if (found != READ_FOUND)
		return found == READ_NONE && preview_missing(out, "No such game");
	if (qv_rules_parse(api->setup.context, row.game, &rules, NULL) != QV_OK)
		return true;
	string_release(&out->picture);
	snprintf(out->title, sizeof out->title, "A game of %.200s · Quevedo", rules.game->title);
	if (rules.game->board)
		preview_position(out, row.game, "start");
	const struct room *room = room_to_show(api, r, &row, &later);
	if (room)
		preview_room(out, room);
	return !later;
}

/* The position of the address, if it is one. */
static void preview_analysis(struct api *api, const char *query, struct preview *out)
{
	char game[ADDRESS_VALUE], value[ADDRESS_VALUE];
	struct qv_rules rules;
	if (!query_value(query, "game", game, sizeof game) ||
	    qv_rules_parse(api->setup.context, game, &rules, NULL) != QV_OK)
		return;
	string_release(&out->picture);
	snprintf(out->title, sizeof out->title, "%.200s: analysis · Quevedo", rules.game->title);
	if (!rules.game->board)
		return;
	add_value(&out->picture, "game", game);
	if (query_value(query, "position", value, sizeof value))
		add_value(&out->picture, "position", value);
	if (query_value(query, "moves", value, sizeof value))
		add_value(&out->picture, "moves", value);
}

/* The first position of a study: whoever has the link may see it. */
static bool preview_study(struct api *api, const struct api_request *r, const char *id,
			  struct preview *out)
{
	char title[STORE_TITLE], game[QV_POSITION_TEXT], position[QV_POSITION_TEXT];
	struct qv_rules rules;
	if (!secrets_is_id(id) || !api_take_once(api, "previews", r->visitor->address,
						 PREVIEWS_A_MINUTE, PREVIEWS_AT_ONCE))
		return true;
	const enum read_result found = study_preview(api, r, id, title, game, position);
	if (found != READ_FOUND)
		return found == READ_NONE && preview_missing(out, "No such study");
	snprintf(out->title, sizeof out->title, "%.300s · Quevedo", title);
	snprintf(out->text, sizeof out->text, "A study: positions, lines and comments.");
	if (qv_rules_parse(api->setup.context, game, &rules, NULL) != QV_OK || !rules.game->board)
		return true;
	string_release(&out->picture);
	preview_position(out, game, position);
	return true;
}

/* Has the page a view of this path? The list of web/src/routes.tsx: "x/" takes one more word. */
static bool is_view(const char *path)
{
	static const char *const views[] = {
		"account", "analyse",	"edit",	   "games/",  "help",	"lab",	   "learn",
		"learn/",  "lessons",	"lessons/", "lobby",  "my-games", "play/", "privacy",
		"puzzles", "puzzles/",	"review",  "review/", "settings", "study", "study/",
		"train",   "watch",	"watch/",
	};
	size_t length = strlen(path);
	while (length && path[length - 1] == '/') /* links from elsewhere may end with it */
		length--;
	if (!length)
		return true;
	path++, length--;
	const char *slash = memchr(path, '/', length);
	const size_t first = slash ? (size_t)(slash - path) + 1 : length;
	bool found = !slash || !memchr(slash + 1, '/', length - first);
	for (size_t i = 0; found && i < sizeof views / sizeof *views; i++)
		if (strlen(views[i]) == first && memcmp(views[i], path, first) == 0)
			return true;
	return false;
}

static bool make_preview(struct api *api, const struct api_request *r, struct preview *out)
{
	static const char games[] = "/games/", plays[] = "/play/", studies[] = "/study/";
	const char *path = r->path;
	struct qv_rules rules;
	const bool is_game = strncmp(path, games, sizeof games - 1) == 0;
	if (is_game &&
	    qv_rules_parse(api->setup.context, path + sizeof games - 1, &rules, NULL) == QV_OK) {
		preview_game(out, rules.game);
		return true;
	}
	/* What all other pages show, unless there is more to say. */
	snprintf(out->title, sizeof out->title, "Quevedo");
	snprintf(
		out->text, sizeof out->text,
		"Play chess, reversi, connect-four and more games, then see how the machine "
		"thinks.");
	add_value(&out->picture, "game", "chess");
	add_value(&out->picture, "moves", sample_moves("chess"));
	if (strncmp(path, plays, sizeof plays - 1) == 0)
		return preview_play(api, r, path + sizeof plays - 1, out);
	if (strncmp(path, studies, sizeof studies - 1) == 0)
		return preview_study(api, r, path + sizeof studies - 1, out);
	if (strcmp(path, "/analyse") == 0)
		preview_analysis(api, r->query, out);
	if (is_game)
		return preview_missing(out, "No such game");
	return is_view(path) || preview_missing(out, "Page not found");
}

/* Fits route_fn, for a path of the page. */
static void get_preview(struct api *api, const struct api_request *r)
{
	struct preview preview = { .picture = { .allocator = &mem_malloc } };
	const bool made = make_preview(api, r, &preview);
	const char *picture = preview.picture.length ? preview.picture.data : "";
	if (made && preview.picture.failed)
		reply_no_memory(api, r->call);
	else if (made)
		reply(api, r->call, preview.missing ? 404 : 200,
		      json_pack("{s:s, s:s, s:s}", "title", preview.title, "text", preview.text,
				"picture", picture));
	string_release(&preview.picture);
}

void api_preview(struct api *api, const struct api_request *request)
{
	struct request_run run = { .route = get_preview };
	request_run(api, request, &run);
}
