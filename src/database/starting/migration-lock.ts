import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** The number of the advisory lock; nothing else in the database uses it. */
const MIGRATION_LOCK = 7_246_011;
const RETRY_INTERVAL_MS = 250;
const FIRST_LOG_AFTER_MS = 2_000;
const LOG_INTERVAL_MS = 5_000;

/** A clock in milliseconds. Tests replace it. */
export interface WaitClock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const CLOCK: WaitClock = { now: () => performance.now(), sleep };

/** The backend that holds the lock. */
interface Holder {
  readonly pid: number;
  readonly application: string;
  readonly state: string | null;
  readonly seconds: number;
}

/**
 * Begins a transaction that holds the migration lock, so that only one replica migrates at a time. The lock ends with
 * the transaction, so a pooler cannot keep it. Waits while another backend holds the lock, and logs a line after 2 s
 * and then every 5 s.
 */
export async function beginWithMigrationLock(
  client: Pick<pg.Client, 'query'>,
  log: (line: string) => void,
  clock = CLOCK,
): Promise<void> {
  const start = clock.now();
  let nextLine = start + FIRST_LOG_AFTER_MS;
  await client.query('begin');
  // The transaction is idle during the migrations. A timeout of the server would end the transaction and release the
  // lock.
  await client.query('set local idle_in_transaction_session_timeout = 0');
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]!.taken) return;
    if (clock.now() >= nextLine) {
      nextLine += LOG_INTERVAL_MS;
      log(
        `Waiting for the database's migration lock for ${Math.round((clock.now() - start) / 1000)} s: ` +
          sentenceOf(await holderOf(client)),
      );
    }
    await clock.sleep(RETRY_INTERVAL_MS);
  }
}

async function holderOf(client: Pick<pg.Client, 'query'>): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select a.pid, a.application_name as application, a.state,
       extract(epoch from clock_timestamp() - a.state_change)::int as seconds
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1
       and l.database = (select oid from pg_database where datname = current_database())`,
    [MIGRATION_LOCK],
  );
  return rows[0];
}

function sentenceOf(holder: Holder | undefined): string {
  if (!holder) return 'another replica has just migrated.';
  const who = `backend ${holder.pid} (${holder.application || 'unnamed'}) holds it`;
  // An idle backend holds the lock for its session, as earlier versions did. A pooler may keep the session after the
  // service has ended.
  if (holder.state === 'idle') {
    return (
      `${who} and has been idle for ${holder.seconds} s. If no other replica is starting, a pooler kept it: run ` +
      `"select pg_terminate_backend(${holder.pid})", and set DATABASE_DIRECT_URL.`
    );
  }
  return `${who}; another replica is migrating.`;
}
