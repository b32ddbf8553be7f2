import { makeKey } from '../../support/api/api-builders.js';
import { makeMember } from '../../support/money/account-builders.js';
import { operate } from '../../support/services/operator-line.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const SPEECH = { model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'one' };

describe("the operator's commands for keys and credits:", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { BOOTSTRAP_CREDITS_USD: '10' } });
  });
  afterAll(() => service.stop());
  const operator = (...words: string[]) =>
    operate(service.databaseUrl, { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32) }, ...words);
  const rows = async (...words: string[]): Promise<Record<string, unknown>[]> => {
    const { lines, error } = await operator(...words, '--json');
    expect(error).toBeUndefined();
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const statusOf = async (key: string): Promise<number> => (await service.as(key).get('/key')).status;

  it('keys list shows every key, including disabled keys, and no secret', async () => {
    const made = await makeKey(service.management, { name: 'Listed', limit: 0.000000014, limit_reset: 'daily' });
    await service.management.patch(`/keys/${made.data.hash}`, { json: { disabled: true } });

    const listed = await rows('keys', 'list');

    expect(listed.map(({ name }) => name)).toEqual(['Listed', 'Bootstrap API key', 'Bootstrap management key']);
    expect(listed[0]).toMatchObject({
      hash: made.data.hash,
      label: made.data.label,
      class: 'standard',
      disabled: true,
      limit_usd: 1.4e-8,
      limit_reset: 'daily',
      spent_usd: 0,
    });
    const { lines } = await operator('keys', 'list');
    expect(lines[0]).toMatch(/^hash +name +label +class +disabled +limit_usd +limit_reset +spent_usd +expires_at$/);
    expect(lines[1]).toContain(' 0.000000014 ');
    expect(lines.join('\n')).not.toContain(made.key);
    expect((await operator('keys', 'list', '--account', 'x')).error).toMatchObject({ kind: 'invalid_request' });
    for (const command of ['keys', 'workspaces'])
      expect((await operator(command, 'create', 'name', '--account', '')).error).toMatchObject({
        message: expect.stringContaining('--account must be an id'),
      });
  });

  it('keys disable and keys enable accept the beginning of a hash, apply at once, and are audited', async () => {
    const made = await makeKey(service.management, { name: 'Switched' });
    expect(await statusOf(made.key)).toBe(200);

    expect(await rows('keys', 'disable', made.data.hash.slice(0, 16))).toEqual([
      { hash: made.data.hash, name: 'Switched', disabled: true, changed: true },
    ]);
    while ((await statusOf(made.key)) !== 401) await new Promise(setImmediate);
    expect(await rows('keys', 'disable', made.data.hash)).toEqual([
      expect.objectContaining({ disabled: true, changed: false }),
    ]);
    expect(await rows('keys', 'enable', made.data.hash)).toEqual([
      expect.objectContaining({ disabled: false, changed: true }),
    ]);
    while ((await statusOf(made.key)) !== 200) await new Promise(setImmediate);
    const audit = await service.sql.query(`select actor, action from audit_entry where resource_id = $1 order by id`, [
      made.data.hash,
    ]);
    expect(audit.slice(1)).toEqual([
      { actor: 'operator', action: 'update' },
      { actor: 'operator', action: 'update' },
    ]);
  });

  it('keys enable refuses a key whose member was removed', async () => {
    const [account] = await service.sql.query<{ id: string }>('select id from account');
    const creator_user_id = await makeMember(service, { accountId: account!.id });
    const made = await makeKey(service.management, { creator_user_id });
    expect((await service.management.delete(`/members/${creator_user_id}`)).status).toBe(200);
    expect((await operator('keys', 'enable', made.hash)).error).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('its member is not an active member of the account'),
    });
    expect(await statusOf(made.key)).toBe(401);
  });

  it.each([
    ['an unknown key', '0'.repeat(64), 'No API key has a hash that begins with'],
    ['a beginning that is too short', 'abcdef0', 'must be the hash of a key, or at least its first 8 hex digits'],
    ['a wildcard', 'abcdef0%', 'must be the hash of a key, or at least its first 8 hex digits'],
    ['a secret', TEST_API_KEY, 'must be the hash of a key, or at least its first 8 hex digits'],
  ])('keys disable refuses %s in one line that does not repeat a secret', async (_, word, message) => {
    const { error } = await operator('keys', 'disable', word);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain(TEST_API_KEY);
  });

  it('keys disable refuses a beginning that several keys have', async () => {
    const [a, b] = ['aaaaaaaa0', 'aaaaaaaa1'].map((start) => start.padEnd(64, '0'));
    await service.sql.query(`create table kept as select hash, no from api_key where name like 'Bootstrap%'`);
    await service.sql.query(
      `update api_key set hash = case when key_class = 'standard' then $1 else $2 end where name like 'Bootstrap%'`,
      [a, b],
    );
    try {
      expect((await operator('keys', 'disable', 'aaaaaaaa')).error).toMatchObject({
        message: 'aaaaaaaa is the beginning of 2 keys: give a longer part of the hash',
      });
    } finally {
      await service.sql.query('update api_key set hash = kept.hash from kept where kept.no = api_key.no');
      await service.sql.query('drop table kept');
    }
  });

  describe('credits', () => {
    const show = async (): Promise<Record<string, unknown>> => (await rows('credits', 'show'))[0]!;
    const grant = (...words: string[]) => operator('credits', 'grant', '--reason', 'test', ...words);

    it('show prints the granted, spent, reserved and remaining credits to the last digit', async () => {
      await service.standard.post('/audio/speech', { json: SPEECH });
      await service.sql.query('update account_balance set spent = 1000000001, reserved = 2');

      expect(await show()).toMatchObject({
        granted_usd: 10,
        spent_usd: 1.000000001,
        reserved_usd: 2e-9,
        left_usd: 8.999999997,
      });
      expect((await operator('credits', 'show')).lines[1]).toMatch(
        / 10\.00 +1\.000000001 +0\.000000002 +8\.999999997$/,
      );
    });

    it('grant refuses, without --force, a correction below the spent and reserved amount', async () => {
      const refused = await grant('-8.999999998');
      expect(refused.error).toMatchObject({
        kind: 'conflict',
        message:
          'A correction of -8.999999998 USD would leave less than the spent and reserved credits: remove ' +
          'at most 8.999999997 USD, or use --force',
      });
      expect(await show()).toMatchObject({ granted_usd: 10 });
      expect((await grant('-8.999999997')).error).toBeUndefined();
      expect(await show()).toMatchObject({ left_usd: 0 });
      expect((await grant('-0.000000001')).error).toMatchObject({
        message: expect.stringContaining('remove at most 0.00 USD'),
      });
      expect((await grant('--force', '--', '-1')).error).toBeUndefined();
      expect(await show()).toMatchObject({ left_usd: -1 });
      // If credits are negative, a positive grant is still accepted.
      expect((await grant('0.5')).error).toBeUndefined();
      expect(await show()).toMatchObject({ left_usd: -0.5 });
    });
  });
});
