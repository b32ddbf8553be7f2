import { createHash } from 'node:crypto';
import type { Statement } from '../../query/statement.js';
import {
  ClickHouseFault,
  firstRow,
  type ClickHouseConnection,
  type StatementSettings,
} from './clickhouse-connection.js';
import {
  CALLS,
  callsOfAllReplicas,
  creatingStatements,
  deletingStatement,
  laggingReplicas,
  removingStatements,
  serversWithoutInternalReplication,
  type SchemaOptions,
} from './clickhouse-schema.js';
import { JSON_LINES, timeOfLine } from './json-lines.js';

/** Shorter than the lease, so that the insert of a writer ends before another process becomes the writer. */
const INSERT_TIMEOUT_MS = 20_000;
const READ_TIMEOUT_MS = 60_000;
const CHANGE_TIMEOUT_MS = 600_000;

/**
 * The time, in seconds, for which a change waits for all servers of a cluster. Two changes take less time than the
 * lease. A server that is unavailable applies the changes later, in their order.
 */
const CLUSTER_CHANGE: StatementSettings = { distributed_ddl_task_timeout: 10 };
/** A deletion does not wait for the replicas. */
const CLUSTER_DELETION: StatementSettings = { ...CLUSTER_CHANGE, lightweight_deletes_sync: 0 };

/** Lets a query of all replicas skip unavailable servers. */
const REACHABLE: StatementSettings = { skip_unavailable_shards: 1 };

const UNKNOWN_TABLE = 60;
/** The error code if not all servers of a cluster made a change in time. */
const TIMEOUT_EXCEEDED = 159;

const hasCode = (error: unknown, code: number): boolean => error instanceof ClickHouseFault && error.code === code;

/**
 * The calls of a block that belong to one month become one part. The server stores the part completely or not at all.
 * If the part is inserted again, the server does not store it again.
 */
const ONE_BLOCK: StatementSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  input_format_parallel_parsing: 0,
  max_insert_block_size: 1_048_576,
  max_partitions_per_insert_block: 0,
};

/** The text of a block, and the digest that identifies the text. */
export interface BlockText {
  readonly text: string;
  readonly digest: string;
}

export function blockText(block: number, lines: readonly string[]): BlockText {
  const text = lines.map((line) => `[${block},${line.slice(1)}`).join('\n');
  return { text, digest: createHash('sha256').update(text).digest('hex') };
}

/** The calls in ClickHouse, in numbered blocks. */
export class CallBlocks {
  constructor(
    private readonly connection: ClickHouseConnection,
    private readonly schema: SchemaOptions,
    private readonly stopping: AbortSignal,
  ) {}

  /** Creates the tables unless they exist. On a cluster this needs all servers. */
  create(): Promise<void> {
    return this.#change(creatingStatements(this.schema));
  }

  /** Creates the tables if they do not exist. Needs all servers of a cluster only if the tables do not exist. */
  async createIfAbsent(): Promise<void> {
    try {
      await this.newest();
    } catch (error) {
      if (!hasCode(error, UNKNOWN_TABLE)) throw error;
      await this.create();
    }
  }

  /**
   * Removes the tables. On a cluster this needs all servers, because a server that kept its tables would later copy its
   * calls to the other replicas.
   */
  remove(): Promise<void> {
    return this.#change(removingStatements(this.schema));
  }

  /** Deletes calls before `ms`, in Unix milliseconds. A server of a cluster that is unavailable deletes them later. */
  async removeBefore(ms: number): Promise<void> {
    const statement = deletingStatement(this.schema, ms);
    if (!this.#isCluster) return this.#run(statement, {});
    await this.#run(statement, CLUSTER_DELETION).catch((error: unknown) => {
      if (!hasCode(error, TIMEOUT_EXCEEDED)) throw error;
    });
  }

  /** The number of the newest block; 0 if there is none. */
  newest(): Promise<number> {
    return this.#numberOf({ text: `select max(block) as newest from ${CALLS}`, values: [] });
  }

  /** Whether inserts need all servers of the cluster. False if ClickHouse refuses to report this. */
  async insertsNeedAllServers(): Promise<boolean> {
    if (!this.#isCluster) return false;
    try {
      return (await this.#numberOf(serversWithoutInternalReplication(this.schema))) > 0;
    } catch (error) {
      if (!(error instanceof ClickHouseFault) || error.code === undefined) throw error;
      return false;
    }
  }

  /**
   * Returns the lines of calls that are not in a block before `block`. Throws if a replica of the cluster lags behind
   * another one, because calls that only the other replica has would be inserted twice. A server that becomes available
   * during the check may respond before it has caught up, so the query also runs on all replicas.
   */
  async withoutStored(lines: readonly string[], block: number): Promise<readonly string[]> {
    if (lines.length === 0) return lines;
    if (!this.#isCluster) return without(lines, await this.#stored(CALLS, lines, block));
    await this.#requireNoLag();
    // This query fails if all replicas of a shard are unavailable.
    const ofShards = await this.#stored(CALLS, lines, block);
    const ofReplicas = await this.#stored(callsOfAllReplicas(this.schema), lines, block, REACHABLE);
    await this.#requireNoLag();
    return without(lines, new Set([...ofShards, ...ofReplicas]));
  }

  /** Inserts a block. Inserting the same block again changes nothing. */
  async insert({ text }: BlockText): Promise<void> {
    const settings = this.#isCluster ? { ...ONE_BLOCK, insert_distributed_sync: 1 } : ONE_BLOCK;
    await this.connection.insert(CALLS, text, { signal: this.#within(INSERT_TIMEOUT_MS), settings });
  }

  get #isCluster(): boolean {
    return this.schema.cluster !== undefined;
  }

  async #stored(
    table: string,
    lines: readonly string[],
    block: number,
    settings: StatementSettings = {},
  ): Promise<ReadonlySet<string>> {
    const bounds = lines
      .map(timeOfLine)
      .reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)] as const, [Infinity, -Infinity] as const);
    const stored = new Set<string>();
    const pages = this.connection.rows(
      {
        text:
          `select distinct toString(uuid) from ${table} where block < $1 and created_ms >= $2 and created_ms <= $3 ` +
          'and uuid in (cast($4 as Array(UUID)))',
        values: [block, ...bounds, lines.map((line) => JSON_LINES.idOf(line))],
      },
      { signal: this.#within(READ_TIMEOUT_MS), settings },
    );
    for await (const { rows } of pages) for (const [id] of rows) stored.add(id as string);
    return stored;
  }

  async #requireNoLag(): Promise<void> {
    const lagging = await this.#numberOf(laggingReplicas(this.schema), REACHABLE);
    if (lagging > 0) throw new Error('a replica lacks calls that another replica may have');
  }

  async #numberOf(statement: Statement, settings: StatementSettings = {}): Promise<number> {
    const row = await firstRow(this.connection, statement, { signal: this.#within(READ_TIMEOUT_MS), settings });
    return Number(Object.values(row!)[0]);
  }

  async #change(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#run(statement, this.#isCluster ? CLUSTER_CHANGE : {});
  }

  #run(statement: string, settings: StatementSettings): Promise<void> {
    return this.connection.run(statement, { signal: this.#within(CHANGE_TIMEOUT_MS), settings });
  }

  #within(timeoutMs: number): AbortSignal {
    return AbortSignal.any([this.stopping, AbortSignal.timeout(timeoutMs)]);
  }
}

const without = (lines: readonly string[], stored: ReadonlySet<string>): readonly string[] =>
  stored.size === 0 ? lines : lines.filter((line) => !stored.has(JSON_LINES.idOf(line)));
