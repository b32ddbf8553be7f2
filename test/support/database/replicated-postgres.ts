import { execFileSync } from 'node:child_process';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuarded } from '../../../src/database/embedded/guarded-process.js';
import { serverBinaries } from '../../../src/database/embedded/server-binaries.js';
import type { ServerIdentity } from '../../../src/database/embedded/server-identity.js';
import { childrenOf } from '../services/child-processes.js';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { startOwnPostgres } from './own-postgres.js';
import { queryOnce } from './query-once.js';

const READY_WITHIN_MS = 60_000;

/** One server of a replicated PostgreSQL. */
export class PostgresNode {
  /** The ids of its frozen processes. */
  readonly #frozen = new Set<number>();
  #pid: number | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    /** The address of this server only. */
    readonly url: string,
    readonly dataFolder: string,
    private readonly command: readonly [program: string, ...args: string[]],
    private readonly identity: ServerIdentity | undefined,
  ) {}

  async start(): Promise<void> {
    const [command, ...args] = this.command;
    const logFile = join(this.dataFolder, 'test.log');
    const server = startGuarded({ command, args, logFile, as: this.identity });
    this.#pid = await server.pid;
    void server.ended.then(() => (this.#pid = undefined));
    server.detach();
    const until = performance.now() + READY_WITHIN_MS;
    while (!(await this.#responds())) {
      if (this.#pid === undefined || performance.now() > until)
        throw new Error(`${this.name} did not start:\n${await readFile(logFile, 'utf8')}`);
      await sleep(50);
    }
  }

  /** Kills every process of the server at the same time, as if its machine had failed. */
  async kill(): Promise<void> {
    await this.#signal('SIGSTOP');
    await this.#signal('SIGKILL');
    this.#frozen.clear();
    while (this.#pid !== undefined) await sleep(5);
  }

  /** Freezes all processes of the server by SIGSTOP. Its connections stay open. */
  async freeze(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  async thaw(): Promise<void> {
    await this.#signal('SIGCONT');
    this.#frozen.clear();
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 30)');
  }

  /** Changes a setting that needs no restart. Works on a standby too. */
  async configure(name: string, value: string): Promise<void> {
    await this.query(`alter system set ${name} = '${value}'`);
    await this.query('select pg_reload_conf()');
    await eventually(async () => {
      const [row] = await this.query<{ value: string }>(`select current_setting('${name}') as value`);
      if (row!.value !== value) throw new Error(`${name} is still ${row!.value}`);
    });
  }

  query<Row extends object>(text: string): Promise<Row[]> {
    return queryOnce<Row>(this.url, text);
  }

  #responds(): Promise<boolean> {
    return this.query('select').then(
      () => true,
      () => false,
    );
  }

  async #signal(name: NodeJS.Signals): Promise<void> {
    if (this.#pid === undefined) return;
    const send = (pid: number): void => {
      try {
        process.kill(pid, name);
        this.#frozen.add(pid);
      } catch {
        // The process has already ended.
      }
    };
    // Signal the postmaster first, so that it cannot start more processes.
    send(this.#pid);
    for (const pid of new Set([...(await childrenOf(this.#pid, /./).catch(() => [])), ...this.#frozen])) send(pid);
  }
}

export interface ReplicatedOptions {
  /** The number of servers. The first server starts as the primary. */
  readonly nodes?: number;
  /** Whether a commit waits for a standby. */
  readonly isSynchronous?: boolean;
}

/**
 * A PostgreSQL with streaming replication, from the binaries shipped with Gatehouse. Only the test triggers a failover.
 */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: TemporaryFolder,
    readonly nodes: readonly PostgresNode[],
    /** The address that lists all servers. */
    readonly url: string,
  ) {}

  /** Starts all servers, with a migrated database. */
  static async start({ nodes: count = 2, isSynchronous = true }: ReplicatedOptions = {}): Promise<ReplicatedPostgres> {
    const folder = await temporaryFolder();
    const origin = join(folder.path, 'origin');
    const first = await startOwnPostgres({ dataDir: origin });
    await first.stop();
    const { username, password, pathname } = new URL(first.url);
    const data = join(origin, 'postgres', 'data');
    const { uid, gid } = await stat(data);
    const identity = process.getuid?.() === 0 ? { uid, gid } : undefined;
    const { postgres } = await serverBinaries(origin, identity, () => undefined);
    const ports: number[] = [];
    for (let node = 0; node < count; node++) ports.push(await freePort());
    const hosts = ports.map(() => '127.0.0.1').join(',');
    const nodes: PostgresNode[] = [];
    for (const [at, port] of ports.entries()) {
      const name = `node${at + 1}`;
      const place = join(folder.path, name);
      execFileSync('cp', ['-a', data, place]);
      const settings = {
        listen_addresses: '127.0.0.1',
        port,
        unix_socket_directories: '',
        hba_file: join(place, 'test_hba.conf'),
        fsync: 'off',
        max_connections: 200,
        timezone: 'UTC',
        wal_keep_size: '1GB',
        wal_sender_timeout: '2s',
        wal_receiver_timeout: '2s',
        wal_retrieve_retry_interval: '200ms',
        wal_receiver_status_interval: '1s',
        primary_conninfo:
          `host=${hosts} port=${ports.join(',')} user=${username} password=${decodeURIComponent(password)} ` +
          `application_name=${name} connect_timeout=2 target_session_attrs=read-write`,
        synchronous_standby_names: isSynchronous ? 'ANY 1 (*)' : '',
      };
      const files = {
        'test.conf': Object.entries(settings)
          .map(([key, value]) => `${key} = '${value}'`)
          .join('\n'),
        'test_hba.conf': 'host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n',
        'test.log': '',
        ...(at > 0 && { 'standby.signal': '' }),
      };
      for (const [file, text] of Object.entries(files)) {
        await writeFile(join(place, file), text);
        await chown(join(place, file), uid, gid);
      }
      const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
      const command = [postgres, '-D', place, '-c', `config_file=${join(place, 'test.conf')}`] as const;
      nodes.push(new PostgresNode(name, port, url, place, command, identity));
    }
    const cluster = new ReplicatedPostgres(
      folder,
      nodes,
      `postgres://${username}:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}${pathname}`,
    );
    for (const node of nodes) await node.start();
    for (const node of nodes.slice(1)) await cluster.untilStreaming(nodes[0]!, node);
    return cluster;
  }

  /** The address that lists the given servers. `more` is appended to the name of the database. */
  urlOf(nodes: readonly Pick<PostgresNode, 'port'>[], more = ''): string {
    return `${this.url.replace(/@[^/]*/, `@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`)}${more}`;
  }

  /** Waits until the standby replicates from this primary. */
  async untilStreaming(primary: PostgresNode, standby: PostgresNode): Promise<void> {
    await eventually(async () => {
      const rows = await primary.query(
        `select from pg_stat_replication where application_name = '${standby.name}' and state = 'streaming'`,
      );
      if (rows.length === 0) throw new Error(`${standby.name} does not follow ${primary.name}`);
    }, READY_WITHIN_MS);
  }

  /** Kills all servers and removes their folders. */
  async stop(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    await this.folder.remove();
  }
}
