/*
 * help_files.h - the man page and the shell completions, written from the tables.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_HELP_FILES_H
#define CLI_HELP_FILES_H

#include "cli/cli.h"

/* What an option does, and its default (help.c). */
void help_add_meaning(const struct option *row, struct string *out);

enum help_shell { HELP_BASH, HELP_ZSH, HELP_FISH };

void help_man(struct string *out); /* quevedo.1 */
void help_completion(struct cli *c, enum help_shell shell, struct string *out);

#endif
