import { SecretValue } from '../../../src/kernel/secret-value.js';
import type { WireCall } from '../../../src/providers/ports/text-adapter.port.js';
import { chatCall, startChatStage, VENDOR_KEY, type ChatStage } from '../../support/vendors/chat-through-vendor.js';

let stage: ChatStage;
beforeAll(async () => (stage = await startChatStage()));
afterAll(() => stage.close());

type Call = Omit<Partial<WireCall>, 'request'> & { readonly request?: Partial<WireCall['request']> };
const wireCall = (format: 'responses' | 'messages', body: object, { request, ...more }: Call = {}): WireCall => {
  const call = chatCall(body as Record<string, unknown>, more);
  return { ...call, request: { ...call.request, format: { name: format }, ...request } };
};
const BODY = { model: 'a/b', input: 'hi', messages: [{ role: 'user', content: 'hi' }] };
// oxlint-disable-next-line typescript/no-explicit-any
const whole = async (call: WireCall): Promise<any> =>
  JSON.parse((await (await stage.text.send(call)).whole(100_000)).toString());

describe('the formats of vendors that get the bytes of the request', () => {
  it('depend on the provider', () => {
    const formatsOf = (provider: string, upstreamModel?: string) => stage.text.formatsOf({ provider, upstreamModel });
    expect(formatsOf('scaleway')).toEqual(['chat']);
    for (const provider of ['openai', 'azure', 'xai', 'groq'])
      expect(formatsOf(provider)).toEqual(['chat', 'responses']);
    expect(formatsOf('openrouter')).toEqual(['chat', 'responses', 'messages']);
    for (const provider of ['deepseek', 'moonshotai']) expect(formatsOf(provider)).toEqual(['chat', 'messages']);
  });

  it('do not include messages if the base URL does not determine the address of /messages', () => {
    expect(stage.text.formatsOf({ provider: 'zai' })).toEqual(['chat']);
  });

  it.each([
    ['gpt-5-codex', ['responses']],
    ['gpt-5.1-codex-mini', ['responses']],
    ['codex-mini-latest', ['responses']],
    ['o3-pro', ['responses']],
    ['gpt-5.2-pro-2026-01-01', ['responses']],
    ['gpt-5', ['chat', 'responses']],
    ['gpt-5-mini', ['chat', 'responses']],
    ['o3', ['chat', 'responses']],
  ])('of the model %s are %j', (upstreamModel, formats) => {
    expect(stage.text.formatsOf({ provider: 'openai', upstreamModel })).toEqual(formats);
  });

  it('are separate from further operations such as compaction, which also depend on the provider', () => {
    expect(stage.text.operationsOf({ provider: 'openai' })).toEqual(['compact']);
    expect(stage.text.operationsOf({ provider: 'azure' })).toEqual([]);
    expect(stage.text.operationsOf({ provider: 'scaleway' })).toEqual([]);
  });
});

describe('requests that are passed on as bytes', () => {
  it('of /responses go to the base URL, and store nothing', async () => {
    const response = await stage.text.send(wireCall('responses', { ...BODY, stream: true }, { provider: 'openai' }));
    expect(response.isStream).toBe(true);
    await response.events().return!();
    const { path, headers, json } = stage.vendor.seen.at(-1)!;
    expect(path).toBe('/v1/responses');
    expect(headers.authorization).toBe(`Bearer ${VENDOR_KEY}`);
    expect(headers['anthropic-version']).toBeUndefined();
    expect(json).toMatchObject({ model: 'vendor-model', input: 'hi', store: false, stream: true });
  });

  it('of a compaction go to /responses/compact', async () => {
    const call = wireCall('responses', BODY, { provider: 'openai', request: { operation: 'compact' } });
    expect(await whole(call)).toMatchObject({ object: 'response.compaction' });
    expect(stage.vendor.seen.at(-1)!.path).toBe('/v1/responses/compact');
  });

  it.each([
    ['openrouter', '/v1/messages'],
    ['deepseek', '/v1/anthropic/v1/messages'],
    ['moonshotai', '/anthropic/v1/messages'],
  ])('of /messages go to %s at %s', async (provider, path) => {
    expect(await whole(wireCall('messages', BODY, { provider, reservedOutputTokens: 9 }))).toMatchObject({
      type: 'message',
    });
    const seen = stage.vendor.seen.at(-1)!;
    expect(seen.path).toBe(path);
    expect(seen.json).toMatchObject({ model: 'vendor-model', max_tokens: 9 });
  });

  it("carry the caller's version and beta features, and no other header of the caller", async () => {
    const request = { version: '2026-10-21', betas: 'a-1,b-2' };
    await whole(wireCall('messages', BODY, { provider: 'openrouter', request }));
    const { headers } = stage.vendor.seen.at(-1)!;
    expect(headers).toMatchObject({ 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-1,b-2' });
    expect(Object.keys(headers).sort()).toEqual([
      'anthropic-beta',
      'anthropic-version',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
    ]);
  });

  it('carry the API key of a credential that is a JSON object', async () => {
    const credential = new SecretValue(JSON.stringify({ apiKey: 'azure-secret-key', resourceName: 'mine' }));
    await whole(wireCall('responses', BODY, { provider: 'azure', credential }));
    expect(stage.vendor.seen.at(-1)!.headers['api-key']).toBe('azure-secret-key');
  });

  it('fail according to the status of the vendor, in each format', async () => {
    const error = { type: 'invalid_request_error', message: `bad top_k for ${VENDOR_KEY}` };
    for (const [format, provider] of [
      ['responses', 'openai'],
      ['messages', 'deepseek'],
    ] as const) {
      stage.vendor.script({ status: 400, body: { type: 'error', error } });
      await expect(whole(wireCall(format, BODY, { provider }))).rejects.toMatchObject({
        kind: 'invalid_request',
        message: 'bad top_k for [redacted]',
      });
    }
  });
});
