/*
 * vfs.c - the simulated disk as a VFS of SQLite: files, locks, shared memory.
 * SPDX-License-Identifier: MIT
 */
#include "sim/vfs.h"

#include <stdlib.h>
#include <string.h>

#include "sim/disk.h"

/* An open file. */
struct handle {
	sqlite3_file base;
	struct disk *disk;
	struct disk_file *file;
	int level; /* SQLITE_LOCK_... */
	bool mapped, temporary;
	unsigned shared_mask, exclusive_mask; /* locks of the shared memory */
};

/* ---- Files ---- */

static struct disk_file *find(struct disk *d, const char *name)
{
	for (int i = 0; i < FILES; i++)
		if (d->files[i].name[0] && strcmp(d->files[i].name, name) == 0)
			return &d->files[i];
	return NULL;
}

/* The file of that name, with an entry of its own even if it does not exist. NULL: too many. */
static struct disk_file *entry(struct disk *d, const char *name)
{
	struct disk_file *f = find(d, name);
	for (int i = 0; !f && i < FILES; i++)
		if (!d->files[i].name[0]) {
			f = &d->files[i];
			strncpy(f->name, name, NAME - 1);
		}
	return f;
}

/* Some of what was not synced has arrived; nothing of it will be synced again. */
static void sync_in_part(struct disk *d, struct disk_file *f)
{
	for (size_t i = 0; i < f->written_count; i++)
		if (sim_below(&d->random, 2))
			disk_file_write_through(f, f->written[i], SECTOR);
	disk_file_unmark(f);
}

static int on_close(sqlite3_file *file)
{
	struct handle *h = (struct handle *)file;
	if (h->temporary)
		disk_file_release(h->file);
	return SQLITE_OK;
}

