/*
 * net.c - fuzz target: a file of chess's net. The input is what is changed in the shipped one: by
 * how much it is shorter or longer, then places (from the end, if their highest bit is set) and the
 * bytes that go there.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "games/chess/net.h"
#include "games/chess/moves.h"

enum { EDIT = 4, ROOM = CHESS_NET_FILE + 256 };

static void evaluate_some(const struct chess_net *net)
{
	struct chess_net_memory *memory = calloc(1, sizeof *memory);
	fuzz_require(memory);
	struct chess s;
	qv_move moves[CHESS_MAX_MOVES];
	chess_start(&s, NULL);
	for (int ply = 0; ply < 40; ply++) {
		const int n = chess_moves(&s, moves);
		const int32_t value = chess_net_evaluate(&s, net, memory);
		fuzz_require(value > -QV_MAX_EVAL && value < QV_MAX_EVAL);
		fuzz_require(value == chess_net_evaluate(&s, net, NULL));
		if (!n)
			break;
		chess_play(&s, moves[(ply * 7 + 3) % n]);
	}
	free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_error error = { "" };
	struct chess_net *net = malloc(sizeof *net);
	char *file = calloc(1, ROOM);
	fuzz_require(net && file);
	chess_net_write(&chess_net_file.net, file);
	const size_t length = size ? CHESS_NET_FILE + (size_t)(int8_t)data[0] : CHESS_NET_FILE;
	for (size_t i = 1; i + EDIT <= size; i += EDIT) {
		const size_t at =
			(size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
		const size_t place = at >> 23 ? CHESS_NET_FILE - at % (1 << 23) : at;
		file[place % ROOM] = (char)data[i + 3];
	}
	if (chess_net_read(file, length, net, &error) == QV_OK)
		evaluate_some(net);
	else
		fuzz_require_reason(&error);
	free(file);
	free(net);
	return 0;
}
