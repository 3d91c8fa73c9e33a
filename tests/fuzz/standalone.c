/*
 * standalone.c - runs a fuzz target over files, or over all files of folders, without libFuzzer.
 * SPDX-License-Identifier: MIT
 *
 * usage: fuzz_replay NAME [--grow COUNT SIZE] PATH...
 *
 * --grow makes of each file up to COUNT inputs of SIZE bytes, too: a few lines of it again and again, which is how work
 * that grows faster than its input shows.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/driver.h"

enum { LARGEST_FILE = 1 << 20, PATH = 4096 };

struct replay {
	const struct fuzz_target *target;
	const char *path;     /* of the file at hand */
	int inputs, grow;     /* grow: inputs made of each file */
	size_t grow_size;
	struct work most_work;
	double most_share, most_loop_share; /* of the limits of an input */
};

static void note_most(uint64_t work, uint64_t limit, uint64_t *most, double *most_share)
{
	const double share = (double)work / (double)limit;
	*most = work > *most ? work : *most;
	*most_share = share > *most_share ? share : *most_share;
}

static void run_bytes(struct replay *r, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1); /* of exactly its size, so that reading past it shows */
	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	const struct work work = fuzz_run(r->target, copy, size), limits = fuzz_most_work(r->target, size);
	free(copy);
	if (getenv("FUZZ_VERBOSE"))
		printf("%s %zu bytes %llu edges, %llu of the event loop, %s\n", r->target->name, size,
		       (unsigned long long)work.all, (unsigned long long)work.loop, r->path);
	r->inputs++;
	note_most(work.all, limits.all, &r->most_work.all, &r->most_share);
	note_most(work.loop, limits.loop, &r->most_work.loop, &r->most_loop_share);
}

/* The place after so many lines. */
static size_t line_start(const uint8_t *data, size_t size, int lines)
{
	size_t at = 0;
	for (; at < size && lines; at++)
		lines -= data[at] == '\n';
	return at;
}

/* What stands before the piece, the piece until nearly the whole size is reached, what stands after it. */
static void run_grown(struct replay *r, const uint8_t *data, size_t size, size_t from, size_t to)
{
	const size_t most = r->grow_size > size ? r->grow_size : size, piece = to - from;
	uint8_t *grown = malloc(most);
	if (!grown)
		abort();
	memcpy(grown, data, from);
	size_t used = from;
	for (; piece && used + piece + (size - to) <= most; used += piece)
		memcpy(grown + used, data + from, piece);
	memcpy(grown + used, data + to, size - to);
	run_bytes(r, grown, used + (size - to));
	free(grown);
}

/* The whole file again and again, then one or two of its lines, places evenly spread up to its end. Without lines: its bytes. */
static void run_growing(struct replay *r, const uint8_t *data, size_t size)
{
	int lines = 0;
	if (size && r->grow)
		run_grown(r, data, size, 0, size);
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	for (int i = 1; size && i < r->grow; i++) {
		size_t from = size * (size_t)i / (size_t)r->grow, to = from + 1 + (size_t)(i & 7);
		if (lines) {
			const int last = lines > 2 ? lines - 2 : 0;
			const int line = r->grow > 2 ? last * (i - 1) / (r->grow - 2) : last;
			from = line_start(data, size, line);
			to = line_start(data, size, line + 1 + (i & 1));
		}
		run_grown(r, data, size, from, to < size ? to : size);
	}
}

static bool run_file(struct replay *r, const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(LARGEST_FILE);
	if (!file || !data) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return false;
	}
	const size_t size = fread(data, 1, LARGEST_FILE, file);
	fclose(file);
	r->path = path;
	run_bytes(r, data, size);
	run_growing(r, data, size);
	free(data);
	return true;
}

static bool run_folder(struct replay *r, DIR *folder, const char *path)
{
	bool good = true;
	for (const struct dirent *entry = readdir(folder); entry && good; entry = readdir(folder)) {
		char name[PATH];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		good = run_file(r, name);
	}
	closedir(folder);
	return good;
}

static bool run_path(struct replay *r, const char *path)
{
	DIR *folder = opendir(path);
	return folder ? run_folder(r, folder, path) : run_file(r, path);
}

int main(int argc, char **argv)
{
	struct replay r = { .target = argc > 1 ? fuzz_find(argv[1]) : NULL };
	int at = 2;
	if (!r.target) {
		fprintf(stderr, "usage: fuzz_replay NAME [--grow COUNT SIZE] PATH...\n");
		return 2;
	}
	if (argc > 4 && strcmp(argv[2], "--grow") == 0) {
		r.grow = atoi(argv[3]);
		r.grow_size = (size_t)atol(argv[4]);
		at = 5;
	}
	for (; at < argc; at++)
		if (!run_path(&r, argv[at]))
			return 2;
	printf("%s: %d inputs, at most %llu edges, %.0f %% of the limit\n", argv[1], r.inputs,
	       (unsigned long long)r.most_work.all, 100 * r.most_share);
	if (fuzz_most_work(r.target, 0).loop != UINT64_MAX)
		printf("%s: at a time in the event loop at most %llu edges, %.0f %% of the limit\n", argv[1],
		       (unsigned long long)r.most_work.loop, 100 * r.most_loop_share);
	return r.inputs ? 0 : 1; /* an empty corpus proves nothing */
}
