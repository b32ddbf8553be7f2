import { goodResponsesScript } from '../../support/vendors/responses-vendor.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const PATHS = { chat: '/chat/completions', responses: '/responses', messages: '/messages' } as const;
type Format = keyof typeof PATHS;

/** Members that only the owner of an account at a vendor may use. */
const OF_ACCOUNT: readonly (readonly [Format, body: object])[] = [
  ...(
    [
      { web_search_options: {} },
      { enable_search: true },
      { Enable_Search: true },
      { search_options: { forced_search: true } },
      { search_parameters: { mode: 'auto' } },
      { extra_body: { enable_search: true } },
      { tools: [{ type: 'browser_search' }] },
      { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] },
      { container: 'cntr_1' },
      { mcp_servers: [{ url: 'https://a.test' }] },
      { connector_id: 'connector_1' },
      { previous_response_id: 'resp_1' },
      { messages: [...HELLO, { role: 'assistant', content: null, audio: { id: 'audio_1' } }, ...HELLO] },
    ] as const
  ).map((body) => ['chat', body] as const),
  ...(
    [
      { previous_response_id: 'resp_1' },
      { conversation: 'conv_1' },
      { prompt: { id: 'pmpt_1' } },
      { container: 'cntr_1' },
      { search_parameters: { mode: 'on' } },
      { input: [{ type: 'item_reference', id: 'msg_1' }] },
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] },
      { input: [{ type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: 'x', outputs: null }] },
      { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'mcp', connector_id: 'c' }] }] },
      { tools: [{ type: 'mcp', connector_id: 'connector_1' }], tool_choice: { type: 'mcp' } },
    ] as const
  ).map((body) => ['responses', body] as const),
  ...(
    [
      { container: 'container_1' },
      { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } },
      { mcp_servers: [{ type: 'url', url: 'https://a.test', name: 'a' }] },
      { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
      { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file-1' }] }] },
      {
        messages: [
          ...HELLO,
          {
            role: 'assistant',
            content: [
              {
                type: 'tool_addition',
                tool: { type: 'tool_definition', definition: { type: 'code_execution_20250825', name: 'c' } },
              },
            ],
          },
          ...HELLO,
        ],
      },
    ] as const
  ).map((body) => ['messages', body] as const),
];

describe('a request for an object of an account at a vendor', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
    const media = { inputModalities: ['text', 'file'] };
    for (const vendor of ['openai', 'anthropic'] as const)
      stage.teach(`accounts/${vendor}`, [aTextEndpoint(vendor)], media);
  });
  afterAll(() => stage.stop());

  const vendorOf = (format: Format) => (format === 'messages' ? 'anthropic' : 'openai');
  const seenBy = (format: Format): readonly { readonly json: object }[] =>
    format === 'messages' ? stage.anthropic.seen : stage.vendors.openai.seen;

  function send(format: Format, body: object) {
    if (format === 'messages') stage.claude();
    if (format === 'responses') stage.vendors.openai.script(goodResponsesScript(false));
    const usual = format === 'responses' ? { input: 'Hello' } : { messages: HELLO, max_tokens: 100 };
    const json = { model: `accounts/${vendorOf(format)}`, ...usual, ...body };
    return stage.service.standard.post(PATHS[format], { json });
  }

  it.each(OF_ACCOUNT)("is 400 on the platform's credential, in the format %s: %j", async (format, body) => {
    const calls = seenBy(format).length;
    const { status, json } = await send(format, body);
    expect([status, json.error?.message]).toEqual([400, expect.any(String)]);
    expect(seenBy(format)).toHaveLength(calls);
    stage.anthropic.clear();
    stage.vendors.openai.clear();
  });

  it.each<[Format, object]>([
    ['chat', { enable_search: false, web_search_options: null, extra_body: {}, search_parameters: { mode: 'off' } }],
    ['messages', { container: null, mcp_servers: [] }],
  ])('is sent in the format %s if its values request nothing: %j', async (format, body) => {
    expect((await send(format, body)).status).toBe(200);
  });

  describe('on the own credential of the caller', () => {
    const ids: string[] = [];
    beforeAll(async () => {
      for (const provider of ['openai', 'anthropic']) {
        const json = { provider, key: `sk-own-${provider}-0123456789abcdef` };
        ids.push((await stage.service.management.post('/byok', { json })).json.data.id);
      }
    });
    afterAll(async () => {
      for (const id of ids) await stage.service.management.delete(`/byok/${id}`);
    });

    it.each(OF_ACCOUNT)('is sent unchanged in the format %s: %j', async (format, body) => {
      const { status, headers } = await send(format, body);
      expect([status, headers.get('x-gatehouse-adjusted')]).toEqual([200, null]);
      expect(seenBy(format).at(-1)!.json).toMatchObject(body);
    });

    it("is not repeated on the platform's credential after a failure", async () => {
      stage.vendors.openai.clear();
      stage.vendors.openai.script({ status: 500, body: {} });
      const calls = stage.vendors.openai.seen.length;
      const json = { model: 'accounts/openai', input: 'x', previous_response_id: 'resp_1' };
      expect((await stage.service.standard.post('/responses', { json })).status).toBe(502);
      expect(stage.vendors.openai.seen.length - calls).toBe(1);
    });
  });
});
