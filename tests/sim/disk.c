/*
 * disk.c - the simulated disk: files with a cache, syncs, power cuts, faults.
 * SPDX-License-Identifier: MIT
 *
 * A file has two contents: what programs read, and what is on the medium. Writes mark their sectors;
 * a sync copies the marked sectors to the medium.
 */
#include "sim/disk.h"

#include <stdlib.h>
#include <string.h>

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
bool bytes_resize(struct bytes *b, size_t size)
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

void disk_file_release(struct disk_file *f)
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
bool disk_file_mark(struct disk_file *f, size_t at, size_t size)
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

void disk_file_unmark(struct disk_file *f)
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
void disk_file_write_through(struct disk_file *f, size_t sector, size_t most)
{
	const size_t part = sector_part(&f->now, sector);
	const size_t size = part < most ? part : most;
	if (sector * SECTOR + size > f->medium.size)
		bytes_resize(&f->medium, sector * SECTOR + size);
	if (size)
		memcpy(f->medium.data + sector * SECTOR, f->now.data + sector * SECTOR, size);
}

/* As the system does when a new file is synced: all names are on the medium. */
void disk_sync_folder(struct disk *d)
{
	for (int i = 0; i < FILES; i++) {
		struct disk_file *f = &d->files[i];
		if (!f->exists || f->reborn)
			bytes_resize(&f->medium, 0);
		f->on_disk = f->exists;
		f->reborn = false;
	}
}

void disk_sync_file(struct disk *d, struct disk_file *f)
{
	if (!f->on_disk || f->reborn)
		disk_sync_folder(d);
	if (f->cut < f->medium.size)
		bytes_resize(&f->medium, f->cut);
	bytes_resize(&f->medium, f->now.size);
	for (size_t i = 0; i < f->written_count; i++)
		disk_file_write_through(f, f->written[i], SECTOR);
	disk_file_unmark(f);
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
	bool gap = false; /* an earlier sector was lost */
	for (size_t i = 0; i < f->written_count; i++) {
		const uint64_t choice = sim_below(&d->random, 8);
		const size_t most = choice < 4 ? SECTOR
				    : choice < 7 ? 0
						 : sim_below(&d->random, SECTOR);
		d->counts.lost += most == 0;
		d->counts.torn += most > 0 && most < SECTOR;
		d->counts.reordered += gap && most == SECTOR;
		gap |= most == 0;
		disk_file_write_through(f, f->written[i], most);
	}
	disk_file_unmark(f);
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
	disk_file_unmark(f);
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
bool disk_fails(struct disk *d, enum disk_op op)
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
		disk_file_release(&to[i]);
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
