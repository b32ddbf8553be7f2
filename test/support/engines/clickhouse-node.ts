import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { EACH_SERVER } from './clickhouse-old-dialect.js';
import { ENDS_WITH_PARENT } from './zookeeper.js';

export const CLICKHOUSE_SERVER = '/usr/sbin/clickhouse-server';
export const CLUSTER = 'main';
export const CLUSTER_PASSWORD = 'secret';

/** The place of a server in the cluster, and its ports on loopback. */
export interface NodePlace {
  readonly shard: number;
  readonly replica: number;
  readonly tcpPort: number;
  readonly httpPort: number;
  readonly interserverPort: number;
}

export async function nodePlace(shard: number, replica: number): Promise<NodePlace> {
  return { shard, replica, tcpPort: await freePort(), httpPort: await freePort(), interserverPort: await freePort() };
}

const LOGIN = `<user>default</user><password>${CLUSTER_PASSWORD}</password>`;
const replicaXml = ({ tcpPort }: NodePlace): string =>
  `<replica><host>127.0.0.1</host><port>${tcpPort}</port>${LOGIN}</replica>`;

const shardXml = (places: readonly NodePlace[]): string =>
  `<shard><internal_replication>true</internal_replication>${places.map(replicaXml).join('')}</shard>`;

function clustersXml(places: readonly NodePlace[]): string {
  const shards = [...new Set(places.map(({ shard }) => shard))];
  const ofShards = shards.map((shard) => shardXml(places.filter((place) => place.shard === shard)));
  const ofServers = places.map((place) => shardXml([place]));
  return `<${CLUSTER}>${ofShards.join('')}</${CLUSTER}><${EACH_SERVER}>${ofServers.join('')}</${EACH_SERVER}>`;
}

const configXml = (place: NodePlace, places: readonly NodePlace[], zookeeperPort: number, folder: string): string => `
<yandex>
  <logger><level>information</level><log>${folder}/server.log</log><errorlog>${folder}/error.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${place.httpPort}</http_port>
  <tcp_port>${place.tcpPort}</tcp_port>
  <interserver_http_port>${place.interserverPort}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/data/tmp/</tmp_path>
  <user_files_path>${folder}/data/user_files/</user_files_path>
  <format_schema_path>${folder}/data/format_schemas/</format_schema_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers>${clustersXml(places)}</remote_servers>
  <zookeeper>
    <node><host>127.0.0.1</host><port>${zookeeperPort}</port></node>
    <session_timeout_ms>3000</session_timeout_ms>
  </zookeeper>
  <macros><shard>${place.shard}</shard><replica>${place.replica}</replica></macros>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
</yandex>`;

/**
 * Small pools, so that four servers fit on one machine, and a connection timeout that is sufficient on a busy machine.
 */
const USERS_XML = `
<yandex>
  <profiles><default>
    <background_pool_size>4</background_pool_size>
    <background_schedule_pool_size>8</background_schedule_pool_size>
    <connect_timeout_with_failover_ms>1000</connect_timeout_with_failover_ms>
    <allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>
    <max_query_size>16777216</max_query_size>
    <max_ast_elements>1000000</max_ast_elements>
    <max_expanded_ast_elements>1000000</max_expanded_ast_elements>
  </default></profiles>
  <users><default>
    <password>${CLUSTER_PASSWORD}</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota>
  </default></users>
  <quotas><default/></quotas>
</yandex>`;

/** A clickhouse-server of the cluster. */
export class ClickHouseNode {
  #server: ChildProcess | undefined;

  private constructor(
    readonly place: NodePlace,
    private readonly folder: string,
  ) {}

  /** Writes the configuration of a server without starting the server. */
  static async make(
    folder: string,
    place: NodePlace,
    places: readonly NodePlace[],
    zookeeperPort: number,
  ): Promise<ClickHouseNode> {
    await mkdir(join(folder, 'data'), { recursive: true });
    await writeFile(join(folder, 'config.xml'), configXml(place, places, zookeeperPort, folder));
    await writeFile(join(folder, 'users.xml'), USERS_XML);
    return new ClickHouseNode(place, folder);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.place.httpPort}`;
  }

  get isRunning(): boolean {
    return this.#server !== undefined && this.#server.exitCode === null && this.#server.signalCode === null;
  }

  async start(): Promise<void> {
    if (this.isRunning) return;
    const words = [...ENDS_WITH_PARENT, CLICKHOUSE_SERVER, `--config-file=${join(this.folder, 'config.xml')}`];
    this.#server = spawn('setpriv', words, {
      cwd: this.folder,
      env: { PATH: '/usr/bin:/bin', LANG: 'C' },
      stdio: 'ignore',
    });
    await eventually(async () => {
      if (!(await fetch(`${this.origin}/ping`)).ok) throw new Error('not ready');
    }, 60_000).catch(async (error: unknown) => {
      throw new Error(`clickhouse-server does not start:\n${await this.log()}`, { cause: error });
    });
  }

  /** Kills the process, like a crash. `start` starts it again with its data. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const gone = once(this.#server!, 'exit');
    this.#server!.kill('SIGKILL');
    await gone;
  }

  /** Stops the process by SIGSTOP, with open connections, until `thaw`. */
  freeze(): void {
    this.#server?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#server?.kill('SIGCONT');
  }

  /** Runs a statement in the server's own dialect, and returns its text. */
  async ask(statement: string): Promise<string> {
    const response = await fetch(`${this.origin}/?user=default&password=${CLUSTER_PASSWORD}`, {
      method: 'POST',
      body: statement,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trimEnd();
  }

  async log(): Promise<string> {
    return (await readFile(join(this.folder, 'error.log'), 'utf8').catch(() => '')).slice(-4_000);
  }
}
