/*
 * options.c - the options, each once in one table, and the reading of a command line.
 * SPDX-License-Identifier: MIT
 *
 * Options may stand anywhere, as `--name value` or `--name=value`; `--` ends them. Positions may
 * begin with dashes ("---X... X"), so only `--` with a letter after it, and no blank before a `=`,
 * is taken for an option.
 */
#include "base/scan.h"
#include "cli/cli.h"

enum option_type {
	FLAG,
	NUMBER,
	TEXT,
	MAYBE, /* a text, but only after "=" */
	LIST,
	SEAT, /* N=SPEC */
	PLAYERS,
	HOSTS,
};

struct option {
	const char *name;
	enum option_type type;
	size_t at; /* where the value goes; flags need none */
	int64_t min, max, preset;
	const char *value, *help;
};

#define FIELD(f) offsetof(struct arguments, f)
static const struct option options[OPT_COUNT] = {
	[OPT_JSON] = { .name = "json", .help = "print one JSON value" },
	[OPT_NO_TIMES] = { .name = "no-times", .help = "leave out every time and speed" },
	[OPT_SEED] = { "seed", NUMBER, FIELD(seed), 0, INT64_MAX, 1, "N",
		       "where random numbers start" },
	[OPT_THREADS] = { "threads", NUMBER, FIELD(threads), 1, 256, 1, "N", "search threads" },
	[OPT_HASH] = { "hash", NUMBER, FIELD(hash_mb), 0, 1 << 20, 64, "MB", "size of tables" },
	[OPT_PLUGIN] = { "plugin", LIST, 0, 0, 0, 0, "FILE",
			 "load the games of a shared object (may be repeated)" },
	[OPT_MOVES] = { "moves", TEXT, FIELD(moves), 0, 0, 0, "\"M, M\"",
			"play these moves from the position first" },
	[OPT_MOVES_FROM] = { "moves-from", TEXT, FIELD(moves_from), 0, 0, 0, "FILE",
			     "the same from a file, one a line; - is standard input" },
	[OPT_POSITION_FROM] = { "position-from", TEXT, FIELD(position_from), 0, 0, 0, "FILE",
				"the position, from a file; - is standard input" },
	[OPT_ASCII] = { .name = "ascii", .help = "draw the board with plain characters" },
	[OPT_SAN] = { .name = "san",
		      .help = "print moves in algebraic notation: Nf3, O-O (chess)" },
	[OPT_NOTIONS] = { .name = "notions",
			  .help = "what the game's theory sees: threats, mobility, ..." },
	[OPT_EXPLAIN] = { .name = "explain",
			  .help = "how the player thinks, where one tells (starchess, mask)" },
	[OPT_DIVIDE] = { .name = "divide", .help = "count for each first move" },
	[OPT_PLAYER] = { "player", PLAYERS, 0, 0, 0, 0, "SPEC",
			 "who thinks (quevedo help players)" },
	[OPT_DISTANCE] = { .name = "distance", .help = "add the plies to the end" },
	[OPT_POSITIONS] = { "positions", TEXT, FIELD(positions), 0, 0, 0, "FILE",
			    "solve every position of a file, one a line" },
	[OPT_BY] = { "by", TEXT, FIELD(by), 0, 0, 0, "WAY",
		     "solve by search, proof, own (the game's own solver) or table" },
	[OPT_CERTIFICATE] = { "certificate", TEXT, FIELD(certificate), 0, 0, 0, "FILE",
			      "write the proof, for quevedo-check" },
	[OPT_SEAT] = { "seat", SEAT, 0, 0, 0, 0, "N=SPEC",
		       "who plays in a seat: human, level:3, ... (may be repeated)" },
	[OPT_LEVEL] = { "level", TEXT, FIELD(level), 0, 0, 0, "N", "how strong the computer plays" },
	[OPT_TIME] = { "time", TEXT, FIELD(time), 0, 0, 0, "TIME",
		       "a clock for each seat: 5m, or 300+3" },
	[OPT_DICE] = { "dice", TEXT, FIELD(dice), 0, 0, 0, "HOW", "typed, or thrown by the program" },
	[OPT_HINT] = { "hint", TEXT, FIELD(hint), 0, 0, 0, "SPEC", "who gives hints" },
	[OPT_LINES] = { "lines", NUMBER, FIELD(lines), 1, QV_MAX_MOVES, 1, "N",
			"how many lines, the best first" },
	[OPT_FORMAT] = { "format", TEXT, FIELD(format), 0, 0, 0, "F",
			 "text or svg; a tree also json or dot; games pgn or record" },
	[OPT_MAX_NODES] = { "max-nodes", NUMBER, FIELD(max_nodes), 1, 1000000, 1000, "N",
			    "show no more; the deepest plies are left out first" },
	[OPT_DEPTH] = { "depth", NUMBER, FIELD(depth), 1, 1000, 1000, "N", "show so many plies" },
	[OPT_DATA] = { "data", TEXT, FIELD(data), 0, 0, 0, "DIR",
		       "where the tables of all games are, or what a server keeps" },
	[OPT_UP_TO] = { "up-to", TEXT, FIELD(up_to), 0, 0, 0, "SPACE",
			"only this part of the tables, and what it needs" },
	[OPT_COUNTERS] = { .name = "counters",
			   .help = "count the moves left; twice the memory" },
	[OPT_CHECKPOINT] = { "checkpoint", NUMBER, FIELD(checkpoint_s), 0, 86400, 60, "SECONDS",
			     "time between checkpoints" },
	[OPT_PROTOCOL] = { "protocol", TEXT, FIELD(protocol), 0, 0, 0, "P",
			   "what to speak: qgp (the default), ugi, uci, xboard" },
	[OPT_GAMES] = { "games", NUMBER, FIELD(games), 1, 1000000, 100, "N",
			"how many games; a pair is two" },
	[OPT_OPENINGS] = { "openings", TEXT, FIELD(openings), 0, 0, 0, "FILE",
			   "how games begin: a position or moves a line" },
	[OPT_RANDOM_PLIES] = { "random-plies", NUMBER, FIELD(random_plies), 0, 1000000, 0, "N",
			       "begin with so many moves by chance" },
	[OPT_PAIRS] = { .name = "pairs", .help = "statistics by pairs of games" },
	[OPT_GAUNTLET] = { .name = "gauntlet", .help = "the first player against all others" },
	[OPT_NEAR] = { "near", NUMBER, FIELD(near), 0, 32, 0, "N",
		       "only players at most N places apart meet; 0: all" },
	[OPT_JOBS] = { "jobs", NUMBER, FIELD(jobs), 1, 256, 1, "N", "games at a time" },
	[OPT_MPI] = { .name = "mpi", .help = "play on all ranks of mpirun" },
	[OPT_MAX_PLIES] = { "max-plies", NUMBER, FIELD(max_plies), 0, 1000000, 0, "N",
			    "longer games are drawn; 0: none are" },
	[OPT_ADJUDICATE] = { "adjudicate", TEXT, FIELD(adjudicate), 0, 0, 0, "HOW",
			     "resign=SCORE:MOVES,draw=SCORE:MOVES:PLIES,tables" },
	[OPT_SPRT] = { "sprt", TEXT, FIELD(sprt), 0, 0, 0, "TEST",
		       "stop when it is clear: elo0=0,elo1=5,alpha=0.05,beta=0.05" },
	[OPT_JOURNAL] = { "journal", TEXT, FIELD(journal), 0, 0, 0, "FILE",
			  "write down every game as it ends" },
	[OPT_RESUME] = { .name = "resume", .help = "go on with the journal" },
	[OPT_AUDIT] = { "audit", TEXT, FIELD(audit), 0, 0, 0, "FILE",
			"check a journal: play its games again" },
	[OPT_OUT] = { "out", TEXT, FIELD(out), 0, 0, 0, "FILE",
		      "write the records of all games, or the book" },
	[OPT_REPORT] = { "report", TEXT, FIELD(report), 0, 0, 0, "FILE.svg",
			 "draw standings, Elo over time, lengths" },
	[OPT_ENGINE_LOG] = { "engine-log", TEXT, FIELD(engine_log), 0, 0, 0, "FILE",
			     "log the dialogue with programs, and their standard error" },
	[OPT_WEIGHT] = { "weight", TEXT, FIELD(weight), 0, 0, 0, "NAME=FROM:TO:STEP",
			 "the weight to vary, and its values" },
	[OPT_PLAN] = { "plan", TEXT, FIELD(plan), 0, 0, 0, "KEY=N,...", "how to train" },
	[OPT_PORT] = { "port", NUMBER, FIELD(port), 0, 65535, 8080, "N",
		       "where to listen; 0: any port that is free" },
	[OPT_HOST] = { "host", TEXT, FIELD(host), 0, 0, 0, "ADDRESS",
		       "where to listen: 127.0.0.1, or 0.0.0.0 for all of the network" },
	[OPT_MATCHES] = { "matches", TEXT, FIELD(matches), 0, 0, 0, "DIR",
			  "journals of matches to show (default: matches in the data folder)" },
	[OPT_TABLES] = { "tables", TEXT, FIELD(tables), 0, 0, 0, "DIR",
			 "tables of solved positions (default: where `tables build` puts them)" },
	[OPT_WORKERS] = { "workers", NUMBER, FIELD(workers), 0, 256, 0, "N",
			  "threads that think; 0: all processors but one" },
	[OPT_ALLOW_HOST] = { "allow-host", HOSTS, 0, 0, 0, 0, "NAME",
			     "another name that the server is called by (may be repeated)" },
	[OPT_PER_ADDRESS] = { "per-address", NUMBER, FIELD(per_address), 1, 1000, 1, "N",
			      "one address may ask so many times as much as usual" },
	[OPT_CLASSROOM] = { .name = "classroom", .help = "as --per-address 10" },
	[OPT_CERT] = { "cert", TEXT, FIELD(cert), 0, 0, 0, "FILE", "the certificate, for TLS" },
	[OPT_KEY] = { "key", TEXT, FIELD(key), 0, 0, 0, "FILE", "the key of the certificate" },
	[OPT_PLIES] = { "plies", NUMBER, FIELD(plies), 1, 1000, 12, "N", "how far a book goes" },
	[OPT_LEAST] = { "least", NUMBER, FIELD(least), 1, 1000000000, 1, "N",
			"leave out moves that were played less often" },
	[OPT_MARGIN] = { "margin", NUMBER, FIELD(margin), 0, QV_MAX_EVAL, 0, "N",
			 "points behind that a move, or the end of a line, may be" },
	[OPT_TRAINER] = { "trainer", TEXT, FIELD(trainer), 0, 0, 0, "LINE",
			  "learn an opening of the own book, by number or name; any: by chance" },
	[OPT_RIGHTS] = { .name = "rights", .help = "castling rights must be those of the position too" },
	[OPT_EVERY] = { .name = "every", .help = "answer every move, not only the good ones" },
	[OPT_IMCS] = { "imcs", NUMBER, FIELD(imcs), 0, 65535, 3589, "PORT",
		       "speak IMCS too, on this port; 0: any that is free" },
	[OPT_USER] = { "user", TEXT, FIELD(user), 0, 0, 0, "NAME", "the name to log in with" },
	[OPT_PASSWORD_FILE] = { "password-file", TEXT, FIELD(password_file), 0, 0, 0, "FILE",
				"the first line of it is the password" },
	[OPT_REGISTER] = { .name = "register", .help = "as a new user, if the name is not taken" },
	[OPT_LIST] = { .name = "list", .help = "show who offers a game, and who plays" },
	[OPT_OFFER] = { "offer", MAYBE, FIELD(offer), 0, 0, 0, "COLOR",
			"offer games, as W, B or ? (either)" },
	[OPT_ACCEPT] = { "accept", TEXT, FIELD(accept), 0, 0, 0, "ID",
			 "play against an offer, or 'any'" },
	[OPT_LOG] = { "log", TEXT, FIELD(log), 0, 0, 0, "DIR", "keep a record of each game there" },
	[OPT_HELP] = { .name = "help", .help = "help on the command" },
	[OPT_VERSION] = { .name = "version", .help = "print the version" },
};

