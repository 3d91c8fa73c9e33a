/*
 * server_studies.c - studies: saving, versions, owners, limits, the preview of their links.
 * SPDX-License-Identifier: MIT
 */
#include "support/studies.h"

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
	return cmocka_run_group_tests(tests, NULL, NULL);
}
