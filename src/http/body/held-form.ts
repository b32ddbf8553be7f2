import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { invalidRequest, type GatewayError } from '../../kernel/errors/errors.js';
import { formOf } from './multipart/form-reader.js';

/** The texts of a form by the names of their parts, in the order of the parts. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

export interface FormFile {
  /** The name of the part. */
  readonly field: string;
  /** The name that the sender gave: any text. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** A form that is completely in memory. */
export interface HeldForm {
  readonly fields: FormFields;
  readonly files: readonly FormFile[];
}

/**
 * The number of bytes that are passed to the parser at once. It is limited so that a long form does not block the event
 * loop.
 */
const SLICE_BYTES = 262_144;
const MALFORMED = 'The multipart body is malformed or cut off before its closing boundary';

export const isForm = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');

/**
 * Parses a multipart/form-data body that is in memory. Throws invalid_request if the body is malformed or exceeds a
 * limit.
 */
export async function readHeldForm(body: Buffer, contentType: string): Promise<HeldForm> {
  const form = formOf(contentType);
  const fields = new Map<string, string[]>();
  const files: FormFile[] = [];
  const ended = Promise.withResolvers<void>();
  // The first fault may occur before the promise is awaited. Without this handler, the rejection would be unhandled.
  ended.promise.catch(() => undefined);
  let fault: GatewayError | undefined;
  const fail = (message: string): void => {
    fault ??= invalidRequest(message);
    ended.reject(fault);
  };
  form.on('error', () => fail(MALFORMED));
  form.on('partsLimit', () => fail('The form has too many parts'));
  form.on('field', (name: string | undefined, value, isNameCut, isCut) => {
    if (isNameCut || isCut) fail(`The part "${(name ?? '').slice(0, 100)}" of the form is too long`);
    const values = fields.get(name ?? '');
    if (values) values.push(value);
    else fields.set(name ?? '', [value]);
  });
  form.on('file', (field: string | undefined, part, fileName) =>
    hold(
      part,
      (bytes) => void files.push({ field: field ?? '', fileName, bytes }),
      () => fail(MALFORMED),
    ),
  );
  // The parser may emit `finish` before its error.
  form.on('finish', () => setImmediate(() => ended.resolve()));
  try {
    for (let at = 0; at < body.length && !fault; at += SLICE_BYTES) {
      const taken = Promise.withResolvers<void>();
      form.write(body.subarray(at, at + SLICE_BYTES), () => taken.resolve());
      await Promise.race([taken.promise, ended.promise]);
      await turnOfTheLoop();
    }
    if (!fault) form.end();
  } catch {
    // The parser throws on hostile bytes. `fail` keeps an earlier fault.
    fail(MALFORMED);
  }
  await ended.promise;
  return { fields, files };
}

function hold(part: Readable, done: (bytes: Buffer) => void, cut: () => void): void {
  const pieces: Buffer[] = [];
  part.on('data', (piece: Buffer) => pieces.push(piece));
  part.on('error', cut);
  part.on('end', () => done(Buffer.concat(pieces)));
}
