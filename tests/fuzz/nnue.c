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

/* The file before it is changed, made once: it is large. */
static char *file;

static void forget(void)
{
	free(file);
}

/* Where the edit at that place of the input changes the file. */
static char *edited(const uint8_t *edit)
{
	const size_t place = (size_t)edit[0] | (size_t)edit[1] << 8 | (size_t)edit[2] << 16 |
			     (size_t)edit[3] << 24;
	return &file[place % (NNUE_FILE + MORE)];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_error error = { "" };
	struct nnue *net;
	if (!file) {
		file = nnue_file_new(1, MORE);
		fuzz_require(file && atexit(forget) == 0);
	}
	const size_t length = size ? NNUE_FILE + (size_t)(int8_t)data[0] : NNUE_FILE;
	/* An edit changes some bits of a byte, so the same edits undo it. */
	for (size_t i = 1; i + EDIT <= size; i += EDIT)
		*edited(data + i) ^= (char)data[i + 4];
	if (nnue_read(&mem_malloc, file, length, &net, &error) == QV_OK)
		evaluate_some(net);
	else
		fuzz_require_reason(&error);
	nnue_free(&mem_malloc, net);
	for (size_t i = 1; i + EDIT <= size; i += EDIT)
		*edited(data + i) ^= (char)data[i + 4];
	return 0;
}
