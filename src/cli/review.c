/*
 * review.c - the command review: the class of every move in recorded games, and the luck of rolls.
 * SPDX-License-Identifier: MIT
 *
 * Each game is valued along its last line: by solver and search (record/review.h), with dice by
 * equity (record/luck.h). With --annotate games with dice are written again, with a comment after
 * each roll and each error. They are replayed line by line, so times, clocks, comments and variations
 * stay.
 */
#include "cli/cli.h"
#include "formats/review_json.h"
#include "match/games_file.h"
#include "record/luck.h"

struct review_values {
	bool annotate;
	int64_t nodes;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct review_values, "annotate", OPTION_FLAG, annotate,
		       .help = "print the games as records with comments (games with dice)"),
	COMMAND_OPTION(struct review_values, "nodes", OPTION_INT, nodes, .min = 1, .max = INT64_MAX,
		       .def = 10000, .value = "N",
		       .help = "nodes of each search, where the value cannot be proved"),
	{ 0 },
};

/* A review of all games of the files. */
struct reviewing {
	struct cli *c;
	const char *path;	    /* of the file being read */
	const struct qv_game *game; /* of the record being read */
	int64_t games;
	json_t *plies;
};

/* ---- The figures ---- */

/* A number to a thousandth; more digits would be noise. */
static json_t *figure(double value)
{
	char text[64];
	snprintf(text, sizeof text, "%.3f", value);
	return json_loads(text, JSON_DECODE_ANY, NULL);
}

/* Prints a roll with its luck, or a move that is an error. JSON has all moves. */
static enum qv_status add_ply(void *ctx, const struct ply_luck *at)
{
	struct reviewing *r = ctx;
	char move[QV_MOVE_TEXT] = "", best[QV_MOVE_TEXT] = "";
	struct qv_text text = { move, sizeof move, 0 }, other = { best, sizeof best, 0 };
	r->game->move_text(at->before, at->move, &text);
	if (!at->roll)
		r->game->move_text(at->before, at->review.best, &other);
	const double loss = at->review.loss;
	if (r->c->args.json) {
		json_t *o = json_fields(json_object(), "ply", json_integer(at->ply + 1), "seat",
					json_integer(at->seat + 1), "move", json_text(move), NULL);
		o = at->roll ? json_field(o, "luck", figure(at->luck))
			     : json_fields(o, "loss", figure(loss), "name",
					   json_unless_empty(qv_loss_name(loss)), "best",
					   json_text(best), NULL);
		r->plies = json_item(r->plies, o);
		return QV_OK;
	}
	if (!at->roll && !*qv_loss_name(loss))
		return QV_OK;
	string_addf(&r->c->out, "ply %d  seat %d  %s", at->ply + 1, at->seat + 1, move);
	if (at->roll)
		string_addf(&r->c->out, "  luck %+.3f\n", at->luck);
	else
		string_addf(&r->c->out, "  %s  %s  loss %.3f  best %s\n", qv_loss_sign(loss),
			    qv_loss_name(loss), loss, best);
	return QV_OK;
}

static json_t *figures(const double *values, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		list = json_item(list, figure(values[i]));
	return list;
}

/* Prints the plies and the sums of a game. */
static enum qv_status show_review(struct reviewing *r, const struct qv_record *record)
{
	struct cli *c = r->c;
	const int seats = r->game->seats;
	struct line_luck sums;
	r->plies = json_array();
	if (!c->args.json)
		string_addf(&c->out, "game %lld  %s\n", (long long)r->games,
			    rules_text(qv_record_rules(record)).text);
	enum qv_status status =
		record_luck(c->context, record, false, add_ply, r, &sums, &c->error);
	if (status != QV_OK) {
		json_decref(r->plies);
		return status;
	}
	const double skill = sums.result - sums.net;
	if (c->args.json) {
		json_t *o = json_fields(json_object(), "game",
					json_text(rules_text(qv_record_rules(record)).text),
					"plies", r->plies, "luck", figures(sums.luck, seats),
					"loss", figures(sums.loss, seats), "result",
					sums.has_result ? figure(sums.result) : json_null(),
					"net_luck", figure(sums.net), "skill",
					sums.has_result ? figure(skill) : json_null(), NULL);
		return cli_json(c, o);
	}
	json_decref(r->plies);
	for (int seat = 0; seat < seats; seat++)
		string_addf(&c->out, "seat %d  luck %+.3f  loss %.3f\n", seat + 1, sums.luck[seat],
			    sums.loss[seat]);
	if (sums.has_result)
		string_addf(&c->out, "result %+g  luck %+.3f  skill %+.3f\n", sums.result, sums.net,
			    skill);
	return QV_OK;
}

