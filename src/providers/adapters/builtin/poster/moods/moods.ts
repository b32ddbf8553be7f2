import { GRAPHIC_MOODS } from './graphic-moods.js';
import type { Mood } from './mood.js';
import { SCENIC_MOODS } from './scenic-moods.js';

export const MOODS = { ...SCENIC_MOODS, ...GRAPHIC_MOODS };

export type MoodName = keyof typeof MOODS;

/** The moods for a prompt without any known word. */
export const GENERIC_MOODS: readonly MoodName[] = [
  'midcentury',
  'sunset',
  'sea',
  'dawn',
  'noir',
  'primary',
  'rose',
  'mint',
  'dusk',
  'tropical',
  'autumn',
  'night',
];

/** A harmony around one hue, for colour words: analogous sky, an accent across the circle. */
export function moodOfHue(hue: number, chroma = 1): Mood {
  const c = (value: number): number => value * chroma;
  return {
    sky: [
      [0.66, c(0.12), hue + 12],
      [0.8, c(0.1), hue],
      [0.93, c(0.05), hue - 18],
    ],
    far: [0.72, c(0.12), hue],
    near: [0.27, c(0.09), hue + 14],
    light: [0.97, 0.05, hue - 30],
    accent: [0.64, c(0.17), hue + 165],
    second: [0.54, c(0.14), hue + 4],
    third: [0.82, c(0.11), hue - 45],
    paper: [0.958, c(0.02), hue - 20],
    ink: [0.27, c(0.08), hue + 12],
  };
}
