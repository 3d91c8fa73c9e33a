/*
 * disk.h - the files of the simulated disk, as vfs.c sees them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SIM_DISK_H
#define SIM_DISK_H

#include "sim/vfs.h"

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

/* New bytes are zero. These return false if memory runs out. */
bool bytes_resize(struct bytes *b, size_t size);
/* Marks the sectors of a range as written, or none any more. */
bool disk_file_mark(struct disk_file *f, size_t at, size_t size);
void disk_file_unmark(struct disk_file *f);
/* The medium gets the first bytes of a sector as they are now. */
void disk_file_write_through(struct disk_file *f, size_t sector, size_t most);
void disk_file_release(struct disk_file *f);
/* All names are on the medium; a file is. */
void disk_sync_folder(struct disk *d);
void disk_sync_file(struct disk *d, struct disk_file *f);
/* Counts an operation. True: it must fail. */
bool disk_fails(struct disk *d, enum disk_op op);

#endif
