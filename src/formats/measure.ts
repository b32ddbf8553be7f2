import { containerOf, longestSeconds } from './media/recording-container.js';
import { isSet, membersOf, type Members } from './members.js';
import { readCount } from './usage.js';

/** What bounds the tokens of a request, whatever its format. */
export interface TextMeasure {
  /** UTF-8 bytes of all text that the model reads: messages, tool definitions, schemas; no base64 payloads. */
  readonly textBytes: number;
  /** Input that was sent as token ids (embeddings). */
  readonly tokenIds: number;
  readonly messages: number;
  readonly tools: number;
  readonly images: number;
  /** Pictures, videos and files; and sounds. */
  readonly media: number;
  readonly sounds: number;
  readonly audioSeconds: number;
  /** Pages of files whose pages were counted. */
  readonly filePages: number;
  /** Whether the model also reads what cannot be measured here: files, video, search results, a vendor's own tools. */
  readonly readsUnmeasured: boolean;
  /** The most web searches that it allows. Absent = it allows none. */
  readonly webSearches?: number;
  /** Whether the request asks for something to be written to a cache. */
  readonly writesCache: boolean;
  /** Separate prompts, each with the context to itself. Default 1. */
  readonly prompts?: number;
  /** Completions per request; 0 where the operation has none (embeddings). */
  readonly choices: number;
  /** The most output tokens of one choice that the caller asked for. */
  readonly maxOutputTokens?: number;
  readonly audioOutput: boolean;
  readonly imageOutput: boolean;
}

/** A measure while it is taken. */
export type MutableMeasure = { -readonly [K in keyof TextMeasure]: TextMeasure[K] };
/** Visits the contents of a request in their order; no text is copied. */
export interface ContentVisitor {
  text(text: string): void;
  /** Marks of JSON between values, as often as `times` says. */
  punctuation(times: number): void;
  image(): void;
  /** Base64, of any container. */
  audio(data: string): void;
  /** A file, a video or anything else of unknown length. */
  unmeasured(): void;
}

/** Members of a chat body that no model reads. */
const UNREAD_MEMBERS = new Set([
  'audio',
  'cache_control',
  'debug',
  'logit_bias',
  'metadata',
  'modalities',
  'model',
  'models',
  'plugins',
  'prompt_cache_key',
  'provider',
  'safety_identifier',
  'session_id',
  'stop',
  'stream_options',
  'trace',
  'transforms',
  'usage',
  'user',
]);

/** Measures a parsed `/chat/completions` body in one pass. Values of the wrong type count as text or not at all. */
export function measureChat(body: Members): TextMeasure {
  const measure = emptyMeasure();
  visitChat(body, measuring(measure));
  const { messages, tools, modalities, n, max_completion_tokens: limit, max_tokens: deprecatedLimit } = body;
  measure.messages = Array.isArray(messages) ? messages.length : 0;
  measure.tools = Array.isArray(tools) ? tools.length : 0;
  measure.readsUnmeasured ||=
    isSet(body.web_search_options) ||
    (Array.isArray(tools) && tools.some((tool) => membersOf(tool).type !== 'function'));
  measure.writesCache = [body, messages, tools].some((part) => hasCacheControl(part));
  measure.choices = positive(n) ?? 1;
  const maxOutputTokens = positive(limit) ?? positive(deprecatedLimit);
  if (maxOutputTokens !== undefined) measure.maxOutputTokens = maxOutputTokens;
  measure.audioOutput = Array.isArray(modalities) && modalities.includes('audio');
  measure.imageOutput = Array.isArray(modalities) && modalities.includes('image');
  return measure;
}

/** A visitor that adds what it is shown to a measure. */
export const measuring = (measure: MutableMeasure): ContentVisitor => ({
  text: (text) => void (measure.textBytes += Buffer.byteLength(text)),
  punctuation: (times) => void (measure.textBytes += times * PUNCTUATION.length),
  image: () => {
    measure.images++;
    measure.media++;
  },
  audio: (data) => {
    measure.sounds++;
    measure.audioSeconds += Math.ceil(
      longestSeconds(data.length * 0.75, containerOf(Buffer.from(data.slice(0, 16), 'base64'))),
    );
  },
  unmeasured: () => {
    measure.media++;
    measure.readsUnmeasured = true;
  },
});

/** The texts that a visitor is shown, with the punctuation between them. */
export function textsShown(show: (visitor: ContentVisitor) => void): string[] {
  const texts: string[] = [];
  const nothing = (): void => undefined;
  show({
    text: (text) => void texts.push(text),
    punctuation: (times) => void texts.push(PUNCTUATION.repeat(times)),
    image: nothing,
    audio: nothing,
    unmeasured: nothing,
  });
  return texts;
}

