import { randomUUID } from 'node:crypto';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { firstOwner, signedIn, signedInAs, type ConsoleBrowser } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import { makeMember } from '../../support/money/account-builders.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const START = Date.parse('2026-05-20T07:08:09Z');
const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };
const USD_OF_SPEECH = 2_000 / 1e9;

interface Row {
  readonly hash: string;
  readonly name: string;
}

describe('GET /key-list', () => {
  const clock = new SetClock(new Date(START));
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ clock, env: { INTERN_RUNTIME: 'none' } });
  });
  afterAll(() => service.stop());
  beforeEach(() => clock.set(new Date(START)));
  const create = (fields: object) => makeKey(service.management, fields);
  const list = async (query: string, client: Pick<ApiClient, 'get'> = service.management) =>
    client.get(`/key-list?${query}`);
  const namesOf = async (query: string): Promise<string[]> =>
    (await list(query)).json.data.map(({ name }: Row) => name);

  it('returns the keys of all workspaces, newest first, with the names of the workspaces', async () => {
    const { userId } = await firstOwner(service);
    const workspace = await makeWorkspace(service.management, { name: 'Support bot' });
    const made = await create({ name: 'inbox', workspace_id: workspace.id, limit: 10, limit_reset: 'monthly' });
    clock.set(new Date(START + 1));
    const nobody = await create({ name: 'nobody', creator_user_id: null });
    const { json } = await list('limit=2');

    expect(json.data).toEqual([
      expect.objectContaining({ hash: nobody.hash, creator_user_id: null, creator_name: null, limit_used: null }),
      {
        hash: made.hash,
        name: 'inbox',
        label: made.data.label,
        class: 'standard',
        state: 'active',
        workspace_id: workspace.id,
        workspace_name: 'Support bot',
        creator_user_id: userId,
        creator_name: expect.any(String),
        created_at: new Date(START).toISOString(),
        last_used_at: null,
        expires_at: null,
        limit: 10,
        limit_reset: 'monthly',
        limit_remaining: 10,
        limit_used: 0,
        usage: 0,
        usage_monthly: 0,
        byok_usage: 0,
        byok_usage_monthly: 0,
        former_secrets: 0,
      },
    ]);
  });

  it('finds a part of the name or label in any case, and the start of the hash; wildcards are literal', async () => {
    const { data } = await create({ name: '50%_Off (Zebra)' });
    for (const q of ['zebra', '50%_o', data.label, data.label.slice(-4), data.hash.slice(0, 12)])
      expect(await namesOf(`q=${encodeURIComponent(q)}`)).toContain('50%_Off (Zebra)');
    expect(await namesOf('q=%25%25')).toEqual([]);
    expect(await namesOf('q=0_Zebra')).toEqual([]);
  });

  it('filters by workspace, owner and state, and returns 404 for an unknown workspace', async () => {
    const { accountId } = await firstOwner(service);
    const workspace = await makeWorkspace(service.management, { name: 'Narrow' });
    const userId = await makeMember(service, { accountId }, { name: 'Nia', role: 'developer' });
    const place = { workspace_id: workspace.id };
    await create({ ...place, name: 'of Nia', creator_user_id: userId });
    const off = await create({ ...place, name: 'off' });
    await service.management.patch(`/keys/${off.hash}`, { json: { disabled: true } });
    await create({ ...place, name: 'old', expires_at: new Date(START + 60_000).toISOString() });
    clock.set(new Date(START + 60_000));

    const within = (query: string) => namesOf(`workspace_id=${workspace.id}&sort=name&${query}`);
    expect(await within('')).toEqual(['of Nia', 'off', 'old']);
    expect(await within(`creator_user_id=${userId}`)).toEqual(['of Nia']);
    expect(await within('state=active')).toEqual(['of Nia']);
    expect(await within('state=disabled')).toEqual(['off']);
    expect(await within('state=expired')).toEqual(['old']);
    expect((await list(`workspace_id=${randomUUID()}`)).status).toBe(404);
  });

  it('sorts by the used share of the limit, with keys without a limit last, and by usage', async () => {
    const workspace = await makeWorkspace(service.management, { name: 'Shares' });
    const place = { workspace_id: workspace.id };
    const half = await create({ ...place, name: 'half', limit: 4 * USD_OF_SPEECH });
    const most = await create({ ...place, name: 'most', limit: 1.25 * USD_OF_SPEECH });
    const free = await create({ ...place, name: 'free' });
    const empty = await create({ ...place, name: 'empty', limit: 0 });
    for (const { key } of [half, half, most, free, free, free])
      expect((await service.as(key).post('/audio/speech', SPEECH)).status).toBe(200);
    const { data } = (await list(`workspace_id=${workspace.id}&sort=limit_used`)).json;

    expect(data.map(({ name }: Row) => name)).toEqual(['empty', 'most', 'half', 'free']);
    expect(data.map((row: { limit_used: number }) => row.limit_used)).toEqual([1, 0.8, 0.5, null]);
    for (const row of data) {
      const key = (await service.management.get(`/keys/${row.hash}`)).json.data;
      const { usage, usage_monthly, byok_usage, limit_remaining, last_used_at } = key;
      expect(row).toMatchObject({ usage, usage_monthly, byok_usage, limit_remaining, last_used_at });
    }
    expect(data[3]).toMatchObject({ usage: 3 * USD_OF_SPEECH, last_used_at: expect.any(String) });
    const within = (query: string) => namesOf(`workspace_id=${workspace.id}&${query}`);
    expect(await within('sort=usage')).toEqual(['free', 'half', 'most', 'empty']);
    expect(await within('sort=usage_monthly&direction=asc')).toEqual(['empty', 'most', 'half', 'free']);
    expect(await within('sort=limit_used&direction=asc')).toEqual(['half', 'most', 'empty', 'free']);
    expect(empty.hash).toBe(data[0].hash);
  });

  it('adds a raise to the limit, and reports 0 as used after the end of the window', async () => {
    const { key, hash } = await create({ name: 'raised', limit: 2 * USD_OF_SPEECH, limit_reset: 'daily' });
    await service.as(key).post('/audio/speech', SPEECH);
    const until = new Date(START + 3_600_000).toISOString();
    await service.management.put(`/keys/${hash}/raise`, { json: { amount_usd: 2 * USD_OF_SPEECH, until } });
    expect((await list('q=raised')).json.data).toMatchObject([{ limit: 4 * USD_OF_SPEECH, limit_used: 0.25 }]);

    clock.set(new Date(START + 86_400_000));
    expect((await list('q=raised')).json.data).toMatchObject([
      { limit: 2 * USD_OF_SPEECH, limit_used: 0, limit_remaining: 2 * USD_OF_SPEECH, usage: USD_OF_SPEECH },
    ]);
    clock.set(new Date(START + 31 * 86_400_000));
    expect((await list('q=raised')).json.data).toMatchObject([{ usage_monthly: 0, usage: USD_OF_SPEECH }]);
  });

  it('counts the former secrets that are still valid', async () => {
    const { hash } = await create({ name: 'rotated twice' });
    const first = await service.management.post(`/keys/${hash}/rotate`, { json: { grace_seconds: 60 } });
    await service.management.post(`/keys/${first.json.data.hash}/rotate`, { json: { grace_seconds: 30 } });
    expect((await list('q=rotated+twice')).json.data).toMatchObject([{ former_secrets: 2 }]);
    clock.set(new Date(START + 30_000));
    expect((await list('q=rotated+twice')).json.data).toMatchObject([{ former_secrets: 0 }]);
  });

  it('returns each key on only one page', async () => {
    for (let made = 0; made < 7; made++) await create({ name: `page ${made}` });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { json } = await list(`q=page&sort=name&limit=3${cursor}`);
      seen.push(...json.data.map(({ name }: Row) => name));
      expect(json.has_more).toBe(json.next_cursor !== null);
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `page ${number}`));
  });

  it('leaves out deleted keys, keys of sessions of the console, and keys of interns', async () => {
    const { hash } = await create({ name: 'deleted' });
    await service.management.delete(`/keys/${hash}`);
    const browser = await signedIn(service);
    const [sessions] = await service.sql.query<{ keys: number }>(
      'select count(*)::int as keys from api_key where console_session_id is not null',
    );
    expect(sessions!.keys).toBeGreaterThan(0);
    const intern = await create({ name: 'of an intern' });
    await service.sql.query('update api_key set intern_id = $2 where hash = $1', [intern.hash, randomUUID()]);
    const listed: Row[] = (await browser.get('/key-list?limit=500')).json.data;
    expect(listed.map(({ name }) => name)).not.toContain('deleted');
    expect(listed.map(({ name }) => name)).not.toContain('of an intern');
    const own = await service.sql.query<Row>('select hash from api_key where console_session_id is not null');
    expect(listed.filter((row) => own.some((key) => key.hash === row.hash))).toEqual([]);
  });

  describe('for roles', () => {
    let developer: ConsoleBrowser;
    let userId: string;
    beforeAll(async () => {
      const { accountId } = await firstOwner(service);
      userId = await makeMember(service, { accountId }, { name: 'Dev', role: 'developer' });
      developer = await signedInAs(service, { accountId, userId });
    });

    it("returns a developer's own keys, and standard keys of a workspace that the developer administers", async () => {
      const workspace = await makeWorkspace(service.management, { name: 'Administered' });
      await create({ name: 'own', creator_user_id: userId });
      await create({ name: 'of others', workspace_id: workspace.id });
      await create({ name: 'managing', workspace_id: workspace.id, class: 'management' });
      const seen = async (): Promise<string[]> =>
        (await developer.get('/key-list?sort=name')).json.data.map(({ name }: Row) => name);
      expect(await seen()).toEqual(['own']);

      const { accountId } = await firstOwner(service);
      await service.sql.query(
        `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
         values ($1, $2, $3, 'admin', now())`,
        [accountId, workspace.id, userId],
      );
      await eventually(async () => expect(await seen()).toEqual(['of others', 'own']));
      const foreign = await makeWorkspace(service.management, { name: 'Foreign' });
      expect((await developer.get(`/key-list?workspace_id=${foreign.id}`)).status).toBe(404);
    });

    it('returns no key of another account', async () => {
      const { managementKey } = await makeSecondAccount(service);
      const { json } = await list('', service.as(managementKey));
      expect(json.data.map(({ name }: Row) => name).toSorted()).toEqual(['management', 'standard']);
    });
  });

  it.each([
    'sort=colour',
    'direction=up',
    'state=lost',
    'limit=0',
    'limit=501',
    'cursor=x',
    'workspace_id=side',
    'q=%00',
  ])('returns 400 for ?%s', async (query) => {
    expect((await list(query)).status).toBe(400);
  });

  it('returns 401 for a key that is not a management key', async () => {
    expect((await list('', service.standard)).status).toBe(401);
  });
});
