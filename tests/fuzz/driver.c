/*
 * driver.c - finds and runs a fuzz target, and limits its work by the size of its input.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include FUZZ_LIST

#define X(name) int fuzz_target_##name(const uint8_t *data, size_t size);
FUZZ_NAMES
#undef X

static const struct fuzz_target targets[] = {
#define X(name) { #name, fuzz_target_##name },
	FUZZ_NAMES
#undef X
};

/*
 * The most edges for an input: `base`, and `per_byte` for each of its bytes. At least twice what any input of the corpus
 * takes, grown to 64 KiB; tools/fuzz-all work prints how close they come. A target whose limit is large says why.
 */
static const struct bound {
	const char *name;
	uint64_t base, per_byte;
} bounds[] = {
	{ "arguments", 1000000, 500 },
	{ "backgammon_file", 2000000, 40000 },
	{ "backgammon_net", 8000000, 500 },
	{ "book", 2000000, 20000 },
	{ "command_line", 1000000, 500 },
	{ "config", 1000000, 500 },
	{ "connect4_early", 1000000, 500 },
	{ "engine", 500000000, 500 },
	{ "engine_options", 1000000, 500 },
	{ "epd", 1000000, 800 },
	{ "fibs", 1000000, 2000 },
	{ "forwarded", 1000000, 500 },
	{ "games", 2000000, 8000 },
	{ "http_text", 1000000, 500 },
	{ "imcs", 2000000, 500 },
	{ "imcs_client", 1000000, 2000 },
	{ "jansson", 1000000, 800 },
	{ "job_text", 20000000, 20000 }, /* a player is made to check its spec; moves of two bytes are replayed */
	{ "journal", 1000000, 500 },
	{ "learned", 1000000, 500 },
	{ "manager", 4000000, 20000 },
	{ "move", 500000000, 2000 },
	{ "net", 40000000, 500 },
	{ "nnue", 500000000, 500 },
	{ "obf", 1000000, 500 },
	{ "openings", 1000000, 20000 },
	{ "pgn", 4000000, 2000 },
	{ "play", 200000000, 2000 },
	{ "polyglot", 1000000, 500 },
	{ "position", 20000000, 500 },
	{ "protocol_spec", 1000000, 500 },
	{ "puzzles", 2000000, 500 },
	{ "record", 1000000, 400 },
	{ "rules", 2000000, 500 },
	{ "secrets", 1000000, 500 },
	{ "server_api", 2000000000, 20000 }, /* as many pictures as one may ask for at once */
	{ "server_bus", 2000000000, 20000 }, /* any request may come from another server */
	{ "server_database", 40000000, 500 },
	{ "server_http", 1000000, 500 },
	{ "server_matches", 5000000, 500 },
	{ "server_play", 8000000, 800 },
	{ "server_removals", 1000000, 500 },
	{ "set_up", 1000000, 500 },
	{ "sgf_tree", 2000000, 2000 },
	{ "sodium", 1000000, 500 },
	{ "spec", 2000000, 500 },
	{ "sprt", 1000000, 500 },
	{ "svg_png", 8000000, 20000 },
	{ "table_search", 1000000, 500 },
	{ "tables", 40000000, 500 },
	{ "train", 1000000, 500 },
	{ "tune", 8000000, 500 },
	{ "warptrog_net", 1000000, 500 },
	{ "weights", 200000000, 4000 },
	{ "wire", 2000000, 500 },
	{ "wire_chess", 1000000000, 800 },
	{ "wire_hub", 2000000, 800 },
	{ "wire_reversi", 20000000, 2000 },
	{ "wthor", 1000000, 500 },
	{ "zstd", 1000000, 500 },
};

/* Likewise for what the event loop of a server does for one request or in one turn. */
static const struct bound loop_bounds[] = {
	{ "server_api", 70000000, 500 }, /* the first look at the openings reads the book */
	{ "server_bus", 70000000, 500 },
};

const struct fuzz_target *fuzz_find(const char *name)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (strcmp(targets[i].name, name) == 0)
			return &targets[i];
	return NULL;
}

/* UINT64_MAX: the list does not have it. */
static uint64_t find_bound(const struct bound *list, size_t count, const char *name, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			return list[i].base + list[i].per_byte * size;
	return UINT64_MAX;
}

struct work fuzz_most_work(const struct fuzz_target *target, size_t size)
{
	const struct work most = {
		find_bound(bounds, sizeof bounds / sizeof *bounds, target->name, size),
		find_bound(loop_bounds, sizeof loop_bounds / sizeof *loop_bounds, target->name, size)
	};
	if (most.all != UINT64_MAX)
		return most;
	fprintf(stderr, "driver.c: target %s has no limit of its work\n", target->name);
	exit(2);
}

struct work fuzz_run(const struct fuzz_target *target, const uint8_t *data, size_t size)
{
	const struct work most = fuzz_most_work(target, size);
	work_begin(&most);
	target->run(data, size);
	return work_end();
}

static const struct fuzz_target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");
	(void)argc, (void)argv;
	chosen = name ? fuzz_find(name) : NULL;
	if (chosen)
		return 0;
	fprintf(stderr, "FUZZ_TARGET: must be one of");
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		fprintf(stderr, " %s", targets[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_run(chosen, data, size);
	return 0;
}
