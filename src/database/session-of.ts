import type { EntityManager } from '@mikro-orm/postgresql';
import { GatewayError } from '../kernel/errors/errors.js';
import type { SqlSession } from './sql.js';

/** The part of the ORM's transaction that is used here. It executes a compiled query unchanged. */
interface Transaction {
  executeQuery(query: object): Promise<{ rows: unknown[] }>;
}

/**
 * Runs plain SQL in the ORM's transaction, so that rows of the ORM and rows of the SQL commit together:
 * `em.transactional(async (tx) => { …; await audit.record(entry, sessionOf(tx)); })`. Call `tx.flush()` first if the
 * SQL must see the entities. Queries of the session return bigint columns as text.
 */
export function sessionOf(em: EntityManager): SqlSession {
  const transaction = em.getTransactionContext<Transaction>();
  if (!transaction) throw new GatewayError('internal', 'This needs a transaction: call it inside em.transactional');
  return {
    query: async <Row extends object>(text: string, params: readonly unknown[] = []) => {
      const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
      return (await transaction.executeQuery({ sql: text, parameters: params, query, queryId: { queryId: '' } }))
        .rows as Row[];
    },
  };
}

/** A callback whose writes must commit together with a row. It gets the transaction of the row. */
export type InTransaction<Row> = (row: Row, session: SqlSession) => Promise<void>;

/** Like InTransaction, for a changed row. The callback also gets the row before the change. */
export type InChange<Row> = (row: Row, session: SqlSession, before: Row) => Promise<void>;
