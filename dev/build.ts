// `npm run build`: compiles the service and the console into a folder next to dist/, named by the digest of its inputs.
// dist/ is a symbolic link to that folder, replaced by one rename, so that it is always complete. A service runs from
// the folder, not from the link, so that it keeps its files during later builds. Does nothing if the inputs of dist/
// are unchanged.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeAbandoned } from './abandoned-files.ts';

const DIST = 'dist';
/** The file in dist/ with the digest of the inputs of the build. */
const DIGEST_FILE = '.inputs';
/** The number of former builds to keep, for services that run from them. */
const FORMER_BUILDS = 2;
/** Everything that the build reads: files and folders. */
const INPUTS = [
  'src',
  'packages',
  'console',
  'dev/abandoned-files.ts',
  'dev/build.ts',
  'dev/bundle.ts',
  'dev/joined-packages.ts',
  'dev/compile.ts',
  'dev/compile-dtos.ts',
  'dev/nest-configuration.ts',
  '.swcrc',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
];
/**
 * Files in the folders of INPUTS that are not part of the build: tests, and the console's types, which the type check
 * writes.
 */
const NOT_BUILT = /\.(spec|fake)\.ts$|\/schema\.d\.ts$/;

const startedAt = performance.now();
const seconds = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
// Standard output belongs to the command that runs the build.
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

function digestOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, DIGEST_FILE), 'utf8');
  } catch {
    return undefined;
  }
}

const folderOf = (digest: string): string => `.dist-${digest.slice(0, 16)}`;

/** Removes all builds except the published one and the FORMER_BUILDS before it. */
function removeFormer(published: string): void {
  const former = readdirSync('.')
    .filter((name) => /^\.dist-[0-9a-f]{16}$/.test(name) && name !== published)
    .map((name) => ({ name, publishedAt: statSync(join(name, DIGEST_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.publishedAt - a.publishedAt);
  for (const { name } of former.slice(FORMER_BUILDS)) rmSync(name, { recursive: true, force: true });
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const children = new Set<ChildProcess>();

/** Runs a program with Node; throws if it fails. */
async function run(what: string, program: string, args: readonly string[]): Promise<void> {
  // Jest sets another NODE_ENV, which would make Vite build the console for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  children.add(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  children.delete(child);
  if (code !== 0) throw new Error(`${what} failed`);
  report(`  ${what}: done after ${seconds()}`);
}

const beside = (script: string): string => join(import.meta.dirname, script);

async function buildInto(folder: string): Promise<void> {
  mkdirSync(folder);
  const consoleFolder = join(process.cwd(), folder, 'console');
  const vite = ['build', 'console', '--logLevel', 'warn', '--emptyOutDir', '--outDir', consoleFolder];
  const compile = async (): Promise<void> => {
    await Promise.all([
      run('the request and response classes', beside('compile-dtos.ts'), [folder]),
      run('the service', beside('compile.ts'), [folder]),
    ]);
    await run('the bundles', beside('bundle.ts'), [folder]);
  };
  await Promise.all([compile(), run('the console', 'node_modules/vite/bin/vite.js', vite)]);
}

/** Publishes the build of these inputs as dist/: creates a new link and renames it over the former one. */
function publish(digest: string): void {
  const folder = folderOf(digest);
  const now = new Date();
  utimesSync(join(folder, DIGEST_FILE), now, now);
  const link = `.dist-link-${process.pid}`;
  const old = `.dist-old-${process.pid}`;
  rmSync(link, { force: true });
  symlinkSync(folder, link);
  try {
    renameSync(link, DIST);
  } catch (error) {
    // A rename cannot replace a folder by a link. Earlier versions of the build created such a folder: move it away
    // first.
    if (!['EISDIR', 'EEXIST', 'ENOTEMPTY'].includes(codeOf(error)!)) throw error;
    renameSync(DIST, old);
    renameSync(link, DIST);
    rmSync(old, { recursive: true, force: true });
  }
  removeFormer(folder);
}

/**
 * Renames a complete build to its final name. If another build of the same inputs was faster, deletes this one, because
 * services may run from the other.
 */
function keep(folder: string, digest: string): void {
  writeFileSync(join(folder, DIGEST_FILE), digest);
  try {
    renameSync(folder, folderOf(digest));
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error)!)) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const digest = digestOfInputs();
  if (digestOf(DIST) === digest) return report('The build in dist/ is up to date.');
  removeAbandoned('.', /^\.dist-(?:new|link|old)-(\d+)$/);
  if (digestOf(folderOf(digest)) === digest) {
    publish(digest);
    return report('dist/ is an earlier build of the same sources.');
  }
  const folder = `.dist-new-${process.pid}`;
  const abort = (code: number): never => {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  };
  process.once('SIGINT', () => abort(130)).once('SIGTERM', () => abort(143));
  report('Building dist/ from changed sources:');
  try {
    await buildInto(folder);
    keep(folder, digest);
    publish(digest);
  } catch (error) {
    report(`dist/ was not built: ${(error as Error).message}`);
    abort(1);
  }
  report(`dist/ is ready after ${seconds()}.`);
}

await main();
