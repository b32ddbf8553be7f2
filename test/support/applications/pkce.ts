import { createHash, randomBytes } from 'node:crypto';

export const CALLBACK = 'https://app.example.com/callback';
/** The response to a refused code. */
export const INVALID_CODE = { error: { code: 403, message: 'Invalid code or code_verifier' } };

export interface PkceProof {
  readonly verifier: string;
  /** The S256 challenge of the verifier. */
  readonly challenge: string;
}

export function newProof(): PkceProof {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
