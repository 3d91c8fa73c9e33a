/*
 * uci_options.h - the options that UCI and XBoard offer, under the names that people know.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROTOCOLS_UCI_OPTIONS_H
#define PROTOCOLS_UCI_OPTIONS_H

#include "protocols/engine_session.h"

enum uci_type { UCI_CHECK, UCI_SPIN, UCI_BUTTON, UCI_STRING };

struct uci_option {
	const char *name; /* NULL ends the table */
	enum uci_type type;
	int64_t min, max;			    /* of a number */
	int64_t (*number)(const struct thinker *t); /* as it is now */
	const char *(*text)(const struct thinker *t);
	enum qv_status (*set)(struct thinker *t, int64_t number, const char *text,
			      struct qv_error *error);
	bool uci_only;
	/* Of a number whose bounds are the game's; false: it is not for this game. May be NULL. */
	bool (*range)(const struct thinker *t, int64_t *min, int64_t *max);
};
extern const struct uci_option uci_options[];

const struct uci_option *uci_option_find(const char *name); /* letter case ignored; NULL */
/* Whether it is offered for this game; its bounds. */
bool uci_option_offered(const struct thinker *t, const struct uci_option *option, int64_t *min,
			int64_t *max);
/* Checks the value and sets it; after an error nothing has changed. */
enum qv_status uci_option_set(struct thinker *t, const struct uci_option *option, const char *value,
			      struct qv_error *error);

#endif
