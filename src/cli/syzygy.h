/*
 * syzygy.h - Syzygy endgame tables of chess, read by libfathom if the program was built with it.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SYZYGY_H
#define CLI_SYZYGY_H

#include "quevedo.h"

/* Finds nothing until a folder is opened. NULL: this build cannot read such tables. */
const struct qv_prober *syzygy_prober(void);

#endif
