/*
 * spec.c - player specs into settings. The tables here are the only place where a kind or a key
 * stands.
 * SPDX-License-Identifier: MIT
 */
#include "search/spec.h"

#include "base/scan.h"
#include "base/text.h"

enum {
	BIT_FULL = 1 << KIND_MINIMAX | 1 << KIND_NEGAMAX,
	BIT_WINDOW = 1 << KIND_ALPHABETA | 1 << KIND_NEGASCOUT,
	BIT_SELECT = 1 << KIND_SELECTIVE,
	BIT_PRUNE = BIT_WINDOW | 1 << KIND_MTDF,
	BIT_SEARCH = BIT_FULL | BIT_PRUNE,
	BIT_MCTS = 1 << KIND_MCTS,
	BIT_CHANCE = 1 << KIND_EXPECTIMAX,
	BIT_MULTI = 1 << KIND_MAXN | 1 << KIND_PARANOID | 1 << KIND_BRS,
	BIT_BOOK = 1 << KIND_BOOK,
	BIT_LEARN = 1 << KIND_LEARN,
	BIT_PERFECT = 1 << KIND_PERFECT,
	BIT_LURGEE = 1 << KIND_LURGEE,
	BIT_SEED = 1 << KIND_SEED,
	BIT_MASK = 1 << KIND_MASK,
	BIT_ADMIRAL = 1 << KIND_ADMIRAL,
	BIT_MACHINE = 1 << KIND_MACHINE,
	BIT_EVERY = (1 << KIND_COUNT) - 1,
};

static const struct {
	const char *name, *help;
} kinds[KIND_COUNT] = {
	[KIND_RANDOM] = { "random", "any legal move, all as likely" },
	[KIND_LEVEL] = { "level", "level:N, of the game's own ladder or another; 1 is the easiest" },
	[KIND_MINIMAX] = { "minimax",
			   "full width; own moves give the maximum, the opponent's the minimum" },
	[KIND_NEGAMAX] = { "negamax",
			   "the same with one rule: the best of what the replies leave, negated" },
	[KIND_ALPHABETA] = { "alphabeta", "leaves out what cannot matter" },
	[KIND_NEGASCOUT] = { "negascout",
			     "alphabeta that first only asks if later moves are better" },
	[KIND_MTDF] = { "mtdf", "closes in on the value by windows of nothing" },
	[KIND_SELECTIVE] = { "selective", "looks deep where it matters; for games of pieces that take one another" },
	[KIND_MCTS] = { "mcts", "grows a tree by random games; any number of seats, and dice" },
	[KIND_EXPECTIMAX] = { "expectimax",
			      "for two seats and dice: averages where the dice decide" },
	[KIND_MAXN] = { "maxn", "for several seats, also with dice: each plays for itself" },
	[KIND_PARANOID] = { "paranoid", "the same, but all others play against the one that thinks" },
	[KIND_BRS] = { "brs", "the same, but only one of them replies; the rest play by rank" },
	[KIND_PERFECT] = { "perfect", "solves the position, and takes the time that takes" },
	[KIND_LURGEE] = { "lurgee", "the Lurgee framework's search, with its own evaluators" },
	[KIND_SEED] = { "seed", "a student's player of 2017: each move gets its share of the time" },
	[KIND_MACHINE] = { "machine", "king and rook against king, by six rules of 1912" },
	[KIND_LEARN] = { "learn", "any move by which it has not lost before; for tiny games" },
	[KIND_BOOK] = { "book", "the 1983 book's programs, which look one ply ahead; the games are below" },
	[KIND_MASK] = { "mask", "turns made of requests, some of them masked; looks whole turns ahead" },
	[KIND_ADMIRAL] = { "admiral", "the same with moves that no request asks for, within a limit" },
};

enum type { NUMBER, SWITCH, TIME, TEXT, WORD };

struct key {
	const char *name;
	enum type type;
	int kinds;                 /* the kinds that know it */
	size_t at, size;           /* in struct settings */
	int64_t min, max;          /* of a WORD: 0, and which of the lists below */
	const char *help;
};

/* The words that some keys take, divided by '|'; the setting is the number of one. */
enum { WORDS_LADDER, WORDS_SEARCH };
static const char *const word_lists[] = {
	[WORDS_LADDER] = "own|lurgee|lurgee22",
	[WORDS_SEARCH] = "negamax|negascout",
};

