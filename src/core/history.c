/*
 * history.c - the people behind the classic opponents, and the help texts about both.
 * SPDX-License-Identifier: MIT
 */
#include "core/history.h"

#include "games/registry.h"

static const struct history_entry entries[] = {
	{ "Leonardo Torres y Quevedo", "1912",
	  "El Ajedrecista, an automaton that mates with king and rook",
	  "The project bears his name, and one of its chess players follows the automaton's rules." },
	{ "Claude Shannon", "1950", "Programming a Computer for Playing Chess",
	  "The origin of computer chess: evaluation and minimax search of two-player games." },
	{ "Alan Turing", "1953", "Digital Computers Applied to Games",
	  "Captures are searched until the position is quiet." },
	{ "Arthur Samuel", "1959", "Some Studies in Machine Learning Using the Game of Checkers",
	  "The exchange term, programs that improve by playing, and one of the draughts "
	  "evaluations." },
	{ "Donald Michie", "1975", "the six rules of the automaton, reconstructed",
	  "The rules of the chess player that follows the automaton." },
	{ "David Levy", "1976", "Chess and Computers",
	  "John White's book acknowledges its debt to him, and takes rules of its chess evaluation "
	  "from him." },
	{ "Alan Segal", "1978", "Checkers, in Basic Computer Games (Creative Computing)",
	  "A draughts evaluation that scores moves. Steve North and Lawrence Neal "
	  "improved the program." },
	{ "W. N. James", "1981", "3-D noughts and crosses, in Practical Computing, January 1981",
	  "A one-ply program for the 4x4x4 cube, on which John White's description rests." },
	{ "John White", "1983", "Writing Strategy Games on Your Atari Computer (Sunshine Books)",
	  "The games Race! and Warp Trog, players that learn from their losses, two draughts "
	  "evaluations, the opening trainer and the search diagrams. He thanks Brendon Gore, who "
	  "suggested the book, and Norman Lattimer, who read it." },
	{ "Aske Plaat", "1997", "MTD(f): A Minimax Algorithm faster than NegaScout",
	  "The search MTD(f)." },
	{ "Charles R. Dyer and Jim Gast", "1999", "CS 540 Lecture Notes: Game Playing",
	  "Christoph Nahr's source on minimax and alpha-beta, as is The Anatomy of Chess Programs by "
	  "Tony A. Marsland." },
	{ "Christoph Nahr", "1999 to 2016",
	  "Star Chess, and Computer Players in the Star Chess Game",
	  "The game Star Chess and its mask predictor. Martin Leslie Leuschen suggested its way of "
	  "doubling the scores of stronger factions." },
	{ "Michael Patricios", "2006 to 2008", "Lurgee, a Java framework for strategy games",
	  "The Lurgee search, and its levels for connect-four, reversi and nine men's morris." },
	{ "Bart Massey", "2007", "the Internet MiniChess Server (IMCS)",
	  "Quevedo plays on such servers, and can be one." },
	{ "Fabien Letouzey", "2017", "Hub, a protocol for draughts engines",
	  "Quevedo plays against such engines, and can be one." },
	{ "Rudd Johnson", "2017", "Final Minichess Writeup, and the player that it describes",
	  "The student's player of 2017, a minichess opponent." },
};

const struct history_entry *history_at(int i)
{
	return i < 0 || i >= (int)(sizeof entries / sizeof *entries) ? NULL : &entries[i];
}

void history_help(struct string *out)
{
	const struct history_entry *e;
	string_addf(out,
		    "History: the people whose programs and writings Quevedo re-creates or builds "
		    "on. It contains none of their code.\n");
	for (int i = 0; (e = history_at(i)); i++)
		string_addf(out, "\n%s, %s: %s\n  %s\n", e->who, e->when, e->work, e->here);
	string_addf(out, "\n'quevedo help classics' lists the opponents that they made.\n");
}

void classics_help(struct string *out)
{
	string_addf(out, "Classic opponents: historical programs as players, in 'quevedo play GAME "
			 "--seat 2=SPEC' and on the page.\n");
	for (int i = 0; registry_at(i); i++) {
		const struct classic *c = registry_at(i)->classics;
		if (c)
			string_addf(out, "\n%s:\n", registry_at(i)->game->name);
		for (; c && c->spec; c++) {
			string_addf(out, "  %s\n      %s (%s). %s\n", c->spec, c->title, c->by,
				    c->about);
			if (c->position)
				string_addf(out, "      From the position %s\n", c->position);
		}
	}
	string_addf(out, "\n'quevedo help history' tells who made them.\n");
}
