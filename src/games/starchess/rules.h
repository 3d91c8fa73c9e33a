/*
 * rules.h - Star Chess: the game of four factions in which one turn is many commands.
 * SPDX-License-Identifier: MIT
 *
 * Sectors are numbered A1 A2 A3 A4 B1 ... D4: column * 4 + row. What a faction owns is in struct
 * sc_galaxy (galaxy.h); here are the commands, and what is only known within a turn.
 *
 *  Move:  63 .. 21   20 .. 18   17 .. 14   13 .. 10   9 .. 0
 *             0       command     from         to      count
 */
#ifndef STARCHESS_RULES_H
#define STARCHESS_RULES_H

#include "games/starchess/galaxy.h"

enum {
	/* Moves to neighbours; three commands per sector; end. */
	SC_MAX_MOVES = 84 + 3 * SC_SECTORS + 1,
	SC_MAX_LIMIT = 9999,
	SC_COUNT_BITS = 10,
	SC_COUNT_MASK = (1 << SC_COUNT_BITS) - 1,
	SC_TO_SHIFT = SC_COUNT_BITS,
	SC_FROM_SHIFT = SC_TO_SHIFT + 4,
	SC_KIND_SHIFT = SC_FROM_SHIFT + 4,
};

enum { SC_OPTION_GALAXY, SC_OPTION_LIMIT, SC_OPTION_HOME, SC_OPTION_SEED };
enum { SC_MIXED, SC_BARREN, SC_TERRAN }; /* galaxies */

/* Kinds of commands. A turn is any number of them, and SC_END. */
enum sc_command {
	SC_END,
	SC_MOVE,
	SC_BUILD,
	SC_COLONIZE,
	SC_TERRAFORM_PLANET,
	SC_SCRAP,
	SC_COMMANDS
};

/* A position of the game, between two commands of the faction `seat`. */
struct starchess {
	struct sc_galaxy g;
	uint16_t worked[SC_SECTORS]; /* colonists who have worked this turn */
	uint16_t active[SC_SECTORS]; /* ships that can still move or colonize */
	uint16_t turn, limit, seat;  /* a turn past the limit: a draw */
	uint16_t zero;
};
_Static_assert(sizeof(struct starchess) == 116 + 64 + 8, "no padding");

/* The home sectors A1, A4, D4 and D1: clockwise by faction. */
static const uint8_t sc_homes[SC_FACTIONS] = { 0, 3, 15, 12 };

/* The order of the sectors for each faction: from its home to the opposite one, in a snake. */
static const uint8_t sc_orders[SC_FACTIONS][SC_SECTORS] = {
	{ 0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15 },
	{ 3, 7, 2, 1, 6, 11, 15, 10, 5, 0, 4, 9, 14, 13, 8, 12 },
	{ 15, 14, 11, 7, 10, 13, 12, 9, 6, 3, 2, 5, 8, 4, 1, 0 },
	{ 12, 8, 13, 14, 9, 4, 0, 5, 10, 15, 11, 6, 1, 2, 7, 3 },
};

/* The sectors of a set and all their neighbours. */
static inline unsigned sc_near(unsigned set)
{
	const unsigned columns = set | (set & 0x7777) << 1 | (set & 0xeeee) >> 1;
	return (columns | columns << 4 | columns >> 4) & 0xffff;
}

/*
 * The start position. The seed chooses the planets of a mixed galaxy: each sector draws from its
 * own random number, so a sector's planet does not depend on the others.
 */
static inline void starchess_start(struct starchess *s, const int64_t *options)
{
	const struct qv_random key = { qv_random_key((uint64_t)options[SC_OPTION_SEED], 0), 0 };
	struct starchess new = { .turn = 1, .limit = (uint16_t)options[SC_OPTION_LIMIT] };
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const bool terran = options[SC_OPTION_GALAXY] == SC_TERRAN ||
				    (options[SC_OPTION_GALAXY] == SC_MIXED &&
				     qv_random_below_at(key.key, i, 2));
		new.g.terran |= (uint16_t)(terran << i);
	}
	for (int f = 0; f < SC_FACTIONS; f++) {
		const unsigned home = sc_homes[f];
		new.g.terran |= (uint16_t)(1U << home);
		new.g.colonies[f] = new.g.fleets[f] = (uint16_t)(1U << home);
		new.g.population[home] = (uint16_t)options[SC_OPTION_HOME];
		new.g.ships[home] = new.active[home] = SC_SETTLERS;
	}
	*s = new;
}

static inline int starchess_seat(const struct starchess *s)
{
	return s->seat;
}

/* ---- Commands ---- */

/* A command as a move, and its parts. Parts that a command does not have are 0. */
static inline qv_move sc_command(enum sc_command kind, unsigned from, unsigned to, int count)
{
	return (qv_move)kind << SC_KIND_SHIFT | (qv_move)from << SC_FROM_SHIFT |
	       (qv_move)to << SC_TO_SHIFT | (qv_move)count;
}

