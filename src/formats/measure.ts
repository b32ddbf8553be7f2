import { CONTAINER_HEAD_CHARACTERS, containerOf, maxSeconds } from './media/recording-container.js';
import { elementsIn, isSet, membersOf, wholeNumber, type Members } from './members.js';

/** The properties of a request that limit its tokens, in any format. */
export interface TextMeasure {
  /** UTF-8 bytes of all text that the model reads: messages, tools, schemas. Base64 payloads do not count. */
  readonly textBytes: number;
  /** Number of tokens that were sent as token ids. */
  readonly tokenIds: number;
  readonly messages: number;
  readonly tools: number;
  readonly images: number;
  /** Number of pictures, videos and files. Sounds are counted separately. */
  readonly media: number;
  readonly sounds: number;
  readonly audioSeconds: number;
  /** Number of pages of the files whose pages were counted. */
  readonly filePages: number;
  /** Whether the model also reads unmeasurable input: files, video, search results, a vendor's own tools. */
  readonly readsUnmeasured: boolean;
  /** Maximum number of web searches. Absent = none are allowed. */
  readonly webSearches?: number;
  /** Whether the request asks the vendor to write to a cache. */
  readonly writesCache: boolean;
  /** Number of separate prompts, each with its own context. Default 1. */
  readonly prompts?: number;
  /** Completions per request; 0 if the operation has none (embeddings). */
  readonly choices: number;
  /** Maximum output tokens of one choice, as the caller requested. */
  readonly maxOutputTokens?: number;
  readonly audioOutput: boolean;
  readonly imageOutput: boolean;
}

type MutableMeasure = { -readonly [K in keyof TextMeasure]: TextMeasure[K] };

/** Visits the contents of a request in order, without copying text. */
export interface ContentVisitor {
  text(text: string): void;
  /** JSON punctuation between values, repeated `times` times. */
  punctuation(times: number): void;
  image(): void;
  /** Audio in base64, in any container. */
  audio(data: string): void;
  /** A file, a video or anything else of unknown length. */
  unmeasured(): void;
}

/** Members of a chat body that models do not read, and `messages`, which are visited separately. */
const UNREAD_MEMBERS = new Set([
  'audio',
  'cache_control',
  'debug',
  'logit_bias',
  'messages',
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
  measure.messages = elementsIn(messages).length;
  measure.tools = elementsIn(tools).length;
  measure.readsUnmeasured ||=
    isSet(body.web_search_options) || elementsIn(tools).some((tool) => membersOf(tool).type !== 'function');
  measure.writesCache = [body, messages, tools].some((part) => hasCacheControl(part));
  measure.choices = positive(n) ?? 1;
  measure.maxOutputTokens = positive(limit) ?? positive(deprecatedLimit);
  measure.audioOutput = elementsIn(modalities).includes('audio');
  measure.imageOutput = elementsIn(modalities).includes('image');
  return measure;
}

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
      maxSeconds(data.length * 0.75, containerOf(Buffer.from(data.slice(0, CONTAINER_HEAD_CHARACTERS), 'base64'))),
    );
  },
  unmeasured: () => {
    measure.media++;
    measure.readsUnmeasured = true;
  },
});

/** The texts that a visitor receives, with the punctuation between them. */
export function visitedTexts(visit: (visitor: ContentVisitor) => void): string[] {
  const texts: string[] = [];
  const nothing = (): void => undefined;
  visit({
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

/** Passes everything that the model reads in a parsed `/chat/completions` body to a visitor. */
export function visitChat(body: Members, visitor: ContentVisitor): void {
  for (const message of elementsIn(body.messages)) visitMessage(membersOf(message), visitor);
  visitRest(body, UNREAD_MEMBERS, visitor);
}

/**
 * Visits the members of a body except the ones in `skipped`. Skips numbers and flags of the body itself, because they
 * are for the vendor's sampler, not for the model.
 */
export function visitRest(body: Members, skipped: ReadonlySet<string>, visitor: ContentVisitor): void {
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (!skipped.has(name) && typeof value !== 'number' && typeof value !== 'boolean') visitJson(value, visitor);
  }
}

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

/** Characters that JSON adds around a value: quotes, a comma or colon, and a space. */
const PUNCTUATION = '"", ';
const SCALAR = 'false, ';

/** Visits the texts of a value, with JSON punctuation, so that schemas are counted in their printed form. */
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

/** Visits the members with these names, as visitJson visits the members of an object. */
export function visitMembers(value: Members, names: readonly string[], visitor: ContentVisitor): void {
  visitor.punctuation(names.length * 2);
  for (const name of names) {
    visitor.text(name);
    visitJson(value[name], visitor);
  }
}

/** Whether a body, a message, a tool or a part has a cache breakpoint; for a list, whether an element has one. */
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

/** A positive count; undefined for any other value. */
export const positive = (value: unknown): number | undefined => wholeNumber(value) || undefined;

/** Average bytes of English text per token. */
const BYTES_PER_TOKEN = 4;

/** An estimate of a prompt's tokens from its text, without its media. */
export const measuredTokens = ({ textBytes, tokenIds }: TextMeasure): number =>
  Math.ceil(textBytes / BYTES_PER_TOKEN) + tokenIds;
