import { hash } from 'node:crypto';
import { invalidRequest } from '../kernel/errors/errors.js';

export const CHALLENGE_METHODS = ['S256', 'plain'] as const;
export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];

/** RFC 7636, sections 4.1 and 4.2. */
const PLAIN = /^[\w.~-]{43,128}$/;
const S256 = /^[\w-]{43}$/;

/** Binds a code to the client that knows the verifier. */
export interface CodeChallenge {
  readonly value: string;
  readonly method: ChallengeMethod;
}

/**
 * Returns undefined without a method; the challenge is then `plain` (RFC 7636). Throws `invalid_request` for an unknown
 * method.
 */
export function checkedMethod(text: string | null | undefined): ChallengeMethod | undefined {
  if (text === undefined || text === null) return undefined;
  const method = CHALLENGE_METHODS.find((each) => each === text);
  if (!method) throw invalidRequest('Invalid code_challenge_method');
  return method;
}

/**
 * Null if the request has no challenge. Throws `invalid_request` for an unknown method, for a method without a
 * challenge, and for a challenge that no verifier can match.
 */
export function checkedChallenge(value: string | undefined, methodText: string | undefined): CodeChallenge | null {
  const method = checkedMethod(methodText);
  if (value === undefined) {
    if (method) throw invalidRequest('code_challenge is missing, and code_challenge_method requires it');
    return null;
  }
  if (!(method === 'S256' ? S256 : PLAIN).test(value))
    throw invalidRequest('code_challenge must be 43 to 128 characters that RFC 7636 allows, and exactly 43 with S256');
  return { value, method: method ?? 'plain' };
}

/**
 * Whether a verifier matches a challenge. Without a challenge, the verifier must be absent too. A given `method` must
 * be the method of the challenge.
 */
export function matchesChallenge(
  challenge: CodeChallenge | null,
  verifier: string | undefined,
  method: ChallengeMethod | undefined,
): boolean {
  if (!challenge) return verifier === undefined;
  if (verifier === undefined || !PLAIN.test(verifier)) return false;
  if (method !== undefined && method !== challenge.method) return false;
  return challenge.value === (challenge.method === 'S256' ? hash('sha256', verifier, 'base64url') : verifier);
}
