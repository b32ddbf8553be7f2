import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError, invalidRequest } from '../kernel/errors.js';
import { FormReader, type FilePart } from './multipart/form-reader.js';

/** What a file and the body around it may be. */
export interface SentFileRule {
  /** Name of the form's one part. */
  readonly field: string;
  /** Largest file, in bytes. */
  readonly largest: number;
  /** How long no byte may come before the body is given up, in milliseconds. */
  readonly idleMs: number;
}

/** A file while it arrives. */
export interface ArrivingFile {
  /** As its sender calls it: any text. */
  readonly name: string;
  /**
   * Ends only after the whole body was read and found in order, so that whoever keeps the bytes at their end keeps none of a
   * body that is broken behind the file. A chunk is valid until the next one is asked for. Throws GatewayErrors: `payload_too_large`, `invalid_request`, `caller_gone`.
   */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Bytes of a body that are no file: boundaries, headers, and the little that may stand around them. */
export const FORM_OVERHEAD_BYTES = 65_536;

/** The file of a multipart/form-data request. Reads nothing, and says no 100 Continue, before it is asked to. */
export class SentFile {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  /** Gives the file to `keep` as it arrives, as fast as that takes it. Whatever fails, the request is left so that it can be answered. */
  async receive<T>(rule: SentFileRule, keep: (file: ArrivingFile) => Promise<T>): Promise<T> {
    const reader = new FormReader(this.request, rule.field, rule.largest + FORM_OVERHEAD_BYTES);
    if (/100-continue/i.test(this.request.headers.expect ?? '')) this.response.writeContinue();
    const giveUp = (): void =>
      reader.fail(invalidRequest(`The upload stood still for ${rule.idleMs} ms and was given up`));
    this.request.setTimeout(rule.idleMs, giveUp);
    try {
      const part = await reader.filePart();
      return await keep({ name: part.name, bytes: upTo(rule.largest, part, reader) });
    } finally {
      reader.stop();
      this.request.off('timeout', giveUp);
      this.request.socket.setTimeout(0);
    }
  }
}

async function* upTo(largest: number, part: FilePart, reader: FormReader): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of part.bytes) {
      size += chunk.length;
      if (size > largest) throw new GatewayError('payload_too_large', `The file is larger than ${largest} bytes`);
      yield chunk;
    }
  } catch (error) {
    // The parser's own error says less than what was wrong with the request.
    throw reader.fault ?? error;
  }
  await reader.ended();
}
