import { ApiKeys } from '../../../src/auth/api-keys.js';
import type { ApiAnswer, ApiClient } from '../../support/api/api-client.js';
import { ENVIRONMENT_KEY, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import { HELLO } from '../../support/calls/text-stage.js';
import { eventually } from '../../support/eventually.js';
import { makeAccount } from '../../support/money/account-builders.js';

const FIRST = 'sk-first-credential-0123456789-AbCd';
const SECOND = 'sk-second-credential-0123456789-EfGh';
const OWN = 'sk-own-credential-0123456789-IjKl';
const ENVIRONMENT = { id: 'env:openai', name: null, label: 'sk-...6789' };
const fails = (status: number, headers = {}) => ({ status, headers, body: { error: { message: 'no' } } });

describe('the credential that served a call', () => {
  let stage: ChannelStage;
  let management: ApiClient;
  beforeAll(async () => {
    stage = await startChannelStage();
    ({ management } = stage.service);
  });
  afterEach(() => stage.clear());
  afterAll(() => stage.stop());
  const generationOf = (answer: ApiAnswer): string => answer.headers.get('x-generation-id')!;
  /** The credential of each attempt, from the details of a call. */
  const credentialsOf = (answer: ApiAnswer, client = management): Promise<ApiAnswer['json']> =>
    eventually(async () => {
      const { status, json } = await client.get(`/generations/${generationOf(answer)}`);
      expect(status).toBe(200);
      return json.data.attempts.map(({ credential }: { credential: unknown }) => credential);
    });

  it('is named with the reason for its choice: only one, priority, weight or session', async () => {
    expect(await credentialsOf(await stage.chat())).toEqual([{ ...ENVIRONMENT, reason: 'only', passed_over: [] }]);
    const { id } = await stage.store({ key: FIRST, name: 'First', priority: -1 });
    const first = { id, name: 'First', label: 'sk-...AbCd', passed_over: [] };
    expect(await credentialsOf(await stage.chat())).toEqual([{ ...first, reason: 'priority' }]);
    await stage.store({ key: SECOND, priority: -1 });
    const [drawn] = await credentialsOf(await stage.chat({ session_id: 'kept' }));
    expect(drawn.reason).toBe('weight');
    expect(await credentialsOf(await stage.chat({ session_id: 'kept' }))).toEqual([{ ...drawn, reason: 'session' }]);
  });

  it('is named for each attempt, with the skipped credentials and the reason for skipping each', async () => {
    const { id: first } = await stage.store({ key: FIRST, name: 'First', priority: -2 });
    const { id: second } = await stage.store({ key: SECOND, name: 'Second', priority: -1 });
    stage.answers(FIRST, fails(429, { 'retry-after': '60' }));
    expect(await credentialsOf(await stage.chat())).toMatchObject([
      { id: first, reason: 'priority', passed_over: [] },
      { id: second, reason: 'next', passed_over: [] },
    ]);
    stage.answers(SECOND, fails(401));
    expect(await credentialsOf(await stage.chat())).toMatchObject([
      { id: second, reason: 'priority', passed_over: [{ id: first, name: 'First', reason: 'rate_limited' }] },
      { ...ENVIRONMENT, reason: 'next' },
    ]);
    expect(await credentialsOf(await stage.chat())).toMatchObject([
      {
        ...ENVIRONMENT,
        reason: 'only',
        passed_over: [
          { id: first, reason: 'rate_limited' },
          { id: second, reason: 'refused' },
        ],
      },
    ]);
  });

  it('is recorded with each credential that was skipped at a limit or a budget', async () => {
    const { id } = await stage.store({ key: FIRST, name: 'First', priority: -1, rpm: 1 });
    await stage.chat();
    const [served] = await credentialsOf(await stage.chat());
    expect(served).toMatchObject({ ...ENVIRONMENT, passed_over: [{ id, label: 'sk-...AbCd', reason: 'cap' }] });
    const { id: poor } = await stage.store({ key: SECOND, priority: -2 });
    const budget = { scope: { credential_id: poor }, interval: 'daily', limit_usd: 0.000000001 };
    const { json } = await management.post('/budgets', { json: budget });
    try {
      await eventually(async () => {
        const [next] = await credentialsOf(await stage.chat());
        expect(next.passed_over).toContainEqual({ id: poor, name: null, label: 'sk-...EfGh', reason: 'budget' });
      });
    } finally {
      await management.delete(`/budgets/${json.data.id}`);
    }
  });

  it("is the account's own credential if the call used it", async () => {
    const json = { provider: 'openai', key: OWN };
    const { id } = (await management.post('/byok', { json })).json.data;
    try {
      await eventually(async () => {
        const [own] = await credentialsOf(await stage.chat());
        expect(own).toEqual({ id, name: null, label: null, reason: 'own_key', passed_over: [] });
      });
    } finally {
      await management.delete(`/byok/${id}`);
    }
  });

  it('is still named by its id after it was deleted', async () => {
    const { id } = await stage.store({ key: FIRST, priority: -1 });
    const answer = await stage.chat();
    await credentialsOf(answer);
    await management.delete(`/providers/credentials/${id}`);
    expect(await credentialsOf(answer)).toEqual([{ id, name: null, label: null, reason: 'priority', passed_over: [] }]);
  });

  it('is hidden from standard keys and from other accounts', async () => {
    await stage.store({ key: FIRST, name: 'First', priority: -1 });
    const answer = await stage.chat();
    await credentialsOf(answer);
    expect(await credentialsOf(answer, stage.service.standard)).toEqual([null]);
    const place = await makeAccount(stage.service, 'Somebody else');
    await stage.service.sql.query(
      'update account_balance set granted = 1000000000 where account_no = (select no from account where id = $1)',
      [place.accountId],
    );
    const keys = stage.service.app.get(ApiKeys, { strict: false });
    const key = { ...place, name: 'Foreign', creatorUserId: null };
    const standard = stage.service.as((await keys.issue({ ...key, keyClass: 'standard' })).secret);
    const theirs = stage.service.as((await keys.issue({ ...key, keyClass: 'management' })).secret);
    const call = await standard.post('/chat/completions', {
      json: { model: 'rules/one', messages: HELLO },
      headers: { 'X-OpenRouter-Metadata': 'enabled' },
    });
    expect([call.status, call.headers.get('x-gatehouse-channel')]).toEqual([200, null]);
    expect(await credentialsOf(call, theirs)).toEqual([null]);
    const published = (await management.get(`/generation?id=${generationOf(answer)}`)).text;
    for (const text of ['First', 'credential', 'priority']) expect(published).not.toContain(text);
  });

  it.each([false, true])('is in a header if the caller requests metadata (stream: %s)', async (stream) => {
    const { id } = await stage.store({ key: FIRST, name: 'First', priority: -1 });
    const call = (headers: Record<string, string>): Promise<ApiAnswer> =>
      stage.service.standard.post('/chat/completions', {
        json: { model: 'rules/one', messages: HELLO, stream },
        headers,
      });
    const asked = await call({ 'X-OpenRouter-Metadata': 'enabled' });
    expect(asked.headers.get('x-gatehouse-channel')).toBe(`${id}; reason=priority`);
    expect(asked.text).not.toContain('First');
    expect((await call({})).headers.get('x-gatehouse-channel')).toBeNull();
  });

  it.each([false, true])('is in the header of a call whose response is cached (stream: %s)', async (stream) => {
    const { id } = await stage.store({ key: FIRST, name: 'First', priority: -1 });
    const call = await stage.service.standard.post('/chat/completions', {
      json: { model: 'rules/one', messages: HELLO, stream },
      headers: { 'X-OpenRouter-Metadata': 'enabled', 'X-OpenRouter-Cache': 'true' },
    });
    const names = ['x-openrouter-cache-status', 'x-gatehouse-channel'];
    expect(names.map((name) => call.headers.get(name))).toEqual(['MISS', `${id}; reason=priority`]);
  });

  it('is never shown with its secret', async () => {
    await stage.store({ key: FIRST, name: 'First', priority: -1 });
    const answer = await stage.chat();
    const { text } = await eventually(async () => {
      const found = await management.get(`/generations/${generationOf(answer)}`);
      expect(found.status).toBe(200);
      return found;
    });
    for (const secret of [FIRST, ENVIRONMENT_KEY]) expect(text).not.toContain(secret);
  });
});
