import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Whether `script` of util-linux is installed. If not, logs that tests are skipped. */
export function terminalsCanBeMade(): boolean {
  const { status, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  const can = status === 0 && stdout.includes('util-linux');
  if (!can) process.stderr.write("util-linux's script is not installed: the tests that need a terminal are skipped\n");
  return can;
}

/** A command that runs in the foreground of a new pseudo-terminal. */
export interface TerminalCommand {
  /** Its output so far. */
  output(): string;
  /** Types Ctrl-C: the terminal sends SIGINT to every process of the command. */
  interrupt(): void;
  /** The exit code. */
  readonly exited: Promise<number | null>;
  readonly hasExited: boolean;
  /** Ends the terminal and all of its processes. */
  close(): void;
}

export function runInTerminal(command: string, env: Readonly<Record<string, string>>): TerminalCommand {
  // -e: exit with the command's code; -q: print nothing; /dev/null: write no transcript. `exec`: otherwise a shell
  // would exit with its own code.
  const child = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SHELL: '/bin/sh', TERM: 'dumb', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => output,
    interrupt: () => void child.stdin.write('\x03'),
    exited,
    get hasExited() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    close: () => void child.kill('SIGTERM'),
  };
}
