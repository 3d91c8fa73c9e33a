/*
 * turn_commands.c - the commands of games in which a turn is many moves: orders, revoke, news.
 * SPDX-License-Identifier: MIT
 */
#include "terminal/commands.h"
#include "terminal/turns.h"

#include "search/engine.h"

bool order_is_for_turns(const struct order *o)
{
	return o->run == order_orders || o->run == order_revoke || o->run == order_news;
}

static enum qv_status needs_turns(const struct talk *t, const char *name, struct qv_error *error)
{
	if (!turns_words(t->session))
		return qv_fail(error, QV_UNSUPPORTED, "%s: in this game a turn is one move", name);
	return QV_OK;
}

void talk_orders(struct talk *t)
{
	struct text_list list = { .allocator = t->session->allocator };
	struct string text = { .allocator = t->session->allocator };
	turns_orders(t->session, &list);
	string_addf(&text,
		    list.count ? "Orders of this turn:" : "No orders yet; 'end' ends the turn.");
	for (int i = 0; i < list.count; i++)
		string_addf(&text, "%s %s", i ? ";" : "", list.text[i]);
	if (!text.failed)
		view_flow(&t->out, t->screen.width, 2, text.data);
	t->out.failed |= text.failed || list.failed;
	text_list_release(&list);
	string_release(&text);
}

void talk_news(struct talk *t, int since)
{
	struct string news = { .allocator = t->session->allocator };
	turns_news(t->session, since, &news);
	for (const char *line = news.data; line && *line; line += strspn(line, "\n")) {
		struct string one = { .allocator = t->session->allocator };
		const size_t length = strcspn(line, "\n");
		string_add(&one, line, length);
		if (!one.failed)
			view_flow(&t->out, t->screen.width, 2, one.data);
		t->out.failed |= one.failed;
		string_release(&one);
		line += length;
	}
	t->out.failed |= news.failed;
	string_release(&news);
}

enum qv_status order_orders(struct talk *t, const char *argument, struct qv_error *error)
{
	if (*argument)
		return qv_fail(error, QV_BAD_INPUT, "orders: it takes nothing after it");
	const enum qv_status status = needs_turns(t, "orders", error);
	if (status != QV_OK)
		return status;
	if (session_turn(t->session) == TURN_OVER)
		return qv_fail(error, QV_ILLEGAL, "orders: the game is over");
	struct text_list list = { .allocator = t->session->allocator };
	turns_orders(t->session, &list);
	for (int i = 0; i < list.count; i++)
		talk_say(t, "%s", list.text[i]);
	if (list.count)
		talk_say(t, "'revoke N' takes one back; 'end' ends the turn.");
	else
		talk_orders(t);
	text_list_release(&list);
	return QV_OK;
}

enum qv_status order_revoke(struct talk *t, const char *argument, struct qv_error *error)
{
	struct text_list list = { .allocator = t->session->allocator };
	struct move_name revoked;
	int64_t number;
	enum qv_status status = needs_turns(t, "revoke", error);
	if (status != QV_OK)
		return status;
	turns_orders(t->session, &list);
	number = list.count; /* the last */
	text_list_release(&list);
	if (text_same(argument, "all")) {
		status = session_revoke_all(t->session, error);
	} else if (*argument && !text_to_int(argument, 1, INT32_MAX, &number)) {
		return qv_fail(error, QV_BAD_INPUT,
			       "revoke: '%.30s' is not the number of an order, nor 'all'",
			       argument);
	} else {
		status = session_revoke(t->session, (int)number, &revoked, error);
	}
	if (status != QV_OK)
		return status;
	if (text_same(argument, "all"))
		talk_say(t, "Revoked: all orders of this turn.");
	else
		talk_say(t, "Revoked: %s.", revoked.text);
	t->drawn = false;
	return QV_OK;
}

enum qv_status order_news(struct talk *t, const char *argument, struct qv_error *error)
{
	if (*argument)
		return qv_fail(error, QV_BAD_INPUT, "news: it takes nothing after it");
	const enum qv_status status = needs_turns(t, "news", error);
	if (status != QV_OK)
		return status;
	const size_t before = t->out.length;
	talk_news(t, -1);
	if (t->out.length == before)
		talk_say(t, "No turn has ended yet.");
	return QV_OK;
}

void talk_turn_help(struct talk *t)
{
	struct text_list lines = { .allocator = t->session->allocator };
	const struct turn_words *words = turns_words(t->session);
	talk_say(t, "Orders: %s.", words->short_forms);
	for (int i = 0; words->orders[i]; i++)
		text_list_add(&lines, words->orders[i]);
	view_columns(&t->out, t->screen.width, &lines);
	text_list_release(&lines);
	talk_say(t, "%s", words->legend);
	talk_say(t, "Commands ('rules' has all of the rules):");
}
