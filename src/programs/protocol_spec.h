/*
 * protocol_spec.h - specs of players that are programs: protocol, keys and command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROGRAMS_PROTOCOL_SPEC_H
#define PROGRAMS_PROTOCOL_SPEC_H

#include "protocols/manager.h"

enum { PROTOCOL_OPTIONS = 16, PROTOCOL_SPEC_MOST = 1 << 16 };

struct protocol_option {
	const char *name, *value;
};

/* The texts point into `text`, which is its own. Release with protocol_spec_release. */
struct protocol_spec {
	const struct qv_allocator *allocator;
	char *text;
	size_t text_size;
	const struct manager_ops *ops;
	int64_t depth, nodes, time_ms;     /* 0: not given */
	struct protocol_option options[PROTOCOL_OPTIONS];
	int option_count;
	const char *command;
};

/* protocol_player.h says what a spec is. */
enum qv_status protocol_spec_parse(struct protocol_spec *spec, const struct qv_allocator *allocator,
				   const char *text, struct qv_error *error);
void protocol_spec_release(struct protocol_spec *spec);

#endif
