import { insertAccount, insertKey, insertWorkspace } from '../../test/support/database/row-builders.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { Config } from '../config/config.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { DatabaseUnavailable } from '../kernel/errors/database-unavailable.js';
import { KeyDirectory } from './key-directory.js';

const HASH = 'a'.repeat(64);
/** The directory caches a result for 4 s; the rest allows for a busy machine. */
const MAX_WAIT_MS = 8_000;

describe('the key directory without its notification channel', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
    const account = await insertAccount(sql);
    const workspace = await insertWorkspace(sql, account);
    await insertKey(sql, account, { hash: HASH, workspace_id: workspace.id });
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  it('uses a cached result for a few seconds only', async () => {
    const directory = new KeyDirectory(sql, new Notifications(database.url, false), Config.read({}));
    expect((await directory.find(HASH))?.disabled).toBe(false);
    await sql.query('update api_key set disabled = true where hash = $1', [HASH]);
    // The result is cached, which proves that no notification arrives.
    expect((await directory.find(HASH))?.disabled).toBe(false);

    const start = performance.now();
    while (!(await directory.find(HASH))?.disabled && performance.now() - start < MAX_WAIT_MS) await sleep(50);
    process.stdout.write(
      `without the channel a disabled key is known after ${(performance.now() - start).toFixed(0)} ms\n`,
    );
    expect((await directory.find(HASH))?.disabled).toBe(true);
  });
});

describe('the key directory', () => {
  it('keeps keys that exist, however many unknown keys are tried', async () => {
    const row = { no: 1, key_class: 'standard', disabled: false, expires_at: null, parent_no: null };
    const sql = { query: async (_: string, [hash]: string[]) => (hash === HASH ? [row] : []) } as unknown as Sql;
    const directory = new KeyDirectory(sql, new Notifications('', false), Config.read({}));
    await directory.find(HASH);
    for (let attempt = 0; attempt < 25_000; attempt++) await directory.find(attempt.toString(16).padStart(64, '0'));
    expect(directory.cached(HASH)).toBeDefined();
  });
});

describe('the key directory after a gap in its notifications', () => {
  it('does not cache a key that was being read, because the lost notification may concern this key', async () => {
    let disabled = false;
    const reads: (() => void)[] = [];
    const sql = {
      query: async (_: string, [hash]: string[]) => {
        const row = { no: 1, key_class: 'standard', disabled, expires_at: null, parent_no: null };
        await new Promise<void>((resolve) => reads.push(resolve));
        return hash === HASH ? [row] : [];
      },
    } as unknown as Sql;
    let gap: () => void = () => undefined;
    const notifications = { on: () => undefined, onGap: (handler: () => void) => (gap = handler) };
    const directory = new KeyDirectory(sql, notifications as unknown as Notifications, Config.read({}));

    const early = directory.find(HASH);
    disabled = true;
    gap();
    const late = directory.find(HASH);
    reads.forEach((end) => end());
    expect((await early)?.disabled).toBe(false);
    expect((await late)?.disabled).toBe(true);
    expect(directory.cached(HASH)?.disabled).toBe(true);
  });
});

describe('the key directory while the database is unavailable', () => {
  const HOUR_MS = 3_600_000;
  const now = performance.now.bind(performance);
  let ahead: number;
  let isAway: boolean;
  let asked: number;
  let disabled: boolean;
  let directory: KeyDirectory;

  beforeEach(() => {
    [ahead, isAway, asked, disabled] = [0, false, 0, false];
    performance.now = () => now() + ahead;
    const sql = {
      timeoutMs: 4_000,
      query: async (_text: string, [hash]: [string]) => {
        asked++;
        await sleep(5);
        if (isAway) throw new DatabaseUnavailable('away');
        return hash === HASH ? [{ no: 1, key_class: 'standard', disabled, expires_at: null }] : [];
      },
    };
    directory = new KeyDirectory(sql as unknown as Sql, new Notifications('', false), Config.read({}));
  });
  afterEach(() => {
    performance.now = now;
  });

  it('accepts a cached key for an hour, and runs one query at a time', async () => {
    await directory.find(HASH);
    isAway = true;
    ahead = 4_001;
    expect((await directory.find(HASH))?.disabled).toBe(false);
    asked = 0;
    const found = await Promise.all(Array.from({ length: 100 }, async () => directory.find(HASH)));
    expect(found.every((key) => key?.disabled === false)).toBe(true);
    expect(asked).toBe(1);

    ahead = HOUR_MS + 1_000;
    await sleep(20);
    await expect(directory.find(HASH)).rejects.toThrow('away');
  });

  it('finds a change as soon as the database is available again', async () => {
    await directory.find(HASH);
    [isAway, ahead] = [true, 4_001];
    await directory.find(HASH);
    [isAway, disabled] = [false, true];
    await sleep(20);
    // Starts a query and returns the cached result. The next call returns the new result.
    await directory.find(HASH);
    await sleep(20);
    expect((await directory.find(HASH))?.disabled).toBe(true);
  });

  it('rejects for a key that is not cached as known, even if the key was unknown before', async () => {
    const other = 'b'.repeat(64);
    expect(await directory.find(other)).toBeNull();
    isAway = true;
    await expect(directory.find('c'.repeat(64))).rejects.toThrow('away');
    ahead = 4_001;
    await expect(directory.find(other)).rejects.toThrow('away');
  });
});
