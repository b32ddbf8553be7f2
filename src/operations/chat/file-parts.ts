import { isSet, type Members } from '../../formats/members.js';
import { invalidRequest } from '../../kernel/errors/errors.js';

/** A part of a message that refers to an uploaded file. */
export interface FilePart {
  readonly part: Members;
  /** The position of the part, for error messages. */
  readonly path: string;
  readonly fileId: string;
}

/** A file, in the form in which a part contains it. */
export interface InlineFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly base64: string;
}

const FILE_ID = 'file_id';
const MAX_SEARCHED_DEPTH = 8;
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
};

/**
 * Returns the parts that refer to a file. Throws invalid_request for a file id anywhere else in a part, because vendors
 * accept file ids in other places too, and for a file part that does not have exactly one of file_id and file_data.
 */
export function filePartsOf(messages: readonly object[]): FilePart[] {
  return messages.flatMap((message, index) => {
    const { content } = message as { readonly content?: unknown };
    if (!Array.isArray(content)) return [];
    return (content as Members[]).flatMap((part, place) => {
      const path = `messages[${index}].content[${place}]`;
      const fileId = part['type'] === 'file' ? fileIdOf(part['file'] as Members, path) : undefined;
      if (fileId !== undefined) return [{ part, path, fileId }];
      if (part['type'] !== 'text' && hasFileId(part)) throw invalidRequest(`${path}: ${ONLY_PLACE}`);
      return [];
    });
  });
}

const ONLY_PLACE = 'file_id is only possible in {"type": "file", "file": {"file_id": …}}';

function fileIdOf(file: Members, path: string): string | undefined {
  const { file_id: id, file_data: data } = file;
  if (isSet(id) === isSet(data)) throw invalidRequest(`${path}.file must have either file_id or file_data`);
  if (!isSet(id)) return undefined;
  if (typeof id !== 'string') throw invalidRequest(`${path}.file.file_id must be a string`);
  return id;
}

function hasFileId(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_SEARCHED_DEPTH) return false;
  return Object.entries(value).some(([name, member]) =>
    name.toLowerCase() === FILE_ID ? typeof member === 'string' : hasFileId(member, depth + 1),
  );
}

/** The number of bytes that a file of `sizeBytes` bytes has in base64. */
export const inlineBytes = (sizeBytes: number): number => Math.ceil(sizeBytes / 3) * 4;

/**
 * Replaces the file id of a part by the file. The media type of the file determines the type of the part. The other
 * members of the part are kept.
 */
export function inlinePart({ file, ...members }: Members, { filename, mediaType, base64 }: InlineFile): Members {
  const url = `data:${mediaType};base64,${base64}`;
  if (mediaType.startsWith('image/')) return { ...members, type: 'image_url', image_url: { url } };
  const format = AUDIO_FORMATS[mediaType];
  if (format !== undefined) return { ...members, type: 'input_audio', input_audio: { data: base64, format } };
  const { filename: given } = file as { readonly filename?: unknown };
  return { ...members, file: { filename: typeof given === 'string' ? given : filename, file_data: url } };
}

/** Copies the messages, with some parts replaced. */
export const withParts = (messages: readonly object[], parts: ReadonlyMap<Members, Members>): object[] =>
  messages.map((message) => {
    const { content } = message as { readonly content?: unknown };
    if (!Array.isArray(content)) return message;
    return { ...message, content: (content as Members[]).map((part) => parts.get(part) ?? part) };
  });
