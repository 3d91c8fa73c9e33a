/*
 * backgammon_net.c - fuzz target: a file of backgammon's nets. The input is what is changed in the
 * shipped one: by how much it is shorter or longer, then places and the bytes that go there.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "games/backgammon/net.h"

enum { EDIT = 4, ROOM = BACKGAMMON_NET_FILE + 256 };

/* Positions of a game without plan have finite values, within three points. */
static void evaluate_some(const struct backgammon_nets *nets)
{
	static const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct backgammon s;
	qv_move moves[BACKGAMMON_MAX_MOVES];
	backgammon_start(&s, options);
	for (int ply = 0; ply < 120 && !backgammon_has_ended(&s); ply++) {
		struct backgammon_chances c;
		const int n = backgammon_moves(&s, moves);
		backgammon_chances(nets, &s, &c);
		for (int i = 0; i < BACKGAMMON_OUTPUTS; i++)
			fuzz_require(c.of[i] >= 0 && c.of[i] <= 1);
		const int32_t value = backgammon_net_evaluate(&s, nets);
		fuzz_require(value >= -3000 && value <= 3000);
		backgammon_play(&s, moves[(ply * 7 + 3) % n]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_error error = { "" };
	struct backgammon_nets *nets = malloc(sizeof *nets);
	char *file = calloc(1, ROOM);
	fuzz_require(nets && file);
	backgammon_nets_write(backgammon_nets(), file);
	const size_t length =
		size ? BACKGAMMON_NET_FILE + (size_t)(int8_t)data[0] : BACKGAMMON_NET_FILE;
	for (size_t i = 1; i + EDIT <= size; i += EDIT) {
		const size_t at =
			(size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
		file[at % ROOM] = (char)data[i + 3];
	}
	if (backgammon_nets_read(file, length, nets, &error) == QV_OK)
		evaluate_some(nets);
	else
		fuzz_require_reason(&error);
	free(file);
	free(nets);
	return 0;
}
