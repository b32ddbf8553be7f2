import { MOODS } from './moods/moods.js';
import { Prng } from './prng.js';
import { themeOf, type Theme } from './theme.js';

const themeFor = (prompt: string, seed = '1'): Theme => themeOf(prompt, Prng.of(seed, prompt, 0));

describe('themeOf', () => {
  it.each([
    ['a quiet forest', 'forest'],
    ['The SEA', 'waves'],
    ['City of glass', 'skyline'],
    ['robots dancing', 'robot'],
    ['wild flowers', 'blooms'],
    ['mountain lake', 'mountains'],
    ['rings of Saturn', 'rings'],
    ['der Wald', 'forest'],
    ['la mer', 'waves'],
    ['ночной город', 'skyline'],
    ['θάλασσα', 'waves'],
    ['富士山', 'mountains'],
    ['my black cat', 'cat'],
    ['desert dunes', 'dunes'],
    ['bauhaus', 'bauhaus'],
  ])('reads %s as %s', (prompt, motif) => {
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
  ] as const)('colours %s as %s', (prompt, mood) => {
    expect(themeFor(prompt).mood).toBe(MOODS[mood]);
  });

  it('takes words, not parts of words', () => {
    expect(themeFor('concatenate').tags.size).toBe(0);
    const motifs = new Set(Array.from({ length: 60 }, (_, i) => themeFor('concatenate', String(i)).motif));
    expect(motifs.has('cat')).toBe(false);
  });

  it('takes colour words as the hue of the picture', () => {
    expect(themeFor('a red thing').mood.far[2]).toBe(25);
    expect(themeFor('a blue thing').mood.far[2]).toBe(255);
  });

  it('spreads prompts without known words over many families and palettes', () => {
    const themes = Array.from({ length: 120 }, (_, i) => themeFor(`xyzzy${i}`));

    expect(new Set(themes.map((t) => t.motif)).size).toBeGreaterThanOrEqual(9);
    expect(new Set(themes.map((t) => t.mood)).size).toBeGreaterThanOrEqual(9);
  });
});
