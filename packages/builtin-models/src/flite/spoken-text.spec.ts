import { hostileTexts } from '../../../../test/support/hostile/hostile-texts.js';
import { toSpeakable, toSpokenPieces } from './spoken-text.ts';

const squeeze = (value: string): string => value.replace(/\s+/g, '');
const texts = (input: string): string[] => toSpokenPieces(input).map((piece) => piece.text);

describe('the text that the synthesiser gets', () => {
  it.each([
    ['accents are dropped', 'café naïve Zürich', 'cafe naive Zurich'],
    ['typographic signs become plain ones', '“It’s”… ok', '"It\'s"... ok'],
    ['dashes become pauses', 'one—two', 'one - two'],
    ['currencies are read after their amount', '€5 and £2.50', '5 euros and 2.50 pounds'],
    ['ligatures and full-width letters are spelled out', 'ﬁne Ｈｅｌｌｏ œuvre', 'fine Hello oeuvre'],
    ['controls, NUL and lone surrogates become spaces', 'a\u0000b\u001b[c\ud800d', 'a b [c d'],
    ['other scripts and emoji are left out', 'hi 😀 你好 there', 'hi there'],
    ['invisible characters vanish', 'zero\u200bwidth soft\u00adhyphen', 'zerowidth softhyphen'],
    ['single line breaks are spaces', 'wrapped\r\nline', 'wrapped line'],
    ['blank lines separate paragraphs', 'one\n \n\n two', 'one\n\ntwo'],
    ['dividers are shortened', 'a ========== b', 'a === b'],
    ['markup is text', '<speak>hi</speak>', '<speak>hi</speak>'],
  ])('is plain English text: %s', (_rule, input, spoken) => {
    expect(toSpeakable(input)).toBe(spoken);
  });

  it('is printable ASCII for any input', () => {
    for (const { text } of hostileTexts()) expect(toSpeakable(text)).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('is computed in linear time for long runs of repeated characters', () => {
    const runs = [' ', '\n', ' \n', '\u2003', '.', '"', "('", '€', '\u0301'].map((run) => `x${run.repeat(200_000)}x`);
    for (const run of runs) expect(toSpeakable(run).length).toBeGreaterThan(1);
  });
});

describe('the pieces that are synthesised', () => {
  it('end at the ends of sentences', () => {
    expect(
      texts('The first sentence has some words in it. Is this the second of them, or not? Yes, it is the one!'),
    ).toEqual(['The first sentence has some words in it.', 'Is this the second of them, or not? Yes, it is the one!']);
  });

  it('do not end at abbreviations, initials or decimals, nor before a small letter', () => {
    const sentence =
      'Dr. Smith of the U.S. Army, i.e. J. K. Smith, paid 3.14 on Jan. 3 at 5 p.m. sharp to Acme Inc. for it.';
    const pieces = toSpokenPieces(`A short beginning here. ${sentence}`);
    expect(pieces.map((piece) => piece.text)).toEqual(['A short beginning here.', sentence]);
    expect(pieces.every((piece) => piece.startsSentence && piece.endsSentence)).toBe(true);
  });

  it('end at blank lines', () => {
    expect(texts('A heading\n\nA paragraph without a full stop')).toEqual([
      'A heading',
      'A paragraph without a full stop',
    ]);
  });

  it('begin with a short piece that ends at a clause, so that the first byte is sent early', () => {
    const input =
      'When the long evening came at last over the hills, and the lamps were lit one after the other, ' +
      'everybody went home.';
    const [first, second] = toSpokenPieces(input);
    expect(first).toEqual({
      text: 'When the long evening came at last over the hills, and the lamps were lit one after the other,',
      startsSentence: true,
      endsSentence: false,
    });
    expect(second).toEqual({
      text: 'everybody went home.',
      startsSentence: false,
      endsSentence: true,
    });
  });

  it('have a limited length, even if the text has neither a sentence nor a space', () => {
    for (const { text } of hostileTexts()) {
      for (const piece of toSpokenPieces(text)) expect(piece.text.length).toBeLessThanOrEqual(240);
    }
    // Text that takes longer to speak is split into shorter pieces: 7 is "seven".
    for (const digits of texts('7'.repeat(20_000))) expect(digits.length).toBeLessThanOrEqual(60);
  });

  it('contain every word of the text once and in order', () => {
    for (const { text } of hostileTexts()) {
      expect(squeeze(texts(text).join(''))).toBe(squeeze(toSpeakable(text)));
    }
  });

  it('are one empty piece if nothing can be pronounced', () => {
    expect(toSpokenPieces('😀')).toEqual([{ text: '', startsSentence: true, endsSentence: true }]);
  });
});
