import pg from 'pg';

const INT8_OID = 20;

/** One connection inside a transaction. */
export interface SqlSession {
  query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

/**
 * Plain SQL on a small pool of its own, so that ledger and key look-ups never wait behind other work.
 * bigint columns arrive as JavaScript bigints.
 */
export class Sql implements SqlSession {
  readonly #pool: pg.Pool;

  constructor(url: string, connections = 8) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 10_000,
      // Kept: what a new one costs, the plans of the ledger's functions included, is tens of milliseconds that a batch would wait for.
      idleTimeoutMillis: 0,
      application_name: 'gatehouse',
      types: {
        getTypeParser: ((oid: number, format?: 'text'): unknown =>
          oid === INT8_OID ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
    });
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    this.#pool.on('error', () => undefined);
  }

  async query<Row extends object>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.#pool.query<Row>(text, params as unknown[]);
    return result.rows;
  }

  async transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work({
        query: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
          (await client.query<Row>(text, params as unknown[])).rows,
      });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }
}