_Static_assert(OPT_COUNT <= 128, "a bit for each");

const char *cli_word(const char *word)
{
	return *word ? word : "''";
}

static bool is_option(const char *word)
{
	if (word[0] != '-')
		return false;
	if (is_letter(word[1]) && !word[2])
		return true; /* -h; any other is unknown */
	if (word[1] != '-' || !is_letter(word[2]))
		return false;
	return word[strcspn(word, " =")] != ' '; /* a position has a blank */
}

/* The option whose name stands after the dashes, up to '=' or the end; -1: none. */
static int find_option(const char *word)
{
	if (strcmp(word, "-h") == 0)
		return OPT_HELP;
	for (int i = 0; i < OPT_COUNT; i++) {
		const size_t length = strlen(options[i].name);
		if (strncmp(word, "--", 2) == 0 &&
		    strncmp(word + 2, options[i].name, length) == 0 &&
		    (word[2 + length] == '=' || word[2 + length] == '\0'))
			return i;
	}
	return -1;
}

static enum qv_status unknown_option(const char *word, struct qv_error *error)
{
	char name[64];
	const size_t length = strcspn(word, "=");
	snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, word);
	struct text_nearest nearest = text_nearest_to(name + strspn(name, "-"));
	for (int i = 0; i < OPT_COUNT; i++)
		text_nearest_try(&nearest, options[i].name);
	if (!nearest.best)
		return qv_fail(error, QV_UNKNOWN, "%s: unknown option", name);
	return qv_fail(error, QV_UNKNOWN, "%s: unknown option, did you mean '--%s'?", name,
		       nearest.best);
}

