/*
 * vfs.c - the disk in memory: files with a cache, locks, shared memory, faults.
 * SPDX-License-Identifier: MIT
 *
 * A file has two contents: what programs read, and what is on the medium. Writes mark their sectors;
 * a sync copies the marked sectors to the medium.
 */
#include "sim/vfs.h"

#include <stdlib.h>
#include <string.h>

enum {
	SECTOR = 512,
	FILES = 8,
	NAME = 256,
	SHARED_REGIONS = 64,
	SHARED_LOCKS = SQLITE_SHM_NLOCK,
};

struct bytes {
	unsigned char *data;
	size_t size, room;
};

struct disk_file {
	char name[NAME];
	bool exists;  /* programs see it */
	bool on_disk; /* the folder on the medium has it */
	bool reborn;  /* there, the name is still that of a file that was removed */
	struct bytes now, medium;
	unsigned char *marks; /* [sector]: written since the last sync */
	uint32_t *written;    /* the marked sectors */
	size_t marks_room, written_count, written_room;
	size_t cut; /* its least size since the last sync */
	/* Locks of the connections. */
	int shared;
	const void *reserved, *pending, *exclusive;
	void *regions[SHARED_REGIONS];
	int mappers, lock_shared[SHARED_LOCKS];
	const void *lock_exclusive[SHARED_LOCKS];
};

struct disk {
	sqlite3_vfs vfs;
	char vfs_name[32];
	struct disk_file files[FILES];
	struct disk_file saved[FILES];
	struct sim_random random;
	uint64_t operations;
	unsigned fail_kinds;
	uint64_t fail_after;
	bool fails, fail_lasts;
	bool stops, stopped, power, paused;
	uint64_t stop_at;
	size_t limit;
	struct disk_counts counts;
};

/* An open file. */
struct handle {
	sqlite3_file base;
	struct disk *disk;
	struct disk_file *file;
	int level; /* SQLITE_LOCK_... */
	bool mapped, temporary;
	unsigned shared_mask, exclusive_mask; /* locks of the shared memory */
};

/* ---- Random numbers: SplitMix64 ---- */

