import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { ensureCluster } from './embedded/cluster-initialisation.js';
import { locateCluster, readPassword, type Cluster } from './embedded/cluster.js';
import { EmbeddedPostgresError } from './embedded/embedded-postgres.errors.js';
import { FolderLock, readHolder } from './embedded/folder-lock.js';
import { openDataFolder, replaceFile } from './embedded/folders.js';
import { serverBinaries } from './embedded/server-binaries.js';
import { serverIdentity } from './embedded/server-identity.js';
import { PortTakenError } from './embedded/server-run.js';
import { DATABASE, SUPERUSER, writeSettings } from './embedded/server-settings.js';
import { ServerSupervisor } from './embedded/server-supervisor.js';

export { EmbeddedPostgresError };

export interface EmbeddedPostgresOptions {
  /** Gatehouse's data folder. Made when missing; the server's files go into `postgres` in it. */
  readonly dataDir: string;
  /** Takes what the operator should know, a line each. Nothing is printed otherwise, and no line holds a secret. */
  readonly log: (line: string) => void;
  /** Called when the server died, with one sentence: restarted, or not yet. Without it these go to `log`. */
  readonly onIncident?: (text: string) => void;
  /** PostgreSQL settings on top of Gatehouse's own. Tests turn `fsync` off with it. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** `postgres://user:password@127.0.0.1:port/gatehouse`: a secret. It stays the same when the server is restarted. */
  readonly url: string;
  /** Stops the server and frees the data folder. May be called more than once. */
  stop(): Promise<void>;
}

/** Long enough for any command of the operator's; a service that starts meanwhile waits for it. */
const COMMAND_PATIENCE = 60_000;
/** The holder of a lock names itself a moment after taking it. */
const NAMING_PATIENCE = 1_000;

/**
 * For the service: takes the exclusive lock of the data folder, starts its server, supervises it until `stop()`. The server
 * cannot outlive this process. Fails with an EmbeddedPostgresError, never by adopting a server that another process started.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(options.dataDir);
  const started = performance.now();
  let told = false;
  for (;;) {
    const lock = await FolderLock.take(folder, 'service');
    if (lock !== undefined) return serve(folder, lock, options);
    const holder = await readHolder(folder);
    const waited = performance.now() - started;
    if (holder?.kind === 'service' || waited > (holder ? COMMAND_PATIENCE : NAMING_PATIENCE)) {
      throw new EmbeddedPostgresError(
        `The data folder ${dirname(folder)} is in use by another ${holder?.kind === 'command' ? 'operator command' : 'Gatehouse service'} (pid ${holder?.pid ?? 'unknown'}): stop it, or set DATA_DIR to another folder.`,
      );
    }
    if (holder !== undefined && !told) {
      options.log(`Waiting for an operator command (pid ${holder.pid}) to finish with ${dirname(folder)}.`);
      told = true;
    }
    await delay(50);
  }
}

/**
 * For the operator's command line: uses the server of the service that runs on this folder, or else starts one that ends with
 * `stop()`. Commands without a service take turns. `alone`: a folder on which a service runs is refused.
 */
export async function borrowEmbeddedPostgres(
  options: EmbeddedPostgresOptions & { readonly alone?: boolean },
): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(options.dataDir);
  const deadline = performance.now() + COMMAND_PATIENCE;
  for (;;) {
    const lock = await FolderLock.take(folder, 'command');
    if (lock !== undefined) return serve(folder, lock, options);
    const holder = await readHolder(folder);
    if (holder?.kind === 'service' && options.alone) {
      throw new EmbeddedPostgresError(
        `A Gatehouse service (pid ${holder.pid}) runs on the data folder ${dirname(folder)}: stop it, or set DATA_DIR to another folder.`,
      );
    }
    if (holder?.kind === 'service' && holder.url !== undefined) return { url: holder.url, stop: async () => undefined };
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The data folder ${dirname(folder)} is held by another process (pid ${holder?.pid ?? 'unknown'}) that has not started its database within a minute: try again, or stop that process.`,
      );
    }
    await delay(50);
  }
}

async function serve(folder: string, lock: FolderLock, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const { url, supervisor } = await startServer(folder, options);
    await lock.announce(url);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      try {
        await supervisor.stop();
      } finally {
        await lock.release();
      }
    };
    return { url, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startServer(
  folder: string,
  options: EmbeddedPostgresOptions,
): Promise<{ url: string; supervisor: ServerSupervisor }> {
  const { log } = options;
  const as = await serverIdentity(join(folder, 'data'));
  const [cluster, binaries] = await Promise.all([locateCluster(folder, as, log), serverBinaries(folder, as, log)]);
  await ensureCluster(cluster, binaries, as, options.settings?.['fsync'] !== 'off');
  const password = await readPassword(cluster);
  const portFile = join(cluster.folder, 'port');
  const keptPort = Number.parseInt(await readFile(portFile, 'utf8').catch(() => ''), 10);
  // The same port as last time, so that clients find a restarted service again, unless another program has it now.
  for (let attempt = 1, port = keptPort || randomPort(); ; attempt += 1, port = randomPort()) {
    const configFile = await writeSettings(cluster, port, options.settings);
    const plan = { cluster, binaries, as, configFile, log };
    const supervisor = new ServerSupervisor(plan, options.onIncident ?? log);
    try {
      await supervisor.start();
      if (port !== keptPort) await replaceFile(portFile, `${port}\n`);
      const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
      await ensureDatabase(url, cluster);
      return { url, supervisor };
    } catch (error) {
      await supervisor.stop();
      if (!(error instanceof PortTakenError) || attempt === 20) throw error;
    }
  }
}

/** Below the ports that systems take for outgoing connections (from 32768 on Linux): one of those could be lost in a restart. */
const randomPort = (): number => randomInt(20_000, 32_000);

/** Also the proof that the server takes the password. The database is missing on the first start only. */
async function ensureDatabase(url: string, cluster: Cluster): Promise<void> {
  try {
    const missing = await runSql(url).then(
      () => false,
      (error: { code?: string }) => {
        if (error.code === '3D000') return true;
        throw error;
      },
    );
    if (missing) await runSql(url.replace(/[^/]*$/, 'postgres'), `create database ${DATABASE}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== '28P01') throw cause;
    throw new EmbeddedPostgresError(
      `The password in ${join(cluster.folder, 'password')} is not that of the database beside it: restore that file from a backup.`,
      { cause },
    );
  }
}

async function runSql(url: string, sql?: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks also fails the call below; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (sql !== undefined) await client.query(sql);
  } finally {
    await client.end();
  }
}
