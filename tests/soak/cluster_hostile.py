#!/usr/bin/env python3
"""cluster_hostile.py - HAProxy and three servers against clients that try to slip something past one of them.
SPDX-License-Identifier: MIT
usage: cluster_hostile.py BUILD     BUILD: the folder of the programs

What one server refuses by itself is in tests/cli/serve_hostile.py. Here both ends read each request, so that they must agree on
where it ends, whose it is and what it is called, and what never becomes a request must be bounded by HAProxy.
"""
import re
import socket
import sys
import time

import stand as stands

PATIENCE = 30
checks = failures = 0


def check(what, good, seen=""):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print(f"FAILED: {what}: {seen!r}"[:600], flush=True)


def send(port, data, seconds=3):
    """Everything that comes back until it is closed, or for that long."""
    out = b""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(seconds)
        try:
            connection.sendall(data)
            while piece := connection.recv(65536):
                out += piece
        except (TimeoutError, ConnectionError):
            pass
    return out


def statuses(out):
    return [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d\d\d)", out)]


def head(stand, line, *headers):
    lines = [line + " HTTP/1.1", f"Host: 127.0.0.1:{stand.port}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


def smuggling(stand):
    """A request in the body of another one is never answered."""
    inner = head(stand, "GET /api/v1/health/live")
    common = [f"Origin: http://127.0.0.1:{stand.port}", "Content-Type: application/json"]
    for name, headers, body in (
            ("both lengths", ["Content-Length: 4", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
            ("a coding of another name", ["Content-Length: 4", "Transfer-Encoding: xchunked"], b"{}\r\n"),
            ("a blank before the colon", ["Content-Length: 4", "Transfer-Encoding : chunked"], b"0\r\n\r\n"),
            ("a tab", ["Content-Length: 4", "Transfer-Encoding:\tchunked"], b"0\r\n\r\n"),
            ("two codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], b"0\r\n\r\n"),
            ("two lengths", ["Content-Length: 2", "Content-Length: 5"], b"{}"),
            ("a list of lengths", ["Content-Length: 2, 5"], b"{}"),
            ("a signed length", ["Content-Length: +2"], b"{}")):
        out = send(stand.port, head(stand, "POST /api/v1/plays", *common, *headers) + body + inner, 2)
        # HAProxy may read the second one as a request of its own. Then it is that of its sender, and no server joins the two.
        check(f"smuggled by {name}", statuses(out)[:1] in ([400], [411], [403], [415], []) and len(statuses(out)) <= 2, out[:200])
    out = send(stand.port, head(stand, "GET /api/v1/games", f"Content-Length: {len(inner)}") + inner)
    check("a GET with a body", statuses(out) == [400], out[:200])
    out = send(stand.port, head(stand, "GET /api/v1/me", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 777",
                                "Sec-WebSocket-Key: x", "Sec-WebSocket-Protocol: quevedo") + inner)
    check("behind an upgrade that fails", 101 not in statuses(out) and len(statuses(out)) <= 2, out[:200])


def claims(stand):
    """What only the proxy may say."""
    out = send(stand.port, head(stand, "GET /api/v1/me", "X-Request-Id: chosen"), 1)
    check("the id of a request is HAProxy's", b"chosen" not in out and b"x-request-id" in out.lower(), out[:800])
    for host in ("evil.example", "127.0.0.1.evil.example"):
        out = send(stand.port, f"GET /api/v1/me HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), 1)
        check(f"Host {host}", statuses(out) == [403], out[:100])
    out = send(stand.port, head(stand, "GET /api/v1/me", "X-Forwarded-Host: evil.example", "X-Original-URL: /metrics"), 1)
    check("other headers of proxies", statuses(out) == [200] and b"evil" not in out, out[:300])
    out = send(stand.port, head(stand, "GET /metrics"), 1)
    check("no figures for visitors", b"quevedo_requests" not in out, out[:100])
    found = []  # from an address that is not a proxy's
    connections = [socket.create_connection(("127.0.0.1", stand.port), source_address=("127.0.0.2", 0)) for _ in range(180)]
    for i, connection in enumerate(connections):  # at once: three servers let 40 of a visitor pass, each
        connection.sendall(head(stand, "GET /api/v1/me", f"X-Forwarded-For: 203.0.113.{i}", f"Forwarded: for=198.51.100.{i}"))
    for connection in connections:
        found += statuses(connection.recv(4096))
        connection.close()
    check("a visitor is limited, whatever it claims to be", 429 in found and set(found) <= {200, 429}, sorted(found))
    time.sleep(3)


def sizes(stand):
    for name, headers in (("a cookie of 100 KiB", ["Cookie: qv=" + "x" * 100000]), ("a cookie of 10 KiB", ["Cookie: qv=" + "x" * 10000]),
                          ("a thousand headers", [f"X-{i}: y" for i in range(1000)])):
        out = send(stand.port, head(stand, "GET /api/v1/me", *headers))
        check(name, statuses(out)[:1] in ([400], [431], [502], []), out[:100])
    out = send(stand.port, head(stand, "GET /api/v1/me", "Cookie: " + "qv=a.b; " * 500), 1)
    check("five hundred cookies", statuses(out) == [200], out[:100])


def slow(stand):
    """A request that never gets whole is closed, a byte a second or not."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", stand.port)) as connection:
        connection.sendall(head(stand, "GET /api/v1/me", "X-Slow: ")[:-4])
        connection.settimeout(1)
        out = None
        while out is None and time.monotonic() - began < PATIENCE:
            try:
                connection.sendall(b"a")
                out = connection.recv(1000)
            except TimeoutError:
                pass
            except ConnectionError:
                out = b""
    check("headers without end are closed", out is not None, time.monotonic() - began)


def many(stand):
    """One address cannot hold all connections of HAProxy."""
    connections = []
    for _ in range(260):
        connections.append(socket.create_connection(("127.0.0.1", stand.port)))
        connections[-1].settimeout(0.01)
    time.sleep(0.5)
    closed = 0
    for connection in connections:
        try:
            closed += connection.recv(1) == b""
        except TimeoutError:
            pass
        except ConnectionError:
            closed += 1
    check("connections beyond 200 are closed", 60 <= closed < 260, closed)
    for connection in connections:
        connection.close()
    time.sleep(0.5)
    check("and later ones are served", statuses(send(stand.port, head(stand, "GET /api/v1/me"), 1)) == [200])


def main():
    if stands.missing():
        print("hostile: skipped: no", stands.missing())
        return 0
    stand = stands.Stand(sys.argv[1])
    try:
        for part in (smuggling, claims, sizes, slow, many):
            part(stand)
        stand.heal()
    finally:
        bad = stand.end()
    for line in bad:
        check("servers end well", False, line)
    print(f"hostile: {checks} checks, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
