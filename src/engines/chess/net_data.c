/*
 * net_data.c - chess: the net that comes with the library, as `quevedo train chess` wrote it.
 * SPDX-License-Identifier: MIT
 */
#include "engines/chess/net_data.h"

#ifndef NET_FILE
#error "the build names the file"
#endif

/* The assembler copies the file, whose head is as long as its weights are aligned. */
__asm__(".pushsection .rodata\n"
	".balign 64\n"
	".incbin \"" NET_FILE "\", 0, 64\n"
	".hidden chess_net_weights\n"
	".global chess_net_weights\n"
	"chess_net_weights:\n"
	".incbin \"" NET_FILE "\", 64\n"
	".popsection\n");
