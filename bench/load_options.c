/*
 * load_options.c - the options of the load generator.
 * SPDX-License-Identifier: MIT
 */
#include "load_options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "load_attack.h"

void die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "bench_load_server: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

static const char usage[] =
	"usage: bench_load_server [OPTION...]\n"
	"  --url URL               the server (default http://127.0.0.1:8080); up to 8 times\n"
	"  --games N               games with two players each (default 200)\n"
	"  --moves-per-second R    of all games together (default 100)\n"
	"  --game NAME             default reversi\n"
	"  --seconds S             that count (default 10), after --warm-up S (default 2)\n"
	"  --sockets N             idle WebSockets\n"
	"  --analyses N            visitors who ask for one analysis after the other\n"
	"  --attack NAME           %s\n"
	"  --attack-url URL        where to (default: the server); http:// for IMCS, too\n"
	"  --attack-token TOKEN    of a user\n"
	"  --attack-rate R         requests a second (default: what one address is allowed)\n"
	"  --addresses N           source addresses to use on the loopback (default 1000, 0: one)\n"
	"  --reconnect             connections may break: open them again\n"
	"  --log FILE              append each move that is sent or acknowledged\n"
	"  --verify FILE           compare such a log with the server, and do nothing else\n"
	"  --probe ROUTE           what a visitor asks for meanwhile (default health)\n"
	"  --pid N                 of the server, to report its processor time and memory\n"
	"  --json                  print one JSON object\n"
	"A server that is not on the loopback needs serve --per-address 1000.\n";

enum {
	O_URL,
	O_GAMES,
	O_RATE,
	O_GAME,
	O_SECONDS,
	O_WARM_UP,
	O_SOCKETS,
	O_ANALYSES,
	O_ATTACK,
	O_ATTACK_RATE,
	O_ATTACK_TOKEN,
	O_ATTACK_URL,
	O_ADDRESSES,
	O_RECONNECT,
	O_LOG,
	O_VERIFY,
	O_PROBE,
	O_PID,
	O_JSON
};

static const struct option options[] = {
	{ "url", 1, NULL, O_URL },
	{ "games", 1, NULL, O_GAMES },
	{ "moves-per-second", 1, NULL, O_RATE },
	{ "game", 1, NULL, O_GAME },
	{ "seconds", 1, NULL, O_SECONDS },
	{ "warm-up", 1, NULL, O_WARM_UP },
	{ "sockets", 1, NULL, O_SOCKETS },
	{ "analyses", 1, NULL, O_ANALYSES },
	{ "attack", 1, NULL, O_ATTACK },
	{ "attack-rate", 1, NULL, O_ATTACK_RATE },
	{ "attack-token", 1, NULL, O_ATTACK_TOKEN },
	{ "attack-url", 1, NULL, O_ATTACK_URL },
	{ "addresses", 1, NULL, O_ADDRESSES },
	{ "reconnect", 0, NULL, O_RECONNECT },
	{ "log", 1, NULL, O_LOG },
	{ "verify", 1, NULL, O_VERIFY },
	{ "probe", 1, NULL, O_PROBE },
	{ "pid", 1, NULL, O_PID },
	{ "json", 0, NULL, O_JSON },
	{ NULL, 0, NULL, 0 },
};

/* A number of the option that was just read, within bounds. */
static double number(const char *what, double least, double most)
{
	char *end;
	const double value = strtod(optarg, &end);
	if (end == optarg || *end || !(value >= least && value <= most))
		die("%s: '%.40s' is not a number from %g to %g", what, optarg, least, most);
	return value;
}

void options_read(struct load_options *l, int argc, char **argv)
{
	*l = (struct load_options){ .games = 200,
				    .rate = 100,
				    .game_name = "reversi",
				    .probe = "health",
				    .seconds = 10,
				    .warm_up = 2,
				    .addresses = 1000 };
	for (int o; (o = getopt_long(argc, argv, "", options, NULL)) >= 0;)
		switch (o) {
		case O_URL:
			if (l->target_count == LOAD_TARGETS ||
			    !target_parse(optarg, &l->targets[l->target_count++]))
				die("--url: '%.80s' is not http://HOST:PORT", optarg);
			break;
		case O_GAMES:
			l->games = (int)number("--games", 0, 100000);
			break;
		case O_RATE:
			l->rate = number("--moves-per-second", 0, 1e6);
			break;
		case O_GAME:
			l->game_name = optarg;
			break;
		case O_SECONDS:
			l->seconds = number("--seconds", 0.1, 1e6);
			break;
		case O_WARM_UP:
			l->warm_up = number("--warm-up", 0, 1e6);
			break;
		case O_SOCKETS:
			l->sockets = (int)number("--sockets", 0, 1000000);
			break;
		case O_ANALYSES:
			l->analyses = (int)number("--analyses", 0, 10000);
			break;
		case O_ATTACK:
			l->attack = optarg;
			break;
		case O_ATTACK_RATE:
			l->attack_rate = number("--attack-rate", 0.001, 1e5);
			break;
		case O_ATTACK_TOKEN:
			l->attack_token = optarg;
			break;
		case O_ATTACK_URL:
			if (!target_parse(optarg, &l->attack_target))
				die("--attack-url: '%.80s' is not http://HOST:PORT", optarg);
			break;
		case O_ADDRESSES:
			l->addresses = (int)number("--addresses", 0, 60000);
			break;
		case O_RECONNECT:
			l->reconnect = true;
			break;
		case O_LOG:
			l->log_name = optarg;
			break;
		case O_VERIFY:
			l->verify_name = optarg;
			break;
		case O_PROBE:
			l->probe = optarg;
			break;
		case O_PID:
			l->pid = (long)number("--pid", 1, 1e9);
			break;
		case O_JSON:
			l->json = true;
			break;
		default:
			fprintf(stderr, usage, attack_names);
			exit(2);
		}
	if (optind < argc)
		die("'%.40s': an option was expected", argv[optind]);
	if (!l->target_count)
		target_parse("http://127.0.0.1:8080", &l->targets[l->target_count++]);
	if (!*l->attack_target.host)
		l->attack_target = l->targets[0];
}
