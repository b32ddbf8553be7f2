import { spawn } from 'node:child_process';
import { shown } from './shown.ts';
import { objectSchema, ToolError, type AgentTool } from './tool.ts';

const MAX_ARGUMENTS = 256;
const MAX_ARGUMENT_CHARACTERS = 100_000;
const MAX_SHOWN_CHARACTERS = 8_000;
const MIN_SHOWN_ARGUMENT_CHARACTERS = 60;
const MAX_OUTPUT_BYTES = 65_536;
const DEFAULT_TIMEOUT_S = 60;
const MAX_TIMEOUT_S = 600;
/**
 * Limits the wait for remaining output after the program has ended, because one of its children may keep the pipe open.
 */
const DRAIN_TIMEOUT_MS = 500;

/** Runs programs, in runtimes that confine them. */
export const commandTool = (home: string): AgentTool => ({
  name: 'run_command',
  description: 'Runs a program on your computer, in the root of your disk, without a shell and without input.',
  parameters: objectSchema(
    {
      command: {
        type: 'array',
        items: { type: 'string' },
        description: 'The program and its arguments; for a shell: ["sh", "-c", "…"]',
      },
      timeout_seconds: { type: 'integer', description: `${DEFAULT_TIMEOUT_S} if absent, at most ${MAX_TIMEOUT_S}` },
    },
    ['command'],
  ),
  prepare: (args) => {
    const command = args.list('command', MAX_ARGUMENTS);
    if (!command.every(isArgument) || command.length === 0 || command[0] === '')
      throw new ToolError('command must be a list of strings that begins with a program');
    const seconds = args.integer('timeout_seconds', { min: 1, max: MAX_TIMEOUT_S, absent: DEFAULT_TIMEOUT_S });
    return {
      hasEffect: true,
      permission: {
        scope: 'run_command',
        covers: 'every program with any arguments',
        operation: `run_command: ${shownCommand(command)}`,
      },
      run: ({ signal }) => run(home, command, seconds, signal),
    };
  },
});

/** Each argument in separate quotes. */
function shownCommand(command: readonly string[]): string {
  const max = Math.max(MIN_SHOWN_ARGUMENT_CHARACTERS, Math.floor(MAX_SHOWN_CHARACTERS / command.length));
  return command.map((argument) => shown(argument, max)).join(' ');
}

const isArgument = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_ARGUMENT_CHARACTERS && !value.includes('\0');

function run(home: string, command: readonly string[], seconds: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    // The turn may have ended while the intent was recorded.
    signal.throwIfAborted();
    // In its own process group, so that its children end with it.
    const child = spawn(command[0]!, command.slice(1), {
      cwd: home,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = Buffer.alloc(0);
    let isLate = false;
    const kill = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // The process has ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, seconds * 1_000);
    signal.addEventListener('abort', kill, { once: true });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output = Buffer.concat([output, part.subarray(0, MAX_OUTPUT_BYTES - output.length)]);
      });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new ToolError(`The program could not be started: ${error.message}`));
    });
    child.once('exit', () => {
      kill();
      const drain = (): void => [child.stdout, child.stderr].forEach((stream) => stream.destroy());
      setTimeout(drain, DRAIN_TIMEOUT_MS).unref();
    });
    child.once('close', (code, name) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      const end = isLate ? `ended after ${seconds} s` : name ? `ended by ${name}` : `exit code ${code}`;
      const cut = output.length === MAX_OUTPUT_BYTES ? '\n[output cut]' : '';
      resolve(`[${end}]\n${output.toString('utf8')}${cut}`);
    });
  });
}
