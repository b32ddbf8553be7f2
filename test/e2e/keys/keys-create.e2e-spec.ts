import { makeKey } from '../../support/api/api-builders.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

describe('API keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const create = (fields: object) => makeKey(service.management, fields);

  describe('POST /keys', () => {
    it('returns 201 with the record and the secret, which GET does not return', async () => {
      const created = await service.management.post('/keys', {
        json: { name: 'Production', limit: 12.5, limit_reset: 'monthly' },
      });

      expect(created.status).toBe(201);
      expect(created.json.key).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
      expect(created.json.data).toMatchObject({
        name: 'Production',
        limit: 12.5,
        limit_remaining: 12.5,
        limit_reset: 'monthly',
        disabled: false,
        usage: 0,
      });
      const read = await service.management.get(`/keys/${created.json.data.hash}`);
      expect(read.json).toEqual({ data: created.json.data });
      expect(read.text).not.toContain(created.json.key);
    });

    it('returns the id of the member in lower case, however the request writes it', async () => {
      const [account] = await service.sql.query<{ id: string }>('select id from account order by no limit 1');
      const userId = await makeMember(service, { accountId: account!.id });
      const { data } = await create({ name: 'x', creator_user_id: userId.toUpperCase() });
      expect(data.creator_user_id).toBe(userId);
    });

    it('stores no secret in the database', async () => {
      const rows = await service.sql.query<{ found: bigint }>(
        `select count(*) as found from api_key where api_key::text like '%' || $1 || '%'`,
        [TEST_API_KEY],
      );
      expect(rows[0]?.found).toBe(0n);
    });

    it.each([
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'a\u0000b' }, 'name must not contain control characters'],
      [{ name: '\ud800' }, 'name must be well-formed Unicode'],
      [{ name: 'x', limit: -1 }, 'limit'],
      [{ name: 'x', limit: 1e12 }, 'limit'],
      [{ name: 'x', limit_reset: 'yearly' }, 'limit_reset'],
      [{ name: 'x', include_byok_in_limit: null }, 'include_byok_in_limit'],
      [{ name: 'x', expires_at: '2027-01-01T00:00:00+02:00' }, 'expires_at'],
      ...[
        '0000-01-01T00:00:00Z',
        '2027-02-30T00:00:00Z',
        '2027-01-31T24:00:00Z',
        '2027-06-30T23:59:60Z',
        '2027-01-31T00:00:00',
        '2027-01-31',
        '12027-01-31T00:00:00Z',
        '',
        'tomorrow',
        1_800_000_000,
      ].map((expires_at): [object, string] => [{ name: 'x', expires_at }, 'expires_at']),
      [{ name: 'x', creator_user_id: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' }, 'creator_user_id'],
      [{ name: 'x', workspace_id: 'default' }, 'workspace_id'],
      [
        { name: 'x', workspace_id: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' },
        'workspace_id must be the id of a workspace of this account',
      ],
      [{ name: 'x'.repeat(1001) }, 'name must be shorter'],
      [{ name: '\u{1F600}'.repeat(1001) }, 'name must be shorter'],
      [{ name: '❤\uFE0F'.repeat(501) }, 'name must be shorter'],
      [{ name: 'x', colour: 'red' }, 'colour'],
    ])('returns 400 for %j and names the fault', async (json, named) => {
      const answer = await service.management.post('/keys', { json });
      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toContain(named);
    });

    it('limits the length of a name in code points', async () => {
      for (const name of ['\u{1F600}'.repeat(1000), '❤\uFE0F'.repeat(500)])
        expect((await create({ name })).data.name).toBe(name);
    });

    it('rounds a limit to the nearest nano-dollar instead of refusing its digits', async () => {
      expect((await create({ name: 'x', limit: 0.1 + 0.2 })).data.limit).toBe(0.3);
      expect((await create({ name: 'x', limit: 1.23456789051 })).data.limit).toBe(1.234567891);
    });
  });

  it('accept the first and the last time that the format of expires_at allows', async () => {
    for (const expires_at of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2027-01-31T00:00+00:00']) {
      expect((await create({ name: 'x', expires_at })).data.expires_at).toBe(new Date(expires_at).toISOString());
    }
  });

  it('contain the time of the last change, or the time of creation if there was no change', async () => {
    const made = (await create({ name: 'x' })).data;
    expect(made.updated_at).toBe(made.created_at);
    const read = async (): Promise<{ created_at: string; updated_at: string }> =>
      (await service.management.get(`/keys/${made.hash}`)).json.data;
    expect((await read()).updated_at).toBe(made.created_at);
    await service.management.patch(`/keys/${made.hash}`, { json: {} });
    expect((await read()).updated_at).toBe(made.created_at);
    await service.management.patch(`/keys/${made.hash}`, { json: { name: 'y' } });
    expect(Date.parse((await read()).updated_at)).toBeGreaterThanOrEqual(Date.parse(made.created_at));
    for (const { updated_at } of (await service.management.get('/keys')).json.data)
      expect(updated_at).toEqual(expect.any(String));
  });
});
