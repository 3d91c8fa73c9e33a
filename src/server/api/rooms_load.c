/*
 * rooms_load.c - games from the store: a short one is replayed at once, a long one by a worker.
 * SPDX-License-Identifier: MIT
 *
 * The store reads the lines of a game. The requests that wait for it pay by its length. Then the
 * lines are replayed, the game becomes a room, and those requests run again, in their order. A game
 * that is being loaded is not in memory, so nothing can happen to it meanwhile.
 *
 * A game with a damaged line is shown up to that line, and nobody can change it: what is stored
 * after the damage must not be lost.
 */
#include <stddef.h>
#include <stdlib.h>

#include "server/api/inside.h"

enum {
	LOADS_MOST = 16, /* games that may wait for a worker, of one address */
	LOAD_MS = 10000, /* never reached: the length of a game bounds the work */
	REDONE_A_LINE = 100, /* plies that are redone in the time that a line takes */
};

/* A call that waits for a game. */
struct waiter {
	uint64_t call;
	struct waiter *next;
};

/* A game on its way from the store into memory. First the store has it, then maybe the pool. */
struct loading {
	struct api *api;
	char id[API_USER], address[API_ADDRESS];
	bool background; /* for the lobby */
	game_read_fn *read; /* for this function, not for a room; NULL: for a room */
	struct waiter *waiters; /* the first to come is the first */
	struct store_rows *rows; /* the lines point into them */
	struct store_play row;
	int64_t epoch; /* with which this node has it; 0: not claimed yet */
	bool lost;     /* another node may have it since */
	const char **lines;
	size_t count, work;	  /* lines; what they cost, as play_work has it */
	struct hosted_game *play; /* the result; NULL: none */
	enum verdict verdict;
	struct qv_error error;
	size_t damaged; /* the first line that cannot be read, from 1; 0: none, or not known */
	struct loading *next; /* in api->loadings */
};

/* Fits worker_job.release. In the list of the API it must not be any more. */
static void loading_free(void *arg)
{
	struct loading *l = arg;
	while (l->waiters) {
		struct waiter *waiter = l->waiters;
		l->waiters = waiter->next;
		free(waiter);
	}
	store_rows_free(l->rows);
	free(l->lines);
	hosted_free(l->play);
	free(l);
}

static void unlink_loading(struct loading *l)
{
	struct loading **link = &l->api->loadings;
	while (*link && *link != l)
		link = &(*link)->next;
	if (*link)
		*link = l->next;
}

/* The work: in a worker, or in the loop for a short game. */
static void loading_run(struct worker_task *task, void *arg)
{
	struct loading *l = arg;
	const struct hosted_callbacks host = rooms_host(l->api);
	struct qv_error ignored;
	(void)task;
	l->verdict = hosted_read(l->api->setup.context, &host, l->lines, l->count, &l->play,
				 &l->error);
	if (l->verdict != VERDICT_MALFORMED)
		return;
	if (sscanf(l->error.text, "line %zu:", &l->damaged) == 1 && l->damaged <= l->count)
		hosted_read(l->api->setup.context, &host, l->lines, l->damaged - 1, &l->play,
			    &ignored);
}

/* Makes the loaded game a room and lets it continue. 200, or why it cannot be loaded. */
static int make_room(struct loading *l)
{
	struct api *api = l->api;
	struct hosted_game *play = l->play;
	if (play && !l->damaged)
		l->verdict = hosted_start(play, api_now(api), &l->error);
	if (l->verdict != VERDICT_OK)
		log_unloadable(api, l->id, l->error.text);
	if (!play || l->verdict == VERDICT_NO_MEMORY)
		return l->verdict == VERDICT_MALFORMED ? 500 : 503;
	l->play = NULL;
	struct room *room = room_add(api, play, l->id);
	if (!room)
		return 503;
	room->damaged = l->damaged;
	room->stored = true;
	room->epoch = l->epoch;
	room->finished = hosted_over(play);
	/* The store has the users of these seats already. */
	for (int s = 0; s < hosted_seat_count(play); s++)
		if (hosted_seat_at(play, s)->kind == SEAT_PERSON)
			snprintf(room->seated[s], sizeof room->seated[s], "%s",
				 hosted_seat_at(play, s)->user);
	if (!room->damaged)
		room_changed(api, room);
	return 200;
}

