/*
 * match_list.c - the list of matches, and the cache of what was read of their journals.
 * SPDX-License-Identifier: MIT
 *
 * A journal only grows, so its results are counted once: after a change, reading continues behind
 * the last line that was counted. The plan is read again, to notice a file that was replaced. Lines
 * of results begin all alike, so none needs to be parsed.
 */
#define _DEFAULT_SOURCE /* for flock */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/threads.h"
#include "match/journal.h"
#include "server/api/match_cache.h"

enum {
	BLOCK = 1 << 20,	/* bytes that are read at once; the stop flag is asked for each */
	HEADER_MOST = 4 << 20,	/* bytes of a plan */
	SEEN_MOST = 2 * MATCH_FILES_MOST_FILES,
	TEXTS_MOST = 16 << 20, /* bytes of all texts that are kept */
};

/* What is kept of a journal. */
struct seen {
	char name[MATCH_FILES_NAME + 1];
	uint64_t used; /* when it was last used: a number that grows */
	/* For the list. */
	uint64_t stamp;	 /* of the file when it was last read to its end; 0: not yet */
	uint64_t header; /* hash of the first line */
	size_t at;	 /* bytes of the lines that were counted, the first included */
	bool in_line;	 /* these end within a line that is longer than a block */
	int64_t finished;
	int64_t planned;
	json_t *entry; /* the fields that do not change: name, game, players */
	/* The match as a whole; NULL: none is kept. */
	char *text;
	uint64_t text_stamp;
	bool text_running;
};

struct match_cache {
	struct mutex guard; /* protects everything below */
	struct seen *seen[SEEN_MOST];
	int count;
	uint64_t clock; /* of `used` */
	size_t text_bytes;
	int64_t bytes; /* that were read */
};

struct match_cache *match_cache_new(void)
{
	struct match_cache *cache = calloc(1, sizeof *cache);
	if (cache)
		mutex_init(&cache->guard);
	return cache;
}

static void drop_text(struct match_cache *cache, struct seen *seen)
{
	if (seen->text)
		cache->text_bytes -= strlen(seen->text);
	free(seen->text);
	seen->text = NULL;
}

static void seen_free(struct match_cache *cache, struct seen *seen)
{
	drop_text(cache, seen);
	json_decref(seen->entry);
	free(seen);
}

void match_cache_free(struct match_cache *cache)
{
	if (!cache)
		return;
	while (cache->count)
		seen_free(cache, cache->seen[--cache->count]);
	mutex_release(&cache->guard);
	free(cache);
}

int64_t match_cache_bytes(struct match_cache *cache)
{
	mutex_lock(&cache->guard);
	const int64_t bytes = cache->bytes;
	mutex_unlock(&cache->guard);
	return bytes;
}

void match_cache_count(struct match_cache *cache, size_t bytes)
{
	if (!cache)
		return;
	mutex_lock(&cache->guard);
	cache->bytes += (int64_t)bytes;
	mutex_unlock(&cache->guard);
}

/* The one that was not used for the longest time; with_text: of those that have one. */
static int oldest(const struct match_cache *cache, bool with_text)
{
	int found = -1;
	for (int i = 0; i < cache->count; i++)
		if ((!with_text || cache->seen[i]->text) &&
		    (found < 0 || cache->seen[i]->used < cache->seen[found]->used))
			found = i;
	return found;
}

/* What is kept of the file; NULL: nothing, or out of memory if it should be added. */
static struct seen *seen_at(struct match_cache *cache, const char *name, bool add)
{
	int i = 0;
	while (i < cache->count && strcmp(cache->seen[i]->name, name) != 0)
		i++;
	if (i == cache->count) {
		struct seen *seen = add ? calloc(1, sizeof *seen) : NULL;
		if (!seen)
			return NULL;
		if (cache->count == SEEN_MOST) {
			i = oldest(cache, false);
			seen_free(cache, cache->seen[i]);
		} else {
			cache->count++;
		}
		snprintf(seen->name, sizeof seen->name, "%s", name);
		cache->seen[i] = seen;
	}
	cache->seen[i]->used = ++cache->clock;
	return cache->seen[i];
}

/* ---- Texts ---- */

char *match_cache_find(struct match_cache *cache, const char *name, const struct match_place *place)
{
	char *text = NULL;
	if (!cache)
		return NULL;
	mutex_lock(&cache->guard);
	const struct seen *seen = seen_at(cache, name, false);
	if (seen && seen->text && seen->text_stamp == place->stamp &&
	    seen->text_running == place->running)
		text = strdup(seen->text);
	mutex_unlock(&cache->guard);
	return text;
}

