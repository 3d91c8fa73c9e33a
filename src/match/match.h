/*
 * match.h - matches between players: the plan, the games, the totals and the run.
 * SPDX-License-Identifier: MIT
 *
 * A struct match_plan determines which games are played, so that any of them can be played at any
 * time, in any thread, in any process: plan_seating (plan.c) derives game n from the plan alone.
 * match_run (referee.c) plays the games; match_totals are the results.
 *
 * docs/match.md describes matches for users.
 */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "base/text.h"
#include "core/game_clock.h"
#include "match/statistics.h"

struct engine_log;
struct named_opening;

enum {
	MATCH_MAX_PLAYERS = 32,
	MATCH_MAX_GAMES = 1000000,
	MATCH_MAX_JOBS = 256,
	MATCH_MAX_NAME = 40,
	MATCH_MAX_PLIES = 1000000,
	MATCH_MAX_MS = 2000000000, /* of a clock */
	MATCH_REASON = 400,   /* bytes of a reason */
	MATCH_ENGINE = 64,    /* bytes of the name that a program gives itself */
	MATCH_DEPTHS = 128,   /* search depths counted; deeper ones count as the last */
	MATCH_MARGIN_MS = 50, /* a flag falls this long after the time is used up */
};

/* ---- The plan ---- */

/* A player of the plan: its name in results, unique in the plan, and its spec. */
struct match_player {
	const char *name, *spec;
};

/* A position and moves from it. */
struct match_opening {
	const char *position;      /* the game's text, or "start" */
	const char *moves;         /* separated by commas; "" for no moves */
};

/* Ends games early by the scores that both players report, or by endgame tables. */
struct match_adjudication {
	int32_t resign_score;      /* both agree that one side is behind by this much, ... */
	int resign_moves;          /* ... for this many consecutive moves of each; 0: off */
	int32_t draw_score;        /* both scores are at most this far from 0, ... */
	int draw_moves;            /* ... for this many consecutive moves of each; 0: off */
	int draw_plies;            /* ... after this many plies of the game */
	const char *tables;        /* folder of endgame tables that decide games; NULL: off */
};

/*
 * Plain data; all pointers are borrowed. Only .rules, .players, .player_count and .games are
 * required, the rest may be zero. plan_check checks it.
 */
struct match_plan {
	struct qv_rules rules;
	const struct match_player *players;
	int player_count;
	int64_t games;             /* single games: a pair is two */
	uint64_t seed;
	bool gauntlet;             /* the first player against each of the others */
	int near; /* only players at most this far apart in the list meet; 0: all */
	bool pairs;                /* statistics by pairs of games (two seats) */
	bool keep_seats;	   /* nobody changes seats; every game is a round of its own */
	const struct match_opening *openings;   /* NULL: the start position */
	int opening_count;
	int random_plies;          /* random moves after the opening, the same within a round */
	struct time_control
		clock; /* base_ms, added_ms and period_moves, or move_ms; all 0: no clock */
	int max_plies; /* a longer game is a draw; 0: GAME_MAX_PLIES */
	struct match_adjudication adjudication;
	int threads, hash_mb;      /* defaults for specs; 0: one thread, no transposition table */
	const char
		*plugins; /* hashes of the plug-ins that are loaded, for the journal; NULL: none */
	/* When to stop early, as sprt_parse reads it; NULL: never. Stored in the journal. */
	const char *sprt;
};

/* Adds the hashes of the plug-ins that are loaded, for `plugins` of a plan; nothing if none is. */
enum qv_status match_plugins(const struct qv_context *context, struct string *out,
			     struct qv_error *error);

/* Fails if a value is out of range or does not suit the game. Player specs are not checked. */
enum qv_status plan_check(const struct match_plan *plan, struct qv_error *error);

/*
 * Who plays game `number` (from 0) of a plan, and how. A round has as many games as the game has
 * seats: with the same opening and the same dice, and the players one seat further each time. With
 * two seats a round is a pair.
 */
struct match_seating {
	int64_t number, round;
	int player[QV_MAX_SEATS];              /* the plan's player in each seat */
	uint64_t seed[QV_MAX_SEATS];           /* the random seed of that player */
	int opening;                           /* of the plan; -1: the start position */
	uint64_t opening_key;                  /* random key of the random plies */
	uint64_t chance_key[QV_MAX_SEATS];     /* roll k of a seat is random number k of its key */
};
void plan_seating(const struct match_plan *plan, int64_t number, struct match_seating *out);
/* How many different sets of players meet; each plays a round before the first plays its second. */
int64_t plan_lineups(const struct match_plan *plan);

/* ---- One game ---- */

/* How a game ended. Words for each are in the journal. */
#define MATCH_END_LIST(X)                                                             \
	X(END_RULES, "rules")              /* by the rules, repetition included */     \
	X(END_MAX_PLIES, "max-plies")                                                 \
	X(END_ADJUDICATED, "adjudicated")                                             \
	X(END_CRASH, "crash")              /* from here on a player is at fault */     \
	X(END_TIMEOUT, "timeout")                                                     \
	X(END_ILLEGAL, "illegal")
