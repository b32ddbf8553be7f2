import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/** The signals sent to an earlier server, by milliseconds since the start of the wait. */
const ESCALATION: readonly (readonly [number, NodeJS.Signals])[] = [
  [0, 'SIGINT'],
  [10_000, 'SIGQUIT'],
  [13_000, 'SIGKILL'],
];
const STOP_TIMEOUT_MS = 15_000;
/** Time for the children of a dead server to end by themselves. */
const ORPHAN_GRACE_MS = 300;

/**
 * Ends the processes of an earlier server that use the data folder, and waits until they have ended. Call it only while
 * holding the lock of the folder, because such processes then belong to a service that has ended.
 *
 * postmaster.pid is not deleted here, because PostgreSQL removes a stale file itself, after it has checked that no
 * process uses the shared memory. Returns the pid in that file if another program now has this pid, which PostgreSQL
 * cannot detect. In a container, pids are often reused.
 */
export async function settleEarlierServer(
  dataFolder: string,
  log: (line: string) => void,
): Promise<number | undefined> {
  const pid = await readServerPid(dataFolder);
  if (pid === undefined) return undefined;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const signals = [...ESCALATION];
  if (await isServerOf(pid, dataFolder)) {
    log(`Waiting for the PostgreSQL server of an earlier run (pid ${pid}) to stop.`);
    while (await isServerOf(pid, dataFolder)) {
      if (elapsed() > STOP_TIMEOUT_MS) {
        throw new EmbeddedPostgresError(
          `The PostgreSQL server of an earlier run (pid ${pid}) still uses ${dataFolder} and does not ` +
            'stop: end that process, then start again.',
        );
      }
      const due = signals[0];
      if (due !== undefined && elapsed() >= due[0]) {
        send(pid, due[1]);
        signals.shift();
      }
      await delay(20);
    }
  }
  await endOrphans(dataFolder);
  return isAlive(pid) ? pid : undefined;
}

/**
 * Kills the children of a killed server. They may continue a long query, and no new server can start until they have
 * ended. Killing them is safe, because the next start recovers from the write-ahead log in any case. Without /proc,
 * they cannot be found, and the next start waits until they have ended.
 */
async function endOrphans(dataFolder: string): Promise<void> {
  const started = performance.now();
  for (;;) {
    const orphans = await serverProcesses(dataFolder);
    if (orphans.length === 0 || performance.now() - started > STOP_TIMEOUT_MS) return;
    if (performance.now() - started > ORPHAN_GRACE_MS) for (const pid of orphans) send(pid, 'SIGKILL');
    await delay(20);
  }
}

async function serverProcesses(dataFolder: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isServerOf(Number(name), dataFolder))) found.push(Number(name));
  }
  return found;
}

/**
 * Whether a process is a PostgreSQL server whose working directory is this data folder. Checks the binary and the
 * directory, because the pid comes from a file and may have been reused. The link of a binary that npm has replaced
 * ends in `postgres (deleted)`.
 */
async function isServerOf(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [cwd, exe] = await Promise.all(
      ['cwd', 'exe'].map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')),
    );
    return cwd === dataFolder && /^postgres( |$)/.test(basename(exe ?? ''));
  }
  if (!isAlive(pid)) return false;
  const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'command=', '-p', `${pid}`]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres') && stdout.includes(dataFolder);
}

async function readServerPid(dataFolder: string): Promise<number | undefined> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended, or the signal is not permitted. The caller's wait detects both.
  }
}
