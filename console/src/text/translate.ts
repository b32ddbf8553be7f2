/** A translation for each plural form of the language; `other` is required. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Translations by English message. Placeholders in braces must stay unchanged. */
export type Messages = Readonly<Record<string, string | PluralForms>>;

type Values = Readonly<Record<string, string | number | null | undefined>>;

export const PLACEHOLDER = /\{(\w+)\}/;
const ENGLISH = new Intl.PluralRules('en');

let messages: Messages = {};
let tag = 'en';
let pluralRules = ENGLISH;

/** The tag of the language of the texts. */
export const language = (): string => tag;

/** Call it before loading the modules of the pages, because they translate their tables of texts once. */
export function setLanguage(name: string, translations: Messages): void {
  tag = name;
  messages = translations;
  pluralRules = new Intl.PluralRules(name);
}

export function translationOf(message: string): string {
  const translation = messages[message];
  return typeof translation === 'string' ? translation : message;
}

function fill(text: string, values: Values): string {
  // The parts alternate between text and names.
  return text
    .split(PLACEHOLDER)
    .map((part, at) => (at % 2 === 0 ? part : valueOf(part, values)))
    .join('');
}

const valueOf = (placeholder: string, values: Values): string =>
  Object.hasOwn(values, placeholder) ? String(values[placeholder] ?? '') : `{${placeholder}}`;

/** A text in the language of the browser. `message`: the English text, with the names of `values` in braces. */
export function t(message: string, values?: Values): string {
  const translation = translationOf(message);
  return values === undefined ? translation : fill(translation, values);
}

/** A text with a number. `{count}` is replaced by the number in the reader's format. */
export function plural(count: number, one: string, other: string): string {
  const forms = messages[other];
  const text =
    typeof forms === 'object'
      ? (forms[pluralRules.select(count)] ?? forms.other)
      : (forms ?? (ENGLISH.select(count) === 'one' ? one : other));
  return fill(text, { count: count.toLocaleString() });
}
