/*
 * protocol_spec.h - specs of players that are programs: protocol, keys and command line.
 * SPDX-License-Identifier: MIT
 *
 * The spec is KIND:COMMAND LINE, or KIND:key=value,...,cmd=COMMAND LINE. Everything after `cmd=`,
 * or without keys after the first colon, belongs to the command line, even commas and colons. There
 * are keys if the first word has a '=' before any '/'. They are depth, nodes and time, limits for
 * each move, dir, the folder in which the program runs, and option.NAME, an option that is sent to
 * the program. `gnubg` has plies, too. For `external` the command line is the address of a socket,
 * and there are neither options nor a folder.
 */
#ifndef PROGRAMS_PROTOCOL_SPEC_H
#define PROGRAMS_PROTOCOL_SPEC_H

#include "protocols/manager.h"

enum { PROTOCOL_OPTIONS = 16, PROTOCOL_SPEC_MOST = 1 << 16 }; /* options; bytes of a spec */

struct protocol_option {
	const char *name, *value;
};

/* The texts point into `text`, which the spec owns. Release with protocol_spec_release. */
struct protocol_spec {
	const struct qv_allocator *allocator;
	char *text;
	size_t text_size;
	const struct manager_ops *ops;
	int64_t depth, nodes, time_ms;     /* 0: not given */
	int64_t plies;			   /* of GNU Backgammon */
	struct protocol_option options[PROTOCOL_OPTIONS];
	int option_count;
	const char *command;
	const char *folder; /* NULL: the current one */
};

/* Parses a copy of the text. On failure there is nothing to release. */
enum qv_status protocol_spec_parse(struct protocol_spec *spec, const struct qv_allocator *allocator,
				   const char *text, struct qv_error *error);
void protocol_spec_release(struct protocol_spec *spec);

#endif
