const LEAST_LENGTH = 8;
const SHOWN_FIRST = 3;
const SHOWN_LAST = 4;

/**
 * Masked rendering of a credential, `sk-...AbCd`: its first 3 characters and its last 4, but never more than half of it, and
 * nothing of one that is shorter than 8 characters.
 */
export function labelOfCredential(secret: string): string {
  const characters = Array.from(secret, (character) => (/[\p{C}\p{Z}]/u.test(character) ? '·' : character));
  const budget = characters.length < LEAST_LENGTH ? 0 : Math.floor(characters.length / 2);
  const last = Math.min(SHOWN_LAST, Math.ceil(budget / 2));
  const first = Math.min(SHOWN_FIRST, budget - last);
  return `${characters.slice(0, first).join('')}...${characters.slice(characters.length - last).join('')}`;
}
