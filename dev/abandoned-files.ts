import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the files and folders of ended processes. `pattern` matches their names and captures the process id. */
export function removeAbandoned(folder: string, pattern: RegExp): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(pattern.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Whether another process has this id. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
