import { createHash, randomBytes } from 'node:crypto';

export const CALLBACK = 'https://app.example.com/callback';
/** Of a code that is refused. */
export const INVALID_CODE = { error: { code: 403, message: 'Invalid code or code_verifier' } };

export interface PkceProof {
  readonly verifier: string;
  /** S256 of it. */
  readonly challenge: string;
}

export function newProof(): PkceProof {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
