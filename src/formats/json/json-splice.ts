const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/**
 * Longer strings are searched with Buffer.indexOf. One call of it takes as long as a loop over this many bytes.
 */
const SHORT_STRING_BYTES = 24;
const MAX_STEPS = 65_536;

/** A member of an object, or an element of an array (its name is ''). Offsets count from the first byte. */
export interface JsonMember {
  readonly name: string;
  /** The offset of the name's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** The offset after the last byte of the value. */
  readonly end: number;
}

/** A change of a member: its new JSON text, removed, or kept. */
export type MemberChange = string | typeof REMOVED | typeof KEPT;
export const REMOVED = Symbol('removed');
export const KEPT = Symbol('kept');

/**
 * The members of the object that starts at the first brace from `from`, including duplicates, in one pass. `bytes` must
 * be valid JSON; for other bytes, this function throws RangeError or SyntaxError, or returns meaningless members.
 */
export function jsonMembers(bytes: Buffer, from = 0): JsonMember[] {
  const members: JsonMember[] = [];
  let at = skipBlanks(bytes, bytes.indexOf(OPEN_BRACE, from) + 1);
  while (bytes[at] !== CLOSE_BRACE) {
    const nameEnd = endOfString(bytes, at);
    const valueStart = skipBlanks(bytes, skipBlanks(bytes, nameEnd) + 1);
    const end = endOfValue(bytes, valueStart);
    members.push({ name: nameBetween(bytes, at, nameEnd), start: at, valueStart, end });
    at = skipBlanks(bytes, end);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
  }
  return members;
}

/** The elements of the array that starts at `start`. */
export function elementsOf(bytes: Buffer, start: number): JsonMember[] {
  const elements: JsonMember[] = [];
  let at = skipBlanks(bytes, start + 1);
  while (bytes[at] !== CLOSE_BRACKET) {
    const end = endOfValue(bytes, at);
    elements.push({ name: '', start: at, valueStart: at, end });
    at = skipBlanks(bytes, end);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
  }
  return elements;
}

/** Replaces parts of a JSON text and keeps every other byte. */
export class JsonSplice {
  readonly #edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];

  constructor(private readonly bytes: Buffer) {}

  replace({ valueStart, end }: JsonMember, json: string): void {
    this.#edits.push({ from: valueStart, to: end, text: json });
  }

  /**
   * Changes the members of one object. `members`: all members of the object; `from` as in `jsonMembers`. A missing
   * member is appended if its change is a text. If there are duplicates, the last one is changed or kept, as in
   * JSON.parse, and the others are removed. Members that differ from a changed name only in case are removed too,
   * because some servers ignore case. `usual`: changes for members without an entry in `changes`. Such a change appends
   * no member.
   */
  object(
    members: readonly JsonMember[],
    changes: ReadonlyMap<string, MemberChange>,
    from = 0,
    usual: ReadonlyMap<string, MemberChange> = NO_CHANGES,
  ): void {
    const last = new Map<string, JsonMember>();
    for (const member of members) last.set(member.name, member);
    const changeOf = (name: string): MemberChange | undefined => changes.get(name) ?? usual.get(name);
    let keptEnd = -1;
    for (let index = 0; index < members.length; index++) {
      const member = members[index]!;
      const change = changeOf(member.name) ?? (isVariant(member.name, changeOf) ? REMOVED : KEPT);
      if (change === REMOVED || last.get(member.name) !== member) {
        // Removes the comma before the member, or the comma after it if no earlier member is kept.
        const next = members[index + 1];
        if (keptEnd >= 0) this.#edits.push({ from: members[index - 1]!.end, to: member.end, text: '' });
        else this.#edits.push({ from: member.start, to: next?.start ?? member.end, text: '' });
        continue;
      }
      keptEnd = member.end;
      if (change !== KEPT) this.replace(member, change);
    }
    const at = members.at(-1)?.end ?? this.bytes.indexOf(OPEN_BRACE, from) + 1;
    let text = '';
    for (const [name, change] of changes)
      if (typeof change === 'string' && !last.has(name))
        text += `${keptEnd < 0 && text === '' ? '' : ','}${JSON.stringify(name)}:${change}`;
    if (text !== '') this.#edits.push({ from: at, to: at, text });
  }

  /** The new text. Changes inside a replaced or removed part have no effect. */
  result(): Buffer {
    if (this.#edits.length === 0) return this.bytes;
    const edits = this.#edits.sort((a, b) => a.from - b.from);
    const growth = edits.reduce((sum, { text }) => sum + maxBytesOf(text), 0);
    const result = Buffer.allocUnsafe(this.bytes.length + growth);
    let length = 0;
    let from = 0;
    for (const edit of edits) {
      if (edit.from < from) continue;
      length += this.bytes.copy(result, length, from, edit.from);
      if (edit.text !== '') length += result.write(edit.text, length);
      from = edit.to;
    }
    length += this.bytes.copy(result, length, from);
    return result.subarray(0, length);
  }
}

/**
 * An upper bound of the size of a text in UTF-8, in bytes. Only long texts are counted exactly: for a short text, a
 * call of Buffer.byteLength costs more than the smaller buffer saves.
 */
const maxBytesOf = (text: string): number => (text.length > 1_024 ? Buffer.byteLength(text) : text.length * 3);

export const NO_CHANGES: ReadonlyMap<string, MemberChange> = new Map();

/**
 * Whether a name differs from a changed name only in case. The name is converted to upper case first, because some
 * characters, such as the long s (ſ), become ASCII letters only in upper case.
 */
const isVariant = (name: string, changeOf: (name: string) => unknown): boolean =>
  !LOWER_CASE.test(name) && changeOf(name.toUpperCase().toLowerCase()) !== undefined;
const LOWER_CASE = /^[a-z0-9_]*$/;

function nameBetween(bytes: Buffer, start: number, end: number): string {
  const name = bytes.toString('latin1', start + 1, end - 1);
  return PLAIN.test(name) ? name : (JSON.parse(bytes.toString('utf8', start, end)) as string);
}
// ASCII text without escapes.
const PLAIN = /^[ !#-[\]-~]*$/;

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at]! <= 0x20) at++;
  return at;
}

/**
 * The offset after the closing quote of the string whose opening quote is at `start`. Steps through the bytes if quotes
 * are close to each other, so that a string of escaped quotes needs no native call for each quote.
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (let steps = SHORT_STRING_BYTES; ;) {
    for (const stop = Math.min(at + steps, bytes.length); at < stop; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) throw new RangeError('the JSON text ends inside of a string');
    let slashes = 0;
    while (quote - slashes > at && bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    steps = quote - at < steps ? Math.min(steps * 2, MAX_STEPS) : SHORT_STRING_BYTES;
    at = quote + 1;
  }
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  let at = start;
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    for (let byte = first; byte !== undefined && byte > 0x20; byte = bytes[++at])
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) break;
    if (at === start) throw new RangeError('the JSON text lacks a value');
    return at;
  }
  for (let depth = 0; at < bytes.length;) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    at++;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at;
  }
  throw new RangeError('the JSON text ends inside of a value');
}
