/*
 * leaks.c - in builds with AddressSanitizer: looks for leaks at the end of a program only if some
 * memory is still allocated then. On arm64 that search takes three seconds of processor time,
 * however small the program is. Most tests free everything, and have nothing to search.
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/lsan_interface.h>

static atomic_long live; /* blocks of the heap that are not free */

void __sanitizer_malloc_hook(const volatile void *block, size_t size)
{
	(void)block, (void)size;
	atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
}

void __sanitizer_free_hook(const volatile void *block)
{
	(void)block;
	atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
}

/* The sanitizer asks for this when it begins to look for leaks. */
int __lsan_is_turned_off(void)
{
	return atomic_load(&live) == 0;
}

/* Counts from here: what the sanitizer allocated for itself stays. An old message of dlerror, which
   would be freed later, is freed now; and the buffer of standard output needs no heap. */
__attribute__((constructor)) static void begin_count(void)
{
	static char buffer[BUFSIZ];
	setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
	dlerror();
	atomic_store(&live, 0);
}
