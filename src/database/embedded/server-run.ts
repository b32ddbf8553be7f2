import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureLogFile, type Cluster } from './cluster.js';
import { settleEarlierServer } from './earlier-server.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { startGuarded, type GuardedProcess } from './guarded-process.js';
import type { ServerBinaries } from './server-binaries.js';
import type { ServerIdentity } from './server-identity.js';
import { lastErrorMessage, trimLog } from './server-log.js';

export interface ServerPlan {
  readonly cluster: Cluster;
  readonly binaries: ServerBinaries;
  readonly as: ServerIdentity | undefined;
  readonly configFile: string;
  readonly log: (line: string) => void;
}

/** Thrown if another program uses the port. */
export class PortTakenError extends EmbeddedPostgresError {}

/** How long a start waits for the processes of a killed server if it cannot find them (no /proc). */
const LEFTOVER_TIMEOUT_MS = 15_000;

/** Starts the server on its folder; resolves when it accepts connections. */
export async function runServer(plan: ServerPlan, signal: AbortSignal): Promise<GuardedProcess> {
  const deadline = performance.now() + LEFTOVER_TIMEOUT_MS;
  for (;;) {
    const reusedPid = await settleEarlierServer(plan.cluster.dataFolder, plan.log);
    const outcome = await attempt(plan, reusedPid, signal);
    if (typeof outcome !== 'string') return outcome;
    if (/Address already in use|could not create any TCP\/IP sockets/.test(outcome)) throw new PortTakenError(outcome);
    const leftover = /pre-existing shared memory block|lock file .* already exists/.test(outcome);
    if (!leftover || performance.now() > deadline) {
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${outcome} (its log is ${plan.cluster.logFile}).`);
    }
    await delay(200, undefined, { signal });
  }
}

/** Returns the running server, or its last error message. */
async function attempt(
  { cluster, binaries, as, configFile, log }: ServerPlan,
  reusedPid: number | undefined,
  signal: AbortSignal,
): Promise<GuardedProcess | string> {
  await trimLog(cluster.logFile);
  await ensureLogFile(cluster, as);
  const logStart = (await stat(cluster.logFile)).size;
  const server = startGuarded({
    command: binaries.postgres,
    args: ['-D', cluster.dataFolder, '-c', `config_file=${configFile}`],
    logFile: cluster.logFile,
    as,
    // PostgreSQL ignores a lock file with the pid in PG_GRANDPARENT_PID. Set the variable to the pid in the lock
    // file if another program now has this pid.
    environment: reusedPid === undefined ? {} : { PG_GRANDPARENT_PID: `${reusedPid}` },
  });
  const exit: { reason?: string } = {};
  void server.ended.then((reason) => (exit.reason = reason));
  const pid = await server.pid;
  let nextLogAt = performance.now() + 5_000;
  while (exit.reason === undefined) {
    if (signal.aborted) {
      server.release();
      await server.ended;
      signal.throwIfAborted();
    }
    if (await isReady(cluster.dataFolder, pid)) {
      server.detach();
      return server;
    }
    if (performance.now() > nextLogAt) {
      log('PostgreSQL is still starting; after a hard stop it first recovers from its log.');
      nextLogAt += 5_000;
    }
    await delay(10);
  }
  return (await lastErrorMessage(cluster.logFile, logStart)) ?? exit.reason;
}

/** The eighth line of the server's own postmaster.pid is its state. */
async function isReady(dataFolder: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return pid !== undefined && lines[0] === `${pid}` && lines[7]?.trim() === 'ready';
}
