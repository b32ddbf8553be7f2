import type { GeneratedImage, ImageResponse } from '../../ports/image-adapter.port.js';
import { checkedBase64 } from '../../wire/base64-text.js';
import { JsonScanner, type JsonListener } from '../../../formats/json/json-scanner.js';
import { badResponse } from '../../../formats/bad-response.js';
import { reportedUsage } from './reported-usage.js';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Reads an image response as it arrives. Records the byte ranges of members, and parses only `usage`. */
export class ImageDocument implements JsonListener {
  readonly #chunks: Buffer[] = [];
  readonly #scanner = new JsonScanner(this);
  readonly #pictures: Range[] = [];
  /** The number of entries of `data`, with or without a picture. */
  #entries = 0;
  #pictureOfEntry: Range | undefined;
  #created: Range | undefined;
  #format: Range | undefined;
  #usage: Range | undefined;
  #error: Range | undefined;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    if (!this.#scanner.push(chunk)) throw badResponse('is not valid JSON');
  }

  value(path: readonly string[], kind: 'string' | 'scalar' | 'container', start: number, end: number): void {
    const [name] = path;
    if (path.length === 3) {
      if (kind === 'string' && path[2] === 'b64_json' && name === 'data') this.#pictureOfEntry = { start, end };
    } else if (path.length === 2) {
      if (name !== 'data') return;
      this.#entries++;
      if (this.#pictureOfEntry && this.#pictureOfEntry.end > this.#pictureOfEntry.start)
        this.#pictures.push(this.#pictureOfEntry);
      this.#pictureOfEntry = undefined;
    } else if (path.length === 1) {
      if (name === 'usage' && kind === 'container') this.#usage = { start, end };
      else if (name === 'created' && kind === 'scalar') this.#created = { start, end };
      else if (name === 'output_format' && kind === 'string') this.#format = { start, end };
      else if (name === 'error') this.#error = { start, end };
    }
  }

  /** Returns the complete response; throws provider_failed if it is invalid. `format` = the requested format. */
  response(format: string | undefined): ImageResponse {
    if (!this.#scanner.isWhole) throw badResponse('was cut short');
    if (this.#error && this.#text(this.#error) !== 'null') throw badResponse('holds an error in place of an image');
    if (this.#entries === 0) throw badResponse('holds no image');
    if (this.#pictures.length !== this.#entries) throw badResponse('holds an entry without an image');
    const created = this.#created && Number(this.#text(this.#created));
    const mediaType = mediaTypeInDocument(this.#format ? this.#text(this.#format) : format);
    return {
      ...(Number.isSafeInteger(created) ? { created } : {}),
      images: this.#pictures.map(({ start, end }): GeneratedImage => ({
        b64: checkedBase64(viewsOf(this.#chunks, start, end)),
        ...(mediaType ? { mediaType } : {}),
      })),
      usage: this.#usage && reportedUsage(JSON.parse(this.#text(this.#usage))),
    };
  }

  /** Copies the bytes, so use this only for short ranges. */
  #text({ start, end }: Range): string {
    return Buffer.concat(viewsOf(this.#chunks, start, end)).toString('utf8');
  }
}

/** Undefined for an unknown or absent format. */
export function mediaTypeInDocument(format: string | undefined): string | undefined {
  return format === 'png' || format === 'jpeg' || format === 'webp' ? `image/${format}` : undefined;
}

/** The bytes from `start` to `end` of a document in chunks, as views: nothing is copied. */
function viewsOf(chunks: readonly Buffer[], start: number, end: number): Buffer[] {
  const views: Buffer[] = [];
  let offset = 0;
  for (const chunk of chunks) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, chunk.length);
    if (from < to) views.push(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    offset += chunk.length;
    if (offset >= end) break;
  }
  return views;
}
