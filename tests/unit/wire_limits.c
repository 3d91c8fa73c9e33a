/*
 * wire_limits.c - over every protocol that reports depths, a limit that the manager gives replaces
 * the depth that a chosen player's spec does not name.
 * SPDX-License-Identifier: MIT
 */
#include "support/wire_bench.h"

/* A search without an end of its own is stopped here, once a line with these words has come. */
struct listener {
	struct bench bench;
	const char *deep;
	bool reached;
};

static void listen(void *ctx, const struct string *lines)
{
	struct listener *l = ctx;
	struct string text = { .allocator = &mem_malloc };
	string_addf(&text, "\n"); /* so that each line has one before it */
	string_add(&text, lines->data, lines->length);
	string_add(&text, "", 1);
	l->reached |= strstr(text.data, l->deep) != NULL;
	string_release(&text);
	if (l->reached)
		connection_stop(l->bench.connection);
}

/* Whether the search of the last of these lines gets beyond the depth. */
static bool gets_beyond(const char *protocol, const char *const *lines, const char *deep)
{
	struct listener l = { .deep = deep };
	bench_open(&l.bench, protocol, "alphabeta");
	for (; *lines; lines++)
		for (enum next_step next = feed(&l.bench, *lines); next == NEXT_THINK;
		     next = connection_answer(l.bench.connection, &l.bench.out))
			connection_think(l.bench.connection, listen, &l);
	bench_close(&l.bench);
	return l.reached;
}

/*
 * One pawn each, so that no depth takes long: the default of alphabeta is 6. XBoard begins a line with
 * the depth.
 */
#define CHESS "position fen 7k/p7/8/8/8/8/P7/7K w - - 0 1"
static const char uci_deep[] = "info depth 7 ";
static const char xboard_deep[] = "\n7 ";
static const char hub_deep[] = "info depth=7 ";

static const struct wire {
	const char *protocol, *lines[6];
	const char *deep;
	bool beyond;
} wires[] = {
	/* There a search without a limit is one without an end. */
	{ "uci", { CHESS, "go" }, uci_deep, true },
	{ "ugi", { CHESS, "go" }, uci_deep, false },
	{ "uci", { CHESS, "go depth 7" }, uci_deep, true },
	{ "uci", { CHESS, "go nodes 100000000" }, uci_deep, true },
	{ "uci", { CHESS, "go movetime 3600000" }, uci_deep, true },
	{ "uci", { CHESS, "go wtime 36000000 btime 36000000" }, uci_deep, true },
	{ "uci", { CHESS, "go infinite" }, uci_deep, true },
	{ "ugi", { CHESS, "go movetime 3600000" }, uci_deep, true },
	{ "qgp", { "position 7k/p7/8/8/8/8/P7/7K w - - 0 1", "go" }, uci_deep, false },
	{ "qgp", { "position 7k/p7/8/8/8/8/P7/7K w - - 0 1", "go depth 7" }, uci_deep, true },
	{ "qgp",
	  { "position 7k/p7/8/8/8/8/P7/7K w - - 0 1", "go evals 100000000" },
	  uci_deep,
	  true },
	{ "qgp",
	  { "position 7k/p7/8/8/8/8/P7/7K w - - 0 1", "go movetime 3600000" },
	  uci_deep,
	  true },
	{ "qgp",
	  { "set time 3600000", "position 7k/p7/8/8/8/8/P7/7K w - - 0 1", "go" },
	  uci_deep,
	  true },
	{ "xboard",
	  { "xboard", "protover 2", "post", "setboard 7k/p7/8/8/8/8/P7/7K w - - 0 1", "sd 7",
	    "go" },
	  xboard_deep,
	  true },
	{ "xboard",
	  { "xboard", "protover 2", "post", "setboard 7k/p7/8/8/8/8/P7/7K w - - 0 1", "st 3600",
	    "go" },
	  xboard_deep,
	  true },
	{ "hub", { "hub", "init", "level depth=7", "go think" }, hub_deep, true },
	{ "hub", { "hub", "init", "level move-time=3600", "go think" }, hub_deep, true },
};

static void test_wire_limits__replace_the_depth_that_nobody_wrote(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wires / sizeof *wires; i++) {
		const char *lines[7] = { 0 };
		int n = 0;
		for (; n < 6 && wires[i].lines[n]; n++)
			lines[n] = wires[i].lines[n];
		if (gets_beyond(wires[i].protocol, lines, wires[i].deep) != wires[i].beyond)
			fail_msg("%s, '%s'", wires[i].protocol, lines[n - 1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wire_limits__replace_the_depth_that_nobody_wrote),
	};
	return cmocka_run_group_tests_name("wire_limits", tests, NULL, NULL);
}
