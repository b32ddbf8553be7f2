export interface Parsed {
  readonly value: unknown;
  /** Whether a member `__proto__` was removed. */
  readonly hadProto: boolean;
}

/** JSON.parse without members named `__proto__`, which would change prototypes when an object is copied. */
export function parseWithoutProto(text: string): Parsed {
  let hadProto = false;
  const withoutProto = (key: string, member: unknown): unknown => {
    if (key !== '__proto__') return member;
    hadProto = true;
    return undefined;
  };
  return { value: JSON.parse(text, withoutProto) as unknown, hadProto };
}

/** Plain JSON.parse, for text that cannot contain a name `__proto__`. */
export const parseAsIs = (text: string): Parsed => ({ value: JSON.parse(text) as unknown, hadProto: false });

/**
 * The position at which JSON.parse failed, without the text that its message quotes, because bodies can contain
 * secrets.
 */
export function whereParsingFailed(error: unknown): string {
  const { message } = error as Error;
  const at = /position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return at ? `unexpected text at ${at}` : message.includes('end') ? 'it ends too early' : 'unexpected text';
}
