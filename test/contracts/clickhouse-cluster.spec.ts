import { setTimeout as sleep } from 'node:timers/promises';
import { UsageEpoch } from '../../src/usage/usage-epoch.js';
import { blockText, CallBlocks } from '../../src/usage/drivers/clickhouse/call-blocks.js';
import { firstRow } from '../../src/usage/drivers/clickhouse/clickhouse-connection.js';
import { REPLICA_LAG } from '../../src/usage/drivers/clickhouse/clickhouse-usage-reader.driver.js';
import { ClickHouseFeedStage } from '../support/analytics/clickhouse-feed-stage.js';
import { ClickHouseCluster, clickHouseClusterIsInstalled } from '../support/engines/clickhouse-cluster.js';
import { startClickHouseFront, type ClickHouseFront } from '../support/engines/clickhouse-front.js';
import { CLUSTER } from '../support/engines/clickhouse-node.js';
import { eventually } from '../support/eventually.js';
import { LONG_TESTS } from '../support/long-tests.js';
import { RandomNumbers } from '../support/random-numbers.js';

const KILLS = LONG_TESTS ? 40 : 2;
const OTHER_KILLS = 10;
/** Every fifth kill is replaced by a freeze. */
const FREEZE_EVERY = 5;

/** A short run omits these tests: they take half a minute, and the tests of a single server kill writers too. */
const whenLong = LONG_TESTS ? it : it.skip;

const whenInstalled = clickHouseClusterIsInstalled() ? describe : describe.skip;

