/*
 * png.c - writes pictures as PNG files.
 * SPDX-License-Identifier: MIT
 *
 * Rows are stored as differences to the row above, which are mostly zeros in drawings, and compressed
 * with the fixed codes of DEFLATE (RFC 1951) and a table with one place per hash. That takes no
 * library, and is within a third of what zlib would make of such pictures.
 */
#include "base/png.h"

#include <string.h>

enum {
	HASH_BITS = 14,
	SHORTEST = 3, /* repeats of DEFLATE */
	LONGEST = 258,
	WINDOW = 32768,
	END = 256, /* the symbol after the last byte */
	UP = 2,	   /* the filter: differences to the row above */
};

/* ---- Checksums ---- */

static uint32_t crc_of(const unsigned char *bytes, size_t size)
{
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static uint32_t adler_of(const unsigned char *bytes, size_t size)
{
	enum { PRIME = 65521 };
	uint32_t a = 1, b = 0;
	for (size_t i = 0; i < size; i++) {
		a = (a + bytes[i]) % PRIME;
		b = (b + a) % PRIME;
	}
	return b << 16 | a;
}

/* ---- DEFLATE ---- */

struct bits {
	struct string *out;
	uint32_t held;
	int count;
};

/* The lowest bit first. */
static void put_bits(struct bits *b, uint32_t value, int count)
{
	b->held |= value << b->count;
	for (b->count += count; b->count >= 8; b->count -= 8, b->held >>= 8)
		string_add(b->out, &(char){ (char)(b->held & 255) }, 1);
}

/* Codes have their highest bit first. */
static void put_code(struct bits *b, uint32_t code, int count)
{
	uint32_t turned = 0;
	for (int i = 0; i < count; i++)
		turned |= (code >> i & 1) << (count - 1 - i);
	put_bits(b, turned, count);
}

/* A byte, the end, or the symbol of a length, in the fixed code. */
static void put_symbol(struct bits *b, uint32_t symbol)
{
	if (symbol < 144)
		put_code(b, 0x30 + symbol, 8);
	else if (symbol < 256)
		put_code(b, 0x190 + symbol - 144, 9);
	else if (symbol < 280)
		put_code(b, symbol - 256, 7);
	else
		put_code(b, 0xc0 + symbol - 280, 8);
}

/*
 * Lengths and distances have the same form: the first symbols are for one value each; then the
 * values of a symbol double after every `step` symbols, and extra bits name one of them. Returns the
 * symbol; *extra is how many bits follow, *rest what they are.
 */
static uint32_t symbol_of(uint32_t value, uint32_t step, int *extra, uint32_t *rest)
{
	uint32_t low = 0, symbol = 0;
	for (;; symbol++) {
		*extra = symbol < 2 * step ? 0 : (int)(symbol / step) - 1;
		if (value < low + (1U << *extra))
			break;
		low += 1U << *extra;
	}
	*rest = value - low;
	return symbol;
}

static void put_repeat(struct bits *b, uint32_t length, uint32_t distance)
{
	int extra = 0;
	uint32_t rest = 0;
	/* The greatest length has a symbol of its own. */
	const uint32_t symbol =
		length == LONGEST ? 28 : symbol_of(length - SHORTEST, 4, &extra, &rest);
	put_symbol(b, END + 1 + symbol);
	put_bits(b, rest, extra);
	put_code(b, symbol_of(distance - 1, 2, &extra, &rest), 5);
	put_bits(b, rest, extra);
}

static size_t same_bytes(const unsigned char *a, const unsigned char *b, size_t most)
{
	size_t count = 0;
	while (count < most && count < LONGEST && a[count] == b[count])
		count++;
	return count;
}

/* One block for everything. A place of `seen` is the offset, plus 1, of the last three bytes there. */
static void deflate_block(struct bits *b, const unsigned char *data, size_t size, uint32_t *seen)
{
	put_bits(b, 1, 1); /* the last block */
	put_bits(b, 1, 2); /* with the fixed codes */
	for (size_t at = 0; at < size;) {
		size_t length = 0, from = 0;
		if (at + SHORTEST <= size) {
			const uint32_t three = (uint32_t)data[at] << 16 |
					       (uint32_t)data[at + 1] << 8 | data[at + 2];
			uint32_t *place = &seen[(three * 2654435761U) >> (32 - HASH_BITS)];
			if (*place && at - (*place - 1) <= WINDOW) {
				from = *place - 1;
				length = same_bytes(data + from, data + at, size - at);
			}
			*place = (uint32_t)at + 1;
		}
		if (length >= SHORTEST) {
			put_repeat(b, (uint32_t)length, (uint32_t)(at - from));
			at += length;
		} else {
			put_symbol(b, data[at++]);
		}
	}
	put_symbol(b, END);
	put_bits(b, 0, 7); /* fills the last byte */
}

/* ---- The file ---- */

static void put_number(struct string *out, uint32_t value)
{
	const char bytes[4] = { (char)(value >> 24), (char)(value >> 16), (char)(value >> 8),
				(char)value };
	string_add(out, bytes, sizeof bytes);
}

/* A part of the file: its length, its name, its bytes and their checksum. */
static void put_chunk(struct string *out, const char *name, const struct string *bytes)
{
	const size_t size = bytes->length;
	put_number(out, (uint32_t)size);
	const size_t at = out->length;
	string_add(out, name, 4);
	if (size)
		string_add(out, bytes->data, size);
	if (!out->failed && !bytes->failed)
		put_number(out, crc_of((const unsigned char *)out->data + at, size + 4));
	else
		out->failed = true;
}

/* Rows with their filter in front, as differences. */
static void filter_rows(const struct canvas *c, unsigned char *to)
{
	const size_t row = 3 * (size_t)c->width;
	for (int y = 0; y < c->height; y++) {
		const uint8_t *now = c->pixels + row * (size_t)y;
		*to++ = UP;
		for (size_t i = 0; i < row; i++)
			*to++ = (unsigned char)(now[i] - (y ? now[i - row] : 0));
	}
}

void png_write(const struct canvas *c, struct string *out)
{
	static const char signature[] = "\x89PNG\r\n\x1a\n", form[] = "\x08\x02\0\0";
	const size_t size = (3 * (size_t)c->width + 1) * (size_t)c->height;
	unsigned char *rows = mem_new(c->allocator, size, 1);
	uint32_t *seen = mem_new(c->allocator, 1U << HASH_BITS, sizeof *seen);
	struct string head = { .allocator = c->allocator }, body = { .allocator = c->allocator };
	put_number(&head, (uint32_t)c->width);
	put_number(&head, (uint32_t)c->height);
	string_add(&head, form, 5); /* 8 bits of red, green and blue */
	string_add(&body, "\x78\x01", 2);
	if (rows && seen) {
		filter_rows(c, rows);
		deflate_block(&(struct bits){ .out = &body }, rows, size, seen);
		put_number(&body, adler_of(rows, size));
	} else {
		out->failed = true;
	}
	string_add(out, signature, 8);
	put_chunk(out, "IHDR", &head);
	put_chunk(out, "IDAT", &body);
	put_chunk(out, "IEND", &(struct string){ .allocator = c->allocator });
	mem_free(c->allocator, rows, size);
	mem_free(c->allocator, seen, (1U << HASH_BITS) * sizeof *seen);
	string_release(&head);
	string_release(&body);
}
