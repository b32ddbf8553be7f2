import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserIdentity } from '../../machine/user-id-range.js';

const KILL_TIMEOUT_MS = 10_000;

/** Identifies a process even after its pid is reused. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in the kernel's clock ticks; null if the system does not report it. */
  readonly startedAt: string | null;
}

/**
 * Reads field 22 of /proc/<pid>/stat, counted from the last parenthesis, because the name in field 2 may contain
 * anything.
 */
export function markOf(pid: number): ProcessMark {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, but is not reaped yet.
    return { pid, startedAt: fields[0] === 'Z' ? null : fields[19]! };
  } catch {
    return { pid, startedAt: null };
  }
}

export function isAlive({ pid, startedAt }: ProcessMark): boolean {
  if (process.platform === 'linux') return startedAt !== null && markOf(pid).startedAt === startedAt;
  return signal(pid, 0);
}

/** Kills the process and its group; resolves when the process is gone. */
export async function killGroup(mark: ProcessMark): Promise<void> {
  const until = performance.now() + KILL_TIMEOUT_MS;
  while (isAlive(mark)) {
    signal(-mark.pid, 'SIGKILL');
    signal(mark.pid, 'SIGKILL');
    if (performance.now() > until) throw new Error(`process ${mark.pid} does not end`);
    await sleep(20);
  }
}

/**
 * Kills all processes of this user in this group. The user id alone is not enough, because another program on this
 * machine may use it. A process cannot change its real group.
 */
export async function killUser(user: UserIdentity): Promise<void> {
  const until = performance.now() + KILL_TIMEOUT_MS;
  for (;;) {
    const found = processesOf(user);
    if (found.length === 0) return;
    for (const pid of found) signal(pid, 'SIGKILL');
    if (performance.now() > until) throw new Error(`processes of user id ${user.uid} do not end`);
    await sleep(20);
  }
}

/**
 * Whether the working folder of a process is `folder`, or a deleted folder with its name. False if the folder cannot be
 * read, as after the end of the process. Always true on systems other than Linux.
 */
export function worksIn(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '') === realpathSync(folder);
  } catch {
    return false;
  }
}

function processesOf({ uid, gid }: UserIdentity): number[] {
  const ours = [new RegExp(`^Uid:\\s+${uid}\\s`, 'm'), new RegExp(`^Gid:\\s+${gid}\\s`, 'm'), /^State:\s+[^ZX]/m];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'latin1');
        return ours.every((line) => line.test(status));
      } catch {
        return false;
      }
    });
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
