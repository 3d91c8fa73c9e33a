/*
 * registry.c - the list of built-in games; nothing else names them all.
 * SPDX-License-Identifier: MIT
 *
 * To add a game: write games/<name>/rules.h and text.c, stamp it in engines/<name>.c, declare it in
 * registry.h and list it here. Conformance, reproducibility, fuzzing and the command then include
 * it; a literal twin goes to tests/twins.
 */
#include "games/registry.h"

static const struct engine *const engines[] = {
	&noughts_engine,
	&connect4_engine,
	&reversi_engine,
	&hexapawn_engine,
	&noughts3d_engine,
	&race_engine,
	&morris_engine,
	&minichess_engine,
	&diagram_engine,
	&chess_engine,
	&starchess_engine,
	NULL,
};

const struct engine *registry_at(int index)
{
	return index < 0 || index >= (int)(sizeof engines / sizeof *engines) ? NULL
									     : engines[index];
}
