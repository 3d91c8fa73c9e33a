/*
 * phrases.h - Star Chess: formatted sentences, and names of sectors in them.
 * SPDX-License-Identifier: MIT
 */
#ifndef STARCHESS_PHRASES_H
#define STARCHESS_PHRASES_H

#include <stdarg.h>
#include <stdio.h>

#include "quevedo.h"

static inline void sc_putf(struct qv_text *out, const char *format, ...)
	/* Appends formatted text, at most 159 characters. */
	__attribute__((format(printf, 2, 3)));
static inline void sc_putf(struct qv_text *out, const char *format, ...)
{
	char text[160];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	qv_put(out, text);
}

/* The name of a sector, `A1` to `D4`. */
struct sc_name {
	char text[3];
};

static inline struct sc_name sc_name_of(unsigned sector)
{
	return (struct sc_name){ { (char)('A' + sector / 4), (char)('1' + sector % 4), '\0' } };
}

#endif
