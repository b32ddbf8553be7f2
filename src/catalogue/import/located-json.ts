import { EntryFault } from '../entries/entry-fault.js';
import { ImportFault } from './import-fault.js';

type Path = EntryFault['path'];

/** Runs `work`; converts an EntryFault to an ImportFault with the line. */
export function located<T>(work: () => T, lineOfPath: (path: Path) => number): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    throw new ImportFault(lineOfPath(error.path), error.message.trim());
  }
}

/** Parses JSON; throws an ImportFault with the line. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // JSON.parse reports the position in some cases only.
    const at = faultIn(text);
    const found =
      at >= text.trimEnd().length
        ? 'the file ends too early'
        : `unexpected ${JSON.stringify(text.slice(at, at + 10).split(/\s/)[0] || text[at])}`;
    throw new ImportFault(lineAt(text, Math.min(at, text.trimEnd().length)), `is not valid JSON: ${found}`);
  }
}

const PUNCTUATION = String.raw`[{}[\]:,]`;
const STRING = String.raw`"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const TOKEN = new RegExp(String.raw`\s*(?:(${PUNCTUATION})|(${STRING})|(${NUMBER}|true|false|null)(?![\w.]))`, 'y');

/** The position of the first token that the grammar of JSON does not allow. */
function faultIn(text: string): number {
  const open: string[] = [];
  let expected = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const begin = at + /^\s*/.exec(text.slice(at, at + 10_000))![0].length;
    if (!match) return begin;
    const [, sign, name] = match;
    const next = after(expected, sign ?? (name === undefined ? 'literal' : 'name'), open);
    if (next === undefined) return begin;
    expected = next;
    at = TOKEN.lastIndex;
  }
}

/** Returns what may follow a token; undefined if the token is not allowed. `open` contains the open brackets. */
function after(expected: string, token: string, open: string[]): string | undefined {
  const closed = (): string => (open.length === 0 ? 'end' : 'comma');
  if (expected === 'colon') return token === ':' ? 'value' : undefined;
  if (
    (token === '}' || token === ']') &&
    (expected === 'comma' || expected === (token === '}' ? 'name or close' : 'value or close'))
  ) {
    return open.pop() === (token === '}' ? '{' : '[') ? closed() : undefined;
  }
  if (expected === 'comma') return token === ',' ? (open.at(-1) === '{' ? 'name' : 'value') : undefined;
  if (expected.startsWith('name')) return token === 'name' ? 'colon' : undefined;
  if (expected.startsWith('value')) {
    if (token === '{' || token === '[') {
      open.push(token);
      return token === '{' ? 'name or close' : 'value or close';
    }
    return token === 'name' || token === 'literal' ? closed() : undefined;
  }
  return undefined;
}

/**
 * The line of valid JSON text on which the value at a path begins. If the path does not exist, the line of its deepest
 * part that exists.
 */
export function lineOf(text: string, path: Path): number {
  let at = skipSpace(text, 0);
  for (const step of path) {
    const next = memberAt(text, at, step);
    if (next === undefined) break;
    at = next;
  }
  return lineAt(text, at);
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/** The position of an item of a list, or of the value of a member; undefined if it does not exist. */
function memberAt(text: string, from: number, step: string | number): number | undefined {
  const close = text[from] === '{' ? '}' : text[from] === '[' ? ']' : undefined;
  if (close === undefined) return undefined;
  let at = skipSpace(text, from + 1);
  for (let index = 0; text[at] !== close; index++) {
    const begin = at;
    let name: unknown = index;
    if (close === '}') {
      const end = endOf(text, at);
      name = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (name === step || String(name) === String(step)) return close === '}' ? at : begin;
    at = skipSpace(text, endOf(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** The position after the value that begins at `from`. */
function endOf(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  if (text[from] !== '{' && text[from] !== '[')
    return from + /^[^\s,\]}]*/.exec(text.slice(from, from + 400))![0].length;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
