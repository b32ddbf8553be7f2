const MIN_CHARACTERS = 8;
const MAX_LEADING_CHARACTERS = 3;
const MAX_TRAILING_CHARACTERS = 4;

/**
 * The masked rendering of a credential, such as `sk-...AbCd`: at most the first 3 and the last 4 characters, and in
 * total at most half of the credential. A credential shorter than 8 characters is rendered as `...`.
 */
export function labelOfCredential(secret: string): string {
  const characters = Array.from(secret, (character) => (/[\p{C}\p{Z}]/u.test(character) ? '·' : character));
  const budget = characters.length < MIN_CHARACTERS ? 0 : Math.floor(characters.length / 2);
  const last = Math.min(MAX_TRAILING_CHARACTERS, Math.ceil(budget / 2));
  const first = Math.min(MAX_LEADING_CHARACTERS, budget - last);
  return `${characters.slice(0, first).join('')}...${characters.slice(characters.length - last).join('')}`;
}
