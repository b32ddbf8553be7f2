import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/** The user that the server's processes run as, when it is not the service's own: PostgreSQL refuses to run as root. */
export interface ServerIdentity {
  readonly uid: number;
  readonly gid: number;
}

/** Nothing of the service's environment reaches the server: neither its secrets nor a stray PGDATA or LD_LIBRARY_PATH. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin',
  LANG: 'C',
  LC_ALL: 'C',
};

/**
 * Undefined for an ordinary user. As root: the owner of a database that exists already, so that one begun by an ordinary user
 * can go on, and otherwise `nobody`, who needs no creating.
 */
export async function serverIdentity(dataFolder: string): Promise<ServerIdentity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd);
  if (!entry) {
    throw new EmbeddedPostgresError(
      'PostgreSQL does not run as root, and this machine has no user "nobody" to run it as: start Gatehouse as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { uid: Number(entry[1]) | 0, gid: Number(entry[2]) | 0 };
}

export interface ProbeResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** Why it failed: what it wrote to stderr, or why it could not be started at all. */
  readonly reason: string;
}

/** Runs a short command as the server's user. Asking the kernel beats reading mode bits: ACLs, noexec and umask all count. */
export function probe(command: string, args: readonly string[], as: ServerIdentity | undefined): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...as, cwd: '/', env: SERVER_ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => resolve({ ok: false, stdout, reason: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, stdout, reason: stderr.trim() || `it exited with ${code}` }));
  });
}

/** Whether the server's user can reach a folder through all of its parents. */
export async function canEnter(folder: string, as: ServerIdentity): Promise<boolean> {
  const { ok, reason } = await probe('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], as);
  if (!ok && /spawn .*(EPERM|EINVAL)/.test(reason)) {
    throw new EmbeddedPostgresError(
      `This root user may not start a process as user ${as.uid} (${reason}), and PostgreSQL does not run as root: start Gatehouse as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return ok;
}
