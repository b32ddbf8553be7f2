import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../../support/api/api-builders.js';
import { asking, booksOf, cached, cacheStatus, recordOf } from '../../support/calls/cached-calls.js';
import { expectBalanced } from '../../support/money/count-the-money.js';
import { CHAT_TEXT, goodEvents } from '../../support/vendors/scripted-chat-vendor.js';
import { startTextStage, streamedChunks, streamedText, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.vendors.openai.clear();
  stage.vendors.openai.seen.splice(0);
});
const calls = (): number => stage.vendors.openai.seen.length;
const FREE_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0, is_byok: false };

describe('the response cache', () => {
  it('serves an equal request from the cache, as a separate call that costs nothing', async () => {
    const first = await stage.chat(asking('again'), { headers: cached() });
    const before = await booksOf(stage);
    const second = await stage.chat(asking('again'), { headers: cached() });

    expect([cacheStatus(first), cacheStatus(second), calls()]).toEqual(['MISS', 'HIT', 1]);
    expect(first.headers.get('x-openrouter-cache-ttl')).toBe('300');
    expect(second.headers.get('x-openrouter-cache-age')).toBe('0');
    expect(second.json.id).not.toBe(first.json.id);
    expect(second.headers.get('x-generation-id')).toBe(second.json.id);
    expect(second.json).toEqual({
      ...first.json,
      id: second.json.id,
      created: expect.any(Number),
      usage: expect.objectContaining(FREE_USAGE),
    });
    expect(first.json.usage.cost).toBeGreaterThan(0);
    expect(await recordOf(stage, second)).toMatchObject({
      id: second.json.id,
      total_cost: 0,
      usage: 0,
      model: 'rules/openai',
      provider_name: 'OpenAI',
      finish_reason: 'stop',
      native_finish_reason: 'stop',
      tokens_prompt: 0,
      tokens_completion: 0,
      is_byok: false,
      streamed: false,
      cancelled: false,
      response_cache_source_id: first.json.id,
    });
    expect(await recordOf(stage, first)).toMatchObject({ response_cache_source_id: null });
    expect(await booksOf(stage)).toEqual(before);
    expectBalanced(before);
  });

  it('serves a cached stream as a stream', async () => {
    const body = asking('stream', { stream: true });
    const first = await stage.chat(body, { headers: cached() });
    const second = await stage.chat(body, { headers: cached() });

    expect([cacheStatus(first), cacheStatus(second), calls()]).toEqual(['MISS', 'HIT', 1]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    const [own, replayed] = [streamedChunks(first), streamedChunks(second)];
    const id = second.headers.get('x-generation-id');
    expect(id).not.toBe(own[0].id);
    expect(new Set(replayed.map((chunk) => chunk.id))).toEqual(new Set([id]));
    expect(streamedText(second)).toBe(CHAT_TEXT.join(''));
    expect(replayed.map(({ choices }) => choices)).toEqual(own.map(({ choices }) => choices));
    expect(replayed.at(-1).usage).toMatchObject(FREE_USAGE);
    expect(own.at(-1).usage.cost).toBeGreaterThan(0);
    expect(await recordOf(stage, second)).toMatchObject({
      total_cost: 0,
      streamed: true,
      finish_reason: 'stop',
      response_cache_source_id: own[0].id,
    });
    expectBalanced(await booksOf(stage));
  });

  it('gives a cached response the time of the call that receives it', async () => {
    const first = await stage.chat(asking('time'), { headers: cached() });
    await sleep(1_100);
    const second = await stage.chat(asking('time'), { headers: cached() });
    expect(second.json.created).toBeGreaterThan(first.json.created);
    expect(Number(second.headers.get('x-openrouter-cache-age'))).toBeGreaterThanOrEqual(1);
    expect(Number(second.headers.get('x-openrouter-cache-ttl'))).toBeLessThan(300);
  });

  it('distinguishes streams from complete responses', async () => {
    await stage.chat(asking('both'), { headers: cached() });
    const streamed = await stage.chat(asking('both', { stream: true }), { headers: cached() });
    expect([cacheStatus(streamed), calls()]).toEqual(['MISS', 2]);
  });

  it.each([
    ['another message', { messages: [{ role: 'user', content: 'other' }] }],
    ['another model', { model: 'rules/deepinfra' }],
    ['a suffix of the model', { model: 'rules/openai:nitro' }],
    ['a fallback', { models: ['rules/deepinfra'] }],
    ['a temperature', { temperature: 0.5 }],
    ['a seed', { seed: 1 }],
    ['provider preferences', { provider: { allow_fallbacks: false } }],
    ['an unknown member', { anything: 1 }],
    ['a limit of the output', { max_completion_tokens: 100 }],
  ])('does not serve a request with %s', async (what, change) => {
    await stage.chat(asking(what), { headers: cached() });
    const changed = await stage.chat({ ...asking(what), ...change }, { headers: cached() });
    expect([changed.status, cacheStatus(changed)]).toEqual([200, 'MISS']);
  });

  it('distinguishes long numbers that are equal after parsing', async () => {
    const body = (seed: string) =>
      `{"model":"rules/openai","messages":[{"role":"user","content":"long"}],"seed":${seed}}`;
    await stage.chat(body('9007199254740992'), { headers: cached() });
    const other = await stage.chat(body('9007199254740993'), { headers: cached() });
    const same = await stage.chat(body('9007199254740993'), { headers: cached() });
    expect([cacheStatus(other), cacheStatus(same)]).toEqual(['MISS', 'HIT']);
  });

  it.each([
    ['another end user', { user: 'someone' }, {}],
    ['another session', { session_id: 'a' }, { 'x-session-id': 'b' }],
    ['a trace', { trace: { trace_id: 't' } }, {}],
  ])('serves a request with %s', async (what, change, headers) => {
    await stage.chat(asking(what), { headers: cached() });
    const other = await stage.chat({ ...asking(what), ...change }, { headers: cached(headers) });
    expect([cacheStatus(other), calls()]).toEqual(['HIT', 1]);
    const record = await recordOf(stage, other);
    expect([record.external_user, record.session_id]).toEqual([
      (change as { user?: string }).user ?? null,
      (change as { session_id?: string }).session_id ?? null,
    ]);
  });

  it('serves a request with members in another order', async () => {
    await stage.chat(asking('order', { temperature: 0, top_p: 1 }), { headers: cached() });
    const other = await stage.chat({ top_p: 1, temperature: 0, ...asking('order') }, { headers: cached() });
    expect(cacheStatus(other)).toBe('HIT');
  });

  it('is not used without the header, with `bypass`, or for another key', async () => {
    await stage.chat(asking('whose'), { headers: cached() });
    const { key } = await makeKey(stage.service.management);
    const plain = await stage.chat(asking('whose'));
    const bypass = await stage.chat(asking('whose'), { headers: { 'x-openrouter-cache': 'bypass' } });
    const foreign = await stage.chat(asking('whose'), { key, headers: cached() });
    expect([plain, bypass, foreign].map(cacheStatus)).toEqual([null, null, 'MISS']);
    expect(calls()).toBe(4);
  });

  it('replaces a response if the request has `X-OpenRouter-Cache-Clear`', async () => {
    await stage.chat(asking('clear'), { headers: cached() });
    const cleared = await stage.chat(asking('clear'), { headers: cached({ 'x-openrouter-cache-clear': 'true' }) });
    const next = await stage.chat(asking('clear'), { headers: cached() });
    expect([cacheStatus(cleared), cacheStatus(next), calls()]).toEqual(['MISS', 'HIT', 2]);
    expect((await recordOf(stage, next)).response_cache_source_id).toBe(cleared.json.id);
  });

  it('keeps a response for the TTL of its request, and no longer', async () => {
    const briefly = cached({ 'x-openrouter-cache-ttl': '1' });
    const first = await stage.chat(asking('brief'), { headers: briefly });
    expect(first.headers.get('x-openrouter-cache-ttl')).toBe('1');
    await sleep(1_050);
    const later = await stage.chat(asking('brief'), { headers: cached() });
    expect([cacheStatus(later), calls()]).toEqual(['MISS', 2]);
  });

  it('serves no response that is older than the request allows', async () => {
    await stage.chat(asking('age'), { headers: cached() });
    await sleep(1_050);
    const strict = await stage.chat(asking('age'), { headers: cached({ 'x-openrouter-cache-ttl': '1' }) });
    expect([cacheStatus(strict), calls()]).toEqual(['MISS', 2]);
  });

  it.each([
    ['X-OpenRouter-Cache', 'yes', /must be true or bypass/],
    ['X-OpenRouter-Cache', '', /must be true or bypass/],
    ['X-OpenRouter-Cache-TTL', '0', /from 1 to 86400/],
    ['X-OpenRouter-Cache-TTL', '86401', /from 1 to 86400/],
    ['X-OpenRouter-Cache-TTL', '1.5', /from 1 to 86400/],
    ['X-OpenRouter-Cache-TTL', '-1', /from 1 to 86400/],
    ['X-OpenRouter-Cache-TTL', '', /from 1 to 86400/],
  ])('refuses the header %s with the value %j', async (name, value, message) => {
    const answer = await stage.chat(asking('never'), { headers: { ...cached(), [name.toLowerCase()]: value } });
    expect([answer.status, calls()]).toEqual([400, 0]);
    expect(answer.json.error.message).toMatch(message);
  });

  it('accepts the longest TTL', async () => {
    const answer = await stage.chat(asking('longest'), { headers: cached({ 'x-openrouter-cache-ttl': '86400' }) });
    expect([answer.status, answer.headers.get('x-openrouter-cache-ttl')]).toEqual([200, '86400']);
  });

  it.each([
    ['an error', { status: 500, body: {} }, false],
    ['a stream that breaks off', { events: goodEvents().slice(0, 4) }, true],
    [
      'an error within a stream',
      { events: [...goodEvents().slice(0, 3), { error: { message: 'x', code: 500 } }] },
      true,
    ],
  ])('does not store %s', async (what, script, stream) => {
    stage.vendors.openai.script(script);
    await stage.chat(asking(what, { stream }), { headers: cached() });
    const next = await stage.chat(asking(what, { stream }), { headers: cached() });
    expect([next.status, cacheStatus(next), calls()]).toEqual([200, 'MISS', 2]);
  });
});
