import { JsonScanner } from '../../../formats/json/json-scanner.js';
import { badResponse } from '../../../formats/bad-response.js';

/** One event of an image stream. Texts are decoded; the picture is not. */
export interface VendorImageEvent {
  readonly type: string;
  /** The content of `b64_json`, as a view of the received bytes. */
  readonly b64: Buffer | undefined;
  readonly index: number;
  readonly format: string | undefined;
  readonly created: number | undefined;
  /** The parsed member, not validated. */
  readonly usage: unknown;
  readonly hasError: boolean;
}

/** Parses an event's data; throws provider_failed if it is not a JSON object. */
export const readImageEvent = (data: Buffer): VendorImageEvent => readAroundPicture(data) ?? readThoroughly(data);

const PICTURE = Buffer.from('"b64_json":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The maximum size of all other members on the fast path. */
const MAX_REST_BYTES = 4_096;

/**
 * Fast path for events written without spaces: cuts the picture out and parses the rest with JSON.parse. Undefined if
 * the data has another form or is invalid.
 */
function readAroundPicture(data: Buffer): VendorImageEvent | undefined {
  const start = data.indexOf(PICTURE) + PICTURE.length;
  const end = data.indexOf(QUOTE, start);
  if (start < PICTURE.length || end < 0 || data.length - (end - start) > MAX_REST_BYTES) return undefined;
  // A backslash may escape the quote, which is then not the end of the string.
  const slash = data.indexOf(BACKSLASH, start);
  if (slash >= 0 && slash < end) return undefined;
  let rest: Readonly<Record<string, unknown>>;
  try {
    rest = JSON.parse(data.toString('utf8', 0, start) + data.toString('utf8', end)) as typeof rest;
  } catch {
    return undefined;
  }
  const { type, b64_json: picture, output_format: format, usage, error } = rest;
  if (picture !== '' || typeof type !== 'string') return undefined;
  return {
    type,
    b64: data.subarray(start, end),
    index: indexOf(Number(rest['partial_image_index'] ?? 0)),
    format: typeof format === 'string' ? format : undefined,
    created: timeOf(Number(rest['created_at'] ?? rest['created'] ?? Number.NaN)),
    usage,
    hasError: error !== undefined && error !== null,
  };
}

function readThoroughly(data: Buffer): VendorImageEvent {
  const members = new Map<string, Buffer>();
  const scanner = new JsonScanner({
    value: (path, kind, start, end) => {
      // Ignore a usage that is not an object.
      if (path.length === 1 && (path[0] !== 'usage' || kind === 'container'))
        members.set(path[0]!, data.subarray(start, end));
    },
  });
  if (!scanner.push(data) || !scanner.isWhole) throw badResponse('holds an event that is not valid JSON');
  const text = (name: string): string | undefined => members.get(name)?.toString('utf8');
  const error = text('error');
  return {
    type: text('type') ?? '',
    b64: members.get('b64_json'),
    index: indexOf(Number(text('partial_image_index') ?? 0)),
    format: text('output_format'),
    created: timeOf(Number(text('created_at') ?? text('created') ?? Number.NaN)),
    usage: members.has('usage') ? (JSON.parse(text('usage')!) as unknown) : undefined,
    hasError: error !== undefined && error !== 'null',
  };
}

const indexOf = (index: number): number => (Number.isSafeInteger(index) && index >= 0 ? index : 0);
const timeOf = (seconds: number): number | undefined => (Number.isSafeInteger(seconds) ? seconds : undefined);
