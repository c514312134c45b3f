// One working day of an agent, told by the published TypeScript client.
//
//   node story.mjs COMMAND WORKSPACE
//
// WORKSPACE is a project that may be changed. Exit status 0 only if everything came as told.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

const [command, workspace] = process.argv.slice(2);
const transport = new StdioClientTransport({
  command,
  cwd: workspace,
  env: { ...getDefaultEnvironment(), PM_PATH: workspace, PM_AUTHOR: 'agent-7' },
});
const client = new Client(
  { name: 'story', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);

// The user beside the agent: what is asked, and what is answered to it.
const asked = [];
let answer = () => assert.fail('nobody expected a question');
client.setRequestHandler('elicitation/create', async (request) => {
  asked.push(request.params.message);
  return answer(request.params);
});

const tell = (line) => console.log(line);
const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${result.content?.[0]?.text}`);
  return result.structuredContent;
};

await client.connect(transport);

tell('The agent asks where it is.');
const orient = await client.getPrompt({ name: 'orient', arguments: { request: 'Make uploads survive bad networks' } });
const facts = orient.messages.filter((message) => message.content.type === 'resource');
assert.ok(facts.length > 0, 'the prompt brings facts along');
assert.ok(JSON.stringify(orient.messages).includes('Make uploads survive bad networks'));

tell('It looks what is next, and the user picks from what is ready.');
const next = await call('pm_next', {});
const ready = next.recommended.item.id;
answer = (question) => {
  const [field, schema] = Object.entries(question.requestedSchema.properties)[0];
  const offered = schema.enum ?? schema.oneOf.map((choice) => choice.const);
  assert.ok(offered.includes(ready), `${ready} is offered`);
  return { action: 'accept', content: { [field]: ready } };
};
const start = await client.getPrompt({ name: 'claim-and-start', arguments: {} });
assert.equal(asked.length, 1);
assert.ok(JSON.stringify(start.messages).includes(ready));

tell('It claims the item, so that nobody else works on it, and says what it is going to do.');
const claimed = await call('pm_claim', { id: ready });
assert.equal(claimed.op, 'claim');
const other = await client.callTool({ name: 'pm_claim', arguments: { id: ready, author: 'agent-8' } });
assert.equal(JSON.parse(other.content[0].text).code, 'already_claimed');
await call('pm_comments', { id: ready, action: 'add', text: 'Plan: list the errors, then decide for each.' });

tell('The work falls into parts.');
const part = await call('pm_create', { title: 'List what the network layer can answer', parent: ready });
const double = await call('pm_create', { title: 'A part that nobody needs', parent: ready });

tell('It wants to tidy up with one batch. The user reads it and says no: nothing happens.');
const batch = (transactionId) => ({
  transactionId,
  mutations: [
    { op: 'update', id: part.id, options: { set: { priority: 1 } } },
    { op: 'delete', id: double.id, reason: 'nobody needs it' },
  ],
});
answer = () => ({ action: 'decline' });
const declined = await call('pm_mutate', batch('tidy-1'));
assert.deepEqual([declined.applied, declined.reason], [false, 'declined']);
assert.ok(asked.at(-1).includes(double.id), 'the user was told what would be deleted');
assert.equal((await call('pm_get', { id: double.id })).version, 1);

tell('It explains itself, asks again, and the user agrees: all of it happens.');
answer = () => ({ action: 'accept', content: { approved: true } });
const applied = await call('pm_mutate', batch('tidy-2'));
assert.equal(applied.applied, true);
const gone = await client.callTool({ name: 'pm_get', arguments: { id: double.id } });
assert.equal(JSON.parse(gone.content[0].text).code, 'item_not_found');
assert.equal((await call('pm_get', { id: part.id })).priority, 1);
const again = await call('pm_mutate', batch('tidy-2'));
assert.equal(again.reason, 'recorded', 'the same batch again is the same outcome');

tell('Somebody edits a file by hand, and its history does not lead there any more.');
const file = ['tasks', 'issues', 'features', 'epics']
  .map((folder) => join(workspace, '.agents/pm', folder))
  .flatMap((folder) => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  })
  .find((path) => path.endsWith(`${part.id}.toon`));
writeFileSync(file, readFileSync(file, 'utf8').replace('List what', 'List all that'));
const drift = await call('pm_validate', { checks: ['history_drift'] });
assert.equal(drift.ok, false);

tell('A repair runs as a task, stops to ask what it may do, and goes on with the answer.');
// The client of this version leaves tasks of the revision to its host, so these messages are sent as they are.
const waiting = new Map();
const deliver = transport.onmessage;
transport.onmessage = (message, extra) => {
  const settle = waiting.get(message.id);
  if (settle === undefined) return deliver(message, extra);
  waiting.delete(message.id);
  settle(message);
};
let sent = 0;
const raw = (method, params) => {
  const id = `story-${(sent += 1)}`;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'story', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {
      elicitation: { form: {} },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ result, error }) => (error ? reject(new Error(JSON.stringify(error))) : resolve(result)));
    transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }).catch(reject);
  });
};
const task = await raw('tools/call', { name: 'pm_validate', arguments: { fix: true } });
assert.equal(task.resultType, 'task');
const until = async (...states) => {
  for (;;) {
    const state = await raw('tasks/get', { taskId: task.taskId });
    if (states.includes(state.status)) return state;
    assert.equal(state.status, 'working', JSON.stringify(state));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const question = await until('input_required');
const [key, request] = Object.entries(question.inputRequests)[0];
assert.ok(request.params.message.includes('adopt_edits'), request.params.message);
const choices = Object.keys(request.params.requestedSchema.properties);
const content = Object.fromEntries(choices.map((choice) => [choice, choice === 'adopt_edits']));
await raw('tasks/update', { taskId: task.taskId, inputResponses: { [key]: { action: 'accept', content } } });
const repaired = (await until('completed')).result.structuredContent;
assert.ok(repaired.fixes.some((fix) => fix.item === part.id), JSON.stringify(repaired.fixes));
assert.equal((await call('pm_validate', { checks: ['history_drift'] })).ok, true);
assert.equal((await call('pm_get', { id: part.id })).title, 'List all that the network layer can answer');

tell('The part is done. Its test is linked, shown to the user, and run.');
await call('pm_test', { id: part.id, action: 'add', command: 'echo 3 errors listed' });
answer = (question) => {
  assert.ok(question.message.includes('echo 3 errors listed'));
  return { action: 'accept', content: { approved: true } };
};
const report = await call('pm_test', { id: part.id, action: 'run' });
assert.deepEqual([report.passed, report.runs[0].stdout_tail], [1, '3 errors listed\n']);
await call('pm_close', { id: part.id, reason: 'The list is in the log.' });

tell('With the evidence at hand, the item is closed.');
const evidence = 'cargo test upload: 12 passed';
const closing = await client.getPrompt({ name: 'record-evidence-and-close', arguments: { id: ready, evidence } });
assert.ok(JSON.stringify(closing.messages).includes(evidence));
await call('pm_comments', { id: ready, action: 'add', kind: 'note', text: evidence });
const closed = await call('pm_close', { id: ready, reason: 'Uploads go on after three failed attempts; see the note.' });
assert.equal(closed.status, 'closed');
const item = await call('pm_get', { id: ready, depth: 'full' });
assert.ok(item.notes.some((note) => note.text === evidence));

tell('At the end of the day everything is written down, and every history leads to its file.');
const { events } = await call('pm_events', { item: [ready], limit: 20 });
for (const op of ['claim', 'comment_add', 'note_add', 'close']) {
  assert.ok(events.some((event) => event.op === op && event.author === 'agent-7'), op);
}
const checked = await call('pm_validate', { checks: ['history_drift', 'storage_integrity'] });
assert.equal(checked.ok, true, JSON.stringify(checked));
await client.close();
