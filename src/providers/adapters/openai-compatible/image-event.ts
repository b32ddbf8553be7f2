import { JsonScanner } from '../../wire/json-scanner.js';
import { badAnswer } from '../../wire/vendor-fault.js';

/** One event of an image stream; its texts are read, its picture stays where it lies. */
export interface VendorImageEvent {
  readonly type: string;
  /** Inside of `b64_json`, a view. */
  readonly b64: Buffer | undefined;
  readonly index: number;
  readonly format: string | undefined;
  readonly created: number | undefined;
  /** JSON text. */
  readonly usage: string | undefined;
  readonly hasError: boolean;
}

/** Reads an event's data; throws provider_failed where it is no JSON object. */
export function readImageEvent(data: Buffer): VendorImageEvent {
  const members = new Map<string, Buffer>();
  const scanner = new JsonScanner({
    value: (path, _, start, end) => {
      if (path.length === 1) members.set(path[0]!, data.subarray(start, end));
    },
  });
  if (!scanner.push(data) || !scanner.isWhole) throw badAnswer('holds an event that is not valid JSON');
  const text = (name: string): string | undefined => members.get(name)?.toString('utf8');
  const index = Number(text('partial_image_index') ?? 0);
  const created = Number(text('created_at') ?? text('created') ?? Number.NaN);
  const error = text('error');
  return {
    type: text('type') ?? '',
    b64: members.get('b64_json'),
    index: Number.isSafeInteger(index) && index >= 0 ? index : 0,
    format: text('output_format'),
    created: Number.isSafeInteger(created) ? created : undefined,
    usage: text('usage'),
    hasError: error !== undefined && error !== 'null',
  };
}
