/*
 * weights.h - chess: the weights of the hand-written evaluation.
 * SPDX-License-Identifier: MIT
 *
 * Each weight is a pair, its value in the opening and middle game and in the ending, in hundredths
 * of a pawn. In a weights file a group is its name from the list below and its values, mg eg mg eg
 * and so on. Boards of 32 squares are the half towards the a-file, from the side's own first row
 * on; a piece on the other half uses the mirrored square.
 */
#ifndef CHESS_WEIGHTS_H
#define CHESS_WEIGHTS_H

#include "base/embed.h"
#include "quevedo.h"

/* Identifier, name, how many pairs, what for. */
#define CHESS_WEIGHT_LIST(X)                                                               \
	X(MATERIAL, "material", 5)     /* pawn, knight, bishop, rook, queen */             \
	X(SQUARES, "pawn-squares", 32) /* the boards of the six kinds, in their order */   \
	X(KNIGHT_SQUARES, "knight-squares", 32)                                            \
	X(BISHOP_SQUARES, "bishop-squares", 32)                                            \
	X(ROOK_SQUARES, "rook-squares", 32)                                                \
	X(QUEEN_SQUARES, "queen-squares", 32)                                              \
	X(KING_SQUARES, "king-squares", 32)                                                \
	X(KNIGHT_MOBILITY, "knight-mobility", 9)                                           \
	X(BISHOP_MOBILITY, "bishop-mobility", 14)                                          \
	X(ROOK_MOBILITY, "rook-mobility", 15)                                              \
	X(QUEEN_MOBILITY, "queen-mobility", 28)                                            \
	X(PASSED, "passed", 8)			 /* pawns, by row */                       \
	X(PASSED_FREE, "passed-free", 8)	 /* ... with nothing before them */        \
	X(PASSED_SAFE, "passed-safe", 8)	 /* ... and nothing attacks their way */   \
	X(PASSED_OWN_KING, "passed-own-king", 8) /* for each king's step from it */        \
	X(PASSED_THEIR_KING, "passed-their-king", 8)                                       \
	X(PASSED_GUARDED, "passed-guarded", 1) /* by a pawn */                             \
	X(PASSED_ROOK, "passed-rook", 1)       /* a rook behind it */                      \
	X(CONNECTED, "connected", 8)	       /* guarded by, or beside another, by row */ \
	X(ISOLATED, "isolated", 2)	       /* the second: on a half-open file */       \
	X(DOUBLED, "doubled", 1)                                                           \
	X(BACKWARD, "backward", 2) /* the second: on a half-open file */                   \
	X(BISHOP_PAIR, "bishop-pair", 1)                                                   \
	X(BISHOP_PAWNS, "bishop-pawns", 1)   /* for each own pawn on its colour */         \
	X(LONG_DIAGONAL, "long-diagonal", 1) /* a bishop sees both middle squares */       \
	X(OUTPOST, "outpost", 4)	     /* knight, bishop; then within reach of */    \
	X(BEHIND_PAWN, "behind-pawn", 1)     /* knight or bishop */                        \
	X(ROOK_FILE, "rook-file", 2)	     /* half-open, open */                         \
	X(ROOK_SEVENTH, "rook-seventh", 1)                                                 \
	X(QUEEN_EXPOSED, "queen-exposed", 1) /* to a discovered attack */                  \
	X(THREAT_PAWN, "threat-pawn", 4)     /* by a pawn: knight, bishop, rook, queen */  \
	X(THREAT_MINOR, "threat-minor", 5)   /* by knight or bishop: pawn to queen */      \
	X(THREAT_ROOK, "threat-rook", 5)     /* by a rook */                               \
	X(THREAT_KING, "threat-king", 1)                                                   \
	X(HANGING, "hanging", 1)                                                           \
	X(PUSH_THREAT, "push-threat", 1) /* a pawn's step would attack */                  \
	X(SPACE, "space", 1)		 /* safe squares behind the pawns in the middle */ \
	X(SHELTER, "shelter", 32)	 /* pawns before the king, by file and row */      \
	X(STORM, "storm", 32)		 /* theirs */                                      \
	X(STORM_BLOCKED, "storm-blocked", 8)                                               \
	X(KING_OPEN, "king-open", 2) /* its file: half-open, open */                       \
	X(DANGER, "danger", 64)	     /* the king, by units of attack */                    \
	X(TEMPO, "tempo", 1)

#define CHESS_WEIGHT_PLACE(id, name, count) \
	CHESS_##id##_AT, CHESS_##id##_LAST = CHESS_##id##_AT + (count)-1,
enum chess_weight_place { CHESS_WEIGHT_LIST(CHESS_WEIGHT_PLACE) CHESS_WEIGHTS };
#undef CHESS_WEIGHT_PLACE

#define CHESS_WEIGHT_NAME(id, text, number) \
	{ .name = text, .first = 2 * CHESS_##id##_AT, .count = 2 * (number) },
static const struct qv_weight chess_weight_names[] = {
	CHESS_WEIGHT_LIST(CHESS_WEIGHT_NAME) { .name = NULL }
};
#undef CHESS_WEIGHT_NAME

/* The shipped weights: evaluate.weights, expanded to numbers by tools/expand-weights.c. */
EMBEDDED(int32_t chess_weights[2 * CHESS_WEIGHTS]);

/*
 * The same for searches in which the phase of the root decides (`phases=1`): both values of a pair
 * are the first one in the opening, the mean in the middle game, the second one in the ending.
 */
EMBEDDED(int32_t chess_phase_weights[QV_PHASES][2 * CHESS_WEIGHTS]);

#endif
