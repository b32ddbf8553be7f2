import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../..');
const WITHIN_MS = 120_000;

describe('npm run build', () => {
  let folder: TemporaryFolder;
  const write = (file: string, content: string): Promise<void> => writeFile(join(folder.path, file), content);
  const built = (file: string): Promise<string> => readFile(join(folder.path, 'dist', file), 'utf8');

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const name of ['src', 'console']) await mkdir(join(folder.path, name));
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'ES2023',
      rootDir: './src',
      outDir: './dist',
      types: ['node'],
      skipLibCheck: true,
      sourceMap: true,
    };
    await write('package.json', '{"type":"module"}');
    const assets = [{ include: '**/*.json', outDir: 'dist' }];
    const nest = { sourceRoot: 'src', compilerOptions: { tsConfigPath: 'tsconfig.json', assets } };
    await write('nest-cli.json', JSON.stringify(nest));
    await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'], exclude: ['src/*.spec.ts'] }));
    await write('src/main.ts', 'export const version: string = "one";\n');
    await write('src/data.json', '{}');
    await write('console/index.html', '<title>one</title>');
  });
  afterAll(() => folder.remove());

  /** Builds, and watches dist/ if there is one. */
  async function build(): Promise<{ code: unknown; said: string; missing: number }> {
    const child = spawn(process.execPath, [join(ROOT, 'dev/build.ts')], {
      cwd: folder.path,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const exited = once(child, 'close');
    const file = join(folder.path, 'dist/main.js');
    const isThere = existsSync(file);
    let missing = 0;
    // One folder takes the place of the other by two calls: it may be missed once, but not twice in a row.
    while (child.exitCode === null && child.signalCode === null) {
      if (isThere && !existsSync(file) && !existsSync(file)) missing++;
      await sleep(5);
    }
    return { code: (await exited)[0], said: await said, missing };
  }
  const leftovers = async (): Promise<string[]> =>
    (await readdir(folder.path)).filter((name) => name.startsWith('.dist'));

  it(
    'compiles the service and the console into dist/, and says so',
    async () => {
      const { code, said } = await build();
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(/^Building dist\/[^]*the console: done[^]*dist\/ is ready/m),
      ]);
      expect(await built('main.js')).toContain('"one"');
      expect(JSON.parse(await built('main.js.map'))).toMatchObject({ sources: ['../src/main.ts'] });
      expect([await built('data.json'), await built('console/index.html')]).toEqual([
        '{}',
        expect.stringContaining('one'),
      ]);
      expect(await readdir(join(folder.path, 'dist'))).not.toContain('tsconfig.json');
      expect(await leftovers()).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    'builds nothing while its inputs are the same, tests aside',
    async () => {
      await write('src/main.spec.ts', 'it.todo("fails");\n');
      expect(await build()).toEqual({ code: 0, said: 'The build in dist/ is up to date.\n', missing: 0 });
    },
    WITHIN_MS,
  );

  it(
    'keeps dist/ as it is while it builds, and where the sources cannot be compiled',
    async () => {
      await write('src/main.ts', 'export const version: string = 2;\n');
      expect(await build()).toEqual({ code: 1, said: expect.stringContaining('dist/ was not built'), missing: 0 });
      expect([await built('main.js'), await leftovers()]).toEqual([expect.stringContaining('"one"'), []]);

      await write('src/main.ts', 'export const version: string = "two";\n');
      expect(await build()).toMatchObject({ code: 0, missing: 0 });
      expect([await built('main.js'), await leftovers()]).toEqual([expect.stringContaining('"two"'), []]);
    },
    WITHIN_MS,
  );

  it(
    'may run twice at once',
    async () => {
      await write('src/main.ts', 'export const version: string = "three";\n');
      for (const { code, missing } of await Promise.all([build(), build()])) expect([code, missing]).toEqual([0, 0]);
      expect([await built('main.js'), await leftovers()]).toEqual([expect.stringContaining('"three"'), []]);
    },
    WITHIN_MS,
  );
});
