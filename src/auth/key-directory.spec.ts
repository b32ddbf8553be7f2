import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { newId } from '../kernel/ids.js';
import { KeyDirectory } from './key-directory.js';

const HASH = 'a'.repeat(64);
/** The directory believes an answer for 4 s; the rest is for a machine under load. */
const LONGEST_MS = 8_000;

describe('the key directory without its notification channel', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
    const [accountId, workspaceId] = [newId(), newId()];
    await sql.query(`insert into account (id, name, created_at) values ($1, 'a', now())`, [accountId]);
    await sql.query(
      `insert into workspace (id, account_id, name, slug, is_default, interns_allowed, created_at) values ($1, $2, 'w', 'w', true, true, now())`,
      [workspaceId, accountId],
    );
    await sql.query(
      `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit, created_at) values ($1, $2, $3, 'standard', 'k', 'k', false, false, now())`,
      [HASH, accountId, workspaceId],
    );
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  it('believes an old answer for no more than 5 seconds', async () => {
    const deaf = new KeyDirectory(sql, new Notifications(database.url, false));
    expect((await deaf.find(HASH))?.disabled).toBe(false);
    await sql.query('update api_key set disabled = true where hash = $1', [HASH]);
    // Remembered: proof that the channel is indeed deaf.
    expect((await deaf.find(HASH))?.disabled).toBe(false);

    const start = performance.now();
    while (!(await deaf.find(HASH))?.disabled && performance.now() - start < LONGEST_MS) await sleep(50);
    process.stdout.write(
      `without the channel a disabled key is known after ${(performance.now() - start).toFixed(0)} ms\n`,
    );
    expect((await deaf.find(HASH))?.disabled).toBe(true);
  });
});
