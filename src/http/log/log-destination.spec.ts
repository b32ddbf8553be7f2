import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The programs import log-destination.ts with Node's type stripping, which works because that file imports no file of
// this project. The loader of the tests would take a second longer for each program.

/** Runs a program that logs to a pipe. Returns its lines and its exit code. */
async function run(body: string): Promise<{ lines: string[]; code: number | null }> {
  const program =
    `const { bufferedOutput } = await import('./src/http/log/log-destination.ts'); ` +
    `const log = bufferedOutput(1); ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { lines: text.split('\n').slice(0, -1), code };
}

const LINES = 5_000;
const WRITE =
  `for (let index = 0; index < ${LINES}; index++) ` +
  `log.write('line ' + index + ' ' + 'x'.repeat(index % 300) + '\\n');`;
const expected = Array.from({ length: LINES }, (_, index) => `line ${index} ${'x'.repeat(index % 300)}`);

describe('standard output as the destination of the log', () => {
  it.each([
    ['ends by itself', '', 0],
    ['exits', 'process.exit(3);', 3],
    ['dies of an uncaught exception', "throw new Error('unforeseen');", 1],
    [
      'dies of an unhandled rejection',
      "void Promise.reject(new Error('unforeseen')); await new Promise((go) => setTimeout(go, 1000));",
      1,
    ],
    ['flushes and exits', 'log.flushSync(); process.exit(4);', 4],
  ])(
    'receives every line, complete and in order, from a process that %s',
    async (_, ending, code) => {
      expect(await run(WRITE + ending)).toEqual({ lines: expected, code });
    },
    60_000,
  );

  it('receives the lines that were logged two seconds before a SIGKILL', async () => {
    const { lines } = await run(
      `${WRITE} setTimeout(() => { log.write('late\\n'); process.kill(process.pid, 'SIGKILL'); }, 2000);`,
    );
    expect(lines).toEqual(expected);
  }, 60_000);

  it('receives a single line at once, without waiting for further lines', async () => {
    const { lines } = await run(
      `log.write('one\\n'); await new Promise((go) => setTimeout(go, 1000));
       log.write('two\\n'); await new Promise((go) => setTimeout(go, 1000));
       process.kill(process.pid, 'SIGKILL');`,
    );
    expect(lines).toEqual(['one', 'two']);
  }, 60_000);

  it('does not end the process when the reader closes the pipe', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
    const result = await open(join(folder, 'result'), 'w');
    const program = `const { bufferedOutput } = await import('./src/http/log/log-destination.ts');
      const log = bufferedOutput(1);
      for (let round = 0; round < 20; round++) { ${WRITE} await new Promise((go) => setTimeout(go, 20)); }
      (await import('node:fs')).writeSync(2, 'lives');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', result.fd],
    });
    child.stdout!.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    await result.close();
    expect([code, await readFile(join(folder, 'result'), 'utf8')]).toEqual([0, 'lives']);
    await rm(folder, { recursive: true });
  }, 60_000);

  it('keeps at most 16 MiB for a reader that has stopped reading, and counts the dropped lines', async () => {
    const program = `const { bufferedOutput } = await import('./src/http/log/log-destination.ts');
      const log = bufferedOutput(1);
      for (let index = 0; index < 40_000; index++) log.write('x'.repeat(1023) + '\\n');
      process.send('written');
      process.once('message', () => { log.write('after\\n'); setTimeout(() => process.exit(0), 1000); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.send('go on');
    await once(child, 'close');

    expect(text.length).toBeLessThan(18 * 1_048_576);
    const dropped = /"context":"log","msg":"(\d+) lines were dropped/.exec(text)?.[1];
    expect(Number(dropped) + text.split('\n').filter((line) => line.startsWith('xxx')).length).toBe(40_000);
    expect(text).toContain('\nafter\n');
  }, 60_000);
});
