/*
 * lines.c - the engine for browsers as a native program: a request a line in, its responses out.
 * SPDX-License-Identifier: MIT
 *
 * A line is the request, a tab and the body, as engine_request takes them. Each response is a line:
 * "STATUS TEXT", where a newline is written as \\n. compare.mjs runs the same requests in WebAssembly.
 */
#include <stdio.h>
#include <string.h>

#include "server/wasm/engine.h"
#include "server/wasm/inside.h"

/* A native build embeds the data of all games. */
bool data_is_loaded(const char *game)
{
	(void)game;
	return true;
}

void engine_respond(int status, const char *text, size_t size, bool last)
{
	(void)last;
	printf("%d ", status);
	for (size_t i = 0; i < size; i++)
		if (text[i] == '\n')
			fputs("\\n", stdout);
		else
			putchar(text[i]);
	putchar('\n');
}

/* The same in each run. */
void engine_random(void *bytes, size_t size)
{
	static uint32_t state;
	for (unsigned char *at = bytes; size > 0; size--) {
		state = state * 1103515245 + 12345;
		*at++ = (unsigned char)(state >> 24);
	}
}

int main(void)
{
	static char line[1 << 18];
	if (!engine_open())
		return 1;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		char *body = strchr(line, '\t');
		if (body)
			*body++ = '\0';
		engine_request(line, body ? body : "");
	}
	engine_close();
	return 0;
}
