/*
 * removals.c - what a restore must not bring back: the list of what was deleted or changed for
 * safety.
 * SPDX-License-Identifier: MIT
 *
 * Triggers of both databases write the rows of `removal`, in the transaction of the change itself, so
 * none is missing whoever makes the change. They are kept for STORE_REMOVAL_DAYS. The list is printed
 * as JSON lines, to lie beside the backups, and applied after a restore. Applying it again, or to a
 * database that is newer, changes nothing: ids are never used twice, an epoch only grows, and a
 * password is not replaced if a later one is known.
 */
#include <stdlib.h>

#include "base/json.h"
#include "server/store/inside.h"

/* ---- reading ---- */

enum qv_status store_find_mark(struct store *s, const char *what, char out[STORE_MARK],
			       struct qv_error *error)
{
	const struct store_value value = value_text(what);
	struct store_rows *rows = NULL;
	const enum qv_status status = store_read_now(s, ASK_MARK, &value, &rows, error);
	out[0] = '\0';
	if (status == QV_OK && rows->count)
		snprintf(out, STORE_MARK, "%s", store_rows_text(rows, 0, 0));
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_removals(struct store *s, store_removal_fn *on_removal, void *ctx,
				   struct qv_error *error)
{
	struct store_value values[] = { value_number(0), value_number(STORE_PORTION) };
	enum qv_status status;
	bool more;
	do {
		struct store_rows *rows = NULL;
		status = store_read_now(s, ASK_REMOVALS, values, &rows, error);
		more = status == QV_OK && rows->count == STORE_PORTION;
		for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
			struct store_removal r = { .made = store_rows_number(rows, i, 4) };
			values[0] = value_number(store_rows_number(rows, i, 0));
			snprintf(r.what, sizeof r.what, "%s", store_rows_text(rows, i, 1));
			snprintf(r.id, sizeof r.id, "%s", store_rows_text(rows, i, 2));
			snprintf(r.value, sizeof r.value, "%s", store_rows_text(rows, i, 3));
			on_removal(ctx, &r);
		}
		store_rows_free(rows);
	} while (more);
	return status;
}

/* False: it is no text, or does not fit. */
static bool take_text(const json_t *object, const char *key, char *out, size_t size)
{
	const char *text = json_plain_text(json_object_get(object, key));
	if (!text || strlen(text) >= size)
		return false;
	snprintf(out, size, "%s", text);
	return true;
}

enum qv_status store_read_removal(const char *line, size_t size, struct store_removal *out,
				  struct qv_error *error)
{
	json_t *object = NULL;
	enum qv_status status = json_load_object(line, size, 1, &object, error);
	const json_t *made = json_object_get(object, "made");
	*out = (struct store_removal){ .made = json_integer_value(made) };
	if (status == QV_OK && (!json_is_integer(made) ||
				!take_text(object, "what", out->what, sizeof out->what) ||
				!take_text(object, "id", out->id, sizeof out->id) || !*out->id ||
				!take_text(object, "value", out->value, sizeof out->value)))
		status = qv_fail(error, QV_BAD_INPUT, "made, what, id and value are expected");
	json_decref(object);
	return status;
}

/* ---- after a restore ---- */

enum qv_status store_end_all(struct store *s, const char *dice)
{
	const struct store_value values[] = { value_text("dice"), value_text(dice) };
	store_add_write(s, WRITE_END_SESSIONS, 0, NULL);
	store_add_write(s, WRITE_END_CODES, 0, NULL);
	store_add_write(s, WRITE_END_UNNAMED, 0, NULL);
	return store_add_write(s, WRITE_MARK, 2, values);
}

static enum qv_status redo_account(struct store *s, const struct store_removal *r, int64_t now,
				   struct qv_error *error)
{
	struct store_user user;
	const enum qv_status status = store_user_by_id(s, r->id, &user, error);
	if (status == QV_OK && *user.login)
		return store_delete_user(s, r->id, STORE_NOBODY, now);
	return status == QV_UNKNOWN ? QV_OK : status;
}

static enum qv_status redo_game(struct store *s, const struct store_removal *r, int64_t now,
				struct qv_error *error)
{
	struct store_play play;
	const enum qv_status status = store_find_play(s, r->id, &play, error);
	if (status == QV_OK)
		return store_delete_play(s, r->id, now);
	return status == QV_UNKNOWN ? QV_OK : status;
}

static enum qv_status redo_value(struct store *s, enum store_change kind,
				 const struct store_removal *r)
{
	const struct store_value values[] = { value_text(r->id), value_text(r->value),
					      value_number(r->made) };
	return store_add_write(s, kind, 3, values);
}

static enum qv_status redo_id(struct store *s, enum store_change kind,
			      const struct store_removal *r)
{
	const struct store_value id = value_text(r->id);
	return store_add_write(s, kind, 1, &id);
}

enum qv_status store_redo(struct store *s, const struct store_removal *r, int64_t now,
			  struct qv_error *error)
{
	if (strcmp(r->what, "account") == 0)
		return redo_account(s, r, now, error);
	if (strcmp(r->what, "game") == 0)
		return redo_game(s, r, now, error);
	if (strcmp(r->what, "password") == 0)
		return redo_value(s, WRITE_REDO_PASSWORD, r);
	if (strcmp(r->what, "email") == 0)
		return redo_value(s, WRITE_REDO_EMAIL, r);
	if (strcmp(r->what, "token") == 0)
		return redo_id(s, WRITE_DROP_TOKEN, r);
	if (strcmp(r->what, "study") == 0)
		return redo_id(s, WRITE_DROP_STUDY, r);
	if (strcmp(r->what, "epoch") == 0) {
		const struct store_value values[] = { value_text(r->id),
						      value_number(atoll(r->value)) };
		return store_add_write(s, WRITE_REDO_EPOCH, 2, values);
	}
	return qv_fail(error, QV_BAD_INPUT, "%.15s: unknown kind of removal", r->what);
}

enum qv_status store_count_nodes(struct store *s, size_t *out, struct qv_error *error)
{
	struct store_rows *rows = NULL;
	const enum qv_status status = store_read_now(s, ASK_NODES, NULL, &rows, error);
	*out = status == QV_OK ? rows->count : 0;
	store_rows_free(rows);
	return status;
}
