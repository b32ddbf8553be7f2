import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InternKeys } from '../../../src/auth/intern-keys.js';
import { Config } from '../../../src/config/config.js';
import { EgressProxy } from '../../../src/egress/egress-proxy.js';
import { Network } from '../../../src/egress/network.js';
import { attempt } from '../../support/secrets/egress-client.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { residentMemory } from '../../support/services/process-memory.js';
import { startInternsStage, type InternsStage } from '../../support/interns/interns-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { openTlsWorld, type TlsWorld } from '../../support/engines/tls-world.js';

const VALUE = `canary-${randomBytes(24).toString('hex')}`;
const canTrace = process.platform === 'linux' && process.getuid?.() === 0;
/** Only in `npm run test:long` and if gdb is installed, because a core dump of Node is large. */
const canDump = canTrace && LONG_TESTS && existsSync('/usr/bin/gcore');
if (!canTrace) process.stderr.write('SKIPPED: the memory of an intern was not searched: that needs root on Linux\n');

describe('the value of a secret that a running intern uses, like the key of the intern,', () => {
  let world: TlsWorld;
  let folder: TemporaryFolder;
  let stage: InternsStage;
  let internId: string;
  let pid: number;
  let logs = '';
  /** The intern's own keys, one for each boot. */
  const ownKeys: string[] = [];
  const write = { out: process.stdout.write.bind(process.stdout), err: process.stderr.write.bind(process.stderr) };

  beforeAll(async () => {
    [world, folder] = await Promise.all([openTlsWorld(), temporaryFolder()]);
    const listen = (through: typeof process.stdout.write) =>
      ((text: string | Uint8Array, ...rest: never[]) => {
        logs += Buffer.from(text as string).toString('utf8');
        return through(text, ...rest);
      }) as typeof process.stdout.write;
    process.stdout.write = listen(write.out);
    process.stderr.write = listen(write.err);
    const authorities = join(folder.path, 'authorities.pem');
    await writeFile(authorities, world.authority);
    stage = await startInternsStage({
      env: {
        LOG_LEVEL: 'debug',
        INTERN_LEASE_MS: '9999',
        EGRESS_PRIVATE_HOSTS: 'api.bound.test',
        EGRESS_CA_FILE: authorities,
      },
    });
    Object.assign(stage.app.get(Network, { strict: false }), {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      portFor: () => world.trusted,
    });
    const keys = stage.app.get(InternKeys, { strict: false });
    const mint = keys.mint.bind(keys);
    keys.mint = async (...given) => {
      const key = await mint(...given);
      ownKeys.push(key.reveal());
      return key;
    };
    await stage.standard.put('/vault/secrets/api_token', { json: { value: VALUE, hosts: ['api.bound.test'] } });
    internId = (await stage.standard.post('/interns', { json: { name: 'canary', provision: true } })).json.id;
    for (
      const until = performance.now() + 25_000;
      (await stage.standard.get(`/interns/${internId}`)).json.status !== 'running';
      await sleep(50)
    ) {
      if (performance.now() > until) throw new Error('the intern is not running');
    }
  }, 60_000);

  // If a busy machine pauses for longer than a lease, the intern is started again as another process.
  beforeEach(async () => {
    for (const until = performance.now() + 25_000; ; await sleep(50)) {
      pid = await readFile(join(place(), 'runtime.json'), 'utf8').then(
        (text) => (JSON.parse(text) as { pid: number }).pid,
        () => 0,
      );
      if (existsSync(`/proc/${pid}/environ`)) return;
      if (performance.now() > until) throw new Error('the intern is no longer running');
    }
  }, 30_000);

  afterAll(async () => {
    process.stdout.write = write.out;
    process.stderr.write = write.err;
    await stage.stop();
    await world.close();
    await folder.remove();
  }, 30_000);

  const marks = (): string[] => [VALUE, ...ownKeys];
  const place = (): string => join(stage.app.get(Config, { strict: false }).values.DATA_DIR, 'interns', internId);
  const environment = (): Record<string, string> =>
    Object.fromEntries(
      readFileSync(`/proc/${pid}/environ`, 'latin1')
        .split('\0')
        .filter(Boolean)
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    );

  const userOf = (of: number): number => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${of}/status`, 'utf8'))![1]);

  it('reaches the host of the secret from a program with only the user and the environment of the intern', async () => {
    const script =
      `fetch('https://api.bound.test/', { headers: { authorization: 'Bearer __vault__api_token__' } })` +
      `.then(async (answer) => console.log(answer.status, await answer.text()))`;
    const user = process.getuid?.() === 0 ? { uid: userOf(pid), gid: userOf(pid) } : {};
    const child = spawn(process.execPath, ['-e', script], {
      ...user,
      cwd: '/',
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    await new Promise((resolve) => child.once('close', resolve));
    expect(said).toMatch(/^200 /);
    expect(said).not.toContain(VALUE);
    expect(world.arrivals.map(({ text }) => text.includes(VALUE))).toEqual([true]);
  }, 30_000);

  it('is in no environment, argument or file of the intern', () => {
    expect(ownKeys.length).toBeGreaterThan(0);
    for (const mark of marks()) {
      expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(mark);
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(mark);
    }
    const files = readdirSync(place(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const content = readFileSync(file, 'latin1');
      for (const mark of marks()) expect(content).not.toContain(mark);
    }
  });

  (canTrace ? it : it.skip)(
    'is nowhere in the memory of the intern, as a core dump would show it, ' +
      'although the intern knows the name of the secret',
    () => {
      let bytes = 0;
      const found = { name: false, value: false };
      for (const piece of residentMemory(pid)) {
        bytes += piece.length;
        found.name ||= piece.includes('api_token');
        found.value ||= piece.includes(VALUE) || piece.includes(Buffer.from(VALUE, 'utf16le'));
      }
      expect(bytes).toBeGreaterThan(10_000_000);
      expect(found).toEqual({ name: true, value: false });
    },
    60_000,
  );

  it('is in no log line at the level debug, not even after a failed connection', async () => {
    const { port, authority } = await stage.app.get(EgressProxy, { strict: false }).endpoint();
    const token = new URL(environment()['HTTPS_PROXY']!).password;
    const request =
      'GET / HTTP/1.1\r\nHost: api.bound.test\r\nAuthorization: Bearer __vault__api_token__\r\n' +
      'Connection: close\r\n\r\n';
    Object.assign(stage.app.get(Network, { strict: false }), { portFor: () => 1 });
    expect((await attempt({ port, token, authority }, { connect: 'api.bound.test:443', request })).text).toMatch(
      /^HTTP\/1\.1 502/,
    );
    for (const mark of marks()) expect(logs).not.toContain(mark);
  });

  it('is in no row of any table, sealed columns included', async () => {
    const tables = await stage.sql.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const rows: string[] = [];
    for (const { name } of tables)
      for (const { row } of await stage.sql.query<{ row: string }>(`select t::text as row from ${name} t`))
        rows.push(row);
    expect(rows.length).toBeGreaterThan(10);
    for (const mark of marks()) {
      const forms = [mark, Buffer.from(mark).toString('hex'), Buffer.from(mark).toString('base64').slice(0, -4)];
      expect(rows.filter((row) => forms.some((form) => row.includes(form)))).toEqual([]);
    }
  });

  it('is valid at the gateway only through the service host: a leaked key is useless elsewhere', async () => {
    const key = ownKeys.at(-1)!;
    expect((await stage.as(key).get('/key')).status).toBe(401);
    const proxy = new URL(environment()['HTTP_PROXY'] ?? environment()['HTTPS_PROXY']!);
    const headers = {
      authorization: `Bearer ${key}`,
      'proxy-authorization': `Basic ${Buffer.from(`intern:${proxy.password}`).toString('base64')}`,
    };
    const path = 'http://gatehouse.internal/api/v1/key';
    const status = await new Promise((resolve, reject) => {
      httpRequest({ host: proxy.hostname, port: proxy.port, path, headers }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  // This test must be the last one: the dump stops the intern, so its lease expires.
  (canDump ? it : it.skip)(
    'is nowhere in a core dump of the intern, which contains the name of the secret',
    async () => {
      execFileSync('gcore', ['-o', join(folder.path, 'core'), String(pid)], { stdio: 'ignore' });
      const found = { name: false, value: false };
      let [bytes, end] = [0, Buffer.alloc(0)];
      for await (const chunk of createReadStream(join(folder.path, `core.${pid}`), { highWaterMark: 16_777_216 })) {
        const piece = Buffer.concat([end, chunk as Buffer]);
        found.name ||= piece.includes('api_token');
        found.value ||= piece.includes(VALUE) || piece.includes(Buffer.from(VALUE, 'utf16le'));
        bytes += (chunk as Buffer).length;
        end = piece.subarray(-2 * VALUE.length);
      }
      process.stderr.write(`${bytes} bytes of core dump were searched\n`);
      expect(bytes).toBeGreaterThan(10_000_000);
      expect(found).toEqual({ name: true, value: false });
    },
    300_000,
  );
});
