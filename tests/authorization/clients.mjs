// The published clients of two languages go the whole way by themselves: from a 401 to the identity provider and back,
// and again when a tool needs more than they asked for at first.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { check, finish } from './check.mjs';
import { IdentityProvider, shell } from './provider.mjs';
import { McpServer } from './server.mjs';

/** A call that needs pm:write; each client makes it, so it may repeat. */
const change = { name: 'pm_create', arguments: { title: 'Written with a token', type: 'Task', allowDuplicate: true } };

const provider = await IdentityProvider.start();
const server = await McpServer.start({
  PM_MCP_HTTP_VERIFIER: 'jwt',
  PM_MCP_HTTP_AUTH_ISSUER: provider.issuer,
});

/** The scopes of this server; clients also ask for a refresh token where the provider has them. */
const asked = (scope) => scope.split(' ').filter((name) => name !== 'offline_access').sort();

/** What a host keeps for the client, and the scopes that people were asked for. */
class Host {
  redirectUrl = shell.redirect;
  asked = [];
  clientMetadata = {
    client_name: 'authorization',
    redirect_uris: [shell.redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens) {
    this.kept = tokens;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  redirectToAuthorization(url) {
    this.pending = url;
    this.asked.push(url.searchParams.get('scope'));
    assert.equal(url.searchParams.get('resource'), server.url);
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
  }
}

await check('the TypeScript client registers, signs in, and steps up from pm:read to pm:write', async () => {
  const host = new Host();
  let transport;
  let client;
  const connect = async () => {
    transport = new StreamableHTTPClientTransport(new URL(server.url), { authProvider: host });
    client = new Client(
      { name: 'authorization-typescript', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(transport);
  };
  /** Does something, and signs in once where that is asked for. */
  const signedIn = async (action) => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const back = await provider.walk(host.pending);
      await transport.finishAuth(back.searchParams);
      return undefined;
    }
  };
  await signedIn(connect);
  await connect();
  const listed = (await signedIn(() => client.listTools())) ?? (await client.listTools());
  assert.ok(listed.tools.some((tool) => tool.name === 'pm_next'));
  assert.equal(host.asked.length, 1, 'people are asked once');
  assert.deepEqual(asked(host.asked[0]), ['pm:read'], 'no more is asked for than is needed');
  const read = await client.callTool({ name: 'pm_next', arguments: {} });
  assert.ok(read.structuredContent);
  assert.equal(host.asked.length, 1);

  const first = await signedIn(() => client.callTool(change));
  const written = first ?? (await client.callTool(change));
  assert.ok(!written.isError, JSON.stringify(written));
  assert.equal(host.asked.length, 2, 'people are asked once more');
  assert.deepEqual(asked(host.asked[1]), ['pm:read', 'pm:write'], 'what was granted is asked for too');
  await client.close();
});

await check('the Python client registers, signs in, and steps up from pm:read to pm:write', async () => {
  const python = process.env.PM_AUTHORIZATION_PYTHON;
  const file = new URL('./client.py', import.meta.url).pathname;
  const child = spawn(python, ['-B', file, server.url, JSON.stringify(change)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  assert.equal(status, 0, said.slice(-4000));
});

await server.stop();
finish();
