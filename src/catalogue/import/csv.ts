import { ImportFault } from './import-fault.js';

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads CSV (RFC 4180): quoted cells may contain commas, doubled quotes and line breaks. Empty lines are skipped. */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let firstLine = 1;
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  pattern.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) throw new ImportFault(line, 'is not valid CSV: a quote is misplaced or not closed');
    const [whole, quoted, plain, end] = match;
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === ',' && pattern.lastIndex < text.length) continue;
    if (end === ',') cells.push('');
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: firstLine, cells });
    cells = [];
    firstLine = line;
  }
  return rows;
}
