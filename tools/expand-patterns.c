/*
 * expand-patterns.c - part of the build: the weights of reversi's patterns from their small file
 * into the bytes that the library takes in.
 * SPDX-License-Identifier: MIT
 * usage: expand-patterns FILE OUT
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "games/reversi/pattern.h"

static int expand(const char *from, const char *to, struct reversi_patterns *p,
		  struct qv_error *error)
{
	struct file_bytes file = { 0 };
	struct file_writer writer = { 0 };
	reversi_patterns_init(p);
	enum qv_status status = file_read(&mem_malloc, from, PATTERN_FILE_MOST, &file, error);
	if (status == QV_OK)
		status = reversi_patterns_read(file.data, file.size, p, error);
	file_release(&mem_malloc, &file);
	if (status == QV_OK)
		status = file_create(&writer, &mem_malloc, to, error);
	if (status == QV_OK)
		status = file_write(&writer, p, sizeof *p, error);
	return status == QV_OK && file_keep(&writer, error) == QV_OK;
}

int main(int argc, char **argv)
{
	struct qv_error error = { 0 };
	struct reversi_patterns *p = calloc(1, sizeof *p);
	const int good = argc == 3 && p && expand(argv[1], argv[2], p, &error);
	if (!good)
		fprintf(stderr, "expand-patterns: %s\n",
			*error.text ? error.text : "usage: FILE OUT");
	free(p);
	return good ? 0 : 1;
}
