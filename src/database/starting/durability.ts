import { DatabaseStartError } from '../database-start.error.js';

/**
 * local: a commit survives a crash of the database server. replica: it also survives the loss of that server, because a
 * synchronous standby has the commit.
 */
export type Durability = 'local' | 'replica';

interface ReplicationState {
  readonly commits: string;
  readonly names: string;
  /** The number of connected synchronous standbys; null = the role may not read it. */
  readonly standbys: number | null;
}

type Query = (text: string) => Promise<readonly object[]>;

const STATE = `select current_setting('synchronous_commit') as commits,
    current_setting('synchronous_standby_names') as names,
    case when pg_has_role('pg_read_all_stats', 'usage') then (
      select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum') and state = 'streaming')
    end as standbys`;

/**
 * Returns the reason why commits are not replicated, and the remedy. Returns undefined if no fault was found. A missing
 * standby is not found if the role may not read the standbys.
 */
export async function durabilityFault(query: Query): Promise<string | undefined> {
  const [state] = (await query(STATE)) as [ReplicationState];
  const { commits, names, standbys } = state;
  if (commits === 'off' || commits === 'local')
    return (
      `synchronous_commit is ${commits}: run "alter system set synchronous_commit = on" and ` +
      '"select pg_reload_conf()", or set DURABILITY=local'
    );
  if (names.trim() === '')
    return (
      'PostgreSQL has no synchronous standby: set synchronous_standby_names on the server, for example to ' +
      '"ANY 1 (*)" (with Patroni, enable synchronous_mode), or set DURABILITY=local'
    );
  if (standbys === 0)
    return `no standby of synchronous_standby_names (${names}) is connected: start one, or set DURABILITY=local`;
  return undefined;
}

/** Throws a DatabaseStartError if commits are not replicated. */
export async function assertReplicated(query: Query): Promise<void> {
  const fault = await durabilityFault(query);
  if (fault !== undefined) throw new DatabaseStartError(`DURABILITY is replica, and ${fault}.`);
}
