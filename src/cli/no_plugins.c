/*
 * no_plugins.c - stands in for the dynamic loader in a static program.
 * SPDX-License-Identifier: MIT
 *
 * The loader of a static program would need the very C library that it was linked to. So nothing is
 * loaded: no plug-ins of ours, and no extensions of the libraries that the program contains.
 */
#include <dlfcn.h>
#include <stddef.h>

/* Declared with names that belong to the C library, whose own are then not linked. */
void *dlopen(const char *path, int mode)
{
	(void)path, (void)mode;
	return NULL;
}

void *dlsym(void *restrict handle, const char *restrict name)
{
	(void)handle, (void)name;
	return NULL;
}

int dlclose(void *handle)
{
	(void)handle;
	return 0;
}

char *dlerror(void)
{
	static char why[] = "this static program cannot load plug-ins";
	return why;
}
