import { givenMembers } from '../../kernel/given-members.js';
import type { Capability, TextLimits } from '../catalogue-model.js';
import type { EndpointEntry, ModelEntry } from './entry.js';
import { aCount, aDay, aFlag, aNumber, aPrice, aText, aUrl, listOf, objectOf, type EntryOf } from './schema.js';

/** How to call a provider's text endpoints, so that the models need not repeat it. */
const anAdapterRule = objectOf({
  provider: aText,
  /** The adapter of chat endpoints. Absent = the provider has none. */
  chat: aText.optional(),
  /** The adapter of embedding endpoints. Absent = the provider has none. */
  embeddings: aText.optional(),
  /** The npm package that the adapter calls, if it is an adapter for packages. */
  package: aText.optional(),
  /** Prefixes of the model ids to which the rule applies. Absent = it applies to all ids. */
  only: listOf(aText).optional(),
  /** Prefixes of model ids to which the rule does not apply, even if `only` matches them. */
  except: listOf(aText).optional(),
  /**
   * True for a server that the operator runs and that needs no credential. Only models that were discovered on the
   * server can be called. The entries of these models name the adapter, so the rule provides no adapter.
   */
  local: aFlag.optional(),
  /** The format of the server's list of models. Default: `GET {base}/models`. */
  model_list: aText.optional(),
  source: aUrl.optional(),
});
type TextAdapterRule = EntryOf<typeof anAdapterRule>;

/** The conditions of a rule, which applies to endpoints that meet all of them. */
const CONDITIONS = {
  provider: aText.optional(),
  author: aText.optional(),
  /** The prefix of the model's id. */
  model: aText.optional(),
};
const SOURCE = {
  /** Explains the rule if the page at `source` does not state it literally. */
  note: aText.optional(),
  source: aUrl.optional(),
  read: aDay.optional(),
};

/** Limits of endpoints. Later rules override earlier ones. */
const aLimitsRule = objectOf({
  ...CONDITIONS,
  tokenizer: aText.optional(),
  frame_tokens: aCount.optional(),
  tokens_per_image: aCount.optional(),
  tokens_per_audio_second: aCount.optional(),
  tokens_per_file_page: aCount.optional(),
  text_growth: aNumber.optional(),
  caches_by_itself: aFlag.optional(),
  max_web_searches: aCount.optional(),
  ...SOURCE,
});
type TextLimitsRule = EntryOf<typeof aLimitsRule>;

/** The price of a web search at endpoints. The last matching rule applies. */
const aSearchPriceRule = objectOf({ ...CONDITIONS, usd_per_search: aPrice, ...SOURCE });
type SearchPriceRule = EntryOf<typeof aSearchPriceRule>;

export interface TextRules {
  readonly adapters: readonly TextAdapterRule[];
  readonly limits: readonly TextLimitsRule[];
  readonly searchPrices: readonly SearchPriceRule[];
}

export const textAdapterRules = listOf(anAdapterRule);
export const textLimitsRules = listOf(aLimitsRule);
export const searchPriceRules = listOf(aSearchPriceRule);

/** The adapter of an endpoint whose entry names no adapter; null if no rule provides one. */
export function textAdapterOf(
  { provider }: EndpointEntry,
  { id }: ModelEntry,
  capability: Capability,
  { adapters }: TextRules,
): { readonly adapter: string; readonly package?: string } | null {
  if (capability !== 'chat' && capability !== 'embeddings') return null;
  const beginsWith = (beginning: string): boolean => id.startsWith(beginning);
  const rule = adapters.find(
    ({ provider: slug, only, except, local }) =>
      slug === provider && !local && (only?.some(beginsWith) ?? true) && !except?.some(beginsWith),
  );
  const adapter = rule?.[capability];
  return adapter === undefined ? null : { adapter, package: rule!.package };
}

/**
 * The limits of one text request. The endpoint's limits take precedence over the model's; the rules add further limits.
 */
export function textLimitsOf(
  entry: EndpointEntry,
  model: ModelEntry,
  tokenizer: string,
  { limits }: TextRules,
): TextLimits {
  const isForThis = matcherOf(entry, model);
  const rule = limits
    .filter((candidate) => isForThis(candidate) && (candidate.tokenizer ?? tokenizer) === tokenizer)
    .reduce<TextLimitsRule>((earlier, later) => Object.assign(earlier, later), {});
  const given = {
    contextLength: entry.context || model.context || undefined,
    maxPromptTokens: entry.max_input || undefined,
    maxCompletionTokens: entry.max_output || model.max_output || undefined,
    frameTokens: rule.frame_tokens,
    tokensPerImage: rule.tokens_per_image,
    tokensPerAudioSecond: rule.tokens_per_audio_second,
    tokensPerFilePage: rule.tokens_per_file_page,
    textGrowth: rule.text_growth,
    cachesByItself: rule.caches_by_itself,
    maxWebSearches: rule.max_web_searches,
  };
  return givenMembers(given);
}

/** The price in USD of a web search, for an entry without this price; undefined if no rule provides it. */
export const searchPriceOf = (
  entry: EndpointEntry,
  model: ModelEntry,
  { searchPrices }: TextRules,
): string | undefined => searchPrices.findLast(matcherOf(entry, model))?.usd_per_search;

/** Returns a function that tests whether a rule applies to this endpoint of this model. */
function matcherOf(
  { provider }: EndpointEntry,
  { id }: ModelEntry,
): (rule: Pick<TextLimitsRule, 'provider' | 'author' | 'model'>) => boolean {
  const author = id.slice(0, id.indexOf('/'));
  return (rule) =>
    (rule.provider ?? provider) === provider && (rule.author ?? author) === author && id.startsWith(rule.model ?? '');
}
