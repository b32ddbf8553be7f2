import type { ConsoleBrowser } from '../../support/console/console-browser.js';
import { firstOwner, signedIn, signedInAs } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const CHAT = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };
const RANGE = { time_range: { start: '2020-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z' } };

/** Resources of other members in two workspaces. The developer belongs to one of the workspaces. */
describe('a developer', () => {
  let service: TestService;
  let owner: ConsoleBrowser;
  let developer: ConsoleBrowser;
  let viewer: ConsoleBrowser;
  let userId: string;
  const workspace = { shared: '', foreign: '' };
  const key = { own: '', shared: '', foreign: '' };
  const call = { own: '', shared: '', foreign: '' };

  beforeAll(async () => {
    service = await startTestService({ env: { INTERN_RUNTIME: 'none', RATE_LIMIT_ANALYTICS: 'off' } });
    const { accountId } = await firstOwner(service);
    userId = await makeMember(service, { accountId }, { name: 'Dev', role: 'developer' });
    const viewerId = await makeMember(service, { accountId }, { name: 'Vi', role: 'viewer' });
    owner = await signedIn(service);
    for (const name of ['shared', 'foreign'] as const)
      workspace[name] = (await owner.post('/workspaces', { name, slug: name })).json.data.id;
    for (const member of [userId, viewerId])
      await service.sql.query(
        `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
         values ($1, $2, $3, 'member', now())`,
        [accountId, workspace.shared, member],
      );
    developer = await signedInAs(service, { accountId, userId });
    viewer = await signedInAs(service, { accountId, userId: viewerId });
    for (const [name, browser, place] of [
      ['own', developer, workspace.shared],
      ['shared', owner, workspace.shared],
      ['foreign', owner, workspace.foreign],
    ] as const) {
      const made = (await browser.post('/keys', { name, workspace_id: place })).json;
      key[name] = made.data.hash;
      const answer = await service.as(made.key).post('/chat/completions', { json: { ...CHAT, user: `end-${name}` } });
      call[name] = answer.json.id;
    }
  }, 60_000);
  afterAll(() => service.stop());

  const hashesOf = async (browser: ConsoleBrowser, place: string): Promise<string[]> =>
    ((await browser.get(`/keys?workspace_id=${place}`)).json.data ?? []).map(({ hash }: { hash: string }) => hash);

  it('reads and changes only own keys; keys of other members are not listed, found or changed', async () => {
    expect(await hashesOf(developer, workspace.shared)).toEqual([key.own]);
    expect((await developer.get(`/keys?workspace_id=${workspace.foreign}`)).status).toBe(404);
    for (const hash of [key.shared, key.foreign]) {
      expect((await developer.get(`/keys/${hash}`)).status).toBe(404);
      expect((await developer.get(`/keys/${hash}/settings`)).status).toBe(404);
      for (const [method, path] of [
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
        ['PUT', '/settings'],
      ] as const)
        expect((await developer.send(method, `/console/api/v1/keys/${hash}${path}`, { json: {} })).status).toBe(404);
    }
    expect((await developer.get(`/keys/${key.own}`)).status).toBe(200);
    expect(await hashesOf(owner, workspace.shared)).toContain(key.shared);
  });

  it('creates only own keys of the class standard, in own workspaces', async () => {
    const { userId: ownerId } = await firstOwner(service);
    const make = async (fields: object): Promise<number> =>
      (await developer.post('/keys', { name: 'new', workspace_id: workspace.shared, ...fields })).status;
    expect(await make({ creator_user_id: userId })).toBe(201);
    expect(await make({ creator_user_id: ownerId })).toBe(403);
    expect(await make({ creator_user_id: null })).toBe(403);
    expect(await make({ class: 'management' })).toBe(403);
    expect(await make({ workspace_id: workspace.foreign })).toBe(400);
  });

  it('reads only own calls: in the list, by id, and with a filter for another member or another key', async () => {
    const list = async (query = ''): Promise<string[]> =>
      ((await developer.get(`/generations${query}`)).json.data ?? []).map(({ id }: { id: string }) => id);
    expect(await list()).toEqual([call.own]);
    expect(await list(`?user_id=${(await firstOwner(service)).userId}`)).toEqual([]);
    expect((await developer.get(`/generations?api_key_hash=${key.shared}`)).status).toBe(404);
    for (const id of [call.shared, call.foreign]) {
      expect((await developer.get(`/generation?id=${id}`)).status).toBe(404);
      expect((await developer.get(`/generations/${id}`)).status).toBe(404);
    }
    expect((await developer.get(`/generation?id=${call.own}`)).status).toBe(200);
  });

  it('reads sums of own workspaces; sums by a dimension that identifies callers contain only own calls', async () => {
    const sums = async (browser: ConsoleBrowser, query: object): Promise<{ request_count: number }[]> => {
      const { status, json } = await browser.post('/analytics/query', {
        metrics: ['request_count'],
        ...RANGE,
        ...query,
      });
      expect(status).toBe(200);
      return json.data.data;
    };
    const count = async (browser: ConsoleBrowser, query: object = {}): Promise<number> =>
      (await sums(browser, query)).reduce((sum, row) => sum + row.request_count, 0);
    expect([await count(owner), await count(developer), await count(viewer)]).toEqual([3, 2, 2]);
    for (const dimension of ['user', 'api_key_id', 'external_user', 'generation_id']) {
      expect([dimension, await count(developer, { dimensions: [dimension] })]).toEqual([dimension, 1]);
      expect([dimension, await count(viewer, { dimensions: [dimension] })]).toEqual([dimension, 0]);
    }
    const filters = [{ field: 'external_user', operator: 'eq', value: 'end-shared' }];
    expect([await count(owner, { filters }), await count(developer, { filters })]).toEqual([1, 0]);
    expect(await sums(developer, { dimensions: ['workspace'] })).toHaveLength(1);
  });

  it('reads the activity of own workspaces only', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const requests = async (browser: ConsoleBrowser, query = ''): Promise<number> =>
      ((await browser.get(`/activity?date=${today}${query}`)).json.data as { requests: number }[]).reduce(
        (sum, row) => sum + row.requests,
        0,
      );
    expect([await requests(owner), await requests(developer), await requests(viewer)]).toEqual([3, 2, 2]);
    expect((await developer.get(`/activity?date=${today}&workspace_id=${workspace.foreign}`)).status).toBe(404);
    expect((await developer.get(`/activity?date=${today}&api_key_hash=${key.shared}`)).status).toBe(404);
    expect(await requests(developer, `&api_key_hash=${key.own}`)).toBe(1);
  });

  it('reads own workspaces only, which always include the default workspace', async () => {
    const names = async (browser: ConsoleBrowser): Promise<string[]> =>
      (await browser.get('/workspaces')).json.data.map(({ slug }: { slug: string }) => slug);
    expect([await names(owner), await names(developer)]).toEqual([
      ['default', 'shared', 'foreign'],
      ['default', 'shared'],
    ]);
    expect((await developer.get(`/workspaces/${workspace.foreign}`)).status).toBe(404);
    expect((await developer.get('/workspaces/foreign')).status).toBe(404);
  });

  it('reads the files and the provider credentials of own workspaces only', async () => {
    const body = new FormData();
    body.set('file', new Blob(['text']), 'note.txt');
    const file = (await service.management.post(`/files?workspace_id=${workspace.foreign}`, { body })).json.id;
    const credential = { provider: 'openai', key: 'sk-0123456789abcdef', workspace_id: workspace.foreign };
    const { id } = (await owner.post('/byok', credential)).json.data;
    for (const path of [`/files/${file}`, `/files?workspace_id=${workspace.foreign}`, `/byok/${id}`])
      expect([path, (await developer.get(path)).status]).toEqual([path, 404]);
    expect((await developer.get(`/byok?workspace_id=${workspace.foreign}`)).status).toBe(404);
    expect((await developer.get(`/files?workspace_id=${workspace.shared}`)).status).toBe(200);
  });

  it('reads own interns and the vaults of own interns only', async () => {
    const intern = async (browser: ConsoleBrowser): Promise<string> =>
      (await browser.post('/interns', { name: 'helper', provision: false })).json.id;
    const [own, foreign] = [await intern(developer), await intern(owner)];
    const listed = (await developer.get('/interns')).json.data.map(({ id }: { id: string }) => id);
    expect(listed).toEqual([own]);
    for (const path of [`/interns/${foreign}`, `/interns/${foreign}/settings`, `/vault/interns/${foreign}/secrets`])
      expect([path, (await developer.get(path)).status]).toEqual([path, 404]);
    expect((await viewer.get('/interns')).status).toBe(403);
  });

  it('reads the rows and sums of a workspace while being its admin, and not after the membership ended', async () => {
    const { accountId } = await firstOwner(service);
    const place = [accountId, workspace.foreign, userId];
    const today = new Date().toISOString().slice(0, 10);
    const paths = [
      `/keys/${key.foreign}`,
      `/keys/${key.foreign}/settings`,
      `/keys?workspace_id=${workspace.foreign}`,
      `/key-list?workspace_id=${workspace.foreign}`,
      `/generation?id=${call.foreign}`,
      `/generations/${call.foreign}`,
      `/generations?api_key_hash=${key.foreign}`,
      `/workspaces/${workspace.foreign}`,
      `/files?workspace_id=${workspace.foreign}`,
      `/byok?workspace_id=${workspace.foreign}`,
      `/activity?date=${today}&workspace_id=${workspace.foreign}`,
      `/generations?workspace_id=${workspace.foreign}`,
      `/activity?date=${today}&api_key_hash=${key.foreign}`,
    ];
    const expectRead = async (isRead: boolean): Promise<void> => {
      for (const path of paths) expect([path, (await developer.get(path)).status]).toEqual([path, isRead ? 200 : 404]);
      const { data: calls } = (await developer.get('/generations')).json;
      expect(calls.some(({ id }: { id: string }) => id === call.foreign)).toBe(isRead);
      const { data: sums } = (await developer.get(`/activity?date=${today}`)).json;
      expect(sums.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)).toBe(isRead ? 3 : 2);
    };
    await expectRead(false);
    await service.sql.query(
      `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
       values ($1, $2, $3, 'admin', now())`,
      place,
    );
    await eventually(async () => expect(await hashesOf(developer, workspace.foreign)).toContain(key.foreign));
    await expectRead(true);
    await service.sql.query(
      'delete from workspace_member where account_id = $1 and workspace_id = $2 and user_id = $3',
      place,
    );
    await eventually(async () =>
      expect((await developer.get(`/keys?workspace_id=${workspace.foreign}`)).status).toBe(404),
    );
    await expectRead(false);
  });
});
