import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

const JEST = join(process.cwd(), 'node_modules/jest/bin/jest.js');
const RUNNER = join(process.cwd(), 'test/support/jest/native-runner.mjs');

const FILES = {
  'shared.ts': 'export const loaded = { times: ((globalThis as any).loads = ((globalThis as any).loads ?? 0) + 1) };',
  'a.spec.ts': `import { jest } from '@jest/globals';
    import { loaded } from './shared.js';
    describe('a file', () => {
      const service = {};
      (globalThis as any).service = new WeakRef(service);
      it('has a service', () => expect(service).toEqual({}));
    });
    it('replaces', () => {
      jest.spyOn(Math, 'random').mockReturnValue(7);
      jest.useFakeTimers();
      process.env['OF_A'] = '1';
      process.env['OF_ALL'] = 'changed';
      expect([Math.random(), loaded.times]).toEqual([7, 1]);
    });`,
  'b.spec.ts': `import { loaded } from './shared.js';
    it('finds the original state', async () => {
      expect(Math.random()).toBeLessThan(1);
      expect([process.env['OF_A'], process.env['OF_ALL'], loaded.times]).toEqual([undefined, 'set', 1]);
      await new Promise((resolve) => setTimeout(resolve, 1));
    });
    it('finds no service of an earlier file', () => {
      (globalThis as any).gc();
      expect((globalThis as any).service.deref()).toBeUndefined();
    });
    it('hangs', () => new Promise(() => undefined), 20);
    it('lasts', () => new Promise((resolve) => setTimeout(resolve, 40)), 20);
    it('leaves a rejection unhandled', async () => {
      void Promise.reject(new Error('nobody waits'));
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    it('ends', () => undefined);`,
  'by-name.cjs': `module.exports = class {
      sort = (tests) => tests.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      cacheResults() {}
    };`,
  'c.spec.ts': `throw new Error('no test here');`,
};

describe('the runner of test files', () => {
  let folder: TemporaryFolder;
  let results: Record<string, string[]>;
  const read = async (): Promise<string> => readFile(join(folder.path, 'results.json'), 'utf8');
  let text = '';
  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder.path, name), content);
    const config = {
      rootDir: folder.path,
      testRegex: '\\.spec\\.ts$',
      testRunner: RUNNER,
      testSequencer: '<rootDir>/by-name.cjs',
      transform: {},
    };
    const args = [
      '--expose-gc',
      JEST,
      '-i',
      '--json',
      '--outputFile',
      join(folder.path, 'results.json'),
      '--config',
      JSON.stringify(config),
    ];
    const env = { ...process.env, CI: 'true', OF_ALL: 'set' };
    await promisify(execFile)(process.execPath, args, { env, cwd: folder.path }).catch(() => undefined);
    text = await read();
    results = Object.fromEntries(
      JSON.parse(text).testResults.map((file: { name: string; assertionResults: object[]; message: string }) => [
        file.name.slice(folder.path.length + 1),
        (file.assertionResults as { title: string; status: string }[]).map((test) => `${test.title}: ${test.status}`),
      ]),
    );
  }, 60_000);
  afterAll(() => folder.remove());

  it('loads a module once for all files, and restores mocks, timers and the environment after each', () => {
    expect(results['a.spec.ts']).toEqual(['has a service: passed', 'replaces: passed']);
    expect(results['b.spec.ts']).toContain('finds the original state: passed');
  });

  it('releases what the tests of a file refer to', () => {
    expect(results['b.spec.ts']).toContain('finds no service of an earlier file: passed');
  });

  it('ends a test that hangs, and runs the next tests', () => {
    expect(results['b.spec.ts']).toEqual(expect.arrayContaining(['hangs: failed', 'ends: passed']));
    expect(text).toMatch(/Exceeded timeout of 80 ms/);
  });

  it('multiplies the time limit of a test in CI', () => {
    expect(results['b.spec.ts']).toContain('lasts: passed');
  });

  it('fails a test that leaves a rejection unhandled', () => {
    expect(results['b.spec.ts']).toContain('leaves a rejection unhandled: failed');
    expect(text).toMatch(/nobody waits/);
  });

  it('fails a file that throws while it is loaded', () => {
    expect(results['c.spec.ts']).toEqual([]);
    expect(text).toMatch(/"numRuntimeErrorTestSuites":1.*no test here/);
  });
});
