import type { GeneratedImage, ImageAnswer } from '../../spec/image-adapter.port.js';
import { textOf, viewsOf } from '../../wire/byte-ranges.js';
import { JsonScanner, type JsonWatcher } from '../../wire/json-scanner.js';
import { badAnswer } from '../../wire/vendor-fault.js';
import { readUsage } from './reported-usage.js';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** An image answer as it arrives, of which only the places of its members are learned; `usage` alone is parsed. */
export class ImageDocument implements JsonWatcher {
  readonly #chunks: Buffer[] = [];
  readonly #scanner = new JsonScanner(this);
  readonly #pictures: Range[] = [];
  /** Entries of `data`, with a picture or without. */
  #entries = 0;
  #pictureOfEntry: Range | undefined;
  #created: Range | undefined;
  #format: Range | undefined;
  #usage: Range | undefined;
  #error: Range | undefined;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    if (!this.#scanner.push(chunk)) throw badAnswer('is not valid JSON');
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

  /** The whole answer; throws provider_failed where it is not one. `format` = what was asked for. */
  answer(format: string | undefined): ImageAnswer {
    if (!this.#scanner.isWhole) throw badAnswer('was cut short');
    if (this.#error && this.#text(this.#error) !== 'null') throw badAnswer('holds an error in place of an image');
    if (this.#entries === 0) throw badAnswer('holds no image');
    if (this.#pictures.length !== this.#entries) throw badAnswer('holds an entry without an image');
    const created = this.#created && Number(this.#text(this.#created));
    const mediaType = mediaTypeOf(this.#format ? this.#text(this.#format) : format);
    return {
      ...(Number.isSafeInteger(created) ? { created } : {}),
      images: this.#pictures.map(({ start, end }): GeneratedImage => ({
        b64: viewsOf(this.#chunks, start, end),
        ...(mediaType ? { mediaType } : {}),
      })),
      usage: this.#usage && readUsage(this.#text(this.#usage)),
    };
  }

  #text({ start, end }: Range): string {
    return textOf(this.#chunks, start, end);
  }
}

/** Undefined where neither the vendor nor the request names a format. */
export function mediaTypeOf(format: string | undefined): string | undefined {
  return format === 'png' || format === 'jpeg' || format === 'webp' ? `image/${format}` : undefined;
}
