/*
 * server_dice.c - tests of the dice: known hashes, a throw worked out apart, fair shares.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "support/dice.h"
#include "support/scale.h"
#include "toys/toys.h"

/* ---- SHA-256 written down from the standard, to check against ---- */

static uint32_t turn(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* The first 32 bits of the fractional part of the k-th prime's square or cube root, by whole
 * numbers. */
static uint32_t root_bits(int k, int power)
{
	int prime = 1;
	for (int found = -1; found < k;) {
		prime++;
		int d = 2;
		while (d * d <= prime && prime % d)
			d++;
		found += d * d > prime;
	}
	/* floor(2^32 * root) by halving: r^power <= prime * 2^(32 power). */
	unsigned __int128 low = 0, high = (unsigned __int128)1 << 37;
	while (high - low > 1) {
		const unsigned __int128 middle = (low + high) / 2;
		const unsigned __int128 square = middle * middle;
		/* For cubes: middle^3 <= prime << 96 as square / 2^32 * middle against prime << 64.
		 */
		const bool fits =
			power == 2
				? square <= (unsigned __int128)prime << 64
				: (square >> 32) * middle + ((square & 0xffffffff) * middle >> 32) <
					  (unsigned __int128)prime << 64;
		if (fits)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static void compress(uint32_t h[8], const unsigned char *block)
{
	uint32_t w[64], v[8];
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, h, sizeof v);
	for (int i = 0; i < 64; i++) {
		const uint32_t a = v[0], e = v[4];
		const uint32_t t1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
				    ((e & v[5]) ^ (~e & v[6])) + root_bits(i, 3) + w[i];
		const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
				    ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

static void literal_sha256(const void *data, size_t size, unsigned char out[32])
{
	enum { MOST = 512 };
	unsigned char padded[MOST] = { 0 };
	const size_t length = (size + 9 + 63) / 64 * 64;
	uint32_t h[8];
	assert_true(length <= MOST);
	memcpy(padded, data, size);
	padded[size] = 0x80;
	for (int i = 0; i < 8; i++)
		padded[length - 1 - (size_t)i] = (unsigned char)(size * 8 >> 8 * i);
	for (int i = 0; i < 8; i++)
		h[i] = root_bits(i, 2);
	for (size_t at = 0; at < length; at += 64)
		compress(h, padded + at);
	for (int i = 0; i < 32; i++)
		out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void hex(const unsigned char *bytes, char *out)
{
	for (int i = 0; i < 32; i++)
		snprintf(out + 2 * i, 3, "%02x", (unsigned)bytes[i]);
}

/* The vectors of FIPS 180-4's examples, for the twin above. */
static void test_dice__twin_knows_the_published_hashes(void **state)
{
	static const struct {
		const char *text, *hash;
	} vectors[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		unsigned char hash[32];
		char text[65];
		literal_sha256(vectors[i].text, strlen(vectors[i].text), hash);
		hex(hash, text);
		assert_string_equal(text, vectors[i].hash);
	}
}

/* ---- Throws ---- */

static struct dice some_dice(uint64_t key, const char *seed)
{
	struct dice dice = { .seed = seed, .game = "k3bt9qa", .ply = (int)(key % 200) };
	for (int i = 0; i < DICE_SECRET; i++)
		dice.secret[i] = (unsigned char)qv_random_at(key, (uint64_t)i);
	return dice;
}

static void test_dice__promise_and_number_are_as_written_down(void **state)
{
	(void)state;
	for (uint64_t key = 0; key < 50; key++) {
		char seed[65], text[300], commit[DICE_HEX], secret[DICE_HEX];
		unsigned char hash[32];
		snprintf(seed, sizeof seed, "%.*s", (int)(key % 20), "swallows at the ford");
		const struct dice dice = some_dice(key, seed);
		const uint64_t weights = 1 + key * 7;
		dice_commit(dice.secret, commit);
		literal_sha256(dice.secret, DICE_SECRET, hash);
		hex(hash, text);
		assert_string_equal(commit, text);

		memcpy(text, dice.secret, DICE_SECRET);
		const int tail = snprintf(text + DICE_SECRET, sizeof text - DICE_SECRET, "%s%s%d",
					  seed, dice.game, dice.ply);
		literal_sha256(text, DICE_SECRET + (size_t)tail, hash);
		uint64_t number = 0;
		for (int i = 0; i < 8; i++)
			number = number * 256 + hash[i];
		assert_int_equal(dice_number(&dice, weights), number % weights);
		dice_hex(dice.secret, secret);
		assert_true(dice_verify(commit, secret, seed, dice.game, dice.ply, weights,
					number % weights));
	}
}

/* Weights of 2^63 + 1 put nearly half of all hashes in the tail, so the second byte is seen too. */
static void test_dice__numbers_in_the_uneven_tail_are_hashed_again(void **state)
{
	const uint64_t weights = (UINT64_C(1) << 63) + 1;
	int again = 0;
	(void)state;
	for (uint64_t key = 0; key < 200; key++) {
		const struct dice dice = some_dice(key, "seed");
		char text[300];
		unsigned char hash[32];
		uint64_t number = UINT64_MAX;
		memcpy(text, dice.secret, DICE_SECRET);
		const size_t length =
			DICE_SECRET + (size_t)snprintf(text + DICE_SECRET,
						       sizeof text - DICE_SECRET, "%s%s%d",
						       dice.seed, dice.game, dice.ply);
		for (int retry = 0; number >= weights; retry++) {
			again += retry > 0;
			text[length] = (char)retry;
			literal_sha256(text, length + (retry > 0), hash);
			number = 0;
			for (int i = 0; i < 8; i++)
				number = number * 256 + hash[i];
		}
		assert_int_equal(dice_number(&dice, weights), number);
	}
	assert_true(again > 50);
}

/* The throw that docs/api.md checks with sha256sum. */
static void test_dice__example_of_the_manual(void **state)
{
	(void)state;
	assert_true(dice_verify("65a1e13f205e8c98233e247663f73170e8cbf825d66ca99806a86199aa0b5cb5",
				"5f0c1e6a9d3b47288c11f0e2a4d6b8937a5e0c2f4b6d8e1093a7c5d1f2e4b608",
				"my luck", "abc", 0, 6, 5));
}

static void test_dice__verify_sees_every_lie(void **state)
{
	const struct dice dice = some_dice(1, "mine");
	char commit[DICE_HEX], secret[DICE_HEX], other[DICE_HEX];
	const uint64_t number = dice_number(&dice, 1000003);
	(void)state;
	dice_commit(dice.secret, commit);
	dice_hex(dice.secret, secret);
	assert_true(dice_verify(commit, secret, "mine", "k3bt9qa", 1, 1000003, number));
	assert_false(dice_verify(commit, secret, "yours", "k3bt9qa", 1, 1000003, number));
	assert_false(dice_verify(commit, secret, "mine", "k3bt9qb", 1, 1000003, number));
	assert_false(dice_verify(commit, secret, "mine", "k3bt9qa", 2, 1000003, number));
	assert_false(dice_verify(commit, secret, "mine", "k3bt9qa", 1, 1000003, number + 1));
	memcpy(other, secret, sizeof other);
	other[10] = other[10] == 'a' ? 'b' : 'a';
	assert_false(dice_verify(commit, other, "mine", "k3bt9qa", 1, 1000003, number));
	assert_false(dice_verify(other, secret, "mine", "k3bt9qa", 1, 1000003, number));
	assert_false(dice_verify(commit, "zz", "mine", "k3bt9qa", 1, 1000003, number));
	assert_false(dice_verify(commit, "", "mine", "k3bt9qa", 1, 1000003, number));
	assert_false(dice_verify(commit, secret, "mine", "k3bt9qa", 1, 0, number));
}

/* The loaded die: 3, 2 and 1 parts of six. Chi-square of 2 degrees beyond 18.4 has 1 in 10,000. */
static void test_dice__outcomes_come_as_often_as_they_weigh(void **state)
{
	const int64_t throws = scaled(60000);
	uint64_t start[8] = { 0 };
	double seen[4] = { 0 }, chi = 0;
	(void)state;
	toy_die.start(NULL, start);
	assert_int_equal(dice_weights(&toy_die, start), 6);
	for (int64_t i = 0; i < throws; i++) {
		const struct dice dice = some_dice((uint64_t)i, "");
		seen[dice_outcome(&toy_die, start, dice_number(&dice, 6))]++;
	}
	for (int face = 1; face <= 3; face++) {
		const double expected = (double)throws * (4 - face) / 6;
		chi += (seen[face] - expected) * (seen[face] - expected) / expected;
	}
	assert_true(chi < 18.4);
	assert_int_equal(dice_outcome(&toy_die, start, 2), 1);
	assert_int_equal(dice_outcome(&toy_die, start, 3), 2);
	assert_int_equal(dice_outcome(&toy_die, start, 5), 3);
	assert_true(dice_outcome(&toy_die, start, 6) == QV_NO_MOVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dice__twin_knows_the_published_hashes),
		cmocka_unit_test(test_dice__promise_and_number_are_as_written_down),
		cmocka_unit_test(test_dice__numbers_in_the_uneven_tail_are_hashed_again),
		cmocka_unit_test(test_dice__example_of_the_manual),
		cmocka_unit_test(test_dice__verify_sees_every_lie),
		cmocka_unit_test(test_dice__outcomes_come_as_often_as_they_weigh),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
