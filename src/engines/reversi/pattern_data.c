/*
 * pattern_data.c - reversi: the weights of the patterns, taken into the library as the build
 * expanded them (tools/expand-patterns.c).
 * SPDX-License-Identifier: MIT
 */
#include "engines/reversi/pattern_data.h"

#ifndef PATTERN_BLOB
#error "the build names the expanded weights"
#endif

/* The assembler copies the file: no compiler has to read megabytes of numbers. */
__asm__(".pushsection .rodata\n"
	".balign 64\n"
	".hidden reversi_pattern_weights\n"
	".global reversi_pattern_weights\n"
	"reversi_pattern_weights:\n"
	".incbin \"" PATTERN_BLOB "\"\n"
	".popsection\n");
