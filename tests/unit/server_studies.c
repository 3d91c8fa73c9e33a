/*
 * server_studies.c - studies: saving, versions, owners, limits, the preview of their links.
 * SPDX-License-Identifier: MIT
 */
#include "support/cluster.h"
#include "support/studies.h"

static struct cluster postgres; /* some tests run with it, too */

static json_t *post(struct api_desk *d, const struct visitor *who, const char *id,
		    const char *body, int status)
{
	char path[96];
	snprintf(path, sizeof path, STUDIES "/%s", id);
	return desk_ask(d, who, "POST", path, body, status);
}

static json_t *get(struct api_desk *d, const struct visitor *who, const char *id, int status)
{
	char path[96];
	snprintf(path, sizeof path, STUDIES "/%s", id);
	return desk_ask(d, who, "GET", path, NULL, status);
}

static int64_t whole(const json_t *json, const char *key)
{
	return json_integer_value(json_object_get(json, key));
}

static size_t count(struct api_desk *d, const struct visitor *who)
{
	return json_array_size(
		json_object_get(desk_ask(d, who, "GET", STUDIES, NULL, 200), "studies"));
}

static void test_studies__are_saved_and_read_by_their_link(void **state)
{
	struct api_desk d;
	char id[32];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	assert_int_equal(count(&d, &a), 0);
	const json_t *saved = desk_ask(&d, &a, "POST", STUDIES,
				       "{\"title\":\"Op\\u00e9nings\",\"about\":\"x\"," TWO, 201);
	assert_int_equal(whole(saved, "version"), 1);
	snprintf(id, sizeof id, "%s", desk_text(saved, "id"));
	const json_t *study = get(&d, &b, id, 200);
	assert_string_equal(desk_text(study, "about"), "x");
	assert_true(json_is_false(json_object_get(study, "own")));
	assert_int_equal(json_array_size(json_object_get(study, "chapters")), 2);
	assert_non_null(strstr(
		desk_text(json_array_get(json_object_get(study, "chapters"), 1), "record"),
		"[%cal Gd2d4]"));
	assert_true(json_is_true(json_object_get(get(&d, &a, id, 200), "own")));
	assert_int_equal(count(&d, &a), 1);
	assert_int_equal(count(&d, &b), 0);

	/* A second save, and one by a tab that has not seen it. */
	saved = post(&d, &a, id,
		     "{\"version\":1,\"title\":\"New\",\"chapters\":[" CHAPTER "]}", 200);
	assert_int_equal(whole(saved, "version"), 2);
	snprintf(id + strlen(id), sizeof id - strlen(id), "/version");
	assert_int_equal(whole(get(&d, &b, id, 200), "version"), 2);
	*strchr(id, '/') = '\0';
	post(&d, &a, id, "{\"version\":1,\"title\":\"Old\",\"chapters\":[" CHAPTER "]}", 409);
	assert_string_equal(desk_text(get(&d, &a, id, 200), "title"), "New");
	post(&d, &b, id, "{\"version\":2,\"title\":\"Foreign\",\"chapters\":[" CHAPTER "]}", 403);
	post(&d, &a, "Anone12345678901", "{\"version\":1,\"title\":\"T\"," TWO, 404);

	/* The preview of the link. */
	char path[64];
	snprintf(path, sizeof path, "/study/%s", id);
	const json_t *preview = desk_preview(&d, &a, path);
	assert_string_equal(desk_text(preview, "title"), "New · Quevedo");
	assert_string_equal(desk_text(preview, "picture"), "/api/v1/pictures?game=chess");

	snprintf(path, sizeof path, "%s/delete", id);
	post(&d, &b, path, "{}", 403);
	post(&d, &a, path, "{}", 200);
	get(&d, &a, id, 404);
	assert_int_equal(count(&d, &a), 0);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Two saves of the same version that are on their way at once: one of them wins. */
static void test_studies__two_saves_at_once(void **state)
{
	static const char body[] = "{\"version\":1,\"title\":\"T\",\"chapters\":[" CHAPTER "]}";
	struct api_desk d;
	char path[96];
	(void)state;
	desk_open(&d, 2, 100);
	const struct visitor a = desk_visitor(&d);
	const json_t *saved =
		desk_ask(&d, &a, "POST", STUDIES, "{\"title\":\"T\"," TWO, 201);
	snprintf(path, sizeof path, STUDIES "/%s", desk_text(saved, "id"));
	const uint64_t one = desk_send(&d, &a, "POST", path, body);
	const uint64_t other = desk_send(&d, &a, "POST", path, body);
	const int first = desk_wait(&d, one, 1)->last->status;
	const int second = desk_wait(&d, other, 1)->last->status;
	assert_int_equal((first == 200) + (second == 200), 1);
	assert_true(first == 409 || second == 409 || first == 503 || second == 503);
	assert_int_equal(whole(desk_ask(&d, &a, "GET", path, NULL, 200), "version"), 2);
	desk_close(&d);
}

/* ---- Requests that are sent again ---- */

static void open_desk(struct api_desk *d, int workers, char place[256])
{
	desk_open(d, workers, 100);
	if (!*postgres.folder)
		return;
	cluster_new_place(&postgres, place);
	d->place = place;
	desk_reopen(d);
}

static const json_t *create(struct api_desk *d, const struct visitor *who, const char *key,
			    const char *title, int status)
{
	char body[1024];
	snprintf(body, sizeof body, "{\"key\":\"%s\",\"title\":\"%s\",%s", key, title, TWO);
	const json_t *made = desk_ask(d, who, "POST", STUDIES, body, status);
	if (status < 400)
		assert_int_equal(whole(made, "version"), 1);
	assert_int_equal(status == 200, json_is_true(json_object_get(made, "existed")));
	return made;
}

static void test_studies__a_request_sent_again_creates_one_study(void **state)
{
	struct api_desk d;
	char place[256], id[32], path[64];
	(void)state;
	open_desk(&d, 1, place);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	snprintf(id, sizeof id, "%s", desk_text(create(&d, &a, "my-1", "First", 201), "id"));
	assert_string_equal(desk_text(create(&d, &a, "my-1", "First", 200), "id"), id);
	/* What is sent again changes nothing, not even after a restart or with other contents. */
	desk_reopen(&d);
	assert_string_equal(desk_text(create(&d, &a, "my-1", "Second", 200), "id"), id);
	const json_t *study = get(&d, &a, id, 200);
	assert_string_equal(desk_text(study, "title"), "First");
	assert_int_equal(whole(study, "version"), 1);
	assert_int_equal(count(&d, &a), 1);
	/* A key is of one user, and names one study. Without a key there is always a new one. */
	assert_string_not_equal(desk_text(create(&d, &b, "my-1", "First", 201), "id"), id);
	assert_string_not_equal(desk_text(create(&d, &a, "my-2", "First", 201), "id"), id);
	for (int i = 0; i < 2; i++)
		desk_ask(&d, &a, "POST", STUDIES, "{\"title\":\"T\"," TWO, 201);
	assert_int_equal(count(&d, &a), 4);
	/* The response names version 1, so that a change of another device is not overwritten. */
	post(&d, &a, id, "{\"version\":1,\"title\":\"Third\"," TWO, 200);
	create(&d, &a, "my-1", "First", 200);
	post(&d, &a, id, "{\"version\":1,\"title\":\"First\"," TWO, 409);
	assert_string_equal(desk_text(get(&d, &a, id, 200), "title"), "Third");
	/* One that was deleted may be created again. */
	snprintf(path, sizeof path, "%s/delete", id);
	post(&d, &a, path, "{}", 200);
	create(&d, &a, "my-1", "First", 201);
	create(&d, &a, "", "First", 400);
	create(&d, &a, "0123456789012345678901234567890123456789012345678901234567890123", "T",
	       201);
	create(&d, &a, "01234567890123456789012345678901234567890123456789012345678901234", "T",
	       400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The request arrives again while the first one is at work. */
static void test_studies__the_same_request_twice_at_once(void **state)
{
	static const char body[] = "{\"key\":\"my-1\",\"title\":\"T\"," TWO;
	struct api_desk d;
	char place[256];
	(void)state;
	open_desk(&d, 2, place);
	const struct visitor a = desk_visitor(&d);
	const uint64_t one = desk_send(&d, &a, "POST", STUDIES, body);
	const uint64_t other = desk_send(&d, &a, "POST", STUDIES, body);
	const int first = desk_wait(&d, one, 1)->last->status;
	const int second = desk_wait(&d, other, 1)->last->status;
	assert_int_equal((first == 201) + (second == 201), 1);
	assert_true(first == 200 || second == 200 || first == 503 || second == 503);
	create(&d, &a, "my-1", "T", 200);
	assert_int_equal(count(&d, &a), 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_studies__bad_requests(void **state)
{
	static const char *const bad[] = {
		"{}",
		"{\"title\":\"\"," TWO,
		"{\"title\":\"T\"}",
		"{\"title\":\"T\",\"chapters\":[]}",
		"{\"title\":\"T\",\"chapters\":[{\"name\":\"x\"}]}",
		"{\"title\":\"T\",\"chapters\":[{\"name\":\"\",\"record\":\"" RECORD "\"}]}",
		"{\"title\":\"T\",\"chapters\":[{\"name\":\"x\",\"record\":\"nothing\"}]}",
		"{\"title\":\"T\",\"chapters\":[{\"name\":\"x\",\"record\":\"" RECORD
		"{\\\"move\\\":\\\"e2e4\\\"}\"}]}",
		"{\"title\":\"a\\nb\"," TWO,
		"{\"title\":\"T\",\"more\":1," TWO,
	};
	struct api_desk d;
	struct string large = { .allocator = &mem_malloc };
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		desk_ask(&d, &a, "POST", STUDIES, bad[i], 400);
	const json_t *error = desk_ask(&d, &a, "POST", STUDIES, bad[7], 400);
	assert_string_equal(desk_text(json_object_get(error, "error"), "message"),
			    "chapter 1: line 4: move 'e2e4': not a legal move here");
	/* Too many chapters, and too much in one. */
	string_addf(&large, "{\"title\":\"T\",\"chapters\":[");
	for (int i = 0; i < 65; i++)
		string_addf(&large, "%s%s", i ? "," : "", CHAPTER);
	string_addf(&large, "]}");
	desk_ask(&d, &a, "POST", STUDIES, large.data, 400);
	large.length = 0;
	string_addf(&large, "%s",
		    "{\"title\":\"T\",\"chapters\":[{\"name\":\"x\",\"record\":\"" RECORD
		    "{\\\"note\\\":\\\"");
	for (int i = 0; i < 300000; i++)
		string_add(&large, "x", 1);
	string_addf(&large, "\\\"}\"}]}");
	desk_ask(&d, &a, "POST", STUDIES, large.data, 413);
	assert_int_equal(count(&d, &a), 0);
	assert_string_equal(d.fault, "");
	string_release(&large);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_studies__are_saved_and_read_by_their_link),
		cmocka_unit_test(test_studies__two_saves_at_once),
		cmocka_unit_test(test_studies__bad_requests),
	};
	const struct CMUnitTest in_both[] = {
		cmocka_unit_test(test_studies__a_request_sent_again_creates_one_study),
		cmocka_unit_test(test_studies__the_same_request_twice_at_once),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL) +
			   cmocka_run_group_tests(in_both, NULL, NULL);
	return failed + cluster_run_tests(&postgres, in_both);
}
