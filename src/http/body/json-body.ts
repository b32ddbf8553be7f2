import { isUtf8 } from 'node:buffer';
import {
  cleaned,
  mayHavePrototypeMembers,
  mayHavePrototypeNames,
  withoutPrototypeMembers,
} from '../../kernel/text/prototype-members.js';
import { inSlices } from '../../kernel/scheduling/slices.js';
import { factsOf, noteFacts } from './json/body-facts.js';
import { MAX_DEPTH, notAnObject, notJson, notUtf8, tooDeep } from './json/json-limits.js';
import { LargeJson } from './json/large-json.js';
import { parseAsIs, parseWithoutProto, whereParsingFailed, type Parsed } from './json/parse-text.js';

/**
 * Up to this size a body is parsed in one step, and its values are not counted, because it has fewer than MAX_VALUES
 * values and fewer than MAX_OBJECTS objects with members, and parsing it takes a few milliseconds at most.
 */
const MAX_BYTES_AT_ONCE = 65_536;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the JSON object of a request body, in time slices if it is large. Throws `invalid_request` if the text is not
 * a JSON object. Removes members that change prototypes. If there were any, the facts of the body contain its bytes
 * without those members.
 */
export function parseJsonBody(bytes: Buffer): object | Promise<object> {
  return bytes.length <= MAX_BYTES_AT_ONCE ? parseSmall(bytes) : inSlices(parseLarge(bytes));
}

function parseSmall(bytes: Buffer): object {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw notUtf8();
  }
  const isSuspect = mayHavePrototypeNames(text);
  const body = bodyOf(text, isSuspect);
  if (isDeeperThan(body, MAX_DEPTH)) throw tooDeep();
  if (!isSuspect) return body;
  const clean = withoutPrototypeMembers(bytes);
  return clean === bytes ? body : asCleaned(body, bodyOf(UTF8.decode(clean), false), clean);
}

/**
 * Adds `bytes` and the fact `hadProto` of `body` to the facts of `again`. Returns `again`. `bytes`: the body without
 * the members that change prototypes; `again`: the object that was parsed from `bytes`.
 */
function asCleaned(body: object, again: object, bytes: Buffer): object {
  noteFacts(again, { ...factsOf(again), hadProto: factsOf(body).hadProto, bytes });
  return again;
}

function* parseLarge(bytes: Buffer): Generator<void, object, void> {
  if (!isUtf8(bytes)) throw notUtf8();
  yield;
  const isSuspect = yield* mayHavePrototypeMembers(bytes);
  yield;
  const body = yield* parseInSteps(bytes, isSuspect);
  if (!isSuspect) return body;
  const clean = yield* cleaned(bytes);
  return clean === bytes ? body : asCleaned(body, yield* parseInSteps(clean, false), clean);
}

function* parseInSteps(bytes: Buffer, proto: boolean): Generator<void, object, void> {
  const scan = new LargeJson(bytes, hasByteOrderMark(bytes) ? 3 : 0, proto);
  while (!scan.advance()) yield;
  yield;
  if (!scan.built) {
    const text = UTF8.decode(bytes);
    yield;
    const body = bodyOf(text, proto);
    // The next step traverses the whole body again.
    yield;
    return body;
  }
  const { facts } = scan;
  if (facts.hadProto || facts.names || facts.wideMembers) noteFacts(scan.built, facts);
  return scan.built;
}

export const hasByteOrderMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

function bodyOf(text: string, mayHaveProto: boolean): object {
  let parsed: Parsed;
  try {
    parsed = mayHaveProto ? parseWithoutProto(text) : parseAsIs(text);
  } catch (error) {
    throw notJson(whereParsingFailed(error));
  }
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject();
  if (parsed.hadProto) noteFacts(value, { hadProto: true });
  return value;
}

/** Iterates level by level, so that the check itself cannot overflow the stack. */
function isDeeperThan(value: object, max: number): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > max) return true;
    const next: object[] = [];
    for (const container of level)
      for (const member of Object.values(container) as unknown[])
        if (typeof member === 'object' && member !== null) next.push(member);
    level = next;
  }
  return false;
}
