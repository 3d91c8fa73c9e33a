/*
 * plugin_watch.c - what `plugin check` sees of a plug-in beside its results: where it is, what it
 * prints, and what it keeps between calls.
 * SPDX-License-Identifier: MIT
 *
 * Functions of a game have no memory: no static variables that change, no blocks of the heap that
 * stay. Both can be seen from outside. The writable segments of the shared object are compared with
 * a copy after each check, and the memory in use must not grow with every check.
 */
#if defined(__linux__)
#define _GNU_SOURCE 1 /* dl_iterate_phdr, mallinfo2 */
#include <link.h>
#include <malloc.h>
#endif
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/plugin.h"

enum {
	SMALL_DATA = 1 << 16, /* compared after every check, */
	SELDOM = 256,	      /* larger data after each of so many */
	HEAP_GREW = 100,      /* in one law: that is no cache of the allocator */
	PLUGIN_FILE = 64 << 20,
};

/* ---- Where it is ---- */

static void put(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text ? text : "");
}

/* The beat comes first: a call that does not return keeps the new place. */
void plugin_note(void *watch, const struct conform_place *place)
{
	struct plugin_watch *w = watch;
	struct checkpoint *n = w->note;
	atomic_fetch_add(&n->beat, 1);
	put(n->law, sizeof n->law, place->law);
	put(n->function, sizeof n->function, place->function);
	put(n->input, sizeof n->input, place->input);
	n->placed = place->state != NULL;
	n->state_size = w->state_size;
	if (n->placed)
		memcpy(n->state, place->state, w->state_size);
}

/* ---- Where it strays ---- */

/* For the handler of signals, which gets no argument. */
static struct {
	struct checkpoint *note;
	struct conform_fence states, texts;
	size_t page;
} fences;

static bool is_beside(const struct conform_fence *f, uintptr_t at)
{
	const uintptr_t begin = (uintptr_t)f->begin, end = (uintptr_t)f->end;
	return f->begin && ((at < begin && begin - at <= fences.page) ||
			    (at >= end && at - end < fences.page));
}

/* The signal comes again when this returns, and ends the program. */
static void on_crash(int number, siginfo_t *info, void *ctx)
{
	const uintptr_t at = (uintptr_t)info->si_addr;
	(void)ctx;
	atomic_store(&fences.note->strayed, is_beside(&fences.states, at)  ? STRAY_STATE
					    : is_beside(&fences.texts, at) ? STRAY_TEXT
									   : STRAY_NOWHERE);
	signal(number, SIG_DFL);
}

static struct conform_fence fence_make(size_t size)
{
	const size_t page = fences.page;
	size = (size + page - 1) / page * page;
	unsigned char *all = mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) != 0 ||
	    mprotect(all + page + size, page, PROT_NONE) != 0)
		return (struct conform_fence){ NULL, NULL };
	return (struct conform_fence){ all + page, all + page + size };
}

void plugin_fence(struct checkpoint *n, struct conform_watch *watch)
{
	struct sigaction crash = { .sa_sigaction = on_crash, .sa_flags = SA_SIGINFO };
	fences.note = n;
	fences.page = (size_t)sysconf(_SC_PAGESIZE);
	watch->states = fences.states = fence_make(QV_MAX_STATE);
	watch->texts = fences.texts = fence_make(QV_POSITION_TEXT);
	sigemptyset(&crash.sa_mask);
	sigaction(SIGSEGV, &crash, NULL);
	sigaction(SIGBUS, &crash, NULL);
}

/* ---- What it prints ---- */

/* The pipes never block: what does not fit is lost, which nobody will miss. */
bool plugin_printed(int end, char *out, size_t size)
{
	const ssize_t length = read(end, out, size - 1);
	if (length <= 0)
		return false;
	out[length] = '\0';
	for (char *c = out; c < out + length; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = c == out + length - 1 ? '\0' : ' ';
	char rest[512];
	while (read(end, rest, sizeof rest) > 0)
		;
	return true;
}

/* ---- What it keeps ---- */

bool plugin_is_instrumented(const char *path)
{
	static const char *const marks[] = { "__llvm_prf_cnts", ".gcda" };
	struct file_bytes file;
	bool found = false;
	if (file_read(&mem_malloc, path, PLUGIN_FILE, &file, NULL) != QV_OK)
		return false;
	for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
		const size_t length = strlen(marks[k]);
		for (size_t i = 0; !found && i + length <= file.size; i++)
			found = !memcmp(file.data + i, marks[k], length);
	}
	file_release(&mem_malloc, &file);
	return found;
}

