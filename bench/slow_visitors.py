#!/usr/bin/env python3
# slow_visitors.py - visitors who make a web server hold memory: they ask for much and read nothing, send bodies that stop short, fill the lobby.
# SPDX-License-Identifier: MIT
# usage: slow_visitors.py URL PID sockets|bodies|lobby CONNECTIONS ADDRESSES SECONDS
# ADDRESSES: of one IPv6 /48, or with a v before the number, IPv4. The server has to run with --trust-proxy 127.0.0.9.
# Prints one JSON object: MB of the process and of what the system has queued, both at most, connections, and those that the server has closed.
import json
import os
import selectors
import socket
import sys
import time

PROXY = "127.0.0.9"
RATE = 19  # requests a second of one address: just within the limit
SITE_RATE = 300  # ... and of one /48


def address(number, count):
    number %= int(count.lstrip("v"))
    return f"10.7.{number // 250}.{number % 250 + 1}" if count[0] == "v" else f"2001:db8:7:{number:x}::1"


def memory(pid, port):
    """Bytes of the process, and of its send queues."""
    pages = int(open(f"/proc/{pid}/statm").read().split()[1])
    queued = 0
    for line in open("/proc/net/tcp"):
        fields = line.split()
        if fields[1].endswith(f":{port:04X}") and fields[3] != "0A":
            queued += int(fields[4].split(":")[0], 16)
    return pages * os.sysconf("SC_PAGESIZE"), queued


def frame(kind, data=b""):
    head = bytes([0x80 | kind, 0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | kind, 0xfe]) + len(data).to_bytes(2, "big")
    return head + bytes(4) + data


class Attack:
    def __init__(self, url, pid, kind, connections, addresses, seconds):
        self.host = url.split("//")[1].rstrip("/")
        self.port, self.url, self.pid, self.kind = int(self.host.rsplit(":", 1)[1]), url.rstrip("/"), pid, kind
        self.count, self.addresses, self.seconds = int(connections), addresses, float(seconds)
        rate = RATE * int(addresses.lstrip("v"))
        self.rate = min(rate, SITE_RATE) if addresses[0] != "v" else rate
        self.open, self.closed, self.most, self.queued = [], 0, 0, 0
        self.statuses = {}

    def connect(self, buffer=None):
        s = socket.socket()
        s.bind((PROXY, 0))
        if buffer:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        s.connect(("127.0.0.1", self.port))
        return s

    def request(self, number, method, path, body=None, buffer=None, length=None, more=""):
        s = self.connect(buffer)
        body = json.dumps(body).encode() if body is not None else b""
        s.sendall(f"{method} /api/v1/{path} HTTP/1.1\r\nHost: {self.host}\r\nOrigin: {self.url}\r\n{more}"
                  f"X-Forwarded-For: {address(number, self.addresses)}\r\nX-Forwarded-Proto: http\r\n"
                  .encode() + (f"Content-Type: application/json\r\nContent-Length: {length or len(body)}\r\n".encode() if body else b"") +
                  b"\r\n" + body)
        return s

    def answer(self, s):
        text = b""
        while part := s.recv(65536):
            text += part
        s.close()
        head, _, body = text.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head else 0
        self.statuses[status] = self.statuses.get(status, 0) + 1
        return status, body

    def long_game(self):
        """Its JSON has 454 kB, and costs one request."""
        record = '{"quevedo":1,"game":"starchess:limit=9999","position":"start","seats":["human","human","human","human"]}\n'
        record += ('{"move":"end"}\n' + json.dumps({"note": "x" * 1990}) + "\n") * 220
        status, body = self.answer(self.request(0, "POST", "plays", {"private": True, "record": record}))
        assert status == 201, (status, body)
        return json.loads(body)["id"]

    def socket(self, number):
        s = self.request(number, "GET", "ws", buffer=4096, more="Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: quevedo\r\n")
        s.setblocking(False)
        self.open.append(s)

    def look(self):
        most, queued = memory(self.pid, self.port)
        self.most, self.queued = max(self.most, most), max(self.queued, queued)

    def send(self, s, data):
        """False: the server has closed the connection."""
        try:
            s.send(data)
            return True
        except BlockingIOError:
            return True
        except OSError:
            self.open.remove(s)
            self.closed += 1
            s.close()
            return False

    def paced(self, what):
        """Calls each with a number, no faster than the limits allow; looks at the memory meanwhile."""
        began, number, looked = time.monotonic(), 0, 0
        for act in what:
            while number > self.rate * (time.monotonic() - began):
                time.sleep(0.002)
            if time.monotonic() > looked + 0.2:
                looked = time.monotonic()
                self.look()
            act()
            number += 1

    def keep(self):
        """Sends pongs, which are no sign of reading, and looks at the memory."""
        ends = time.monotonic() + self.seconds
        ponged = 0
        while time.monotonic() < ends:
            if self.kind == "sockets" and time.monotonic() > ponged + 10:
                ponged = time.monotonic()
                for s in list(self.open):
                    self.send(s, frame(10))
            self.look()
            time.sleep(0.2)

    def run(self):
        if self.kind == "sockets":
            ask = b'{"id":%d,"method":"GET","path":"/api/v1/plays/' + self.long_game().encode() + b'"}'
            self.paced([lambda i=i: self.socket(i) for i in range(self.count)])
            for turn in range(1, 4):
                self.paced([lambda s=s: self.send(s, frame(1, ask % turn)) for s in list(self.open)])
        elif self.kind == "bodies":
            body = {"game": "noughts", "record": "x" * 1040000}
            self.paced([lambda i=i: self.open.append(self.request(i, "POST", "plays", body, length=1048576)) for i in range(self.count)])
        else:  # each is there and may be joined
            self.paced([lambda i=i: self.game(i) for i in range(self.count)])
        self.keep()
        return {"process": round(self.most / 1e6), "queued": round(self.queued / 1e6), "connections": self.count, "closed": self.count_closed(),
                "statuses": self.statuses}

    def game(self, number):
        s = self.request(number, "POST", "plays", {"game": "noughts", "seats": ["human", "open"]})
        status, body = self.answer(s)
        if status == 201:
            made = json.loads(body)
            self.open.append(self.request(number, "GET", f"plays/{made['id']}/events", more=f"Authorization: Bearer {made['seat_token']}\r\n"))

    def count_closed(self):
        """Those that were reset or ended, which shows in reading."""
        for s in list(self.open):
            s.setblocking(False)
            try:
                while (data := s.recv(65536)):
                    pass
                ended = True
            except BlockingIOError:
                ended = False
            except OSError:
                ended = True
            self.closed += ended
        return self.closed


if __name__ == "__main__":
    print(json.dumps(Attack(*sys.argv[1:]).run()))
