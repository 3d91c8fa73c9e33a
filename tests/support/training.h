/*
 * training.h - a folder for a training of two rounds.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_TRAINING_H
#define TEST_TRAINING_H

#include "support/check.h"

#include <stdlib.h>
#include <unistd.h>

struct training_folder {
	char path[64];
};

static inline struct training_folder training_folder_new(void)
{
	struct training_folder f = { "/tmp/quevedo-train-XXXXXX" };
	assert_non_null(mkdtemp(f.path));
	return f;
}

static inline void training_path(const struct training_folder *f, const char *name, char path[160])
{
	snprintf(path, 160, "%s/%s", f->path, name);
}

/* Removes the folder with the files of the training; there must be no others. */
static inline void training_folder_free(const struct training_folder *f)
{
	static const char *const names[] = { "weights", "round-1.games", "round-1.weights",
					     "round-2.games", "round-2.weights" };
	char path[160];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		training_path(f, names[i], path);
		remove(path);
	}
	assert_int_equal(rmdir(f->path), 0);
}

#endif
