import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder } from '../temporary-folder.js';
import { RedisProcess } from './redis-process.js';

const PRIMARY = 'primary';
const SENTINELS = 3;
const SHARDS = 3;
const DOWN_AFTER_MS = 1_000;
/** By default, a primary waits 5 s before it copies its contents to a new replica. */
const COPY_AT_ONCE = '--repl-diskless-sync-delay 0';
const words = (...options: readonly string[]): string[] => options.flatMap((option) => option.split(' '));

/** Several Redis servers, one of which takes over if the primary fails. */
export interface RedisGroup {
  /** A REDIS_URL that names the group. */
  readonly url: string;
  /** The server that is currently the primary for `key`. */
  primaryOf(key: string): Promise<RedisProcess>;
  stop(): Promise<void>;
}

/** One primary with two replicas, and three Sentinels. */
export async function startSentinelGroup(): Promise<RedisGroup> {
  const folder = await temporaryFolder();
  const primary = await RedisProcess.start(folder.path, () => words(COPY_AT_ONCE));
  const replica = (): Promise<RedisProcess> =>
    RedisProcess.start(folder.path, () => words(COPY_AT_ONCE, `--replicaof 127.0.0.1 ${primary.port}`));
  const servers = [primary, await replica(), await replica()];
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, async () => {
      const port = await freePort();
      const config = join(folder.path, `sentinel-${port}.conf`);
      await writeFile(
        config,
        [
          `port ${port}`,
          'bind 127.0.0.1',
          `dir ${folder.path}`,
          `sentinel monitor ${PRIMARY} 127.0.0.1 ${primary.port} 2`,
          `sentinel down-after-milliseconds ${PRIMARY} ${DOWN_AFTER_MS}`,
          `sentinel failover-timeout ${PRIMARY} 3000`,
        ].join('\n'),
      );
      return RedisProcess.startSentinel(config, port);
    }),
  );
  await eventually(async () => {
    for (const { port } of sentinels)
      expect(await ask(port, 'sentinel', 'master', PRIMARY)).toEqual(
        expect.arrayContaining(['num-slaves', '2', 'num-other-sentinels', '2']),
      );
  });
  await replicated(servers, 2);
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${PRIMARY}`,
    primaryOf: async () => {
      const [, port] = (await ask(sentinels[0]!.port, 'sentinel', 'get-master-addr-by-name', PRIMARY)) as string[];
      return servers.find((server) => server.port === Number(port))!;
    },
    stop: async () => {
      await Promise.all([...servers, ...sentinels].map((server) => server.kill()));
      await folder.remove();
    },
  };
}

/** A Cluster of three shards, each with a replica. */
export async function startRedisCluster(): Promise<RedisGroup> {
  const folder = await temporaryFolder();
  const bus = await Promise.all(Array.from({ length: 2 * SHARDS }, freePort));
  const node = (busPort: number): Promise<RedisProcess> =>
    RedisProcess.start(folder.path, (port) =>
      words(
        COPY_AT_ONCE,
        '--cluster-enabled yes',
        `--cluster-port ${busPort}`,
        `--cluster-config-file nodes-${port}.conf`,
        `--cluster-node-timeout ${DOWN_AFTER_MS}`,
      ),
    );
  const servers = await Promise.all(bus.map(node));
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
  const { status, stdout } = spawnSync('redis-cli', create, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`redis-cli: ${stdout}`);
  await replicated(servers, SHARDS);
  return {
    url: `redis+cluster://${addresses.slice(0, SHARDS).join(',')}`,
    primaryOf: async (key) => {
      for (const { port } of servers) {
        const slot = (await ask(port, 'cluster', 'keyslot', key).catch(() => undefined)) as number | undefined;
        if (slot === undefined) continue;
        const ranges = (await ask(port, 'cluster', 'slots')) as [number, number, [string, number]][];
        const [, , [, owner]] = ranges.find(([first, last]) => first <= slot && slot <= last)!;
        return servers.find((server) => server.port === owner)!;
      }
      throw new Error('no node responds');
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await folder.remove();
    },
  };
}

/** Waits until this number of replicas are synchronised. A replica that is not synchronised cannot take over. */
const replicated = (servers: readonly RedisProcess[], replicas: number): Promise<void> =>
  eventually(async () => {
    const states = await Promise.all(servers.map(({ port }) => ask(port, 'info', 'replication')));
    expect(states.filter((state) => String(state).includes('master_link_status:up'))).toHaveLength(replicas);
  }, 30_000);

async function ask(port: number, command: string, ...words: string[]): Promise<unknown> {
  const client = new Redis(port, { retryStrategy: null, commandTimeout: 500, lazyConnect: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(command, ...words);
  } finally {
    client.disconnect();
  }
}
