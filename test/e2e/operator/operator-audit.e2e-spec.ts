import { operate } from '../../support/services/operator-line.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe("the operator's commands that change something", () => {
  let service: TestService;
  let account: string;
  let user: string;
  beforeAll(async () => {
    service = await startTestService();
    folder = await temporaryFolder();
    account = (await made('accounts', 'create', 'Audited'))['id']!;
    user = (await made('users', 'create', 'Somebody'))['id']!;
  });
  afterAll(async () => {
    await service.stop();
    await folder.remove();
  });

  let folder: TemporaryFolder;
  const operator = (...words: string[]) =>
    operate(
      service.databaseUrl,
      { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32), DATA_DIR: folder.path },
      ...words,
      '--json',
    );
  const made = async (...words: string[]): Promise<Record<string, string>> => {
    const { lines, error } = await operator(...words);
    expect(error).toBeUndefined();
    return JSON.parse(lines.join('')) as Record<string, string>;
  };
  const newest = async (): Promise<unknown> =>
    (
      await service.sql.query(
        `select actor, action, resource_kind as kind, resource_id as id, account_id as account, key_hash, user_id
         from audit_entry
         order by audit_entry.id desc
         limit 1`,
      )
    )[0];
  const row = (action: string, kind: string, id: string, owner: string | null = account) => ({
    actor: 'operator',
    action,
    kind,
    id,
    account: owner,
    key_hash: null,
    user_id: null,
  });

  it('write one audit row each, with the actor, the resource and its account', async () => {
    const other = (await made('accounts', 'create', 'Another'))['id']!;
    expect(await newest()).toEqual(row('create', 'account', other, other));
    const person = (await made('users', 'create', 'Person', '--email', 'person@example.com'))['id']!;
    expect(await newest()).toEqual(row('create', 'user', person, null));
    await made('members', 'create', '--account', account, '--user', person);
    expect(await newest()).toEqual(row('create', 'member', `${account}/${person}`));
    const workspace = (await made('workspaces', 'create', 'A place', '--account', account))['id']!;
    expect(await newest()).toEqual(row('create', 'workspace', workspace));
    const key = (await made('keys', 'create', 'A key', '--account', account))['hash']!;
    expect(await newest()).toEqual(row('create', 'api_key', key));
    await made('credits', 'grant', '5', '--reason', 'a gift', '--account', account, '--idempotency-id', 'gift-1');
    expect(await newest()).toEqual(row('grant', 'credits', 'gift-1'));
  });

  it('write one audit row for each rebuild, seed and sweep', async () => {
    const seeded = (await made('accounts', 'create', 'Seeded'))['id']!;
    await made('usage', 'seed', '--rows', '50', '--keys', '2', '--days', '1', '--account', seeded);
    const rows = await service.sql.query(
      `select action, resource_kind as kind, count(*)::int as rows
       from audit_entry
       where account_id = $1
       group by 1, 2
       order by 1, 2`,
      [seeded],
    );
    expect(rows).toEqual([
      { action: 'create', kind: 'account', rows: 1 },
      { action: 'create', kind: 'api_key', rows: 2 },
      { action: 'seed', kind: 'synthetic_usage', rows: 1 },
    ]);
    await made('usage', 'rebuild');
    const [{ epoch }] = (await service.sql.query<{ epoch: string }>('select epoch::text as epoch from usage_feed')) as [
      { epoch: string },
    ];
    expect(await newest()).toEqual(row('rebuild', 'analytics_store', epoch, null));
    await made('files', 'sweep', '--older-than', '60');
    expect(await newest()).toEqual(row('sweep', 'file', expect.stringMatching(/^before \d{4}-/) as string, null));
  });

  it('write no audit row for a repeated grant and for a refused command', async () => {
    await made('credits', 'grant', '7', '--reason', 'a gift', '--account', account, '--idempotency-id', 'gift-2');
    const count = async (): Promise<unknown> => service.sql.query('select count(*) from audit_entry');
    const before = await count();

    await made('credits', 'grant', '7', '--reason', 'a gift', '--account', account, '--idempotency-id', 'gift-2');
    expect(
      (
        await operator(
          'credits',
          'grant',
          '8',
          '--reason',
          'a gift',
          '--account',
          account,
          '--idempotency-id',
          'gift-2',
        )
      ).error,
    ).toMatchObject({ kind: 'conflict' });
    expect((await operator('members', 'create', '--account', account, '--user', account)).error).toMatchObject({
      kind: 'not_found',
    });
    expect(await count()).toEqual(before);
  });

  it.each([
    ['account', () => ['accounts', 'create', 'Unaudited']],
    ['app_user', () => ['users', 'create', 'Unaudited']],
    ['member', () => ['members', 'create', '--account', account, '--user', user]],
    ['workspace', () => ['workspaces', 'create', 'Unaudited', '--account', account]],
    ['api_key', () => ['keys', 'create', 'Unaudited', '--account', account]],
    ['usage_feed', () => ['usage', 'rebuild']],
    ['generation', () => ['usage', 'seed', '--rows', '50', '--keys', '1', '--days', '1', '--account', account]],
    ['ledger_entry', () => ['credits', 'grant', '1', '--reason', 'Unaudited', '--account', account]],
  ])('do not change the table %s if the audit row cannot be written', async (table, words) => {
    const content = async (): Promise<unknown> => [
      await service.sql.query(`select count(*) from ${table}`),
      await service.sql.query('select epoch from usage_feed'),
      await service.sql.query('select sum(granted)::text as granted from account_balance'),
    ];
    const before = await content();
    await service.sql.query('alter table audit_entry rename to audit_entry_away');
    try {
      expect((await operator(...words())).error).toMatchObject({ message: expect.stringContaining('audit_entry') });
      expect(await content()).toEqual(before);
    } finally {
      await service.sql.query('alter table audit_entry_away rename to audit_entry');
    }
  });
});
