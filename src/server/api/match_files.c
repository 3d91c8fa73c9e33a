/*
 * match_files.c - reads journals of matches and returns them as JSON for the page.
 * SPDX-License-Identifier: MIT
 *
 * For a match the journal is parsed whole: its games give the standings, the Elo curve, the list of
 * games and the game being played. Of a single game only its own lines are parsed. match_list.c has
 * the list of all matches.
 */
#define _DEFAULT_SOURCE /* for flock */
#include "server/api/match_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "match/journal.h"
#include "match/report.h"
#include "server/api/game_json.h"
#include "server/api/match_cache.h"

/* A journal that was read. {0} is a valid empty one. */
struct match_file {
	struct file_bytes bytes;
	struct string lines; /* of one game, if only that is wanted */
	struct journal_contents contents;
	bool running;
};

/* A name without slashes that does not begin with a dot cannot leave the folder. */
bool match_file_name_ok(const char *name)
{
	const size_t length = strlen(name);
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789._-";
	return length && length < MATCH_FILES_NAME && *name != '.' && strspn(name, good) == length;
}

/* False: the name is not allowed, the path is too long, or there is no such file. */
static bool find_file(const char *folder, const char *name, char *path, size_t size,
		      struct stat *facts)
{
	const int length = snprintf(path, size, "%s/%s", folder, name);
	return match_file_name_ok(name) && length > 0 && (size_t)length < size &&
	       stat(path, facts) == 0;
}

/* Size, time and inode: a journal that was replaced has another inode. */
static uint64_t stamp_of(const struct stat *facts)
{
	const int64_t numbers[] = { facts->st_size, facts->st_mtim.tv_sec, facts->st_mtim.tv_nsec,
				    (int64_t)facts->st_ino };
	return qv_hash_bytes(numbers, sizeof numbers) | 1;
}

uint64_t match_file_stamp(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat facts;
	return find_file(folder, name, path, sizeof path, &facts) ? stamp_of(&facts) : 0;
}

bool match_place_find(const struct match_folder *folder, const char *name, struct match_place *out)
{
	struct stat facts;
	if (!find_file(folder->path, name, out->path, sizeof out->path, &facts) ||
	    !S_ISREG(facts.st_mode))
		return false;
	out->stamp = stamp_of(&facts);
	out->size = (size_t)facts.st_size;
	/* A running match has a lock on its journal. */
	const int descriptor = open(out->path, O_RDONLY | O_CLOEXEC);
	out->running = descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0;
	if (descriptor >= 0)
		close(descriptor);
	return true;
}

static void match_file_release(struct match_file *r)
{
	journal_contents_release(&r->contents);
	string_release(&r->lines);
	file_release(&mem_malloc, &r->bytes);
	*r = (struct match_file){ 0 };
}

/* Copies the plan, changes of the number of games, and the lines of this game. */
static enum qv_status take_lines(const struct match_folder *folder, struct match_file *r,
				 int64_t number, struct qv_error *error)
{
	static const char about[] = "{\"quevedo\":";
	char head[48];
	const size_t size = (size_t)snprintf(head, sizeof head, "{\"number\":%lld,",
					     (long long)number);
	const char *at = r->bytes.data, *const stop = at + r->bytes.size;
	r->lines = (struct string){ .allocator = &mem_malloc };
	for (const char *end; at < stop && (end = memchr(at, '\n', (size_t)(stop - at)));
	     at = end + 1) {
		const size_t length = (size_t)(end - at) + 1;
		if (flag_is_set(folder->stop))
			return qv_fail(error, QV_STOPPED, "stopped");
		if ((length > size && memcmp(at, head, size) == 0) ||
		    (length >= sizeof about && memcmp(at, about, sizeof about - 1) == 0))
			string_add(&r->lines, at, length);
	}
	return r->lines.failed ? qv_fail(error, QV_NO_MEMORY, "out of memory") : QV_OK;
}

