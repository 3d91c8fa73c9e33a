/*
 * server_upkeep.c - what keeps the store within its bounds: marks, quotas, and the removal of what is old.
 * SPDX-License-Identifier: MIT
 *
 * Nothing here is measured in seconds: the tests count rows, lines and bytes.
 */
#include "server/store/inside.h"
#include "support/shop.h"

enum { DAY = 86400, NOW = 1000 * DAY };

static struct cluster postgres; /* the tests run with it, too */

static int set_up(void **state)
{
	*state = shop_new_in(&postgres);
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

static int64_t number_of(const struct shop *shop, const char *sql)
{
	return shop_number(&postgres, shop, sql);
}

static int64_t rows(const struct shop *shop, const char *table)
{
	char sql[80];
	snprintf(sql, sizeof sql, "SELECT count(*) FROM \"%s\"", table);
	return number_of(shop, sql);
}

/* ---- Games ---- */

/* A game of that user, with everything that can refer to it, last changed then. */
static void add_game(struct shop *shop, const char *id, const char *user, int64_t updated, bool going,
		     int lines)
{
	struct store_play play = { .game = "chess", .created = updated, .updated = updated,
				   .going = going };
	snprintf(play.id, sizeof play.id, "%s", id);
	snprintf(play.owner, sizeof play.owner, "%s", user);
	store_put_user(shop->store, user, user, updated);
	store_add_play(shop->store, &play);
	store_put_seat(shop->store, user, id);
	for (int i = 0; i < lines; i++)
		shop_line(shop, id, i);
	if (!going) {
		const struct store_finished finished = { user, id, "chess", "won", "bob", "{}",
							 updated };
		const struct store_explored explored = { id, "chess", 1, 1, true, "{}",
							 "[[7,\"e2e4\",-1],[8,\"e7e5\",3]]" };
		store_put_finished(shop->store, &finished);
		store_put_explored(shop->store, &explored);
	}
	assert_true(shop_finish(shop));
}

/* Steps until it is done; returns the number of steps. */
static int prune(struct shop *shop, struct store_prune *p)
{
	int steps = 0;
	for (; p->phase != PRUNE_DONE; steps++) {
		store_prune_step(shop->store, p);
		while (p->busy)
			shop_turn(shop);
		assert_true(p->portion.lines <= PRUNE_LINES || p->portion.games == 1);
		assert_true(p->portion.games + p->portion.users <= PRUNE_ROWS);
	}
	assert_string_equal(p->error.text, "");
	return steps;
}

static void test_upkeep__old_games_of_guests_go_with_all_that_refers_to_them(void **state)
{
	static const char *const tables[] = { "play", "seat", "event", "finished", "explored" };
	struct shop *shop = *state;
	shop_open(shop);
	add_game(shop, "old", "guest", NOW - 91 * DAY, false, 5);
	add_game(shop, "new", "guest", NOW - 89 * DAY, false, 5);
	add_game(shop, "going", "guest", NOW - 91 * DAY, true, 5);
	add_game(shop, "kept", "member", NOW - 91 * DAY, false, 5);
	store_put_account(shop->store, "member", "Member", "member", "hash");
	/* A guest's game in which a member has a seat is a member's, too. */
	add_game(shop, "shared", "guest", NOW - 91 * DAY, false, 5);
	store_put_seat(shop->store, "member", "shared");
	/* So is one of somebody with a name at IMCS. */
	add_game(shop, "imcs", "bot", NOW - 91 * DAY, false, 5);
	const struct store_imcs_user bot = { "bot", "bot", "hash", 1000, 0 };
	store_put_imcs_user(shop->store, &bot);
	assert_true(shop_finish(shop));
	const int64_t tally = number_of(shop, "SELECT games FROM tally WHERE position = 7");
	assert_int_equal(tally, 5);
	int64_t before[5];
	for (int i = 0; i < 5; i++)
		before[i] = rows(shop, tables[i]);
	/* First it only counts. */
	struct store_prune p = { .before = NOW - 90 * DAY, .today = NOW / DAY, .dry_run = true };
	prune(shop, &p);
	assert_int_equal(p.removed.games, 1);
	assert_int_equal(p.removed.lines, 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(rows(shop, tables[i]), before[i]);
	p = (struct store_prune){ .before = NOW - 90 * DAY, .today = NOW / DAY };
	prune(shop, &p);
	assert_int_equal(p.removed.games, 1);
	assert_int_equal(p.removed.lines, 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(rows(shop, tables[i]), before[i] - (i == 2 ? 5 : 1));
	assert_int_equal(number_of(shop, "SELECT count(*) FROM play WHERE id = 'old'"), 0);
	assert_int_equal(number_of(shop, "SELECT games FROM tally WHERE position = 7"), tally - 1);
	if (!*postgres.folder)
		assert_int_equal(number_of(shop, "SELECT count(*) FROM pragma_foreign_key_check"),
				 0);
	/* Games in progress go only if that is wanted. */
	p = (struct store_prune){ .before = NOW - 90 * DAY, .today = NOW / DAY,
				  .unfinished = NOW - 90 * DAY };
	prune(shop, &p);
	assert_int_equal(p.removed.games, 1);
	assert_int_equal(number_of(shop, "SELECT count(*) FROM play WHERE id = 'going'"), 0);
}

static bool keep_two(void *ctx, const char *play)
{
	(void)ctx;
	return strcmp(play, "game-02") == 0;
}

/* The rows that stay must not be looked at again and again, nor many lines be removed at once. */
static void test_upkeep__a_portion_is_bounded(void **state)
{
	enum { GAMES = 12, LINES = 900, KEPT = 150 };
	struct shop *shop = *state;
	shop_open(shop);
	store_put_user(shop->store, "member", "Member", 1);
	store_put_account(shop->store, "member", "Member", "member", "hash");
	for (int i = 0; i < KEPT; i++) {
		struct store_play play = { .game = "chess", .owner = "member", .updated = 10 };
		snprintf(play.id, sizeof play.id, "kept-%03d", i);
		store_add_play(shop->store, &play);
	}
	assert_true(shop_finish(shop));
	for (int i = 0; i < GAMES; i++) {
		char id[16];
		snprintf(id, sizeof id, "game-%02d", i);
		add_game(shop, id, "guest", 20, false, LINES);
	}
	struct store_prune p = { .before = NOW, .today = 1, .keep = keep_two };
	const int steps = prune(shop, &p);
	assert_int_equal(p.removed.games, GAMES - 1);
	assert_int_equal(p.removed.lines, (GAMES - 1) * LINES);
	assert_int_equal(rows(shop, "play"), KEPT + 1);
	assert_int_equal(p.removed.users, 0); /* the guest still has a game */
	/* Two games at a time. */
	assert_in_range(steps, (GAMES - 1) / 2, 30);
	/* One that is longer than a portion goes alone. */
	add_game(shop, "long", "guest", 20, false, PRUNE_LINES + 1);
	p = (struct store_prune){ .before = NOW, .today = 1 };
	prune(shop, &p);
	assert_int_equal(p.removed.games, 2);
	assert_int_equal(rows(shop, "event"), 0);
	assert_int_equal(p.removed.users, 1);
}

/* A game that continues between the look and the removal stays whole. */
static void test_upkeep__a_game_that_is_used_again_stays(void **state)
{
	struct shop *shop = *state;
	shop_open(shop);
	add_game(shop, "game", "guest", 100, false, 3);
	store_set_play(shop->store, "game", 0, true, 0, NOW);
	assert_true(shop_finish(shop));
	assert_int_equal(store_drop_play(shop->store, "game", NOW), QV_OK);
	assert_false(shop_finish(shop));
	assert_int_equal(rows(shop, "event"), 3);
	assert_int_equal(rows(shop, "finished"), 1);
	assert_int_equal(store_drop_play(shop->store, "game", NOW + 1), QV_OK);
	assert_true(shop_finish(shop));
	assert_int_equal(rows(shop, "event"), 0);
	assert_false(store_failing(shop->store, NULL));
}

/* Whoever adds a table that refers to users must add it to READ_IDLE_USERS, too. */
static void test_upkeep__guests_go_when_nothing_refers_to_them(void **state)
{
	struct shop *shop = *state;
	shop_open(shop);
	store_put_user(shop->store, "unused", "Guest 1", 100);
	store_put_user(shop->store, "recent", "Guest 2", NOW);
	store_put_user(shop->store, "token", "Guest 3", 100);
	store_put_token(shop->store, &(struct store_token){ .id = "t", .user = "token" });
	store_put_user(shop->store, "author", "Guest 4", 100);
	const struct store_study study = {
		.id = "study", .owner = "author", .title = "t", .updated = NOW
	};
	store_add_study(shop->store, &study, "{}");
	store_put_user(shop->store, "member", "Member", 100);
	store_put_account(shop->store, "member", "Member", "member", "hash");
	store_put_user(shop->store, "player", "Guest 5", 100);
	assert_true(shop_finish(shop));
	add_game(shop, "game", "player", NOW, false, 1);
	struct store_prune p = { .before = NOW - DAY, .today = NOW / DAY };
	prune(shop, &p);
	assert_int_equal(p.removed.users, 1);
	assert_int_equal(number_of(shop, "SELECT count(*) FROM \"user\" WHERE id = 'unused'"), 0);
	assert_int_equal(rows(shop, "user"), 5);
	if (!*postgres.folder)
		assert_int_equal(number_of(shop,
					   "SELECT count(DISTINCT m.name) FROM sqlite_schema m,"
					   " pragma_foreign_key_list(m.name) f"
					   " WHERE f.\"table\" = 'user'"),
				 10); /* account, token, play, seat, finished, studies, imcs_user,
					 session, code, deletion */
}

/* Studies of guests go after their last change, and then their authors; those of members stay. */
static void test_upkeep__studies_of_guests_go(void **state)
{
	enum { OLD = PRUNE_ROWS + 20 };
	struct shop *shop = *state;
	shop_open(shop);
	store_put_user(shop->store, "guest", "Guest", 100);
	store_put_user(shop->store, "busy", "Guest", 100);
	store_put_user(shop->store, "member", "Member", 100);
	store_put_account(shop->store, "member", "Member", "member", "hash");
	for (int i = 0; i < OLD; i++) {
		struct store_study study = { .owner = "guest", .title = "t", .updated = 100 };
		snprintf(study.id, sizeof study.id, "old-%03d", i);
		store_add_study(shop->store, &study, "{}");
	}
	struct store_study kept = { .id = "recent", .owner = "busy", .title = "t", .updated = NOW };
	store_add_study(shop->store, &kept, "{}");
	kept = (struct store_study){ .id = "members", .owner = "member", .title = "t", .updated = 1 };
	store_add_study(shop->store, &kept, "{}");
	assert_true(shop_finish(shop));
	struct store_prune p = { .before = NOW - DAY, .today = NOW / DAY, .dry_run = true };
	prune(shop, &p);
	assert_int_equal(p.removed.studies, OLD);
	assert_int_equal(rows(shop, "studies"), OLD + 2);
	p = (struct store_prune){ .before = NOW - DAY, .today = NOW / DAY };
	const int steps = prune(shop, &p);
	assert_int_equal(p.removed.studies, OLD);
	assert_int_equal(p.removed.users, 1);
	assert_int_equal(rows(shop, "studies"), 2);
	assert_in_range(steps, 3, 20);
	/* One that is changed between the look and the removal stays. */
	const struct store_value values[] = { value_text("recent"), value_number(NOW) };
	assert_int_equal(store_statements[WRITE_DROP_OLD_STUDY].removes, true);
	store_add_write(shop->store, WRITE_DROP_OLD_STUDY, 2, values);
	assert_false(shop_finish(shop));
	assert_int_equal(rows(shop, "studies"), 2);
}

static void test_upkeep__attempts_and_quotas_go_by_their_day(void **state)
{
	enum { MANY = PRUNE_LINES + 10 };
	struct shop *shop = *state;
	char name[24];
	shop_open(shop);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "u%d", i);
		store_put_attempt(shop->store, name, "chess", "p", 10);
		store_add_quota(shop->store, name, 98, 1);
	}
	store_put_attempt(shop->store, "late", "chess", "p", 99);
	store_add_quota(shop->store, "late", 100, 1);
	assert_true(shop_finish(shop));
	struct store_prune p = { .before = 99 * DAY, .today = 100 };
	prune(shop, &p);
	assert_int_equal(p.removed.attempts, MANY);
	assert_int_equal(p.removed.quotas, MANY);
	assert_int_equal(rows(shop, "puzzle_attempt"), 1);
	assert_int_equal(rows(shop, "quota"), 1);
}

/* A code has an address that was never confirmed, so it goes when nobody can use it any more. */
static void test_upkeep__codes_that_have_expired_go(void **state)
{
	struct shop *shop = *state;
	struct store_code code = { .user = "member", .purpose = "email", .email = "a@example.org" };
	shop_open(shop);
	store_put_user(shop->store, "member", "Member", 1);
	for (int i = 0; i < 3; i++) {
		code.hash[0] = (uint8_t)i;
		code.expires = NOW - 1 + i;
		store_put_code(shop->store, &code);
	}
	assert_true(shop_finish(shop));
	struct store_prune p = { .before = NOW,
				 .today = NOW / DAY,
				 .now = NOW,
				 .dry_run = true,
				 .phase = PRUNE_QUOTAS };
	prune(shop, &p);
	assert_int_equal(rows(shop, "code"), 3);
	p = (struct store_prune){
		.before = NOW, .today = NOW / DAY, .now = NOW, .phase = PRUNE_QUOTAS
	};
	prune(shop, &p);
	assert_int_equal(rows(shop, "code"), 1);
	assert_int_equal(number_of(shop, "SELECT max(expires) FROM code"), NOW + 1);
}

static void sum_quota(void *ctx, const char *name, int64_t used)
{
	assert_string_equal(name, "ann");
	*(int64_t *)ctx += used;
}

static void test_upkeep__quotas_add_up_and_survive(void **state)
{
	struct shop *shop = *state;
	int64_t used = 0;
	shop_open(shop);
	store_add_quota(shop->store, "ann", 5, 100);
	assert_true(shop_finish(shop));
	store_add_quota(shop->store, "ann", 5, 23);
	store_add_quota(shop->store, "bob", 6, 7);
	assert_true(shop_finish(shop));
	shop_close(shop);
	shop_open(shop);
	assert_int_equal(store_list_quotas(shop->store, 5, sum_quota, &used, NULL), QV_OK);
	assert_int_equal(used, 123);
}

static void count_quota(void *ctx, const char *name, int64_t used)
{
	int *count = ctx;
	char expected[24];
	snprintf(expected, sizeof expected, "u %05d", (*count)++);
	assert_string_equal(name, expected);
	assert_int_equal(used, 1);
}

/* Visitors make as many as they like, so no result has them all. */
static void test_upkeep__many_quotas_are_read_in_portions(void **state)
{
	enum { NAMES = 2 * STORE_PORTION + 300 };
	struct shop *shop = *state;
	int count = 0;
	shop->rows_bytes = 2 * STORE_PORTION * sizeof(struct store_value) * 2;
	shop_open(shop);
	for (int i = 0; i < NAMES; i++) {
		char name[24];
		snprintf(name, sizeof name, "u %05d", i);
		store_add_quota(shop->store, name, 5, 1);
	}
	store_add_quota(shop->store, "u another day", 4, 1);
	assert_true(shop_finish(shop));
	assert_int_equal(store_list_quotas(shop->store, 5, count_quota, &count, NULL), QV_OK);
	assert_int_equal(count, NAMES);
}

/* ---- Space ---- */

static int64_t log_bytes(const struct shop *shop)
{
	char path[SHOP_PATH];
	struct stat about;
	assert_int_equal(stat(shop_path(shop, "quevedo.db-wal", path), &about), 0);
	return about.st_size;
}

static int64_t file_bytes(const struct shop *shop)
{
	char path[SHOP_PATH];
	struct stat about;
	if (*shop->place)
		return number_of(shop, "SELECT pg_database_size(current_database())");
	assert_int_equal(stat(shop_path(shop, "quevedo.db", path), &about), 0);
	return about.st_size;
}

/* Opens the shop with so much space, in PostgreSQL beside what all tests have in its database. */
static void open_with_space(struct shop *shop, int64_t bytes)
{
	shop_open(shop);
	shop_close(shop);
	shop->marks.most_bytes = bytes + (*shop->place ? file_bytes(shop) * 10 / 9 : 0);
	shop_open(shop);
}

/* A new game with one long line that cannot be compressed. False: it was refused. */
static bool add_large(struct shop *shop, int number, size_t size)
{
	struct qv_random random = { (uint64_t)number, 0 };
	char id[24], *line = malloc(size);
	assert_non_null(line);
	for (size_t i = 0; i < size; i++)
		line[i] = (char)('!' + qv_random_next(&random) % 90);
	snprintf(id, sizeof id, "large-%d", number);
	shop_play(shop, id);
	store_add_event(shop->store, id, 0, line, size);
	free(line);
	return shop_finish(shop);
}

static void test_upkeep__the_database_stays_below_its_mark(void **state)
{
	enum { MARK = 2 << 20, SIZE = 20000, LOG_MOST = 8 << 20 };
	struct shop *shop = *state;
	int count = 0;
	int64_t most;
	shop->marks.most_bytes = MARK;
	shop_open(shop);
	assert_true(store_is_served(shop->folder, &most));
	assert_int_equal(most, MARK);
	assert_false(store_space(shop->store).tight);
	/* The API stops when space is tight; the store itself, only at the mark. */
	bool tight = false;
	while (add_large(shop, count, SIZE)) {
		const struct store_space space = store_space(shop->store);
		assert_true(tight <= space.tight);
		assert_false(space.full);
		tight = space.tight;
		count++;
		assert_true(file_bytes(shop) <= MARK && log_bytes(shop) <= LOG_MOST);
		assert_true(count * SIZE < MARK);
	}
	assert_true(tight);
	assert_true(count * SIZE > MARK / 2);
	struct qv_error why = { "" };
	assert_true(store_failing(shop->store, &why));
	assert_non_null(strstr(why.text, "largest size"));
	for (int i = 0; i < 50; i++)
		assert_false(add_large(shop, 1000 + i, SIZE));
	/* What is small still fits. */
	shop_line(shop, "large-0", 1);
	assert_true(shop_finish(shop));
	/* The log does not grow with each commit. */
	for (int i = 0; i < 1000; i++) {
		store_put_user(shop->store, "ann", i % 2 ? "Ann" : "Anna", 1);
		assert_true(shop_finish(shop));
	}
	assert_true(file_bytes(shop) <= MARK);
	assert_true(log_bytes(shop) <= LOG_MOST);
	shop_close(shop);
	assert_true(file_bytes(shop) <= MARK);
	/* What removes is written in any case, and there is space again. */
	shop_open(shop);
	assert_true(store_space(shop->store).tight);
	struct store_prune p = { .before = NOW, .today = 1, .unfinished = NOW };
	prune(shop, &p);
	assert_int_equal(p.removed.games, count);
	assert_true(p.removed.pages > 0);
	store_probe(shop->store);
	while (store_space(shop->store).tight)
		sem_wait(&shop->news);
	assert_true(add_large(shop, 0, SIZE));
	shop_close(shop);
	assert_true(file_bytes(shop) < MARK / 4); /* the pages were given back */
}

/* In manual mode all units are one commit. A small one still fits, and a wrong one is just that. */
static void test_upkeep__each_unit_knows_whose_fault_it_was(void **state)
{
	enum { SPACE = 2 << 20 };
	struct shop *shop = *state;
	const struct store_study study = { .id = "study", .title = "t", .version = 7 };
	char *line = malloc(SPACE);
	assert_non_null(line);
	memset(line, 'x', SPACE);
	shop->manual = true;
	open_with_space(shop, SPACE);
	shop_play(shop, "large");
	store_add_event(shop->store, "large", 0, line, SPACE);
	shop_after(shop);
	store_set_study(shop->store, &study, "{}");
	shop_after(shop);
	shop_play(shop, "small");
	shop_after(shop);
	shop_wait(shop);
	assert_true(!shop->ok[0] && shop->failed[0]);
	assert_true(!shop->ok[1] && !shop->failed[1]);
	assert_true(shop->ok[2]);
	assert_true(store_failing(shop->store, NULL));
	free(line);
}

static void on_guess(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	int *answer = ctx;
	*answer = rows ? 1 : -1;
	if (!rows)
		assert_non_null(strstr(error->text, "largest size"));
	store_rows_free(rows);
}

/* A guess at a password of that name, which nobody has guessed before. Was it counted? */
static bool guess(struct shop *shop, int number)
{
	char name[64];
	snprintf(name, sizeof name, "%050d", number);
	const struct store_value values[] = { value_text(name), value_number(NOW) };
	int answer = 0;
	assert_int_equal(store_read(shop->store, ASK_GUESS, values, 2, on_guess, &answer), QV_OK);
	while (!answer)
		shop_turn(shop);
	return answer > 0;
}

/* No unit has them, so they are bounded apart. Some fit when nothing else does. */
static void test_upkeep__guesses_stop_soon_after_the_mark(void **state)
{
	enum { SPACE = 2 << 20, SIZE = 20000, MOST = 20000 };
	struct shop *shop = *state;
	int games = 0, guesses = 0;
	open_with_space(shop, SPACE);
	while (add_large(shop, games, SIZE))
		games++;
	assert_in_range(games, 20, 200);
	while (guesses < MOST && guess(shop, guesses))
		guesses++;
	assert_in_range(guesses, 20, MOST - 1);
	shop_close(shop);
	const int64_t most = shop->marks.most_bytes;
	assert_true(file_bytes(shop) <= most + most / 100 + (64 << 10));
	shop->marks.most_bytes = 0;
	shop_open(shop);
	assert_true(guess(shop, guesses));
}

/* A disk with less free space than the mark is as good as a full one. */
static void test_upkeep__the_disk_is_not_filled(void **state)
{
	struct shop *shop = *state;
	shop->marks.least_free = INT64_MAX / 8;
	shop_open(shop);
	assert_true(store_space(shop->store).full);
	assert_true(store_space(shop->store).free > 0);
	assert_false(add_large(shop, 0, 10));
	struct qv_error why = { "" };
	assert_true(store_failing(shop->store, &why));
	assert_non_null(strstr(why.text, "free space"));
	shop_close(shop);
	shop->marks.least_free = 0;
	shop_open(shop);
	assert_false(store_space(shop->store).tight);
	assert_true(add_large(shop, 0, 10));
	/* What must still be copied out of the log may be more than is free. */
	shop->store->space.free = -(4 << 20);
	assert_int_equal(store_space(shop->store).free, 0);
}

/* ---- Beside a server ---- */

static void test_upkeep__a_command_works_beside_a_server(void **state)
{
	struct shop *shop = *state;
	struct shop beside = { .queued = 0 };
	struct qv_error error = { "" };
	struct store_facts facts;
	int64_t most = -1;
	assert_false(store_is_served(shop->folder, &most));
	assert_int_equal(most, 0);
	strcpy(beside.folder, shop->folder);
	assert_int_equal(sem_init(&beside.news, 0, 0), 0);
	const struct store_setup setup = {
		.folder = beside.folder, .wake = shop_wake, .ctx = &beside, .shared = true
	};
	/* It creates nothing. */
	assert_int_equal(store_open(&setup, &beside.store, &error), QV_IO);
	assert_int_equal(access(shop->folder, F_OK), 0);
	char path[SHOP_PATH];
	assert_int_not_equal(access(shop_path(shop, "quevedo.db", path), F_OK), 0);
	shop_open(shop);
	assert_true(store_is_served(shop->folder, &most));
	add_game(shop, "old", "guest", 100, false, 3);
	add_game(shop, "new", "guest", NOW, true, 3);
	assert_int_equal(store_open(&setup, &beside.store, &error), QV_OK);
	assert_int_equal(store_find_facts(beside.store, &facts, &error), QV_OK);
	assert_int_equal(facts.games, 2);
	assert_int_equal(facts.going, 1);
	assert_int_equal(facts.users, 1);
	assert_int_equal(facts.oldest, 100);
	struct store_prune p = { .before = NOW, .today = 1 };
	prune(&beside, &p);
	assert_int_equal(p.removed.games, 1);
	/* The server goes on. */
	shop_line(shop, "new", 3);
	assert_true(shop_finish(shop));
	assert_int_equal(store_vacuum(shop->folder, &error), QV_IO);
	store_close(beside.store);
	shop_close(shop);
	assert_int_equal(store_vacuum(shop->folder, &error), QV_OK);
	assert_int_equal(number_of(shop, "SELECT auto_vacuum FROM pragma_auto_vacuum"), 2);
	sem_destroy(&beside.news);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_upkeep__old_games_of_guests_go_with_all_that_refers_to_them),
		CASE(test_upkeep__a_portion_is_bounded),
		CASE(test_upkeep__a_game_that_is_used_again_stays),
		CASE(test_upkeep__guests_go_when_nothing_refers_to_them),
		CASE(test_upkeep__studies_of_guests_go),
		CASE(test_upkeep__attempts_and_quotas_go_by_their_day),
		CASE(test_upkeep__codes_that_have_expired_go),
		CASE(test_upkeep__quotas_add_up_and_survive),
		CASE(test_upkeep__many_quotas_are_read_in_portions),
		CASE(test_upkeep__each_unit_knows_whose_fault_it_was),
		CASE(test_upkeep__guesses_stop_soon_after_the_mark),
	};
	const struct CMUnitTest file_tests[] = {
		CASE(test_upkeep__the_database_stays_below_its_mark),
		CASE(test_upkeep__the_disk_is_not_filled),
		CASE(test_upkeep__a_command_works_beside_a_server),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	failed += cmocka_run_group_tests(file_tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
