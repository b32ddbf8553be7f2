import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../../src/kernel/errors/errors.js';
import { callListPlanOf } from '../../src/usage/call-list.js';
import { ClickHouseUsageReader } from '../../src/usage/drivers/clickhouse/clickhouse-usage-reader.driver.js';
import { PostgresUsageReader } from '../../src/usage/drivers/postgres/postgres-usage-reader.driver.js';
import { UsageEpoch } from '../../src/usage/usage-epoch.js';
import { planOf } from '../../src/usage/query/plan-request.js';
import { ClickHouseFeedStage } from '../support/analytics/clickhouse-feed-stage.js';
import { writeAlike } from '../support/analytics/usage-sample.js';
import { eventually } from '../support/eventually.js';
import { startTestClickHouse, type TestClickHouse } from '../support/engines/chdb.js';
import { LONG_TESTS } from '../support/long-tests.js';
import { RandomNumbers } from '../support/random-numbers.js';

const KILLS = LONG_TESTS ? 70 : 2;

describe('the feed of ClickHouse', () => {
  const signal = new AbortController().signal;
  const random = new RandomNumbers(11);
  let server: TestClickHouse;
  let stage: ClickHouseFeedStage;

  beforeAll(async () => {
    server = await startTestClickHouse();
    stage = await ClickHouseFeedStage.start(server.url);
  }, 120_000);

  afterEach(() => stage.stopWriters());

  afterAll(async () => {
    await stage?.stop();
    await server?.stop();
  });

  const expectFed = (): Promise<void> => stage.expectFed();
  const reader = (): ClickHouseUsageReader =>
    new ClickHouseUsageReader(stage.connection, stage.sql, new PostgresUsageReader(stage.sql), {
      timeoutMs: 10_000,
      memoryMb: 512,
    });
  const figures = () => planOf({ metrics: ['request_count'] }, stage.sample.accounts[0]!.no, stage.sample.now);

  it('lets analytics read from PostgreSQL, with a warning, until ClickHouse has the records', async () => {
    const { warnings, rowCount } = await reader().read(figures(), signal);
    expect([rowCount, warnings]).toEqual([1, [expect.stringMatching(/^The analytics store is still being built: /)]]);
  });

  it('copies the records, and then the entries of the outbox', async () => {
    stage.startWriter();
    await expectFed();
    await stage.writeMore(500);
    await expectFed();
    const { warnings } = await reader().read(figures(), signal);
    expect(warnings).toEqual([]);
  }, 120_000);

  it('has each call once, whenever its writer is killed', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const writer = stage.startWriterProcess();
      await stage.endLease();
      const writing = stage.writeMore(100);
      await sleep(random.int(300, 1_800));
      process.kill(writer.pid!, 'SIGKILL');
      await writing;
      await writer.stop();
    }
    stage.startWriter();
    await stage.endLease();
    await expectFed();
  }, 600_000);

  it('has each call once, whenever ClickHouse is killed', async () => {
    stage.startWriter();
    for (let kill = 0; kill < KILLS; kill++) {
      const writing = stage.writeMore(100);
      await sleep(random.int(50, 900));
      await server.kill();
      await server.start();
      await writing;
    }
    await expectFed();
  }, 600_000);

  it('has each call once with two writers that take the lease from each other', async () => {
    stage.startWriter();
    stage.startWriter();
    for (let turn = 0; turn < KILLS; turn++) {
      await stage.writeMore(100);
      await sleep(random.int(0, 400));
      await stage.endLease();
    }
    await expectFed();
  }, 600_000);

  it('sends a block again, with the same content, if ClickHouse may already have that block', async () => {
    await stage.sql.query('create table opened (state jsonb)');
    await stage.sql.query(`create function keep_opened() returns trigger language plpgsql as
      'begin delete from opened; insert into opened values (new.state); return null; end'`);
    await stage.sql.query(`create trigger keep_opened after update on clickhouse_feed
      for each row when (jsonb_typeof(new.state -> 'open') = 'object') execute function keep_opened()`);
    stage.startWriter();
    await expectFed();
    const before = await stage.state();
    await stage.writeMore(100);
    await expectFed();
    await stage.stopWriters();
    // This state is the same as if the writer had ended after the insert, before it stored that the insert was
    // complete.
    const [opened] = await stage.sql.query<{ block: number }>(
      `update clickhouse_feed set state = o.state from opened o returning (o.state ->> 'block')::int as block`,
    );
    expect(opened!.block).toBeGreaterThan(before.block);
    stage.startWriter();
    await eventually(async () => expect((await stage.state()).open).toBeNull(), 30_000);
    await expectFed();
  }, 120_000);

  it('reads the records again if the outbox no longer has the missing entries', async () => {
    stage.startWriter();
    await expectFed();
    await stage.stopWriters();
    const { block } = await stage.state();
    await writeAlike(stage.sql, stage.sample.accounts[2]!, { ...stage.sample.calls[0]!, at: Date.now() }, 200);
    await stage.sql.query('delete from outbox');
    await stage.sql.query('update usage_feed set trimmed_to = pg_current_xact_id()');
    stage.startWriter();
    await expectFed();
    // Only the last day was filled again.
    expect((await stage.state()).block).toBe(block + 1);
  }, 120_000);

  it('is filled again if an operator requests it', async () => {
    stage.startWriter();
    await expectFed();
    await new UsageEpoch(stage.sql).renew();
    await stage.writeMore(50);
    await expectFed();
  }, 120_000);

  it('is filled again if ClickHouse has lost records that it confirmed', async () => {
    stage.startWriter();
    await expectFed();
    await stage.stopWriters();
    await stage.connection.run('drop table generation sync', { signal });
    stage.startWriter();
    await expectFed();
  }, 120_000);

  it('returns 503 with Retry-After while ClickHouse is down or frozen', async () => {
    const refused = async (): Promise<void> => {
      for (const reading of [
        reader().read(figures(), signal),
        reader().list(callListPlanOf({ limit: 5 }, 1), signal),
      ]) {
        const error = await reading.then(
          () => undefined,
          (reason: unknown) => reason as GatewayError,
        );
        expect(error).toBeInstanceOf(GatewayError);
        expect([error!.kind, error!.headers]).toEqual(['unavailable', { 'Retry-After': '2' }]);
      }
    };
    server.freeze();
    await refused();
    server.thaw();
    await server.kill();
    await refused();
    await server.start();
    await eventually(async () => expect((await reader().read(figures(), signal)).rowCount).toBe(1), 30_000);
  }, 120_000);

  it('keeps the outbox until ClickHouse has read it', async () => {
    const [feed] = await stage.sql.query<{ kept: boolean }>('select seen is not null as kept from clickhouse_feed');
    expect(feed!.kept).toBe(true);
  });
});
