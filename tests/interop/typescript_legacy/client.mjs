// The published TypeScript client of the earlier revisions against the stdio server.
//
//   node client.mjs stdio COMMAND WORKSPACE REVISION
//
// Exit status 0 only if every answer was as expected.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';

const [, command, workspace, revision] = process.argv.slice(2);
const transport = new StdioClientTransport({
  command,
  cwd: workspace,
  env: { ...getDefaultEnvironment(), PM_PATH: workspace },
});
// The client always asks for the newest revision that it knows; one of before asks for its own.
const send = transport.send.bind(transport);
transport.send = (message) => {
  if (message.method === 'initialize') message.params.protocolVersion = revision;
  return send(message);
};
let agreed;
const listening = transport.start.bind(transport);
transport.start = async () => {
  const handle = transport.onmessage;
  transport.onmessage = (message) => {
    agreed ??= message.result?.protocolVersion;
    handle(message);
  };
  await listening();
};

const client = new Client({ name: 'interop-typescript-legacy', version: '1.0.0' }, { capabilities: { sampling: {} } });
await client.connect(transport);
assert.equal(agreed, revision);
assert.equal(client.getServerVersion().name, 'pm-mcp');
assert.ok(client.getInstructions().includes('pm_next'));
assert.ok(client.getServerCapabilities().resources.subscribe);
assert.deepEqual(await client.ping(), {});

async function pages(fetch, member) {
  const entries = [];
  let cursor;
  do {
    const page = await fetch(cursor === undefined ? {} : { cursor });
    assert.ok(!('resultType' in page) && !('ttlMs' in page), 'the shapes are those of the revision');
    entries.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return entries;
}

const tools = await pages((params) => client.listTools(params), 'tools');
const names = tools.map((tool) => tool.name);
for (const wanted of ['pm_context', 'pm_next', 'pm_list', 'pm_search', 'pm_get', 'pm_events']) {
  assert.ok(names.includes(wanted), `${wanted} is listed`);
}

// The client checks structured content against the output schemas that it listed.
const next = await client.callTool({ name: 'pm_next', arguments: {} });
assert.equal(next.structuredContent.recommended.item.id, 'demo-q7aa');
const item = await client.callTool({ name: 'pm_get', arguments: { id: '#K3X9', workspace: 'default' } });
assert.equal(item.structuredContent.title, 'Retry uploads: back off, then give up');
const missing = await client.callTool({ name: 'pm_get', arguments: { id: 'demo-zzzz' } });
assert.equal(missing.isError, true);
await assert.rejects(client.callTool({ name: 'pm_nothing', arguments: {} }), { code: -32602 });

const resources = await pages((params) => client.listResources(params), 'resources');
assert.equal(resources.filter(({ uri }) => uri.startsWith('pm://items/demo-f')).length, 60, 'every page was read');
const body = await client.readResource({ uri: 'pm://items/demo-w2m8/body' });
assert.ok(body.contents[0].text.includes('Ünïcödé body'));
await assert.rejects(client.readResource({ uri: 'pm://items/demo-zzzz' }), { code: -32002 });
assert.deepEqual(await client.subscribeResource({ uri: 'pm://items/demo-w2m8' }), {});
assert.deepEqual(await client.unsubscribeResource({ uri: 'pm://items/demo-w2m8' }), {});

const prompts = await pages((params) => client.listPrompts(params), 'prompts');
assert.ok(prompts.some(({ name }) => name === 'claim-and-start'));
const prompt = await client.getPrompt({ name: 'claim-and-start', arguments: { id: 'demo-q7aa' } });
assert.ok(JSON.stringify(prompt.messages).includes('Name the errors worth a retry'));
const ofPrompt = await client.complete({
  ref: { type: 'ref/prompt', name: 'claim-and-start' },
  argument: { name: 'id', value: 'demo-q' },
});
assert.deepEqual(ofPrompt.completion.values, ['demo-q7aa']);

await client.close();
