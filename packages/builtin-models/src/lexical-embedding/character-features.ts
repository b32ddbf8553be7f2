/** The number of UTF-16 units of a text that are read. The rest is ignored. */
export const MAX_TEXT_CHARACTERS = 32_768;
/** The number of token ids of a list that are read. The rest is ignored. */
export const MAX_TOKEN_IDS = 8_192;

const WORD = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const IS_LETTER = /^[\p{L}\p{N}]/u;
/** Scripts without spaces between words. One or two of their characters mean as much as a word of another script. */
const IS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

const GRAM_LENGTHS = [3, 4, 5];
const WORD_WEIGHT = 2;
const GRAM_WEIGHT = 1;
const SIGN_WEIGHT = 0.25;
/** Weights by word length. Short words, such as articles and prepositions, carry little meaning. */
const SHORT_WORD_WEIGHTS: Readonly<Record<number, number>> = { 1: 0.25, 2: 0.35, 3: 0.6 };

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Makes the hashes of token ids different from the hashes of texts. */
const TOKEN_SEED = 0x2545f491;
const PAIR_SEED = 0x5bd1e995;

export type AddFeature = (hash: number, weight: number) => void;

/** The features of a text in NFC and lower case: its words, and their sequences of three to five characters. */
export function textFeatures(text: string, add: AddFeature): void {
  const normalised = text.slice(0, MAX_TEXT_CHARACTERS).normalize('NFC').toLowerCase().slice(0, MAX_TEXT_CHARACTERS);
  for (const [word] of normalised.matchAll(WORD)) {
    if (!IS_LETTER.test(word)) add(hashOf(word, 0, word.length), SIGN_WEIGHT);
    else if (IS_UNSPACED.test(word)) addGrams(word, [1, 2], GRAM_WEIGHT, add);
    else {
      const weight = SHORT_WORD_WEIGHTS[word.length] ?? 1;
      add(hashOf(word, 0, word.length), weight * WORD_WEIGHT);
      addGrams(`<${word}>`, GRAM_LENGTHS, weight * GRAM_WEIGHT, add);
    }
  }
}

/** The features of a list of token ids: each id, and each pair of neighbours. */
export function tokenFeatures(ids: readonly number[], add: AddFeature): void {
  let before = 0;
  for (const id of ids.slice(0, MAX_TOKEN_IDS)) {
    const hash = mixed(Math.imul(id ^ TOKEN_SEED, FNV_PRIME));
    add(hash, 1);
    if (before !== 0) add(mixed(Math.imul(before ^ PAIR_SEED, FNV_PRIME) ^ hash), 0.5);
    before = hash;
  }
}

function addGrams(word: string, lengths: readonly number[], weight: number, add: AddFeature): void {
  for (const length of lengths) {
    for (let start = 0; start + length <= word.length; start++) add(hashOf(word, start, start + length), weight);
  }
}

/** FNV-1a over UTF-16 units, with a final step that spreads the hashes of short texts over all bits. */
function hashOf(text: string, start: number, end: number): number {
  let hash = FNV_OFFSET;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return mixed(hash);
}

function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
