"""The published Python client behind an identity provider.

    python client.py URL CALL

CALL is a tool call as JSON that needs pm:write. Exit status 0 only if everything was as expected.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

CALLBACK = "http://127.0.0.1:8976/callback"


class Memory:
    """What a host keeps for the client."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Person:
    """Walks to the identity provider and back, as a browser does."""

    def __init__(self):
        self.asked = []
        self.back = None

    async def redirect(self, url: str) -> None:
        query = parse_qs(urlsplit(url).query)
        # Clients also ask for a refresh token where the provider has them.
        self.asked.append(sorted(set(query["scope"][0].split()) - {"offline_access"}))
        assert query["code_challenge_method"] == ["S256"]
        async with httpx2.AsyncClient() as browser:
            while not url.startswith(CALLBACK):
                response = await browser.get(url)
                url = str(httpx2.URL(url).join(response.headers["location"]))
        self.back = parse_qs(urlsplit(url).query)

    async def callback(self) -> AuthorizationCodeResult:
        one = {name: values[0] for name, values in self.back.items()}
        return AuthorizationCodeResult(code=one["code"], state=one.get("state"), iss=one.get("iss"))


async def main(url: str, change: dict) -> None:
    person = Person()
    auth = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(
            client_name="authorization-python",
            redirect_uris=[CALLBACK],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            token_endpoint_auth_method="none",
        ),
        storage=Memory(),
        redirect_handler=person.redirect,
        callback_handler=person.callback,
    )
    async with create_mcp_http_client(auth=auth) as http:
        async with Client(streamable_http_client(url, http_client=http), mode="auto") as client:
            assert client.protocol_version == "2026-07-28"
            tools = await client.list_tools()
            assert any(tool.name == "pm_next" for tool in tools.tools)
            found = await client.call_tool("pm_next", {})
            assert found.structured_content
            assert person.asked == [["pm:read"]], person.asked
            written = await client.call_tool(change["name"], change["arguments"])
            assert not written.is_error, written
            assert person.asked == [["pm:read"], ["pm:read", "pm:write"]], person.asked


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
