import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const TICKS_PER_SECOND = 100;
const PINS = existsSync('/usr/bin/taskset') && availableParallelism() > 1;

export interface Server {
  readonly pid: number;
  /** The address that the server printed when it was ready. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The cores of the server under test, and of everything else. */
export const SERVER_CORE = '0';
export const OTHER_CORES = PINS ? `1-${availableParallelism() - 1}` : '0';
export const isPinned = PINS;
/** The prefix of a command that runs on certain cores. */
export const pinned = (cores: string): string[] => (PINS ? ['/usr/bin/taskset', '-c', cores] : []);

/** Moves this process, which generates the load, away from the core of the server under test. */
export function leaveServerCore(): void {
  const [taskset, ...options] = pinned(OTHER_CORES);
  if (taskset) execFileSync(taskset, ['-a', '-p', ...options, `${process.pid}`], { stdio: 'ignore' });
}

/** Starts a Node program and waits until `ready` finds its address in the output. */
export async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  core: string,
  ready = /^ready (\S+)$/m,
): Promise<Server> {
  const command = [...pinned(core), process.execPath, ...args];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await addressOf(child, ready, args.join(' '));
  return {
    pid: child.pid!,
    url,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function addressOf(child: ChildProcess, ready: RegExp, what: string): Promise<string> {
  let output = '';
  return new Promise<string>((resolve, reject) => {
    const onText = (text: string): void => {
      output += text;
      const found = ready.exec(output)?.[1];
      if (!found) return;
      // Stop collecting: a log of every request would be searched repeatedly.
      for (const stream of [child.stdout!, child.stderr!]) stream.off('data', onText).resume();
      resolve(found);
    };
    child.stdout!.setEncoding('utf8').on('data', onText);
    child.stderr!.setEncoding('utf8').on('data', onText);
    child.once('exit', (code) => reject(new Error(`${what} ended with ${code}:\n${output}`)));
  });
}

/**
 * CPU microseconds of a process. If the kernel has schedstat: of its running threads, measured in nanoseconds.
 * Otherwise of all its threads, including ended ones, measured in ticks of 10 ms.
 */
export function cpuOf(pid: number): number {
  const ticks = statOf(pid);
  const own = (ticks.user + ticks.system) * (1_000_000 / TICKS_PER_SECOND);
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map(
      (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1000,
    );
    return threads.reduce((sum, microseconds) => sum + microseconds, 0);
  } catch {
    return own;
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

/** The ids of a process and all of its descendants. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** CPU microseconds of a process and all of its descendants. */
export const cpuOfTree = (pid: number): number => treeOf(pid).reduce((sum, each) => sum + cpuOf(each), 0);

/** CPU microseconds of a PostgreSQL: its postmaster, its running children, and those that have ended. */
export function cpuOfPostgres(postmaster: number): number {
  const children = childrenOf(postmaster);
  const own = statOf(postmaster);
  const living = children.map((pid) => statOf(pid)).reduce((sum, ticks) => sum + ticks.user + ticks.system, 0);
  return (own.user + own.system + own.childUser + own.childSystem + living) * (1_000_000 / TICKS_PER_SECOND);
}

export function postmasterPid(dataDir: string): number {
  return Number(readFileSync(`${dataDir}/postgres/data/postmaster.pid`, 'latin1').split('\n')[0]);
}

/** Resident memory in MiB. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024;
}

/** The proportional set size in MiB: pages used by several processes are divided between them. */
export const proportionalMemoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))![1]) / 1024;

interface Ticks {
  readonly user: number;
  readonly system: number;
  readonly childUser: number;
  readonly childSystem: number;
}

function statOf(pid: number): Ticks {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { user: fields[11]!, system: fields[12]!, childUser: fields[13]!, childSystem: fields[14]! };
  } catch {
    return { user: 0, system: 0, childUser: 0, childSystem: 0 };
  }
}
