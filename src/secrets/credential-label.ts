const MIN_CHARACTERS = 8;
const MAX_LEADING_CHARACTERS = 3;
const MAX_TRAILING_CHARACTERS = 4;

/**
 * Masked rendering of a credential, `sk-...AbCd`: its first 3 and last 4 characters, but at most half of the
 * credential. A credential shorter than 8 characters shows none.
 */
export function labelOfCredential(secret: string): string {
  const characters = Array.from(secret, (character) => (/[\p{C}\p{Z}]/u.test(character) ? '·' : character));
  const budget = characters.length < MIN_CHARACTERS ? 0 : Math.floor(characters.length / 2);
  const last = Math.min(MAX_TRAILING_CHARACTERS, Math.ceil(budget / 2));
  const first = Math.min(MAX_LEADING_CHARACTERS, budget - last);
  return `${characters.slice(0, first).join('')}...${characters.slice(characters.length - last).join('')}`;
}
