/*
 * net.h - backgammon: neural networks that estimate the chances of a position.
 * SPDX-License-Identifier: MIT
 *
 * There are three nets of the same shape, for three classes of positions: contact, crashed and
 * race. Each has one hidden layer with the activation x / (1 + |x|), and five sigmoid outputs. The
 * inputs are the men of both seats by place and number, and computed features (inputs.c). Most are
 * 0, so the first layer adds the rows of the others.
 *
 * Each sum has a fixed order of additions, so the values are the same bits on every processor.
 */
#ifndef BACKGAMMON_NET_H
#define BACKGAMMON_NET_H

#include "base/embed.h"
#include "games/backgammon/chances.h"

enum backgammon_class {
	BACKGAMMON_CONTACT, /* a man can still be hit, and the next class does not apply */
	/*
	 * A man can still be hit, and a seat has at most six men on the bar and on points 3 to 24.
	 * Its other men are off or have no useful moves left.
	 */
	BACKGAMMON_CRASHED,
	BACKGAMMON_RACE, /* no man can be hit any more */
	BACKGAMMON_CLASSES,
};

/* The features of one seat; `theirs` is the other seat's. See inputs.c. */
enum backgammon_feature {
	BACKGAMMON_F_PIPS,
	BACKGAMMON_F_OUTSIDE, /* men outside the home board */
	BACKGAMMON_F_LOW,     /* men on points 1 and 2 */
	BACKGAMMON_F_SAVE,    /* pips to save the gammon */
	BACKGAMMON_F_LATE,    /* rolls to save the gammon compared with the other seat's to win */
	BACKGAMMON_F_RACE_FEATURES,			/* the rest is 0 in a race */
	BACKGAMMON_F_PASS = BACKGAMMON_F_RACE_FEATURES, /* pips to pass the last man of theirs */
	BACKGAMMON_F_FREE,				/* pips of men that have passed it */
	BACKGAMMON_F_HITS,				/* rolls that hit */
	BACKGAMMON_F_LOSS,     /* pips that theirs lose by hits, on average */
	BACKGAMMON_F_TWO,      /* rolls that hit two blots */
	BACKGAMMON_F_REAR,     /* rolls with which the last man can move by the sum of the dice */
	BACKGAMMON_F_BACK,     /* such rolls of all men above point 12, on average */
	BACKGAMMON_F_MOBILE,   /* such rolls of all men above point 6, in sum */
	BACKGAMMON_F_HOLD,     /* the fewest such rolls of theirs on their points 19 to 25 */
	BACKGAMMON_F_HOLD_FAR, /* ... 13 to 25 */
	BACKGAMMON_F_HOLD_BAR, /* ... from the bar */
	BACKGAMMON_F_SHUT,     /* rolls that do not enter against this home board */
	BACKGAMMON_F_SHUT_OUT, /* the same, if theirs have men on the bar */
	BACKGAMMON_F_PRIME,    /* the longest row of held points */
	BACKGAMMON_F_PRIME5,   /* ... is at least 5 */
	BACKGAMMON_F_PRIME6,   /* ... is at least 6 */
	BACKGAMMON_F_ANCHOR,   /* holds a point of 19 to 24 */
	BACKGAMMON_F_BACKMEN,  /* men on points 19 to 25 */
	BACKGAMMON_F_BACKGAME, /* ... above two */
	BACKGAMMON_F_BLOTS,    /* that can still be hit */
	BACKGAMMON_F_STACK,    /* men above four on a point, squared */
	BACKGAMMON_FEATURES,
};

enum {
	/* A place with 1, 2 or at least 3 men, and half the men above 3. */
	BACKGAMMON_UNITS = 4,
	BACKGAMMON_SIDE_UNITS = BACKGAMMON_BAR * BACKGAMMON_UNITS + BACKGAMMON_MEN,
	BACKGAMMON_SIDE_INPUTS = BACKGAMMON_SIDE_UNITS + BACKGAMMON_FEATURES,
	BACKGAMMON_LEAD = 2 * BACKGAMMON_SIDE_INPUTS, /* the lead in the race */
	BACKGAMMON_INPUTS,
	BACKGAMMON_HIDDEN = 128,
	/* At most 15 occupied places or numbers of men off per seat. */
	BACKGAMMON_ACTIVE = 2 * (2 * BACKGAMMON_MEN + BACKGAMMON_FEATURES) + 2,
};

/* Inputs that are not 0: the units, whose value is 1, then the others. */
struct backgammon_inputs {
	int units, count;
	uint16_t row[BACKGAMMON_ACTIVE];
	float value[BACKGAMMON_ACTIVE];
};

/* Plain data, as in files. */
struct backgammon_net {
	float rows[BACKGAMMON_INPUTS][BACKGAMMON_HIDDEN];
	float bias[BACKGAMMON_HIDDEN];
	float outs[BACKGAMMON_OUTPUTS][BACKGAMMON_HIDDEN];
	float base[8]; /* of the outputs; the last three are 0 */
};

struct backgammon_nets {
	struct backgammon_net of[BACKGAMMON_CLASSES];
};
_Static_assert(sizeof(struct backgammon_nets) % 32 == 0, "no padding");

enum {
	BACKGAMMON_NET_HEAD = 64,
	BACKGAMMON_NET_FILE = BACKGAMMON_NET_HEAD + sizeof(struct backgammon_nets),
};

/* The class of a position in which the game has not ended. */
enum backgammon_class backgammon_class(const struct backgammon *s);

/* inputs.c: the inputs of a position of this class, for the seat to roll. */
void backgammon_inputs(const struct backgammon *s, enum backgammon_class c,
		       struct backgammon_inputs *out);

/*
 * The number of rolls, of 36, with which a man on a place can move by the sum of its dice, in two
 * steps. `blocked` has the points, as its seat counts them, that the other seat holds.
 */
int backgammon_escapes(uint32_t blocked, int place);

/* The hidden layer (its activations) and the arguments of the sigmoid of each output. */
void backgammon_forward(const struct backgammon_net *net, const struct backgammon_inputs *in,
			float hidden[BACKGAMMON_HIDDEN], float outputs[BACKGAMMON_OUTPUTS]);

/* 1 / (1 + exp(-x)), the same bits on every machine. */
float backgammon_sigmoid(float x);

/*
 * net_file.c: writes the BACKGAMMON_NET_FILE bytes of a file, and reads them into a struct
 * backgammon_nets. QV_BAD_INPUT: not sound nets of this shape.
 */
void backgammon_nets_write(const struct backgammon_nets *nets, char *out);
enum qv_status backgammon_nets_read(const char *data, size_t size, void *nets,
				    struct qv_error *error);

/*
 * The slots of the evaluation `net`: the equity in thousandths of a point, for the seat to move.
 * The dice do not count.
 */
int32_t backgammon_net_evaluate(const void *state, const void *nets);

/* The shipped nets, as `quevedo train backgammon` wrote them. */
struct backgammon_net_file {
	char head[BACKGAMMON_NET_HEAD];
	struct backgammon_nets nets;
};
EMBEDDED(struct backgammon_net_file backgammon_net_file);
EMBEDDED(uint64_t backgammon_net_file_size);

#endif
