/*
 * notify.h - tells systemd how the server is: sd_notify(3), without its library.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_NOTIFY_H
#define SERVER_HTTP_NOTIFY_H

#include <stdint.h>

/*
 * Sends lines such as "READY=1" or "STOPPING=1" to $NOTIFY_SOCKET. Without one it does nothing; a
 * failure is nobody's concern but systemd's.
 */
void notify_systemd(const char *state);
/* "RELOADING=1" with the time that systemd wants; "READY=1" must follow. */
void notify_reloading(void);
/* How often systemd wants to hear "WATCHDOG=1" at least, in ms; 0: not at all. */
int64_t notify_watchdog_ms(void);

#endif
