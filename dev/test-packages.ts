// Installs the packages of test/package.json into test/node_modules: third-party clients, a browser driver, validators
// and linters, a third of the size of all packages. `npm ci` does not install them. Scripts that need them run this
// first. Does nothing if the installed packages match test/package-lock.json.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeAbandoned } from './abandoned-files.ts';

const FOLDER = join(import.meta.dirname, '../test');
const INSTALLED = join(FOLDER, 'node_modules');
/** A file with the digest of the lock file of the installed packages. */
const STAMP = '.lock-file-digest';
const FILES = ['package.json', 'package-lock.json', '.npmrc'];
const NPM_ARGUMENTS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
/** Works if npm's cache has everything. `--prefer-offline` fails if a cached list of versions is old. */
const FROM_CACHE = ['--offline', '--loglevel=silent'];
/** Fails immediately if the registry cannot be reached. By default npm retries for more than a minute. */
const FROM_REGISTRY = [
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=1000',
];

const digestOfLockFile = (): string =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex');

function digestOfInstalled(): string | undefined {
  try {
    return readFileSync(join(INSTALLED, STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

let installing: Promise<void> | undefined;

/**
 * Installs the packages if they are missing or outdated, at most once per process. npm's progress and errors are
 * written to standard error. Throws if npm fails, for example without a network; the packages of a former lock file
 * then stay.
 */
export const installTestPackages = (): Promise<void> => (installing ??= install());

async function install(): Promise<void> {
  const digest = digestOfLockFile();
  if (digestOfInstalled() === digest) return;
  removeAbandoned(FOLDER, /^\.packages-(\d+)$/);
  const startedAt = performance.now();
  process.stderr.write('Installing the packages of test/package.json, which takes about a minute …\n');
  const aside = join(FOLDER, `.packages-${process.pid}`);
  try {
    mkdirSync(aside);
    for (const file of FILES) copyFileSync(join(FOLDER, file), join(aside, file));
    if ((await runNpm(aside, FROM_CACHE)) !== 0 && (await runNpm(aside, FROM_REGISTRY)) !== 0)
      throw new Error('the packages of test/package.json could not be installed');
    writeFileSync(join(aside, 'node_modules', STAMP), digest);
    // Another process may have installed them meanwhile.
    if (digestOfInstalled() !== digest) publish(aside);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  process.stderr.write(`… installed after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.\n`);
}

/** Runs the npm that runs this script, or the one in the PATH; returns its exit code. */
async function runNpm(folder: string, options: readonly string[]): Promise<number | null> {
  const { npm_execpath: npm } = process.env;
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const child = spawn(command, [...args, ...NPM_ARGUMENTS, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** A rename cannot replace a folder, so remove the old one first. */
function publish(aside: string): void {
  rmSync(INSTALLED, { recursive: true, force: true });
  renameSync(join(aside, 'node_modules'), INSTALLED);
}

// Without top-level `await`: Jest loads its filter, which imports this file, with `require()`.
if (import.meta.main)
  installTestPackages().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
