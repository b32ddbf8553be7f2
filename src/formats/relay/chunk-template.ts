import { isUtf8 } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LOWER_U = 0x75;
/** A member with random text that some vendors append to every chunk. */
const PADDING = Buffer.from('"obfuscation":"');
const PADDING_END = Buffer.from('"}');

/**
 * The form of a stream's simple chunks, which differ only in one JSON string. The bytes before and after the string are
 * fixed. A relayed chunk consists of fixed bytes and copies of the string.
 */
export class ChunkTemplate {
  private constructor(
    private readonly head: Buffer,
    private readonly tail: Buffer,
    private readonly isPadded: boolean,
    /** The bytes to relay before, between and after copies of the string. Empty = nothing to relay. */
    readonly pieces: readonly Buffer[],
    /** The vendor's usage, which every chunk of this form repeats. */
    readonly usage: unknown,
  ) {}

  /** `chunk`: a chunk of the stream whose variable string extends from `start` to `end`. */
  static of(chunk: Buffer, [start, end]: StringRange, pieces: readonly Buffer[], usage: unknown): ChunkTemplate {
    const padding = paddingOf(chunk);
    const isPadded = padding > end;
    return new ChunkTemplate(
      Buffer.from(chunk.subarray(0, start)),
      Buffer.from(chunk.subarray(end, isPadded ? padding : chunk.length)),
      isPadded,
      pieces,
      usage,
    );
  }

  get start(): number {
    return this.head.length;
  }

  /** The end of the string in a chunk of this form, or -1 for any other chunk. Empty strings match no template. */
  match(chunk: Buffer): number {
    const { head, tail } = this;
    const stop = this.isPadded ? paddingOf(chunk) : chunk.length;
    const end = stop - tail.length;
    const start = head.length;
    if (end <= start || chunk[start - 1] !== QUOTE || chunk[end] !== QUOTE) return -1;
    if (chunk.compare(head, 0, start, 0, start) !== 0) return -1;
    if (chunk.compare(tail, 0, tail.length, end, stop) !== 0) return -1;
    return isStringContent(chunk, start, end) ? end : -1;
  }
}

export type StringRange = readonly [start: number, end: number];

/** The offset of the padding member's value if that is the last member and contains only simple text; otherwise -1. */
export function paddingOf(chunk: Buffer): number {
  const at = chunk.lastIndexOf(PADDING);
  if (at < 0) return -1;
  const start = at + PADDING.length;
  const end = chunk.length - PADDING_END.length;
  if (end < start || chunk.compare(PADDING_END, 0, PADDING_END.length, end) !== 0) return -1;
  for (let index = start; index < end; index++) if (!isPlain(chunk[index]!)) return -1;
  return start;
}

const isPlain = (byte: number): boolean => byte >= SPACE && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;

/** Whether the bytes are the content of a single JSON string. */
export function isStringContent(bytes: Buffer, start: number, end: number): boolean {
  let isAscii = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE || byte < SPACE) return false;
    if (byte >= 0x80) isAscii = false;
    else if (byte === BACKSLASH) {
      const next = bytes[++at]!;
      if (at >= end || !ESCAPED.has(next)) return false;
      if (next !== LOWER_U) continue;
      for (let digit = 0; digit < 4; digit++) if (++at >= end || !isHex(bytes[at]!)) return false;
    }
  }
  return isAscii || isUtf8(bytes.subarray(start, end));
}

const ESCAPED = new Set(Buffer.from('"\\/bfnrtu'));
const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
