import type { Sql } from '../../database/sql.js';
import type { AnalyticsPlan, PlannedFilter } from '../analytics-query.js';

/** The result of checking the key hashes in a plan's filters. */
interface KeyFilterFindings {
  readonly warnings: readonly string[];
  /** Whether a filter requires keys that do not exist, so that the result is empty. */
  readonly nothingMatches: boolean;
}

const NAMES_KEYS = new Set(['eq', 'neq', 'in', 'not_in']);
const MAX_ECHO_LENGTH = 64;
/**
 * Maximum number of unknown hashes with a separate warning. A filter may have as many values as fit the body of the
 * request.
 */
const MAX_NAMED = 100;

/** Finds hashes in filters that belong to no key of the account, not even to a deleted one. */
export async function checkKeyFilters(plan: AnalyticsPlan, accountId: string, sql: Sql): Promise<KeyFilterFindings> {
  const filters = plan.filters.filter(({ field, operator }) => field === 'api_key_id' && NAMES_KEYS.has(operator));
  if (filters.length === 0) return { warnings: [], nothingMatches: false };
  const hashes = [...new Set(filters.flatMap(({ values }) => values.map(String)))];
  const found = await sql.query<{ hash: string }>('select hash from api_key where account_id = $1 and hash = any($2)', [
    accountId,
    hashes,
  ]);
  const known = new Set(found.map(({ hash }) => hash));
  const unknown = hashes.filter((hash) => !known.has(hash));
  const further = unknown.length - MAX_NAMED;
  return {
    warnings: [
      ...unknown
        .slice(0, MAX_NAMED)
        .map(
          (hash) =>
            `api_key_id "${hash.slice(0, MAX_ECHO_LENGTH)}" could not be resolved to an API key of this account`,
        ),
      ...(further > 0 ? [`${further} further values of api_key_id could not be resolved either`] : []),
    ],
    nothingMatches: filters.some((filter) => matchesNothing(filter, known)),
  };
}

const matchesNothing = ({ operator, values }: PlannedFilter, known: ReadonlySet<string>): boolean =>
  (operator === 'eq' || operator === 'in') && values.length > 0 && !values.some((value) => known.has(String(value)));
