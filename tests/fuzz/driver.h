/*
 * driver.h - the fuzz targets of a program by name, each with a limit of its work.
 * SPDX-License-Identifier: MIT
 */
#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz/work.h"

struct fuzz_target {
	const char *name;
	int (*run)(const uint8_t *data, size_t size);
};

/* NULL: the program has no such target. */
const struct fuzz_target *fuzz_find(const char *name);
/* How many edges an input of that size may take. */
struct work fuzz_most_work(const struct fuzz_target *target, size_t size);
/* Runs the target with an input; returns its work. More than the limit aborts. */
struct work fuzz_run(const struct fuzz_target *target, const uint8_t *data, size_t size);

/* For libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#endif
