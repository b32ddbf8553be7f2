import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Sql } from '../../../src/database/sql.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { contentOf, countRows } from '../../support/database/database-content.js';
import { operate } from '../../support/services/operator-line.js';
import { SpeechLoad } from '../../support/money/speech-load.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';
import {
  fillService,
  formsOf,
  latestAudit,
  masterKeyId,
  openCredential,
  OWN_CREDENTIAL,
  refusalWithout,
  withoutMasterKeys,
} from '../../support/services/backed-up-service.js';

const [MASTER_KEY, ANOTHER] = ['a1'.repeat(32), 'b2'.repeat(32)];
const isNotManaging = ({ name }: { name: string }): boolean => name !== 'Bootstrap management key';

describe('a backup of a running service', () => {
  let folder: TemporaryFolder;
  let databases: TestDatabase[];
  let service: TestService;
  let sqls: Sql[];
  let madeKey: string;
  const file = (name: string): string => join(folder.path, name);
  const operator = (databaseUrl: string, ...words: string[]) =>
    operate(databaseUrl, { DATABASE_URL: databaseUrl, MASTER_KEY }, ...words);

  beforeAll(async () => {
    folder = await temporaryFolder();
    databases = await Promise.all(Array.from({ length: 5 }, () => createTestDatabase()));
    sqls = databases.map(({ url }) => new Sql(url, 2));
    service = await startTestService({ databaseUrl: databases[0]!.url });
    madeKey = await fillService(service);
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    for (const sql of sqls) await sql.close();
    for (const database of databases) await database.drop();
    await folder.remove();
  }, 60_000);

  it('is a consistent snapshot: every sum agrees to the nano-dollar, although calls never paused', async () => {
    const load = new SpeechLoad(() => service.origin, TEST_API_KEY, 4);
    while (load.seen.length < 20) await new Promise(setImmediate);
    const before = await countRows(sqls[0]!, 'generation');

    // The backup has read the balances. It now waits for a table that calls do not need, while calls continue to spend.
    const backup = await sqls[0]!.transaction(async (session) => {
      await session.query('lock table end_user in access exclusive mode');
      const underWay = operator(databases[0]!.url, 'backup', file('at-work'));
      const waits = `select from pg_locks where relation = 'end_user'::regclass and not granted`;
      while ((await session.query(waits)).length === 0) await new Promise(setImmediate);
      const seenByThen = load.seen.length;
      while (load.seen.length < seenByThen + 20) await new Promise(setImmediate);
      return { underWay };
    });
    const { error: failure } = await backup.underWay;
    await load.stop();
    const restore = await operator(databases[1]!.url, 'restore', file('at-work'));

    expect([failure, restore.error]).toEqual([undefined, undefined]);
    const books = await readBooks(sqls[1]!);
    expectBalanced(books);
    const restored = await countRows(sqls[1]!, 'generation');
    expect(restored).toBeGreaterThanOrEqual(before);
    expect(restored).toBeLessThan(await countRows(sqls[0]!, 'generation'));
  }, 60_000);

  it('has everything in the database, and restores it unchanged', async () => {
    const keys = (await service.management.get('/keys')).json;
    const credits = (await service.management.get('/credits')).json;
    await service.stop();
    const taken = await operator(databases[0]!.url, 'backup', file('at-rest'), '--json');
    const restored = await operator(databases[2]!.url, 'restore', file('at-rest'), '--json');

    expect([taken.error, restored.error]).toEqual([undefined, undefined]);
    const {
      id,
      rows,
      master_keys: needed,
    } = JSON.parse(taken.lines.join('')) as { id: string; rows: number; master_keys: string[] };
    expect(needed).toEqual([masterKeyId(MASTER_KEY)]);
    expect(taken.notes.at(-1)).toBe(
      'The master key is not in the backup: keep a copy of MASTER_KEY in another place. Without the master ' +
        `key with the id ${needed[0]}, sealed data cannot be opened.`,
    );
    expect(JSON.parse(restored.lines.join(''))).toMatchObject({ id, rows });
    const [original, copy] = [await contentOf(sqls[0]!), await contentOf(sqls[2]!)];
    expect(copy).toEqual(original);
    expect(original['generation']).toMatch(/^[1-9]\d+ rows/);
    expect(
      await sqls[2]!.query('select tableoid::regclass::text as place from generation where tableoid = $1::regclass', [
        'generation_default',
      ]),
    ).toEqual([]);
    const audit = await latestAudit(sqls[2]!, 2);
    expect(audit).toEqual([
      { action: 'restore', resource_id: id },
      { action: 'backup', resource_id: id },
    ]);
    expect(await countRows(sqls[2]!, 'audit_entry')).toBe((await countRows(sqls[0]!, 'audit_entry')) + 1);

    service = await startTestService({ databaseUrl: databases[2]!.url });
    const now = (await service.management.get('/keys')).json;
    // Exclude the management key, because this request has just used it.
    expect(now.data.filter(isNotManaging)).toEqual(keys.data.filter(isNotManaging));
    expect(now.data).toHaveLength(keys.data.length);
    expect((await service.management.get('/credits')).json).toEqual(credits);
    expect((await service.as(madeKey).get('/key')).status).toBe(200);
    for (const provider of ['openai', 'groq']) expect(await openCredential(service, provider)).toBe(OWN_CREDENTIAL);
    // The triggers are enabled again, and the sequences continue after the last value.
    expect((await service.management.post('/keys', { json: { name: 'After' } })).status).toBe(201);
    await expect(sqls[2]!.query('delete from audit_entry')).rejects.toThrow('append-only');
  }, 60_000);

  it('reveals no sealed value without the master key', async () => {
    const text = gunzipSync(await readFile(file('at-rest'))).toString('latin1');
    for (const secret of [OWN_CREDENTIAL, MASTER_KEY, madeKey, TEST_API_KEY, TEST_MANAGEMENT_KEY]) {
      for (const form of formsOf(secret)) expect(text).not.toContain(form);
    }
    expect(text).not.toContain(Buffer.from(MASTER_KEY, 'hex').toString('base64'));

    await service.stop();
    for (const env of [{ MASTER_KEY: ANOTHER }, { MASTER_KEY: '' }]) {
      await expect(startTestService({ databaseUrl: databases[2]!.url, env })).rejects.toThrow(masterKeyId(MASTER_KEY));
    }
    service = await startTestService({ databaseUrl: databases[2]!.url });
    expect(await openCredential(service)).toBe(OWN_CREDENTIAL);
  }, 60_000);

  describe('without its master key', () => {
    // Use a separate data folder, because the default one may contain the master key of another service.
    const database = () => ({ DATABASE_URL: databases[3]!.url, DATA_DIR: file('without-key') });
    const restore = (extra: Record<string, string>, ...words: string[]) =>
      operate(databases[3]!.url, { ...database(), ...extra }, 'restore', ...words);
    const refusal = (found: string): RegExp => refusalWithout(MASTER_KEY, found);

    it('is refused with the id of the needed key, before anything is created', async () => {
      const before = await sqls[3]!.query('select count(*) from migration');

      const other = await restore({ MASTER_KEY: ANOTHER }, file('at-rest'));
      expect(other.error).toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(refusal(`MASTER_KEY holds ${masterKeyId(ANOTHER)}`)),
      });
      const none = await restore({}, file('at-rest'));
      expect(none.error).toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(
          refusal('MASTER_KEY or MASTER_KEY_FILE gives none \\(set MASTER_KEY or MASTER_KEY_FILE\\)'),
        ),
      });
      const dataDir = file('new-folder');
      const embedded = await operate('', { DATA_DIR: dataDir }, 'restore', file('at-rest'));
      expect(embedded.error).toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(
          refusal(`${dataDir}/master-key gives none \\(the master key file .* is missing: put it back\\)`),
        ),
      });
      await expect(stat(dataDir)).rejects.toThrow('ENOENT');
      expect(await sqls[3]!.query('select count(*) from migration')).toEqual(before);
    }, 60_000);

    it('is also refused if it was taken by an earlier version, which stored no ids of keys', async () => {
      const text = gunzipSync(await readFile(file('at-rest'))).toString('latin1');
      await writeFile(file('older'), withoutMasterKeys(text));

      const { error } = await restore({ MASTER_KEY: ANOTHER }, file('older'));
      expect(error).toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(refusal(`MASTER_KEY holds ${masterKeyId(ANOTHER)}`)),
      });
      expect(await countRows(sqls[3]!, 'account')).toBe(0);
    }, 60_000);

    it('is restored with --without-master-key; a service with the key can then open sealed values', async () => {
      const { error, notes } = await restore({}, '--without-master-key', file('at-rest'));

      expect(error).toBeUndefined();
      expect(notes.at(-1)).toBe(
        'Sealed data of the backup cannot be opened: put the master key with the id ' +
          `${masterKeyId(MASTER_KEY)} into MASTER_KEY or MASTER_KEY_FILE, and start the service again.`,
      );
      const restored = await startTestService({ databaseUrl: databases[3]!.url });
      expect(await openCredential(restored)).toBe(OWN_CREDENTIAL);
      await restored.stop();
    }, 60_000);
  });

  it('that was taken before a key rotation is restored with the key file from after the rotation', async () => {
    const path = file('keys');
    const lines = ['gatehouse-master-keys 2', `current ${ANOTHER}`, `retired ${MASTER_KEY}`];
    await writeFile(path, `${lines.join('\n')}\n`);
    const keys = { MASTER_KEY: '', MASTER_KEY_FILE: path };

    const { error } = await operate(
      databases[4]!.url,
      { DATABASE_URL: databases[4]!.url, ...keys },
      'restore',
      file('at-rest'),
    );

    expect(error).toBeUndefined();
    const restored = await startTestService({ databaseUrl: databases[4]!.url, env: keys });
    expect(await openCredential(restored)).toBe(OWN_CREDENTIAL);
    await restored.stop();
  }, 60_000);

  it('can be read only by its owner, and replaces a file only with --force', async () => {
    const kept = await readFile(file('at-rest'));

    const refused = await operator(databases[2]!.url, 'backup', file('at-rest'));
    expect(refused.error).toMatchObject({
      message: `${file('at-rest')} exists already: choose another name, or add --force to replace it`,
    });
    expect(await readFile(file('at-rest'))).toEqual(kept);
    expect((await operator(databases[2]!.url, 'backup', file('at-rest'), '--force')).error).toBeUndefined();
    expect((await readFile(file('at-rest'))).equals(kept)).toBe(false);
    expect((await stat(file('at-rest'))).mode & 0o777).toBe(0o600);
    expect((await operator(databases[2]!.url, 'backup', file('no-such-folder/x'))).error).toMatchObject({
      message: expect.stringContaining('cannot be written'),
    });
  }, 60_000);

  it('is not restored into a database with accounts', async () => {
    const before = await contentOf(sqls[1]!);
    const { error } = await operator(databases[1]!.url, 'restore', file('at-rest'));
    expect(error).toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/^This database holds accounts, and a backup is restored into a new one only/),
    });
    expect(await contentOf(sqls[1]!)).toEqual(before);
  }, 60_000);
});
