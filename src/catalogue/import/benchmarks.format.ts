import { fromWire } from '../../kernel/dialect.js';
import { BENCHMARK_SOURCES, type BenchmarkSource } from '../benchmark.js';
import { SCORE_MEMBERS } from '../benchmarks/read-benchmarks.js';
import { anObject, listOf, read } from '../entries/schema.js';
import { readCsv } from './csv.js';
import { ImportFault } from './import-fault.js';
import { lineOf, located, parseJson } from './located-json.js';

/** One score of a file before its validation. `line` returns the line of a member, for errors. */
export interface RawScore {
  readonly line: (path: readonly (string | number)[]) => number;
  readonly source: BenchmarkSource;
  readonly members: Readonly<Record<string, unknown>>;
}

const COLUMNS = Object.values(SCORE_MEMBERS).map((members) => ['source', ...members]);
const TEXT_COLUMNS = new Set(['source', 'model_permaslug', 'display_name', 'arena', 'category']);

/**
 * Reads CSV with the columns of one source, or JSON. The JSON has items in the form of GET /benchmarks, in a list or
 * under `data`. Throws ImportFault.
 */
export function readScores(text: string): RawScore[] {
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
}

function fromCsv(text: string): RawScore[] {
  const [head, ...rows] = readCsv(text);
  const names = head?.cells.map((cell) => cell.trim()) ?? [];
  const columns = COLUMNS.find((expected) => expected.join() === names.join());
  if (!columns)
    throw new ImportFault(1, `must name the columns ${COLUMNS.map((expected) => expected.join(',')).join(' or ')}`);
  return rows.map(({ line, cells }) => {
    if (cells.length !== columns.length)
      throw new ImportFault(line, `has ${cells.length} cells and must have ${columns.length}`);
    const members = Object.fromEntries(columns.map((name, at) => [name, cellValue(name, cells[at]!)]));
    return { ...ofSource(members, () => line), line: () => line };
  });
}

/**
 * An empty cell in a number column is unknown (null). Other text in a number column stays text, which validation
 * refuses.
 */
function cellValue(name: string, cell: string): unknown {
  if (TEXT_COLUMNS.has(name)) return cell;
  if (cell.trim() === '') return null;
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell.trim()) ? Number(cell) : cell;
}

function fromJson(text: string): RawScore[] {
  const value = parseJson(text);
  const [items, path] = Array.isArray(value) ? [value, []] : [(value as { data?: unknown }).data, ['data']];
  const line = (inside: readonly (string | number)[]): number => lineOf(text, [...path, ...inside]);
  const readItems = (): RawScore[] =>
    read(listOf(anObject), items).map((item, at) => {
      const { pricing: _pricing, tournament_stats, ...rest } = item;
      const members = {
        ...rest,
        ...(tournament_stats === undefined ? {} : read(anObject, tournament_stats, [at, 'tournament_stats'])),
      };
      return { ...ofSource(members, () => line([at, 'source'])), line: (inside) => line([at, ...inside]) };
    });
  return located(readItems, line);
}

function ofSource(row: Readonly<Record<string, unknown>>, line: () => number): Pick<RawScore, 'source' | 'members'> {
  const { source: word, ...members } = row;
  const source = BENCHMARK_SOURCES.find((known) => typeof word === 'string' && known === fromWire(word.trim()));
  if (!source) throw new ImportFault(line(), `source must be one of ${BENCHMARK_SOURCES.join(', ')}`);
  return { source, members };
}