/* A short read is filled with zeros, as SQLite demands. */
static int on_read(sqlite3_file *file, void *out, int amount, sqlite3_int64 offset)
{
	struct handle *h = (struct handle *)file;
	const struct bytes *now = &h->file->now;
	const size_t at = (size_t)offset, wanted = (size_t)amount;
	const size_t there = at >= now->size ? 0 : now->size - at < wanted ? now->size - at : wanted;
	if (disk_fails(h->disk, DISK_READ))
		return SQLITE_IOERR_READ;
	if (there)
		memcpy(out, now->data + at, there);
	memset((char *)out + there, 0, wanted - there);
	return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_bytes(struct disk_file *f, const void *data, size_t size, size_t at)
{
	if (size == 0)
		return SQLITE_OK;
	if ((at + size > f->now.size && !bytes_resize(&f->now, at + size)) || !disk_file_mark(f, at, size))
		return SQLITE_IOERR_NOMEM;
	memcpy(f->now.data + at, data, size);
	return SQLITE_OK;
}

static int on_write(sqlite3_file *file, const void *data, int amount, sqlite3_int64 offset)
{
	struct handle *h = (struct handle *)file;
	struct disk *d = h->disk;
	const size_t at = (size_t)offset, size = (size_t)amount;
	const bool was_stopped = d->stopped;
	if (disk_fails(d, DISK_WRITE)) {
		if (!was_stopped)
			write_bytes(h->file, data, sim_below(&d->random, size + 1), at);
		return SQLITE_IOERR_WRITE;
	}
	if (d->limit && at + size > h->file->now.size &&
	    disk_bytes(d) + (at + size - h->file->now.size) > d->limit) {
		d->counts.full++;
		return SQLITE_FULL;
	}
	return write_bytes(h->file, data, size, at);
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct handle *h = (struct handle *)file;
	if (disk_fails(h->disk, DISK_TRUNCATE))
		return SQLITE_IOERR_TRUNCATE;
	if ((size_t)size < h->file->cut)
		h->file->cut = (size_t)size;
	return (size_t)size >= h->file->now.size || bytes_resize(&h->file->now, (size_t)size)
		       ? SQLITE_OK
		       : SQLITE_IOERR_NOMEM;
}

static int on_sync(sqlite3_file *file, int flags)
{
	struct handle *h = (struct handle *)file;
	const bool was_stopped = h->disk->stopped;
	(void)flags;
	if (disk_fails(h->disk, DISK_SYNC)) {
		if (!was_stopped && !h->disk->stopped)
			sync_in_part(h->disk, h->file);
		return SQLITE_IOERR_FSYNC;
	}
	disk_sync_file(h->disk, h->file);
	return SQLITE_OK;
}

static int on_size(sqlite3_file *file, sqlite3_int64 *out)
{
	struct handle *h = (struct handle *)file;
	*out = (sqlite3_int64)h->file->now.size;
	return h->disk->stopped ? SQLITE_IOERR_FSTAT : SQLITE_OK;
}

/* ---- Locks of the database file ---- */

/* Is there a lock that another connection holds? */
static bool held_by_other(const void *holder, const struct handle *h)
{
	return holder && holder != h;
}

static int on_lock(sqlite3_file *file, int level)
{
	struct handle *h = (struct handle *)file;
	struct disk_file *f = h->file;
	if (level <= h->level)
		return SQLITE_OK;
	if (level == SQLITE_LOCK_SHARED) {
		if (held_by_other(f->pending, h) || held_by_other(f->exclusive, h))
			return SQLITE_BUSY;
		f->shared++;
	} else if (level == SQLITE_LOCK_RESERVED) {
		if (held_by_other(f->reserved, h))
			return SQLITE_BUSY;
		f->reserved = h;
	} else {
		if (held_by_other(f->reserved, h) || held_by_other(f->pending, h))
			return SQLITE_BUSY;
		f->reserved = f->pending = h;
		if (f->shared > 1) {
			h->level = SQLITE_LOCK_PENDING;
			return SQLITE_BUSY;
		}
		f->exclusive = h;
	}
	h->level = level;
	return SQLITE_OK;
}

static int on_unlock(sqlite3_file *file, int level)
{
	struct handle *h = (struct handle *)file;
	struct disk_file *f = h->file;
	if (level >= h->level)
		return SQLITE_OK;
	f->exclusive = f->exclusive == h ? NULL : f->exclusive;
	f->pending = f->pending == h ? NULL : f->pending;
	f->reserved = f->reserved == h ? NULL : f->reserved;
	f->shared -= level == SQLITE_LOCK_NONE;
	h->level = level;
	return SQLITE_OK;
}

static int on_check_lock(sqlite3_file *file, int *out)
{
	const struct handle *h = (struct handle *)file;
	*out = h->file->reserved != NULL;
	return SQLITE_OK;
}

/* The file is always in its place. */
static int on_control(sqlite3_file *file, int op, void *arg)
{
	(void)file;
	if (op != SQLITE_FCNTL_HAS_MOVED)
		return SQLITE_NOTFOUND;
	*(int *)arg = 0;
	return SQLITE_OK;
}

static int on_sector_size(sqlite3_file *file)
{
	(void)file;
	return SECTOR;
}

/* As the system's files: a write that is torn damages nothing beside it. */
static int on_traits(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

/* ---- Shared memory ---- */

static int on_map(sqlite3_file *file, int region, int size, int extend, void volatile **out)
{
	struct handle *h = (struct handle *)file;
	struct disk_file *f = h->file;
	*out = NULL;
	if (h->disk->stopped || region >= SHARED_REGIONS)
		return SQLITE_IOERR_SHMMAP;
	if (!h->mapped)
		f->mappers++;
	h->mapped = true;
	if (!f->regions[region] && extend && !(f->regions[region] = calloc(1, (size_t)size)))
		return SQLITE_IOERR_NOMEM;
	*out = f->regions[region];
	return SQLITE_OK;
}

static void unlock_shared(struct handle *h, int i)
{
	struct disk_file *f = h->file;
	f->lock_shared[i] -= (int)(h->shared_mask >> i & 1);
	if (h->exclusive_mask >> i & 1)
		f->lock_exclusive[i] = NULL;
	h->shared_mask &= ~(1u << i);
	h->exclusive_mask &= ~(1u << i);
}

static bool may_lock(const struct handle *h, int i, bool exclusive)
{
	const struct disk_file *f = h->file;
	const int others = f->lock_shared[i] - (int)(h->shared_mask >> i & 1);
	return !held_by_other(f->lock_exclusive[i], h) && (!exclusive || others == 0);
}

static int on_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
	struct handle *h = (struct handle *)file;
	const bool exclusive = flags & SQLITE_SHM_EXCLUSIVE;
	for (int i = offset; i < offset + count; i++)
		if (flags & SQLITE_SHM_UNLOCK)
			unlock_shared(h, i);
		else if (!may_lock(h, i, exclusive))
			return SQLITE_BUSY;
	for (int i = offset; i < offset + count && (flags & SQLITE_SHM_LOCK); i++) {
		unlock_shared(h, i);
		if (exclusive) {
			h->file->lock_exclusive[i] = h;
			h->exclusive_mask |= 1u << i;
		} else {
			h->file->lock_shared[i]++;
			h->shared_mask |= 1u << i;
		}
	}
	return SQLITE_OK;
}

static void on_barrier(sqlite3_file *file)
{
	(void)file;
}

static int on_unmap(sqlite3_file *file, int remove)
{
	struct handle *h = (struct handle *)file;
	struct disk_file *f = h->file;
	for (int i = 0; i < SHARED_LOCKS; i++)
		unlock_shared(h, i);
	f->mappers -= h->mapped;
	h->mapped = false;
	for (int i = 0; i < SHARED_REGIONS && remove && f->mappers == 0; i++) {
		free(f->regions[i]);
		f->regions[i] = NULL;
	}
	return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = on_close,
	.xRead = on_read,
	.xWrite = on_write,
	.xTruncate = on_truncate,
	.xSync = on_sync,
	.xFileSize = on_size,
	.xLock = on_lock,
	.xUnlock = on_unlock,
	.xCheckReservedLock = on_check_lock,
	.xFileControl = on_control,
	.xSectorSize = on_sector_size,
	.xDeviceCharacteristics = on_traits,
	.xShmMap = on_map,
	.xShmLock = on_shm_lock,
	.xShmBarrier = on_barrier,
	.xShmUnmap = on_unmap,
};

/* ---- The VFS ---- */

static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	struct disk *d = vfs->pAppData;
	struct handle *h = (struct handle *)file;
	char unnamed[32];
	*h = (struct handle){ .disk = d };
	if (disk_fails(d, DISK_OPEN))
		return SQLITE_CANTOPEN;
	h->temporary = !name;
	for (int i = 0; !name && i < FILES; i++)
		if (sqlite3_snprintf(sizeof unnamed, unnamed, "temporary %d", i) &&
		    !find(d, unnamed))
			name = unnamed;
	struct disk_file *f = name ? entry(d, name) : NULL;
	if (!f)
		return SQLITE_CANTOPEN;
	if (!f->exists && !(flags & SQLITE_OPEN_CREATE) && !h->temporary)
		return SQLITE_CANTOPEN;
	f->reborn |= !f->exists && f->on_disk;
	f->exists = true;
	h->file = f;
	h->base.pMethods = &methods;
	if (out)
		*out = flags;
	return SQLITE_OK;
}

