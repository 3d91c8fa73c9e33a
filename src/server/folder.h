/*
 * folder.h - the folder that holds what the server keeps.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_FOLDER_H
#define SERVER_FOLDER_H

#include "quevedo.h"

enum { FOLDER_PATH = 2048 };

/*
 * The folder as given, or, if that is NULL, $XDG_DATA_HOME/quevedo or ~/.local/share/quevedo.
 * QV_BAD_INPUT: neither is set, or the name is empty or too long. Nothing is made.
 */
enum qv_status folder_find(const char *given, char out[FOLDER_PATH], struct qv_error *error);
/* Makes it and what it stands in, for its owner alone, if it is not there. */
enum qv_status folder_make(const char *folder, struct qv_error *error);
/* FOLDER/NAME. */
enum qv_status folder_path(const char *folder, const char *name, char out[FOLDER_PATH],
			   struct qv_error *error);
/* What was renamed or made in it survives a power cut. */
enum qv_status folder_sync(const char *folder, struct qv_error *error);

#endif