static inline enum sc_command sc_kind(qv_move move)
{
	return (enum sc_command)(move >> SC_KIND_SHIFT & 7);
}

static inline unsigned sc_from(qv_move move)
{
	return (unsigned)(move >> SC_FROM_SHIFT & 15);
}

static inline unsigned sc_to(qv_move move)
{
	return (unsigned)(move >> SC_TO_SHIFT & 15);
}

static inline int sc_number(qv_move move)
{
	return (int)(move & SC_COUNT_MASK);
}

/* Colonists who can still build. */
static inline int sc_idle(const struct starchess *s, unsigned sector)
{
	const int idle = s->g.population[sector] - s->worked[sector];
	return idle > 0 ? idle : 0;
}

/* The most ships that an own colony can build, and that can move from one sector to another. */
static inline int sc_most_built(const struct starchess *s, unsigned sector)
{
	return sc_can_build(&s->g, s->seat, sector, s->worked[sector]);
}

static inline int sc_most_moved(const struct starchess *s, unsigned from, unsigned to)
{
	return sc_least(s->active[from], sc_room(&s->g, s->seat, to));
}

/* The largest number that a counted command may have here. */
static inline int starchess_max_count(const struct starchess *s, qv_move move)
{
	const enum sc_command kind = sc_kind(move);
	return kind == SC_MOVE	  ? sc_most_moved(s, sc_from(move), sc_to(move))
	       : kind == SC_BUILD ? sc_most_built(s, sc_from(move))
	       : kind == SC_SCRAP ? s->g.ships[sc_from(move)]
				  : 1;
}

/* Whether a command carries a number of ships. */
static inline bool sc_is_counted(qv_move move)
{
	const enum sc_command kind = sc_kind(move);
	return kind == SC_MOVE || kind == SC_BUILD || kind == SC_SCRAP;
}

/* The template has no state to pass; the number is in the move itself. */
static inline qv_move starchess_with_count(const struct starchess *s, qv_move move, int count)
{
	(void)s;
	return sc_is_counted(move) ? (move & ~(qv_move)SC_COUNT_MASK) | (qv_move)count : move;
}

/* Lists every legal command, counted ones once with their largest number. */
static inline int starchess_moves(const struct starchess *s, qv_move *list)
{
	const struct sc_galaxy *g = &s->g;
	const int me = s->seat;
	const unsigned reach = sc_near(g->colonies[me]);
	int n = 0;
	SC_EACH(from, g->fleets[me])
		SC_EACH(to, sc_near(1U << from) & ~(1U << from) & reach)
			if (sc_most_moved(s, from, to) > 0)
				list[n++] =
					sc_command(SC_MOVE, from, to, sc_most_moved(s, from, to));
	SC_EACH(colony, g->colonies[me])
		if (sc_most_built(s, colony) > 0)
			list[n++] = sc_command(SC_BUILD, colony, 0, sc_most_built(s, colony));
	SC_EACH(planet, g->fleets[me] & ~sc_all_colonies(g))
		if (s->active[planet] >= SC_SETTLERS)
			list[n++] = sc_command(SC_COLONIZE, planet, 0, 0);
	if (g->materials[me] >= SC_TERRAFORM)
		SC_EACH(barren, g->colonies[me] & ~(unsigned)g->terran)
			list[n++] = sc_command(SC_TERRAFORM_PLANET, barren, 0, 0);
	SC_EACH(fleet, g->fleets[me])
		list[n++] = sc_command(SC_SCRAP, fleet, 0, g->ships[fleet]);
	list[n++] = sc_command(SC_END, 0, 0, 0);
	return n;
}

/* After combat or at the end of a turn: no fleet has more active ships than ships. */
static inline void sc_trim_active(struct starchess *s, unsigned sector)
{
	s->active[sector] = (uint16_t)sc_least(s->active[sector], s->g.ships[sector]);
}

/* Newly built or moved ships enter a sector, inactive. */
static inline void sc_bring(struct starchess *s, unsigned sector, int count)
{
	const bool own = s->g.fleets[s->seat] >> sector & 1;
	sc_arrive(&s->g, s->seat, sector, count);
	if (!own && s->g.fleets[s->seat] >> sector & 1)
		s->active[sector] = 0; /* it was an enemy's */
	sc_trim_active(s, sector);
}

/*
 * Ends the turn (sc_end_turn), makes ships and workers ready again, and passes the turn to the next
 * faction that is not defeated.
 */
static inline void sc_play_end(struct starchess *s)
{
	const int me = s->seat;
	sc_end_turn(&s->g, me, sc_near(s->g.colonies[me]), sc_homes, sc_orders[me]);
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		if (s->g.fleets[me] >> i & 1)
			s->active[i] = s->g.ships[i];
		sc_trim_active(s, i);
		const int worked = s->g.colonies[me] >> i & 1 ? 0 : s->worked[i];
		s->worked[i] = (uint16_t)sc_least(worked, s->g.population[i]);
	}
	if (sc_is_won(&s->g))
		return;
	do {
		s->seat = (uint16_t)((s->seat + 1) % SC_FACTIONS);
		s->turn = (uint16_t)(s->turn + (s->seat == 0));
	} while (s->g.defeated >> s->seat & 1);
}

