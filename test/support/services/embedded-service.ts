import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface Said {
  readonly url?: string;
  readonly failed?: string;
  readonly line?: string;
  readonly incident?: string;
  readonly drained?: string;
  readonly stopped?: boolean;
}

/** A process of embedded-service-process.mjs. It is the leader of a new process group. */
export class EmbeddedService {
  readonly said: Said[] = [];
  readonly pid: number;
  private readonly child;
  private readonly exit: Promise<unknown>;

  constructor(dataDir: string, role: 'service' | 'command' = 'service') {
    const script = join(import.meta.dirname, 'embedded-service-process.mjs');
    this.child = spawn(process.execPath, [script, dataDir, role], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    this.pid = this.child.pid ?? 0;
    this.exit = once(this.child, 'exit');
    createInterface({ input: this.child.stdout }).on('line', (line) => this.said.push(JSON.parse(line) as Said));
  }

  /** Resolves with the first value that the process reports as `what`. */
  async says<K extends keyof Said>(what: K): Promise<NonNullable<Said[K]>> {
    return until(
      `the process says "${what}"`,
      () => this.said.find((said) => said[what] !== undefined)?.[what] ?? undefined,
    );
  }

  /** The address of its server. Throws with its output if it fails. */
  async ready(): Promise<string> {
    const outcome = await this.outcome();
    if (outcome.url === undefined) throw new Error(outcome.failed);
    return outcome.url;
  }

  outcome(): Promise<Said> {
    return until('the process starts or fails', () =>
      this.said.find((said) => (said.url ?? said.failed) !== undefined),
    );
  }

  kill(signal: NodeJS.Signals): void {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
  }

  /** Sends SIGINT to the whole group, like Ctrl-C. */
  interrupt(): void {
    process.kill(-this.pid, 'SIGINT');
  }

  async ended(): Promise<void> {
    await this.exit;
  }
}

/** Polls until there is a result. The timeout only ends a test that would hang. */
export async function until<T>(what: string, answer: () => T | Promise<T>): Promise<NonNullable<T>> {
  const started = performance.now();
  for (;;) {
    const found = await answer();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() - started > 25_000) throw new Error(`Timed out while waiting until ${what}`);
    await delay(20);
  }
}

/**
 * The processes of a data folder: PostgreSQL, found by its working directory, and the guard, found by its command line.
 */
export async function processesOf(dataDir: string): Promise<{ pid: number; command: string }[]> {
  const found: { pid: number; command: string }[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const [command, cwd] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ]);
    const isService = command.includes('embedded-service-process.mjs') || command.includes('gatehouse-cleaner');
    if (!isService && (command.includes(dataDir) || cwd.startsWith(dataDir))) found.push({ pid, command });
  }
  return found;
}

export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
