/*
 * connect4-early.c - makes the table of connect-four's early positions: the exact score of every
 * position with so many discs.
 * SPDX-License-Identifier: MIT
 *
 * usage: connect4-early PLIES JOURNAL OUT [THREADS [MEGABYTES [SECONDS]]]
 *
 * What is solved goes into the journal as it comes; a run that was stopped, by a signal or after
 * SECONDS, is taken up again by the same command. OUT is written in either case: what is not solved
 * yet it does not know, and whoever uses it searches there. What an OUT that is there already knows
 * is not solved again, so a run can go on from it without its journal. The whole table is the same
 * bit for bit whoever made it, for scores are facts. Exit status: 0 OUT is whole; 1 something went
 * wrong; 2 wrong use; 3 stopped before the end.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/flag.h"
#include "base/threads.h"
#include "games/connect4/early.h"
#include "games/connect4/exact_score.h"

enum {
	CHUNK = 32,                /* positions of a line of the journal */
	LINE = 8 + CHUNK,          /* its number, its sum, its scores */
};

struct work {
	int plies, threads;
	size_t count, room, chunks;
	struct c4 *list;           /* in the order of play, so that neighbours have much in common */
	bool *done;                /* chunks */
	int8_t *scores;            /* by number in the list; C4_EARLY_UNKNOWN: not solved yet */
	FILE *journal;
	bool journal_failed;
	struct c4_table table;
	struct mutex lock;         /* of the journal, and of done */
	atomic_size_t next, solved;
	atomic_int ended;          /* threads */
	struct qv_flag stop;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "connect4-early: %s: %s\n", what, why);
	exit(1);
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *take(size_t count, size_t size)
{
	void *block = calloc(count, size);
	if (!block)
		fail("memory", "there is none left");
	return block;
}

/* ---- the positions ---- */

struct level {
	struct c4_places places;
	bool *seen;
};

static void list(struct work *w, struct level *levels, const struct c4 *at, int discs)
{
	if (c4_has_four(at->mover ^ at->all))
		return;
	if (discs > 0) {
		bool *seen = &levels[discs].seen[c4_place(&levels[discs].places, at)];
		if (*seen)
			return;
		*seen = true;
	}
	if (discs == w->plies) {
		if (w->count == w->room) {
			w->room = w->room ? 2 * w->room : 1 << 16;
			w->list = realloc(w->list, w->room * sizeof *w->list);
			if (!w->list)
				fail("memory", "there is none left");
		}
		w->list[w->count++] = *at;
		return;
	}
	for (int i = 0; i < C4_WIDTH; i++) {
		const uint64_t move = c4_playable(at) & C4_COLUMN(c4_from_middle[i]);
		struct c4 next = *at;
		c4_play(&next, move);
		if (move)
			list(w, levels, &next, discs + 1);
	}
}

static void list_all(struct work *w)
{
	struct level *levels = take(C4_EARLY_MOST + 1, sizeof *levels);
	for (int i = 1; i <= w->plies; i++) {
		c4_places_init(&levels[i].places, i);
		levels[i].seen = take(levels[i].places.count, 1);
	}
	list(w, levels, &(struct c4){ 0, 0 }, 0);
	for (int i = 1; i <= w->plies; i++)
		free(levels[i].seen);
	free(levels);
	w->chunks = (w->count + CHUNK - 1) / CHUNK;
	w->done = take(w->chunks, sizeof *w->done);
	w->scores = take(w->chunks * CHUNK, 1);
	memset(w->scores, C4_EARLY_UNKNOWN, w->count);
}

/* What the table knows that a run before this one has made. */
static void take_up(struct work *w, const char *path)
{
	struct file_bytes file = { 0 };
	struct c4_early early;
	struct qv_error error = { "" };
	if (access(path, F_OK) != 0)
		return;
	if (file_read(&mem_malloc, path, c4_early_size(w->plies), &file, &error) != QV_OK ||
	    c4_early_read(&early, (unsigned char *)file.data, file.size, &error) != QV_OK)
		fail(path, error.text);
	if (early.plies != w->plies)
		fail(path, "is a table of other plies");
	for (size_t i = 0; i < w->count; i++)
		w->scores[i] = (int8_t)c4_early_score(&early, &w->list[i]);
	file_release(&mem_malloc, &file);
}

/* ---- the journal ---- */

static void put32(unsigned char *at, uint32_t number)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