void match_cache_keep(struct match_cache *cache, const char *name, const struct match_place *place,
		      const char *text)
{
	if (!cache || strlen(text) > TEXTS_MOST / 2)
		return;
	mutex_lock(&cache->guard);
	struct seen *seen = seen_at(cache, name, true);
	if (seen) {
		drop_text(cache, seen);
		while (cache->text_bytes + strlen(text) > TEXTS_MOST)
			drop_text(cache, cache->seen[oldest(cache, true)]);
		seen->text = strdup(text);
		seen->text_stamp = place->stamp;
		seen->text_running = place->running;
		cache->text_bytes += seen->text ? strlen(text) : 0;
	}
	mutex_unlock(&cache->guard);
}

/* ---- Counting ---- */

/* Is it the line of a result? "{"number":N,"result":" begins it. */
static bool is_result(const char *line, size_t size)
{
	static const char head[] = "{\"number\":", next[] = ",\"result\":";
	const size_t from = sizeof head - 1;
	if (size < from || memcmp(line, head, from) != 0)
		return false;
	size_t digits = 0;
	while (from + digits < size && line[from + digits] >= '0' && line[from + digits] <= '9')
		digits++;
	return digits && size - from - digits >= sizeof next - 1 &&
	       memcmp(line + from + digits, next, sizeof next - 1) == 0;
}

/* {"quevedo":1,"games":N}: the match was continued with more games. */
static void take_games(struct seen *seen, const char *line, size_t size)
{
	static const char head[] = "{\"quevedo\":";
	if (size < sizeof head || size > 200 || memcmp(line, head, sizeof head - 1) != 0)
		return;
	json_t *value = json_loadb(line, size, 0, NULL);
	const json_int_t games = json_integer_value(json_object_get(value, "games"));
	if (games > seen->planned)
		seen->planned = games;
	json_decref(value);
}

/* Counts the complete lines of a block. Returns its bytes that are done with. */
static size_t count_block(struct seen *seen, const char *data, size_t size)
{
	size_t at = 0;
	for (const char *end; (end = memchr(data + at, '\n', size - at)) != NULL;
	     at = (size_t)(end - data) + 1) {
		const size_t length = (size_t)(end - data) - at;
		if (!seen->in_line) {
			seen->finished += is_result(data + at, length);
			take_games(seen, data + at, length);
		}
		seen->in_line = false;
	}
	if (at == 0 && size == BLOCK) { /* a line that is as long as this is no result */
		seen->in_line = true;
		return size;
	}
	return at;
}

/* A list that is being made. */
struct listing {
	const struct match_folder *folder;
	struct match_cache *cache;
	size_t left;  /* bytes that may still be read */
	char *buffer; /* of BLOCK bytes */
	bool stopped;
};

static bool is_stopped(struct listing *l)
{
	l->stopped |= flag_is_set(l->folder->stop);
	return l->stopped;
}

/* Reads at most so many bytes; less at the end of the file, or if no more may be read. */
static size_t read_at(struct listing *l, int file, char *out, size_t most, size_t at)
{
	const ssize_t got = pread(file, out, most < l->left ? most : l->left, (off_t)at);
	const size_t bytes = got > 0 ? (size_t)got : 0;
	l->left -= bytes;
	l->cache->bytes += (int64_t)bytes;
	return bytes;
}

/* Counts what was added to the file. True: all of it. */
static bool count_rest(struct listing *l, int file, struct seen *seen)
{
	while (!is_stopped(l)) {
		const size_t wanted = l->left < BLOCK ? l->left : BLOCK;
		const size_t got = read_at(l, file, l->buffer, BLOCK, seen->at);
		seen->at += count_block(seen, l->buffer, got);
		if (got < BLOCK)
			return got < wanted || wanted == BLOCK;
	}
	return false;
}

/* The first line; NULL: it is too long, not complete, or may not be read now. */
static char *read_header(struct listing *l, int file, size_t *length)
{
	size_t size = 0, room = 4096;
	char *data = NULL;
	for (;; room *= 4) {
		char *more = room <= HEADER_MOST && !is_stopped(l) ? realloc(data, room) : NULL;
		if (!more)
			break;
		data = more;
		const size_t got = read_at(l, file, data + size, room - size, size);
		const char *end = memchr(data + size, '\n', got);
		size += got;
		if (end) {
			*length = (size_t)(end - data);
			return data;
		}
		if (size < room)
			break;
	}
	free(data);
	return NULL;
}

