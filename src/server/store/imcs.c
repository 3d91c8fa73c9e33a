/*
 * imcs.c - the writes of the IMCS servers of a database: accounts, offers and games in progress.
 * SPDX-License-Identifier: MIT
 *
 * Each change of an account takes the next version first. Its row in imcs_number is locked until the
 * commit, so versions become visible in their order, and a server that has read up to one of them
 * misses nothing by reading on from there.
 */
#include "server/store/inside.h"

/* ---- Accounts ---- */

static enum qv_status write_account(struct store *s, enum store_change change, int count,
				    const struct store_value *values)
{
	const enum qv_status status = store_add_write(s, WRITE_IMCS_VERSION, 0, NULL);
	return status == QV_OK ? store_add_write(s, change, count, values) : status;
}

/* skeleton NULL: the statement has none. */
static enum qv_status write_user(struct store *s, enum store_change change,
				 const struct store_imcs_user *u, const char *skeleton)
{
	const struct store_value values[] = { value_text(u->name), value_text(u->user),
					      value_text(u->password_hash), value_number(u->rating),
					      value_text(skeleton ? skeleton : "") };
	return write_account(s, change, skeleton ? 5 : 4, values);
}

enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *user)
{
	return write_user(s, WRITE_IMCS_USER, user, NULL);
}

enum qv_status store_add_imcs_user(struct store *s, const struct store_imcs_user *user,
				   const char *skeleton)
{
	return write_user(s, WRITE_NEW_IMCS_USER, user, skeleton);
}

enum qv_status store_set_imcs_password(struct store *s, const char *name, const char *hash)
{
	const struct store_value values[] = { value_text(name), value_text(hash) };
	return write_account(s, WRITE_IMCS_PASSWORD, 2, values);
}

enum qv_status store_set_imcs_rating(struct store *s, const char *name, int rating)
{
	const struct store_value values[] = { value_text(name), value_number(rating) };
	return write_account(s, WRITE_IMCS_RATING, 2, values);
}

enum qv_status store_change_imcs_rating(struct store *s, const char *name, int change)
{
	const struct store_value values[] = { value_text(name), value_number(change) };
	return write_account(s, WRITE_IMCS_CHANGE, 2, values);
}

/* ---- Offers and games in progress ---- */

enum qv_status store_add_imcs_offer(struct store *s, const struct store_imcs_entry *offer, int most,
				    int most_all)
{
	const char color[2] = { offer->color };
	const struct store_value values[] = { value_number(offer->id),
					      value_text(offer->node),
					      value_text(offer->white),
					      value_text(""),
					      value_text(color),
					      value_number(offer->offer_s[0]),
					      value_number(offer->offer_s[1]),
					      value_number(most),
					      value_number(most_all) };
	return store_add_write(s, WRITE_IMCS_OFFER, 9, values);
}

enum qv_status store_begin_imcs_game(struct store *s, const struct store_imcs_entry *entry)
{
	const struct store_value values[] = {
		value_number(entry->id),	 value_text(entry->node),
		value_text(entry->white),	 value_text(entry->black),
		value_number(entry->ratings[0]), value_number(entry->ratings[1])
	};
	return store_add_write(s, WRITE_IMCS_BEGIN, 6, values);
}

enum qv_status store_drop_imcs_entry(struct store *s, int64_t id)
{
	const struct store_value value = value_number(id);
	return store_add_write(s, WRITE_DROP_IMCS_ENTRY, 1, &value);
}

enum qv_status store_end_imcs_left(struct store *s, int64_t id, int64_t ended)
{
	const struct store_value values[] = { value_number(id), value_number(ended) };
	const enum qv_status status = store_add_write(s, WRITE_END_IMCS_LEFT, 2, values);
	return status == QV_OK ? store_drop_imcs_entry(s, id) : status;
}

enum qv_status store_drop_imcs_offers(struct store *s, const char *name)
{
	const struct store_value value = value_text(name);
	return store_add_write(s, WRITE_DROP_IMCS_OFFERS, 1, &value);
}

enum qv_status store_drop_dead_imcs(struct store *s)
{
	return store_add_write(s, WRITE_DROP_IMCS_DEAD, 0, NULL);
}
