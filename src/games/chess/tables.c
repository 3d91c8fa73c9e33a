/*
 * tables.c - chess: the tables of attacks, taken into the library as the build made them
 * (tools/chess-tables.c).
 * SPDX-License-Identifier: MIT
 */
#include "games/chess/tables.h"

#ifndef CHESS_TABLES
#error "the build names the tables"
#endif

/* The assembler copies the file. */
__asm__(".pushsection .rodata\n"
	".balign 64\n"
	".hidden chess_tables\n"
	".global chess_tables\n"
	"chess_tables:\n"
	".incbin \"" CHESS_TABLES "\"\n"
	".popsection\n");
