import type { Capability, TextLimits } from '../catalogue-model.js';
import type { EndpointEntry, ModelEntry } from './entry.js';
import { aDay, aUrl } from './read-entry.js';
import { aCount, aFlag, aNumber, aText, shapeOf, listOf } from './shape.js';

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

export interface TextRules {
  readonly adapters: readonly TextAdapterRule[];
  readonly limits: readonly TextLimitsRule[];
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
  const author = model.id.slice(0, model.id.indexOf('/'));
  const rule = limits
    .filter(
      (candidate) =>
        (candidate.provider ?? entry.provider) === entry.provider &&
        (candidate.author ?? author) === author &&
        (candidate.tokenizer ?? tokenizer) === tokenizer &&
        model.id.startsWith(candidate.model ?? ''),
    )
    .reduce<TextLimitsRule>((earlier, later) => ({ ...earlier, ...later }), {});
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
