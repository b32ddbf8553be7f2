import { endOfString } from './json-strings.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const PROTO = Buffer.from('__proto__');
/** With quotes, so that text inside a JSON string does not match, because quotes in a string are escaped. */
const PROTOTYPE = Buffer.from('"prototype"');
/** The length of `constructor` with every character escaped. */
const MAX_ESCAPED_NAME = 66;
/** Number of bytes that are checked one by one before `indexOf` searches for the next backslash. */
const NEAR_BYTES = 32;
const STEP_BYTES = 1_048_576;

/**
 * Removes the members of a JSON text that change prototypes in programs that copy objects carelessly: `__proto__`, and
 * `constructor` with a member `prototype`. All other bytes are unchanged. Returns `bytes` itself if it has no such
 * member, or is not JSON. Usually a search for the names shows that there is no such member.
 */
export function withoutPrototypeMembers(bytes: Buffer): Buffer {
  return runToEnd(mayHavePrototypeMembers(bytes)) ? runToEnd(cleaned(bytes)) : bytes;
}

/** JSON.parse without the members that change prototypes. */
export function parseWithoutPrototypeMembers(text: string): unknown {
  return JSON.parse(mayHavePrototypeNames(text) ? withoutPrototypeMembers(Buffer.from(text)).toString() : text);
}

/** Whether a short JSON text may have members that change prototypes, with or without escaped characters. */
export const mayHavePrototypeNames = (text: string): boolean =>
  text.includes('__proto__') || text.includes('"prototype"') || /\\u00[567]/.test(text);

/**
 * Like mayHavePrototypeNames, for bytes and in steps. Searches for single backslashes, because a search for the first
 * characters of the escape would take 2 s for 25 MB of backslashes. A regular expression would be slow, because V8
 * interprets its first runs.
 */
export function* mayHavePrototypeMembers(bytes: Buffer): Generator<void, boolean, void> {
  if (bytes.includes(PROTO) || bytes.includes(PROTOTYPE)) return true;
  let at = bytes.indexOf(BACKSLASH);
  for (let next = at; at >= 0;) {
    if (
      bytes[at + 1] === 0x75 &&
      bytes[at + 2] === 0x30 &&
      bytes[at + 3] === 0x30 &&
      bytes[at + 4]! >= 0x35 &&
      bytes[at + 4]! <= 0x37
    )
      return true;
    at += 2;
    const near = Math.min(bytes.length, at + NEAR_BYTES);
    while (at < near && bytes[at] !== BACKSLASH) at++;
    if (at >= near) at = bytes.indexOf(BACKSLASH, at);
    if (at >= next) {
      yield;
      next = at + STEP_BYTES;
    }
  }
  return false;
}

/** An open object or array. The offsets belong to the current member. */
interface Frame {
  readonly isObject: boolean;
  expectsName: boolean;
  name: string | undefined;
  start: number;
  /** The offset of the comma before the current member. */
  comma: number;
  /** Whether an earlier member of the object is kept. */
  isKept: boolean;
  hasPrototype: boolean;
  /** The last cut, if no member before it is kept: it will include the comma that follows. */
  leading: Cut | undefined;
}

interface Cut {
  readonly from: number;
  to: number;
}

/** The work of `withoutPrototypeMembers` on bytes that may have such members, in steps. */
export function* cleaned(bytes: Buffer): Generator<void, Buffer, void> {
  const cuts: Cut[] = [];
  const stack: Frame[] = [];
  for (let at = 0, next = STEP_BYTES; at < bytes.length;) {
    const frame = stack.at(-1);
    const byte = bytes[at]!;
    /** The offset after the value that has just ended. */
    let end = -1;
    let closed: Frame | undefined;
    if (byte <= 0x20 || byte === COLON) at++;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      stack.push(opened(byte === OPEN_BRACE));
      at++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      closed = stack.pop();
      end = ++at;
    } else if (byte === COMMA) {
      if (!frame) return bytes;
      if (frame.leading) frame.leading.to = at + 1;
      frame.leading = undefined;
      frame.expectsName = frame.isObject;
      frame.comma = at++;
    } else if (byte === QUOTE) {
      const after = endOfString(bytes, at + 1);
      if (after < 0) return bytes;
      if (frame?.expectsName) {
        frame.expectsName = false;
        frame.start = at;
        frame.name = nameBetween(bytes, at, after);
        if (frame.name === 'prototype') frame.hasPrototype = true;
      } else end = after;
      at = after;
    } else {
      while (at < bytes.length && !isDelimiter(bytes[at]!)) at++;
      end = at;
    }
    const parent = closed ? stack.at(-1) : frame;
    if (end >= 0 && parent?.isObject) endMember(parent, end, closed, cuts);
    if (at >= next) {
      yield;
      next = at + STEP_BYTES;
    }
  }
  return cuts.length === 0 ? bytes : withoutCuts(bytes, cuts);
}

const opened = (isObject: boolean): Frame => ({
  isObject,
  expectsName: isObject,
  name: undefined,
  start: -1,
  comma: -1,
  isKept: false,
  hasPrototype: false,
  leading: undefined,
});

function endMember(parent: Frame, end: number, value: Frame | undefined, cuts: Cut[]): void {
  const { name, start, comma, isKept } = parent;
  if (name !== '__proto__' && !(name === 'constructor' && value?.hasPrototype)) {
    parent.isKept = true;
    return;
  }
  // Drops the cuts inside of the removed member.
  while (cuts.length > 0 && cuts.at(-1)!.from >= start) cuts.pop();
  const cut = { from: isKept ? comma : start, to: end };
  cuts.push(cut);
  if (!isKept) parent.leading = cut;
}

function withoutCuts(bytes: Buffer, cuts: readonly Cut[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const cut of cuts) {
    pieces.push(bytes.subarray(from, cut.from));
    from = cut.to;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

const isDelimiter = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === QUOTE || byte === COLON || byte <= 0x20;

/** The name between two offsets; undefined if the length rules out every searched name. */
function nameBetween(bytes: Buffer, start: number, end: number): string | undefined {
  const length = end - start - 2;
  if (length < PROTO.length || length > MAX_ESCAPED_NAME) return undefined;
  const name = bytes.toString('latin1', start + 1, end - 1);
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}

function runToEnd<T>(work: Generator<void, T, void>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
