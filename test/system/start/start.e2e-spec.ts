import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/services/free-port.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { runServiceToExit, spawnService, startServiceProcess } from '../../support/services/service-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const isRoot = process.getuid?.() === 0;

describe('a service that cannot start exits with 1, and reports in one line:', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  async function refusal(env: Record<string, string>): Promise<string> {
    const { code, output } = await runServiceToExit(env);
    const lines = output.trim().split('\n');
    expect([code, lines.length, output]).toEqual([1, 1, expect.stringMatching(/^Gatehouse cannot start: /)]);
    return lines[0]!;
  }

  it('a bad variable', async () => {
    expect(await refusal({ PORT: 'eighty', DATA_DIR: join(folder.path, 'a') })).toBe(
      'Gatehouse cannot start: PORT must be a whole number from 0 to 65535',
    );
  }, 60_000);

  it('a data folder that is a file', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: file })).toContain(file);
  }, 60_000);

  // Root may write everywhere, so a folder on a read-only file system replaces the unwritable one.
  it('an unwritable data folder', async () => {
    const parent = join(folder.path, 'locked');
    await mkdir(parent);
    await chmod(parent, 0o500);
    const dataDir = isRoot ? '/proc/gatehouse' : join(parent, 'data');
    expect(await refusal({ DATA_DIR: dataDir })).toContain(dataDir);
  }, 60_000);

  it('a database that does not respond', async () => {
    const line = await refusal({
      DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:9/none',
      DATA_DIR: join(folder.path, 'b'),
    });
    expect(line).toContain('DATABASE_URL');
    expect(line).not.toContain('hunter2');
  }, 60_000);

  it.each([
    ['127.0.0.1', 'PORT', (port: number) => `port ${port} on 127.0.0.1 is in use`],
    ['::1', 'PORT', (port: number) => `port ${port} on ::1 is in use`],
    ['127.0.0.1', 'METRICS_PORT', (port: number) => `METRICS_PORT ${port} cannot be opened`],
  ])(
    'a port in use at %s (%s), before a database is created',
    async (host, variable, words) => {
      const dataDir = join(folder.path, 'unmade');
      const taken = createServer().listen(0, host);
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      expect(await refusal({ DATA_DIR: dataDir, [variable]: String(port) })).toContain(words(port));
      taken.close();
      await expect(stat(dataDir)).rejects.toThrow('ENOENT');
    },
    60_000,
  );

  it('a second service on the same folder; the first continues to run', async () => {
    const dataDir = join(folder.path, 'data');
    const first = await startServiceProcess({ DATA_DIR: dataDir });
    try {
      const line = await refusal({ DATA_DIR: dataDir });
      expect(line).toContain(dataDir);
      expect(line).toContain(String(first.pid));
      expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    } finally {
      first.kill('SIGTERM');
      expect(await first.exited).toBe(0);
    }
  }, 120_000);
});

describe('a service on an external database', () => {
  let folder: TemporaryFolder;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase();
    const file = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);
    await file('empty.pem', '');
    await file('no-certificate.pem', '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n');
    await file('file', 'no folder');
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  /** Values that only a start can reject. The configuration checks numbers and addresses (config.spec.ts). */
  const REFUSED: readonly [variable: string, value: string, what: string][] = [
    ['OPENAI_BASE_URL', 'not a url', 'not a URL'],
    ['BLACK_FOREST_LABS_BASE_URL', 'api.example.com', 'no scheme'],
    ['EGRESS_CA_FILE', '@/missing.pem', 'a missing file'],
    ['EGRESS_CA_FILE', '@/empty.pem', 'a file without a certificate'],
    ['EGRESS_CA_FILE', '@/no-certificate.pem', 'a file whose certificate cannot be parsed'],
    ['HOST', 'no-such-host.invalid', 'a name that does not resolve'],
    ['HOST', 'not a host', 'not a name'],
    ['HOST', '203.0.113.7', 'an address of another machine'],
    ['TRUST_PROXY', '10.0.0.0/99', 'an invalid range'],
    ['DATA_DIR', '@/file', 'a file'],
    ['DATA_DIR', '/proc/gatehouse', 'a folder that cannot be created'],
    ['DATABASE_URL', 'postgres://user:p%zz@127.0.0.1:9/x', 'a password that is not correctly encoded'],
    [
      'DATABASE_URL',
      'postgres://127.0.0.1:9/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      'a missing certificate',
    ],
    ['DATABASE_URL', 'postgres://no-such-host.invalid/x', 'a host that does not resolve'],
    ['DATABASE_DIRECT_URL', 'postgres://127.0.0.1:9/x', 'a port without a listener'],
  ];
  // Each row starts the service. A short run includes one row for each variable.
  it.each(REFUSED.filter(([variable], at) => LONG_TESTS || at === REFUSED.findIndex(([first]) => first === variable)))(
    'refuses %s=%s (%s) in one line that names the variable',
    async (variable, value) => {
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder.path, 'data'),
        MASTER_KEY: 'a1'.repeat(32),
        [variable]: value.replace('@', folder.path),
      };
      const { code, output } = await runServiceToExit(env);
      expect([code, output.trim().split('\n').length, output]).toEqual([
        1,
        1,
        expect.stringMatching(/^Gatehouse cannot start: /),
      ]);
      expect(output).toContain(variable);
      expect(output).not.toMatch(/p%zz|at .*\.[jt]s:/);
    },
    60_000,
  );
});

