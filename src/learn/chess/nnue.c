/*
 * nnue.c - chess: evaluates positions with an NNUE network of Stockfish 15.
 * SPDX-License-Identifier: MIT
 *
 * Files are untrusted: their size is checked, and sums wrap around instead of overflowing. The
 * accumulators are updated incrementally by comparing boards; they are rebuilt when the own king
 * changes its bucket.
 */
#include "learn/chess/nnue.h"

#include "base/file.h"
#include "games/chess/net.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read as they are");

/* Numbers of the network's integer arithmetic. */
enum {
	KINDS = 11, /* both kings share a kind */
	HALF = NNUE_SIZE / 2,
	CUT = 127, SHIFT = 6, OUT_ONE = 16, /* largest activation; scales of layers and output */
	PAWN = 361,			    /* in units of the output */
	DIRECT = 600 * OUT_ONE,	   /* scale of the output that skips the second layer, */
	DIRECT_ONE = CUT << SHIFT, /* and its 1 in fixed point */
};

/* One of the small networks behind the accumulators: three layers, as in the file. */
struct stage {
	int32_t base0[NNUE_FIRST];
	int8_t first[NNUE_FIRST][NNUE_SIZE];
	int32_t base1[NNUE_SECOND];
	int8_t second[NNUE_SECOND][32];
	int32_t base2;
	int8_t third[NNUE_SECOND];
};

/* The whole network; arrays have the order of the file. */
struct nnue {
	int16_t rows[NNUE_ROWS][NNUE_SIZE];
	int16_t empty[NNUE_SIZE];
	int32_t worth[NNUE_ROWS][NNUE_STAGES];
	struct stage stages[NNUE_STAGES];
};

/* ---- the file ---- */

struct reader {
	const char *data;
	size_t left;
};

/* Steps over the next bytes. False: the file has fewer. */
static bool skip(struct reader *r, size_t size)
{
	if (r->left < size)
		return false;
	r->data += size;
	r->left -= size;
	return true;
}

static bool take(struct reader *r, void *out, size_t size)
{
	const char *from = r->data;
	return skip(r, size) && memcpy(out, from, size);
}

/* Reads a word that must be this one: a version, or the hash of a layer's shape. */
static bool take_mark(struct reader *r, uint32_t mark)
{
	uint32_t found;
	return take(r, &found, sizeof found) && found == mark;
}

static bool take_net(struct reader *r, struct nnue *net)
{
	bool good = take(r, net->empty, sizeof net->empty) &&
		    take(r, net->rows, sizeof net->rows) && take(r, net->worth, sizeof net->worth);
	for (int i = 0; good && i < NNUE_STAGES; i++) {
		struct stage *st = &net->stages[i];
		good = take_mark(r, 0x63336a4a) && take(r, st->base0, sizeof st->base0) &&
		       take(r, st->first, sizeof st->first) &&
		       take(r, st->base1, sizeof st->base1) &&
		       take(r, st->second, sizeof st->second) &&
		       take(r, &st->base2, sizeof st->base2) &&
		       take(r, st->third, sizeof st->third);
	}
	return good && !r->left;
}

enum qv_status nnue_read(const struct qv_allocator *a, const char *data, size_t size,
			 struct nnue **out, struct qv_error *error)
{
	struct reader r = { data, size };
	uint32_t length; /* of the description, which is skipped */
	*out = NULL;
	if (!take_mark(&r, 0x7af32f20) || !take_mark(&r, 0x1c102ef2) ||
	    !take(&r, &length, sizeof length) || !skip(&r, length) || !take_mark(&r, 0x7f2344b8))
		return qv_fail(error, QV_BAD_INPUT, "nnue: not a network of Stockfish 15");
	struct nnue *net = mem_new(a, 1, sizeof *net);
	if (!net)
		return qv_fail(error, QV_NO_MEMORY, "nnue: out of memory");
	if (!take_net(&r, net)) {
		nnue_free(a, net);
		return qv_fail(error, QV_BAD_INPUT, "nnue: the file is damaged after %zu bytes",
			       size - r.left);
	}
	*out = net;
	return QV_OK;
}

enum qv_status nnue_open(const struct qv_allocator *a, const char *path, struct nnue **out,
			 struct qv_error *error)
{
	struct file_bytes file = { 0 };
	enum qv_status status = file_read(a, path, NNUE_FILE_MOST, &file, error);
	*out = NULL;
	if (status == QV_OK)
		status = nnue_read(a, file.data, file.size, out, error);
	file_release(a, &file);
	return status;
}

void nnue_free(const struct qv_allocator *a, struct nnue *net)
{
	mem_free(a, net, sizeof *net);
}

/* ---- accumulators ---- */

/* The feature of a piece on a square, as HalfKAv2_hm numbers them. */
static int row_of(const struct chess_net_view *v, int piece, int square)
{
	const int kind = piece & 7, other = (piece >> 3) ^ v->side;
	const int name = kind == CHESS_KING ? KINDS - 1 : 2 * kind + other;
	return (v->area * KINDS + name) * CHESS_SQUARES + (square ^ v->turn);
}

