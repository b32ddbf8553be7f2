import { booksOf, cached, cacheStatus, recordOf } from '../../support/calls/cached-calls.js';
import { expectBalanced } from '../../support/money/count-the-money.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
});
afterAll(() => stage.stop());
beforeEach(() => void stage.vendors.openai.seen.splice(0));

const ask = (json: object, headers: Readonly<Record<string, string>> = {}) =>
  stage.service.standard.post('/messages', {
    json: { model: 'rules/openai', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...json },
    headers: cached(headers),
  });
const calls = (): number => stage.vendors.openai.seen.length;

describe('the response cache of /messages', () => {
  it('serves a complete response again, at no cost', async () => {
    const first = await ask({ system: 'complete' });
    const second = await ask({ system: 'complete' });
    expect([first, second].map(cacheStatus)).toEqual(['MISS', 'HIT']);
    expect(calls()).toBe(1);
    expect(second.json).toEqual({ ...first.json, id: second.json.id, usage: expect.anything() });
    expect(second.json.id).not.toBe(first.json.id);
    expect([first.json.usage.cost > 0, second.json.usage.cost]).toEqual([true, 0]);
    expect(await recordOf(stage, second)).toMatchObject({
      total_cost: 0,
      response_cache_source_id: first.headers.get('x-generation-id'),
    });
    expectBalanced(await booksOf(stage));
  });

  it('serves a stream again, event by event', async () => {
    const first = await ask({ system: 'stream', stream: true });
    const second = await ask({ system: 'stream', stream: true });
    expect([first, second].map(cacheStatus)).toEqual(['MISS', 'HIT']);
    const namesOf = (text: string): string[] => text.match(/^event: .*$/gm) ?? [];
    expect(namesOf(second.text)).toEqual(namesOf(first.text));
    expect(namesOf(second.text).at(-1)).toBe('event: message_stop');
    const [own, other] = [first, second].map(({ headers }) => headers.get('x-generation-id')!.slice('gen-'.length));
    expect(second.text).toContain(other!);
    expect(second.text).not.toContain(own!);
    expect(second.text).toMatch(/event: message_delta\ndata: .*"cost":0[,}]/);
    expectBalanced(await booksOf(stage));
  });

  it('depends on the beta features, but not on the end user in `metadata`', async () => {
    await ask({ system: 'metadata', metadata: { user_id: 'one' } });
    const other = await ask({ system: 'metadata', metadata: { user_id: 'two' } });
    const beta = await ask({ system: 'metadata' }, { 'anthropic-beta': 'context-1m-2025-08-07' });
    expect([other, beta].map(cacheStatus)).toEqual(['HIT', 'MISS']);
  });

  it('is separate from the cache of /chat/completions', async () => {
    const json = { messages: [{ role: 'user', content: 'apart' }] };
    await ask(json);
    const chat = await stage.chat({ max_tokens: 100, ...json }, { headers: cached() });
    expect([cacheStatus(chat), calls()]).toEqual(['MISS', 2]);
  });

  it('refuses an invalid header with an error in the envelope of the format', async () => {
    const answer = await ask({}, { 'x-openrouter-cache-ttl': '0' });
    expect([answer.status, answer.json.type, answer.json.error.type]).toEqual([400, 'error', 'invalid_request_error']);
  });
});
