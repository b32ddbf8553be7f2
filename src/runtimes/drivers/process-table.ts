import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GONE_WITHIN_MS = 10_000;

/** A process as it can be told from a later one with the same pid. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, in the kernel's clock ticks; null where the system does not say. */
  readonly startedAt: string | null;
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may hold anything, so the fields are counted from its end. */
export function markOf(pid: number): ProcessMark {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; it only waits for its parent to notice.
    return { pid, startedAt: fields[0] === 'Z' ? null : fields[19]! };
  } catch {
    return { pid, startedAt: null };
  }
}

export function isAlive({ pid, startedAt }: ProcessMark): boolean {
  if (process.platform === 'linux') return startedAt !== null && markOf(pid).startedAt === startedAt;
  return signal(pid, 0);
}

/** Ends the process and its group at once; resolves when the process is gone. */
export async function killGroup(mark: ProcessMark): Promise<void> {
  const until = performance.now() + GONE_WITHIN_MS;
  while (isAlive(mark)) {
    signal(-mark.pid, 'SIGKILL');
    signal(mark.pid, 'SIGKILL');
    if (performance.now() > until) throw new Error(`process ${mark.pid} does not end`);
    await sleep(20);
  }
}

/** Ends everything that runs as this user, wherever it hid. Only for user ids that belong to one intern. */
export async function killUser(uid: number): Promise<void> {
  const until = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const found = processesOf(uid);
    if (found.length === 0) return;
    for (const pid of found) signal(pid, 'SIGKILL');
    if (performance.now() > until) throw new Error(`processes of user id ${uid} do not end`);
    await sleep(20);
  }
}

function processesOf(uid: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'latin1');
        return new RegExp(`^Uid:\\s+${uid}\\s`, 'm').test(status) && !/^State:\s+[ZX]/m.test(status);
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