uint64_t sim_next(struct sim_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint64_t sim_below(struct sim_random *r, uint64_t below)
{
	return sim_next(r) % below;
}

/* ---- Contents ---- */

/* New bytes are zero. */
static bool bytes_resize(struct bytes *b, size_t size)
{
	if (size > b->room) {
		const size_t room = (size + size / 2 + 65536) / SECTOR * SECTOR + SECTOR;
		unsigned char *data = realloc(b->data, room);
		if (!data)
			return false;
		memset(data + b->size, 0, room - b->size);
		b->data = data;
		b->room = room;
	}
	if (size < b->size)
		memset(b->data + size, 0, b->size - size);
	b->size = size;
	return true;
}

static void file_release(struct disk_file *f)
{
	free(f->now.data);
	free(f->medium.data);
	free(f->marks);
	free(f->written);
	for (int i = 0; i < SHARED_REGIONS; i++)
		free(f->regions[i]);
	*f = (struct disk_file){ 0 };
}

/* Marks the sectors of a range as written. */
static bool mark(struct disk_file *f, size_t at, size_t size)
{
	const size_t first = at / SECTOR, last = (at + size - 1) / SECTOR;
	if (last >= f->marks_room) {
		const size_t room = last * 2 + 256;
		unsigned char *marks = realloc(f->marks, room);
		if (!marks)
			return false;
		memset(marks + f->marks_room, 0, room - f->marks_room);
		f->marks = marks;
		f->marks_room = room;
	}
	for (size_t sector = first; sector <= last; sector++) {
		if (f->marks[sector])
			continue;
		if (f->written_count == f->written_room) {
			const size_t room = f->written_room * 2 + 256;
			uint32_t *written = realloc(f->written, room * sizeof *written);
			if (!written)
				return false;
			f->written = written;
			f->written_room = room;
		}
		f->marks[sector] = 1;
		f->written[f->written_count++] = (uint32_t)sector;
	}
	return true;
}

static void unmark_all(struct disk_file *f)
{
	for (size_t i = 0; i < f->written_count; i++)
		f->marks[f->written[i]] = 0;
	f->written_count = 0;
}

/* How much of a sector is within the size. */
static size_t sector_part(const struct bytes *b, size_t sector)
{
	const size_t at = sector * SECTOR;
	return at >= b->size ? 0 : b->size - at < SECTOR ? b->size - at : SECTOR;
}

/* The medium gets the first bytes of a sector as they are now. */
static void write_through(struct disk_file *f, size_t sector, size_t most)
{
	const size_t part = sector_part(&f->now, sector);
	const size_t size = part < most ? part : most;
	if (sector * SECTOR + size > f->medium.size)
		bytes_resize(&f->medium, sector * SECTOR + size);
	if (size)
		memcpy(f->medium.data + sector * SECTOR, f->now.data + sector * SECTOR, size);
}

/* As the system does when a new file is synced: all names are on the medium. */
static void sync_folder(struct disk *d)
{
	for (int i = 0; i < FILES; i++) {
		struct disk_file *f = &d->files[i];
		if (!f->exists || f->reborn)
			bytes_resize(&f->medium, 0);
		f->on_disk = f->exists;
		f->reborn = false;
	}
}

static void sync_file(struct disk *d, struct disk_file *f)
{
	if (!f->on_disk || f->reborn)
		sync_folder(d);
	if (f->cut < f->medium.size)
		bytes_resize(&f->medium, f->cut);
	bytes_resize(&f->medium, f->now.size);
	for (size_t i = 0; i < f->written_count; i++)
		write_through(f, f->written[i], SECTOR);
	unmark_all(f);
	f->cut = f->now.size;
}

/* ---- Power cuts ---- */

/* Each sector that was not synced is new, old, or new up to some byte. */
static void lose_sectors(struct disk *d, struct disk_file *f)
{
	const bool garbage = sim_below(&d->random, 2);
	const size_t old = f->medium.size, new = f->now.size;
	/* The size may have arrived without the contents, or the other way round. */
	const uint64_t how = sim_below(&d->random, 3);
	const size_t size = how == 0 || old == new ? old
			    : how == 1		   ? new
			    : old < new		   ? old + sim_below(&d->random, new - old)
						   : new + sim_below(&d->random, old - new);
	bytes_resize(&f->medium, size);
	for (size_t i = old; garbage && i < size; i++)
		f->medium.data[i] = (unsigned char)sim_next(&d->random);
	for (size_t i = 0; i < f->written_count; i++) {
		const uint64_t choice = sim_below(&d->random, 8);
		const size_t most = choice < 4 ? SECTOR
				    : choice < 7 ? 0
						 : sim_below(&d->random, SECTOR);
		d->counts.lost += most == 0;
		d->counts.torn += most > 0 && most < SECTOR;
		write_through(f, f->written[i], most);
	}
	unmark_all(f);
}

/* What is on the medium is what programs see from now on. */
static void start_again(struct disk *d, struct disk_file *f)
{
	/*
	 * The name may be back where the folder was last synced: a file that was created is
	 * missing, one that was removed is there, as it was.
	 */
	const bool back = (f->on_disk != f->exists || f->reborn) && sim_below(&d->random, 2);
	if (!back && f->reborn)
		bytes_resize(&f->medium, 0);
	if (!back && f->exists)
		lose_sectors(d, f);
	unmark_all(f);
	f->exists = f->on_disk = back ? f->on_disk : f->exists;
	f->reborn = false;
	bytes_resize(&f->now, f->medium.size);
	if (f->medium.size)
		memcpy(f->now.data, f->medium.data, f->medium.size);
	f->cut = f->now.size;
}

void disk_restart(struct disk *d)
{
	for (int i = 0; i < FILES; i++) {
		struct disk_file *f = &d->files[i];
		if (!f->name[0])
			continue;
		if (d->power)
			start_again(d, f);
		for (int k = 0; k < SHARED_REGIONS; k++) {
			free(f->regions[k]);
			f->regions[k] = NULL;
		}
	}
	d->stopped = d->stops = d->fails = false;
	d->limit = 0;
}

/* ---- Faults ---- */

/* Counts an operation. True: it must fail. */
static bool fails(struct disk *d, enum disk_op op)
{
	if (d->paused)
		return false;
	if (d->stops && !d->stopped && d->operations >= d->stop_at) {
		d->stopped = true;
		d->counts.cuts += d->power;
		d->counts.kills += !d->power;
	}
	d->operations++;
	if (d->stopped)
		return true;
	if (!d->fails || !(d->fail_kinds >> op & 1))
		return false;
	if (d->fail_after > 0) {
		d->fail_after--;
		return false;
	}
	d->fails = d->fail_lasts;
	d->counts.failed[op]++;
	return true;
}

uint64_t disk_operations(const struct disk *d)
{
	return d->operations;
}

void disk_fail(struct disk *d, unsigned kinds, uint64_t after, bool lasts)
{
	d->fails = true;
	d->fail_kinds = kinds;
	d->fail_after = after;
	d->fail_lasts = lasts;
}

void disk_stop(struct disk *d, uint64_t after, bool power)
{
	d->stops = true;
	d->stop_at = d->operations + after;
	d->power = power;
}

void disk_limit(struct disk *d, size_t bytes)
{
	d->limit = bytes;
}

void disk_pause(struct disk *d, bool paused)
{
	d->paused = paused;
}

void disk_heal(struct disk *d)
{
	d->fails = false;
	d->limit = 0;
}

bool disk_stopped(const struct disk *d)
{
	return d->stopped;
}

size_t disk_bytes(const struct disk *d)
{
	size_t bytes = 0;
	for (int i = 0; i < FILES; i++)
		bytes += d->files[i].exists ? d->files[i].now.size : 0;
	return bytes;
}

uint64_t disk_failures(const struct disk *d)
{
	uint64_t sum = d->counts.full;
	for (int op = 0; op < DISK_OPS; op++)
		sum += d->counts.failed[op];
	return sum;
}

struct disk_counts disk_counts(const struct disk *d)
{
	return d->counts;
}

bool disk_damage(struct disk *d, const char *text)
{
	const size_t length = strlen(text);
	for (int i = 0; i < FILES; i++) {
		struct disk_file *f = &d->files[i];
		for (size_t at = 0; f->exists && at + length <= f->now.size; at++)
			if (memcmp(f->now.data + at, text, length) == 0) {
				f->now.data[at] ^= 1;
				if (at < f->medium.size)
					f->medium.data[at] ^= 1;
				return true;
			}
	}
	return false;
}

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
			write_through(f, f->written[i], SECTOR);
	unmark_all(f);
}

