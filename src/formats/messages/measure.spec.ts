import { measureMessages } from './measure.js';
import { MESSAGES_FORMAT } from './format.js';

const say = (content: unknown, rest: object = {}): Record<string, unknown> => ({
  messages: [{ role: 'user', content }],
  ...rest,
});
const bytes = (body: Record<string, unknown>): number => measureMessages(body).textBytes;
const EMPTY = bytes(say(''));

describe('the measure of a request of /messages', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a text', say('ä€😀'), 'ä€😀'],
    ['a block of text', say([{ type: 'text', text: 'Hello' }]), 'Hello'],
    ['system', say('', { system: 'Be kind' }), 'Be kind'],
    ['blocks of system', say('', { system: [{ type: 'text', text: 'Be kind' }] }), 'Be kind'],
    ['thinking', say([{ type: 'thinking', thinking: 'Hm', signature: 'sig' }]), 'Hmsig'],
    ['encrypted thinking', say([{ type: 'redacted_thinking', data: 'secret' }]), 'secret'],
    ['a call', say([{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: ['b'] } }]), 'toolu_1lookab'],
    ['a result', say([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'out' }] }]), 'tout'],
    ['a document of text', say([{ type: 'document', title: 'T', source: { type: 'text', data: 'D' } }]), 'TD'],
    [
      'a search result',
      say([{ type: 'search_result', title: 'T', source: 'S', content: [{ type: 'text', text: 'D' }] }]),
      'TSD',
    ],
    ['tools', say('', { tools: [{ name: 'f', description: 'D', input_schema: { type: 'object' } }] }), 'fDobject'],
    ['a schema', say('', { output_config: { format: { type: 'json_schema', schema: { title: 'T' } } } }), 'titleT'],
    ['an unknown member', say('', { x_unknown: { a: 'b' } }), 'ab'],
  ])('counts at least the bytes of %s', (_, body, text) => {
    expect(bytes(body) - EMPTY).toBeGreaterThanOrEqual(Buffer.byteLength(text));
    expect(bytes(body) - EMPTY).toBeLessThan(Buffer.byteLength(text) + 200);
  });

  it.each([
    'model',
    'models',
    'fallbacks',
    'provider',
    'plugins',
    'session_id',
    'trace',
    'user',
    'metadata',
    'stop_sequences',
    'context_management',
    'thinking',
  ])('does not count %s, which no model reads', (name) => {
    expect(bytes(say('', { [name]: { long: 'x'.repeat(1_000) } }))).toBe(EMPTY);
  });

  it('counts the number of pictures, not their bytes, also in tool results', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(9_000), media_type: 'image/png' } };
    const measure = measureMessages(say([image, { type: 'tool_result', tool_use_id: 't', content: [image] }]));
    expect(measure).toMatchObject({ images: 2, media: 2, readsUnmeasured: false });
    expect(measure.textBytes).toBeLessThan(300);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a document', say([{ type: 'document', source: { type: 'base64', data: 'AAAA' } }])],
    ['a document by URL', say([{ type: 'document', source: { type: 'url', url: 'https://x.example' } }])],
    ['a block of an unknown type', say([{ type: 'x_new' }])],
    ['a result of the vendor', say([{ type: 'web_search_tool_result', content: [] }])],
    ['a tool that the vendor runs', say('', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] })],
    ['MCP servers', say('', { mcp_servers: [{ url: 'https://x.example' }] })],
  ])('reports that the input cannot be measured if it contains %s', (_, body) => {
    expect(measureMessages(body).readsUnmeasured).toBe(true);
  });

  it("includes the vendor's description of tools that the caller runs", () => {
    const tools = [{ type: 'bash_20250124', name: 'bash' }];
    expect(measureMessages(say('', { tools }))).toMatchObject({ readsUnmeasured: false, tools: 1 });
    expect(bytes(say('', { tools })) - EMPTY).toBeGreaterThan(8_000);
  });

  it.each<[boolean, Record<string, unknown>]>([
    [false, say([{ type: 'text', text: 'a' }])],
    [true, say('', { cache_control: { type: 'ephemeral' } })],
    [true, say([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }])],
    [true, say('', { system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] })],
    [true, say('', { tools: [{ name: 'f', cache_control: { type: 'ephemeral' } }] })],
    [
      true,
      say([{ type: 'tool_result', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] }]),
    ],
  ])('has writesCache %s for %j', (writesCache, body) => {
    expect(measureMessages(body).writesCache).toBe(writesCache);
  });

  it("has the caller's max_tokens, one choice, and the number of messages and tools", () => {
    const body = say('a', { system: 's', max_tokens: 7, tools: [{ name: 'f' }, { name: 'g' }] });
    expect(measureMessages(body)).toMatchObject({ maxOutputTokens: 7, choices: 1, messages: 2, tools: 2 });
    expect(measureMessages(say('a')).maxOutputTokens).toBeUndefined();
  });

  it.each([null, 5, 'x', [null, 5, { content: 5 }, { content: [null, 'x', { type: 5 }] }]])(
    'accepts messages of any type: %j',
    (messages) => {
      expect(() => measureMessages({ messages, system: messages, tools: messages })).not.toThrow();
    },
  );
});

describe('the texts of a request of /messages', () => {
  it('are the texts that can be read, without signatures', () => {
    const body = say([
      { type: 'thinking', thinking: 'Hm', signature: 'x'.repeat(500) },
      { type: 'text', text: 'Hello' },
    ]);
    const texts = MESSAGES_FORMAT.textsOf(body).join('');
    expect(texts).toContain('Hm');
    expect(texts).toContain('Hello');
    expect(texts).not.toContain('xxx');
  });
});
