import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const READY_WITHIN_MS = 120_000;
const BUILT_WITHIN_MS = 300_000;

describe('npm run demo', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
    execFileSync('npm', ['run', '-s', 'build'], { stdio: 'ignore' });
  }, BUILT_WITHIN_MS);
  afterAll(() => folder.remove());

  const place = (): string => join(folder.path, 'demo');

  /** Runs the demo until the service is ready, then stops it. */
  async function run(whileReady: (origin: string) => Promise<void>): Promise<string> {
    const env = {
      DEMO_DIR: place(),
      PORT: '0',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      LOG_FORMAT: 'text',
    };
    // A process group, so that a signal reaches both npm and the service.
    const child: ChildProcess = spawn('npm', ['run', '-s', 'demo', '--', '--calls', '150'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const closed = once(child, 'close');
    try {
      const [, origin] = await eventually(async () => {
        const ready = /Console {3}(http:\/\/\S+)\/console\//.exec(output);
        if (ready) return ready;
        throw new Error(`it was never ready:\n${output}`);
      }, READY_WITHIN_MS);
      await whileReady(origin!);
    } finally {
      process.kill(-child.pid!, 'SIGTERM');
      await closed;
    }
    return output;
  }

  const callsAt = async (origin: string): Promise<number> => {
    const key = (await readFile(join(place(), 'management-key'), 'utf8')).trim();
    const response = await fetch(`${origin}/api/v1/generations?limit=100`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await response.json()) as { data: unknown[] }).data.length;
  };

  it(
    'fills its own folder instead of DATABASE_URL, and starts the service on it with a link to the console',
    async () => {
      const output = await run(async (origin) => {
        expect(await callsAt(origin)).toBe(100);
      });
      expect(output).toMatch(/100 % of \d+ calls/);
      expect(output).toMatch(/Sign in to the console with this link.*\n {2}http:\/\/\S+\/console\/#code=\S+/);
    },
    READY_WITHIN_MS,
  );

  it(
    'starts on the data of an earlier run without changing it',
    async () => {
      const output = await run(async (origin) => {
        expect(await callsAt(origin)).toBe(100);
      });
      expect(output).toContain('from an earlier run');
      expect(output).not.toContain('100 %');
    },
    READY_WITHIN_MS,
  );
});