static enum qv_status store_seat(struct arguments *args, const char *value, struct qv_error *error)
{
	const int seat = value[0] - '1';
	if (seat < 0 || seat >= QV_MAX_SEATS || value[1] != '=' || !value[2])
		return qv_fail(error, QV_BAD_INPUT, "--seat: '%.60s' is not N=SPEC, as in 2=level:3",
			       value);
	if (args->seats[seat])
		return qv_fail(error, QV_BAD_INPUT, "--seat: seat %d is given twice", seat + 1);
	args->seats[seat] = value + 2;
	return QV_OK;
}

static enum qv_status store(struct arguments *args, const struct option *o, const char *value,
			    struct qv_error *error)
{
	char *at = (char *)args + o->at;
	switch (o->type) {
	case FLAG:
		break;
	case NUMBER: {
		int64_t number;
		if (!text_to_int(value, o->min, o->max, &number))
			return qv_fail(error, QV_BAD_INPUT,
				       "--%s: '%.60s' is not a whole number from %lld to %lld",
				       o->name, value, (long long)o->min, (long long)o->max);
		memcpy(at, &number, sizeof number);
		break;
	}
	case TEXT:
	case MAYBE:
		memcpy(at, &value, sizeof value);
		break;
	case LIST:
		if (args->plugin_count == MAX_PLUGINS)
			return qv_fail(error, QV_BAD_INPUT, "--%s: more than %d of them", o->name,
				       MAX_PLUGINS);
		args->plugins[args->plugin_count++] = value;
		break;
	case SEAT:
		return store_seat(args, value, error);
	case PLAYERS:
		if (args->player_count == MAX_PLAYERS)
			return qv_fail(error, QV_BAD_INPUT, "--%s: more than %d of them", o->name,
				       MAX_PLAYERS);
		args->players[args->player_count++] = value;
		args->player = args->players[0];
		break;
	case HOSTS:
		if (args->allow_host_count == MAX_ALLOW_HOSTS)
			return qv_fail(error, QV_BAD_INPUT, "--%s: more than %d of them", o->name,
				       MAX_ALLOW_HOSTS);
		args->allow_hosts[args->allow_host_count++] = value;
		break;
	}
	return QV_OK;
}

