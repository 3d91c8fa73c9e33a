/*
 * engine_options.h - the options of an engine, and which of them each protocol offers.
 * SPDX-License-Identifier: MIT
 *
 * Rows whose values are in struct engine_session; engine_set sets one. A number is a spin or number, a
 * switch a check, a flag a button, a text a string of the protocols. A custom option is a string
 * that has no effect; its `value` is what it shows.
 */
#ifndef PROTOCOLS_ENGINE_OPTIONS_H
#define PROTOCOLS_ENGINE_OPTIONS_H

#include "protocols/engine_session.h"

/* Groups; a NULL ends them. */
extern const struct option *const qgp_options[];    /* QGP and UGI */
extern const struct option *const uci_options[];    /* under the names that people know */
extern const struct option *const xboard_options[]; /* UCI's, less those with a command */

const struct option *engine_option_find(const struct option *const *groups,
					const char *name); /* letter case ignored; NULL */
/* The option as it is for the game at hand, with its bounds; false: the game does not have it. */
bool engine_option_here(const struct engine_session *e, const struct option *row,
			struct option *out);

/* The value as it is now: of a number or switch, within the bounds; of a text. */
int64_t engine_option_number(const struct engine_session *e, const struct option *row);
const char *engine_option_text(const struct engine_session *e, const struct option *row);

#endif
