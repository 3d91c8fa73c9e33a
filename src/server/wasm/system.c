/*
 * system.c - what a browser lacks: files, plug-ins, large pages. Everything fails.
 * SPDX-License-Identifier: MIT
 *
 * Stands in for base/file.c, core/plugin.c, dlfcn.h, and the reader of backgammon files, which would
 * need too much of the engine's size.
 */
#include <dlfcn.h>
#include <sys/mman.h>

#include "base/file.h"
#include "core/context.h"
#include "formats/backgammon_file.h"

static enum qv_status no_files(struct qv_error *error, const char *path)
{
	return qv_fail(error, QV_IO, "%.200s: there are no files here", path);
}

enum qv_status file_read(const struct qv_allocator *a, const char *path, size_t most,
			 struct file_bytes *out, struct qv_error *error)
{
	(void)a, (void)most;
	*out = (struct file_bytes){ 0 };
	return no_files(error, path);
}

void file_release(const struct qv_allocator *a, struct file_bytes *f)
{
	(void)a, (void)f;
}

int file_lock_folder(const char *path)
{
	(void)path;
	return -1;
}

void file_unlock(int held)
{
	(void)held;
}

enum qv_status file_create(struct file_writer *w, const struct qv_allocator *a, const char *path,
			   struct qv_error *error)
{
	(void)a;
	*w = (struct file_writer){ 0 };
	return no_files(error, path);
}

enum qv_status file_write(struct file_writer *w, const void *data, size_t size,
			  struct qv_error *error)
{
	(void)w, (void)data, (void)size;
	return no_files(error, "file");
}

enum qv_status file_keep(struct file_writer *w, struct qv_error *error)
{
	(void)w;
	return no_files(error, "file");
}

enum qv_status file_keep_new(struct file_writer *w, struct qv_error *error)
{
	return file_keep(w, error);
}

void file_abandon(struct file_writer *w)
{
	(void)w;
}

/* The engine of games that come from plug-ins. */
const struct engine plugin_engine = { 0 };

void *dlopen(const char *path, int mode)
{
	(void)path, (void)mode;
	return NULL;
}

void *dlsym(void *handle, const char *name)
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
	return NULL;
}

int madvise(void *block, size_t size, int advice)
{
	(void)block, (void)size, (void)advice;
	return -1;
}

enum qv_status sgf_read(const struct qv_context *context, const char *data, size_t size,
			const struct backgammon_listener *listener, struct qv_error *error)
{
	(void)context, (void)data, (void)size, (void)listener;
	return qv_fail(error, QV_UNSUPPORTED,
		       "SGF: backgammon can only be imported through a server");
}
