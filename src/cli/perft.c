/*
 * perft.c - the command perft: the positions DEPTH plies ahead, in all or for each first move.
 * SPDX-License-Identifier: MIT
 *
 * Counts are exact and bulk-counted at the last ply. A hash table and threads are used only on
 * request, since plain perft is the reference that move generators are tested against.
 */
#include "base/clock.h"
#include "cli/cli.h"

enum { MOST_DEPTH = 100 };

/* The options of perft. */
struct perft_values {
	bool divide;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct perft_values, "divide", OPTION_FLAG, divide,
		       .help = "print the count of each first move, too"),
	{ 0 },
};

/* A count in progress. */
struct count {
	struct cli *c;
	struct position position;
	struct qv_perft_limits limits;
	uint64_t nodes;	     /* the sum so far */
	json_t *moves;	     /* the counts of --divide as JSON */
	struct string lines; /* and as text */
};

/* Counts the positions after one first move. `scratch` has room for a state. */
static enum qv_status count_move(struct count *k, void *scratch, qv_move move)
{
	const struct qv_game *game = k->position.rules.game;
	const struct move_words words = position_words(&k->position, k->position.state, move);
	struct qv_perft_limits limits = k->limits;
	uint64_t nodes;
	limits.depth--;
	memcpy(scratch, k->position.state, game->state_size);
	game->play(scratch, move);
	enum qv_status status =
		qv_perft(k->c->context, game, scratch, &limits, &nodes, &k->c->error);
	if (status != QV_OK)
		return status;
	k->nodes += nodes;
	k->moves = json_item(k->moves, json_fields(json_object(), "move", json_text(words.text),
						   "nodes", json_count(nodes), NULL));
	string_addf(&k->lines, "%s: %llu\n", words.text, (unsigned long long)nodes);
	if (cli_shows_progress())
		fprintf(stderr, "%s: %llu\n", words.text, (unsigned long long)nodes);
	return QV_OK;
}

/* Counts for each first move. A counted move stands for one move per number. */
static enum qv_status count_divided(struct count *k)
{
	const struct qv_game *game = k->position.rules.game;
	qv_move list[QV_MAX_MOVES];
	void *scratch = qv_state_new(k->c->context, game);
	if (!scratch)
		return cli_no_memory(k->c, "perft");
	enum qv_status status = QV_OK;
	const int count = game->moves(k->position.state, list);
	for (int i = 0; i < count && status == QV_OK; i++) {
		const int max = move_max(game, k->position.state, list[i]);
		if (!max)
			status = count_move(k, scratch, list[i]);
		for (int n = 1; n <= max && status == QV_OK; n++)
			status = count_move(k, scratch, game->with_count(list[i], n));
	}
	qv_state_free(k->c->context, game, scratch);
	return status;
}

/* Counts for the whole position, or with --divide for each first move, and prints the sum. */
static enum qv_status run(struct cli *c)
{
	const struct perft_values *own = cli_own(c);
	struct count k = { .c = c, .lines = { .allocator = &mem_malloc } };
	int64_t depth;
	if (!text_to_int(c->args.words[2], 0, MOST_DEPTH, &depth))
		return cli_refuse(c, "DEPTH: '%.60s' is not a number from 0 to %d",
				  c->args.words[2], MOST_DEPTH);
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[3], &k.position);
	if (status != QV_OK)
		return status;
	/* A hash table and threads only on request. */
	k.limits.size = sizeof k.limits;
	k.limits.depth = (int)depth;
	k.limits.hash_bytes = cli_given(c, "hash") ? (size_t)c->args.hash_mb << 20 : 0;
	k.limits.threads = cli_given(c, "threads") ? (int)c->args.threads : 0;
	k.limits.stop = cli_stop_flag();
	k.moves = json_array();
	const int64_t start = clock_us();
	/* At depth 0 there are no first moves to divide by. */
	if (own->divide && k.limits.depth > 0)
		status = count_divided(&k);
	else
		status = qv_perft(c->context, k.position.rules.game, k.position.state, &k.limits,
				  &k.nodes, &c->error);
	const double seconds = (double)(clock_us() - start) / 1e6;
	if (status == QV_OK && c->args.json) {
		json_t *o = json_fields(json_object(), "game",
					json_text(rules_text(&k.position.rules).text), "depth",
					json_integer(depth), "nodes", json_count(k.nodes), NULL);
		if (!c->args.no_times)
			o = json_field(o, "seconds", json_seconds(seconds));
		if (own->divide)
			o = json_field(o, "moves", json_incref(k.moves));
		status = cli_json(c, o);
	} else if (status == QV_OK) {
		string_addf(&c->out, "%snodes %llu\n", k.lines.length ? k.lines.data : "",
			    (unsigned long long)k.nodes);
	} else if (status == QV_STOPPED) {
		qv_fail(&c->error, status, "perft: stopped");
	}
	/* The lines may have failed for lack of memory; the output reports it. */
	json_decref(k.moves);
	c->out.failed |= k.lines.failed;
	string_release(&k.lines);
	position_release(&k.position);
	return status;
}

const struct command command_perft = {
	.name = "perft", .run = run, .least = 2, .most = 3, .usage = "perft GAME DEPTH [POS]",
	.help = "count the positions DEPTH plies ahead",
	.more = "A hash table and threads are used only with --hash and --threads.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, own_options,
				 common_options),
};
