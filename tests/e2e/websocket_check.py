# SPDX-License-Identifier: GPL-3.0-or-later
"""WebSocket through the gateway. usage: websocket_check.py node (prints its port) | client URL (prints ok)"""
import asyncio
import sys

import websockets


async def echo(socket, path=None):
    async for message in socket:
        await socket.send(message)
        if message == "bye":
            await socket.close(4001, "said bye")


async def node():
    async with websockets.serve(echo, "127.0.0.1", 0, max_size=None, ping_interval=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Future()


async def client(url):
    async with websockets.connect(url, max_size=None, ping_interval=None) as socket:
        for i in range(1000):
            await socket.send(f"message {i}")
            assert await socket.recv() == f"message {i}"
        large = bytes(range(256)) * 16384
        await socket.send(large)
        assert await socket.recv() == large
        await (await socket.ping())
        await socket.send("bye")
        assert await socket.recv() == "bye"
        try:
            await socket.recv()
        except websockets.ConnectionClosed as closed:
            assert (closed.code, closed.reason) == (4001, "said bye")
            print("ok", flush=True)


asyncio.run(node() if sys.argv[1] == "node" else client(sys.argv[2]))