#define AT(f) offsetof(struct settings, f), sizeof(((struct settings *)0)->f)

static const struct key keys[] = {
	{ "ladder", WORD, 1 << KIND_LEVEL, AT(ladder), 0, WORDS_LADDER,
	  "own (preset), or the framework's: lurgee by its documents, lurgee22 by its release" },
	{ "search", WORD, BIT_LURGEE, AT(search), 0, WORDS_SEARCH,
	  "negamax or negascout (preset)" },
	{ "depth", NUMBER, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE | BIT_SEED, AT(depth), 1, 100,
	  "plies to look ahead; throws of dice are none" },
	{ "time", TIME, BIT_SEARCH | BIT_SELECT | BIT_MCTS | BIT_CHANCE | BIT_MULTI | BIT_SEED | BIT_ADMIRAL,
	  AT(time_ms), 1, 86400000, "for a move: 500ms, 2s, 1.5s" },
	{ "nodes", NUMBER, BIT_SEARCH | BIT_SELECT | BIT_MCTS | BIT_CHANCE | BIT_MULTI | BIT_SEED | BIT_ADMIRAL,
	  AT(nodes), 1, INT64_MAX / 2, "positions to make" },
	{ "evals", NUMBER, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE, AT(evals), 1,
	  INT64_MAX / 2, "evaluations to do" },
	{ "iterate", SWITCH, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE, AT(iterate), 0, 1,
	  "depth 1 first, then 2, 3, ..." },
	{ "random", SWITCH, BIT_SEARCH | BIT_SELECT | BIT_BOOK | BIT_MULTI | BIT_LURGEE | BIT_SEED, AT(random), 0, 1,
	  "choose between equal moves by chance" },
	{ "margin", NUMBER, BIT_FULL | BIT_WINDOW | BIT_SELECT | BIT_CHANCE, AT(margin), 0, QV_MAX_EVAL,
	  "any move at most so many points below the best, by chance" },
	{ "blunder", NUMBER, BIT_FULL | BIT_WINDOW | BIT_SELECT | BIT_CHANCE, AT(blunder), 0, 100,
	  "so many moves in a hundred are the worst it sees" },
	{ "chopper", SWITCH, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI, AT(chopper), 0, 1,
	  "play an only move at once" },
	{ "eval", TEXT, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE, AT(eval), 0, 0,
	  "evaluation, by name" },
	{ "weights", TEXT, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE, AT(weights), 0, 0,
	  "file of the evaluation's weights" },
	{ "weight", TEXT, BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE, AT(weight), 0, 0,
	  "one of them: threat:20, corner[2]:25" },
	{ "sort", SWITCH, BIT_PRUNE | BIT_CHANCE | BIT_MULTI, AT(sort), 0, 1,
	  "moves the game ranks high first" },
	{ "deep", SWITCH, BIT_PRUNE, AT(deep), 0, 1, "cut-offs reach any number of plies down" },
	{ "killers", NUMBER, BIT_PRUNE | BIT_SELECT | BIT_LURGEE, AT(killers), 0, 8,
	  "refutations remembered for each ply; of lurgee, its best moves" },
	{ "history", SWITCH, BIT_PRUNE | BIT_SELECT, AT(history), 0, 1,
	  "moves that cut off before are tried early" },
	{ "tt", NUMBER, BIT_PRUNE | BIT_SELECT | BIT_MCTS | BIT_PERFECT, AT(tt), 0, SPEC_MAX_TABLE,
	  "table, MB; 0 is none (mcts: the tree)" },
	{ "tt-exact", SWITCH, BIT_PRUNE | BIT_SELECT, AT(tt_exact), 0, 1,
	  "its entries count at their own depth only" },
	{ "keep-line", SWITCH, BIT_PRUNE, AT(keep_line), 0, 1,
	  "the best line so far is tried first" },
	{ "threads", NUMBER, BIT_PRUNE | BIT_SELECT | BIT_MASK | BIT_ADMIRAL | BIT_PERFECT, AT(threads), 1,
	  SPEC_MAX_THREADS, "sharing the table" },
	{ "quiet", SWITCH, BIT_PRUNE | BIT_SELECT, AT(quiet), 0, 1,
	  "captures and the like go on past the depth" },
	{ "window", NUMBER, BIT_WINDOW | BIT_SELECT, AT(window), 0, QV_MAX_EVAL,
	  "points around the last value; else again" },
	{ "razor", SWITCH, BIT_WINDOW, AT(razor), 0, 1,
	  "a move always improves on standing still (not sound)" },
	{ "hard", NUMBER, BIT_PRUNE, AT(hard), 0, QV_MAX_EVAL,
	  "drop what falls so many points below (not sound)" },
	{ "top", NUMBER, BIT_PRUNE, AT(top), 0, 4096,
	  "beyond depth 3 only the N best moves (not sound)" },
	{ "stack", SWITCH, BIT_SEARCH, AT(stack), 0, 1, "the same search without recursion" },
	{ "ply1", NUMBER, BIT_SEARCH, AT(ply1), 0, 2,
	  "all terms after move 1, then material; 2: all again at the end (another value)" },
	{ "move-eval", SWITCH, BIT_SEARCH, AT(move_eval), 0, 1,
	  "adds up scores of moves, not of positions (another value)" },
	{ "exchange", SWITCH, BIT_SEARCH, AT(exchange), 0, 1,
	  "who is ahead gains by trades (another value, in hundredths)" },
	{ "phases", SWITCH, BIT_SEARCH, AT(phases), 0, 1,
	  "weights by the phase of the game (another value)" },
	{ "solve", NUMBER, BIT_PRUNE, AT(solve), 0, 64,
	  "with so many places left, the game's own solver is asked too" },
	{ "null", SWITCH, BIT_SELECT, AT(null_move), 0, 1,
	  "null move: if a pass is good enough, so is a move (not sound)" },
	{ "lmr", SWITCH, BIT_SELECT, AT(lmr), 0, 1,
	  "late moves get fewer plies at first (not sound)" },
	{ "late", SWITCH, BIT_SELECT, AT(late), 0, 1,
	  "near the leaves, late quiet moves are left out (not sound)" },
	{ "futility", SWITCH, BIT_SELECT, AT(futility), 0, 1,
	  "... and what is too far ahead or behind (not sound)" },
	{ "see", SWITCH, BIT_SELECT, AT(see), 0, 1,
	  "... and what loses an exchange; those are tried last (not sound)" },
	{ "delta", SWITCH, BIT_SELECT, AT(delta), 0, 1,
	  "past the depth, no captures that win too little (not sound)" },
	{ "checks", SWITCH, BIT_SELECT, AT(checks), 0, 1,
	  "past the depth, checks on the first ply (another value)" },
	{ "extend", SWITCH, BIT_SELECT, AT(extend), 0, 1, "a ply more for checks (another value)" },
	{ "singular", SWITCH, BIT_SELECT, AT(singular), 0, 1,
	  "a ply more for a move without rival (another value)" },
	{ "iir", SWITCH, BIT_SELECT, AT(iir), 0, 1,
	  "a ply less where the table has no move (not sound)" },
	{ "probcut", SWITCH, BIT_SELECT, AT(probcut), 0, 1,
	  "a capture that wins far too much in a shallow search (not sound)" },
	{ "follow", SWITCH, BIT_SELECT, AT(follow), 0, 1,
	  "history of what followed a move, and replies to it" },
	{ "correct", SWITCH, BIT_SELECT, AT(correct), 0, 1,
	  "static values less the error such pawns had before (another value)" },
	{ "twofold", SWITCH, BIT_SELECT, AT(twofold), 0, 1,
	  "a position that comes again in the search is a draw (not sound)" },
	{ "playouts", NUMBER, BIT_MCTS, AT(playouts), 1, INT64_MAX / 2, "random games to play" },
	{ "explore", NUMBER, BIT_MCTS, AT(explore), 0, 10000,
	  "curiosity, in hundredths; more tries other moves more" },
	{ "prune", SWITCH, BIT_MULTI, AT(prune), 0, 1, "leaves out what cannot matter" },
	{ "star", NUMBER, BIT_CHANCE, AT(star), 0, 2, "cut-offs at throws: none, Star1, Star2" },
	{ "bye", SWITCH, BIT_LURGEE, AT(bye), 0, 1,
	  "who must pass does so, for a ply; 0: the line ends there" },
	{ "book", TEXT, BIT_EVERY, AT(book), 0, 0,
	  "file of openings (docs/books.md); own: the program's; none, not even lurgee's own" },
	{ "line", TEXT, BIT_EVERY, AT(line), 0, 0,
	  "which line of the book, by its name or number; others if that is left" },
	{ "weighted", SWITCH, BIT_EVERY, AT(weighted), 0, 1,
	  "moves of the book by their weights; 0: the heaviest" },
	{ "literal", SWITCH, BIT_BOOK | BIT_MASK | BIT_MACHINE, AT(literal), 0, 1,
	  "the listing to the letter, where that was a slip; of mask, turns that are the same too" },
	{ "turns", NUMBER, BIT_MASK | BIT_ADMIRAL, AT(turns), 0, 9, "full turns to look ahead" },
	{ "masks", SWITCH, BIT_MASK, AT(masks), 0, 1, "0: all requests, and no tree" },
	{ "all-masks", SWITCH, BIT_MASK, AT(all_masks), 0, 1, "the others have masks too" },
	{ "gains", NUMBER, BIT_MASK, AT(gains), 0, 2,
	  "drop turns that are at once worse (1), or no better (2) (not sound)" },
	{ "skip-dead", SWITCH, BIT_MASK, AT(skip_dead), 0, 1,
	  "look further where factions are defeated" },
	{ "build-threat", SWITCH, BIT_MASK, AT(build_threat), 0, 1,
	  "fear ships that could be built too" },
	{ "garrison", NUMBER, BIT_MASK, AT(garrison), 3, 4, "the priority of garrisons" },
	{ "model", NUMBER, BIT_ADMIRAL, AT(model), 0, 6,
	  "the others' next turns: unmasked (0), or by masks, looking model - 1 turns ahead; 6: whichever fits" },
	{ "file", TEXT, BIT_LEARN, AT(file), 0, 0, "what it has learned; made if it is not there" },
	{ "tables", TEXT, BIT_PERFECT, AT(tables), 0, 0,
	  "folder of tables to look in; what they do not know is searched" },
	{ "train", NUMBER, BIT_LEARN, AT(train), 0, 1000000,
	  "games to play against itself before the first move" },
};
enum { KEYS = sizeof keys / sizeof *keys };

