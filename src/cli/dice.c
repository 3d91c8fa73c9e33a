/*
 * dice.c - the command dice: exact chances of the sums of dice.
 * SPDX-License-Identifier: MIT
 *
 * The table for two dice is table 12-1 of the 1983 book. Outcomes are counted, not estimated: the
 * bounds keep every count within 64 bits.
 */
#include "base/text.h"
#include "cli/cli.h"

/* The most dice, sides and different sums. With OUTCOMES_MOST, at most 9 dice have 100 sides. */
enum { DICE_MOST = 20, SIDES_MOST = 100, SUM_MOST = DICE_MOST * SIDES_MOST };
static const uint64_t OUTCOMES_MOST = UINT64_C(1000000000000000000);

/* The options of dice. */
struct dice_values {
	int64_t hit;
};

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct dice_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("hit", OPTION_INT, hit, .min = 1, .max = SUM_MOST, .value = "N",
	    .help = "add the chance that a die or the sum of all dice is N"),
	{ 0 },
};
#undef ROW

/* Some dice, and how many of the outcomes have each sum. */
struct dice {
	int count, sides;
	uint64_t outcomes;
	uint64_t ways[SUM_MOST + 1]; /* by sum */
};

/* Reads "3d6", or "d6" for one die. */
static enum qv_status read_dice(struct cli *c, const char *text, struct dice *d)
{
	char word[16] = "";
	int64_t count = 1, sides = 0;
	const size_t length = strcspn(text, "dD");
	memcpy(word, text, length < sizeof word ? length : 0);
	if (!text[length] || length >= sizeof word ||
	    (length && !text_to_int(word, 1, DICE_MOST, &count)) ||
	    !text_to_int(text + length + 1, 2, SIDES_MOST, &sides))
		return cli_refuse(c,
				  "dice '%.60s': write NdS, as in 2d6, with 1 to %d dice of 2 to "
				  "%d sides",
				  cli_word(text), DICE_MOST, SIDES_MOST);
	d->count = (int)count;
	d->sides = (int)sides;
	d->outcomes = 1;
	for (int i = 0; i < d->count; i++) {
		if (d->outcomes > OUTCOMES_MOST / (uint64_t)d->sides)
			return cli_refuse(c, "dice '%.60s': more than %llu outcomes", text,
					  (unsigned long long)OUTCOMES_MOST);
		d->outcomes *= (uint64_t)d->sides;
	}
	return QV_OK;
}

/* Counts the outcomes by sum, adding one die at a time. */
static void count_ways(struct dice *d)
{
	d->ways[0] = 1;
	for (int i = 0; i < d->count; i++)
		for (int sum = (i + 1) * d->sides; sum >= 0; sum--) {
			uint64_t ways = 0;
			for (int face = 1; face <= d->sides && face <= sum; face++)
				ways += d->ways[sum - face];
			d->ways[sum] = ways;
		}
}

/*
 * The outcomes in which a die or the sum of all dice is n. With two dice or more, both cannot be:
 * the other dice show at least 1 each.
 */
static uint64_t count_hits(const struct dice *d, int n)
{
	uint64_t hits = n <= d->count * d->sides ? d->ways[n] : 0;
	if (d->count > 1 && n <= d->sides) {
		uint64_t others = 1;
		for (int i = 0; i < d->count; i++)
			others *= (uint64_t)(d->sides - 1);
		hits += d->outcomes - others;
	}
	return hits;
}

static double chance(const struct dice *d, uint64_t ways)
{
	return (double)ways / (double)d->outcomes;
}

/* A line for each sum: its outcomes, and the chances of it and of at least as much. */
static void print_text(const struct dice *d, int hit, struct string *out)
{
	uint64_t rest = d->outcomes;
	string_addf(out, "%4s %19s %9s %9s\n", "sum", "ways", "per cent", "at least");
	for (int sum = d->count; sum <= d->count * d->sides; sum++) {
		string_addf(out, "%4d %19llu %9.2f %9.2f\n", sum, (unsigned long long)d->ways[sum],
			    100 * chance(d, d->ways[sum]), 100 * chance(d, rest));
		rest -= d->ways[sum];
	}
	if (hit)
		string_addf(out, "hit %d: %llu ways, %.2f per cent\n", hit,
			    (unsigned long long)count_hits(d, hit),
			    100 * chance(d, count_hits(d, hit)));
	string_addf(out, "outcomes %llu, average %.1f\n", (unsigned long long)d->outcomes,
		    d->count * (d->sides + 1) / 2.0);
}

/* The same as one object. */
static json_t *as_json(const struct dice *d, int hit)
{
	json_t *sums = json_array();
	for (int sum = d->count; sum <= d->count * d->sides; sum++)
		sums = json_item(sums, json_fields(json_object(), "sum", json_integer(sum), "ways",
						   json_count(d->ways[sum]), "probability",
						   json_real(chance(d, d->ways[sum])), NULL));
	json_t *object =
		json_fields(json_object(), "dice", json_integer(d->count), "sides",
			    json_integer(d->sides), "outcomes", json_count(d->outcomes), "average",
			    json_real(d->count * (d->sides + 1) / 2.0), "sums", sums, NULL);
	if (!hit)
		return object;
	const uint64_t ways = count_hits(d, hit);
	return json_fields(object, "hit",
			   json_fields(json_object(), "number", json_integer(hit), "ways",
				       json_count(ways), "probability", json_real(chance(d, ways)),
				       NULL),
			   NULL);
}

static enum qv_status run_dice(struct cli *c)
{
	const struct dice_values *own = cli_own(c);
	struct dice d = { 0 };
	const enum qv_status status = read_dice(c, c->args.words[1] ? c->args.words[1] : "2d6", &d);
	if (status != QV_OK)
		return status;
	count_ways(&d);
	if (c->args.json)
		return cli_json(c, as_json(&d, (int)own->hit));
	print_text(&d, (int)own->hit, &c->out);
	return QV_OK;
}

const struct command command_dice = {
	.name = "dice", .run = run_dice, .least = 0, .most = 1, .usage = "dice [NdS]",
	.help = "print the exact chances of the sums of dice",
	.more = "3d6 are three dice with six sides each; default: 2d6.\n"
		"--hit 5 counts the outcomes with a 5 on any die or with the sum 5.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
