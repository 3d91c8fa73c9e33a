/*
 * nnue.c - fuzz target: a file of another program's net. The input is what is changed in a sound
 * one: by how much it is shorter or longer, then places and the bytes that go there.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"
#include "support/nnue_file.h"

enum { EDIT = 5, MORE = 256 };

static void evaluate_some(const struct nnue *net)
{
	struct chess s;
	struct nnue_memory memory = { .known = { false } };
	qv_move moves[CHESS_MAX_MOVES];
	chess_start(&s, NULL);
	for (int ply = 0; ply < 40; ply++) {
		const int n = chess_moves(&s, moves);
		const int32_t value = nnue_value(net, &s, &memory);
		fuzz_require(value > -QV_MAX_EVAL && value < QV_MAX_EVAL);
		if (!n)
			break;
		chess_play(&s, moves[(ply * 7 + 3) % n]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_error error = { "" };
	struct nnue *net;
	char *file = nnue_file_new(size ? data[0] : 0, MORE);
	fuzz_require(file);
	const size_t length = size ? NNUE_FILE + (size_t)(int8_t)data[0] : NNUE_FILE;
	for (size_t i = 1; i + EDIT <= size; i += EDIT) {
		const size_t place = (size_t)data[i] | (size_t)data[i + 1] << 8 |
				     (size_t)data[i + 2] << 16 | (size_t)data[i + 3] << 24;
		file[place % (NNUE_FILE + MORE)] = (char)data[i + 4];
	}
	if (nnue_read(&mem_malloc, file, length, &net, &error) == QV_OK)
		evaluate_some(net);
	else
		fuzz_require_reason(&error);
	nnue_free(&mem_malloc, net);
	free(file);
	return 0;
}
