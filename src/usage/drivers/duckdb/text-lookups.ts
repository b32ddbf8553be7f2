import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { PlannedFilter } from '../../analytics-query.js';
import { spanSql } from '../../query/filter-sql.js';
import type { CodeSpan, KnownSpans, Statement } from '../../query/statement.js';
import { DUCKDB } from './duckdb.dialect.js';

/** A filter over texts, and the statement that finds the span of the matching codes. */
interface Lookup {
  readonly filter: PlannedFilter;
  readonly statement: Statement;
}

export const lookupsOf = (filters: readonly PlannedFilter[]): Lookup[] =>
  filters.flatMap((filter) => {
    const statement = spanSql(filter, DUCKDB);
    return statement ? [{ filter, statement }] : [];
  });

export async function spansOf(lookups: readonly Lookup[], connection: DuckDBConnection): Promise<KnownSpans> {
  const spans = new Map<PlannedFilter, CodeSpan>();
  for (const { filter, statement } of lookups) {
    const reader = await connection.runAndReadAll(statement.text, statement.values as DuckDBValue[]);
    const [row] = reader.getRowObjectsJS();
    spans.set(filter, {
      first: row!['first'] as number | null,
      last: row!['last'] as number | null,
      codes: Number(row!['codes']),
    });
  }
  return spans;
}
