/*
 * clock.h - time that only goes forward.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_us(void);      /* microseconds since some fixed moment */

/*
 * Processor time that this thread has used, in microseconds: what other work on the machine does
 * not slow.
 */
int64_t clock_thread_us(void);

#endif
