/*
 * play_files.h - games kept in files.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PLAY_FILES_H
#define CLI_PLAY_FILES_H

#include "terminal/dialogue.h"

/* Reading and writing as struct talk_files wants it. */
struct talk_files play_files(void);

#endif
