import type { WireCall } from '../../ports/text-adapter.port.js';
import { responsesRequestBody } from './responses-request-body.js';
import { COMPATIBLE_VENDORS } from './vendors.js';

const traitsOf = (slug: string) => COMPATIBLE_VENDORS.find((vendor) => vendor.slug === slug)!.text;
const sent = (body: object | string, slug = 'openai', call: Partial<WireCall> = {}): string => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const members = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const request = { format: { name: 'responses' as const }, bytes, members, ...call.request };
  const { signal } = new AbortController();
  const base = { upstreamModel: 'up', provider: slug, credential: null, options: {}, signal, streamed: false };
  return responsesRequestBody({ ...base, ...call, request }, traitsOf(slug)).toString();
};
// oxlint-disable-next-line typescript/no-explicit-any
const json = (...args: Parameters<typeof sent>): any => JSON.parse(sent(...args));

describe('the body of /responses', () => {
  it('keeps bytes, order and unknown members, and appends store: false', () => {
    expect(sent('{ "top_p":1.0e+0,"model":"a/b", "input":"\\u00e9","x_new":{"a":1} }')).toBe(
      '{ "top_p":1.0e+0,"model":"up", "input":"\\u00e9","x_new":{"a":1},"store":false }',
    );
  });

  it('keeps items and tools of unknown types', () => {
    const body = {
      input: [
        { type: 'new_item', x: 1 },
        { type: 'reasoning', summary: [], encrypted_content: 'e' },
      ],
      tools: [{ type: 'custom', name: 'apply_patch' }, { type: 'local_shell' }, { type: 'namespace', tools: [] }],
      include: ['reasoning.encrypted_content'],
    };
    expect(json({ model: 'a/b', ...body })).toEqual({ model: 'up', ...body, store: false });
  });

  it('removes members of the gateway, references to objects stored at a vendor, and settings of other formats', () => {
    const taken = {
      models: [],
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
      stop_server_tools_when: [],
      image_config: {},
      stream: false,
      background: false,
      conversation: 'c',
      previous_response_id: null,
      prompt: null,
      top_k: 1,
      min_p: 0,
      top_a: 0,
      frequency_penalty: 0,
      presence_penalty: 0,
      repetition_penalty: 1,
      seed: 1,
      stop: 'x',
      logit_bias: {},
      cache_control: {},
      user: 'raw',
      safety_identifier: 'raw',
    };
    expect(json({ model: 'a/b', input: 'x', store: true, ...taken })).toEqual({
      model: 'up',
      input: 'x',
      store: false,
    });
    expect(json({ model: 'a/b', input: 'x', top_k: 1, seed: 1 }, 'openrouter')).toMatchObject({ top_k: 1, seed: 1 });
  });

  it('has the values that the gateway sets, which no other spelling and no option can change', () => {
    const options = { store: true, max_output_tokens: 9, user: 'x', top_p: 0.5, tools: [] };
    const call = { streamed: true, maxOutputTokens: 50, endUser: 'hash', options };
    expect(json({ model: 'a/b', input: 'x', max_output_tokens: 70, Store: true, INPUT: 'y' }, 'openai', call)).toEqual({
      model: 'up',
      input: 'x',
      top_p: 0.5,
      store: false,
      stream: true,
      max_output_tokens: 50,
      safety_identifier: 'hash',
    });
    expect(json({ input: 'x', safety_identifier: 'raw' }, 'xai', { endUser: 'hash' })).toMatchObject({ user: 'hash' });
    expect(sent({ input: 'x', safety_identifier: 'raw' }, 'xai', { endUser: 'hash' })).not.toContain('raw');
  });

  it.each([
    [{ effort: 'high', summary: 'auto' }, 'openai', { effort: 'high', summary: 'auto' }],
    [{ effort: 'max' }, 'openai', { effort: 'xhigh' }],
    [{ effort: 'minimal' }, 'xai', { effort: 'low' }],
    [{ enabled: true }, 'openai', { effort: 'medium' }],
    [{ enabled: false }, 'openai', { effort: 'none' }],
    [{ max_tokens: 400, summary: 'auto' }, 'openai', { effort: 'medium', summary: 'auto' }],
    [{ exclude: true }, 'openai', {}],
    [{ max_tokens: 400 }, 'openrouter', { max_tokens: 400 }],
  ])('converts reasoning %j for %s to %j', (reasoning, slug, expected) => {
    expect(json({ model: 'a/b', input: 'x', reasoning }, slug, { maxOutputTokens: 1_000 }).reasoning).toEqual(expected);
  });

  it.each([
    ['auto', undefined, 'auto'],
    ['default', undefined, 'default'],
    ['priority', undefined, undefined],
    ['fast', 'priority', 'priority'],
    ['flex', 'flex', 'flex'],
  ])('converts the tier %s for an endpoint of the tier %s to %s', (tier, serviceTier, expected) => {
    expect(json({ model: 'a/b', input: 'x', service_tier: tier }, 'openai', { serviceTier }).service_tier).toBe(
      expected,
    );
  });

  it('changes only the model, and removes members of the gateway, for a compaction', () => {
    const request = { operation: 'compact' } as WireCall['request'];
    const call = { request, maxOutputTokens: 5, endUser: 'hash', reservedOutputTokens: 7 };
    expect(json({ model: 'a/b', input: [], instructions: 'i', provider: {} }, 'openai', call)).toEqual({
      model: 'up',
      input: [],
      instructions: 'i',
    });
  });
});