/* ---- presets ---- */

static void preset(enum kind kind, const struct qv_defaults *defaults, struct settings *out)
{
	*out = (struct settings){ .kind = kind, .seed = 1, .threads = 1, .deep = 1,
				  .weighted = 1 };
	if (1 << kind & BIT_PRUNE) {
		out->iterate = out->sort = out->history = out->keep_line = out->quiet = 1;
		out->killers = 2;
		out->tt = 64;
	}
	if (kind == KIND_SELECTIVE) {
		out->iterate = out->history = out->quiet = 1;
		out->killers = 2;
		out->tt = 64;
		out->window = 20;
		out->null_move = out->lmr = out->late = out->futility = out->see = out->delta = 1;
		out->extend = out->singular = out->iir = out->probcut = out->follow = 1;
		out->correct = out->twofold = 1;
	}
	if (kind == KIND_PERFECT)
		out->tt = 64;
	if (kind == KIND_MCTS) {
		out->tt = 64;
		out->explore = 70;
	}
	if (1 << kind & BIT_CHANCE) {
		out->iterate = out->sort = 1;
		out->star = 2;
	}
	if (1 << kind & BIT_MULTI)
		out->iterate = out->sort = out->prune = 1;
	if (kind == KIND_BOOK)
		out->random = 1;
	if (1 << kind & (BIT_MASK | BIT_ADMIRAL)) {
		out->turns = 2;
		out->masks = 1;
		out->garrison = 4;
	}
	if (kind == KIND_LURGEE) {
		out->search = SEARCH_NEGASCOUT;
		out->iterate = out->bye = 1;
		out->killers = 4;
	}
	if (kind == KIND_ADMIRAL)
		out->model = 6;
	if (!defaults)
		return;
	out->seed = defaults->seed;
	if (kind == KIND_MCTS || kind == KIND_PERFECT)
		out->tt = defaults->hash_mb;
	if (1 << kind & (BIT_PRUNE | BIT_SELECT | BIT_MASK | BIT_PERFECT))
		out->threads = defaults->threads > 0 ? defaults->threads : 1;
	if (1 << kind & (BIT_PRUNE | BIT_SELECT))
		out->tt = defaults->hash_mb;
}

