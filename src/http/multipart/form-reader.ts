import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { GatewayError, invalidRequest } from '../../kernel/errors.js';
import { piecesOf } from './part-pieces.js';

/** The part of a form that is a file, while it is read. */
export interface FilePart {
  readonly name: string;
  /** Each piece is valid until the next is asked for. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** As RFC 2046 has it. */
const LONGEST_BOUNDARY = 70;
const HEADER_LIMITS = { headerPairs: 20, headerSize: 16_384 };

/**
 * Feeds a request to the parser chunk by chunk, the next one when the parser has taken the last, and knows one fault: the first.
 * The parser is never handed a chunk while it holds one, so whatever it throws at hostile bytes is thrown here.
 */
export class FormReader {
  readonly #form: BusboyInstance;
  readonly #part = promised<FilePart>();
  readonly #end = promised<void>();
  /** Of chunks that share it with nothing else. */
  readonly #ownMemory = new WeakSet<ArrayBufferLike>();
  #bytes: Readable | undefined;
  #fault: GatewayError | undefined;
  #stopped = false;
  #total = 0;

  /** Throws where the content type is not that of a form. */
  constructor(
    private readonly request: IncomingMessage,
    private readonly field: string,
    private readonly largestBody: number,
  ) {
    this.#form = formOf(request.headers['content-type'] ?? '');
    // Nobody waits for these yet when the first fault comes.
    this.#part.promise.catch(() => undefined);
    this.#end.promise.catch(() => undefined);
    this.#listenToForm();
  }

  /** The file part, as soon as it begins; rejects where there is none. */
  filePart(): Promise<FilePart> {
    this.request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose).on('error', this.#onClose);
    return this.#part.promise;
  }

  /** Resolves when the whole body was read and held the one file and nothing else. */
  ended(): Promise<void> {
    return this.#end.promise;
  }

  /** What is wrong with the request, once it is known. */
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
    // Late faults of a parser that nobody feeds any more.
    this.request.on('error', () => undefined);
    if (!this.#bytes?.readableEnded) this.#bytes?.destroy();
  }

  #listenToForm(): void {
    const second = (): void =>
      this.fail(invalidRequest(`The form has more than one part: send exactly one, the file, named "${this.field}"`));
    this.#form.on('partsLimit', second).on('filesLimit', second);
    this.#form.on('fieldsLimit', () => this.fail(this.#noFile()));
    this.#form.on('error', () =>
      this.fail(invalidRequest('The multipart body is malformed or cut off before its closing boundary')),
    );
    this.#form.on('file', (name, bytes, filename) => this.#begin(name, bytes, filename));
    this.#form.on('finish', () => {
      // The parser may end before it tells of its error.
      setImmediate(() => (this.#bytes ? this.#end.resolve() : this.fail(this.#noFile())));
    });
  }

  #begin(name: string | undefined, bytes: Readable, filename: string | undefined): void {
    // Without a listener an error of this stream would end the process.
    bytes.on('error', () => this.fail(invalidRequest('The file is cut off before its closing boundary')));
    this.#bytes = bytes;
    if (name !== this.field || filename === undefined) this.fail(this.#noFile());
    else this.#part.resolve({ name: filename, bytes: piecesOf(bytes, this.#ownMemory) });
  }

  readonly #onData = (chunk: Buffer): void => {
    if (chunk.byteLength === chunk.buffer.byteLength) this.#ownMemory.add(chunk.buffer);
    this.#total += chunk.length;
    if (this.#total > this.largestBody)
      return this.fail(
        new GatewayError('payload_too_large', `The request body is larger than ${this.largestBody} bytes`),
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
    this.fail(new GatewayError('caller_gone', 'The caller left before its body was read'));

  #noFile(): GatewayError {
    return invalidRequest(`The form must hold exactly one part: a file with a file name, named "${this.field}"`);
  }
}

interface Promised<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function promised<T>(): Promised<T> {
  let [resolve, reject]: [Promised<T>['resolve'] | undefined, Promised<T>['reject'] | undefined] = [
    undefined,
    undefined,
  ];
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve: resolve!, reject: reject! };
}

function formOf(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw invalidRequest(
      contentType === ''
        ? 'The Content-Type header is missing: send multipart/form-data'
        : `Content-Type ${contentType.slice(0, 100)} is not supported: send multipart/form-data`,
    );
  }
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  if (length < 1 || length > LONGEST_BOUNDARY)
    throw invalidRequest(`The Content-Type header must name a boundary of 1 to ${LONGEST_BOUNDARY} characters`);
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: { parts: 1, files: 1, fields: 0, ...HEADER_LIMITS },
    });
  } catch {
    throw invalidRequest('The Content-Type header is malformed');
  }
}
