// The bundled HTTP server behind a real identity provider: which token gets which status and challenge.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { IdentityProvider, tools } from './provider.mjs';
import { McpServer, written } from './server.mjs';
import { check, finish } from './check.mjs';

const seconds = () => Math.floor(Date.now() / 1000);
const base64 = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Asks again until the status is the wanted one: what is waited for is another process's clock. */
async function until(status, ask) {
  const end = Date.now() + 20_000;
  for (;;) {
    const found = await ask();
    assert.ok([status, 200, 401, 503].includes(found), `${found} in place of ${status}`);
    if (found === status) return;
    assert.ok(Date.now() < end, `the status stays ${found}, and ${status} was waited for`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const secrets = new Set([tools.secret]);
const secret = (token) => {
  secrets.add(token);
  return token;
};

function refused(answer, error = 'invalid_token') {
  assert.equal(answer.status, 401, answer.text);
  assert.equal(answer.challenge.scheme, 'Bearer');
  assert.equal(answer.challenge.error ?? null, error);
  assert.match(answer.challenge.resource_metadata, /^http:\/\/127\.0\.0\.1:\d+\/\.well-known\/oauth-protected-resource/);
  assert.ok(answer.body?.error, 'a refusal is a JSON-RPC error');
}

const provider = await IdentityProvider.start();
const stranger = await IdentityProvider.start();
const jwt = (more = {}) =>
  McpServer.start({ PM_MCP_HTTP_VERIFIER: 'jwt', PM_MCP_HTTP_AUTH_ISSUER: provider.issuer, ...more });

const server = await jwt();
const resource = server.url;
const granted = await provider.tokens({ resource });
const good = secret(granted.access_token);

await check('the metadata of the resource names the issuer and the scopes, without a token', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const response = await fetch(new URL(path, server.url));
    const metadata = await response.json();
    assert.equal(response.status, 200);
    assert.equal(metadata.resource, resource);
    assert.deepEqual(metadata.authorization_servers, [provider.issuer]);
    assert.deepEqual(metadata.scopes_supported, ['pm:read', 'pm:write']);
    assert.deepEqual(metadata.bearer_methods_supported, ['header']);
  }
});

await check('without a token the answer is 401 with the way to one and no error', async () => {
  const answer = await server.ask('tools/list');
  refused(answer, null);
  assert.match(answer.challenge.scope, /pm:read/);
  const metadata = await (await fetch(answer.challenge.resource_metadata)).json();
  assert.deepEqual(metadata.authorization_servers, [provider.issuer]);
});

await check('a token by authorization code, PKCE and resource is accepted', async () => {
  const list = await server.ask('tools/list', {}, { token: good });
  assert.equal(list.status, 200, list.text);
  assert.ok(list.body.result.tools.some((tool) => tool.name === 'pm_next'));
  const call = await server.ask('tools/call', { name: 'pm_next', arguments: {} }, { token: good });
  assert.equal(call.status, 200, call.text);
  assert.ok(call.body.result.structuredContent);
});

await check('a refreshed token is accepted', async () => {
  const first = await provider.tokens({ resource, scope: 'offline_access pm:read pm:write' });
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: first.refresh_token, client_id: 'shell', resource });
  const second = await (await fetch(`${provider.issuer}/token`, { method: 'POST', body: form })).json();
  assert.equal(await server.status(secret(second.access_token)), 200);
});

await check('a token for another resource is refused', async () => {
  for (const other of ['http://127.0.0.1:9/mcp', `${resource}/`, resource.replace('/mcp', '')]) {
    const { access_token: token } = await provider.tokens({ resource: other });
    refused(await server.ask('tools/list', {}, { token: secret(token) }));
  }
});

await check('a token of another issuer is refused, also one that names ours', async () => {
  const { access_token: token } = await stranger.tokens({ resource });
  refused(await server.ask('tools/list', {}, { token: secret(token) }));
  const posing = secret(await stranger.sign({ iss: provider.issuer, aud: resource }));
  refused(await server.ask('tools/list', {}, { token: posing }));
  const named = secret(await stranger.sign({ iss: provider.issuer, aud: resource }, { header: { kid: provider.key.kid } }));
  refused(await server.ask('tools/list', {}, { token: named }));
});