/* A search without any limit would never answer. */
static void preset_depth(struct settings *set)
{
	if (!set->depth && !set->time_ms && !set->nodes && !set->evals)
		set->depth = 1 << set->kind & BIT_CHANCE		? 3
			     : 1 << set->kind & (BIT_FULL | BIT_MULTI) ? 4
			     : set->kind == KIND_LURGEE		       ? 5
								       : 6;
}

/* ---- reading ---- */

/* 500ms, 2s or 1.5s, in milliseconds. */
static bool read_time(const char *text, const struct key *key, int64_t *out)
{
	int64_t whole = 0, thousandths = 0, unit = 1000;
	const char *c = text;
	if (!is_digit(*c))
		return false;
	for (; is_digit(*c); c++) {
		whole = whole * 10 + (*c - '0');
		if (whole > key->max)
			return false;
	}
	const bool fraction = *c == '.';
	if (fraction)
		for (c++; is_digit(*c); c++) {
			unit /= 10;
			thousandths += unit * (*c - '0');
		}
	if (strcmp(c, "s") == 0)
		*out = whole * 1000 + thousandths;
	else if (strcmp(c, "ms") == 0 && !fraction)
		*out = whole;
	else
		return false;
	return *out >= key->min && *out <= key->max;
}

static enum qv_status set_word(struct settings *set, const struct key *key, const char *value,
			       struct qv_error *error)
{
	const char *words = word_lists[key->max];
	const int64_t number = scan_choice(words, value);
	if (number < 0)
		return qv_fail(error, QV_UNKNOWN, "%s=%.40s: it takes %s", key->name, value, words);
	memcpy((char *)set + key->at, &number, sizeof number);
	return QV_OK;
}

