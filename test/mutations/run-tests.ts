import { spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A fault may make a test run hang. */
const TIMEOUT_MS = 900_000;
const MAX_SHOWN_CHARACTERS = 4_000;

export interface TestRun {
  /** The file and the name of the first test that failed; undefined = all passed. */
  readonly failed: string | undefined;
  readonly seconds: number;
}

/** Runs the tests of these paths in `root`, in one worker, until the first file with a failure. */
export async function runTests(root: string, paths: readonly string[], signal: AbortSignal): Promise<TestRun> {
  const file = join(root, 'first-failure.json');
  await rm(file, { force: true });
  const startedAt = performance.now();
  const isLate = await jest(root, paths, file, signal);
  signal.throwIfAborted();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (isLate) return { failed: `no end within ${TIMEOUT_MS / 1_000} s`, seconds };
  const { tests, failed } = JSON.parse(await readResult(file)) as { tests: number; failed?: string };
  if (tests === 0 && failed === undefined) throw new Error(`no test ran of ${paths.join(', ')}`);
  return { failed, seconds };
}

/** A run without a result does not show whether the fault was detected. */
async function readResult(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(async () => {
    const output = await readFile(outputOf(file), 'utf8');
    throw new Error(`Jest ended without a result: ${output.slice(-MAX_SHOWN_CHARACTERS)}`);
  });
}

const outputOf = (file: string): string => `${file}.log`;

/** Resolves when Jest has ended. True if the timeout expired. */
async function jest(root: string, paths: readonly string[], file: string, signal: AbortSignal): Promise<boolean> {
  const output = await open(outputOf(file), 'w');
  // The cache is inside the copy, so it is removed together with it.
  const options = ['--bail', '--maxWorkers=1', `--cacheDirectory=${join(root, '.jest-cache')}`];
  const reporter = `--reporters=${join(root, 'test/mutations/first-failure.reporter.cjs')}`;
  const child = spawn('npm', ['test', '--silent', '--', ...paths, ...options, reporter], {
    cwd: root,
    // A process group, so that the signal reaches all of its processes.
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    env: { ...process.env, FIRST_FAILURE_FILE: file },
  });
  const ended = new Promise<boolean>((resolve, reject) => {
    let isLate = false;
    const end = (): void => void process.kill(-child.pid!, 'SIGTERM');
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, TIMEOUT_MS);
    signal.addEventListener('abort', end);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(isLate);
    });
  });
  return ended.finally(() => void output.close());
}
