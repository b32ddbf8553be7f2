import { callItem, eventsIn, responsesScript } from '../../support/vendors/responses-vendor.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const search = { type: 'function', name: 'search', parameters: { type: 'object', properties: {} } };
const TOOLS = [
  search,
  { type: 'namespace', name: 'mcp__docs', description: 'Docs', tools: [search, { ...search, name: 'read' }] },
  { type: 'namespace', name: 'mcp__web', tools: [search] },
  { type: 'function', name: 'mcp__web__search' },
  { type: 'web_search', external_web_access: true },
];
const CALLED = { type: 'function_call', call_id: 'c0', namespace: 'mcp__docs', name: 'read', arguments: '{}' };
const INPUT = [
  { role: 'user', content: 'Find it' },
  CALLED,
  { type: 'function_call_output', call_id: 'c0', output: 'x' },
];

describe('tools in namespaces', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
    stage.teach('groups/claude', [aTextEndpoint('anthropic')]);
    stage.teach('groups/openai', [aTextEndpoint('openai')]);
  });
  afterAll(() => stage.stop());

  const post = (model: string, body: object = {}) =>
    stage.service.standard.post('/responses', { json: { model, input: INPUT, tools: TOOLS, ...body } });
  const namesOf = (tools: readonly { name?: string }[]): (string | undefined)[] => tools.map(({ name }) => name);

  it('are sent as functions with different names to an endpoint without namespaces', async () => {
    stage.claude();
    const answer = await post('groups/claude');
    expect([answer.status, answer.headers.get('x-gatehouse-adjusted')]).toEqual([200, 'tools=web_search']);
    const { tools, messages } = stage.anthropic.seen.at(-1)!.json;
    const names = namesOf(tools);
    expect(names.slice(0, 3)).toEqual(['search', 'mcp__docs__search', 'mcp__docs__read']);
    expect(names[3]).toMatch(/^mcp__web__search_[0-9a-f]{8}$/);
    expect(names[4]).toBe('mcp__web__search');
    expect(JSON.stringify(messages)).toContain('"name":"mcp__docs__read"');
  });

  it.each([false, true])('have in the response the names that the caller gave them (streamed: %s)', async (stream) => {
    stage.claude(
      { text: [], call: { id: 'c1', name: 'mcp__docs__search', input: { q: 'x' } }, finish: 'tool_use' },
      stream,
    );
    const answer = await post('groups/claude', { stream });
    const response = stream ? eventsIn(answer.text).at(-1).response : answer.json;
    const call = response.output.find(({ type }: { type: string }) => type === 'function_call');
    expect(call).toMatchObject({ name: 'search', namespace: 'mcp__docs' });
    expect(response.tools).toEqual(TOOLS);
    if (!stream) return;
    for (const { item, name } of eventsIn(answer.text)) {
      if (item?.type === 'function_call') expect(item).toMatchObject({ name: 'search', namespace: 'mcp__docs' });
      if (name !== undefined) expect(name).toBe('search');
    }
  });

  it('are sent unchanged to an endpoint that supports namespaces', async () => {
    stage.vendors.openai.script(responsesScript([{ ...callItem('search', {}), namespace: 'mcp__docs' }], false));
    const answer = await post('groups/openai', { tools: TOOLS.slice(0, 4) });
    expect(stage.vendors.openai.seen.at(-1)!.json).toMatchObject({ tools: TOOLS.slice(0, 4), input: INPUT });
    expect(answer.json.output[0]).toMatchObject({ name: 'search', namespace: 'mcp__docs' });
  });

  it('can be forced by the name of the function alone', async () => {
    stage.claude();
    await post('groups/claude', { tool_choice: { type: 'function', name: 'read' } });
    expect(stage.anthropic.seen.at(-1)!.json.tool_choice).toMatchObject({ type: 'tool', name: 'mcp__docs__read' });
  });

  it('are served by the built-in model, without the parts that it lacks', async () => {
    const { status, headers } = await post('builtin/eliza', { input: 'Hello' });
    expect([status, headers.get('x-gatehouse-adjusted')]).toEqual([200, 'tools=web_search']);
  });
});