/* The end of it, but for freeing it. status: 200, or why there are no lines. */
static void loading_finish(struct loading *l, int status)
{
	struct api *api = l->api;
	unlink_loading(l);
	if (l->read) {
		const bool whole = l->play && !l->damaged;
		if (status == 200 && !whole)
			log_unloadable(api, l->id, l->error.text);
		l->read(api, l->id, whole ? &l->row : NULL, whole ? l->play : NULL);
		return;
	}
	if (status == 200 && l->lost)
		status = 503;
	if (status == 200 && !room_at(api, l->id))
		status = make_room(l);
	api->lobby_changed |= l->background || needs_worker(l->count, l->work);
	/* A request that runs may load other games, but this loading is not in the list any more. */
	while (l->waiters) {
		struct waiter *waiter = l->waiters;
		const uint64_t call = waiter->call;
		l->waiters = waiter->next;
		free(waiter);
		request_loaded(api, call, l->id, status);
	}
}

static void loading_done(void *ctx, uint64_t number, const char *text, bool last)
{
	(void)number, (void)text, (void)last; /* the job reports no progress */
	loading_finish(ctx, 200);
}

/* Gives it to a worker. 200, or why the pool refuses it. */
static int loading_submit(struct loading *l)
{
	char client[WORKER_CLIENT];
	uint64_t number;
	snprintf(client, sizeof client, "load %s", l->address);
	const struct worker_job job = { .client = client,
					.group = l->address,
					.urgent = !l->read,
					.most = LOADS_MOST,
					.limit_ms = LOAD_MS,
					.expected_ms = (int64_t)(l->work / LINES_A_MS) + 1,
					.run = loading_run,
					.release = loading_free,
					.arg = l,
					.deliver = loading_done,
					.ctx = l };
	const enum submit_result result = worker_pool_submit(l->api->pool, &job, &number);
	return result == SUBMIT_OK ? 200 : result == SUBMIT_CLIENT_FULL ? 429 : 503;
}

/* The lines as an array. 200, or why not. */
static int take_lines(struct loading *l, struct store_rows *rows, const struct qv_error *error)
{
	const struct store_rows *lines = rows ? rows->next : NULL;
	l->rows = rows;
	if (rows && rows->count == 0)
		return 404;
	if (lines && store_row_play(rows, 0, &l->row) && !*cluster_node(l->api))
		l->epoch = l->row.epoch;
	if (lines && !l->read && l->row.epoch != l->epoch)
		return 503; /* another node has claimed it meanwhile, and may have changed it */
	if (lines && *l->row.id)
		l->lines = calloc(lines->count + 1, sizeof *l->lines);
	if (!l->lines) {
		log_unloadable(l->api, l->id, rows ? "out of memory" : error->text);
		return 503;
	}
	for (l->count = 0; l->count < lines->count; l->count++) {
		int64_t number;
		size_t size;
		l->lines[l->count] = store_row_line(lines, l->count, l->id, &number, &size);
		if (number != (int64_t)l->count)
			break; /* the one before it is missing */
	}
	if (l->count < lines->count)
		l->lines[l->count++] = "a line is missing here";
	return 200;
}

size_t play_work(const struct api *api, const struct store_play *row, size_t lines, size_t moves)
{
	struct qv_rules rules = { 0 };
	const bool known = qv_rules_parse(api->setup.context, row->game, &rules, NULL) == QV_OK;
	return hosted_work(known ? rules.game : NULL, lines, moves);
}

/* The plies of a line of the record that redoes some. */
static size_t redone_by(const char *line)
{
	static const char redo[] = "{\"redo\":";
	const bool redoes = strncmp(line, redo, sizeof redo - 1) == 0;
	return redoes ? strtoul(line + sizeof redo - 1, NULL, 10) : 0;
}

