// `npm run build`: compiles the service and the console into a folder beside dist/ and then puts it in its place, so
// that dist/ is complete at all times, for a start or a service that runs meanwhile too. Nothing is built while the
// inputs are those of dist/.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIST = 'dist';
/** The file in dist/ with the digest of what it was built from. */
const DIGEST_FILE = '.inputs';
/** Everything that the build reads: files and folders. */
const INPUTS = [
  'src',
  'console',
  'dev/build.ts',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
];
/** Below the folders of INPUTS: tests, and the console's types, which the type check writes. */
const NOT_BUILT = /\.(spec|fake)\.ts$|\/schema\.d\.ts$/;

interface NestConfiguration {
  readonly compilerOptions: { readonly tsConfigPath: string; readonly assets: readonly object[] };
}

const startedAt = performance.now();
const seconds = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
// Standard output belongs to the command that needed the build.
const report = (line: string): void => void process.stderr.write(`${line}\n`);

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !NOT_BUILT.test(file));
}

function digestOfInputs(): string {
  const digest = createHash('sha256');
  for (const file of INPUTS.flatMap(filesBelow).toSorted()) {
    const bytes = readFileSync(file);
    digest.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return digest.digest('hex');
}

function digestOfDist(): string | undefined {
  try {
    return readFileSync(join(DIST, DIGEST_FILE), 'utf8');
  } catch {
    return undefined;
  }
}

/** Folders of builds whose process is gone. */
function removeAbandoned(): void {
  for (const name of readdirSync('.')) {
    const pid = Number(/^\.dist-(\d+)/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(name, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const children = new Set<ChildProcess>();

/** Runs a program of node_modules; throws if it fails. */
async function run(what: string, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join('node_modules', program), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  children.add(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  children.delete(child);
  if (code !== 0) throw new Error(`${what} failed`);
  report(`  ${what}: done after ${seconds()}`);
}

/** The configurations of the two compilers, with the other folder. At the depth of dist/, so that source maps hold. */
function writeConfigurations(folder: string): { readonly nest: string; readonly tsc: string } {
  const nest = JSON.parse(readFileSync('nest-cli.json', 'utf8')) as NestConfiguration;
  const tsConfigPath = join(folder, 'tsconfig.json');
  const assets = nest.compilerOptions.assets.map((asset) => ({ ...asset, outDir: folder }));
  const compilerOptions = { ...nest.compilerOptions, tsConfigPath, deleteOutDir: false, assets };
  writeFileSync(
    tsConfigPath,
    JSON.stringify({ extends: `../${nest.compilerOptions.tsConfigPath}`, compilerOptions: { outDir: '.' } }),
  );
  const nestConfigPath = join(folder, 'nest-cli.json');
  writeFileSync(nestConfigPath, JSON.stringify({ ...nest, compilerOptions }));
  return { nest: nestConfigPath, tsc: tsConfigPath };
}

async function buildInto(folder: string): Promise<void> {
  mkdirSync(folder);
  const configurations = writeConfigurations(folder);
  await Promise.all([
    run('the service', '@nestjs/cli/bin/nest.js', ['build', '--config', configurations.nest]),
    run('the console', 'vite/bin/vite.js', [
      'build',
      'console',
      '--logLevel',
      'warn',
      '--emptyOutDir',
      '--outDir',
      join(process.cwd(), folder, 'console'),
    ]),
  ]);
  for (const file of Object.values(configurations)) rmSync(file);
}

/** A folder cannot be renamed onto another one: the former is moved away first, some microseconds before. */
function publish(folder: string): void {
  for (let round = 0; ; round++) {
    try {
      return renameSync(folder, DIST);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error)!)) throw error;
    }
    try {
      renameSync(DIST, `${folder}-replaced-${round}`);
    } catch (error) {
      // Another build has just moved it.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

function cleanUp(folder: string): void {
  for (const name of readdirSync('.'))
    if (name === folder || name.startsWith(`${folder}-replaced-`)) rmSync(name, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const digest = digestOfInputs();
  if (digestOfDist() === digest) return report('The build in dist/ is up to date.');
  removeAbandoned();
  const folder = `.dist-${process.pid}`;
  const abort = (code: number): never => {
    for (const child of children) child.kill();
    cleanUp(folder);
    process.exit(code);
  };
  process.once('SIGINT', () => abort(130)).once('SIGTERM', () => abort(143));
  report('Building dist/ from changed sources, which takes about half a minute:');
  try {
    await buildInto(folder);
    writeFileSync(join(folder, DIGEST_FILE), digest);
    // A build of the same inputs may have come first: services that were started from it keep their files.
    if (digestOfDist() !== digest) publish(folder);
    cleanUp(folder);
  } catch (error) {
    report(`dist/ was not built: ${(error as Error).message}`);
    abort(1);
  }
  report(`dist/ is ready after ${seconds()}.`);
}

await main();
