import type { Capability, TextLimits } from '../catalogue-model.js';
import type { EndpointEntry, ModelEntry } from './entry.js';
import { aDay, aUrl } from './read-entry.js';
import { aCount, aFlag, aNumber, aPrice, aText, shapeOf, listOf } from './shape.js';

/** How a provider's endpoints of text are called, so that not every model repeats it. */
export interface TextAdapterRule {
  readonly provider: string;
  /** The adapter of chat endpoints, and that of embeddings. Absent = the provider has none. */
  readonly chat?: string;
  readonly embeddings?: string;
  /** The npm package that the adapter calls, where it is one over packages. */
  readonly package?: string;
  /** Beginnings of model ids: the rule holds for these alone, or for none of these. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /**
   * A server that the operator runs, without a credential. Only the models that were discovered on it can be called, so
   * the rule gives adapters to no others.
   */
  readonly local?: boolean;
  /** How the models of the server are listed. Default: `GET {base}/models`. */
  readonly model_list?: string;
  readonly source?: string;
}

/** Limits of the endpoints that match all of its conditions; later rules replace what earlier ones say. */
export interface TextLimitsRule {
  readonly provider?: string;
  readonly author?: string;
  readonly tokenizer?: string;
  /** The beginning of the model's id. */
  readonly model?: string;
  readonly frame_tokens?: number;
  readonly tokens_per_image?: number;
  readonly tokens_per_audio_second?: number;
  readonly tokens_per_file_page?: number;
  readonly text_growth?: number;
  readonly caches_by_itself?: boolean;
  readonly max_web_searches?: number;
  /** Why, where the page does not say it in these words. */
  readonly note?: string;
  readonly source?: string;
  readonly read?: string;
}

/** What a web search costs at the endpoints that match all of its conditions; the last rule that matches counts. */
export interface SearchPriceRule extends Pick<
  TextLimitsRule,
  'provider' | 'author' | 'model' | 'note' | 'source' | 'read'
> {
  readonly usd_per_search: string;
}

export interface TextRules {
  readonly adapters: readonly TextAdapterRule[];
  readonly limits: readonly TextLimitsRule[];
  readonly searchPrices: readonly SearchPriceRule[];
}

export const textAdapterRules = listOf(
  shapeOf<TextAdapterRule>(
    {
      provider: aText,
      chat: aText,
      embeddings: aText,
      package: aText,
      only: listOf(aText),
      except: listOf(aText),
      local: aFlag,
      model_list: aText,
      source: aUrl,
    },
    ['provider'],
  ),
);

export const textLimitsRules = listOf(
  shapeOf<TextLimitsRule>(
    {
      provider: aText,
      author: aText,
      tokenizer: aText,
      model: aText,
      frame_tokens: aCount,
      tokens_per_image: aCount,
      tokens_per_audio_second: aCount,
      tokens_per_file_page: aCount,
      text_growth: aNumber,
      caches_by_itself: aFlag,
      max_web_searches: aCount,
      note: aText,
      source: aUrl,
      read: aDay,
    },
    [],
  ),
);

export const searchPriceRules = listOf(
  shapeOf<SearchPriceRule>(
    { provider: aText, author: aText, model: aText, usd_per_search: aPrice, note: aText, source: aUrl, read: aDay },
    ['usd_per_search'],
  ),
);

/** The adapter of an endpoint whose entry names none; null where no rule gives it one. */
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
  return adapter === undefined ? null : { adapter, ...(rule!.package === undefined ? {} : { package: rule!.package }) };
}

/** The limits of one request of text: those of the endpoint, else those of the model, and what the rules add. */
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
  return Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));
}

/** The price of a web search that an entry without its own has, in USD; undefined where no rule gives it one. */
export const searchPriceOf = (
  entry: EndpointEntry,
  model: ModelEntry,
  { searchPrices }: TextRules,
): string | undefined => searchPrices.findLast(matcherOf(entry, model))?.usd_per_search;

/** Returns whether a rule is for this endpoint of this model. */
function matcherOf(
  { provider }: EndpointEntry,
  { id }: ModelEntry,
): (rule: Pick<TextLimitsRule, 'provider' | 'author' | 'model'>) => boolean {
  const author = id.slice(0, id.indexOf('/'));
  return (rule) =>
    (rule.provider ?? provider) === provider && (rule.author ?? author) === author && id.startsWith(rule.model ?? '');
}
