/*
 * twin.h - the rules of a game a second time: slow and literal, text in and text out.
 * SPDX-License-Identifier: MIT
 *
 * A twin is written straight from the rules and shares no header, table or trick with src/games.
 * Positions and moves are texts as people type them; tests/unit/twins.c compares the two at random
 * play.
 */
#ifndef TWIN_H
#define TWIN_H

#include <stdbool.h>
#include <stddef.h>

struct twin {
	const char *game;
	void (*start)(char *position, size_t size);
	/* Move texts; 0 when over, unless a counter ended it. */
	int (*moves)(const char *position, char list[][16], int max);
	bool (*play)(char *position, size_t size, const char *move);       /* false: not legal */
	bool (*over)(const char *position, int points[2]);
};

extern const struct twin twin_race;
extern const struct twin twin_warptrog, twin_warptrog_1983;
extern const struct twin twin_noughts, twin_connect4, twin_reversi;
extern const struct twin twin_hexapawn, twin_hexapawn_draw, twin_noughts3d;
extern const struct twin twin_diagram;
extern const struct twin twin_morris;
extern const struct twin twin_minichess;
extern const struct twin twin_chess, twin_chess960;
extern const struct twin twin_gomoku, twin_gomoku_exact, twin_gomoku_renju, twin_gomoku_swap2;

/* Renju: whether Black may not play on an empty point. Rows count from the bottom. */
struct twin_gomoku_board {
	int size;
	char at[20][20]; /* 'x' black, 'o' white, '.' empty */
};
bool twin_gomoku_is_forbidden(const struct twin_gomoku_board *board, int row, int column);
/*
 * The fewest moves in which the colour to move wins by fours, at most `most`: breadth first, move by
 * move. 0: it does not; -1: there are more than TWIN_GOMOKU_BOARDS boards after as many moves. The
 * rule is 0 freestyle, 1 exact, 2 renju.
 */
enum { TWIN_GOMOKU_BOARDS = 4000 };
int twin_gomoku_fours(const struct twin_gomoku_board *board, int rule, char colour, int most);
int twin_gomoku_vcf(const char *position, int rule, int most);
void twin_gomoku_text(const struct twin_gomoku_board *board, char side, char *text, size_t size);

/*
 * Backgammon: a turn is free in its order and its text is long, so the twin lists the positions
 * after each roll or turn instead, each once. 0 when over.
 */
enum { TWIN_BACKGAMMON_TEXT = 224 };
int twin_backgammon_next(const char *position, char list[][TWIN_BACKGAMMON_TEXT], int max);
bool twin_backgammon_over(const char *position, int points[2]);

/* The same with the cube and matches. The rules are as the options, but `cube` is true in a match. */
struct twin_backgammon {
	int match;
	bool cube, jacoby, beavers, crawford;
};
void twin_backgammon_start_by(const struct twin_backgammon *rules, char *position);
int twin_backgammon_next_by(const struct twin_backgammon *rules, const char *position,
			    char list[][TWIN_BACKGAMMON_TEXT], int max);
bool twin_backgammon_over_by(const struct twin_backgammon *rules, const char *position,
			     int points[2]);

/* Draughts: the texts of jumps are long. */
enum { TWIN_DRAUGHTS_TEXT = 40, TWIN_DRAUGHTS_MOVES = 256 };
void twin_draughts_start(char *position);
int twin_draughts_moves(const char *position, char list[][TWIN_DRAUGHTS_TEXT]);
bool twin_draughts_play(char *position, const char *move); /* false: not legal */
bool twin_draughts_over(const char *position, int points[2]);

#endif
