import {
  DEAD_ADDRESS,
  ENVIRONMENT_KEY,
  startChannelStage,
  type ChannelStage,
} from '../../support/api/channel-stage.js';
import type { ChatScript } from '../../support/vendors/scripted-chat-vendor.js';

const FIRST = 'sk-first-credential-0123456789';
const SECOND = 'sk-second-credential-0123456789';
const THIRD = 'sk-third-credential-0123456789';
const fails = (status: number, headers = {}, code?: string): ChatScript => ({
  status,
  headers,
  body: { error: { message: 'words of the vendor', ...(code === undefined ? {} : { code }) } },
});

describe('the credentials of a provider', () => {
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await startChannelStage();
  });
  afterEach(() => stage.clear());
  afterAll(() => stage.stop());
  const statuses = async (calls: number, body?: object): Promise<number[]> => {
    const answers: number[] = [];
    for (let call = 0; call < calls; call++) answers.push((await stage.chat(body)).status);
    return answers;
  };
  const stateOf = async (id: string): Promise<unknown> =>
    (await stage.service.management.get(`/providers/credentials/${id}`)).json.data.state;

  it.each([
    [429, { 'retry-after': '60' }, undefined, 'resting'],
    [429, {}, undefined, 'resting'],
    [429, { 'x-ratelimit-reset-tokens': '1m' }, undefined, 'resting'],
    [429, {}, 'insufficient_quota', 'exhausted'],
    [402, {}, undefined, 'exhausted'],
    [401, {}, undefined, 'refused'],
    [403, {}, undefined, 'refused'],
    [404, {}, undefined, 'resting'],
  ])(
    'rest after %i (%j, %s), and the next credential is tried before the next endpoint',
    async (status, headers, code, state) => {
      const { id } = await stage.store({ key: FIRST, priority: -1 });
      stage.answers(FIRST, fails(status, headers, code));
      const model = { model: 'rules/two', provider: { order: ['openai', 'deepinfra'] } };
      expect(await statuses(3, model)).toEqual([200, 200, 200]);
      expect(stage.keys()).toEqual([FIRST, ENVIRONMENT_KEY, ENVIRONMENT_KEY, ENVIRONMENT_KEY]);
      expect(stage.other.seen).toHaveLength(0);
      expect(await stateOf(id)).toBe(state);
    },
  );

  it.each([400, 422, 413])('do not rest after a %i, and no other credential is tried', async (status) => {
    await stage.store({ key: FIRST, priority: -1 });
    stage.answers(FIRST, fails(status));
    expect(await statuses(2)).toEqual(status === 413 ? [413, 413] : [400, 400]);
    expect(stage.keys()).toEqual([FIRST, FIRST]);
  });

  it('are not tried one after another if their common address fails: the next endpoint is tried', async () => {
    await stage.store({ key: FIRST, priority: -1 });
    stage.answers(FIRST, fails(500));
    const model = { model: 'rules/two', provider: { order: ['openai', 'deepinfra'] } };
    expect(await statuses(1, model)).toEqual([200]);
    expect([stage.keys(), stage.other.seen.length]).toEqual([[FIRST], 1]);
  });

  it.each([
    ['that is dead', { base_url: DEAD_ADDRESS }, undefined],
    ['that is silent', {}, { events: [], stallAfter: 0 }],
  ])('with an address %s are followed by a credential with another address', async (_, fields, script) => {
    const base_url = stage.other.baseUrl;
    await stage.store({ key: FIRST, priority: -1, base_url, ...fields });
    if (script) stage.other.script(script);
    expect(await statuses(1, { stream: script !== undefined })).toEqual([200]);
    expect(stage.keys()).toEqual([ENVIRONMENT_KEY]);
  });

  it('serve every call while one of them is available, whatever the vendor returns for the others', async () => {
    await stage.store({ key: FIRST, priority: -3 });
    await stage.store({ key: SECOND, priority: -2 });
    await stage.store({ key: THIRD, priority: -1, base_url: DEAD_ADDRESS });
    await stage.store({ key: `${FIRST}-slow`, priority: -1 });
    stage.answers(FIRST, fails(429, { 'retry-after': '1' }));
    stage.answers(SECOND, fails(401));
    stage.answers(`${FIRST}-slow`, fails(402));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, call) =>
        stage.chat({ stream: call % 2 === 0 }, call % 3 ? stage.service : stage.replica),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('cause at most six vendor calls for one request', async () => {
    for (let made = 0; made < 8; made++) {
      await stage.store({ key: `${FIRST}-${made}`, provider: 'groq' });
      stage.answers(`${FIRST}-${made}`, fails(401));
    }
    expect((await stage.chat({ model: 'rules/stored' })).status).toBe(502);
    expect(stage.keys()).toHaveLength(6);
  });

  it('refuse a call if all of them rest: Retry-After has the shortest wait, and no vendor is called', async () => {
    await stage.store({ key: FIRST, provider: 'groq' });
    await stage.store({ key: SECOND, provider: 'groq' });
    stage.answers(FIRST, fails(429, { 'retry-after': '300' }));
    stage.answers(SECOND, fails(429, { 'retry-after': '60' }));
    const model = { model: 'rules/stored' };
    const first = await stage.chat(model);
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '60']);
    const records = async (): Promise<unknown> => stage.service.sql.query('select count(*) as n from generation');
    const before = await records();
    const refused = await stage.chat(model);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(60, -1)]);
    expect([stage.keys().length, await records()]).toEqual([2, before]);
  });

  it('of the environment do not rest if the provider has no other credentials', async () => {
    stage.answers(ENVIRONMENT_KEY, fails(401));
    expect(await statuses(2)).toEqual([502, 502]);
    stage.answers(ENVIRONMENT_KEY, fails(429));
    expect(await statuses(2)).toEqual([429, 429]);
    expect(stage.keys()).toHaveLength(4);
  });

  it('are used by priority, and by weight within a priority', async () => {
    await stage.store({ key: FIRST, weight: 1000 });
    await stage.store({ key: SECOND, priority: 1, weight: 1000 });
    expect(new Set(await statuses(30))).toEqual(new Set([200]));
    const keys = stage.keys();
    expect(keys.filter((key) => key === FIRST).length).toBeGreaterThan(25);
    expect(keys).not.toContain(SECOND);
  });

  it('keep serving a session that they served, until they fail', async () => {
    await stage.store({ key: FIRST });
    await stage.store({ key: SECOND });
    await stage.store({ key: THIRD });
    const session = { session_id: 'kept' };
    await statuses(12, session);
    const [kept, ...others] = new Set(stage.keys());
    expect(others).toEqual([]);
    stage.answers(kept!, fails(429, { 'retry-after': '60' }));
    stage.vendor.seen.length = 0;
    expect(new Set(await statuses(10, session))).toEqual(new Set([200]));
    expect(new Set(stage.keys())).toEqual(new Set([kept, stage.keys()[1]]));
  });

  it('rest on the other replica too', async () => {
    await stage.store({ key: FIRST, priority: -1 });
    stage.answers(FIRST, fails(401));
    await statuses(1);
    const id = (await stage.service.management.get('/providers/credentials?provider=openai')).json.data[0].id;
    for (;;) {
      const { json } = await stage.replica.management.get(`/providers/credentials/${id}`);
      if (json.data.state === 'refused') break;
    }
    await stage.chat({}, stage.replica);
    expect(stage.keys()).toEqual([FIRST, ENVIRONMENT_KEY, ENVIRONMENT_KEY]);
  });

  it.each([
    [
      'a change',
      (id: string) => stage.service.management.patch(`/providers/credentials/${id}`, { json: { weight: 2 } }),
    ],
    [
      'a test',
      (id: string) =>
        stage.service.management.post(`/providers/credentials/${id}/test`, { json: { model: 'rules/one' } }),
    ],
  ])('that were refused are used again after %s', async (_, mend) => {
    const { id } = await stage.store({ key: FIRST, priority: -1 });
    stage.answers(FIRST, fails(401));
    await statuses(1);
    stage.answers(FIRST, undefined);
    stage.vendor.seen.length = 0;
    await mend(id);
    for (;;) {
      await statuses(1);
      if (stage.keys().at(-1) === FIRST) break;
    }
    expect(await stateOf(id)).toBe('ready');
  });
});