/* Reads the option at argv[*i], with its value, which may be the next word. */
static enum qv_status read_option(struct arguments *args, int argc, char **argv, int *i,
				  struct qv_error *error)
{
	const int id = find_option(argv[*i]);
	if (id < 0)
		return unknown_option(argv[*i], error);
	const struct option *o = &options[id];
	const char *value = strchr(argv[*i], '=');
	if (o->type == FLAG && value)
		return qv_fail(error, QV_BAD_INPUT, "--%s: takes no value", o->name);
	if (o->type == NUMBER || o->type == TEXT || o->type == MAYBE)
		if (args->given & BIT(id))
			return qv_fail(error, QV_BAD_INPUT, "--%s: given twice", o->name);
	if (value)
		value++;
	else if (o->type == MAYBE)
		value = "";
	else if (o->type != FLAG && ++*i >= argc)
		return qv_fail(error, QV_BAD_INPUT, "--%s: its value (%s) is missing", o->name,
			       o->value);
	else if (o->type != FLAG)
		value = argv[*i];
	args->given |= BIT(id);
	return store(args, o, value, error);
}

enum qv_status arguments_parse(struct arguments *args, int argc, char **argv,
			       struct qv_error *error)
{
	*args = (struct arguments){ .seed = options[OPT_SEED].preset,
				    .threads = options[OPT_THREADS].preset,
				    .checkpoint_s = options[OPT_CHECKPOINT].preset,
				    .hash_mb = options[OPT_HASH].preset,
				    .lines = options[OPT_LINES].preset,
				    .games = options[OPT_GAMES].preset,
				    .jobs = options[OPT_JOBS].preset,
				    .port = options[OPT_PORT].preset,
				    .imcs = options[OPT_IMCS].preset,
				    .per_address = options[OPT_PER_ADDRESS].preset,
				    .max_nodes = options[OPT_MAX_NODES].preset,
				    .plies = options[OPT_PLIES].preset,
				    .least = options[OPT_LEAST].preset,
				    .depth = options[OPT_DEPTH].preset };
	bool options_end = false;
	for (int i = 1; i < argc; i++) {
		if (!options_end && strcmp(argv[i], "--") == 0) {
			options_end = true;
		} else if (!options_end && is_option(argv[i])) {
			enum qv_status status = read_option(args, argc, argv, &i, error);
			if (status != QV_OK)
				return status;
		} else {
			if (args->word_count < MAX_WORDS)
				args->words[args->word_count] = argv[i];
			args->word_count++;
		}
	}
	if (arguments_given(args, OPT_MOVES) && arguments_given(args, OPT_MOVES_FROM))
		return qv_fail(error, QV_BAD_INPUT, "--moves-from: --moves is given too");
	return QV_OK;
}

