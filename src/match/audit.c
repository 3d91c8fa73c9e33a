/*
 * audit.c - checks a journal by replaying its games.
 * SPDX-License-Identifier: MIT
 *
 * Replaying the record checks that the moves are legal and that the result follows from them. If
 * all players of a game are reproducible, it is played once more and the two records must be the
 * same, line for line except for times.
 */
#include "match/match.h"

#include "core/context.h"
#include "match/game.h"
#include "match/journal.h"

struct auditor {
	const struct qv_context *context;
	struct journal_contents contents;
	struct player_pool pool;
	struct match_audit *out;
};

/* Counts a wrong game and describes the first one. */
static void add_wrong(struct auditor *a, int64_t number, const char *what)
{
	if (!a->out->wrong++)
		snprintf(a->out->first_wrong, sizeof a->out->first_wrong, "game %lld: %.160s",
			 (long long)number + 1, what);
}

/* Compares the game's statistics with its record. Returns what is wrong, or NULL. */
static const char *compare_result(const struct qv_record *record, const struct match_game *game)
{
	int32_t points[QV_MAX_SEATS];
	const enum qv_outcome outcome = qv_record_result(record, points);
	const struct qv_game *rules = qv_record_rules(record)->game;
	const int winner = outcome == QV_ENDED ? qv_winner(rules, points) : -1;
	if (outcome == QV_GOING)
		return "the game is not over";
	if (winner != game->winner)
		return "the result does not follow from the moves";
	if (qv_record_ply(record) != game->plies)
		return "the number of plies is wrong";
	for (int seat = 0; game->end == END_RULES && outcome == QV_ENDED && seat < rules->seats;
	     seat++)
		if (points[seat] != game->points[seat])
			return "the points do not follow from the moves";
	return NULL;
}

/* Are two records the same except for times? The part `,"time":...` of a line is skipped. */
static bool same_record(const struct string *x, const struct string *y)
{
	const char *a = x->data, *b = y->data, *a_end = a + x->length, *b_end = b + y->length;
	static const char mark[] = ",\"time\":";
	while (a < a_end && b < b_end) {
		if (strncmp(a, mark, sizeof mark - 1) == 0)
			a += strcspn(a, "}");
		if (strncmp(b, mark, sizeof mark - 1) == 0)
			b += strcspn(b, "}");
		if (*a++ != *b++)
			return false;
	}
	return a == a_end && b == b_end;
}

/* Replays a game, and if its moves are right and all players are reproducible, plays it again. */
static enum qv_status audit_game(struct auditor *a, int64_t number, struct qv_error *error)
{
	const struct match_plan *plan = a->pool.plan;
	struct match_game game, again;
	struct match_seating s;
	struct qv_record *record = NULL;
	struct qv_error why = { "" };
	enum qv_status status = journal_take(&a->contents, number, &game, error);
	if (status != QV_OK)
		return status;
	a->out->checked++;
	status = qv_record_load(a->context, game.record.data, game.record.length, &record, &why);
	const char *wrong = status == QV_OK ? compare_result(record, &game) : why.text;
	qv_record_free(record);
	plan_seating(plan, number, &s);
	bool repeat = !wrong;
	for (int seat = 0; seat < plan->rules.game->seats; seat++)
		repeat = repeat && player_pool_reproducible(&a->pool, s.player[seat]);
	if (status == QV_NO_MEMORY) {
		qv_fail(error, status, "%s", why.text);
		goto done;
	}
	status = QV_OK;
	if (wrong)
		add_wrong(a, number, wrong);
	if (!repeat)
		goto done;
	a->pool.opinions = strstr(game.record.data, "\n{\"note\":");
	status = match_play_game(&a->pool, number, &again, error);
	if (status != QV_OK)
		goto done;
	a->out->replayed++;
	if (!same_record(&again.record, &game.record))
		add_wrong(a, number, "the players play it differently");
	match_game_release(&again);
done:
	match_game_release(&game);
	return status;
}

enum qv_status match_audit(const struct qv_context *context, const char *path, int64_t sample,
			   uint64_t seed, const struct qv_flag *stop, struct match_audit *out,
			   struct qv_error *error)
{
	struct qv_error unread;
	error = error ? error : &unread;
	struct auditor a = { .context = context, .out = out };
	struct file_bytes bytes = { 0 };
	struct qv_error why = { "" };
	const struct qv_allocator *allocator = context_allocator(context);
	*out = (struct match_audit){ 0 };
	enum qv_status status = file_read(allocator, path, JOURNAL_MOST_BYTES, &bytes, error);
	if (status != QV_OK)
		return status;
	status = journal_parse(context, bytes.data, bytes.size, &a.contents, &why);
	if (status != QV_OK)
		qv_fail(error, status, "%.60s, %.190s", path, why.text);
	else if (!a.contents.whole)
		status = qv_fail(error, QV_BAD_INPUT, "%.100s: the journal is empty", path);
	if (status == QV_OK)
		status = player_pool_init(&a.pool, context, &a.contents.header.plan, NULL, error);
	if (status == QV_OK) {
		a.pool.stop = stop;
		out->games = a.contents.finished;
		/*
		 * Selection sampling: a game is chosen with the probability (games still wanted) /
		 * (games left), so every finished game has the same chance and exactly `sample` are
		 * chosen.
		 */
		struct qv_random random = { seed, 0 };
		int64_t left = a.contents.finished;
		int64_t wanted = sample && sample < left ? sample : left;
		for (int64_t i = 0; status == QV_OK && left; i++)
			if (a.contents.games[i].finished &&
			    (int64_t)qv_random_below(&random, (uint64_t)left--) < wanted) {
				wanted--;
				status = audit_game(&a, i, error);
			}
	}
	if (status == QV_STOPPED)
		qv_fail(error, status, "audit: stopped");
	player_pool_release(&a.pool);
	journal_contents_release(&a.contents);
	file_release(allocator, &bytes);
	return status;
}
