/*
 * perft.c - the command perft: the positions DEPTH plies ahead, in all or for each first move.
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "cli/cli.h"

enum { MOST_DEPTH = 100 };

struct perft_values {
	bool divide;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct perft_values, "divide", OPTION_FLAG, divide,
		       .help = "print the count of each first move, too"),
	{ 0 },
};

struct count {
	struct cli *c;
	struct position position;
	struct qv_perft_limits limits;
	uint64_t nodes;
	json_t *moves;       /* what --divide found, for JSON */
	struct string lines; /* ... and for people */
};

/* Counts behind one first move. */
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
	json_t *o = json_field(json_object(), "move", json_text(words.text));
	k->moves = json_item(k->moves, json_field(o, "nodes", json_integer((json_int_t)nodes)));
	string_addf(&k->lines, "%s: %llu\n", words.text, (unsigned long long)nodes);
	if (cli_shows_progress())
		fprintf(stderr, "%s: %llu\n", words.text, (unsigned long long)nodes);
	return QV_OK;
}

/* A counted move is as many moves as it has numbers. */
static enum qv_status count_listed(struct count *k, void *scratch, qv_move move)
{
	const struct qv_game *game = k->position.rules.game;
	const int max = move_max(game, k->position.state, move);
	if (!max)
		return count_move(k, scratch, move);
	enum qv_status status = QV_OK;
	for (int n = 1; n <= max && status == QV_OK; n++)
		status = count_move(k, scratch, game->with_count(move, n));
	return status;
}

static enum qv_status count_divided(struct count *k)
{
	const struct qv_game *game = k->position.rules.game;
	qv_move list[QV_MAX_MOVES];
	void *scratch = qv_state_new(k->c->context, game);
	if (!scratch)
		return qv_fail(&k->c->error, QV_NO_MEMORY, "perft: out of memory");
	enum qv_status status = QV_OK;
	const int count = game->moves(k->position.state, list);
	for (int i = 0; i < count && status == QV_OK; i++)
		status = count_listed(k, scratch, list[i]);
	qv_state_free(k->c->context, game, scratch);
	return status;
}

static enum qv_status print_count(struct count *k, double seconds)
{
	struct cli *c = k->c;
	const struct perft_values *own = cli_own(c);
	if (!c->args.json) {
		if (k->lines.length)
			string_add(&c->out, k->lines.data, k->lines.length);
		string_addf(&c->out, "nodes %llu\n", (unsigned long long)k->nodes);
		return QV_OK;
	}
	char rules[QV_POSITION_TEXT] = "";
	struct qv_text out = { rules, sizeof rules, 0 };
	qv_rules_text(&k->position.rules, &out);
	json_t *o = json_field(json_object(), "game", json_text(rules));
	o = json_field(o, "depth", json_integer(k->limits.depth));
	o = json_field(o, "nodes", json_integer((json_int_t)k->nodes));
	if (!c->args.no_times)
		o = json_field(o, "seconds", json_seconds(seconds));
	if (own->divide)
		o = json_field(o, "moves", json_incref(k->moves));
	return cli_json(c, o);
}

static enum qv_status read_limits(struct cli *c, struct qv_perft_limits *limits)
{
	int64_t depth;
	if (!text_to_int(c->args.words[2], 0, MOST_DEPTH, &depth))
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "DEPTH: '%.60s' is not a number from 0 to %d", c->args.words[2],
			       MOST_DEPTH);
	*limits = (struct qv_perft_limits){ .depth = (int)depth };
	if (arguments_given(&c->args, "hash"))
		limits->hash_bytes = (size_t)c->args.hash_mb << 20;
	if (arguments_given(&c->args, "threads"))
		limits->threads = (int)c->args.threads;
	return QV_OK;
}

static enum qv_status run(struct cli *c)
{
	const struct perft_values *own = cli_own(c);
	struct count k = { .c = c, .lines = { .allocator = &mem_malloc } };
	enum qv_status status = read_limits(c, &k.limits);
	if (status == QV_OK)
		status = position_open(c, c->args.words[1], c->args.words[3], &k.position);
	if (status != QV_OK)
		return status;
	k.limits.stop = cli_stop_flag();
	k.moves = json_array();
	const int64_t start = clock_us();
	if (own->divide && k.limits.depth > 0)
		status = count_divided(&k);
	else
		status = qv_perft(c->context, k.position.rules.game, k.position.state, &k.limits,
				  &k.nodes, &c->error);
	if (status == QV_OK)
		status = print_count(&k, (double)(clock_us() - start) / 1e6);
	else if (status == QV_STOPPED)
		qv_fail(&c->error, status, "perft: stopped");
	json_decref(k.moves);
	c->out.failed |= k.lines.failed;
	string_release(&k.lines);
	position_release(&k.position);
	return status;
}

const struct command command_perft = {
	.name = "perft",
	.run = run,
	.least = 2,
	.most = 3,
	.usage = "perft GAME DEPTH [POS]",
	.help = "count the positions DEPTH plies ahead",
	.more = "A hash table and threads are used only with --hash and --threads.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, own_options,
				 common_options),
};
