/*
 * leaks.c - in builds with AddressSanitizer: looks for leaks at the end of a program only if some
 * memory is still allocated then. On arm64 that search takes three seconds of processor time,
 * however small the program is. Most tests free everything, and have nothing to search.
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/lsan_interface.h>

static atomic_long live;	   /* blocks of the heap that are not free */
static _Thread_local bool loading; /* inside the loader, which keeps blocks for itself */

void __sanitizer_malloc_hook(const volatile void *block, size_t size)
{
	(void)block, (void)size;
	if (!loading)
		atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
}

void __sanitizer_free_hook(const volatile void *block)
{
	(void)block;
	if (!loading)
		atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
}

/* The sanitizer asks for this when it begins to look for leaks. */
int __lsan_is_turned_off(void)
{
	return atomic_load(&live) == 0;
}

/* What the sanitizer allocated for itself stays; the buffer of standard output needs no heap. */
__attribute__((constructor)) static void begin_count(void)
{
	static char buffer[BUFSIZ];
	setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
	atomic_store(&live, 0);
}

/* The linker sends calls of the loader here (--wrap), and from here to the real functions. */
void *__real_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags);
void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);
int __real_dlclose(void *handle);
int __wrap_dlclose(void *handle);
char *__real_dlerror(void);
char *__wrap_dlerror(void);

void *__wrap_dlopen(const char *path, int flags)
{
	loading = true;
	void *const handle = __real_dlopen(path, flags);
	loading = false;
	return handle;
}

void *__wrap_dlsym(void *handle, const char *name)
{
	loading = true;
	void *const symbol = __real_dlsym(handle, name);
	loading = false;
	return symbol;
}

int __wrap_dlclose(void *handle)
{
	loading = true;
	const int status = __real_dlclose(handle);
	loading = false;
	return status;
}

char *__wrap_dlerror(void)
{
	loading = true;
	char *const text = __real_dlerror();
	loading = false;
	return text;
}
