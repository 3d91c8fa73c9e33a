/*
 * manager.c - what the managers of all protocols share.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/manager.h"

static const struct manager_ops *const managers[] = { &manager_qgp, &manager_ugi, &manager_uci,
						     &manager_xboard };
enum { MANAGERS = sizeof managers / sizeof *managers };

const struct manager_ops *manager_find(const char *name, size_t length)
{
	for (int i = 0; i < MANAGERS; i++)
		if (strlen(managers[i]->name) == length &&
		    memcmp(managers[i]->name, name, length) == 0)
			return managers[i];
	return NULL;
}

enum manager_event manager_garbage(struct manager *m, const char *line)
{
	qv_fail(&m->error, QV_BAD_INPUT, "'%.100s'", line);
	return MANAGER_GARBAGE;
}

static void take(char *to, size_t size, const char *text)
{
	size_t length = strlen(text);
	if (length >= size)
		length = size - 1;
	memcpy(to, text, length);
	to[length] = '\0';
}

void manager_take_move(struct manager *m, const char *text)
{
	take(m->move, sizeof m->move, text);
}

void manager_take_pv(struct manager *m, const char *text)
{
	take(m->info.pv, sizeof m->info.pv, text);
}

void manager_take_name(struct manager *m, const char *text)
{
	struct qv_error printable;
	qv_fail(&printable, QV_OK, "%.60s", text);
	take(m->name, sizeof m->name, printable.text);
}

bool manager_number(const char *word, int64_t most, int64_t *out)
{
	int64_t number;
	if (!text_to_int(word, -INT64_MAX, INT64_MAX, &number))
		return false;
	*out = number > most ? most : number < -most ? -most : number;
	return true;
}