/* The fields of the list that follow from the plan. False: it is not the plan of a match. */
static bool take_plan(const struct match_folder *folder, struct seen *seen, const char *line,
		      size_t length)
{
	struct header_plan header = { 0 };
	char game[QV_POSITION_TEXT];
	struct qv_text text = { game, sizeof game, 0 };
	json_t *value = NULL, *players = json_array();
	json_load_object(line, length, JSON_ANY_DEPTH, &value, NULL);
	if (value && header_read(folder->context, value, &header, NULL) == QV_OK) {
		const struct match_plan *plan = &header.plan;
		for (int i = 0; i < plan->player_count; i++)
			json_array_append_new(players, json_string(plan->players[i].name));
		qv_rules_text(&plan->rules, &text);
		json_decref(seen->entry);
		seen->entry = json_pack("{s:s, s:s, s:O}", "name", seen->name, "game", game,
					"players", players);
		seen->planned = plan->games;
		header_release(&header);
	}
	json_decref(players);
	json_decref(value);
	return seen->entry != NULL;
}

/* Reads the plan of a file that has changed. If it is another one, all begins again. */
static void look_at_plan(struct listing *l, int file, const struct match_place *place,
			 struct seen *seen)
{
	size_t length = 0;
	char *line = read_header(l, file, &length);
	const uint64_t hash = line ? qv_hash_bytes(line, length) : 0;
	if (!line || hash != seen->header || place->size < seen->at) {
		json_decref(seen->entry);
		seen->entry = NULL;
		seen->finished = 0;
		seen->in_line = false;
		seen->at = length + 1;
		seen->header = hash;
		if (line)
			take_plan(l->folder, seen, line, length);
	}
	/* A file without a plan is looked at again when it has changed. */
	if (!seen->entry && l->left && !is_stopped(l))
		seen->stamp = place->stamp;
	free(line);
}

/*
 * Brings what is known of the file up to date: in the first round its plan, in the second the number
 * of its results. So the list has all matches, though not all may have been counted.
 */
static void look_at(struct listing *l, const struct match_place *place, struct seen *seen,
		    int round)
{
	if (seen->stamp == place->stamp || (round == 2 && !seen->entry))
		return;
	const int file = open(place->path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	if (round == 1)
		look_at_plan(l, file, place, seen);
	else if (count_rest(l, file, seen))
		seen->stamp = place->stamp;
	close(file);
}

/* ---- The list ---- */

/* For scandir. */
static int is_candidate(const struct dirent *file)
{
	return match_file_name_ok(file->d_name);
}

/* By the bytes of the name, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* The entry of a file; NULL: it is not a journal, or this is the first round. */
static json_t *entry_of(struct listing *l, const char *name, int round)
{
	struct match_place place;
	struct seen *seen;
	if (!match_place_find(l->folder, name, &place) || place.size > MATCH_FILES_MOST_BYTES ||
	    !(seen = seen_at(l->cache, name, true)))
		return NULL;
	look_at(l, &place, seen, round);
	if (round == 1 || !seen->entry)
		return NULL;
	json_t *entry = json_deep_copy(seen->entry);
	json_object_set_new(entry, "games", json_integer(seen->finished));
	json_object_set_new(entry, "planned", json_integer(seen->planned));
	json_object_set_new(entry, "running", json_boolean(place.running));
	return entry;
}

/* The guard is held all the time: two lists would read the same. */
json_t *match_files_list(const struct match_folder *folder)
{
	struct match_cache *own = folder->cache ? NULL : match_cache_new();
	struct listing l = { .folder = folder,
			     .cache = folder->cache ? folder->cache : own,
			     .left = MATCH_FILES_LIST_BYTES,
			     .buffer = malloc(BLOCK) };
	struct dirent **files = NULL;
	json_t *list = l.cache && l.buffer ? json_array() : NULL;
	const int count = list ? scandir(folder->path, &files, is_candidate, by_name) : 0;
	if (list)
		mutex_lock(&l.cache->guard);
	for (int round = 1; round <= 2; round++)
		for (int i = 0; i < count && i < MATCH_FILES_MOST_FILES && !is_stopped(&l); i++) {
			json_t *entry = entry_of(&l, files[i]->d_name, round);
			if (entry)
				json_array_append_new(list, entry);
		}
	if (list)
		mutex_unlock(&l.cache->guard);
	for (int i = 0; i < count; i++)
		free(files[i]);
	free(files);
	free(l.buffer);
	match_cache_free(own);
	if (is_stopped(&l)) {
		json_decref(list);
		list = NULL;
	}
	return list;
}