/* Plays a legal command. */
static inline void starchess_play(struct starchess *s, qv_move move)
{
	struct sc_galaxy *g = &s->g;
	const int me = s->seat, count = sc_number(move);
	const unsigned from = sc_from(move), to = sc_to(move);
	switch (sc_kind(move)) {
	case SC_MOVE:
		sc_leave(g, me, from, count);
		s->active[from] = (uint16_t)(s->active[from] - count);
		sc_bring(s, to, count);
		break;
	case SC_BUILD:
		g->materials[me] -= SC_SHIP_MATERIALS * count;
		g->credits[me] -= SC_SHIP_CREDITS * count;
		s->worked[from] = (uint16_t)(s->worked[from] + SC_SHIP_WORKERS * count);
		sc_bring(s, from, count);
		break;
	case SC_COLONIZE:
		sc_leave(g, me, from, SC_SETTLERS);
		s->active[from] = (uint16_t)(s->active[from] - SC_SETTLERS);
		g->population[from] = SC_SETTLERS;
		g->colonies[me] |= (uint16_t)(1U << from);
		break;
	case SC_TERRAFORM_PLANET:
		g->materials[me] -= SC_TERRAFORM;
		g->terran |= (uint16_t)(1U << from);
		break;
	case SC_SCRAP: /* those that cannot move go first */
		sc_leave(g, me, from, count);
		sc_trim_active(s, from);
		break;
	default:
		sc_play_end(s);
	}
}

/* A draw by the limit gives nobody a point. */
static inline enum qv_outcome starchess_result(const struct starchess *s, int32_t *points)
{
	const bool won = sc_is_won(&s->g);
	if (!won && s->turn <= s->limit)
		return QV_GOING;
	for (int f = 0; f < SC_FACTIONS; f++)
		points[f] = won && !(s->g.defeated >> f & 1);
	return QV_ENDED;
}

/* There is no padding, so equal positions have equal bytes. */
static inline uint64_t starchess_hash(const struct starchess *s)
{
	return qv_hash_bytes(s, sizeof *s);
}

/* The score of the faction to move. */
static inline int32_t starchess_evaluate(const struct starchess *s, const void *weights)
{
	int32_t scores[SC_FACTIONS];
	(void)weights;
	sc_scores(&s->g, scores);
	return scores[s->seat];
}

/* Move ordering: what builds an empire comes first; scrapping comes last. */
static inline int32_t starchess_rank(const struct starchess *s, qv_move move)
{
	static const int8_t ranks[SC_COMMANDS] = {
		[SC_MOVE] = 1,	   [SC_BUILD] = 3, [SC_COLONIZE] = 4, [SC_TERRAFORM_PLANET] = 2,
		[SC_SCRAP] = -1,
	};
	(void)s;
	return ranks[sc_kind(move)];
}

/* The name of a sector, `A1` to `D4`. */
struct sc_name {
	char text[3];
};

static inline struct sc_name sc_name_of(unsigned sector)
{
	return (struct sc_name){ { (char)('A' + sector / 4), (char)('1' + sector % 4), '\0' } };
}

/* text.c: appends formatted text, at most 159 characters. */
void sc_putf(struct qv_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * text.c: slots of struct qv_game and of struct engine. starchess_is_order: whether a word begins a
 * command. starchess_refusal writes why a command is illegal, or nothing if it is legal.
 */
void starchess_move_text(const struct starchess *s, qv_move move, struct qv_text *out);
bool starchess_move_parse(const struct starchess *s, const char *text, qv_move *move);
bool starchess_is_order(const char *word);
void starchess_refusal(const void *state, const char *text, struct qv_text *why);

/* Slots of struct qv_game. The parser leaves *s unchanged if it fails. */
void starchess_position_text(const struct starchess *s, struct qv_text *out);
enum qv_status starchess_position_parse(struct starchess *s, const int64_t *options,
					const char *text, struct qv_error *error);

/*
 * Slots of struct qv_game and struct turn_words. starchess_drawn_owner returns the faction
 * that owns the character at a row and column of the drawing, from 0, or -1.
 */
void starchess_draw(const struct starchess *s, bool unicode, struct qv_text *out);
int starchess_drawn_owner(const void *state, int row, int column);

/*
 * turn_report.c: slots of struct turn_words (search/engine.h), for the state before a turn and its
 * moves, and for the states before and after the other factions' turns.
 */
void starchess_report_turn(const void *before, const qv_move *moves, int count, int viewer,
			   struct qv_text *out);
void starchess_losses(const void *before, const void *now, int seat, struct qv_text *out);

extern const struct qv_board starchess_board; /* board.c */

#endif
