import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../kernel/errors/errors.js';
import { onSlowBody } from '../connections/slow-body.js';
import { FormReader, type FormFilePart } from '../body/multipart/form-reader.js';

/** Limits of a file and of the body around it. */
interface SentFileRule {
  /** Name of the part with the file; other parts are ignored. */
  readonly field: string;
  readonly maxBytes: number;
  /** Maximum time without a byte before the upload is aborted, in milliseconds. */
  readonly idleMs: number;
}

/** A file while it is being received. */
interface ArrivingFile {
  /** The name that the sender gave: any text. */
  readonly name: string;
  /**
   * The iteration ends only after the whole body was read, and only if the body is well-formed. A consumer that stores
   * the file at the end therefore stores no file from a malformed body. A chunk is valid until the next one is
   * requested. Throws GatewayErrors: `payload_too_large`, `invalid_request`, `deadline_exceeded`, `caller_gone`.
   */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Maximum number of bytes of a body that are not part of the file: boundaries, headers and other parts. */
export const FORM_OVERHEAD_BYTES = 65_536;

/** The file of a multipart/form-data request. Reads nothing and sends no 100 Continue before `receive` is called. */
export class SentFile {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  /**
   * Streams the file to `keep` with backpressure, and returns the result of `keep`. The request stays open after a
   * failure, so that a response can be sent.
   */
  async receive<T>(rule: SentFileRule, keep: (file: ArrivingFile) => Promise<T>): Promise<T> {
    const reader = new FormReader(this.request, rule.field, rule.maxBytes + FORM_OVERHEAD_BYTES);
    if (/100-continue/i.test(this.request.headers.expect ?? '')) this.response.writeContinue();
    const giveUp = (): void =>
      reader.fail(
        new GatewayError('deadline_exceeded', `The upload was cancelled because it sent nothing for ${rule.idleMs} ms`),
      );
    onSlowBody(this.request, (error) => reader.fail(error));
    this.request.setTimeout(rule.idleMs, giveUp);
    try {
      const part = await reader.filePart();
      return await keep({ name: part.name, bytes: upTo(rule.maxBytes, part, reader) });
    } finally {
      reader.stop();
      this.request.off('timeout', giveUp);
      this.request.socket.setTimeout(0);
    }
  }
}

async function* upTo(maxBytes: number, part: FormFilePart, reader: FormReader): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of part.bytes) {
      size += chunk.length;
      if (size > maxBytes) throw new GatewayError('payload_too_large', `The file is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    // The reader's fault describes the request better than the parser's error.
    throw reader.fault ?? error;
  }
  await reader.ended();
}
