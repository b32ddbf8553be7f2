import { invalidRequest, type GatewayError } from '../../kernel/errors.js';
import { HEAD_BYTES, kindOfHead, PDF, ZIP } from './file-kind.js';
import { JsonGrammar } from './json-grammar.js';
import { officeKindIn } from './office-names.js';
import { Utf8Text } from './utf8-text.js';

/** Enough for the directory of an archive of a thousand entries. */
const TAIL_BYTES = 131_072;
const NOTHING: Buffer = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from('\u{FEFF}');

/** Only the name can tell these kinds of text apart (wire-notes section 7). */
const TEXT_OF_EXTENSION: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  md: 'text/markdown',
  markdown: 'text/markdown',
};

/**
 * Reads what a file is from its contents while they pass, never from what its sender says. Holds the first 4 KiB, of archives
 * also the last 128 KiB, and refuses at the first byte that makes a file nothing we take.
 */
export class ContentSniffer {
  #head: Buffer | undefined = NOTHING;
  #tail: Buffer = NOTHING;
  #signature: string | undefined;
  readonly #text = new Utf8Text();
  readonly #json = new JsonGrammar();

  constructor(private readonly filename: string) {}

  async push(chunk: Buffer): Promise<void> {
    this.#text.push(chunk);
    if (this.#head) await this.#gatherHead(chunk);
    else this.#follow(chunk);
  }

  /** The media type, after the last byte. */
  async end(): Promise<string> {
    if (this.#head) await this.#readHead(this.#head);
    // Text may begin with the letters of a signature, and only a PDF is text and something else.
    if (this.#text.end() && this.#signature !== PDF) return this.#kindOfText();
    const kind = this.#signature === ZIP ? officeKindIn(this.#tail) : this.#signature;
    if (kind === undefined) throw unsupported();
    return kind;
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
    if (this.#signature === undefined && !this.#text.sound) throw unsupported();
    if (this.#signature === ZIP) this.#tail = keepEnd(this.#tail, bytes);
    if (this.#text.sound) this.#json.push(bytes);
  }

  #kindOfText(): string {
    const json = this.#json.end();
    if (json === 'document') return 'application/json';
    if (json === 'lines') return 'application/x-ndjson';
    return TEXT_OF_EXTENSION[/\.([a-z]+)$/i.exec(this.filename)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain';
  }
}

const keepEnd = (kept: Buffer, more: Buffer): Buffer => {
  const all = Buffer.concat([kept, more]);
  return all.length > 2 * TAIL_BYTES ? Buffer.from(all.subarray(-TAIL_BYTES)) : all;
};

const unsupported = (): GatewayError =>
  invalidRequest(
    'This kind of file is not supported. Send a PDF; a PNG, JPEG, GIF or WebP image; a DOCX, XLSX or PPTX document; MP3, WAV, FLAC or OGG audio; or UTF-8 text',
  );
