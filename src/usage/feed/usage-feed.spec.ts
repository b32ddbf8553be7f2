import { randomBytes } from 'node:crypto';
import { Sql } from '../../database/sql.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { addAccounts } from '../../../test/support/analytics/sample-accounts.js';
import { sampleCalls, writeCalls, type UsageSample } from '../../../test/support/analytics/usage-sample.js';
import type { Following, Mark, Position } from './position.js';
import { CSV_LINES } from '../drivers/duckdb/fed-lines.js';
import { UsageFeed } from './usage-feed.js';

describe('UsageFeed', () => {
  let database: TestDatabase;
  let sql: Sql;
  let sample: UsageSample;
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    sample = sampleCalls(await addAccounts(sql), 30, 1);
  });
  afterEach(async () => {
    await sql.close();
    await database.drop();
  });

  const caughtUp = async (feed: UsageFeed, position: Position): Promise<Following> => {
    let page = await feed.next(position);
    while (!page.isLast) page = await feed.next(page.next);
    return page.next as Following;
  };
  const caughtUpFromStart = async (feed: UsageFeed): Promise<Following> =>
    caughtUp(feed, (await feed.resume(undefined)).position);
  const mark = async (): Promise<Mark> => ({
    snapshot: (await sql.query<{ s: string }>('select pg_current_snapshot()::text as s'))[0]!.s,
    at: Date.now(),
  });
  const delivered = async (feed: UsageFeed, position: Position): Promise<number> => (await feed.next(position)).rows;

  it('resumes from calls that are certainly on disk, because a crashed server reuses transaction ids', async () => {
    const feed = new UsageFeed(sql, CSV_LINES);
    const early = await caughtUpFromStart(feed);
    const sure = await mark();
    await writeCalls(sql, sample.calls);
    // The position of a store that read these transaction ids before the crash.
    const misled: Following = { ...early, seen: (await mark()).snapshot, sure, nextSure: sure };
    expect(await delivered(feed, misled)).toBe(0);
    const { position, from } = await new UsageFeed(sql, CSV_LINES).resume(misled);
    expect(from).toBe('stored');
    expect(await delivered(feed, position)).toBe(30);
  });

  it('treats a mark as sure only after 30 seconds', async () => {
    const feed = new UsageFeed(sql, CSV_LINES);
    const first = await caughtUpFromStart(feed);
    expect(first.sure).toBeNull();
    const older: Following = { ...first, nextSure: { ...first.nextSure, at: first.nextSure.at - 31_000 } };
    const next = (await feed.next(older)).next as Following;
    expect([next.sure, next.nextSure]).toEqual([older.nextSure, { snapshot: next.seen, at: next.at }]);
  });

  it('starts from the beginning in another database, in a copy, and when an operator requests it', async () => {
    const feed = new UsageFeed(sql, CSV_LINES);
    const position = await caughtUpFromStart(feed);
    expect((await feed.resume(position)).from).toBe('stored');
    const copy = await copyOf(database);
    const copied = new Sql(copy.url, 2);
    try {
      expect((await new UsageFeed(copied, CSV_LINES).resume(position)).from).toBe('new');
    } finally {
      await copied.close();
      await copy.drop();
    }
    sql = new Sql(database.url, 4);
    await sql.query('update usage_feed set epoch = gen_random_uuid()');
    expect((await new UsageFeed(sql, CSV_LINES).resume(position)).from).toBe('new');
  });

  it('follows a server that does not report its identity', async () => {
    const role = `untold_${randomBytes(6).toString('hex')}`;
    await sql.query(`create role ${role} login password 'untold'`);
    try {
      const url = new URL(database.url);
      await sql.query(`grant select on all tables in schema public to ${role}`);
      await sql.query('revoke execute on function pg_control_system() from public');
      url.username = role;
      url.password = 'untold';
      const other = new Sql(url.href, 2);
      const position = await caughtUpFromStart(new UsageFeed(other, CSV_LINES));
      await writeCalls(sql, sample.calls);
      expect(await delivered(new UsageFeed(other, CSV_LINES), position)).toBe(30);
      expect((await new UsageFeed(other, CSV_LINES).resume(position)).from).toBe('stored');
      await other.close();
    } finally {
      await sql.query(`drop owned by ${role}`);
      await sql.query(`drop role ${role}`);
    }
  });

  /** Copies a database byte for byte, as backup tools do. Nothing may use the database during the copy. */
  async function copyOf({ url }: TestDatabase): Promise<{ url: string; drop(): Promise<void> }> {
    await sql.close();
    const name = new URL(url).pathname.slice(1);
    const other = new URL(url);
    other.pathname = `/${name}_copy`;
    const server = new URL(url);
    server.pathname = '/postgres';
    const admin = new Sql(server.href, 1);
    await admin.query(`create database "${name}_copy" template "${name}"`);
    return {
      url: other.href,
      drop: async () => {
        await admin.query(`drop database "${name}_copy"`);
        await admin.close();
      },
    };
  }
});
