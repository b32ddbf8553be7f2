import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { type Registry, startRegistry } from './registry.js';

const ROOT = process.cwd();
const PACKAGE = 'foreign-client';
const TIME_LIMIT = 120_000;
const UNREACHABLE = 'http://127.0.0.1:9/';

interface Run {
  readonly code: number;
  readonly output: string;
}

describe('the packages of the tests', () => {
  let folder: TemporaryFolder;
  let registry: Registry;
  const at = (path: string): string => join(folder.path, 'project', path);
  const installed = (): string => readFileSync(at(`test/node_modules/${PACKAGE}/main.js`), 'utf8');
  const installedOf = (version: string): string => `export default '${version}';\n`;

  /** Runs a program of the project with the registry at `url`. Each registry has its own npm cache. */
  function run(args: readonly string[], url = registry.url): Promise<Run> {
    const env = {
      ...process.env,
      NO_COLOR: '1',
      NODE_OPTIONS: '',
      npm_config_registry: url,
      npm_config_cache: join(folder.path, `cache-${url === UNREACHABLE ? 'empty' : 'filled'}`),
    };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: at('.'), env, timeout: TIME_LIMIT }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      );
    });
  }
  const step = (url?: string): Promise<Run> => run(['dev/test-packages.ts'], url);
  const suites = (url: string, ...patterns: string[]): Promise<Run> =>
    run([join(ROOT, 'node_modules/jest/bin/jest.js'), ...patterns], url);

  /** Writes the manifest and the lock file of the tests, with one version of the package. */
  function depend(locked: { readonly version: string; readonly integrity: string }): void {
    const root = { name: 'tests', dependencies: { [PACKAGE]: locked.version } };
    write('test/package.json', JSON.stringify({ ...root, type: 'module' }));
    const packages = { '': root, [`node_modules/${PACKAGE}`]: locked };
    write('test/package-lock.json', JSON.stringify({ name: 'tests', lockfileVersion: 3, requires: true, packages }));
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    registry = await startRegistry(folder.path);
    for (const path of [
      'dev/abandoned-files.ts',
      'dev/test-packages.ts',
      'test/.npmrc',
      'test/support/test-packages',
    ]) {
      mkdirSync(dirname(at(path)), { recursive: true });
      cpSync(join(ROOT, path), at(path), { recursive: true, filter: (from) => !from.endsWith('.spec.ts') });
    }
    symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
    const filter = '<rootDir>/test/support/test-packages/suite-filter.ts';
    const testRunner = join(ROOT, 'test/support/jest/native-runner.mjs');
    const project = { testRunner, transform: {}, roots: ['<rootDir>/test'] };
    const projects = ['spec', 'second'].map((displayName) => ({
      ...project,
      displayName,
      testRegex: `\\.${displayName}\\.ts$`,
    }));
    write('package.json', JSON.stringify({ type: 'module', jest: { filter, projects } }));
    write('test/client.ts', `import version from '${PACKAGE}';\nexport const client = version;\n`);
    for (const suite of ['needy.spec', 'needy.second'])
      write(
        `test/${suite}.ts`,
        `import { client } from './client.js';\nit('runs', () => { expect(client).toBe('2.0.0'); });`,
      );
    write('test/plain.spec.ts', `it('runs', () => { expect(1).toBe(1); });`);
    depend(await registry.publish(PACKAGE, '1.0.0'));
  }, TIME_LIMIT);
  afterAll(async () => {
    await registry?.close();
    await folder?.remove();
  });

  it(
    'that are missing and cannot be fetched fail the step with the reason, and leave no files',
    async () => {
      const { code, output } = await step(UNREACHABLE);

      expect(code).toBe(1);
      expect(output).toContain('ECONNREFUSED');
      expect(output).toContain('the packages of test/package.json could not be installed');
      expect(readdirSync(at('test')).filter((name) => name.startsWith('.packages'))).toEqual([]);
      expect(existsSync(at('test/node_modules'))).toBe(false);
    },
    TIME_LIMIT,
  );

  it(
    'that cannot be fetched cause the suites that need them to be skipped and listed; the other suites run',
    async () => {
      const { code, output } = await suites(UNREACHABLE);

      expect(code).toBe(0);
      expect(output).toContain('PASS spec test/plain.spec.ts');
      expect(output).toContain(`skipped: test/needy.spec.ts (needs ${PACKAGE})`);
      expect(output).toContain('Suites skipped without the packages of test/package.json: 2');
      expect(output).not.toMatch(/(PASS|FAIL) \w+ test\/needy/);
    },
    TIME_LIMIT,
  );

  it(
    'are not fetched for a run of suites that need none',
    async () => {
      const { code, output } = await suites(UNREACHABLE, 'plain');

      expect(code).toBe(0);
      expect(output).toContain('PASS spec test/plain.spec.ts');
      expect(output).not.toMatch(/Installing|skipped:/);
    },
    TIME_LIMIT,
  );

  it(
    'are installed if they are missing, with a line of progress',
    async () => {
      const { code, output } = await step();

      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringMatching(/^Installing .*\n… installed after \d+ s\.\n$/),
      });
      expect(installed()).toBe(installedOf('1.0.0'));
      expect(readdirSync(at('test')).filter((name) => name.startsWith('.packages'))).toEqual([]);
    },
    TIME_LIMIT,
  );

  it(
    'are not installed again while the lock file is the same',
    async () => {
      registry.requests.length = 0;

      expect(await step()).toEqual({ code: 0, output: '' });
      expect(registry.requests).toEqual([]);
    },
    TIME_LIMIT,
  );

  it(
    'of an earlier lock file count as missing, and are kept if the new packages cannot be fetched',
    async () => {
      depend(await registry.publish(PACKAGE, '2.0.0'));

      expect((await step(UNREACHABLE)).code).toBe(1);
      expect((await suites(UNREACHABLE)).output).toContain('skipped: test/needy.spec.ts');
      expect(installed()).toBe(installedOf('1.0.0'));
    },
    TIME_LIMIT,
  );

  it(
    'of an earlier lock file are replaced by a run of a suite that needs them',
    async () => {
      const { code, output } = await suites(registry.url);

      // Jest calls the filter for all projects at the same time.
      expect(output.match(/Installing the packages of test\/package.json/g)).toHaveLength(1);
      expect(output).toContain('PASS spec test/needy.spec.ts');
      expect(output).toContain('PASS second test/needy.second.ts');
      expect(code).toBe(0);
      expect(installed()).toBe(installedOf('2.0.0'));
    },
    TIME_LIMIT,
  );

  it(
    'are replaced if an install was interrupted, and the files of that install are removed',
    async () => {
      rmSync(at('test/node_modules/.lock-file-digest'));
      // The id of a process that cannot exist.
      mkdirSync(at('test/.packages-99999999'));

      expect(await step()).toMatchObject({ code: 0 });
      expect(installed()).toBe(installedOf('2.0.0'));
      expect(readdirSync(at('test')).filter((name) => name.startsWith('.packages'))).toEqual([]);
    },
    TIME_LIMIT,
  );
});
