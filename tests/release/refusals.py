"""What an installed server has to refuse. Negative controls: nothing here is served by the revision."""

import json

from peer import meta, request

REMOVED = ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/list"]


def handshake(number):
    """How a session was opened up to revision 2025-11-25."""
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    return request(number, "initialize", params, None)


def refusals(peer, revision):
    """Rows of (what, whether it was refused as it has to be)."""
    about = meta(revision)
    http = peer.kind == "http"

    def refused(message, code, status, **headers):
        got, _, answer = peer.ask(message, **headers)
        said = answer.get("error", {}).get("code")
        right = said == code and "result" not in answer and (not http or got == status)
        return None if right else f"status {got}, {json.dumps(answer)[:200]}"

    discover = lambda about: request(9, "server/discover", {}, about)
    yield "an unsupported version", refused(discover(meta("2099-01-01")), -32022, 400)
    # On stdio a request without it is one of an earlier revision, which does not know the method.
    without = discover({})
    yield "missing metadata", refused(without, *((-32602, 400) if http else (-32601, 404)), MCP_Protocol_Version=revision)
    malformed = discover({**about, "io.modelcontextprotocol/clientCapabilities": 7})
    yield "malformed metadata", refused(malformed, -32602, 400)
    get = request(9, "tasks/get", {"taskId": "t"}, about)
    yield "a missing capability", refused(get, -32021, 400)
    for method in REMOVED:
        yield f"the removed method {method}", refused(request(9, method, {}, about), -32601, 404)
    if http:
        yield "a header that says another method", refused(discover(about), -32020, 400, Mcp_Method="tools/list")
        yield "a header that says another version", refused(discover(about), -32020, 400, MCP_Protocol_Version="2025-11-25")
        yield "a missing header", refused(discover(about), -32020, 400, Mcp_Method=None)
        _, told, answer = peer.ask(handshake(9))
        session = "it handed out a session" if "mcp-session-id" in told else None
        yield "a handshake", session or (None if "error" in answer else "it was taken")
