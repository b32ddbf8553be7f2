import type { Page } from 'playwright-core';

/** The texts of elements and attributes that people read or hear. */
const READ_TEXTS = `[...document.querySelectorAll('body *')].flatMap((element) => {
  if (element.closest('code, pre, kbd, style, script, [hidden], [aria-hidden=true], textarea')) return [];
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data);
  const named = ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? '');
  return [...own, ...named];
}).map((text) => text.replace(/\\s+/g, ' ').trim()).filter((text) => text !== '')`;

/** Names of products, units and formats, which are the same in every language. */
const SAME_EVERYWHERE = new RegExp(
  [
    '\\b(Gatehouse|Claude Code|Codex|opencode|AI SDK|LibreChat|Open WebUI|Slack|Discord|Node\\.js|curl|YOUR_KEY)\\b',
    '@openrouter/sdk|openai \\((Python|JavaScript)\\)|app\\.example\\.com|Editor',
    // The first 12 characters of a hash or a UUID, which replace a missing name.
    '\\b[0-9a-f]{8}(-[0-9a-f]{3}|[0-9a-f]{4})\\b',
    '\\b(UTC|USD|GMT[+-]?\\d*|ms|s|kB|MB|GB|API|CSV|JSON|[AP]M|M|K|p50|p99)\\b',
  ].join('|'),
  'g',
);
/** Texts of Intl, which does not support this language and falls back to English. */
const UNITS = '(second|minute|hour|day|week|month|year)';
const RELATIVE = new RegExp(`\\b((in )?\\d+ ${UNITS}s?( ago)?|(last|next) ${UNITS}|yesterday|tomorrow|now|or)\\b`, 'g');
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August';
const LATE_MONTHS = 'September|October|November|December';
const DATES = new RegExp(`\\b(${MONTHS}|${LATE_MONTHS}|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\\b`, 'g');

/** Collects all strings in the API's responses to a page. */
export function rememberData(page: Page): Set<string> {
  const data = new Set<string>();
  const remember = (value: unknown): void => {
    if (typeof value === 'string') data.add(value);
    else if (value && typeof value === 'object') for (const inner of Object.values(value)) remember(inner);
  };
  page.on('response', (response) => {
    if (/json/.test(response.headers()['content-type'] ?? '')) response.json().then(remember, () => undefined);
  });
  return data;
}

/** Removes `value`, unless a letter precedes or follows it. */
const withoutWhole = (text: string, value: string): string =>
  text
    .split(value)
    .reduce((before, after) =>
      /[\p{L}]$/u.test(before) || /^[\p{L}]/u.test(after) ? before + value + after : before + after,
    );

const isPlain = (text: string): boolean => /[A-Za-z]{2}/.test(text);
const withoutKnown = (text: string): string =>
  [SAME_EVERYWHERE, RELATIVE, DATES].reduce((rest, known) => rest.replace(known, ''), text);

/** Texts of a page in the test language (en-XA) with an unaccented word that the API did not send. */
export async function plainTexts(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const texts = await page.evaluate<string[]>(READ_TEXTS);
  const values = [...data].filter((value) => value.length > 1).toSorted((a, b) => b.length - a.length);
  const withoutData = (text: string): string =>
    values.reduce((rest, value) => (rest.includes(value) ? withoutWhole(rest, value) : rest), text);
  // A name from the API can contain a known word, and a known word can contain a name.
  return [...new Set(texts)].filter(
    (text) => isPlain(withoutKnown(withoutData(text))) && isPlain(withoutData(withoutKnown(text))),
  );
}
