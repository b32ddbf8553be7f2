/** A part of the text that is synthesised in one job. */
export interface SpokenPiece {
  /** Printable ASCII only. */
  readonly text: string;
  /** False if the piece starts within a sentence. The silence before it is then shortened. */
  readonly startsSentence: boolean;
  /** False if the piece ends within a sentence. The silence after it is then shortened. */
  readonly endsSentence: boolean;
}

/**
 * The maximum weight of a piece, which limits the length of the audio, the memory and the time of one synthesis. The
 * weight of a character estimates how long it takes to speak: "7" is "seven" and "$" may be "dollar sign". A weight of
 * 240 is about 15 s of prose, and at most about 45 s of other text.
 */
const MAX_WEIGHT = 240;
/** The first piece is short, because the first byte cannot be sent until the first piece is synthesised. */
const FIRST_MAX_WEIGHT = 100;
/** Shorter sentences are joined with the next one, because each synthesis takes some milliseconds to begin. */
const MIN_WEIGHT = 40;
const FIRST_MIN_WEIGHT = 16;

/** Characters whose ASCII equivalent differs from their Unicode decomposition, or has a space after it. */
const REPLACEMENTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[‘’‚‛′`´ʼ]/gu, "'"],
  [/[“”„‟«»″]/gu, '"'],
  [/[‐‑]/gu, '-'],
  [/[‒–—―]/gu, ' - '],
  [/…/gu, '... '],
  [/[。｡]/gu, '. '],
  [/[、，،]/gu, ', '],
  [/[؟？]/gu, '? '],
  [/！/gu, '! '],
  [/€\s?(\d[\d.,]*)/gu, '$1 euros '],
  [/£\s?(\d[\d.,]*)/gu, '$1 pounds '],
  [/¥\s?(\d[\d.,]*)/gu, '$1 yen '],
  [/€/gu, ' euro '],
  [/£/gu, ' pound '],
  [/¥/gu, ' yen '],
  [/°/gu, ' degrees '],
  [/×/gu, ' times '],
  [/÷/gu, ' divided by '],
  [/±/gu, ' plus or minus '],
  [/©/gu, ' copyright '],
  [/⁄/gu, '/'],
];

/** Letters that decomposition does not change. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  'ß=ss æ=ae Æ=ae œ=oe Œ=oe ø=o Ø=o ł=l Ł=l đ=d Đ=d ð=d Ð=d þ=th Þ=th ı=i'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const ABBREVIATIONS =
  'Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Capt|Lt|Sgt|Rev|Hon|Gov|Sen|Rep|vs|etc|Fig|Figs|No|Nos|Vol|pp|approx|' +
  'Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec';
const ABBREVIATION = new RegExp(String.raw`^["'([]*(?:${ABBREVIATIONS}|(?:[A-Za-z]\.)*[A-Za-z])\.$`);
const SENTENCE_END = /[.!?]["')\]]*$/;
const CLAUSE_END = /[,;:]["')\]]*$|^-$/;

/**
 * Converts text to ASCII for Flite, an English synthesiser. Accents are removed, and typographic characters replaced.
 * Unpronounceable characters (controls, NUL, lone surrogates, other scripts, emoji) become spaces. Markup is read as
 * text. Runs of one punctuation character, as in dividers, are cut to three. Blank lines become "\n\n".
 */
export function toSpeakable(text: string): string {
  let plain = text;
  for (const [pattern, replacement] of REPLACEMENTS) plain = plain.replace(pattern, replacement);
  plain = plain
    .replace(/[ßæÆœŒøØłŁđĐðÐþÞı]/gu, (letter) => LETTERS.get(letter)!)
    .normalize('NFKD')
    .replace(/⁄/gu, '/')
    .replace(/[\p{M}\u00ad\u200b-\u200f\u2060\ufeff]/gu, '');
  return plain
    .replace(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replace(/[^\x21-\x7e\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{2,}/gu, '\n\n')
    .replace(/(?<!\n)\n(?!\n)/gu, ' ')
    .replace(/([^A-Za-z0-9\s])\1{3,}/gu, '$1$1$1')
    .trim();
}

/**
 * Splits a text into pieces of limited length, at the ends of sentences if possible, otherwise at clauses, at spaces,
 * or within words. Returns at least one piece. A text without pronounceable characters is one empty piece, which
 * becomes a short silence.
 */
export function toSpokenPieces(input: string): SpokenPiece[] {
  const cutter = new PieceCutter();
  for (const paragraph of toSpeakable(input).split('\n\n')) {
    const words = paragraph
      .split(' ')
      .filter((word) => word !== '')
      .flatMap(cutLongWord);
    words.forEach((word, at) => cutter.add(word, endsSentence(word, words[at + 1])));
    cutter.endParagraph();
  }
  return cutter.finish();
}

class PieceCutter {
  private readonly pieces: SpokenPiece[] = [];
  private words: string[] = [];
  private weight = 0;
  private startsSentence = true;

  add(word: string, isSentenceEnd: boolean): void {
    const first = this.pieces.length === 0;
    const weight = weigh(word) + 1;
    if (this.words.length > 0 && this.weight + weight > (first ? FIRST_MAX_WEIGHT : MAX_WEIGHT)) this.cutInSentence();
    this.words.push(word);
    this.weight += weight;
    if (isSentenceEnd && this.weight >= (first ? FIRST_MIN_WEIGHT : MIN_WEIGHT)) this.flush(this.words.length, true);
  }

  endParagraph(): void {
    if (this.words.length > 0) this.flush(this.words.length, true);
  }

  finish(): SpokenPiece[] {
    return this.pieces.length > 0 ? this.pieces : [{ text: '', startsSentence: true, endsSentence: true }];
  }

  /**
   * Cuts at the last end of a clause or a sentence that leaves at least a third of the collected weight in the piece.
   * If there is no such end, cuts after the last word.
   */
  private cutInSentence(): void {
    let kept = 0;
    let weight = 0;
    this.words.forEach((word, at) => {
      weight += weigh(word) + 1;
      if ((CLAUSE_END.test(word) || SENTENCE_END.test(word)) && weight * 3 >= this.weight) kept = at + 1;
    });
    this.flush(kept || this.words.length, false);
  }

  private flush(count: number, endsSentence: boolean): void {
    const rest = this.words.slice(count);
    this.pieces.push({
      text: this.words.slice(0, count).join(' '),
      startsSentence: this.startsSentence,
      endsSentence,
    });
    this.words = rest;
    this.weight = rest.reduce((sum, word) => sum + weigh(word) + 1, 0);
    this.startsSentence = endsSentence;
  }
}

function endsSentence(word: string, next: string | undefined): boolean {
  if (!SENTENCE_END.test(word)) return false;
  if (next === undefined) return true;
  return !ABBREVIATION.test(word) && !/^[a-z,;:)\]]/.test(next);
}

/** Cuts a word into parts that fit into the first piece, because a word of 20,000 letters overflows Flite's stack. */
function cutLongWord(word: string): string[] {
  if (weigh(word) < FIRST_MAX_WEIGHT) return [word];
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const character of word) {
    if (weight + weigh(character) >= FIRST_MAX_WEIGHT) {
      parts.push(part);
      part = '';
      weight = 0;
    }
    part += character;
    weight += weigh(character);
  }
  return [...parts, part];
}

function weigh(text: string): number {
  let weight = 0;
  for (const character of text) weight += /[A-Za-z .,;:!?'"()-]/.test(character) ? 1 : 4;
  return weight;
}
