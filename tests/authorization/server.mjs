// The bundled HTTP server as a child process, and requests to it.
import { spawn } from 'node:child_process';
import net from 'node:net';

const revision = '2026-07-28';

/** A port that was free a moment ago: the server's own address is part of its settings. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Everything that any server wrote; secrets are looked for in it at the end. */
export const written = [];

export class McpServer {
  /** Starts with these settings beside those of every test; logs everything. */
  static async start(settings) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    const server = new McpServer();
    Object.assign(server, { port, url, said: '' });
    const env = {
      PATH: process.env.PATH,
      PM_PATH: process.env.PM_AUTHORIZATION_WORKSPACE,
      PM_MCP_TASK_STORE: 'memory',
      PM_MCP_LOG: 'trace',
      PM_MCP_HTTP_PORT: String(port),
      PM_MCP_HTTP_RESOURCE: url,
      ...settings,
    };
    server.child = spawn(process.env.PM_AUTHORIZATION_HTTP, [], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const listening = new Promise((resolve, reject) => {
      const hear = (chunk) => {
        const text = chunk.toString();
        server.said += text;
        written.push(text);
        if (server.said.includes(`listening on ${url}`)) resolve();
      };
      server.child.stdout.on('data', hear);
      server.child.stderr.on('data', hear);
      server.ended = new Promise((over) => {
        server.child.once('exit', (status) => {
          reject(new Error(`the server ended with ${status}: ${server.said.slice(-2000)}`));
          over(status);
        });
      });
    });
    await listening;
    return server;
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
  }

  /** One request as the revision wants it; the token goes into the header. */
  async ask(method, params = {}, { token, headers = {} } = {}) {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'authorization', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const name = params.name ?? params.uri;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': revision,
        'mcp-method': method,
        ...(name ? { 'mcp-name': name } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    const challenge = response.headers.get('www-authenticate') ?? '';
    written.push(text, challenge);
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    return { status: response.status, challenge: parameters(challenge), text, body };
  }

  /** The status of listing the tools with a token. */
  async status(token) {
    return (await this.ask('tools/list', {}, { token })).status;
  }
}

/** The parameters of one Bearer challenge. */
function parameters(challenge) {
  if (!challenge) return undefined;
  const [, scheme, rest] = challenge.match(/^(\S+) ?(.*)$/);
  const found = { scheme };
  for (const [, name, value] of rest.matchAll(/([a-z_]+)="([^"]*)"/g)) {
    if (name in found) throw new Error(`${name} stands twice in ${challenge}`);
    found[name] = value;
  }
  return found;
}
