import type { ModelScores } from '../../../../src/catalogue/benchmark.js';
import type { CatalogueModel } from '../../../../src/catalogue/catalogue-model.js';
import type { TrafficFigures } from '../../../../src/catalogue/model-query.js';

export const NOW = new Date('2026-11-20T12:00:00Z');

export interface Known {
  readonly model: CatalogueModel;
  readonly scores: ModelScores | undefined;
  readonly figures: TrafficFigures | undefined;
}

export type Query = { readonly [name: string]: string | undefined };

/** A decimal text × 10⁴⁰ as an integer, computed differently from the search under test. */
function scaled(text: string, extra = 0): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(`${whole}${fraction}` || '0') * 10n ** BigInt(40 - fraction.length + Number(exponent) + extra);
}

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '' && text !== 'null';
const items = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** The prompt price for filters and sorting. */
const promptOf = ({ pricing }: CatalogueModel): string => pricing.inputCharacter ?? pricing.prompt;

function passes({ model, scores, figures }: Known, asked: Query): boolean {
  const price = (text: string, min: string | undefined, max: string | undefined): boolean => {
    if (!isSet(min) && !isSet(max)) return true;
    return (!isSet(min) || scaled(text, 6) >= scaled(min)) && (!isSet(max) || scaled(text, 6) <= scaled(max));
  };
  const figure = (value: number | null | undefined, min: string | undefined, max: string | undefined): boolean => {
    if (!isSet(min) && !isSet(max)) return true;
    if (value === null || value === undefined) return false;
    return !(isSet(min) && value < Number(min)) && !(isSet(max) && value > Number(max));
  };
  const outputs = items(asked.output_modalities);
  const wantedOutputs = outputs.length === 0 ? ['text'] : outputs;
  const haystack = [model.name, model.id, model.canonicalSlug].map((text) => text.toLowerCase());
  const age = Math.max(0, Math.floor((NOW.getTime() / 1000 - model.created) / 86_400));
  const anyOf = (wanted: readonly string[], has: readonly string[]): boolean =>
    wanted.length === 0 || wanted.some((item) => has.some((own) => own.toLowerCase() === item.toLowerCase()));
  return (
    (wantedOutputs.includes('all') || anyOf(wantedOutputs, model.outputModalities)) &&
    anyOf(items(asked.input_modalities), model.inputModalities) &&
    (asked.category === undefined || (model.categories ?? []).includes(asked.category)) &&
    items(asked.supported_parameters).every((name) => model.supportedParameters.includes(name)) &&
    (asked.q ?? '')
      .toLowerCase()
      .split(' ')
      .every((word) => haystack.some((text) => text.includes(word))) &&
    (!isSet(asked.context) || model.contextLength >= Number(asked.context)) &&
    price(promptOf(model), asked.min_price, asked.max_price) &&
    price(model.pricing.completion, asked.min_output_price, asked.max_output_price) &&
    (!asked.arch ||
      [model.tokenizer, model.family].some((name) => name?.toLowerCase() === asked.arch!.toLowerCase())) &&
    anyOf(items(asked.model_authors), [model.id.split('/')[0]!]) &&
    anyOf(
      items(asked.providers),
      model.endpoints.flatMap((endpoint) => [endpoint.provider, endpoint.providerName]),
    ) &&
    (asked.distillable !== 'true' || model.distillable === true) &&
    (asked.distillable !== 'false' || model.distillable !== true) &&
    (asked.zdr === undefined || model.endpoints.some((endpoint) => endpoint.zeroDataRetention)) &&
    (asked.region === undefined || model.endpoints.some((endpoint) => endpoint.regions?.includes('eu'))) &&
    figure(age, asked.min_age_days, asked.max_age_days) &&
    figure(scores?.intelligence, asked.min_intelligence_index, asked.max_intelligence_index) &&
    figure(scores?.coding, asked.min_coding_index, asked.max_coding_index) &&
    figure(scores?.agentic, asked.min_agentic_index, asked.max_agentic_index) &&
    figure(figures?.toolSuccessRate, asked.min_tool_success_rate, asked.max_tool_success_rate)
  );
}

/** The sort key of a model; lower is better, undefined is last. */
function keyOf({ model, scores, figures }: Known, sort: string | undefined): bigint | number | undefined {
  const down = (value: number | null | undefined): number | undefined =>
    value === null || value === undefined ? undefined : -value;
  // The factor is larger than any scaled price, so the completion price matters only if the prompt prices are equal.
  const price = scaled(promptOf(model)) * 10n ** 1000n + scaled(model.pricing.completion);
  switch (sort) {
    case 'most-popular':
      return down(figures?.requests);
    case 'top-weekly':
      return down(figures?.weeklyTokens);
    case 'pricing-low-to-high':
      return price;
    case 'pricing-high-to-low':
      return -price;
    case 'context-high-to-low':
      return -model.contextLength;
    case 'throughput-high-to-low':
      return down(figures?.throughput);
    case 'latency-low-to-high':
      return figures?.latency ?? undefined;
    case 'intelligence-high-to-low':
      return down(scores?.intelligence);
    case 'coding-high-to-low':
      return down(scores?.coding);
    case 'agentic-high-to-low':
      return down(scores?.agentic);
    case 'arena-elo-high-to-low':
    case 'design-arena-elo-high-to-low':
      return down(scores?.arenaElo);
    default:
      return 0;
  }
}

export function naive(all: readonly Known[], asked: Query): string[] {
  const isPriced = ({ model }: Known): boolean => Object.values(model.pricing).every((price) => price !== '-1');
  const found = all.filter((one) => isPriced(one) && passes(one, asked));
  found.sort((a, b) => {
    const [left, right] = [keyOf(a, asked.sort), keyOf(b, asked.sort)];
    if (left !== undefined && right === undefined) return -1;
    if (left === undefined && right !== undefined) return 1;
    if (left !== undefined && right !== undefined && left !== right) return left < right ? -1 : 1;
    return b.model.created - a.model.created || (a.model.id < b.model.id ? -1 : 1);
  });
  return found.map(({ model }) => model.id);
}
