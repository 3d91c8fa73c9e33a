/*
 * manager.c - fuzz target: a protocol on the first line, and then what an engine may say to a
 * manager. Whatever that is, the claims kept of it are within bounds.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "games/backgammon/rules.h"
#include "games/gomoku/rules.h"
#include "games/reversi/rules.h"
#include "protocols/manager.h"

static void check(const struct manager *m, enum manager_event event)
{
	fuzz_require(m->info.score >= -QV_WIN && m->info.score <= QV_WIN);
	fuzz_require(m->info.proven ||
		     (m->info.score >= -QV_MAX_EVAL && m->info.score <= QV_MAX_EVAL));
	fuzz_require(memchr(m->move, '\0', sizeof m->move) != NULL);
	fuzz_require(memchr(m->info.pv, '\0', sizeof m->info.pv) != NULL);
	fuzz_require(m->awaited >= 0);
	for (const char *c = m->name; *c; c++)
		fuzz_require(*c >= ' ' && *c <= '~');
	if (event == MANAGER_REFUSED || event == MANAGER_GARBAGE)
		fuzz_require_reason(&m->error);
	if (event == MANAGER_MOVE)
		fuzz_require(!m->asked);
}

/* What is to be said next is said, as a player would. */
static void go_on(struct manager *m, int step, struct string *out)
{
	/* The games whose managers send states. */
	struct backgammon board;
	struct gomoku stones;
	struct reversi discs;
	reversi_start(&discs, NULL);
	backgammon_start(&board, NULL);
	backgammon_play(&board, 6 | 5 << 3);
	gomoku_start(&stones, (const int64_t[]){ 15, step % 3, 0 });
	for (int i = 0; i < step / 2 % 60; i++)
		gomoku_play(&stones, (qv_move)gomoku_point(i / 8, i % 8));
	const bool gomocup = strcmp(m->ops->name, "gomocup") == 0;
	const bool nboard = strcmp(m->ops->name, "nboard") == 0;
	const char *moves = !gomocup ? "1" : step & 4 ? "h8 a1 b2 c3" : "b2 c3";
	const struct manager_question q = { .state = gomocup  ? (void *)&stones
						     : nboard ? (void *)&discs
							      : &board,
					    .start = step & 1 ? "here" : NULL,
					    .moves = step & 2 ? moves : "",
					    .legal = "1",
					    .seats = 2,
					    .depth = step & 4,
					    .time_ms = step & 2 ? 100 : 2000,
					    .clocks = step & 8,
					    .left_ms = { 65000, 900 },
					    .added_ms = { 1500, 0 } };
	if (step & 16) {
		m->ops->set(m, "a", "b", out);
		m->ops->new_game(m, gomocup ? "gomoku:size=20,rule=exact" : "noughts", out);
	} else {
		m->ops->ask(m, &q, out);
	}
	if (step & 32)
		m->ops->stop(m, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *line = fuzz_next_line(text), *next;
	const struct manager_ops *ops = manager_find(text, strlen(text));
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = ops };
	const struct qv_rules rules = { 0 };
	int step = (int)(size & 63);
	if (ops && ops->link == MANAGER_SERVED) {
		ops->settings(&m, &rules, step & 3, &out);
		ops->serve(&m, "socket", &out);
	}
	if (ops)
		ops->hello(&m, &out);
	for (; ops && *line; line = next) {
		next = fuzz_next_line(line);
		const size_t length = strlen(line);
		const enum manager_event event = ops->line(&m, line, length);
		check(&m, event);
		out.length = 0;
		if (event == MANAGER_READY || event == MANAGER_MOVE)
			go_on(&m, step++, &out);
	}
	string_release(&out);
	free(text);
	return 0;
}