#define X(id, text) id,
enum match_end { MATCH_END_LIST(X) MATCH_END_COUNT };
#undef X
/* The word for it; static. */
const char *match_end_text(enum match_end end);

/* The search statistics of a seat. */
struct match_work {
	uint64_t moves, nodes;
	/* Of completed iterations, and of those that a limit cut short. */
	uint64_t evals, considered, evals_discarded, discarded;
	uint32_t depths[MATCH_DEPTHS];         /* moves by the depth of the last whole iteration */
	double seconds;
};

/* A finished game: the result, the statistics and the record. */
struct match_game {
	int64_t number;
	enum match_end end;
	int at_fault;              /* the seat; -1: nobody */
	int winner;                /* the seat; -1: nobody */
	bool early;                /* won by the rules before the board was full */
	int starter;               /* the seat that made the first move by a player; -1: nobody */
	int plies;                 /* including the opening and dice rolls */
	int32_t points[QV_MAX_SEATS];
	/* In games with chance: what the rolls brought each seat, in points (quevedo/luck.h). */
	bool has_luck; /* false also for games of journals that do not have it */
	double luck[QV_MAX_SEATS];
	struct match_work work[QV_MAX_SEATS];
	struct string record;      /* docs/formats.md; its seats are the players' names */
	size_t reported;	   /* bytes of the record that the journal already has */
	char engine[QV_MAX_SEATS][MATCH_ENGINE]; /* how programs call themselves; "": none */
	int64_t started; /* seconds since 1970; 0: not known, or times are left out */
	/* Its opening, for PGN: set by the caller of match_pgn (details.h); NULL: no name. */
	const struct named_opening *opening;
};
/* Frees the record. */
void match_game_release(struct match_game *game);
/* The offset of the last line of a record, which is its result. */
size_t match_result_line(const struct string *record);
/* Why it ended, from its record, printable; "" if the rules ended it. */
struct match_reason {
	char text[MATCH_REASON];
};
struct match_reason match_game_reason(const struct match_game *game);
/*
 * The score of a seat, 0 to 1: one half for a draw; with more seats, the part of the others beaten.
 */
double match_game_share(const struct match_game *game, int seats, int seat);
/* The margin of points of seat 0 in a game of two seats, as equity counts it. */
double match_game_margin(const struct match_game *game, const struct qv_game *rules);
/* Does the game fill its board, so that early wins can be counted? */
bool match_fills(const struct qv_game *game);

/* ---- Totals ---- */

/* The sums over all games of a player. */
struct match_total {
	int64_t games, wins, draws, losses;    /* a win: the most points alone; a draw: shared */
	double shares;                         /* the sum of match_game_share */
	int64_t crashes, timeouts, illegal;
	int64_t started, starting_wins;        /* games in which it made the first move */
	int64_t seat_games[QV_MAX_SEATS], seat_wins[QV_MAX_SEATS];
	int64_t early_wins;                    /* match_fills says whether there can be any */
	int64_t scored, scores;                /* games ended by the rules, and their points */
	uint64_t moves, nodes, evals, considered, evals_discarded, discarded, depths[MATCH_DEPTHS];
	double seconds;
	struct luck_tally luck; /* of whole rounds; see totals_luck */
};

/* The results of a match so far. {0} is valid and empty. */
struct match_totals {
	const struct qv_allocator *allocator;
	int players;
	int64_t games, plies, ends[MATCH_END_COUNT];
	bool has_scores;                       /* some points were other than -1, 0 and 1 */
	struct match_total *total;             /* one for each player */
	/*
	 * [a * players + b]: a's results against b. With more than two seats each game counts for
	 * every two different players in it; pairs are for two seats only.
	 */
	struct tally *meetings;
	struct pair_tally *pairs;
	int half_pair; /* half points of seat 1 in the first game of a pair */
	/* The round being counted for struct luck_tally: its two players and the sums of the first. */
	struct {
		int64_t number;
		int games, players[2];
		double result, luck;
	} luck_round;
	int64_t without_luck; /* games of two seats and chance whose luck is not known */
};
/* For this many players. QV_NO_MEMORY: there is nothing to release. */
enum qv_status totals_init(struct match_totals *t, const struct qv_allocator *a, int players);
void totals_release(struct match_totals *t);
/* Counts a game. Games must come in the order of their numbers. */
void totals_add(struct match_totals *t, const struct match_plan *plan,
		const struct match_game *game);

struct sprt;
/*
 * The sequential test (sprt.h) of players 0 and 1. With pairs it is one of pairs, whose results vary
 * less than those of single games.
 */
struct sprt_state totals_sprt(const struct match_totals *t, bool pairs, const struct sprt *sprt);

/*
 * The results of a player with and without luck. False: the game has no chance or not two seats, or
 * the luck of a game is not known.
 */
