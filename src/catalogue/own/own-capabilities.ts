import type { ParameterRule } from '../catalogue-model.js';
import { tokenPriceEntry } from '../entries/token-price-entry.js';
import {
  capabilityOf,
  pricesOf,
  type GivenModel,
  type OwnCapability,
  type OwnModelSetup,
  type OwnPriceName,
  type OwnPricing,
} from '../own-provider.js';
import type { ListedPrice } from '../price.js';
import { readPublishedPricing } from '../token-price-list.js';

/** The properties of models that depend on the capability. */
interface CapabilityRules {
  /** The default input modalities. */
  readonly input: readonly string[];
  readonly output: string;
  /** Whether the context limits a request. */
  readonly hasContext: boolean;
  /** The prices that a model must have. */
  readonly prices: readonly OwnPriceName[];
  /** The prices that a model may have in addition. */
  readonly otherPrices?: readonly OwnPriceName[];
  /** What is billed, and the unit, if there is only one price. Absent = calls are billed by tokens. */
  readonly line?: Omit<ListedPrice, 'costUsd'>;
  /** The names that `supported_parameters` may contain, and the values allowed for each. Absent = any name. */
  readonly parameters?: Readonly<Record<string, ParameterRule>>;
  readonly defaultParameters: readonly string[];
}

const anyOf = (...values: string[]): ParameterRule => ({ type: 'enum', values });
const fromTo = (min: number, max: number): ParameterRule => ({ type: 'range', min, max });
const ANY: ParameterRule = { type: 'boolean' };

export const OWN_CAPABILITY_RULES: Readonly<Record<OwnCapability, CapabilityRules>> = {
  chat: {
    input: ['text'],
    output: 'text',
    hasContext: true,
    prices: ['prompt', 'completion'],
    otherPrices: ['input_cache_read', 'input_cache_write', 'internal_reasoning', 'image', 'request', 'web_search'],
    defaultParameters: ['max_tokens', 'stop', 'temperature', 'top_p'],
  },
  embeddings: {
    input: ['text'],
    output: 'embeddings',
    hasContext: true,
    prices: ['prompt'],
    defaultParameters: [],
  },
  image: {
    input: ['text'],
    output: 'image',
    hasContext: false,
    prices: ['image'],
    line: { billable: 'output_image', unit: 'image' },
    parameters: {
      n: fromTo(1, 10),
      size: ANY,
      seed: ANY,
      quality: anyOf('auto', 'low', 'medium', 'high'),
      background: anyOf('auto', 'transparent', 'opaque'),
      output_format: anyOf('png', 'jpeg', 'webp'),
      output_compression: fromTo(0, 100),
      input_references: fromTo(0, 16),
    },
    defaultParameters: ['n', 'size'],
  },
  speech: {
    input: ['text'],
    output: 'audio',
    hasContext: false,
    prices: ['input_character'],
    line: { billable: 'input_text', unit: 'character' },
    parameters: { response_format: anyOf('mp3', 'pcm'), speed: fromTo(0.25, 4) },
    defaultParameters: ['response_format', 'speed'],
  },
  transcription: {
    input: ['audio'],
    output: 'transcription',
    hasContext: false,
    prices: ['second'],
    line: { billable: 'input_audio', unit: 'second' },
    parameters: {
      language: ANY,
      response_format: anyOf('json', 'verbose_json'),
      temperature: fromTo(0, 1),
      timestamp_granularities: anyOf('segment', 'word'),
    },
    defaultParameters: ['language', 'response_format', 'temperature'],
  },
};

/** The operator's setup of a model, completed with the defaults of its capability. Not validated yet. */
export function modelSetupOf({ capability, pricing, ...given }: GivenModel): OwnModelSetup {
  const rules = OWN_CAPABILITY_RULES[capability];
  return {
    ...given,
    inputModalities: given.inputModalities ?? rules.input,
    supportedParameters: given.supportedParameters ?? rules.defaultParameters,
    ...(capability === 'chat' ? { pricing } : { capability, pricing: null, prices: pricing }),
  };
}

/** Why a model cannot have this setup; undefined if it can. */
export function faultOfSetup(setup: OwnModelSetup): string | undefined {
  const capability = capabilityOf(setup);
  const rules = OWN_CAPABILITY_RULES[capability];
  const { contextLength, maxCompletionTokens, supportedParameters } = setup;
  if (rules.hasContext && contextLength === 0) return `context_length is required for a model of ${capability}`;
  if (!rules.hasContext && contextLength > 0) return `context_length is not allowed for models of ${capability}`;
  if (capability !== 'chat' && maxCompletionTokens !== null)
    return 'max_completion_tokens is allowed only for chat models';
  const words = rules.parameters && Object.keys(rules.parameters);
  if (words && !supportedParameters.every((word) => words.includes(word)))
    return `supported_parameters of a model of ${capability} may contain only ${words.join(', ')}`;
  const prices = pricesOf(setup);
  return prices ? faultOfPrices(capability, prices) : undefined;
}

function faultOfPrices(capability: OwnCapability, pricing: OwnPricing): string | undefined {
  const { prices, otherPrices = [] } = OWN_CAPABILITY_RULES[capability];
  const missing = prices.find((name) => pricing[name] === undefined);
  if (missing !== undefined) return `pricing of a model of ${capability} must have ${prices.join(' and ')}`;
  const known: readonly string[] = [...prices, ...otherPrices];
  const other = Object.keys(pricing).find((name) => !known.includes(name));
  return other === undefined ? undefined : `pricing of a model of ${capability} may not have ${other}`;
}

/** The members of an endpoint's entry that depend on its capability. */
export function endpointMembersOf(setup: OwnModelSetup): object {
  const { prices: names, line, parameters = {} } = OWN_CAPABILITY_RULES[capabilityOf(setup)];
  const known = setup.supportedParameters.filter((word) => Object.hasOwn(parameters, word));
  const prices = pricesOf(setup);
  return {
    parameters: Object.fromEntries(known.map((word) => [word, parameters[word]])),
    ...(prices && line ? { pricing: [{ ...line, cost_usd: prices[names[0]!] }] } : {}),
    ...(prices && !line ? tokenPricesOf(prices) : {}),
  };
}

const tokenPricesOf = (prices: OwnPricing): object => ({
  usd_per_million: tokenPriceEntry(readPublishedPricing({ completion: '0', ...prices })!),
  usd_per_image: prices.image,
  usd_per_request: prices.request,
  usd_per_search: prices.web_search,
});