static uint32_t get32(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t sum_of(uint32_t chunk, const int8_t *scores)
{
	uint32_t sum = UINT32_C(2166136261) ^ chunk;
	for (int i = 0; i < CHUNK; i++)
		sum = (sum ^ (uint8_t)scores[i]) * UINT32_C(16777619);
	return sum;
}

/* Goes on after the last whole line; what a kill left of another is cut off. */
static void open_journal(struct work *w, const char *path)
{
	unsigned char line[LINE];
	long whole = 0;
	w->journal = fopen(path, "a+b");
	if (!w->journal)
		fail(path, strerror(errno));
	rewind(w->journal);
	while (fread(line, 1, LINE, w->journal) == LINE) {
		const uint32_t chunk = get32(line);
		if (chunk >= w->chunks || get32(line + 4) != sum_of(chunk, (int8_t *)line + 8))
			break;
		memcpy(w->scores + (size_t)chunk * CHUNK, line + 8, CHUNK);
		w->done[chunk] = true;
		whole += LINE;
	}
	if (ftruncate(fileno(w->journal), whole) != 0)
		fail(path, strerror(errno));
}

static void keep(struct work *w, size_t chunk)
{
	unsigned char line[LINE];
	const int8_t *scores = w->scores + chunk * CHUNK;
	put32(line, (uint32_t)chunk);
	put32(line + 4, sum_of((uint32_t)chunk, scores));
	memcpy(line + 8, scores, CHUNK);
	mutex_lock(&w->lock);
	w->done[chunk] = true;
	if (fwrite(line, 1, LINE, w->journal) != LINE || fflush(w->journal) != 0) {
		w->journal_failed = true;
		flag_set(&w->stop, true);
	}
	mutex_unlock(&w->lock);
}

/* ---- solving ---- */

static void solve_chunks(struct work *w)
{
	struct c4_exact hard = { .table = &w->table, .stop = &w->stop };
	for (;;) {
		const size_t chunk = atomic_fetch_add(&w->next, 1);
		if (chunk >= w->chunks || flag_is_set(&w->stop))
			return;
		if (w->done[chunk])
			continue;
		for (size_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK && i < w->count; i++) {
			if (w->scores[i] != C4_EARLY_UNKNOWN)
				continue;
			const struct c4_score found =
				c4_exact_score(&hard, &w->list[i], -C4_SQUARES, C4_SQUARES);
			if (hard.stopped)
				return;
			w->scores[i] = (int8_t)found.score;
			atomic_fetch_add(&w->solved, 1);
		}
		keep(w, chunk);
	}
}

static void solve_in_thread(void *ctx)
{
	struct work *w = ctx;
	solve_chunks(w);
	atomic_fetch_add(&w->ended, 1);
}

static size_t count_unknown(const struct work *w)
{
	size_t unknown = 0;
	for (size_t i = 0; i < w->count; i++)
		unknown += w->scores[i] == C4_EARLY_UNKNOWN;
	return unknown;
}

/* True: all are solved. */
static bool solve_all(struct work *w, size_t unknown, double limit)
{
	struct thread threads[THREADS_MOST];
	const double began = seconds();
	double told = began;
	int started = 0;
	while (started < w->threads && thread_start(&threads[started], solve_in_thread, w))
		started++;
	if (started == 0)
		fail("threads", "none can be started");
	while (atomic_load(&w->ended) < started) {
		nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
		if (interrupted || (limit > 0 && seconds() - began > limit))
			flag_set(&w->stop, true);
		if (seconds() - told < 10)
			continue;
		told = seconds();
		fprintf(stderr, "connect4-early: %zu of %zu positions after %.0f s\n",
			atomic_load(&w->solved), unknown, told - began);
	}
	for (int i = 0; i < started; i++)
		thread_join(&threads[i]);
	if (w->journal_failed || fclose(w->journal) != 0)
		fail("journal", strerror(errno));
	return count_unknown(w) == 0;
}

/* ---- the file ---- */

static void write_table(const struct work *w, const char *path)
{
	struct c4_places places;
	struct qv_error error = { "" };
	struct file_writer writer = { 0 };
	const size_t size = c4_early_size(w->plies);
	c4_places_init(&places, w->plies);
	int8_t *by_place = take(places.count, 1);
	unsigned char *file = take(size, 1);
	memset(by_place, C4_EARLY_UNKNOWN, places.count);
	for (size_t i = 0; i < w->count; i++)
		by_place[c4_place(&places, &w->list[i])] = w->scores[i];
	c4_early_pack(w->plies, by_place, file);
	if (file_create(&writer, &mem_malloc, path, &error) != QV_OK ||
	    file_write(&writer, file, size, &error) != QV_OK || file_keep(&writer, &error) != QV_OK)
		fail(path, error.text);
	fprintf(stderr, "connect4-early: %s: %zu bytes\n", path, size);
	free(by_place);
	free(file);
}

int main(int argc, char **argv)
{
	struct work w = { .plies = argc > 1 ? atoi(argv[1]) : 0 };
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	w.threads = argc > 4 ? atoi(argv[4]) : processors < 1 ? 1 : (int)processors;
	const long megabytes = argc > 5 ? atol(argv[5]) : 1024;
	if (argc < 4 || argc > 7 || w.plies < 1 || w.plies > C4_EARLY_MOST || w.threads < 1 ||
	    w.threads > THREADS_MOST || megabytes < 1) {
		fprintf(stderr, "usage: connect4-early PLIES JOURNAL OUT [THREADS [MEGABYTES [SECONDS]]]\n");
		return 2;
	}
	mutex_init(&w.lock);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	list_all(&w);
	take_up(&w, argv[3]);
	open_journal(&w, argv[2]);
	const size_t unknown = count_unknown(&w);
	fprintf(stderr, "connect4-early: %zu positions of %d discs, %zu to be solved\n", w.count,
		w.plies, unknown);
	if (unknown && c4_table_init(&w.table, &mem_malloc, (size_t)megabytes << 20) != QV_OK)
		fail("table", "no memory for it");
	const bool all = solve_all(&w, unknown, argc > 6 ? atof(argv[6]) : 0);
	write_table(&w, argv[3]);
	if (!all)
		fprintf(stderr, "connect4-early: not whole yet; the same command goes on\n");
	free(w.list);
	free(w.done);
	free(w.scores);
	c4_table_release(&w.table, &mem_malloc);
	return all ? 0 : 3;
}
