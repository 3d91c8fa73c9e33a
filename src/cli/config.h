/*
 * config.h - options of a command from a file.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/options.h"

enum { CONFIG_MOST = 65536 }; /* bytes of a file */

/*
 * Sets the options that the text of the file gives, except those that are given already: so the
 * command line wins, for a repeated option as a whole. Values point into the text, which is cut up
 * and must outlive them; it ends with a NUL after `size` bytes. An error names the file and the
 * line, and options of earlier lines stay set.
 */
enum qv_status config_read(struct options *o, const char *file, char *text, size_t size,
			   struct qv_error *error);

#endif
