import { hashOfKey } from '../../../src/auth/key-secret.js';
import { makeKey } from '../../support/api/api-builders.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };
const CALLERS = 16;

describe('calls of a busy key, on a credit lease', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { CREDIT_LEASES: 'on' } });
  });
  afterAll(() => service.stop());

  const leases = async (key: string): Promise<number> =>
    (
      await service.sql.query(
        `select from reservation v join api_key k on k.no = v.key_no
         where v.state = 'reserved' and v.lends_until > clock_timestamp() and k.hash = $1`,
        [hashOfKey(key)],
      )
    ).length;
  const speak = async (key: string): Promise<number> => (await service.as(key).post('/audio/speech', SPEECH)).status;
  /** Makes calls from several callers until the key has a lease. Returns the number of calls. */
  async function callUntilLeased(key: string): Promise<number> {
    for (let calls = 0; ; calls += CALLERS) {
      if ((await leases(key)) > 0) return calls;
      expect(calls).toBeLessThan(2_000);
      expect(new Set(await Promise.all(Array.from({ length: CALLERS }, () => speak(key))))).toEqual(new Set([200]));
    }
  }

  it('are all billed, listed in the ledger, and leave nothing reserved', async () => {
    const { key, hash } = await makeKey(service.management);
    const calls = (await callUntilLeased(key)) + 2 * CALLERS;
    const more = await Promise.all(Array.from({ length: 2 * CALLERS }, () => speak(key)));
    expect(new Set(more)).toEqual(new Set([200]));

    const nano = calls * 2_000;
    expect((await service.management.get(`/keys/${hash}`)).json.data.usage).toBeCloseTo(nano / 1e9, 9);
    const { data } = (await service.management.get(`/ledger?limit=500&api_key_hash=${hash}`)).json;
    expect(data).toHaveLength(Math.min(calls, 500));
    await eventually(async () => expect((await readBooks(service.sql)).accountReserved).toBe(0n));
    expectBalanced(await readBooks(service.sql));
  });

  it('are in the spend and in the records that another replica returns after the last call', async () => {
    const other = await startTestService({ databaseUrl: service.databaseUrl, env: { CREDIT_LEASES: 'on' } });
    const { key, hash } = await makeKey(service.management);
    let calls = await callUntilLeased(key);
    for (let round = 0; round < 10; round++, calls++) {
      const { status, headers } = await service.as(key).post('/audio/speech', SPEECH);
      expect(status).toBe(200);
      const recorded = await other.as(key).get(`/generation?id=${headers.get('x-generation-id')}`);
      expect([recorded.status, recorded.json.data?.usage]).toEqual([200, 2e-6]);
      const reads = round % 2 ? other.management.get(`/keys/${hash}`) : other.as(key).get('/key');
      expect((await reads).json.data.usage).toBeCloseTo((calls + 1) * 2e-6, 9);
    }
    await other.stop();
  });

  it.each([
    ['disabled', 401, (hash: string) => service.management.patch(`/keys/${hash}`, { json: { disabled: true } })],
    ['deleted', 401, (hash: string) => service.management.delete(`/keys/${hash}`)],
    [
      'given a limit below its spend',
      402,
      (hash: string) => service.management.patch(`/keys/${hash}`, { json: { limit: 0 } }),
    ],
  ])('are refused at once if the key is %s', async (_, status, change) => {
    const { key, hash } = await makeKey(service.management);
    await callUntilLeased(key);
    expect((await change(hash)).status).toBe(200);

    expect(await Promise.all([speak(key), speak(key), speak(key)])).toEqual([status, status, status]);
  });
});
