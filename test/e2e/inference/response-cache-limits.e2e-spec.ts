import { makeKey } from '../../support/api/api-builders.js';
import { asking, booksOf, cached, cacheStatus } from '../../support/calls/cached-calls.js';
import { expectBalanced } from '../../support/money/count-the-money.js';
import { operate } from '../../support/services/operator-line.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { RESPONSE_CACHE_BYTES: '65536' } });
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.vendors.openai.clear();
  stage.vendors.openai.seen.splice(0);
});
const calls = (): number => stage.vendors.openai.seen.length;
const ask = (question: string, key?: string, more: object = {}) =>
  stage.chat(asking(question, more), { key, headers: cached() });
const operator = (...words: string[]) => {
  const { databaseUrl } = stage.service;
  return operate(databaseUrl, { DATABASE_URL: databaseUrl, MASTER_KEY: 'a1'.repeat(32) }, ...words);
};

describe('a request that must be refused gets no cached response', () => {
  const { sql } = { sql: (text: string, values: unknown[]) => stage.service.sql.query(text, values) };
  const REFUSALS = [
    [
      'is disabled',
      401,
      (hash: string) => stage.service.management.patch(`/keys/${hash}`, { json: { disabled: true } }),
    ],
    ['was deleted', 401, (hash: string) => stage.service.management.delete(`/keys/${hash}`)],
    ['has expired', 401, (hash: string) => sql(`update api_key set expires_at = now() where hash = $1`, [hash])],
    [
      'reached its limit',
      402,
      (hash: string) => stage.service.management.patch(`/keys/${hash}`, { json: { limit: 0 } }),
    ],
  ] as const;
  it.each(REFUSALS)('if its key %s', async (what, status, change) => {
    const { key, hash } = await makeKey(stage.service.management);
    await ask(what, key);
    expect(cacheStatus(await ask(what, key))).toBe('HIT');
    await change(hash);
    let answer = await ask(what, key);
    while (answer.status === 200) answer = await ask(what, key);
    expect([answer.status, cacheStatus(answer), calls()]).toEqual([status, null, 1]);
  });

  it('if the account does not have enough credits: 402 with and without the cache', async () => {
    await ask('credits');
    const [before] = await stage.service.sql.query<{ granted: bigint }>('select granted from account_balance');
    await stage.service.sql.query('update account_balance set granted = spent + 5');
    const hit = await ask('credits');
    const call = await stage.chat(asking('credits'));
    await stage.service.sql.query('update account_balance set granted = $1', [before!.granted]);
    expect([hit.status, cacheStatus(hit), calls()]).toEqual([402, null, 1]);
    expect(hit.json).toEqual(call.json);
    expect(cacheStatus(await ask('credits'))).toBe('HIT');
    expectBalanced(await booksOf(stage));
  });
});

describe('the response cache of a key', () => {
  it('can be turned on by the operator for requests without a header, and is skipped with `bypass`', async () => {
    const { key, hash } = await makeKey(stage.service.management);
    const plain = () => stage.chat(asking('of key'), { key });
    expect(cacheStatus(await plain())).toBeNull();
    const on = await operator('keys', 'cache', hash.slice(0, 16), 'on', '--ttl', '60', '--json');
    expect(on.error).toBeUndefined();
    expect(JSON.parse(on.lines[0]!)).toMatchObject({ hash, cache: 'on', ttl_seconds: 60 });
    let answer = await plain();
    while (cacheStatus(answer) === null) answer = await plain();
    expect([cacheStatus(answer), answer.headers.get('x-openrouter-cache-ttl')]).toEqual(['MISS', '60']);
    expect(cacheStatus(await plain())).toBe('HIT');
    const bypass = await stage.chat(asking('of key'), { key, headers: { 'x-openrouter-cache': 'bypass' } });
    expect(cacheStatus(bypass)).toBeNull();

    expect((await operator('keys', 'cache', hash, 'off')).error).toBeUndefined();
    while (cacheStatus(await plain()) !== null);
    const audit = await stage.service.sql.query(
      `select actor, action from audit_entry where resource_id = $1 and actor = 'operator'`,
      [hash],
    );
    expect(audit).toEqual([
      { actor: 'operator', action: 'update' },
      { actor: 'operator', action: 'update' },
    ]);
  });

  it.each([
    [['on', '--ttl', '0'], /--ttl must be a whole number from 1 to 86400/],
    [['on', '--ttl', '86401'], /--ttl must be a whole number from 1 to 86400/],
    [['off', '--ttl', '1'], /--ttl can be given only if <state> is on/],
    [['maybe'], /<state> must be on or off/],
  ])('refuses the settings %j', async (words, message) => {
    const { hash } = await makeKey(stage.service.management);
    const { error } = await operator('keys', 'cache', hash, ...words);
    expect(error).toMatchObject({ kind: 'invalid_request', message: expect.stringMatching(message) });
  });
});

describe('the response cache of a replica', () => {
  it('drops the least recently used responses', async () => {
    const body = (length: number) => ({
      body: { choices: [{ index: 0, message: { content: 'x'.repeat(length) }, finish_reason: 'stop' }] },
    });
    for (let round = 0; round < 8; round++) {
      stage.vendors.openai.script(body(10_000));
      await ask(`bytes ${round}`);
    }
    expect([cacheStatus(await ask('bytes 7')), cacheStatus(await ask('bytes 0'))]).toEqual(['HIT', 'MISS']);
    stage.vendors.openai.script(body(20_000), body(20_000));
    await ask('too large');
    expect(cacheStatus(await ask('too large'))).toBe('MISS');
  });

  it('is empty after a change of the catalogue', async () => {
    await ask('swapped');
    stage.teach('rules/new', [aTextEndpoint('openai')]);
    expect(cacheStatus(await ask('swapped'))).toBe('MISS');
  });

  it('is not used after the workspace adds its own credential of the provider', async () => {
    await ask('own credential');
    const made = await stage.service.management.post('/byok', {
      json: { provider: 'openai', key: 'sk-own-credential-of-the-workspace', name: 'own' },
    });
    let answer = await ask('own credential');
    while (cacheStatus(answer) === 'HIT') answer = await ask('own credential');
    expect([answer.status, answer.json.usage.is_byok]).toEqual([200, true]);
    await stage.service.management.delete(`/byok/${made.json.data.id}`);
  });

  it('is not shared with other replicas', async () => {
    await ask('replicas');
    const other: TestService = await startTestService({
      databaseUrl: stage.service.databaseUrl,
      env: { OPENAI_API_KEY: 'credential-of-openai', OPENAI_BASE_URL: stage.vendors.openai.baseUrl },
    });
    try {
      const json = { ...asking('on two'), model: 'openai/gpt-4o' };
      const statuses: (string | null)[] = [];
      for (const { standard } of [stage.service, other, stage.service, other])
        statuses.push(cacheStatus(await standard.post('/chat/completions', { json, headers: cached() })));
      expect(statuses).toEqual(['MISS', 'MISS', 'HIT', 'HIT']);
    } finally {
      await other.stop();
    }
  });

  it('is off if its size is 0 bytes', async () => {
    const off = await startTextStage({ env: { RESPONSE_CACHE_BYTES: '0' } });
    try {
      const statuses = [
        await off.chat(asking('off'), { headers: cached() }),
        await off.chat(asking('off'), { headers: cached() }),
      ];
      expect(statuses.map(cacheStatus)).toEqual([null, null]);
      expect(off.vendors.openai.seen).toHaveLength(2);
    } finally {
      await off.stop();
    }
  });
});