/* Adds or subtracts a feature's row. Unsigned, since a file may make the sums overflow. */
static void add_row(const struct nnue *net, struct nnue_memory *m, int side, int row, bool comes)
{
	const uint16_t *from = (const uint16_t *)net->rows[row];
	uint16_t *sum = m->sums[side];
	for (int k = 0; k < NNUE_SIZE; k++)
		sum[k] = (uint16_t)(comes ? sum[k] + from[k] : sum[k] - from[k]);
	for (int k = 0; k < NNUE_STAGES; k++)
		m->stages[side][k] =
			(int32_t)((uint32_t)m->stages[side][k] +
				  (uint32_t)(comes ? 1 : -1) * (uint32_t)net->worth[row][k]);
}

/* Updates a side's accumulator to the position; from scratch if its king's bucket has changed. */
static void follow(const struct nnue *net, const struct chess *s, int side, struct nnue_memory *m)
{
	/*
	 * The side's perspective is as in net.h, but with a bucket for each square of the own king,
	 * mirrored to the right half of the board.
	 */
	struct chess_net_view v = chess_net_view(s, side);
	const int king = chess_king(s, side) ^ v.turn;
	v.area = (7 - chess_row(king)) * 4 + 7 - chess_file(king);
	const bool fresh = !m->known[side] || m->area[side] != v.area * 64 + v.turn;
	if (fresh) {
		memcpy(m->sums[side], net->empty, sizeof net->empty);
		memset(m->stages[side], 0, sizeof m->stages[side]);
	}
	for (int i = 0; i < CHESS_SQUARES; i++) {
		const int was = fresh ? CHESS_EMPTY : m->board[i], is = s->board[i];
		if (was == is)
			continue;
		if (was != CHESS_EMPTY)
			add_row(net, m, side, row_of(&v, was, i), false);
		if (is != CHESS_EMPTY)
			add_row(net, m, side, row_of(&v, is, i), true);
	}
	m->known[side] = true;
	m->area[side] = v.area * 64 + v.turn;
}

/* ---- layers ---- */

/* Clips to the range of an activation. */
static int cut(int64_t x)
{
	return x < 0 ? 0 : x > CUT ? CUT : (int)x;
}

/* A neuron: the weighted sum of its inputs plus its bias. */
static int64_t weigh(const uint8_t *in, const int8_t *weights, int count, int32_t base)
{
	int32_t sum = 0;
	for (int k = 0; k < count; k++)
		sum += in[k] * weights[k];
	return (int64_t)sum + base;
}

/* The layers behind the accumulators. The last neuron of the first goes straight to the output. */
static int64_t through(const struct stage *st, const uint8_t *in)
{
	uint8_t middle[32] = { 0 }, last[NNUE_SECOND];
	int64_t direct = 0;
	for (int i = 0; i < NNUE_FIRST; i++) {
		const int64_t x = weigh(in, st->first[i], NNUE_SIZE, st->base0[i]);
		if (i == NNUE_FIRST - 1) {
			direct = x * DIRECT / DIRECT_ONE;
			break;
		}
		middle[i] = (uint8_t)cut((x * x >> 2 * SHIFT) / 128);
		middle[NNUE_FIRST - 1 + i] = (uint8_t)cut(x >> SHIFT);
	}
	for (int i = 0; i < NNUE_SECOND; i++)
		last[i] = (uint8_t)cut(weigh(middle, st->second[i], 32, st->base1[i]) >> SHIFT);
	return weigh(last, st->third, NNUE_SECOND, st->base2) + direct;
}

int32_t nnue_value(const struct nnue *net, const struct chess *s, struct nnue_memory *memory)
{
	uint8_t in[NNUE_SIZE];
	const int pieces = bits_count(chess_occupied(s)), us = s->turn;
	const int stage = pieces > 32 ? NNUE_STAGES - 1 : (pieces - 1) / 4;
	for (int i = 0; i < 2; i++) {
		const uint16_t *sum = memory->sums[us ^ i];
		follow(net, s, us ^ i, memory);
		/* The two clipped halves of the accumulator are multiplied element by element. */
		for (int k = 0; k < HALF; k++) {
			const int16_t a = (int16_t)sum[k], b = (int16_t)sum[k + HALF];
			const int16_t low = a < 0 ? 0 : a > CUT ? CUT : a;
			const int16_t high = b < 0 ? 0 : b > CUT ? CUT : b;
			in[i * HALF + k] = (uint8_t)(low * high / 128);
		}
	}
	memcpy(memory->board, s->board, sizeof memory->board);
	/* The piece-square part, plus the layers, in centipawns. */
	const int64_t worth =
		((int64_t)memory->stages[us][stage] - memory->stages[1 - us][stage]) / 2;
	const int64_t value = (worth + through(&net->stages[stage], in)) / OUT_ONE * 100 / PAWN;
	const int64_t most = QV_MAX_EVAL - 1;
	return (int32_t)(value > most ? most : value < -most ? -most : value);
}
