import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../../test/support/eventually.js';
import { temporaryFolder, type TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { commandTool } from './command-tool.ts';
import { Arguments, ToolError } from './tool.ts';

describe('the command tool', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());
  const prepare = (args: unknown) => commandTool(folder.path).prepare(new Arguments(JSON.stringify(args)));
  const run = (args: unknown, signal = new AbortController().signal): Promise<string> =>
    prepare(args).run({ signal, ask: () => Promise.reject(new Error('not asked')) });
  const node = (script: string): string[] => [process.execPath, '-e', script];

  it('runs a program on the disk, without input, and returns its output and exit code', async () => {
    const script = 'process.stdin.resume(); console.log(process.cwd()); console.error("warning"); process.exitCode = 3';
    expect(await run({ command: node(script) })).toBe(`[exit code 3]\n${folder.path}\nwarning\n`);
  });

  it('refuses arguments that are not a command, and reports a program that does not exist', async () => {
    for (const command of [[], [''], 'ls', [1], ['a\0b'], undefined])
      expect(() => prepare({ command })).toThrow(ToolError);
    await expect(run({ command: ['no-such-program'] })).rejects.toThrow('could not be started');
  });

  it('starts no program if its turn has ended', async () => {
    const script = 'require("node:fs").writeFileSync("started", "")';
    await expect(run({ command: node(script) }, AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended');
    expect(existsSync(join(folder.path, 'started'))).toBe(false);
  });

  it('truncates a long output', async () => {
    const output = await run({ command: node('process.stdout.write("x".repeat(1e6))') });
    expect(output.length).toBeLessThan(66_000);
    expect(output).toMatch(/\[output cut\]$/);
  });

  it('ends a program that takes too long, with its children', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'],
        { stdio: 'inherit' });
      require('node:fs').writeFileSync('child', String(child.pid));
      setInterval(() => 0, 1000)`;
    const aborting = new AbortController();
    const running = run({ command: node(script) }, aborting.signal);
    await eventually(async () => expect(existsSync(join(folder.path, 'child'))).toBe(true));
    const child = Number(readFileSync(join(folder.path, 'child'), 'utf8'));
    aborting.abort();
    expect(await running).toMatch(/^\[ended by SIGKILL\]/);
    await eventually(async () => expect(() => process.kill(child, 0)).toThrow('ESRCH'));
    expect(await run({ command: node('setInterval(() => 0, 1000)'), timeout_seconds: 1 })).toMatch(
      /^\[ended after 1 s\]/,
    );
  });
});
