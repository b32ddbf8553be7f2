import { MOODS } from './moods.ts';
import { Prng } from './prng.ts';
import { themeOf, type Theme } from './theme.ts';

const themeFor = (prompt: string, seed = '1'): Theme => themeOf(prompt, Prng.of(seed, prompt, 0));

describe('themeOf', () => {
  it.each([
    ['a quiet forest', 'mountains'],
    ['The SEA', 'waves'],
    ['City of glass', 'bauhaus'],
    ['robots dancing', 'bauhaus'],
    ['wild flowers', 'mountains'],
    ['mountain view', 'mountains'],
    ['der Wald', 'mountains'],
    ['la mer', 'waves'],
    ['ночной город', 'bauhaus'],
    ['θάλασσα', 'waves'],
    ['富士山', 'mountains'],
    ['desert dunes', 'mountains'],
    ['bauhaus', 'bauhaus'],
  ])('gives the prompt "%s" the motif %s', (prompt, motif) => {
    expect(themeFor(prompt).motif).toBe(motif);
  });

  it.each([
    ['at sunset', 'sunset'],
    ['autumn', 'autumn'],
    ['neon lights', 'neon'],
    ['midnight', 'night'],
    ['winter', 'winter'],
    ['закат', 'sunset'],
    ['秋の山', 'autumn'],
  ] as const)('gives the prompt "%s" the mood %s', (prompt, mood) => {
    expect(themeFor(prompt).mood).toBe(MOODS[mood]);
  });

  it('does not find a known word inside another word', () => {
    const motifs = new Set(Array.from({ length: 60 }, (_, i) => themeFor('seal', String(i)).motif));
    expect(motifs.size).toBe(3);
  });

  it('reads colour words as the hue of the picture', () => {
    expect(themeFor('a red thing').mood.far[2]).toBe(25);
    expect(themeFor('a blue thing').mood.far[2]).toBe(255);
  });

  it('distributes prompts without known words over all motifs and many palettes', () => {
    const themes = Array.from({ length: 120 }, (_, i) => themeFor(`xyzzy${i}`));

    expect(new Set(themes.map((t) => t.motif)).size).toBe(3);
    expect(new Set(themes.map((t) => t.mood)).size).toBeGreaterThanOrEqual(9);
  });
});
