/*
 * warptrog_net.c - fuzz target: a file of Warp Trog's net. The input is what is changed in the
 * shipped one: by how much it is shorter or longer, then places and the bytes that go there.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "games/warptrog/net.h"

enum { EDIT = 4, ROOM = WARPTROG_NET_FILE + 256 };

/* The values of positions of a game without plan are within their bounds. */
static void evaluate_some(const struct warptrog_net *net)
{
	static const int64_t options[QV_MAX_OPTIONS] = { 5 };
	struct warptrog s;
	qv_move moves[WARPTROG_MAX_MOVES];
	warptrog_start(&s, options);
	for (int ply = 0; ply < 120 && !warptrog_has_ended(&s); ply++) {
		const int n = warptrog_moves(&s, moves);
		s.weaker = (uint8_t)(ply % 3);
		const int32_t value = warptrog_net_evaluate(&s, net);
		fuzz_require(value >= -WARPTROG_NET_VALUE && value <= WARPTROG_NET_VALUE);
		warptrog_play(&s, moves[(ply * 7 + 3) % n]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_error error = { "" };
	struct warptrog_net *net = malloc(sizeof *net);
	char *file = calloc(1, ROOM);
	fuzz_require(net && file);
	warptrog_net_write(&warptrog_net_file.net, file);
	const size_t length =
		size ? WARPTROG_NET_FILE + (size_t)(int8_t)data[0] : WARPTROG_NET_FILE;
	for (size_t i = 1; i + EDIT <= size; i += EDIT) {
		const size_t at =
			(size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
		file[at % ROOM] = (char)data[i + 3];
	}
	if (warptrog_net_read(file, length, net, &error) == QV_OK)
		evaluate_some(net);
	else
		fuzz_require_reason(&error);
	free(file);
	free(net);
	return 0;
}