/* ---- Games without dice ---- */

/* A line for each mistake, and one for each side. */
static void print_review(struct cli *c, const struct qv_record *record, const struct review *review,
			 void *state)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	int counts[QV_MAX_SEATS][REVIEW_CLASSES] = { 0 };
	tree_state_at(record, 0, state);
	for (int i = 0; i < review->count; i++) {
		const struct ply_review *at = &review->plies[i];
		char side[64] = "", move[QV_MOVE_TEXT] = "", best[QV_MOVE_TEXT] = "";
		counts[at->seat][at->class]++;
		review_side(game, at->seat, &(struct qv_text){ side, sizeof side, 0 });
		review_move(game, state, at->move, &(struct qv_text){ move, sizeof move, 0 });
		if (at->class >= REVIEW_INACCURACY) {
			review_move(game, state, at->best,
				    &(struct qv_text){ best, sizeof best, 0 });
			string_addf(&c->out, "ply %d  %s  %s  %s  %s  best %s  %s\n", at->ply + 1,
				    side, move, review_glyph(at->class),
				    review_class_name(at->class), best, at->sentence);
		}
		game->play(state, at->move);
	}
	for (int seat = 0; seat < game->seats; seat++) {
		char side[64] = "";
		const int *n = counts[seat];
		review_side(game, seat, &(struct qv_text){ side, sizeof side, 0 });
		if (review->accuracy[seat] >= 0)
			string_addf(&c->out,
				    "seat %d  %s  accuracy %.1f  inaccuracies %d  mistakes %d  "
				    "blunders %d\n",
				    seat + 1, side, review->accuracy[seat], n[REVIEW_INACCURACY],
				    n[REVIEW_MISTAKE], n[REVIEW_BLUNDER]);
	}
}

static enum qv_status show_moves(struct reviewing *r, struct qv_record *record)
{
	struct cli *c = r->c;
	const struct review_values *own = cli_own(c);
	const struct review_setup setup = { .context = c->context,
					    .nodes = (uint64_t)own->nodes };
	struct review review;
	enum qv_status status = record_review(&setup, record, &review, &c->error);
	if (status != QV_OK)
		return status;
	if (c->args.json) {
		status = cli_json(c, review_json(c->context, record, &review));
	} else {
		void *state = qv_state_new(c->context, r->game);
		string_addf(&c->out, "game %lld  %s\n", (long long)r->games,
			    rules_text(qv_record_rules(record)).text);
		if (state)
			print_review(c, record, &review, state);
		else
			status = cli_no_memory(c, "review");
		qv_state_free(c->context, r->game, state);
	}
	review_release(&review);
	return status;
}

/* ---- Annotated records ---- */

/* Values the last ply of the copy and adds a comment, unless the game is over. */
static enum qv_status annotate_ply(struct reviewing *r, struct qv_record *copy, const void *before)
{
	struct cli *c = r->c;
	struct ply_luck at = { .before = before,
			       .review = { .size = sizeof at.review },
			       .seat = r->game->seat(before),
			       .move = qv_record_move(copy, copy->ply - 1) };
	struct qv_roll_luck luck = { .size = sizeof luck };
	char note[LUCK_NOTE];
	enum qv_status status = QV_OK;
	at.roll = at.seat == QV_CHANCE;
	if (copy->outcome != QV_GOING || qv_record_note_text(copy))
		return QV_OK; /* the result stays the last line */
	if (at.roll)
		status = qv_luck(c->context, r->game, before, at.move, &luck, &c->error);
	else
		status = qv_review(c->context, r->game, before, at.move, &at.review, &c->error);
	if (status != QV_OK)
		return status;
	if (at.roll)
		at.luck = luck.of[luck.seat];
	ply_luck_note(r->game, &at, note);
	status = *note ? qv_record_note(copy, note) : QV_OK;
	return status == QV_NO_MEMORY ? cli_no_memory(c, "review") : QV_OK;
}

