/*
 * match.h - the referee from outside: what is to be played, how it went, and the run itself.
 * SPDX-License-Identifier: MIT
 *
 * A struct match_plan says all that decides which games are played, so that any of them can be
 * played at any time, in any thread, in any process: plan_seating (plan.c) gives game n from the
 * plan alone. match_run (referee.c) plays them; match_totals are what the games came to.
 *
 * docs/match.md has the words for users.
 */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "base/text.h"
#include "match/statistics.h"

struct engine_log;

enum {
	MATCH_MAX_PLAYERS = 32,
	MATCH_MAX_GAMES = 1000000,
	MATCH_MAX_JOBS = 256,
	MATCH_MAX_NAME = 40,
	MATCH_MAX_PLIES = 1000000,
	MATCH_REASON = 400,        /* bytes of a reason */
	MATCH_DEPTHS = 128,        /* of searches; deeper ones count as the last */
	MATCH_MARGIN_MS = 50,      /* a flag falls only so long after the time is used up */
};

/* ---- The plan ---- */

struct match_player {
	const char *name, *spec;
};

/* A position and moves from it. */
struct match_opening {
	const char *position;      /* the game's text, or "start" */
	const char *moves;         /* separated by commas; "" is none */
};

enum match_clock_kind { CLOCK_NONE, CLOCK_MOVE, CLOCK_GAME };

struct match_clock {
	enum match_clock_kind kind;
	int64_t base_ms;           /* for each move, or for the whole game */
	int64_t added_ms;          /* after each move (CLOCK_GAME) */
};

/* Ends games by what both players say. 0 moves: not so. */
struct match_adjudication {
	int32_t resign_score;      /* one is so far behind or farther, the other ahead, */
	int resign_moves;          /* for so many moves of each, one after the other */
	int32_t draw_score;        /* both see no more than this for either side, */
	int draw_moves;            /* for so many moves of each, */
	int draw_plies;            /* once so many plies have been played */
	const char *tables;        /* a folder; what tables know is over; NULL: none */
};

/*
 * Plain data; what it points to is borrowed. { .rules, .players, .player_count, .games } and zeros
 * is a valid one; plan_check says whether any is.
 */
struct match_plan {
	struct qv_rules rules;
	const struct match_player *players;
	int player_count;
	int64_t games;             /* single ones */
	uint64_t seed;
	bool gauntlet;             /* the first player against each of the others */
	int near;                  /* only players so many places apart meet, or fewer; 0: all */
	bool pairs;                /* statistics by pairs of games (two seats) */
	const struct match_opening *openings;   /* NULL: the start position */
	int opening_count;
	int random_plies;          /* played by chance after the opening, the same in a round */
	struct match_clock clock;
	int max_plies;             /* then it is a draw; 0: no such bound */
	struct match_adjudication adjudication;
	int threads, hash_mb;      /* for what a spec leaves open; 0: one thread, no table */
	/* Whether to stop early (sprt.h); NULL: no. Kept in the journal as this text. */
	const char *sprt;
};

enum qv_status plan_check(const struct match_plan *plan, struct qv_error *error);

/*
 * Game `number` (from 0) of a plan. Games come in rounds of as many as there are seats: the same
 * opening and the same dice, the players one seat further each time. With two seats a round is a
 * pair.
 */
struct match_seating {
	int64_t number, round;
	int player[QV_MAX_SEATS];              /* who sits there */
	uint64_t seed[QV_MAX_SEATS];           /* of the player there */
	int opening;                           /* of the plan; -1: the start position */
	uint64_t opening_key;                  /* of the random plies */
	uint64_t chance_key[QV_MAX_SEATS];     /* the k-th throw of a seat is number k of its key */
};
void plan_seating(const struct match_plan *plan, int64_t number, struct match_seating *out);
/* How many different sets of players meet; each has a round before the first has its second. */
int64_t plan_lineups(const struct match_plan *plan);

/* ---- One game ---- */

/* How a game ended. Words for each are in the journal. */
#define MATCH_END_LIST(X)                                                             \
	X(END_RULES, "rules")              /* by the rules, repetition included */     \
	X(END_MAX_PLIES, "max-plies")                                                 \
	X(END_ADJUDICATED, "adjudicated")                                             \
	X(END_CRASH, "crash")              /* from here on somebody is at fault */     \
	X(END_TIMEOUT, "timeout")                                                     \
	X(END_ILLEGAL, "illegal")
#define X(id, text) id,
enum match_end { MATCH_END_LIST(X) MATCH_END_COUNT };
#undef X
const char *match_end_text(enum match_end end);

/* What a player did in a seat. */
struct match_work {
	uint64_t moves, nodes;
	/* What whole iterations of a search did, and those that a limit cut short. */
	uint64_t evals, considered, evals_discarded, discarded;
	uint32_t depths[MATCH_DEPTHS];         /* moves by the depth of the last whole iteration */
	double seconds;
};

struct match_game {
	int64_t number;
	enum match_end end;
	int at_fault;              /* the seat; -1: nobody */
	int winner;                /* the seat; -1: nobody */
	bool early;                /* won by the rules with places left on the board */
	int starter;               /* the seat that made the first move of its own; -1: none did */
	int plies;                 /* those of the opening and of chance count */
	int32_t points[QV_MAX_SEATS];
	struct match_work work[QV_MAX_SEATS];
	struct string record;      /* docs/formats.md; its seats are the players' names */
	size_t told;               /* bytes of it that are in the journal already */
};
void match_game_release(struct match_game *game);
/* Why it ended, as its record says, printable; "" if the rules ended it. */
struct match_reason {
	char text[MATCH_REASON];
};
struct match_reason match_game_reason(const struct match_game *game);
/* What the seat got, 0 to 1: a half for a draw; of more seats, the part of the others it beat. */
double match_game_share(const struct match_game *game, int seats, int seat);
/* Whether the game fills its board, so that it can be won before that is full. */
bool match_fills(const struct qv_game *game);

