import { randomInt } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { ownUserIdRange } from '../machine/user-id-range.js';
import { ensureCluster } from './embedded/cluster-initialisation.js';
import {
  dataFolderOf,
  initialPasswordOf,
  locateCluster,
  readPassword,
  ensureOwner,
  type Cluster,
} from './embedded/cluster.js';
import { EmbeddedPostgresError } from './embedded/embedded-postgres.errors.js';
import { FolderLock, readHolder } from './embedded/folder-lock.js';
import { holdsDatabase, openDataFolder, replaceFile } from './embedded/folders.js';
import { serverBinaries } from './embedded/server-binaries.js';
import { serverIdentities, type OwnUserIds } from './embedded/server-identity.js';
import { PortTakenError } from './embedded/server-run.js';
import { DATABASE, SUPERUSER, writeSettings } from './embedded/server-settings.js';
import { ServerSupervisor } from './embedded/server-supervisor.js';

export { EmbeddedPostgresError, holdsDatabase };

interface EmbeddedPostgresOptions {
  /** Gatehouse's data folder, created if missing; the server's files are in its subfolder `postgres`. */
  readonly dataDir: string;
  /** Receives messages for the operator, one line each. No line contains a secret. */
  readonly log: (line: string) => void;
  /**
   * Called with one sentence when the server has died. The sentence says whether the server was restarted. Default:
   * `log`.
   */
  readonly onIncident?: (text: string) => void;
  /** PostgreSQL settings in addition to Gatehouse's own. Tests use them to turn off `fsync`. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Allocates the user ids of this installation if the service runs as root. Default: ownUserIdRange.
   */
  readonly userIds?: OwnUserIds;
}

export interface EmbeddedPostgres {
  /**
   * A secret: `postgres://user:password@127.0.0.1:port/gatehouse`. The URL does not change when the server is
   * restarted.
   */
  readonly url: string;
  /** Stops the server and releases the data folder's lock. Can be called more than once. */
  stop(): Promise<void>;
}

/**
 * How long a starting service waits for an operator command that holds the lock, and how long a command waits for any
 * process that holds the lock.
 */
const COMMAND_TIMEOUT_MS = 60_000;
/**
 * How long to wait until the holder of the lock has written its pid, which it does immediately after it took the lock.
 */
const NAMING_TIMEOUT_MS = 1_000;

/**
 * For the service. Takes the exclusive lock of the data folder, starts the server of this folder and supervises it
 * until `stop()`. The server cannot outlive this process. Throws EmbeddedPostgresError if another service holds the
 * lock, if an operator command holds it for more than a minute, or if its holder is unknown for more than a second.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(options.dataDir);
  const started = performance.now();
  let hasLogged = false;
  for (;;) {
    const lock = await FolderLock.take(folder, 'service');
    if (lock !== undefined) return serve(folder, lock, options);
    const holder = await readHolder(folder);
    const waited = performance.now() - started;
    if (holder?.kind === 'service' || waited > (holder ? COMMAND_TIMEOUT_MS : NAMING_TIMEOUT_MS)) {
      throw new EmbeddedPostgresError(
        `The data folder ${dirname(folder)} is in use by another ` +
          `${holder?.kind === 'command' ? 'operator command' : 'Gatehouse service'} (pid ` +
          `${holder?.pid ?? 'unknown'}): stop it, or set DATA_DIR to another folder.`,
      );
    }
    if (holder !== undefined && !hasLogged) {
      options.log(`Waiting for an operator command (pid ${holder.pid}) to finish with ${dirname(folder)}.`);
      hasLogged = true;
    }
    await delay(50);
  }
}

/**
 * For the operator's command line. Connects to the server of the running service. If no service runs, takes the lock
 * and starts a server that runs until `stop()`; other commands wait for the lock. `alone`: throws EmbeddedPostgresError
 * if a service runs on this folder.
 */
export async function connectEmbeddedPostgres(
  options: EmbeddedPostgresOptions & { readonly alone?: boolean },
): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(options.dataDir);
  const deadline = performance.now() + COMMAND_TIMEOUT_MS;
  for (;;) {
    const lock = await FolderLock.take(folder, 'command');
    if (lock !== undefined) return serve(folder, lock, options);
    const holder = await readHolder(folder);
    if (holder?.kind === 'service' && options.alone) {
      throw new EmbeddedPostgresError(
        `A Gatehouse service (pid ${holder.pid}) runs on the data folder ${dirname(folder)}: stop it, or set ` +
          'DATA_DIR to another folder.',
      );
    }
    if (holder?.kind === 'service' && holder.url !== undefined) return { url: holder.url, stop: async () => undefined };
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The data folder ${dirname(folder)} is held by another process (pid ${holder?.pid ?? 'unknown'}) that ` +
          'has not started its database within a minute: try again, or stop that process.',
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
  const identities = await serverIdentities(
    await dataFolderOf(folder),
    dirname(folder),
    options.userIds ?? ownUserIdRange,
    log,
  );
  const { server: as } = identities;
  const [cluster, binaries] = await Promise.all([locateCluster(folder, as, log), serverBinaries(folder, as, log)]);
  await ensureOwner(cluster, as, log);
  await ensureCluster(cluster, binaries, identities, options.settings?.['fsync'] !== 'off');
  const password = await readPassword(cluster);
  const portFile = join(cluster.folder, 'port');
  const keptPort = Number.parseInt(await readFile(portFile, 'utf8').catch(() => ''), 10);
  // Use the same port as last time, so that clients can reconnect, unless another program now uses this port.
  for (let attempt = 1, port = keptPort || randomPort(); ; attempt += 1, port = randomPort()) {
    const configFile = await writeSettings(cluster, port, options.settings);
    const plan = { cluster, binaries, as, configFile, log };
    const supervisor = new ServerSupervisor(plan, options.onIncident ?? log);
    try {
      await supervisor.start();
      if (port !== keptPort) await replaceFile(portFile, `${port}\n`);
      const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
      await replaceInitialPassword(url, cluster);
      await ensureDatabase(url, cluster);
      return { url, supervisor };
    } catch (error) {
      await supervisor.stop();
      if (!(error instanceof PortTakenError) || attempt === 20) throw error;
    }
  }
}

/**
 * A port below the ephemeral ports (from 32768 on Linux), because an outgoing connection could take an ephemeral port
 * during a restart.
 */
const randomPort = (): number => randomInt(20_000, 32_000);

/**
 * Replaces the temporary password that was passed to initdb, if there is one. If the process is killed before the
 * replacement, the next start replaces the password.
 */
async function replaceInitialPassword(url: string, cluster: Cluster): Promise<void> {
  const file = initialPasswordOf(cluster);
  const initial = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (initial === '') return;
  const { password } = new URL(url);
  const withInitial = url.replace(`:${password}@`, `:${initial}@`).replace(/[^/]*$/, 'postgres');
  await runSql(withInitial, `alter role ${SUPERUSER} password '${password}'`).catch((error: { code?: string }) => {
    // 28P01 (invalid password) means that the temporary password was already replaced.
    if (error.code !== '28P01') throw error;
  });
  await rm(file, { force: true });
}

/** Creates the database on the first start. Also checks that the server accepts the password. */
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
      `The password in ${join(cluster.folder, 'password')} does not match the database in the same folder: ` +
        'restore that file from a backup.',
      { cause },
    );
  }
}

async function runSql(url: string, sql?: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A broken connection also fails the call below. Without a listener the error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (sql !== undefined) await client.query(sql);
  } finally {
    await client.end();
  }
}