/** Measures `input` of `/embeddings`: text, texts, token ids, lists of token ids, or `[{content: [parts]}]`. */
export function measureEmbeddingInput(input: unknown): TextMeasure {
  const measure = emptyMeasure();
  const visitor: ContentVisitor = {
    ...measuring(measure),
    image: () => void measure.images++,
    audio: () => void (measure.readsUnmeasured = true),
    unmeasured: () => void (measure.readsUnmeasured = true),
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'number') measure.tokenIds++;
    else if (Array.isArray(value)) value.forEach(visit);
    else visitContent(membersOf(value).content ?? value, visitor);
  };
  visit(input);
  const holdsNumbers = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'number';
  measure.messages = Array.isArray(input) && !holdsNumbers(input) ? input.length : 1;
  measure.choices = 0;
  return measure;
}

/** Shows a visitor all that the model reads of a parsed `/chat/completions` body. */
export function visitChat(body: Members, visitor: ContentVisitor): void {
  const { messages } = body;
  if (Array.isArray(messages)) for (const message of messages) visitMessage(membersOf(message), visitor);
  for (const name of Object.keys(body))
    if (name !== 'messages' && !UNREAD_MEMBERS.has(name) && !isSetting(body[name])) visitJson(body[name], visitor);
}

/** Numbers and flags of the body itself are for the vendor's sampler, not for the model. */
const isSetting = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

function visitMessage(message: Members, visitor: ContentVisitor): void {
  const { content, images } = message;
  visitContent(content, visitor);
  if (Array.isArray(images)) images.forEach(() => visitor.image());
  for (const name of Object.keys(message))
    if (name !== 'content' && name !== 'images') visitJson(message[name], visitor);
}

function visitContent(content: unknown, visitor: ContentVisitor): void {
  if (typeof content === 'string') visitor.text(content);
  else if (Array.isArray(content)) for (const part of content) visitPart(membersOf(part), visitor);
  else visitJson(content, visitor);
}

const UNMEASURED_PARTS: ReadonlySet<unknown> = new Set([
  'file',
  'input_audio',
  'input_file',
  'input_video',
  'video_url',
]);

function visitPart(part: Members, visitor: ContentVisitor): void {
  const { data } = membersOf(part.input_audio);
  if (part.type === 'text') visitJson(part.text, visitor);
  else if (part.type === 'image_url') visitor.image();
  else if (part.type === 'input_audio' && typeof data === 'string') visitor.audio(data);
  else if (UNMEASURED_PARTS.has(part.type)) visitor.unmeasured();
  else visitJson(part, visitor);
}

/** What JSON adds to a value in front of a model: quotes, a comma or colon, and a blank. */
const PUNCTUATION = '"", ';
const SCALAR = 'false, ';

/** The texts of a value with the punctuation of JSON, so that schemas count as they are printed. */
export function visitJson(value: unknown, visitor: ContentVisitor): void {
  if (typeof value === 'string') visitor.text(value);
  else if (Array.isArray(value)) {
    visitor.punctuation(value.length);
    for (const element of value) visitJson(element, visitor);
  } else if (typeof value === 'object' && value !== null) {
    visitMembers(value as Members, Object.keys(value), visitor);
  } else if (typeof value === 'number') visitor.text(String(value));
  else if (value !== undefined) visitor.text(SCALAR);
}

/** The members of these names, as visitJson shows the members of an object. */
export function visitMembers(value: Members, names: readonly string[], visitor: ContentVisitor): void {
  visitor.punctuation(names.length * 2);
  for (const name of names) {
    visitor.text(name);
    visitJson(value[name], visitor);
  }
}

/** Looks at the places where a breakpoint may stand: a body, a message or tool, and a part. */
export function hasCacheControl(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => hasCacheControl(element));
  const { cache_control: control, prompt_cache_breakpoint: breakpoint, content } = membersOf(value);
  return isSet(control) || isSet(breakpoint) || (Array.isArray(content) && hasCacheControl(content));
}

export const emptyMeasure = (): MutableMeasure => ({
  textBytes: 0,
  tokenIds: 0,
  messages: 0,
  tools: 0,
  images: 0,
  media: 0,
  sounds: 0,
  audioSeconds: 0,
  filePages: 0,
  readsUnmeasured: false,
  writesCache: false,
  choices: 1,
  audioOutput: false,
  imageOutput: false,
});

/** A count that bounds something; undefined where the value is none. */
export function positive(value: unknown): number | undefined {
  const count = readCount(value);
  return typeof count === 'number' && count > 0 ? count : undefined;
}

/** Bytes of text for each token, as vocabularies have them on average in English. */
const BYTES_PER_TOKEN = 4;

/** The tokens of a prompt by measure: a fair guess of its text, without its media. */
export const measuredTokens = ({ textBytes, tokenIds }: TextMeasure): number =>
  Math.ceil(textBytes / BYTES_PER_TOKEN) + tokenIds;
