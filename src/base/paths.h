/*
 * paths.h - folders: finding the user's data folder, creating folders, paths inside them.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#include "quevedo.h"

enum { FOLDER_PATH = 2048 };       /* size of a path buffer, NUL included */

/*
 * The folder of the user's data: `given`, as the option --data names it, or, if that is NULL,
 * $XDG_DATA_HOME/quevedo or ~/.local/share/quevedo. Unless it is NULL, `part` names a folder inside
 * the latter two. QV_BAD_INPUT: neither variable is set, or the path is empty or too long. Creates
 * nothing.
 */
enum qv_status folder_find(const char *given, const char *part, char out[FOLDER_PATH],
			   struct qv_error *error);

/* Creates the folder and its parents where they are missing, readable by their owner alone. */
enum qv_status folder_make(const char *folder, struct qv_error *error);

/* Writes FOLDER/NAME to out. QV_BAD_INPUT: it is too long. */
enum qv_status folder_path(const char *folder, const char *name, char out[FOLDER_PATH],
			   struct qv_error *error);

/* Flushes the folder itself, so that files created or renamed in it survive a power failure. */
enum qv_status folder_sync(const char *folder, struct qv_error *error);

#endif
