import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import {
  CHAT_TEXT,
  goodEvents,
  startScriptedChatVendor,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';
import { runInTerminal, terminalsCanBeMade, type TerminalCommand } from '../../support/services/terminal.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const ROUNDS = LONG_TESTS ? 20 : 3;
const ROUND_WITHIN_MS = 60_000;
const BUILT_WITHIN_MS = 300_000;
const FINISHING = 'SIGINT: finishing the open calls';

/** The process of the service on this data folder. */
async function pidOfService(dataDir: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    if (command!.endsWith('\0dist/main.js\0') && environment!.includes(`\0DATA_DIR=${dataDir}\0`)) return Number(name);
  }
  throw new Error('no process runs the service');
}

const whenTerminals = terminalsCanBeMade() ? describe : describe.skip;

whenTerminals('npm start in a terminal', () => {
  let folder: TemporaryFolder;
  let vendor: ScriptedChatVendor;
  let terminal: TerminalCommand;

  beforeAll(async () => {
    folder = await temporaryFolder();
    vendor = await startScriptedChatVendor();
    // Build now. Otherwise the first start would build.
    execFileSync('npm', ['run', '-s', 'build'], { stdio: 'ignore' });
  }, BUILT_WITHIN_MS);
  afterEach(async () => {
    terminal.close();
    await terminal.exited;
  });
  afterAll(async () => {
    await vendor.close();
    await folder.remove();
  });

  const says = (words: string | RegExp): Promise<RegExpExecArray> =>
    eventually(async () => {
      const found = new RegExp(words).exec(terminal.output());
      if (found) return found;
      throw new Error(`it never said ${String(words)}:\n${terminal.output()}`);
    }, ROUND_WITHIN_MS);

  /**
   * Starts the service, on the same data folder in all rounds, and a call whose vendor pauses in the middle of the
   * stream.
   */
  async function callUnderWay(): Promise<{ readonly text: Promise<string>; readonly release: () => void }> {
    terminal = runInTerminal('npm start', {
      PORT: '0',
      DATA_DIR: folder.path,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_MANAGEMENT_KEY: TEST_MANAGEMENT_KEY,
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      OPENAI_API_KEY: 'sk-of-the-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
    });
    const [, api] = await says(/API {7}(http:\S+)/);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    vendor.script({ events: goodEvents(), holdAfter: 2, released });
    const response = await fetch(`${api}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(response.status).toBe(200);
    return { text: response.text(), release };
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'completes the current call after Ctrl-C, even if more signals follow within a second (round %i)',
    async (round) => {
      const { text, release } = await callUnderWay();
      terminal.interrupt();
      await says(FINISHING);
      // The service gets one signal from the terminal and one from npm. Signals within a second count as one. Every
      // second round presses Ctrl-C again within that second.
      if (round % 2 === 0) terminal.interrupt();
      await sleep(300);
      expect([terminal.hasExited, terminal.output()]).toEqual([false, expect.not.stringContaining('Stopped')]);

      release();
      const received = await text;
      expect(received).toContain(JSON.stringify(CHAT_TEXT.at(-1)));
      expect(received.trimEnd()).toMatch(/data: \[DONE\]$/);
      expect([await terminal.exited, terminal.output()]).toEqual([0, expect.not.stringContaining('Stopped')]);
    },
    2 * ROUND_WITHIN_MS,
  );

  it(
    'opens no debugger for SIGUSR1',
    async () => {
      const { text, release } = await callUnderWay();
      process.kill(await pidOfService(folder.path), 'SIGUSR1');
      release();
      expect((await text).trimEnd()).toMatch(/data: \[DONE\]$/);
      terminal.interrupt();
      expect([await terminal.exited, terminal.output()]).toEqual([0, expect.not.stringContaining('Debugger')]);
    },
    2 * ROUND_WITHIN_MS,
  );

  it(
    'stops immediately on a second Ctrl-C, more than a second after the first',
    async () => {
      const { text, release } = await callUnderWay();
      const cut = text.catch((error: Error) => error.message);
      terminal.interrupt();
      await says(FINISHING);
      await sleep(1_200);
      expect(terminal.hasExited).toBe(false);
      terminal.interrupt();
      expect([await terminal.exited, terminal.output()]).toEqual([130, expect.stringContaining('Stopped at once.')]);
      expect(await cut).toBe('terminated');
      release();
    },
    2 * ROUND_WITHIN_MS,
  );
});
