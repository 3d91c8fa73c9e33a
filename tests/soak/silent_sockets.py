# silent_sockets.py - WebSockets that send nothing are pinged after 30 s, and closed after 45 s if they do not answer.
# SPDX-License-Identifier: MIT
# usage: silent_sockets.py QUEVEDO WORK_DIR
import select
import socket
import subprocess
import sys
import time

quevedo, work = sys.argv[1:3]
server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", work + "/data"], stdout=subprocess.PIPE, text=True)
try:
    port = int(server.stdout.readline().rstrip().rstrip("/").rsplit(":", 1)[1])

    def connect():
        s = socket.create_connection(("127.0.0.1", port))
        s.sendall((f"GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                   "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: quevedo\r\n\r\n").encode())
        assert s.recv(4096).startswith(b"HTTP/1.1 101"), "no upgrade"
        return s

    answers, silent, talks = connect(), connect(), connect()
    names = {answers: "answers", silent: "silent", talks: "talks"}
    pings, closed = {"answers": [], "silent": [], "talks": []}, {}
    began = time.monotonic()
    spoke = 0
    while time.monotonic() - began < 80:
        for s in select.select([s for s in names if names[s] not in closed], [], [], 0.5)[0]:
            data, at = s.recv(4096), time.monotonic() - began
            if not data or data[0] == 0x88:
                closed[names[s]] = at
            elif data[0] == 0x89:
                pings[names[s]].append(at)
                if s is answers:
                    s.sendall(bytes([0x8a, 0x80 | data[1], 0, 0, 0, 0]) + data[2:2 + data[1]])
        if time.monotonic() - began > spoke + 20:
            spoke += 20
            talks.sendall(b"\x81\x82\0\0\0\0{}")  # refused, but heard
    print("pings", pings, "closed", closed)
    assert 29 < pings["silent"][0] < 34 and len(pings["silent"]) == 1, "one ping after 30 s of silence"
    assert 44 < closed["silent"] < 49, "closed after 45 s of silence"
    assert len(pings["answers"]) == 2 and "answers" not in closed, "a socket that answers stays"
    assert not pings["talks"] and "talks" not in closed, "a socket that talks needs no ping"
finally:
    server.terminate()
    server.wait()
