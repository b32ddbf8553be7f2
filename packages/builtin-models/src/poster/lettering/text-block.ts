import { shapeLine, splitGraphemes, type Setting, type ShapedLine } from './shaping.ts';

/** Lines of text and the font size at which they fit a box. Lengths are in pixels unless noted. */
export interface TextBlock {
  readonly size: number;
  readonly width: number;
  /** From the top of the first line's capitals to the last line's baseline. */
  readonly height: number;
  readonly lines: readonly ShapedLine[];
  /** Path data of all lines; `y` is the top of the first line's capitals, `x` the box's left edge. */
  draw(x: number, y: number, width: number, align: 'start' | 'center'): string;
}

export interface Fit {
  readonly setting: Setting;
  /** The distance between two baselines, in ems. */
  readonly leading: number;
  /** The height of the capitals, in ems. */
  readonly capHeight: number;
  readonly width: number;
  readonly height: number;
  readonly largest: number;
}

interface Token {
  readonly text: string;
  readonly spaced: boolean;
  readonly advance: number;
}

const BREAKS_ANYWHERE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const CLINGS = /^[\p{Pe}\p{Po}\p{Pf}ー]/u;

/**
 * Sets the text at the largest size that fits the box. Breaks words only if the text would otherwise be tiny. Returns
 * undefined if the text or the box is empty.
 */
export function fitText(text: string, fit: Fit): TextBlock | undefined {
  const whole = tokensOf(text, fit.setting);
  if (whole.length === 0 || fit.width <= 0 || fit.height <= 0) return undefined;
  const size = largestSize(whole, fit);
  const broken = size < fit.largest * 0.3 ? whole.flatMap((token) => shatter(token, fit.setting)) : whole;
  const brokenSize = broken === whole ? size : largestSize(broken, fit);
  const [tokens, best] = brokenSize > size * 1.5 ? [broken, brokenSize] : [whole, size];
  return blockOf(text, balanced(tokens, fit, best), fit, best);
}

function tokensOf(text: string, setting: Setting): Token[] {
  const out: Token[] = [];
  for (const word of text.split(' ').filter((w) => w !== '')) {
    const pieces: string[] = [];
    for (const letter of splitGraphemes(word)) {
      const last = pieces.at(-1);
      const joins =
        last !== undefined && (CLINGS.test(letter) || !(BREAKS_ANYWHERE.test(letter) || BREAKS_ANYWHERE.test(last)));
      if (joins) pieces[pieces.length - 1] = last + letter;
      else pieces.push(letter);
    }
    pieces.forEach((piece, i) =>
      out.push({ text: piece, spaced: i === 0, advance: shapeLine(piece, setting).advance }),
    );
  }
  return out;
}

/** Splits a long word into pieces of a few letters each. */
function shatter(token: Token, setting: Setting): Token[] {
  const letters = splitGraphemes(token.text);
  if (letters.length <= 6) return [token];
  const out: Token[] = [];
  for (let i = 0; i < letters.length; i += 3) {
    const text = letters.slice(i, i + 3).join('');
    out.push({ text, spaced: i === 0 && token.spaced, advance: shapeLine(text, setting).advance });
  }
  return out;
}

function wrap(tokens: readonly Token[], widthInEms: number, space: number): Token[][] {
  const lines: Token[][] = [];
  let used = 0;
  for (const token of tokens) {
    const line = lines.at(-1);
    const gap = token.spaced && line ? space : 0;
    if (line && used + gap + token.advance <= widthInEms) {
      line.push(token);
      used += gap + token.advance;
    } else {
      lines.push([token]);
      used = token.advance;
    }
  }
  return lines;
}

const heightInEms = (lines: number, fit: Fit): number => fit.capHeight + (lines - 1) * fit.leading;

function largestSize(tokens: readonly Token[], fit: Fit): number {
  const longest = Math.max(...tokens.map((t) => t.advance), 0.01);
  const fits = (size: number): boolean =>
    longest * size <= fit.width &&
    heightInEms(wrap(tokens, fit.width / size, fit.setting.space).length, fit) * size <= fit.height;
  if (fits(fit.largest)) return fit.largest;
  let low = 0;
  let high = fit.largest;
  for (let i = 0; i < 22; i++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return Math.max(low, fit.largest * 0.001);
}

/** Breaks the tokens into the lowest possible number of lines, with lengths as equal as possible. */
function balanced(tokens: readonly Token[], fit: Fit, size: number): Token[][] {
  const full = fit.width / size + 1e-6;
  const count = wrap(tokens, full, fit.setting.space).length;
  let low = Math.max(...tokens.map((t) => t.advance));
  let high = full;
  for (let i = 0; i < 16; i++) {
    const middle = (low + high) / 2;
    if (wrap(tokens, middle, fit.setting.space).length <= count) high = middle;
    else low = middle;
  }
  return wrap(tokens, high, fit.setting.space);
}

function blockOf(text: string, wrapped: readonly Token[][], fit: Fit, size: number): TextBlock {
  // Use the direction of the whole text for each line, so that a Latin word alone on a line of a Hebrew title stays at
  // the right.
  const rightToLeft = shapeLine(text, fit.setting).rightToLeft;
  const lines = wrapped.map((line) =>
    shapeLine(
      line.map((t, i) => (t.spaced && i > 0 ? ` ${t.text}` : t.text)).join(''),
      fit.setting,
      rightToLeft ? 'rtl' : 'ltr',
    ),
  );
  return {
    size,
    lines,
    width: Math.max(...lines.map((l) => l.advance)) * size,
    height: heightInEms(lines.length, fit) * size,
    draw: (x, y, width, align) =>
      lines
        .map((shaped, i) => {
          const slack = width - shaped.advance * size;
          const left = align === 'center' ? slack / 2 : rightToLeft ? slack : 0;
          return shaped.draw(x + left, y + (fit.capHeight + i * fit.leading) * size, size);
        })
        .join(''),
  };
}
