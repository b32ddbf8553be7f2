import { isObject, isSet, membersOf, objectsIn, textOf, wholeNumber, type Members } from '../members.js';

type Mutable = Record<string, unknown>;

/** Converts any number that a vendor sends to a valid `created` in whole seconds; undefined if that is impossible. */
export function createdOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 ? wholeNumber(Math.floor(seconds)) : undefined;
}

/** Members that clients accept in one form only. Each function returns whether a value has this form. */
const FORMS: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['content', (value) => typeof value === 'string'],
  ['refusal', (value) => typeof value === 'string'],
  ['images', Array.isArray],
  ['annotations', Array.isArray],
  ['audio', isObject],
]);
/** Members that the caller or another part of `normalisedMessage` converts. */
const NORMALISED_APART = new Set(['role', 'tool_calls', 'reasoning', 'reasoning_content', 'reasoning_details']);

/**
 * A delta, or a message of a complete response, in a form that all clients can read: no null members, reasoning as
 * `reasoning` with its details, content as text, no parts of other types. The caller converts the role and tool calls.
 */
export function normalisedMessage(message: Members): Mutable {
  const { content, reasoning, reasoning_content, reasoning_details } = message;
  const parts = Array.isArray(content) ? partsOf(content) : undefined;
  const normalised: Mutable = {};
  for (const name of Object.keys(message)) {
    const value = name === 'content' && parts ? parts.text : message[name];
    if (value === null || NORMALISED_APART.has(name) || FORMS.get(name)?.(value) === false) continue;
    normalised[name] = value;
  }
  const reasoningText = textOf(reasoning) || textOf(reasoning_content) || parts?.reasoning;
  if (reasoningText) {
    normalised['reasoning'] = reasoningText;
    normalised['reasoning_details'] = [{ type: 'reasoning.text', text: reasoningText, format: 'unknown', index: 0 }];
  }
  if (Array.isArray(reasoning_details) && reasoning_details.length > 0) {
    normalised['reasoning_details'] = reasoning_details.filter(isObject).map(detailOf);
  }
  return normalised;
}

const detailOf = (detail: Members, position: number): Members => ({
  ...Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null)),
  format: textOf(detail['format']) ?? 'unknown',
  index: wholeNumber(detail['index']) ?? position,
});

/** The text and the reasoning in content that consists of parts. */
function partsOf(content: readonly unknown[]): { readonly text: string; readonly reasoning: string } {
  let text = '';
  let reasoning = '';
  for (const part of content) {
    if (typeof part === 'string') text += part;
    const { type, text: words, thinking } = membersOf(part);
    if (type === 'thinking') reasoning += Array.isArray(thinking) ? partsOf(thinking).text : (textOf(thinking) ?? '');
    else text += textOf(words) ?? '';
  }
  return { text, reasoning };
}

/** The members of a choice except its message. `logprobs` is null if not all clients can read its form. */
export function normalisedRest(choice: Members): Members {
  const { logprobs } = choice;
  if (!isSet(logprobs)) return choice;
  const { content, refusal, ...rest } = membersOf(logprobs);
  if (!Array.isArray(content) && !Array.isArray(refusal)) return { ...choice, logprobs: null };
  const normalised = {
    ...rest,
    content: tokensOf(content),
    ...(refusal === undefined ? {} : { refusal: tokensOf(refusal) }),
  };
  return { ...choice, logprobs: normalised };
}

const tokensOf = (tokens: unknown): readonly Members[] | null =>
  Array.isArray(tokens)
    ? tokens
        .filter(isObject)
        .map((token) => ({ bytes: null, ...token, top_logprobs: alternativesOf(token['top_logprobs']) }))
    : null;
const alternativesOf = (tokens: unknown): readonly Members[] =>
  objectsIn(tokens).map((token) => ({ bytes: null, ...token }));

/** `function` of a tool call, with the arguments as text, and with the name if there is one. */
export function toolFunctionOf(value: unknown): Mutable {
  const { name, arguments: given, ...rest } = membersOf(value);
  return {
    ...rest,
    ...(textOf(name) ? { name } : {}),
    ...(isSet(given) ? { arguments: typeof given === 'string' ? given : JSON.stringify(given) } : {}),
  };
}

/**
 * Annotations for the sources that a vendor lists outside the choices; undefined if there are none. A source is a URL,
 * or an object with a URL and a title.
 */
export function citationsOf({ citations, search_results: results }: Members): readonly Members[] | undefined {
  const titles = new Map<string, string>();
  const urls: string[] = [];
  const add = (source: unknown): void => {
    const url = textOf(source) ?? textOf(membersOf(source)['url']);
    const title = textOf(membersOf(source)['title']);
    if (url === undefined) return;
    if (title !== undefined) titles.set(url, title);
    if (!urls.includes(url) && urls.length < MAX_CITATIONS) urls.push(url);
  };
  for (const list of [citations, results]) if (Array.isArray(list)) list.slice(0, MAX_CITATIONS).forEach(add);
  if (urls.length === 0) return undefined;
  return urls.map((url) => ({
    type: 'url_citation',
    url_citation: { url, title: titles.get(url) ?? url, start_index: 0, end_index: 0 },
  }));
}
const MAX_CITATIONS = 200;
