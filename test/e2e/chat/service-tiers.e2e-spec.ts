import { goodCompletion, goodEvents } from '../../support/vendors/scripted-chat-vendor.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';
import {
  aTextEndpoint,
  HELLO,
  startTextStage,
  streamedChunks,
  type TextStage,
} from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
  const row = (serviceTier: string | undefined, price: string): ReturnType<typeof aTextEndpoint> =>
    aTextEndpoint('openai', {
      tokenPrices: { prompt: price, completion: price },
      ...(serviceTier === undefined ? {} : { tag: `openai/${serviceTier}`, serviceTier }),
    });
  const tiers = [row(undefined, '0.000002'), row('flex', '0.000001'), row('priority', '0.000004')];
  stage.teach('rules/tiers', [...tiers, aTextEndpoint('deepinfra', { tokenPrices: { prompt: '1', completion: '1' } })]);
});
afterAll(() => stage.stop());

/** The price of the 11 + 7 tokens that the vendor reports. */
const costAt = (price: number): number => Number((18 * price).toFixed(9));
const served = (tier: string | undefined): object => ({
  body: { ...(goodCompletion() as object), ...(tier === undefined ? {} : { service_tier: tier }) },
});

describe('a service tier', () => {
  it.each<[requested: string | undefined, sent: string | undefined, told: string | undefined, price: number]>([
    [undefined, undefined, undefined, 0.000002],
    [undefined, undefined, 'default', 0.000002],
    ['auto', 'auto', 'default', 0.000002],
    ['auto', 'auto', 'priority', 0.000004],
    ['default', 'default', 'default', 0.000002],
    ['flex', 'flex', 'flex', 0.000001],
    ['flex', 'flex', undefined, 0.000001],
    ['priority', 'priority', 'priority', 0.000004],
    ['priority', 'priority', 'default', 0.000002],
    ['priority', 'priority', 'standard', 0.000002],
    ['fast', 'priority', 'priority', 0.000004],
    ['fast', 'priority', 'fast', 0.000004],
    ['scale', undefined, 'default', 0.000002],
    ['flex', 'flex', 'new', 0.000001],
  ])('%s is sent as %s, and a call served as %s costs %d per token', async (requested, sent, told, price) => {
    stage.vendors.openai.script(served(told));
    const provider = { order: ['openai'] };
    const { status, json } = await stage.chat({ model: 'rules/tiers', service_tier: requested, provider });
    expect([status, json.service_tier, json.usage.cost]).toEqual([200, told, costAt(price)]);
    expect(stage.vendors.openai.seen.at(-1)!.json.service_tier).toBe(sent);
    const { data } = (await stage.service.standard.get(`/generation?id=${json.id}`)).json;
    expect([data.service_tier, data.total_cost]).toEqual([told ?? null, costAt(price)]);
  });

  it('that served the call is in the last chunk of a stream, and decides the price', async () => {
    const events = goodEvents().map((event) =>
      typeof event === 'string' ? event : { ...(event as object), service_tier: 'default' },
    );
    stage.vendors.openai.script({ events });
    const body = { model: 'rules/tiers', service_tier: 'priority', provider: { order: ['openai'] }, stream: true };
    const last = streamedChunks(await stage.chat(body)).at(-1);
    expect([last.service_tier, last.usage.cost]).toEqual(['default', costAt(0.000002)]);
  });

  it('that served the call is in a response that was converted from another format', async () => {
    const post = async (path: string, body: object): Promise<ApiAnswer['json']> =>
      (await stage.service.standard.post(path, { json: body })).json;
    stage.vendors.deepinfra.script(served('default'), served('default'));
    const model = 'rules/deepinfra';
    expect((await post('/responses', { model, input: 'Hello' })).service_tier).toBe('default');
    expect((await post('/messages', { model, max_tokens: 9, messages: HELLO })).usage.service_tier).toBe('default');
    const usage = { ...TEXT_VENDORS.anthropic.usage, service_tier: 'standard' };
    stage.claude({ usage });
    expect((await post('/chat/completions', { model: 'rules/anthropic', messages: HELLO })).service_tier).toBe(
      'standard',
    );
    stage.claude({ usage });
    expect((await post('/responses', { model: 'rules/anthropic', input: 'Hello' })).service_tier).toBe('standard');
  });

  it('has its own endpoint, which serves only the calls that name the tier', async () => {
    for (const [service_tier, count] of [
      [undefined, 1],
      ['flex', 1],
    ] as const) {
      const calls = stage.vendors.openai.seen.length;
      stage.vendors.openai.script(...Array.from({ length: 3 }, () => ({ status: 500, body: {} })));
      await stage.chat({ model: 'rules/tiers', service_tier, provider: { only: ['openai'] } });
      stage.vendors.openai.clear();
      expect(stage.vendors.openai.seen.length - calls).toBe(count);
    }
  });

  it('must be supported by the endpoint if require_parameters is true', async () => {
    const provider = { require_parameters: true };
    const body = { model: 'rules/tiers', provider };
    for (let call = 0; call < 3; call++)
      expect((await stage.chat({ ...body, service_tier: 'flex' })).json.provider).toBe('openai');
    const { status, json } = await stage.chat({ ...body, service_tier: 'scale' });
    expect([status, json.error.metadata.availability.code]).toEqual([404, 'constraint_filtered']);
  });
});
