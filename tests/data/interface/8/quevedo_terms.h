/*
 * quevedo_terms.h - the terms of an evaluation: how often each weight counts for each seat, and
 * what that adds to the value.
 * SPDX-License-Identifier: MIT
 *
 * quevedo.h includes this file. With qv_weigh, one function can serve both `evaluate` and `terms`
 * of struct qv_evaluation: it takes a list of terms, and passes it on. If the list is NULL, as in
 * `evaluate`, qv_weigh only multiplies. If the function is QV_ALWAYS_INLINE, that costs nothing.
 */
#ifndef QUEVEDO_TERMS_H
#define QUEVEDO_TERMS_H

#if defined(__GNUC__)
#define QV_ALWAYS_INLINE __attribute__((always_inline)) static inline
#else
#define QV_ALWAYS_INLINE static inline
#endif

enum { QV_MAX_TERMS = 1024 }; /* upper limit of the terms of a position */

struct qv_term {
	/* The index of its weight in the int32_t array, or -1 for a term without a weight. */
	int place;
	const char *name; /* of a term without a weight; otherwise NULL */
	int32_t counts[QV_MAX_SEATS];
	double share;  /* how much of the weight counts; 1 unless phases are mixed */
	int64_t value; /* what the term adds, for the seat to move */
};

/* The terms of a position, in the order of their weights. {0} with list, max and seat is empty. */
struct qv_terms {
	struct qv_term *list; /* the caller's */
	int max, count;	      /* terms that do not fit are dropped */
	int seat;	      /* the seat to move: values are for this seat */
};

/* Finds or adds the term of a weight, or of a name if place is -1. NULL: no room. */
static inline struct qv_term *qv_term_find(struct qv_terms *out, int place, const char *name)
{
	int at = 0;
	/* Terms without a weight come last: -1 is the largest unsigned number. */
	while (at < out->count && (unsigned)out->list[at].place < (unsigned)place)
		at++;
	while (place < 0 && name && at < out->count && strcmp(out->list[at].name, name) != 0)
		at++;
	if (at < out->count && out->list[at].place == place)
		return &out->list[at];
	if (out->count == out->max)
		return NULL;
	memmove(&out->list[at + 1], &out->list[at],
		(size_t)(out->count++ - at) * sizeof out->list[at]);
	out->list[at] = (struct qv_term){ .place = place, .name = name, .share = 1 };
	return &out->list[at];
}

/* Adds a count and what it is worth for its seat to a term: for terms of any form. */
static inline void qv_term_add(struct qv_terms *out, int place, const char *name, int seat,
			       int32_t count, int64_t value)
{
	struct qv_term *term = qv_term_find(out, place, name);
	if (!term)
		return;
	term->counts[seat] += count;
	term->value += seat == out->seat ? value : -value;
}

/* A weight that counts `count` times for a seat. Returns their product. */
QV_ALWAYS_INLINE int32_t qv_weigh(struct qv_terms *out, const int32_t *weights, int place, int seat,
				  int32_t count)
{
	if (out)
		qv_term_add(out, place, NULL, seat, count, (int64_t)weights[place] * count);
	return weights[place] * count;
}

/* The same for both seats of a game: `mine` is the seat's count. Returns the difference. */
QV_ALWAYS_INLINE int32_t qv_weigh_ahead(struct qv_terms *out, const int32_t *weights, int place,
					int seat, int32_t mine, int32_t theirs)
{
	if (out) {
		qv_weigh(out, weights, place, seat, mine);
		qv_weigh(out, weights, place, 1 - seat, theirs);
	}
	return weights[place] * (mine - theirs);
}

#endif
