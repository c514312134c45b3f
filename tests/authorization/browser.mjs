// A real browser, headless: which pages may call the bundled HTTP server.
import assert from 'node:assert/strict';
import http from 'node:http';
import { chromium } from 'playwright-core';
import { check, finish } from './check.mjs';
import { IdentityProvider } from './provider.mjs';
import { McpServer } from './server.mjs';

/** An empty page on an origin of its own. */
async function site() {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: server.address().port, origin: `http://127.0.0.1:${server.address().port}` };
}

/** Lists the tools from within a page, by fetch, as any web client would. */
async function listed(page, url, token) {
  return page.evaluate(
    async ([place, bearer]) => {
      const revision = '2026-07-28';
      const meta = {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/list',
      };
      if (bearer) headers.authorization = `Bearer ${bearer}`;
      try {
        const response = await fetch(place, {
          method: 'POST',
          headers,
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
        });
        const body = await response.json();
        return {
          status: response.status,
          tools: body.result?.tools?.length,
          challenge: response.headers.get('www-authenticate'),
        };
      } catch (error) {
        return { failed: String(error) };
      }
    },
    [url, token],
  );
}

const executablePath = process.env.PM_AUTHORIZATION_CHROMIUM;
const friend = await site();
const other = await site();
const provider = await IdentityProvider.start();
const open = await McpServer.start({
  PM_MCP_HTTP_RESOURCE: undefined,
  PM_MCP_HTTP_ALLOWED_ORIGINS: friend.origin,
});
const guarded = await McpServer.start({
  PM_MCP_HTTP_VERIFIER: 'jwt',
  PM_MCP_HTTP_AUTH_ISSUER: provider.issuer,
  PM_MCP_HTTP_ALLOWED_ORIGINS: friend.origin,
});
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // A name that an attacker owns and that leads to this machine.
    '--host-resolver-rules=MAP rebound.example 127.0.0.1',
  ],
});
const on = async (origin) => {
  const page = await browser.newPage();
  await page.goto(origin);
  return page;
};

await check('a page on an allowed origin lists the tools by fetch', async () => {
  const answer = await listed(await on(friend.origin), open.url);
  assert.equal(answer.status, 200, JSON.stringify(answer));
  assert.ok(answer.tools > 0);
});

await check('a page on another origin is refused and reads nothing', async () => {
  const answer = await listed(await on(other.origin), open.url);
  assert.match(answer.failed ?? JSON.stringify(answer), /Failed to fetch/);
});

await check('a page on a name that was bound anew to this machine is refused', async () => {
  const page = await on(`http://rebound.example:${friend.port}`);
  // Its own origin: the browser asks nobody for leave, and only the server can tell.
  const near = await on(`http://rebound.example:${open.port}/mcp`);
  const answer = await listed(near, `http://rebound.example:${open.port}/mcp`);
  assert.ok(answer.failed || answer.status === 403 || answer.status === 421, JSON.stringify(answer));
  assert.equal(answer.tools, undefined);
  const across = await listed(page, open.url);
  assert.match(across.failed ?? JSON.stringify(across), /Failed to fetch/);
});

await check('a page on an allowed origin reads the challenge, follows it, and is let in with a token', async () => {
  const page = await on(friend.origin);
  const without = await listed(page, guarded.url);
  assert.equal(without.status, 401, JSON.stringify(without));
  const [, place] = without.challenge.match(/resource_metadata="([^"]+)"/);
  const metadata = await page.evaluate(async (url) => (await fetch(url)).json(), place);
  assert.deepEqual(metadata.authorization_servers, [provider.issuer]);
  const { access_token: token } = await provider.tokens({ resource: guarded.url });
  const answer = await listed(page, guarded.url, token);
  assert.equal(answer.status, 200, JSON.stringify(answer));
  assert.ok(answer.tools > 0);
  const foreign = await listed(await on(other.origin), guarded.url, token);
  assert.match(foreign.failed ?? JSON.stringify(foreign), /Failed to fetch/);
});

await browser.close();
await open.stop();
await guarded.stop();
finish();