bool totals_luck(const struct match_totals *t, const struct match_plan *plan, int player,
		 struct luck_figures *out);

/* ---- The run ---- */

/* Callbacks of a run, in the thread that called match_run; games in the order of their numbers. */
struct match_listener {
	/* Return false to end the match here, even if later games have been played. */
	bool (*game)(void *ctx, const struct match_game *game, const struct match_totals *so_far);
	void (*tick)(void *ctx, const struct match_totals *so_far);  /* about ten times a second */
	void *ctx;
};

/*
 * Games may also be played elsewhere, for example by other processes over MPI. The referee gives a
 * branch a thread of its own; at the desk the branch takes numbers of games and submits the games.
 */
struct match_desk;
/* The next game to play; -1: there are no more. From any thread, as the functions below. */
int64_t desk_take(struct match_desk *desk);
/* Submits a game that was taken, as lines of the journal. It counts as if it was played here. */
enum qv_status desk_hand_in(struct match_desk *desk, int64_t number, const char *text, size_t size,
			    struct qv_error *error);
/* Whether the match is over, so that games still being played are not needed. */
bool desk_is_closed(const struct match_desk *desk);

/* Where games are played besides the worker threads. */
struct match_branch {
	/* Waits until the branch can begin, before anything is played or written. May be NULL. */
	enum qv_status (*ready)(void *ctx, struct qv_error *error);
	/* Returns when no games are left. Any failure, QV_STOPPED included, ends the match. */
	enum qv_status (*work)(void *ctx, struct match_desk *desk, struct qv_error *error);
	void *ctx;
};

/* How a match is run, apart from what is played. Plain data; pointers are borrowed. */
struct match_run {
	int jobs;                  /* games at a time; 0 means 1 */
	const char *journal;       /* a file; NULL: no journal */
	bool resume;               /* continue the journal if it exists */
	bool no_times;             /* leave times out of records and journal */
	bool opinions;             /* add the players' scores and depths to records, as notes */
	struct engine_log *engine_log;         /* log of the dialogue with programs; NULL: none */
	const char *log_folder;	   /* the same, with a file for each program and game; NULL: none */
	int log_rank;		   /* of this process among those that write to the folder */
	const struct qv_flag *stop; /* set by the caller to end the match soon; may be NULL */
	struct match_listener listener;        /* its functions may be NULL */
	/* Called before the first game with what a program does not accept; may be NULL. */
	void (*warning)(void *listener_ctx, int player, const char *words);
	struct match_branch branch;            /* its functions may be NULL */
};

/*
 * Plays the match and fills *totals, which the caller releases whatever is returned. Every program
 * among the players is started once before the first game; if one cannot be started or does not
 * complete its handshake, the run fails and writes nothing to the journal. QV_STOPPED: run->stop
 * was set; finished games are in the totals and in the journal. The totals do not depend on jobs if
 * the players are reproducible (docs/match.md).
 */
enum qv_status match_run(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_run *run, struct match_totals *totals,
			 struct qv_error *error);

/* The other end of a branch: gives out numbers of games and receives the games. */
struct match_head {
	int64_t (*take)(void *ctx);            /* -1: no more */
	enum qv_status (*give)(void *ctx, const struct string *game, struct qv_error *error);
	void *ctx;
};
/*
 * Plays games for a match that is counted elsewhere, one after the other. Uses only stop, no_times,
 * opinions and the logs of the run. Programs are started before the first number is taken.
 */
enum qv_status match_assist(const struct qv_context *context, const struct match_plan *plan,
			    const struct match_run *run, const struct match_head *head,
			    struct qv_error *error);

/* ---- Audit ---- */

/* What an audit found. */
struct match_audit {
	int64_t games, checked;    /* in the journal, and checked */
	int64_t replayed;          /* of those, played again move by move */
	int64_t wrong;
	char first_wrong[200];     /* describes the first wrong game; "" if none is wrong */
};
/*
 * Checks `sample` games of a journal (0: all), chosen at random from the seed: the moves against
 * the rules, the result against the moves, and, if the players are reproducible, moves and counts
 * against theirs. jobs: games at a time; the result does not depend on it. stop may be NULL.
 */
enum qv_status match_audit(const struct qv_context *context, const char *path, int64_t sample,
			   uint64_t seed, int jobs, const struct qv_flag *stop,
			   struct match_audit *out, struct qv_error *error);

/* ---- PGN ---- */

enum { MATCH_CLOCK_TEXT = 200 };
/* A time control as PGN has it: "1/5", "10+0.1", "40/120:20/60:30+1"; "-": none. */
void match_clock_text(const struct time_control *clock, char out[MATCH_CLOCK_TEXT]);
/* Adds the game to *out as PGN with the tags of a match; no_times: also without a date. */
enum qv_status match_pgn(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_game *game, bool no_times, struct string *out,
			 struct qv_error *error);

#endif
