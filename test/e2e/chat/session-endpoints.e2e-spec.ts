import { jest } from '@jest/globals';
import type { ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const FAILS: ChatScript = { status: 500, body: { error: { message: 'scripted' } } };
const TEN_MINUTES_MS = 600_000;

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
  // The first endpoint is cheaper and therefore always preferred.
  const cheap = { prompt: '0.000001', completion: '0.000001' };
  const dear = { prompt: '0.001', completion: '0.001' };
  stage.teach('rules/two', [
    aTextEndpoint('openai', { tokenPrices: cheap }),
    aTextEndpoint('deepinfra', { tokenPrices: dear }),
  ]);
  stage.teach('rules/two-more', [
    aTextEndpoint('openai', { tokenPrices: cheap }),
    aTextEndpoint('deepinfra', { tokenPrices: dear }),
  ]);
});
afterAll(() => stage.stop());
afterEach(() => void jest.restoreAllMocks());

let sessions = 0;
const newSession = (): string => `session-${++sessions}`;
const PRICE = { sort: 'price' };
async function providerOf(body: object, headers = {}): Promise<string> {
  const { status, json, text } = await stage.chat({ model: 'rules/two', provider: PRICE, ...body }, { headers });
  if (status !== 200) throw new Error(text);
  return json.provider as string;
}
/** Returns a session that was served by the endpoint that is not preferred. */
async function movedSession(member = 'session_id'): Promise<string> {
  const session = newSession();
  expect(await providerOf({ [member]: session, provider: { only: ['deepinfra'] } })).toBe('deepinfra');
  return session;
}

describe('a session', () => {
  it('uses the endpoint that served its last call of the same model', async () => {
    const session_id = await movedSession();
    expect(await providerOf({ session_id })).toBe('deepinfra');
    expect(await providerOf({ session_id })).toBe('deepinfra');
    expect(await providerOf({ session_id, model: 'rules/two-more' })).toBe('openai');
    expect(await providerOf({ session_id: newSession() })).toBe('openai');
    expect(await providerOf({})).toBe('openai');
  });

  it('is identified by session_id, else by the header, else by prompt_cache_key', async () => {
    const session = await movedSession();
    expect(await providerOf({}, { 'x-session-id': session })).toBe('deepinfra');
    expect(await providerOf({ session_id: newSession() }, { 'x-session-id': session })).toBe('openai');
    const key = await movedSession('prompt_cache_key');
    expect(await providerOf({ prompt_cache_key: key })).toBe('deepinfra');
    expect(await providerOf({ prompt_cache_key: key }, { 'x-session-id': newSession() })).toBe('openai');
  });

  it('does not override provider.order, or preferences that exclude the endpoint', async () => {
    const session_id = await movedSession();
    expect(await providerOf({ session_id, provider: { order: ['openai'] } })).toBe('openai');
    const other = await movedSession();
    expect(await providerOf({ session_id: other, provider: { ignore: ['deepinfra'] } })).toBe('openai');
  });

  it('moves away from an endpoint that failed', async () => {
    const session_id = await movedSession();
    stage.vendors.deepinfra.script(FAILS);
    expect(await providerOf({ session_id })).toBe('openai');
    expect(await providerOf({ session_id })).toBe('openai');
  });

  it('moves away from an endpoint whose stream failed in the middle', async () => {
    const session_id = await movedSession();
    const events = [{ choices: [{ index: 0, delta: { content: 'a' } }] }, { error: { message: 'x', code: 500 } }];
    stage.vendors.deepinfra.script({ events });
    await stage.chat({ model: 'rules/two', provider: PRICE, session_id, stream: true });
    expect(await providerOf({ session_id })).toBe('openai');
  });

  it('loses its endpoint ten minutes after its last successful call', async () => {
    const session_id = await movedSession();
    const now = performance.now.bind(performance);
    let ahead = TEN_MINUTES_MS - 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    expect(await providerOf({ session_id })).toBe('deepinfra');
    ahead += TEN_MINUTES_MS - 5_000;
    expect(await providerOf({ session_id })).toBe('deepinfra');
    ahead += TEN_MINUTES_MS + 1_000;
    expect(await providerOf({ session_id })).toBe('openai');
  });

  it('has its endpoint only in its workspace', async () => {
    const session_id = await movedSession();
    const { json } = await stage.service.management.post('/workspaces', { json: { name: 'Other', slug: 'other' } });
    const made = await stage.service.management.post('/keys', { json: { name: 'k', workspace_id: json.data.id } });
    const answer = await stage.chat({ model: 'rules/two', provider: PRICE, session_id }, { key: made.json.key });
    expect([answer.status, answer.json.provider]).toEqual([200, 'openai']);
  });

  it('is recorded with the call', async () => {
    const answer = await stage.chat({ session_id: 'the-session' });
    const { data } = (await stage.service.standard.get(`/generation?id=${answer.json.id}`)).json;
    expect(data.session_id).toBe('the-session');
  });
});
