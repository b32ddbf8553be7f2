import { randomUUID } from 'node:crypto';
import { settledSpend } from '../../support/money/account-totals.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { mintInternKey } from '../../support/interns/intern-origin.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

/** Costs 0.00015 USD, at 15 USD per million characters. */
const SPEECH = { model: 'openai/tts-1', voice: 'alloy', input: 'x'.repeat(10) };
const PRICE_NANO = 150_000n;
const PRICE_USD = 0.00015;
const DEFAULTS = { limit: null, limit_reset: null, allowed_hosts: [], approval_mode: 'self-drive' };
const CALLS_AT_ONCE = LONG_TESTS ? 1_000 : 120;

describe('the settings of an intern', () => {
  let stage: InternsStage;
  let vendor: ScriptedVendor;
  let me: Member;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    const off = ['INFERENCE', 'OTHER', 'MANAGEMENT'].map((group) => [`RATE_LIMIT_${group}`, 'off']);
    stage = await startInternsStage({
      env: {
        ...Object.fromEntries(off),
        INTERN_RUNTIME: 'none',
        OPENAI_API_KEY: 'sk-vendor-0123456789',
        OPENAI_BASE_URL: vendor.baseUrl,
      },
    });
    me = await stage.member();
    await stage.sql.query('update account_balance set granted = 1000000000000');
  }, 60_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });

  let interns = 0;
  const anIntern = async (): Promise<string> =>
    (await me.api.post('/interns', { json: { name: `intern-${++interns}` } })).json.id;
  const put = (id: string, json: unknown) => me.api.put(`/interns/${id}/settings`, { json });
  const settingsOf = async (id: string) => (await me.api.get(`/interns/${id}/settings`)).json.data;
  const boot = async (id: string): Promise<ApiClient> =>
    stage.inside(id, await mintInternKey(stage.app, stage.sql, id));
  const speak = async (api: ApiClient): Promise<number> => (await api.post('/audio/speech', { json: SPEECH })).status;
  const usageOf = async (api: ApiClient) => {
    await settledSpend(stage.sql);
    const { limit, limit_remaining, usage } = (await api.get('/key')).json.data;
    return { limit, limit_remaining, usage };
  };

  it('have defaults, and are replaced as a whole', async () => {
    const id = await anIntern();
    expect(await settingsOf(id)).toEqual(DEFAULTS);
    const settings = { limit: 2.5, limit_reset: 'weekly', allowed_hosts: ['a.example'], approval_mode: 'manual' };
    const answer = await put(id, settings);
    expect([answer.status, answer.json]).toEqual([200, { data: settings }]);
    expect(await settingsOf(id)).toEqual(settings);
    expect((await put(id, { limit: 1 })).json.data).toEqual({ ...DEFAULTS, limit: 1 });
    expect((await put(id, {})).json.data).toEqual(DEFAULTS);
  });

  it('contain allowed hosts without duplicates, in lower case and without a final dot', async () => {
    const id = await anIntern();
    const { json } = await put(id, { allowed_hosts: ['API.Example.com', 'b.example.', 'api.example.com'] });
    expect(json.data.allowed_hosts).toEqual(['api.example.com', 'b.example']);
  });

  it.each<[string, unknown]>([
    ['a limit of 0', { limit: 0 }],
    ['the largest limit', { limit: 9_000_000_000 }],
    ['a limit of null', { limit: null, limit_reset: null }],
    ['a monthly window', { limit: 1, limit_reset: 'monthly' }],
    ['100 hosts', { allowed_hosts: Array.from({ length: 100 }, (_, at) => `h${at}.example`) }],
  ])('may have %s', async (_, json) => {
    expect((await put(await anIntern(), json)).json.data).toMatchObject(json as object);
  });

  it.each<[string, unknown]>([
    ['a negative limit', { limit: -0.01 }],
    ['a limit above the maximum of the ledger', { limit: 9_000_000_001 }],
    ['a limit as a string', { limit: '1' }],
    ['an unknown window', { limit: 1, limit_reset: 'hourly' }],
    ['101 hosts', { allowed_hosts: Array.from({ length: 101 }, (_, at) => `h${at}.example`) }],
    ['hosts that are not an array', { allowed_hosts: 'a.example' }],
    ['hosts of null', { allowed_hosts: null }],
    ['a wildcard', { allowed_hosts: ['*.example.com'] }],
    ['an IP address', { allowed_hosts: ['127.0.0.1'] }],
    ['a port', { allowed_hosts: ['a.example:443'] }],
    ['a URL', { allowed_hosts: ['https://a.example'] }],
    ['an unknown mode', { approval_mode: 'auto' }],
    ['an unknown member', { limit: 1, budget: 2 }],
    ['an array', []],
  ])('may not have %s', async (_, json) => {
    const id = await anIntern();
    expect((await put(id, json)).json).toEqual(refusal(400, 'invalid_body'));
    expect(await settingsOf(id)).toEqual(DEFAULTS);
  });

  it('are not found by other members, and cannot be changed while the intern is being deleted', async () => {
    const id = await anIntern();
    for (const other of [await stage.member(), await stage.member({ inProgramme: false })]) {
      expect((await other.api.get(`/interns/${id}/settings`)).json).toEqual(refusal(404, 'not_found'));
      expect((await other.api.put(`/interns/${id}/settings`, { json: {} })).json).toEqual(refusal(404, 'not_found'));
    }
    expect((await put(randomUUID(), {})).json).toEqual(refusal(404, 'not_found'));
    await me.api.delete(`/interns/${id}`);
    expect((await put(id, {})).json).toEqual(refusal(409, 'intern_busy'));
  });

  it('write an audit row for each change', async () => {
    const id = await anIntern();
    await put(id, { limit: 1 });
    const rows = await stage.sql.query(
      `select action, user_id as by from audit_entry where resource_kind = 'intern' and resource_id = $1 order by at`,
      [id],
    );
    expect(rows).toEqual(['create', 'update'].map((action) => ({ action, by: me.userId })));
  });

  describe('have a budget', () => {
    it('before the first boot and after later boots, on the same key', async () => {
      const id = await anIntern();
      await put(id, { limit: 0.0004 });
      const first = await boot(id);
      expect(await speak(first)).toBe(200);
      expect(await usageOf(first)).toEqual({ limit: 0.0004, limit_remaining: 0.00025, usage: PRICE_USD });
      const second = await boot(id);
      expect((await first.get('/key')).status).toBe(401);
      expect(await speak(second)).toBe(200);
      expect(await usageOf(second)).toEqual({ limit: 0.0004, limit_remaining: 0.0001, usage: 2 * PRICE_USD });
      expect(await speak(second)).toBe(402);
      expect(await stage.sql.query('select 1 from api_key where intern_id = $1', [id])).toHaveLength(1);
    });

    it('whose changes take effect at once, in addition to the limit of the parent key', async () => {
      const id = await anIntern();
      const own = await boot(id);
      await put(id, { limit: 0 });
      expect(await speak(own)).toBe(402);
      await put(id, { limit: PRICE_USD });
      expect([await speak(own), await speak(own)]).toEqual([200, 402]);
      await put(id, {});
      expect(await speak(own)).toBe(200);
      await stage.sql.query(
        'update api_key set limit_nano = 0 where no = (select creator_key_no from intern where id = $1)',
        [id],
      );
      expect(await speak(own)).toBe(402);
      await stage.sql.query(
        'update api_key set limit_nano = null where no = (select creator_key_no from intern where id = $1)',
        [id],
      );
    });

    it("that a management key reads and changes as the limit of the intern's key", async () => {
      const id = await anIntern();
      await put(id, { limit: 3, limit_reset: 'daily' });
      await boot(id);
      const [{ hash }] = (await stage.sql.query('select hash from api_key where intern_id = $1', [id])) as [
        { hash: string },
      ];
      const management = await stage.keyOf(me, { keyClass: 'management' });
      expect((await management.get(`/keys/${hash}`)).json.data).toMatchObject({ limit: 3, limit_reset: 'daily' });
      await management.patch(`/keys/${hash}`, { json: { limit: 2 } });
      expect(await settingsOf(id)).toMatchObject({ limit: 2, limit_reset: 'daily' });
      await boot(id);
      expect(await settingsOf(id)).toMatchObject({ limit: 2, limit_reset: 'daily' });
    });

    it('of 0, whatever limit is set, if the parent key is unknown', async () => {
      const id = await anIntern();
      await stage.sql.query('update intern set creator_key_no = null where id = $1', [id]);
      await put(id, { limit: 5 });
      const own = await boot(id);
      expect((await put(id, { limit: 5 })).json.data.limit).toBe(0);
      expect(await speak(own)).toBe(402);
    });

    it(`that ${CALLS_AT_ONCE} simultaneous calls use completely and do not exceed`, async () => {
      const id = await anIntern();
      const affordable = Math.floor(CALLS_AT_ONCE / 3);
      await put(id, { limit: Number(PRICE_NANO * BigInt(affordable)) / 1e9 });
      const own = await boot(id);
      const statuses = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => speak(own)));
      expect(statuses.filter((status) => status === 200)).toHaveLength(affordable);
      expect(statuses.filter((status) => status === 402)).toHaveLength(CALLS_AT_ONCE - affordable);
      expect(await usageOf(own)).toMatchObject({ limit_remaining: 0 });
    }, 120_000);
  });
});
