import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const WITHIN_MS = 60_000;

/** A service that stops slowly and holds a folder until then, like the real service. */
const program = (version: string): string => `import { mkdirSync, rmdirSync } from 'node:fs';
mkdirSync('held');
console.log('started ${version}');
const alive = setInterval(() => undefined, 1_000);
const stop = (signal: string): void => {
  setTimeout(() => {
    rmdirSync('held');
    console.log('stopped ${version} by ' + signal);
    clearInterval(alive);
    process.exit(0);
  }, 500);
};
process.on('SIGTERM', stop).on('SIGINT', stop);
`;

describe('npm run dev', () => {
  let folder: TemporaryFolder;
  let child: ChildProcess;
  let output = '';
  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'src'));
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'ES2023',
      rootDir: './src',
      outDir: './dist',
      types: ['node'],
      skipLibCheck: true,
    };
    await mkdir(join(folder.path, 'console'));
    await mkdir(join(folder.path, 'dist'));
    await writeFile(join(folder.path, 'dist/main.js'), 'built');
    await mkdir(join(folder.path, '.dist-dev/console'), { recursive: true });
    await writeFile(join(folder.path, '.dist-dev/console/stale.js'), '');
    // The last argument is the output folder.
    const scripts = { 'build:console': 'f() { mkdir -p "$3" && touch "$3/index.html" && echo console built; }; f' };
    await writeFile(join(folder.path, 'package.json'), JSON.stringify({ type: 'module', scripts }));
    await writeFile(join(folder.path, 'nest-cli.json'), '{"sourceRoot":"src","compilerOptions":{"deleteOutDir":true}}');
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    await writeFile(
      join(folder.path, 'tsconfig.dev.json'),
      '{"extends":"./tsconfig.json","compilerOptions":{"outDir":"./.dist-dev"}}',
    );
    await writeFile(join(folder.path, 'src/main.ts'), program('one'));
    child = spawn(process.execPath, [join(ROOT, 'dev/watch.ts')], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (output += stripVTControlCharacters(text)));
  });
  afterAll(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await folder.remove();
  });

  async function says(words: string | RegExp): Promise<void> {
    for (const until = performance.now() + WITHIN_MS; output.search(words) < 0; await sleep(50)) {
      if (performance.now() > until) throw new Error(`it never said ${String(words)}:\n${output}`);
    }
  }
  const change = (text: string): Promise<void> => writeFile(join(folder.path, 'src/main.ts'), text);

  it(
    'builds the console into an emptied folder before the service starts, and does not change dist/',
    async () => {
      await says('started one');
      expect(output).toMatch(/console built[^]*started one/);
      await expect(access(join(folder.path, '.dist-dev/console/index.html'))).resolves.toBeUndefined();
      await expect(access(join(folder.path, '.dist-dev/console/stale.js'))).rejects.toThrow('ENOENT');
      await expect(readFile(join(folder.path, 'dist/main.js'), 'utf8')).resolves.toBe('built');
    },
    2 * WITHIN_MS,
  );

  it(
    'starts the service, and after a change starts it again when the old process has stopped',
    async () => {
      await says('started one');
      await change(program('two'));
      await says('started two');

      expect(output).toMatch(/started one[^]*stopped one by SIGTERM[^]*started two/);
      expect(output).not.toContain('EEXIST');
    },
    2 * WITHIN_MS,
  );

  it(
    'keeps the running service while the source has errors',
    async () => {
      await change('const wrong: number = "text";\nexport { wrong };\n');
      await says(/error TS2322/);
      await says(/Found 1 error/);
      expect(output).not.toContain('stopped two');

      await change(program('three'));
      await says('started three');
      expect(output).toMatch(/stopped two by SIGTERM[^]*started three/);
    },
    2 * WITHIN_MS,
  );

  it(
    'stops the service and the compiler on Ctrl-C',
    async () => {
      child.kill('SIGINT');
      // `close` comes after the last output.
      const [code] = (await once(child, 'close')) as [number | null];

      expect(code).toBe(0);
      expect(output).toContain('stopped three by SIGINT');
    },
    WITHIN_MS,
  );
});
