import type { Lch } from './colour.ts';

/** A colour harmony in OKLCH. `far` and `near` are the ends of the depth gradient. */
export interface Mood {
  readonly sky: readonly [top: Lch, middle: Lch, horizon: Lch];
  readonly far: Lch;
  readonly near: Lch;
  /** The brightest object: a sun, a moon, lit windows. */
  readonly light: Lch;
  readonly accent: Lch;
  readonly second: Lch;
  readonly third: Lch;
  readonly paper: Lch;
  readonly ink: Lch;
}

/**
 * The harmonies: sky (top, middle, horizon), far, near, light, accent, second, third, paper, ink. Each colour is its
 * lightness and chroma in thousandths, and its hue in degrees.
 */
const HARMONIES = {
  sunset:
    '400 130 300, 660 170 25, 870 120 75, 600 140 15, 220 70 305, 940 100 92, ' +
    '680 190 42, 500 150 350, 800 140 75, 955 22 78, 260 70 305',
  night:
    '170 45 278, 270 80 272, 440 100 255, 400 85 260, 130 30 275, 950 50 95, ' +
    '830 130 85, 620 130 240, 700 100 320, 185 40 275, 940 30 92',
  forest:
    '780 60 165, 870 60 125, 950 60 100, 740 70 160, 240 55 168, 970 60 100, ' +
    '720 160 58, 540 110 148, 820 120 105, 955 22 110, 270 55 166',
  sea:
    '740 90 222, 860 60 205, 950 40 90, 720 90 205, 280 85 245, 970 60 90, ' +
    '680 180 34, 600 110 205, 850 110 88, 960 16 92, 280 85 247',
  autumn:
    '800 70 70, 890 70 82, 950 45 90, 760 120 70, 270 70 35, 950 90 88, ' +
    '640 180 40, 500 140 28, 780 150 75, 950 28 84, 290 70 35',
  winter:
    '680 60 245, 820 45 235, 940 20 220, 820 40 235, 320 70 255, 985 15 90, ' +
    '600 180 25, 580 100 245, 800 60 200, 970 8 230, 300 70 257',
  spring:
    '860 70 225, 930 45 200, 960 40 120, 840 110 135, 400 100 150, 970 80 100, ' +
    '700 170 358, 660 140 140, 860 130 92, 965 18 120, 320 80 155',
  desert:
    '700 80 210, 870 60 85, 920 80 70, 820 100 65, 400 110 35, 970 80 95, ' +
    '620 170 35, 600 90 195, 820 130 75, 950 30 75, 320 90 32',
  fire:
    '200 70 20, 400 150 28, 700 190 48, 500 180 30, 150 40 20, 930 130 92, ' +
    '700 200 45, 550 200 28, 850 160 85, 180 45 22, 940 50 85',
  dawn:
    '760 80 285, 870 70 345, 950 60 70, 800 80 330, 380 90 290, 980 50 90, ' +
    '720 150 18, 660 100 290, 870 90 75, 965 16 50, 330 90 290',
  neon:
    '150 60 295, 250 130 305, 500 240 345, 420 200 310, 120 50 290, 900 160 195, ' +
    '700 260 350, 820 160 195, 860 200 115, 160 60 295, 930 80 195',
  noir:
    '720 4 90, 840 5 90, 930 6 90, 760 6 90, 190 6 90, 985 6 90, ' +
    '580 210 27, 420 8 90, 600 8 90, 955 10 90, 200 8 90',
  midcentury:
    '870 50 90, 910 45 88, 950 35 86, 780 100 80, 310 60 215, 970 40 90, ' +
    '630 170 38, 550 80 200, 790 140 82, 945 32 86, 280 45 220',
  primary:
    '930 25 92, 945 22 92, 955 20 92, 830 160 88, 270 30 270, 970 20 92, ' +
    '600 210 28, 470 150 258, 840 165 88, 950 20 92, 230 20 270',
} as const;

export type MoodName = keyof typeof HARMONIES;

export const MOODS = Object.fromEntries(
  Object.entries(HARMONIES).map(([name, harmony]) => [name, moodOf(harmony)]),
) as Readonly<Record<MoodName, Mood>>;

function moodOf(harmony: string): Mood {
  const colours = harmony.split(', ').map((text): Lch => {
    const [lightness, chroma, hue] = text.split(' ').map(Number);
    return [lightness! / 1_000, chroma! / 1_000, hue!];
  });
  const [top, middle, horizon, far, near, light, accent, second, third, paper, ink] = colours;
  return {
    sky: [top!, middle!, horizon!],
    far: far!,
    near: near!,
    light: light!,
    accent: accent!,
    second: second!,
    third: third!,
    paper: paper!,
    ink: ink!,
  };
}

/** The moods for a prompt without any known word. */
export const GENERIC_MOODS = Object.keys(MOODS) as readonly MoodName[];

/** A harmony around one hue, for colour words: a sky of neighbouring hues and an accent of the opposite hue. */
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
