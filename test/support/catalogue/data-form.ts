import type { EndpointEntry, ModelEntry, ProviderEntry } from '../../../src/catalogue/entries/entry.js';

const MAX_LINE_CHARACTERS = 300;

/** Members that come first, in this order; others follow in their own order. */
const MODEL_ORDER = [
  'id',
  'name',
  'description',
  'family',
  'released',
  'knowledge',
  'expires',
  'input',
  'output',
  'context',
  'max_output',
  'supports',
  'open_weights',
  'weights',
];

/**
 * Formats catalogue data for readable diffs: models by id with one member per line; endpoints by provider and tag, one
 * per line; a long endpoint with one member per line.
 */
export function formatModels(entries: readonly ModelEntry[]): string {
  return list(entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(modelText));
}

/** One provider per line, by slug. */
export function formatProviders(entries: readonly ProviderEntry[]): string {
  return list(entries.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map((entry) => `  ${oneLine(entry)}`));
}

const list = (items: readonly string[]): string => `[\n${items.join(',\n')}\n]\n`;

function modelText(entry: ModelEntry): string {
  const { endpoints = [], ...facts } = entry;
  const names = Object.keys(facts).toSorted((a, b) => place(a) - place(b));
  const lines = names.map((name) => `    ${JSON.stringify(name)}: ${oneLine(facts[name as keyof typeof facts])}`);
  const sorted = endpoints.toSorted((a, b) =>
    `${a.provider} ${a.tag ?? ''}` < `${b.provider} ${b.tag ?? ''}` ? -1 : 1,
  );
  const offers = sorted.length === 0 ? [] : [`    "endpoints": [\n${sorted.map(endpointText).join(',\n')}\n    ]`];
  return `  {\n${[...lines, ...offers].join(',\n')}\n  }`;
}

function endpointText(endpoint: EndpointEntry): string {
  const short = `      ${oneLine(endpoint)}`;
  if (short.length <= MAX_LINE_CHARACTERS) return short;
  const members = Object.entries(endpoint).map(
    ([name, member]) => `        ${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return `      {\n${members.join(',\n')}\n      }`;
}

const place = (name: string): number => (MODEL_ORDER.includes(name) ? MODEL_ORDER.indexOf(name) : MODEL_ORDER.length);

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value);
}