/* ---- Totals ---- */

struct match_total {
	int64_t games, wins, draws, losses;    /* a win is the most points alone, a draw shared */
	double shares;                         /* the sum of match_game_share */
	int64_t crashes, timeouts, illegal;
	int64_t started, starting_wins;        /* games in which it made the first move */
	int64_t seat_games[QV_MAX_SEATS], seat_wins[QV_MAX_SEATS];
	int64_t early_wins;                    /* match_fills says whether there can be any */
	int64_t scored, scores;                /* games ended by the rules, and their points */
	uint64_t moves, nodes, evals, considered, evals_discarded, discarded, depths[MATCH_DEPTHS];
	double seconds;
};

struct match_totals {
	const struct qv_allocator *allocator;
	int players;
	int64_t games, plies, ends[MATCH_END_COUNT];
	bool has_scores;                       /* points were not just won and lost */
	struct match_total *total;             /* one for each player */
	/*
	 * [a * players + b]: as a sees it, a against b. Of more than two seats each game counts for
	 * every two different players in it; pairs are for two seats.
	 */
	struct tally *meetings;
	struct pair_tally *pairs;
	int half_pair;                         /* what the first game of a pair gave to seat 1 */
};
enum qv_status totals_init(struct match_totals *t, const struct qv_allocator *a, int players);
void totals_release(struct match_totals *t);
/* Games must come in the order of their numbers. */
void totals_add(struct match_totals *t, const struct match_plan *plan,
		const struct match_game *game);

/* ---- The run ---- */

/* Told of a run, in the thread that called match_run; games in the order of their numbers. */
struct match_listener {
	/* False: enough; the match ends here, whatever was played beyond it. */
	bool (*game)(void *ctx, const struct match_game *game, const struct match_totals *so_far);
	void (*tick)(void *ctx, const struct match_totals *so_far);  /* some ten times a second */
	void *ctx;
};

/*
 * Games may also be played elsewhere, by whoever the referee gives a thread of its own for that. At
 * the desk it takes numbers of games and hands in what came of them.
 */
struct match_desk;
int64_t desk_take(struct match_desk *desk);    /* the next game to be played; -1: no more */
/*
 * A whole game in the words of the journal, of a number that was taken: written down, and counted
 * in its turn, as if it was played here.
 */
enum qv_status desk_hand_in(struct match_desk *desk, int64_t number, const char *text, size_t size,
			    struct qv_error *error);
bool desk_is_closed(const struct match_desk *desk);    /* what is being played is not needed */

struct match_branch {
	/* Waits until they can begin there, before anything is played or written. May be NULL. */
	enum qv_status (*ready)(void *ctx, struct qv_error *error);
	/* Comes back when no more is to be played. A failure ends the match, QV_STOPPED too. */
	enum qv_status (*work)(void *ctx, struct match_desk *desk, struct qv_error *error);
	void *ctx;
};

struct match_run {
	int jobs;                  /* games at a time; 0 or 1: one */
	const char *journal;       /* a file; NULL: none */
	bool resume;               /* go on with the journal, if it is there */
	bool no_times;             /* keep no times in records and journal */
	bool opinions;             /* keep in records what players think of their moves, as notes */
	struct engine_log *engine_log;         /* of the dialogue with programs; NULL: none */
	const atomic_bool *stop;   /* set from outside: the match ends soon; may be NULL */
	struct match_listener listener;        /* its functions may be NULL */
	struct match_branch branch;            /* its function may be NULL */
};

/*
 * Plays the match and fills *totals, which the caller releases, whatever is returned. Every program
 * among the players is started once before the first game; one that cannot be started, or does not
 * complete its handshake, is an error, and nothing is written to the journal. QV_STOPPED:
 * run->stop was set; what was finished is in the totals and in the journal. The totals do not
 * depend on jobs if the players are reproducible (docs/match.md).
 */
enum qv_status match_run(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_run *run, struct match_totals *totals,
			 struct qv_error *error);

/* The other end of a branch: where numbers come from and games go to. */
struct match_head {
	int64_t (*take)(void *ctx);            /* -1: no more */
	enum qv_status (*give)(void *ctx, const struct string *game, struct qv_error *error);
	void *ctx;
};
/*
 * Plays one game after the other for somebody else; only stop, no_times, opinions and engine_log of
 * the run matter. Programs are started before the first number is taken.
 */
enum qv_status match_assist(const struct qv_context *context, const struct match_plan *plan,
			    const struct match_run *run, const struct match_head *head,
			    struct qv_error *error);

/* ---- Audit ---- */

struct match_audit {
	int64_t games, checked;    /* in the journal, and looked at */
	int64_t replayed;          /* of those, played again move by move */
	int64_t wrong;
	char first_wrong[200];     /* in words, if there is one */
};
/*
 * Looks at `sample` games of a journal (0: all), chosen by the seed: moves against the rules, the
 * result against the moves, and, where the players are reproducible, the moves against theirs.
 */
enum qv_status match_audit(const struct qv_context *context, const char *path, int64_t sample,
			   uint64_t seed, const atomic_bool *stop, struct match_audit *out,
			   struct qv_error *error);

#endif
