import type { Sort } from '../model-query.js';
import type { ModelColumns } from './model-columns.js';

/** The sort key of a model; undefined or null = unknown, and the model comes last. */
type Figure = (columns: ModelColumns, at: number) => number | null | undefined;

interface Order {
  readonly figure: Figure;
  readonly ascending?: boolean;
}

const ORDERS: Readonly<Record<Exclude<Sort, 'newest'>, Order>> = {
  'most-popular': { figure: ({ figures }, at) => figures[at]?.requests },
  'top-weekly': { figure: ({ figures }, at) => figures[at]?.weeklyTokens },
  'pricing-low-to-high': { figure: ({ price }, at) => price[at], ascending: true },
  'pricing-high-to-low': { figure: ({ price }, at) => price[at] },
  'context-high-to-low': { figure: ({ models }, at) => models[at]!.contextLength },
  'throughput-high-to-low': { figure: ({ figures }, at) => figures[at]?.throughput },
  'latency-low-to-high': { figure: ({ figures }, at) => figures[at]?.latency, ascending: true },
  'intelligence-high-to-low': { figure: ({ scores }, at) => scores[at]?.intelligence },
  'coding-high-to-low': { figure: ({ scores }, at) => scores[at]?.coding },
  'agentic-high-to-low': { figure: ({ scores }, at) => scores[at]?.agentic },
  'arena-elo-high-to-low': { figure: ({ scores }, at) => scores[at]?.arenaElo },
};

/** The indices of the models in an order. Ties keep the default order: newest first, then by id. */
export function placesIn(sort: Sort | undefined, columns: ModelColumns): Int32Array {
  const places = Int32Array.from(columns.models, (_, at) => at);
  if (sort === undefined || sort === 'newest') return places;
  const { figure, ascending } = ORDERS[sort];
  const last = ascending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const figures = columns.models.map((_, at) => figure(columns, at) ?? last);
  const direction = ascending ? 1 : -1;
  return places.sort((a, b) =>
    figures[a] === figures[b] ? a - b : figures[a]! < figures[b]! ? -direction : direction,
  );
}
