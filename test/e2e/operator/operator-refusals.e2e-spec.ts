import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Config } from '../../../src/config/config.js';
import { operatorProgram } from '../../../src/operator/operator-program.js';
import { databaseOpener, operatorOpener } from '../../../src/operator/operator-session.js';
import { freePort } from '../../support/services/free-port.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');

/** Runs the command line as a separate process, like `npm run operator`. */
function operator(env: Readonly<Record<string, string>>, ...words: string[]): Promise<Run> {
  const args = ['--import', './dev/typescript-loader.ts', 'src/operator/main.ts', ...words];
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: ROOT, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env } },
      (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const oneLine = (text: string): string => {
  expect(text).toMatch(/^error: [^\n]+\n$/);
  return text;
};

describe("the operator's command line", () => {
  let folder: TemporaryFolder;
  let empty: TestDatabase;
  beforeAll(async () => {
    folder = await temporaryFolder();
    empty = await createTestDatabase();
  });
  afterAll(async () => {
    await empty.drop();
    await folder.remove();
  });

  describe('on a folder that is not a data folder', () => {
    it.each([
      ['accounts', 'list'],
      ['keys', 'list'],
      ['backup', '/dev/null/x'],
      ['files', 'verify'],
      ['secrets', 'rotate-master-key'],
    ])('%s %s reports that there is no database, and creates nothing', async (...words) => {
      const dataDir = join(folder.path, 'mistyped');
      const openDatabase = databaseOpener(() => Config.read({ DATA_DIR: dataDir }));
      const program = operatorProgram(operatorOpener(openDatabase), openDatabase);

      await expect(program.parseAsync(words, { from: 'user' })).rejects.toMatchObject({
        kind: 'not_found',
        message:
          `There is no Gatehouse database in ${dataDir}: check DATA_DIR. The first start of the service ` +
          'creates one; nothing was changed',
      });
      await expect(access(dataDir)).rejects.toThrow('ENOENT');
    });

    it('exits with 1, and does not change a folder with other contents', async () => {
      const dataDir = join(folder.path, 'of-others');
      await mkdir(dataDir);
      await writeFile(join(dataDir, 'letter.txt'), 'hello');

      const { code, stderr } = await operator({ DATA_DIR: dataDir }, 'accounts', 'list');

      expect(code).toBe(1);
      expect(oneLine(stderr)).toContain(`There is no Gatehouse database in ${dataDir}`);
      expect(await readdir(dataDir)).toEqual(['letter.txt']);
    }, 60_000);
  });

  describe('if the database cannot be used', () => {
    it('reports a refused connection in one line, without the password', async () => {
      const port = await freePort();
      const { code, stdout, stderr } = await operator(
        { DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${port}/db` },
        'accounts',
        'list',
      );

      expect([code, stdout]).toEqual([1, '']);
      expect(oneLine(stderr)).toContain(
        `The database at 127.0.0.1:${port}/db does not accept connections (ECONNREFUSED): start it, or check ` +
          `DATABASE_URL`,
      );
      expect(stderr).not.toContain('hunter2');
    }, 60_000);

    it.each([
      ['an unknown host', 'postgres://u:hunter2@no-such-host.invalid/db', /\(E(NOTFOUND|AI_AGAIN)\)/],
      ['a wrong password', '', /password authentication failed|28P01/],
    ])(
      'reports %s in one line',
      async (_, url, reason) => {
        const wrong = url || empty.url.replace(/:[^:@/]*@/, ':hunter2@');
        const { code, stderr } = await operator({ DATABASE_URL: wrong }, 'accounts', 'list');

        expect(code).toBe(1);
        expect(oneLine(stderr)).toMatch(reason);
        expect(stderr).not.toContain('hunter2');
      },
      60_000,
    );

    it('stops waiting for a server that does not respond', async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as { port: number };
      const { code, stderr } = await operator(
        { DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/db` },
        'accounts',
        'list',
      );
      silent.close();

      expect(code).toBe(1);
      expect(oneLine(stderr)).toContain('does not respond within 10 s');
    }, 60_000);

    it('creates no tables in a foreign database', async () => {
      const bare = empty.url.replace(/[^/]*$/, 'template1');
      const { code, stderr } = await operator({ DATABASE_URL: bare }, 'accounts', 'list');

      expect(code).toBe(1);
      expect(oneLine(stderr)).toContain('There is no Gatehouse database at');
      expect(stderr).toContain('/template1: check DATABASE_URL');
    }, 60_000);
  });

  it('--version prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await operator({}, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  }, 60_000);

  it('--help explains every command, argument and option', () => {
    const never = (): never => {
      throw new Error('nothing is opened for help');
    };
    const commands = allCommands(operatorProgram(never, never)).filter((command) => command.name() !== 'operator');
    const lines = commands.map((command) => [command, command.createHelp()] as const);

    expect(commands.length).toBeGreaterThan(30);
    expect(commands.filter((command) => command.description() === '').map((command) => command.name())).toEqual([]);
    const options = lines.flatMap(([command, help]) =>
      help.visibleOptions(command).map((option) => [command.name(), option.flags, option.description]),
    );
    expect(options.filter(([, , description]) => description === '')).toEqual([]);
    for (const [command] of lines) expect(command.helpInformation()).toContain('Usage:');
  });
});

const allCommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((each) => allCommands(each)),
];
