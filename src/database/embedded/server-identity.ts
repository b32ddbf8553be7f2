import { spawn } from 'node:child_process';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../kernel/errors/errors.js';
import { isDatabaseUserId, type UserIdRange } from '../../machine/user-id-range.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/** The user of the server's processes, if it is not the service's user. PostgreSQL refuses to run as root. */
export interface ServerIdentity {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The complete environment of the server. It contains no variable of the service, such as a secret, PGDATA or
 * LD_LIBRARY_PATH.
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin',
  LANG: 'C',
  LC_ALL: 'C',
};

/** The user of the server and the user of initdb. The user of initdb needs an entry in /etc/passwd. */
export interface ServerIdentities {
  readonly server: ServerIdentity | undefined;
  readonly initdb: ServerIdentity | undefined;
}

/** Claims the user ids of the installation in a data folder. */
export type OwnUserIds = (dataDir: string) => Promise<UserIdRange>;

/**
 * Both users are undefined unless the service runs as root. As root, the server runs as the owner of an existing
 * database. If there is no database, or if its owner is root, `nobody` or a user id reserved for databases, the server
 * runs as a user id that only this installation uses. If no such id can be allocated, the server runs as a user that
 * other programs may also use, such as `nobody`, and this is logged.
 */
export async function serverIdentities(
  dataFolder: string,
  dataDir: string,
  ownUserIds: OwnUserIds,
  log: (line: string) => void,
): Promise<ServerIdentities> {
  if (process.getuid?.() !== 0) return { server: undefined, initdb: undefined };
  const owner = await stat(dataFolder).catch(() => undefined);
  const nobody = await findNobody();
  if (owner !== undefined && owner.uid !== 0 && owner.uid !== nobody?.uid && !isDatabaseUserId(owner.uid)) {
    const server = { uid: owner.uid, gid: owner.gid };
    return { server, initdb: server };
  }
  if (nobody === undefined) {
    throw new EmbeddedPostgresError(
      'PostgreSQL does not run as root, and this machine has no user "nobody" that could create the ' +
        'database: start Gatehouse as an ordinary user, or set DATABASE_URL.',
    );
  }
  const own = await ownIdentity(dataFolder, dataDir, ownUserIds);
  if (typeof own !== 'string') return { server: own, initdb: nobody };
  const server = owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
  log(
    `PostgreSQL runs as ${server.uid === nobody.uid ? 'the user "nobody"' : `user id ${server.uid}`}, ` +
      `which other programs on this machine may use too, because ${own}.`,
  );
  return { server, initdb: nobody };
}

/** Returns a user id that only this installation uses, or the reason why there is none. */
async function ownIdentity(
  dataFolder: string,
  dataDir: string,
  ownUserIds: OwnUserIds,
): Promise<ServerIdentity | string> {
  // Files behind symbolic links may belong to other programs. Do not change their owner.
  const links = await linksIn(dataFolder);
  if (links.length > 0)
    return (
      `parts of its database (${links.join(', ')}) are symbolic links: to change that, give their targets ` +
      `and ${dataFolder} to another user id`
    );
  let own: ServerIdentity;
  try {
    own = (await ownUserIds(dataDir)).database;
  } catch (error) {
    return reasonOf(error);
  }
  const { ok, reason } = await probe('/bin/sh', ['-c', ':'], own);
  return ok ? own : `this root user may not run it as user id ${own.uid} (${reason})`;
}

/** Symbolic links in the database's folder, made by an operator or for a tablespace. */
async function linksIn(dataFolder: string): Promise<string[]> {
  const isLink = (name: string): Promise<boolean> =>
    lstat(join(dataFolder, name)).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
  const spaces = await readdir(join(dataFolder, 'pg_tblspc')).catch(() => []);
  return [...((await isLink('pg_wal')) ? ['pg_wal'] : []), ...spaces.map((name) => `pg_tblspc/${name}`)];
}

async function findNobody(): Promise<ServerIdentity | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd);
  return entry ? { uid: Number(entry[1]) | 0, gid: Number(entry[2]) | 0 } : undefined;
}

interface ProbeResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** The reason of a failure: the command's stderr, or the start error. */
  readonly reason: string;
}

/**
 * Runs a short command as the server's user. This is more reliable than reading mode bits, because ACLs and noexec also
 * matter.
 */
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

/** Whether the server's user can access a folder through all of its parents. */
export async function canEnter(folder: string, as: ServerIdentity): Promise<boolean> {
  const { ok, reason } = await probe('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], as);
  if (!ok && /spawn .*(EPERM|EINVAL)/.test(reason)) {
    throw new EmbeddedPostgresError(
      `This root user may not start a process as user ${as.uid} (${reason}), and PostgreSQL does not run as ` +
        'root: start Gatehouse as an ordinary user, or set DATABASE_URL.',
    );
  }
  return ok;
}
