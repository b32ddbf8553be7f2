import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { SERVER_ENVIRONMENT, type ServerIdentity } from './server-identity.js';

/**
 * A script that runs the command in its arguments and reads from a pipe of the service. The pipe closes whenever the
 * service ends. The command then gets SIGINT (for PostgreSQL a fast shutdown), after 10 s SIGQUIT, and after another
 * 5 s SIGKILL. A subshell sends the signals while the shell waits for the command, so the pid cannot be reused. `kill
 * 0` signals only this process group, because the command's children have their own sessions.
 */
const GUARD = `
log=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- >>"$log" 2>&1 &
command=$!
echo "$command"
exec >&-
{
  while read -r ignored <&3; do :; done
  kill -INT "$command"; sleep 10
  kill -QUIT "$command"; sleep 5
  kill -KILL "$command"
} 2>/dev/null &
wait "$command"
status=$?
trap '' TERM
kill -TERM 0
exit "$status"
`;

interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The file for the command's output. The command's user needs write permission. */
  readonly logFile: string;
  readonly as: ServerIdentity | undefined;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A command that cannot outlive this process. */
export interface GuardedProcess {
  /** The command's own pid, or undefined if the command could not be started. */
  readonly pid: Promise<number | undefined>;
  /**
   * Resolves when the guard has ended, for example with `exit code 1`, `signal SIGKILL` or the start error. Never
   * rejects.
   */
  readonly ended: Promise<string>;
  /** Lets this process exit while the command runs. The guard then stops the command. */
  detach(): void;
  /** Stops the command as described at GUARD. Keeps this process alive until the command has ended. */
  release(): void;
}

export function startGuarded(guarded: GuardedCommand): GuardedProcess {
  // The guard is detached to get its own session, because Ctrl-C on a terminal signals the whole foreground group.
  const child = spawn('/bin/sh', ['-c', GUARD, 'gatehouse-guard', guarded.logFile, guarded.command, ...guarded.args], {
    ...guarded.as,
    cwd: '/',
    env: { ...SERVER_ENVIRONMENT, ...guarded.environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const pid = new Promise<number | undefined>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.stdout.on('close', () => resolve(Number.parseInt(text, 10) || undefined));
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(describeExit(code, signal)));
  });
  child.stdin.on('error', () => undefined);
  (child.stdin as unknown as Socket).unref();
  (child.stdout as unknown as Socket).unref();
  void ended.then(() => child.stdin.destroy());
  return {
    pid,
    ended,
    detach: () => child.unref(),
    release: () => {
      child.ref();
      child.stdin.destroy();
    },
  };
}

/** The shell reports a command that died of signal n as exit code 128 + n. */
function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `signal ${signal}`;
  return code !== null && code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
}