/* number: of the only game that is wanted, or 0. *r is empty unless it returns QV_OK. */
static enum qv_status read_journal(const struct match_folder *folder, const char *name,
				   int64_t number, struct match_file *r, struct qv_error *error)
{
	struct match_place place;
	struct qv_error why = { "" };
	*r = (struct match_file){ 0 };
	if (!match_place_find(folder, name, &place))
		return qv_fail(error, QV_UNKNOWN, "match '%.80s': not found", name);
	r->running = place.running;
	enum qv_status status =
		file_read(&mem_malloc, place.path, MATCH_FILES_MOST_BYTES, &r->bytes, &why);
	const char *data = r->bytes.data;
	size_t size = r->bytes.size;
	match_cache_count(folder->cache, size);
	if (status == QV_OK && number) {
		status = take_lines(folder, r, number, &why);
		data = r->lines.data;
		size = r->lines.length;
	}
	if (status == QV_OK)
		status = journal_parse_until(folder->context, data, size, folder->stop,
					     &r->contents, &why);
	if (status == QV_OK && !r->contents.whole)
		status = qv_fail(&why, QV_BAD_INPUT, "the journal is empty");
	if (status == QV_OK)
		return QV_OK;
	match_file_release(r);
	return qv_fail(error,
		       status == QV_NO_MEMORY || status == QV_STOPPED ? status : QV_BAD_INPUT,
		       "match '%.80s': %.150s", name, why.text);
}

/* ---- The fields of the list ---- */

/* As match_list.c makes them. */
static json_t *entry_json(const struct match_file *r, const char *name)
{
	const struct match_plan *plan = &r->contents.header.plan;
	char game[QV_POSITION_TEXT];
	struct qv_text text = { game, sizeof game, 0 };
	json_t *players = json_array();
	for (int i = 0; i < plan->player_count; i++)
		json_array_append_new(players, json_string(plan->players[i].name));
	qv_rules_text(&plan->rules, &text);
	return json_pack("{s:s, s:s, s:o, s:I, s:I, s:b}", "name", name, "game", game, "players",
			 players, "games", (json_int_t)r->contents.finished, "planned",
			 (json_int_t)plan->games, "running", (int)r->running);
}

/* ---- Standings ---- */

/* Best first; players with equal scores stay in the order of the plan. */
static json_t *standings_json(const struct match_plan *plan, const struct match_totals *totals)
{
	struct rating ratings[MATCH_MAX_PLAYERS] = { { 0 } };
	int order[MATCH_MAX_PLAYERS];
	json_t *list = json_array();
	if (report_rate(plan, totals, ratings) != QV_OK)
		return list;
	/* Insertion sort by the share of points. */
	for (int i = 0; i < plan->player_count; i++) {
		const struct match_total *t = &totals->total[i];
		int at = i;
		for (; at; at--) {
			const struct match_total *above = &totals->total[order[at - 1]];
			if (t->shares * (double)above->games <= above->shares * (double)t->games)
				break;
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
	for (int i = 0; i < plan->player_count; i++) {
		const int player = order[i];
		const struct match_total *t = &totals->total[player];
		json_t *o = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:I}", "name",
				      plan->players[player].name, "spec",
				      plan->players[player].spec, "games", (json_int_t)t->games,
				      "wins", (json_int_t)t->wins, "draws", (json_int_t)t->draws,
				      "losses", (json_int_t)t->losses, "points", t->shares,
				      "crashes", (json_int_t)t->crashes, "timeouts",
				      (json_int_t)t->timeouts, "illegal", (json_int_t)t->illegal);
		json_object_set_new(o, "elo",
				    t->games ? json_real(ratings[player].elo) : json_null());
		json_object_set_new(o, "error",
				    t->games ? json_real(ratings[player].error) : json_null());
		json_array_append_new(list, o);
	}
	return list;
}

/* ---- Games ---- */

/* The names of the players, in the order of the seats of that game. */
static json_t *seats_json(const struct match_plan *plan, int64_t number)
{
	struct match_seating seating;
	json_t *list = json_array();
	plan_seating(plan, number, &seating);
	for (int seat = 0; seat < plan->rules.game->seats; seat++)
		json_array_append_new(list, json_string(plan->players[seating.player[seat]].name));
	return list;
}

