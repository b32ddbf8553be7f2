import { contrast, mix, oklch, readableOn } from './colour.ts';
import { MOODS, moodOfHue } from './moods.ts';
import { paletteOf } from './palette.ts';
import { Prng } from './prng.ts';

const seeds = Array.from({ length: 25 }, (_, i) => Prng.of(String(i), 'palette', 0));

describe('colours', () => {
  it('are converted from OKLCH to sRGB', () => {
    expect(oklch([0, 0, 0])).toBe('#000000');
    expect(oklch([1, 0, 0])).toBe('#ffffff');
    expect(oklch([0.628, 0.2577, 29.23])).toBe('#ff0000');
  });

  it('lose chroma, not lightness, if sRGB does not contain them', () => {
    const grey = oklch([0.7, 0, 0]);

    expect(oklch([0.7, 0.9, 150])).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrast(oklch([0.7, 0.9, 150]), grey)).toBeLessThan(1.35);
  });

  it('are unchanged at both ends of a mix, and have the contrast that WCAG defines', () => {
    expect(mix('#123456', '#abcdef', 0)).toBe('#123456');
    expect(mix('#123456', '#abcdef', 1)).toBe('#abcdef');
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  });

  it('fall back to black or white if no candidate can be read', () => {
    expect(readableOn(['#ffffff'], ['#eeeeee'])).toBe('#0b0b0f');
    expect(readableOn(['#101010'], ['#222222'])).toBe('#ffffff');
  });
});

describe.each([
  ...Object.entries(MOODS),
  ['hue 25', moodOfHue(25, 1.25)] as const,
  ['hue 200', moodOfHue(200)] as const,
])('the palette of %s', (_name, mood) => {
  it('has a contrast of at least 7:1 between paper and ink', () => {
    for (const prng of seeds) {
      const { paper, ink } = paletteOf(mood, prng);
      expect(contrast(paper, ink)).toBeGreaterThanOrEqual(7);
    }
  });
});
