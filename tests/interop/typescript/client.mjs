// The published TypeScript client against one server.
//
//   node client.mjs stdio COMMAND WORKSPACE
//   node client.mjs http URL
//
// Exit status 0 only if every answer was as expected.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

const [transportName, target, workspace] = process.argv.slice(2);
const transport =
  transportName === 'stdio'
    ? new StdioClientTransport({
        command: target,
        cwd: workspace,
        env: { ...getDefaultEnvironment(), PM_PATH: workspace },
      })
    : new StreamableHTTPClientTransport(new URL(target));

const client = new Client(
  { name: 'interop-typescript', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(transport);

assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
const discovered = await client.discover();
assert.ok(discovered.supportedVersions.includes('2026-07-28'), 'discover names the revision');
assert.ok(discovered.instructions.includes('pm_next'), 'the instructions say where to begin');
assert.ok(discovered.capabilities.tools && discovered.capabilities.completions);

// The client walks all pages by itself when no cursor is given.
const { tools } = await client.listTools();
const names = tools.map((tool) => tool.name);
for (const wanted of ['pm_context', 'pm_next', 'pm_list', 'pm_search', 'pm_get', 'pm_events']) {
  assert.ok(names.includes(wanted), `${wanted} is listed`);
}
assert.equal(new Set(names).size, names.length, 'no tool is listed twice');
assert.ok(tools.every((tool) => tool.inputSchema.type === 'object' && tool.outputSchema), 'every tool has its schemas');

const next = await client.callTool({ name: 'pm_next', arguments: {} });
assert.ok(!next.isError);
assert.equal(next.structuredContent.recommended.item.id, 'demo-q7aa');
assert.ok(next.structuredContent.held.some((item) => item.id === 'demo-k3x9'));

// `workspace` is mirrored into a header over HTTP.
const item = await client.callTool({ name: 'pm_get', arguments: { id: '#K3X9', workspace: 'default' } });
assert.ok(!item.isError);
assert.equal(item.structuredContent.id, 'demo-k3x9');
assert.equal(item.structuredContent.title, 'Retry uploads: back off, then give up');
assert.equal(item.structuredContent.version, 3);

const missing = await client.callTool({ name: 'pm_get', arguments: { id: 'demo-zzzz' } });
assert.equal(missing.isError, true);
assert.equal(JSON.parse(missing.content[0].text).code, 'item_not_found');
await assert.rejects(client.callTool({ name: 'pm_nothing', arguments: {} }), { code: -32602 });

const { resources } = await client.listResources();
const uris = resources.map((resource) => resource.uri);
assert.ok(uris.includes('pm://workspace/next'));
assert.ok(uris.includes('pm://items/demo-q7aa'));
assert.equal(uris.filter((uri) => uri.startsWith('pm://items/demo-f')).length, 60, 'every page was read');
assert.equal(new Set(uris).size, uris.length, 'no resource is listed twice');
const read = await client.readResource({ uri: 'pm://items/demo-w2m8' });
assert.equal(JSON.parse(read.contents[0].text).title, 'Ship the café menu');
const body = await client.readResource({ uri: 'pm://items/demo-w2m8/body' });
assert.ok(body.contents[0].text.includes('Ünïcödé body'));
await assert.rejects(client.readResource({ uri: 'pm://items/demo-zzzz' }), { code: -32602 });

const { prompts } = await client.listPrompts();
const promptNames = prompts.map((prompt) => prompt.name);
for (const wanted of ['orient', 'claim-and-start', 'record-evidence-and-close', 'skill/triage']) {
  assert.ok(promptNames.includes(wanted), `${wanted} is listed`);
}
const prompt = await client.getPrompt({ name: 'claim-and-start', arguments: { id: 'demo-q7aa' } });
assert.ok(JSON.stringify(prompt.messages).includes('Name the errors worth a retry'));

const ofPrompt = await client.complete({
  ref: { type: 'ref/prompt', name: 'claim-and-start' },
  argument: { name: 'id', value: 'demo-q' },
});
assert.deepEqual(ofPrompt.completion.values, ['demo-q7aa']);
const { resourceTemplates } = await client.listResourceTemplates();
const template = resourceTemplates.find((entry) => entry.uriTemplate.includes('/history/{version}'));
const ofTemplate = await client.complete({
  ref: { type: 'ref/resource', uri: template.uriTemplate },
  argument: { name: 'version', value: '' },
  context: { arguments: { id: 'demo-k3x9' } },
});
assert.deepEqual([...ofTemplate.completion.values].sort(), ['1', '2', '3']);

await client.close();