/* The events of a record by kind. Owns its values. */
struct game_events {
	json_t *moves, *start, *result;
};

/* times: moves come as objects with their seat and their time, not as texts. */
static struct game_events events_of(const struct journal_game *game, bool times)
{
	struct game_events s = { json_array(), json_object(), json_object() };
	const char *line = game->record.data, *end = line ? line + game->record.length : line;
	while (line && line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const size_t length = (size_t)((stop ? stop : end) - line);
		json_t *event = json_loadb(line, length, 0, NULL);
		json_t *move = json_object_get(event, "move");
		if (json_object_get(event, "quevedo"))
			json_object_update(s.start, event);
		else if (move && times)
			json_array_append_new(
				s.moves,
				json_pack("{s:O, s:I, s:O?}", "move", move, "seat",
					  json_integer_value(json_object_get(event, "seat")),
					  "seconds", json_object_get(event, "time")));
		else if (move)
			json_array_append(s.moves, move);
		else if (json_object_get(event, "result"))
			json_object_update(s.result, event);
		json_decref(event);
		line += length + 1;
	}
	return s;
}

static void events_release(struct game_events *s)
{
	json_decref(s->moves);
	json_decref(s->start);
	json_decref(s->result);
}

/* How the game ended, from its line of statistics. */
static json_t *end_json(const struct journal_game *game, json_int_t *plies)
{
	json_t *line = game->stats ? json_loadb(game->stats, game->stats_size, 0, NULL) : NULL;
	const json_t *stats = json_object_get(line, "stats");
	json_t *end = json_incref(json_object_get(stats, "end"));
	*plies = json_integer_value(json_object_get(stats, "plies"));
	json_decref(line);
	return end ? end : json_null();
}

/* A game in the list of a match. While it runs its moves are counted instead. */
static json_t *game_json(const struct journal_contents *c, int64_t number)
{
	const struct journal_game *game = &c->games[number];
	struct game_events s = events_of(game, false);
	json_int_t plies;
	json_t *end = end_json(game, &plies);
	json_t *result = json_object_get(s.result, "result");
	json_t *o =
		json_pack("{s:I, s:o, s:O?, s:o, s:I}", "number", (json_int_t)number + 1, "seats",
			  seats_json(&c->header.plan, number), "result", result, "end", end,
			  "plies", game->finished ? plies : (json_int_t)json_array_size(s.moves));
	events_release(&s);
	return o;
}

/* A game that was only planned has no record. */
static bool has_begun(const struct journal_game *game)
{
	return game->record.length > 0;
}

/* The newest games, oldest of them first. */
static json_t *list_json(const struct journal_contents *c)
{
	int64_t first = c->header.plan.games;
	json_t *list = json_array();
	for (int n = 0; first && n < MATCH_FILES_MOST_GAMES; first--)
		n += has_begun(&c->games[first - 1]);
	for (int64_t i = first; i < c->header.plan.games; i++)
		if (has_begun(&c->games[i]))
			json_array_append_new(list, game_json(c, i));
	return list;
}

/* The newest game in progress. */
static json_t *live_json(const struct match_file *r)
{
	const struct journal_contents *c = &r->contents;
	int64_t i = c->header.plan.games - 1;
	while (i >= 0 && (c->games[i].finished || !has_begun(&c->games[i])))
		i--;
	if (i < 0 || !r->running)
		return json_null();
	struct game_events s = events_of(&c->games[i], false);
	json_t *o = json_pack("{s:I, s:o, s:O, s:O}", "number", (json_int_t)i + 1, "seats",
			      seats_json(&c->header.plan, i), "start",
			      json_object_get(s.start, "position"), "moves", s.moves);
	events_release(&s);
	return o;
}

/* ---- A match, a game ---- */

