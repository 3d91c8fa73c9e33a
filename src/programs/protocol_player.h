/*
 * protocol_player.h - the inside of a player that is a program.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROGRAMS_PROTOCOL_PLAYER_H
#define PROGRAMS_PROTOCOL_PLAYER_H

#include "programs/child.h"
#include "programs/players.h"
#include "programs/protocol_spec.h"
#include "search/player.h"

struct protocol_player {
	struct qv_player base;
	struct protocol_spec spec;
	struct child child;
	struct manager manager;
	struct engine_log_entry log;
	enum player_fault fault;
	bool unstarted;		  /* its last start has failed */
	struct qv_error words;	  /* of the fault */
	struct qv_error why;	  /* the same, after the command line */
	struct string declared;	  /* lines of the handshake that declare options */
	struct qv_error warnings; /* about options of the spec; "": none */
	enum qv_status pending;	  /* the failure of a new game, if it was not reported yet */
	struct string say;	  /* what is to be sent */
	struct string moves, legal;
	void *scratch; /* room for a state */
	qv_move *list; /* room for the legal moves */
};

/* The player as a program; NULL: it is one of the library. */
struct protocol_player *protocol_player(const struct qv_player *player);
/*
 * Ends the program and stores its fault, with its words and what it wrote last to standard error.
 * detail: NULL, or more words.
 */
enum qv_status protocol_misbehave(struct protocol_player *p, enum player_fault fault,
				  const char *detail, struct qv_error *error);

#endif
