/*
 * standalone.c - runs a fuzz target over files, or over all files of folders: a corpus replayed
 * without libFuzzer.
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <stdio.h>

#include "fuzz/fuzz.h"

enum { LARGEST_FILE = 1 << 20, PATH = 4096 };

static bool run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(LARGEST_FILE);
	if (!file || !data) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return false;
	}
	const size_t size = fread(data, 1, LARGEST_FILE, file);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return true;
}

/* How many files were run; -1: one could not be. */
static int run_folder(DIR *folder, const char *path)
{
	int count = 0;
	for (const struct dirent *entry = readdir(folder); entry && count >= 0;
	     entry = readdir(folder)) {
		char name[PATH];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		count = run_file(name) ? count + 1 : -1;
	}
	closedir(folder);
	return count;
}

static int run_path(const char *path)
{
	DIR *folder = opendir(path);
	if (folder)
		return run_folder(folder, path);
	return run_file(path) ? 1 : -1;
}

int main(int argc, char **argv)
{
	int total = 0;
	for (int i = 1; i < argc; i++) {
		const int count = run_path(argv[i]);
		if (count < 0)
			return 2;
		total += count;
	}
	printf("%d inputs\n", total);
	return total ? 0 : 1;      /* an empty corpus proves nothing */
}