/* Replays the lines of the record into a copy, with comments. */
static enum qv_status annotate(struct reviewing *r, const struct qv_record *record)
{
	struct cli *c = r->c;
	struct qv_record *copy = NULL;
	struct string line = { .allocator = &mem_malloc };
	void *before = qv_state_new(c->context, r->game);
	enum qv_status status = before ? QV_OK : cli_no_memory(c, "review");
	const char *at = record->journal.data, *end = at + record->journal.length;
	while (status == QV_OK && at < end) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		line.length = 0;
		string_add(&line, at, (size_t)((next ? next : end) - at));
		at = next ? next + 1 : end;
		if (line.failed) {
			status = cli_no_memory(c, "review");
			break;
		}
		const bool move = copy && strncmp(line.data, "{\"move\":", 8) == 0;
		if (move)
			memcpy(before, copy->state, r->game->state_size);
		status = record_load_line(c->context, line.data, &copy, &c->error);
		/* A position that has a comment keeps it. */
		const bool noted = (size_t)(end - at) > 8 && strncmp(at, "{\"note\":", 8) == 0;
		if (status == QV_OK && move && !noted)
			status = annotate_ply(r, copy, before);
	}
	if (status == QV_OK)
		string_add(&c->out, copy->journal.data, copy->journal.length);
	string_release(&line);
	qv_state_free(c->context, r->game, before);
	qv_record_free(copy);
	return status;
}

/* ---- The command ---- */

static enum qv_status review_game(void *ctx, struct qv_record *record)
{
	struct reviewing *r = ctx;
	const struct review_values *own = cli_own(r->c);
	r->game = qv_record_rules(record)->game;
	r->games++;
	if (!r->game->chance && own->annotate)
		return qv_fail(&r->c->error, QV_UNSUPPORTED, "--annotate: %s has no dice",
			       r->game->name);
	return own->annotate	? annotate(r, record)
	       : r->game->chance ? show_review(r, record)
				 : show_moves(r, record);
}

/* A game that cannot be read is skipped, or kept up to there, as by convert. */
static void report_wrong(void *ctx, const char *what, bool harmless)
{
	const struct reviewing *r = ctx;
	if (harmless)
		return;
	string_addf(&r->c->remarks, "quevedo: %s: %s\n", cli_word(r->path), what);
	r->c->answer_is_no = true;
}

static enum qv_status run(struct cli *c)
{
	const struct review_values *own = cli_own(c);
	struct reviewing r = { .c = c };
	const struct games_listener listener = { review_game, report_wrong, &r };
	enum qv_status status = QV_OK;
	if (own->annotate && c->args.json)
		return cli_refuse(c, "--annotate: not together with --json");
	for (int i = 1; i < c->args.word_count && status == QV_OK; i++) {
		r.path = c->args.words[i];
		status = games_read(c, r.path, NULL, &listener);
	}
	return status;
}

const struct command command_review = {
	.name = "review",
	.run = run,
	.least = 1,
	.most = MAX_WORDS - 1,
	.usage = "review FILE...",
	.help = "accuracy, mistakes and the luck of the rolls in recorded games",
	.more = "Reads records, journals of matches, PGN, .mat and SGF. Prints each inaccuracy, mistake "
		"and blunder with a sentence, and the accuracy of each side. Values are exact where "
		"they can be proved, else from a search. Games of more than two players are "
		"refused.\n"
		"With dice it prints the luck of each roll, each move that is doubtful, bad or very "
		"bad, and the sums. Values are in points.\n"
		"Exit status 1: something could not be read.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