await check('a token whose time is over or has not come is refused, with the leeway that is set', async () => {
  const now = seconds();
  for (const [claims, status] of [
    [{ exp: now - 20 }, 200],
    [{ exp: now - 120 }, 401],
    [{ nbf: now + 20 }, 200],
    [{ nbf: now + 120 }, 401],
  ]) {
    const token = secret(await provider.sign({ aud: resource, ...claims }));
    const answer = await server.ask('tools/list', {}, { token });
    if (status === 401) refused(answer);
    else assert.equal(answer.status, 200, answer.text);
  }
});

await check('what another client was given for itself is refused', async () => {
  const tokens = await provider.tokens({ resource, scope: 'openid pm:read' });
  refused(await server.ask('tools/list', {}, { token: secret(tokens.id_token) }));
  const other = await provider.tokens({ resource: 'http://127.0.0.1:9/mcp' });
  refused(await server.ask('tools/list', {}, { token: secret(other.access_token) }));
  refused(await server.ask('tools/list', {}, { token: 'AIIbYKClgwI5w5KjHoJ4ercgAHaPmtF3aHeL2slKLEn' }));
});

await check('too few scopes are 403 with all that the operation needs', async () => {
  const none = secret(await provider.sign({ aud: resource, scope: 'openid' }));
  const answer = await server.ask('tools/list', {}, { token: none });
  assert.equal(answer.status, 403, answer.text);
  assert.equal(answer.challenge.error, 'insufficient_scope');
  assert.equal(answer.challenge.scope, 'pm:read');
  assert.match(answer.challenge.resource_metadata, /oauth-protected-resource/);
});

