export const DIALECTS = ['neutral', 'openrouter'] as const;
/** The setting WIRE_DIALECT, which selects the words in responses. */
export type Dialect = (typeof DIALECTS)[number];

/** The published API's word for each neutral word. No other place contains both words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['awaiting_chat_install', 'awaiting_slack_install'],
  ['index-source', 'artificial-analysis'],
  ['arena-source', 'design-arena'],
  ['arena-elo-high-to-low', 'design-arena-elo-high-to-low'],
  ['gatehouse/intern', 'openrouter/intern'],
]);

const NEUTRAL: ReadonlyMap<string, string> = new Map([...WORDS].map(([neutral, published]) => [published, neutral]));

const PUBLISHED_SDK = /(?:^|\s)@openrouter\/sdk(?:\s|$)/;

/**
 * The dialect for the response that describes a created record. The published SDK cannot read the neutral form, and
 * would fail although the record was created. Therefore callers with the SDK's `User-Agent` get the published words.
 */
export const dialectFor = (setting: Dialect, userAgent: string | undefined): Dialect =>
  PUBLISHED_SDK.test(userAgent ?? '') ? 'openrouter' : setting;

/** The word for responses. Words that the dialects share are unchanged. */
export const toWire = (neutral: string, dialect: Dialect): string =>
  dialect === 'openrouter' ? (WORDS.get(neutral) ?? neutral) : neutral;

/** The neutral form of a word in a request. Requests may use either dialect. */
export const fromWire = (word: string): string => NEUTRAL.get(word) ?? word;
