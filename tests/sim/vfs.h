/*
 * vfs.h - a disk in memory under SQLite that fails, fills up and loses power, as a test tells it to.
 * SPDX-License-Identifier: MIT
 *
 * What a program has written is in a cache until it is synced. When the power goes, each sector that
 * was written and not synced is old, new, or partly both, whatever the order of the writes; a file
 * that has grown has any size in between, with zeros or anything else in what was not written; a file
 * that was created and never synced may be missing, and one that was removed may be back. A process
 * that is killed loses nothing.
 *
 * One process and one thread. Everything follows from the calls and the seed.
 */
#ifndef SIM_VFS_H
#define SIM_VFS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disk;

/* What can fail. */
enum disk_op {
	DISK_OPEN,
	DISK_READ,
	DISK_WRITE, /* a part of it may be written */
	DISK_SYNC,  /* what was not synced may be on the disk or not, and is never synced again */
	DISK_TRUNCATE,
	DISK_DELETE,
	DISK_OPS
};

/* Random numbers from a seed, for everything that a test leaves to chance. */
struct sim_random {
	uint64_t state;
};
uint64_t sim_next(struct sim_random *r);
/* From 0 to below - 1; below > 0. */
uint64_t sim_below(struct sim_random *r, uint64_t below);

/* Registers it as a VFS of SQLite under that name. NULL: out of memory. */
struct disk *disk_new(const char *name, uint64_t seed);
/* No connection may be open. */
void disk_free(struct disk *d);
/* An empty disk, without faults, with new random numbers. No connection may be open. */
void disk_format(struct disk *d, uint64_t seed);

/* How many operations of the kinds of enum disk_op there have been. */
uint64_t disk_operations(const struct disk *d);
/*
 * The operation of these kinds (a bit each) that comes after so many others of them fails; so do
 * all later ones if it lasts, until disk_heal. after: from 0.
 */
void disk_fail(struct disk *d, unsigned kinds, uint64_t after, bool lasts);
/* At this operation, whatever it is, the power goes or the process is killed. */
void disk_stop(struct disk *d, uint64_t after, bool power);
/* Files may have so many bytes in all; 0: any number. */
void disk_limit(struct disk *d, size_t bytes);
/* No more faults, and any size. A disk that has stopped stays so. */
void disk_heal(struct disk *d);
/* While paused, nothing fails and nothing is counted: for checks from outside. */
void disk_pause(struct disk *d, bool paused);
/* Has it stopped? Then nothing changes any more, and every call fails. */
bool disk_stopped(const struct disk *d);
/* After a stop, when all connections are closed: what is found at the next start. */
void disk_restart(struct disk *d);
/* Bytes of all files. */
size_t disk_bytes(const struct disk *d);
/*
 * How often the planned faults have happened; sectors that were lost, that were torn, and that were
 * kept though one written before them was lost.
 */
struct disk_counts {
	uint64_t failed[DISK_OPS], full, lost, torn, reordered, kills, cuts;
};
/* The sum of the operations that failed or found the disk full. */
uint64_t disk_failures(const struct disk *d);
struct disk_counts disk_counts(const struct disk *d);

/* Flips a bit of a synced file that holds the text, where it holds it. False: none does. */
bool disk_damage(struct disk *d, const char *text);

/* Keeps all files as they are and comes back to them later. No connection may be open. */
bool disk_save(struct disk *d);
bool disk_load(struct disk *d);

#endif
