/*
 * position_pgn.c - the position at the end of a game in a PGN file.
 * SPDX-License-Identifier: MIT
 */
#include "cli/cli.h"
#include "formats/pgn.h"

enum qv_status position_take_pgn(struct cli *c, struct position *p, const char *data, size_t size)
{
	struct pgn_reader reader = { .context = c->context, .rules = &p->rules };
	struct qv_record *record = NULL;
	enum qv_status status = pgn_reader_init(&reader, data, size, &c->error);
	if (status == QV_OK)
		status = pgn_next(&reader, &record, &c->error);
	if (status == QV_OK && !record)
		status = qv_fail(&c->error, QV_BAD_INPUT, "--moves-from: the file has no game");
	pgn_reader_release(&reader);
	if (status != QV_OK)
		return status;
	qv_record_free(p->record);
	p->record = record;
	p->rules = *qv_record_rules(record);
	p->state = qv_record_state(record);
	return QV_OK;
}
