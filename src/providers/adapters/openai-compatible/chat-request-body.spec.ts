import type { WireCall } from '../../ports/text-adapter.port.js';
import { chatRequestBody } from './chat-request-body.js';
import { COMPATIBLE_VENDORS } from './vendors.js';

const traitsOf = (slug: string) => COMPATIBLE_VENDORS.find((vendor) => vendor.slug === slug)!.text;
const sent = (body: object | string, slug = 'scaleway', call: Partial<WireCall> = {}): string => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const members = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const request = { format: { name: 'chat' as const }, bytes, members };
  const { signal } = new AbortController();
  const base = { upstreamModel: 'up', provider: slug, credential: null, options: {}, signal, streamed: false };
  return chatRequestBody({ ...base, request, ...call }, traitsOf(slug)).toString();
};
// oxlint-disable-next-line typescript/no-explicit-any
const json = (...args: Parameters<typeof sent>): any => JSON.parse(sent(...args));
const messages = [{ role: 'user', content: 'hi' }];

describe('chat request body', () => {
  it('keeps bytes, order and unknown members, and replaces the model in its place', () => {
    expect(
      sent('{ "top_p":1.0e+0,"model":"a/b", "messages":[{"role":"user","content":"\\u00e9"}],"x_new":{"a":1} }'),
    ).toBe('{ "top_p":1.0e+0,"model":"up", "messages":[{"role":"user","content":"\\u00e9"}],"x_new":{"a":1} }');
  });

  it('removes the members of the gateway', () => {
    const ours = {
      models: [],
      route: 'x',
      provider: {},
      plugins: [],
      transforms: [],
      session_id: 's',
      trace: {},
      debug: {},
      usage: { include: true },
      preset: 'p',
      include_reasoning: true,
      reasoning: { enabled: true },
      cache_control: {},
      stop_server_tools_when: [],
      image_config: {},
      stream_options: {},
      user: 'raw',
      stream: false,
    };
    expect(json({ model: 'a/b', messages, ...ours })).toEqual({ model: 'up', messages, reasoning_effort: 'medium' });
  });

  it('sends the hashed end user, and never the id of the caller', () => {
    expect(json({ model: 'm', messages, user: 'raw' }, 'openai', { endUser: 'hash' }).user).toBe('hash');
    expect(sent({ model: 'm', messages, user: 'raw' }, 'mistral', { endUser: 'hash' })).not.toMatch(/hash|raw/);
  });

  it('requests usage in streams if the vendor supports it, and keeps other options of the stream', () => {
    const body = {
      model: 'm',
      messages,
      stream: true,
      stream_options: { include_usage: false, include_obfuscation: false },
    };
    expect(json(body, 'openai', { streamed: true }).stream_options).toEqual({
      include_usage: true,
      include_obfuscation: false,
    });
    expect(json(body, 'zai', { streamed: true })).not.toHaveProperty('stream_options');
    expect(json({ ...body, stream: false }, 'openai', { streamed: true }).stream).toBe(true);
  });

  it.each([
    ['openai', 'max_completion_tokens'],
    ['deepseek', 'max_tokens'],
  ])('sends the maximum output to %s only as %s', (slug, name) => {
    const body = { model: 'm', messages, max_tokens: 5, max_completion_tokens: 6 };
    const { max_tokens: a, max_completion_tokens: b } = json(body, slug, { maxOutputTokens: 7 });
    expect({ max_tokens: a, max_completion_tokens: b }).toMatchObject({ [name]: 7 });
    expect([a, b].filter((value) => value !== undefined)).toEqual([7]);
    expect(json({ model: 'm', messages, max_tokens: null }, slug)).toEqual({ model: 'up', messages });
  });

  it('sends the vendor no duplicates and no other spellings of members that affect the price', () => {
    const body =
      '{"model":"a","n":9,"messages":[],"N":8,"n":1,"Max_Tokens":99,"MODEL":"dear","model":"b","max_tokens":4}';
    expect(sent(body, 'ollama', { maxOutputTokens: 4 })).toBe('{"messages":[],"n":1,"model":"up","max_tokens":4}');
  });

  it.each([
    ['openai', { effort: 'max' }, { reasoning_effort: 'xhigh' }],
    ['openai', { max_tokens: 800 }, { reasoning_effort: 'high' }],
    ['openai', { enabled: false }, { reasoning_effort: 'none' }],
    ['groq', { effort: 'minimal' }, { reasoning_effort: 'low' }],
    ['xai', { effort: 'none' }, { reasoning_effort: 'none' }],
    ['deepseek', { effort: 'low' }, { thinking: { type: 'enabled' } }],
    ['zai', { enabled: false }, { thinking: { type: 'disabled' } }],
    ['alibaba', { effort: 'medium' }, { enable_thinking: true, thinking_budget: 500 }],
    ['alibaba', { max_tokens: 123 }, { enable_thinking: true, thinking_budget: 123 }],
    ['siliconflow', { effort: 'none' }, { enable_thinking: false }],
    ['openrouter', { effort: 'low' }, { reasoning: { effort: 'low' } }],
    ['openai', { exclude: true }, {}],
  ])('converts reasoning for %s: %j becomes %j', (slug, reasoning, expected) => {
    const {
      model: _,
      messages: _m,
      max_tokens: _a,
      max_completion_tokens: _b,
      ...rest
    } = json({ model: 'm', messages, reasoning }, slug, { maxOutputTokens: 1_000 });
    expect(rest).toEqual(expected);
  });

  it("converts reasoning_effort if the vendor lacks it, and does not change the vendor's own member", () => {
    expect(json({ model: 'm', messages, reasoning_effort: 'low' }, 'zai')).toEqual({
      model: 'up',
      messages,
      thinking: { type: 'enabled' },
    });
    expect(sent({ model: 'm', messages, reasoning_effort: 'low' }, 'openai')).toContain('"reasoning_effort":"low"');
    const own = { thinking: { type: 'disabled' }, reasoning: { effort: 'high' } };
    expect(json({ model: 'm', messages, ...own }, 'zai').thinking).toEqual({ type: 'disabled' });
  });

  it("adds the caller's options, which can set neither the model nor the maximum output", () => {
    const options = { temperature: 0.5, top_k: 4, model: 'dear', max_tokens: 1e6, n: 50, user: 'raw' };
    expect(json({ model: 'm', messages, temperature: 1 }, 'vllm', { options, maxOutputTokens: 3 })).toEqual({
      model: 'up',
      messages,
      temperature: 0.5,
      top_k: 4,
      max_tokens: 3,
    });
  });

  it('removes and renames members that the vendor lacks', () => {
    const body = { model: 'm', messages, seed: 7, logit_bias: {}, service_tier: 'fast' };
    expect(json(body, 'mistral')).toEqual({ model: 'up', messages, random_seed: 7 });
    const served = { model: 'up', messages, seed: 7, logit_bias: {} };
    expect(json(body, 'openai', { serviceTier: 'priority' })).toEqual({ ...served, service_tier: 'priority' });
    expect(json(body, 'openai')).toEqual(served);
  });

  it('removes cache breakpoints from messages, parts and tools for vendors without them', () => {
    const cache_control = { type: 'ephemeral' };
    const part = { type: 'text', text: 'say "cache_control"', cache_control };
    const tool = {
      type: 'function',
      function: { name: 'f', parameters: { properties: { cache_control: {} } } },
      cache_control,
    };
    const body = { model: 'm', messages: [{ role: 'user', content: [part, part] }], tools: [tool] };
    const { messages: kept, tools } = json(body, 'openai');
    expect(kept[0].content[1]).toEqual({ type: 'text', text: 'say "cache_control"' });
    expect(tools).toEqual([{ type: 'function', function: tool.function }]);
    expect(json(body, 'openrouter').messages).toEqual(body.messages);
  });

  it("sends reasoning of earlier messages back under the vendor's name, or not at all", () => {
    const message = {
      role: 'assistant',
      content: 'a',
      reasoning: 'r',
      reasoning_details: [{ type: 'reasoning.text' }],
    };
    const body = { model: 'm', messages: [...messages, message] };
    expect(json(body, 'deepseek').messages[1]).toEqual({ role: 'assistant', content: 'a', reasoning_content: 'r' });
    expect(json(body, 'openai').messages[1]).toEqual({ role: 'assistant', content: 'a' });
    expect(json(body, 'openrouter').messages[1]).toEqual(message);
  });

  it('shortens ids of tool calls in the same way in calls and results', () => {
    const calls = [{ id: 'call_0123456789', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const result = { role: 'tool', tool_call_id: 'call_0123456789', content: 'x' };
    const [call, tool] = json(
      { model: 'm', messages: [{ role: 'assistant', tool_calls: calls }, result] },
      'mistral',
    ).messages;
    expect(call.tool_calls[0].id).toMatch(/^[a-z0-9]{9}$/);
    expect(tool.tool_call_id).toBe(call.tool_calls[0].id);
  });

  it('accepts messages and tools of the wrong type', () => {
    for (const odd of [null, 'x', 5, {}, [null, 'x', 5, [], { content: [null, 'cache_control', []] }]])
      expect(() => sent({ model: 'm', messages: odd, tools: odd, cache_control: 1 }, 'mistral')).not.toThrow();
  });
});
