import { makeKey, makeWorkspace, type MadeKey } from '../../support/api/api-builders.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };

describe('the lists of calls', () => {
  let stage: TextStage;
  let mine: MadeKey;
  let other: MadeKey;
  let workspaceId: string;
  /** The ids in order of creation. */
  const made: string[] = [];

  beforeAll(async () => {
    stage = await startTextStage();
    stage.teach('rules/two', [aTextEndpoint('openai'), aTextEndpoint('siliconflow')]);
    workspaceId = (await makeWorkspace(stage.service.management)).id;
    mine = await makeKey(stage.service.management);
    other = await makeKey(stage.service.management, { workspace_id: workspaceId });
    const chat = (key: string, body: object = {}, headers = {}): Promise<ApiAnswer> =>
      stage.chat({ messages: HELLO, ...body }, { key, headers });
    const speak = (key: string): Promise<ApiAnswer> => stage.service.as(key).post('/audio/speech', SPEECH);
    const calls = [
      () => speak(mine.key),
      () => chat(mine.key, { user: 'customer 1', session_id: 'talk' }),
      () => chat(other.key, { session_id: 'talk' }),
      async () => {
        stage.vendors.openai.script({ status: 503, body: { error: { message: 'scripted' } } });
        return chat(mine.key, { model: 'rules/two', provider: { order: ['openai', 'siliconflow'] } });
      },
      async () => {
        stage.vendors.openai.script({ status: 400, body: { error: { message: 'scripted' } } });
        return chat(other.key, { user: 'customer 1' });
      },
    ];
    for (const call of calls) {
      const answer = await call();
      made.push(answer.headers.get('x-generation-id')!);
    }
    await eventually(async () => expect(await listed()).toHaveLength(calls.length));
  });
  afterAll(() => stage.stop());

  const list = (query = '', key?: string) =>
    (key === undefined ? stage.service.management : stage.service.as(key)).get(`/generations${query}`);
  const listed = async (query = '', key?: string): Promise<string[]> => {
    const { status, json } = await list(query, key);
    expect([status, query]).toEqual([200, query]);
    return json.data.map(({ id }: { id: string }) => id);
  };
  const newest = (...indexes: number[]): string[] => indexes.toReversed().map((index) => made[index]!);

  it('have all calls of the account for a management key, and own calls for another key, newest first', async () => {
    expect(await listed()).toEqual(newest(0, 1, 2, 3, 4));
    expect(await listed('', mine.key)).toEqual(newest(0, 1, 3));
    expect(await listed('', other.key)).toEqual(newest(2, 4));
    const second = await makeSecondAccount(stage.service);
    expect([await listed('', second.managementKey), await listed('', second.standardKey)]).toEqual([[], []]);
    expect((await list(`?api_key_hash=${mine.hash}`, second.managementKey)).status).toBe(404);
    expect((await list(`?workspace_id=${workspaceId}`, second.managementKey)).status).toBe(404);
  });

  it('show the kind, the usage and the cost of a call', async () => {
    const { json } = await list(`?kind=chat&api_key_hash=${mine.hash}&model=rules/openai`);
    const record = (await stage.service.management.get(`/generation?id=${made[1]}`)).json.data;
    expect(json).toEqual({ data: [expect.anything()], has_more: false, next_cursor: null, as_of: expect.any(String) });
    expect(json.data[0]).toEqual({
      id: made[1],
      created_at: record.created_at,
      kind: 'chat',
      model: 'rules/openai',
      provider_name: 'OpenAI',
      status: 200,
      finish_reason: 'stop',
      api_key_hash: mine.hash,
      workspace_id: record.workspace_id,
      external_user: 'customer 1',
      is_byok: false,
      usage: record.usage,
      total_cost: record.total_cost,
      tokens_prompt: record.tokens_prompt,
      tokens_completion: record.tokens_completion,
      tokens_reasoning: record.native_tokens_reasoning,
      tokens_cached: record.native_tokens_cached,
      characters: 0,
      images: 0,
      latency: record.latency,
      generation_time: record.generation_time,
    });
  });

  it('apply their filters, alone and together', async () => {
    const creator = mine.data.creator_user_id as string;
    const at = async (index: number): Promise<string> =>
      (await stage.service.management.get(`/generation?id=${made[index]}`)).json.data.created_at;
    const start = encodeURIComponent(await at(1));
    const end = encodeURIComponent(await at(3));
    const cases: [string, number[]][] = [
      [`?api_key_hash=${mine.hash}`, [0, 1, 3]],
      [`?workspace_id=${workspaceId}`, [2, 4]],
      [`?user_id=${creator}`, [0, 1, 2, 3, 4]],
      ['?kind=speech', [0]],
      ['?kind=embeddings', []],
      ['?model=rules/two', [3]],
      ['?provider=siliconflow', [3]],
      ['?user=customer%201', [1, 4]],
      ['?user=nobody', []],
      ['?error=true', [4]],
      ['?error=false', [0, 1, 2, 3]],
      ['?status=400', [4]],
      ['?session_id=talk', [1, 2]],
      [`?session_id=talk&api_key_hash=${mine.hash}`, [1]],
      ['?session_id=tal', []],
      [`?start=${start}`, [1, 2, 3, 4]],
      [`?start=${start}&end=${end}`, [1, 2]],
      [`?kind=chat&api_key_hash=${mine.hash}&model=rules/openai`, [1]],
    ];
    for (const [query, expected] of cases) expect([query, await listed(query)]).toEqual([query, newest(...expected)]);
    expect(await listed(`?session_id=talk`, other.key)).toEqual(newest(2));
    expect((await list(`?api_key_hash=${mine.hash}`, other.key)).status).toBe(404);
    expect((await list(`?api_key_hash=${'a'.repeat(64)}`)).status).toBe(404);
  });

  it('can be read page by page, without missing or repeated calls', async () => {
    for (const limit of [1, 2, 4, 5]) {
      const seen: string[] = [];
      let cursor = '';
      for (;;) {
        const { json } = await list(`?limit=${limit}${cursor}`);
        seen.push(...json.data.map(({ id }: { id: string }) => id));
        expect(json.has_more).toBe(json.next_cursor !== null);
        if (!json.has_more) break;
        cursor = `&cursor=${json.next_cursor}`;
      }
      expect(seen).toEqual(newest(0, 1, 2, 3, 4));
    }
  });

  it.each([
    'limit=0',
    'limit=501',
    'cursor=x',
    'cursor=',
    'kind=text',
    'status=99',
    'status=abc',
    'error=maybe',
    'start=yesterday',
    'end=2026-02-30',
    'start=2026-01-02&end=2026-01-01',
    'workspace_id=x',
    'model=%00',
  ])('answer 400 to %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('have the current hash of a rotated key, as analytics has', async () => {
    const rotated = await makeKey(stage.service.management);
    await stage.service.as(rotated.key).post('/audio/speech', SPEECH);
    await eventually(async () => expect(await listed(`?api_key_hash=${rotated.hash}`)).toHaveLength(1));
    const { json } = await stage.service.management.post(`/keys/${rotated.hash}/rotate`, {});
    const hash = json.data.hash as string;
    expect((await list(`?api_key_hash=${hash}`)).json.data).toMatchObject([{ api_key_hash: hash }]);
    const query = {
      metrics: ['request_count'],
      dimensions: ['api_key_id'],
      filters: [{ field: 'api_key_id', operator: 'eq', value: hash }],
    };
    await eventually(async () => {
      const { data } = (await stage.service.management.post('/analytics/query', { json: query })).json.data;
      expect(data).toEqual([{ api_key_id: hash, request_count: 1 }]);
    });
  });

  it('have ids of calls, whose details have the attempts, the price lines and the parts of the latency', async () => {
    const { status, json } = await stage.service.as(mine.key).get(`/generations/${made[3]}`);
    expect(status).toBe(200);
    const { data } = json;
    const latency: unknown = expect.any(Number);
    expect(data.attempts).toEqual([
      {
        provider_name: 'openai',
        status: 503,
        latency,
        credential: null,
        error: expect.objectContaining({ code: 'provider_overloaded' }),
      },
      { provider_name: 'siliconflow', status: 200, latency, credential: null, error: null },
    ]);
    expect(data.price_lines).toEqual([
      {
        item: 'prompt',
        quantity: data.tokens_prompt,
        unit_price: '0.000001',
        amount: expect.closeTo(data.tokens_prompt / 1e6, 12),
      },
      {
        item: 'completion',
        quantity: data.tokens_completion,
        unit_price: '0.000002',
        amount: expect.closeTo(data.tokens_completion / 5e5, 12),
      },
    ]);
    const sum = data.price_lines.reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
    expect(sum).toBeCloseTo(data.total_cost, 9);
    const { failed_attempts: failed, first_byte: first, response, total } = data.latency_parts;
    expect(failed + first + response).toBe(total);
    expect(data.request_id).toMatch(/^[0-9a-f-]{36}$/);
    const spoken = (await stage.service.management.get(`/generations/${made[0]}`)).json.data;
    expect(spoken).toMatchObject({
      attempts: [{ provider_name: 'Gatehouse built-in', status: 200 }],
      kind: 'speech',
      characters: 2,
    });
    expect(spoken.price_lines).toEqual([{ item: 'characters', quantity: 2, unit_price: null, amount: 0.000002 }]);
    expect((await stage.service.management.get(`/generations/${made[4]}`)).json.data.price_lines).toEqual([]);
    for (const [id, key] of [
      [made[2], mine.key],
      ['gen-x', mine.key],
      [made[3], (await makeSecondAccount(stage.service)).managementKey],
    ])
      expect((await stage.service.as(key).get(`/generations/${id}`)).status).toBe(404);
  });
});
