/*
 * odd_armies.h - positions of chess that no game leads to and that can be played all the same:
 * pieces beyond those that pawns can have become.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_ODD_ARMIES_H
#define TEST_ODD_ARMIES_H

static const char *const odd_armies[] = {
	"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1",
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNQ w kq - 0 1",
	"4k3/pppppppp/8/8/8/8/PPPPPPPP/1NNNKNN1 w - - 0 1",
	"qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
	"2QQ3Q/Q4Q2/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Qrr/2QQ1K1k w - - 0 1", /* 240 moves */
};
enum { ODD_ARMIES = sizeof odd_armies / sizeof *odd_armies };

#endif
