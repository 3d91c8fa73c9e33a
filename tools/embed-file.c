/*
 * embed-file.c - writes a file as constants in C, for builds whose assembler has no .incbin.
 * SPDX-License-Identifier: MIT
 * usage: embed-file SYMBOL FILE OUT
 *
 * See src/base/embed.h. The bytes are one string literal: gcc compiles it ten times as fast as a
 * list of numbers.
 */
#include <stdio.h>

/* Both files are open. Returns whether everything was read and written. */
static int embed(const char *symbol, FILE *in, FILE *out)
{
	unsigned long long size = 0;
	fprintf(out,
		"#include \"base/embed.h\"\n"
		"EMBEDDED(unsigned char %s[]);\n"
		"EMBEDDED(uint64_t %s_size);\n"
		"__attribute__((aligned(64))) const unsigned char %s[] =",
		symbol, symbol, symbol);
	for (int c; (c = getc(in)) != EOF; size++)
		fprintf(out, size % 32 ? "\\%03o" : "\"\n\"\\%03o" + (size ? 0 : 1), (unsigned)c);
	fprintf(out, "%s;\nconst uint64_t %s_size = %llu;\n", size ? "\"" : "\"\"", symbol, size);
	return !ferror(in) && !ferror(out);
}

int main(int argc, char **argv)
{
	FILE *in = argc == 4 ? fopen(argv[2], "rb") : NULL;
	FILE *out = in ? fopen(argv[3], "w") : NULL;
	int good = out && embed(argv[1], in, out);
	if (out)
		good = fclose(out) == 0 && good;
	if (in)
		fclose(in);
	if (!good)
		fprintf(stderr, "embed-file: usage: SYMBOL FILE OUT; FILE must be readable, "
				"OUT writable\n");
	return good ? 0 : 1;
}
