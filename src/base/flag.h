/*
 * flag.h - the flags by which one thread stops the work of another (struct qv_flag), inline.
 * SPDX-License-Identifier: MIT
 *
 * The public struct is a plain number, so that any language can allocate it. Only the functions
 * here and qv_flag_set, qv_flag_clear and qv_flag_is_set touch it, with the compiler's atomic
 * operations; signal handlers may use them, too.
 */
#ifndef BASE_FLAG_H
#define BASE_FLAG_H

#include "quevedo.h"

/* False for NULL: the caller has no flag. */
static inline bool flag_is_set(const struct qv_flag *flag)
{
	return flag && __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE) != 0;
}

static inline void flag_set(struct qv_flag *flag, bool on)
{
	__atomic_store_n(&flag->value, on, __ATOMIC_RELEASE);
}

/* Clears the flag and returns whether it was set. */
static inline bool flag_take(struct qv_flag *flag)
{
	return __atomic_exchange_n(&flag->value, 0, __ATOMIC_ACQ_REL) != 0;
}

#endif
