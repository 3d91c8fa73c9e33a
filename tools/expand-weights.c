/*
 * expand-weights.c - part of the build: the text file of chess's evaluation weights into the tables
 * of numbers that the library embeds, chess_weights and chess_phase_weights.
 * SPDX-License-Identifier: MIT
 * usage: expand-weights FILE OUT PHASES
 *
 * The file must give every group of weights, in the format that `quevedo train chess` writes and
 * weights=FILE reads.
 */
#include <stdio.h>

#include "base/file.h"
#include "games/chess/weights.h"
#include "search/weights.h"

enum { FILE_MOST = 1 << 20, MISSING = INT32_MIN };

static const struct qv_evaluation evaluation = { .name = "default", .names = chess_weight_names };

static enum qv_status read_all(const char *path, int32_t *weights, struct qv_error *error)
{
	struct file_bytes file = { 0 };
	enum qv_status status = file_read(&mem_malloc, path, FILE_MOST, &file, error);
	for (int i = 0; i < 2 * CHESS_WEIGHTS; i++)
		weights[i] = MISSING;
	if (status == QV_OK)
		status = weights_read(&evaluation, file.data, file.size, weights, error);
	file_release(&mem_malloc, &file);
	for (const struct qv_weight *w = chess_weight_names; status == QV_OK && w->name; w++)
		if (weights[w->first] == MISSING)
			status = qv_fail(error, QV_BAD_INPUT, "%s: %s is missing", path, w->name);
	return status;
}

static enum qv_status write_all(const char *path, const int32_t *weights, size_t size,
				struct qv_error *error)
{
	struct file_writer writer = { 0 };
	enum qv_status status = file_create(&writer, &mem_malloc, path, error);
	if (status == QV_OK)
		status = file_write(&writer, weights, size, error);
	return status == QV_OK ? file_keep(&writer, error) : status;
}

/* One set for each phase, in which the values of a pair are equal. */
static void fill_phases(const int32_t *weights, int32_t (*phases)[2 * CHESS_WEIGHTS])
{
	for (int i = 0; i < 2 * CHESS_WEIGHTS; i++) {
		const int32_t middle = weights[i & ~1], end = weights[i | 1];
		phases[QV_OPENING][i] = middle;
		phases[QV_MIDDLE][i] = (middle + end) / 2;
		phases[QV_END][i] = end;
	}
}

int main(int argc, char **argv)
{
	int32_t weights[2 * CHESS_WEIGHTS], phases[QV_PHASES][2 * CHESS_WEIGHTS];
	struct qv_error error = { 0 };
	int good = argc == 4 && read_all(argv[1], weights, &error) == QV_OK;
	if (good) {
		fill_phases(weights, phases);
		good = write_all(argv[2], weights, sizeof weights, &error) == QV_OK &&
		       write_all(argv[3], *phases, sizeof phases, &error) == QV_OK;
	}
	if (!good)
		fprintf(stderr, "expand-weights: %s\n",
			*error.text ? error.text : "usage: FILE OUT PHASES");
	return good ? 0 : 1;
}
