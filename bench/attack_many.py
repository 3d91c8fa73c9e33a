"""attack_many.py - how long GET /me of somebody else takes while several addresses send what is costly, as often as they may.

SPDX-License-Identifier: MIT
usage: bench/attack_many.py QUEVEDO ATTACK ADDRESSES [SECONDS]
ATTACK: none, analysis, openings, course, files, handshakes. ADDRESSES: a number, or 48 for networks of one IPv6 /48.
It starts a server on the loopback interface. Several addresses are those that a proxy names; TLS has 127.0.0.2 and so on.
Prints a line: requests answered a second, share of the event loop's thread, milliseconds of GET /me, statuses.
Ends with status 1 if the 95th percentile is over 100 ms.
"""
import collections
import http.client
import json
import multiprocessing
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

LINKS = 4  # of one address
quevedo, attack, many = sys.argv[1:4]
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 10
tls = attack == "handshakes"
work = tempfile.TemporaryDirectory()


def start():
    options = ["--trust-proxy", "127.0.0.1"]
    if tls:
        options = ["--cert", work.name + "/cert.pem", "--key", work.name + "/key.pem"]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                        "-keyout", options[3], "-out", options[1]], check=True, stderr=subprocess.DEVNULL)
    process = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", work.name + "/data", *options],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, int(re.search(r":(\d+)/", process.stdout.readline())[1])


def connect(source):
    link = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0) if tls else None)
    if not tls:
        return link
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(link)


def ask(address, method, path, body=None):
    """The status."""
    data = json.dumps(body).encode() if body else b""
    head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(data)}"]
    head += [] if tls else [f"X-Forwarded-For: {address}"]
    head += ["Content-Type: application/json"] if body else []
    with connect(address) as link:
        link.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + data)
        status = link.recv(12)[9:].decode()
        while link.recv(65536):
            pass
    return status or "closed"


def shake(address):
    """Begins a handshake and leaves."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        context.wrap_bio(incoming, outgoing).do_handshake()
    except ssl.SSLWantReadError:
        pass
    with socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(address, 0)) as link:
        link.sendall(outgoing.read())
        return "begun" if link.recv(1) else "closed"


def costly(address):
    if attack == "analysis":
        return ask(address, "POST", "/api/v1/analysis", {"game": "chess", "player": "level:1", "time": 1})
    if attack == "openings":
        return ask(address, "GET", "/api/v1/openings?game=chess")
    if attack == "course":
        moves = ["end"] * 1000
        return ask(address, "POST", "/api/v1/positions", {"game": "starchess:limit=9999", "course": True, "moves": moves})
    return ask(address, "GET", largest) if attack == "files" else shake(address)


def largest_file():
    link = http.client.HTTPConnection("127.0.0.1", port)
    link.request("GET", "/engine/manifest.json")
    answer = link.getresponse()
    files = json.loads(answer.read()) if answer.status == 200 else {"data": {}}
    return "/" + files["data"].get("chess", "")


def attacker(address, end, statuses):
    rate = (200 if attack == "files" else 500 if tls else 20) / LINKS
    due = time.monotonic()
    while time.monotonic() < end:
        try:
            status = costly(address)
        except OSError:
            status = "closed"
        with lock:
            statuses[status] += 1
        due = max(due + 1 / rate, time.monotonic() - 1)
        time.sleep(max(0, due - time.monotonic()))


def attack_all(end, out):
    """In a process of its own: its threads do not hold up what is measured."""
    if attack == "none":
        addresses = []
    elif many == "48":
        addresses = [f"2001:db8:1:{i:x}::1" for i in range(1, 25)]
    else:
        addresses = [f"127.0.0.{2 + i}" if tls else f"10.0.{i}.1" for i in range(int(many))]
    statuses = collections.Counter()
    threads = [threading.Thread(target=attacker, args=(a, end, statuses)) for a in addresses for _ in range(LINKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    out.put(dict(statuses))


def loop_seconds():
    with open(f"/proc/{process.pid}/task/{process.pid}/schedstat") as stat:
        return int(stat.read().split()[0]) / 1e9


process, port = start()
largest = largest_file() if attack == "files" else ""
lock, out, took = threading.Lock(), multiprocessing.Queue(), []
end = time.monotonic() + seconds
attackers = multiprocessing.Process(target=attack_all, args=(end, out))
attackers.start()
began, busy = time.monotonic(), loop_seconds()
while time.monotonic() < end:
    asked = time.monotonic()
    if ask("127.0.1.1" if tls else "192.0.2.1", "GET", "/api/v1/me") == "200":
        took.append(1000 * (time.monotonic() - asked))
    time.sleep(0.2)
share = (loop_seconds() - busy) / (time.monotonic() - began)
statuses = out.get()
attackers.join()
process.terminate()
process.wait()
took.sort()
p50, p95 = (took[int(part * len(took))] for part in (0.5, 0.95)) if took else (0, 1e9)
print(f"{attack:11} {many:>4} {sum(statuses.values()) / seconds:8.1f}/s {100 * share:6.1f} % {p50:8.1f} {p95:8.1f}   {statuses}")
sys.exit(p95 > 100)
