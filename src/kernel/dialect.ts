export const DIALECTS = ['neutral', 'openrouter'] as const;
/** The setting WIRE_DIALECT: the words in responses. */
export type Dialect = (typeof DIALECTS)[number];

/** Neutral word → the published API's word. The only place that knows both. */
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
 * The dialect for the response that describes a created record. The published SDK fails on the neutral form, so the
 * caller's `User-Agent` decides: an SDK must not fail after it has created something.
 */
export const dialectFor = (setting: Dialect, userAgent: string | undefined): Dialect =>
  PUBLISHED_SDK.test(userAgent ?? '') ? 'openrouter' : setting;

/** The word for responses. Words that the dialects share are unchanged. */
export const toWire = (neutral: string, dialect: Dialect): string =>
  dialect === 'openrouter' ? (WORDS.get(neutral) ?? neutral) : neutral;

/** The neutral word for one in a request, which may use either dialect. */
export const fromWire = (word: string): string => NEUTRAL.get(word) ?? word;
