import { invalidRequest } from '../kernel/errors.js';

/** No request of this API comes near it; what walks a body by recursion must not run out of stack. */
const DEEPEST = 64;

const withProto = new WeakSet<object>();

/** Whether a parsed body had a member `__proto__` anywhere, which was left out of it. */
export const hadProto = (body: object): boolean => withProto.has(body);

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON object off the wire. Anything else is the caller's mistake and says which. */
export function parseJsonBody(bytes: Uint8Array): object {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw invalidRequest('The request body is not valid UTF-8');
  }
  let value: unknown;
  let proto = false;
  // An own `__proto__` member would reach prototypes when the object is copied.
  const withoutProto = (key: string, member: unknown): unknown => {
    if (key !== '__proto__') return member;
    proto = true;
    return undefined;
  };
  try {
    value = mayHoldProto(text) ? (JSON.parse(text, withoutProto) as unknown) : JSON.parse(text);
  } catch (error) {
    throw invalidRequest(`The request body is not valid JSON: ${position((error as Error).message)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('The request body must be a JSON object');
  if (isDeeperThan(value, DEEPEST)) throw invalidRequest(`The request body is nested deeper than ${DEEPEST} levels`);
  if (proto) withProto.add(value);
  return value;
}

/** As it is, or with any of its letters as an escape. */
const mayHoldProto = (text: string): boolean => text.includes('__proto__') || /\\u00[567]/.test(text);

/** The parser's message without the piece of the body that it quotes: bodies can hold secrets. */
function position(message: string): string {
  const at = /position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return at ? `unexpected text at ${at}` : message.includes('end') ? 'it ends too early' : 'unexpected text';
}

/** Level by level, so that the check itself cannot run out of stack. */
function isDeeperThan(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > most) return true;
    const next: object[] = [];
    for (const container of level)
      for (const member of Object.values(container) as unknown[])
        if (typeof member === 'object' && member !== null) next.push(member);
    level = next;
  }
  return false;
}