static enum qv_status set_key(struct settings *set, const struct key *key, const char *value,
			      struct qv_error *error)
{
	void *field = (char *)set + key->at;
	if (key->type == WORD)
		return set_word(set, key, value, error);
	if (key->type == TEXT) {
		if (!*value || strlen(value) >= key->size)
			return qv_fail(error, QV_BAD_INPUT,
				       "%s=%.40s: from 1 to %zu characters are expected", key->name,
				       value, key->size - 1);
		memcpy(field, value, strlen(value) + 1);
		return QV_OK;
	}
	int64_t number;
	if (key->type == TIME ? !read_time(value, key, &number) :
				!text_to_int(value, key->min, key->max, &number)) {
		if (key->type == TIME)
			return qv_fail(
				error, QV_BAD_INPUT,
				"%s=%.40s: a time as 500ms, 2s or 1.5s is expected, from 1ms to a day",
				key->name, value);
		return qv_fail(error, QV_BAD_INPUT,
			       "%s=%.40s: a number from %lld to %lld is expected", key->name, value,
			       (long long)key->min, (long long)key->max);
	}
	memcpy(field, &number, sizeof number);
	return QV_OK;
}

static enum qv_status unknown_key(enum kind kind, const char *name, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; i < KEYS; i++)
		if (keys[i].kinds & 1 << kind)
			text_nearest_try(&near, keys[i].name);
	if (near.best)
		return qv_fail(error, QV_UNKNOWN,
			       "player %s: it has no key '%.40s'; did you mean '%s'?",
			       kinds[kind].name, name, near.best);
	return qv_fail(error, QV_UNKNOWN, "player %s: it has no key '%.40s'", kinds[kind].name,
		       name);
}

