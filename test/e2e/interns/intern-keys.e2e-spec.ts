import type { ApiClient } from '../../support/api/api-client.js';
import { settledSpend } from '../../support/money/account-totals.js';
import { eventually } from '../../support/eventually.js';
import { mintInternKey } from '../../support/interns/intern-origin.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

/** 15 USD per million characters: 0.00015 USD for ten. */
const SPEECH = { model: 'openai/tts-1', voice: 'alloy', input: 'x'.repeat(10) };
const PRICE = 0.00015;

describe("an intern's own key", () => {
  let stage: InternsStage;
  let vendor: ScriptedVendor;
  let me: Member;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    stage = await startInternsStage({
      env: { INTERN_RUNTIME: 'none', OPENAI_API_KEY: 'sk-vendor-0123456789', OPENAI_BASE_URL: vendor.baseUrl },
    });
    me = await stage.member();
    await stage.sql.query('update account_balance set granted = 1000000000000');
  });
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });

  let interns = 0;
  /** Creates an intern with this key. Returns a client with the intern's own key. */
  async function internOf(creator: ApiClient): Promise<{ id: string; api: ApiClient }> {
    const { id } = (await creator.post('/interns', { json: { name: `intern-${++interns}` } })).json;
    return { id, api: await bootKey(id) };
  }
  /** Boots the intern. Returns a client in its runtime. */
  const bootKey = async (id: string): Promise<ApiClient> =>
    stage.inside(id, await mintInternKey(stage.app, stage.sql, id));
  /** Creates a standard key of the member with these columns. */
  async function creatorKey(columns: Record<string, unknown> = {}): Promise<{ api: ApiClient; hash: string }> {
    const api = await stage.keyOf(me, { keyClass: 'standard' });
    const { label } = (await api.get('/key')).json.data;
    const [{ hash }] = (await stage.sql.query<{ hash: string }>(
      'select hash from api_key where label = $1 and workspace_id = $2',
      [label, me.workspaceId],
    )) as [{ hash: string }];
    for (const [column, value] of Object.entries(columns))
      await stage.sql.query(`update api_key set ${column} = $2 where hash = $1`, [hash, value]);
    return { api, hash };
  }
  const speak = async (api: ApiClient): Promise<number> => (await api.post('/audio/speech', { json: SPEECH })).status;

  it('spends from the limit of its parent key, whose limit_remaining includes the spend of both keys', async () => {
    const creator = await creatorKey({ limit_nano: 350_000n });
    const { api } = await internOf(creator.api);
    expect(await speak(api)).toBe(200);
    expect(await speak(creator.api)).toBe(200);
    await settledSpend(stage.sql);

    expect((await creator.api.get('/key')).json.data).toMatchObject({ usage: PRICE, limit_remaining: 0.00005 });
    expect((await api.get('/key')).json.data).toMatchObject({ usage: PRICE });
    const refused = await api.post('/audio/speech', { json: SPEECH });
    expect([refused.status, refused.json.error.message]).toEqual([
      402,
      expect.stringContaining('The spending limit of the key that created this intern'),
    ]);
    expect(await speak(creator.api)).toBe(402);
  });

  it.each([
    ['disabled', 'disabled', true, 'The API key that created this intern is disabled'],
    ['deleted', 'deleted_at', new Date(), 'The API key that created this intern was deleted'],
    ['expired', 'expires_at', new Date(0), 'The API key that created this intern has expired'],
  ])('is refused with 401 if its parent key is %s', async (_, column, value, message) => {
    const creator = await creatorKey();
    const { api, id } = await internOf(creator.api);
    expect([(await api.get(`/interns/${id}`)).status, await speak(api)]).toEqual([200, 200]);
    await stage.sql.query(`update api_key set ${column} = $2 where hash = $1`, [creator.hash, value]);

    await eventually(async () => {
      const answer = await api.get(`/interns/${id}`);
      expect([answer.status, answer.json.error?.message]).toEqual([401, message]);
    }, 3_000);
    expect(await speak(api)).toBe(401);
    const calls = vendor.seen.length;
    expect(await speak(await bootKey(id))).toBe(401);
    expect(vendor.seen.length).toBe(calls);
  });

  it('may spend nothing if its parent key is not known', async () => {
    const { id } = await internOf(me.api);
    await stage.sql.query('update intern set creator_key_no = null where id = $1', [id]);
    const api = await bootKey(id);
    expect((await api.get('/key')).json.data).toMatchObject({ limit: 0, limit_remaining: 0 });
    expect(await speak(api)).toBe(402);
  });
});
