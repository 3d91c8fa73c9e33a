/*
 * server_check.c - server check: whether every stored game can be loaded.
 * SPDX-License-Identifier: MIT
 *
 * SQLite checks its pages, but not what is in them. So each game is replayed from its lines, as the
 * server does when somebody looks at it.
 */
#include <stdlib.h>

#include "base/flag.h"
#include "cli/server.h"
#include "server/api/secrets.h"
#include "session/hosted_game.h"

/* The lines of a game. */
struct lines {
	char **texts;
	size_t count, room;
	bool whole; /* no line is missing, and memory has sufficed */
};

static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct lines *l = ctx;
	l->whole = number == (int64_t)l->count &&
		   mem_reserve(&mem_malloc, &l->texts, &l->room, l->count + 1, sizeof *l->texts) &&
		   (l->texts[l->count] = strndup(line, size));
	l->count += l->whole;
	return l->whole;
}

static void lines_release(struct lines *l)
{
	while (l->count)
		free(l->texts[--l->count]);
	free(l->texts);
}

static uint64_t roll(void *ctx, const struct dice *dice, uint64_t weights)
{
	(void)ctx;
	return dice_number(dice, weights);
}

/* "" if the game can be loaded; else what is wrong with it. */
static void check_game(struct cli *c, struct store *store, const char *id, struct qv_error *why)
{
	const struct hosted_callbacks host = { .roll = roll }; /* loading needs nothing else */
	struct lines l = { .whole = true };
	struct hosted_game *play = NULL;
	const enum qv_status status = store_load_play(store, id, NULL, take_line, &l, why);
	if (status == QV_UNKNOWN) /* it was deleted meanwhile */
		*why = (struct qv_error){ "" };
	else if (!l.whole)
		qv_fail(why, QV_BAD_INPUT, "line %zu: is missing", l.count + 1);
	else if (status == QV_OK)
		hosted_read(c->context, &host, (const char *const *)l.texts, l.count, &play, why);
	hosted_free(play);
	lines_release(&l);
}

static void report(struct cli *c, json_t **list, const char *id, const char *why)
{
	if (c->args.json)
		*list = json_item(*list, json_fields(json_object(), "id", json_text(id), "error",
						     json_text(why), NULL));
	else
		string_addf(&c->out, "%s: %s\n", id, why);
}

static enum qv_status check_all(struct cli *c, struct store *store, json_t **list, int64_t *games,
				int64_t *damaged)
{
	const struct qv_flag *stop = cli_stop_flag();
	char ids[PRUNE_ROWS][STORE_ID], last[STORE_ID] = "";
	int count = 0;
	do {
		const enum qv_status status = store_next_plays(store, last, ids, &count, &c->error);
		if (status != QV_OK)
			return status;
		for (int i = 0; i < count && !flag_is_set(stop); i++) {
			struct qv_error why = { "" };
			check_game(c, store, ids[i], &why);
			memcpy(last, ids[i], sizeof last);
			++*games;
			if (!why.text[0])
				continue;
			++*damaged;
			report(c, list, ids[i], why.text);
		}
	} while (count == PRUNE_ROWS && !flag_is_set(stop));
	return QV_OK;
}

enum qv_status server_check(struct cli *c)
{
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	json_t *list = json_array();
	int64_t games = 0, damaged = 0;
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = check_all(c, store, &list, &games, &damaged);
	store_close(store);
	if (status != QV_OK) {
		json_decref(list);
		return status;
	}
	c->answer_is_no = damaged > 0;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "games", json_integer(games), "damaged",
					       list, NULL));
	json_decref(list);
	string_addf(&c->out, "%lld games, %lld damaged\n", (long long)games, (long long)damaged);
	return QV_OK;
}