static int on_close(sqlite3_file *file)
{
	struct handle *h = (struct handle *)file;
	if (h->temporary)
		file_release(h->file);
	return SQLITE_OK;
}

/* A short read is filled with zeros, as SQLite demands. */
static int on_read(sqlite3_file *file, void *out, int amount, sqlite3_int64 offset)
{
	struct handle *h = (struct handle *)file;
	const struct bytes *now = &h->file->now;
	const size_t at = (size_t)offset, wanted = (size_t)amount;
	const size_t there = at >= now->size ? 0 : now->size - at < wanted ? now->size - at : wanted;
	if (fails(h->disk, DISK_READ))
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
	if ((at + size > f->now.size && !bytes_resize(&f->now, at + size)) || !mark(f, at, size))
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
	if (fails(d, DISK_WRITE)) {
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
	if (fails(h->disk, DISK_TRUNCATE))
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
	if (fails(h->disk, DISK_SYNC)) {
		if (!was_stopped && !h->disk->stopped)
			sync_in_part(h->disk, h->file);
		return SQLITE_IOERR_FSYNC;
	}
	sync_file(h->disk, h->file);
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
	if (fails(d, DISK_OPEN))
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
	if (fails(d, DISK_DELETE))
		return SQLITE_IOERR_DELETE;
	if (!f || !f->exists)
		return SQLITE_IOERR_DELETE_NOENT;
	f->exists = false;
	bytes_resize(&f->now, 0);
	unmark_all(f);
	f->cut = 0;
	if (sync)
		sync_folder(d);
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
	if (sqlite3_vfs_register(&d->vfs, 1) == SQLITE_OK)
		return d;
	free(d);
	return NULL;
}

/* SQLite's own random numbers come from the disk: they begin again, too. */
void disk_format(struct disk *d, uint64_t seed)
{
	for (int i = 0; i < FILES; i++)
		file_release(&d->files[i]);
	d->random.state = seed;
	d->operations = 0;
	d->fails = d->stops = d->stopped = false;
	d->limit = 0;
	sqlite3_randomness(0, NULL);
}

void disk_free(struct disk *d)
{
	if (!d)
		return;
	sqlite3_vfs_unregister(&d->vfs);
	for (int i = 0; i < FILES; i++) {
		file_release(&d->files[i]);
		file_release(&d->saved[i]);
	}
	free(d);
}

/* ---- Copies ---- */

static bool bytes_copy(struct bytes *to, const struct bytes *from)
{
	if (!bytes_resize(to, from->size))
		return false;
	if (from->size)
		memcpy(to->data, from->data, from->size);
	return true;
}

/* Without what is not synced: nothing is, since no connection is open. */
static bool files_copy(struct disk_file to[FILES], const struct disk_file from[FILES])
{
	bool ok = true;
	for (int i = 0; i < FILES; i++) {
		file_release(&to[i]);
		if (!from[i].name[0])
			continue;
		memcpy(to[i].name, from[i].name, NAME);
		to[i].exists = from[i].exists;
		to[i].on_disk = from[i].on_disk;
		to[i].cut = from[i].cut;
		ok = ok && bytes_copy(&to[i].now, &from[i].now) &&
		     bytes_copy(&to[i].medium, &from[i].medium);
	}
	return ok;
}

bool disk_save(struct disk *d)
{
	return files_copy(d->saved, d->files);
}

bool disk_load(struct disk *d)
{
	d->fails = d->stops = d->stopped = false;
	d->limit = 0;
	return files_copy(d->files, d->saved);
}