#if defined(__linux__)
struct search {
	struct plugin_watch *watch;
	uintptr_t function;
};

/* Called for each loaded object: if the function is in it, remembers its writable segments. */
static int look_at_object(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct search *s = ctx;
	bool is_it = false;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + p->p_vaddr;
		is_it |= p->p_type == PT_LOAD && s->function >= start &&
			 s->function - start < p->p_memsz;
	}
	for (int i = 0; is_it && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		struct plugin_watch *w = s->watch;
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W) ||
		    w->data_count == (int)(sizeof w->data / sizeof *w->data))
			continue;
		struct plugin_data *d = &w->data[w->data_count];
		d->data = (const unsigned char *)(info->dlpi_addr + p->p_vaddr);
		d->size = p->p_memsz;
		d->before = mem_new(&mem_malloc, d->size, 1);
		if (!d->before)
			continue;
		memcpy(d->before, d->data, d->size);
		w->large |= d->size > SMALL_DATA;
		w->data_count++;
	}
	return is_it;
}

/* The address sanitizer forbids to read the gaps that it leaves between static variables. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { GAPS = 1 };
#else
enum { GAPS = 0 };
#endif

void plugin_watch_data(struct plugin_watch *w, uintptr_t function)
{
	struct search s = { w, function };
	if (!w->instrumented && !GAPS)
		dl_iterate_phdr(look_at_object, &s);
}
#else
void plugin_watch_data(struct plugin_watch *w, uintptr_t function)
{
	(void)w, (void)function;
}
#endif

void plugin_watch_release(struct plugin_watch *w)
{
	while (w->data_count > 0) {
		const struct plugin_data *d = &w->data[--w->data_count];
		mem_free(&mem_malloc, d->before, d->size);
	}
}

/* The first byte of static data that has changed. */
static bool keeps_data(struct plugin_watch *w)
{
	if (w->large && w->checks % SELDOM)
		return false;
	for (const struct plugin_data *d = w->data; d < w->data + w->data_count; d++) {
		size_t at = 0;
		if (!memcmp(d->data, d->before, d->size))
			continue;
		while (d->data[at] == d->before[at])
			at++;
		snprintf(
			w->complaint, sizeof w->complaint,
			"a static variable changes, byte %zu of the plug-in's writable data; games "
			"keep nothing between calls",
			at);
		return true;
	}
	return false;
}

/* The bytes of the heap in use; 0: not known here. */
static size_t heap_in_use(void)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
	const struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
#endif
#endif
	return 0;
}

/* Players and searches free what they allocate, so only the plug-in's own blocks can pile up. */
static bool keeps_blocks(struct plugin_watch *w)
{
	const size_t heap = heap_in_use();
	const bool same_law = !strcmp(w->heap_law, w->note->law);
	w->heap_grew = same_law ? w->heap_grew + (heap > w->heap) : 0;
	w->heap = heap;
	memcpy(w->heap_law, w->note->law, sizeof w->heap_law);
	if (w->heap_grew < HEAP_GREW)
		return false;
	snprintf(w->complaint, sizeof w->complaint,
		 "the heap has grown in %u checks: memory is allocated and not freed", HEAP_GREW);
	return true;
}

/* ---- All of it ---- */

const char *plugin_complaint(void *watch)
{
	static const char *const names[2] = { "output", "error" };
	struct plugin_watch *w = watch;
	w->checks++;
	for (int i = 0; i < 2; i++) {
		char text[80];
		if (!plugin_printed(w->output[i], text, sizeof text))
			continue;
		snprintf(w->complaint, sizeof w->complaint, "it prints on standard %s: '%s'",
			 names[i], text);
		return w->complaint;
	}
	return keeps_data(w) || keeps_blocks(w) ? w->complaint : NULL;
}
