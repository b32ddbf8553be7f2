import { readFile } from 'node:fs/promises';

/** The ids of the children of a process whose command line matches. */
export async function childrenOf(pid: number, pattern: RegExp): Promise<number[]> {
  const ids = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean);
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_, at) => pattern.test(lines[at]!)).map(Number);
}

/** The workers of a service, and its committer. */
export const workersOf = (pid: number): Promise<number[]> => childrenOf(pid, /worker\.main/);
export const committerOf = async (pid: number): Promise<number> => (await childrenOf(pid, /committer\.main/))[0]!;

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
