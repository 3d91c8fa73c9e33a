/*
 * rooms.h - what the files about plays in memory share beside inside.h.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_ROOMS_H
#define SERVER_API_ROOMS_H

#include "server/api/inside.h"

struct hosted_callbacks rooms_host(struct api *api);

/* Reads the game from the store and adds its room, at once. NULL: *status is 404 or 503. */
struct room *room_load(struct api *api, const char *id, int *status);

/* A text for many: whoever makes it drops it, and so does each who waits with it. */
struct said;
struct said *said_new(const char *text); /* NULL: no memory */
void said_drop(struct said *said);       /* NULL is fine */
/* As room_reply_text, to one of many. */
void room_say(struct api *api, struct room *room, const struct outgoing *out, struct said *said);

#endif
