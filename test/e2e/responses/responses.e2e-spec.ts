import {
  callItem,
  eventsIn,
  goodResponsesScript,
  messageItem,
  responsesScript,
  vendorEvents,
} from '../../support/vendors/responses-vendor.js';
import { CHAT_TEXT } from '../../support/vendors/scripted-chat-vendor.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const CODEX_TOOLS = [
  { type: 'function', name: 'update_plan', strict: false, parameters: { type: 'object', properties: {} } },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
  },
  { type: 'namespace', name: 'mcp__docs', description: 'Docs', tools: [{ type: 'function', name: 'search' }] },
  { type: 'local_shell' },
];
const CODEX_ITEMS = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules' }] },
  { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
  { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
  { type: 'local_shell_call', call_id: 'c2', status: 'completed', action: { type: 'exec', command: ['ls'] } },
  { type: 'something_new', anything: [1.5, 'é'] },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on' }] },
];

describe('POST /responses', () => {
  let stage: TextStage;
  beforeAll(async () => (stage = await startTextStage()));
  afterAll(() => stage.stop());
  beforeEach(() => stage.vendors.openai.clear());

  const post = (body: object | string, headers: object = {}) =>
    stage.service.standard.post('/responses', {
      body: typeof body === 'string' ? body : JSON.stringify({ model: 'rules/openai', input: 'Hello', ...body }),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const seen = () => stage.vendors.openai.seen.at(-1)!;

  it('returns our generation id, the usage and the price', async () => {
    stage.vendors.openai.script(goodResponsesScript(false));
    const answer = await post({ instructions: 'Be brief', metadata: { a: 'b' } });
    expect([answer.status, answer.json.id]).toEqual([200, answer.headers.get('x-generation-id')]);
    expect(answer.json).toMatchObject({
      object: 'response',
      model: 'rules/openai',
      status: 'completed',
      instructions: 'Be brief',
      metadata: { a: 'b' },
      output: [messageItem(CHAT_TEXT.join(''))],
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18, cost: 0.000_025, is_byok: false },
    });
    expect(answer.json.model).not.toBe('vendor-model');
  });

  it('streams the events of the vendor, with the usage and the price in the last event', async () => {
    stage.vendors.openai.script(goodResponsesScript(true));
    const answer = await post({ stream: true });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const events = eventsIn(answer.text);
    const sent = vendorEvents([messageItem(CHAT_TEXT.join(''))], { pieces: CHAT_TEXT });
    expect(events.map(({ type }) => type)).toEqual(sent.map(({ type }) => type));
    expect(events.slice(2, -1)).toEqual(sent.slice(2, -1));
    expect(events.at(-1).response).toMatchObject({
      id: answer.headers.get('x-generation-id'),
      usage: { cost: 0.000_025 },
    });
  });

  it('passes on unknown items and tools, byte by byte', async () => {
    const input = JSON.stringify(CODEX_ITEMS).replace('1.5,', '1.50,').replace('"é"', '"\\u00e9"');
    const tools = JSON.stringify(CODEX_TOOLS);
    const include = '["reasoning.encrypted_content"]';
    const answer = await post(`{"model":"rules/openai","input":${input},"tools":${tools},"include":${include}}`);
    expect(answer.status).toBe(200);
    const raw = seen().raw.toString();
    expect(raw).toContain(`"input":${input}`);
    expect(raw).toContain(`"tools":${tools}`);
    expect(seen().json).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  it('returns unknown items of the vendor', async () => {
    const item = { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'c3', name: 'p', input: 'x' };
    stage.vendors.openai.script(responsesScript([item], false), responsesScript([item], true));
    expect((await post({})).json.output).toEqual([item]);
    const events = eventsIn((await post({ stream: true })).text);
    expect(events.at(-1).response.output).toEqual([item]);
  });

  it.each([
    ...[CODEX_TOOLS[1]!, CODEX_TOOLS[3]!].map((tool) => [{ tools: [tool] }, `tools[0]`, tool.type] as const),
    ...CODEX_ITEMS.slice(1, 5).map((item) => [{ input: [item] }, 'input[0]', item.type] as const),
  ])('refuses %j, and names it, if the model would need a conversion', async (body, place, type) => {
    for (const model of ['rules/anthropic', 'builtin/eliza']) {
      const { status, json } = await post({ model, ...body });
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(place)]);
      expect(json.error.message).toContain(`"${type}"`);
    }
  });

  it('sends members that cannot be converted only to an endpoint that accepts them', async () => {
    stage.teach('rules/mixed', [aTextEndpoint('anthropic'), aTextEndpoint('openai')]);
    const before = stage.vendors.openai.seen.length;
    for (let call = 0; call < 5; call++)
      expect((await post({ model: 'rules/mixed', tools: [CODEX_TOOLS[1]] })).status).toBe(200);
    expect(stage.vendors.openai.seen.length - before).toBe(5);
  });

  it.each([
    [{ store: true }, 'store'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ background: true }, 'background'],
    [{ preset: 'x' }, 'preset'],
    [{ plugins: [{ id: 'web' }] }, 'plugins'],
    [{ input: [] }, 'input'],
    [{ input: 5 }, 'input'],
    [{ input: ['x'] }, 'input[0]'],
    [{ input: [{ role: 'user' }] }, 'input[0].content'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'item_reference'],
    [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] }, 'file_id'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', FILE_ID: 'file-1' }] }] }, 'file_id'],
    [{ tools: [{ type: 'namespace', tools: [{ type: 'image_generation' }] }] }, 'tools[0].tools[0]'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tool_choice: 'maybe' }, 'tool_choice'],
    [{ text: { format: { type: 'json_schema' } } }, 'text.format.schema'],
    [{ metadata: { a: 1 } }, 'metadata'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ temperature: 3 }, 'temperature'],
    [{ service_tier: 'no' }, 'service_tier'],
  ])('refuses %j with a 400 that names the member', async (body, name) => {
    const calls = stage.vendors.openai.seen.length;
    const { status, json } = await post(body);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(name)]);
    expect(stage.vendors.openai.seen).toHaveLength(calls);
  });

  it('accepts null and false for refused members', async () => {
    const nulls = { store: false, previous_response_id: null, conversation: null, prompt: null, background: false };
    expect((await post({ ...nulls, tools: null, metadata: null, stream: false })).status).toBe(200);
  });

  it('does not send a file_id that a second member of the same name replaces', async () => {
    const part = '{"type":"input_file","file_id":"file-1","file_id":null,"file_url":"https://a.test/a.pdf"}';
    await post(`{"model":"rules/openai","input":[{"role":"user","content":[${part}]}]}`);
    expect(seen().raw.toString()).not.toContain('file-1');
  });

  it('does not send a previous_response_id that a second member of the same name replaces', async () => {
    await post('{"model":"rules/openai","input":"x","previous_response_id":"resp_1","previous_response_id":null}');
    expect(seen().raw.toString()).not.toContain('resp_1');
  });

  it('does not send the reasoning of another format to a vendor of the format responses', async () => {
    const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'reasoning_details.v1:W10=' };
    const call = callItem('f', {});
    await post({ input: [sealed, call, { type: 'function_call_output', call_id: 'call_1', output: 'x' }] });
    expect(seen().json.input.map(({ type }: { type: string }) => type)).toEqual([
      'function_call',
      'function_call_output',
    ]);
  });

  it('returns 404 for GET', async () => {
    const { status } = await stage.service.standard.get('/responses');
    expect(status).toBe(404);
  });
});
