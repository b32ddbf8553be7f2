import { HEAD_BYTES, kindOfHead, PDF, ZIP } from './file-kind.js';
import { JsonGrammar } from './json-grammar.js';
import { officeKindIn } from './office-names.js';
import { TailBytes } from './tail-bytes.js';
import { Utf8Text } from './utf8-text.js';

/** Enough for the directory of an archive with a thousand entries. */
const TAIL_BYTES = 131_072;
const NOTHING: Buffer = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from('\u{FEFF}');

const UNKNOWN_TYPE = 'application/octet-stream';

/** Text types that only the extension of the file name distinguishes. */
const TEXT_OF_EXTENSION: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  md: 'text/markdown',
  markdown: 'text/markdown',
};

/**
 * Detects a file's media type from its content as it is streamed, ignoring the type that the sender gave. Buffers the
 * first 4 KiB and, for archives, at least the last 128 KiB.
 */
export class ContentSniffer {
  #head: Buffer | undefined = NOTHING;
  readonly #tail = new TailBytes(TAIL_BYTES);
  #signature: string | undefined;
  readonly #text = new Utf8Text();
  readonly #json = new JsonGrammar();

  constructor(private readonly filename: string) {}

  async push(chunk: Buffer): Promise<void> {
    this.#text.push(chunk);
    if (this.#head) await this.#gatherHead(chunk);
    else this.#follow(chunk);
  }

  /** Returns the media type. Call it after the last byte. */
  async end(): Promise<string> {
    if (this.#head) await this.#readHead(this.#head);
    // A text may start with the letters of a signature, so text takes precedence over a signature. PDF is an exception,
    // because a PDF may consist of text.
    if (this.#text.end() && this.#signature !== PDF) return this.#kindOfText();
    return (this.#signature === ZIP ? officeKindIn(this.#tail.bytes) : this.#signature) ?? UNKNOWN_TYPE;
  }

  async #gatherHead(chunk: Buffer): Promise<void> {
    const head = Buffer.concat([this.#head!, chunk]);
    if (head.length >= HEAD_BYTES) await this.#readHead(head);
    else this.#head = head;
  }

  async #readHead(head: Buffer): Promise<void> {
    this.#head = undefined;
    this.#signature = await kindOfHead(head.subarray(0, HEAD_BYTES));
    this.#follow(head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head);
  }

  #follow(bytes: Buffer): void {
    if (this.#signature === ZIP) this.#tail.push(bytes);
    if (this.#text.isText) this.#json.push(bytes);
  }

  #kindOfText(): string {
    const json = this.#json.end();
    if (json === 'document') return 'application/json';
    if (json === 'lines') return 'application/x-ndjson';
    return TEXT_OF_EXTENSION[/\.([a-z]+)$/i.exec(this.filename)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain';
  }
}
