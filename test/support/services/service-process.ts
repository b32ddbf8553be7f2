import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from './test-service.js';

const READY_WITHIN_MS = 110_000;

/**
 * The service as a separate process: from the build in the project `system` (system-setup.mjs), otherwise from the
 * source.
 */
export interface ServiceProcess {
  readonly origin: string;
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code; null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** A service that is starting. */
export type StartingService = Omit<ServiceProcess, 'origin'> & { readonly child: ChildProcess };

/**
 * Starts the service and waits until it is ready. Fails with its output otherwise. `preload`: modules to load first.
 */
export async function startServiceProcess(
  env: Readonly<Record<string, string>>,
  preload: readonly string[] = [],
): Promise<ServiceProcess> {
  return untilReady(
    spawnService(
      env,
      preload.flatMap((module) => ['--import', module]),
    ),
  );
}

/** Waits until the service is ready. Fails with its output otherwise. */
export async function untilReady(started: StartingService): Promise<ServiceProcess> {
  const ready = /(?:API {7}|"api":")(http:\/\/[^\s"]+)\/api\/v1/;
  const until = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const origin = ready.exec(started.output())?.[1];
    if (origin) return { ...started, origin };
    if (started.child.exitCode !== null || performance.now() > until) {
      started.kill('SIGKILL');
      throw new Error(`the service did not become ready:\n${started.output()}`);
    }
    await sleep(20);
  }
}

/** Runs the service until it exits by itself, because it cannot start with these variables. */
export async function runServiceToExit(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const started = spawnService(env);
  const code = await started.exited;
  return { code, output: started.output() };
}

/** The process id of the embedded PostgreSQL in a data folder. */
export async function postmasterPid(dataDir: string): Promise<number> {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/** The lines of warnings and errors in the output of a service. */
export const warningsIn = (output: string): string[] =>
  output.split('\n').filter((line) => / (WARN|ERROR): /.test(line));

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * `flags`: flags of Node. If there are any, the process has an IPC channel. `root`: the folder of another version,
 * which runs from its source.
 */
export function spawnService(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  root = ROOT,
): StartingService {
  const build = root === ROOT ? process.env['GATEHOUSE_TEST_BUILD'] : undefined;
  const program = build ? [build] : ['--import', './dev/typescript-loader.ts', 'src/main.ts'];
  const child = spawn(process.execPath, ['--disable-sigusr1', ...flags, ...program], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // The same value as in `npm start`.
      MALLOC_ARENA_MAX: '2',
      PORT: '0',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'text',
      BOOTSTRAP_MANAGEMENT_KEY: TEST_MANAGEMENT_KEY,
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      ...env,
    },
    stdio: flags.length === 0 ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, pid: child.pid!, output: () => output, kill: (signal) => child.kill(signal), exited };
}
