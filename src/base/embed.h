/*
 * embed.h - files whose bytes are part of the library or the program.
 * SPDX-License-Identifier: MIT
 *
 * CMake's embed(TARGET SYMBOL FILE) adds a source to the target that defines two constants:
 *
 *   SYMBOL       the bytes of the file, aligned to a cache line, and a NUL behind them
 *   SYMBOL_size  how many bytes there are without that NUL, a uint64_t
 *
 * Declare them with EMBEDDED, the bytes as the type that the file holds. Both are read-only and
 * hidden, that is, not exported by the shared library.
 *
 * The source is EMBED(SYMBOL, "FILE"), so that no compiler has to read megabytes of numbers. For a
 * target whose assembler has no .incbin, -DQV_INCBIN=OFF lets tools/embed-file.c write the same
 * constants in C instead.
 */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include <stdint.h>

#define EMBEDDED(declaration) extern const declaration __attribute__((visibility("hidden")))

/* For gcc and clang on ELF. Not @object: @ begins a comment on some processors. */
#define EMBED(symbol, path)                            \
	__asm__(".pushsection .rodata\n"               \
		".balign 64\n"                         \
		".global " #symbol "\n"                \
		".hidden " #symbol "\n"                \
		".type " #symbol ", %object\n"         \
		#symbol ":\n"                          \
		".incbin \"" path "\"\n"               \
		"1:\n"                                 \
		".byte 0\n"                            \
		".size " #symbol ", . - " #symbol "\n" \
		".balign 8\n"                          \
		".global " #symbol "_size\n"           \
		".hidden " #symbol "_size\n"           \
		".type " #symbol "_size, %object\n"    \
		".size " #symbol "_size, 8\n"          \
		#symbol "_size:\n"                     \
		".quad 1b - " #symbol "\n"             \
		".popsection\n")

#endif
