"""The published Python client against one server.

    python client.py stdio COMMAND WORKSPACE
    python client.py http URL

Exit status 0 only if every answer was as expected.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference


def target() -> StdioServerParameters | str:
    match sys.argv[1:]:
        case ["stdio", command, workspace]:
            return StdioServerParameters(command=command, cwd=workspace, env={"PM_PATH": workspace})
        case ["http", url]:
            return url
        case _:
            sys.exit(__doc__)


async def pages(fetch, member):
    """Every entry of a list, page after page, and how many pages there were."""
    entries, cursor, count = [], None, 0
    while True:
        page = await fetch(cursor=cursor)
        entries += getattr(page, member)
        cursor, count = page.next_cursor, count + 1
        if cursor is None:
            return entries, count


async def refused(call) -> int:
    try:
        await call
    except MCPError as error:
        return error.error.code
    raise AssertionError("the request was served")


async def main() -> None:
    async with Client(target(), mode="auto", read_timeout_seconds=20) as client:
        assert client.protocol_version == "2026-07-28"
        discovered = await client.session.discover()
        assert "2026-07-28" in discovered.supported_versions
        assert "pm_next" in discovered.instructions
        assert discovered.capabilities.tools and discovered.capabilities.completions

        tools, _ = await pages(client.list_tools, "tools")
        names = [tool.name for tool in tools]
        assert {"pm_context", "pm_next", "pm_list", "pm_search", "pm_get", "pm_events"} <= set(names), names
        assert len(set(names)) == len(names), names
        assert all(tool.input_schema["type"] == "object" and tool.output_schema for tool in tools)

        found = await client.call_tool("pm_next", {})
        assert not found.is_error
        assert found.structured_content["recommended"]["item"]["id"] == "demo-q7aa"
        assert "demo-k3x9" in [item["id"] for item in found.structured_content["held"]]

        # `workspace` is mirrored into a header over HTTP.
        item = await client.call_tool("pm_get", {"id": "#K3X9", "workspace": "default"})
        assert not item.is_error
        assert item.structured_content["id"] == "demo-k3x9"
        assert item.structured_content["title"] == "Retry uploads: back off, then give up"
        assert item.structured_content["version"] == 3

        missing = await client.call_tool("pm_get", {"id": "demo-zzzz"})
        assert missing.is_error
        assert json.loads(missing.content[0].text)["code"] == "item_not_found"
        assert await refused(client.call_tool("pm_nothing", {})) == -32602

        resources, count = await pages(client.list_resources, "resources")
        uris = [str(resource.uri) for resource in resources]
        assert count > 1, "the list has several pages"
        assert "pm://workspace/next" in uris and "pm://items/demo-q7aa" in uris
        assert len([uri for uri in uris if uri.startswith("pm://items/demo-f")]) == 60, uris
        assert len(set(uris)) == len(uris), uris
        read = await client.read_resource("pm://items/demo-w2m8")
        assert json.loads(read.contents[0].text)["title"] == "Ship the café menu"
        body = await client.read_resource("pm://items/demo-w2m8/body")
        assert "Ünïcödé body" in body.contents[0].text
        assert await refused(client.read_resource("pm://items/demo-zzzz")) == -32602

        prompts, _ = await pages(client.list_prompts, "prompts")
        wanted = {"orient", "claim-and-start", "record-evidence-and-close", "skill/triage"}
        assert wanted <= {prompt.name for prompt in prompts}, prompts
        prompt = await client.get_prompt("claim-and-start", {"id": "demo-q7aa"})
        assert any("Name the errors worth a retry" in message.model_dump_json() for message in prompt.messages)

        of_prompt = await client.complete(
            PromptReference(type="ref/prompt", name="claim-and-start"), {"name": "id", "value": "demo-q"}
        )
        assert of_prompt.completion.values == ["demo-q7aa"], of_prompt
        templates, _ = await pages(client.list_resource_templates, "resource_templates")
        template = next(entry for entry in templates if "/history/{version}" in entry.uri_template)
        of_template = await client.complete(
            ResourceTemplateReference(type="ref/resource", uri=template.uri_template),
            {"name": "version", "value": ""},
            context_arguments={"id": "demo-k3x9"},
        )
        assert sorted(of_template.completion.values) == ["1", "2", "3"], of_template


asyncio.run(main())
