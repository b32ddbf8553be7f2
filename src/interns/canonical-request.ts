import { hash } from 'node:crypto';

/** A valid request to create an intern, its defaults filled in. */
export interface NewIntern {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly provision: boolean;
  /** A vault to borrow. */
  readonly vaultId: string | null;
}

/** SHA-256 of the request as canonical JSON: members sorted, defaults filled in. Two bodies that ask for the same have one. */
export function fingerprintOf(request: NewIntern): string {
  const members = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'hex');
}

/** What an idempotency record is found by. A given key and a derived one never meet. */
export const keyHashOf = (givenKey: string | undefined, fingerprint: string): string =>
  hash('sha256', givenKey === undefined ? `derived:${fingerprint}` : `given:${givenKey}`, 'hex');