await check('forged tokens are refused', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const own = { ...(await exportJWK(privateKey)), alg: 'ES256', kid: provider.key.kid };
  const { d: _, ...published } = own;
  const { keys } = await (await fetch(`${provider.issuer}/jwks`)).json();
  const body = base64({ iss: provider.issuer, sub: 'ada', aud: resource, exp: seconds() + 600, scope: 'pm:read pm:write' });
  const [header, claims, signature] = good.split('.');
  const signed = (text, key) => `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  const forged = [
    await provider.sign({ aud: resource }, { key: own }),
    await provider.sign({ aud: resource }, { key: own, header: { jwk: published } }),
    await provider.sign({ aud: resource }, { key: own, header: { jku: `${stranger.issuer}/jwks`, kid: stranger.key.kid } }),
    `${base64({ alg: 'none', typ: 'at+jwt' })}.${body}.`,
    `${base64({ alg: 'none' })}.${body}.${signature}`,
    signed(`${base64({ alg: 'HS256', kid: keys[0].kid })}.${body}`, JSON.stringify(keys[0])),
    signed(`${base64({ alg: 'HS256', kid: keys[1].kid })}.${body}`, keys[1].n),
    `${header}.${body}.${signature}`,
    `${header}.${claims}.${signature.slice(0, -4)}`,
    `${good}x`,
    `${header}.${claims}`,
  ];
  for (const token of forged) refused(await server.ask('tools/list', {}, { token: secret(token) }));
});

await check('a token is taken from the Authorization header alone', async () => {
  const place = new URL(server.url);
  place.searchParams.set('access_token', good);
  const response = await fetch(place, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  assert.ok([400, 401, 404].includes(response.status), String(response.status));
  written.push(await response.text());
});

await server.stop();

await check('keys change while the server runs, and the old ones end', async () => {
  const running = await jwt({ PM_MCP_HTTP_KEYS_FRESH_MS: '500' });
  const before = secret((await provider.tokens({ resource: running.url })).access_token);
  assert.equal(await running.status(before), 200);
  await provider.rotate();
  const after = secret((await provider.tokens({ resource: running.url })).access_token);
  await until(200, () => running.status(after));
  await until(401, () => running.status(before));
  assert.equal(await running.status(after), 200);
  await running.stop();
});

await check('while the provider is down its keys serve to the limit, then 503, never 200, and it heals', async () => {
  const running = await jwt({ PM_MCP_HTTP_KEYS_FRESH_MS: '500', PM_MCP_HTTP_KEYS_STALE_MS: '3000' });
  const token = secret((await provider.tokens({ resource: running.url })).access_token);
  assert.equal(await running.status(token), 200);
  await provider.down();
  const began = Date.now();
  assert.equal(await running.status(token), 200, 'the known keys serve');
  await until(503, () => running.status(token));
  assert.ok(Date.now() - began >= 1000, 'the limit was waited for');
  const answer = await running.ask('tools/list', {}, { token });
  assert.equal(answer.status, 503);
  assert.equal(answer.challenge, undefined, 'an outage asks nobody for another token');
  await provider.up();
  await until(200, () => running.status(token));
  await running.stop();
});

await check('a server that starts while its provider is down says so and serves later', async () => {
  await provider.down();
  const running = await jwt();
  const token = secret(await provider.sign({ aud: running.url }));
  assert.equal(await running.status(token), 503);
  assert.match(running.said, /the keys of the issuer cannot be had/);
  await provider.up();
  await until(200, () => running.status(token));
  await running.stop();
});

await check('keys at a place that is set are used without metadata', async () => {
  const running = await jwt({ PM_MCP_HTTP_JWKS_URI: `${provider.issuer}/jwks` });
  const token = secret((await provider.tokens({ resource: running.url })).access_token);
  assert.equal(await running.status(token), 200);
  await running.stop();
});

const opaque = await IdentityProvider.start({ format: 'opaque' });
const introspecting = (more = {}) =>
  McpServer.start({
    PM_MCP_HTTP_VERIFIER: 'introspection',
    PM_MCP_HTTP_AUTH_ISSUER: opaque.issuer,
    PM_MCP_HTTP_INTROSPECTION_URL: `${opaque.issuer}/token/introspection`,
    PM_MCP_HTTP_INTROSPECTION_CLIENT_ID: tools.id,
    PM_MCP_HTTP_INTROSPECTION_CLIENT_SECRET: tools.secret,
    PM_MCP_HTTP_INTROSPECTION_KEEP_MS: '200',
    ...more,
  });

for (const auth of ['basic', 'post']) {
  await check(`opaque tokens are asked about (${auth}), and refused when they are taken back`, async () => {
    const running = await introspecting({ PM_MCP_HTTP_INTROSPECTION_CLIENT_AUTH: auth });
    const token = secret((await opaque.tokens({ resource: running.url })).access_token);
    assert.equal(await running.status(token), 200);
    refused(await running.ask('tools/list', {}, { token: 'nobody-knows-this-one' }));
    const other = secret((await opaque.tokens({ resource: 'http://127.0.0.1:9/mcp' })).access_token);
    refused(await running.ask('tools/list', {}, { token: other }));
    await opaque.revoke(token);
    await until(401, () => running.status(token));
    const second = secret((await opaque.tokens({ resource: running.url })).access_token);
    await opaque.down();
    assert.equal(await running.status(second), 503);
    await opaque.up();
    await until(200, () => running.status(second));
    await running.stop();
  });
}

await check('a wrong secret of the server itself is an outage that the log names, not a bad token', async () => {
  const wrong = secret(randomBytes(24).toString('base64url'));
  const running = await introspecting({ PM_MCP_HTTP_INTROSPECTION_CLIENT_SECRET: wrong });
  const token = secret((await opaque.tokens({ resource: running.url })).access_token);
  assert.equal(await running.status(token), 503);
  assert.match(running.said, /refuses the client of this server/);
  await running.stop();
});

await check('nothing of a token, key or secret was written by any server at the most verbose level', async () => {
  const everything = written.join('');
  assert.ok(everything.length > 10_000, 'the servers wrote something');
  for (const value of secrets) {
    // A signed token shows by any of its parts; the header of one is no secret.
    const parts = value.split('.').slice(value.includes('.') ? 1 : 0);
    for (const part of parts.filter((text) => text.length > 16)) {
      assert.ok(!everything.includes(part.slice(0, 16)), `${value.slice(0, 8)}… was written`);
    }
  }
});

finish();
