/** The number of characters of a message that are read. The rest is ignored. */
export const MAX_MESSAGE_CHARACTERS = 2_000;
/** The maximum length of a quoted word. */
const MAX_WORD_CHARACTERS = 40;

/** A sequence of words without punctuation. */
export interface Clause {
  /** The words for matching patterns: in lower case, with expanded contractions. */
  readonly words: readonly string[];
  /** The same words in the spelling for quotes. */
  readonly shown: readonly string[];
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['-][\p{L}\p{N}\p{M}]+)*|[.,;:!?\n()[\]{}"…–—]/gu;
const IS_WORD = /^[\p{L}\p{N}]/u;

/** Alternative spellings of a word, and contractions of two words. Other words are unchanged. */
const EXPANSIONS: ReadonlyMap<string, string> = new Map(
  `i'm=i am|im=i am|i've=i have|ive=i have|i'll=i will|i'd=i would|you're=you are|youre=you are|you've=you have
you'll=you will|you'd=you would|he's=he is|she's=she is|it's=it is|that's=that is|there's=there is|what's=what is
whats=what is|who's=who is|where's=where is|how's=how is|they're=they are|theyre=they are|they've=they have
they'll=they will|we're=we are|we've=we have|we'll=we will|let's=let us|dont=don't|cant=can't|cannot=can't|wont=won't
didnt=didn't|doesnt=doesn't|isnt=isn't|wasnt=wasn't|couldnt=couldn't|wouldnt=wouldn't|shouldnt=shouldn't
havent=haven't|hasnt=hasn't|arent=aren't|werent=weren't|hadnt=hadn't|gonna=going to|wanna=want to|gotta=have to
u=you|ur=your|thx=thanks|ok=okay|yeah=yes|yep=yes|yup=yes|nope=no|nah=no|mum=mother|mom=mother|mommy=mother|mummy=mother
dad=father|daddy=father|kinda=rather|cos=because|cuz=because|coz=because`
    .split(/[|\n]/)
    .map((entry) => entry.split('=') as [string, string]),
);

/** The part of a message that is read, with normalised quotation marks and character widths. */
export function legibleText(message: string): string {
  return message
    .slice(0, MAX_MESSAGE_CHARACTERS)
    .normalize('NFKC')
    .slice(0, MAX_MESSAGE_CHARACTERS)
    .replace(/\p{Cs}/gu, ' ')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”«»„]/g, '"');
}

/** Splits the result of `legibleText` at punctuation and at "but". Clauses without words are omitted. */
export function clausesOf(text: string): Clause[] {
  const isShouted = /[A-Z]{2}.*[A-Z]{2}/.test(text) && !/[a-z]/.test(text);
  const clauses: Clause[] = [];
  let words: string[] = [];
  let shown: string[] = [];
  const close = (): void => {
    if (words.length > 0) clauses.push({ words, shown });
    words = [];
    shown = [];
  };
  let opensSentence = true;
  for (const [token] of text.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    if (!IS_WORD.test(token) || lower === 'but') {
      close();
      opensSentence = token !== ',' && token !== '"' && lower !== 'but';
      continue;
    }
    const expanded = EXPANSIONS.get(lower);
    if (expanded !== undefined) {
      words.push(...expanded.split(' '));
      shown.push(...expanded.split(' '));
    } else {
      words.push(lower);
      shown.push(quoted(opensSentence || isShouted ? lower : token));
    }
    opensSentence = false;
  }
  close();
  return clauses;
}

const quoted = (word: string): string =>
  word.length <= MAX_WORD_CHARACTERS ? word : `${word.slice(0, MAX_WORD_CHARACTERS).replace(/\p{Cs}/gu, '')}…`;

/** The words of a list that is separated by white space. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));
const ENGLISH = wordSet(
  'i you he she it we they me my your his her our their the a an and or but if of to in on at for with from about is ' +
    "am are was were be been have has had do does did don't not no yes what why how when who this that there so very " +
    'can could will would should please thanks hello hi want need like feel think know just because all one',
);
const FOREIGN = wordSet(
  'el los las una yo tú usted ella nosotros pero porque muy qué cómo por para con mi está estoy soy es gracias ' +
    'hola que le la les un une je tu il elle nous vous et mais pas très suis est avec pour dans bonjour merci ça ' +
    'des du ce ne der das ein eine ich du er sie wir ihr und aber nicht sehr bin ist mit für auf hallo danke wie ' +
    'geht mir den zu io lui lei noi sono è non molto di che ciao grazie perché per della ho um uma eu você ele ' +
    'ela não muito obrigado olá como está meu minha de het een ik jij wij niet maar zeer ben dank jak jest nie ' +
    'tak och jag inte är med',
);

/** Whether a text is probably not in English, judged by its letters and by its most common words. */
export function isForeign(text: string, clauses: readonly Clause[]): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/[a-z]/gi)?.length ?? 0;
  if (latin * 2 < letters) return true;
  let foreign = 0;
  let english = 0;
  for (const { words } of clauses) {
    for (const word of words) {
      if (ENGLISH.has(word)) english++;
      else if (FOREIGN.has(word)) foreign++;
    }
  }
  return foreign > 0 && foreign > english;
}
