"""A server of the official Python SDK, of either major version, over HTTP on a loopback port of its own.

    server.py MODE [CERTIFICATE KEY]

Prints {"url": ..., "sdk": ...} as its only line, then serves until it is ended. Each mode declares the tools alpha and
beta, and puts something else of the protocol in a client's way:

    sse, json                   a session; answers as event streams, or as JSON
    stateless-sse, stateless-json
    http-sse                    the transport of 2024-11-05
    paging                      one tool a page
    bearer                      a login, with protected resource metadata; the token is "good-token"
    expiry                      the first session is ended by the SDK after its first page
    resume                      the event stream of the list is closed early, to be taken up again
    redirect                    the URL lacks the last slash that the route wants
"""

import asyncio
import contextlib
import importlib.metadata
import json
import socket
import sys

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http import EventStore
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route

VERSION = importlib.metadata.version("mcp")
MAJOR = int(VERSION.split(".")[0])
MODE = sys.argv[1]

if MAJOR == 1:
    import mcp.types as types
    from mcp.server.streamable_http import EventMessage
else:
    import mcp_types as types
    from mcp.server.streamable_http import EventMessage


def tool(name):
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    key = "inputSchema" if MAJOR == 1 else "input_schema"
    return types.Tool(name=name, description=f"The tool {name}.", **{key: schema})


async def pages(cursor, close_stream):
    if MODE == "resume" and close_stream is not None:
        await close_stream()
        await asyncio.sleep(0.2)
    if MODE not in ("paging", "expiry"):
        return [tool("alpha"), tool("beta")], None
    return ([tool("alpha")], "page-2") if cursor is None else ([tool("beta")], None)


def listing(tools, cursor):
    key = "nextCursor" if MAJOR == 1 else "next_cursor"
    return types.ListToolsResult(tools=tools, **{key: cursor})


def server():
    if MAJOR == 1:
        made = Server("peer", version="1.0.0")

        @made.list_tools()
        async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
            cursor = request.params.cursor if request.params else None
            return listing(*await pages(cursor, made.request_context.close_sse_stream))

        return made

    async def list_tools_2(context, params):
        cursor = params.cursor if params else None
        return listing(*await pages(cursor, getattr(context, "close_sse_stream", None)))

    return Server("peer", version="1.0.0", on_list_tools=list_tools_2)


class Events(EventStore):
    """Everything that was sent, in order."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        stream = self.events[int(last_event_id) - 1][0]
        for number, (of, message) in enumerate(self.events[int(last_event_id):], int(last_event_id) + 1):
            if of == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


class Ending:
    """Ends the first session with the SDK's own DELETE once its first page is out; its client does not know."""

    def __init__(self, app):
        self.app, self.done = app, False

    async def __call__(self, scope, receive, send):
        body = b""

        async def listen():
            nonlocal body
            message = await receive()
            body += message.get("body", b"")
            return message

        await self.app(scope, listen, send)
        if scope["type"] == "http" and b'"tools/list"' in body and not self.done:
            self.done = True
            await self.app(dict(scope, method="DELETE"), self.nothing, self.nowhere)

    async def nothing(self):
        return {"type": "http.request", "body": b"", "more_body": False}

    async def nowhere(self, message):
        pass


def streamable(path="/mcp"):
    manager = StreamableHTTPSessionManager(
        app=server(),
        json_response=MODE.endswith("json"),
        stateless=MODE.startswith("stateless"),
        event_store=Events() if MODE == "resume" else None,
        retry_interval=100 if MODE == "resume" else None,
    )

    @contextlib.asynccontextmanager
    async def lifespan(app):
        async with manager.run():
            yield

    class Endpoint:
        async def __call__(self, scope, receive, send):
            await manager.handle_request(scope, receive, send)

    return Starlette(routes=[Route(path, endpoint=Endpoint())], lifespan=lifespan)


def http_sse():
    transport, made = SseServerTransport("/messages/"), server()

    async def stream(request):
        async with transport.connect_sse(request.scope, request.receive, request._send) as (reading, writing):
            await made.run(reading, writing, made.create_initialization_options())
        return Response()

    return Starlette(routes=[Route("/sse", endpoint=stream), Mount("/messages/", app=transport.handle_post_message)])


def bearer(url):
    from mcp.server.auth.provider import AccessToken
    from mcp.server.auth.settings import AuthSettings

    class Verifier:
        async def verify_token(self, token):
            if token == "good-token":
                return AccessToken(token=token, client_id="peer", scopes=["tools:read"], resource=url)
            return None

    settings = AuthSettings(
        issuer_url="https://auth.example.test", resource_server_url=url, required_scopes=["tools:read"]
    )
    if MAJOR == 1:
        from mcp.server.fastmcp import FastMCP

        made = FastMCP("peer", auth=settings, token_verifier=Verifier())
    else:
        from mcp.server.mcpserver import MCPServer

        made = MCPServer("peer", auth=settings, token_verifier=Verifier())

    @made.tool()
    def alpha(text: str) -> str:
        """The tool alpha."""
        return text

    @made.tool()
    def beta(text: str) -> str:
        """The tool beta."""
        return text

    return made.streamable_http_app()


def main():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    tls = dict(zip(("ssl_certfile", "ssl_keyfile"), sys.argv[2:4]))
    path = "/sse" if MODE == "http-sse" else "/mcp"
    url = f"{'https' if tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}{path}"
    app = {
        "http-sse": http_sse,
        "bearer": lambda: bearer(url),
        "expiry": lambda: Ending(streamable()),
        "redirect": lambda: streamable("/mcp/"),
    }.get(MODE, streamable)()
    print(json.dumps({"url": url, "sdk": f"Python {VERSION}"}), flush=True)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, **tls)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


main()
