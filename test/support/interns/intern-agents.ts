import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isAlive, markOf, type ProcessMark } from '../../../src/runtimes/drivers/process-table.js';

/** The running agents of a data folder, by intern. */
export function agentsIn(dataDir: string): ReadonlyMap<string, readonly ProcessMark[]> {
  const found = new Map<string, ProcessMark[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const place = new RegExp(`^${dataDir}/interns/([0-9a-f-]{36})/home`).exec(readlinkSync(`/proc/${entry}/cwd`));
      // A forked child process has the command line of its parent until it executes the agent.
      if (!place || !readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes('intern-agent')) continue;
      const mark = markOf(Number(entry));
      if (mark.startedAt !== null) found.set(place[1]!, [...(found.get(place[1]!) ?? []), mark]);
    } catch {
      // The process has already ended.
    }
  }
  return found;
}

/** Checks repeatedly that no intern has two running runtimes, and records the violations. */
export class RuntimeWatch {
  readonly doubles: string[] = [];
  looks = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly dataDir: string) {
    this.#timer = setInterval(() => this.#look(), 40);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.looks++;
    for (const [internId, marks] of agentsIn(this.dataDir)) {
      // One process may have ended and the next one started while /proc was read. Only two processes that are still
      // running are a violation.
      const alive = marks.filter(isAlive);
      if (alive.length > 1) this.doubles.push(`${internId}: ${alive.map(({ pid }) => pid).join(', ')}`);
    }
  }
}
