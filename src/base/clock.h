/*
 * clock.h - monotonic time, which never jumps back.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_us(void);      /* microseconds since an arbitrary fixed moment */

/*
 * Processor time that the calling thread has used, in microseconds. Other load on the machine does
 * not change it.
 */
int64_t clock_thread_us(void);

#endif
