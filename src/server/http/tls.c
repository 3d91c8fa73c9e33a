/*
 * tls.c - the certificate: loaded again when its files change, without dropping a connection.
 * SPDX-License-Identifier: MIT
 *
 * libwebsockets loads the first certificate. For each handshake OpenSSL then asks for the present
 * one (choose_certificate): so connections that are open keep theirs, and a new one may have another
 * kind of key. A certificate is loaded and checked as a whole before it replaces the last one.
 */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include "server/http/transport.h"

enum { LOOK_MS = 10000 }; /* how often the files are looked at */

/* Nobody is there to type one. */
static int no_password(char *buffer, int size, int writing, void *ctx)
{
	(void)buffer, (void)size, (void)writing, (void)ctx;
	return 0;
}

/* NULL: the files are not valid, or do not belong together; *why is the reason, static. */
static SSL_CTX *load(const char *cert, const char *key, const char **why)
{
	SSL_CTX *loaded = SSL_CTX_new(TLS_server_method());
	*why = NULL;
	ERR_clear_error();
	if (loaded)
		SSL_CTX_set_default_passwd_cb(loaded, no_password);
	if (!loaded)
		*why = "out of memory";
	else if (SSL_CTX_use_certificate_chain_file(loaded, cert) != 1)
		*why = "the certificate cannot be read";
	else if (SSL_CTX_use_PrivateKey_file(loaded, key, SSL_FILETYPE_PEM) != 1 ||
		 SSL_CTX_check_private_key(loaded) != 1)
		*why = "the key cannot be read, or is not that of the certificate";
	ERR_clear_error();
	if (!*why)
		return loaded;
	SSL_CTX_free(loaded);
	return NULL;
}

enum qv_status web_check_certificate(const char *cert, const char *key, struct qv_error *error)
{
	const char *why;
	SSL_CTX *loaded = load(cert, key, &why);
	SSL_CTX_free(loaded);
	return loaded ? QV_OK : qv_fail(error, QV_BAD_INPUT, "--cert: %s", why);
}

/* Called by OpenSSL in a handshake. 0 ends it. */
static int choose_certificate(SSL *ssl, void *ctx)
{
	const struct web *web = ctx;
	STACK_OF(X509) *chain = NULL;
	SSL_CTX *from = web->tls.certificate;
	if (!from) /* until the first reload, libwebsockets' own */
		return 1;
	SSL_CTX_get0_chain_certs(from, &chain);
	SSL_certs_clear(ssl);
	return SSL_use_cert_and_key(ssl, SSL_CTX_get0_certificate(from),
				    SSL_CTX_get0_privatekey(from), chain, 1);
}

/*
 * TLS 1.2 with forward secrecy and authenticated encryption alone; of TLS 1.3 every suite has both.
 * A client starts no second handshake on a connection.
 */
void tls_join(struct web *web, void *ssl_ctx)
{
	SSL_CTX_set_min_proto_version(ssl_ctx, TLS1_2_VERSION);
	SSL_CTX_set_cipher_list(ssl_ctx, "ECDHE+AESGCM:ECDHE+CHACHA20");
	SSL_CTX_set_options(ssl_ctx, SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_cert_cb(ssl_ctx, choose_certificate, web);
}

/* Mixes what changes when a file is replaced or written to. */
static uint64_t stamp_of(const char *path, uint64_t stamp)
{
	struct stat about;
	if (stat(path, &about) != 0)
		return stamp * 31 + 1;
	stamp = stamp * 31 + (uint64_t)about.st_mtim.tv_sec;
	stamp = stamp * 31 + (uint64_t)about.st_mtim.tv_nsec;
	stamp = stamp * 31 + (uint64_t)about.st_ino;
	return stamp * 31 + (uint64_t)about.st_size;
}

static uint64_t stamp_of_files(const struct web *web)
{
	return stamp_of(web->setup->key, stamp_of(web->setup->cert, 0));
}

void tls_reload(struct web *web)
{
	char line[160];
	const char *why;
	if (!web->setup->cert)
		return;
	web->tls.stamp = stamp_of_files(web);
	SSL_CTX *loaded = load(web->setup->cert, web->setup->key, &why);
	if (loaded) {
		SSL_CTX_free(web->tls.certificate);
		web->tls.certificate = loaded;
		snprintf(line, sizeof line, "certificate: loaded again");
	} else {
		snprintf(line, sizeof line, "certificate: %s; the old one stays in use", why);
	}
	if (web->api)
		api_log(web->api, loaded ? "warn" : "error", line); /* seen by default */
}

void tls_look(struct web *web)
{
	const int64_t now = web_now_ms();
	if (!web->setup->cert || now < web->tls.look_ms)
		return;
	web->tls.look_ms = now + LOOK_MS;
	if (!web->tls.stamp)
		web->tls.stamp = stamp_of_files(web);
	else if (stamp_of_files(web) != web->tls.stamp)
		tls_reload(web);
}

void tls_release(struct web *web)
{
	SSL_CTX_free(web->tls.certificate);
	web->tls.certificate = NULL;
}
