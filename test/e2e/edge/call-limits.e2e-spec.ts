import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { makeKey, makeWorkspace, type MadeKey } from '../../support/api/api-builders.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { holdStream } from '../../support/calls/held-stream.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { eventually } from '../../support/eventually.js';
import { CHAT_USAGE } from '../../support/vendors/scripted-chat-vendor.js';

const USED = CHAT_USAGE.total_tokens;

describe('call limits', () => {
  let stage: TextStage;
  let made: MadeKey;
  beforeAll(async () => {
    stage = await startTextStage({ env: { END_USER_HEADERS: 'X-OpenWebUI-User-Id,X-Other-User' } });
    stage.teach('others/model', [aTextEndpoint('deepinfra')]);
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    made = await makeKey(stage.service.management);
  });

  const set = async (json: object, { hash } = made.data): Promise<void> => {
    expect((await stage.service.management.put(`/keys/${hash}/settings`, { json })).status).toBe(200);
  };
  const chat = (body: object = {}, key = made.key, headers = {}): Promise<ApiAnswer> =>
    stage.chat(body, { key, headers });
  const statusOf = async (body: object = {}, key = made.key, headers = {}): Promise<number> =>
    (await chat(body, key, headers)).status;
  const hold = (body = {}, key = made.key) => holdStream(stage.service.origin, key, stage.vendors.openai, body);
  const header = (answer: ApiAnswer, name: string): number => Number(answer.headers.get(name));
  /** The number of tokens that the prompt of `chat` counts for. */
  const measure = async (): Promise<number> => {
    const { key, data } = await makeKey(stage.service.management);
    await set({ tokens_per_minute: 1_000_000 }, data);
    return 1_000_000 - header(await chat({}, key), 'x-ratelimit-remaining-tokens');
  };

  it('return no X-RateLimit headers for a key without limits', async () => {
    const answer = await chat();
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('accept prompts up to tokens_per_minute, and refuse with 429 a prompt that exceeds it by one token', async () => {
    const prompt = await measure();
    expect(prompt).toBeGreaterThan(2);
    await set({ tokens_per_minute: USED + prompt });
    const [first, second] = [await chat(), await chat()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(header(first, 'x-ratelimit-limit-tokens')).toBe(USED + prompt);
    // After the first call, its actual usage counts instead of the estimate for its prompt.
    expect(header(first, 'x-ratelimit-remaining-tokens')).toBe(USED);
    expect(header(second, 'x-ratelimit-remaining-tokens')).toBe(0);
    expect(first.headers.get('x-ratelimit-limit')).toBeNull();

    made = await makeKey(stage.service.management);
    await set({ tokens_per_minute: USED + prompt - 1 });
    expect(await statusOf()).toBe(200);
    const before = Date.now();
    const refused = await chat();
    expect([refused.status, refused.json.error.metadata.error_type]).toEqual([429, 'rate_limit_exceeded']);
    expect(header(refused, 'x-ratelimit-remaining-tokens')).toBe(prompt - 1);
    expect(header(refused, 'x-ratelimit-reset-tokens')).toBeGreaterThan(before);
    expect(header(refused, 'x-ratelimit-reset-tokens')).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(header(refused, 'retry-after')).toBeGreaterThan(0);
    expect(header(refused, 'retry-after')).toBeLessThanOrEqual(60);
  });

  it('release the prompt tokens of a failed call, and refuse calls after tokens_per_minute is used up', async () => {
    const prompt = await measure();
    await set({ tokens_per_minute: prompt });
    stage.vendors.openai.script({ status: 400, body: { error: { message: 'no' } } });
    expect(await statusOf()).toBe(400);
    expect(await statusOf()).toBe(200);
    expect(await statusOf()).toBe(429);
  });

  it('count the tokens of streams, and of calls in the format responses', async () => {
    await set({ tokens_per_minute: 1_000 });
    const used = async (): Promise<number> => 1_000 - header(await chat(), 'x-ratelimit-remaining-tokens');
    const prompt = await used();
    await chat({ stream: true });
    expect(await used()).toBe(2 * USED + prompt);
    const key = stage.service.as(made.key);
    await key.post('/responses', { json: { model: 'rules/openai', input: 'Hello' } });
    expect(await used()).toBe(4 * USED + prompt);
  });

  it('refuse a call beyond max_concurrent until an earlier call ends; a stream counts until it ends', async () => {
    await set({ max_concurrent: 2 });
    const [one, two] = [await hold(), await hold()];
    expect([one.status, two.status]).toEqual([200, 200]);
    const refused = await chat();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.json.error.message).toContain('at most 2');
    expect((await stage.service.standard.get('/key')).status).toBe(200);
    await one.finish();
    await eventually(async () => expect(await statusOf()).toBe(200));
    await two.finish();
  });

  it('stop counting a stream in max_concurrent if its caller left', async () => {
    await set({ max_concurrent: 1 });
    const held = await hold();
    expect(await statusOf()).toBe(429);
    held.leave();
    await eventually(async () => expect(await statusOf()).toBe(200));
  });

  it('stop counting a call in max_concurrent after it failed', async () => {
    await set({ max_concurrent: 1 });
    stage.vendors.openai.script({ status: 400, body: {} }, { status: 500, body: {} });
    expect(await statusOf()).toBe(400);
    expect(await statusOf()).toBe(502);
    expect(await statusOf()).toBe(200);
  });

  it('limit only the calls of the models that the settings name', async () => {
    await set({ models: { 'rules/openai': { requests_per_minute: 2 } } });
    const answers = [await chat(), await chat(), await chat()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(answers[2]!.json.error.message).toContain('rules/openai');
    expect(await statusOf({ model: 'others/model' })).toBe(200);
  });

  it('limit each end user separately, and do not limit calls without an end user', async () => {
    await set({ each_end_user: { requests_per_minute: 1, max_concurrent: 1 } });
    const statuses = [];
    for (const user of ['anna', 'anna', 'ben', undefined, undefined]) statuses.push(await statusOf({ user }));
    expect(statuses).toEqual([200, 429, 200, 200, 200]);
  });

  it('limit all keys of a workspace together', async () => {
    const { id } = await makeWorkspace(stage.service.management);
    const [one, two] = [
      await makeKey(stage.service.management, { workspace_id: id }),
      await makeKey(stage.service.management, { workspace_id: id }),
    ];
    const settings = { requests_per_minute: 2, each_end_user: { requests_per_minute: 1 } };
    await stage.service.management.patch(`/workspaces/${id}/settings`, { json: settings });
    const keys = stage.service.app.get(KeyDirectory, { strict: false });
    for (const { data } of [one, two]) keys.forget(data.hash);
    const user = { user: 'anna' };
    expect([await statusOf(user, one.key), await statusOf(user, two.key)]).toEqual([200, 429]);
    expect([await statusOf({}, two.key), await statusOf({}, one.key)]).toEqual([200, 429]);
    expect(await statusOf()).toBe(200);
  });

  it('return in X-RateLimit the limit with fewer remaining requests: of the key or of the model', async () => {
    await set({ requests_per_minute: 3, models: { 'rules/openai': { requests_per_minute: 9 } } });
    const first = await chat();
    expect([header(first, 'x-ratelimit-limit'), header(first, 'x-ratelimit-remaining')]).toEqual([3, 2]);
    await set({ requests_per_minute: 100 });
    const second = await chat();
    expect([header(second, 'x-ratelimit-limit'), header(second, 'x-ratelimit-remaining')]).toEqual([9, 7]);
  });

  it('are checked in this order: allowed models, requests, concurrency, tokens, limit of the key', async () => {
    const limits = {
      models: { 'rules/openai': { requests_per_minute: 1 } },
      max_concurrent: 1,
      tokens_per_minute: 1_000,
      allowed_models: ['rules/openai'],
    };
    await set(limits);
    const held = await hold();
    await set({ tokens_per_minute: 1 });
    await stage.service.management.patch(`/keys/${made.hash}`, { json: { limit: 0 } });
    expect(await statusOf({ model: 'others/model' })).toBe(404);
    const requests = await chat();
    expect([requests.status, requests.headers.get('x-ratelimit-limit')]).toEqual([429, '1']);
    await set({ models: null });
    const concurrent = await chat();
    expect([concurrent.status, concurrent.json.error.message]).toEqual([429, expect.stringContaining('at once')]);
    await set({ max_concurrent: null });
    const tokens = await chat();
    expect([tokens.status, tokens.headers.get('x-ratelimit-limit-tokens')]).toEqual([429, '1']);
    await set({ tokens_per_minute: null });
    expect(await statusOf()).toBe(402);
    await held.finish();
  });

  it('let a session make session_max_calls calls, and refuse the next call with 429 and no Retry-After', async () => {
    await set({ session_max_calls: 2 });
    const other = await makeKey(stage.service.management);
    await set({ session_max_calls: 2 }, other.data);
    const inBody = { session_id: 'one' };
    expect([await statusOf(inBody), await statusOf({}, made.key, { 'x-session-id': 'one' })]).toEqual([200, 200]);
    const refused = await chat(inBody);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
    expect(refused.json.error.message).toContain('session');
    expect([await statusOf({ session_id: 'two' }), await statusOf(), await statusOf(inBody, other.key)]).toEqual([
      200, 200, 200,
    ]);
  });

  it('read the end user from a header in END_USER_HEADERS only if the key trusts these headers', async () => {
    await set({ each_end_user: { requests_per_minute: 1 } });
    const by = (headers: object, body = {}): Promise<number> => statusOf(body, made.key, headers);
    const anna = { 'x-openwebui-user-id': 'J%C3%B6rg%20M.' };
    expect([await by(anna), await by(anna)]).toEqual([200, 200]);
    await set({ trust_end_user_headers: true });
    expect([await by(anna), await by(anna)]).toEqual([200, 429]);
    // The same end user, in `user` of the body instead of a percent-encoded header.
    expect(await by({}, { user: 'Jörg M.' })).toBe(429);
    // The body takes precedence over the headers, and the first header over the second.
    expect(await by(anna, { user: 'ben' })).toBe(200);
    expect(await by({ 'x-other-user': 'J%C3%B6rg%20M.' })).toBe(429);
    expect(await by({ 'x-openwebui-user-id': 'carl', 'x-other-user': 'J%C3%B6rg%20M.' })).toBe(200);
    // A value that cannot be decoded is used unchanged. A value that cannot be stored is ignored.
    expect([await by({ 'x-other-user': '100%' }), await by({ 'x-other-user': '100%' })]).toEqual([200, 429]);
    expect([await by({ 'x-other-user': 'a%00' }), await by({ 'x-other-user': 'a%00' })]).toEqual([200, 200]);
    const recorded = await stage.service.sql.query('select 1 from usage_label where value = $1', ['Jörg M.']);
    expect(recorded).toHaveLength(1);
  });
});
