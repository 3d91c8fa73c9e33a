/*
 * read.c - reads that wait for the database, on the caller's thread; also for IMCS.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/inside.h"

enum qv_status store_read_now(struct store *s, enum store_question question,
			      const struct store_value *values, struct store_rows **out,
			      struct qv_error *error)
{
	*out = NULL;
	return s->driver->ask(s->link, question, values, out, error);
}

/* The error for a row with a text that does not fit. */
static enum qv_status misfit(struct qv_error *error)
{
	return qv_fail(error, QV_IO, "database: is damaged: a text is too long");
}

/* ---- plays ---- */

/* The first row, which is the play. */
static enum qv_status take_play(const struct store_rows *rows, const char *play,
				struct store_play *out, struct qv_error *error)
{
	if (!rows->count)
		return qv_fail(error, QV_UNKNOWN, "%.40s: no such game", play);
	return store_row_play(rows, 0, out) ? QV_OK : misfit(error);
}

enum qv_status store_find_play(struct store *s, const char *play, struct store_play *out,
			       struct qv_error *error)
{
	const struct store_value id = value_text(play);
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_PLAY, &id, &rows, error);
	if (status == QV_OK)
		status = take_play(rows, play, out, error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_load_play(struct store *s, const char *play, struct store_play *out,
			       store_line_fn *on_line, void *ctx, struct qv_error *error)
{
	const struct store_value id = value_text(play);
	struct store_play found;
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_LOAD, &id, &rows, error);
	if (status == QV_OK)
		status = take_play(rows, play, &found, error);
	for (size_t i = 0; status == QV_OK && i < rows->next->count; i++) {
		int64_t number;
		size_t size;
		const char *line = store_row_line(rows->next, i, play, &number, &size);
		if (!on_line(ctx, number, line, size))
			status = qv_fail(error, QV_STOPPED, "%.40s: stopped", play);
	}
	if (status == QV_OK && out)
		*out = found;
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_plays(struct store *s, enum store_list list, const char *user, int most,
				store_play_fn *on_play, void *ctx, struct qv_error *error)
{
	static const enum store_question kinds[] = { [STORE_GOING] = ASK_GOING,
						     [STORE_OF_USER] = ASK_OF_USER,
						     [STORE_LATEST] = ASK_LATEST,
						     [STORE_UNLISTED] = ASK_UNLISTED };
	const struct store_value values[] = { value_number(most > 0 ? most : INT64_MAX),
					      value_text(user ? user : "") };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, kinds[list], values, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_play play;
		size_t size;
		const char *header = store_row_header(rows, i, &size);
		if (!store_row_play(rows, i, &play))
			status = misfit(error);
		else if (!on_play(ctx, &play, header, size))
			status = qv_fail(error, QV_STOPPED, "plays: stopped");
	}
	store_rows_free(rows);
	return status;
}

/* ---- finished games ---- */

void store_ask_finished(const char *user, const struct store_search *search,
			struct store_value values[STORE_SEARCH_VALUES])
{
	/* The pair of `until` and "" is less than any game that ended at that time. */
	const int64_t until = search->until ? search->until : INT64_MAX;
	const bool after = search->after.play && search->after.ended < until;
	values[0] = value_text(user);
	values[1] = value_text(search->game);
	values[2] = value_text(search->outcome);
	values[3] = value_text(search->opponent);
	values[4] = value_number(search->since);
	values[5] = value_number(after ? search->after.ended : until);
	values[6] = value_text(after ? search->after.play : "");
	values[7] = value_number(search->most);
	values[8] = value_number(search->first);
}

/* ---- studies ---- */

static enum qv_status pass_studies(const struct store_rows *rows, store_study_fn *on_study,
				   void *ctx, struct qv_error *error)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct store_study study;
		const char *body;
		if (!store_row_study(rows, i, &study, &body))
			return misfit(error);
		on_study(ctx, &study, body);
	}
	return QV_OK;
}

enum qv_status store_find_study(struct store *s, const char *id, store_study_fn *on_study,
				void *ctx, struct qv_error *error)
{
	const struct store_value value = value_text(id);
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_STUDY, &value, &rows, error);
	if (status == QV_OK && !rows->count)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such study", id);
	if (status == QV_OK)
		status = pass_studies(rows, on_study, ctx, error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_studies(struct store *s, const char *user, int most,
				  store_study_fn *on_study, void *ctx, struct qv_error *error)
{
	const struct store_value values[] = { value_text(user), value_number(most) };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_STUDIES, values, &rows, error);
	if (status == QV_OK)
		status = pass_studies(rows, on_study, ctx, error);
	store_rows_free(rows);
	return status;
}

/* ---- IMCS ---- */

/* Rows in the order of `number`, which counts up. */
/* The number of the last one replaces *last, or INT64_MAX if there are no others. */
static enum qv_status pass_imcs_users(struct store *s, int64_t *last, store_imcs_user_fn *on_user,
				      void *ctx, struct qv_error *error)
{
	const struct store_value values[] = { value_number(*last), value_number(STORE_PORTION) };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_IMCS_ALL, values, &rows, error);
	*last = INT64_MAX;
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_imcs_user user;
		*last = store_rows_number(rows, i, 5);
		if (!store_row_imcs_user(rows, i, &user))
			status = misfit(error);
		else if (!on_user(ctx, &user))
			status = qv_fail(error, QV_STOPPED, "imcs: stopped");
	}
	store_rows_free(rows);
	return status;
}

/* The version first: an account that changes between two portions is read again later. */
enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				int64_t *version, struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_IMCS_VERSION, NULL, &rows, error);
	if (status == QV_OK)
		*version = store_rows_number(rows, 0, 0);
	store_rows_free(rows);
	for (int64_t last = INT64_MIN; status == QV_OK && last < INT64_MAX;)
		status = pass_imcs_users(s, &last, on_user, ctx, error);
	return status;
}

static enum qv_status pass_games(struct store *s, enum store_question question,
				 const struct store_value *values, store_imcs_game_fn *on_game,
				 void *ctx, struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, question, values, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_imcs_game game;
		if (!store_row_imcs_game(rows, i, &game))
			status = misfit(error);
		else if (!on_game(ctx, &game))
			status = qv_fail(error, QV_STOPPED, "imcs: stopped");
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error)
{
	const struct store_value value = value_number(id);
	return pass_games(s, ASK_IMCS_GAMES, &value, on_game, ctx, error);
}

enum qv_status store_imcs_left(struct store *s, store_imcs_game_fn *on_game, void *ctx,
			       struct qv_error *error)
{
	return pass_games(s, ASK_IMCS_LEFT, NULL, on_game, ctx, error);
}

enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error)
{
	struct store_rows *rows;
	const enum qv_status status = store_read_now(s, ASK_IMCS_LAST, NULL, &rows, error);
	if (status == QV_OK)
		*out = store_rows_number(rows, 0, 0);
	store_rows_free(rows);
	return status;
}