/* Everything about a match: standings, Elo curve, list of games and the game being played. */
enum qv_status match_file_read(const struct match_folder *folder, const char *name, json_t **out,
			       struct qv_error *error)
{
	struct match_file r;
	struct match_totals totals = { 0 };
	struct match_report report = { 0 };
	enum qv_status status = read_journal(folder, name, 0, &r, error);
	if (status != QV_OK)
		return status;
	const struct match_plan *plan = &r.contents.header.plan;
	status = totals_init(&totals, &mem_malloc, plan->player_count);
	if (status == QV_OK)
		status = report_init(&report, &mem_malloc, plan->player_count);
	/* Counts games in their order, as the referee does, up to the first missing one. */
	const struct journal_game *games = r.contents.games;
	for (int64_t i = 0; status == QV_OK && i < plan->games && games[i].finished; i++) {
		struct match_game game;
		if (flag_is_set(folder->stop))
			status = qv_fail(error, QV_STOPPED, "match '%.80s': stopped", name);
		else
			status = journal_take(&r.contents, i, &game, error);
		if (status != QV_OK)
			break;
		totals_add(&totals, plan, &game);
		status = report_add(&report, plan, &game, &totals);
		match_game_release(&game);
	}
	json_t *o = status == QV_OK ? entry_json(&r, name) : NULL;
	if (o) {
		json_t *curve = json_array();
		for (int i = 0; i < report.points; i++) {
			const struct rating *at = &report.ratings[i * report.players];
			json_array_append_new(curve, json_pack("{s:I, s:f, s:f}", "games",
							       (json_int_t)report.at[i], "elo",
							       at->elo, "error", at->error));
		}
		json_object_set_new(o, "type", json_string("match"));
		json_object_set_new(o, "standings", standings_json(plan, &totals));
		json_object_set_new(o, "elo", curve);
		json_object_set_new(o, "list", list_json(&r.contents));
		json_object_set_new(o, "live", live_json(&r));
		*out = o;
	} else if (status == QV_OK || status == QV_NO_MEMORY) {
		status = qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	}
	report_release(&report);
	totals_release(&totals);
	match_file_release(&r);
	return status;
}

enum qv_status match_file_text(const struct match_folder *folder, const char *name, char **out,
			       struct qv_error *error)
{
	struct match_place place = { .stamp = 0 };
	json_t *json = NULL;
	const bool found = match_place_find(folder, name, &place);
	*out = found ? match_cache_find(folder->cache, name, &place) : NULL;
	if (*out)
		return QV_OK;
	const enum qv_status status = match_file_read(folder, name, &json, error);
	if (status != QV_OK)
		return status;
	*out = json_to_text(json, GAME_JSON_FORM);
	if (!*out)
		return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	/* A file that has changed meanwhile is read again the next time. */
	match_cache_keep(folder->cache, name, &place, *out);
	return QV_OK;
}

/* One game with its moves, their times, and the record itself. */
enum qv_status match_file_game(const struct match_folder *folder, const char *name, int64_t number,
			       json_t **out, struct qv_error *error)
{
	struct match_file r;
	json_int_t plies;
	enum qv_status status =
		read_journal(folder, name, number > 0 ? number : INT64_MAX, &r, error);
	if (status != QV_OK)
		return status;
	const struct match_plan *plan = &r.contents.header.plan;
	const bool exists = number >= 1 && number <= plan->games;
	const struct journal_game *game = exists ? &r.contents.games[number - 1] : NULL;
	if (!game || !has_begun(game)) {
		match_file_release(&r);
		return qv_fail(error, QV_UNKNOWN, "game %lld: not in this match",
			       (long long)number);
	}
	struct game_events s = events_of(game, true);
	*out = json_pack("{s:O?, s:I, s:o, s:O?, s:O, s:O?, s:o, s:s%}", "game",
			 json_object_get(s.start, "game"), "number", (json_int_t)number, "seats",
			 seats_json(plan, number - 1), "start",
			 json_object_get(s.start, "position"), "moves", s.moves, "result",
			 json_object_get(s.result, "result"), "end", end_json(game, &plies),
			 "record", game->record.data, game->record.length);
	events_release(&s);
	match_file_release(&r);
	return *out ? QV_OK : qv_fail(error, QV_NO_MEMORY, "match: out of memory");
}
