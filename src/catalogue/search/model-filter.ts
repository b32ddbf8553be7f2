import type { Decimal } from '../../kernel/money.js';
import type { CatalogueModel } from '../catalogue-model.js';
import { authorsNamed, providersNamed } from '../names/published-names.js';
import type { Bounds, ModelQuery } from '../model-query.js';
import type { DecimalColumn } from './decimal-column.js';
import type { Membership } from './membership.js';
import type { ModelColumns } from './model-columns.js';

/** Whether the model at an index passes. */
export type Passes = (at: number) => boolean;

const DAY_SECONDS = 86_400;

/** Returns one test per filter of the query. Unknown values do not pass (docs/api-rules.md, section 8). */
export function filtersOf(query: ModelQuery, columns: ModelColumns, now: Date): Passes[] {
  const { models } = columns;
  const seconds = Math.floor(now.getTime() / 1000);
  const of =
    (test: (model: CatalogueModel) => boolean): Passes =>
    (at) =>
      test(models[at]!);
  const filters: (Passes | undefined)[] = [
    when(query.outputModalities, (names) => anyOf(names, columns.outputs)),
    when(query.inputModalities, (names) => anyOf(names, columns.inputs)),
    when(
      query.category,
      (category) => (at) =>
        models[at]!.categories?.includes(category) || columns.figures[at]?.categories?.includes(category) || false,
    ),
    when(query.supportedParameters, (names) => allOf(names, columns.supported)),
    when(query.q, (text) => wordsWithin(text, columns.words)),
    when(query.context, (min) => (at) => columns.contexts[at]! >= min),
    when(query.promptPrice, (bounds) => priceWithin(bounds, columns.prompt)),
    when(query.completionPrice, (bounds) => priceWithin(bounds, columns.completion)),
    when(query.arch, (arch) => anyOf([lower(arch)], columns.architectures)),
    when(query.authors, (authors) => anyOf(authors.map(lower).flatMap(authorsNamed), columns.authors)),
    when(query.providers, (names) => anyOf(names.map(lower).flatMap(providersNamed), columns.providers)),
    // `false` excludes models that are known to be distillable. Models with an unknown value pass.
    when(query.distillable, (value) =>
      of((model) => (value ? model.distillable === true : model.distillable !== true)),
    ),
    when(query.zeroDataRetention, () =>
      of((model) => model.endpoints.some((endpoint) => endpoint.zeroDataRetention === true)),
    ),
    when(query.region, (region) =>
      of((model) => model.endpoints.some((endpoint) => endpoint.regions?.includes(region) ?? false)),
    ),
    when(
      query.ageDays,
      (bounds) => (at) => within(Math.max(0, Math.floor((seconds - columns.created[at]!) / DAY_SECONDS)), bounds),
    ),
    when(query.intelligence, (bounds) => (at) => within(columns.scores[at]?.intelligence, bounds)),
    when(query.coding, (bounds) => (at) => within(columns.scores[at]?.coding, bounds)),
    when(query.agentic, (bounds) => (at) => within(columns.scores[at]?.agentic, bounds)),
    when(query.toolSuccessRate, (bounds) => (at) => within(columns.figures[at]?.toolSuccessRate, bounds)),
  ];
  return filters.filter((test): test is Passes => test !== undefined);
}

function when<T>(value: T | undefined, test: (value: T) => Passes): Passes | undefined {
  return value === undefined ? undefined : test(value);
}

function wordsWithin(text: string, haystacks: readonly string[]): Passes {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (at) => words.every((word) => haystacks[at]!.includes(word));
}

const lower = (name: string): string => name.toLowerCase();

function anyOf(names: readonly string[], members: Membership): Passes {
  const columns = names.map((name) => members.of(name));
  const [only] = columns;
  return columns.length === 1 ? (at) => only![at] === 1 : (at) => columns.some((column) => column[at] === 1);
}

function allOf(names: readonly string[], members: Membership): Passes {
  const columns = names.map((name) => members.of(name));
  const [only] = columns;
  return columns.length === 1 ? (at) => only![at] === 1 : (at) => columns.every((column) => column[at] === 1);
}

function priceWithin({ min, max }: Bounds<Decimal>, column: DecimalColumn): Passes {
  const { ranks } = column;
  const from = min ? column.rankFrom(perToken(min)) : 0;
  const to = max ? column.rankTo(perToken(max)) : Number.POSITIVE_INFINITY;
  return (at) => ranks[at]! >= from && ranks[at]! <= to;
}

const perToken = (perMillion: Decimal): Decimal => ({ units: perMillion.units, scale: perMillion.scale + 6 });

function within(value: number | null | undefined, { min, max }: Bounds<number>): boolean {
  return (
    value !== null && value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max)
  );
}