whenInstalled('the copy of the usage records in a ClickHouse cluster', () => {
  const random = new RandomNumbers(23);
  let cluster: ClickHouseCluster;
  let front: ClickHouseFront;
  let stage: ClickHouseFeedStage;
  let blocks: CallBlocks;

  beforeAll(async () => {
    cluster = await ClickHouseCluster.start();
    front = await startClickHouseFront(cluster.nodes);
    stage = await ClickHouseFeedStage.start(front.url, CLUSTER);
    blocks = new CallBlocks(stage.connection, { database: 'default', cluster: CLUSTER }, new AbortController().signal);
  }, 120_000);

  afterEach(async () => {
    front.sendTo(undefined);
    front.losesResponses = false;
    await stage.stopWriters();
    await cluster.startNodes();
  });

  afterAll(async () => {
    await stage?.stop();
    await front?.stop();
    await cluster?.stop();
  });

  /** Waits until the replicas of a shard have the same calls, and the shards together have every recorded call once. */
  const expectOnEveryReplica = async (): Promise<void> => {
    await stage.expectFed();
    const [recorded] = await stage.sql.query<{ calls: string }>('select count(*)::text as calls from generation');
    await eventually(async () => {
      const text = 'select count(), uniqExact(uuid), sum(cityHash64(toString(uuid))) from generation_shard';
      let calls = 0;
      for (const [first, ...others] of cluster.shards) {
        const content = await first!.ask(text);
        for (const other of others) expect(await other.ask(text)).toBe(content);
        const [rows, distinct] = content.split('\t');
        expect(rows).toBe(distinct);
        calls += Number(rows);
      }
      expect(String(calls)).toBe(recorded!.calls);
    }, 60_000);
  };
  const tables = (): Promise<readonly string[]> =>
    Promise.all(
      cluster.nodes.map((node) => node.ask(`select groupArray(name) from system.tables where database = 'default'`)),
    );

  it('gets its tables on every server, and keeps tables that exist', async () => {
    await blocks.create();
    await blocks.create();
    expect(new Set(await tables())).toEqual(new Set([`['generation','generation_shard']`]));
  });

  it('gets the records, and then the entries of the outbox, on both replicas', async () => {
    stage.startWriter();
    await expectOnEveryReplica();
    await stage.writeMore(500);
    await expectOnEveryReplica();
  }, 120_000);

  it('stores all calls of an account on the same shard', async () => {
    const accounts = await Promise.all(
      cluster.shards.map(async ([node]) =>
        (await node!.ask('select distinct account_no from generation_shard')).split('\n'),
      ),
    );
    expect(accounts.every((of) => of.length > 0)).toBe(true);
    expect(new Set(accounts.flat()).size).toBe(accounts.flat().length);
  });

  it('has a block once, even if its response was lost and the block is sent again to every server', async () => {
    const { block } = await stage.state();
    const lines = Array.from({ length: 40 }, (_, at) => line(at));
    const text = blockText(block + 1, lines);
    front.losesResponses = true;
    await expect(blocks.insert(text)).rejects.toThrow('ECONNRESET');
    front.losesResponses = false;
    for (const node of cluster.nodes) {
      front.sendTo(node);
      await blocks.insert(text);
    }
    await cluster.nodes[0]!.kill();
    front.sendTo(cluster.nodes[3]);
    await blocks.insert(text);
    await cluster.startNodes();
    await eventually(async () => {
      for (const [first, second] of cluster.shards)
        for (const node of [first!, second!])
          expect(await node.ask(`select count() from generation_shard where block = ${block + 1}`)).toBe('20');
    }, 30_000);
  }, 120_000);

  it('is filled again after its tables were removed from every server', async () => {
    stage.startWriter();
    await new UsageEpoch(stage.sql).renew();
    await stage.writeMore(50);
    await expectOnEveryReplica();
  }, 120_000);

  it('has each call once, at whatever moment servers are killed or frozen', async () => {
    stage.startWriter();
    for (let kill = 0; kill < KILLS; kill++) {
      const node = cluster.nodes[kill % cluster.nodes.length]!;
      const writing = stage.writeMore(200);
      await sleep(random.int(50, 1_500));
      const isFrozen = kill % FREEZE_EVERY === FREEZE_EVERY - 1;
      if (isFrozen) node.freeze();
      else await node.kill();
      await sleep(random.int(0, 1_000));
      if (isFrozen) node.thaw();
      else await node.start();
      await writing;
    }
    await expectOnEveryReplica();
  }, 1_200_000);

  whenLong(
    'has each call once, at whatever moment ZooKeeper is killed',
    async () => {
      stage.startWriter();
      for (let kill = 0; kill < OTHER_KILLS; kill++) {
        const writing = stage.writeMore(200);
        await sleep(random.int(50, 1_000));
        await cluster.zookeeper.kill();
        await sleep(random.int(500, 5_000));
        await cluster.zookeeper.start();
        await writing;
      }
      await expectOnEveryReplica();
    },
    1_200_000,
  );

  whenLong(
    'has each call once, at whatever moment its writer is killed',
    async () => {
      for (let kill = 0; kill < OTHER_KILLS; kill++) {
        const writer = stage.startWriterProcess();
        await stage.endLease();
        const writing = stage.writeMore(100);
        await sleep(random.int(300, 2_800));
        process.kill(writer.pid!, 'SIGKILL');
        await writing;
        await writer.stop();
      }
      stage.startWriter();
      await stage.endLease();
      await expectOnEveryReplica();
    },
    600_000,
  );

  it('repeats no call if a new writer reads a replica that lags', async () => {
    const [first, second] = cluster.shards[1]!;
    stage.startWriter();
    await stage.writeMore(50);
    await expectOnEveryReplica();
    // A server inserts into its own replica and reads it. Only one replica of the second shard lags.
    front.sendTo(first);
    await second!.ask('system stop fetches default.generation_shard');
    const rows = async (): Promise<number> => Number(await first!.ask('select count() from generation_shard'));
    const before = await rows();
    await stage.writeMore(200);
    await eventually(async () => {
      expect(await rows()).toBeGreaterThan(before);
      expect((await stage.state()).open).toBeNull();
    }, 30_000);
    await stage.stopWriters();
    front.sendTo(second);
    // Queries of callers read the other replica, because this one lags.
    const [recorded] = await stage.sql.query<{ calls: number }>('select count(*)::int as calls from generation');
    const all = { text: 'select count() as calls from generation', values: [] };
    const options = { signal: AbortSignal.timeout(60_000), settings: REPLICA_LAG };
    await eventually(async () => {
      expect(await firstRow(stage.connection, all, options)).toEqual({ calls: String(recorded!.calls) });
    }, 30_000);
    stage.reports.splice(0);
    stage.startWriter();
    await stage.writeMore(50);
    await eventually(async () => {
      expect(stage.reports).toContainEqual(expect.stringContaining('a replica lacks calls'));
    }, 30_000);
    await second!.ask('system start fetches default.generation_shard');
    await expectOnEveryReplica();
  }, 120_000);

  it('is updated, also by a new writer, while a server is down', async () => {
    stage.startWriter();
    await expectOnEveryReplica();
    await cluster.nodes[1]!.kill();
    await stage.writeMore(100);
    await stage.expectFed(60_000);
    await stage.stopWriters();
    stage.startWriter();
    await stage.writeMore(100);
    await stage.expectFed(60_000);
    await cluster.startNodes();
    await expectOnEveryReplica();
  }, 300_000);

  it('loses its old calls on every server, including one that was down', async () => {
    await cluster.nodes[2]!.kill();
    const middle = stage.sample.calls[500]!.at;
    await blocks.removeBefore(middle);
    await cluster.startNodes();
    await eventually(async () => {
      for (const node of cluster.nodes)
        expect(await node.ask(`select min(created_ms) >= ${middle} from generation_shard`)).toBe('1');
    }, 60_000);
  }, 300_000);
});

const line = (at: number): string => {
  const id = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
  const texts = ['model', 'standard', 'provider', null, null, null, 'stop'];
  const account = at % 2;
  return JSON.stringify(
    [id, 1.78e12 + at, 5, 5, account, 1, 'w', 1, null, texts, [1, 2, 3, 4, 5, 6, 7], 200, 0, 0, true].flat(),
  );
};
