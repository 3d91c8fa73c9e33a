/*
 * leaking.c - a program that leaks memory: its test passes if the sanitizer reports it.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

static void *volatile block;

int main(void)
{
	/* Many, as a copy of the last address may stay in a register. */
	for (int i = 0; i < 100; i++)
		block = malloc(16);
	block = NULL;
	return 0;
}
