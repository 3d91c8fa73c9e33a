/*
 * moderation.c - the writes of reports, suspensions and the audit trail.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/moderation.h"

#include "server/store/inside.h"

enum qv_status store_add_report(struct store *s, const struct store_report *r)
{
	const struct store_value values[] = {
		text(r->id, STORE_ID),		 value_number(r->made),
		text(r->reporter, STORE_ID),	 text(r->kind, STORE_PURPOSE),
		text(r->object, STORE_ID),	 text(r->about, STORE_ID),
		text(r->shown, STORE_TITLE),	 text(r->reason, STORE_PURPOSE),
		text(r->text, STORE_REPORT_TEXT), text(r->network, STORE_TARGET)
	};
	return store_add_write(s, WRITE_REPORT, 10, values);
}

enum qv_status store_close_report(struct store *s, const char *id, int64_t now)
{
	const struct store_value values[] = { text(id, STORE_ID), value_number(now) };
	return store_add_write(s, WRITE_CLOSE_REPORT, 2, values);
}

enum qv_status store_suspend(struct store *s, const struct store_suspension *suspension)
{
	const struct store_value values[] = { text(suspension->target, STORE_TARGET),
					      text(suspension->reason, STORE_REASON),
					      value_number(suspension->made),
					      value_number(suspension->until) };
	store_add_write(s, WRITE_SUSPENSION, 4, values);
	return store_revoke(s, STORE_SUSPENDED, "", "", suspension->made);
}

enum qv_status store_unsuspend(struct store *s, const char *target, int64_t now)
{
	const struct store_value value = text(target, STORE_TARGET);
	store_add_write(s, WRITE_DROP_SUSPENSION, 1, &value);
	return store_revoke(s, STORE_SUSPENDED, "", "", now);
}

bool store_row_suspension(const struct store_rows *rows, size_t row, struct store_suspension *out)
{
	if (row >= rows->count)
		return false;
	*out = (struct store_suspension){ .made = store_rows_number(rows, row, SUSPENSION_MADE),
					  .until = store_rows_number(rows, row, SUSPENSION_UNTIL) };
	snprintf(out->target, sizeof out->target, "%s",
		 store_rows_text(rows, row, SUSPENSION_TARGET));
	snprintf(out->reason, sizeof out->reason, "%s",
		 store_rows_text(rows, row, SUSPENSION_REASON));
	return true;
}

enum qv_status store_add_audit(struct store *s, const struct store_audit *entry)
{
	const struct store_value values[] = { value_number(entry->made),
					      text(entry->what, STORE_PURPOSE),
					      text(entry->user, STORE_ID),
					      text(entry->network, STORE_TARGET),
					      text(entry->detail, STORE_TITLE) };
	return store_add_write(s, WRITE_AUDIT, 5, values);
}