enum qv_status arguments_allow(const struct arguments *args, option_set allowed, const char *command,
			       struct qv_error *error)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (args->given & ~allowed & BIT(i))
			return qv_fail(error, QV_BAD_INPUT, "--%s: not an option of '%s'",
				       options[i].name, command);
	if (args->player_count > 1 && !(allowed & BIT(OPT_GAUNTLET)))
		return qv_fail(error, QV_BAD_INPUT, "--player: given twice");
	return QV_OK;
}

bool arguments_given(const struct arguments *args, enum option_id option)
{
	return args->given & BIT(option);
}

/* Where a command has a default of its own. */
static const char *other_preset(int option)
{
	return option == OPT_GAMES ? "; imcs: 1" : option == OPT_PORT ? "; imcs: 3589" : "";
}

void arguments_help(option_set set, struct string *out)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct option *o = &options[i];
		char left[32];
		if (!(set & BIT(i)))
			continue;
		if (o->type == MAYBE)
			snprintf(left, sizeof left, "--%s[=%s]", o->name, o->value);
		else
			snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "",
				 o->value ? o->value : "");
		string_addf(out, "  %-18s %s", left, o->help);
		if (o->type == NUMBER)
			string_addf(out, " (default %lld%s)", (long long)o->preset,
				    other_preset(i));
		string_addf(out, "\n");
	}
}
