import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { CLICKHOUSE_SERVER, ClickHouseNode, nodePlace } from './clickhouse-node.js';
import { JAVA, ZOOKEEPER_JAR, ZooKeeperProcess } from './zookeeper.js';

const SHARDS = 2;
const REPLICAS = 2;

/** Whether Debian's packages are installed. If not, logs that tests are skipped. */
export function clickHouseClusterIsInstalled(): boolean {
  const missing = [CLICKHOUSE_SERVER, JAVA, ZOOKEEPER_JAR].filter((program) => !existsSync(program));
  if (missing.length > 0)
    process.stderr.write(`${missing.join(', ')} not installed: the tests of a ClickHouse cluster are skipped\n`);
  return missing.length === 0;
}

/** Two shards of two replicas of Debian's ClickHouse, with ZooKeeper, as processes on loopback. */
export class ClickHouseCluster {
  private constructor(
    private readonly folder: TemporaryFolder,
    readonly zookeeper: ZooKeeperProcess,
    /** Shard by shard: the first two are the replicas of the first shard. */
    readonly nodes: readonly ClickHouseNode[],
  ) {}

  static async start(): Promise<ClickHouseCluster> {
    const folder = await temporaryFolder();
    const zookeeper = await ZooKeeperProcess.start(join(folder.path, 'zookeeper'));
    const places = [];
    for (let at = 0; at < SHARDS * REPLICAS; at++)
      places.push(await nodePlace(1 + Math.floor(at / REPLICAS), 1 + (at % REPLICAS)));
    const nodes: ClickHouseNode[] = [];
    for (const [at, place] of places.entries())
      nodes.push(await ClickHouseNode.make(join(folder.path, `node${at}`), place, places, zookeeper.port));
    const cluster = new ClickHouseCluster(folder, zookeeper, nodes);
    await cluster.startNodes();
    return cluster;
  }

  async startNodes(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
  }

  /** The nodes of each shard. */
  get shards(): readonly (readonly ClickHouseNode[])[] {
    return Array.from({ length: SHARDS }, (_, at) => this.nodes.slice(at * REPLICAS, (at + 1) * REPLICAS));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.nodes, this.zookeeper].map((server) => server.kill()));
    await this.folder.remove();
  }
}
