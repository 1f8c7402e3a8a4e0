# SPDX-License-Identifier: GPL-3.0-or-later
"""A reverse proxy as it is often written with aiohttp: one session, nodes in turn. usage: aiohttp_gateway.py PORT NODE..."""
import asyncio
import itertools
import sys

from aiohttp import ClientSession, TCPConnector, web

try:
    import uvloop

    uvloop.install()
except ImportError:
    pass

NODES = itertools.cycle(sys.argv[2:])
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "te", "trailer", "upgrade", "host"}


async def forward(request):
    headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP}
    body = await request.read() if request.body_exists else None
    async with request.app["session"].request(request.method, next(NODES) + request.path_qs, headers=headers, data=body) as answer:
        kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP}
        return web.Response(status=answer.status, headers=kept, body=await answer.read())


async def main():
    app = web.Application()
    app["session"] = ClientSession(connector=TCPConnector(limit=0), auto_decompress=False)
    app.router.add_route("*", "/{path:.*}", forward)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", int(sys.argv[1])).start()
    await asyncio.Event().wait()


asyncio.run(main())
