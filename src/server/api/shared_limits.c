/*
 * shared_limits.c - rate limits that several servers count together.
 * SPDX-License-Identifier: MIT
 *
 * With each sign of life, four times a second, a server tells the others what visitors have taken
 * from buckets, an eighth of a bucket or more at a time (limits.c). So a visitor whom the load
 * balancer sends from server to server has one limit. A message that is lost lets a little more
 * through. A server that is alone tells nobody.
 *
 * A message is {"charges": [[set, name, tokens, per minute, burst], ...]}. set: 0 for the limits of
 * the API, 1 for those of its host.
 */
#include "server/api/cluster_watch.h"
#include "server/api/inside.h"
#include "server/api/limits.h"

enum { CHARGES_MOST = 500 }; /* of one message: the rest follows with the next sign of life */

static struct limits *set_at(const struct api *api, json_int_t set)
{
	return set == 0 ? api->limits : set == 1 ? api->host_limits : NULL;
}

void api_share_limits(struct api *api, struct limits *limits)
{
	api->host_limits = limits;
	if (api->cluster)
		limits_share(limits);
}

/* While no other server is alive, nobody has to know. */
void charges_tell(struct api *api)
{
	struct limits_charge charge;
	json_t *list = json_array();
	int others = 0;
	const bool tells = cluster_other(api, &others) && list;
	for (int set = 0, count = 0; set < 2; set++)
		while (count < CHARGES_MOST && set_at(api, set) &&
		       limits_next_charge(set_at(api, set), &charge)) {
			if (tells)
				json_array_append_new(list, json_pack("[i, s, f, f, f]", set,
								      charge.name, charge.tokens,
								      charge.per_minute,
								      charge.burst));
			count++;
		}
	if (json_array_size(list) > 0)
		cluster_send(api, "", json_pack("{s:o}", "charges", list), NULL, NULL);
	else
		json_decref(list);
}

/* What is not a charge is passed over. */
void charges_hear(struct api *api, const json_t *charges)
{
	const int64_t now = api_now(api);
	for (size_t i = 0; i < json_array_size(charges) && i < CHARGES_MOST; i++) {
		const json_t *item = json_array_get(charges, i);
		const char *name = json_string_value(json_array_get(item, 1));
		struct limits *limits =
			set_at(api, json_integer_value(json_array_get(item, 0)));
		struct limits_charge charge = {
			.tokens = json_number_value(json_array_get(item, 2)),
			.per_minute = json_number_value(json_array_get(item, 3)),
			.burst = json_number_value(json_array_get(item, 4)),
		};
		snprintf(charge.name, sizeof charge.name, "%s", name ? name : "");
		if (limits)
			limits_charge(limits, &charge, now);
	}
}