/* Lines of the record may be moves; those of the hosted game are not. */
static size_t work_of(const struct loading *l)
{
	static const char event[] = "{\"play\"";
	size_t moves = 0, redone = 0;
	for (size_t i = 0; i < l->count; i++)
		if (l->lines[i] && strncmp(l->lines[i], event, sizeof event - 1) != 0) {
			moves++;
			redone += redone_by(l->lines[i]);
		}
	return play_work(l->api, &l->row, l->count, moves) + redone / REDONE_A_LINE;
}

/* Those who cannot pay get an error. False: nobody is left for whom it would be loaded. */
static bool charge_waiters(struct loading *l)
{
	struct waiter **link = &l->waiters;
	while (*link) {
		struct waiter *waiter = *link;
		const uint64_t call = waiter->call;
		if (request_pays(l->api, call, l->work / LONG_LINES)) {
			link = &waiter->next;
			continue;
		}
		*link = waiter->next;
		free(waiter);
		request_loaded(l->api, call, l->id, 429);
	}
	return l->waiters || l->read || l->background;
}

static void on_lines(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct loading *l = ctx;
	if (l->api->closing) {
		unlink_loading(l);
		store_rows_free(rows);
		loading_free(l);
		return;
	}
	int status = take_lines(l, rows, error);
	if (status == 200)
		l->work = work_of(l);
	if (status == 200 && !charge_waiters(l)) {
		unlink_loading(l);
		loading_free(l);
		return;
	}
	if (status == 200 && (l->read || needs_worker(l->count, l->work))) {
		status = loading_submit(l);
		if (status == 200)
			return;
	} else if (status == 200) {
		loading_run(NULL, l);
	}
	loading_finish(l, status);
	loading_free(l);
}

/* Ends a loading that has no lines. */
static void loading_refuse(struct loading *l, int status)
{
	if (l->api->closing)
		unlink_loading(l);
	else
		loading_finish(l, status);
	loading_free(l);
}

/* Another node has the game, or there is no such game. */
static void on_owner(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct loading *l = ctx;
	int status = rows ? 404 : 503;
	(void)error;
	if (rows && store_row_play(rows, 0, &l->row)) {
		cluster_found_owner(l->api, l->id, l->row.node);
		status = STATUS_ELSEWHERE;
	}
	store_rows_free(rows);
	loading_refuse(l, status);
}

/* The game belongs to this node now, if there is a row. */
static void on_claim(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct loading *l = ctx;
	const struct store_value key = value_text(l->id);
	const bool failed = !rows || l->api->closing, ours = rows && rows->count;
	l->epoch = ours ? store_rows_number(rows, 0, 0) : 0;
	if (ours && !l->api->closing)
		cluster_claimed(l->api, l->id, store_rows_text(rows, 0, 1), l->epoch);
	store_rows_free(rows);
	if (!rows && !l->api->closing)
		log_unloadable(l->api, l->id, error->text);
	if (failed || store_read_for(l->api->store, l->address, ours ? ASK_LOAD : ASK_PLAY, &key,
				     1, ours ? on_lines : on_owner, l) != QV_OK)
		loading_refuse(l, 503);
}

/* NULL: out of memory, or the store is busy. */
static struct loading *loading_start(struct api *api, const char *id, const char *address,
				     game_read_fn *read)
{
	const struct store_value values[] = { value_text(id), value_text(cluster_node(api)) };
	const bool claims = *cluster_node(api) && !read;
	struct loading *l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	l->api = api;
	l->read = read;
	snprintf(l->id, sizeof l->id, "%s", id);
	snprintf(l->address, sizeof l->address, "%s", address);
	if (store_read_for(api->store, address, claims ? ASK_CLAIM : ASK_LOAD, values, 1 + claims,
			   claims ? on_claim : on_lines, l) != QV_OK) {
		free(l);
		return NULL;
	}
	l->next = api->loadings;
	return api->loadings = l;
}

