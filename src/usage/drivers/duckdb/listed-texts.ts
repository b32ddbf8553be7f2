import type { DuckDBConnection } from '@duckdb/node-api';
import type { ListedCall } from '../../call-list.js';
import { LISTED_TEXTS } from '../../query/call-list-sql.js';

/** A call with the numbers of its texts; 0 = none. */
type NumberedCall = Omit<ListedCall, (typeof LISTED_TEXTS)[number]> & Record<(typeof LISTED_TEXTS)[number], number>;

/** Replaces the numbers of texts by the texts. A join would read the whole table of labels for each column. */
export async function withTexts(
  calls: readonly NumberedCall[],
  connection: DuckDBConnection,
): Promise<readonly ListedCall[]> {
  const numbers = new Set(calls.flatMap((call) => LISTED_TEXTS.map((name) => call[name])));
  const reader = await connection.runAndReadAll(
    `select id, value from label where id in (${[0, ...numbers].join(', ')})`,
  );
  const texts = new Map(reader.getRowObjectsJS().map((row) => [row['id'] as number, row['value'] as string]));
  const textsOf = (call: NumberedCall): Pick<ListedCall, (typeof LISTED_TEXTS)[number]> => ({
    model: texts.get(call.model) ?? null,
    provider: texts.get(call.provider) ?? null,
    external_user: texts.get(call.external_user) ?? null,
    finish_reason: texts.get(call.finish_reason) ?? null,
  });
  return calls.map((call) => ({ ...call, ...textsOf(call) }));
}