static enum qv_status read_item(struct settings *set, char *item, bool *seen,
				struct qv_error *error)
{
	char *value = item;
	scan_cut(&value, '=');
	if (!value) {
		if (set->kind == KIND_LEVEL && !set->level) {
			if (!text_to_int(item, 1, 1000, &set->level))
				return qv_fail(error, QV_BAD_INPUT,
					       "level '%.40s': a number from 1 is expected", item);
			return QV_OK;
		}
		return qv_fail(error, QV_BAD_INPUT, "player %s: '%.40s' is not key=value",
			       kinds[set->kind].name, item);
	}
	for (int i = 0; i < KEYS; i++) {
		if (strcmp(keys[i].name, item) != 0 || !(keys[i].kinds & 1 << set->kind))
			continue;
		if (seen[i])
			return qv_fail(error, QV_BAD_INPUT, "player %s: %s is given twice",
				       kinds[set->kind].name, item);
		seen[i] = true;
		return set_key(set, &keys[i], value, error);
	}
	return unknown_key(set->kind, item, error);
}

static enum qv_status find_kind(const char *name, enum kind *out, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; i < KIND_COUNT; i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			*out = (enum kind)i;
			return QV_OK;
		}
		text_nearest_try(&near, kinds[i].name);
	}
	if (strcmp(name, "human") == 0)
		return qv_fail(error, QV_UNSUPPORTED, "player 'human': only 'quevedo play' has people");
	if (strcmp(name, "qgp") == 0 || strcmp(name, "ugi") == 0 || strcmp(name, "uci") == 0 ||
	    strcmp(name, "xboard") == 0)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player '%s': another program cannot play here", name);
	if (near.best)
		return qv_fail(error, QV_UNKNOWN,
			       "player '%.40s': no such kind; did you mean '%s'?", name, near.best);
	return qv_fail(error, QV_UNKNOWN, "player '%.40s': no such kind", name);
}

enum qv_status spec_parse(const char *text, const struct qv_defaults *defaults,
			  struct settings *out, struct qv_error *error)
{
	char copy[1024];
	if (strlen(text) >= sizeof copy)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %zu characters",
			       sizeof copy - 1);
	strcpy(copy, text);
	char *items = copy;
	scan_cut(&items, ':');
	enum kind kind = KIND_RANDOM;
	enum qv_status status = find_kind(copy, &kind, error);
	if (status != QV_OK)
		return status;
	if (defaults && (defaults->threads > SPEC_MAX_THREADS || defaults->hash_mb < 0 ||
			 defaults->hash_mb > SPEC_MAX_TABLE))
		return qv_fail(error, QV_BAD_INPUT,
			       "player: at most %d threads, and tables from 0 to %d MB",
			       SPEC_MAX_THREADS, SPEC_MAX_TABLE);
	struct settings set;
	bool seen[KEYS] = { false };
	preset(kind, defaults, &set);
	while (items && status == QV_OK)
		status = read_item(&set, scan_cut(&items, ','), seen, error);
	if (status == QV_OK && kind == KIND_LEVEL && !set.level)
		status = qv_fail(error, QV_BAD_INPUT,
				 "player level: which one? level:1 is the easiest");
	if (status == QV_OK && strcmp(set.book, "none") == 0) {
		set.book[0] = '\0';
		set.no_book = 1;
	}
	if (status == QV_OK && *set.line && !*set.book)
		status = qv_fail(error, QV_BAD_INPUT, "line=%.60s: of which book? book=FILE says",
				 set.line);
	if (status != QV_OK)
		return status;
	if (1 << kind & (BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI | BIT_LURGEE))
		preset_depth(&set);
	if (kind == KIND_SEED && !set.depth && !set.time_ms && !set.nodes)
		set.time_ms = SPEC_SEED_MS;
	if (kind == KIND_ADMIRAL && !set.time_ms && !set.nodes)
		set.nodes = 50000;
	if (kind == KIND_MCTS && !set.playouts && !set.time_ms && !set.nodes)
		set.playouts = 10000;
	*out = set;
	return QV_OK;
}

void spec_take_book(struct settings *set, const struct settings *from)
{
	if (!*from->book && !from->no_book)
		return;
	memcpy(set->book, from->book, sizeof set->book);
	memcpy(set->line, from->line, sizeof set->line);
	set->no_book = from->no_book;
	set->weighted = from->weighted;
}

/* ---- for people ---- */

static void put_padded(struct qv_text *out, const char *text, int width)
{
	qv_put(out, text);
	/* At least one blank, or a long text would run into the next column. */
	for (int i = (int)strlen(text); i < width || i == (int)strlen(text); i++)
		qv_put_char(out, ' ');
}

