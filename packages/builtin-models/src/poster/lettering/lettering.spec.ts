import { capHeight, FACES, fontFor } from './fonts.ts';
import { shapeLine, type Setting } from './shaping.ts';
import { fitText } from './text-block.ts';
import { MAX_LETTERED_GRAPHEMES, toCapitals, visibleText, wordingOf } from './wording.ts';

const setting: Setting = { chain: FACES.sans.title, tracking: 0, space: 0.25 };

describe('the wording of a poster', () => {
  it('has the first clause as the title and the rest as the subtitle', () => {
    expect(wordingOf('A lighthouse on a rocky coast, at sunset')).toEqual({
      title: 'A lighthouse on a rocky coast',
      subtitle: 'at sunset',
    });
    expect(wordingOf('Jazz')).toEqual({ title: 'Jazz', subtitle: '' });
  });

  it('has at most 90 characters, and an ellipsis if it was shortened', () => {
    const { title, subtitle } = wordingOf('word '.repeat(20_000));

    expect([...`${title} ${subtitle}`.trim()].length).toBeLessThanOrEqual(MAX_LETTERED_GRAPHEMES + 1);
    expect(`${title}${subtitle}`).toMatch(/…$/);
  });

  it.each(['\u0000\u0001', '\u202e\u2066', '\u200b\ufeff', '\ud800', ' \n\t ', '\ufffd'])(
    'is empty for %j',
    (prompt) => {
      expect(wordingOf(prompt)).toEqual({ title: '', subtitle: '' });
    },
  );

  it('drops direction overrides, controls and excess accents, but keeps the letters', () => {
    expect(visibleText('a\u202eb\u0007c\ud800d')).toBe('abcd');
    expect(visibleText(`x${'\u0300'.repeat(400)}`).length).toBeLessThanOrEqual(3);
  });

  it('has Greek capitals without accents', () => {
    expect(toCapitals('Αθήνα')).toBe('ΑΘΗΝΑ');
  });
});

describe('the fonts', () => {
  it.each(['Hello', 'Žluťoučký', 'Привет', 'Ελλάδα', 'שלום', 'مرحبا', 'Việt', '0123–…!?'])(
    'have outlines for %s in every face',
    (text) => {
      for (const face of Object.values(FACES)) {
        for (const chain of [face.title, face.text])
          expect([...text.normalize('NFC')].filter((c) => !fontFor(chain, c))).toEqual([]);
      }
    },
  );

  it.each(['日', '한', 'न', '😀'])('have no glyph for %s, which the fallback draws', (text) => {
    expect(fontFor(FACES.poster.title, text)).toBeUndefined();
    const line = shapeLine(text, setting);

    expect(line.advance).toBeGreaterThan(0.3);
    expect(line.draw(0, 100, 100)).toMatch(/^M[-\d. MLAHVZa]+$/);
  });

  it('have a fallback that draws equal characters equally, and different characters differently', () => {
    expect(shapeLine('日', setting).draw(0, 0, 50)).toBe(shapeLine('日', setting).draw(0, 0, 50));
    expect(shapeLine('日', setting).draw(0, 0, 50)).not.toBe(shapeLine('月', setting).draw(0, 0, 50));
  });
});

describe('a line', () => {
  it('runs from right to left in Hebrew', () => {
    const line = shapeLine('אם', setting);

    expect(line.rightToLeft).toBe(true);
    expect(line.draw(0, 0, 1000).startsWith(shapeLine('ם', setting).draw(0, 0, 1000))).toBe(true);
  });

  it('mirrors brackets in text from right to left', () => {
    expect(
      shapeLine('(א', setting)
        .draw(0, 0, 1000)
        .endsWith(shapeLine(')', setting).draw(shapeLine('א', setting).advance * 1000, 0, 1000)),
    ).toBe(true);
  });

  it('joins Arabic letters instead of setting them one by one', () => {
    const apart = ['س', 'ل', 'ا', 'م'].reduce((sum, letter) => sum + shapeLine(letter, setting).advance, 0);

    expect(shapeLine('سلام', setting).advance).toBeLessThan(apart * 0.9);
  });

  it('keeps numbers and Latin words readable inside a right-to-left line', () => {
    const alone = shapeLine('2026', setting);
    const mixed = shapeLine('שנה 2026', setting);

    expect(mixed.draw(0, 0, 100).startsWith(alone.draw(0, 0, 100))).toBe(true);
  });
});

describe('fitText', () => {
  const box = { setting, leading: 1, capHeight: capHeight(setting.chain), width: 400, height: 200, largest: 150 };

  it.each([
    'Hi',
    'The quick brown fox jumps over the lazy dog',
    'Donaudampfschifffahrtsgesellschaftskapitän',
    'a'.repeat(90),
    '日本語の長い題名がここにあります',
    'שלום עולם מה שלומך היום',
  ])('keeps %s inside its box', (text) => {
    const block = fitText(text, box);

    expect(block?.size).toBeGreaterThan(0);
    expect(block?.size).toBeLessThanOrEqual(150);
    expect(block?.width).toBeLessThanOrEqual(400.01);
    expect(block?.height).toBeLessThanOrEqual(200.01);
  });

  it('breaks a word only if the whole word would be tiny', () => {
    expect(fitText('Forest', box)?.lines).toHaveLength(1);
    expect(fitText('a'.repeat(90), box)?.lines.length).toBeGreaterThan(1);
  });

  it('returns undefined without words or without space', () => {
    expect(fitText('   ', box)).toBeUndefined();
    expect(fitText('x', { ...box, height: 0 })).toBeUndefined();
  });
});
