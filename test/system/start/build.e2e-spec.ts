import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync, statSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const WITHIN_MS = 120_000;

/** A program that imports a file only after it has read a line. */
const PROGRAM = (version: string): string => `import { createInterface } from 'node:readline';
export const version: string = '${version}';
console.log('started');
createInterface({ input: process.stdin }).on('line', () => {
  void import('./late.js').then(({ late }) => console.log(late), (error: Error) => console.log(error.message));
});
`;
const DTO = `import { ApiProperty } from '@nestjs/swagger';
export class ThingRequest {
  /** What it is called. */
  name!: string;

  @ApiProperty({ minimum: 0 })
  count?: number | null;
}
`;

const BUNDLED = `export const name = import.meta.filename;
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
  } catch {
    return false;
  }
  return true;
}
`;

describe('npm run build', () => {
  let folder: TemporaryFolder;
  const write = (file: string, content: string): Promise<void> => writeFile(join(folder.path, file), content);
  const built = (file: string): Promise<string> => readFile(join(folder.path, 'dist', file), 'utf8');
  async function change(version: string): Promise<void> {
    await write('src/main.ts', PROGRAM(version));
    await write('src/late.ts', `export const late: string = 'late ${version}';\n`);
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const name of ['src', 'console']) await mkdir(join(folder.path, name));
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'ES2023',
      rootDir: './src',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      sourceMap: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    };
    await write('package.json', '{"type":"module"}');
    const { compilerOptions: ours } = JSON.parse(await readFile(join(ROOT, 'nest-cli.json'), 'utf8')) as {
      compilerOptions: { plugins: object[] };
    };
    const nest = { sourceRoot: 'src', compilerOptions: { tsConfigPath: 'tsconfig.json', plugins: ours.plugins } };
    await write('nest-cli.json', JSON.stringify(nest));
    await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'], exclude: ['src/*.spec.ts'] }));
    await change('one');
    await write('src/thing.dto.ts', DTO);
    await write('src/agent.ts', `export { late } from './late.ts';\n`);
    await mkdir(join(folder.path, 'packages/models/src'), { recursive: true });
    await write('packages/models/src/index.ts', `export const model: string = 'a model';\n`);
    await mkdir(join(folder.path, 'src/deep'));
    await write('src/deep/uses.ts', `export { model } from '@gatehouse/models';\n`);
    await write('src/data.json', '{}');
    for (const name of ['start', 'serve', 'worker']) await write(`src/${name}.ts`, BUNDLED);
    await write('console/index.html', '<title>one</title><script type="module" src="/mode.js"></script>');
    await write('console/mode.js', 'document.title = process.env.NODE_ENV;\n');
  });
  afterAll(() => folder.remove());

  /** Runs a build. Meanwhile reads a file of dist/ repeatedly, if it exists. */
  async function build(): Promise<{ code: unknown; said: string; missing: number }> {
    const child = spawn(process.execPath, [join(ROOT, 'dev/build.ts')], {
      cwd: folder.path,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const exited = once(child, 'close');
    const isThere = (): boolean => statSync(join(folder.path, 'dist/main.js'), { throwIfNoEntry: false }) !== undefined;
    const wasThere = isThere();
    let missing = 0;
    for (; child.exitCode === null && child.signalCode === null; await sleep(1))
      for (let round = 0; wasThere && round < 100; round++) if (!isThere()) missing++;
    return { code: (await exited)[0], said: await said, missing };
  }
  const builds = async (): Promise<string[]> => (await readdir(folder.path)).filter((name) => name.startsWith('.dist'));

  it(
    'compiles the service and the console into dist/, which is a link to a folder next to it',
    async () => {
      const { code, said } = await build();
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(/^Building dist\/[^]*the console: done[^]*dist\/ is ready/m),
      ]);
      expect(await built('main.js')).toContain(`'one'`);
      expect(JSON.parse(await built('main.js.map'))).toMatchObject({ sources: ['../src/main.ts'] });
      expect([await built('data.json'), await built('console/index.html')]).toEqual([
        '{}',
        expect.stringContaining('one'),
      ]);
      expect(await builds()).toEqual([await readlink(join(folder.path, 'dist'))]);
    },
    WITHIN_MS,
  );

  it('builds the console for production, also when run by Jest', async () => {
    expect(process.env['NODE_ENV']).toBe('test');
    const [script] = await readdir(join(folder.path, 'dist/console/assets'));
    expect(await built(`console/assets/${script}`)).toContain('production');
  });

  it('imports compiled files if the source names TypeScript files', async () => {
    expect(await built('agent.js')).toMatch(/from ["']\.\/late\.js["']/);
  });

  it('has a copy of each npm workspace, which the service imports', async () => {
    expect(await built('deep/uses.js')).toMatch(/from ['"]\.\.\/models\/index\.js['"]/);
    const { model } = (await import(join(folder.path, 'dist/deep/uses.js'))) as { model: string };
    expect(model).toBe('a model');
  });

  it('joins the modules of a start into bundles, in which each file keeps its own import.meta.url', async () => {
    const { name, isDecodable } = (await import(join(folder.path, 'dist/serve.js'))) as {
      name: string;
      isDecodable: (text: string) => boolean;
    };
    expect(name).toBe(join(await realpath(folder.path), await readlink(join(folder.path, 'dist')), 'serve.js'));
    // A call whose only purpose is its error must not be removed as dead code.
    expect([isDecodable('%41'), isDecodable('%')]).toEqual([true, false]);
    expect(JSON.parse(await built('serve.js.map'))).toMatchObject({ sources: ['../src/serve.ts'] });
  });

  it('describes the members of request and response classes by their types and comments', async () => {
    expect(await built('thing.dto.js')).toContain(
      'name: { required: true, type: () => String, description: "What it is called." }',
    );
    expect(JSON.parse(await built('thing.dto.js.map'))).toMatchObject({ sources: ['../src/thing.dto.ts'] });
  });

  it(
    'builds nothing if only tests have changed',
    async () => {
      await write('src/main.spec.ts', 'it.todo("fails");\n');
      expect(await build()).toEqual({ code: 0, said: 'The build in dist/ is up to date.\n', missing: 0 });
    },
    WITHIN_MS,
  );

  it(
    'keeps dist/ unchanged while it builds, and if the sources cannot be compiled',
    async () => {
      const before = await builds();
      await write('src/main.ts', 'export const version: string = ;\n');
      expect(await build()).toEqual({ code: 1, said: expect.stringContaining('dist/ was not built'), missing: 0 });
      expect([await built('main.js'), await builds()]).toEqual([expect.stringContaining(`'one'`), before]);

      await change('two');
      expect(await build()).toMatchObject({ code: 0, missing: 0 });
      expect(await built('main.js')).toContain(`'two'`);
    },
    WITHIN_MS,
  );

  it(
    'reuses an earlier build if its sources are restored',
    async () => {
      await change('one');
      expect(await build()).toEqual({ code: 0, said: expect.stringContaining('an earlier build'), missing: 0 });
      expect(await built('main.js')).toContain(`'one'`);
    },
    WITHIN_MS,
  );

  it(
    'can run twice at the same time',
    async () => {
      await change('three');
      for (const { code, missing } of await Promise.all([build(), build()])) expect([code, missing]).toEqual([0, 0]);
      expect([await built('main.js'), await builds()]).toEqual([
        expect.stringContaining(`'three'`),
        expect.not.arrayContaining([expect.stringMatching(/new|link|old/)]),
      ]);
    },
    WITHIN_MS,
  );

  it(
    'keeps the files of a running service during the next two builds, and removes older ones',
    async () => {
      const published = readlinkSync(join(folder.path, 'dist'));
      const service: ChildProcess = spawn(process.execPath, ['dist/main.js'], {
        cwd: folder.path,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: service.stdout! });
      const says = async (): Promise<string> => ((await once(lines, 'line')) as [string])[0];
      expect(await says()).toBe('started');
      for (const version of ['four', 'five']) {
        await change(version);
        expect(await build()).toMatchObject({ code: 0, missing: 0 });
      }
      service.stdin!.end('load\n');
      expect(await says()).toBe('late three');
      expect(await builds()).toHaveLength(3);

      await change('six');
      expect(await build()).toMatchObject({ code: 0, missing: 0 });
      expect(await builds()).toHaveLength(3);
      expect(await builds()).not.toContain(published);
    },
    WITHIN_MS,
  );

  it(
    'replaces a folder dist/ that an earlier version of the build made',
    async () => {
      await rm(join(folder.path, 'dist'));
      await mkdir(join(folder.path, 'dist'));
      await write('dist/main.js', 'old');
      expect(await build()).toMatchObject({ code: 0 });
      expect((await lstat(join(folder.path, 'dist'))).isSymbolicLink()).toBe(true);
      expect(await built('main.js')).toContain(`'six'`);
    },
    WITHIN_MS,
  );
});
