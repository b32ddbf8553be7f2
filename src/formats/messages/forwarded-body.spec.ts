import type { ForwardedText } from '../vendor-text.js';
import { messagesHeaders } from './headers.js';
import { messagesRequestBody } from './forwarded-body.js';

const sent = (body: object | string, call: Partial<ForwardedText> = {}): string => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const members = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const request = { format: { name: 'messages' as const }, bytes, members, ...call.request };
  const { signal } = new AbortController();
  const base = { upstreamModel: 'up', provider: 'p', credential: null, options: {}, signal, streamed: false };
  return messagesRequestBody({ ...base, ...call, request }).toString();
};
// oxlint-disable-next-line typescript/no-explicit-any
const json = (...args: Parameters<typeof sent>): any => JSON.parse(sent(...args));
const messages = [{ role: 'user', content: 'hi' }];

describe('the body of /messages', () => {
  it('keeps bytes, order and unknown members', () => {
    expect(
      sent('{ "top_p":1.0e+0,"model":"a/b", "max_tokens":5,"messages":[{"role":"user","content":"\\u00e9"}],"x":1 }', {
        maxOutputTokens: 5,
      }),
    ).toBe('{ "top_p":1.0e+0,"model":"up", "max_tokens":5,"messages":[{"role":"user","content":"\\u00e9"}],"x":1 }');
  });

  it('keeps thinking, cache breakpoints, tools of the vendor and context_management', () => {
    const body = {
      messages: [
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 's' }] },
        { role: 'user', content: [{ type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      ],
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max' },
      context_management: { edits: [] },
      cache_control: { type: 'ephemeral' },
      stop_sequences: ['x'],
    };
    expect(json({ model: 'a/b', ...body })).toEqual({ model: 'up', ...body });
  });

  it('removes the members of the gateway', () => {
    const ours = {
      models: [],
      fallbacks: [{ model: 'x' }],
      route: 'x',
      provider: {},
      plugins: [],
      transforms: [],
      session_id: 's',
      trace: {},
      debug: {},
      usage: {},
      preset: 'p',
      include_reasoning: true,
      reasoning: { effort: 'high' },
      stop_server_tools_when: [],
      image_config: {},
      user: 'raw',
      metadata: { user_id: 'raw' },
      stream: false,
    };
    expect(json({ model: 'a/b', messages, ...ours })).toEqual({ model: 'up', messages });
  });

  it('has the requested maximum output, otherwise the reserved output, because the format requires a maximum', () => {
    expect(json({ messages, max_tokens: 70 }, { maxOutputTokens: 50, reservedOutputTokens: 60 }).max_tokens).toBe(50);
    expect(json({ messages }, { reservedOutputTokens: 60 }).max_tokens).toBe(60);
  });

  it('has the values that the gateway sets, which no other spelling and no option can override', () => {
    const options = { max_tokens: 9, metadata: { user_id: 'x' }, messages: [], speed: 'fast', top_p: 0.5 };
    const call = { streamed: true, maxOutputTokens: 50, endUser: 'hash', options };
    expect(json({ model: 'a/b', messages, metadata: { user_id: 'raw' }, Messages: [], SPEED: 'fast' }, call)).toEqual({
      model: 'up',
      messages,
      metadata: { user_id: 'hash' },
      top_p: 0.5,
      stream: true,
      max_tokens: 50,
    });
  });

  it.each([
    [{ service_tier: 'auto' }, undefined, { service_tier: 'auto' }],
    [{ service_tier: 'standard_only' }, undefined, { service_tier: 'standard_only' }],
    [{ service_tier: 'priority' }, undefined, {}],
    [{ service_tier: 'flex' }, 'flex', { service_tier: 'flex' }],
    [{ speed: 'standard' }, undefined, { speed: 'standard' }],
    [{ speed: 'fast' }, undefined, {}],
    [{ speed: 'fast' }, 'priority', { speed: 'fast' }],
    [{ inference_geo: 'global' }, undefined, { inference_geo: 'global' }],
  ])('converts %j for an endpoint of the tier %s to %j', (members, serviceTier, expected) => {
    expect(json({ messages, ...members }, { serviceTier })).toEqual({ model: 'up', messages, ...expected });
  });

  it('is refused if inference_geo has other prices, and the error names this member', () => {
    expect(() => sent({ messages, inference_geo: 'us' })).toThrow(/inference_geo/);
  });

  it('omits, in a request for a token count, the members that token counts do not support', () => {
    const request = { operation: 'count_tokens' } as ForwardedText['request'];
    const body = { model: 'a/b', messages, system: 's', max_tokens: 5, temperature: 1, stream: true, thinking: {} };
    expect(json(body, { request, maxOutputTokens: 5, endUser: 'hash' })).toEqual({
      model: 'up',
      messages,
      system: 's',
      thinking: {},
    });
  });
});

describe('the headers of /messages', () => {
  const request = { format: { name: 'messages' }, bytes: Buffer.alloc(0), members: {} } as const;

  it('include the version and the betas of the caller, or a default version', () => {
    expect(messagesHeaders(request)).toEqual(['anthropic-version', '2023-06-01']);
    expect(messagesHeaders({ ...request, version: '2026-10-21', betas: 'a,b' })).toEqual([
      'anthropic-version',
      '2026-10-21',
      'anthropic-beta',
      'a,b',
    ]);
  });
});
