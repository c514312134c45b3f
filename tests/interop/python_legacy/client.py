"""The published Python client of the earlier revisions against the stdio server.

    python client.py stdio COMMAND WORKSPACE REVISION

Exit status 0 only if every answer was as expected.
"""

import asyncio
import json
import sys
from datetime import timedelta

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from pydantic import AnyUrl


async def pages(fetch, member):
    """Every entry of a list, page after page."""
    entries, cursor = [], None
    while True:
        page = await fetch(cursor)
        entries += getattr(page, member)
        cursor = page.nextCursor
        if cursor is None:
            return entries


async def refused(call) -> int:
    try:
        await call
    except McpError as error:
        return error.error.code
    raise AssertionError("the request was served")


async def main() -> None:
    match sys.argv[1:]:
        case ["stdio", command, workspace, revision]:
            server = StdioServerParameters(command=command, cwd=workspace, env={"PM_PATH": workspace})
        case _:
            sys.exit(__doc__)
    # The client always asks for the newest revision that it knows; one of before asks for its own.
    types.LATEST_PROTOCOL_VERSION = revision
    async with (
        stdio_client(server) as (read, write),
        ClientSession(read, write, read_timeout_seconds=timedelta(seconds=20)) as client,
    ):
        agreed = await client.initialize()
        assert agreed.protocolVersion == revision, agreed
        assert agreed.serverInfo.name == "pm-mcp" and "pm_next" in agreed.instructions
        assert agreed.capabilities.resources.subscribe and agreed.capabilities.tools
        await client.send_ping()
        await client.set_logging_level("warning")

        tools = await pages(client.list_tools, "tools")
        names = {tool.name for tool in tools}
        assert {"pm_context", "pm_next", "pm_list", "pm_search", "pm_get", "pm_events"} <= names, names

        # The client checks structured content against the output schemas that it listed.
        found = await client.call_tool("pm_next", {})
        assert not found.isError
        assert found.structuredContent["recommended"]["item"]["id"] == "demo-q7aa"
        item = await client.call_tool("pm_get", {"id": "#K3X9", "workspace": "default"})
        assert item.structuredContent["title"] == "Retry uploads: back off, then give up"
        missing = await client.call_tool("pm_get", {"id": "demo-zzzz"})
        assert missing.isError
        assert json.loads(missing.content[0].text)["code"] == "item_not_found"
        assert await refused(client.call_tool("pm_nothing", {})) == -32602

        resources = await pages(client.list_resources, "resources")
        uris = [str(resource.uri) for resource in resources]
        assert len([uri for uri in uris if uri.startswith("pm://items/demo-f")]) == 60, uris
        body = await client.read_resource(AnyUrl("pm://items/demo-w2m8/body"))
        assert "Ünïcödé body" in body.contents[0].text
        assert await refused(client.read_resource(AnyUrl("pm://items/demo-zzzz"))) == -32002
        await client.subscribe_resource(AnyUrl("pm://items/demo-w2m8"))
        await client.unsubscribe_resource(AnyUrl("pm://items/demo-w2m8"))

        prompts = await pages(client.list_prompts, "prompts")
        assert "claim-and-start" in {prompt.name for prompt in prompts}, prompts
        prompt = await client.get_prompt("claim-and-start", {"id": "demo-q7aa"})
        assert any("Name the errors worth a retry" in message.model_dump_json() for message in prompt.messages)
        reference = types.PromptReference(type="ref/prompt", name="claim-and-start")
        completed = await client.complete(reference, {"name": "id", "value": "demo-q"})
        assert completed.completion.values == ["demo-q7aa"], completed


asyncio.run(main())