/* ---- For requests ---- */

/* The log has the reason. */
void room_refuse(struct api *api, uint64_t call, int status)
{
	if (status == 404)
		reply_error(api, call, 404, "play: no such game");
	else if (status == 429)
		reply_error(api, call, 429,
			    "requests: too many long games from your address; wait a moment");
	else if (status == 500)
		reply_error(api, call, 500, "play: the stored game cannot be read");
	else
		reply_error(api, call, 503, "play: it cannot be loaded now; try again");
}

bool room_allows(struct api *api, const struct api_request *r, const struct room *room)
{
	const bool allowed = !room->damaged || r->method == API_GET;
	if (!allowed)
		reply_error(api, r->call, 409,
			    "play: it is damaged from line %zu on; it can be looked at, but not "
			    "changed",
			    room->damaged);
	return allowed;
}

int room_load_for(struct api *api, const char *id, const char *address, uint64_t call)
{
	struct loading *l = api->loadings;
	if (cluster_is_lost(api))
		return 503;
	while (l && (l->read || strcmp(l->id, id) != 0))
		l = l->next;
	/* A worker replays it already: pay now. */
	if (l && l->rows && !request_pays(api, call, l->work / LONG_LINES))
		return 429;
	struct waiter *waiter = malloc(sizeof *waiter);
	if (waiter && !l)
		l = loading_start(api, id, address, NULL);
	if (!waiter || !l) {
		free(waiter);
		return 503;
	}
	struct waiter **end = &l->waiters;
	while (*end)
		end = &(*end)->next;
	*waiter = (struct waiter){ .call = call };
	*end = waiter;
	return 0;
}

/* ---- Without a request ---- */

/* Failures are logged, and the lobby does without the game. */
void room_load_later(struct api *api, const char *id)
{
	if (cluster_is_lost(api))
		return;
	for (const struct loading *l = api->loadings; l; l = l->next)
		if (l->background || (!l->read && strcmp(l->id, id) == 0))
			return;
	struct loading *l = loading_start(api, id, "lobby", NULL);
	if (l)
		l->background = true;
}

bool game_read(struct api *api, const char *id, game_read_fn *done)
{
	return loading_start(api, id, "read", done);
}

/* What room_when_loaded waits with. */
struct when_loaded {
	room_fn *act;
	_Alignas(max_align_t) char argument[];
};

/* r->path is the game's id. */
static void act_when_loaded(struct api *api, const struct api_request *r)
{
	const struct when_loaded *w = api->run->ctx;
	struct room *room = room_in_memory(api, r->path);
	if (room || request_wait_for(api, r, r->path))
		w->act(api, room, w->argument);
}

void room_when_loaded(struct api *api, const char *id, room_fn *act, const void *argument,
		      size_t size)
{
	struct when_loaded *w = malloc(sizeof *w + size);
	if (!w) {
		act(api, NULL, argument);
		return;
	}
	w->act = act;
	memcpy(w->argument, argument, size);
	request_inside(api, act_when_loaded, w, free, id, "", "");
}

void room_unload(struct api *api, const char *play)
{
	struct room *room = *play ? room_at(api, play) : NULL;
	if (room)
		room_break(api, room);
	for (struct loading *l = api->loadings; l; l = l->next)
		l->lost |= !l->read && strcmp(l->id, play) == 0;
}

void rooms_lose(struct api *api)
{
	struct room *room;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		room_break(api, room);
	for (struct loading *l = api->loadings; l; l = l->next)
		l->lost = !l->read;
}

void room_taken(struct api *api, const char *play, int64_t epoch)
{
	struct room *room = *play ? room_at(api, play) : NULL;
	if (room && room->epoch < epoch)
		room_break(api, room);
	for (struct loading *l = api->loadings; l; l = l->next)
		l->lost |= !l->read && l->epoch && l->epoch < epoch && strcmp(l->id, play) == 0;
}
