/*
 * protocol_lines.c - lines to and from a program beside its protocol, and its end.
 * SPDX-License-Identifier: MIT
 */
#include "programs/protocol_player.h"

#include "base/clock.h"

enum { SEND_MS = 1000 };

const struct manager_ops *player_protocol(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p ? p->spec.ops : NULL;
}

const char *player_declared(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p && p->declared.length && !p->declared.failed ? p->declared.data : "";
}

bool player_wants_moves(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p && p->manager.wants_moves;
}

/* The fault of a program that could not be written to or read from. */
static enum qv_status fail(struct protocol_player *p, enum child_got got, struct qv_error *error)
{
	const enum player_fault fault = got == CHILD_TIMEOUT	 ? FAULT_TIMEOUT
					: got == CHILD_LONG_LINE ? FAULT_LINE
					: got == CHILD_FLOOD	 ? FAULT_FLOOD
								 : FAULT_CRASH;
	return protocol_misbehave(p, fault, NULL, error);
}

enum qv_status player_send(struct qv_player *player, const char *text, struct qv_error *error)
{
	struct protocol_player *p = protocol_player(player);
	const enum child_got got =
		child_write(&p->child, text, strlen(text), clock_us() + INT64_C(1000) * SEND_MS);
	return got == CHILD_LINE ? QV_OK : fail(p, got, error);
}

enum qv_status player_listen(struct qv_player *player, const char *wanted, int64_t ms, bool *came,
			     struct qv_error *error)
{
	struct protocol_player *p = protocol_player(player);
	const int64_t until = clock_us() + ms * 1000;
	*came = false;
	while (!*came) {
		char *line;
		size_t length;
		const enum child_got got = child_read(&p->child, until, &line, &length);
		if (got == CHILD_TIMEOUT)
			return QV_OK;
		if (got != CHILD_LINE)
			return fail(p, got, error);
		*came = wanted && strncmp(line, wanted, strlen(wanted)) == 0;
		/* One that writes on and on does not let the read time out. */
		if (!*came && clock_us() >= until)
			return QV_OK;
	}
	return QV_OK;
}

/* Its output is read up to the end, so that a program that writes a lot can end. */
void player_quit(struct qv_player *player, bool says_quit, int64_t ms, bool *ended,
		 int *exit_status)
{
	struct protocol_player *p = protocol_player(player);
	const int64_t until = clock_us() + ms * 1000;
	enum child_got got = CHILD_LINE;
	char *line;
	size_t length;
	p->say.length = 0;
	if (says_quit)
		p->manager.ops->quit(&p->manager, &p->say);
	if (p->say.length && !p->say.failed)
		child_write(&p->child, p->say.data, p->say.length, until);
	p->say.length = 0;
	child_close_input(&p->child);
	while (got == CHILD_LINE && clock_us() < until)
		got = child_read(&p->child, until, &line, &length);
	const int status = child_end(&p->child, true);
	*ended = status >= 0;
	*exit_status = status;
}
