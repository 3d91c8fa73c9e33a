/*
 * starchess.h - Star Chess a second time: slow, and straight from the rules' text.
 * SPDX-License-Identifier: MIT
 *
 * Columns and rows count from 0, factions from 1; 0 is nobody. Nothing of src/ is used.
 */
#ifndef TWINS_STARCHESS_H
#define TWINS_STARCHESS_H

#include <stdbool.h>
#include <stddef.h>

struct twin_sector {
	char planet;               /* 'T' or 'B' */
	int colony, population, worked;
	int fleet, ships, active;
};

struct twin_galaxy {
	struct twin_sector at[4][4];       /* column, row */
	int materials[5], credits[5];
	bool defeated[5];
	int turn, move, limit;
};

struct twin_place {
	int column, row;
};

void twin_starchess_read(struct twin_galaxy *g, const char *position, int limit);
void twin_starchess_write(const struct twin_galaxy *g, char *position, size_t size);
/* Plays a command. If a condition is not met, changes nothing and returns the condition. */
const char *twin_starchess_play(struct twin_galaxy *g, const char *command);
int twin_starchess_score(const struct twin_galaxy *g, int faction);
/* 0: not over; 1 to 4: that faction has won; 5: a draw. */
int twin_starchess_over(const struct twin_galaxy *g);

int twin_distance(struct twin_place a, struct twin_place b);
/* Sector number n, from 0, in the order of a faction. */
struct twin_place twin_order(int faction, int n);
struct twin_place twin_home(int faction);
/* Whether the faction has a colony in the sector or next to it. */
bool twin_supported(const struct twin_galaxy *g, int faction, struct twin_place p);
int twin_ships(const struct twin_galaxy *g, int faction);
/* Income of colonies that are not blockaded. */
void twin_income(const struct twin_galaxy *g, int faction, int *materials, int *credits);

/* ---- The mask predictor (starchess_mask.c) ---- */

struct twin_thought {
	int turns;
	bool masks, all_masks;
	/* The seed's abandoned experiments. */
	bool gains, skip_dead, count_builds, old_garrison;
	/* What came of it. */
	long generated, evaluated;
	int score;                 /* of the chosen turn, for the faction that thinks */
	char commands[200][32];    /* the turn, with end */
	int count;
};

void twin_starchess_think(const struct twin_galaxy *g, struct twin_thought *t);

#endif
