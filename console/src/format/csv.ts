type Cell = string | number | null | undefined;

/**
 * The first characters of texts that spreadsheets read as a formula. Callers choose names, so a name can look like a
 * formula.
 */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

function cellText(value: Cell): string {
  if (value == null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvRow = Readonly<Record<string, Cell>>;

/** The rows as CSV (RFC 4180), with a header. */
export function csv(columns: readonly string[], rows: readonly CsvRow[]): string {
  const lines = rows.map((row) => columns.map((column) => cellText(row[column])).join(','));
  return [columns.map(cellText).join(','), ...lines, ''].join('\r\n');
}
