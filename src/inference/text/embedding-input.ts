import { invalidRequest } from '../../kernel/errors/errors.js';
import type { MediaPart, TextPart } from '../../formats/conversation.js';
import type { EmbeddingInput } from '../../providers/ports/embedding-adapter.port.js';
import { isBase64Text, MEDIA_READERS, sourceOf } from '../../formats/chat/read-media.js';
import type { Members } from '../../formats/members.js';
import { asMembers, asText, ifGiven } from '../../formats/request-members.js';

/** The maximum that vendors accept. It also limits the size of the response. */
const MAX_INPUTS = 2_048;
/** Vendors store token ids in 32 bits. */
const MAX_TOKEN_ID = 2_147_483_647;

export interface EmbeddingInputs {
  readonly inputs: readonly EmbeddingInput[];
  /** Whether a single input was sent, not a list. */
  readonly isSingle: boolean;
  /** Kinds of input except text, by their names in the catalogue. */
  readonly modalities: readonly string[];
}

const FORMS = 'a string, token ids, a list of either, or a list of objects with content';

/** Reads `input` of an embeddings request in all its forms. Throws invalid_request with the path of the element. */
export function readEmbeddingInput(input: unknown): EmbeddingInputs {
  if (typeof input === 'string') return { inputs: [nonEmpty(input, 'input')], isSingle: true, modalities: [] };
  if (!Array.isArray(input)) throw invalidRequest(`input must be ${FORMS}`);
  if (input.length === 0) throw invalidRequest('input must not be empty');
  const elements = input as readonly unknown[];
  if (typeof elements[0] === 'number') return { inputs: [tokenIds(elements, 'input')], isSingle: true, modalities: [] };
  if (elements.length > MAX_INPUTS) throw invalidRequest(`input must hold at most ${MAX_INPUTS} inputs`);
  const read = readerOf(elements[0]);
  const inputs = elements.map((element, index) => read(element, `input[${index}]`));
  return { inputs, isSingle: false, modalities: modalitiesOf(inputs) };
}

/** Returns the reader for the form of the first element. All elements must have this form. */
function readerOf(first: unknown): (element: unknown, path: string) => EmbeddingInput {
  if (typeof first === 'string') return nonEmpty;
  return Array.isArray(first) ? tokenIds : parts;
}

function nonEmpty(text: unknown, path: string): string {
  if (typeof text !== 'string' || text === '')
    throw invalidRequest(`${path} must be a string that is not empty; all elements of input must have the same form`);
  return text;
}

function tokenIds(ids: unknown, path: string): readonly number[] {
  if (!Array.isArray(ids) || ids.length === 0)
    throw invalidRequest(`${path} must be a list of token ids; all elements of input must have the same form`);
  const at = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id > MAX_TOKEN_ID);
  if (at >= 0) throw invalidRequest(`${path}[${at}] must be a token id: an integer from 0 to ${MAX_TOKEN_ID}`);
  return ids as readonly number[];
}

function parts(element: unknown, path: string): readonly (TextPart | MediaPart)[] {
  const { content } = asMembers(element, path);
  if (!Array.isArray(content) || content.length === 0)
    throw invalidRequest(`${path}.content must be an array of at least one part`);
  return content.map((part, index) =>
    readPart(asMembers(part, `${path}.content[${index}]`), `${path}.content[${index}]`),
  );
}

const MEDIA = { input_audio: 'audio', input_video: 'video', input_file: 'file' } as const;

function readPart(part: Members, path: string): TextPart | MediaPart {
  const { type } = part;
  if (type === 'text') return { type, text: nonEmpty(part['text'], `${path}.text`) };
  if (type === 'image_url') return MEDIA_READERS['image_url']!(part, path);
  if (type !== 'input_audio' && type !== 'input_video' && type !== 'input_file')
    throw invalidRequest(`${path}.type must be one of text, image_url, ${Object.keys(MEDIA).join(', ')}`);
  const media = asMembers(part[type], `${path}.${type}`);
  return { type: MEDIA[type], source: mediaSource(media, `${path}.${type}`, MEDIA[type]) };
}

/** Reads base64, a data URL or an http(s) URL. */
function mediaSource(media: Members, path: string, kind: string): MediaPart['source'] {
  const data = nonEmpty(media['data'], `${path}.data`);
  const format = ifGiven(media['format'], `${path}.format`, asText);
  const family = kind === 'file' ? 'application' : kind;
  if (!isBase64Text(data)) return sourceOf(data, `${path}.data`, family);
  return { base64: data, mediaType: format === undefined ? '' : `${family}/${format}` };
}

function modalitiesOf(inputs: readonly EmbeddingInput[]): string[] {
  const found = new Set<string>();
  for (const input of inputs)
    if (typeof input !== 'string')
      for (const part of input) if (typeof part === 'object' && part.type !== 'text') found.add(part.type);
  return [...found];
}
