/*
 * cluster_watch.h - what a part of the server that is not the API learns of the other servers, and
 * how it sends them something.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_CLUSTER_WATCH_H
#define SERVER_API_CLUSTER_WATCH_H

#include <jansson.h>

#include "server/api/api.h"

/* api->watch. The functions are called in the host's thread. */
struct cluster_watch {
	/* A message with the key "imcs" of another node; NULL: some may be missing. */
	void (*heard)(void *ctx, const json_t *message);
	void (*died)(void *ctx, const char *node);
	/* Others take this node for dead, and may take over what it has; it is alive again. */
	void (*lost)(void *ctx);
	void (*found)(void *ctx);
	void *ctx;
};

/*
 * Sends the message, which it takes, to a node, or with "" to all others. False: it was not sent,
 * and done is never called. done may be NULL; it may be called at once.
 */
bool cluster_send(struct api *api, const char *node, json_t *message,
		  void (*done)(void *ctx, bool ok), void *ctx);

#endif
