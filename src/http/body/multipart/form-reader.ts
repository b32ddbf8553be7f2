import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { GatewayError, invalidRequest } from '../../../kernel/errors/errors.js';
import { partPieces } from './part-pieces.js';

/** The file part of a form, as a stream. */
export interface FormFilePart {
  readonly name: string;
  /** Each piece is valid only until the next piece is requested. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** The maximum of RFC 2046. */
const MAX_BOUNDARY_BYTES = 70;
const HEADER_LIMITS = { headerPairs: 20, headerSize: 16_384 };
/** OpenAI's clients send only two parts. */
const MAX_PARTS = 100;
/** 65,536 characters in UTF-8. */
const MAX_FIELD_BYTES = 262_144;

/**
 * Passes a request to the parser chunk by chunk and keeps the first fault. Passes the next chunk only after the parser
 * has processed the previous one, so that this class catches the errors that the parser throws for hostile bytes.
 */
export class FormReader {
  readonly #form: BusboyInstance;
  readonly #part = Promise.withResolvers<FormFilePart>();
  readonly #end = Promise.withResolvers<void>();
  /** Array buffers that contain exactly one chunk and nothing else. */
  readonly #ownMemory = new WeakSet<ArrayBufferLike>();
  #bytes: Readable | undefined;
  #fault: GatewayError | undefined;
  #stopped = false;
  #total = 0;

  /** Throws invalid_request if the content type is not multipart/form-data with a valid boundary. */
  constructor(
    private readonly request: IncomingMessage,
    private readonly field: string,
    private readonly maxBodyBytes: number,
  ) {
    this.#form = formOf(request.headers['content-type'] ?? '');
    // The first fault may occur before these promises are awaited. Without these handlers, the rejections would be
    // unhandled.
    this.#part.promise.catch(() => undefined);
    this.#end.promise.catch(() => undefined);
    this.#listenToForm();
  }

  /** The file part, as soon as it starts. Rejects with the first fault, for example if the form has no file part. */
  filePart(): Promise<FormFilePart> {
    this.request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose).on('error', this.#onClose);
    return this.#part.promise;
  }

  /**
   * Resolves when the whole body was read and contained exactly one file in the part named `field`. Parts with other
   * names are ignored. Rejects with the fault otherwise.
   */
  ended(): Promise<void> {
    return this.#end.promise;
  }

  /** The first fault of the request, if any. */
  get fault(): GatewayError | undefined {
    return this.#fault;
  }

  fail(error: GatewayError): void {
    if (this.#stopped) return;
    this.#fault = error;
    this.#part.reject(error);
    this.#end.reject(error);
    this.#bytes?.destroy(error);
    this.stop();
  }

  /** Leaves the rest of the request unread. */
  stop(): void {
    this.#stopped = true;
    this.request
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('close', this.#onClose)
      .off('error', this.#onClose);
    this.request.pause();
    // Ignore errors that the request emits from now on.
    this.request.on('error', () => undefined);
    if (!this.#bytes?.readableEnded) this.#bytes?.destroy();
  }

  #listenToForm(): void {
    this.#form.on('partsLimit', () => this.fail(invalidRequest(`The form has more than ${MAX_PARTS} parts`)));
    this.#form.on('error', () =>
      this.fail(invalidRequest('The multipart body is malformed or cut off before its closing boundary')),
    );
    this.#form.on('field', (name) => name === this.field && this.fail(this.#bytes ? this.#second() : this.#noFile()));
    this.#form.on('file', (name, bytes, filename) => this.#begin(name, bytes, filename));
    this.#form.on('finish', () => {
      // The parser may emit `finish` before its error.
      setImmediate(() => (this.#bytes ? this.#end.resolve() : this.fail(this.#noFile())));
    });
  }

  #begin(name: string | undefined, bytes: Readable, filename: string): void {
    // Without a listener an error of this stream would end the process.
    bytes.on('error', () => this.fail(invalidRequest('The file is cut off before its closing boundary')));
    if (name !== this.field) {
      bytes.resume();
      return;
    }
    if (this.#bytes) return this.fail(this.#second());
    this.#bytes = bytes;
    this.#part.resolve({ name: filename, bytes: partPieces(bytes, this.#ownMemory) });
  }

  readonly #onData = (chunk: Buffer): void => {
    if (chunk.byteLength === chunk.buffer.byteLength) this.#ownMemory.add(chunk.buffer);
    this.#total += chunk.length;
    if (this.#total > this.maxBodyBytes)
      return this.fail(
        new GatewayError('payload_too_large', `The request body is larger than ${this.maxBodyBytes} bytes`),
      );
    let taken = false;
    try {
      this.#form.write(chunk, () => {
        taken = true;
        if (!this.#stopped) this.request.resume();
      });
    } catch {
      return this.fail(invalidRequest('The multipart body is malformed'));
    }
    if (!taken) this.request.pause();
  };

  readonly #onEnd = (): void => {
    this.request.off('close', this.#onClose);
    try {
      this.#form.end();
    } catch {
      this.fail(invalidRequest('The multipart body is malformed'));
    }
  };

  readonly #onClose = (): void =>
    this.fail(new GatewayError('caller_gone', 'The caller disconnected before its body was read'));

  #noFile(): GatewayError {
    return invalidRequest(`The form must hold a part named "${this.field}": a file with a file name`);
  }

  #second(): GatewayError {
    return invalidRequest(`The form has more than one part named "${this.field}": send one file`);
  }
}

/**
 * Creates a parser of forms with the limits of this service. Throws invalid_request if the content type is not
 * multipart/form-data with a valid boundary.
 */
export function formOf(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw invalidRequest(
      contentType === ''
        ? 'The Content-Type header is missing: send multipart/form-data'
        : `Content-Type ${contentType.slice(0, 100)} is not supported: send multipart/form-data`,
    );
  }
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  if (length < 1 || length > MAX_BOUNDARY_BYTES)
    throw invalidRequest(`The Content-Type header must name a boundary of 1 to ${MAX_BOUNDARY_BYTES} characters`);
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: { parts: MAX_PARTS, fieldSize: MAX_FIELD_BYTES, ...HEADER_LIMITS },
    });
  } catch {
    throw invalidRequest('The Content-Type header is malformed');
  }
}