const NO_KEYS = { BOOTSTRAP_MANAGEMENT_KEY: '', BOOTSTRAP_API_KEY: '' };
const KEY = /sk-gh-v1-[0-9a-f]{64}/g;
const CONSOLE_LINK = /http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{22}/;

describe('the first start', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  const outputOf = async (env: Record<string, string>): Promise<string> => {
    const service = await startServiceProcess({ ...NO_KEYS, ...env });
    service.kill('SIGINT');
    await service.exited;
    return service.output();
  };

  it('creates keys, shows them once, and keeps them readable by their owner only', async () => {
    const dataDir = join(folder.path, 'first');
    const output = await outputOf({ DATA_DIR: dataDir });
    expect(output).toMatch(CONSOLE_LINK);
    const shown = output.match(KEY) ?? [];
    expect(shown).toHaveLength(2);
    for (const file of ['api-key', 'management-key'])
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);

    const second = await startServiceProcess({ ...NO_KEYS, DATA_DIR: dataDir });
    const answer = await fetch(`${second.origin}/api/v1/models`, { headers: { authorization: `Bearer ${shown[1]}` } });
    second.kill('SIGINT');
    await second.exited;
    expect(answer.status).toBe(200);
    expect(second.output()).not.toContain('sk-gh-v1-');
    expect(second.output()).toContain(`$(cat ${dataDir}/api-key)`);
  }, 120_000);

  it('that fails because the port is in use shows no keys: only the next start shows them', async () => {
    const dataDir = join(folder.path, 'taken');
    const port = await freePort();
    const failing = spawnService({ ...NO_KEYS, DATA_DIR: dataDir, PORT: String(port) });
    // The port was free when the start checked it. Take it while the database is created.
    await eventually(() => stat(join(dataDir, 'postgres')), 30_000);
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    expect([await failing.exited, failing.output()]).toEqual([1, expect.stringContaining('is in use')]);
    taken.close();
    expect(failing.output()).not.toMatch(KEY);

    const shown = (await outputOf({ DATA_DIR: dataDir })).match(KEY) ?? [];
    const kept = await Promise.all(['management-key', 'api-key'].map((file) => readFile(join(dataDir, file), 'utf8')));
    expect(shown).toEqual(kept.map((text) => text.trim()));
    const later = await outputOf({ DATA_DIR: dataDir });
    expect([later.match(KEY), later.match(CONSOLE_LINK)]).toEqual([null, null]);
  }, 120_000);

  it('into a pipe logs JSON lines that name the files of the keys and of the link, and contain neither', async () => {
    const dataDir = join(folder.path, 'piped');
    const output = await outputOf({ DATA_DIR: dataDir, LOG_FORMAT: '', LOG_LEVEL: 'info' });

    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ msg }) => msg === 'Gatehouse is ready')).toMatchObject({
      level: 'info',
      context: 'service',
      api: expect.stringMatching(/^http:.*\/api\/v1$/),
      console_link_file: join(dataDir, 'console-link'),
      key_files: [join(dataDir, 'management-key'), join(dataDir, 'api-key')],
    });
    expect(lines.at(-1)).toMatchObject({ msg: 'SIGINT: finishing the open calls. Repeat it to stop immediately.' });
    expect(output).not.toMatch(KEY);
    expect(output).not.toContain('code=');
    expect(await readFile(join(dataDir, 'console-link'), 'utf8')).toMatch(new RegExp(`^${CONSOLE_LINK.source}\\n$`));
    expect((await stat(join(dataDir, 'console-link'))).mode & 0o777).toBe(0o600);
    // The first start printed the keys. Later starts must not print them, because other people may read the output.
    expect(await outputOf({ DATA_DIR: dataDir })).not.toMatch(KEY);
    await expect(stat(join(dataDir, 'console-link'))).rejects.toThrow('ENOENT');
  }, 120_000);

  it.each([
    ['json', /^\{"level":"fatal",.*"msg":"Gatehouse cannot start: PORT must be a whole number from 0 to 65535"\}\n$/],
    ['text', /^Gatehouse cannot start: PORT must be a whole number from 0 to 65535\n$/],
  ])(
    'with a bad variable is reported as %s',
    async (format, line) => {
      expect(await runServiceToExit({ PORT: 'eighty', LOG_FORMAT: format })).toEqual({
        code: 1,
        output: expect.stringMatching(line),
      });
    },
    60_000,
  );
});