static int on_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	struct disk *d = vfs->pAppData;
	struct disk_file *f = find(d, name);
	if (disk_fails(d, DISK_DELETE))
		return SQLITE_IOERR_DELETE;
	if (!f || !f->exists)
		return SQLITE_IOERR_DELETE_NOENT;
	f->exists = false;
	bytes_resize(&f->now, 0);
	disk_file_unmark(f);
	f->cut = 0;
	if (sync)
		disk_sync_folder(d);
	return SQLITE_OK;
}

static int on_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	struct disk *d = vfs->pAppData;
	const struct disk_file *f = find(d, name);
	(void)flags;
	*out = f && f->exists;
	return d->stopped ? SQLITE_IOERR_ACCESS : SQLITE_OK;
}

static int on_full_name(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	(void)vfs;
	sqlite3_snprintf(size, out, "%s", name);
	return SQLITE_OK;
}

static int on_random(sqlite3_vfs *vfs, int size, char *out)
{
	struct disk *d = vfs->pAppData;
	for (int i = 0; i < size; i++)
		out[i] = (char)sim_next(&d->random);
	return size;
}

/* It returns at once: nobody else could give a lock back meanwhile. */
static int on_sleep(sqlite3_vfs *vfs, int us)
{
	(void)vfs;
	return us;
}

static int on_time(sqlite3_vfs *vfs, sqlite3_int64 *out)
{
	(void)vfs;
	*out = (sqlite3_int64)2460000 * 86400000;
	return SQLITE_OK;
}

static int on_error(sqlite3_vfs *vfs, int size, char *out)
{
	(void)vfs;
	(void)size;
	(void)out;
	return 0;
}

struct disk *disk_new(const char *name, uint64_t seed)
{
	struct disk *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	sqlite3_snprintf(sizeof d->vfs_name, d->vfs_name, "%s", name);
	d->vfs = (sqlite3_vfs){ .iVersion = 2,
				.szOsFile = sizeof(struct handle),
				.mxPathname = NAME,
				.zName = d->vfs_name,
				.pAppData = d,
				.xOpen = on_open,
				.xDelete = on_delete,
				.xAccess = on_access,
				.xFullPathname = on_full_name,
				.xRandomness = on_random,
				.xSleep = on_sleep,
				.xGetLastError = on_error,
				.xCurrentTimeInt64 = on_time };
	disk_format(d, seed);
	if (sqlite3_vfs_register(&d->vfs, 0) == SQLITE_OK)
		return d;
	free(d);
	return NULL;
}

/* SQLite's own random numbers, which mark its logs, begin again, too. */
void disk_format(struct disk *d, uint64_t seed)
{
	for (int i = 0; i < FILES; i++)
		disk_file_release(&d->files[i]);
	d->random.state = seed;
	d->operations = 0;
	d->fails = d->stops = d->stopped = false;
	d->limit = 0;
	sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, (int)(seed & 0xffffff) + 1, NULL);
	sqlite3_randomness(0, NULL);
}

void disk_free(struct disk *d)
{
	if (!d)
		return;
	sqlite3_vfs_unregister(&d->vfs);
	for (int i = 0; i < FILES; i++) {
		disk_file_release(&d->files[i]);
		disk_file_release(&d->saved[i]);
	}
	free(d);
}
