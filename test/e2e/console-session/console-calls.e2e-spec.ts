import { randomUUID } from 'node:crypto';
import { ConsoleSessions } from '../../../src/sessions/console-sessions.js';
import { ConsoleBrowser, newCode, signedIn } from '../../support/console/console-browser.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };
const PICTURE = { model: 'builtin/poster', prompt: 'A poster', size: '64x64' };

describe('the calls of a session that was opened with a code', () => {
  let service: TestService;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_SIGN_IN: 'off', INTERN_RUNTIME: 'none' } });
    browser = await signedIn(service);
  }, 60_000);
  afterAll(() => service.stop());

  const newWorkspace = async (): Promise<string> => {
    const slug = `w${randomUUID().slice(0, 8)}`;
    return (await browser.post('/workspaces', { name: slug, slug })).json.data.id;
  };
  const update = (json: object): ReturnType<ConsoleBrowser['send']> =>
    browser.send('PUT', '/console/session', { json });
  const keysIn = async (workspaceId: string): Promise<{ hash: string; name: string; limit: number | null }[]> =>
    (await browser.get(`/keys?workspace_id=${workspaceId}`)).json.data;

  it('manage the account like a management key of the user', async () => {
    for (const path of ['/credits', '/keys', '/workspaces', '/files', '/activity', '/key', '/models', '/byok'])
      expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    expect((await browser.get('/key')).json.data).toMatchObject({ is_management_key: true });
    const created = (await browser.post('/keys', { name: 'Made in the console' })).json.data;
    const { user } = (await browser.send('GET', '/console/session')).json.data;
    expect(created.creator_user_id).toBe(user.id);
  });

  it('include inference and interns, through the handlers of /api/v1', async () => {
    expect((await browser.post('/audio/speech', SPEECH)).status).toBe(200);
    const picture = await browser.post('/images', PICTURE);
    expect([picture.status, picture.json.data]).toEqual([
      200,
      [expect.objectContaining({ b64_json: expect.any(String) })],
    ]);
    // On the fast path, the route itself refuses this body.
    expect((await browser.post('/chat/completions', {})).status).toBe(400);
    expect((await browser.get('/interns')).status).toBe(200);
  });

  it('create generations that the session can read', async () => {
    const spoken = await browser.post('/audio/speech', SPEECH);
    const id = spoken.headers.get('x-generation-id')!;
    expect((await browser.get(`/generation?id=${id}`)).json.data.id).toBe(id);
  });

  it('have a limit that the user sets and that becomes the limit of the standard key', async () => {
    expect((await update({ limit: 0 })).json.data).toMatchObject({ limit: 0 });
    const key = (
      await service.sql.query<{ limit_nano: bigint }>(
        `select limit_nano from api_key where key_class = 'standard' and console_session_id is not null
       and deleted_at is null`,
      )
    )[0]!;
    expect(key.limit_nano).toBe(0n);
    expect((await update({ limit: 12.5 })).json.data.limit).toBe(12.5);
    expect((await update({ limit: null })).json.data.limit).toBeNull();
    expect((await update({})).json.data.limit).toBeNull();
    expect((await update({ limit: -1 })).status).toBe(400);
  });

  it('use a new key after the user has chosen a workspace; the former key is deleted', async () => {
    await update({ limit: 3 });
    const before = (await browser.send('GET', '/console/session')).json.data.workspace_id as string;
    const workspaceId = await newWorkspace();
    expect((await update({ workspace_id: workspaceId })).json.data).toMatchObject({
      workspace_id: workspaceId,
      limit: 3,
      spent: 0,
    });
    expect(await keysIn(workspaceId)).toEqual([expect.objectContaining({ name: 'Console session', limit: 3 })]);
    expect((await keysIn(before)).filter(({ name }) => name === 'Console session')).toEqual([]);
    expect((await browser.post('/audio/speech', SPEECH)).status).toBe(200);
    expect((await update({ workspace_id: randomUUID() })).status).toBe(400);
    expect((await browser.send('GET', '/console/session')).json.data.workspace_id).toBe(workspaceId);
  });

  it('to models are refused after the deletion of their key, until the user chooses a workspace again', async () => {
    const workspaceId = await newWorkspace();
    await update({ workspace_id: workspaceId });
    const [key] = await keysIn(workspaceId);
    await browser.send('DELETE', `/console/api/v1/keys/${key!.hash}`);
    expect((await browser.post('/audio/speech', SPEECH)).status).toBe(403);
    expect((await browser.send('GET', '/console/session')).json.data).toMatchObject({ workspace_id: null, limit: 0 });
    expect((await browser.get('/credits')).status).toBe(200);
    expect((await update({ workspace_id: workspaceId })).json.data.workspace_id).toBe(workspaceId);
    expect((await browser.post('/audio/speech', SPEECH)).status).toBe(200);
  });

  it('use keys whose secrets nobody knows; the management key of the session is not listed', async () => {
    const listed = (await browser.get('/keys')).json.data as { hash: string }[];
    const [main] = await service.sql.query<{ main_key_hash: string; token_hash: string }>(
      'select main_key_hash, token_hash from console_session limit 1',
    );
    expect(listed.map(({ hash }) => hash)).not.toContain(main!.main_key_hash);
    for (const guess of [main!.main_key_hash, main!.token_hash, browser.cookie!.split('=')[1]!])
      expect((await service.as(guess).get('/key')).status).toBe(401);
  });

  it('keep the key that created an intern until the intern is deleted, even after the sign-out', async () => {
    const own = new ConsoleBrowser(service.origin);
    await own.signIn({ code: await newCode(service) });
    const created = await own.post('/interns', { name: `i${randomUUID().slice(0, 8)}` });
    expect(created.status).toBeLessThan(300);
    const keysOf = async (): Promise<{ key_class: string; kept: boolean }[]> =>
      service.sql.query(
        `select key_class, deleted_at is null as kept from api_key where console_session_id =
           (select console_session_id from api_key where no = (select creator_key_no from intern where id = $1))
         order by key_class`,
        [created.json.id],
      );
    await own.send('DELETE', '/console/session');
    expect(await keysOf()).toEqual([
      { key_class: 'management', kept: false },
      { key_class: 'standard', kept: true },
    ]);
    const keys = await service.sql.query<{ no: number }>('select creator_key_no as no from intern where id = $1', [
      created.json.id,
    ]);
    await service.sql.query('delete from intern where id = $1', [created.json.id]);
    await service.app.get(ConsoleSessions, { strict: false }).sweep();
    const [key] = await service.sql.query<{ gone: boolean }>(
      'select deleted_at is not null as gone from api_key where no = $1',
      [keys[0]!.no],
    );
    expect(key!.gone).toBe(true);
  });

  it('differ from calls of a session that was opened with a key: the user cannot set a limit for those', async () => {
    const withKey = new ConsoleBrowser(service.origin);
    await withKey.signIn({ key: TEST_API_KEY });
    expect((await withKey.send('PUT', '/console/session', { json: { limit: 1 } })).status).toBe(409);
  });

  it('are audited with the user of the session', async () => {
    const { user } = (await browser.send('GET', '/console/session')).json.data;
    const made = await browser.post('/keys', { name: 'Recorded' });
    const [entry] = await service.sql.query('select actor, user_id, action from audit_entry where resource_id = $1', [
      made.json.data.hash,
    ]);
    expect(entry).toEqual({ actor: 'key', user_id: user.id, action: 'create' });
  });
});
