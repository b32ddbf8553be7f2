import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { SERVER_ENVIRONMENT, type ServerIdentity } from './server-identity.js';

/**
 * Runs the command of its arguments and holds the other end of the service's pipe. However the service dies, the pipe closes:
 * then the command is told to stop (SIGINT, for PostgreSQL a fast shutdown), after 10 s to stop at once, and at last killed.
 * The signals come from a subshell while the shell itself waits, so the pid cannot have been reused. `kill 0` reaches this
 * small group only: the command's own children lead sessions of their own.
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

export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Collects what the command writes. Its user must be able to append to it. */
  readonly logFile: string;
  readonly as: ServerIdentity | undefined;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A command that cannot outlive this process. */
export interface GuardedProcess {
  /** The command's own pid, or undefined when it could not be started. */
  readonly pid: Promise<number | undefined>;
  /** How the guard ended: `exit code 1`, `signal SIGKILL`, or why it could not be started. Never rejects. */
  readonly ended: Promise<string>;
  /** From now on it does not keep this process alive. */
  detach(): void;
  /** Asks the command to stop, in the way described above; keeps this process alive until it has. */
  release(): void;
}

export function startGuarded(guarded: GuardedCommand): GuardedProcess {
  // Detached: a session of its own, because Ctrl-C on a terminal reaches the whole foreground group.
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
