import { FED_VALUES, orZero } from '../../feed/fed-values.js';
import type { FedLines } from '../../feed/usage-feed.js';
import { FED_COLUMNS, SLICE } from './store-schema.js';

const EXPRESSIONS: Partial<Record<keyof typeof FED_COLUMNS, string>> = {
  ...FED_VALUES,
  is_byok: 'cast(g.is_byok as int)',
  ...Object.fromEntries(
    [
      'tokens_reasoning',
      'tokens_cached',
      'characters',
      'images',
      'external_user',
      'app',
      'origin',
      'finish_reason',
    ].map((name) => [name, orZero(name)]),
  ),
};
/**
 * PostgreSQL formats the lines, because parsing rows in JavaScript would take most of the time. A null is written as an
 * empty text.
 */
const LINE = `concat(${Object.keys(FED_COLUMNS)
  .map((name) => EXPRESSIONS[name as keyof typeof FED_COLUMNS] ?? `g.${name}`)
  .join(`, ',', `)})`;

/** A line of CSV for each call. */
export const CSV_LINES: FedLines = {
  line: LINE,
  joins: '',
  idOf: (line) => line.split(',', 1)[0]!,
  pageRows: SLICE,
};
