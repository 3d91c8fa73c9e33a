/*
 * host.h - what the fuzz targets of the server share: an API in a folder in memory, with a clock and random numbers of its own.
 * SPDX-License-Identifier: MIT
 *
 * There are no threads: host_step does the work of the store and of the workers. Searches ask for the time, which then goes by
 * fast, so none takes long.
 */
#ifndef FUZZ_HOST_H
#define FUZZ_HOST_H

#include <dirent.h>
#include <sodium.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "fuzz/work.h"
#include "server/api/api.h"
#include "support/promises.h"

enum { SEARCH_TICK_MS = 500 }; /* from one look at the clock to the next, in a search */

struct fuzz_host {
	struct api *api;
	char folder[64];
	int64_t now;
	bool searching;
	struct api_cluster cluster; /* set before host_open; or alone */
	size_t check_bytes;	    /* likewise; or the usual */
};

/* ---- Random numbers: the same in every run ---- */

static uint64_t fuzz_random_state = 88172645463325252u;

static inline const char *fuzz_random_name(void)
{
	return "fuzz";
}

static inline uint32_t fuzz_random(void)
{
	fuzz_random_state ^= fuzz_random_state << 13;
	fuzz_random_state ^= fuzz_random_state >> 7;
	fuzz_random_state ^= fuzz_random_state << 17;
	return (uint32_t)(fuzz_random_state >> 32);
}

static inline void fuzz_random_bytes(void *out, const size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *)out)[i] = (unsigned char)fuzz_random();
}

static inline void fuzz_use_own_random(void)
{
	static struct randombytes_implementation own = { .implementation_name = fuzz_random_name,
							 .random = fuzz_random,
							 .buf = fuzz_random_bytes };
	randombytes_set_implementation(&own);
}

/* ---- Folders ---- */

/* A new folder, in memory where that is possible: syncing costs nothing there. */
static inline void fuzz_folder_make(char folder[64])
{
	const char *place = getenv("FUZZ_FOLDER");
	if (!place)
		place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(folder, 64, "%.40s/quevedo-fuzz-XXXXXX", place);
	fuzz_require(mkdtemp(folder) != NULL);
}

static inline void fuzz_folder_clear(const char *folder)
{
	DIR *dir = opendir(folder);
	char path[600];
	for (struct dirent *e; dir && (e = readdir(dir));) {
		snprintf(path, sizeof path, "%.200s/%.255s", folder, e->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
}

static inline void fuzz_folder_remove(const char *folder)
{
	fuzz_folder_clear(folder);
	rmdir(folder);
}

/* ---- The host of an API ---- */

static inline void host_wake(void *ctx)
{
	(void)ctx;
}

static inline int64_t host_now_ms(void *ctx)
{
	struct fuzz_host *h = ctx;
	if (h->searching)
		h->now += SEARCH_TICK_MS;
	return h->now;
}

static inline int64_t host_seconds(void *ctx)
{
	return 1700000000 + ((const struct fuzz_host *)ctx)->now / 1000;
}

/* What leaves the server: responses, streams, lines of the log, messages to other servers. */
static inline void host_leaves(const char *text, size_t size)
{
	static struct promises promises;
	fuzz_require(promises_see(&promises, text, size));
}

static inline void host_log(void *ctx, const char *level, const char *text)
{
	(void)ctx, (void)level;
	host_leaves(text, strlen(text));
}

/* What a thread would do next; false: nothing waits. The clock is back afterwards. */
static inline bool host_step(struct fuzz_host *h)
{
	const int64_t before = h->now;
	work_set_aside(true);
	bool stepped = api_step(h->api, API_STORE);
	if (!stepped) {
		h->searching = true;
		stepped = api_step(h->api, API_WORKER);
		h->searching = false;
	}
	work_set_aside(false);
	h->now = before;
	return stepped;
}

/* Opens the API in h->folder. */
static inline enum qv_status host_open(struct fuzz_host *h,
				       void (*respond)(void *ctx, const struct api_response *),
				       struct qv_error *error)
{
	const struct api_setup setup = { .context = fuzz_games(),
					 .data = h->folder,
					 .workers = 1,
					 .hash_mb = 1,
					 .per_address = 1,
					 .manual = true,
					 .cluster = h->cluster,
					 .check_bytes = h->check_bytes,
					 .log = { .write = host_log },
					 .host = { .respond = respond,
						   .wake = host_wake,
						   .now_ms = host_now_ms,
						   .seconds = host_seconds,
						   .ctx = h } };
	return api_open(&setup, &h->api, error);
}

#endif