/* What a key is when it is not given: "0", or "0/1" if the kinds differ. */
static void put_preset(struct qv_text *out, const struct key *key)
{
	char text[32] = "";
	struct qv_text value = { text, sizeof text, 0 };
	int64_t last = -1;
	const bool number = key->type == NUMBER || key->type == SWITCH;
	for (int kind = 0; number && kind < KIND_COUNT; kind++) {
		struct settings set;
		int64_t here;
		if (!(key->kinds & 1 << kind))
			continue;
		preset((enum kind)kind, NULL, &set);
		memcpy(&here, (const char *)&set + key->at, sizeof here);
		if (here != last && last >= 0)
			qv_put_char(&value, '/');
		if (here != last)
			qv_put_int(&value, here);
		last = here;
	}
	put_padded(out, strcmp(text, "0") == 0 && key->min > 0 ? "" : text, 6);
}

static void put_word(struct qv_text *out, const char *word)
{
	qv_put(out, out->length ? " " : "");
	qv_put(out, word);
}

enum { USERS_WIDTH = 29 };

/*
 * "all", or letters for the pruning searches; letters for the other searches of positions; then the
 * names of kinds that are no such search.
 */
static void put_known_by(struct qv_text *out, const struct key *key)
{
	char text[64];
	struct qv_text who = { text, sizeof text, 0 };
	if (key->kinds == BIT_EVERY) {
		put_padded(out, "every kind", USERS_WIDTH);
		return;
	}
	const int searches = key->kinds & BIT_SEARCH;
	qv_put(&who, searches == BIT_SEARCH  ? "all"
		     : searches == BIT_PRUNE ? "a n m"
		     : searches		     ? "a n"
					     : "");
	if (key->kinds & BIT_SELECT)
		put_word(&who, "s");
	if (key->kinds & BIT_CHANCE)
		put_word(&who, "x");
	if (key->kinds & BIT_MULTI)
		put_word(&who, "v");
	for (int kind = 0; kind < KIND_COUNT; kind++)
		if (key->kinds & ~(BIT_SEARCH | BIT_SELECT | BIT_CHANCE | BIT_MULTI) & 1 << kind)
			put_word(&who, kinds[kind].name);
	put_padded(out, text, USERS_WIDTH);
}

void spec_help(struct qv_text *out)
{
	qv_put(out, "A player is KIND[:key=value,...], as in negascout:depth=6,tt=16.\n\nKinds:\n");
	for (int i = 0; i < KIND_COUNT; i++) {
		qv_put(out, "  ");
		put_padded(out, kinds[i].name, 11);
		qv_put(out, kinds[i].help);
		qv_put_char(out, '\n');
	}
	qv_put(out, "  qgp, ugi, uci, xboard\n"
		    "             another program, by a protocol: qgp:COMMAND LINE, or qgp:key=value,...,cmd=COMMAND\n"
		    "             LINE with depth, nodes, time and option.NAME (docs/protocol.md)\n");
	qv_put(out, "\nKeys of the searches, what they are when not given, and who knows them\n"
		    "(all from minimax to mtdf, or only a: alphabeta, n: negascout, m: mtdf; s: selective;\n"
		    "x: expectimax; v: maxn, paranoid and brs; others by name):\n");
	for (int i = 0; i < KEYS; i++) {
		qv_put(out, "  ");
		put_padded(out, keys[i].name, 11);
		put_preset(out, &keys[i]);
		put_known_by(out, &keys[i]);
		qv_put(out, keys[i].help);
		qv_put_char(out, '\n');
	}
	qv_put(out,
	       "\nWithout any limit: depth 3 (expectimax), 4 (minimax, negamax, maxn, paranoid, brs), 5 (lurgee) or 6; 10000 playouts; 7.5s (seed);\n"
	       "50000 nodes (admiral).\n"
	       "tt and threads follow --hash and --threads.\n"
	       "Depth not given: iterate is on. Sound keys, which never change the value: iterate window sort deep\n"
	       "killers history keep-line stack random threads prune, and tt with tt-exact=1; but sort may in maxn, where\n"
	       "moves that are equal to one seat are not so to the others.\n");
}
