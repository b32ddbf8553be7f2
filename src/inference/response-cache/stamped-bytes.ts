import { parseGenerationId } from '../../kernel/ids.js';

/** Number of digits of a time in Unix seconds, until the year 2286. */
const TIME_DIGITS = 10;
const PLACE_BYTES = 8;
/** Maximum number of bytes at the start of a response in which its time is searched for. */
const MAX_HEAD_BYTES = 1_024;
const CREATED = /"created(?:_at)?":(\d{10})(?!\d)/;

/** The id and time that identify the call in a response. */
export interface Stamp {
  /** The id of the generation without its prefix, because each format has its own prefix. */
  readonly id: Buffer;
  /**
   * The text of the member with the time of the response, such as `"created":1700000000`; absent if the format has no
   * such member.
   */
  readonly time?: Buffer;
}

/** `head`: the start of the response. */
export function stampOf(generationId: string, head: Uint8Array): Stamp {
  const time = CREATED.exec(Buffer.from(head.subarray(0, MAX_HEAD_BYTES)).toString('latin1'))?.[0];
  return {
    id: Buffer.from(parseGenerationId(generationId)!),
    ...(time === undefined ? {} : { time: Buffer.from(time) }),
  };
}

/** A response, or a part of it, that can be sent again for another call, with that call's id and time. */
export class StampedBytes {
  readonly #bytes: Buffer;
  readonly #ids: readonly number[];
  /** The offsets of the digits of times. */
  readonly #times: readonly number[];

  constructor(bytes: Uint8Array, { id, time }: Stamp) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#ids = placesOf(this.#bytes, id);
    this.#times = time ? placesOf(this.#bytes, time).map((place) => place + time.length - TIME_DIGITS) : [];
  }

  /** Memory use in bytes. */
  get size(): number {
    return this.#bytes.length + PLACE_BYTES * (this.#ids.length + this.#times.length);
  }

  /** The bytes for a call with this id, at this time in Unix seconds. */
  for(generationId: string, created: number): Buffer {
    const bytes = Buffer.from(this.#bytes);
    const id = Buffer.from(parseGenerationId(generationId)!);
    for (const place of this.#ids) id.copy(bytes, place);
    const time = Buffer.from(String(created));
    for (const place of this.#times) time.copy(bytes, place);
    return bytes;
  }
}

function placesOf(bytes: Buffer, part: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) places.push(at);
  return places;
}
