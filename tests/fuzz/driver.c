/*
 * driver.c - finds and runs a fuzz target, and limits its work by the size of its input.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/work.h"
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
	{ "", 100000000000, 1000000 },
};

const struct fuzz_target *fuzz_find(const char *name)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (strcmp(targets[i].name, name) == 0)
			return &targets[i];
	return NULL;
}

uint64_t fuzz_most_work(const struct fuzz_target *target, size_t size)
{
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
		if (!*bounds[i].name || strcmp(bounds[i].name, target->name) == 0)
			return bounds[i].base + bounds[i].per_byte * size;
	fprintf(stderr, "driver.c: target %s has no limit of its work\n", target->name);
	exit(2);
}

uint64_t fuzz_run(const struct fuzz_target *target, const uint8_t *data, size_t size)
{
	work_begin(fuzz_most_work(target, size));
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
