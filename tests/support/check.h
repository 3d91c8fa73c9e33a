/*
 * check.h - cmocka with the headers it wants before it.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
