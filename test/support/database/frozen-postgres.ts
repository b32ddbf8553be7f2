import { Sql } from '../../../src/database/sql.js';
import { eventually } from '../eventually.js';
import { childrenOf } from '../services/child-processes.js';

/** A server without other clients responds immediately, unless a frozen process holds a lock in shared memory. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** The position in the log at the time of the freeze. */
export interface LogPosition {
  /** The last synchronised position. */
  readonly flushed: bigint;
  readonly segmentBytes: number;
}

/** A PostgreSQL whose processes are stopped by SIGSTOP. */
export class FrozenPostgres {
  private constructor(
    private readonly pids: readonly number[],
    readonly log: LogPosition,
  ) {}

  /** Freezes the server's processes and reads the position of its log at that time. */
  static async freeze(postmaster: number, url: string): Promise<FrozenPostgres> {
    for (let attempt = 1; ; attempt++) {
      const sql = new Sql(url, 1, { timeoutMs: RESPONSE_TIMEOUT_MS });
      try {
        const [self] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
        // Freeze the postmaster before its children are listed, so that it cannot start more of them.
        process.kill(postmaster, 'SIGSTOP');
        const children = await childrenOf(postmaster, /./);
        for (const pid of children) if (pid !== self!.pid) process.kill(pid, 'SIGSTOP');
        try {
          const [log] = await sql.query<LogPosition>(
            `select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as flushed,
               (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes"`,
          );
          return new FrozenPostgres([postmaster, ...children], log!);
        } catch (error) {
          new FrozenPostgres([postmaster, ...children], { flushed: 0n, segmentBytes: 0 }).thaw();
          if (attempt === 5) throw error;
        }
      } finally {
        await sql.close().catch(() => undefined);
      }
    }
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** Kills all processes of the server. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await eventually(async () => expect(await Promise.resolve(this.#signal(0))).toBe(0), 10_000);
  }

  /** Sends a signal to all processes of the server. Returns how many of them exist. */
  #signal(name: NodeJS.Signals | 0): number {
    return this.pids.filter((pid) => {
      try {
        return process.kill(pid, name);
      } catch {
        return false;
      }
    }).length;
  }
}
