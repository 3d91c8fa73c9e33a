/*
 * server_logins.c - how often a password may be tried: by address, by name, from a known device.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/login_limits.h"
#include "support/api_desk.h"

#define GOOD "{\"name\":\"Ada\",\"password\":\"correct horse\"}"

/* The status of a login, and the device's cookie if it is wanted. */
static int try(struct api_desk *d, const struct visitor *who, const char *name,
	       const char *password, char device[API_COOKIE])
{
	char body[256];
	snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"%s\"}", name, password);
	const struct desk_call *call = desk_wait(d, desk_send(d, who, "POST", "/api/v1/login", body), 1);
	if (device)
		snprintf(device, API_COOKIE, "%s", call->last->device ? call->last->device : "");
	return call->last->status;
}

/* A visitor of an address that nobody else has. */
static struct visitor stranger(struct api_desk *d)
{
	static const char form[] = "10.%d.%d.1";
	struct visitor who = desk_visitor(d);
	snprintf(who.address, sizeof who.address, form, (int)(d->calls / 200), (int)(d->calls % 200));
	return who;
}

static void open_with_account(struct api_desk *d)
{
	desk_open(d, 1, 1);
	d->now = clock_us() / 1000 + 60000;
	d->frozen = true;
	const struct visitor who = stranger(d);
	desk_ask(d, &who, "POST", "/api/v1/accounts", GOOD, 201);
	d->now += 60000;
}

/* From however many addresses: five guesses at a name, then fewer and fewer. */
static void test_logins__a_name_is_guessed_at_rarely(void **state)
{
	struct api_desk d;
	(void)state;
	open_with_account(&d);
	for (int known = 0; known < 2; known++) {
		/* Letter case makes no other name; one that nobody has looks the same. */
		static const char *const names[2][2] = { { "nobody", "NOBODY" }, { "Ada", "aDa" } };
		int checked = 0;
		for (int i = 0; i < 30; i++) {
			const struct visitor who = stranger(&d);
			const int status = try(&d, &who, names[known][i % 2], "wrong horse", NULL);
			checked += status == 401;
			assert_true(status == 401 || status == 429);
		}
		assert_int_equal(checked, LIMIT_GUESSES);
	}
	/* Another name is not concerned, and time heals. */
	const struct visitor other = stranger(&d);
	assert_int_equal(try(&d, &other, "somebody", "wrong horse", NULL), 401);
	d.now += 3600000;
	assert_int_equal(try(&d, &other, "ada", "correct horse", NULL), 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* While strangers guess without end, the owner still gets in from a device that was in before. */
static void test_logins__a_known_device_is_not_locked_out(void **state)
{
	struct api_desk d;
	char device[API_COOKIE], forged[API_COOKIE];
	(void)state;
	open_with_account(&d);
	struct visitor owner = stranger(&d);
	assert_int_equal(try(&d, &owner, "Ada", "correct horse", device), 200);
	assert_true(*device);
	for (int i = 0; i < 2 * LIMIT_GUESSES; i++) {
		const struct visitor who = stranger(&d);
		try(&d, &who, "Ada", "wrong horse", NULL);
	}
	struct visitor back = stranger(&d);
	assert_int_equal(try(&d, &back, "Ada", "correct horse", NULL), 429);
	/* A value that this server has not made is as good as none. */
	snprintf(forged, sizeof forged, "%s", device);
	forged[strlen(forged) - 2] ^= 1;
	api_know_device(d.api, forged, &back);
	assert_string_equal(back.device, "");
	api_know_device(d.api, "", &back);
	assert_string_equal(back.device, "");
	assert_int_equal(try(&d, &back, "Ada", "correct horse", NULL), 429);
	api_know_device(d.api, device, &back);
	assert_int_equal(try(&d, &back, "Ada", "correct horse", NULL), 200);
	/* Its own guesses are limited, too, and it is known for this account only. */
	int checked = 0;
	for (int i = 0; i < 20; i++)
		checked += try(&d, &back, "Ada", "wrong horse", NULL) == 401;
	assert_int_equal(checked, LIMIT_GUESSES);
	checked = 0;
	for (int i = 0; i < 20; i++)
		checked += try(&d, &back, "eve", "wrong horse", NULL) == 401;
	assert_in_range(checked, 1, LIMIT_GUESSES);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* New accounts and logins of one address are counted apart. */
static void test_logins__an_address_has_two_limits(void **state)
{
	struct api_desk d;
	char name[16], body[80];
	int tried = 0, made = 0;
	(void)state;
	open_with_account(&d);
	const struct visitor who = stranger(&d);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "name%d", i);
		tried += try(&d, &who, name, "wrong horse", NULL) == 401;
	}
	for (int i = 0; i < 20; i++) {
		snprintf(body, sizeof body, "{\"name\":\"ada\",\"password\":\"wrong horse %d\"}", i);
		made += desk_wait(&d, desk_send(&d, &who, "POST", "/api/v1/accounts", body), 1)
				->last->status == 409;
	}
	assert_int_equal(tried, 5);
	assert_int_equal(made, 5);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_logins__a_name_is_guessed_at_rarely),
		cmocka_unit_test(test_logins__a_known_device_is_not_locked_out),
		cmocka_unit_test(test_logins__an_address_has_two_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
