/** `#rrggbb`, lower case. */
export type Hex = string;

/** OKLCH: lightness 0 to 1, chroma 0 to about 0.37, hue in degrees. */
export type Lch = readonly [lightness: number, chroma: number, hue: number];

type Triple = [number, number, number];

const clamp01 = (v: number): number => Math.min(1, Math.max(0, v));

function labToLinear([l, a, b]: Triple): Triple {
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
    -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
    -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3,
  ];
}

function linearToLab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const encode = (v: number): number => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
const decode = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

function toHex(linear: Triple): Hex {
  return `#${linear
    .map((v) =>
      Math.round(clamp01(encode(clamp01(v))) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function toLinear(hex: Hex): Triple {
  const at = (i: number): number => decode(parseInt(hex.slice(i, i + 2), 16) / 255);
  return [at(1), at(3), at(5)];
}

const inGamut = (linear: Triple): boolean => linear.every((v) => v >= -0.0005 && v <= 1.0005);

/**
 * Converts a colour to sRGB. The chroma of a colour outside sRGB is reduced. Its lightness and hue stay, so that
 * contrasts are preserved.
 */
export function oklch([lightness, chroma, hue]: Lch): Hex {
  const radians = (hue * Math.PI) / 180;
  const at = (c: number): Triple => labToLinear([lightness, c * Math.cos(radians), c * Math.sin(radians)]);
  if (inGamut(at(chroma))) return toHex(at(chroma));
  let low = 0;
  let high = chroma;
  for (let i = 0; i < 14; i++) {
    const middle = (low + high) / 2;
    if (inGamut(at(middle))) low = middle;
    else high = middle;
  }
  return toHex(at(low));
}

/** Interpolates in OKLab, which is perceptually uniform. */
export function mix(from: Hex, to: Hex, t: number): Hex {
  const a = linearToLab(toLinear(from));
  const b = linearToLab(toLinear(to));
  return toHex(labToLinear([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]));
}

export function luminance(colour: Hex): number {
  const [r, g, b] = toLinear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio, 1 to 21. */
export function contrast(one: Hex, other: Hex): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * Returns the first candidate whose contrast on each of `grounds` is at least `ratio`. If there is none, chooses among
 * the candidates, white and near-black, and returns the colour whose lowest contrast on the grounds is the highest.
 */
export function readableOn(grounds: readonly Hex[], candidates: readonly Hex[], ratio = 4.5): Hex {
  const worst = (ink: Hex): number => Math.min(...grounds.map((ground) => contrast(ink, ground)));
  const found = candidates.find((ink) => worst(ink) >= ratio);
  if (found) return found;
  return [...candidates, '#ffffff', '#0b0b0f'].reduce((best, ink) => (worst(ink) > worst(best) ? ink : best));
}
