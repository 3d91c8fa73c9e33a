/*
 * real.h - exp, log, tanh and angles with the same bits on every machine.
 * SPDX-License-Identifier: MIT
 *
 * The functions of libm differ between C libraries in the last bits. Whatever chooses a move uses
 * these instead. They are made of additions, multiplications, divisions and bit operations, which
 * IEEE 754 defines exactly. (sqrt, lround and ldexp are exact, too, and stay libm's.) Compile
 * without contraction to fused operations: -ffp-contract=off.
 */
#ifndef BASE_REAL_H
#define BASE_REAL_H

/* The natural logarithm of a finite, positive, normal number; within 2 ulp. */
double real_log(double x);
/* e to the power of x, x from -700 to 700; within 2 ulp. */
double real_exp(double x);
/* The hyperbolic tangent of any number; within 8 ulp. */
double real_tanh(double x);
/* Cosine and sine of an angle, within 1e-12; beyond a thousand turns those of 0. */
void real_turn(double angle, double *cosine, double *sine);
/* The angle of a direction, from -pi to pi; within 1e-12. */
double real_angle(double x, double y);

#endif
