import type { Decimal } from '../../kernel/money.js';
import type { CatalogueModel } from '../catalogue-model.js';
import type { Bounds, ModelQuery } from '../model-query.js';
import type { DecimalColumn } from './decimal-column.js';
import type { ModelColumns } from './model-columns.js';

/** Whether the model at a place passes. */
export type Passes = (at: number) => boolean;

const DAY_SECONDS = 86_400;

/** One test for every part of the query that asks for something. What is not known does not pass (wire-notes section 8). */
export function filtersOf(query: ModelQuery, columns: ModelColumns, now: Date): Passes[] {
  const { models } = columns;
  const seconds = Math.floor(now.getTime() / 1000);
  const of = (test: (model: CatalogueModel) => boolean): Passes => (at) => test(models[at]!);
  const asked: (Passes | undefined)[] = [
    when(query.outputModalities, (wanted) => of((model) => wanted.some((modality) => model.outputModalities.includes(modality)))),
    when(query.inputModalities, (wanted) => of((model) => wanted.some((modality) => model.inputModalities.includes(modality)))),
    when(query.category, (category) => of((model) => model.categories?.includes(category) ?? false)),
    when(query.supportedParameters, (wanted) => of((model) => wanted.every((name) => model.supportedParameters.includes(name)))),
    when(query.q, (text) => wordsWithin(text, columns.words)),
    when(query.context, (least) => of((model) => model.contextLength >= least)),
    when(query.promptPrice, (bounds) => priceWithin(bounds, columns.prompt)),
    when(query.completionPrice, (bounds) => priceWithin(bounds, columns.completion)),
    when(query.arch, (arch) => oneOfLists([arch], columns.architectures)),
    when(query.authors, (authors) => oneOfLists(authors, columns.authors.map((author) => [author]))),
    when(query.providers, (names) => {
      const wanted = names.map((name) => name.toLowerCase());
      return (at) => wanted.some((name) => columns.providers[at]!.has(name));
    }),
    // A model of which it is not known is not known to be distillable, and stays where the distillable ones are excluded.
    when(query.distillable, (wanted) => of((model) => (wanted ? model.distillable === true : model.distillable !== true))),
    when(query.zeroDataRetention, () => of((model) => model.endpoints.some((endpoint) => endpoint.zeroDataRetention === true))),
    when(query.region, (region) => of((model) => model.endpoints.some((endpoint) => endpoint.regions?.includes(region) ?? false))),
    when(query.ageDays, (bounds) => of((model) => within(Math.max(0, Math.floor((seconds - model.created) / DAY_SECONDS)), bounds))),
    when(query.intelligence, (bounds) => (at) => within(columns.scores[at]?.intelligence, bounds)),
    when(query.coding, (bounds) => (at) => within(columns.scores[at]?.coding, bounds)),
    when(query.agentic, (bounds) => (at) => within(columns.scores[at]?.agentic, bounds)),
    when(query.toolSuccessRate, (bounds) => (at) => within(columns.figures[at]?.toolSuccessRate, bounds)),
  ];
  return asked.filter((test): test is Passes => test !== undefined);
}

function when<T>(asked: T | undefined, test: (asked: T) => Passes): Passes | undefined {
  return asked === undefined ? undefined : test(asked);
}

function wordsWithin(text: string, haystacks: readonly string[]): Passes {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return (at) => words.every((word) => haystacks[at]!.includes(word));
}

function oneOfLists(wanted: readonly string[], lists: readonly (readonly string[])[]): Passes {
  const names = wanted.map((name) => name.toLowerCase());
  return (at) => names.some((name) => lists[at]!.includes(name));
}

function priceWithin({ min, max }: Bounds<Decimal>, column: DecimalColumn): Passes {
  const from = min ? column.rankFrom(perToken(min)) : 0;
  const to = max ? column.rankTo(perToken(max)) : Number.POSITIVE_INFINITY;
  return (at) => column.ranks[at]! >= from && column.ranks[at]! <= to;
}

const perToken = (perMillion: Decimal): Decimal => ({ units: perMillion.units, scale: perMillion.scale + 6 });

function within(value: number | null | undefined, { min, max }: Bounds<number>): boolean {
  return value !== null && value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max);
}
