/*
 * embed.h - files whose bytes are linked into the library or the program.
 * SPDX-License-Identifier: MIT
 *
 * CMake's embed(TARGET SYMBOL FILE) adds a source file to the target that defines two constants:
 *
 *    SYMBOL       the bytes of the file, aligned to a cache line and followed by a NUL
 *    SYMBOL_size  the number of bytes without that NUL, a uint64_t
 *
 * Declare them with EMBEDDED, with the type that the file's bytes represent. Both are read-only and
 * hidden, so the shared library does not export them.
 *
 * The source file contains EMBED(SYMBOL, "FILE"), so that the compiler need not parse megabytes of
 * numbers. For a target whose assembler lacks .incbin, use -DQV_INCBIN=OFF: then tools/embed-file.c
 * writes the same constants as C.
 */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include <stdint.h>

#ifdef QV_EMBED_VISIBLE /* for tests that link to a shared library */
#define EMBEDDED(declaration) extern const declaration
#define EMBED_HIDE(symbol)
#else
#define EMBEDDED(declaration) extern const declaration __attribute__((visibility("hidden")))
#define EMBED_HIDE(symbol) ".hidden " symbol "\n"
#endif

/* For gcc and clang on ELF. Not @object: @ begins a comment on some processors. */
#define EMBED(symbol, path)                            \
	__asm__(".pushsection .rodata\n"               \
		".balign 64\n"                         \
		".global " #symbol "\n"                \
		EMBED_HIDE(#symbol)                    \
		".type " #symbol ", %object\n"         \
		#symbol ":\n"                          \
		".incbin \"" path "\"\n"               \
		"1:\n"                                 \
		".byte 0\n"                            \
		".size " #symbol ", . - " #symbol "\n" \
		".balign 8\n"                          \
		".global " #symbol "_size\n"           \
		EMBED_HIDE(#symbol "_size")            \
		".type " #symbol "_size, %object\n"    \
		".size " #symbol "_size, 8\n"          \
		#symbol "_size:\n"                     \
		".quad 1b - " #symbol "\n"             \
		".popsection\n")

#endif
