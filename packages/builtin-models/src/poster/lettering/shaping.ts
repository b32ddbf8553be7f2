import bidiFactory from 'bidi-js';
import type { Font, PathCommand } from 'fontkit';
import { num } from '../svg.ts';
import { fallbackGlyph, type Lettering } from './fallback-glyph.ts';
import { fontFor } from './fonts.ts';

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

export const splitGraphemes = (text: string): string[] => Array.from(graphemes.segment(text), (s) => s.segment);

/** Typesetting of a line: fonts in order of preference; letter and word spacing in ems. */
export interface Setting {
  readonly chain: readonly string[];
  readonly tracking: number;
  readonly space: number;
}

interface Run extends Lettering {
  readonly level: number;
}

/** A line in visual order. */
export interface ShapedLine extends Lettering {
  readonly rightToLeft: boolean;
}

export function shapeLine(text: string, setting: Setting, base: 'ltr' | 'rtl' | 'auto' = 'auto'): ShapedLine {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, base);
  const runs = visualOrder(logicalRuns(text, levels, setting));
  return {
    advance: runs.reduce((sum, run) => sum + run.advance, 0),
    rightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1,
    draw: (x, baseline, size) => {
      let pen = x;
      let data = '';
      for (const run of runs) {
        data += run.draw(pen, baseline, size);
        pen += run.advance * size;
      }
      return data;
    },
  };
}

/** Neighbouring graphemes with the same level and font form a run. A space or a fallback glyph is a separate run. */
function logicalRuns(text: string, levels: Uint8Array, setting: Setting): Run[] {
  const runs: Run[] = [];
  let open: { font: Font; level: number; text: string } | undefined;
  const flush = (): void => {
    if (open) runs.push(fontRun(open.font, open.text, open.level, setting.tracking));
    open = undefined;
  };
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0;
    if (segment === ' ') {
      flush();
      runs.push({ level, advance: setting.space, draw: () => '' });
      continue;
    }
    const shown = (level & 1) === 1 ? (bidi.getMirroredCharacter(segment) ?? segment) : segment;
    const font = fontFor(setting.chain, shown);
    if (!font) {
      flush();
      runs.push({ level, ...fallbackGlyph(segment) });
    } else if (open && open.font === font && open.level === level) {
      open.text += shown;
    } else {
      flush();
      open = { font, level, text: shown };
    }
  }
  flush();
  return runs;
}

function fontRun(font: Font, text: string, level: number, tracking: number): Run {
  const rtl = (level & 1) === 1;
  const { glyphs, positions } = font.layout(text, undefined, undefined, undefined, rtl ? 'rtl' : 'ltr');
  const em = font.unitsPerEm;
  // Right-to-left text has no tracking, because the letters of joined scripts must touch.
  const space = rtl ? 0 : tracking;
  const advance = positions.reduce((sum, p) => sum + p.xAdvance / em, 0) + space * glyphs.length;
  return {
    level,
    advance,
    draw: (x, baseline, size) => {
      const scale = size / em;
      let pen = x;
      let data = '';
      glyphs.forEach((glyph, i) => {
        const at = positions[i];
        if (!at) return;
        data += outline(glyph.path.commands, pen + at.xOffset * scale, baseline - at.yOffset * scale, scale);
        pen += at.xAdvance * scale + space * size;
      });
      return data;
    },
  };
}

const LETTERS: Readonly<Record<PathCommand['command'], string>> = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'Z',
};

/** Converts an outline to path data. The y axis is flipped, because it points upwards in fonts and downwards in SVG. */
function outline(commands: readonly PathCommand[], x: number, y: number, scale: number): string {
  return commands
    .map(
      ({ command, args }) =>
        LETTERS[command] + args.map((v, i) => num(i % 2 === 0 ? x + v * scale : y - v * scale)).join(' '),
    )
    .join('');
}

/** Applies rule L2 of UAX #9 to runs. Within a right-to-left run, fontkit has already reordered the glyphs. */
function visualOrder(runs: readonly Run[]): Run[] {
  const out = [...runs];
  const highest = Math.max(0, ...out.map((r) => r.level));
  for (let level = highest; level >= 1; level--) {
    for (let i = 0; i < out.length; i++) {
      if ((out[i]?.level ?? 0) < level) continue;
      let end = i;
      while (end + 1 < out.length && (out[end + 1]?.level ?? 0) >= level) end++;
      out.splice(i, end - i + 1, ...out.slice(i, end + 1).toReversed());
      i = end;
    }
  }
  return out;
}
