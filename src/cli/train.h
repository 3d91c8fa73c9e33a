/*
 * train.h - what the trainings of different games share.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include "cli/cli.h"

enum qv_status train_chess(struct cli *c);

/* After a training: clears the line of progress, if one was shown; a stop is an answer, no error.
 */
enum qv_status train_ended(struct cli *c, bool shown, enum qv_status status, enum qv_status told);

#endif
