import type { Messages } from '../translate';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** An accented form of each letter, in alphabetical order. */
const ACCENTED = 'áƀçðéƒĝĥíĵķļɱñóþʠŕšţúṽŵẋýž';

const accented = (message: string): string =>
  message.replace(/\{\w+\}|[a-z]/gi, (part) => {
    if (part.length > 1) return part;
    const letter = ACCENTED[LETTERS.indexOf(part.toLowerCase())]!;
    return part === part.toLowerCase() ? letter : letter.toUpperCase();
  });

/** English with accents, for tests: a text without accents was not translated. */
export const messages: Messages = new Proxy<Messages>({}, { get: (_target, message) => accented(String(message)) });
