# SPDX-License-Identifier: GPL-3.0-or-later
"""A reverse proxy as it is often written with FastAPI and httpx. usage: fastapi_gateway.py PORT NODE..."""
import itertools
import sys

import httpx
import uvicorn
from fastapi import FastAPI, Request, Response

NODES = itertools.cycle(sys.argv[2:])
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "te", "trailer", "upgrade", "host"}
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

app = FastAPI()
client = httpx.AsyncClient(limits=httpx.Limits(max_connections=None, max_keepalive_connections=256), timeout=60)


@app.api_route("/{path:path}", methods=METHODS)
async def forward(path: str, request: Request):
    headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP}
    answer = await client.request(request.method, next(NODES) + "/" + path, headers=headers, content=await request.body(), params=request.query_params)
    kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP}
    return Response(content=answer.content, status_code=answer.status_code, headers=kept)


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
